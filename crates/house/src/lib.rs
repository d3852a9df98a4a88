//! The games behind one door: open by name, act from JSON, view to JSON, bots and coach.
//!
//! Servers and clients know a table as an [`AnyTable`]; nothing above this crate names a single game, except where
//! it draws one.
//!
//! ```
//! use house::{AnyTable, Kind, Setting};
//! use table::{Seat, Seats, Seed, Time};
//!
//! let setting = Setting::new("roulette".parse::<Kind>()?, serde_json::json!({"throws": 3}))?;
//! let seats = Seats::named(["Ann", "Ben"])?;
//! let (mut table, _head) = AnyTable::open(&setting, seats, &Seed::from_number(1), None)?;
//! let refused = table.act(Time(10), Seat(0), r#"{"do":"fly"}"#).unwrap_err();
//! assert_eq!(refused.code, "bad-act");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod around;
mod bests;
mod check;
mod driver;
mod ending;
mod engine;
mod fields;
mod games;
mod plain;
mod ponder;

pub use any::{AnyTable, Setting, levels};
pub use around::{BOTS, bot_name, next_hand, to_you};
pub use bests::Bests;
pub use check::{Simulated, is_of, kind_of, replay, simulate, verify, verify_kept};
pub use contact::PositionQuestion;
pub use cubo::CuboQuestion;
pub use driver::{BotRefused, Driver, Step};
pub use ending::Ending;
pub use engine::Engine;
pub use fields::{Chosen, variations};
pub use games::*;
pub use letters::LayoutQuestion;
pub use plain::{LONGEST, deceives, is_plain, stacks};
pub use ponder::{Ponder, Pondered};
pub use roulette::SlipQuestion;
pub use table::field::choice;
pub use table::{About, Choice, Field, Progress, Shape, Span};
