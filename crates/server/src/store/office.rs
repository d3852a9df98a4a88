//! What the administrators of a house see, and what they do. Everything they do stands in the audit log, in the same transaction; servers that have the house
//! open read the log to learn what they have to do about it. So an administrator may ask any node, or use the command line, whether a server runs or not.

#[cfg(feature = "cluster")]
use super::postgres;
use super::{Later, StoreFault, sqlite};
use protocol::http::Person;
use protocol::{PersonId, TableId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a house is kept.
#[derive(Clone, Debug)]
pub enum Home {
    /// In a folder.
    Folder(PathBuf),
    /// In a database, at this address: `postgres://user@host/name`.
    Database(String),
}

/// What is kept of a link or of a browser that is signed in: enough to know it again, not enough to use it.
pub type KeySum = [u8; 32];

/// Something that an administrator does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Makes a link that signs one browser in.
    Link {
        /// Of the link's key.
        sum: KeySum,
        /// When it is too old, in milliseconds since 1970.
        until: u64,
    },
    /// The same, if there never was one: of a server that has just started.
    FirstLink {
        /// Of the link's key.
        sum: KeySum,
        /// When it is too old, in milliseconds since 1970.
        until: u64,
    },
    /// Signs a browser in by a link, which is good for nothing after that.
    SignIn {
        /// Of the link's key.
        link: KeySum,
        /// Of the browser's key.
        sum: KeySum,
        /// How long the browser stays signed in, in milliseconds since 1970.
        until: u64,
    },
    /// Signs a browser out.
    SignOut {
        /// Of the browser's key.
        sum: KeySum,
    },
    /// Signs all browsers out, and makes all links useless.
    Revoke,
    /// Gives somebody another name.
    Rename {
        /// Whose name it is.
        person: PersonId,
        /// The new one.
        name: String,
    },
    /// From now on somebody may look on, and neither play nor make tables.
    Suspend {
        /// The one who may not.
        person: PersonId,
    },
    /// Lifts a suspension.
    Lift {
        /// The one who may again.
        person: PersonId,
    },
    /// Deletes what is kept of somebody. Games that were played stay, without the person.
    Forget {
        /// Of whom.
        person: PersonId,
    },
    /// Closes a table, with words for its players. It is known by its number: its name is the invitation.
    Close {
        /// Its number.
        table: i64,
        /// The words.
        says: String,
    },
}

impl Deed {
    /// The name in the audit log.
    pub const fn name(&self) -> &'static str {
        match self {
            Deed::Link { .. } | Deed::FirstLink { .. } => "link",
            Deed::SignIn { .. } => "sign-in",
            Deed::SignOut { .. } => "sign-out",
            Deed::Revoke => "revoke",
            Deed::Rename { .. } => "rename",
            Deed::Suspend { .. } => "suspend",
            Deed::Lift { .. } => "lift",
            Deed::Forget { .. } => "forget",
            Deed::Close { .. } => "close",
        }
    }

    /// Whom or what it is done to, as the audit log names it.
    pub fn subject(&self) -> String {
        match self {
            Deed::Rename { person, .. }
            | Deed::Suspend { person }
            | Deed::Lift { person }
            | Deed::Forget { person } => person.clone(),
            Deed::Close { table, .. } => table.to_string(),
            _ => String::new(),
        }
    }

    /// The words that belong to it. No name of a person: what is forgotten must not live on in the log.
    pub fn says(&self) -> &str {
        if let Deed::Close { says, .. } = self { says } else { "" }
    }
}

/// A line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub n: i64,
    /// When, in milliseconds since 1970.
    pub wall: u64,
    /// The administrator: a browser, or the command line.
    pub who: String,
    /// [`Deed::name`].
    pub deed: String,
    /// [`Deed::subject`].
    pub subject: String,
    /// [`Deed::says`].
    pub says: String,
    /// What the subject is called now, if it is a person who is known.
    pub name: String,
    /// The table, if the subject is one.
    pub table: Option<TableId>,
}

/// Somebody, as administrators see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Who it is.
    pub person: Person,
    /// Since when, in milliseconds since 1970.
    pub made: u64,
    /// Since when suspended, if so.
    pub suspended: Option<u64>,
}

/// A table that is not over, as administrators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    /// Its number.
    pub number: i64,
    /// Its name, which is the invitation: not to be shown.
    pub id: TableId,
    /// The game's name.
    pub game: String,
    /// Whether its game has begun.
    pub playing: bool,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    /// The people who sit there.
    pub people: String,
}

/// How much there is in a house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// People.
    pub people: u64,
    /// Of those, suspended.
    pub suspended: u64,
    /// Tables whose game has not begun.
    pub gathering: u64,
    /// Games being played.
    pub playing: u64,
    /// Finished games.
    pub finished: u64,
    /// Bytes of the file or database.
    pub bytes: u64,
}

/// The administrators' way to what is kept.
pub trait Office: Send + Sync + 'static {
    /// Does it and enters it in the audit log, at this time by this administrator; answers whether there was anything to do it to.
    fn carry_out(&self, deed: Deed, who: String, wall: u64) -> Later<bool>;
    /// Whether a browser is signed in.
    fn signed_in(&self, sum: KeySum, now: u64) -> Later<bool>;
    /// People whose name holds this, or who are exactly this one; the latest first.
    fn people(&self, like: String, most: u32) -> Later<Vec<Known>>;
    /// Everybody who is suspended.
    fn suspended(&self) -> Later<Vec<PersonId>>;
    /// Tables that are not over, the latest first.
    fn tables(&self, most: u32) -> Later<Vec<OpenTable>>;
    /// The audit log, the latest first.
    fn audit(&self, most: u32) -> Later<Vec<Entry>>;
    /// The audit log after this entry, the oldest first.
    fn news(&self, after: i64) -> Later<Vec<Entry>>;
    /// How much there is.
    fn counts(&self) -> Later<Counts>;
}

/// The office of a house that is there; one that an older version kept is brought up to date, if no server has it open.
#[cfg_attr(not(feature = "cluster"), allow(clippy::unused_async, reason = "a folder is opened at once"))]
pub async fn open(home: &Home) -> Result<Arc<dyn Office>, StoreFault> {
    match home {
        Home::Folder(folder) => sqlite::FolderOffice::open(folder).map(|office| Arc::new(office) as _),
        #[cfg(feature = "cluster")]
        Home::Database(url) => postgres::DatabaseOffice::open(url).await.map(|office| Arc::new(office) as _),
        #[cfg(not(feature = "cluster"))]
        Home::Database(_) => Err(StoreFault::LeftOut),
    }
}

/// The office of a house that this server has open itself.
pub(crate) fn beside(data: &Path, database: Option<&str>) -> Result<Arc<dyn Office>, StoreFault> {
    Ok(match database {
        #[cfg(feature = "cluster")]
        Some(url) => Arc::new(postgres::DatabaseOffice::of(postgres::address(url)?)),
        #[cfg(not(feature = "cluster"))]
        Some(_) => return Err(StoreFault::LeftOut),
        None => Arc::new(sqlite::FolderOffice::of(data.join(sqlite::FILE))),
    })
}

/// A house that this program can neither bring up to date nor use as it is.
pub(crate) fn other_version(found: i64, known: i64) -> StoreFault {
    if found > known {
        return StoreFault::Newer { found, known };
    }
    StoreFault::Broken(format!(
        "this house is kept by an older Parlor (its store has version {found}, this program keeps version {known}); \
         use that one, or start this one's server once"
    ))
}

/// What is asked of both stores in the same words. SQLite writes its values `?1`.
pub(crate) mod asked {
    pub(crate) const SIGNED_IN: &str = "SELECT until FROM keys WHERE sum = $1 AND NOT once AND until > $2";
    pub(crate) const PEOPLE: &str = r"SELECT id, name, made, suspended FROM people
         WHERE id = $1 OR lower(name) LIKE $2 ESCAPE '\' ORDER BY made DESC, id LIMIT $3";
    pub(crate) const SUSPENDED: &str = "SELECT id FROM people WHERE suspended IS NOT NULL";
    pub(crate) const TABLES: &str = "SELECT t.key, t.id, t.game, t.stage = 1, t.made, coalesce(
           (SELECT string_agg(p.name, ', ' ORDER BY p.name) FROM sitting s JOIN people p ON p.id = s.person WHERE s.tab = t.key), '')
         FROM tables t WHERE t.stage < 2 AND t.closing IS NULL ORDER BY t.made DESC, t.key DESC LIMIT $1";
    pub(crate) const AUDIT: &str =
        "SELECT a.n, a.wall, a.who, a.deed, a.subject, a.says, coalesce(p.name, ''), t.id
         FROM audit a LEFT JOIN people p ON p.id = a.subject
         LEFT JOIN tables t ON t.key = CASE WHEN a.deed = 'close' THEN CAST(a.subject AS bigint) END
         ORDER BY a.n DESC LIMIT $1";
    pub(crate) const NEWS: &str = "SELECT a.n, a.wall, a.who, a.deed, a.subject, a.says, '', t.id
         FROM audit a LEFT JOIN tables t ON t.key = CASE WHEN a.deed = 'close' THEN CAST(a.subject AS bigint) END
         WHERE a.n > $1 ORDER BY a.n";
    pub(crate) const COUNTS: &str = "SELECT (SELECT count(*) FROM people), (SELECT count(*) FROM people WHERE suspended IS NOT NULL),
           (SELECT count(*) FROM tables WHERE stage = 0 AND closing IS NULL),
           (SELECT count(*) FROM tables WHERE stage = 1 AND closing IS NULL), (SELECT count(*) FROM finished)";

    /// What a name must be like to hold this, for `LIKE`.
    pub(crate) fn like(part: &str) -> String {
        let escaped: String = part
            .to_lowercase()
            .chars()
            .flat_map(|letter| if "\\%_".contains(letter) { vec!['\\', letter] } else { vec![letter] })
            .collect();
        format!("%{escaped}%")
    }
}
