//! Dice Roulette: two dice, thirty-six numbers, any number of players.
//!
//! A black die and a white one make a number; chips lie on the layout; the banker throws, sweeps up what is lost and
//! pays what is won. There is no zero, so every one of the 136 bets is exactly fair.
//!
//! * [`Set`] is the pieces, read from a data file; [`Spot`], [`Stake`] and [`Slip`] are what is laid on them.
//! * [`Roulette`] is the table (`impl Game`), [`Options`] what it agrees on, [`Act`] what a seat can do.
//! * [`odds()`] and [`outlook`] say exactly what a slip is worth, once and over many throws.
//! * [`bot()`] sits down to play, [`coach`] looks over a shoulder.
//!
//! ```
//! let odds = roulette::odds("15=2 1|2=3 black=10")?;
//! assert_eq!(odds.expectation.to_string(), "0");
//! assert_eq!(odds.net[&15], 2 * 35 - 3 + 10);
//! # Ok::<(), roulette::Misread>(())
//! ```

pub mod bot;
pub mod coach;
pub mod game;
mod house;
mod layout;
mod news;
pub mod notation;
pub mod odds;
pub mod options;
pub mod refusal;
pub mod set;
pub mod slip;
pub mod spot;
pub mod view;

pub use bot::bot;
pub use game::{Act, Roulette};
pub use house::SlipQuestion;
pub use news::News;
pub use notation::{Misread, Stake, read_slip, write_slip};
pub use odds::{Exact, Odds, Outlook, OutlookError, odds, odds_of, outlook, outlook_of};
pub use options::{Banker, Options};
pub use refusal::Refusal;
pub use set::{Bet, Kind, Set, SetError, Throw};
pub use slip::{LAYOUT_LIMIT, Settled, Slip};
pub use spot::{Side, Spot, SpotError};
pub use view::{Phase, Private, Public};
