//! Layouts as text: rows from top to bottom with `/` between them, `.` for an empty cell.
//!
//! With [`Style::Colours`] (I-Qubes) a letter's case is its colour, upper red and lower black, and a `*` behind it says that
//! it is a WILD: `DASH/.TO*E`. With [`Style::Jokers`] (Scribbage) a joker's letter is upper case, all others are lower:
//! `plaNt/i.r.w/c.m.o/k`. A WILD for which no letter is called yet is `!` (red) or `?` (black, and the joker).

use serde::Serialize;

use crate::count::{Colour, Face};
use crate::layout::{DiceSet, Layout, MAX_DICE, Placed};
use crate::letter::Letter;

/// Which game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// I-Qubes: case is colour, `*` marks a WILD.
    Colours,
    /// Scribbage: an upper-case letter is a joker's.
    Jokers,
}

/// One die as the text shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// The letter it shows or is called; none for a WILD that is not called yet.
    pub letter: Option<Letter>,
    /// A WILD or joker?
    pub wild: bool,
    /// Its colour, with [`Style::Colours`].
    pub colour: Option<Colour>,
}

impl Tile {
    /// The face such a die shows, of this value.
    pub fn face(self, value: u8) -> Face {
        Face { letter: self.letter.filter(|_| !self.wild), colour: self.colour, value }
    }

    fn called(self) -> Option<Letter> {
        self.letter.filter(|_| self.wild)
    }

    /// What a die on the table looks like.
    fn of(face: Face, placed: Placed) -> Self {
        Self { letter: face.letter.or(placed.called), wild: face.is_wild(), colour: face.colour }
    }
}

/// Why a text is no layout. Rows and columns are counted from 1; a column is a cell, so that `*` takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NotationError {
    /// A character that means nothing here.
    #[error(
        "row {row}, column {column}: {found:?} means nothing here; write letters, '.' for an empty cell and '/' between rows"
    )]
    Unreadable {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
        /// The character.
        found: char,
    },
    /// A `*` that follows no letter.
    #[error("row {row}, column {column}: the '*' must follow the letter for which a WILD stands")]
    StrayStar {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
    },
    /// More rows or columns than a table has.
    #[error("row {row}, column {column}: too far out; start the layout further to the left and top")]
    TooFar {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
    },
    /// More dice than a throw can have.
    #[error("row {row}, column {column}: one die too many; a layout has at most {MAX_DICE}")]
    TooManyDice {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
    },
    /// The throw has no such die, or not so many.
    #[error("row {row}, column {column}: the throw has no die left that shows this")]
    NotThrown {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
    },
}

/// The tiles of a text with their places, column and row from 0.
fn tiles(text: &str, style: Style) -> Result<Vec<(i8, i8, Tile)>, NotationError> {
    let mut tiles: Vec<(i8, i8, Tile)> = Vec::new();
    for (y, line) in text.trim().split('/').enumerate() {
        let row = y as u32 + 1;
        let (mut column, mut starred) = (0, None);
        for found in line.trim().chars() {
            if found == '*' && style == Style::Colours {
                let star: Option<&mut (i8, i8, Tile)> =
                    starred.take().and_then(|at: usize| tiles.get_mut(at));
                star.ok_or(NotationError::StrayStar { row, column })?.2.wild = true;
                continue;
            }
            column += 1;
            starred = None;
            let tile = match (found, style) {
                ('.', _) => None,
                _ => Some(tile(found, style).ok_or(NotationError::Unreadable { row, column, found })?),
            };
            let place = i8::try_from(column - 1).ok().zip(i8::try_from(y).ok());
            let (x, y) = place.ok_or(NotationError::TooFar { row, column })?;
            if let Some(tile) = tile {
                if tiles.len() == MAX_DICE {
                    return Err(NotationError::TooManyDice { row, column });
                }
                if style == Style::Colours && tile.letter.is_some() {
                    starred = Some(tiles.len());
                }
                tiles.push((x, y, tile));
            }
        }
    }
    Ok(tiles)
}

fn tile(found: char, style: Style) -> Option<Tile> {
    let letter = Letter::from_char(found);
    match (found, style) {
        ('!', Style::Colours) => Some(Tile { letter: None, wild: true, colour: Some(Colour::Red) }),
        ('?', Style::Colours) => Some(Tile { letter: None, wild: true, colour: Some(Colour::Black) }),
        ('?', Style::Jokers) => Some(Tile { letter: None, wild: true, colour: None }),
        (_, Style::Colours) => {
            let colour = if found.is_ascii_uppercase() { Colour::Red } else { Colour::Black };
            letter.map(|_| Tile { letter, wild: false, colour: Some(colour) })
        }
        (_, Style::Jokers) => letter.map(|_| Tile { letter, wild: found.is_ascii_uppercase(), colour: None }),
    }
}

/// Reads a layout together with the dice that it shows, numbered as they are read. `face` says what a die looks like:
/// [`Tile::face`] with its value.
pub fn read(
    text: &str,
    style: Style,
    face: impl Fn(Tile) -> Face,
) -> Result<(Layout, Vec<Face>), NotationError> {
    let tiles = tiles(text, style)?;
    let faces = tiles.iter().map(|&(_, _, tile)| face(tile)).collect();
    let place =
        |(die, (x, y, tile)): (usize, (i8, i8, Tile))| Placed { die: die as u8, x, y, called: tile.called() };
    Ok((Layout { dice: tiles.into_iter().enumerate().map(place).collect() }, faces))
}

/// Reads a layout made of the dice of a throw. Where several dice show the same, the first that is left is taken.
pub fn read_with(text: &str, style: Style, faces: &[Face]) -> Result<Layout, NotationError> {
    let mut free = DiceSet::first(faces.len());
    let mut layout = Layout::EMPTY;
    for (x, y, tile) in tiles(text, style)? {
        let shows = |die: &u8| {
            let face = faces[*die as usize];
            let colour = style == Style::Jokers || face.colour == tile.colour;
            colour && face.letter == tile.letter.filter(|_| !tile.wild)
        };
        let missing = NotationError::NotThrown { row: y as u32 + 1, column: x as u32 + 1 };
        let die = free.iter().find(shows).ok_or(missing)?;
        free = free.without(die);
        layout.dice.push(Placed { die, x, y, called: tile.called() });
    }
    Ok(layout)
}

/// The rows of a layout, all equally wide, from its first row and column to its last. A die that is not of this throw, or
/// lies on another, is not shown.
pub fn rows(layout: &Layout, faces: &[Face], style: Style) -> Vec<String> {
    let known = |placed: &Placed| Some((*placed, *faces.get(placed.die as usize)?));
    let shown: Vec<(Placed, Face)> = layout.dice.iter().filter_map(known).collect();
    let span = |of: fn(&Placed) -> i8| {
        let all = shown.iter().map(|(placed, _)| of(placed));
        all.clone().min().zip(all.max())
    };
    let Some(((left, right), (top, bottom))) = span(|p| p.x).zip(span(|p| p.y)) else {
        return Vec::new();
    };
    let cell = |x, y| match shown.iter().find(|(placed, _)| (placed.x, placed.y) == (x, y)) {
        Some(&(placed, face)) => write_tile(Tile::of(face, placed), style),
        None => ".".into(),
    };
    (top..=bottom).map(|y| (left..=right).map(|x| cell(x, y)).collect()).collect()
}

/// Dice of which none is called, as their game writes a throw.
pub fn dice(faces: &[Face], style: Style) -> String {
    let tile = |face: &Face| Tile { letter: face.letter, wild: face.is_wild(), colour: face.colour };
    faces.iter().map(|face| write_tile(tile(face), style)).collect()
}

/// A layout as one line: what [`read`] reads.
pub fn write(layout: &Layout, faces: &[Face], style: Style) -> String {
    rows(layout, faces, style).join("/")
}

fn write_tile(tile: Tile, style: Style) -> String {
    let red = tile.colour == Some(Colour::Red);
    let upper = match style {
        Style::Colours => red,
        Style::Jokers => tile.wild,
    };
    let letter = match tile.letter {
        None if red && style == Style::Colours => '!',
        None => '?',
        Some(letter) if upper => letter.upper(),
        Some(letter) => letter.lower(),
    };
    let star = style == Style::Colours && tile.wild && tile.letter.is_some();
    if star { format!("{letter}*") } else { letter.to_string() }
}
