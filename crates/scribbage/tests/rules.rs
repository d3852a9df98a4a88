//! One test or more for every rule of Scribbage. A set whose cubes show the same letter on all six faces makes a throw
//! certain, so the tests play the game itself and not a part of it.

use std::collections::BTreeSet;

use letters::{Count, StageView};
use scribbage::{
    Act, Draw, Face, IDLE_ROUNDS, News, Options, Refusal, Roll, Scribbage, Set, SetFault, figure_is_won,
    highest,
};
use table::{Dice, Game, Head, Outcome, Refused, Seat, Seats, Seed, Table};
use words::notation::{Style, read_with};
use words::{Letter, Lexicon, WordsId};

/// The throw of the sheet's example.
const SHEET: &str = "PLANTICKRMWOQ";
const EXAMPLE: &str = "plant/i.r.w/c.m.o/k";

/// Cubes that can only show this throw, with the values of the house.
fn sure(throw: &str) -> Set {
    let cubes: Vec<String> =
        throw.chars().map(|face| format!("\"{}\"", face.to_string().repeat(6))).collect();
    let values = "1 = \"AEO\"\n2 = \"ILNRST\"\n3 = \"DHMU\"\n4 = \"BCFGPVWY\"\n5 = \"K\"\n6 = \"J\"\n8 = \"QX\"\n10 = \"Z\"";
    let text = format!("name = \"sure\"\ncubes = [{}]\n[values]\n{values}", cubes.join(","));
    Set::from_toml(&text).expect("a sound set")
}

fn options(throw: &str) -> Options {
    Options { set: sure(throw), turns: Some(1), ..Options::default() }
}

fn open_with(options: Options, seats: u32, seed: u64) -> Result<Table<Scribbage>, String> {
    let seed = Seed::from_number(seed);
    let seats = Seats::named((1..=seats).map(|at| format!("Player {at}"))).expect("names");
    let head = Head::new(Scribbage::NAME, options, seats, seed.commitment()).under(Scribbage::RULES);
    Table::open(&head, &seed).map_err(|fault| fault.to_string())
}

fn open(options: Options, seats: u32) -> Table<Scribbage> {
    open_with(options, seats, 1963).expect("the table opens")
}

/// Acts a second later.
fn act(table: &mut Table<Scribbage>, seat: Seat, act: &Act) {
    let at = table.now().plus(1000);
    table.act(at, seat, act).unwrap_or_else(|why| panic!("{act:?}: {why}"));
}

fn refusal(table: &mut Table<Scribbage>, seat: Seat, act: &Act) -> Refusal {
    match table.act(table.now().plus(1000), seat, act) {
        Err(Refused::Rule(refusal)) => refusal,
        other => panic!("{act:?} should be refused by a rule: {other:?}"),
    }
}

fn time_up(table: &mut Table<Scribbage>) {
    let deadline = table.deadline().expect("a clock runs");
    table.expire_due(deadline).expect("time is due");
}

fn maker(table: &Table<Scribbage>) -> Seat {
    table.game().public().turn.makers[0]
}

fn arrange(table: &Table<Scribbage>, layout: &str) -> Act {
    let public = table.game().public();
    let faces = public.throw.faces(&public.options.set);
    Act::Arrange { dice: read_with(layout, Style::Jokers, &faces).expect("a layout of the throw").dice }
}

/// Whoever has the cup throws, lays a layout and ends the turn.
fn play(table: &mut Table<Scribbage>, layout: &str) {
    let seat = maker(table);
    act(table, seat, &Act::Throw);
    let laid = arrange(table, layout);
    act(table, seat, &laid);
    act(table, seat, &Act::Done);
}

fn counted(table: &Table<Scribbage>) -> Count {
    match table.game().public().news.last() {
        Some(News::Counted { count, .. }) => count.clone(),
        other => panic!("a count should stand: {other:?}"),
    }
}

fn said(count: &Count) -> Vec<(String, i32)> {
    count.words.iter().map(|said| (said.word.to_string(), said.points)).collect()
}

fn letter(c: char) -> Letter {
    Letter::from_char(c).expect("a letter")
}

#[test]
fn sb_s1_thirteen_cubes_have_two_joker_faces() {
    let set = Set::standard();
    let faces = set.cubes().as_flattened();
    assert_eq!((set.cubes().len(), faces.len()), (13, 78));
    assert_eq!(faces.iter().filter(|face| face.0.is_none()).count(), 2);
}

/// Can these cubes show these letters, each cube one?
fn shows(cubes: &[String], letters: &[char]) -> bool {
    let Some((&letter, rest)) = letters.split_first() else { return true };
    (0..cubes.len()).any(|at| {
        let mut left = cubes.to_vec();
        left.swap_remove(at).contains(letter) && shows(&left, rest)
    })
}

#[test]
fn sb_f1_the_cubes_are_those_of_the_museum_and_can_show_the_sheets_example() {
    let set = Set::standard();
    let cubes: Vec<String> =
        set.cubes().iter().map(|cube| cube.iter().map(Face::to_string).collect()).collect();
    assert_eq!(
        cubes.join(" "),
        "NCOVUK ONUSMB SEHLAT LAIGQF IRELOT ARENDJ AETWDV MYOWUP SAYBEX SEDRI? OHTREN FIZACE GEMPI?"
    );
    assert!(shows(&cubes, &SHEET.chars().collect::<Vec<_>>()));
}

#[test]
fn sb_f1_a_set_of_ones_own_is_checked() {
    let read = |cubes: &str, values: &str| {
        Set::from_toml(&format!("name = \"mine\"\ncubes = [{cubes}]\n[values]\n{values}"))
            .expect_err("refused")
    };
    let thirteen = |cube: &str| vec![format!("\"{cube}\""); 13].join(",");
    assert_eq!(read("\"ABCDEF\"", ""), SetFault::Cubes { found: 1 });
    assert_eq!(read("\"ABCDE\"", ""), SetFault::Faces { cube: 1, found: 5 });
    assert!(matches!(read("\"ABCDE7\"", ""), SetFault::Face { cube: 1, .. }));
    assert_eq!(read(&thirteen("ABCDE*"), "1 = \"ABCDE\""), SetFault::Jokers { found: 13 });
    assert_eq!(read(&thirteen("ABCDEF"), "1 = \"ABCDE\""), SetFault::NoValue { letter: 'F' });
    assert_eq!(read(&thirteen("ABCDEF"), "1 = \"A\"\n2 = \"A\""), SetFault::ValueTwice { letter: 'A' });
    assert_eq!(read(&thirteen("ABCDEF"), "21 = \"A\""), SetFault::Value { found: "21".into() });
    assert_eq!(read(&thirteen("ABCDEF"), "1 = \"?\""), SetFault::NotALetter { found: '?' });
    assert!(matches!(Set::from_toml("cubes = 3"), Err(SetFault::Unreadable { .. })));
}

#[test]
fn sb_f2_the_letters_have_their_values_and_a_joker_has_none() {
    let set = Set::standard();
    let values = [
        (1, "AEO"),
        (2, "ILNRST"),
        (3, "DHMU"),
        (4, "BCFGPVWY"),
        (5, "K"),
        (6, "J"),
        (8, "QX"),
        (10, "Z"),
        (0, "*"),
    ];
    for (value, faces) in values {
        for face in faces.chars() {
            assert_eq!(set.value(Face::try_from(face).expect("a face")), value, "{face}");
        }
    }
}

#[test]
fn sb_r1_the_timer_runs_three_minutes_or_what_is_agreed() {
    assert_eq!(Options::default().seconds, 180);
    for (seconds, fits) in [(59, false), (60, true), (600, true), (601, false)] {
        assert_eq!(open_with(Options { seconds, ..Options::default() }, 2, 1).is_ok(), fits);
    }
    let mut table = open(Options { seconds: 75, ..options(SHEET) }, 1);
    act(&mut table, Seat(0), &Act::Throw);
    assert_eq!(table.deadline(), Some(table.now().plus_secs(75)));
}

#[test]
fn sb_s2_any_number_may_play() {
    assert!(Scribbage::seating(&Options::default()).contains(&1));
    for seats in [1, 2, 7, 40] {
        let mut table = open(options(SHEET), seats);
        for _ in 0..seats {
            play(&mut table, EXAMPLE);
        }
        assert_eq!(table.outcome().map(|outcome| outcome.scores), Some(vec![31; seats as usize]));
    }
}

/// What a face is worth in the draw, by the sheet of values and not by the engine's.
fn worth(face: Face) -> u8 {
    let values =
        [(1, "AEO"), (2, "ILNRST"), (3, "DHMU"), (4, "BCFGPVWY"), (5, "K"), (6, "J"), (8, "QX"), (10, "Z")];
    let shows = face.to_string();
    values.iter().find(|(_, letters)| letters.contains(&shows)).map_or(0, |(value, _)| *value)
}

// rules: SB-S3 SB-R2
#[test]
fn sb_s3_each_takes_a_cube_and_rolls_it_and_the_highest_value_starts() {
    let (mut ties, mut starts_seen, mut cubes_seen) = (0, BTreeSet::new(), BTreeSet::new());
    for seed in 0..50 {
        let table = open_with(Options::default(), 5, seed).expect("the table opens");
        let public = table.game().public();
        let Draw { rolls, starts } = public.draw.expect("the draw is shown before the first throw");
        let mut left: Vec<u32> = (0..5).collect();
        for rolls in &rolls {
            assert_eq!(rolls.iter().map(|roll| roll.side).collect::<Vec<_>>(), left, "the tied roll again");
            let mut cubes: Vec<u8> = rolls.iter().map(|roll| roll.cube).collect();
            cubes.sort_unstable();
            cubes.dedup();
            assert_eq!(cubes.len(), rolls.len(), "a cube is in one hand only");
            for roll in rolls {
                assert!(public.options.set.cubes()[usize::from(roll.cube)].contains(&roll.face));
                assert_eq!(roll.value, worth(roll.face), "{}", roll.face);
            }
            let most = rolls.iter().map(|roll| worth(roll.face)).max().expect("somebody rolls");
            left = rolls.iter().filter(|roll| worth(roll.face) == most).map(|roll| roll.side).collect();
            starts_seen.insert(starts);
            cubes_seen.extend(cubes);
        }
        ties += rolls.len() - 1;
        assert_eq!(left, [starts]);
        assert_eq!((public.side, &public.turn.makers[..]), (starts, &[Seat(starts)][..]));
    }
    assert!(ties > 0, "some of fifty draws are tied");
    assert_eq!((starts_seen.len(), cubes_seen.len()), (5, 13), "any seat may start, and any cube be taken");
}

#[test]
fn sb_s3_the_draw_is_told_roll_by_roll() {
    let set = Set::standard();
    let roll = |side, c| {
        let face = Face::try_from(c).expect("a face");
        Roll { side, cube: 0, face, value: set.value(face) }
    };
    let name = |side: u32| ["Ann", "Ben", "Cy"][side as usize].to_owned();
    let rolls = vec![vec![roll(0, 'K'), roll(1, 'E'), roll(2, 'K')], vec![roll(0, '?'), roll(2, 'Q')]];
    let told = Draw { rolls, starts: 2 }.tell(&name);
    let says =
        "The draw for the start: Ann K 5, Ben E 1, Cy K 5; level, so again: Ann ? 0, Cy Q 8. First: Cy.";
    assert_eq!(told.as_deref(), Some(says));
    assert_eq!(Draw::default().tell(&name), None, "one alone draws for nothing");
}

#[test]
fn sb_r2_a_joker_is_worth_nothing_in_the_draw_and_a_draw_always_ends() {
    let set = Set::standard();
    let roll = |side, c| {
        let face = Face::try_from(c).expect("a face");
        Roll { side, cube: 0, face, value: set.value(face) }
    };
    assert_eq!(highest(&[roll(0, '*'), roll(1, 'E')]), [1]);
    assert_eq!(highest(&[roll(0, 'K'), roll(1, 'E'), roll(2, 'K')]), [0, 2]);
    let mut dice = Dice::new(&Seed::from_number(1), "test", &Seats::named(["x"]).expect("a name"));
    let same = Draw::new(&sure("AAAAAAAAAAAAA"), 3, &mut dice);
    assert_eq!(same.starts, 0, "cubes that never differ give the first seat the start");
    assert!(Draw::new(&set, 1, &mut dice).rolls.is_empty(), "one alone draws for nothing");
}

#[test]
fn sb_s4_the_cubes_are_rolled_arranged_freely_and_scored_when_time_is_up_or_early() {
    let mut table = open(Options { turns: Some(2), ..options(SHEET) }, 1);
    assert_eq!(refusal(&mut table, Seat(0), &Act::Done), Refusal::Turn(letters::Refusal::NotThrown));
    act(&mut table, Seat(0), &Act::Throw);
    let throw = table.now();
    assert_eq!(table.game().public().throw.0.len(), 13);
    for layout in ["plan", "pant/l", EXAMPLE] {
        let laid = arrange(&table, layout);
        act(&mut table, Seat(0), &laid);
    }
    time_up(&mut table);
    assert_eq!(table.now(), throw.plus_secs(180));
    assert_eq!(counted(&table).points, 31);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().map(|outcome| outcome.scores), Some(vec![62]));
}

#[test]
fn sb_s5_only_words_of_the_dictionary_count_and_q_is_q() {
    let mut table = open(options("QATARNISEDOLG"), 1);
    play(&mut table, "qat");
    let count = counted(&table);
    assert_eq!(said(&count), [("qat".into(), 11)], "Q alone, without a U");
    let mut table = open(options("QATARNISEDOLG"), 1);
    play(&mut table, "rtgs");
    assert!(counted(&table).words.is_empty());
    let words: WordsId = "list:0123456789abcdef".parse().expect("a name");
    assert!(open_with(Options { words, ..Options::default() }, 2, 1).is_err_and(|why| why.contains("shelf")));
    let pinned = Options::default().pinned().expect("the house dictionary is there");
    assert_eq!(pinned.words, Lexicon::house().id());
}

#[test]
fn sb_s5_without_dictionary_words_are_challenged_and_voted_on() {
    let mut table = open(Options { words: WordsId::None, ..options("QATARNISEDOLG") }, 3);
    let maker = maker(&table);
    let others: Vec<Seat> = (0..3).map(Seat).filter(|&seat| seat != maker).collect();
    play(&mut table, "rdgs/a/t");
    assert!(matches!(table.game().public().turn.stage, StageView::Hearing { .. }));
    assert!(table.game().awaits(others[0]) && !table.game().awaits(maker));
    act(&mut table, others[0], &Act::Challenge { word: "rdgs".parse().expect("letters") });
    assert!((0..3).all(|seat| table.game().awaits(Seat(seat))), "everybody votes, the maker too");
    act(&mut table, others[0], &Act::Vote { good: false });
    act(&mut table, others[1], &Act::Vote { good: false });
    assert_eq!(table.game().private(others[0]).vote, Some(false));
    assert_eq!(table.game().private(maker).vote, None);
    act(&mut table, maker, &Act::Vote { good: true });
    let count = table.game().public().turn.count.expect("counted anew");
    assert_eq!(said(&count), [("rat".into(), 5)]);
    act(&mut table, others[0], &Act::Pass);
    act(&mut table, others[1], &Act::Pass);
    assert_eq!(table.game().public().totals[maker.index()], i64::from(count.points));
}

#[test]
fn sb_s6_a_joker_is_any_letter_the_same_both_ways_and_scores_nothing() {
    let mut table = open(options("?ATARNISEDOLG"), 1);
    act(&mut table, Seat(0), &Act::Throw);
    for (die, x, y) in [(0, 0, 0), (1, 1, 0), (2, 2, 0), (10, 0, 1), (12, 0, 2)] {
        act(&mut table, Seat(0), &Act::Place { die, x, y });
    }
    act(&mut table, Seat(0), &Act::Call { die: 0, letter: letter('d') });
    let reading = table.game().public().turn.reading.expect("it is read while arranged");
    let read: Vec<_> =
        reading.words.iter().map(|seen| (seen.word.map(|word| word.to_string()), seen.points)).collect();
    assert_eq!(read, [(Some("dat".into()), 3), (Some("dog".into()), 5)], "D is worth 3, a joker nothing");
    assert_eq!(
        refusal(&mut table, Seat(0), &Act::Call { die: 1, letter: letter('e') }),
        Refusal::Turn(letters::Refusal::NotWild { die: 1 })
    );
}

#[test]
fn sb_s7_the_sheets_example_is_eleven_across_and_twenty_eight_down_less_eight() {
    let mut table = open(options(SHEET), 1);
    play(&mut table, EXAMPLE);
    let count = counted(&table);
    let sum =
        |across| count.words.iter().filter(|said| said.across == across).map(|said| said.points).sum::<i32>();
    assert_eq!((sum(true), sum(false), count.points), (11, 28, 31));
    let mut down: Vec<_> = said(&count).into_iter().skip(1).collect();
    down.sort();
    assert_eq!(down, [("arm".into(), 6), ("pick".into(), 15), ("two".into(), 7)]);
    assert_eq!(count.used, 12);
}

#[test]
fn sb_r3_an_unused_joker_costs_nothing_and_a_score_may_be_negative() {
    let mut table = open(options("??ZZQQXXJJKKE"), 1);
    play(&mut table, "");
    assert_eq!(counted(&table).points, -(2 * (10 + 8 + 8 + 6 + 5) + 1));
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1], scores: vec![-75] }));
}

#[test]
fn sb_r4_cubes_taken_out_when_time_is_up_count_as_not_used() {
    let mut table = open(options(SHEET), 1);
    act(&mut table, Seat(0), &Act::Throw);
    let laid = arrange(&table, "plantq/i.r.w/c.m.o/k");
    act(&mut table, Seat(0), &laid);
    time_up(&mut table);
    let count = counted(&table);
    assert_eq!(
        (count.points, Vec::from(count.taken)),
        (31, vec![12]),
        "PLANTQ is no word; without Q it is the example"
    );
}

#[test]
fn sb_s8_the_cubes_go_to_the_left_and_the_highest_score_after_the_agreed_turns_wins() {
    assert_eq!(open_with(Options::default(), 2, 1).expect("a table").game().public().options.turns, Some(4));
    for (turns, fits) in [(0, false), (1, true), (50, true), (51, false)] {
        assert_eq!(open_with(Options { turns: Some(turns), ..Options::default() }, 2, 1).is_ok(), fits);
    }
    let mut table = open(Options { turns: Some(2), ..options(SHEET) }, 3);
    let first = maker(&table);
    for turn in 0..6 {
        assert_eq!(maker(&table), Seat((first.0 + turn) % 3));
        assert_eq!(
            refusal(&mut table, Seat((first.0 + turn + 1) % 3), &Act::Throw),
            Refusal::Turn(letters::Refusal::NotYourTurn { turn: Seat((first.0 + turn) % 3) })
        );
        play(&mut table, if turn == 4 { "plan" } else { EXAMPLE });
    }
    let outcome = table.outcome().expect("it is over");
    let second = (first.index() + 1) % 3;
    assert_eq!((outcome.ranks[second], outcome.ranks.iter().sum::<u32>()), (3, 5), "the other two share");
    assert_eq!(table.game().public().sheet.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
}

// rules: SB-S8 SB-R5
#[test]
fn sb_r5_a_game_for_a_figure_ends_with_the_round_in_which_somebody_is_strictly_over_it() {
    assert_eq!(Options::USUAL_FIGURE, 200);
    let mut table = open(Options { figure: Some(31), ..options(SHEET) }, 2);
    play(&mut table, EXAMPLE);
    play(&mut table, "plan");
    assert_eq!(table.outcome(), None, "31 is not over 31");
    let (first, low) = (maker(&table).index(), table.game().public().totals);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome(), None, "the round is finished first");
    play(&mut table, "plan");
    let outcome = table.outcome().expect("62 is over 31");
    assert_eq!((outcome.scores[first], outcome.scores[1 - first]), (62, 2 * low[1 - first]));
    for (figure, fits) in [(0, false), (2000, true), (2001, false)] {
        let options = Options { figure: Some(figure), ..Options::default() };
        assert_eq!(open_with(options, 2, 1).is_ok(), fits);
    }
}

#[test]
fn sb_r5_a_tie_over_the_figure_plays_another_round_and_a_tie_after_agreed_turns_is_shared() {
    let mut table = open(Options { figure: Some(30), ..options(SHEET) }, 2);
    for _ in 0..2 {
        play(&mut table, EXAMPLE);
        play(&mut table, EXAMPLE);
        assert_eq!(table.outcome(), None, "both are over, and level");
    }
    let first = maker(&table).index();
    play(&mut table, "plan");
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().expect("not level any more").ranks[first], 2);
    let mut table = open(options(SHEET), 2);
    play(&mut table, EXAMPLE);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().expect("one turn each").ranks, [1, 1]);
}

#[test]
fn sb_r5_a_game_for_a_figure_has_no_last_round() {
    let mut table = open(Options { figure: Some(2000), ..options(SHEET) }, 1);
    for _ in 0..64 {
        play(&mut table, EXAMPLE);
        assert_eq!(table.outcome(), None, "1,984 is not over 2,000");
    }
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().expect("2,015 is").scores, [2015]);
}

#[test]
fn sb_r5_a_tie_over_the_figure_is_played_on_however_late_it_is() {
    let mut table = open(Options { figure: Some(1540), ..options(SHEET) }, 2);
    for _ in 0..50 {
        assert_eq!(table.outcome(), None);
        play(&mut table, EXAMPLE);
        play(&mut table, EXAMPLE);
    }
    assert_eq!((table.game().totals(), table.outcome()), (vec![1550, 1550], None));
    let first = maker(&table).index();
    play(&mut table, "plan");
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().expect("not level any more").ranks[first], 2);
}

#[test]
fn sb_r5_twenty_rounds_that_get_nowhere_end_a_game_for_a_figure() {
    let rounds = IDLE_ROUNDS as usize;
    let after = |turns: &[i64]| figure_is_won(100, &[turns.to_vec(), vec![-1; turns.len()]]);
    // Up and down again, and never higher than the first round.
    let to_and_fro: Vec<i64> = [5, -5].repeat(rounds);
    assert!(after(&to_and_fro[..=rounds]) && !after(&to_and_fro[..rounds]));
    // One point higher after nineteen: it begins anew.
    let mut slow = [&vec![0; rounds - 1][..], &[1]].concat().repeat(9);
    assert!(!after(&slow));
    slow.extend(vec![0; rounds]);
    assert!(after(&slow));
    // Level, over the figure, and both score: only the twentieth such round is shared.
    let level = |rounds| figure_is_won(10, &[vec![31; rounds], vec![31; rounds]]);
    assert!(!level(rounds - 1) && level(rounds));
    assert!(!figure_is_won(10, &[]) && !figure_is_won(10, &[vec![31], vec![]]));
}

#[test]
fn sb_r5_a_figure_that_nobody_passes_does_not_hold_the_table_for_ever() {
    let mut table = open(Options { figure: Some(2000), ..options(SHEET) }, 1);
    let mut turns = 0;
    while table.outcome().is_none() {
        act(&mut table, Seat(0), &Act::Throw);
        act(&mut table, Seat(0), &Act::Done);
        turns += 1;
    }
    assert_eq!(turns, IDLE_ROUNDS);
}

#[test]
fn sb_s9_a_team_shares_one_turn_and_one_score_and_every_member_moves_the_cubes() {
    let mut table = open(Options { teams: 2, ..options(SHEET) }, 5);
    let team = table.game().public().side;
    let makers = table.game().public().turn.makers;
    assert_eq!(makers, (0..5).map(Seat).filter(|seat| seat.0 % 2 == team).collect::<Vec<_>>());
    act(&mut table, makers[1], &Act::Throw);
    let laid = arrange(&table, "plant");
    act(&mut table, makers[0], &laid);
    let laid = arrange(&table, EXAMPLE);
    act(&mut table, makers[1], &laid);
    let other = Seat(1 - team);
    assert!(matches!(
        refusal(&mut table, other, &Act::Clear),
        Refusal::Turn(letters::Refusal::NotYourTurn { .. })
    ));
    act(&mut table, makers[0], &Act::Done);
    assert_eq!(table.game().public().totals[team as usize], 31);
    play(&mut table, "plan");
    let Outcome { ranks, scores } = table.outcome().expect("one turn each");
    for seat in 0..5 {
        let won = seat as u32 % 2 == team;
        assert_eq!((ranks[seat], scores[seat] == 31), if won { (1, true) } else { (2, false) });
    }
}

#[test]
fn sb_s9_teams_have_two_to_four_members() {
    let fits = |teams, seats| open_with(Options { teams, ..Options::default() }, seats, 1).is_ok();
    assert!(fits(1, 2) && fits(2, 4) && fits(2, 8) && fits(3, 7));
    assert!(!fits(1, 1) && !fits(2, 3) && !fits(2, 9) && !fits(u32::MAX, 6) && !fits(40_000, 65_535));
}

#[test]
fn sb_s10_solitaire_is_a_single_throw_unless_more_turns_or_a_figure_are_chosen() {
    let solitaire = Options { set: sure(SHEET), ..Options::default() };
    let mut table = open(solitaire.clone(), 1);
    assert_eq!(table.game().public().options.turns, Some(1));
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1], scores: vec![31] }), "nothing was agreed on");
    let mut table = open(Options { turns: Some(2), ..solitaire }, 1);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome(), None);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome().map(|outcome| outcome.scores), Some(vec![62]));
    let mut table = open(Options { figure: Some(60), ..options(SHEET) }, 1);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome(), None);
    play(&mut table, EXAMPLE);
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1], scores: vec![62] }));
}

// rules: SB-S11 SB-R6
#[test]
fn sb_s11_young_players_lay_separate_words_and_what_is_left_over_is_still_taken_off() {
    let apart = "plan/..../tick/..../worm";
    let mut table = open(Options { young: true, ..options(SHEET) }, 1);
    play(&mut table, apart);
    let count = counted(&table);
    assert_eq!(said(&count), [("plan".into(), 9), ("tick".into(), 13), ("worm".into(), 10)]);
    assert_eq!((count.points, count.used), (9 + 13 + 10 - 8, 12));
    let mut table = open(options(SHEET), 1);
    play(&mut table, apart);
    assert_eq!(counted(&table).words.len(), 1, "in the full game words must hang together");
}

#[test]
fn sb_r6_a_young_players_cube_is_in_one_word_only() {
    let mut table = open(Options { young: true, ..options(SHEET) }, 1);
    act(&mut table, Seat(0), &Act::Throw);
    let laid = arrange(&table, EXAMPLE);
    act(&mut table, Seat(0), &laid);
    let reading = table.game().public().turn.reading.expect("it is read while arranged");
    assert_eq!(reading.faults.len(), 3, "P, A and T are each in two words: {:?}", reading.faults);
    act(&mut table, Seat(0), &Act::Done);
    let count = counted(&table);
    assert_eq!(count.words.iter().map(|said| said.word.len()).sum::<usize>(), usize::from(count.used));
}

#[test]
fn the_draw_is_put_away_when_the_first_cubes_are_rolled() {
    let mut table = open(options(SHEET), 2);
    assert!(table.game().public().draw.is_some());
    time_up(&mut table);
    assert_eq!(
        table.game().public().turn.stage,
        StageView::Arranging,
        "the cup is turned over after a while"
    );
    assert!(table.game().public().draw.is_none());
}
