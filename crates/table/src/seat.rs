//! Who sits at a table. Seats are numbered from 0 in the order of play and never change during a game.

use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// One place at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u32);

impl Seat {
    /// The seat's place in a list of all seats.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat on the left of this one at a table of `count` seats.
    ///
    /// ```
    /// # use table::Seat;
    /// assert_eq!(Seat(2).left(3), Seat(0));
    /// ```
    #[must_use]
    pub const fn left(self, count: u32) -> Seat {
        Seat((self.0 + 1) % count)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}

/// The person (or bot) in a seat, and what they added to the dice on joining.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seated {
    /// The name shown to the others.
    pub name: String,
    /// The seat's own contribution to the dice (see [`Dice`](crate::Dice)).
    pub seed: String,
}

/// Everybody at a table, in order. Valid by construction.
///
/// ```
/// use table::{Seat, Seats};
/// let seats = Seats::named(["Ann", "Ben"]).unwrap();
/// assert_eq!(seats.count(), 2);
/// assert_eq!(seats.name(Seat(1)), "Ben");
/// assert!(Seats::named(["Ann\n"]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Seated>", into = "Vec<Seated>")]
pub struct Seats(Vec<Seated>);

/// What is wrong with a list of seats.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeatsFault {
    /// Too many.
    #[error("a table holds at most {most} seats; this list has {0}", most = Seats::MOST)]
    TooMany(usize),
    /// A name nobody could read out.
    #[error("{0}: a name has 1 to {most} characters and no control characters", most = Seats::LONGEST_NAME)]
    Name(Seat),
    /// A seed out of bounds.
    #[error("{0}: a seed has at most {most} bytes", most = Seats::LONGEST_SEED)]
    Seed(Seat),
}

impl Seats {
    /// The most seats a table may have.
    pub const MOST: usize = 65_535;
    /// The most characters in a name.
    pub const LONGEST_NAME: usize = 40;
    /// The most bytes in a seat's seed.
    pub const LONGEST_SEED: usize = 64;

    /// Seats people at a table.
    pub fn new(seated: Vec<Seated>) -> Result<Seats, SeatsFault> {
        if seated.len() > Self::MOST {
            return Err(SeatsFault::TooMany(seated.len()));
        }
        for (at, Seated { name, seed }) in seated.iter().enumerate() {
            let seat = Seat(at as u32);
            let length = name.chars().count();
            if length == 0 || length > Self::LONGEST_NAME || name.chars().any(char::is_control) {
                return Err(SeatsFault::Name(seat));
            }
            if seed.len() > Self::LONGEST_SEED {
                return Err(SeatsFault::Seed(seat));
            }
        }
        Ok(Seats(seated))
    }

    /// Seats people who leave the dice to the house: each adds only the name to the seed.
    pub fn named<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Result<Seats, SeatsFault> {
        Seats::new(names.into_iter().map(|name| Seated { name: name.into(), seed: String::new() }).collect())
    }

    /// How many seats there are.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// Whether the table has this seat.
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// All seats in order.
    pub fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.count()).map(Seat)
    }

    /// The name at a seat; empty for a seat that is not there.
    pub fn name(&self, seat: Seat) -> &str {
        self.0.get(seat.index()).map_or("", |seated| &seated.name)
    }

    /// The people in order.
    pub fn seated(&self) -> &[Seated] {
        &self.0
    }
}

impl TryFrom<Vec<Seated>> for Seats {
    type Error = SeatsFault;
    fn try_from(seated: Vec<Seated>) -> Result<Seats, SeatsFault> {
        Seats::new(seated)
    }
}

impl From<Seats> for Vec<Seated> {
    fn from(seats: Seats) -> Vec<Seated> {
        seats.0
    }
}
