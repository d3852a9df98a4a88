//! The dice: seven, with letters in red and black and two WILD faces, read from a data file and checked once.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use table::Dice;
use thiserror::Error;
use words::{Colour, Letter};

/// Dice in one set (IQ-S1).
pub const DICE: usize = 7;
const FACES: usize = 6;
/// A set has WILD on at most this many of its dice.
const WILD_DICE: usize = 2;
const LONGEST_NAME: usize = 60;
const STANDARD: &str = include_str!("../data/iqubes.toml");

/// One face of a die: a letter or a WILD, in its colour. As text it is one character: `D`, `d`, `!`, `?`.
///
/// ```
/// use iqubes::{Colour, Face};
/// let wild = Face::try_from('!')?;
/// assert_eq!((wild.letter, wild.colour), (None, Colour::Red));
/// assert!(Face::try_from('7').is_err());
/// # Ok::<(), iqubes::NoFace>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Face {
    /// The letter; none for a WILD (IQ-S2).
    pub letter: Option<Letter>,
    /// Its colour.
    pub colour: Colour,
}

/// A character that is on no face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error(
    "{0:?} is no face: write A to Z for red, a to z for black, ! for the red WILD and ? for the black one"
)]
pub struct NoFace(pub char);

impl Face {
    /// Is this a WILD?
    pub const fn is_wild(self) -> bool {
        self.letter.is_none()
    }

    /// Does it make a throw playable: a vowel or a WILD? Y is no vowel (IQ-S5, IQ-R2).
    pub fn opens(self) -> bool {
        self.letter.is_none_or(|letter| matches!(letter.lower(), 'a' | 'e' | 'i' | 'o' | 'u'))
    }

    /// A Y, which is a vowel only where the table says so (IQ-R2).
    pub fn is_y(self) -> bool {
        self.letter.is_some_and(|letter| letter.lower() == 'y')
    }
}

impl TryFrom<char> for Face {
    type Error = NoFace;

    fn try_from(c: char) -> Result<Face, NoFace> {
        let colour = if c == '!' || c.is_ascii_uppercase() { Colour::Red } else { Colour::Black };
        match (c, Letter::from_char(c)) {
            ('!' | '?', _) => Ok(Face { letter: None, colour }),
            (_, Some(letter)) => Ok(Face { letter: Some(letter), colour }),
            _ => Err(NoFace(c)),
        }
    }
}

impl From<Face> for char {
    fn from(face: Face) -> char {
        match (face.letter, face.colour) {
            (None, Colour::Red) => '!',
            (None, Colour::Black) => '?',
            (Some(letter), Colour::Red) => letter.upper(),
            (Some(letter), Colour::Black) => letter.lower(),
        }
    }
}

impl From<Face> for words::Face {
    fn from(Face { letter, colour }: Face) -> words::Face {
        words::Face { letter, colour: Some(colour), value: 0 }
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

/// The faces that came up, in the order of the dice. As text: `DASHTo!`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Throw(pub Vec<Face>);

impl Throw {
    /// Has it a vowel or a WILD? If not, the player may throw again (IQ-S5).
    pub fn opens(&self) -> bool {
        self.0.iter().any(|face| face.opens())
    }

    /// The faces as a layout takes them.
    pub fn faces(&self) -> Vec<words::Face> {
        self.0.iter().map(|&face| face.into()).collect()
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

/// A set of dice, checked. Cheap to clone.
///
/// ```
/// let set = iqubes::Set::standard();
/// assert_eq!(set.dice().len(), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Set(Arc<Cup>);

#[derive(Debug, PartialEq, Eq)]
struct Cup {
    name: String,
    dice: [[Face; FACES]; DICE],
}

/// The set as the data file gives it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    name: String,
    dice: Vec<String>,
}

/// What is wrong with a set of dice.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum SetFault {
    /// Not a set file at all.
    #[error("this is not a set of I-Qubes: {why}")]
    Unreadable {
        /// What the reader met.
        why: String,
    },
    /// A name that cannot be shown.
    #[error("a set needs a name of 1 to {LONGEST_NAME} characters without control characters")]
    Name,
    /// Too few or too many dice.
    #[error("a set has {DICE} dice; this one has {found}")]
    Dice {
        /// How many there are.
        found: usize,
    },
    /// A die without six faces.
    #[error("die {die} has {found} faces; write six characters")]
    Faces {
        /// Which die, from 1.
        die: usize,
        /// How many faces it has.
        found: usize,
    },
    /// A face that cannot be read.
    #[error("die {die}: {face}")]
    Face {
        /// Which die, from 1.
        die: usize,
        /// The face.
        face: NoFace,
    },
    /// WILD on too many dice.
    #[error("{found} dice have a WILD face; a set has it on {WILD_DICE} dice at most")]
    Wild {
        /// How many dice have one.
        found: usize,
    },
    /// No throw could ever be played.
    #[error(
        "no face is a vowel or a WILD, so no throw could ever be played: give the set an A, E, I, O or U"
    )]
    Mute,
}

impl Set {
    /// The file of the house set, for whoever makes one of his own.
    pub const FILE: &str = STANDARD;

    /// The set of the house (IQ-F1).
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

    /// The dice, each with its six faces.
    pub fn dice(&self) -> &[[Face; FACES]; DICE] {
        &self.0.dice
    }

    /// Throws the set (or two sets) once.
    pub fn throw(&self, sets: usize, dice: &mut Dice) -> Throw {
        let cup = std::iter::repeat_n(self.dice(), sets).flatten();
        Throw(cup.map(|faces| faces[dice.below(FACES as u32) as usize]).collect())
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
        let dice = parts.dice.iter().zip(1..).map(|(faces, die)| read_die(faces, die));
        let dice = dice.collect::<Result<Vec<_>, _>>()?;
        let found = dice.len();
        let dice: [[Face; FACES]; DICE] = dice.try_into().map_err(|_| SetFault::Dice { found })?;
        let wild = dice.iter().filter(|faces| faces.iter().any(|face| face.is_wild())).count();
        if wild > WILD_DICE {
            return Err(SetFault::Wild { found: wild });
        }
        if !dice.as_flattened().iter().any(|face| face.opens()) {
            return Err(SetFault::Mute);
        }
        Ok(Set(Arc::new(Cup { name: parts.name, dice })))
    }
}

fn read_die(text: &str, die: usize) -> Result<[Face; FACES], SetFault> {
    let faces = text.chars().map(Face::try_from).collect::<Result<Vec<_>, _>>();
    let faces = faces.map_err(|face| SetFault::Face { die, face })?;
    let found = faces.len();
    faces.try_into().map_err(|_| SetFault::Faces { die, found })
}

impl From<Set> for Parts {
    fn from(set: Set) -> Parts {
        let dice = set.dice().iter().map(|faces| faces.iter().map(|&face| char::from(face)).collect());
        Parts { name: set.0.name.clone(), dice: dice.collect() }
    }
}
