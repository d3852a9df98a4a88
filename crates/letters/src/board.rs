//! The dice of a throw as they lie: on the grid, or beside it. The board knows places and called letters, not words.

use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use words::{Layout, Letter, Placed};

/// How far from the middle a die may lie, in every direction. More than any layout needs.
pub const REACH: i8 = 30;

/// A place on the grid: `x` to the right, `y` downwards. As JSON: `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spot(pub i8, pub i8);

/// One die: where it lies, and what a wild one is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lie {
    /// On the grid; `None` beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Spot>,
    /// The letter called for a wild die. It is kept while the die is beside the grid.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub called: Option<Letter>,
}

/// All dice of a throw, in the order of the throw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Board(Vec<Lie>);

impl Board {
    /// So many dice, all beside the grid.
    pub fn beside(dice: usize) -> Board {
        Board(vec![Lie::default(); dice])
    }

    /// The dice, in the order of the throw.
    pub fn dice(&self) -> &[Lie] {
        &self.0
    }

    /// How many dice are on the grid.
    pub fn laid(&self) -> usize {
        self.0.iter().filter(|lie| lie.at.is_some()).count()
    }

    /// The die that lies here.
    pub fn die_at(&self, spot: Spot) -> Option<u8> {
        self.0.iter().position(|lie| lie.at == Some(spot)).map(|die| die as u8)
    }

    /// Puts a die on the grid, or moves it. A die that lies there already changes places with it.
    pub fn place(&mut self, die: u8, spot: Spot) -> Result<(), Refusal> {
        let from = self.die(die)?.at;
        on_the_table(spot)?;
        if let Some(other) = self.die_at(spot) {
            self.0[other as usize].at = from;
        }
        self.0[die as usize].at = Some(spot);
        Ok(())
    }

    /// Takes a die off the grid.
    pub fn lift(&mut self, die: u8) -> Result<(), Refusal> {
        self.die(die)?.at.ok_or(Refusal::NotOnTheGrid { die })?;
        self.0[die as usize].at = None;
        Ok(())
    }

    /// Takes all dice off the grid.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|lie| lie.at = None);
    }

    /// Calls a letter for a die, if it is a wild one.
    pub fn call(&mut self, die: u8, letter: Letter, wild: bool) -> Result<(), Refusal> {
        self.die(die)?;
        if !wild {
            return Err(Refusal::NotWild { die });
        }
        self.0[die as usize].called = Some(letter);
        Ok(())
    }

    /// The whole arrangement at once: these dice lie so, all others beside the grid.
    pub fn arrange(&mut self, laid: &[Placed]) -> Result<(), Refusal> {
        let mut next = self.clone();
        next.clear();
        for &Placed { die, x, y, called } in laid {
            let spot = Spot(x, y);
            if next.die(die)?.at.is_some() {
                return Err(Refusal::DieTwice { die });
            }
            if next.die_at(spot).is_some() {
                return Err(Refusal::SpotTwice { x, y });
            }
            next.place(die, spot)?;
            if let Some(letter) = called {
                next.call(die, letter, true)?;
            }
        }
        *self = next;
        Ok(())
    }

    /// The dice on the grid, as [`Board::arrange`] takes them.
    pub fn layout(&self) -> Layout {
        let placed = |(die, lie): (usize, &Lie)| {
            lie.at.map(|Spot(x, y)| Placed { die: die as u8, x, y, called: lie.called })
        };
        Layout { dice: self.0.iter().enumerate().filter_map(placed).collect() }
    }

    fn die(&self, die: u8) -> Result<&Lie, Refusal> {
        self.0.get(die as usize).ok_or(Refusal::NoSuchDie { die, dice: self.0.len() as u8 })
    }
}

fn on_the_table(Spot(x, y): Spot) -> Result<(), Refusal> {
    let within = -REACH..=REACH;
    if within.contains(&x) && within.contains(&y) { Ok(()) } else { Err(Refusal::OffTheTable { x, y }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_laid_on_another_changes_places_with_it() {
        let mut board = Board::beside(3);
        board.place(0, Spot(0, 0)).unwrap();
        board.place(1, Spot(1, 0)).unwrap();
        board.place(0, Spot(1, 0)).unwrap();
        assert_eq!((board.die_at(Spot(1, 0)), board.die_at(Spot(0, 0))), (Some(0), Some(1)));
        board.place(2, Spot(0, 0)).unwrap();
        assert_eq!(board.dice()[1].at, None);
        assert_eq!(board.laid(), 2);
    }

    #[test]
    fn an_arrangement_that_cannot_be_laid_changes_nothing() {
        let mut board = Board::beside(2);
        board.place(0, Spot(0, 0)).unwrap();
        let before = board.clone();
        let at = |die, x| Placed { die, x, y: 0, called: None };
        assert_eq!(board.arrange(&[at(0, 1), at(0, 2)]), Err(Refusal::DieTwice { die: 0 }));
        assert_eq!(board.arrange(&[at(0, 1), at(1, 1)]), Err(Refusal::SpotTwice { x: 1, y: 0 }));
        assert_eq!(board.arrange(&[at(0, 99)]), Err(Refusal::OffTheTable { x: 99, y: 0 }));
        assert_eq!(board.arrange(&[at(2, 0)]), Err(Refusal::NoSuchDie { die: 2, dice: 2 }));
        assert_eq!(board, before);
        board.arrange(&[at(1, 4)]).unwrap();
        assert_eq!(board.layout().dice, [at(1, 4)]);
    }

    #[test]
    fn a_wild_die_keeps_its_letter_when_it_is_lifted() {
        let mut board = Board::beside(1);
        let o = Letter::from_char('o').unwrap();
        board.call(0, o, true).unwrap();
        board.place(0, Spot(2, 2)).unwrap();
        board.lift(0).unwrap();
        assert_eq!(board.dice()[0], Lie { at: None, called: Some(o) });
        assert_eq!(board.lift(0), Err(Refusal::NotOnTheGrid { die: 0 }));
    }
}
