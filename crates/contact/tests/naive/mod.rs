//! A second Contact, written from the rules alone and as plainly as possible: tiles in a list, corners as pairs of
//! numbers, paths walked one by one. It shares no code with the crate; texts are the only bridge.

use std::collections::{BTreeMap, BTreeSet};

/// South, West, North, East are 0, 1, 2, 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tile {
    pub(crate) owner: usize,
    pub(crate) two_step: bool,
    pub(crate) turned: bool,
    pub(crate) spins: u32,
    pub(crate) at: (i32, i32),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Naive {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) turn: usize,
    pub(crate) seated: Vec<usize>,
    pub(crate) partners: bool,
    pub(crate) quiet: u32,
    /// Turns of a last pair so far, and whether it moves by seven steps.
    pub(crate) pair: Option<(u32, bool)>,
    pub(crate) result: Option<String>,
    pub(crate) seen: Vec<String>,
    pub(crate) repetition: bool,
    /// Whether the count decides.
    pub(crate) count: bool,
}

pub(crate) type At = (i32, i32);
pub(crate) type Ends = (At, At);

const WAYS: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const NAMES: [&str; 4] = ["south", "west", "north", "east"];

impl Tile {
    /// The figure at a corner: 0 north-west, 1 north-east, 2 south-east, 3 south-west.
    fn figure(&self, corner: u32) -> i32 {
        match (self.turned, self.two_step) {
            (true, true) => 4,
            (true, false) => 5,
            (false, two_step) => {
                let mut around = if two_step { vec![1, 2, 3, 4] } else { vec![3, 4, 5, 6] };
                for _ in 0..self.spins {
                    let last = around.pop().unwrap();
                    around.insert(0, last);
                }
                around[corner as usize]
            }
        }
    }
}

impl Naive {
    pub(crate) fn set_up(twelve: bool, players: &str) -> Naive {
        let seated = match players {
            "two" => vec![0, 2],
            "three" => vec![0, 1, 2],
            _ => vec![0, 1, 2, 3],
        };
        let mut tiles = Vec::new();
        for &owner in &seated {
            let (twos, ones) = if twelve { (6..=10, 5..=11) } else { (7..=9, 7..=9) };
            let rows = twos.map(|p| (true, 1, p)).chain(ones.map(|p| (false, 2, p)));
            for (two_step, line, place) in rows {
                let at = match owner {
                    0 => (place, line),
                    1 => (line, place),
                    2 => (place, 16 - line),
                    _ => (16 - line, place),
                };
                // Front left is north-west for South, then it goes round with the seats.
                tiles.push(Tile { owner, two_step, turned: false, spins: owner as u32, at });
            }
        }
        let mut game = Naive {
            tiles,
            turn: 0,
            seated,
            partners: players == "partners",
            quiet: 0,
            pair: None,
            result: None,
            seen: Vec::new(),
            repetition: true,
            count: false,
        };
        game.seen.push(game.picture());
        game
    }

    fn friends(&self, a: usize, b: usize) -> bool {
        a == b || (self.partners && (a + 2) % 4 == b)
    }

    fn tile_at(&self, at: (i32, i32)) -> Option<&Tile> {
        self.tiles.iter().find(|t| t.at == at)
    }

    /// May the tile stand there, at the end of a step or in passing?
    fn may_stand(&self, tile: &Tile, at: (i32, i32)) -> bool {
        if at.0 < 1 || at.0 > 15 || at.1 < 1 || at.1 > 15 {
            return false;
        }
        for other in self.tiles.iter().filter(|t| t.at != tile.at) {
            let distance = (other.at.0 - at.0).abs() + (other.at.1 - at.1).abs();
            if distance == 0 || (distance == 1 && !self.friends(tile.owner, other.owner)) {
                return false;
            }
        }
        true
    }

    fn ends(&self, tile: &Tile) -> BTreeSet<(i32, i32)> {
        let steps = if self.pair.is_some_and(|p| p.1) {
            7
        } else if tile.two_step {
            2
        } else {
            1
        };
        let mut at = BTreeSet::from([tile.at]);
        for _ in 0..steps {
            let mut next = BTreeSet::new();
            for corner in at {
                for way in WAYS {
                    let to = (corner.0 + way.0, corner.1 + way.1);
                    if self.may_stand(tile, to) {
                        next.insert(to);
                    }
                }
            }
            at = next;
        }
        at
    }

    /// The tiles (by where they stand, the moved one by where it goes) that are removed when `tile` ends on `to`.
    fn removals(&self, tile: &Tile, to: (i32, i32)) -> BTreeSet<(i32, i32)> {
        let mut moved = *tile;
        moved.at = to;
        moved.spins = (moved.spins + 1) % 4;
        // (their tiles, my sum, their sum) by opponent; partners are one opponent.
        let mut contacts: BTreeMap<usize, (Vec<At>, i32, i32)> = BTreeMap::new();
        let corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)];
        for (corner, way) in (0..4).zip(corners) {
            let there = (to.0 + way.0, to.1 + way.1);
            let Some(other) = self.tile_at(there) else { continue };
            if there == tile.at || self.friends(tile.owner, other.owner) {
                continue;
            }
            let opponent = if self.partners { other.owner % 2 } else { other.owner };
            let entry = contacts.entry(opponent).or_default();
            entry.0.push(there);
            entry.1 += moved.figure(corner);
            entry.2 += other.figure((corner + 2) % 4);
        }
        let mut gone = BTreeSet::new();
        for (theirs, my_sum, their_sum) in contacts.into_values() {
            if my_sum <= their_sum {
                gone.insert(to);
            }
            if their_sum <= my_sum {
                gone.extend(theirs);
            }
        }
        gone
    }

    /// Where the tiles of `owner` stand that an opponent could remove by one move.
    fn in_danger(&self, owner: usize) -> BTreeSet<(i32, i32)> {
        let mut danger = BTreeSet::new();
        for foe in self.tiles.iter().filter(|t| !self.friends(t.owner, owner)) {
            for to in self.ends(foe) {
                for gone in self.removals(foe, to) {
                    if gone != to && self.tile_at(gone).is_some_and(|t| t.owner == owner) {
                        danger.insert(gone);
                    }
                }
            }
        }
        danger
    }

    pub(crate) fn moves(&self) -> BTreeSet<Ends> {
        let mut moves = BTreeSet::new();
        if self.result.is_some() {
            return moves;
        }
        for tile in &self.tiles {
            if tile.owner == self.turn {
                moves.extend(self.ends(tile).into_iter().map(|to| (tile.at, to)));
            } else if self.friends(tile.owner, self.turn) {
                let before = self.in_danger(tile.owner);
                for to in self.ends(tile) {
                    let gone = self.removals(tile, to);
                    let takes = gone.iter().any(|&g| g != to);
                    let mut after = self.clone();
                    after.shift(tile.at, to);
                    let danger = after.in_danger(tile.owner);
                    let saves = before.iter().any(|&b| {
                        let now = if b == tile.at { to } else { b };
                        after.tile_at(now).is_some() && !danger.contains(&now)
                    });
                    if takes || saves {
                        moves.insert((tile.at, to));
                    }
                }
            }
        }
        moves
    }

    /// Moves, spins, removes, turns over, and sees whether a pair is left and how it moves.
    fn shift(&mut self, from: (i32, i32), to: (i32, i32)) {
        let tile = *self.tile_at(from).unwrap();
        let gone = self.removals(&tile, to);
        for t in &mut self.tiles {
            if t.at == from {
                t.at = to;
                t.spins = (t.spins + 1) % 4;
            }
        }
        self.tiles.retain(|t| !gone.contains(&t.at));
        if !gone.is_empty() {
            self.quiet = 0;
        }
        if let Some(t) = self.tiles.iter_mut().find(|t| t.at == to) {
            let (along, far) = match t.owner {
                0 => (to.0, to.1 == 15),
                1 => (to.1, to.0 == 15),
                2 => (to.0, to.1 == 1),
                _ => (to.1, to.0 == 1),
            };
            if far && (5..=11).contains(&along) && !t.turned {
                t.turned = true;
                self.quiet = 0;
            }
        }
        self.look_for_pair();
    }

    pub(crate) fn look_for_pair(&mut self) {
        if let [a, b] = self.tiles[..]
            && !self.friends(a.owner, b.owner)
            && self.pair.is_none()
        {
            let same = a.two_step == b.two_step;
            self.pair = Some((0, same && !a.turned && !b.turned));
        }
    }

    fn name_all(&self, sides: impl Iterator<Item = usize>) -> String {
        let mut all: BTreeSet<usize> = sides.collect();
        if self.partners {
            for side in all.clone() {
                all.insert((side + 2) % 4);
            }
        }
        all.into_iter().map(|s| NAMES[s]).collect::<Vec<_>>().join(" ")
    }

    /// A finished game by what stands on the board alone.
    pub(crate) fn judge_board(&mut self, before: &[Tile]) {
        let owners: BTreeSet<usize> = self.tiles.iter().map(|t| t.owner).collect();
        let Some(&first) = owners.first() else {
            self.result = Some(format!("tie {}", self.name_all(before.iter().map(|t| t.owner))));
            return;
        };
        if owners.iter().all(|&o| self.friends(o, first)) {
            self.result = Some(format!("{} wins", self.name_all(std::iter::once(first))));
        } else if let [a, b] = self.tiles[..]
            && a.turned
            && b.turned
            && a.two_step == b.two_step
        {
            self.result = Some(format!("tie {}", self.name_all(owners.into_iter())));
        }
    }

    fn is_in(&self, side: usize) -> bool {
        self.seated.contains(&side) && self.tiles.iter().any(|t| self.friends(t.owner, side))
    }

    pub(crate) fn play(&mut self, ends: Option<Ends>) {
        let before = self.tiles.clone();
        let pair_before = self.pair;
        self.quiet += 1;
        if let Some((from, to)) = ends {
            self.shift(from, to);
        }
        self.judge_board(&before);
        let owners: Vec<usize> = self.tiles.iter().map(|t| t.owner).collect();
        let tie = format!("tie {}", self.name_all(owners.into_iter()));
        if self.result.is_none()
            && let (Some(_), Some((turns, seven))) = (pair_before, self.pair)
        {
            self.pair = Some((turns + 1, seven));
            let in_play = (0..4).filter(|&s| self.is_in(s)).count() as u32;
            if turns + 1 == 10 * in_play {
                self.result = Some(tie.clone());
            }
        }
        if self.result.is_some() {
            return;
        }
        loop {
            self.turn = (self.turn + 1) % 4;
            if self.is_in(self.turn) {
                break;
            }
        }
        self.seen.push(self.picture());
        let times = self.seen.iter().filter(|s| *s == self.seen.last().unwrap()).count();
        let in_play = (0..4).filter(|&s| self.is_in(s)).count() as u32;
        if self.repetition && (times >= 3 || self.quiet >= 30 * in_play) {
            self.result = Some(if self.count { self.by_the_count() } else { tie });
        }
    }

    fn by_the_count(&self) -> String {
        let mut has = [(0, 0); 4];
        for (side, (tiles, figures)) in has.iter_mut().enumerate() {
            for tile in self.tiles.iter().filter(|t| self.friends(t.owner, side)) {
                *tiles += 1;
                *figures += (0..4).map(|corner| tile.figure(corner)).sum::<i32>();
            }
        }
        let most = has.iter().max().copied().unwrap();
        let ahead: Vec<usize> = (0..4).filter(|&side| has[side] == most).collect();
        let won = ahead.iter().all(|&side| self.friends(side, ahead[0]));
        let names = self.name_all(ahead.into_iter());
        if won { format!("{names} wins") } else { format!("tie {names}") }
    }

    /// Tiles, faces, spins as far as they can be seen, and the player to move.
    fn picture(&self) -> String {
        let mut tiles = self.tiles.clone();
        tiles.iter_mut().filter(|t| t.turned).for_each(|t| t.spins = 0);
        tiles.sort();
        format!("{tiles:?} {}", self.turn)
    }

    /// The position text, as docs/notation.md describes it.
    pub(crate) fn text(&self) -> String {
        let mut rows = Vec::new();
        for y in (1..=15).rev() {
            let mut row = String::new();
            let mut gap = 0;
            for x in 1..=16 {
                let tile = self.tile_at((x, y));
                if (tile.is_some() || x == 16) && gap > 0 {
                    row += &gap.to_string();
                    gap = 0;
                }
                match tile {
                    None => gap += 1,
                    Some(t) => {
                        let letter = NAMES[t.owner].chars().next().unwrap();
                        row.push(if t.two_step { letter.to_ascii_uppercase() } else { letter });
                        row.push(['a', 'b', 'c', 'd'][t.spins as usize]);
                        if t.turned {
                            row.push('+');
                        }
                    }
                }
            }
            rows.push(row);
        }
        let players = match (self.seated.len(), self.partners) {
            (2, _) => "two",
            (3, _) => "three",
            (_, false) => "four",
            (_, true) => "partners",
        };
        let pair = match self.pair {
            Some((n, seven)) if self.result.is_none() => {
                format!("{}:{n}", if seven { "seven" } else { "steps" })
            }
            _ => "-".to_owned(),
        };
        let turn = NAMES[self.turn].chars().next().unwrap();
        format!("{} {turn} {players} {} {pair}", rows.join("/"), self.quiet)
    }
}

pub(crate) fn move_text(ends: Ends) -> String {
    let corner = |(x, y): (i32, i32)| format!("{}{y}", (b'a' + x as u8 - 1) as char);
    format!("{}-{}", corner(ends.0), corner(ends.1))
}

pub(crate) fn perft(game: &Naive, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.result.is_some() {
        return 0;
    }
    let moves = game.moves();
    let passes = if moves.is_empty() { vec![None] } else { moves.into_iter().map(Some).collect() };
    if depth == 1 {
        return passes.len() as u64;
    }
    passes
        .into_iter()
        .map(|mv| {
            let mut next = game.clone();
            next.play(mv);
            perft(&next, depth - 1)
        })
        .sum()
}
