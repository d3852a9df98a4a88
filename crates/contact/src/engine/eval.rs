//! The evaluation: every tile by kind, face, line, column and spin, kept up to date move by move; and what is seen only
//! from the whole board: mobility, tiles that can be touched, the move, and the hunt for a beaten opponent.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::hunt::{self, HUNTERS};
use crate::bits::Bits;
use crate::board::{Corner, Side};
use crate::ending::{Pair, R9};
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
    /// For each corner that a tile can go to.
    pub mobility: i32,
    /// For each opponent's tile that can be touched.
    pub touch: i32,
    /// For being on the move.
    pub tempo: i32,
    /// For each step nearer to the prey, when ahead in the end.
    pub hunt: i32,
}

/// The weights in use, as text.
pub const HOUSE_WEIGHTS: &str = include_str!("../../data/weights.toml");

static HOUSE: LazyLock<Weights> = LazyLock::new(|| {
    toml::from_str(HOUSE_WEIGHTS).expect("the house weights are read by every test of the search")
});

impl Default for Weights {
    fn default() -> Self {
        HOUSE.clone()
    }
}

/// Why a text holds no weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these are no weights: {0}")]
pub struct NoWeights(String);

impl std::str::FromStr for Weights {
    type Err = NoWeights;

    fn from_str(text: &str) -> Result<Self, NoWeights> {
        toml::from_str(text).map_err(|fault: toml::de::Error| NoWeights(fault.message().to_owned()))
    }
}

impl Weights {
    /// What a tile on a corner is worth by itself.
    fn of(&self, code: Code, at: Corner) -> i32 {
        let owner = code.owner();
        let face = usize::from(code.step() == Step::TwoStep) * 2 + usize::from(code.turned());
        let line = usize::from(owner.line_of(at)) - 1;
        let place = if matches!(owner, Side::South | Side::North) { at.x() } else { at.y() };
        let parts =
            [self.material[face], self.lines[face][line], self.columns[face][usize::from(place.abs_diff(8))]];
        parts.map(|part| part.clamp(-4000, 4000)).iter().sum()
    }
}

/// Who is for and against the player that is served: each side's factor, and what all is divided by at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Camps {
    pub(crate) factor: [i32; 4],
    pub(crate) scale: i32,
    /// Whether the served camp would rather not tie, and is drawn forward: so it is to play, but not to say how a
    /// position stands.
    pub(crate) driven: bool,
    /// Tells what is thought for one side from what is thought for another, in the memo and in the table.
    pub(crate) key: u64,
}

impl Camps {
    /// Before anybody is served.
    pub(crate) const NOBODY: Self = Self { factor: [0; 4], scale: 1, driven: true, key: 0 };

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
        let key = 0x9E37_79B9_7F4A_7C15u64.rotate_left(8 * side as u32 + players as u32);
        Self { factor, scale, driven: true, key }
    }

    /// The same camps, judged without a wish for either.
    pub(crate) const fn impartial(self) -> Self {
        Self { driven: false, key: !self.key, ..self }
    }

    #[inline]
    pub(crate) fn is_ours(&self, side: Side) -> bool {
        self.factor[side.index()] > 0
    }
}

/// More than mobility and touches come to.
const MARGIN: i32 = 80;
/// What a tie costs the player that is served: less than a tile, or he would throw one away to go on. Careful players
/// easily tie, so the engine is not content with one.
const TIE: i32 = 100;
/// What each line forward is worth to the served player beyond the weights, up to `DRIVE_TO`: so that tiles meet.
const DRIVE: i32 = 4;
const DRIVE_TO: u8 = 11;

/// The served player's urge forward for a tile of his on a corner, until it is turned over.
pub(crate) fn drive(code: Code, at: Corner) -> i32 {
    if code.turned() {
        DRIVE * i32::from(DRIVE_TO)
    } else {
        DRIVE * i32::from(code.owner().line_of(at).min(DRIVE_TO))
    }
}

/// The urge of all tiles of the served camp together. It moves tiles, but it is no lead: leads and ties are reckoned
/// without it, and nobody is told of it.
pub(crate) fn urge(position: &Position, camps: &Camps) -> i32 {
    if !camps.driven {
        return 0;
    }
    let ours = position.codes().filter(|(code, _)| camps.is_ours(code.owner()));
    ours.map(|(code, at)| drive(code, at)).sum()
}

/// What a tie is worth to the served camp: nothing at all, unless it is driven.
pub(crate) fn tie(position: &Position, camps: &Camps) -> i32 {
    if camps.driven { urge(position, camps) - TIE } else { 0 }
}

/// A sum for every tile on every corner, by owner, kind, face and corner.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    places: Vec<[i16; 256]>,
}

impl Ledger {
    pub(crate) fn new() -> Self {
        Self { places: vec![[0; 256]; 16] }
    }

    /// Writes the ledger anew: what a tile on a corner counts.
    fn fill(&mut self, count: impl Fn(Code, Corner) -> i32) {
        for code in (0..16).map(Code::unspun) {
            for at in Bits::BOARD {
                self.places[code.index() >> 2][usize::from(at.index())] = count(code, at) as i16;
            }
        }
    }

    /// What stands in it for a tile on a corner.
    #[inline]
    pub(crate) fn entry(&self, code: Code, at: u8) -> i32 {
        i32::from(self.places[code.index() >> 2][usize::from(at)])
    }

    /// The sum over all tiles.
    pub(crate) fn total(&self, position: &Position) -> i32 {
        position.codes().map(|(code, at)| self.entry(code, at.index())).sum()
    }
}

/// Weights made ready: the worth of every tile on every corner, and a memo of positions judged before.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    worth: Ledger,
    weights: Weights,
    memo: Vec<u64>,
}

/// An evaluation for the served camp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) score: i32,
    /// Whether it was seen that the player to move can touch nobody.
    pub(crate) calm: bool,
}

/// The places of the memo: as much as the second cache holds well.
const MEMO: usize = 1 << 15;
const CALM: u64 = 1 << 16;

impl Evaluator {
    pub(crate) fn new(weights: &Weights) -> Self {
        let mut worth = Ledger::new();
        worth.fill(|code, at| weights.of(code, at));
        Self { worth, weights: weights.clone(), memo: vec![0; MEMO] }
    }

    /// What a tile is worth to its owner.
    #[inline]
    pub(crate) fn worth(&self, code: Code, at: u8) -> i32 {
        self.worth.entry(code, at)
    }

    /// Writes into a ledger what every tile counts for or against the served camp, his urge forward included.
    pub(crate) fn serve(&self, camps: &Camps, ledger: &mut Ledger) {
        ledger.fill(|code, at| self.count(camps, code, at));
    }

    /// The sum over all tiles, each for or against.
    #[cfg(test)]
    pub(crate) fn tiles(&self, position: &Position, camps: &Camps) -> i32 {
        position.codes().map(|(code, at)| self.count(camps, code, at)).sum()
    }

    /// What a tile on a corner counts for or against the served camp, his urge forward included.
    fn count(&self, camps: &Camps, code: Code, at: Corner) -> i32 {
        let owner = code.owner();
        let driven = camps.driven && camps.is_ours(owner);
        let urge = if driven { drive(code, at) * camps.scale } else { 0 };
        self.worth(code, at.index()) * camps.factor[owner.index()] + urge
    }

    /// The whole evaluation for the served camp, given the sum over the tiles. Where the tiles alone put it outside the
    /// window, the rest is not looked at.
    #[inline]
    pub(crate) fn score(
        &mut self,
        position: &Position,
        camps: &Camps,
        tiles: i32,
        window: (i32, i32),
    ) -> Seen {
        let tempo = if camps.is_ours(position.turn()) { self.weights.tempo } else { -self.weights.tempo };
        let rough = if camps.scale == 1 { tiles } else { tiles / camps.scale } + tempo;
        let hunted = position.total() <= HUNTERS;
        let toll = Toll::of(position, camps, hunted, rough);
        let keen = if hunted { hunt::keenness(position, camps, rough - toll.urge) } else { 0 };
        let (low, high) = if hunted { hunt::bounds(keen, self.weights.hunt) } else { (0, 0) };
        if toll.take(rough + high + MARGIN) <= window.0 || toll.take(rough + low - MARGIN) >= window.1 {
            return Seen { score: toll.take(rough), calm: false };
        }
        let key = position.hash() ^ camps.key;
        let slot = key as usize & (MEMO - 1);
        let tag = key & !(2 * CALM - 1);
        let mut known = self.memo[slot];
        if known & !(2 * CALM - 1) != tag {
            let nearly =
                rough + if hunted { hunt::worth(position, camps, keen, self.weights.hunt) } else { 0 };
            if toll.take(nearly + MARGIN) <= window.0 || toll.take(nearly - MARGIN) >= window.1 {
                return Seen { score: toll.take(nearly), calm: false };
            }
            known = tag | self.look(position, camps, nearly);
            self.memo[slot] = known;
        }
        Seen { score: toll.take(i32::from(known as i16)), calm: known & CALM != 0 }
    }

    /// What is seen from the whole board, as the memo keeps it: sixteen bits of score, and whether the player to move
    /// can touch nobody.
    fn look(&self, position: &Position, camps: &Camps, nearly: i32) -> u64 {
        let mut rest = 0;
        let mut calm = false;
        if !matches!(position.pair(), Pair::Seven(_)) {
            let mut touching = 0;
            for (side, (mobility, touched)) in surroundings(position) {
                touching |= u8::from(touched > 0) << side.index();
                rest += camps.factor[side.index()]
                    * (self.weights.mobility * mobility + self.weights.touch * touched);
            }
            calm = touching & position.players().team(position.turn()) == 0;
        }
        let score = (nearly + rest / camps.scale).clamp(-15_000, 15_000) as i16;
        u64::from(score as u16) | if calm { CALM } else { 0 }
    }
}

/// What a lead by the count is worth when the quiet moves have run out (CT-R10), short of the end itself.
const COUNTED: i32 = 1_500;
/// A quiet stretch in the terms of two players; with more it lasts longer.
const STRETCH: i32 = 60;

/// What the count is worth to the served camp, were it to decide now.
pub(crate) fn by_the_count(position: &Position, camps: &Camps) -> i32 {
    let ahead = position.leaders();
    let ours: u8 = Side::ALL
        .into_iter()
        .filter(|&side| camps.is_ours(side))
        .fold(0, |mask, side| mask | 1 << side.index());
    match (ahead & ours != 0, ahead & !ours != 0) {
        (true, false) => COUNTED,
        (false, _) => -COUNTED,
        (true, true) => 0,
    }
}

/// The nearer to a tie by quiet moves, the less an advantage is worth: so it is used in time (CT-R9). And every quiet
/// move brings the served player nearer to a tie he does not want. The way to the next contact is time that is gone
/// already: a search cannot look far enough ahead to set out in time.
#[derive(Clone, Copy)]
struct Toll {
    left: i32,
    cost: i32,
    /// The served camp's urge forward, which no toll is taken of; nothing where nobody asks.
    urge: i32,
}

/// So many moves are quiet before anybody asks for the way.
const EARLY: i32 = 12;
/// An advantage is worth so much more than its share of the time.
const GRACE: i32 = 20;

impl Toll {
    #[inline]
    fn of(position: &Position, camps: &Camps, hunted: bool, rough: i32) -> Self {
        let all = STRETCH;
        let limit = i32::from(position.quiet_limit().max(1));
        let held = position.ties().r9 != R9::Off;
        let quiet = if held { (i32::from(position.quiet()) * all / limit).min(all) } else { 0 };
        if held && position.ties().count {
            // The count ends what nobody else does: a lead keeps its worth, and who has more needs only to wait.
            let gone = (2 * quiet - all).max(0);
            let cost = if gone == 0 { 0 } else { -by_the_count(position, camps) * gone / all };
            return Self { left: GRACE + all, cost, urge: 0 };
        }
        let asked = quiet >= EARLY;
        let urge = if hunted || asked { urge(position, camps) } else { 0 };
        let way = |enough| hunt::way(position, camps, rough >= urge, enough);
        let spent = if asked { (quiet + 2 * way((all / 2 - quiet) / 2)).min(all) } else { quiet };
        // Not in the first half of the time: who is ahead would rather give tiles away than let it pass.
        let gone = (2 * spent - all).max(0);
        let left = if spent == all { 0 } else { GRACE + all - gone };
        let cost = if camps.driven { TIE * gone / all } else { 0 };
        Self { left, cost, urge }
    }

    #[inline]
    fn take(self, score: i32) -> i32 {
        (score - self.urge) * self.left / (GRACE + STRETCH) - self.cost + self.urge
    }
}

/// For each side: how many corners its tiles can go to, and how many opponents' tiles they could touch.
#[inline]
pub(crate) fn surroundings(position: &Position) -> impl Iterator<Item = (Side, (i32, i32))> {
    let covered = position.coverages();
    position.players().sides().iter().map(move |&side| {
        let reach = covered[side.index()];
        let touched = reach.diagonals() & position.foes(side);
        let touched = if touched.is_empty() { 0 } else { touched.len() as i32 };
        (side, (reach.len() as i32, touched))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Players;
    use crate::set::Set;

    const ALL: (i32, i32) = (-30_000, 30_000);

    #[test]
    fn the_start_is_even_but_for_the_move() {
        for players in [Players::Two, Players::Four, Players::Partners] {
            let position = Position::start(&Set::default(), "six", players).expect("a set-up");
            let camps = Camps::of(&position, Side::South);
            let mut evaluator = Evaluator::new(&Weights::default());
            let tiles = evaluator.tiles(&position, &camps);
            let score = evaluator.score(&position, &camps, tiles, ALL).score;
            let urge: i32 =
                position.of(Side::South).into_iter().map(|at| drive(Code::from_bits(0), at)).sum();
            let partner: i32 = if players == Players::Partners { urge } else { 0 };
            assert_eq!(score, Weights::default().tempo + urge + partner, "{players:?}");
        }
    }

    #[test]
    fn a_tie_is_worse_than_an_even_game_and_better_than_a_tile_less() {
        let start = Position::start(&Set::default(), "six", Players::Two).expect("a set-up");
        let camps = Camps::of(&start, Side::South);
        let evaluator = Evaluator::new(&Weights::default());
        let even = evaluator.tiles(&start, &camps);
        for (code, at) in start.codes().filter(|(code, _)| code.owner() == Side::South) {
            let less = even - evaluator.worth(code, at.index()) - drive(code, at);
            assert!(tie(&start, &camps) < even && less < tie(&start, &camps), "{at}");
        }
    }
}
