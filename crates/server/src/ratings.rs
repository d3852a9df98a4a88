//! Ratings: Glicko-2, with a game of many taken as everybody against everybody.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// A player's strength in one game, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// 1500 for somebody new.
    pub rating: f64,
    /// 350 for somebody new.
    pub deviation: f64,
    /// How much the results jump about.
    pub volatility: f64,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength::from(Glicko2Rating::new())
    }
}

impl From<Glicko2Rating> for Strength {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Strength {
        Strength { rating, deviation, volatility }
    }
}

impl From<Strength> for Glicko2Rating {
    fn from(Strength { rating, deviation, volatility }: Strength) -> Glicko2Rating {
        Glicko2Rating { rating, deviation, volatility }
    }
}

/// Everybody's strength after a game, from what it was before and the places they took (1 is best, equal is shared).
///
/// ```
/// use server::ratings::{Strength, after};
/// let new = after(&[Strength::default(); 2], &[2, 1]);
/// assert!(new[1].rating > 1600.0 && new[0].rating < 1400.0);
/// ```
pub fn after(before: &[Strength], ranks: &[u32]) -> Vec<Strength> {
    let players: Vec<(Glicko2Rating, u32)> =
        before.iter().zip(ranks).map(|(&strength, &rank)| (strength.into(), rank)).collect();
    let config = Glicko2Config::new();
    players
        .iter()
        .enumerate()
        .map(|(me, (rating, rank))| {
            let others = players.iter().enumerate().filter(|(at, _)| *at != me);
            let results: Vec<_> = others.map(|(_, (other, place))| (*other, result(*rank, *place))).collect();
            glicko2_rating_period(rating, &results, &config).into()
        })
        .collect()
}

fn result(mine: u32, theirs: u32) -> Outcomes {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of Glickman's paper: 1464.06, 151.52, 0.05999.
    #[test]
    fn the_worked_example_of_the_paper_comes_out() {
        let strength = |rating, deviation| Strength { rating, deviation, volatility: 0.06 };
        let me: Glicko2Rating = strength(1500.0, 200.0).into();
        let played = [
            (strength(1400.0, 30.0).into(), Outcomes::WIN),
            (strength(1550.0, 100.0).into(), Outcomes::LOSS),
            (strength(1700.0, 300.0).into(), Outcomes::LOSS),
        ];
        let new = glicko2_rating_period(&me, &played, &Glicko2Config::new());
        assert!((new.rating - 1464.06).abs() < 0.02, "{new:?}");
        assert!((new.deviation - 151.52).abs() < 0.02, "{new:?}");
    }

    #[test]
    fn who_wins_gains_who_loses_pays_and_a_shared_place_changes_little() {
        let new = after(&[Strength::default(); 3], &[1, 2, 2]);
        assert!(new[0].rating > 1500.0 && new[1].rating < 1500.0);
        assert!((new[1].rating - new[2].rating).abs() < 1e-9);
        assert!(new.iter().all(|strength| strength.deviation < 350.0));
        let draw = after(&[Strength::default(); 2], &[1, 1]);
        assert!((draw[0].rating - 1500.0).abs() < 1e-9);
    }
}
