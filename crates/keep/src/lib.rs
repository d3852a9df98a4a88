//! A scorekeeper and timer for people who have the real pieces on the table. They type what they laid; it counts, says
//! what the best would have been, keeps everything on disk, and writes a score sheet at the end.
//!
//! What is kept is the list of lines that were typed and accepted, like the record of a table: undo is the same list
//! without its last line, and coming back is reading it again.
//!
//! ```
//! use keep::{Dictionary, Ledger, Terms};
//!
//! let terms = Terms::IQubes { rounds: 1, long_word: false, two_sets: false, dictionary: Dictionary::House };
//! let mut ledger = terms.open(&["Ann".to_owned()])?;
//! ledger.enter("DASH/.TO*E")?;
//! assert_eq!(ledger.standing()[0].points, 26);
//! # Ok::<(), keep::Trouble>(())
//! ```

mod contact;
mod cubo;
mod ledger;
mod letters;
mod roulette;
mod session;
mod sheet;
mod store;
mod terms;
mod timer;
mod trouble;

pub use ledger::{Ledger, Standing};
pub use session::{Desk, Ended, KeepError, run};
pub use store::{Kept, StoreError};
pub use terms::{Dictionary, Terms};
pub use trouble::Trouble;
