//! A position: tiles on corners, their faces and spins, whose turn it is, and how the game stands. Moves are made and
//! taken back in place without allocation, and the hash follows along. `play` is the checked way in; `make` trusts its
//! caller.

use std::fmt;

use crate::bits::Bits;
use crate::board::{Corner, Players, Side};
use crate::ending::{Over, Pair, QUIET_TURNS_EACH, R9, SIXTY_MOVES, Ties};
use crate::hash::{SEVEN_KEY, TURN_KEYS, key};
use crate::set::{MAX_TILES, MAX_TILES_EACH, Placed, Set, Step};
use crate::tile::{Code, Tile};

mod contacts;
mod count;
mod generate;
mod make;

pub use contacts::Verdict;
pub use count::{Count, Standing};
pub use make::Undo;

/// No tile, in the table of corners.
const EMPTY: u8 = 0xFF;
/// How many positions are remembered; more than the quiet moves of CT-R9 and the deepest search line together.
const MEMORY: usize = 256;

/// A whole position of Contact.
///
/// ```
/// use contact::{Players, Position, Set};
/// let mut position = Position::start(&Set::default(), "six", Players::Two).unwrap();
/// assert_eq!(position.legal().len(), 11);
/// let undo = position.make("g2-g3".parse().unwrap());
/// position.unmake(&undo);
/// ```
#[derive(Clone)]
pub struct Position {
    on: [u8; 256],
    code: [Code; MAX_TILES],
    at: [Corner; MAX_TILES],
    tiles: u8,
    live: u32,
    of: [Bits; 4],
    twos: Bits,
    count: [u8; 4],
    players: Players,
    turn: Side,
    hash: u64,
    quiet: u8,
    pair: Pair,
    over: Option<Over>,
    ties: Ties,
    /// Perft leaves repetition aside.
    repetition: bool,
    /// The tiles that are turned over or were when they went, one bit each.
    turned: u32,
    made: u32,
    passed: u32,
    past: [u64; MEMORY],
    faces: [[u8; 4]; 16],
    rings: [Bits; 4],
}

/// Why tiles do not make a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error, serde::Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Misplaced {
    /// No tile at all.
    #[error("there is no tile on the board")]
    Nothing,
    /// Too many tiles.
    #[error("there are {count} tiles; a position holds at most 24, and 12 of one player")]
    TooMany {
        /// How many.
        count: usize,
    },
    /// Two tiles on one corner.
    #[error("two tiles stand on {at}")]
    OnTop {
        /// Where.
        at: Corner,
    },
    /// Opponents side by side.
    #[error("the tile on {at} lies side by side with an opponent's (CT-S11)")]
    SideBySide {
        /// Where.
        at: Corner,
    },
    /// A tile of a side that does not play.
    #[error("{owner} has a tile on {at} but does not play here")]
    NotSeated {
        /// Whose.
        owner: Side,
        /// Where.
        at: Corner,
    },
    /// The turn of a side that is out.
    #[error("{side} cannot be to move: it has no tiles and is out (CT-R5)")]
    OutToMove {
        /// Who.
        side: Side,
    },
    /// A count of turns of a last pair that there is not, or not of that kind.
    #[error("the last two tiles do not say so: this pair is played {wanted}")]
    WrongPair {
        /// How the pair would be played.
        wanted: &'static str,
    },
    /// Quiet moves at or over the limit.
    #[error("{moves} quiet moves are too many: after {limit} the game is over (CT-R9)")]
    TooQuiet {
        /// How many.
        moves: u8,
        /// How many end a game of these players.
        limit: u8,
    },
}

impl Position {
    /// The start of a game: a set-up of a set, South to move; `None` if the set-up is not for these players.
    pub fn start(set: &Set, setup: &str, players: Players) -> Option<Self> {
        let placed = set.layout(setup, players)?;
        Self::from_placed(set, players, &placed, Side::South).ok()
    }

    /// A start from tiles as a set-up places them, so that tile ids follow its order.
    pub fn from_placed(
        set: &Set,
        players: Players,
        placed: &[Placed],
        first: Side,
    ) -> Result<Self, Misplaced> {
        let tiles: Vec<Tile> = placed
            .iter()
            .enumerate()
            .map(|(i, p)| Tile {
                id: i.min(255) as u8,
                owner: p.owner,
                step: p.step,
                turned: false,
                spin: p.owner as u8,
                at: p.at,
            })
            .collect();
        Self::new(set, players, &tiles, first, 0, None)
    }

    /// Any position whose tiles may stand as they do. Tile ids are given in the order of the list. A last pair that
    /// comes without its count begins now.
    pub fn new(
        set: &Set,
        players: Players,
        tiles: &[Tile],
        turn: Side,
        quiet: u8,
        pair: Option<Pair>,
    ) -> Result<Self, Misplaced> {
        let mut position = Self::empty(set, players, turn);
        position.put_all(tiles)?;
        if !position.is_in(turn) && position.winners_now().is_none() {
            return Err(Misplaced::OutToMove { side: turn });
        }
        if !players.seats(turn) {
            return Err(Misplaced::OutToMove { side: turn });
        }
        position.quiet = quiet;
        position.settle(position.alive());
        let limit = position.quiet_limit();
        if quiet >= limit && position.over.is_none() {
            return Err(Misplaced::TooQuiet { moves: quiet, limit });
        }
        if let Some(pair) = pair {
            position.set_pair(pair)?;
        }
        position.hash = position.full_hash();
        position.past[0] = position.hash;
        Ok(position)
    }

    fn empty(set: &Set, players: Players, turn: Side) -> Self {
        let mut faces = [[0; 4]; 16];
        for (i, face) in faces.iter_mut().enumerate() {
            let code = Code::from_bits(i as u8);
            let figures = set.tiles.get(code.step());
            for (c, figure) in face.iter_mut().enumerate() {
                *figure = if code.turned() {
                    figures.back
                } else {
                    figures.corners[(c + 4 - usize::from(code.spin())) & 3]
                };
            }
        }
        Self {
            on: [EMPTY; 256],
            code: [Code::default(); MAX_TILES],
            at: [Corner::from_index(0x11); MAX_TILES],
            tiles: 0,
            live: 0,
            of: [Bits::NONE; 4],
            twos: Bits::NONE,
            count: [0; 4],
            players,
            turn,
            hash: 0,
            quiet: 0,
            pair: Pair::None,
            over: None,
            ties: Ties::default(),
            repetition: true,
            turned: 0,
            made: 0,
            passed: 0,
            past: [0; MEMORY],
            faces,
            rings: Side::ALL.map(|s| set.ring(s)),
        }
    }

    fn put_all(&mut self, tiles: &[Tile]) -> Result<(), Misplaced> {
        if tiles.is_empty() {
            return Err(Misplaced::Nothing);
        }
        let most =
            Side::ALL.map(|s| tiles.iter().filter(|t| t.owner == s).count()).into_iter().max().unwrap_or(0);
        if tiles.len() > MAX_TILES || most > MAX_TILES_EACH {
            return Err(Misplaced::TooMany { count: tiles.len() });
        }
        for tile in tiles {
            if !self.players.seats(tile.owner) {
                return Err(Misplaced::NotSeated { owner: tile.owner, at: tile.at });
            }
            if self.occupied().has(tile.at) {
                return Err(Misplaced::OnTop { at: tile.at });
            }
            let id = self.tiles;
            self.tiles += 1;
            self.code[usize::from(id)] = Code::new(tile.owner, tile.step, tile.turned, tile.spin);
            self.turned |= u32::from(tile.turned) << id;
            self.at[usize::from(id)] = tile.at;
            self.put(id);
        }
        match tiles.iter().find(|t| self.foes(t.owner).neighbours().has(t.at)) {
            Some(tile) => Err(Misplaced::SideBySide { at: tile.at }),
            None => Ok(()),
        }
    }

    fn set_pair(&mut self, pair: Pair) -> Result<(), Misplaced> {
        let wrong = |wanted| Err(Misplaced::WrongPair { wanted });
        let limit = self.pair_limit();
        match (self.over, self.pair, pair) {
            (Some(_), _, Pair::None) | (None, Pair::None, Pair::None) => Ok(()),
            // CT-R7: a seven-step ending stays one when a tile is turned, so any pair of one kind may be in it.
            (None, Pair::Ordinary(_) | Pair::Seven(_), Pair::Seven(n))
                if n < limit && self.pair_is_of_one_kind() =>
            {
                self.pair = Pair::Seven(n);
                Ok(())
            }
            (None, Pair::Ordinary(_), Pair::Ordinary(n)) if n < limit => {
                self.pair = Pair::Ordinary(n);
                Ok(())
            }
            (Some(_), _, _) => wrong("no more, for the game is over"),
            (_, Pair::None, _) => wrong("as the whole board is: there are more than two tiles"),
            (_, Pair::Ordinary(_), _) => wrong("with ordinary moves, and fewer turns gone than end the game"),
            (_, Pair::Seven(_), _) => {
                wrong("with seven steps a move, and fewer turns gone than end the game")
            }
        }
    }

    /// The same position at a table that has agreed so on ties. What stood before it is forgotten.
    #[must_use]
    pub fn under(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self.repetition = ties.r9 != R9::Off;
        self.hash = self.full_hash();
        self.made = 0;
        self.passed = 0;
        self.past[0] = self.hash;
        self
    }

    /// The same position, in which nothing ends because it stands again.
    #[must_use]
    pub fn without_repetition(mut self) -> Self {
        self.repetition = false;
        self
    }

    /// What the table has agreed on about ties.
    #[inline]
    pub fn ties(&self) -> Ties {
        self.ties
    }

    /// Whether a position that stands again can end the game.
    #[inline]
    pub(crate) fn heeds_repetition(&self) -> bool {
        self.repetition
    }

    /// How many quiet moves of all players end the game, where CT-R9 holds.
    #[inline]
    pub fn quiet_limit(&self) -> u8 {
        match self.ties.r9 {
            R9::SixtyMoves => SIXTY_MOVES,
            R9::On | R9::Off => QUIET_TURNS_EACH * self.players_in(),
        }
    }

    /// How many still take turns.
    #[inline]
    fn players_in(&self) -> u8 {
        match self.players {
            Players::Two => 2,
            Players::Partners => 4,
            Players::Three | Players::Four => self.alive().count_ones() as u8,
        }
    }

    /// Who plays against whom.
    pub fn players(&self) -> Players {
        self.players
    }

    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The end, if the game is over.
    #[inline]
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// The last pair's stand.
    #[inline]
    pub fn pair(&self) -> Pair {
        self.pair
    }

    /// Moves since a tile was last removed or turned over.
    #[inline]
    pub fn quiet(&self) -> u8 {
        self.quiet
    }

    /// The hash: tiles, faces, spins that are seen, player to move, and whether moves are of seven steps.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The corners where tiles stand.
    #[inline]
    pub fn occupied(&self) -> Bits {
        self.of[0] | self.of[1] | self.of[2] | self.of[3]
    }

    /// The corners where a side's tiles stand.
    #[inline]
    pub fn of(&self, side: Side) -> Bits {
        self.of[side.index()]
    }

    /// The corners where TWO STEP tiles stand.
    #[inline]
    pub fn two_steps(&self) -> Bits {
        self.twos
    }

    /// The corners where opponents of a side stand.
    #[inline]
    pub fn foes(&self, side: Side) -> Bits {
        let [s, w, n, e] = self.of;
        match (self.players, side) {
            (Players::Partners, Side::South | Side::North) => w | e,
            (Players::Partners, _) => s | n,
            (_, Side::South) => w | n | e,
            (_, Side::West) => s | n | e,
            (_, Side::North) => s | w | e,
            (_, Side::East) => s | w | n,
        }
    }

    /// How many tiles a side has.
    #[inline]
    pub fn count(&self, side: Side) -> u8 {
        self.count[side.index()]
    }

    /// How many tiles there are.
    #[inline]
    pub fn total(&self) -> u8 {
        self.count.iter().sum()
    }

    /// The ringed spots on which a side's tiles are turned over.
    #[inline]
    pub fn goal(&self, side: Side) -> Bits {
        self.rings[side.opposite().index()]
    }

    /// The tile on a corner.
    pub fn tile_on(&self, at: Corner) -> Option<Tile> {
        let id = self.on[usize::from(at.index())];
        (id != EMPTY).then(|| self.tile(id))
    }

    /// How the tile on a corner lies.
    fn lies(&self, at: Corner) -> Option<Code> {
        self.id_on(at.index()).map(|id| self.code_of(id))
    }

    /// All tiles on the board, in the order of their ids.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        (0..self.tiles).filter(|id| self.live >> id & 1 != 0).map(|id| self.tile(id))
    }

    fn tile(&self, id: u8) -> Tile {
        let (code, at) = (self.code[usize::from(id)], self.at[usize::from(id)]);
        Tile { id, owner: code.owner(), step: code.step(), turned: code.turned(), spin: code.spin(), at }
    }

    #[inline]
    pub(crate) fn id_on(&self, index: u8) -> Option<u8> {
        let id = self.on[usize::from(index)];
        (id != EMPTY).then_some(id)
    }

    #[inline]
    pub(crate) fn code_of(&self, id: u8) -> Code {
        self.code[usize::from(id)]
    }

    #[inline]
    pub(crate) fn corner_of(&self, id: u8) -> Corner {
        self.at[usize::from(id)]
    }

    /// The tiles on the board by their ids: how each lies, and where.
    #[inline]
    pub(crate) fn codes(&self) -> impl Iterator<Item = (Code, Corner)> + '_ {
        let mut live = self.live;
        std::iter::from_fn(move || {
            let id = live.trailing_zeros() as usize;
            live &= live.wrapping_sub(1);
            (id < MAX_TILES).then(|| (self.code[id], self.at[id]))
        })
    }

    /// The figures of a tile now, clockwise from its north-west corner.
    pub fn figures(&self, tile: Tile) -> [u8; 4] {
        self.faces[Code::new(tile.owner, tile.step, tile.turned, tile.spin).face()]
    }

    /// Whether a side still takes turns: it, or its partner, has a tile (CT-R5).
    #[inline]
    pub fn is_in(&self, side: Side) -> bool {
        self.players.seats(side) && self.alive() & self.players.team(side) != 0
    }

    /// The sides with tiles, as a mask.
    #[inline]
    fn alive(&self) -> u8 {
        u8::from(self.count[0] > 0)
            | u8::from(self.count[1] > 0) << 1
            | u8::from(self.count[2] > 0) << 2
            | u8::from(self.count[3] > 0) << 3
    }

    #[inline]
    fn put(&mut self, id: u8) {
        let (code, at) = (self.code[usize::from(id)], self.at[usize::from(id)]);
        self.on[usize::from(at.index())] = id;
        self.of[code.owner().index()].insert(at);
        if code.step() == Step::TwoStep {
            self.twos.insert(at);
        }
        self.count[code.owner().index()] += 1;
        self.live |= 1 << id;
        self.hash ^= self.key(code, at.index());
    }

    #[inline]
    fn take(&mut self, id: u8) {
        let (code, at) = (self.code[usize::from(id)], self.at[usize::from(id)]);
        self.on[usize::from(at.index())] = EMPTY;
        self.of[code.owner().index()].remove(at);
        if code.step() == Step::TwoStep {
            self.twos.remove(at);
        }
        self.count[code.owner().index()] -= 1;
        self.live &= !(1 << id);
        self.hash ^= self.key(code, at.index());
    }

    /// A tile's share of the hash.
    #[inline]
    fn key(&self, code: Code, at: u8) -> u64 {
        key(if self.ties.r9 == R9::SixtyMoves { code } else { code.seen() }, at)
    }

    /// The hash computed afresh from all that stands on the board.
    pub fn full_hash(&self) -> u64 {
        let tiles = (0..self.tiles).filter(|id| self.live >> id & 1 != 0);
        let hash =
            tiles.fold(0, |h, id| h ^ self.key(self.code[usize::from(id)], self.at[usize::from(id)].index()));
        let seven = if matches!(self.pair, Pair::Seven(_)) { SEVEN_KEY } else { 0 };
        hash ^ TURN_KEYS[self.turn.index()] ^ seven
    }

    /// Whether every kept figure equals one computed afresh from the tiles: for tests.
    pub fn is_consistent(&self) -> bool {
        let mut of = [Bits::NONE; 4];
        let mut twos = Bits::NONE;
        let mut on = [EMPTY; 256];
        for tile in self.tiles() {
            of[tile.owner.index()].insert(tile.at);
            on[usize::from(tile.at.index())] = tile.id;
            if tile.step == Step::TwoStep {
                twos.insert(tile.at);
            }
        }
        of == self.of
            && twos == self.twos
            && on == self.on
            && of.iter().zip(self.count).all(|(b, n)| b.len() == u32::from(n))
            && self.tiles().all(|tile| tile.turned == (self.turned >> tile.id & 1 != 0))
            && self.hash == self.full_hash()
    }

    /// How many times this position stood before, as far back as it can have (CT-R9).
    #[inline]
    pub fn stood_before(&self) -> u32 {
        let back = u32::from(self.quiet).min(self.made).min(MEMORY as u32 - 1);
        // Every move spins its tile (CT-S8), so a tile whose spin tells lies as it lay only after four moves: without a
        // pass a position comes again after a multiple of four, and of eight where two take turns.
        let all_tell = self.live & self.turned == 0 || self.ties.r9 == R9::SixtyMoves;
        let stride = match (all_tell, self.players) {
            (true, Players::Two) => 8,
            (true, _) => 4,
            (false, Players::Two) => 2,
            (false, _) => 1,
        };
        let unbroken = back.min(self.made - self.passed);
        let stood = |d: u32| u32::from(self.past[(self.made - d) as usize % MEMORY] == self.hash);
        let mut count = 0;
        let mut d = stride;
        while d <= unbroken {
            count += stood(d);
            d += stride;
        }
        (unbroken + 1..=back).fold(count, |count, d| count + stood(d))
    }

    /// The hashes of the positions that may still be repeated, oldest first, the present one last.
    pub(crate) fn memory(&self) -> Vec<u64> {
        let back = u32::from(self.quiet).min(self.made).min(MEMORY as u32 - 1);
        (0..=back).rev().map(|d| self.past[(self.made - d) as usize % MEMORY]).collect()
    }
}

impl PartialEq for Position {
    /// The same tiles on the same corners, the same turn and the same stand; what stood before counts as far as CT-R9 asks.
    fn eq(&self, other: &Self) -> bool {
        self.players == other.players
            && self.turn == other.turn
            && self.of == other.of
            && self.occupied().into_iter().all(|at| self.lies(at) == other.lies(at))
            && (self.quiet, self.pair, self.over) == (other.quiet, other.pair, other.over)
            && (self.ties, self.repetition) == (other.ties, other.repetition)
            && (self.faces, self.rings) == (other.faces, other.rings)
            && self.memory() == other.memory()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
