//! What every board uses: icons, dice, the clock, the people at the table, what lies over it.

pub mod clock;
pub mod dialog;
pub mod die;
pub mod icon;
pub mod people;
pub mod point;
pub mod size;

pub use clock::ClockRing;
pub use dialog::{Confirm, Dialog};
pub use people::{Leaving, People, Wire};
