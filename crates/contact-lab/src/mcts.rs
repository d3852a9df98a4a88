//! UCT: the foreign yardstick. It knows the rules, and nothing else of what the search and its evaluation know. Plain, it
//! plays every game to its end at random; quick, it counts the tiles after a short while, which makes it stronger where
//! playouts are few.

use contact::{Move, Position, Side, Step};
use table::Luck;

/// Short playouts stop after so many moves and are scored by the tiles left.
const SHORT: u32 = 24;
/// Plain ones go to the end of the game; where nothing ever ties it, to here.
const WHOLE: u32 = 5_000;
/// How much untried moves are favoured.
const EXPLORE: f64 = 0.8;

#[derive(Clone, Copy, Debug)]
struct Node {
    mv: Move,
    by: Side,
    visits: u32,
    won: f64,
    first_child: u32,
    children: u32,
}

/// A tree of moves and how they fared.
#[derive(Debug)]
pub struct Mcts {
    nodes: Vec<Node>,
    path: Vec<usize>,
    luck: Luck,
    /// So many moves long is a playout.
    length: u32,
}

impl Mcts {
    /// A player with its own seeded luck, and short playouts.
    pub fn quick(seed: u64) -> Self {
        Self { nodes: Vec::new(), path: Vec::new(), luck: Luck::new(seed), length: SHORT }
    }

    /// A player with its own seeded luck that plays every game to its end.
    pub fn plain(seed: u64) -> Self {
        Self { length: WHOLE, ..Self::quick(seed) }
    }

    /// The move tried most in so many playouts.
    pub fn think(&mut self, position: &Position, playouts: u64) -> Move {
        let root =
            Node { mv: Move::PASS, by: position.turn(), visits: 0, won: 0.0, first_child: 0, children: 0 };
        self.nodes.clear();
        self.nodes.push(root);
        for _ in 0..playouts {
            self.playout(position.clone());
        }
        let root = self.nodes[0];
        let children = &self.nodes[root.first_child as usize..(root.first_child + root.children) as usize];
        children.iter().max_by_key(|c| c.visits).map_or(Move::PASS, |c| c.mv)
    }

    fn playout(&mut self, mut position: Position) {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while position.over().is_none() {
            if self.nodes[at].children == 0 {
                // A leaf grows when it is met a second time.
                if self.nodes[at].visits == 0 && at != 0 {
                    break;
                }
                self.grow(at, &mut position);
            }
            at = self.choose(at);
            position.make(self.nodes[at].mv);
            self.path.push(at);
        }
        let share = self.roll(&mut position);
        for &node in &self.path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.won += share[node.by.index()];
        }
    }

    fn grow(&mut self, at: usize, position: &mut Position) {
        let by = position.turn();
        let moves = position.legal();
        self.nodes[at].first_child = self.nodes.len() as u32;
        self.nodes[at].children = moves.len() as u32;
        self.nodes.extend(moves.iter().map(|&mv| Node {
            mv,
            by,
            visits: 0,
            won: 0.0,
            first_child: 0,
            children: 0,
        }));
    }

    fn choose(&mut self, at: usize) -> usize {
        let node = self.nodes[at];
        let range = node.first_child as usize..(node.first_child + node.children) as usize;
        let log = f64::from(node.visits.max(1)).ln();
        let mut best = (f64::MIN, range.start);
        for i in range {
            let child = self.nodes[i];
            let worth = if child.visits == 0 {
                1e6 + self.luck.below(1 << 16) as f64
            } else {
                let visits = f64::from(child.visits);
                child.won / visits + EXPLORE * (log / visits).sqrt()
            };
            if worth > best.0 {
                best = (worth, i);
            }
        }
        best.1
    }

    /// Plays at random for a while; each side's share of the game, by the tiles left if it is not over.
    fn roll(&mut self, position: &mut Position) -> [f64; 4] {
        for _ in 0..self.length {
            if position.over().is_some() {
                break;
            }
            let moves = position.legal();
            position.make(moves[self.luck.below(moves.len() as u64) as usize]);
        }
        if let Some(over) = position.over() {
            let share = if over.is_tie() { 0.5 } else { 1.0 };
            return Side::ALL.map(|s| if over.sides >> s.index() & 1 != 0 { share } else { 0.0 });
        }
        let mut tiles = [0.0; 4];
        for tile in position.tiles() {
            let worth = if tile.step == Step::OneStep { 3.0 } else { 2.0 };
            for &side in position.players().sides() {
                if position.players().team(side) >> tile.owner.index() & 1 != 0 {
                    tiles[side.index()] += worth;
                }
            }
        }
        let all: f64 = position.tiles().map(|t| if t.step == Step::OneStep { 3.0 } else { 2.0 }).sum();
        tiles.map(|t| {
            // A lead of a few tiles is nearly a win.
            let lead = (2.0 * t - all) / 4.0;
            1.0 / (1.0 + (-lead).exp())
        })
    }
}
