//! How a game ended: a rank and a score for every seat.

use crate::Seat;
use serde::{Deserialize, Serialize};

/// The end of a game. Ranks start at 1; equal ranks share the place.
///
/// ```
/// use table::{Outcome, Seat};
/// let end = Outcome::by_score(vec![31, 44, 44, -2]);
/// assert_eq!(end.ranks, [3, 1, 1, 4]);
/// assert_eq!(end.winners().collect::<Vec<_>>(), [Seat(1), Seat(2)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The place each seat took.
    pub ranks: Vec<u32>,
    /// Each seat's score in the game's own points (chips, counts, tiles left).
    pub scores: Vec<i64>,
}

impl Outcome {
    /// The highest score wins; equal scores share their place.
    pub fn by_score(scores: Vec<i64>) -> Outcome {
        let mut order = scores.clone();
        order.sort_unstable_by(|a, b| b.cmp(a));
        // The place of a score is one more than the number of higher ones, wherever it is first met.
        let place = |score: i64| order.partition_point(|&other| other > score) as u32 + 1;
        Outcome { ranks: scores.iter().map(|&score| place(score)).collect(), scores }
    }

    /// The seats that won or shared the win.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        self.ranks.iter().enumerate().filter(|(_, rank)| **rank == 1).map(|(at, _)| Seat(at as u32))
    }
}
