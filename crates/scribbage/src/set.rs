//! The cubes: thirteen, with letters, their values and two jokers, read from a data file and checked once.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use table::Dice;
use thiserror::Error;
use words::{ALPHABET, Letter};

/// Cubes in a set (SB-S1).
pub const CUBES: usize = 13;
const FACES: usize = 6;
/// A set has a joker on at most this many of its cubes.
const JOKER_CUBES: usize = 2;
/// The most a letter may be worth.
pub const MOST_VALUE: u8 = 20;
const LONGEST_NAME: usize = 60;
const STANDARD: &str = include_str!("../data/scribbage.toml");

/// One face of a cube: a letter, or a joker. As text it is one character: `P`, or `?` (also `*`) for a joker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Face(pub Option<Letter>);

/// A character that is on no face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{0:?} is no face: write A to Z for a letter, ? or * for a joker")]
pub struct NoFace(pub char);

impl TryFrom<char> for Face {
    type Error = NoFace;

    fn try_from(c: char) -> Result<Face, NoFace> {
        match (c, Letter::from_char(c)) {
            ('?' | '*', _) => Ok(Face(None)),
            (_, Some(letter)) => Ok(Face(Some(letter))),
            _ => Err(NoFace(c)),
        }
    }
}

impl From<Face> for char {
    fn from(face: Face) -> char {
        face.0.map_or('?', Letter::upper)
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, char::from(*self))
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The faces that came up, in the order of the cubes. As text: `PLANTICKRMWO?`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Throw(pub Vec<Face>);

impl Throw {
    /// The faces as a layout takes them, with their values in a set.
    pub fn faces(&self, set: &Set) -> Vec<words::Face> {
        let face = |&face: &Face| words::Face { letter: face.0, colour: None, value: set.value(face) };
        self.0.iter().map(face).collect()
    }
}

impl FromStr for Throw {
    type Err = NoFace;

    fn from_str(text: &str) -> Result<Throw, NoFace> {
        text.chars().map(Face::try_from).collect::<Result<_, _>>().map(Throw)
    }
}

impl TryFrom<String> for Throw {
    type Error = NoFace;

    fn try_from(text: String) -> Result<Throw, NoFace> {
        text.parse()
    }
}

impl From<Throw> for String {
    fn from(throw: Throw) -> String {
        throw.to_string()
    }
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|face| fmt::Display::fmt(face, f))
    }
}

/// A set of cubes and the values of the letters, checked. Cheap to clone.
///
/// ```
/// use scribbage::{Face, Set};
/// let set = Set::standard();
/// let worth = |c| Face::try_from(c).map(|face| set.value(face));
/// assert_eq!((worth('Q'), worth('e'), worth('*')), (Ok(8), Ok(1), Ok(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Set(Arc<Cup>);

#[derive(Debug, PartialEq, Eq)]
struct Cup {
    name: String,
    cubes: [[Face; FACES]; CUBES],
    values: [u8; ALPHABET],
}

/// The set as the data file gives it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    name: String,
    cubes: Vec<String>,
    /// Worth to letters; the worth is text because it is a key in TOML and JSON.
    values: BTreeMap<String, String>,
}

/// What is wrong with a set of cubes.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum SetFault {
    /// Not a set file at all.
    #[error("this is not a set of Scribbage: {why}")]
    Unreadable {
        /// What the reader met.
        why: String,
    },
    /// A name that cannot be shown.
    #[error("a set needs a name of 1 to {LONGEST_NAME} characters without control characters")]
    Name,
    /// Too few or too many cubes.
    #[error("a set has {CUBES} cubes; this one has {found}")]
    Cubes {
        /// How many there are.
        found: usize,
    },
    /// A cube without six faces.
    #[error("cube {cube} has {found} faces; write six characters")]
    Faces {
        /// Which cube, from 1.
        cube: usize,
        /// How many faces it has.
        found: usize,
    },
    /// A face that cannot be read.
    #[error("cube {cube}: {face}")]
    Face {
        /// Which cube, from 1.
        cube: usize,
        /// The face.
        face: NoFace,
    },
    /// Jokers on too many cubes.
    #[error("{found} cubes have a joker; a set has it on {JOKER_CUBES} cubes at most")]
    Jokers {
        /// How many cubes have one.
        found: usize,
    },
    /// A value that is no small number.
    #[error("{found:?} is no value: a letter is worth 0 to {MOST_VALUE}")]
    Value {
        /// What stands there.
        found: String,
    },
    /// A value for something that is no letter.
    #[error("{found:?} cannot have a value: only the letters A to Z have one")]
    NotALetter {
        /// What stands there.
        found: char,
    },
    /// A letter with two values.
    #[error("the letter {letter} is given two values; give it one")]
    ValueTwice {
        /// The letter.
        letter: char,
    },
    /// A letter on a cube without a value.
    #[error("the letter {letter} is on a cube but has no value; list it under [values]")]
    NoValue {
        /// The letter.
        letter: char,
    },
}

impl Set {
    /// The file of the house set, for whoever makes one of his own.
    pub const FILE: &str = STANDARD;

    /// The set of the house (SB-F1, SB-F2).
    pub fn standard() -> Set {
        static SET: LazyLock<Set> =
            LazyLock::new(|| Set::from_toml(STANDARD).expect("the embedded set is sound: a test reads it"));
        SET.clone()
    }

    /// Reads and checks a set file.
    pub fn from_toml(text: &str) -> Result<Set, SetFault> {
        let parts: Parts =
            toml::from_str(text).map_err(|fault| SetFault::Unreadable { why: fault.to_string() })?;
        Set::try_from(parts)
    }

    /// What the set is called.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The cubes, each with its six faces.
    pub fn cubes(&self) -> &[[Face; FACES]; CUBES] {
        &self.0.cubes
    }

    /// What a face is worth; a joker nothing (SB-F2).
    pub fn value(&self, face: Face) -> u8 {
        face.0.map_or(0, |letter| self.0.values[letter.index()])
    }

    /// What each letter of the alphabet is worth.
    pub fn values(&self) -> &[u8; ALPHABET] {
        &self.0.values
    }

    /// Is this letter worth a line in the list of values?
    fn lists(&self, letter: Letter) -> bool {
        self.0.values[letter.index()] > 0 || self.0.cubes.as_flattened().contains(&Face(Some(letter)))
    }

    /// Rolls one cube.
    pub fn roll(&self, cube: usize, dice: &mut Dice) -> Face {
        self.0.cubes[cube % CUBES][dice.below(FACES as u32) as usize]
    }

    /// Rolls all cubes (SB-S4).
    pub fn throw(&self, dice: &mut Dice) -> Throw {
        Throw((0..CUBES).map(|cube| self.roll(cube, dice)).collect())
    }
}

impl Default for Set {
    fn default() -> Set {
        Set::standard()
    }
}

impl TryFrom<Parts> for Set {
    type Error = SetFault;

    fn try_from(parts: Parts) -> Result<Set, SetFault> {
        let length = parts.name.chars().count();
        if length == 0 || length > LONGEST_NAME || parts.name.chars().any(char::is_control) {
            return Err(SetFault::Name);
        }
        let cubes = parts.cubes.iter().zip(1..).map(|(faces, cube)| read_cube(faces, cube));
        let cubes = cubes.collect::<Result<Vec<_>, _>>()?;
        let found = cubes.len();
        let cubes: [[Face; FACES]; CUBES] = cubes.try_into().map_err(|_| SetFault::Cubes { found })?;
        let jokers = cubes.iter().filter(|faces| faces.contains(&Face(None))).count();
        if jokers > JOKER_CUBES {
            return Err(SetFault::Jokers { found: jokers });
        }
        let values = read_values(&parts.values)?;
        let bare = |face: &&Face| face.0.is_some_and(|letter| values[letter.index()].is_none());
        if let Some(Face(Some(letter))) = cubes.as_flattened().iter().find(bare) {
            return Err(SetFault::NoValue { letter: letter.upper() });
        }
        let values = values.map(Option::unwrap_or_default);
        Ok(Set(Arc::new(Cup { name: parts.name, cubes, values })))
    }
}

fn read_cube(text: &str, cube: usize) -> Result<[Face; FACES], SetFault> {
    let faces = text.chars().map(Face::try_from).collect::<Result<Vec<_>, _>>();
    let faces = faces.map_err(|face| SetFault::Face { cube, face })?;
    let found = faces.len();
    faces.try_into().map_err(|_| SetFault::Faces { cube, found })
}

fn read_values(listed: &BTreeMap<String, String>) -> Result<[Option<u8>; ALPHABET], SetFault> {
    let mut values = [None; ALPHABET];
    for (worth, letters) in listed {
        let value = worth.parse().ok().filter(|&value: &u8| value <= MOST_VALUE);
        let value = value.ok_or_else(|| SetFault::Value { found: worth.chars().take(20).collect() })?;
        for found in letters.chars() {
            let letter = Letter::from_char(found).ok_or(SetFault::NotALetter { found })?;
            if values[letter.index()].replace(value).is_some() {
                return Err(SetFault::ValueTwice { letter: letter.upper() });
            }
        }
    }
    Ok(values)
}

impl From<Set> for Parts {
    fn from(set: Set) -> Parts {
        let cubes = set.cubes().iter().map(|faces| faces.iter().map(|&face| char::from(face)).collect());
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        for letter in Letter::all().filter(|&letter| set.lists(letter)) {
            let worth = set.0.values[letter.index()].to_string();
            values.entry(worth).or_default().push(letter.upper());
        }
        Parts { name: set.0.name.clone(), cubes: cubes.collect(), values }
    }
}
