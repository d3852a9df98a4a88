//! What every board uses: icons, dice, the clock, the people at the table.

pub mod clock;
pub mod die;
pub mod icon;
pub mod people;
pub mod point;
pub mod size;

pub use clock::ClockRing;
pub use people::{People, Wire};
