//! Perfect play as a look-up: the points of the best cubo of every hand, one byte each, in the order of [`Hand::rank`].
//!
//! A table is computed when it is first asked for and stays in memory, one for each way to read straights. Nothing is
//! shipped: it is made in a second or two, and a single hand needs no table at all.

use std::sync::OnceLock;

use crate::{
    best::{ByWhite, best_points},
    die::FACES,
    hand::{COLOURED, HANDS, Hand, SPREADS, advance, unrank},
    score::Straights,
};

/// How many spreads of coloured dice are computed in one go.
const BATCH: usize = 1 << 10;

/// What the best cubo of each hand is worth.
///
/// ```no_run
/// use cubo::{Hand, Straights, Lookup};
///
/// let hand: Hand = "R1 R2 R3 R4 B1 B2 B3 B4 W4".parse()?;
/// assert_eq!(Lookup::of(Straights::InOrder).points(&hand), hand.best_points(Straights::InOrder));
/// # Ok::<(), cubo::Misread>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    straights: Straights,
    points: Box<[u8]>,
}

static TABLES: [OnceLock<Lookup>; 2] = [OnceLock::new(), OnceLock::new()];

impl Lookup {
    /// The table for these straights, made on first use.
    pub fn of(straights: Straights) -> &'static Self {
        TABLES[straights as usize].get_or_init(|| Self::make(straights))
    }

    /// The table for these straights, if somebody has already had it made.
    pub(crate) fn ready(straights: Straights) -> Option<&'static Self> {
        TABLES[straights as usize].get()
    }

    /// Computes the whole table, on all cores where there are threads.
    #[must_use]
    pub fn make(straights: Straights) -> Self {
        let mut points = vec![0; HANDS].into_boxed_slice();
        fill(straights, &mut points);
        Self { straights, points }
    }

    /// How straights are read.
    pub const fn straights(&self) -> Straights {
        self.straights
    }

    /// What the best cubo of this hand is worth.
    #[inline]
    pub fn points(&self, hand: &Hand) -> u8 {
        self.points[hand.rank()]
    }
}

/// What the best cubos of eight coloured dice are worth, round each white die, from the table or by search.
pub(crate) fn worth_by_white(kinds: [u8; COLOURED], straights: Straights) -> ByWhite {
    match Lookup::ready(straights) {
        Some(table) => std::array::from_fn(|white| table.points(&Hand::of_kinds(kinds, white as u8))),
        None => best_points(kinds, straights),
    }
}

impl Hand {
    /// What the best cubo is worth, from the table when there is one, by search when there is none.
    #[must_use]
    pub fn worth(&self, straights: Straights) -> u8 {
        Lookup::ready(straights).map_or_else(|| self.best_points(straights), |table| table.points(self))
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn fill(straights: Straights, points: &mut [u8]) {
    use std::sync::{Mutex, PoisonError};

    let batches = Mutex::new(points.chunks_mut(BATCH * FACES as usize).enumerate());
    let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((number, batch)) = next() {
                    fill_batch(straights, number, batch);
                }
            });
        }
    });
}

#[cfg(target_arch = "wasm32")]
fn fill(straights: Straights, points: &mut [u8]) {
    for (number, batch) in points.chunks_mut(BATCH * FACES as usize).enumerate() {
        fill_batch(straights, number, batch);
    }
}

fn fill_batch(straights: Straights, number: usize, batch: &mut [u8]) {
    let mut kinds = unrank((number * BATCH).min(SPREADS - 1));
    for faces in batch.chunks_mut(FACES as usize) {
        faces.copy_from_slice(&best_points(kinds, straights));
        advance(&mut kinds);
    }
}
