//! What the browser tests share: the real program serving on a port and a folder of its own ([`Parlor`]), and a Chromium
//! that visits it ([`Visitor`]). Needs `chromium` and `chromedriver` (Debian: `apt-get install chromium chromium-driver`).

mod film;
mod look;
mod parlor;
mod table;
mod updates;
mod visitor;

pub use film::Film;
pub use look::{holds, speaks};
pub use parlor::Parlor;
pub use table::{NAMES, begin, gather, join, lay, sit_down, start};
pub use updates::Updates;
pub use visitor::{ELSEWHERE, Screen, Visitor};

/// What can go wrong in a test; each test ends at the first.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;
/// What every test answers.
pub type Done = Result<(), Trouble>;
