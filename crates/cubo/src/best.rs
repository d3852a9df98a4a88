//! The best cubo of one hand, exactly, in microseconds and without any table.
//!
//! Four of the eight coloured dice lie at the corners, in one of 70 ways; the other four are two pairs of opposite edges,
//! in one of three, each pair making a row with the white die. The four corners part into two pairs in three ways. The top
//! and bottom row part them in one way and the left and right row in another: any two different ways fit together, and
//! each two opposite rows may choose the better of their two sides by themselves. So 210 cases with a handful of sums
//! each are all there is, and the white die comes in only at the very end: six hands cost hardly more than one.

use crate::{
    die::FACES,
    hand::{COLOURED, Hand},
    score::{Straights, Worth},
    square::Square,
};

/// Which dice of the hand lie at the corners and which on the edges.
struct Split {
    corners: [u8; 4],
    edges: [u8; 4],
}

/// Two opposite edges each way, as dice of the hand.
#[derive(Clone, Copy)]
struct Edges {
    across: [u8; 2],
    down: [u8; 2],
}

/// The three ways to part four things into two pairs.
const PARTINGS: [[[usize; 2]; 2]; 3] = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/// All ways to choose four corners from eight dice.
static SPLITS: [Split; 70] = {
    let mut splits = [const { Split { corners: [0; 4], edges: [0; 4] } }; 70];
    let (mut choice, mut n) = (0_u32, 0);
    while choice < 1 << COLOURED {
        if choice.count_ones() == 4 {
            let (mut die, mut corners, mut edges) = (0, 0, 0);
            while die < COLOURED {
                if choice >> die & 1 == 1 {
                    splits[n].corners[corners] = die as u8;
                    corners += 1;
                } else {
                    splits[n].edges[edges] = die as u8;
                    edges += 1;
                }
                die += 1;
            }
            n += 1;
        }
        choice += 1;
    }
    splits
};

/// Points by the face of the white die.
pub(crate) type ByWhite = [u8; FACES as usize];

impl Hand {
    /// The best cubo of this hand, found by search.
    #[must_use]
    pub fn best(&self, straights: Straights) -> Square {
        let white = usize::from(self.white());
        let mut best: Option<(u8, [u8; 4], Edges)> = None;
        Rows::of(*self.kinds(), straights).each(|corners, edges, points| {
            if best.is_none_or(|(most, ..)| points[white] > most) {
                best = Some((points[white], corners, edges));
            }
        });
        let (_, corners, edges) = best.expect("there are 210 cases");
        self.lay(straights, corners, edges)
    }

    /// What the best cubo of this hand is worth, found by search.
    #[must_use]
    pub fn best_points(&self, straights: Straights) -> u8 {
        best_points(*self.kinds(), straights)[usize::from(self.white())]
    }

    /// Lays these edges, with these corners in the best of their orders.
    fn lay(&self, straights: Straights, corners: [u8; 4], edges: Edges) -> Square {
        let kind = |die: u8| self.kinds()[usize::from(die)];
        let ([left, right], [top, bottom]) = (edges.across.map(kind), edges.down.map(kind));
        let cubos = orders().map(|order| {
            let [a, c, f, h] = order.map(|i| kind(corners[i]));
            Square::of_kinds([a, top, c, left, right, f, bottom, h], self.white())
        });
        cubos.max_by_key(|cubo| cubo.points(straights)).expect("four corners have 24 orders")
    }
}

/// What the best cubos of eight coloured dice are worth, round each white die.
pub(crate) fn best_points(kinds: [u8; COLOURED], straights: Straights) -> ByWhite {
    let mut best = [0; FACES as usize];
    Rows::of(kinds, straights).each(|_, _, points| {
        for (best, points) in best.iter_mut().zip(points) {
            *best = points.max(*best);
        }
    });
    best
}

/// The 24 orders of four things.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    let pairs = (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b);
    pairs.flat_map(|(a, b)| {
        let mut rest = (0..4).filter(|&i| i != a && i != b);
        let (c, d) = (rest.next().unwrap_or(0), rest.next().unwrap_or(0));
        [[a, b, c, d], [a, b, d, c]]
    })
}

/// What every row is worth that can be laid of eight coloured dice.
struct Rows {
    /// `[x][y]`: the outer rows with the dice x < y at the corners, by the die on the edge.
    outer: [[[u8; COLOURED]; COLOURED]; COLOURED],
    /// `[x][y]`: the rows with the dice x < y at the ends, by the white die.
    through: [[ByWhite; COLOURED]; COLOURED],
}

impl Rows {
    fn of(kinds: [u8; COLOURED], straights: Straights) -> Self {
        const WHITE: usize = 2 * FACES as usize;
        let worth = Worth::of(straights);
        let mut rows = Self {
            outer: [[[0; COLOURED]; COLOURED]; COLOURED],
            through: [[[0; FACES as usize]; COLOURED]; COLOURED],
        };
        for x in 0..COLOURED {
            for y in x + 1..COLOURED {
                let middles = worth.between(kinds[x], kinds[y]);
                rows.outer[x][y] = kinds.map(|kind| middles[usize::from(kind)]);
                rows.through[x][y].copy_from_slice(&middles[WHITE..WHITE + FACES as usize]);
            }
        }
        rows
    }

    /// Shows every choice of corners and edges, with the points of its best cubo round each white die.
    #[inline]
    fn each(&self, mut show: impl FnMut([u8; 4], Edges, ByWhite)) {
        for Split { corners, edges } in &SPLITS {
            for [across, down] in PARTINGS {
                let edges = Edges { across: across.map(|i| edges[i]), down: down.map(|i| edges[i]) };
                let outer = self.outer_rows(*corners, edges);
                let [one, other] = [edges.across, edges.down].map(|pair| {
                    let [x, y] = pair.map(usize::from);
                    &self.through[x][y]
                });
                show(*corners, edges, std::array::from_fn(|white| outer + one[white] + other[white]));
            }
        }
    }

    /// The most that the four outer rows can bring together.
    #[inline]
    fn outer_rows(&self, corners: [u8; 4], edges: Edges) -> u8 {
        let [a, b, c] = self.opposite_rows(corners, edges.across);
        let [d, e, f] = self.opposite_rows(corners, edges.down);
        (a + e.max(f)).max(b + d.max(f)).max(c + d.max(e))
    }

    /// The most that two opposite outer rows with these edges bring, for each parting of the corners.
    #[inline]
    fn opposite_rows(&self, corners: [u8; 4], pair: [u8; 2]) -> [u8; 3] {
        let [one, other] = pair.map(usize::from);
        PARTINGS.map(|pairs| {
            let [p, q] = pairs.map(|pair| {
                let [x, y] = pair.map(|i| usize::from(corners[i]));
                &self.outer[x][y]
            });
            (p[one] + q[other]).max(q[one] + p[other])
        })
    }
}
