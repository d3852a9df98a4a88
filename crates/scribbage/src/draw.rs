//! Who starts: every side takes a cube from the cup and rolls it, the highest value begins (SB-S3).

use crate::set::{CUBES, Face, Set};
use serde::{Deserialize, Serialize};
use table::Dice;

/// So many rolls in a row without a winner end the draw: of those still tied the one who sits first begins. Only a set
/// whose cubes hardly differ comes so far.
const MOST_ROLLS: usize = 30;

/// So long everybody can look at the draw before a bot rolls its cubes, in milliseconds.
pub const DRAW_MS: u64 = 6_000;

/// A cube that was taken and rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// Whose: a team, or a player alone.
    pub side: u32,
    /// Which cube of the set, from 0.
    pub cube: u8,
    /// What it shows.
    pub face: Face,
    /// What that is worth; a joker nothing (SB-R2).
    pub value: u8,
}

/// A draw for the start: every roll of it, and who begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// First everybody's rolls, then those of the tied, and so on.
    pub rolls: Vec<Vec<Roll>>,
    /// The side that begins.
    pub starts: u32,
}

impl Draw {
    /// Draws for so many sides. One alone has nothing to draw for.
    pub fn new(set: &Set, sides: u32, dice: &mut Dice) -> Draw {
        let mut tied: Vec<u32> = (0..sides).collect();
        let mut rolls = Vec::new();
        while tied.len() > 1 && rolls.len() < MOST_ROLLS {
            let roll = roll_all(set, &tied, dice);
            tied = highest(&roll);
            rolls.push(roll);
        }
        Draw { rolls, starts: tied.first().copied().unwrap_or(0) }
    }

    /// It in a sentence or two, of sides that are called so; nothing where nobody had to draw.
    pub fn tell(&self, name: &dyn Fn(u32) -> String) -> Option<String> {
        let cube = |roll: &Roll| format!("{} {} {}", name(roll.side), roll.face, roll.value);
        let round = |rolls: &Vec<Roll>| rolls.iter().map(cube).collect::<Vec<_>>().join(", ");
        let rolls = self.rolls.iter().map(round).collect::<Vec<_>>().join("; level, so again: ");
        (!rolls.is_empty()).then(|| format!("The draw for the start: {rolls}. First: {}.", name(self.starts)))
    }
}

/// Each takes a cube without looking; when the cup is empty the cubes go back into it.
fn roll_all(set: &Set, sides: &[u32], dice: &mut Dice) -> Vec<Roll> {
    let mut cup: Vec<u8> = Vec::new();
    let mut rolls = Vec::with_capacity(sides.len());
    for &side in sides {
        if cup.is_empty() {
            cup = (0..CUBES as u8).collect();
        }
        let cube = cup.swap_remove(dice.below(cup.len() as u32) as usize);
        let face = set.roll(usize::from(cube), dice);
        rolls.push(Roll { side, cube, face, value: set.value(face) });
    }
    rolls
}

/// Who rolled the highest value; more than one are tied (SB-R2).
pub fn highest(rolls: &[Roll]) -> Vec<u32> {
    let most = rolls.iter().map(|roll| roll.value).max();
    rolls.iter().filter(|roll| Some(roll.value) == most).map(|roll| roll.side).collect()
}
