//! The kernel: a game at a table as a pure state machine.
//!
//! A [`Game`] does no I/O, reads no clock and draws no random number that is not handed to it in a [`Moment`].
//! Its whole life is a record: options, seats, a committed seed, and a list of (time, seat, act). Replaying the
//! record gives the same states, bit for bit; everything else in Parlor hangs on that.
//!
//! * [`Game`] is what a game crate implements, [`House`] how it introduces itself, [`Table`] is one game being played.
//! * [`Dice`] are fair: the seed is committed before the first throw, every seat adds to it, and it is shown at the end.
//! * [`chain`] is how a player's client adds to every throw, [`ring`] how a table gathers that.
//! * [`record`] writes and reads a game as JSON lines, [`verify`](verify::verify) replays one and names the line that is wrong.
//! * [`Kept`] is what a player's client was shown, so that it can check a record at the end without trusting the house.
//! * [`Bot`] plays a seat from what that seat may see; [`drive`](bot::drive) plays whole games with bots on a made-up clock.
//! * [`newer`] reads what a newer server sends: fields unknown here are passed over, also in types that are strict elsewhere.
//! * `conformance` (a feature) is the one test suite that every game must pass.

pub mod bot;
pub mod chain;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod dice;
pub mod field;
pub mod game;
mod hex;
pub mod house;
pub mod kept;
mod live;
mod luck;
pub mod newer;
pub mod outcome;
#[cfg(feature = "conformance")]
pub mod playthrough;
pub mod record;
pub mod refused;
pub mod ring;
pub mod seat;
mod time;
pub mod verify;

pub use bot::{Bot, Intent, View};
pub use dice::{Commitment, Dice, Seed};
pub use field::{Field, Shape, Span};
pub use game::{Game, Moment, fingerprint};
pub use house::{About, Choice, House, Progress};
pub use kept::Kept;
pub use live::{Table, Thrower};
pub use luck::Luck;
pub use outcome::Outcome;
pub use record::Head;
pub use refused::{Refused, Spoken};
pub use seat::{Seat, Seated, Seats};
pub use time::Time;
