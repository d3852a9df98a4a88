//! Legal moves: steps along the lines for all tiles of a kind at once, and the partners' condition.

use super::{EMPTY, Position, Undo};
use crate::bits::Bits;
use crate::board::{Corner, Players, Side};
use crate::ending::{Pair, SEVEN};
use crate::moves::{Move, Moves};
use crate::set::Step;

impl Position {
    /// The corners where a tile of `side` may stand in a move: on no tile, next to no opponent (CT-R1, CT-S11).
    #[inline]
    pub(crate) fn free(&self, side: Side) -> Bits {
        !(self.occupied() | self.foes(side).neighbours())
    }

    /// Where one tile may go by its steps, partners' condition aside.
    pub(crate) fn reach(&self, id: u8) -> Bits {
        let at = Bits::of(self.at[usize::from(id)]);
        let code = self.code[usize::from(id)];
        // Its own corner is free to itself: it does not stand on another tile there.
        let free = self.free(code.owner()) | at;
        let step = |from: Bits| from.neighbours() & free;
        match (self.pair, code.step()) {
            (Pair::Seven(_), _) => (0..SEVEN).fold(at, |from, _| step(from)),
            (_, Step::TwoStep) => step(step(at)),
            (_, Step::OneStep) => step(at),
        }
    }

    /// Appends the moves of the tiles of `side` by their steps that end in `mask`.
    #[inline]
    fn push_steps(&self, side: Side, mask: Bits, moves: &mut Moves) {
        if matches!(self.pair, Pair::Seven(_)) {
            for from in self.of(side) {
                let id = self.on[usize::from(from.index())];
                for to in self.reach(id) & mask {
                    moves.push(Move::new(from, to));
                }
            }
            return;
        }
        let free = self.free(side);
        let ends = free & mask;
        let ones = self.of(side).without(self.twos);
        let twos = self.of(side) & self.twos;
        if !ones.is_empty() {
            push(moves, ones.north() & ends, 16);
            push(moves, ones.south() & ends, -16);
            push(moves, ones.east() & ends, 1);
            push(moves, ones.west() & ends, -1);
        }
        if !twos.is_empty() {
            let steps = TwoSteps::new(twos, free);
            push(moves, steps.back() & mask, 0);
            for (to, by) in steps.away() {
                push(moves, to & mask, by);
            }
        }
    }

    /// Fills `moves` with all legal moves; a lone pass where there is none, nothing where the game is over.
    #[inline]
    pub fn generate(&mut self, moves: &mut Moves) {
        moves.clear();
        if self.over.is_some() {
            return;
        }
        self.push_steps(self.turn, Bits::BOARD, moves);
        if let Some(partner) = self.players.partner(self.turn) {
            let own = moves.len();
            self.push_steps(partner, Bits::BOARD, moves);
            self.keep_partner_moves(partner, own, moves);
        }
        if moves.is_empty() {
            moves.push(Move::PASS); // CT-R5
        }
    }

    /// Fills `moves` with the legal moves that touch an opponent, whatever comes of it, and nothing else.
    #[inline]
    pub(crate) fn generate_contacts(&self, moves: &mut Moves) {
        moves.clear();
        if self.over.is_some() {
            return;
        }
        let near = self.foes(self.turn).diagonals();
        let seven = matches!(self.pair, Pair::Seven(_));
        let touches = |side| seven || !(self.coverage(side) & near).is_empty();
        if touches(self.turn) {
            self.push_steps(self.turn, near, moves);
        }
        if let Some(partner) = self.players.partner(self.turn)
            && touches(partner)
        {
            let own = moves.len();
            self.push_steps(partner, near, moves);
            moves.retain_from(own, |mv| self.verdict(mv).foes != 0); // CT-S14
        }
    }

    /// Whether the player may step so with a tile of his own: all that makes such a move legal. Moves of seven steps
    /// and of a partner's tiles are not looked into.
    pub(crate) fn is_own_step(&self, mv: Move) -> bool {
        let (from, to) = (mv.start_index(), mv.end_index());
        let Some(id) = self.id_on(from) else { return false };
        let code = self.code_of(id);
        if code.owner() != self.turn || self.over.is_some() || matches!(self.pair, Pair::Seven(_)) {
            return false;
        }
        let foes = !self.players.team(self.turn);
        let free = |at: u8| self.is_free(at, foes);
        let steps = [1, 16, 1u8.wrapping_neg(), 16u8.wrapping_neg()];
        if code.step() == Step::OneStep {
            return steps.iter().any(|&by| from.wrapping_add(by) == to) && free(to);
        }
        (from == to || free(to))
            && steps.iter().any(|&by| {
                let half = from.wrapping_add(by);
                steps.iter().any(|&on| half.wrapping_add(on) == to) && free(half)
            })
    }

    /// Whether nothing stands on a place of the board, nor on its sides a tile of one of the `foes`.
    #[inline]
    fn is_free(&self, at: u8, foes: u8) -> bool {
        let foe = |by: u8| {
            let id = self.on[usize::from(at.wrapping_add(by))];
            id != EMPTY && foes >> self.code[usize::from(id)].owner().index() & 1 != 0
        };
        Bits::BOARD.bit(at)
            && self.on[usize::from(at)] == EMPTY
            && !(foe(1) || foe(16) || foe(1u8.wrapping_neg()) || foe(16u8.wrapping_neg()))
    }

    /// For every side, all corners that its tiles can go to by ordinary steps.
    #[inline]
    pub(crate) fn coverages(&self) -> [Bits; 4] {
        let mut covered = [Bits::NONE; 4];
        if self.players == Players::Two {
            // What is next to a side's tiles serves both: itself to step, the other to keep away.
            let (south, north) = (Stand::new(self.of[0], self.twos), Stand::new(self.of[2], self.twos));
            let occupied = self.of[0] | self.of[2];
            covered[0] = south.covers(occupied | north.near_ones | north.near_twos);
            covered[2] = north.covers(occupied | south.near_ones | south.near_twos);
        } else {
            for &side in self.players.sides() {
                covered[side.index()] = self.coverage(side);
            }
        }
        covered
    }

    /// All corners that the tiles of a side can go to by ordinary steps.
    #[inline]
    pub(crate) fn coverage(&self, side: Side) -> Bits {
        Stand::new(self.of(side), self.twos).covers(self.occupied() | self.foes(side).neighbours())
    }

    /// How many moves the tiles of a side have by ordinary steps.
    #[inline]
    fn count_steps(&self, side: Side) -> u32 {
        let free = self.free(side);
        let ones = self.of(side).without(self.twos);
        let twos = self.of(side) & self.twos;
        let mut count = 0;
        if !ones.is_empty() {
            count += (ones.north() & free).len() + (ones.south() & free).len();
            count += (ones.east() & free).len() + (ones.west() & free).len();
        }
        if !twos.is_empty() {
            let steps = TwoSteps::new(twos, free);
            count += steps.back().len() + steps.away().iter().map(|(to, _)| to.len()).sum::<u32>();
        }
        count
    }

    /// How many legal moves there are, without listing them where that is possible.
    #[inline]
    pub fn count_moves(&mut self) -> u32 {
        if self.over.is_some() {
            return 0;
        }
        if self.players == Players::Partners || matches!(self.pair, Pair::Seven(_)) {
            return self.legal().len() as u32;
        }
        self.count_steps(self.turn).max(1)
    }

    /// All legal moves.
    pub fn legal(&mut self) -> Moves {
        let mut moves = Moves::default();
        self.generate(&mut moves);
        moves
    }

    /// Makes a move if it is legal.
    pub fn play(&mut self, mv: Move) -> Option<Undo> {
        self.legal().contains(&mv).then(|| self.make(mv))
    }

    /// CT-S14: of the moves from `start` on, all of tiles of `partner`, keeps those that the player may make for him.
    fn keep_partner_moves(&mut self, partner: Side, start: usize, moves: &mut Moves) {
        if moves.len() == start {
            return;
        }
        let before = self.takeable(self.of(partner));
        moves.retain_from(start, |mv| {
            if self.verdict(mv).foes != 0 {
                return true;
            }
            if before.is_empty() {
                return false;
            }
            self.prevents(mv, partner, before)
        });
    }

    /// CT-R4: whether a tile of the partner on one of the corners `before` stays on the board and is safe after the move.
    fn prevents(&mut self, mv: Move, partner: Side, before: Bits) -> bool {
        let Some((from, to)) = mv.ends() else { return false };
        let undo = self.make(mv);
        // The same tiles, where they stand now.
        let mut same = before;
        if before.has(from) {
            same.remove(from);
            same.insert(to);
        }
        let same = same & self.of(partner);
        let safe = !same.is_empty() && self.takeable(same) != same;
        self.unmake(&undo);
        safe
    }

    /// Which of the tiles on `targets`, all of one team, some opponent could remove by one move of his own tiles.
    pub(crate) fn takeable(&self, targets: Bits) -> Bits {
        let mut taken = Bits::NONE;
        let Some(first) = targets.into_iter().next() else { return taken };
        let owner = self.code[usize::from(self.on[usize::from(first.index())])].owner();
        let near = targets.diagonals();
        for from in self.foes(owner) {
            let id = self.on[usize::from(from.index())];
            let code = self.code[usize::from(id)].spun();
            for to in self.reach(id) & near {
                let mut gone = self.judge(code, to.index()).foes;
                while gone != 0 {
                    taken.insert(self.at[gone.trailing_zeros() as usize]);
                    gone &= gone - 1;
                }
            }
        }
        taken & targets
    }
}

/// A side's tiles, and what is next to them.
struct Stand {
    twos: Bits,
    near_ones: Bits,
    near_twos: Bits,
}

impl Stand {
    #[inline]
    fn new(own: Bits, twos: Bits) -> Self {
        let twos = own & twos;
        Self { twos, near_ones: own.without(twos).neighbours(), near_twos: twos.neighbours() }
    }

    /// The corners in reach, where some are shut.
    #[inline]
    fn covers(&self, shut: Bits) -> Bits {
        let ends = self.near_twos.without(shut).neighbours();
        self.near_ones.without(shut) | ends.without(shut) | ends & self.twos
    }
}

/// The halves and ends of all two-step moves of a set of tiles at once.
struct TwoSteps {
    halves: [Bits; 4],
    from: Bits,
    free: Bits,
}

impl TwoSteps {
    #[inline]
    fn new(from: Bits, free: Bits) -> Self {
        let halves = [from.north() & free, from.south() & free, from.east() & free, from.west() & free];
        Self { halves, from, free }
    }

    /// Tiles that can go out and back.
    #[inline]
    fn back(&self) -> Bits {
        let [n, s, e, w] = self.halves;
        (n.south() | s.north() | e.west() | w.east()) & self.from
    }

    /// Where the others end, and how far that is from where they stood.
    #[inline]
    fn away(&self) -> [(Bits, i16); 8] {
        let [n, s, e, w] = self.halves;
        let free = self.free;
        [
            (n.north() & free, 32),
            (s.south() & free, -32),
            (e.east() & free, 2),
            (w.west() & free, -2),
            ((n.east() | e.north()) & free, 17),
            ((n.west() | w.north()) & free, 15),
            ((s.east() | e.south()) & free, -15),
            ((s.west() | w.south()) & free, -17),
        ]
    }
}

/// Moves to all of `to`, each from `by` behind it.
#[inline]
fn push(moves: &mut Moves, to: Bits, by: i16) {
    if to.is_empty() {
        return;
    }
    for to in to {
        let from = Corner::from_index((i16::from(to.index()) - by) as u8);
        moves.push(Move::new(from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;
    use table::Luck;

    #[test]
    fn a_step_is_allowed_alone_if_it_is_among_all_moves() {
        for (seed, players) in
            [Players::Two, Players::Three, Players::Four, Players::Partners].into_iter().enumerate()
        {
            let mut luck = Luck::new(seed as u64);
            let mut position = Position::start(&Set::default(), "six", players).expect("a set-up");
            while position.over().is_none() && !matches!(position.pair(), Pair::Seven(_)) {
                let moves = position.legal();
                for from in Bits::BOARD {
                    let own = position.of(position.turn()).has(from);
                    for to in Bits::BOARD {
                        let mv = Move::new(from, to);
                        assert_eq!(position.is_own_step(mv), own && moves.contains(&mv), "{position} {mv}");
                    }
                }
                for &side in players.sides() {
                    assert_eq!(position.coverages()[side.index()], position.coverage(side), "{position}");
                }
                for _ in 0..5 {
                    let moves = position.legal();
                    luck.pick(&moves).map(|&mv| position.make(mv));
                }
            }
        }
    }
}
