//! The pieces: two dice, the layout, and the 136 bets that can be laid on it. A [`Set`] is read from
//! a data file and checked once; whatever a valid set says, every bet on it is fair (DR-R2).

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::spot::{Side, Spot, SpotError};

/// How many numbers the two dice can make.
pub const NUMBERS: usize = 36;
/// How many bets the layout offers (DR-R2).
pub const BETS: usize = 136;

const STANDARD: &str = include_str!("../data/set.toml");
const NOWHERE: u8 = u8::MAX;
const LONGEST_NAME: usize = 60;

/// One throw of both dice: an index into the 36 numbers, black face first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Throw(u8);

impl Throw {
    /// The throw that shows these two faces, each counted from 0; `None` if a die has no such face.
    pub fn of_faces(black: u32, white: u32) -> Option<Self> {
        (black < 6 && white < 6).then_some(Self((black * 6 + white) as u8))
    }

    /// All 36 throws, each as likely as any other.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NUMBERS as u8).map(Self)
    }

    /// Its place among the 36.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kinds of bet, named for where the chips are placed (DR-S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A: squarely on a number.
    Number,
    /// B: on horseback, between two squares.
    Pair,
    /// C: on the corner of four squares.
    Four,
    /// D: at the foot of a run of six.
    Run,
    /// E, F, G: a dozen.
    Dozen,
    /// H to M: even, odd, black, red, low, high.
    Half,
}

impl Kind {
    /// What a winning chip is paid, beside being returned (DR-S4).
    pub const fn pays(self) -> u32 {
        match self {
            Self::Number => 35,
            Self::Pair => 17,
            Self::Four => 8,
            Self::Run => 5,
            Self::Dozen => 2,
            Self::Half => 1,
        }
    }

    /// The bets of this kind, in the order of the list (DR-R2: 36 + 60 + 25 + 6 + 3 + 6).
    pub fn bets(self) -> impl ExactSizeIterator<Item = Bet> {
        let last = match self {
            Self::Number => 36,
            Self::Pair => 96,
            Self::Four => 121,
            Self::Run => 127,
            Self::Dozen => 130,
            Self::Half => 136,
        };
        (self.first()..last).map(Bet)
    }

    const fn first(self) -> u8 {
        match self {
            Self::Number => 0,
            Self::Pair => 36,
            Self::Four => 96,
            Self::Run => 121,
            Self::Dozen => 127,
            Self::Half => 130,
        }
    }

    const fn at(self, offset: usize) -> Bet {
        Bet(self.first() + offset as u8)
    }
}

/// One of the 136 bets of a set, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bet(u8);

impl Bet {
    /// All 136 bets.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..BETS as u8).map(Self)
    }

    /// Its place among the 136.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The pieces as the data file gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    name: String,
    black: [u8; 6],
    white: [u8; 6],
    grid: [[u8; 6]; 6],
    red: [u8; 18],
}

/// A bet, worked out: where it lies, which throws win it, what it pays.
#[derive(Clone, Copy, Debug)]
struct Chance {
    spot: Spot,
    kind: Kind,
    wins: u64,
}

/// A checked set of pieces. Cheap to clone: the tables behind it are shared.
///
/// ```
/// use roulette::Set;
/// let set = Set::standard();
/// let bet = set.bet("1|2".parse()?)?;
/// assert_eq!(set.numbers_of(bet).collect::<Vec<_>>(), [1, 2]);
/// assert_eq!(set.pays(bet), 17);
/// # Ok::<(), roulette::SpotError>(())
/// ```
#[derive(Clone)]
pub struct Set(Arc<Tables>);

struct Tables {
    parts: Parts,
    numbers: [u8; NUMBERS],
    /// Number to throw, `NOWHERE` for what the dice cannot make.
    throw_of: [u8; 100],
    /// Throw to its square on the grid, row by row.
    square_of: [u8; NUMBERS],
    red: u64,
    bets: [Chance; BETS],
}

/// What is wrong with a set of pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// Not a set file at all.
    #[error("this is not a set of Dice Roulette: {0}")]
    Unreadable(String),
    /// A name that cannot be shown.
    #[error("a set needs a name of 1 to {LONGEST_NAME} characters without control characters")]
    Name,
    /// A face that is no digit.
    #[error("the {die} die has a face {face}; a face is a digit from 0 to 9")]
    Face {
        /// Which die.
        die: &'static str,
        /// The face.
        face: u8,
    },
    /// A die with two equal faces.
    #[error(
        "the {die} die shows {face} twice; its six faces must differ, so that every throw is a number of its own"
    )]
    Twice {
        /// Which die.
        die: &'static str,
        /// The face.
        face: u8,
    },
    /// A white die that favours even or odd.
    #[error(
        "the white die has {even} even faces; it needs three even and three odd, or Even and Odd would not be fair"
    )]
    Lopsided {
        /// How many of its faces are even.
        even: usize,
    },
    /// A square or a red number that the dice cannot make.
    #[error("{place} names {number}, which these dice can never show")]
    NeverThrown {
        /// Where it stands: the grid, or the list of red squares.
        place: &'static str,
        /// The number.
        number: u8,
    },
    /// A number that stands twice on the grid or in the list of red squares.
    #[error("{place} names {number} twice")]
    Repeated {
        /// Where it stands.
        place: &'static str,
        /// The number.
        number: u8,
    },
}

impl Set {
    /// The file of the house set, for whoever makes one of his own.
    pub const FILE: &str = STANDARD;

    /// The set of 1932.
    pub fn standard() -> Self {
        static SET: OnceLock<Set> = OnceLock::new();
        SET.get_or_init(|| Self::from_toml(STANDARD).expect("the embedded set is valid: a test reads it"))
            .clone()
    }

    /// Reads and checks a set file.
    pub fn from_toml(text: &str) -> Result<Self, SetError> {
        let parts: Parts = toml::from_str(text).map_err(|error| SetError::Unreadable(error.to_string()))?;
        Self::check(parts)
    }

    fn check(mut parts: Parts) -> Result<Self, SetError> {
        check_name(&parts.name)?;
        check_die("black", &mut parts.black)?;
        check_die("white", &mut parts.white)?;
        let even = parts.white.iter().filter(|face| *face % 2 == 0).count();
        if even != 3 {
            return Err(SetError::Lopsided { even });
        }
        let mut numbers = [0; NUMBERS];
        let mut throw_of = [NOWHERE; 100];
        for throw in 0..NUMBERS {
            numbers[throw] = parts.black[throw / 6] * 10 + parts.white[throw % 6];
            throw_of[numbers[throw] as usize] = throw as u8;
        }
        let squares = distinct("the grid", parts.grid.as_flattened(), &throw_of)?;
        let mut square_of = [0; NUMBERS];
        for (square, &throw) in squares.iter().enumerate() {
            square_of[throw as usize] = square as u8;
        }
        let red = distinct("the list of red squares", &parts.red, &throw_of)?
            .iter()
            .fold(0, |red, throw| red | 1 << throw);
        let bets = all_bets(&numbers, &parts.grid, red, &throw_of);
        Ok(Self(Arc::new(Tables { parts, numbers, throw_of, square_of, red, bets })))
    }

    /// What the set is called.
    pub fn name(&self) -> &str {
        &self.0.parts.name
    }

    /// The faces of the black die, the blank as 0.
    pub fn black_die(&self) -> [u8; 6] {
        self.0.parts.black
    }

    /// The faces of the white die.
    pub fn white_die(&self) -> [u8; 6] {
        self.0.parts.white
    }

    /// The numbered squares as they lie on the board, row by row.
    pub fn grid(&self) -> [[u8; 6]; 6] {
        self.0.parts.grid
    }

    /// The 36 numbers, in the order of [`Throw::index`].
    pub fn numbers(&self) -> &[u8; NUMBERS] {
        &self.0.numbers
    }

    /// The number a throw makes, black read first (DR-S1).
    pub fn number(&self, throw: Throw) -> u8 {
        self.0.numbers[throw.index()]
    }

    /// The throw that makes this number; `None` if the dice never show it.
    pub fn throw_of(&self, number: u8) -> Option<Throw> {
        match *self.0.throw_of.get(number as usize)? {
            NOWHERE => None,
            throw => Some(Throw(throw)),
        }
    }

    /// Whether the square of this throw is red (DR-F2).
    pub fn is_red(&self, throw: Throw) -> bool {
        self.0.red >> throw.0 & 1 == 1
    }

    /// The bet that lies on a spot.
    #[inline]
    pub fn bet(&self, spot: Spot) -> Result<Bet, SpotError> {
        self.find(spot).ok_or_else(|| self.explain(spot))
    }

    /// Where a bet lies.
    pub fn spot(&self, bet: Bet) -> Spot {
        self.chance(bet).spot
    }

    /// What kind of bet it is.
    pub fn kind(&self, bet: Bet) -> Kind {
        self.chance(bet).kind
    }

    /// What a winning chip is paid, beside being returned.
    #[inline]
    pub fn pays(&self, bet: Bet) -> u32 {
        self.kind(bet).pays()
    }

    /// Whether a bet wins on a throw.
    #[inline]
    pub fn wins(&self, bet: Bet, throw: Throw) -> bool {
        self.winners(bet) >> throw.0 & 1 == 1
    }

    /// The throws that win a bet, as a bit set over [`Throw::index`].
    #[inline]
    pub fn winners(&self, bet: Bet) -> u64 {
        self.chance(bet).wins
    }

    /// The numbers that win a bet.
    pub fn numbers_of(&self, bet: Bet) -> impl Iterator<Item = u8> + '_ {
        Throw::all().filter(move |throw| self.wins(bet, *throw)).map(|throw| self.number(throw))
    }

    /// The runs of six, each as its first and last number.
    pub fn runs(&self) -> [(u8, u8); 6] {
        std::array::from_fn(|run| (self.0.numbers[run * 6], self.0.numbers[run * 6 + 5]))
    }

    fn chance(&self, bet: Bet) -> &Chance {
        &self.0.bets[bet.index()]
    }

    fn find(&self, spot: Spot) -> Option<Bet> {
        // The order of `all_bets`: within the pairs, the 30 side by side come before the 30 one above the other.
        Some(match spot {
            Spot::Number(n) => Kind::Number.at(self.throw_of(n)?.index()),
            Spot::Pair(pair) => match self.squares(pair)? {
                [a, b] if b == a + 1 && b % 6 != 0 => Kind::Pair.at(a / 6 * 5 + a % 6),
                [a, b] if b == a + 6 => Kind::Pair.at(30 + a),
                _ => return None,
            },
            Spot::Four(four) => match self.squares(four)? {
                [a, b, c, d] if b == a + 1 && b % 6 != 0 && c == a + 6 && d == b + 6 => {
                    Kind::Four.at(a / 6 * 5 + a % 6)
                }
                _ => return None,
            },
            Spot::Run(first, last) => return self.find_run(first, last),
            Spot::Dozen(dozen @ 1..=3) => Kind::Dozen.at(dozen as usize - 1),
            Spot::Dozen(_) => return None,
            Spot::Half(side) => Kind::Half.at(side as usize),
        })
    }

    /// A run of six; or, as the board also writes them, the first or the last eighteen.
    fn find_run(&self, first: u8, last: u8) -> Option<Bet> {
        match (self.throw_of(first)?.index(), self.throw_of(last)?.index()) {
            (0, 17) => Some(Kind::Half.at(Side::Low as usize)),
            (18, 35) => Some(Kind::Half.at(Side::High as usize)),
            (from, to) if from % 6 == 0 && to == from + 5 => Some(Kind::Run.at(from / 6)),
            _ => None,
        }
    }

    /// The squares of some numbers on the grid, in the order of the grid.
    fn squares<const N: usize>(&self, numbers: [u8; N]) -> Option<[usize; N]> {
        let mut squares = [0; N];
        for (square, number) in squares.iter_mut().zip(numbers) {
            *square = self.0.square_of[self.throw_of(number)?.index()] as usize;
        }
        squares.sort_unstable();
        Some(squares)
    }

    /// Why there is no such bet, and what there is instead.
    #[cold]
    fn explain(&self, spot: Spot) -> SpotError {
        let unthrown = spot.numbers().into_iter().find(|number| self.throw_of(*number).is_none());
        let runs = self.runs().map(|(first, last)| format!("{first}-{last}")).join(", ");
        match (spot, unthrown) {
            (Spot::Run(..), _) => SpotError::NotARun { bet: spot.to_string(), allowed: runs },
            (_, Some(number)) => SpotError::NeverThrown { bet: spot.to_string(), number, allowed: runs },
            (Spot::Pair([a, _]), None) => {
                SpotError::NotAPair { bet: spot.to_string(), number: a, allowed: self.spots(Kind::Pair, a) }
            }
            (Spot::Four([a, ..]), None) => {
                SpotError::NotAFour { bet: spot.to_string(), number: a, allowed: self.spots(Kind::Four, a) }
            }
            _ => SpotError::Unknown { bet: spot.to_string() },
        }
    }

    /// The spots of one kind that touch a number, in words.
    fn spots(&self, kind: Kind, number: u8) -> String {
        let touching = kind.bets().filter(|bet| self.numbers_of(*bet).any(|n| n == number));
        touching.map(|bet| self.spot(bet).to_string()).collect::<Vec<_>>().join(", ")
    }
}

fn check_name(name: &str) -> Result<(), SetError> {
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(SetError::Name) }
}

fn check_die(die: &'static str, faces: &mut [u8; 6]) -> Result<(), SetError> {
    faces.sort_unstable();
    if let Some(&face) = faces.iter().find(|face| **face > 9) {
        return Err(SetError::Face { die, face });
    }
    match faces.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(SetError::Twice { die, face: pair[0] }),
        None => Ok(()),
    }
}

/// The throws of a list of numbers that must all be throwable and all differ.
fn distinct(place: &'static str, numbers: &[u8], throw_of: &[u8; 100]) -> Result<Vec<u8>, SetError> {
    let mut seen = 0u64;
    numbers
        .iter()
        .map(|&number| match throw_of.get(number as usize) {
            None | Some(&NOWHERE) => Err(SetError::NeverThrown { place, number }),
            Some(throw) if seen >> throw & 1 == 1 => Err(SetError::Repeated { place, number }),
            Some(throw) => {
                seen |= 1 << throw;
                Ok(*throw)
            }
        })
        .collect()
}

/// DR-S4, DR-R1: every bet of the layout, in the order that `Set::find` counts on.
fn all_bets(numbers: &[u8; NUMBERS], grid: &[[u8; 6]; 6], red: u64, throw_of: &[u8; 100]) -> [Chance; BETS] {
    let mut bets = Vec::with_capacity(BETS);
    let of = |numbers: &[u8]| numbers.iter().fold(0, |mask, n| mask | 1 << throw_of[*n as usize]);
    for &n in numbers {
        bets.push(Chance { spot: Spot::Number(n), kind: Kind::Number, wins: of(&[n]) });
    }
    let mut pair = |a, b| bets.push(Chance { spot: Spot::pair(a, b), kind: Kind::Pair, wins: of(&[a, b]) });
    for row in grid {
        row.windows(2).for_each(|two| pair(two[0], two[1]));
    }
    for rows in grid.windows(2) {
        (0..6).for_each(|column| pair(rows[0][column], rows[1][column]));
    }
    for rows in grid.windows(2) {
        for column in 0..5 {
            let four = [rows[0][column], rows[0][column + 1], rows[1][column], rows[1][column + 1]];
            bets.push(Chance { spot: Spot::four(four), kind: Kind::Four, wins: of(&four) });
        }
    }
    // DR-S3: runs follow the black die, dozens and halves are two and three runs.
    for run in numbers.as_chunks::<6>().0 {
        bets.push(Chance { spot: Spot::Run(run[0], run[5]), kind: Kind::Run, wins: of(run) });
    }
    for (dozen, numbers) in (1..).zip(numbers.as_chunks::<12>().0) {
        bets.push(Chance { spot: Spot::Dozen(dozen), kind: Kind::Dozen, wins: of(numbers) });
    }
    let all = (1u64 << NUMBERS) - 1;
    let even = (0..NUMBERS)
        .filter(|throw| numbers[*throw].is_multiple_of(2))
        .fold(0u64, |mask, throw| mask | 1 << throw);
    for side in Side::ALL {
        let wins = match side {
            Side::Low => of(&numbers[..18]),
            Side::High => of(&numbers[18..]),
            Side::Black => all & !red,
            Side::Red => red,
            Side::Even => even,
            Side::Odd => all & !even,
        };
        bets.push(Chance { spot: Spot::Half(side), kind: Kind::Half, wins });
    }
    bets.try_into().expect("36 + 60 + 25 + 6 + 3 + 6 bets were pushed")
}

impl Default for Set {
    fn default() -> Self {
        Self::standard()
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.parts == other.0.parts
    }
}

impl Eq for Set {}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.parts.fmt(f)
    }
}

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        let standard = Self::standard();
        if parts == standard.0.parts {
            return Ok(standard);
        }
        Self::check(parts).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bet_is_found_again_by_its_spot() {
        let set = Set::standard();
        for bet in Bet::all() {
            assert_eq!(set.bet(set.spot(bet)), Ok(bet), "{}", set.spot(bet));
            assert!(set.kind(bet).bets().any(|other| other == bet));
        }
    }

    #[test]
    fn a_set_with_shuffled_squares_still_finds_every_bet() {
        let upright = Set::standard();
        let mut parts = upright.0.parts.clone();
        for row in 0..6 {
            for column in 0..6 {
                parts.grid[row][column] = upright.0.parts.grid[column][5 - row];
            }
        }
        let set = Set::check(parts).unwrap();
        assert_ne!(set, upright);
        for bet in Bet::all() {
            assert_eq!(set.bet(set.spot(bet)), Ok(bet), "{}", set.spot(bet));
        }
    }

    #[test]
    fn a_set_that_would_not_be_fair_is_refused() {
        let parts = Set::standard().0.parts.clone();
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = parts.clone();
            change(&mut parts);
            Set::check(parts).unwrap_err()
        };
        assert_eq!(refused(&|p| p.black[5] = 12), SetError::Face { die: "black", face: 12 });
        assert_eq!(refused(&|p| p.white[5] = 5), SetError::Twice { die: "white", face: 5 });
        assert_eq!(refused(&|p| p.white[5] = 7), SetError::Lopsided { even: 2 });
        assert_eq!(refused(&|p| p.grid[0][0] = 7), SetError::NeverThrown { place: "the grid", number: 7 });
        assert_eq!(refused(&|p| p.grid[0][0] = 2), SetError::Repeated { place: "the grid", number: 2 });
        assert!(matches!(refused(&|p| p.red[0] = 3), SetError::Repeated { number: 3, .. }));
        assert!(matches!(Set::from_toml("name = 3"), Err(SetError::Unreadable(_))));
    }

    #[test]
    fn a_name_is_neither_empty_nor_endless() {
        let named = |name: &str| {
            let parts = Parts { name: name.to_owned(), ..Set::standard().0.parts.clone() };
            Set::check(parts).map(|set| set.name().to_owned())
        };
        assert_eq!(named(&"é".repeat(60)), Ok("é".repeat(60)));
        for name in ["", "two\nlines", &"x".repeat(61)] {
            assert_eq!(named(name), Err(SetError::Name), "{name:?}");
        }
    }

    #[test]
    fn a_set_goes_through_json_unharmed() {
        let text = serde_json::to_string(&Set::standard()).unwrap();
        assert_eq!(serde_json::from_str::<Set>(&text).unwrap(), Set::standard());
        let torn = text.replace("[1,11,", "[9,11,");
        assert!(serde_json::from_str::<Set>(&torn).unwrap_err().to_string().contains("never show"));
    }
}
