//! Every version of the two schemas, in order: a store of version n has the first n. A new column is a new version here, and nothing else in SQL.

/// For SQLite.
pub(super) const SQLITE: [&str; 2] = [include_str!("schema/sqlite1.sql"), include_str!("schema/sqlite2.sql")];

/// For PostgreSQL.
pub(super) const POSTGRES: [&str; 5] = [
    include_str!("schema/postgres1.sql"),
    include_str!("schema/postgres2.sql"),
    include_str!("schema/postgres3.sql"),
    include_str!("schema/postgres4.sql"),
    include_str!("schema/postgres5.sql"),
];
