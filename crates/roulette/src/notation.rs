//! Text in and out: a stake is `15=2`, a slip is stakes with spaces between them. Whatever cannot be read is
//! named, with what could stand there instead.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::set::Set;
use crate::slip::{LAYOUT_LIMIT, Slip};
use crate::spot::{Spot, SpotError};

/// Chips on a spot: `15=2` is two chips squarely on 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stake {
    /// Where.
    pub on: Spot,
    /// How many.
    pub chips: u32,
}

/// What could not be read in a slip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Misread {
    /// Nothing written at all.
    #[error("an empty slip: write stakes such as \"15=2 1|2=3 black=10\"")]
    Empty,
    /// A spot without chips.
    #[error("{token:?} says no number of chips: write \"{token}=1\"")]
    NoStake {
        /// The part that was not understood.
        token: String,
    },
    /// Chips that are no number.
    #[error("in {token:?}, {chips:?} is no stake: a stake is a whole number of chips from 1 to {limit}")]
    BadStake {
        /// The part that was not understood.
        token: String,
        /// What stands for the chips.
        chips: String,
        /// The most a slip can hold.
        limit: u32,
    },
    /// More chips than a layout can hold.
    #[error("with {token:?} the slip comes to more than {limit} chips, the most a layout can hold")]
    TooMuch {
        /// The stake that was one too many.
        token: String,
        /// The most a slip can hold.
        limit: u32,
    },
    /// No such bet.
    #[error("in {token:?}: {error}")]
    Spot {
        /// The part that was not understood.
        token: String,
        /// Why not.
        error: SpotError,
    },
}

impl FromStr for Stake {
    type Err = Misread;

    fn from_str(token: &str) -> Result<Self, Misread> {
        let Some((spot, chips)) = token.split_once('=') else {
            return Err(Misread::NoStake { token: token.to_owned() });
        };
        let on = spot.parse().map_err(|error| Misread::Spot { token: token.to_owned(), error })?;
        match count(chips) {
            Some(chips) => Ok(Self { on, chips }),
            None => Err(Misread::BadStake {
                token: token.to_owned(),
                chips: chips.to_owned(),
                limit: LAYOUT_LIMIT,
            }),
        }
    }
}

/// A whole number of chips that a layout could hold; digits only.
fn count(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|chips| digits && (1..=LAYOUT_LIMIT).contains(chips))
}

/// Reads a slip for the layout of a set.
///
/// ```
/// use roulette::{Set, read_slip};
/// let slip = read_slip(&Set::standard(), "15=2 2|1=3 15=1")?;
/// assert_eq!(slip.total(), 6);
/// let error = read_slip(&Set::standard(), "6|11=1").unwrap_err();
/// assert!(error.to_string().contains("do not share an edge"));
/// # Ok::<(), roulette::Misread>(())
/// ```
pub fn read_slip(set: &Set, text: &str) -> Result<Slip, Misread> {
    let mut slip = Slip::default();
    for token in text.split_whitespace() {
        let stake: Stake = token.parse()?;
        let bet = set.bet(stake.on).map_err(|error| Misread::Spot { token: token.to_owned(), error })?;
        if !slip.add(bet, stake.chips) {
            return Err(Misread::TooMuch { token: token.to_owned(), limit: LAYOUT_LIMIT });
        }
    }
    if slip.is_empty() { Err(Misread::Empty) } else { Ok(slip) }
}

/// Writes stakes as a slip.
pub fn write_slip(stakes: impl IntoIterator<Item = Stake>) -> String {
    stakes.into_iter().map(|stake| stake.to_string()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.on, self.chips)
    }
}

impl Serialize for Stake {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stake {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "a stake such as \"15=2\"")
    }
}

/// Reads a value from JSON text without copying it.
pub(crate) fn from_text<'de, T, D>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    struct Text<T>(&'static str, std::marker::PhantomData<T>);
    impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }
    deserializer.deserialize_str(Text(expected, std::marker::PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Bet;

    #[test]
    fn every_bet_can_be_written_and_read_back() {
        let set = Set::standard();
        for bet in Bet::all() {
            let text = format!("{}=7", set.spot(bet));
            let slip = read_slip(&set, &text).unwrap();
            assert_eq!(slip.stakes().collect::<Vec<_>>(), [(bet, 7)]);
            assert_eq!(write_slip(slip.on(&set)), text);
        }
    }

    #[test]
    fn a_slip_may_be_written_in_more_than_one_way() {
        let set = Set::standard();
        let read = |text| write_slip(read_slip(&set, text).unwrap().on(&set));
        assert_eq!(
            read(" 12|2|11|1=1   RED=2\t2nd12=1 1-26=3 31-56=4 red=1 "),
            "1|2|11|12=1 2d12=1 low=3 high=4 red=3"
        );
    }

    /// The invalid corpus: each line is refused, and the words name the part that is wrong.
    #[test]
    fn what_cannot_be_read_is_named_with_what_could_stand_there() {
        let set = Set::standard();
        let corpus = [
            ("", "empty slip"),
            ("  ", "empty slip"),
            ("15", "\"15=1\""),
            ("15=", "\"\" is no stake"),
            ("15=0", "\"0\" is no stake"),
            ("15=-1", "\"-1\" is no stake"),
            ("15=+1", "\"+1\" is no stake"),
            ("15=1.5", "\"1.5\" is no stake"),
            ("15=99999999999999999999", "from 1 to 1000000000"),
            ("15=1000000000 16=1", "with \"16=1\" the slip comes to more"),
            ("7=1", "7 can never be thrown"),
            ("60=1", "60 can never be thrown"),
            ("255=1", "255 can never be thrown"),
            ("256=1", "no bet \"256\""),
            ("6|11=1", "the pairs of 6 are 6|16, 5|6"),
            ("1|7=1", "7 can never be thrown"),
            ("1|1=1", "do not share an edge"),
            ("1|2|3=1", "no bet \"1|2|3\""),
            ("1|2|11|13=1", "do not meet in a corner; the fours of 1 are 1|2|11|12"),
            ("5|6|11|12=1", "do not meet in a corner"),
            ("1|2|11|12|21=1", "no bet"),
            ("1-5=1", "the runs are 1-6, 11-16, 21-26, 31-36, 41-46, 51-56"),
            ("2-11=1", "no run of six"),
            ("1-=1", "no bet \"1-\""),
            ("4th12=1", "no bet \"4th12\""),
            ("green=1", "lay on a number (15)"),
            ("=1", "no bet \"\""),
            ("15=2=3", "\"2=3\" is no stake"),
            ("１５=1", "no bet"),
        ];
        for (text, says) in corpus {
            let error = read_slip(&set, text).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
