//! The layout as a drawing: where each of the 136 spots lies, which spot is under a finger, and which is next.
//!
//! The measure is a square of 60 a number. Chips lie squarely on a number, on the edge of two, on the corner of four; the
//! outer bets have boxes of their own, as on the sheet (DR-S3).

use roulette::{Set, Side, Spot};

/// The side of a numbered square.
pub(super) const CELL: f64 = 60.0;
/// The left edge of the grid, and the right one.
pub(super) const LEFT: f64 = 78.0;
const RIGHT: f64 = LEFT + 6.0 * CELL;
/// The top edge of the grid, and the bottom one.
pub(super) const TOP: f64 = 54.0;
const BOTTOM: f64 = TOP + 6.0 * CELL;
/// The drawing as a whole.
pub(super) const WIDTH: f64 = RIGHT + LEFT;
/// The drawing as a whole.
pub(super) const HEIGHT: f64 = BOTTOM + 54.0;
/// The white rim.
const RIM: f64 = 6.0;
/// How near to a line of the grid a chip lies on it, as a part of a square.
const NEAR: f64 = 0.25;

/// A rectangle: left, top, width, height.
pub(super) type Rect = (f64, f64, f64, f64);

/// The box of an outer bet: a run of six, a dozen, an even chance.
pub(super) fn outer(spot: Spot, set: &Set) -> Option<Rect> {
    let third = 2.0 * CELL;
    Some(match spot {
        Spot::Dozen(dozen) => (LEFT + f64::from(dozen - 1) * third, RIM, third, TOP - RIM),
        Spot::Run(..) => {
            let at = runs_by_column(set).iter().position(|run| *run == spot)?;
            (LEFT + at as f64 * CELL, BOTTOM, CELL, HEIGHT - BOTTOM - RIM)
        }
        Spot::Half(side) => {
            let (x, at) = match side {
                Side::Low => (RIM, 0.0),
                Side::Black => (RIM, 1.0),
                Side::Even => (RIM, 2.0),
                Side::High => (RIGHT, 0.0),
                Side::Red => (RIGHT, 1.0),
                Side::Odd => (RIGHT, 2.0),
            };
            (x, TOP + at * third, LEFT - RIM, third)
        }
        Spot::Number(_) | Spot::Pair(_) | Spot::Four(_) => return None,
    })
}

/// The runs of six in the order in which they stand under the grid.
pub(super) fn runs_by_column(set: &Set) -> [Spot; 6] {
    set.runs().map(|(first, last)| Spot::Run(first, last))
}

/// Where the chips of a spot lie.
pub(super) fn place(spot: Spot, set: &Set) -> Option<(f64, f64)> {
    if let Some((x, y, wide, high)) = outer(spot, set) {
        return Some((x + wide / 2.0, y + high / 2.0));
    }
    let numbers = spot.numbers();
    let (mut x, mut y) = (0.0, 0.0);
    for number in &numbers {
        let (row, column) = square_of(*number, set)?;
        x += LEFT + (column as f64 + 0.5) * CELL;
        y += TOP + (row as f64 + 0.5) * CELL;
    }
    let count = numbers.len().max(1) as f64;
    Some((x / count, y / count))
}

fn square_of(number: u8, set: &Set) -> Option<(usize, usize)> {
    let grid = set.grid();
    (0..36).map(|at| (at / 6, at % 6)).find(|&(row, column)| grid[row][column] == number)
}

/// The spot under a point of the drawing.
pub(super) fn spot_at(x: f64, y: f64, set: &Set) -> Option<Spot> {
    if (LEFT..RIGHT).contains(&x) && (TOP..BOTTOM).contains(&y) {
        return Some(inner(half((x - LEFT) / CELL), half((y - TOP) / CELL), set));
    }
    outers(set).into_iter().find(|&spot| {
        outer(spot, set).is_some_and(|(left, top, wide, high)| {
            (left..left + wide).contains(&x) && (top..top + high).contains(&y)
        })
    })
}

/// The outer bets.
pub(super) fn outers(set: &Set) -> Vec<Spot> {
    let dozens = (1..=3).map(Spot::Dozen);
    dozens.chain(runs_by_column(set)).chain(Side::ALL.map(Spot::Half)).collect()
}

/// A coordinate in squares to half squares: even in a square, odd on the line between two.
fn half(at: f64) -> usize {
    let (whole, part) = (at.floor().clamp(0.0, 5.0), at.fract());
    let square = whole as usize * 2;
    match part {
        part if part < NEAR && square > 0 => square - 1,
        part if part > 1.0 - NEAR && square < 10 => square + 1,
        _ => square,
    }
}

/// The spot on the lattice of half squares, 0 to 10 both ways: a number, a pair or a four.
fn inner(column: usize, row: usize, set: &Set) -> Spot {
    let grid = set.grid();
    let (c, r) = (column / 2, row / 2);
    match (column % 2, row % 2) {
        (0, 0) => Spot::Number(grid[r][c]),
        (1, 0) => Spot::pair(grid[r][c], grid[r][c + 1]),
        (0, 1) => Spot::pair(grid[r][c], grid[r + 1][c]),
        _ => Spot::four([grid[r][c], grid[r][c + 1], grid[r + 1][c], grid[r + 1][c + 1]]),
    }
}

/// The spot that an arrow key leads to: half a square within the grid, and out of it to the boxes round it.
pub(super) fn step(from: Spot, (dx, dy): (i32, i32), set: &Set) -> Spot {
    let Some((x, y)) = place(from, set) else { return from };
    let (dx, dy) = (f64::from(dx), f64::from(dy));
    let reach = match outer(from, set) {
        // From a box: to its neighbour, or half a square into the grid.
        Some((_, _, wide, high)) => (wide / 2.0 + CELL / 4.0, high / 2.0 + CELL / 4.0),
        None => (CELL / 2.0, CELL / 2.0),
    };
    // Under the middle of a dozen runs a line of the grid; a step off it lands in a square.
    let off_line = if outer(from, set).is_some() && dy != 0.0 {
        1.0 - CELL / 2.0 * f64::from(u8::from(matches!(from, Spot::Dozen(_))))
    } else {
        0.0
    };
    // A step from the rim of the grid falls short of the boxes around it: then a longer one.
    let landed = |far: f64| spot_at(x + dx * reach.0 * far + off_line, y + dy * reach.1 * far, set);
    [1.0, 1.5, 2.0].into_iter().filter_map(landed).find(|&to| to != from).unwrap_or(from)
}

/// A spot in words, for a label and a screen reader.
pub(super) fn words(spot: Spot, set: &Set) -> String {
    match spot {
        Spot::Number(number) => {
            let red = set.throw_of(number).is_some_and(|throw| set.is_red(throw));
            format!("{number}, {}", if red { "red" } else { "black" })
        }
        Spot::Pair([a, b]) => format!("between {a} and {b}"),
        Spot::Four([a, b, c, d]) => format!("corner of {a}, {b}, {c} and {d}"),
        Spot::Run(first, last) => format!("run {first} to {last}"),
        Spot::Dozen(1) => "first twelve".to_owned(),
        Spot::Dozen(2) => "second twelve".to_owned(),
        Spot::Dozen(_) => "third twelve".to_owned(),
        Spot::Half(Side::Low) => "1 to 26".to_owned(),
        Spot::Half(Side::High) => "31 to 56".to_owned(),
        Spot::Half(side) => side.name().to_owned(),
    }
}

/// What a spot pays.
pub(super) fn pays(spot: Spot, set: &Set) -> u32 {
    set.bet(spot).map_or(0, |bet| set.pays(bet))
}

#[cfg(test)]
mod tests {
    use super::*;
    use roulette::Bet;
    use std::collections::BTreeSet;

    #[test]
    fn every_one_of_the_136_spots_is_under_a_finger_where_its_chips_lie() {
        let set = Set::standard();
        for bet in Bet::all() {
            let spot = set.spot(bet);
            let (x, y) = place(spot, &set).unwrap();
            assert_eq!(spot_at(x, y, &set), Some(spot), "{spot}");
        }
    }

    #[test]
    fn a_finger_of_a_quarter_of_a_square_still_finds_every_edge_and_corner() {
        let set = Set::standard();
        for bet in Bet::all() {
            let spot = set.spot(bet);
            let (x, y) = place(spot, &set).unwrap();
            let off = CELL * (NEAR - 0.02);
            assert_eq!(spot_at(x + off, y - off, &set), Some(spot), "{spot}");
        }
    }

    #[test]
    fn arrow_keys_reach_every_spot() {
        let set = Set::standard();
        let mut seen = BTreeSet::from([Spot::Number(1)]);
        let mut waiting = vec![Spot::Number(1)];
        while let Some(from) = waiting.pop() {
            for way in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let to = step(from, way, &set);
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        let all: BTreeSet<Spot> = Bet::all().map(|bet| set.spot(bet)).collect();
        assert_eq!(all.difference(&seen).map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn outside_the_layout_there_is_no_spot() {
        let set = Set::standard();
        for (x, y) in [(-1.0, 10.0), (2.0, 2.0), (LEFT - 2.0, HEIGHT - 8.0), (WIDTH + 3.0, 100.0)] {
            assert_eq!(spot_at(x, y, &set), None);
        }
    }
}
