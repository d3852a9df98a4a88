//! Perft: the number of move sequences of a length, the referee of move generation. A forced pass is one move, a
//! finished game has none, and CT-R9's repetition is left aside.

use serde::Serialize;

use crate::moves::{Move, Moves};
use crate::position::Position;

/// Counts the move sequences of `depth` moves. The last moves are counted in bulk, not made.
///
/// ```
/// use contact::{Players, Position, Set};
/// let position = Position::start(&Set::default(), "six", Players::Two).unwrap();
/// assert_eq!(contact::perft(&position, 2), 121);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone().without_repetition(), depth)
}

/// A first move and the number of sequences that begin with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    /// The first move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// How many sequences begin with it.
    pub count: u64,
}

/// Perft by first move, in the order of corners.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<Share> {
    let mut position = position.clone().without_repetition();
    let mut moves = position.legal();
    moves.sort_unstable();
    if depth == 0 {
        return Vec::new();
    }
    moves
        .iter()
        .map(|&mv| {
            let undo = position.make(mv);
            let count = count(&mut position, depth - 1);
            position.unmake(&undo);
            Share { mv, count }
        })
        .collect()
}

fn count(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves().into(),
        _ => {
            let mut moves = Moves::default();
            position.generate(&mut moves);
            let mut total = 0;
            for &mv in moves.iter() {
                let undo = position.make(mv);
                total += count(position, depth - 1);
                position.unmake(&undo);
            }
            total
        }
    }
}
