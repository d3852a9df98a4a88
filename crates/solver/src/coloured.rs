//! The search for a few coloured dice (a set of I-Qubes has seven). What a coloured shape counts is known before a letter
//! is laid, so its levels are tried from the top: the first layout found is the best, and the levels refused above it are
//! the proof.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use words::{Colour, Layout, Letter, Placed};

use crate::dictionary::{Letters, Spelt};
use crate::outcome::{Answer, Outcome, Progress, Proven};
use crate::patterns::{self, Pattern, Patterns, Step, spells};
use crate::problem::Problem;
use crate::trie::{ALL, Node, Tries};

/// A set of dice, as bits.
type Dice = u8;

/// Can this search answer the problem? It knows nothing of words to use, or layouts to go on from.
pub(crate) fn answers(problem: &Problem) -> bool {
    let plain = !problem.all_dice && problem.word.is_none() && problem.start.is_none();
    plain && problem.faces.len() <= patterns::MOST && problem.faces.iter().all(|face| face.colour.is_some())
}

/// The best layout; `long` where a word of all dice counts 15 or 30.
pub(crate) fn best(
    problem: &Problem,
    long: bool,
    stop: Option<&AtomicBool>,
    mut progress: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Outcome {
    let faces = &problem.faces;
    let red = faces.iter().filter(|face| face.colour == Some(Colour::Red)).count();
    let levels = patterns::levels(red, faces.len() - red, long);
    let mut search = Search::new(problem);
    let mut empty = Answer { layout: Layout::EMPTY, score: 0, bound: 0 };
    for level in levels {
        search.steps = &level.steps;
        let mut tick = |nodes| {
            empty.bound = level.score;
            let told = progress(Progress { best: Some(&empty), bound: level.score, nodes });
            told.is_break() || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        };
        match search.walk(0, level.steps.len(), 0, 0, 0, search.all, &mut tick) {
            Some(End::Found(dice)) => {
                let answer = Answer { layout: search.layout(dice), score: level.score, bound: level.score };
                // It is over: whether the listener wants to go on makes no difference.
                let _ = progress(Progress { best: Some(&answer), bound: level.score, nodes: search.nodes });
                return Outcome::Proven(Proven::closed(answer.layout, answer.score));
            }
            Some(End::Stopped) => return Outcome::Stopped(Answer { bound: level.score, ..empty }),
            None => {}
        }
    }
    Outcome::Proven(Proven::closed(Layout::EMPTY, 0))
}

/// Why a search need not go on.
enum End {
    /// A layout of so many dice.
    Found(usize),
    Stopped,
}

/// A die laid down.
#[derive(Clone, Copy, Default)]
struct Laid {
    row: u8,
    x: u8,
    letter: u8,
    die: Dice,
}

struct Search<'a> {
    problem: &'a Problem,
    all: Dice,
    /// By colour and letter: the dice that show it.
    showing: [[Dice; 26]; 2],
    /// By colour: the WILD dice.
    wild: [Dice; 2],
    /// By colour and dice: the letters they can show.
    shows: [[Letters; 1 << patterns::MOST]; 2],
    words: Words,
    steps: &'a [Step],
    /// By column: where it stands in the tries.
    columns: [u32; 32],
    laid: [Laid; patterns::MOST],
    nodes: u64,
}

/// How many nodes there are between two looks at the clock.
const TICK: u64 = 1 << 14;

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Self {
        let faces = &problem.faces;
        let (mut showing, mut wild, mut counts) = ([[0; 26]; 2], [0; 2], [0; 26]);
        for (i, face) in faces.iter().enumerate() {
            let colour = usize::from(face.colour == Some(Colour::Red));
            match face.letter {
                Some(letter) => {
                    showing[colour][letter.index()] |= 1 << i;
                    counts[letter.index()] += 1;
                }
                None => wild[colour] |= 1 << i,
            }
        }
        let mut shows = [[0; 1 << patterns::MOST]; 2];
        for dice in 1_usize..1 << faces.len() {
            let last = dice.trailing_zeros() as usize;
            let letters = faces[last].letter.map_or(ALL, |letter| 1 << letter.index());
            for (colour, shows) in shows.iter_mut().enumerate() {
                let right = (faces[last].colour == Some(Colour::Red)) == (colour == 1);
                shows[dice] = shows[dice & (dice - 1)] | if right { letters } else { 0 };
            }
        }
        let wilds = wild.map(|dice: Dice| dice.count_ones() as u8);
        let mut search = Self {
            problem,
            all: ((1_u16 << faces.len()) - 1) as Dice,
            showing,
            wild,
            shows,
            words: Words::new(problem.dictionary.formable(&counts, wilds[0] + wilds[1])),
            steps: &[],
            columns: [0; 32],
            laid: Default::default(),
            nodes: 0,
        };
        for word in 0..search.words.all.len() {
            search.file(word, 0, 1, search.all, &mut [0; 4]);
        }
        search.words.sort();
        search
    }

    /// Files a word under every pattern in which the dice can spell it, and the dice with which they do.
    fn file(&mut self, word: usize, place: usize, pattern: Pattern, dice: Dice, seen: &mut [u64; 4]) {
        let Some(&letter) = self.words.all[word].letters().get(place) else {
            self.words.file(word as u32, pattern, self.all & !dice, seen);
            return;
        };
        for colour in 0..2 {
            let real = dice & self.showing[colour][usize::from(letter)];
            for those in [real, dice & self.wild[colour]] {
                if those != 0 {
                    // Of dice that are alike, the first: see `die`.
                    let dice = dice & !(those & those.wrapping_neg());
                    self.file(word, place + 1, pattern << 1 | colour as Pattern, dice, seen);
                }
            }
        }
    }

    /// One of the dice of this colour that can show this letter: a WILD only where no other does, for it can show all that
    /// the others can. Of dice that are alike it is the last, so that the first are left.
    #[inline]
    fn die(&self, colour: usize, letter: u32, dice: Dice) -> Dice {
        let real = dice & self.showing[colour][letter as usize];
        let those = if real == 0 { dice & self.wild[colour] } else { real };
        1 << those.ilog2()
    }

    /// Tries the steps between `from` and `to` as the next; `run` is where the row stands in the tries.
    #[expect(clippy::too_many_arguments, reason = "the whole state of a step")]
    fn walk(
        &mut self,
        from: usize,
        to: usize,
        depth: usize,
        row: u8,
        run: u32,
        rest: Dice,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<End> {
        let mut at = from;
        while at < to {
            let step = self.steps[at];
            let begins = at + 1;
            at = step.skip as usize;
            if !step.needs.within(self.words.spelt[usize::from(rest)]) {
                continue;
            }
            let x = step.x();
            let above = self.columns[x];
            let run = self.node(step.run(), run);
            let column = self.node(step.column(), above);
            let letters = self.shows[step.colour()][usize::from(rest)];
            let mut letters = letters & run.next & column.next;
            let row = row + u8::from(step.new_row());
            while letters != 0 {
                let letter = letters.trailing_zeros();
                letters &= letters - 1;
                self.nodes += 1;
                if self.nodes.is_multiple_of(TICK) && tick(self.nodes) {
                    return Some(End::Stopped);
                }
                let die = self.die(step.colour(), letter, rest);
                self.laid[depth] = Laid { row, x: x as u8, letter: letter as u8, die };
                if begins == at {
                    return Some(End::Found(depth + 1));
                }
                self.columns[x] = Tries::child(column, letter);
                let end = self.walk(begins, at, depth + 1, row, Tries::child(run, letter), rest & !die, tick);
                if end.is_some() {
                    return end;
                }
            }
            self.columns[x] = above;
        }
        None
    }

    /// Where a run stands that goes on from `before`, or begins here.
    #[inline]
    fn node(&mut self, begins: Pattern, before: u32) -> Node {
        let at = match begins {
            0 => before,
            pattern => self.words.root(pattern),
        };
        self.words.tries.node(at)
    }

    fn layout(&self, dice: usize) -> Layout {
        let laid = &self.laid[..dice];
        let left = laid.iter().map(|laid| laid.x).min().unwrap_or(0);
        let placed = |laid: &Laid| {
            let die = laid.die.trailing_zeros() as u8;
            let wild = self.problem.faces[usize::from(die)].letter.is_none();
            let called = Letter::from_index(usize::from(laid.letter)).filter(|_| wild);
            Placed { die, x: (laid.x - left) as i8, y: laid.row as i8, called }
        };
        Layout { dice: laid.iter().map(placed).collect() }
    }
}

/// The words that the dice can spell, by the colours in which they can.
struct Words {
    all: Vec<Spelt>,
    /// By pattern, then in alphabetical order.
    filed: Vec<(Pattern, u32)>,
    /// By pattern: where its words begin in `filed`; one more for the end.
    first: [u32; 257],
    /// By dice: the patterns that they can spell.
    spelt: [Patterns; 1 << patterns::MOST],
    tries: Tries,
    /// By pattern: the root of its trie, or [`UNBUILT`].
    roots: [u32; 256],
    /// By pattern: the sets of dice that spell it, as bits.
    sets: [u128; 256],
}

const UNBUILT: u32 = u32::MAX;

impl Words {
    fn new(all: Vec<Spelt>) -> Self {
        let mut tries = Tries::default();
        let mut roots = [UNBUILT; 256];
        // A cell that stands alone may show any letter.
        let alone = tries.any();
        roots[2..4].fill(alone);
        Self {
            all,
            filed: Vec::new(),
            first: [0; 257],
            spelt: [Patterns::default(); 1 << patterns::MOST],
            tries,
            roots,
            sets: [0; 256],
        }
    }

    fn file(&mut self, word: u32, pattern: Pattern, dice: Dice, seen: &mut [u64; 4]) {
        self.sets[usize::from(pattern)] |= 1 << dice;
        let seen = &mut seen[usize::from(pattern) / 64];
        if *seen >> (pattern % 64) & 1 == 0 {
            *seen |= 1 << (pattern % 64);
            self.filed.push((pattern, word));
        }
    }

    fn sort(&mut self) {
        for &(pattern, _) in &self.filed {
            self.first[usize::from(pattern) + 1] += 1;
        }
        for pattern in 0..256 {
            self.first[pattern + 1] += self.first[pattern];
        }
        // They came in alphabetical order, and this sort is stable.
        self.filed.sort_by_key(|&(pattern, _)| pattern);
        for pattern in (4..=u8::MAX).filter(|&pattern| self.sets[usize::from(pattern)] != 0) {
            let mut sets = with_more(self.sets[usize::from(pattern)]);
            while sets != 0 {
                self.spelt[sets.trailing_zeros() as usize].insert(pattern);
                sets &= sets - 1;
            }
        }
    }

    #[inline]
    fn root(&mut self, pattern: Pattern) -> u32 {
        let root = self.roots[usize::from(pattern)];
        if root == UNBUILT { self.build(pattern) } else { root }
    }

    #[cold]
    fn build(&mut self, pattern: Pattern) -> u32 {
        let from = self.first[usize::from(pattern)] as usize;
        let to = self.first[usize::from(pattern) + 1] as usize;
        let words: Vec<&Spelt> =
            self.filed[from..to].iter().map(|&(_, word)| &self.all[word as usize]).collect();
        let root = self.tries.add(&words);
        self.roots[usize::from(pattern)] = root;
        debug_assert!(spells(pattern));
        root
    }
}

/// Sets of dice as bits, and all that hold one of them.
fn with_more(mut sets: u128) -> u128 {
    /// By die: the sets without it.
    const WITHOUT: [u128; patterns::MOST] = [
        0x5555_5555_5555_5555_5555_5555_5555_5555,
        0x3333_3333_3333_3333_3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff_0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff_0000_0000_ffff_ffff,
        0x0000_0000_0000_0000_ffff_ffff_ffff_ffff,
    ];
    for (die, without) in WITHOUT.iter().enumerate() {
        sets |= (sets & without) << (1 << die);
    }
    sets
}
