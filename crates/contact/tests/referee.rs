//! The crate against a second, naive Contact: legal moves, removals, turnings over, outcomes and perft.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

mod naive;

use std::collections::BTreeSet;

use contact::notation::result_text;
use contact::{Move, Players, Position, Set, Ties};
use naive::{Naive, Tile, move_text, perft};

/// A small generator of its own, so that failures repeat.
struct Luck(u64);

impl Luck {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// Compares everything about one position: its moves, and what each of them leads to.
fn compare(ours: &mut Position, theirs: &Naive) {
    assert_eq!(ours.to_string(), theirs.text());
    assert_eq!(ours.over().map(result_text), theirs.result, "{ours}");
    let moves: BTreeSet<String> = ours.legal().iter().map(ToString::to_string).collect();
    let mut wanted: BTreeSet<String> = theirs.moves().into_iter().map(move_text).collect();
    if wanted.is_empty() && theirs.result.is_none() {
        wanted.insert("pass".to_owned());
    }
    assert_eq!(moves, wanted, "{ours}");
    assert_eq!(ours.count_moves() as usize, wanted.len(), "{ours}");
}

/// Compares what every legal move of the position leads to.
fn compare_all_moves(ours: &mut Position, theirs: &Naive) {
    let before = ours.clone();
    for ends in theirs.moves() {
        let mv: Move = move_text(ends).parse().unwrap();
        let mut after = theirs.clone();
        after.play(Some(ends));
        let undo = ours.play(mv).expect("compared as legal");
        assert_eq!(ours.to_string(), after.text(), "{before} {mv}");
        assert_eq!(ours.over().map(result_text), after.result, "{before} {mv}");
        assert_eq!(
            undo.removed().count_ones() as usize,
            theirs.tiles.len() - after.tiles.len(),
            "{before} {mv}"
        );
        assert!(ours.is_consistent(), "{before} {mv}");
        ours.unmake(&undo);
        assert_eq!(*ours, before, "{mv}");
        assert!(ours.is_consistent(), "{before}");
    }
}

/// Random play that likes contacts and far lines, so that games open up, from a set-up to the end.
fn random_game(twelve: bool, players: &str, count: bool, luck: &mut Luck) -> usize {
    let setup = if twelve { "twelve" } else { "six" };
    let ours = Position::start(&Set::default(), setup, Players::from_word(players).unwrap()).unwrap();
    let mut ours = ours.under(Ties { count, ..Ties::default() });
    let mut theirs = Naive { count, ..Naive::set_up(twelve, players) };
    let mut positions = 0;
    loop {
        compare(&mut ours, &theirs);
        if luck.below(8) == 0 {
            compare_all_moves(&mut ours, &theirs);
        }
        positions += 1;
        if theirs.result.is_some() {
            return positions;
        }
        let moves: Vec<_> = theirs.moves().into_iter().collect();
        let ends = if moves.is_empty() {
            None
        } else {
            let one = *luck.of(&moves);
            let two = *luck.of(&moves);
            let middle = |e: naive::Ends| (e.1.0 - 8).abs() + (e.1.1 - 8).abs();
            Some(if luck.below(3) > 0 && middle(two) < middle(one) { two } else { one })
        };
        ours.make(ends.map_or(Move::PASS, |e| move_text(e).parse().unwrap()));
        theirs.play(ends);
    }
}

/// A crowded or nearly empty board with any faces and spins, partly past the middle of a last pair.
fn random_position(players: &str, luck: &mut Luck) -> Option<Naive> {
    let mut game = Naive::set_up(false, players);
    game.tiles.clear();
    let most = if luck.below(3) == 0 { 2 } else { 3 + luck.below(21) };
    let spread = 3 + luck.below(13) as i32;
    let (left, low) = (luck.below(16 - spread as u64) as i32, luck.below(16 - spread as u64) as i32);
    for _ in 0..most {
        let at = (left + 1 + luck.below(spread as u64) as i32, low + 1 + luck.below(spread as u64) as i32);
        let owner = *luck.of(&game.seated);
        let friend = |o: usize| o == owner || (game.partners && (o + 2) % 4 == owner);
        let near = |t: &Tile| (t.at.0 - at.0).abs() + (t.at.1 - at.1).abs();
        let bad = game.tiles.iter().any(|t| near(t) == 0 || (near(t) == 1 && !friend(t.owner)));
        let many = game.tiles.iter().filter(|t| t.owner == owner).count() >= 12;
        if !bad && !many {
            let (two_step, turned) = (luck.below(2) == 0, luck.below(4) == 0);
            game.tiles.push(Tile { owner, two_step, turned, spins: luck.below(4) as u32, at });
        }
    }
    game.tiles.sort_by_key(|t| (-t.at.1, t.at.0));
    game.quiet = luck.below(60) as u32;
    game.turn = *luck.of(&game.seated);
    let (turn, partners) = (game.turn, game.partners);
    let in_play = |o: usize| o == turn || (partners && (o + 2) % 4 == turn);
    if !game.tiles.iter().any(|t| in_play(t.owner)) {
        return None;
    }
    game.look_for_pair();
    if let Some((turns, seven)) = &mut game.pair {
        *turns = luck.below(20) as u32;
        let same = game.tiles[0].two_step == game.tiles[1].two_step;
        *seven = *seven || (same && luck.below(2) == 0);
    }
    let tiles = game.tiles.clone();
    game.judge_board(&tiles);
    game.seen.clear();
    Some(game)
}

const TABLES: [(bool, &str); 5] =
    [(false, "two"), (true, "two"), (false, "three"), (false, "four"), (false, "partners")];

#[test]
fn the_naive_referee_agrees_along_random_games() {
    let mut luck = Luck(0x00C0_47AC);
    let mut positions = 0;
    for (twelve, players) in TABLES {
        for game in 0..8 {
            positions += random_game(twelve, players, game % 2 == 0, &mut luck);
        }
    }
    assert!(positions >= 2_000, "{positions}");
}

#[test]
fn the_naive_referee_agrees_on_ten_thousand_random_positions() {
    let mut luck = Luck(0x0BAD_5EED);
    let (mut done, mut sevens, mut saved) = (0, 0, 0);
    while done < 10_000 {
        let (_, players) = *luck.of(&TABLES);
        let Some(theirs) = random_position(players, &mut luck) else { continue };
        let text = theirs.text();
        let mut ours: Position = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        compare(&mut ours, &theirs);
        if done % 2 == 0 {
            compare_all_moves(&mut ours, &theirs);
        }
        sevens += usize::from(text.contains("seven"));
        saved += usize::from(
            theirs.partners
                && theirs
                    .moves()
                    .iter()
                    .any(|m| theirs.tiles.iter().any(|t| t.at == m.0 && t.owner != theirs.turn)),
        );
        done += 1;
    }
    assert!(sevens > 300, "{sevens} seven-step endings");
    assert!(saved > 300, "{saved} positions with a partner's tile to move");
}

#[test]
fn perft_of_the_set_ups_holds_to_depth_three() {
    let count =
        |setup, players| contact::perft(&Position::start(&Set::default(), setup, players).unwrap(), 3);
    assert_eq!(count("six", Players::Two), 1793);
    assert_eq!(count("twelve", Players::Two), 4095);
    assert_eq!(count("six", Players::Four), 1331);
}

#[test]
fn perft_of_the_naive_referee_agrees_at_depth_four() {
    for (twelve, players) in TABLES {
        let setup = if twelve { "twelve" } else { "six" };
        let ours = Position::start(&Set::default(), setup, Players::from_word(players).unwrap()).unwrap();
        let depth = if twelve || players == "partners" { 3 } else { 4 };
        assert_eq!(
            contact::perft(&ours, depth),
            perft(&Naive::set_up(twelve, players), depth),
            "{setup} {players}"
        );
    }
}

#[test]
fn perft_of_the_naive_referee_agrees_on_odd_positions() {
    let mut luck = Luck(0x5151);
    let mut done = 0;
    while done < 60 {
        let (_, players) = *luck.of(&TABLES);
        let Some(mut theirs) = random_position(players, &mut luck) else { continue };
        if theirs.tiles.len() > 8 {
            continue;
        }
        theirs.quiet = 0;
        theirs.repetition = false;
        let ours: Position = theirs.text().parse().unwrap();
        assert_eq!(contact::perft(&ours, 2), perft(&theirs, 2), "{ours}");
        done += 1;
    }
}

/// Deeper, and slow: `cargo test --release -p contact --test referee -- --ignored`.
#[test]
#[ignore = "minutes of naive counting"]
fn perft_of_the_naive_referee_agrees_deeper() {
    for (twelve, players) in TABLES {
        let setup = if twelve { "twelve" } else { "six" };
        let ours = Position::start(&Set::default(), setup, Players::from_word(players).unwrap()).unwrap();
        let depth = if players == "partners" { 4 } else { 5 };
        assert_eq!(
            contact::perft(&ours, depth),
            perft(&Naive::set_up(twelve, players), depth),
            "{setup} {players}"
        );
    }
}
