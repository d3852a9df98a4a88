//! Making a move and taking it back, with all that follows from it: removals, turning over, the next turn, the end.

use super::{EMPTY, MEMORY, Position};
use crate::board::{Corner, Players, Side, sides_in};
use crate::ending::{Ending, Over, PAIR_TURNS_EACH, Pair, R9, REPEAT_LIMIT, SIXTY_MOVES};
use crate::hash::{SEVEN_KEY, TURN_KEYS};
use crate::moves::Move;
use crate::set::Step;
use crate::tile::Code;

/// What `unmake` needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    id: u8,
    code: Code,
    removed: u32,
    turn: Side,
    quiet: u8,
    pair: Pair,
    over: Option<Over>,
    passed: u32,
    hash: u64,
}

impl Undo {
    /// The tiles that went, one bit per tile id, the moved one included if it went.
    pub fn removed(&self) -> u32 {
        self.removed
    }

    /// The tile that moved and how it lay before; none for a pass.
    #[inline]
    pub(crate) fn mover(&self) -> Option<(u8, Code)> {
        (!self.mv.is_pass()).then_some((self.id, self.code))
    }

    /// The move that was made.
    pub fn mv(&self) -> Move {
        self.mv
    }
}

impl Position {
    /// Makes a move that is known to be legal, and returns what takes it back.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let mut undo = Undo {
            mv,
            id: EMPTY,
            code: Code::default(),
            removed: 0,
            turn: self.turn,
            quiet: self.quiet,
            pair: self.pair,
            over: self.over,
            passed: self.passed,
            hash: self.hash,
        };
        let alive = self.alive();
        self.quiet = self.quiet.saturating_add(1);
        self.made += 1;
        if mv.is_pass() {
            self.passed = self.made;
        } else {
            self.move_tile(mv, &mut undo);
        }
        if undo.removed != 0 {
            self.settle(alive);
        } else {
            self.count_pair_turn();
        }
        if self.over.is_none() {
            self.pass_turn();
        }
        self.past[self.made as usize % MEMORY] = self.hash;
        if self.over.is_none() {
            self.watch_r9();
        }
        undo
    }

    /// The hash after a move if it is a quiet one: a guess, for a look ahead.
    #[inline]
    pub(crate) fn hash_after(&self, mv: Move) -> u64 {
        let next = (self.turn.index() + if self.players == Players::Two { 2 } else { 1 }) & 3;
        let turned = self.hash ^ TURN_KEYS[self.turn.index()] ^ TURN_KEYS[next];
        match self.id_on(mv.start_index()) {
            Some(id) => {
                let code = self.code_of(id);
                turned ^ self.key(code, mv.start_index()) ^ self.key(code.spun(), mv.end_index())
            }
            None => turned,
        }
    }

    #[inline]
    fn move_tile(&mut self, mv: Move, undo: &mut Undo) {
        let (from, to) = (mv.start_index(), mv.end_index());
        let id = self.on[usize::from(from)];
        debug_assert!(id != EMPTY, "{mv} moves nothing");
        let i = usize::from(id);
        let before = self.code[i];
        let owner = before.owner();
        (undo.id, undo.code) = (id, before);
        let mut code = before.spun(); // CT-S8
        let verdict = self.judge(code, to);
        // CT-S12: turned over only after the contacts are decided, and only if it is still there.
        if !verdict.mover && !code.turned() && self.rings[owner.opposite().index()].bit(to) {
            code = code.turn_over();
            self.turned |= 1 << id;
            self.quiet = 0;
        }
        self.hash ^= self.key(before, from) ^ self.key(code, to);
        self.code[i] = code;
        if from != to {
            let (a, b) = (Corner::from_index(from), Corner::from_index(to));
            self.at[i] = b;
            self.on[usize::from(from)] = EMPTY;
            self.on[usize::from(to)] = id;
            self.of[owner.index()].remove(a);
            self.of[owner.index()].insert(b);
            if code.step() == Step::TwoStep {
                self.twos.remove(a);
                self.twos.insert(b);
            }
        }
        undo.removed = verdict.foes | u32::from(verdict.mover) << id;
        let mut gone = undo.removed;
        while gone != 0 {
            self.take(gone.trailing_zeros() as u8);
            gone &= gone - 1;
        }
        // CT-S16 can also come about by turning over.
        if code.turned() && !before.turned() && undo.removed == 0 && self.pair != Pair::None {
            self.tie_equal_backs();
        }
    }

    /// Takes back the move that returned `undo`, which must be the last one made.
    #[inline]
    pub fn unmake(&mut self, undo: &Undo) {
        self.made -= 1;
        let mut gone = undo.removed;
        while gone != 0 {
            self.put(gone.trailing_zeros() as u8);
            gone &= gone - 1;
        }
        if !undo.mv.is_pass() {
            let (from, to) = (undo.mv.start_index(), undo.mv.end_index());
            let i = usize::from(undo.id);
            self.code[i] = undo.code;
            self.turned &= !(u32::from(!undo.code.turned()) << undo.id);
            if from != to {
                let (a, b) = (Corner::from_index(from), Corner::from_index(to));
                let owner = undo.code.owner().index();
                self.at[i] = a;
                self.on[usize::from(to)] = EMPTY;
                self.on[usize::from(from)] = undo.id;
                self.of[owner].remove(b);
                self.of[owner].insert(a);
                if undo.code.step() == Step::TwoStep {
                    self.twos.remove(b);
                    self.twos.insert(a);
                }
            }
        }
        self.turn = undo.turn;
        self.quiet = undo.quiet;
        self.pair = undo.pair;
        self.over = undo.over;
        self.passed = undo.passed;
        self.hash = undo.hash;
    }

    /// After a removal: is the game over, or down to its last pair? `before` is who had tiles before the move.
    pub(super) fn settle(&mut self, before: u8) {
        if self.made > 0 {
            self.quiet = 0;
        }
        if matches!(self.pair, Pair::Seven(_)) {
            self.hash ^= SEVEN_KEY;
        }
        self.pair = Pair::None;
        if let Some(sides) = self.winners_now() {
            self.over = Some(Over { ending: Ending::LastTile, sides });
        } else if self.alive() == 0 {
            // CT-R6: whoever went with the last tiles shares the tie.
            let sides = sides_in(before).fold(0, |m, s| m | self.players.team(s));
            self.over = Some(Over { ending: Ending::GoneTogether, sides });
        } else if self.total() == 2 {
            self.begin_pair();
        }
    }

    /// The only team with tiles, if there is just one.
    pub(super) fn winners_now(&self) -> Option<u8> {
        let alive = self.alive();
        if alive == 0 {
            return None;
        }
        let team = self.players.team(Side::ALL[alive.trailing_zeros() as usize]);
        (alive & !team == 0).then_some(team)
    }

    fn begin_pair(&mut self) {
        let (a, b) = self.pair_codes();
        if a.step() != b.step() || a.turned() != b.turned() {
            self.pair = Pair::Ordinary(0); // CT-R8
        } else if a.turned() {
            self.tie_equal_backs(); // CT-S16
        } else {
            self.pair = Pair::Seven(0); // CT-S17
            self.hash ^= SEVEN_KEY;
        }
    }

    fn pair_codes(&self) -> (Code, Code) {
        let first = self.live.trailing_zeros();
        let last = self.live.ilog2();
        (self.code[first as usize], self.code[last as usize])
    }

    pub(super) fn pair_is_of_one_kind(&self) -> bool {
        let (a, b) = self.pair_codes();
        a.step() == b.step()
    }

    fn tie_equal_backs(&mut self) {
        let (a, b) = self.pair_codes();
        if a.turned() && b.turned() && a.step() == b.step() {
            self.tie(Ending::EqualBacks);
        }
    }

    fn tie(&mut self, ending: Ending) {
        let sides = sides_in(self.alive()).fold(0, |m, s| m | self.players.team(s));
        self.over = Some(Over { ending, sides });
    }

    /// Turns of the table that make ten for every player still in.
    pub(super) fn pair_limit(&self) -> u8 {
        self.players_in() * PAIR_TURNS_EACH
    }

    #[inline]
    fn count_pair_turn(&mut self) {
        if self.pair == Pair::None || self.over.is_some() {
            return;
        }
        let limit = self.pair_limit();
        match &mut self.pair {
            Pair::None => {}
            Pair::Ordinary(n) => {
                *n += 1;
                if *n >= limit {
                    self.tie(Ending::LastPair); // CT-R8
                }
            }
            Pair::Seven(n) => {
                *n += 1;
                if *n >= limit {
                    self.tie(Ending::SevenSteps); // CT-S17
                }
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.hash ^= TURN_KEYS[self.turn.index()];
        loop {
            self.turn = Side::ALL[(self.turn.index() + 1) & 3]; // CT-S6
            if self.is_in(self.turn) {
                break;
            }
        }
        self.hash ^= TURN_KEYS[self.turn.index()];
    }

    #[inline]
    fn watch_r9(&mut self) {
        // No game is over before sixty, so that nobody need be counted until then.
        let quiet = self.quiet >= SIXTY_MOVES && self.quiet >= self.quiet_limit();
        if quiet && self.ties.r9 != R9::Off {
            self.go_nowhere(Ending::Quiet);
        } else if self.repetition && self.stood_before() + 1 >= REPEAT_LIMIT {
            self.go_nowhere(Ending::Repetition);
        }
    }

    /// CT-R9 ends the game: with a tie, unless the table has the count and it favours somebody (CT-R10).
    fn go_nowhere(&mut self, ending: Ending) {
        if !self.ties.count {
            return self.tie(ending);
        }
        let sides = self.leaders();
        let alone = self.players.team(Side::ALL[sides.trailing_zeros() as usize & 3]) == sides;
        self.over = Some(Over { ending: if alone { Ending::Count } else { ending }, sides });
    }
}
