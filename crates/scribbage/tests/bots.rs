//! Whole games by bots, with every option: they end, they verify, and the stronger the bot the better it plays.

use scribbage::{Act, DRAW_MS, News, Options, Scribbage, bot};
use std::sync::atomic::AtomicBool;
use table::record::{End, Entry, Event, Head, Scribe};
use table::{Bot, Game, Intent, Outcome, Seat, Seats, Seed, Table, View, bot::drive, verify::verify};
use words::{Lexicon, WordsId};

/// Plays a game with bots of these levels, shows each event, and verifies the record.
fn play(
    options: Options,
    levels: &[u8],
    seed: u64,
    mut each: impl FnMut(&Table<Scribbage>, &Entry<Act>),
) -> Outcome {
    let (number, seed) = (seed, Seed::from_number(seed));
    let seats = Seats::named(levels.iter().map(|level| format!("Level {level}"))).expect("names");
    let head = Head::new(Scribbage::NAME, options, seats, seed.commitment()).under(Scribbage::RULES);
    let mut table = Table::<Scribbage>::open(&head, &seed).expect("the table opens");
    let mut bots: Vec<_> = levels.iter().zip(number..).map(|(&level, luck)| bot(level, luck)).collect();
    let mut scribe = Scribe::new();
    let mut text = scribe.head(&head);
    let outcome = drive(&mut table, &mut bots, 5_000, |table, entry| {
        text.push('\n');
        text.push_str(&scribe.event(entry.at, &entry.event));
        each(table, entry);
    });
    let outcome = outcome.unwrap_or_else(|fault| panic!("{fault}"));
    let (state, drawn) = (table.fingerprint(), table.drawn());
    let end = End { outcome: outcome.clone(), state, drawn, seed };
    text.push('\n');
    text.push_str(&scribe.end(table.now(), &end));
    let verified = verify::<Scribbage>(&text).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verified.outcome, outcome);
    outcome
}

fn short() -> Options {
    Options { turns: Some(1), ..Options::default() }
}

#[test]
fn games_of_every_option_end_and_verify() {
    let games = [
        (Options { turns: Some(2), ..Options::default() }, &[1, 5][..]),
        (Options { seconds: 60, judge: false, ..short() }, &[1, 2, 3, 4, 5]),
        (Options { seconds: 600, ..short() }, &[4]),
        (Options { figure: Some(60), ..short() }, &[3, 4]),
        (Options { teams: 2, ..short() }, &[1, 2, 3, 4, 5]),
        (Options { young: true, ..short() }, &[1, 3, 5]),
        (Options { words: WordsId::None, ..short() }, &[2, 4]),
        (Options { words: "british".parse().expect("a name"), ..short() }, &[5]),
        (Options { figure: Some(80), teams: 2, seconds: 90, ..short() }, &[4, 4, 3, 4]),
        (Options { figure: Some(40), young: true, ..short() }, &[2]),
        (Options { young: true, teams: 3, words: WordsId::None, ..short() }, &[1, 2, 3, 1, 2, 3]),
    ];
    for (seed, (options, levels)) in (1..).zip(games) {
        play(options, levels, seed, |_, _| ());
    }
}

#[test]
fn bots_lay_one_cube_at_a_time_and_never_an_offensive_word_and_stronger_ones_score_more() {
    let house = Lexicon::house();
    let (mut placed, mut made) = (0, [0, 0]);
    for seed in 0..2 {
        let outcome =
            play(Options { turns: Some(2), ..Options::default() }, &[1, 4], seed, |table, entry| {
                assert!(!matches!(entry.event, Event::Act { act: Act::Arrange { .. }, .. }));
                placed += u32::from(matches!(entry.event, Event::Act { act: Act::Place { .. }, .. }));
                if let Some(News::Counted { count, .. }) = table.game().public().news.last() {
                    assert!(count.taken.is_empty(), "a bot's layout is good: {count}");
                    for said in &count.words {
                        assert!(
                            house.entry(&said.word).is_some_and(|entry| !entry.offensive),
                            "{}",
                            said.word
                        );
                    }
                }
            });
        made[0] += outcome.scores[0];
        made[1] += outcome.scores[1];
    }
    assert!(placed > 40 && made[1] > made[0], "{placed} cubes laid, {made:?} made");
}

#[test]
fn level_five_lays_what_the_coach_would() {
    let mut seen = 0;
    play(short(), &[5], 1963, |table, _| {
        let public = table.game().public();
        let Some(News::Counted { count, .. }) = public.news.last() else { return };
        let review = table.game().coach(Seat(0), &AtomicBool::new(false)).expect("the coach has seen it");
        let letters::Possible::Proven(best) = &review.possible else { panic!("{:?}", review.possible) };
        assert_eq!(count.points, best.score(), "{review:?}");
        seen += 1;
    });
    assert_eq!(seen, 1);
}

#[test]
fn over_many_throws_no_level_lays_an_offensive_word() {
    let house = Lexicon::house();
    let seats = Seats::named(["Ann"]).expect("a name");
    let mut dice = table::Dice::new(&Seed::from_number(1963), Scribbage::NAME, &seats);
    let mut words = 0;
    for number in 0..100 {
        let options = Options { young: number % 2 == 0, ..Options::default() };
        let rules = options.rules(&options.set.throw(&mut dice));
        // The two strongest search for long where words cross.
        let levels = if options.young || number % 25 == 1 { 1..=4 } else { 1..=3 };
        for level in levels {
            let plan = letters::Player::new(level, number)
                .plan(&rules, WordsId::default(), &std::collections::BTreeMap::new())
                .clone();
            let checked = plan.layout.check(&rules.faces, rules.counting, |word| house.contains(word));
            assert!(checked.is_good(), "{:?}", checked.faults());
            for word in checked.runs().iter().filter_map(|run| run.word) {
                words += 1;
                assert!(
                    house.entry(&word).is_some_and(|entry| !entry.offensive),
                    "level {level} lays {word}"
                );
            }
        }
    }
    assert!(words > 500, "{words} words laid");
}

// rules: SB-S3
#[test]
fn sb_s3_a_bot_leaves_the_draw_on_the_table_long_enough_to_be_looked_at() {
    for (levels, waits) in [(&[2, 3][..], true), (&[2], false)] {
        let mut first = None;
        play(short(), levels, 3, |_, entry| {
            if matches!(entry.event, Event::Act { act: Act::Throw, .. }) {
                first.get_or_insert(entry.at.0);
            }
        });
        let first = first.expect("somebody rolls");
        assert_eq!(first >= DRAW_MS, waits, "{levels:?} roll after {first} ms; alone there is no draw");
    }
}

/// What a bot in a seat means to do now.
fn means(table: &Table<Scribbage>, bot: &mut dyn Bot<Scribbage>, seat: Seat) -> Option<Intent<Act>> {
    if !table.game().awaits(seat) {
        return None;
    }
    let (public, private) = (table.game().public(), table.game().private(seat));
    bot.next(&View { now: table.now(), seat, public: &public, private: &private })
}

// rules: SB-S9
#[test]
fn sb_s9_a_bot_waits_for_its_partner_before_it_says_that_the_team_is_done() {
    let seed = Seed::from_number(9);
    let seats = Seats::named(["Ann", "Ben", "Cy", "Di"]).expect("names");
    let head = Head::new(Scribbage::NAME, Options { teams: 2, ..short() }, seats, seed.commitment())
        .under(Scribbage::RULES);
    let open = || Table::<Scribbage>::open(&head, &seed).expect("the table opens");
    for touched in [false, true] {
        let mut table = open();
        let makers = table.game().public().turn.makers;
        let (seat, partner) = (makers[0], makers[1]);
        let mut robot = bot(3, 7);
        let done = loop {
            let Intent { at, act } = means(&table, &mut *robot, seat).expect("the bot lays the cubes");
            if act == Act::Done {
                break at;
            }
            table.act(at.max(table.now()), seat, &act).expect("the act is allowed");
        };
        assert!(done.0 >= table.now().0 + 15_000, "the partner has time to change something");
        assert!(table.deadline().is_some_and(|deadline| done < deadline), "and the bot does say it");
        if touched {
            let now = table.now().plus(1_000);
            table.act(now, partner, &Act::Clear).expect("a partner moves the cubes");
            assert_eq!(means(&table, &mut *robot, seat), None, "the partner has the cubes in hand now");
        }
    }
    // Alone nobody is waited for.
    let alone =
        Head::new(Scribbage::NAME, short(), Seats::named(["Ann"]).expect("a name"), seed.commitment())
            .under(Scribbage::RULES);
    let mut table = Table::<Scribbage>::open(&alone, &seed).expect("the table opens");
    let mut robot = bot(3, 7);
    while let Some(Intent { at, act }) = means(&table, &mut *robot, Seat(0)) {
        assert!(act != Act::Done || at.0 < table.now().0 + 15_000);
        table.act(at.max(table.now()), Seat(0), &act).expect("the act is allowed");
    }
}
