//! What a throw is worth: the best cubo of all 6⁹ throws of a colour stock, counted exactly. Its mean tells whether to
//! stay or to roll again.

use std::{fmt, sync::OnceLock};

use serde::Serialize;

use crate::{die::FACES, hand::COLOURED, lookup::worth_by_white, score::Straights};

/// How many throws nine dice have: 6⁹.
pub const THROWS: u64 = (FACES as u64).pow(9);

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ratio {
    /// Above the line.
    pub numerator: u64,
    /// Below the line.
    pub denominator: u64,
}

impl Ratio {
    pub(crate) const fn new(numerator: u64, denominator: u64) -> Self {
        let (mut a, mut b) = (numerator, denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self { numerator: numerator / a, denominator: denominator / a }
    }

    /// As near as a decimal comes.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// Three decimals, which is what people want to read.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", f.precision().unwrap_or(3), self.to_f64())
    }
}

/// How many throws have a best cubo of these points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// What the best cubo is worth.
    pub points: u8,
    /// Of how many of the 6⁹ throws.
    pub throws: u64,
}

/// The best cubo over all throws of one colour stock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// How many of the eight coloured dice are red.
    pub red: u8,
    /// How straights are read.
    pub straights: Straights,
    /// How many throws were counted: 6⁹.
    pub throws: u64,
    /// The exact expectation of a throw, arranged perfectly and before any exchange.
    pub mean: Ratio,
    /// How often each score is the best, ascending; scores that no throw has are left out.
    pub distribution: Vec<Share>,
}

static CENSUSES: [[OnceLock<Census>; COLOURED + 1]; 2] =
    [const { [const { OnceLock::new() }; COLOURED + 1] }; 2];

impl Census {
    /// The census of this colour stock, counted on first use; nothing if there is no such stock.
    ///
    /// It takes each hand's best from the [`Lookup`](crate::Lookup) if that has been made, and searches if not.
    pub fn of(red: u8, straights: Straights) -> Option<&'static Self> {
        let cell = CENSUSES[straights as usize].get(usize::from(red))?;
        Some(cell.get_or_init(|| Self::count(red, straights)))
    }

    /// Counts a census afresh. A stock of more than eight reds is taken for eight.
    #[must_use]
    pub fn count(red: u8, straights: Straights) -> Self {
        let red = red.min(COLOURED as u8);
        let mut by_points = [0; 256];
        let blues = spreads(COLOURED as u8 - red);
        for (reds, red_ways) in spreads(red) {
            for (blues, blue_ways) in &blues {
                let kinds = std::array::from_fn(|i| {
                    reds.get(i).copied().unwrap_or_else(|| FACES + blues[i - reds.len()])
                });
                for points in worth_by_white(kinds, straights) {
                    by_points[usize::from(points)] += red_ways * blue_ways;
                }
            }
        }
        let shares = (0..=u8::MAX).zip(by_points).map(|(points, throws)| Share { points, throws });
        let distribution: Vec<Share> = shares.filter(|share| share.throws > 0).collect();
        let sum = distribution.iter().map(|share| u64::from(share.points) * share.throws).sum();
        Self { red, straights, throws: THROWS, mean: Ratio::new(sum, THROWS), distribution }
    }

    /// The points of all throws together: the mean times 6⁹, a whole number.
    pub fn sum(&self) -> u64 {
        self.mean.numerator * (self.throws / self.mean.denominator)
    }

    /// The chance that a fresh throw, arranged perfectly, is worth more than this.
    pub fn chance_above(&self, points: u8) -> Ratio {
        let above =
            self.distribution.iter().filter(|share| share.points > points).map(|share| share.throws).sum();
        Ratio::new(above, self.throws)
    }
}

/// Every way some dice of one colour can lie, faces ascending, each with the number of throws that give it.
fn spreads(dice: u8) -> Vec<(Vec<u8>, u64)> {
    let mut all = vec![(Vec::new(), 1)];
    for _ in 0..dice {
        all = all.iter().flat_map(one_more).collect();
    }
    all
}

/// A spread with one more die, no lower than its last: the throws grow as a multinomial does.
fn one_more((faces, ways): &(Vec<u8>, u64)) -> impl Iterator<Item = (Vec<u8>, u64)> {
    (faces.last().copied().unwrap_or(0)..FACES).map(move |face| {
        let equal = faces.iter().rev().take_while(|&&other| other == face).count() as u64 + 1;
        let longer: Vec<u8> = faces.iter().copied().chain([face]).collect();
        let ways = ways * longer.len() as u64 / equal;
        (longer, ways)
    })
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} red, {} blue, 1 white: {} throws", self.red, 8 - self.red, self.throws)?;
        writeln!(f, "points    throws  per cent")?;
        for Share { points, throws } in &self.distribution {
            writeln!(f, "{points:>6} {throws:>9} {:>9.4}", *throws as f64 * 100.0 / self.throws as f64)?;
        }
        write!(f, "mean {} = {}/{}", self.mean, self.mean.numerator, self.mean.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spreads_of_some_dice_are_all_their_throws() {
        for dice in 0..=8 {
            let throws: u64 = spreads(dice).iter().map(|(_, ways)| ways).sum();
            assert_eq!(throws, 6_u64.pow(u32::from(dice)));
        }
        assert_eq!(spreads(8).len(), 1287);
    }

    #[test]
    fn a_ratio_is_in_lowest_terms() {
        assert_eq!(Ratio::new(6, 8), Ratio { numerator: 3, denominator: 4 });
        assert_eq!(Ratio::new(0, 8), Ratio { numerator: 0, denominator: 1 });
        assert_eq!(Ratio::new(1, 3).to_string(), "0.333");
    }
}
