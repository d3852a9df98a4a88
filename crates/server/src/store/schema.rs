//! Every version of the two schemas, in order: a store of version n has the first n, and none of them ever changes. The first ones have files of
//! their own; whatever comes now is written here, side by side for both stores, so that a new column is one place in SQL.

/// For SQLite.
pub(super) const SQLITE: [&str; 2] = [
    include_str!("schema/sqlite1.sql"),
    // Where each table ends is found in the rows, and kept beside the tables: the last row and how many there are, as of the last time that this
    // was brought up to date. All rows after the last one here are newer.
    "CREATE TABLE ends (tab INTEGER PRIMARY KEY, last INTEGER NOT NULL, count INTEGER NOT NULL);
     ALTER TABLE tables DROP COLUMN last;
     DELETE FROM meta WHERE name = 'heads';",
];

/// For PostgreSQL. (`nodes.wrote` is no longer used; nodes of the version before write it during a rolling restart.)
#[cfg(feature = "cluster")]
pub(super) const POSTGRES: [&str; 5] = [
    include_str!("schema/postgres1.sql"),
    include_str!("schema/postgres2.sql"),
    include_str!("schema/postgres3.sql"),
    include_str!("schema/postgres4.sql"),
    include_str!("schema/postgres5.sql"),
];
