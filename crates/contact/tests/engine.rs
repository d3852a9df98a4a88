//! The engine: it sees what is there to be seen, wins what is won, repeats itself, and plays every kind of game to its end.

use contact::coach::{Mark, mark_game};
use contact::eval::Weights;
use contact::level::{Kind, Player};
use contact::notation::GameText;
use contact::search::{Limits, Searcher, WON};
use contact::{Act, Contact, ContactBot, Move, Options, Players, Position, Set, Side, Ties};
use proptest::prelude::*;
use table::record::{End, Entry, Head, Scribe};
use table::verify::verify;
use table::{Bot, Game, Luck, Seats, Seed, Table, bot};

fn read(text: &str) -> Position {
    text.parse().expect("a good position")
}

fn start(setup: &str, players: Players) -> Position {
    Position::start(&Set::default(), setup, players).expect("a set-up")
}

/// Plays at random for a while.
fn wander(setup: &str, players: Players, moves: u64, seed: u64) -> Position {
    let mut luck = Luck::new(seed);
    let mut position = start(setup, players);
    for _ in 0..moves {
        let legal = position.legal();
        let Some(&mv) = luck.pick(&legal) else { break };
        position.make(mv);
    }
    position
}

#[test]
fn it_takes_the_last_tile_at_once() {
    let position = read("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two");
    let thought = Searcher::new(&Weights::default(), 1).think(&position, &Limits::depth(4));
    assert_eq!(thought.best.to_string(), "h6-h8");
    assert!(thought.score > WON);
}

#[test]
fn it_saves_a_tile_that_is_attacked() {
    // North threatens to come to i9 with 6 against the 3 in h8's north-east; standing still would lose a tile.
    let position = read("nc14/15/15/15/15/9nd5/15/7sd7/15/15/15/15/15/15/sa13sa s two");
    let mut searcher = Searcher::new(&Weights::default(), 1);
    let thought = searcher.think(&position, &Limits::depth(5));
    let mut after = position.clone();
    after.make(thought.best);
    let reply = searcher.think(&after, &Limits::depth(3));
    assert!(reply.score < 350, "nothing hangs after {}: {}", thought.best, reply.score);
}

#[test]
fn a_search_by_nodes_gives_the_same_move_again() {
    for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
        let position = wander("six", players, 20, 5);
        let think = || Searcher::new(&Weights::default(), 1).think(&position, &Limits::nodes(5_000));
        let (one, two) = (think(), think());
        assert_eq!((one.best, one.score, one.nodes), (two.best, two.score, two.nodes), "{players:?}");
        assert!(position.clone().legal().contains(&one.best));
    }
}

#[test]
fn lines_are_legal_and_ranked_at_one_depth() {
    let near = read("15/9Nd5/5na9/5nc9/9nc5/15/15/15/9Na5/15/8Sa6/15/7sc2sd4/8sb6/7Sa7 n two 17 -");
    for position in [wander("twelve", Players::Two, 24, 2), start("six", Players::Two), near] {
        for nodes in [1, 500, 20_000, 60_000] {
            let analysis = contact::best(&position, &Limits::nodes(nodes), 3);
            assert_eq!(analysis.lines.len(), 3);
            assert!(analysis.lines.iter().all(|line| line.depth == analysis.lines[0].depth), "{analysis:?}");
            assert!(analysis.lines.windows(2).all(|w| w[0].score >= w[1].score && w[0].mv != w[1].mv));
            for line in &analysis.lines {
                let mut position = position.clone();
                for &mv in &line.line {
                    assert!(position.play(mv).is_some(), "{mv} in {position}");
                }
                assert!(line.depth == 0 || line.line.first() == Some(&line.mv));
            }
            assert!(serde_json::to_string(&analysis).is_ok());
        }
    }
}

#[test]
fn a_tie_is_nothing_to_either_side_and_is_called_a_tie() {
    // Two turns before a last pair that cannot meet is a tie (CT-R8).
    for turn in ["s", "n"] {
        let far = read(&format!("14nc/15/15/15/15/15/15/15/15/15/15/15/15/15/Sa14 {turn} two 0 steps:18"));
        let analysis = contact::best(&far, &Limits::depth(6), 3);
        for line in &analysis.lines {
            assert_eq!((line.score, line.says.as_str(), line.ends_in), (0, "a tie", None), "{turn}");
        }
        // To play, it would still rather not.
        let keen = Searcher::new(&Weights::default(), 1).think(&far, &Limits::depth(6));
        assert!(keen.score < 0, "{}", keen.score);
    }
    // An even game is no tie yet, and worth as much to the one as it costs the other.
    let first = contact::best(&start("six", Players::Two), &Limits::depth(1), 1);
    let [line] = &first.lines[..] else { panic!("one line") };
    assert!(line.score != 0 && line.score.abs() < 60 && line.says.starts_with(['+', '-']), "{}", line.says);
}

#[test]
fn a_forced_end_is_told_by_its_distance() {
    let won = read("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two");
    let analysis = contact::best(&won, &Limits::depth(4), 1);
    assert_eq!((analysis.lines[0].says.as_str(), analysis.lines[0].ends_in), ("wins in 1", Some(1)));
}

#[test]
fn how_a_position_stands_does_not_depend_on_who_asks() {
    // The same board seen from both sides: turned half round, with the other to move.
    let south = read("15/15/15/15/7Nc7/6nc8/15/15/15/15/8sa6/7Sa7/15/4sa10/15 s two");
    let north = read("15/10nc4/15/7Nc7/6nc8/15/15/15/15/8sa6/7Sa7/15/15/15/15 n two");
    let score = |position: &Position| contact::best(position, &Limits::depth(1), 1).lines[0].score;
    assert_eq!(score(&south), score(&north));
    assert!(score(&south) > 100, "a tile ahead: {}", score(&south));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let over = read("15/15/15/15/15/15/15/7Na+7/15/15/15/15/15/15/15 s two");
    assert!(contact::best(&over, &Limits::depth(3), 3).lines.is_empty());
    assert_eq!(Player::new(Kind::Level(8), 1).choose(&over), Move::PASS);
}

#[test]
fn ct_r10_the_search_plays_for_the_count_and_the_coach_tells_it() {
    // South has a tile more, and nobody can meet anybody any more.
    let far = |quiet: u8, turn: char, count: bool| {
        let text = format!("14nc/15/15/15/15/15/15/15/15/15/15/15/15/15/sa1sa12 {turn} two {quiet} -");
        read(&text).under(Ties { count, ..Ties::default() })
    };
    let score = |position: &Position, depth| {
        Searcher::new(&Weights::default(), 1).think(position, &Limits::depth(depth)).score
    };
    // Where it sees the end it is sure, and before that it knows what is coming.
    assert!(score(&far(57, 's', true), 4) > WON && score(&far(57, 'n', true), 4) < -WON);
    assert!(score(&far(50, 's', true), 2) > 800 && score(&far(50, 'n', true), 2) < -800);
    assert!(score(&far(50, 's', false), 2) < 100, "without the count it is a tie before long");
    let analysis = contact::best(&far(50, 's', true), &Limits::depth(2), 1);
    assert_eq!(analysis.count.expect("the table has it").ahead, [Side::South]);
    assert!(contact::best(&far(50, 's', false), &Limits::depth(2), 1).count.is_none());
    let game = GameText { start: far(50, 's', true), moves: vec!["a1-a2".parse().expect("a move")] };
    assert_eq!(game.to_string().parse::<GameText>().expect("with its heading"), game);
    let note = mark_game(&game, &Limits::depth(2)).next().expect("one move");
    assert!(note.words.ends_with("North 1 tile showing 18, South is ahead"), "{}", note.words);
}

#[test]
fn won_positions_are_won() {
    // Ahead, and far from the prey: the quiet moves of CT-R9 must not run out.
    for text in [
        "6sa+8/7sc+7/15/15/15/15/15/15/15/15/15/15/15/15/7nd7 s two",
        "15/15/15/15/15/7sa+7/5sb+9/8sc+6/15/15/15/15/15/3na11/15 s two",
    ] {
        let mut position = read(text);
        let mut strong = Player::new(Kind::Nodes(20_000), 1);
        let mut weak = Player::new(Kind::Level(4), 2);
        while position.over().is_none() {
            let player = if position.turn() == Side::South { &mut strong } else { &mut weak };
            let mv = player.choose(&position);
            assert!(position.play(mv).is_some());
        }
        let over = position.over().expect("it ended");
        assert!(!over.is_tie() && over.sides == 1, "{text}: {over:?} {position}");
    }
}

#[test]
fn a_liking_chooses_only_among_moves_that_are_nearly_as_good() {
    const WHIM: u64 = 12;
    for seed in 0..40 {
        let position = wander("six", Players::Two, seed % 30, seed);
        let mut searcher = Searcher::new(&Weights::default(), 1);
        let ranked = searcher.rank(&position, 1);
        let best = ranked.iter().map(|&(_, score)| score).max().expect("somebody moves");
        let mut luck = Luck::new(seed);
        let liking = |_| luck.below(WHIM + 1) as i32;
        let liked = searcher.think_liking(&position, &Limits::depth(1), liking).best;
        let (_, score) = ranked.iter().find(|(mv, _)| *mv == liked).expect("it is legal");
        assert!(best - score <= WHIM as i32, "{position}: {liked} is {score}, the best {best}");
    }
}

#[test]
fn a_liking_gives_no_win_away() {
    // h6-h8 takes the last tile, however little it is liked.
    let position = read("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two");
    let wins: Move = "h6-h8".parse().expect("a move");
    let mut searcher = Searcher::new(&Weights::default(), 1);
    let liking = |mv| if mv == wins { 0 } else { 100 };
    let thought = searcher.think_liking(&position, &Limits::depth(4), liking);
    assert_eq!((thought.best, thought.score), (wins, contact::search::WIN - 1));
}

#[test]
fn the_strong_levels_do_not_play_the_same_game_every_time() {
    let opening = |seed| {
        let mut player = Player::new(Kind::Level(7), seed);
        let mut position = start("six", Players::Two);
        let moves = (0..6).map(|_| {
            let mv = player.choose(&position);
            position.make(mv);
            mv
        });
        moves.collect::<Vec<Move>>()
    };
    let openings: std::collections::BTreeSet<Vec<Move>> = (0..6).map(opening).collect();
    assert!(openings.len() >= 4, "{openings:?}");
    assert_eq!(opening(3), opening(3), "the same luck plays the same game");
    for level in [7, 8] {
        assert!(contact::level::LEVELS[level - 1].whim > 0);
    }
}

#[test]
fn threads_that_think_together_see_what_one_sees() {
    // South takes the last tile at once, or is taken by it.
    let position = read("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two");
    let mut searcher = Searcher::together(&Weights::default(), 1, 4);
    for _ in 0..20 {
        let thought = searcher.think(&position, &Limits::depth(6));
        assert_eq!((thought.best.to_string().as_str(), thought.score), ("h6-h8", contact::search::WIN - 1));
    }
}

#[test]
fn threads_that_think_together_give_as_many_lines_as_are_asked_for() {
    let position = wander("six", Players::Two, 12, 9);
    let mut searcher = Searcher::together(&Weights::default(), 1, 2);
    let lines = searcher.best_lines(&position, &Limits::nodes(60_000), 3);
    let firsts: std::collections::BTreeSet<String> = lines.iter().map(|l| l.best.to_string()).collect();
    assert_eq!(firsts.len(), 3, "{lines:?}");
    assert!(lines.iter().all(|line| position.clone().legal().contains(&line.best)));
    assert!(lines.iter().map(|line| line.nodes).sum::<u64>() > 60_000, "the other thread counts too");
}

#[test]
fn a_stopped_search_still_answers() {
    let mut searcher = Searcher::new(&Weights::default(), 1);
    searcher.stop_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let position = start("six", Players::Two);
    let thought = searcher.think(&position, &Limits::depth(40));
    assert!(position.clone().legal().contains(&thought.best));
}

#[test]
fn a_search_heeds_the_flag_of_whoever_asked() {
    let position = start("six", Players::Two);
    let nodes = |told: bool| {
        let flag = std::sync::atomic::AtomicBool::new(told);
        let mut searcher = Searcher::together(&Weights::default(), 1, 2).heeding(&flag);
        let thought = searcher.think(&position, &Limits::nodes(100_000));
        assert!(position.clone().legal().contains(&thought.best));
        thought.nodes
    };
    assert!(nodes(true) < 50_000 && nodes(false) >= 100_000);
}

#[test]
fn the_coach_finds_no_fault_with_quiet_moves() {
    let start = "6NcNcNc6/6ncncnc6/15/15/15/15/15/15/15/15/15/15/15/6sasasa6/6SaSaSa6 s two";
    let text = format!("[start {start}]\n\n1. h2-h3 h14-h13 2. h3-h4 g15-f14 3. g2-g3 f14-f12\n");
    let game: GameText = text.parse().expect("a good game");
    for note in mark_game(&game, &Limits::depth(6)) {
        assert!(note.mark < Mark::Slip, "{note:?}");
        assert!(note.best_score.abs() < 100, "nobody is ahead: {note:?}");
    }
}

#[test]
fn a_move_is_compared_with_the_best_at_one_depth() {
    for setup in ["six", "twelve"] {
        let position = wander(setup, Players::Two, 20, 4);
        let mut searcher = Searcher::new(&Weights::default(), 8);
        for &mv in position.clone().legal().iter() {
            let [best, played] = searcher.compare(&position, mv, &Limits::nodes(4_000)).expect("it is legal");
            assert_eq!((played.best, played.depth), (mv, best.depth), "{setup}");
            assert!(played.best != best.best || played.score == best.score, "{setup} {mv}");
        }
        assert!(searcher.compare(&position, Move::PASS, &Limits::depth(1)).is_none());
    }
}

#[test]
fn the_coach_marks_a_blunder_and_shows_the_better_line() {
    // h6-h8 wins a tile; a1-a2 leaves it.
    let text = "[start 14nc/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two]\n\n1. a1-a2\n";
    let game: GameText = text.parse().expect("a good game");
    let notes: Vec<_> = mark_game(&game, &Limits::depth(4)).collect();
    assert_eq!(notes.len(), 1);
    assert!(matches!(notes[0].mark, Mark::Slip | Mark::Blunder), "{:?}", notes[0]);
    assert_eq!(notes[0].better.first().map(ToString::to_string).as_deref(), Some("h6-h8"));
    assert!(notes[0].words.contains("h6-h8 was better"), "{}", notes[0].words);
    let taken: GameText = text.replace("a1-a2", "h6-h8").parse().expect("a good game");
    let notes: Vec<_> = mark_game(&taken, &Limits::depth(4)).collect();
    assert_eq!(notes[0].mark, Mark::Best);
    assert!(notes[0].words.contains("taking 1 tile"), "{}", notes[0].words);
}

/// A whole table of bots, and its record verified.
fn bots_play(options: Options, seats: u32) {
    let seats = Seats::named((1..=seats).map(|i| format!("Bot {i}"))).expect("plain names");
    let seed = Seed::from_number(7);
    let mut bots: Vec<Box<dyn Bot<Contact>>> = seats
        .all()
        .map(|s| Box::new(ContactBot::new(3 + s.0 as u8 % 2, s.0.into())) as Box<dyn Bot<Contact>>)
        .collect();
    let head = Head::new("contact", options, seats, seed.commitment()).under(Contact::RULES);
    let mut table = Table::<Contact>::open(&head, &seed).expect("the table opens");
    let mut scribe = Scribe::new();
    let mut record = vec![scribe.head(&head)];
    let write = |_: &Table<Contact>, entry: &Entry<Act>| record.push(scribe.event(entry.at, &entry.event));
    let outcome = bot::drive(&mut table, &mut bots, 5_000, write).expect("bots play by the rules");
    assert!(outcome.ranks.contains(&1));
    let end = End { outcome: outcome.clone(), state: table.fingerprint(), drawn: table.drawn(), seed };
    record.push(scribe.end(table.now(), &end));
    let verified = verify::<Contact>(&record.join("\n")).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verified.outcome, outcome);
    let text = table.game().text();
    assert_eq!(text.to_string().parse::<GameText>().expect("a written game is read"), text);
}

#[test]
fn bots_play_every_kind_of_game_to_its_end_and_it_verifies() {
    bots_play(Options::default(), 2);
    bots_play(Options { setup: "twelve".into(), ..Options::default() }, 2);
    bots_play(Options::default(), 3);
    bots_play(Options::default(), 4);
    bots_play(Options { partners: true, ..Options::default() }, 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    /// The checked and the unchecked path agree, and so do incremental and full recomputation, forth and back.
    #[test]
    fn checked_and_unchecked_agree_and_nothing_drifts(seed in any::<u64>(), table in 0usize..5) {
        let (setup, players) = [
            ("six", Players::Two), ("twelve", Players::Two), ("six", Players::Three), ("six", Players::Four), ("six", Players::Partners),
        ][table];
        let mut luck = Luck::new(seed);
        let mut fast = start(setup, players);
        let mut checked = Contact::new(&Set::default(), setup, players, Side::South, Ties::default()).expect("a game");
        let mut trail = Vec::new();
        while fast.over().is_none() && trail.len() < 160 {
            let legal = fast.legal();
            let mv = *luck.pick(&legal).expect("somebody moves or passes");
            trail.push((fast.clone(), fast.make(mv)));
            prop_assert!(checked.play(mv).is_ok());
            prop_assert_eq!(&fast, checked.position());
            prop_assert!(fast.is_consistent());
        }
        while let Some((before, undo)) = trail.pop() {
            fast.unmake(&undo);
            prop_assert_eq!(&fast, &before);
            prop_assert_eq!(fast.hash(), before.full_hash());
        }
    }
}
