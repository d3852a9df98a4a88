//! Texts: a position on one line, a move such as `c4-c6`, and a whole game with its moves. docs/notation.md is the
//! description for people.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::{Corner, NoCorner, Players, Side};
use crate::ending::{Over, Pair, R9, Ties};
use crate::moves::Move;
use crate::position::{Misplaced, Position};
use crate::set::{Set, Step};
use crate::tile::Tile;

/// Why a text is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NoMove {
    /// No two corners.
    #[error("`{text}` is no move: write where the tile stands and where it goes, such as c4-c6, or pass")]
    Shape {
        /// The text.
        text: String,
    },
    /// A corner is none.
    #[error(transparent)]
    Corner(NoCorner),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ends() {
            None => f.write_str("pass"),
            Some((from, to)) => write!(f, "{from}-{to}"),
        }
    }
}

impl FromStr for Move {
    type Err = NoMove;

    fn from_str(text: &str) -> Result<Self, NoMove> {
        if text == "pass" {
            return Ok(Self::PASS);
        }
        let shape = || NoMove::Shape { text: text.chars().take(16).collect() };
        let (from, to) = text.split_once('-').ok_or_else(shape)?;
        let corner = |c: &str| c.parse::<Corner>().map_err(NoMove::Corner);
        Ok(Self::new(corner(from)?, corner(to)?))
    }
}

impl Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A field of a position text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// Fifteen rows from the north, with slashes between.
    Board,
    /// The side to move.
    Turn,
    /// Who plays.
    Players,
    /// Moves since a removal or a turning over.
    Quiet,
    /// The stand of a last pair.
    Pair,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "field 1 (board)",
            Self::Turn => "field 2 (turn)",
            Self::Players => "field 3 (players)",
            Self::Quiet => "field 4 (quiet moves)",
            Self::Pair => "field 5 (last pair)",
        })
    }
}

/// Why a text is no position: the field, the character (from 1, in the whole text), and what was wanted there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NoPosition {
    /// A character or word that does not belong there.
    #[error("{field}, character {at}: found {found}, wanted {wanted}")]
    Unexpected {
        /// The field.
        field: Field,
        /// The character.
        at: usize,
        /// What stands there.
        found: String,
        /// What should.
        wanted: &'static str,
    },
    /// A row that is not fifteen corners long.
    #[error("{field}, character {at}: row {row} holds {corners} corners; every row holds 15")]
    RowLength {
        /// The board.
        field: Field,
        /// The character at which the row ends.
        at: usize,
        /// The row.
        row: u8,
        /// How many corners it describes, 16 standing for too many.
        corners: u8,
    },
    /// Not fifteen rows.
    #[error("{field}, character {at}: {rows} rows; the board has 15, from row 15 down to row 1")]
    RowCount {
        /// The board.
        field: Field,
        /// The character at which the board ends.
        at: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// Tiles that cannot stand so.
    #[error("{field}: {problem}")]
    Misplaced {
        /// The field.
        field: Field,
        /// What is wrong.
        problem: Misplaced,
    },
}

impl fmt::Display for Position {
    /// The position text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (1..=15).rev() {
            let mut empty = 0;
            for corner in (1..=15).filter_map(|x| Corner::new(x, y)) {
                let Some(tile) = self.tile_on(corner) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write_tile(f, tile)?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if y > 1 { "/" } else { "" })?;
        }
        // Where quiet moves end nothing (CT-R9), they are not told: a reader takes the rule to hold.
        let quiet = if self.ties().r9 == R9::Off { 0 } else { self.quiet() };
        write!(f, " {} {} {quiet} ", self.turn().letter(), self.players().word())?;
        match self.pair() {
            _ if self.over().is_some() => f.write_str("-"),
            Pair::None => f.write_str("-"),
            Pair::Ordinary(n) => write!(f, "steps:{n}"),
            Pair::Seven(n) => write!(f, "seven:{n}"),
        }
    }
}

fn write_tile(f: &mut fmt::Formatter<'_>, tile: Tile) -> fmt::Result {
    let letter = tile.owner.letter();
    let letter = if tile.step == Step::TwoStep { letter.to_ascii_uppercase() } else { letter };
    let spin = char::from(b'a' + tile.spin);
    write!(f, "{letter}{spin}{}", if tile.turned { "+" } else { "" })
}

impl FromStr for Position {
    type Err = NoPosition;

    /// A position of the house set.
    fn from_str(text: &str) -> Result<Self, NoPosition> {
        Self::read(text, &Set::default())
    }
}

impl Position {
    /// Reads a position text, with the figures and ringed spots of a set.
    ///
    /// ```
    /// use contact::{Position, Set};
    /// let text = "15/15/15/15/15/15/15/7Nc7/15/15/5sb9/15/15/15/15 s two 0 steps:0";
    /// assert_eq!(Position::read(text, &Set::default()).unwrap().to_string(), text);
    /// let error = Position::read("15/15/7Qa7", &Set::default()).unwrap_err();
    /// assert!(error.to_string().starts_with("field 1 (board), character 8: found `Q`"));
    /// ```
    pub fn read(text: &str, set: &Set) -> Result<Self, NoPosition> {
        let mut fields = Fields { text, at: 0 };
        let (board, start) = fields.next().unwrap_or(("", 0));
        let tiles = read_board(board, start)?;
        let (turn, at) = fields.need(Field::Turn, "s, w, n or e, the side to move")?;
        let turn = one_letter(turn)
            .and_then(Side::from_letter)
            .ok_or_else(|| unexpected(Field::Turn, at, turn, "s, w, n or e, the side to move"))?;
        let (word, players_at) = fields.need(Field::Players, "two, three, four or partners")?;
        let players = Players::from_word(word)
            .ok_or_else(|| unexpected(Field::Players, players_at, word, "two, three, four or partners"))?;
        let quiet = match fields.next() {
            None => 0,
            Some((word, at)) => {
                number(word).ok_or_else(|| unexpected(Field::Quiet, at, word, "the quiet moves so far"))?
            }
        };
        let pair = fields.next().map(|(word, at)| read_pair(word, at)).transpose()?;
        if let Some((rest, at)) = fields.next() {
            return Err(unexpected(Field::Pair, at, rest, "the end of the text after five fields"));
        }
        Self::new(set, players, &tiles, turn, quiet, pair).map_err(|problem| {
            let field = match problem {
                Misplaced::OutToMove { .. } => Field::Turn,
                Misplaced::NotSeated { .. } => Field::Players,
                Misplaced::TooQuiet { .. } => Field::Quiet,
                Misplaced::WrongPair { .. } => Field::Pair,
                _ => Field::Board,
            };
            NoPosition::Misplaced { field, problem }
        })
    }
}

fn one_letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// A plain number of at most three figures.
fn number(word: &str) -> Option<u8> {
    let plain = !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    (plain && (word == "0" || !word.starts_with('0'))).then(|| word.parse().ok()).flatten()
}

fn read_pair(word: &str, at: usize) -> Result<Pair, NoPosition> {
    if word == "-" {
        return Ok(Pair::None);
    }
    let wanted = "`-`, or steps:N or seven:N with the turns of the last pair so far";
    let (kind, turns) = word.split_once(':').ok_or_else(|| unexpected(Field::Pair, at, word, wanted))?;
    match (kind, number(turns)) {
        ("steps", Some(n)) => Ok(Pair::Ordinary(n)),
        ("seven", Some(n)) => Ok(Pair::Seven(n)),
        _ => Err(unexpected(Field::Pair, at, word, wanted)),
    }
}

fn unexpected(field: Field, at: usize, found: &str, wanted: &'static str) -> NoPosition {
    let found = match found {
        "" => "the end of the text".to_owned(),
        _ => format!("`{}`", found.chars().take(16).collect::<String>()),
    };
    NoPosition::Unexpected { field, at: at + 1, found, wanted }
}

/// The words of a text with the number of characters before each.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<(&'a str, usize)> {
        let word = self.text.trim_start();
        self.at += self.text[..self.text.len() - word.len()].chars().count();
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let (word, rest) = word.split_at(end);
        let at = self.at;
        self.at += word.chars().count();
        self.text = rest;
        (!word.is_empty()).then_some((word, at))
    }

    fn need(&mut self, field: Field, wanted: &'static str) -> Result<(&'a str, usize), NoPosition> {
        let end = self.at;
        self.next().ok_or_else(|| unexpected(field, end, "", wanted))
    }
}

fn read_board(board: &str, start: usize) -> Result<Vec<Tile>, NoPosition> {
    let field = Field::Board;
    let mut tiles = Vec::new();
    let mut letters = board.chars().enumerate().peekable();
    let (mut x, mut y) = (0u8, 15u8);
    let mut rows = 1;
    while let Some((i, letter)) = letters.next() {
        let at = start + i;
        match letter {
            '/' => {
                if x != 15 {
                    return Err(NoPosition::RowLength { field, at: at + 1, row: y, corners: x });
                }
                rows += 1;
                if rows > 15 {
                    let rows = board.split('/').count();
                    return Err(NoPosition::RowCount { field, at: at + 1, rows });
                }
                (x, y) = (0, y - 1);
            }
            '1'..='9' => {
                let mut run = letter as u8 - b'0';
                if let Some((_, digit)) = letters.next_if(|(_, c)| c.is_ascii_digit()) {
                    run = run * 10 + (digit as u8 - b'0');
                }
                x = x.saturating_add(run).min(16);
            }
            _ => {
                let owner = Side::from_letter(letter.to_ascii_lowercase());
                let wanted = "a tile (s w n e, a capital for TWO STEP), a number of empty corners, or /";
                let owner = owner.ok_or_else(|| unexpected(field, at, &letter.to_string(), wanted))?;
                let spin = letters.next();
                let spin = spin
                    .and_then(|(_, c)| ('a'..='d').contains(&c).then(|| c as u8 - b'a'))
                    .ok_or_else(|| {
                        let found = spin.map(|(_, c)| c.to_string()).unwrap_or_default();
                        unexpected(field, at + 1, &found, "the tile's spin, a to d")
                    })?;
                let turned = letters.next_if(|&(_, c)| c == '+').is_some();
                let step = if letter.is_ascii_uppercase() { Step::TwoStep } else { Step::OneStep };
                x = (x + 1).min(16);
                if let Some(corner) = Corner::new(x, y) {
                    let id = tiles.len() as u8;
                    tiles.push(Tile { id, owner, step, turned, spin, at: corner });
                }
            }
        }
        if x > 15 {
            return Err(NoPosition::RowLength { field, at: at + 1, row: y, corners: x });
        }
    }
    let at = start + board.chars().count() + 1;
    if x != 15 {
        return Err(NoPosition::RowLength { field, at, row: y, corners: x });
    }
    if rows != 15 {
        return Err(NoPosition::RowCount { field, at, rows });
    }
    Ok(tiles)
}

/// The result of a game in a word: `south wins`, `tie south north`.
pub fn result_text(over: Over) -> String {
    let names: Vec<String> =
        crate::board::sides_in(over.sides).map(|s| s.to_string().to_lowercase()).collect();
    if over.is_tie() { format!("tie {}", names.join(" ")) } else { format!("{} wins", names.join(" ")) }
}

/// A game as text: where it started, and its moves.
///
/// ```
/// let text = "[start 6NcNcNc6/6ncncnc6/15/15/15/15/15/15/15/15/15/15/15/6sasasa6/6SaSaSa6 s two 0 -]\n\n1. g2-g3 g14-g13 2. g3-g4\n";
/// let game: contact::notation::GameText = text.parse().unwrap();
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!(game.to_string().parse::<contact::notation::GameText>().unwrap(), game);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// The position it started from.
    pub start: Position,
    /// Every move, forced passes included.
    pub moves: Vec<Move>,
}

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NoGame {
    /// No `[start …]` line.
    #[error("the game has no start; begin with a line [start POSITION]")]
    NoStart,
    /// A heading that is not known, or not closed.
    #[error(
        "line {line}: `{text}` is no heading; headings are [start POSITION], [r9 off], [count on] and [result …]"
    )]
    Heading {
        /// The line, from 1.
        line: usize,
        /// The heading.
        text: String,
    },
    /// A bad start.
    #[error("line {line}: {problem}")]
    Start {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: NoPosition,
    },
    /// A comment that never ends.
    #[error("line {line}: a comment begins here and is not closed with a brace")]
    Comment {
        /// The line, from 1.
        line: usize,
    },
    /// A word that is no move.
    #[error("line {line}, move {number}: {problem}")]
    Move {
        /// The line, from 1.
        line: usize,
        /// The move, from 1.
        number: usize,
        /// What is wrong.
        problem: NoMove,
    },
    /// A move that the rules forbid.
    #[error("line {line}, move {number}: {mv} is not legal here: {why}")]
    Illegal {
        /// The line, from 1.
        line: usize,
        /// The move, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// The rule, and what is legal.
        why: String,
    },
    /// A result that the moves do not give.
    #[error("the result is given as `{given}`, and the moves give `{found}`")]
    Result {
        /// As the text has it.
        given: String,
        /// As the moves have it.
        found: String,
    },
}

impl GameText {
    /// The position after all moves.
    pub fn last(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.make(mv);
        }
        position
    }

    fn result(&self) -> String {
        self.last().over().map_or_else(|| "*".to_owned(), result_text)
    }

    /// Reads a game with the figures and ringed spots of a set, checking every move.
    pub fn read(text: &str, set: &Set) -> Result<Self, NoGame> {
        let mut start: Option<Position> = None;
        let mut ties = Ties::default();
        let mut given = None;
        let mut words = Vec::new();
        let mut comment = None;
        for (i, line_text) in text.lines().enumerate() {
            let line = i + 1;
            if comment.is_none() && line_text.trim_start().starts_with('[') {
                let bad = || NoGame::Heading { line, text: line_text.trim().chars().take(80).collect() };
                let inner =
                    line_text.trim().strip_prefix('[').and_then(|l| l.strip_suffix(']')).ok_or_else(bad)?;
                match inner.split_once(' ').ok_or_else(bad)? {
                    ("start", p) => {
                        start =
                            Some(Position::read(p, set).map_err(|problem| NoGame::Start { line, problem })?);
                    }
                    ("r9", "off") => ties.r9 = R9::Off,
                    ("r9", "sixty-moves") => ties.r9 = R9::SixtyMoves,
                    ("count", "on") => ties.count = true,
                    ("result", result) => given = Some(result.to_owned()),
                    _ => return Err(bad()),
                }
            } else {
                split_words(line_text, line, &mut comment, &mut words);
            }
        }
        if let Some(line) = comment {
            return Err(NoGame::Comment { line });
        }
        let start = start.ok_or(NoGame::NoStart)?.under(ties);
        let mut game = Self { start: start.clone(), moves: Vec::new() };
        let mut position = start;
        for (line, word) in words {
            let number = game.moves.len() + 1;
            let mv: Move = word.parse().map_err(|problem| NoGame::Move { line, number, problem })?;
            if let Err(refusal) = crate::refusal::check_move(&mut position, mv) {
                return Err(NoGame::Illegal { line, number, mv, why: refusal.to_string() });
            }
            position.make(mv);
            game.moves.push(mv);
        }
        let found = game.result();
        match given {
            Some(given) if given != found => Err(NoGame::Result { given, found }),
            _ => Ok(game),
        }
    }
}

/// Collects the moves of a line: no comments in braces, no numbers `12.`.
fn split_words(text: &str, line: usize, comment: &mut Option<usize>, words: &mut Vec<(usize, String)>) {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        match (letter, comment.is_some()) {
            ('{', false) => *comment = Some(line),
            ('}', true) => {
                *comment = None;
                clean.push(' ');
            }
            (_, true) => {}
            (_, false) => clean.push(letter),
        }
    }
    for word in clean.split_whitespace() {
        let number = word.strip_suffix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        if !number {
            words.push((line, word.to_owned()));
        }
    }
}

impl FromStr for GameText {
    type Err = NoGame;

    /// A game of the house set.
    fn from_str(text: &str) -> Result<Self, NoGame> {
        Self::read(text, &Set::default())
    }
}

impl fmt::Display for GameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[start {}]", self.start)?;
        let Ties { r9, count } = self.start.ties();
        match r9 {
            R9::On => {}
            R9::Off => writeln!(f, "[r9 off]")?,
            R9::SixtyMoves => writeln!(f, "[r9 sixty-moves]")?,
        }
        if count {
            writeln!(f, "[count on]")?;
        }
        writeln!(f, "[result {}]\n", self.result())?;
        let a_round = self.start.players().count();
        let mut line = String::new();
        for (i, mv) in self.moves.iter().enumerate() {
            let mut word = String::new();
            if i % a_round == 0 {
                word = format!("{}. ", i / a_round + 1);
            }
            word += &mv.to_string();
            if line.len() + word.len() + 1 > 80 {
                writeln!(f, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &word;
        }
        if line.is_empty() { Ok(()) } else { writeln!(f, "{line}") }
    }
}
