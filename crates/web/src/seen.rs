//! A view of a game: the JSON that came, and the game's own type once somebody has asked for it. Board, sheet, tally and
//! telling ask for the same type, so the JSON is read once.

use serde::de::DeserializeOwned;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// What a view read as, whatever its type; nothing while none has come.
type Typed = Result<Option<Arc<dyn Any + Send + Sync>>, Unreadable>;

/// A view that this page cannot read: the server is of another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// A view of a game.
#[derive(Clone, Debug)]
pub struct Seen {
    json: Arc<str>,
    typed: Arc<OnceLock<Typed>>,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Seen) -> bool {
        self.json == other.json
    }
}

impl Default for Seen {
    /// Nothing has come so far.
    fn default() -> Seen {
        Seen::from("null")
    }
}

impl<T: Into<Arc<str>>> From<T> for Seen {
    fn from(json: T) -> Seen {
        Seen { json: json.into(), typed: Arc::default() }
    }
}

impl Seen {
    /// It as the game's own type; nothing while none has come. The first type asked for is kept.
    pub fn read<T: DeserializeOwned + Send + Sync + 'static>(&self) -> Result<Option<Arc<T>>, Unreadable> {
        let parse = || match serde_json::from_str::<Option<T>>(&self.json) {
            Ok(view) => Ok(view.map(Arc::new)),
            Err(_) => Err(Unreadable),
        };
        let kept = self.typed.get_or_init(|| Ok(parse()?.map(|view| view as Arc<dyn Any + Send + Sync>)));
        match kept.clone()?.map(Arc::downcast::<T>) {
            Some(Ok(view)) => Ok(Some(view)),
            Some(Err(_)) => parse(),
            None => Ok(None),
        }
    }

    /// The same, for whoever has no word for a view that cannot be read.
    pub fn get<T: DeserializeOwned + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.read().ok().flatten()
    }

    /// The JSON that came.
    pub fn json(&self) -> &str {
        &self.json
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::sync::atomic::{AtomicU32, Ordering};

    static READ: AtomicU32 = AtomicU32::new(0);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(from = "u32")]
    struct Counted(u32);

    impl From<u32> for Counted {
        fn from(number: u32) -> Counted {
            READ.fetch_add(1, Ordering::Relaxed);
            Counted(number)
        }
    }

    #[test]
    fn a_view_is_read_once_however_many_ask() {
        let seen = Seen::from("7");
        let (board, sheet, tally) = (seen.clone(), seen.clone(), seen.clone());
        for view in [board, sheet, tally] {
            assert_eq!(view.get::<Counted>().as_deref(), Some(&Counted(7)));
        }
        assert_eq!(READ.load(Ordering::Relaxed), 1);
        assert_eq!(seen.get::<u8>().as_deref(), Some(&7), "another type is read by itself");
        assert_eq!(seen, Seen::from("7"));
        assert_ne!(seen, Seen::from("8"));
    }

    #[test]
    fn what_cannot_be_read_is_not_taken_for_what_has_not_come() {
        assert_eq!(Seen::default().read::<u32>(), Ok(None));
        assert_eq!(Seen::from("\"seven\"").read::<u32>(), Err(Unreadable));
        assert_eq!(Seen::from("\"seven\"").get::<u32>(), None);
    }
}
