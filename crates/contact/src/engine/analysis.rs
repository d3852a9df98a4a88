//! Analysis: the best lines of a position with scores, depth and speed.

use std::time::Duration;

use serde::Serialize;

use super::eval::Weights;
use super::search::{Limits, Searcher, Thought, WIN, WON};
use crate::moves::Move;
use crate::position::{Count, Position};

/// One line and its worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BestLine {
    /// The first move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The score for the player to move, in hundredths of a point; 0 if the line is seen to end in a tie.
    pub score: i32,
    /// The same in words: "wins in 5" moves of all players, "a tie", or points such as "+1.20".
    pub says: String,
    /// Moves of all players to the end, where the end is seen.
    pub ends_in: Option<i32>,
    /// The depth searched to the end, the same for all lines.
    pub depth: u32,
    /// What all sides would play.
    pub line: Vec<Move>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    /// The position.
    pub position: String,
    /// The lines, best first; none if the game is over.
    pub lines: Vec<BestLine>,
    /// How the count stands, where the table has it (CT-R10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes a second; 0 where there is no clock.
    pub nodes_per_second: u64,
    /// Time taken in milliseconds; 0 where there is no clock.
    pub milliseconds: u64,
}

/// The best lines of a position.
///
/// ```
/// use contact::search::Limits;
/// let position = "15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two".parse().unwrap();
/// let analysis = contact::best(&position, &Limits::depth(3), 2);
/// assert_eq!(analysis.lines[0].mv.to_string(), "h6-h8");
/// assert_eq!(analysis.lines[0].ends_in, Some(1));
/// ```
pub fn best(position: &Position, limits: &Limits, lines: usize) -> Analysis {
    let mut searcher = Searcher::new(&Weights::default(), 64);
    best_with(&mut searcher, position, limits, lines)
}

/// The same with a searcher that already stands.
pub fn best_with(
    searcher: &mut Searcher<'_>,
    position: &Position,
    limits: &Limits,
    lines: usize,
) -> Analysis {
    let (thoughts, time) = timed(|| searcher.best_lines(position, limits, lines.max(1)));
    let nodes = thoughts.iter().map(|t| t.nodes).sum();
    let found = thoughts.into_iter().map(|t| BestLine {
        mv: t.best,
        score: t.score,
        says: says(&t),
        ends_in: (t.score.abs() > WON).then(|| WIN - t.score.abs()),
        depth: t.depth,
        line: t.line.to_vec(),
    });
    let seconds = time.as_secs_f64();
    Analysis {
        position: position.to_string(),
        lines: found.collect(),
        count: position.count_stands(),
        nodes,
        nodes_per_second: if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 },
        milliseconds: time.as_millis() as u64,
    }
}

/// What a line comes to, in words. Of a line that was not searched nothing is known.
pub fn says(thought: &Thought) -> String {
    match thought.score {
        0 if thought.depth > 0 => "a tie".to_owned(),
        score if score > WON => format!("wins in {}", WIN - score),
        score if score < -WON => format!("loses in {}", WIN + score),
        score => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = std::time::Instant::now();
    let done = work();
    (done, clock.elapsed())
}

#[cfg(target_arch = "wasm32")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    (work(), Duration::ZERO)
}
