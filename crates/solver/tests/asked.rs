//! What else can be asked of a search: a word, all dice, a layout to go on from, all best layouts, a stop, more threads,
//! the young players' rule.

mod common;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use common::{Random, faces, house, recount, throw};
use solver::{Answer, Dictionary, Outcome, Problem, ProblemError, Search};
use words::{Counting, Face, Layout, Placed, Word};

const IQUBES: Counting = Counting::IQubes { long_word: false };

fn word(text: &str) -> Word {
    text.parse().expect("a word")
}

/// All words of a layout, with the letters its dice show.
fn words_of(throw: &[Face], layout: &Layout) -> Vec<String> {
    let checked = layout.check(throw, Counting::Scribbage, |_| true);
    checked.runs().iter().filter_map(|run| run.word).map(|word| word.to_string()).collect()
}

#[test]
fn sb_s7_the_best_of_the_sheets_cubes_is_proven_and_counted_anew() {
    let (words, dictionary) = house();
    let throw = faces(Counting::Scribbage, "PLANTICKRMWOQ");
    let problem = Problem::new(&throw, Counting::Scribbage, &dictionary).expect("thirteen cubes");
    let outcome = Search::new(&problem).run();
    let best = outcome.proven().expect("nobody stopped it");
    assert!(best.score() >= 31, "the sheet's own layout counts 31");
    assert_eq!(recount(Counting::Scribbage, &throw, &words, best.layout()), Ok(best.score()));
    assert_eq!(best.answer().bound, best.score());
}

#[test]
fn iq_s10_all_seven_in_one_word_count_thirty_in_one_colour() {
    let dictionary = Dictionary::new(["planets", "an", "at"].map(word));
    let throw = faces(IQUBES, "PLANETS");
    let best = |long_word| {
        let problem = Problem::new(&throw, Counting::IQubes { long_word }, &dictionary).expect("seven dice");
        Search::new(&problem).run().proven().expect("nobody stopped it").score()
    };
    assert_eq!((best(false), best(true)), (14, 30));
}

#[test]
fn a_word_that_must_be_laid_is_laid_as_well_as_can_be() {
    let (words, dictionary) = house();
    let mut random = Random(31);
    for game in [IQUBES, Counting::Scribbage] {
        for _ in 0..6 {
            let throw = faces(game, &throw(game, 6, &mut random));
            let problem = Problem::new(&throw, game, &dictionary).expect("a throw");
            let free = Search::new(&problem).all_best(usize::MAX);
            assert!(free.complete);
            let Some(asked) = free.layouts.first().and_then(|layout| words_of(&throw, layout).pop()) else {
                continue;
            };
            let asked = word(&asked);
            // A word of a best layout: no worse than the best.
            let outcome = Search::new(&problem.clone().using_word(asked).expect("a word")).run();
            let best = outcome.proven().expect("it is possible");
            assert_eq!(best.score(), free.score);
            assert!(words_of(&throw, best.layout()).contains(&asked.to_string()));
            assert_eq!(recount(game, &throw, &words, best.layout()), Ok(best.score()));
        }
    }
    let throw = faces(IQUBES, "QRSTUVW");
    let problem = Problem::new(&throw, IQUBES, &dictionary)
        .expect("a throw")
        .using_word(word("plant"))
        .expect("a word");
    assert_eq!(Search::new(&problem).run(), Outcome::Impossible);
}

#[test]
fn all_dice_are_used_where_that_is_asked_and_possible() {
    let (_, dictionary) = house();
    let dice = faces(IQUBES, "DASHTo!");
    let problem = Problem::new(&dice, IQUBES, &dictionary).expect("a throw").using_all_dice();
    assert_eq!(Search::new(&problem).run().answer().map(|answer| answer.layout.dice.len()), Some(7));
    let dice = faces(IQUBES, "QQQQQQQ");
    let problem = Problem::new(&dice, IQUBES, &dictionary).expect("a throw").using_all_dice();
    assert_eq!(Search::new(&problem).run(), Outcome::Impossible);
}

#[test]
fn a_layout_to_go_on_from_stays_where_it_is() {
    let (words, dictionary) = house();
    let mut random = Random(33);
    for game in [IQUBES, Counting::Scribbage] {
        for _ in 0..4 {
            let throw = faces(game, &throw(game, 6, &mut random));
            let problem = Problem::new(&throw, game, &dictionary).expect("a throw");
            let outcome = Search::new(&problem).run();
            let free = outcome.proven().expect("nobody stopped it");
            // Two dice of the best layout, put elsewhere on the table: the best is still within reach.
            let moved = |placed: &Placed| Placed { x: placed.x + 5, y: placed.y - 3, ..*placed };
            let start =
                Layout { dice: free.layout().dice.iter().rev().step_by(2).take(2).map(moved).collect() };
            let outcome = Search::new(&problem.clone().extending(&start).expect("dice of the throw")).run();
            let best = outcome.proven().expect("it is possible");
            assert_eq!(best.score(), free.score());
            assert!(start.dice.iter().all(|placed| best.layout().dice.contains(placed)));
            assert_eq!(recount(game, &throw, &words, best.layout()), Ok(best.score()));
        }
    }
}

#[test]
fn a_good_layout_to_go_on_from_is_an_answer_even_if_there_is_no_time() {
    let (words, dictionary) = house();
    let game = Counting::Scribbage;
    let throw = faces(game, "PLANTICKRMWOQ");
    let word = |die: u8| Placed { die, x: die as i8, y: 0, called: None };
    let start = Layout { dice: (0..5).map(word).collect() };
    let problem = Problem::new(&throw, game, &dictionary).expect("a throw").extending(&start).expect("plant");
    let stop = AtomicBool::new(true);
    let outcome = Search::new(&problem).stop_when(&stop).run();
    let answer = outcome.answer().expect("the word that lies there");
    assert_eq!((&answer.layout, Ok(answer.score)), (&start, recount(game, &throw, &words, &start)));
    // Not if more is asked for than lies there.
    let all = problem.using_all_dice();
    assert_eq!(Search::new(&all).stop_when(&stop).run().answer(), None);
}

#[test]
fn all_best_layouts_are_different_and_count_the_same() {
    let (words, dictionary) = house();
    let mut random = Random(34);
    for game in [IQUBES, Counting::Scribbage] {
        for _ in 0..5 {
            let throw = faces(game, &throw(game, 6, &mut random));
            let problem = Problem::new(&throw, game, &dictionary).expect("a throw");
            let all = Search::new(&problem).all_best(10_000);
            assert!(all.complete && !all.layouts.is_empty());
            let mut seen = HashSet::new();
            for layout in &all.layouts {
                assert_eq!(recount(game, &throw, &words, layout), Ok(all.score));
                assert!(seen.insert(layout.clone()));
            }
            let few = Search::new(&problem).all_best(1);
            assert_eq!((few.layouts.len(), few.complete), (1, all.layouts.len() == 1));
        }
    }
}

#[test]
fn a_search_can_be_stopped_and_knows_its_bound() {
    let (_, dictionary) = house();
    let throw = faces(Counting::Scribbage, "KNSFLEWWSIRCM");
    let problem = Problem::new(&throw, Counting::Scribbage, &dictionary).expect("a throw");
    let stop = AtomicBool::new(true);
    let Outcome::Stopped(stopped) = Search::new(&problem).stop_when(&stop).run() else {
        panic!("it was stopped")
    };
    assert!(stopped.bound > stopped.score);
    let mut last = i32::MAX;
    let outcome = Search::new(&problem).run_with(|progress| {
        assert!(progress.bound <= last);
        last = progress.bound;
        if progress.nodes > 50_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(outcome, Outcome::Stopped(_)));
}

#[test]
fn more_threads_prove_the_same_count() {
    let (_, dictionary) = house();
    let mut random = Random(35);
    for _ in 0..3 {
        let throw = faces(IQUBES, &throw(IQUBES, 7, &mut random));
        let problem = Problem::new(&throw, IQUBES, &dictionary).expect("a throw");
        let score =
            |threads| Search::new(&problem).threads(threads).run().proven().map(solver::Proven::score);
        assert_eq!(score(1), score(3));
        assert_eq!(Search::new(&problem).run(), Search::new(&problem).run());
    }
}

#[test]
fn sb_r6_young_players_lay_separate_words_as_well_as_can_be() {
    let (words, dictionary) = house();
    let mut random = Random(36);
    for _ in 0..5 {
        let throw = faces(Counting::Young, &throw(Counting::Scribbage, 7, &mut random));
        let problem = Problem::new(&throw, Counting::Young, &dictionary).expect("a throw");
        let outcome = Search::new(&problem).run();
        let best = outcome.proven().expect("nobody stopped it");
        assert_eq!(recount(Counting::Young, &throw, &words, best.layout()), Ok(best.score()));
        assert_eq!(best.score(), separate_words(&throw, &words));
    }
}

#[test]
fn sb_r6_jokers_are_alike_to_the_young_players_search() {
    let (words, dictionary) = house();
    for text in ["**", "Q*", "A*T*E*", "EE**TQ", "ZZ*****", "*******"] {
        let throw = faces(Counting::Scribbage, text);
        let problem = Problem::new(&throw, Counting::Young, &dictionary).expect("a throw");
        let outcome = Search::new(&problem).run();
        let best = outcome.proven().expect("nobody stopped it");
        assert_eq!(recount(Counting::Young, &throw, &words, best.layout()), Ok(best.score()), "{text}");
        assert_eq!(best.score(), separate_words(&throw, &words), "{text}");
    }
    // As many orders as thirteen jokers have, nobody could wait for.
    let throw = faces(Counting::Scribbage, "*************");
    let problem = Problem::new(&throw, Counting::Young, &dictionary).expect("a throw");
    assert_eq!(Search::new(&problem).run().proven().map(solver::Proven::score), Some(0));
    let all = Search::new(&problem.clone().using_all_dice()).run();
    let all = all.proven().expect("thirteen letters are some words");
    assert_eq!(all.layout().dice.len(), 13);
    assert_eq!(recount(Counting::Young, &throw, &words, all.layout()), Ok(0));
    let asked = problem.using_word(word("planet")).expect("a word").using_all_dice();
    let asked = Search::new(&asked).run();
    assert!(
        words_of(&throw, asked.answer().map_or(&Layout::EMPTY, |a| &a.layout)).contains(&"planet".into())
    );
}

#[test]
fn sb_r6_the_young_players_search_can_be_stopped() {
    let (_, dictionary) = house();
    let throw = faces(Counting::Scribbage, "*************");
    let problem = Problem::new(&throw, Counting::Young, &dictionary).expect("a throw");
    let stop = AtomicBool::new(true);
    let empty = Outcome::Stopped(Answer { layout: Layout::EMPTY, score: 0, bound: 0 });
    assert_eq!(Search::new(&problem).stop_when(&stop).run(), empty);
    let mut told = 0;
    let broken = Search::new(&problem).run_with(|progress| {
        told = progress.nodes;
        ControlFlow::Break(())
    });
    assert_eq!((broken, told > 0), (empty, true));
    let all = Search::new(&problem).stop_when(&stop).all_best(9);
    assert!(all.layouts.is_empty() && !all.complete);
    // An empty table uses neither all dice nor the word.
    let all = problem.using_all_dice();
    assert_eq!(Search::new(&all).stop_when(&stop).run(), Outcome::Unanswered { bound: 0 });
}

#[test]
fn jokers_alone_are_a_layout_though_it_counts_nothing() {
    let (words, dictionary) = house();
    let game = Counting::Scribbage;
    let best = |throw: &[Face], problem: Problem| {
        let outcome = Search::new(&problem).run();
        let best = outcome.proven().unwrap_or_else(|| panic!("two jokers are AT: {outcome:?}"));
        assert_eq!(recount(game, throw, &words, best.layout()), Ok(best.score()));
        (best.score(), words_of(throw, best.layout()))
    };
    let jokers = faces(game, "**");
    let problem = Problem::new(&jokers, game, &dictionary).expect("a throw");
    assert_eq!(best(&jokers, problem.clone().using_all_dice()).1.len(), 1);
    let at = (0, vec!["at".to_owned()]);
    assert_eq!(best(&jokers, problem.clone().using_word(word("at")).expect("a word")), at);
    let start = Layout { dice: vec![Placed { die: 0, x: 0, y: 0, called: words::Letter::from_char('a') }] };
    let start = problem.extending(&start).expect("an A").using_word(word("at")).expect("a word");
    assert_eq!(best(&jokers, start), at);
    let with_q = faces(game, "**Q");
    let problem = Problem::new(&with_q, game, &dictionary).expect("a throw");
    assert_eq!(best(&with_q, problem.using_word(word("at")).expect("a word")), (-8, at.1));
}

/// More words than two bytes can number: the last of them, ZZ, must not be taken for another.
#[test]
fn a_long_list_is_not_taken_for_a_short_one() {
    let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
    let four = |n: u32| [n / 17_576, n / 676, n / 26, n].map(letter).iter().collect::<String>();
    let mut words: HashSet<String> = (0..1 << 16).map(four).collect();
    words.insert("zz".to_owned());
    let dictionary = Dictionary::new(words.iter().filter_map(|word| word.parse().ok()));
    let throw = faces(IQUBES, "!!!!");
    let problem = Problem::new(&throw, IQUBES, &dictionary).expect("a throw");
    let outcome = Search::new(&problem).run();
    let best = outcome.proven().expect("nobody stopped it");
    assert_eq!(best.score(), 16, "a square of ZZ");
    assert_eq!(recount(IQUBES, &throw, &words, best.layout()), Ok(16));
}

/// By plain recursion over the dice: the most that separate words count.
fn separate_words(throw: &[Face], words: &HashSet<String>) -> i32 {
    let value = |dice: &[usize]| dice.iter().map(|&die| i32::from(throw[die].value)).sum::<i32>();
    let spells = |dice: &[usize]| {
        let wilds = dice.iter().filter(|&&die| throw[die].is_wild()).count();
        words.iter().filter(|word| word.len() == dice.len()).any(|word| {
            let mut left: Vec<char> = word.chars().collect();
            for letter in dice.iter().filter_map(|&die| throw[die].letter) {
                match left.iter().position(|&c| c == letter.lower()) {
                    Some(place) => drop(left.swap_remove(place)),
                    None => return false,
                }
            }
            left.len() == wilds
        })
    };
    let sets = 1_usize << throw.len();
    let dice = |set: usize| (0..throw.len()).filter(|die| set >> die & 1 == 1).collect::<Vec<_>>();
    let good: Vec<bool> = (0..sets).map(|set| set.count_ones() >= 2 && spells(&dice(set))).collect();
    let mut best = vec![0; sets];
    for set in 0..sets {
        let mut part = set;
        while part > 0 {
            if good[part] {
                best[set] = best[set].max(value(&dice(part)) + best[set & !part]);
            }
            part = (part - 1) & set;
        }
        for die in dice(set) {
            best[set] = best[set].max(best[set & !(1 << die)]);
        }
    }
    2 * best[sets - 1] - value(&dice(sets - 1))
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let (_, dictionary) = house();
    let throw = faces(Counting::Scribbage, "PLANT*");
    let problem = |counting| Problem::new(&throw, counting, &dictionary).expect("six dice");
    assert_eq!(
        Problem::new(&[throw[0]; 15], Counting::Scribbage, &dictionary).map(drop),
        Err(ProblemError::TooManyDice(15))
    );
    let start = |die, called| Layout { dice: vec![Placed { die, x: 0, y: 0, called }] };
    let extending = |counting, start: &Layout| problem(counting).extending(start).map(drop);
    assert_eq!(extending(Counting::Scribbage, &start(9, None)), Err(ProblemError::StrangeDie(9)));
    assert_eq!(extending(Counting::Scribbage, &start(5, None)), Err(ProblemError::StrangeLetter(5)));
    assert_eq!(extending(Counting::Young, &start(0, None)), Err(ProblemError::NoCrossword));
    assert_eq!(
        problem(Counting::Scribbage).using_word(word("xyzzy")).map(drop),
        Err(ProblemError::NoWord(word("xyzzy")))
    );
}
