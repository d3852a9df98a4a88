//! The administrators' command line: what their page does, without a page, beside a server or without one.

use super::{LINK_LIVES, new_key, sum};
use crate::clock::system_now;
use crate::host::wait_for;
use crate::http::enter_path;
use crate::store::StoreFault;
use crate::store::office::{self, Deed, Home, Known, Office, OpenTable};
use crate::{clean_name, clean_sentence, say};
use std::sync::Arc;
use table::Spoken;

/// Who the audit log says it was.
const WHO: &str = "command line";
/// As much as a list shows.
const MOST: u32 = 500;

/// An administrator at the command line.
pub struct Admin(Home);

impl Admin {
    /// Of this house.
    pub const fn of(home: Home) -> Admin {
        Admin(home)
    }

    fn with<T, F: Future<Output = Result<T, StoreFault>>>(
        &self,
        work: impl FnOnce(Arc<dyn Office>) -> F,
    ) -> Result<T, StoreFault> {
        wait_for(async { work(office::open(&self.0).await?).await })
    }

    fn carry_out(&self, deed: Deed) -> Result<bool, StoreFault> {
        self.with(|office| async move { office.carry_out(deed, WHO.to_owned(), system_now()).await })
    }

    /// The path of a new link that signs one browser in.
    pub fn link(&self) -> Result<String, StoreFault> {
        let key = new_key();
        self.carry_out(Deed::Link { sum: sum(&key), until: system_now() + LINK_LIVES })?;
        Ok(enter_path(&key))
    }

    /// Signs all administrators out.
    pub fn revoke(&self) -> Result<(), StoreFault> {
        self.carry_out(Deed::Revoke).map(drop)
    }

    /// People whose name holds this.
    pub fn people(&self, like: &str) -> Result<Vec<Known>, StoreFault> {
        self.with(|office| async move { office.people(like.to_owned(), MOST).await })
    }

    /// The one person with this id, or of exactly this name.
    pub fn person(&self, called: &str) -> Result<Result<Known, Spoken>, StoreFault> {
        let mut found = self.people(called)?;
        found.retain(|known| known.person.id == called || known.person.name == called);
        if let Some(at) = found.iter().position(|known| known.person.id == called) {
            return Ok(Ok(found.swap_remove(at)));
        }
        let ids: Vec<&str> = found.iter().map(|known| known.person.id.as_str()).collect();
        Ok(match (found.len(), ids.join(", ")) {
            (1, _) => Ok(found.swap_remove(0)),
            (0, _) => {
                Err(say("nobody", format!("There is nobody called {called:?} here. See parlor people list.")))
            }
            (count, ids) => Err(say(
                "which-person",
                format!("{count} people are called {called:?}. Say which by id: {ids}"),
            )),
        })
    }

    /// Gives somebody another name; answers the name as it was cleaned.
    pub fn rename(&self, person: &str, name: &str) -> Result<Result<String, Spoken>, StoreFault> {
        let name = match clean_name(name) {
            Ok(name) => name,
            Err(why) => return Ok(Err(why)),
        };
        self.carry_out(Deed::Rename { person: person.to_owned(), name: name.clone() })?;
        Ok(Ok(name))
    }

    /// Lets somebody only watch from now on; answers whether that is new.
    pub fn suspend(&self, person: &str) -> Result<bool, StoreFault> {
        self.carry_out(Deed::Suspend { person: person.to_owned() })
    }

    /// Lets somebody play again; answers whether that is new.
    pub fn lift(&self, person: &str) -> Result<bool, StoreFault> {
        self.carry_out(Deed::Lift { person: person.to_owned() })
    }

    /// Deletes what is kept of somebody.
    pub fn forget(&self, person: &str) -> Result<bool, StoreFault> {
        self.carry_out(Deed::Forget { person: person.to_owned() })
    }

    /// Tables that are not over.
    pub fn tables(&self) -> Result<Vec<OpenTable>, StoreFault> {
        self.with(|office| async move { office.tables(MOST).await })
    }

    /// Closes a table with words for its players; answers whether it was open.
    pub fn close(&self, table: i64, says: &str) -> Result<Result<bool, Spoken>, StoreFault> {
        match clean_sentence(says) {
            Ok(says) => self.carry_out(Deed::Close { table, says }).map(Ok),
            Err(why) => Ok(Err(why)),
        }
    }
}
