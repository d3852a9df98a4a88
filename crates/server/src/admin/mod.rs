//! Administrators: who is here, who may not play, and the way in. What they do is written by an [`Office`]; every node learns of it from the audit log, wherever
//! and however it was done ([`news`]).

mod keys;
mod news;
mod tool;

pub(crate) use keys::{Key, form_token, new_key, sum};
pub(crate) use news::Feed;
pub use tool::Admin;

use crate::lock;
use crate::outlet::{Bye, Outlet};
use crate::say;
use crate::store::office::Office;
use protocol::PersonId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use table::Spoken;

/// How long a link that signs in is good, in milliseconds.
pub(crate) const LINK_LIVES: u64 = 60 * 60 * 1000;
/// How long a browser stays signed in.
pub(crate) const KEY_LIVES: u64 = 12 * 60 * 60 * 1000;

/// Who is here, and who may not play.
#[derive(Debug, Default)]
pub(crate) struct Guests {
    sockets: Mutex<BTreeMap<PersonId, Vec<Arc<Outlet>>>>,
    suspended: Mutex<BTreeSet<PersonId>>,
}

/// Somebody who is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Here {
    pub(crate) name: String,
    pub(crate) sockets: usize,
}

impl Guests {
    /// A socket of somebody with a name is open.
    pub(crate) fn enter(&self, outlet: &Arc<Outlet>) {
        lock(&self.sockets).entry(outlet.person.id.clone()).or_default().push(Arc::clone(outlet));
    }

    /// A socket is closed.
    pub(crate) fn leave(&self, outlet: &Outlet) {
        let mut sockets = lock(&self.sockets);
        if let Some(own) = sockets.get_mut(&outlet.person.id) {
            own.retain(|other| other.id != outlet.id);
            if own.is_empty() {
                sockets.remove(&outlet.person.id);
            }
        }
    }

    /// Closes somebody's sockets: whoever comes back is asked again who it is.
    pub(crate) fn ask_again(&self, person: &str) {
        for outlet in lock(&self.sockets).get(person).into_iter().flatten() {
            outlet.close(Bye::Fell);
        }
    }

    /// Everybody with a name who is here.
    pub(crate) fn here(&self) -> BTreeMap<PersonId, Here> {
        let one = |(id, own): (&PersonId, &Vec<Arc<Outlet>>)| {
            let name = own.first().map(|outlet| outlet.person.name.clone()).unwrap_or_default();
            (id.clone(), Here { name, sockets: own.len() })
        };
        lock(&self.sockets).iter().map(one).collect()
    }

    pub(crate) fn suspend(&self, people: impl IntoIterator<Item = PersonId>) {
        lock(&self.suspended).extend(people);
    }

    pub(crate) fn lift(&self, person: &str) {
        lock(&self.suspended).remove(person);
    }

    /// Refuses whoever is suspended.
    pub(crate) fn may_play(&self, person: &str) -> Result<(), Spoken> {
        if !lock(&self.suspended).contains(person) {
            return Ok(());
        }
        let says = "The administrator of this house has suspended you. You can watch, but not play. Ask them to lift it.";
        Err(say("suspended", says))
    }
}

/// The first link of a house: none, if it ever had one.
pub(crate) async fn first_link(office: &dyn Office, now: u64) -> Option<Key> {
    use crate::store::office::Deed;
    let key = new_key();
    let deed = Deed::FirstLink { sum: sum(&key), until: now + LINK_LIVES };
    match office.carry_out(deed, "start".to_owned(), now).await {
        Ok(made) => made.then_some(key),
        Err(fault) => {
            tracing::warn!(%fault, "no link for the administrator could be made; parlor admin makes one");
            None
        }
    }
}
