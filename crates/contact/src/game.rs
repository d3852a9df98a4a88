//! The game at a table: options become a position, acts become moves, and everything is checked on the way in.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use table::{Game, Moment, Outcome, Seat, Seats, Time};

use crate::board::{Corner, Players, Side};
use crate::ending::{R9, Ties};
use crate::moves::Move;
use crate::notation::GameText;
use crate::options::Options;
use crate::position::Position;
use crate::refusal::{Refusal, check_move};
use crate::set::{Colour, Set};
use crate::tile::Tile;
use crate::view::{End, Last, PairView, Private, Public, TileView};

/// A game of Contact.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Contact {
    set: Set,
    setup: String,
    first: Side,
    start: Position,
    colours: Vec<Colour>,
    position: Position,
    moves: Vec<Move>,
    last: Option<Last>,
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Moves the tile on `from` to `to`; the spin and the contacts follow by themselves.
    Move {
        /// Where the tile stands.
        from: Corner,
        /// Where it goes; where it stood, for out and back.
        to: Corner,
    },
    /// Passes, when there is no legal move (CT-R5).
    Pass {},
}

impl Act {
    /// The move this act makes.
    pub fn mv(self) -> Move {
        match self {
            Self::Move { from, to } => Move::new(from, to),
            Self::Pass {} => Move::PASS,
        }
    }
}

impl From<Move> for Act {
    fn from(mv: Move) -> Self {
        mv.ends().map_or(Self::Pass {}, |(from, to)| Self::Move { from, to })
    }
}

impl Contact {
    /// Sets up a game of `players`, with `first` to move.
    pub fn new(set: &Set, setup: &str, players: Players, first: Side, ties: Ties) -> Result<Self, Refusal> {
        let faults = set.faults();
        if !faults.is_empty() {
            return Err(Refusal::BadSet { faults });
        }
        let count = players.count() as u32;
        if !players.seats(first) {
            return Err(Refusal::FirstNotSeated { side: first });
        }
        let placed = set.layout(setup, players).ok_or_else(|| {
            let known = set.setups.iter().filter(|(_, s)| s.players.contains(&(count as u8)));
            let known = known.map(|(name, _)| name.clone()).collect();
            Refusal::NoSetUp { setup: setup.to_owned(), players: count, known }
        })?;
        let start = Position::from_placed(set, players, &placed, first)
            .map_err(|problem| Refusal::Misplaced { problem })?
            .under(ties);
        Ok(Self {
            set: set.clone(),
            setup: setup.to_owned(),
            first,
            colours: placed.iter().map(|p| p.colour).collect(),
            position: start.clone(),
            start,
            moves: Vec::new(),
            last: None,
        })
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The game so far, as text.
    pub fn text(&self) -> GameText {
        GameText { start: self.start.clone(), moves: self.moves.clone() }
    }

    /// The side of a seat.
    pub fn side(&self, seat: Seat) -> Option<Side> {
        self.position.players().sides().get(seat.index()).copied()
    }

    /// Makes a move of the player whose turn it is, or says why not.
    pub fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        check_move(&mut self.position, mv)?;
        let by = self.position.turn();
        let before: Vec<Tile> = self.position.tiles().collect();
        let undo = self.position.make(mv);
        let gone = before.iter().filter(|t| undo.removed() >> t.id & 1 != 0);
        let removed = gone.map(|&tile| self.removed_view(tile, mv)).collect();
        let turned_over = mv
            .ends()
            .and_then(|(_, to)| self.position.tile_on(to))
            .is_some_and(|now| now.turned && before.iter().any(|t| t.id == now.id && !t.turned));
        self.last = Some(Last { by, mv, removed, turned_over });
        self.moves.push(mv);
        Ok(())
    }

    fn tile_view(&self, tile: Tile) -> TileView {
        TileView {
            id: tile.id,
            owner: tile.owner,
            step: tile.step,
            colour: self.colours.get(usize::from(tile.id)).copied().unwrap_or(Colour::of(tile.owner)),
            turned: tile.turned,
            spin: tile.spin,
            figures: self.position.figures(tile),
            at: tile.at,
        }
    }

    /// A removed tile as it lay when corners met: the mover at its end, and spun.
    fn removed_view(&self, mut tile: Tile, mv: Move) -> TileView {
        if let Some((from, to)) = mv.ends()
            && tile.at == from
        {
            (tile.at, tile.spin) = (to, (tile.spin + 1) & 3);
        }
        self.tile_view(tile)
    }
}

impl Game for Contact {
    const NAME: &'static str = "contact";
    /// 2: CT-R9 is thirty turns each instead of sixty moves, and spins that cannot be seen tell no positions apart.
    const RULES: u32 = 2;
    const OLDEST_RULES: u32 = 1;
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = Private;
    type Refusal = Refusal;

    fn older_options(_: u32, options: &mut Map<String, Value>) {
        let off = options.get("r9").is_some_and(|r9| *r9 == Value::Bool(false));
        if !off {
            options.insert("r9".to_owned(), serde_json::json!(R9::SixtyMoves));
        }
    }

    fn seating(options: &Options) -> RangeInclusive<u32> {
        options.seating()
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Self, Refusal> {
        let count = seats.count();
        let players = options.players(count).ok_or(Refusal::Players { players: count })?;
        let first = options.first.side().unwrap_or_else(|| {
            players.sides()[at.dice.below(count) as usize] // CT-S6
        });
        Self::new(&options.set, &options.setup, players, first, options.ties())
    }

    fn act(&mut self, seat: Seat, act: &Act, _: &mut Moment<'_>) -> Result<(), Refusal> {
        let side = self.side(seat).ok_or(Refusal::NotSeated)?;
        if self.position.over().is_some() {
            return Err(Refusal::Over);
        }
        let turn = self.position.turn();
        if side != turn {
            return Err(Refusal::NotYourTurn { turn });
        }
        self.play(act.mv())
    }

    /// Only who begins is thrown for.
    fn throws(&self, _: Seat, _: &Act) -> bool {
        false
    }

    fn time_throws(&self) -> bool {
        false
    }

    fn awaits(&self, seat: Seat) -> bool {
        self.position.over().is_none() && self.side(seat) == Some(self.position.turn())
    }

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn expire(&mut self, _: &mut Moment<'_>) {}

    fn public(&self) -> Public {
        self.public_since(0)
    }

    fn grown(&self) -> Option<(&'static str, usize)> {
        Some(("moves", self.moves.len()))
    }

    fn public_since(&self, known: usize) -> Public {
        let position = &self.position;
        let mut legal = position.clone().legal();
        legal.sort_unstable();
        let over = position.over();
        Public {
            players: position.players(),
            turn: over.is_none().then(|| position.turn()),
            tiles: position.tiles().map(|t| self.tile_view(t)).collect(),
            legal: legal.to_vec(),
            last: self.last.clone(),
            quiet: position.quiet(),
            pair: over.is_none().then(|| PairView::of(position.pair())).flatten(),
            end: over.map(End::of),
            position: position.to_string(),
            start: self.start.to_string(),
            moves: self.moves.get(known..).unwrap_or_default().to_vec(),
            r9: position.ties().r9,
            count: position.ties().count,
            quiet_limit: position.quiet_limit(),
            figures: self.set.tiles,
            rings: self.set.rings.clone(),
        }
    }

    fn private(&self, seat: Seat) -> Private {
        Private { side: self.side(seat) }
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.position.over()?;
        let sides = self.position.players().sides();
        // The last with a tile wins; those who did not share the end come after all who did.
        let rank =
            |side: &Side| if over.sides >> side.index() & 1 != 0 { 1 } else { over.sides.count_ones() + 1 };
        let scores = sides.iter().map(|&s| self.position.count(s).into()).collect();
        Some(Outcome { ranks: sides.iter().map(rank).collect(), scores })
    }
}

/// A game on disk: how it was set up and what was moved. The position stands there to be read, and to be checked.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    players: Players,
    setup: String,
    first: Side,
    r9: R9,
    count: bool,
    moves: Vec<Move>,
    position: String,
    set: Set,
}

impl From<Contact> for Saved {
    fn from(game: Contact) -> Self {
        Self {
            players: game.position.players(),
            setup: game.setup,
            first: game.first,
            r9: game.position.ties().r9,
            count: game.position.ties().count,
            position: game.position.to_string(),
            moves: game.moves,
            set: game.set,
        }
    }
}

/// Why a saved game does not load.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum NotLoaded {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("move {number} of the saved game: {refusal}")]
    Move { number: usize, refusal: Refusal },
    #[error("the saved moves lead to `{found}`, and the saved position is `{saved}`")]
    Differs { found: String, saved: String },
}

impl TryFrom<Saved> for Contact {
    type Error = NotLoaded;

    fn try_from(saved: Saved) -> Result<Self, NotLoaded> {
        let ties = Ties { r9: saved.r9, count: saved.count };
        let mut game = Self::new(&saved.set, &saved.setup, saved.players, saved.first, ties)?;
        for (i, &mv) in saved.moves.iter().enumerate() {
            game.play(mv).map_err(|refusal| NotLoaded::Move { number: i + 1, refusal })?;
        }
        let found = game.position.to_string();
        if found == saved.position {
            Ok(game)
        } else {
            Err(NotLoaded::Differs { found, saved: saved.position })
        }
    }
}
