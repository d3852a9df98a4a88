//! The hunt: with few tiles left, a lead is won only by who catches the rest. How much of a lead can be used, how near
//! the hunters are, and how little room and land they leave the prey.

use crate::bits::Bits;
use crate::board::Corner;
use crate::eval::Camps;
use crate::position::Position;
use crate::set::{MAX_TILES, Step};
use crate::tile::Code;

/// A lead from which the camp that is ahead hunts the other.
const LEAD: i32 = 100;
const BEHIND: i32 = 1 - LEAD;

/// With so few tiles left the hunt is on.
pub(crate) const HUNTERS: u8 = 10;

/// What the hunt adds to a lead; `near` is what each step nearer to the prey is worth.
pub(crate) fn worth(position: &Position, camps: &Camps, lead: i32, near: i32) -> i32 {
    let closing = near * hunting(position, camps, lead);
    match lead {
        LEAD.. => closing + penned(position, camps, true) + land(position, camps, true),
        BEHIND.. => closing,
        _ => closing - penned(position, camps, false) - land(position, camps, false),
    }
}

/// The least and the most that the hunt adds to a lead.
#[inline]
pub(crate) fn bounds(lead: i32, near: i32) -> (i32, i32) {
    let most = 16 * near + ROOM * PEN + CORNERS * LAND / 2;
    match lead {
        LEAD.. => (0, most),
        BEHIND.. => (0, 4 * near),
        _ => (-most, 0),
    }
}

/// How near the camp that is ahead is to its prey, positive if it is ours. With nothing between them the served player
/// still seeks the other a little.
pub(crate) fn hunting(position: &Position, camps: &Camps, lead: i32) -> i32 {
    match lead {
        LEAD.. => nearness(position, camps, true),
        BEHIND.. => nearness(position, camps, true) / 4,
        _ => -nearness(position, camps, false),
    }
}

/// So many tiles make the best of a lead; the fewer are left, the less it is worth: the last two tiles mostly tie.
const PACK: i32 = 4;

/// A lead as the camp that has it can use it.
#[inline]
pub(crate) fn pack(position: &Position, camps: &Camps, lead: i32) -> i32 {
    if lead.abs() < LEAD {
        return lead;
    }
    let ahead = position.players().sides().iter().filter(|side| camps.is_ours(**side) == (lead > 0));
    let left: i32 = ahead.map(|side| i32::from(position.count(*side))).sum();
    lead * left.min(PACK) / PACK
}

/// So many corners are room enough for the prey; each one less is worth so much to who hunts it.
const ROOM: i32 = 16;
const PEN: i32 = 20;

/// What it is worth to the hunters, ours or not, that the prey has little room: corners it can go to where none of them
/// could touch it next.
fn penned(position: &Position, camps: &Camps, ours: bool) -> i32 {
    let covered = position.coverages();
    let (mut watched, mut reach) = (Bits::NONE, Bits::NONE);
    for &side in position.players().sides() {
        if camps.is_ours(side) == ours {
            watched |= covered[side.index()].diagonals();
        } else {
            reach |= covered[side.index()];
        }
    }
    let room = (reach & !watched).len() as i32;
    PEN * (ROOM - room).max(0)
}

/// The corners of the board, and what every two that are no land of the prey's are worth to the hunters.
const CORNERS: i32 = 225;
const LAND: i32 = 5;

/// What it is worth to the hunters, ours or not, that the prey has little land: corners it can run to, one tile of it
/// with another, before a hunter can touch it there.
fn land(position: &Position, camps: &Camps, ours: bool) -> i32 {
    let watch = Watch::of(position, camps, ours);
    let (mut sum, mut tiles) = (0, 0);
    for (code, at) in position.codes().filter(|(code, _)| camps.is_ours(code.owner()) != ours) {
        sum += watch.land(position, code, at);
        tiles += 1;
    }
    LAND * (CORNERS - sum / tiles.max(1)) / 2
}

/// So many moves ahead the prey is followed.
const FAR: usize = 8;

/// The corners where the hunters could touch a tile with their first move, their second, and so on, each of them moving
/// every time: all hunters, and the ONE STEP tiles, which alone have corners of 5 and 6.
struct Watch {
    all: [Bits; FAR],
    ones: [Bits; FAR],
}

impl Watch {
    fn of(position: &Position, camps: &Camps, ours: bool) -> Self {
        let (mut ones, mut twos) = (Bits::NONE, Bits::NONE);
        let (mut first, mut first_ones) = (Bits::NONE, Bits::NONE);
        for &side in position.players().sides().iter().filter(|side| camps.is_ours(**side) == ours) {
            let own = position.of(side);
            let own_ones = own.without(position.two_steps());
            ones |= own_ones;
            twos |= own & position.two_steps();
            first |= position.coverage(side);
            first_ones |= own_ones.neighbours() & position.free(side);
        }
        ones |= ones.neighbours();
        twos |= twos.neighbours().neighbours();
        let mut watch = Self { all: [first.diagonals(); FAR], ones: [first_ones.diagonals(); FAR] };
        for (all, near) in watch.all.iter_mut().zip(&mut watch.ones).skip(1) {
            // A ONE STEP tile may wait while another moves; a TWO STEP tile never leaves its colour of the board.
            ones |= ones.neighbours();
            twos = twos.neighbours().neighbours();
            *near = ones.diagonals();
            *all = *near | twos.diagonals();
        }
        watch
    }

    /// How many corners a tile can run to before it could be touched there.
    fn land(&self, position: &Position, code: Code, at: Corner) -> i32 {
        let two_step = code.step() == Step::TwoStep;
        let free = position.free(code.owner());
        // Nothing but a 5 or a 6 removes a ONE STEP tile that is turned over.
        let watched = if code.turned() && !two_step { &self.ones } else { &self.all };
        let (mut edge, mut land) = (Bits::of(at), Bits::NONE);
        for watched in watched {
            let mut next = edge.neighbours() & free;
            if two_step {
                next = next.neighbours() & (free | edge);
            }
            edge = next.without(*watched);
            if edge.without(land).is_empty() {
                break;
            }
            land |= edge;
        }
        land.len() as i32
    }
}

/// Sixteen less the mean distance of a camp's tiles from the nearest of the other camp, and not less than nothing.
fn nearness(position: &Position, camps: &Camps, ours: bool) -> i32 {
    let mut corners = [(0, 0); MAX_TILES];
    // Hunters from the front, prey from the back.
    let (mut hunters, mut prey) = (0, MAX_TILES);
    for (code, at) in position.codes() {
        let place = (i32::from(at.x()), i32::from(at.y()));
        if camps.is_ours(code.owner()) == ours {
            corners[hunters] = place;
            hunters += 1;
        } else {
            prey -= 1;
            corners[prey] = place;
        }
    }
    if hunters == 0 || prey == MAX_TILES {
        return if hunters == 0 { 0 } else { 16 };
    }
    let mut sum = 0;
    for (x, y) in &corners[..hunters] {
        let steps = corners[prey..].iter().map(|(a, b)| (x - a).abs() + (y - b).abs());
        sum += steps.min().unwrap_or(0);
    }
    (16 - sum / hunters as i32).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Players, Side};
    use crate::set::Set;
    use table::Luck;

    #[test]
    fn the_hunt_adds_no_more_and_no_less_than_its_bounds_say() {
        for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
            let mut luck = Luck::new(players as u64);
            let mut position = Position::start(&Set::default(), "six", players).expect("a set-up");
            let camps = Camps::of(&position, Side::South);
            while position.over().is_none() {
                for lead in [-500, -100, -99, 0, 99, 100, 500] {
                    let (low, high) = bounds(lead, 10);
                    let worth = worth(&position, &camps, lead, 10);
                    assert!((low..=high).contains(&worth), "{position}: {worth} is not in {low} to {high}");
                }
                let moves = position.legal();
                position.make(*luck.pick(&moves).expect("somebody moves or passes"));
            }
        }
    }

    #[test]
    fn a_cornered_tile_has_less_land_than_one_in_the_open() {
        let land_of = |position: &str| {
            let position: Position = position.parse().expect("a position");
            land(&position, &Camps::of(&position, Side::South), true)
        };
        let open = "15/15/15/15/15/15/15/7Na7/15/15/15/15/15/15/6sasasa6 s two 0 -";
        let cornered = "Na14/15/15/3sa11/15/3sa11/15/5sa9/15/15/15/15/15/15/15 s two 0 -";
        assert!(land_of(cornered) > land_of(open));
    }
}
