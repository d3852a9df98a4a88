//! Layouts against a slow and plain reference that shares no code with them: a map of cells, read again and again.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use words::notation::{self, Style};
use words::{Colour, Counting, DiceSet, Face, Layout, Letter, Placed};

type Cell = (i32, i32);
type Cells = BTreeMap<Cell, u8>;
/// Column, row, letter shown, colour, letter called.
type Seen = (i8, i8, Option<Letter>, Option<Colour>, Option<Letter>);

/// A judge that likes some words and not others, without any sense.
fn moody(word: &[Letter]) -> bool {
    word.iter().enumerate().map(|(i, letter)| (i + 2) * (letter.index() + 1)).sum::<usize>() % 5 < 3
}

fn cells(layout: &Layout) -> Cells {
    layout.dice.iter().map(|placed| ((placed.x.into(), placed.y.into()), placed.die)).collect()
}

/// Every run of two and more, as lists of cells.
fn runs(cells: &Cells) -> Vec<Vec<Cell>> {
    let mut runs = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1)] {
        for &(x, y) in cells.keys().filter(|&&(x, y)| !cells.contains_key(&(x - dx, y - dy))) {
            let run: Vec<Cell> =
                (0..16).map(|i| (x + i * dx, y + i * dy)).take_while(|c| cells.contains_key(c)).collect();
            if run.len() > 1 {
                runs.push(run);
            }
        }
    }
    runs
}

fn groups(cells: &Cells) -> Vec<Cells> {
    let mut left: BTreeSet<Cell> = cells.keys().copied().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = vec![first];
        let mut i = 0;
        while i < group.len() {
            let (x, y) = group[i];
            for near in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if left.remove(&near) {
                    group.push(near);
                }
            }
            i += 1;
        }
        groups.push(group.into_iter().map(|cell| (cell, cells[&cell])).collect());
    }
    groups
}

struct Table {
    layout: Layout,
    faces: Vec<Face>,
    counting: Counting,
}

impl Table {
    fn letter(&self, die: u8) -> Option<Letter> {
        let called =
            self.layout.dice.iter().find(|placed| placed.die == die).and_then(|placed| placed.called);
        self.faces[die as usize].letter.or(called)
    }

    fn is_word(&self, cells: &Cells, run: &[Cell]) -> bool {
        let letters: Option<Vec<Letter>> = run.iter().map(|cell| self.letter(cells[cell])).collect();
        letters.is_some_and(|letters| moody(&letters))
    }

    /// The cells with which something is wrong: in a run that is no word, or (young players) in a run with a crossing.
    fn bad(&self, cells: &Cells) -> BTreeSet<Cell> {
        let runs = runs(cells);
        let wrong = |run: &&Vec<Cell>| {
            let crossed =
                || run.iter().any(|cell| runs.iter().filter(|other| other.contains(cell)).count() > 1);
            !self.is_word(cells, run) || (self.counting == Counting::Young && crossed())
        };
        runs.iter().filter(wrong).flatten().copied().collect()
    }

    fn is_good(&self, cells: &Cells) -> bool {
        let groups = groups(cells);
        let together = self.counting == Counting::Young || groups.len() < 2;
        self.bad(cells).is_empty() && together && groups.iter().all(|group| group.len() > 1)
    }

    fn count(&self, cells: &Cells) -> i32 {
        let faces =
            |run: &[Cell]| -> Vec<Face> { run.iter().map(|cell| self.faces[cells[cell] as usize]).collect() };
        let values = |faces: &[Face]| -> i32 { faces.iter().map(|face| i32::from(face.value)).sum() };
        let word = |run: &Vec<Cell>| {
            let dice = faces(run);
            let plain = dice.iter().all(|die| die.colour == dice[0].colour);
            match self.counting {
                Counting::IQubes { long_word: true } if dice.len() == self.faces.len() => {
                    [15, 30][usize::from(plain)]
                }
                Counting::IQubes { .. } => dice.len() as i32 * [1, 2][usize::from(plain)],
                Counting::Scribbage | Counting::Young => values(&dice),
            }
        };
        let used: Vec<Cell> = cells.keys().copied().collect();
        let unused = match self.counting {
            Counting::IQubes { .. } => 0,
            Counting::Scribbage | Counting::Young => values(&self.faces) - values(&faces(&used)),
        };
        runs(cells).iter().map(word).sum::<i32>() - unused
    }

    /// The most that can be left: every way to take bad dice out, one after the other.
    fn remainder(&self) -> i32 {
        let (mut seen, mut open) = (BTreeSet::new(), vec![cells(&self.layout)]);
        let mut best = self.count(&Cells::new());
        while let Some(cells) = open.pop() {
            if !seen.insert(cells.clone()) {
                continue;
            }
            let bad = self.bad(&cells);
            for cell in &bad {
                let mut less = cells.clone();
                less.remove(cell);
                open.push(less);
            }
            if bad.is_empty() {
                let words: Vec<Cells> = groups(&cells).into_iter().filter(|group| group.len() > 1).collect();
                let young = words.iter().flatten().map(|(&cell, &die)| (cell, die)).collect();
                let left = if self.counting == Counting::Young { vec![young] } else { words };
                best = left.iter().map(|cells| self.count(cells)).fold(best, i32::max);
            }
        }
        best
    }
}

fn face() -> impl Strategy<Value = Face> {
    let letter = prop_oneof![5 => (0..6_usize).prop_map(Letter::from_index), 1 => Just(None)];
    (letter, any::<bool>(), 0..5_u8).prop_map(|(letter, red, value)| Face {
        letter,
        colour: Some(if red { Colour::Red } else { Colour::Black }),
        value,
    })
}

fn counting() -> impl Strategy<Value = Counting> {
    prop_oneof![
        Just(Counting::IQubes { long_word: false }),
        Just(Counting::IQubes { long_word: true }),
        Just(Counting::Scribbage),
        Just(Counting::Young),
    ]
}

/// Up to `most` dice in a narrow place, some left over, some WILD, some of those not called.
fn table(most: usize) -> impl Strategy<Value = Table> {
    let dice = prop::collection::vec(face(), 1..=most);
    let width = prop_oneof![Just((8, 1)), Just((3, 3)), Just((4, 4)), Just((2, 7))];
    (dice, width, counting(), any::<u64>()).prop_map(|(faces, (w, h), counting, seed)| {
        // A small generator of our own spreads the dice over the cells: proptest shrinks the faces, which matter more.
        let mut state = seed;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut free: Vec<(i8, i8)> = (0..w).flat_map(|x| (0..h).map(move |y| (x - 2, y - 1))).collect();
        let mut dice = Vec::new();
        for (die, face) in faces.iter().enumerate() {
            if free.is_empty() || below(8) == 0 {
                continue;
            }
            let (x, y) = free.swap_remove(below(free.len() as u64) as usize);
            let called = Letter::from_index(below(6) as usize).filter(|_| face.is_wild() && below(5) > 0);
            dice.push(Placed { die: die as u8, x, y, called });
        }
        Table { layout: Layout { dice }, faces, counting }
    })
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = notation::rows(&self.layout, &self.faces, Style::Colours).join("\n");
        write!(f, "{:?}\n{rows}\n{:?}", self.counting, self.faces)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn iq_r5_runs_faults_and_counts_are_those_of_the_reference(table in table(15)) {
        let cells = cells(&table.layout);
        let checked = table.layout.check(&table.faces, table.counting, moody);
        let found: BTreeSet<Vec<u8>> = checked.runs().iter().map(|run| run.dice().to_vec()).collect();
        let expected: BTreeSet<Vec<u8>> =
            runs(&cells).iter().map(|run| run.iter().map(|cell| cells[cell]).collect()).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(checked.used(), cells.values().copied().collect::<DiceSet>());
        let uncalled = cells.values().any(|&die| table.letter(die).is_none());
        let good = table.is_good(&cells) && !uncalled;
        prop_assert_eq!(checked.count(), good.then(|| table.count(&cells)));
    }

    #[test]
    fn iq_r7_the_remainder_is_the_best_of_all_ways(table in table(9)) {
        let rest = table.layout.remainder(&table.faces, table.counting, moody);
        prop_assert!(rest.checked.is_good());
        prop_assert_eq!(rest.count, table.remainder());
        prop_assert!(rest.layout.dice.iter().all(|placed| table.layout.dice.contains(placed)));
    }

    #[test]
    fn a_layout_is_read_back_as_it_was_written(table in table(15)) {
        let text = notation::write(&table.layout, &table.faces, Style::Colours);
        let (read, faces) = notation::read(&text, Style::Colours, |tile| tile.face(0)).expect("our own text");
        prop_assert_eq!(read.dice.len(), table.layout.dice.len());
        prop_assert_eq!(notation::write(&read, &faces, Style::Colours), text.clone());
        let again = notation::read_with(&text, Style::Colours, &table.faces).expect("the dice are there");
        prop_assert_eq!(shape(&again, &table.faces), shape(&table.layout, &table.faces));

        let plain: Vec<Face> = table.faces.iter().map(|face| Face { colour: None, ..*face }).collect();
        let text = notation::write(&table.layout, &plain, Style::Jokers);
        let again = notation::read_with(&text, Style::Jokers, &plain).expect("the dice are there");
        prop_assert_eq!(shape(&again, &plain), shape(&table.layout, &plain));
    }

    #[test]
    fn hostile_text_never_panics(text in "\\PC{0,60}|[A-Za-z.*/?! ]{0,300}") {
        for style in [Style::Colours, Style::Jokers] {
            if let Ok((layout, faces)) = notation::read(&text, style, |tile| tile.face(1)) {
                let _ = layout.check(&faces, Counting::Scribbage, moody).count();
            }
            let _ = notation::read_with(&text, style, &[Face { letter: None, colour: None, value: 9 }]);
        }
    }

    #[test]
    fn hostile_layouts_never_panic(
        dice in prop::collection::vec((0..20_u8, any::<i8>(), any::<i8>(), 0..40_usize), 0..20),
        faces in prop::collection::vec(face(), 0..20),
        near in any::<bool>(),
        counting in counting(),
    ) {
        let squeeze = |n: i8| if near { n % 2 } else { n };
        let place = |(die, x, y, called)| Placed {
            die, x: squeeze(x), y: squeeze(y), called: Letter::from_index(called),
        };
        let layout = Layout { dice: dice.into_iter().map(place).collect() };
        let checked = layout.check(&faces, counting, moody);
        prop_assert!(checked.is_good() || !checked.faults().is_empty());
        prop_assert!(layout.remainder(&faces, counting, moody).checked.is_good());
        let _ = notation::write(&layout, &faces, Style::Colours);
    }
}

/// What lies where, from the first row and column on, whatever the numbers of the dice.
fn shape(layout: &Layout, faces: &[Face]) -> BTreeSet<Seen> {
    let left = layout.dice.iter().map(|placed| placed.x).min().unwrap_or_default();
    let top = layout.dice.iter().map(|placed| placed.y).min().unwrap_or_default();
    let seen = |placed: &Placed| {
        let face = faces[placed.die as usize];
        (placed.x - left, placed.y - top, face.letter, face.colour, placed.called)
    };
    layout.dice.iter().map(seen).collect()
}
