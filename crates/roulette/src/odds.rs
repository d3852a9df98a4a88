//! Exact analysis. One throw has 36 equal outcomes, so everything about a slip is a fraction, and every fraction
//! here is kept as one: expectation, variance, the net of each number, and the fate of a slip laid again and again.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use serde::{Serialize, Serializer};

use crate::notation::{Misread, read_slip, write_slip};
use crate::set::{NUMBERS, Set, Throw};
use crate::slip::Slip;

/// The most throws a fixed slip is followed.
pub const MOST_THROWS: u32 = 1_000;
/// The most steps (a count of chips, times an outcome) that following a slip may take: a few seconds at worst.
const MOST_STEPS: u64 = 6_000_000;

/// An exact fraction in lowest terms. As text and in JSON a whole number is a number (`36`), anything else
/// is `"n/d"` (`"71/2"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    over: BigInt,
    under: BigUint,
}

impl Exact {
    /// The fraction `over / under`; `under` must not be 0.
    fn new(over: BigInt, under: BigUint) -> Self {
        let common = over.magnitude().gcd(&under);
        Self { over: over / BigInt::from(common.clone()), under: under / common }
    }

    /// The numerator, in lowest terms.
    pub fn numerator(&self) -> &BigInt {
        &self.over
    }

    /// The denominator, in lowest terms.
    pub fn denominator(&self) -> &BigUint {
        &self.under
    }

    /// The nearest decimal, cut after twelve places.
    pub fn decimal(&self) -> f64 {
        const PLACES: u64 = 1_000_000_000_000;
        let scaled: BigInt = &self.over * BigInt::from(PLACES) / BigInt::from(self.under.clone());
        scaled.to_string().parse::<f64>().unwrap_or(f64::NAN) / PLACES as f64
    }
}

impl From<i64> for Exact {
    fn from(whole: i64) -> Self {
        Self { over: whole.into(), under: 1u32.into() }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.over)?;
        if self.under == BigUint::from(1u32) { Ok(()) } else { write!(f, "/{}", self.under) }
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(&self.over) {
            Ok(whole) if self.under == BigUint::from(1u32) => serializer.serialize_i64(whole),
            _ => serializer.collect_str(self),
        }
    }
}

/// Everything about one throw of a slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Odds {
    /// The slip as it was understood.
    pub slip: String,
    /// The chips it takes.
    pub stake: u32,
    /// The mean of the net over the 36 numbers: always 0 (DR-R2).
    pub expectation: Exact,
    /// The variance of the net.
    pub variance: Exact,
    /// The numbers out of 36 that leave the player ahead.
    pub ahead: u32,
    /// The numbers out of 36 that leave him where he was.
    pub even: u32,
    /// The numbers out of 36 that leave him behind.
    pub behind: u32,
    /// How many of the 36 numbers give each net, the best first.
    pub distribution: Vec<Ways>,
    /// The net of each number.
    pub net: BTreeMap<u8, i64>,
}

/// A net result and how many of the 36 numbers give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ways {
    /// Chips won or lost.
    pub net: i64,
    /// How many numbers.
    pub ways: u32,
}

/// Reads a slip for the standard set and works out its odds.
///
/// ```
/// let odds = roulette::odds("15=1")?;
/// assert_eq!(odds.net[&15], 35);
/// assert_eq!(odds.expectation.to_string(), "0");
/// assert_eq!(odds.variance.to_string(), "35");
/// # Ok::<(), roulette::Misread>(())
/// ```
pub fn odds(text: &str) -> Result<Odds, Misread> {
    let set = Set::standard();
    read_slip(&set, text).map(|slip| odds_of(&set, &slip))
}

/// The odds of a slip on the layout of a set.
pub fn odds_of(set: &Set, slip: &Slip) -> Odds {
    let nets = nets(set, slip);
    let ways = ways(&nets);
    let count = |wanted: fn(i64) -> bool| ways.iter().filter(|way| wanted(way.net)).map(|way| way.ways).sum();
    // Σ net ≤ 36 · 35 · 10⁹ and Σ net² ≤ 36 · (35 · 10⁹)² lie well within 128 bits.
    let sum: i128 = nets.iter().map(|net| i128::from(*net)).sum();
    let squares: i128 = nets.iter().map(|net| i128::from(*net).pow(2)).sum();
    let n = NUMBERS as u32;
    Odds {
        slip: write_slip(slip.on(set)),
        stake: slip.total(),
        expectation: Exact::new(sum.into(), n.into()),
        variance: Exact::new((squares * i128::from(n) - sum * sum).into(), (n * n).into()),
        ahead: count(|net| net > 0),
        even: count(|net| net == 0),
        behind: count(|net| net < 0),
        net: set.numbers().iter().copied().zip(nets).collect(),
        distribution: ways,
    }
}

fn nets(set: &Set, slip: &Slip) -> [i64; NUMBERS] {
    let mut nets = [0; NUMBERS];
    for throw in Throw::all() {
        nets[throw.index()] = slip.settle(set, throw).net();
    }
    nets
}

fn ways(nets: &[i64; NUMBERS]) -> Vec<Ways> {
    let mut counts = BTreeMap::new();
    for net in nets {
        *counts.entry(*net).or_insert(0) += 1;
    }
    counts.into_iter().rev().map(|(net, ways)| Ways { net, ways }).collect()
}

/// A probability, exact and as a decimal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chance {
    /// The fraction.
    pub exact: Exact,
    /// The same, to twelve places.
    pub decimal: f64,
}

/// What becomes of a player who lays the same slip at every throw for as long as he can.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outlook {
    /// The slip as it was understood.
    pub slip: String,
    /// The chips he starts with.
    pub chips: u64,
    /// For how many throws.
    pub throws: u32,
    /// The chance that he ends with more than he started with.
    pub ahead: Chance,
    /// The chance that he ends with just what he started with.
    pub even: Chance,
    /// The chance that he ends with less; those who went broke are among them.
    pub behind: Chance,
    /// The chance that at some point he has too few chips left to lay the slip again.
    pub broke: Chance,
    /// His mean chips at the end: what he started with (DR-R2).
    pub mean: Exact,
}

/// Why a slip cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum OutlookError {
    /// The slip cannot be read.
    #[error(transparent)]
    Misread(Misread),
    /// The player cannot lay the slip once.
    #[error("the slip takes {stake} chips and there are {chips}: start with {stake} or more")]
    Short {
        /// What the slip takes.
        stake: u32,
        /// What there is.
        chips: u64,
    },
    /// More chips than can be counted.
    #[error("{chips} chips are too many: start with {most} or fewer")]
    TooMany {
        /// What was asked.
        chips: u64,
        /// The most.
        most: u64,
    },
    /// Too far ahead to be worked out exactly.
    #[error("{throws} throws of this slip are too many to work out exactly: ask for {most} or fewer")]
    TooLong {
        /// What was asked.
        throws: u32,
        /// How far this slip can be followed.
        most: u32,
    },
}

/// Reads a slip for the standard set and follows it for some throws.
///
/// ```
/// // One throw of even chances: up or down, nothing between.
/// let outlook = roulette::outlook("red=1", 1, 1)?;
/// assert_eq!(outlook.ahead.exact.to_string(), "1/2");
/// assert_eq!(outlook.broke.exact.to_string(), "1/2");
/// # Ok::<(), roulette::OutlookError>(())
/// ```
pub fn outlook(text: &str, chips: u64, throws: u32) -> Result<Outlook, OutlookError> {
    let set = Set::standard();
    let slip = read_slip(&set, text).map_err(OutlookError::Misread)?;
    outlook_of(&set, &slip, chips, throws)
}

/// Follows a slip on the layout of a set: an exact convolution of the net with itself, in which whoever cannot
/// lay the slip again stays where he is.
pub fn outlook_of(set: &Set, slip: &Slip, chips: u64, throws: u32) -> Result<Outlook, OutlookError> {
    const MOST_CHIPS: u64 = 1 << 50;
    let stake = slip.total();
    if u64::from(stake) > chips {
        return Err(OutlookError::Short { stake, chips });
    }
    if chips > MOST_CHIPS {
        return Err(OutlookError::TooMany { chips, most: MOST_CHIPS });
    }
    if throws > MOST_THROWS {
        return Err(OutlookError::TooLong { throws, most: MOST_THROWS });
    }
    let ways = ways(&nets(set, slip));
    let mut fortunes = Fortunes::new(chips as i64, i64::from(stake));
    let mut steps = 0;
    for thrown in 0..throws {
        steps += fortunes.playing.len() as u64 * ways.len() as u64;
        if steps > MOST_STEPS {
            return Err(OutlookError::TooLong { throws, most: thrown });
        }
        fortunes.throw(&ways);
    }
    Ok(fortunes.sum_up(write_slip(slip.on(set)), throws))
}

/// How many of the 36ⁿ histories lead to each number of chips.
struct Fortunes {
    start: i64,
    stake: i64,
    playing: BTreeMap<i64, BigUint>,
    broke: BTreeMap<i64, BigUint>,
    histories: BigUint,
}

impl Fortunes {
    fn new(start: i64, stake: i64) -> Self {
        let one = BigUint::from(1u32);
        Self { start, stake, playing: [(start, one.clone())].into(), broke: BTreeMap::new(), histories: one }
    }

    fn throw(&mut self, ways: &[Ways]) {
        self.histories *= NUMBERS as u32;
        self.broke.values_mut().for_each(|histories| *histories *= NUMBERS as u32);
        for (chips, histories) in std::mem::take(&mut self.playing) {
            for way in ways {
                let chips = chips + way.net;
                let fate = if chips < self.stake { &mut self.broke } else { &mut self.playing };
                *fate.entry(chips).or_default() += &histories * way.ways;
            }
        }
    }

    fn sum_up(&self, slip: String, throws: u32) -> Outlook {
        let ends = || self.playing.iter().chain(&self.broke);
        let count = |wanted: fn(i64, i64) -> bool| -> BigUint {
            ends().filter(|(chips, _)| wanted(**chips, self.start)).map(|(_, histories)| histories).sum()
        };
        let total: BigInt = ends().map(|(chips, histories)| BigInt::from(histories.clone()) * *chips).sum();
        Outlook {
            slip,
            chips: self.start as u64,
            throws,
            ahead: self.chance(count(|chips, start| chips > start)),
            even: self.chance(count(|chips, start| chips == start)),
            behind: self.chance(count(|chips, start| chips < start)),
            broke: self.chance(self.broke.values().sum()),
            mean: Exact::new(total, self.histories.clone()),
        }
    }

    fn chance(&self, histories: BigUint) -> Chance {
        let exact = Exact::new(histories.into(), self.histories.clone());
        Chance { decimal: exact.decimal(), exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms_and_whole_numbers_are_numbers() {
        let half = Exact::new((-18).into(), 36u32.into());
        assert_eq!(half.to_string(), "-1/2");
        assert!((half.decimal() + 0.5).abs() < 1e-12);
        assert_eq!(serde_json::to_string(&half).unwrap(), "\"-1/2\"");
        assert_eq!(serde_json::to_string(&Exact::from(7)).unwrap(), "7");
        assert_eq!(serde_json::to_string(&Exact::new(0.into(), 36u32.into())).unwrap(), "0");
    }

    #[test]
    fn an_outlook_agrees_with_playing_out_every_history() {
        let set = Set::standard();
        for (text, chips) in [("red=1", 2), ("15=1 low=2", 5), ("1st12=2 odd=1 6=1", 9)] {
            let slip = read_slip(&set, text).unwrap();
            let (mut ahead, mut even, mut behind, mut broke) = (0, 0, 0, 0);
            for history in 0..36u64.pow(3) {
                let mut left = chips;
                for turn in 0..3 {
                    if left >= i64::from(slip.total()) {
                        let throw = Throw::all().nth((history / 36u64.pow(turn) % 36) as usize).unwrap();
                        left += slip.settle(&set, throw).net();
                    }
                }
                ahead += u64::from(left > chips);
                even += u64::from(left == chips);
                behind += u64::from(left < chips);
                broke += u64::from(left < i64::from(slip.total()));
            }
            let outlook = outlook(text, chips as u64, 3).unwrap();
            let exact = |count: u64| Exact::new(count.into(), 36u32.pow(3).into());
            assert_eq!(outlook.even.exact, exact(even), "{text}");
            assert_eq!(outlook.ahead.exact, exact(ahead), "{text}");
            assert_eq!(outlook.broke.exact, exact(broke), "{text}");
            assert_eq!(outlook.behind.exact, exact(behind), "{text}");
            assert_eq!(outlook.mean, Exact::from(chips), "{text}");
        }
    }

    #[test]
    fn an_outlook_that_asks_too_much_is_refused_with_what_can_be_had() {
        assert_eq!(outlook("red=5", 4, 1), Err(OutlookError::Short { stake: 5, chips: 4 }));
        assert_eq!(outlook("red=5", 9, 1_001), Err(OutlookError::TooLong { throws: 1_001, most: 1_000 }));
        assert!(matches!(outlook("red=5", u64::MAX, 1), Err(OutlookError::TooMany { .. })));
        assert!(matches!(outlook("red", 9, 1), Err(OutlookError::Misread(_))));
    }
}
