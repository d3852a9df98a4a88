//! The coach: looks through a finished game, marks every move, shows the better line, and says what was threatened.

use serde::Serialize;

use super::eval::Weights;
use super::search::{Limits, Searcher, Thought, WIN, WON};
use crate::board::{Corner, Side};
use crate::moves::Move;
use crate::notation::GameText;
use crate::position::Position;

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The best there was, or as good.
    Best,
    /// It gave away little.
    Good,
    /// It gave away something.
    Slip,
    /// It gave away a tile or the game.
    Blunder,
    /// There was nothing to choose.
    Forced,
}

/// What the coach says of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// The move of the game, from 1.
    pub number: usize,
    /// Who moved.
    pub by: Side,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// How good it was.
    pub mark: Mark,
    /// Its score for who moved, in hundredths of a point; 0 if it is seen to end in a tie.
    pub score: i32,
    /// The score of the best move.
    pub best_score: i32,
    /// The better line, where there was one.
    pub better: Vec<Move>,
    /// The mover's tiles that could have been taken at once, had he not moved.
    pub threatened: Vec<Corner>,
    /// The same in words.
    pub words: String,
}

/// Moves within this of the best are as good.
const AS_GOOD: i32 = 15;
const GOOD: i32 = 60;
const SLIP: i32 = 180;

/// Marks the moves of a game one after the other, thinking so long about each.
pub fn mark_game(game: &GameText, limits: &Limits) -> impl Iterator<Item = Note> {
    let mut searcher = Searcher::new(&Weights::default(), 16);
    let mut position = game.start.clone();
    game.moves.iter().zip(1..).map(move |(&mv, number)| {
        let note = mark_move(&mut searcher, &position, mv, number, limits);
        position.make(mv);
        note
    })
}

/// Marks one move of a position.
pub fn mark_move(
    searcher: &mut Searcher<'_>,
    position: &Position,
    mv: Move,
    number: usize,
    limits: &Limits,
) -> Note {
    let by = position.turn();
    let threatened: Vec<Corner> = position.takeable(position.of(by)).into_iter().collect();
    let choices = position.clone().legal().len();
    let unknown = || [Thought::default(); 2];
    let [best, played] = searcher.compare(position, mv, limits).unwrap_or_else(unknown);
    let score = played.score;
    // The look at the move itself may show it to be better than what was thought best.
    let best_score = best.score.max(score);
    let mark = match best_score - score {
        _ if choices <= 1 => Mark::Forced,
        lost if lost <= AS_GOOD => Mark::Best,
        lost if lost <= GOOD => Mark::Good,
        lost if lost <= SLIP => Mark::Slip,
        _ => Mark::Blunder,
    };
    let better = if matches!(mark, Mark::Best | Mark::Forced) { Vec::new() } else { best.line.to_vec() };
    let mut note = Note { number, by, mv, mark, score, best_score, better, threatened, words: String::new() };
    note.words = words(&note, position);
    note
}

fn words(note: &Note, position: &Position) -> String {
    let verdict = position.verdict(note.mv);
    let mark = match note.mark {
        Mark::Best => "the best move",
        Mark::Good => "a good move",
        Mark::Slip => "a slip",
        Mark::Blunder => "a blunder",
        Mark::Forced => "the only move",
    };
    let taken = match (verdict.foes.count_ones(), verdict.mover) {
        (0, false) => String::new(),
        (0, true) => ", losing the tile".to_owned(),
        (n, lost) => {
            let tiles = if n == 1 { "tile" } else { "tiles" };
            format!(", taking {n} {tiles}{}", if lost { " for the one that moved" } else { "" })
        }
    };
    let better = match note.better.first() {
        None => String::new(),
        // Where the end is seen, points say nothing.
        Some(first) if note.score < -WON => {
            format!("; it loses in {}, {first} was better", WIN + note.score)
        }
        Some(first) if note.best_score > WON => format!("; {first} wins in {}", WIN - note.best_score),
        Some(first) if note.best_score == 0 => format!("; {first} is a tie"),
        Some(first) if note.score == 0 => format!("; it is a tie, {first} was better"),
        Some(first) => {
            format!("; {first} was better by {:.1}", f64::from(note.best_score - note.score) / 100.0)
        }
    };
    let corners: Vec<String> = note.threatened.iter().map(ToString::to_string).collect();
    let threats =
        if corners.is_empty() { String::new() } else { format!("; threatened: {}", corners.join(", ")) };
    format!("{mark}{taken}{better}{threats}{}", counted(position))
}

/// How the count stands once it is likely to decide the game.
fn counted(position: &Position) -> String {
    let near = position.quiet() >= position.quiet_limit() / 2;
    position.count_stands().filter(|_| near).map_or_else(String::new, |count| format!("; the count: {count}"))
}
