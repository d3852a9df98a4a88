//! The set: tiles and their figures, the box, ringed spots and set-ups, read from a data file and checked once, at
//! the door. `check` says everything that is wrong with a file, and where.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::bits::Bits;
use crate::board::{Corner, Players, Side};

/// The data file of the house set.
pub const HOUSE: &str = include_str!("../data/contact.toml");

/// Most tiles on the board at one time (CT-S1: 26 in the box, never more than 24 in use).
pub const MAX_TILES: usize = 24;
/// Most tiles of one player.
pub const MAX_TILES_EACH: usize = 12;

/// How far a tile goes in a move (CT-S7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// To the next corner.
    OneStep,
    /// Two corners, each step in any direction.
    TwoStep,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneStep => "ONE STEP",
            Self::TwoStep => "TWO STEP",
        })
    }
}

/// The colours in the box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// South's own colour.
    Red,
    /// West's own colour.
    Blue,
    /// North's own colour.
    Green,
    /// East's own colour.
    Yellow,
}

impl Colour {
    /// The colour of a side when each has one (CT-F3).
    pub const fn of(side: Side) -> Self {
        match side {
            Side::South => Self::Red,
            Side::West => Self::Blue,
            Side::North => Self::Green,
            Side::East => Self::Yellow,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Yellow => "yellow",
        })
    }
}

/// The figures of a kind of tile (CT-S2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Clockwise from the owner's front left corner at the start (CT-F2).
    pub corners: [u8; 4],
    /// On every corner of the back.
    pub back: u8,
}

/// Something for each kind of tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ByStep<T> {
    /// For ONE STEP tiles.
    pub one_step: T,
    /// For TWO STEP tiles.
    pub two_step: T,
}

impl<T> ByStep<T> {
    /// The one for that kind.
    pub fn get(&self, step: Step) -> &T {
        match step {
            Step::OneStep => &self.one_step,
            Step::TwoStep => &self.two_step,
        }
    }
}

/// A row of one player's tiles at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The line, counted from the owner's edge.
    pub line: u8,
    /// The kind of all its tiles.
    pub step: Step,
    /// Their places along the line.
    pub at: Vec<u8>,
    /// For each tile which of its owner's colours, from 1; all the first if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colour: Vec<u8>,
}

/// A starting set-up, the same for every side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The numbers of players it serves.
    pub players: Vec<u8>,
    /// The colours of each side.
    pub colours: BTreeMap<Side, Vec<Colour>>,
    /// The rows of each player.
    pub rows: Vec<Row>,
}

/// A tile as the set-up puts it down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Whose it is; his side is its home.
    pub owner: Side,
    /// Its kind.
    pub step: Step,
    /// Its colour.
    pub colour: Colour,
    /// Where it stands.
    pub at: Corner,
}

/// Everything that comes in the box, and how it is laid out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// The figures on the tiles.
    pub tiles: ByStep<Figures>,
    /// How many of each colour and kind there are.
    #[serde(rename = "box")]
    pub stock: BTreeMap<Colour, ByStep<u8>>,
    /// The places of the ringed spots along each side's home line.
    pub rings: BTreeMap<Side, Vec<u8>>,
    /// The set-ups by name.
    pub setups: BTreeMap<String, SetUp>,
}

/// Something wrong with a set, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct Fault {
    /// The key in the data file, or the line and column of text that is not TOML of a set.
    pub at: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Problem {
    /// Not TOML, or not the shape of a set.
    #[error("{message}")]
    Unreadable {
        /// What the reader says.
        message: String,
    },
    /// A figure that cannot be printed on a corner.
    #[error("{figure} is no figure for a corner; use 1 to 9")]
    Figure {
        /// The figure.
        figure: u8,
    },
    /// A line or place off the board.
    #[error("{number} is off the board; lines and places run from 1 to 15")]
    OffBoard {
        /// The number.
        number: u8,
    },
    /// The same place twice.
    #[error("{number} stands here twice; name each place once")]
    Twice {
        /// The number.
        number: u8,
    },
    /// No list of ringed spots for a side.
    #[error("the ringed spots of {side} are missing; an empty list means none")]
    NoRings {
        /// The side.
        side: Side,
    },
    /// A set without set-ups.
    #[error("there is no set-up; give at least one")]
    NoSetUp,
    /// A set-up that serves nobody, or an impossible number.
    #[error("say for how many players this set-up is: some of 2, 3 and 4")]
    PlayersNamed,
    /// A set-up without tiles.
    #[error("this set-up has no tiles; give at least one row with a place")]
    NoTiles,
    /// More tiles than fit a game.
    #[error("{tiles} tiles are too many; a player has at most 12, and the board holds at most 24")]
    TooMany {
        /// How many.
        tiles: usize,
    },
    /// A side that plays has no colour.
    #[error("{side} plays but has no colour here")]
    NoColour {
        /// The side.
        side: Side,
    },
    /// A list of colours that does not match the list of places.
    #[error("{colours} colours for {places} tiles; give one for each, or leave `colour` out")]
    ColourCount {
        /// Colours given.
        colours: usize,
        /// Places given.
        places: usize,
    },
    /// A colour that the owner does not have.
    #[error("colour {pick} of {side}, who has only {has}")]
    ColourPick {
        /// The number picked, from 1.
        pick: u8,
        /// Whose colours.
        side: Side,
        /// How many that side has.
        has: usize,
    },
    /// The box does not hold so many.
    #[error("with {players} players it needs {needed} {colour} {step} tiles, and the box holds {held}")]
    Stock {
        /// Players.
        players: u8,
        /// The colour.
        colour: Colour,
        /// The kind.
        step: Step,
        /// How many are needed.
        needed: usize,
        /// How many there are.
        held: u8,
    },
    /// Two tiles on one corner.
    #[error("with {players} players two tiles stand on {corner}")]
    OnTop {
        /// Players.
        players: u8,
        /// Where.
        corner: Corner,
    },
    /// Opponents side by side (CT-S11).
    #[error("with {players} players {corner} lies side by side with an opponent's tile (CT-S11)")]
    SideBySide {
        /// Players.
        players: u8,
        /// Where.
        corner: Corner,
    },
}

static HOUSE_SET: LazyLock<Set> = LazyLock::new(|| check(HOUSE).expect("the house set is checked by a test"));

impl Default for Set {
    /// The house set.
    fn default() -> Self {
        HOUSE_SET.clone()
    }
}

/// Reads a set from a data file and checks all of it.
///
/// ```
/// assert!(contact::set::check(contact::set::HOUSE).is_ok());
/// let faults = contact::set::check(&contact::set::HOUSE.replace("back = 5", "back = 12")).unwrap_err();
/// assert_eq!(faults[0].to_string(), "tiles.one-step.back: 12 is no figure for a corner; use 1 to 9");
/// ```
pub fn check(text: &str) -> Result<Set, Vec<Fault>> {
    let set: Set = toml::from_str(text).map_err(|e| vec![unreadable(text, &e)])?;
    let faults = set.faults();
    if faults.is_empty() { Ok(set) } else { Err(faults) }
}

fn unreadable(text: &str, error: &toml::de::Error) -> Fault {
    let start = error.span().map_or(0, |s| s.start).min(text.len());
    let before = text.get(..start).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let message = error.message().trim().to_owned();
    Fault { at: format!("line {line}, column {column}"), problem: Problem::Unreadable { message } }
}

impl Set {
    /// Everything that is wrong with the set, or the first hundred things; empty for a sound one.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Faults::default();
        self.check_figures(&mut faults);
        self.check_rings(&mut faults);
        if self.setups.is_empty() {
            faults.add("setups", Problem::NoSetUp);
        }
        for (name, setup) in &self.setups {
            self.check_setup(name, setup, &mut faults);
        }
        faults.0
    }

    /// The tiles of a set-up for so many players, in turn order of their owners; `None` if the set-up is not for them.
    pub fn layout(&self, setup: &str, players: Players) -> Option<Vec<Placed>> {
        let setup = self.setups.get(setup)?;
        setup.players.contains(&(players.count() as u8)).then(|| setup.placed(players))
    }

    /// The ringed spots of a side's home line (CT-F6).
    pub fn ring(&self, side: Side) -> Bits {
        crate::board::ring_bits(side, self.rings.get(&side).map_or(&[], Vec::as_slice))
    }

    fn check_figures(&self, faults: &mut Faults) {
        for (name, figures) in [("one-step", &self.tiles.one_step), ("two-step", &self.tiles.two_step)] {
            let bad = |figure: u8| !(1..=9).contains(&figure);
            for (i, &figure) in figures.corners.iter().enumerate().filter(|&(_, &f)| bad(f)) {
                faults.add(format!("tiles.{name}.corners[{i}]"), Problem::Figure { figure });
            }
            if bad(figures.back) {
                faults.add(format!("tiles.{name}.back"), Problem::Figure { figure: figures.back });
            }
        }
    }

    fn check_rings(&self, faults: &mut Faults) {
        for side in Side::ALL {
            match self.rings.get(&side) {
                None => faults.add("rings", Problem::NoRings { side }),
                Some(places) => faults.places(&format!("rings.{}", key(side)), places),
            }
        }
    }

    fn check_setup(&self, name: &str, setup: &SetUp, faults: &mut Faults) {
        let at = format!("setups.{name}");
        let before = faults.0.len();
        if setup.players.is_empty() || setup.players.iter().any(|n| !(2..=4).contains(n)) {
            faults.add(format!("{at}.players"), Problem::PlayersNamed);
        }
        let tiles: usize = setup.rows.iter().map(|r| r.at.len()).sum();
        if tiles == 0 {
            faults.add(format!("{at}.rows"), Problem::NoTiles);
        }
        if tiles > MAX_TILES_EACH {
            faults.add(format!("{at}.rows"), Problem::TooMany { tiles });
        }
        for (i, row) in setup.rows.iter().enumerate() {
            let at = format!("{at}.rows[{i}]");
            if !(1..=15).contains(&row.line) {
                faults.add(format!("{at}.line"), Problem::OffBoard { number: row.line });
            }
            faults.places(&format!("{at}.at"), &row.at);
            if !row.colour.is_empty() && row.colour.len() != row.at.len() {
                let (colours, places) = (row.colour.len(), row.at.len());
                faults.add(format!("{at}.colour"), Problem::ColourCount { colours, places });
            }
        }
        for &n in &setup.players {
            if let Some(players) = Players::each_for_himself(n.into()) {
                check_colours(&at, setup, players, faults);
            }
        }
        // What follows lays the tiles out, and needs everything above to be in order.
        if faults.0.len() == before {
            for &n in &setup.players {
                self.check_layout(&at, setup, n, faults);
            }
        }
    }

    fn check_layout(&self, at: &str, setup: &SetUp, n: u8, faults: &mut Faults) {
        let Some(players) = Players::each_for_himself(n.into()) else { return };
        let tiles = setup.placed(players);
        if tiles.len() > MAX_TILES {
            faults.add(at, Problem::TooMany { tiles: tiles.len() });
        }
        let mut needed: BTreeMap<(Colour, Step), usize> = BTreeMap::new();
        let mut seen = Bits::NONE;
        for tile in &tiles {
            *needed.entry((tile.colour, tile.step)).or_default() += 1;
            if seen.has(tile.at) {
                faults.add(at, Problem::OnTop { players: n, corner: tile.at });
            }
            seen.insert(tile.at);
            let foes: Bits = tiles.iter().filter(|t| t.owner != tile.owner).map(|t| t.at).collect();
            if foes.neighbours().has(tile.at) {
                faults.add(at, Problem::SideBySide { players: n, corner: tile.at });
            }
        }
        for ((colour, step), needed) in needed {
            let held = self.stock.get(&colour).map_or(0, |s| *s.get(step));
            if needed > usize::from(held) {
                faults.add(at, Problem::Stock { players: n, colour, step, needed, held });
            }
        }
    }
}

fn check_colours(at: &str, setup: &SetUp, players: Players, faults: &mut Faults) {
    for &side in players.sides() {
        let has = setup.colours.get(&side).map_or(0, Vec::len);
        if has == 0 {
            faults.add(format!("{at}.colours"), Problem::NoColour { side });
            continue;
        }
        for (i, row) in setup.rows.iter().enumerate() {
            for (j, &pick) in row.colour.iter().enumerate() {
                if pick == 0 || usize::from(pick) > has {
                    faults
                        .add(format!("{at}.rows[{i}].colour[{j}]"), Problem::ColourPick { pick, side, has });
                }
            }
        }
    }
}

impl SetUp {
    fn placed(&self, players: Players) -> Vec<Placed> {
        let mut tiles = Vec::new();
        for &owner in players.sides() {
            let colours = self.colours.get(&owner).map_or(&[][..], Vec::as_slice);
            for row in &self.rows {
                for (i, &place) in row.at.iter().enumerate() {
                    let pick = row.colour.get(i).map_or(0, |&c| usize::from(c.saturating_sub(1)));
                    let colour = colours.get(pick).copied().unwrap_or(Colour::of(owner));
                    if let Some(at) = owner.corner(row.line, place) {
                        tiles.push(Placed { owner, step: row.step, colour, at });
                    }
                }
            }
        }
        tiles
    }
}

fn key(side: Side) -> String {
    side.to_string().to_lowercase()
}

/// So many faults are told of a set; whoever mends them is told the rest.
const FAULTS: usize = 100;

#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, at: impl Into<String>, problem: Problem) {
        let fault = Fault { at: at.into(), problem };
        if self.0.len() < FAULTS && !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    fn places(&mut self, at: &str, places: &[u8]) {
        for (i, &number) in places.iter().enumerate() {
            if !(1..=15).contains(&number) {
                self.add(format!("{at}[{i}]"), Problem::OffBoard { number });
            }
            if places[..i].contains(&number) {
                self.add(format!("{at}[{i}]"), Problem::Twice { number });
            }
        }
    }
}
