//! What the tests share and the solver does not have: polyominoes grown the plain way, a random source, throws of the
//! real dice, and a count of layouts that uses nothing but the words on the table.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet, HashSet};

use words::{Colour, Counting, Face, Layout, Letter};

pub(crate) type Cell = (i32, i32);

pub(crate) const CUBES: &str =
    "NCOVUK ONUSMB SEHLAT LAIGQF IRELOT ARENDJ AETWDV MYOWUP SAYBEX SEDRI* OHTREN FIZACE GEMPI*";
pub(crate) const DICE: &str = "DNUero TOBasl !RLtni ACFehw EMNeoc HIGadt SEP?iy";

/// splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// `n` of the real dice of a game, thrown.
pub(crate) fn throw(game: Counting, n: usize, random: &mut Random) -> String {
    let set = if matches!(game, Counting::IQubes { .. }) { DICE } else { CUBES };
    let mut dice: Vec<&str> = set.split(' ').collect();
    while dice.len() > n {
        dice.remove(random.below(dice.len()));
    }
    while dice.len() < n {
        let again = dice[random.below(dice.len())];
        dice.push(again);
    }
    dice.iter().map(|die| die.as_bytes()[random.below(6)] as char).collect()
}

pub(crate) fn faces(game: Counting, throw: &str) -> Vec<Face> {
    let values = |c: char| match c {
        'A' | 'E' | 'O' => 1,
        'I' | 'L' | 'N' | 'R' | 'S' | 'T' => 2,
        'D' | 'H' | 'M' | 'U' => 3,
        'B' | 'C' | 'F' | 'G' | 'P' | 'V' | 'W' | 'Y' => 4,
        'K' => 5,
        'J' => 6,
        'Q' | 'X' => 8,
        'Z' => 10,
        _ => 0,
    };
    let coloured = matches!(game, Counting::IQubes { .. });
    let colour = |c: char| if c == '!' || c.is_ascii_uppercase() { Colour::Red } else { Colour::Black };
    throw
        .chars()
        .map(|c| Face {
            letter: Letter::from_char(c),
            colour: coloured.then(|| colour(c)),
            value: if coloured { 0 } else { values(c) },
        })
        .collect()
}

/// All fixed polyominoes of 1 to `n` cells, each with its cells in reading order and the smallest row and column 0.
pub(crate) fn polyominoes(n: usize) -> Vec<Vec<Cell>> {
    let mut all = Vec::new();
    let mut layer = BTreeSet::from([vec![(0, 0)]]);
    for _ in 0..n {
        all.extend(layer.iter().cloned());
        let mut next = BTreeSet::new();
        for shape in &layer {
            for &(y, x) in shape {
                for new in [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)] {
                    if !shape.contains(&new) {
                        let mut grown = shape.clone();
                        grown.push(new);
                        let top = grown.iter().map(|c| c.0).min().expect("cells");
                        let left = grown.iter().map(|c| c.1).min().expect("cells");
                        for cell in &mut grown {
                            *cell = (cell.0 - top, cell.1 - left);
                        }
                        grown.sort_unstable();
                        next.insert(grown);
                    }
                }
            }
        }
        layer = next;
    }
    all
}

/// The runs of two or more cells of a shape, across and down, as places in its list of cells.
pub(crate) fn runs(shape: &[Cell]) -> Vec<Vec<usize>> {
    let mut runs = Vec::new();
    for (dy, dx) in [(0, 1), (1, 0)] {
        for &(y, x) in shape {
            if shape.contains(&(y - dy, x - dx)) {
                continue;
            }
            let run: Vec<usize> = (0..)
                .map_while(|i| shape.iter().position(|&cell| cell == (y + i * dy, x + i * dx)))
                .collect();
            if run.len() >= 2 {
                runs.push(run);
            }
        }
    }
    runs
}

/// What one word of these dice counts.
pub(crate) fn points(game: Counting, throw: &[Face], word: &[Face]) -> i32 {
    match game {
        Counting::IQubes { long_word } => {
            let letters = if long_word && word.len() == throw.len() { 15 } else { word.len() as i32 };
            let one_colour = word.iter().all(|face| face.colour.is_some() && face.colour == word[0].colour);
            if one_colour { 2 * letters } else { letters }
        }
        _ => word.iter().map(|face| i32::from(face.value)).sum(),
    }
}

pub(crate) fn left_over_costs(game: Counting) -> bool {
    !matches!(game, Counting::IQubes { .. })
}

/// Counts a layout by itself: every die once and of the throw, letters as shown, all runs words, all connected.
pub(crate) fn recount(
    game: Counting,
    throw: &[Face],
    words: &HashSet<String>,
    layout: &Layout,
) -> Result<i32, String> {
    let mut table: BTreeMap<Cell, (Face, char)> = BTreeMap::new();
    let mut used = HashSet::new();
    for placed in &layout.dice {
        let face = throw[usize::from(placed.die)];
        let letter = face.letter.or(placed.called).ok_or("a wild without a letter")?;
        if face.letter.is_some_and(|shown| placed.called.is_some_and(|called| called != shown)) {
            return Err("a die that is called otherwise".into());
        }
        if !used.insert(placed.die)
            || table.insert((placed.y.into(), placed.x.into()), (face, letter.lower())).is_some()
        {
            return Err("a die or a cell twice".into());
        }
    }
    let cells: Vec<Cell> = table.keys().copied().collect();
    if game.is_crossword() && !cells.is_empty() {
        let mut seen = vec![cells[0]];
        let mut at = 0;
        while at < seen.len() {
            let (y, x) = seen[at];
            at += 1;
            for near in [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)] {
                if table.contains_key(&near) && !seen.contains(&near) {
                    seen.push(near);
                }
            }
        }
        if seen.len() < cells.len() || cells.len() == 1 {
            return Err("not connected".into());
        }
    }
    let mut count = 0;
    let mut in_words = HashSet::new();
    for run in runs(&cells) {
        let word: String = run.iter().map(|&i| table[&cells[i]].1).collect();
        if !words.contains(&word) {
            return Err(format!("{word} is no word"));
        }
        for &i in &run {
            if !in_words.insert(i) && !game.is_crossword() {
                return Err("a die in two words".into());
            }
        }
        let dice: Vec<Face> = run.iter().map(|&i| table[&cells[i]].0).collect();
        count += points(game, throw, &dice);
    }
    if in_words.len() < cells.len() {
        return Err("a die in no word".into());
    }
    if left_over_costs(game) {
        count -= throw.iter().map(|face| i32::from(face.value)).sum::<i32>();
        count += table.values().map(|(face, _)| i32::from(face.value)).sum::<i32>();
    }
    Ok(count)
}

/// The words of the house that bots may lay, and the solver's index of them.
pub(crate) fn house() -> (HashSet<String>, solver::Dictionary) {
    let lexicon = words::Lexicon::house();
    let vocabulary = words::Vocabulary::default();
    let all = lexicon
        .words()
        .filter(|&(_, entry)| vocabulary.has(entry))
        .map(|(word, _)| word.to_string())
        .collect();
    (all, solver::Dictionary::of(&lexicon, vocabulary))
}
