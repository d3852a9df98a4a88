//! The hunt: with few tiles left, a lead is won only by who catches the rest. Who hunts and how keenly, how near the
//! hunters are, and how little room and land they leave the prey.

use super::eval::Camps;
use crate::bits::Bits;
use crate::board::Corner;
use crate::position::Position;
use crate::set::{MAX_TILES, Step};
use crate::tile::Code;

/// With so few tiles left the hunt is on.
pub(crate) const HUNTERS: u8 = 10;

/// A lead from which a hunt counts in full; a smaller one counts it in part. Where it began all at once, it was worth a
/// tile to begin it, and tiles were given away for it.
const FULL: i32 = 200;

/// With no hunt on, the served player still seeks the other, for so small a part of the nearness.
const SEEKING: i32 = 4;

/// How keenly a camp hunts, from nothing to `FULL`, and below nothing where we are the prey. Only who has more tiles
/// hunts: a lead of lines and turned tiles catches nobody.
#[inline]
pub(crate) fn keenness(position: &Position, camps: &Camps, lead: i32) -> i32 {
    let sides = position.players().sides().iter();
    let more: i32 = sides.map(|side| camps.factor[side.index()] * i32::from(position.count(*side))).sum();
    match more.signum() {
        1 => lead.clamp(0, FULL),
        -1 => lead.clamp(-FULL, 0),
        _ => 0,
    }
}

/// What the hunt adds to a lead; `near` is what each step nearer to the prey is worth.
pub(crate) fn worth(position: &Position, camps: &Camps, keen: i32, near: i32) -> i32 {
    if keen == 0 {
        return if camps.driven { near * nearness(position, camps, true) / SEEKING } else { 0 };
    }
    let ours = keen > 0;
    let caught = penned(position, camps, ours) + land(position, camps, ours);
    (near * nearness(position, camps, ours) + caught) * keen / FULL
}

/// The least and the most that the hunt adds to a lead.
#[inline]
pub(crate) fn bounds(keen: i32, near: i32) -> (i32, i32) {
    if keen == 0 {
        return (0, 16 * near / SEEKING);
    }
    let most = (16 * near + ROOM * PEN + CORNERS * LAND / 2) * keen / FULL;
    (most.min(0), most.max(0))
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

/// The tiles of a camp and those of all others, apart.
struct Field {
    /// Hunters from the front, prey from the back.
    tiles: [(Code, Corner); MAX_TILES],
    hunters: usize,
    prey: usize,
}

impl Field {
    #[inline]
    fn of(position: &Position, camps: &Camps, ours: bool) -> Self {
        let empty = (Code::default(), Corner::from_index(0x11));
        let mut field = Self { tiles: [empty; MAX_TILES], hunters: 0, prey: MAX_TILES };
        for tile in position.codes() {
            if camps.is_ours(tile.0.owner()) == ours {
                field.tiles[field.hunters] = tile;
                field.hunters += 1;
            } else {
                field.prey -= 1;
                field.tiles[field.prey] = tile;
            }
        }
        field
    }

    /// Each hunter, and how far apart it is from each of the prey along the lines of the board, both ways.
    #[inline]
    fn apart(&self) -> impl Iterator<Item = ((Code, Corner), impl Iterator<Item = (i32, i32)> + '_)> + '_ {
        self.tiles[..self.hunters].iter().map(|&hunter| {
            let (x, y) = (i32::from(hunter.1.x()), i32::from(hunter.1.y()));
            let place = move |at: Corner| ((x - i32::from(at.x())).abs(), (y - i32::from(at.y())).abs());
            (hunter, self.tiles[self.prey..].iter().map(move |&(_, at)| place(at)))
        })
    }
}

/// More moves than lie between any two corners of the board.
const FARTHEST: i32 = 60;

/// The fewest moves in which a camp, ours or not, could touch another's tile or turn over one of its own if nothing
/// were in the way and everybody else waited. Until then all moves are quiet. Once it is known to be no more than
/// `enough`, nobody looks for fewer.
#[inline]
pub(crate) fn way(position: &Position, camps: &Camps, ours: bool, enough: i32) -> i32 {
    let field = Field::of(position, camps, ours);
    let mut least = FARTHEST;
    for ((code, at), apart) in field.apart() {
        let touch = apart.map(|(x, y)| (x - 1).abs() + (y - 1).abs()).min();
        let turn = (!code.turned()).then(|| 15 - i32::from(code.owner().line_of(at)));
        let Some(steps) = touch.into_iter().chain(turn).min() else { continue };
        least = least.min(if code.step() == Step::TwoStep { (steps + 1) / 2 } else { steps });
        if least <= enough {
            break;
        }
    }
    least.max(1)
}

/// Sixteen less the mean distance of a camp's tiles from the nearest of the other camp, and not less than nothing.
fn nearness(position: &Position, camps: &Camps, ours: bool) -> i32 {
    let field = Field::of(position, camps, ours);
    if field.hunters == 0 || field.prey == MAX_TILES {
        return if field.hunters == 0 { 0 } else { 16 };
    }
    let sum: i32 = field.apart().filter_map(|(_, apart)| apart.map(|(x, y)| x + y).min()).sum();
    (16 - sum / field.hunters as i32).max(0)
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
                for keen in [-FULL, -100, -1, 0, 1, 100, FULL] {
                    let (low, high) = bounds(keen, 10);
                    let worth = worth(&position, &camps, keen, 10);
                    assert!((low..=high).contains(&worth), "{position}: {worth} is not in {low} to {high}");
                }
                let moves = position.legal();
                position.make(*luck.pick(&moves).expect("somebody moves or passes"));
            }
        }
    }

    #[test]
    fn a_hunt_grows_with_the_lead_of_who_has_more_tiles() {
        let keen = |position: &str, lead: i32| {
            let position: Position = position.parse().expect("a position");
            keenness(&position, &Camps::of(&position, Side::South), lead)
        };
        let even = "15/15/15/7Na7/7na7/15/15/15/15/15/15/15/15/7sa7/7Sa7 s two 0 -";
        let ahead = "15/15/15/7Na7/15/15/15/15/15/15/15/15/15/7sa7/7Sa7 s two 0 -";
        for lead in [-500, -1, 0, 1, 500] {
            assert_eq!(keen(even, lead), 0, "nobody has more, so nobody hunts");
        }
        assert_eq!([-300, 0, 1, 150, 900].map(|lead| keen(ahead, lead)), [0, 0, 1, 150, FULL]);
        // The prey is as much afraid as the hunter is keen.
        let position: Position = ahead.parse().expect("a position");
        let prey = Camps::of(&position, Side::North);
        assert_eq!([300, -1, -150, -900].map(|lead| keenness(&position, &prey, lead)), [0, -1, -150, -FULL]);
    }

    #[test]
    fn the_way_is_to_a_contact_or_to_a_ringed_spot() {
        let way = |position: &str, ours: bool| {
            let position: Position = position.parse().expect("a position");
            way(&position, &Camps::of(&position, Side::South), ours, 0)
        };
        // Eleven lines and one column apart: ten steps, and no sideways one; fourteen to the far line.
        let apart = "15/15/15/7nana6/15/15/15/15/15/15/15/15/15/15/6sa8 s two 0 -";
        assert_eq!((way(apart, true), way(apart, false)), (10, 10));
        let quick = "15/15/15/7nana6/15/15/15/15/15/15/15/15/15/15/6Sa8 s two 0 -";
        assert_eq!((way(quick, true), way(quick, false)), (5, 10));
        // Turned over already, it has no spot to go to; else it is two lines from one.
        let spot = "15/15/6sa8/15/15/15/15/15/15/15/15/15/15/15/13nana s two 0 -";
        let turned = "15/15/6sa+8/15/15/15/15/15/15/15/15/15/15/15/13nana s two 0 -";
        assert_eq!((way(spot, true), way(turned, true)), (2, 17));
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
