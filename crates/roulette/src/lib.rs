//! Dice Roulette: two dice, thirty-six numbers, any number of players.
pub mod notation;
pub mod odds;
pub mod set;
pub mod slip;
pub mod spot;
pub use notation::{Misread, Stake, read_slip, write_slip};
pub use odds::{Exact, Odds, Outlook, OutlookError, odds, odds_of, outlook, outlook_of};
pub use set::{Bet, Kind, Set, SetError, Throw};
pub use slip::{Settled, Slip};
pub use spot::{Side, Spot, SpotError};
