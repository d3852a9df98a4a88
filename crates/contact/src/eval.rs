//! The evaluation: every tile by kind, face, line, column and spin, kept up to date move by move; and what is seen only
//! from the whole board: mobility, tiles that can be touched, the move, and closing in on a beaten opponent.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::board::{Corner, Side};
use crate::ending::{Pair, QUIET_LIMIT};
use crate::position::Position;
use crate::set::Step;
use crate::tile::Code;

/// The weights of the evaluation. `data/weights.toml` has the ones in use, and says what each is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// By kind and face.
    pub material: [i32; 4],
    /// By kind, face and line from the owner's edge.
    pub lines: [[i32; 15]; 4],
    /// By kind, face and distance from the middle of the line.
    pub columns: [[i32; 8]; 4],
    /// By kind and spin as the owner sees it.
    pub spins: [[i32; 4]; 2],
    /// For each corner that a tile can go to.
    pub mobility: i32,
    /// For each opponent's tile that can be touched.
    pub touch: i32,
    /// For being on the move.
    pub tempo: i32,
    /// For each step nearer to the prey, when ahead in the end.
    pub hunt: i32,
}

/// The number of weights.
pub const WEIGHTS: usize = 4 + 60 + 32 + 8 + 4;

/// The weights in use, as text.
pub const HOUSE_WEIGHTS: &str = include_str!("../data/weights.toml");

static HOUSE: LazyLock<Weights> = LazyLock::new(|| {
    toml::from_str(HOUSE_WEIGHTS).expect("the house weights are read by every test of the search")
});

impl Default for Weights {
    fn default() -> Self {
        HOUSE.clone()
    }
}

impl Weights {
    /// All weights in one row, for the tuner.
    pub fn to_row(&self) -> [i32; WEIGHTS] {
        let mut row = [0; WEIGHTS];
        let all = self.material.into_iter();
        let all = all.chain(self.lines.into_iter().flatten()).chain(self.columns.into_iter().flatten());
        let all = all.chain(self.spins.into_iter().flatten());
        let all = all.chain([self.mobility, self.touch, self.tempo, self.hunt]);
        row.iter_mut().zip(all).for_each(|(slot, weight)| *slot = weight);
        row
    }

    /// The weights of such a row.
    pub fn from_row(row: &[i32; WEIGHTS]) -> Self {
        let mut next = row.iter().copied();
        let mut take = || next.next().unwrap_or(0);
        Self {
            material: std::array::from_fn(|_| take()),
            lines: std::array::from_fn(|_| std::array::from_fn(|_| take())),
            columns: std::array::from_fn(|_| std::array::from_fn(|_| take())),
            spins: std::array::from_fn(|_| std::array::from_fn(|_| take())),
            mobility: take(),
            touch: take(),
            tempo: take(),
            hunt: take(),
        }
    }
}

/// The places of a tile's weights in the row: material, line, column, spin.
pub(crate) fn tile_features(code: Code, at: Corner) -> [usize; 4] {
    let owner = code.owner();
    let kind = usize::from(code.step() == Step::TwoStep);
    let face = kind * 2 + usize::from(code.turned());
    let line = usize::from(owner.line_of(at)) - 1;
    let place = if matches!(owner, Side::South | Side::North) { at.x() } else { at.y() };
    let column = usize::from(place.abs_diff(8));
    let spin = usize::from((code.spin() + 4 - owner as u8) & 3);
    [face, 4 + face * 15 + line, 64 + face * 8 + column, 96 + kind * 4 + spin]
}

/// Places in the row of what is seen from the whole board.
pub(crate) const MOBILITY: usize = 104;
pub(crate) const TOUCH: usize = 105;
pub(crate) const TEMPO: usize = 106;
pub(crate) const HUNT: usize = 107;

/// Who is for and against the player that is served: each side's factor, and what all is divided by at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Camps {
    pub(crate) factor: [i32; 4],
    pub(crate) scale: i32,
}

impl Camps {
    /// `side` and its partner against all others; several opponents weigh as much as one.
    pub(crate) fn of(position: &Position, side: Side) -> Self {
        let players = position.players();
        let team = players.team(side);
        let foes = players.sides().iter().filter(|s| team >> s.index() & 1 == 0).count() as i32;
        let scale = if team.is_power_of_two() { foes } else { 1 };
        let factor = Side::ALL.map(|s| match (players.seats(s), team >> s.index() & 1 != 0) {
            (false, _) => 0,
            (_, true) => scale,
            (_, false) => -1,
        });
        Self { factor, scale }
    }

    #[inline]
    pub(crate) fn is_ours(&self, side: Side) -> bool {
        self.factor[side.index()] > 0
    }
}

/// More than what is seen from the whole board usually comes to.
const MARGIN: i32 = 220;
/// What a tie costs the player that is served. Careful players easily tie, so the engine is not content with one.
pub(crate) const TIE: i32 = 40;
/// What each line forward is worth to the served player beyond the weights, up to `DRIVE_TO`: so that tiles meet.
const DRIVE: i32 = 4;
const DRIVE_TO: u8 = 11;

/// Weights made ready: the worth of every tile on every corner.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    worth: Vec<i16>,
    weights: Weights,
}

/// The served player's urge forward for a tile of his on a corner, until it is turned over.
#[inline]
pub(crate) fn drive(code: Code, at: Corner) -> i32 {
    if code.turned() {
        DRIVE * i32::from(DRIVE_TO)
    } else {
        DRIVE * i32::from(code.owner().line_of(at).min(DRIVE_TO))
    }
}

impl Evaluator {
    pub(crate) fn new(weights: &Weights) -> Self {
        let row = weights.to_row();
        let mut worth = vec![0; 64 * 256];
        for code in 0..64 {
            for corner in crate::bits::Bits::BOARD {
                let sum: i32 = tile_features(Code::from_bits(code), corner).iter().map(|&i| row[i]).sum();
                worth[usize::from(code) << 8 | usize::from(corner.index())] = sum.clamp(-9999, 9999) as i16;
            }
        }
        Self { worth, weights: weights.clone() }
    }

    /// What a tile is worth to its owner.
    #[inline]
    pub(crate) fn worth(&self, code: Code, at: u8) -> i32 {
        self.worth[code.index() << 8 | usize::from(at)].into()
    }

    /// The sum over all tiles, each for or against.
    pub(crate) fn tiles(&self, position: &Position, camps: &Camps) -> i32 {
        (0..32u8)
            .filter(|id| position.live() >> id & 1 != 0)
            .map(|id| {
                let code = position.code_of(id);
                let (owner, at) = (code.owner(), position.corner_of(id));
                let urge = if camps.is_ours(owner) { drive(code, at) * camps.scale } else { 0 };
                self.worth(code, at.index()) * camps.factor[owner.index()] + urge
            })
            .sum()
    }

    /// The whole evaluation for the served camp, given the sum over the tiles. Where the tiles alone put it far outside the
    /// window, the rest is not looked at.
    #[inline]
    pub(crate) fn score(&self, position: &Position, camps: &Camps, tiles: i32, window: (i32, i32)) -> i32 {
        let mut score = tiles;
        let rough = tiles / camps.scale;
        let close = rough + MARGIN > window.0 && rough - MARGIN < window.1;
        if close && !matches!(position.pair(), Pair::Seven(_)) {
            for &side in position.players().sides() {
                if position.count(side) > 0 {
                    let (mobility, touched) = surroundings(position, side);
                    score += camps.factor[side.index()]
                        * (self.weights.mobility * mobility + self.weights.touch * touched);
                }
            }
        }
        let tempo = if camps.is_ours(position.turn()) { self.weights.tempo } else { -self.weights.tempo };
        score = score / camps.scale + tempo;
        if position.total() <= HUNTERS {
            score += self.weights.hunt * hunting(position, camps, score);
        }
        // The nearer to a tie by quiet moves, the less an advantage is worth: so it is used in time (CT-R9).
        if position.r9().1 {
            let left = i32::from(QUIET_LIMIT - position.quiet().min(QUIET_LIMIT));
            score = score * (20 + left) / (20 + i32::from(QUIET_LIMIT));
            // And every quiet move brings the served player nearer to a tie he does not want.
            score -= TIE * i32::from(position.quiet().min(QUIET_LIMIT)) / i32::from(QUIET_LIMIT);
        }
        score
    }
}

/// How many corners a side's tiles can go to, and how many opponents' tiles they could touch.
#[inline]
pub(crate) fn surroundings(position: &Position, side: Side) -> (i32, i32) {
    let reach = position.coverage(side);
    (reach.len() as i32, (reach.diagonals() & position.foes(side)).len() as i32)
}

/// With so few tiles left the hunt is on.
pub(crate) const HUNTERS: u8 = 10;

/// How near the camp that is ahead is to its prey, positive if it is ours. With nothing between them the served player
/// still seeks the other a little.
pub(crate) fn hunting(position: &Position, camps: &Camps, lead: i32) -> i32 {
    match lead {
        100.. => nearness(position, camps, true),
        ..=-100 => -nearness(position, camps, false),
        _ => nearness(position, camps, true) / 4,
    }
}

/// Sixteen less the mean distance of a camp's tiles from the nearest of the other camp.
fn nearness(position: &Position, camps: &Camps, ours: bool) -> i32 {
    let mut prey = [Corner::from_index(0x11); 32];
    let (mut count, mut hunters, mut sum) = (0, 0, 0);
    for tile in position.tiles().filter(|t| camps.is_ours(t.owner) != ours) {
        prey[count] = tile.at;
        count += 1;
    }
    for tile in position.tiles().filter(|t| camps.is_ours(t.owner) == ours) {
        let steps = |at: &Corner| tile.at.x().abs_diff(at.x()) + tile.at.y().abs_diff(at.y());
        sum += i32::from(prey[..count].iter().map(steps).min().unwrap_or(0));
        hunters += 1;
    }
    if hunters == 0 { 0 } else { 16 - sum / hunters }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Players;
    use crate::set::Set;

    const ALL: (i32, i32) = (-30_000, 30_000);

    #[test]
    fn a_row_of_weights_comes_back_as_it_was() {
        let row: [i32; WEIGHTS] = std::array::from_fn(|i| i as i32);
        assert_eq!(Weights::from_row(&row).to_row(), row);
        assert_eq!(Weights::from_row(&Weights::default().to_row()), Weights::default());
    }

    #[test]
    fn the_start_is_even_but_for_the_move() {
        for players in [Players::Two, Players::Four, Players::Partners] {
            let position = Position::start(&Set::default(), "six", players).expect("a set-up");
            let camps = Camps::of(&position, Side::South);
            let evaluator = Evaluator::new(&Weights::default());
            let score = evaluator.score(&position, &camps, evaluator.tiles(&position, &camps), ALL);
            let urge: i32 =
                position.of(Side::South).into_iter().map(|at| drive(Code::from_bits(0), at)).sum();
            let partner: i32 = if players == Players::Partners { urge } else { 0 };
            assert_eq!(score, Weights::default().tempo + urge + partner, "{players:?}");
        }
    }
}
