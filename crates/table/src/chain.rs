//! Hash chains: how a player's client adds to every throw what nobody could know before.
//!
//! The client makes a [`Secret`] and from it a chain of [`LINKS`] links, each the hash of the next. When it sits down it says the first,
//! the anchor, and for every throw the next one. Nobody can compute the next link from those that were said, and everybody can hash
//! it back to the anchor, so the client cannot choose it any more.
//!
//! ```text
//! link 4096 = SHA-256("parlor chain 1" ‖ secret)
//! link i    = SHA-256("parlor link 1" ‖ link i + 1)          the anchor is link 0
//! ```
//!
//! ```
//! use table::chain::{Chain, LINKS, Secret};
//!
//! let secret = Secret::new([7; 32]);
//! let mut chain = Chain::of(secret.anchor());
//! assert!(chain.follows(1, &secret.link(1).unwrap()) && !chain.follows(1, &secret.link(2).unwrap()));
//! chain.advance(3, secret.link(3).unwrap());
//! assert!(!chain.follows(3, &secret.link(3).unwrap()), "a link is good for one throw");
//! assert_eq!(secret.link(LINKS + 1), None);
//! ```

use crate::dice::NotHex;
use crate::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// How many throws a chain is good for.
pub const LINKS: u32 = 4_096;

/// What a client alone knows. Whoever knows it knows all links of its chain.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Secret([u8; 32]);

/// One link of a chain; link 0 is its anchor.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Link([u8; 32]);

/// A chain as everybody else knows it: the last link that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    said: Link,
    index: u32,
}

impl Secret {
    /// A secret from 32 bytes of a good random source.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Another secret, made from this one for a purpose: a client needs chance only once.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Secret {
        let made = Sha256::new().chain_update(b"parlor secret 1").chain_update(self.0).chain_update(purpose);
        Secret(made.finalize().into())
    }

    /// A link of the chain, if it has so many.
    pub fn link(&self, index: u32) -> Option<Link> {
        let last = Sha256::new().chain_update(b"parlor chain 1").chain_update(self.0).finalize();
        Some(Link(last.into()).back(LINKS.checked_sub(index)?))
    }

    /// All links of the chain from its anchor on, for whoever answers many throws.
    pub fn links(&self) -> Vec<Link> {
        let mut links: Vec<Link> = std::iter::successors(self.link(LINKS), |link| Some(link.back(1)))
            .take(LINKS as usize + 1)
            .collect();
        links.reverse();
        links
    }

    /// What is said before the first throw.
    pub fn anchor(&self) -> Link {
        self.link(0).expect("every chain has a link 0")
    }
}

impl Link {
    /// The link so many before this one.
    fn back(self, steps: u32) -> Link {
        (0..steps).fold(self, |link, _| {
            Link(Sha256::new().chain_update(b"parlor link 1").chain_update(link.0).finalize().into())
        })
    }

    pub(crate) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Chain {
    /// The chain of an anchor.
    pub const fn of(anchor: Link) -> Chain {
        Chain { said: anchor, index: 0 }
    }

    /// Whether this is that link of the chain, and none that was said or skipped before.
    pub fn follows(&self, index: u32, link: &Link) -> bool {
        index > self.index && index <= LINKS && link.back(index - self.index) == self.said
    }

    /// Goes on from a link that follows.
    pub fn advance(&mut self, index: u32, link: Link) {
        *self = Chain { said: link, index };
    }
}

/// A secret never shows itself in a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({})", hex::encode(&self.0[..4]))
    }
}

impl TryFrom<String> for Secret {
    type Error = NotHex;
    fn try_from(text: String) -> Result<Secret, NotHex> {
        hex::decode(&text).map(Secret).ok_or(NotHex)
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> String {
        hex::encode(&secret.0)
    }
}

impl TryFrom<String> for Link {
    type Error = NotHex;
    fn try_from(text: String) -> Result<Link, NotHex> {
        hex::decode(&text).map(Link).ok_or(NotHex)
    }
}

impl From<Link> for String {
    fn from(link: Link) -> String {
        link.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_back_to_its_anchor_from_where_it_stands_and_from_nowhere_else() {
        let (mine, other) = (Secret::new([1; 32]), Secret::new([2; 32]));
        let chain = Chain::of(mine.anchor());
        for index in [1, 2, 100, LINKS] {
            let link = mine.link(index).unwrap();
            assert!(chain.follows(index, &link), "{index}");
            assert!(!chain.follows(index + 1, &link) && !chain.follows(index - 1, &link), "{index}");
            assert!(!chain.follows(index, &other.link(index).unwrap()), "{index}");
        }
        let links = mine.links();
        assert_eq!((links.len(), links[0], Some(links[77])), (4_097, mine.anchor(), mine.link(77)));
        assert!(!chain.follows(0, &mine.anchor()), "the anchor is no link of a throw");
        assert!(!chain.follows(u32::MAX, &mine.anchor()), "and no number makes it hash for ever");
    }

    #[test]
    fn what_was_said_or_skipped_is_not_taken_again() {
        let mine = Secret::new([1; 32]);
        let mut chain = Chain::of(mine.anchor());
        chain.advance(5, mine.link(5).unwrap());
        assert!((0..=5).all(|index| !chain.follows(index, &mine.link(index).unwrap())));
        assert!(chain.follows(6, &mine.link(6).unwrap()) && chain.follows(9, &mine.link(9).unwrap()));
    }

    #[test]
    fn a_secret_shows_itself_only_in_what_its_owner_keeps() {
        let secret = Secret::new([171; 32]);
        assert!(!format!("{secret:?}").contains("ab"));
        let kept = serde_json::to_string(&secret).unwrap();
        assert_eq!(serde_json::from_str::<Secret>(&kept).unwrap(), secret);
    }
}
