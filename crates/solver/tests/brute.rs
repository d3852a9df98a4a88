//! The solver against brute force: all polyominoes, and on each all ways to lay dice in reading order. It shares no code with
//! the solver, bounds nothing, and turns back only where a run no longer begins a word of its length.

mod common;

use std::collections::{BTreeSet, HashSet};

use common::{Cell, Random, faces, house, left_over_costs, points, polyominoes, recount, runs, throw};
use solver::{Dictionary, Outcome, Problem, Search};
use words::{Counting, Face, Letter, Placed};

const IQUBES: Counting = Counting::IQubes { long_word: false };
const LONG: Counting = Counting::IQubes { long_word: true };

/// Words as trees of letters, one for each length: the tree of n letters has the root n. Each node says where every letter
/// leads; 0 is nowhere.
struct Trees(Vec<[u32; 26]>);

impl Trees {
    /// The words that these dice can spell: the others would only be dead ends.
    fn new(throw: &[Face], words: &HashSet<String>) -> Self {
        let mut trees = Self(vec![[0; 26]; throw.len() + 1]);
        // A die alone in its row or column may show any letter.
        trees.0[1] = [1; 26];
        for word in words.iter().filter(|word| can_spell(throw, word)) {
            word.bytes().fold(word.len(), |node, letter| trees.grow(node, usize::from(letter - b'a')));
        }
        trees
    }

    fn grow(&mut self, node: usize, letter: usize) -> usize {
        if self.0[node][letter] == 0 {
            self.0[node][letter] = self.0.len() as u32;
            self.0.push([0; 26]);
        }
        self.0[node][letter] as usize
    }
}

fn can_spell(throw: &[Face], word: &str) -> bool {
    let mut dice = throw.to_vec();
    word.len() <= throw.len()
        && word.chars().all(|c| {
            let shows = |face: &Face| face.letter == Letter::from_char(c);
            let die =
                dice.iter().position(shows).or_else(|| dice.iter().position(|die| die.letter.is_none()));
            die.map(|die| dice.swap_remove(die)).is_some()
        })
}

/// A cell of a shape as it is filled: across and down, the cell before it in its run, and how long that run is.
struct Place([(Option<usize>, usize); 2]);

impl Place {
    fn new(shape: &[Cell], (y, x): Cell) -> Self {
        Self([(0, 1), (1, 0)].map(|(dy, dx)| {
            let cell = |i: i32| shape.iter().position(|&cell| cell == (y + i * dy, x + i * dx));
            let before = (1..).map_while(|i| cell(-i)).count();
            (cell(-1), before + (0..).map_while(cell).count())
        }))
    }
}

struct Brute<'a> {
    game: Counting,
    throw: &'a [Face],
    trees: &'a Trees,
    places: Vec<Place>,
    runs: Vec<Vec<usize>>,
    /// The faces of the throw, each once, and how many dice that show it are not laid.
    left: Vec<(Face, u8)>,
    /// By cell: the face that lies there, and where its runs stand in the trees.
    laid: Vec<(Face, [u32; 2])>,
    /// By cell: the letter.
    letters: Vec<usize>,
    shape: &'a [Cell],
    best: &'a mut Best,
}

/// The best count, and all layouts that have it.
struct Best {
    count: i32,
    layouts: BTreeSet<Pattern>,
}

/// A layout or its mirror image, whichever comes first: cells in order, each with what lies there and the letter it is.
type Pattern = Vec<(Cell, Face, usize)>;

fn pattern(cells: impl Iterator<Item = (Cell, Face, usize)>) -> Pattern {
    let cells: Pattern = cells.collect();
    let top = cells.iter().map(|(cell, ..)| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|(cell, ..)| cell.1).min().unwrap_or(0);
    let moved = |&((y, x), face, letter): &(Cell, Face, usize)| ((y - top, x - left), face, letter);
    let mut drawn: Pattern = cells.iter().map(moved).collect();
    let mut mirrored: Pattern = drawn.iter().map(|&((y, x), face, letter)| ((x, y), face, letter)).collect();
    drawn.sort_unstable();
    mirrored.sort_unstable();
    drawn.min(mirrored)
}

impl Brute<'_> {
    fn fill(&mut self) {
        let Some(Place(runs)) = self.places.get(self.laid.len()) else {
            self.keep(self.count());
            return;
        };
        let stands = |side: usize| match runs[side] {
            (Some(before), _) => self.laid[before].1[side],
            (None, length) => length as u32,
        };
        let [across, down] = [stands(0), stands(1)].map(|node| self.trees.0[node as usize]);
        for face in 0..self.left.len() {
            let (shown, left) = self.left[face];
            if left == 0 {
                continue;
            }
            self.left[face].1 -= 1;
            let letters = shown.letter.map_or(0..26, |letter| letter.index()..letter.index() + 1);
            for letter in letters.filter(|&letter| across[letter] != 0 && down[letter] != 0) {
                self.laid.push((shown, [across[letter], down[letter]]));
                self.letters.push(letter);
                self.fill();
                self.laid.pop();
                self.letters.pop();
            }
            self.left[face].1 += 1;
        }
    }

    fn keep(&mut self, count: i32) {
        if count > self.best.count {
            self.best.count = count;
            self.best.layouts.clear();
        }
        if count == self.best.count {
            let cells = self.shape.iter().zip(&self.laid).zip(&self.letters);
            self.best.layouts.insert(pattern(cells.map(|((&cell, laid), &letter)| (cell, laid.0, letter))));
        }
    }

    fn count(&self) -> i32 {
        let mut count = 0;
        let mut word = [self.throw[0]; 16];
        for run in &self.runs {
            for (place, &cell) in word.iter_mut().zip(run) {
                *place = self.laid[cell].0;
            }
            count += points(self.game, self.throw, &word[..run.len()]);
        }
        if left_over_costs(self.game) {
            count -=
                self.left.iter().map(|&(face, left)| i32::from(left) * i32::from(face.value)).sum::<i32>();
        }
        count
    }
}

fn brute(game: Counting, throw: &[Face], words: &HashSet<String>, shapes: &[Vec<Cell>]) -> i32 {
    all_by_brute_force(game, throw, words, shapes).count
}

fn all_by_brute_force(game: Counting, throw: &[Face], words: &HashSet<String>, shapes: &[Vec<Cell>]) -> Best {
    let trees = Trees::new(throw, words);
    let mut left: Vec<(Face, u8)> = Vec::new();
    for &face in throw {
        match left.iter_mut().find(|(known, _)| *known == face) {
            Some((_, n)) => *n += 1,
            None => left.push((face, 1)),
        }
    }
    // An empty table.
    let count =
        if left_over_costs(game) { -throw.iter().map(|face| i32::from(face.value)).sum::<i32>() } else { 0 };
    let mut best = Best { count, layouts: BTreeSet::from([Vec::new()]) };
    for shape in shapes.iter().filter(|shape| (2..=throw.len()).contains(&shape.len())) {
        let mut brute = Brute {
            game,
            throw,
            trees: &trees,
            places: shape.iter().map(|&cell| Place::new(shape, cell)).collect(),
            runs: runs(shape),
            left: left.clone(),
            laid: Vec::new(),
            letters: Vec::new(),
            shape,
            best: &mut best,
        };
        brute.fill();
    }
    best
}

/// All best layouts of the solver are those of brute force, each once.
fn agree_on_all(
    game: Counting,
    throw: &[Face],
    words: &HashSet<String>,
    dictionary: &Dictionary,
    shapes: &[Vec<Cell>],
) -> usize {
    let expected = all_by_brute_force(game, throw, words, shapes);
    let problem = Problem::new(throw, game, dictionary).expect("a throw");
    let all = Search::new(&problem).all_best(usize::MAX);
    assert_eq!((all.score, all.complete), (expected.count, true), "{throw:?}");
    let cells = |placed: &Placed| {
        let face = throw[usize::from(placed.die)];
        let letter = face.letter.or(placed.called).expect("a letter");
        ((i32::from(placed.y), i32::from(placed.x)), face, letter.index())
    };
    let found: BTreeSet<Pattern> =
        all.layouts.iter().map(|layout| pattern(layout.dice.iter().map(cells))).collect();
    assert_eq!(found.len(), all.layouts.len(), "mirror images: {throw:?}");
    assert_eq!(found, expected.layouts, "{throw:?} {words:?}");
    found.len()
}

/// The solver's proven best, its layout counted anew.
fn solved(game: Counting, throw: &[Face], words: &HashSet<String>, dictionary: &Dictionary) -> i32 {
    let problem = Problem::new(throw, game, dictionary).expect("a throw");
    let Outcome::Proven(proven) = Search::new(&problem).run() else { panic!("nobody stopped it") };
    assert_eq!(recount(game, throw, words, proven.layout()), Ok(proven.score()), "{:?}", proven.layout());
    proven.score()
}

fn agree_on_real_dice(game: Counting, throws: usize, sizes: std::ops::RangeInclusive<usize>, seed: u64) {
    let (words, dictionary) = house();
    let shapes = polyominoes(*sizes.end());
    let mut random = Random(seed);
    let mut wild = 0;
    for n in 0..throws {
        let size = sizes.start() + n % (sizes.end() - sizes.start() + 1);
        let text = throw(game, size, &mut random);
        let throw = faces(game, &text);
        let expected = brute(game, &throw, &words, &shapes);
        assert_eq!(solved(game, &throw, &words, &dictionary), expected, "{game:?} {text}");
        wild += usize::from(throw.iter().any(|face| face.letter.is_none()));
        if (n + 1) % 100 == 0 {
            println!("{game:?}: {} throws agree, {wild} of them with wilds", n + 1);
        }
    }
}

/// Few letters and made-up words: dense layouts, many ties, repeated letters, several wilds.
fn made_up_words(
    game: Counting,
    throws: usize,
    dice: usize,
    seed: u64,
    mut each: impl FnMut(&[Face], &HashSet<String>, &Dictionary),
) {
    let mut random = Random(seed);
    for _ in 0..throws {
        let letters = 2 + random.below(4);
        let (density, wilds) = (1 + random.below(4), 3 + random.below(6));
        let mut words = HashSet::new();
        for size in 2..=dice as u32 {
            // Now and then no word has this length, or nearly none.
            let density = if random.below(4) == 0 { random.below(2) } else { density };
            for n in 0..(letters.pow(size)).min(400) {
                if random.below(6) < density {
                    let spread = if letters.pow(size) > 400 { random.below(letters.pow(size)) } else { n };
                    words.insert(
                        (0..size)
                            .map(|i| (b'a' + (spread / letters.pow(i) % letters) as u8) as char)
                            .collect(),
                    );
                }
            }
        }
        let dictionary = Dictionary::new(words.iter().filter_map(|word: &String| word.parse().ok()));
        let coloured = matches!(game, Counting::IQubes { .. });
        let throw: Vec<Face> = (0..dice)
            .map(|_| {
                let wild = random.below(wilds) == 0;
                let letter = Letter::from_index(random.below(letters)).filter(|_| !wild);
                let colour = coloured
                    .then(|| if random.below(2) == 0 { words::Colour::Red } else { words::Colour::Black });
                let value = if coloured || wild { 0 } else { 1 + letter.map_or(0, Letter::index) as u8 * 2 };
                Face { letter, colour, value }
            })
            .collect();
        each(&throw, &words, &dictionary);
    }
}

fn agree_on_made_up_words(game: Counting, throws: usize, dice: usize, seed: u64) {
    let shapes = polyominoes(dice);
    made_up_words(game, throws, dice, seed, |throw, words, dictionary| {
        let expected = brute(game, throw, words, &shapes);
        assert_eq!(solved(game, throw, words, dictionary), expected, "{game:?} {throw:?} {words:?}");
    });
}

/// By itself, for a brute force that remembers is a slow one.
fn agree_on_all_best(game: Counting, throws: usize, dice: usize, seed: u64) {
    let shapes = polyominoes(dice);
    let (words, dictionary) = house();
    let mut random = Random(seed);
    for _ in 0..throws {
        let throw = faces(game, &throw(game, dice, &mut random));
        agree_on_all(game, &throw, &words, &dictionary, &shapes);
    }
    made_up_words(game, throws, dice - 1, seed, |throw, words, dictionary| {
        agree_on_all(game, throw, words, dictionary, &shapes);
    });
}

#[test]
fn iqubes_agrees_with_brute_force() {
    agree_on_real_dice(IQUBES, 60, 5..=7, 1);
}

#[test]
fn scribbage_agrees_with_brute_force() {
    agree_on_real_dice(Counting::Scribbage, 60, 5..=7, 2);
}

#[test]
fn made_up_words_agree_with_brute_force() {
    agree_on_made_up_words(IQUBES, 25, 5, 3);
    agree_on_made_up_words(Counting::Scribbage, 25, 5, 4);
    agree_on_made_up_words(LONG, 25, 4, 5);
}

#[test]
fn all_best_layouts_are_those_of_brute_force() {
    agree_on_all_best(IQUBES, 20, 5, 6);
    agree_on_all_best(Counting::Scribbage, 20, 5, 7);
}

/// HAT over ATE: the joker may be either A. TO across and TA down are the mirror image of TA across and TO down.
#[test]
fn a_joker_in_place_of_a_die_is_another_layout_and_a_mirror_image_is_not() {
    let all = |throw: &str, words: &[&str]| {
        let words: HashSet<String> = words.iter().map(|&word| word.to_owned()).collect();
        let dictionary = Dictionary::new(words.iter().filter_map(|word| word.parse().ok()));
        let game = Counting::Scribbage;
        agree_on_all(game, &faces(game, throw), &words, &dictionary, &polyominoes(throw.len()))
    };
    assert_eq!(all("HATTE*", &["hat", "ate", "ha", "at", "te"]), 2);
    assert_eq!(all("TOA", &["to", "ta"]), 1);
    // Two jokers make a word that counts no less than an empty table.
    assert_eq!(all("**Q", &["at"]), 2);
}

/// CAB across, DBX down from its B, and IFG down beside: only XI, two jokers, joins them. It counts nothing and is a word.
#[test]
fn a_word_of_jokers_alone_may_join_two_others() {
    let words = HashSet::from(["cab", "dbx", "ifg", "xi"].map(str::to_owned));
    let dictionary = Dictionary::new(words.iter().filter_map(|word| word.parse().ok()));
    let throw = faces(Counting::Scribbage, "CABDFG**");
    let expected = brute(Counting::Scribbage, &throw, &words, &polyominoes(throw.len()));
    assert_eq!(expected, 4 + 1 + 2 * 4 + 3 + 4 + 4);
    assert_eq!(solved(Counting::Scribbage, &throw, &words, &dictionary), expected);
}

#[test]
#[ignore = "the long form: all of them take two minutes of one core"]
fn iqubes_agrees_with_brute_force_on_two_thousand_throws() {
    agree_on_real_dice(IQUBES, 2000, 5..=7, 11);
}

#[test]
#[ignore = "the long form: all of them take two minutes of one core"]
fn all_best_layouts_are_those_of_brute_force_on_hundreds_of_throws() {
    agree_on_all_best(IQUBES, 200, 6, 17);
    agree_on_all_best(Counting::Scribbage, 200, 6, 18);
}

#[test]
#[ignore = "the long form: all of them take two minutes of one core"]
fn the_long_word_agrees_with_brute_force() {
    agree_on_real_dice(LONG, 300, 5..=7, 12);
}

#[test]
#[ignore = "the long form: all of them take two minutes of one core"]
fn scribbage_agrees_with_brute_force_on_two_thousand_throws() {
    agree_on_real_dice(Counting::Scribbage, 2000, 5..=7, 13);
}

#[test]
#[ignore = "the long form: all of them take two minutes of one core"]
fn many_made_up_words_agree_with_brute_force() {
    agree_on_made_up_words(IQUBES, 600, 6, 14);
    agree_on_made_up_words(Counting::Scribbage, 600, 6, 15);
    agree_on_made_up_words(LONG, 300, 5, 16);
}
