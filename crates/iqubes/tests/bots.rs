//! Whole games by bots, with every option: they end, they verify, and the stronger the bot the better it plays.

use iqubes::{Act, IQubes, News, Options, Set, Throw, bot};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use table::record::{End, Entry, Event, Head, Scribe};
use table::{Game, Outcome, Seat, Seats, Seed, Table, View, bot::drive, verify::verify};
use words::notation::{Style, read_with};
use words::{Lexicon, Word, WordsId};

/// Plays a game with bots of these levels, shows each event, and verifies the record.
fn play(
    options: Options,
    levels: &[u8],
    seed: u64,
    mut each: impl FnMut(&Table<IQubes>, &Entry<Act>),
) -> Outcome {
    let (number, seed) = (seed, Seed::from_number(seed));
    let seats = Seats::named(levels.iter().map(|level| format!("Level {level}"))).expect("names");
    let head = Head::new(IQubes::NAME, options, seats, seed.commitment()).under(IQubes::RULES);
    let mut table = Table::<IQubes>::open(&head, &seed).expect("the table opens");
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
    let verified = verify::<IQubes>(&text).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verified.outcome, outcome);
    outcome
}

fn short() -> Options {
    Options { rounds: 1, ..Options::default() }
}

#[test]
fn games_of_every_option_end_and_verify() {
    let games = [
        (Options::default(), &[1, 5][..]),
        (Options { seconds: 60, judge: false, ..short() }, &[1, 2, 3, 4, 5]),
        (Options { long_word: true, ..short() }, &[4]),
        (Options { two_sets: true, ..short() }, &[1, 3]),
        (Options { bidding: true, ..short() }, &[1, 3, 5]),
        (Options { bidding: true, seconds: 60, words: WordsId::None, ..short() }, &[2, 4, 5]),
        (Options { words: WordsId::None, ..short() }, &[3]),
        (Options { words: "british".parse().expect("a name"), ..short() }, &[5, 5]),
        (Options { bidding: true, long_word: true, judge: false, rounds: 2, ..short() }, &[2, 4]),
        (
            Options { two_sets: true, bidding: true, seconds: 60, words: WordsId::None, ..short() },
            &[1, 2, 3, 4, 2],
        ),
    ];
    for (seed, (options, levels)) in (1..).zip(games) {
        play(options, levels, seed, |_, _| ());
    }
}

#[test]
fn bots_lay_one_die_at_a_time_at_a_human_pace_and_never_an_offensive_word() {
    let house = Lexicon::house();
    let (mut placed, mut before) = (0, None);
    play(Options { rounds: 2, ..Options::default() }, &[1, 3, 5], 7, |table, entry| {
        assert!(!matches!(entry.event, Event::Act { act: Act::Arrange { .. }, .. }));
        if matches!(entry.event, Event::Act { act: Act::Place { .. }, .. }) {
            placed += 1;
            let pause = before.map_or(u64::MAX, |before| entry.at - before);
            assert!(pause >= 300, "nobody lays a die in {pause} ms");
        }
        before = Some(entry.at);
        if let Some(News::Counted { count, .. }) = table.game().public().news.last() {
            assert!(count.taken.is_empty(), "a bot's layout is good: {count}");
            for said in &count.words {
                assert!(house.entry(&said.word).is_some_and(|entry| !entry.offensive), "{}", said.word);
            }
        }
    });
    assert!(placed > 20, "{placed} dice laid");
}

#[test]
fn level_five_lays_the_proven_best_and_stronger_bots_score_more() {
    let mut made = [0, 0];
    for seed in 0..4 {
        let outcome = play(Options { rounds: 2, ..Options::default() }, &[1, 5], seed, |table, _| {
            let public = table.game().public();
            let Some(News::Counted { seat, count, .. }) = public.news.last() else { return };
            let review = table.game().coach(*seat, &AtomicBool::new(false)).expect("the coach has seen it");
            let letters::Possible::Proven(best) = &review.possible else { panic!("{:?}", review.possible) };
            assert!(count.points <= best.score());
            if seat.0 == 1 {
                assert_eq!(count.points, best.score(), "{review:?}");
            }
        });
        made[0] += outcome.scores[0];
        made[1] += outcome.scores[1];
    }
    assert!(made[0] > 0 && made[1] > made[0] * 5 / 4, "{made:?}");
}

#[test]
fn the_coach_tells_what_was_possible_what_was_missed_and_whether_a_second_throw_was_there() {
    let set = iqubes::Set::from_toml(
        "name = \"sure\"\ndice = [\"DDDDDD\", \"AAAAAA\", \"SSSSSS\", \"HHHHHH\", \"TTTTTT\", \"!!!!!!\", \"EEEEEE\"]",
    );
    let options = Options { set: set.expect("a sound set"), ..short() };
    let seed = Seed::from_number(1);
    let head =
        Head::new(IQubes::NAME, options, Seats::named(["Ann", "Ben"]).expect("names"), seed.commitment());
    let mut table = Table::<IQubes>::open(&head, &seed).expect("the table opens");
    let ann = table::Seat(0);
    assert!(table.game().coach(ann, &AtomicBool::new(false)).is_none(), "nothing was thrown yet");
    for (at, act) in
        [Act::Throw, Act::Place { die: 1, x: 0, y: 0 }, Act::Place { die: 4, x: 1, y: 0 }].iter().enumerate()
    {
        table.act(table::Time(at as u64), ann, act).expect("allowed");
    }
    assert!(table.game().coach(ann, &AtomicBool::new(false)).is_none(), "no help while the clock runs");
    table.act(table::Time(9), ann, &Act::Done).expect("allowed");
    let review = table.game().coach(ann, &AtomicBool::new(false)).expect("a count stands");
    assert!(table.game().coach(table::Seat(1), &AtomicBool::new(false)).is_none(), "it was not Ben's throw");
    assert_eq!(review.points, 4);
    assert!(matches!(&review.possible, letters::Possible::Proven(best) if best.score() >= 26), "{review:?}");
    assert!(matches!(review.all_dice, letters::AllDice::Possible { .. }));
    assert!(review.missed.iter().all(|missed| missed.word.len() > 2 && missed.points > 4), "{review:?}");
    let json = serde_json::to_value(&review).expect("a review is JSON");
    assert_eq!(json["possible"]["proven"], true);
}

#[test]
fn over_many_throws_no_level_lays_an_offensive_word() {
    let (house, options) = (Lexicon::house(), Options::default());
    let seats = Seats::named(["Ann"]).expect("a name");
    let mut dice = table::Dice::new(&Seed::from_number(1948), IQubes::NAME, &seats);
    let mut words = 0;
    for number in 0..200 {
        let sets = if number % 10 == 0 { 2 } else { 1 };
        let rules = options.rules(&options.set.throw(sets, &mut dice));
        // Fourteen dice are a long search for the strongest.
        for level in if sets == 2 { 1..=3 } else { 1..=iqubes::LEVELS } {
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
    assert!(words > 1_000, "{words} words laid");
}

/// A table of three without dictionary, of certain dice, where the first has laid a word and the next has challenged it.
fn challenged(throw: &str, laid: &str) -> Table<IQubes> {
    let dice: Vec<String> = throw.chars().map(|face| format!("\"{}\"", face.to_string().repeat(6))).collect();
    let set = Set::from_toml(&format!("name = \"sure\"\ndice = [{}]", dice.join(","))).expect("a sound set");
    let options = Options { set, rounds: 1, words: WordsId::None, ..Options::default() };
    let seed = Seed::from_number(1948);
    let seats = Seats::named(["Ann", "Ben", "Cy"]).expect("names");
    let head = Head::new(IQubes::NAME, options, seats, seed.commitment());
    let mut table = Table::<IQubes>::open(&head, &seed).expect("the table opens");
    let faces = throw.parse::<Throw>().expect("faces").faces();
    let layout = read_with(laid, Style::Colours, &faces).expect("a layout of the throw");
    for (seat, act) in [
        (0, Act::Throw),
        (0, Act::Arrange { dice: layout.dice }),
        (0, Act::Done),
        (1, Act::Challenge { word: laid.parse().expect("letters") }),
    ] {
        table.act(table.now().plus(1_000), Seat(seat), &act).unwrap_or_else(|why| panic!("{act:?}: {why}"));
    }
    table
}

// rules: IQ-R6
#[test]
fn iq_r6_a_bot_votes_for_words_of_either_spelling_and_against_what_is_no_word() {
    for (throw, laid, good) in
        [("COLOURX", "COLOUR", true), ("COLORXX", "COLOR", true), ("SPRAXTE", "SPRA", false)]
    {
        let table = challenged(throw, laid);
        for level in 1..=5 {
            let (public, private) = (table.game().public(), table.game().private(Seat(2)));
            let view = View { now: table.now(), seat: Seat(2), public: &public, private: &private };
            let vote = bot(level, 7).next(&view).map(|intent| intent.act);
            assert_eq!(vote, Some(Act::Vote { good }), "level {level}, {laid}");
        }
    }
}

// rules: IQ-R6
#[test]
fn iq_r6_a_bot_lays_no_word_that_the_table_has_voted_down() {
    let rules = Options::default().rules(&"DASHTOE".parse().expect("faces"));
    for level in 1..=5 {
        let plan = |fell: &BTreeMap<Word, bool>| {
            let plan = letters::Player::new(level, 7).plan(&rules, WordsId::None, fell).clone();
            let checked = plan.layout.check(&rules.faces, rules.counting, |_| true);
            checked.runs().iter().filter_map(|run| run.word).collect::<Vec<_>>()
        };
        let first = plan(&BTreeMap::new());
        assert!(!first.is_empty(), "level {level}");
        let fell: BTreeMap<Word, bool> = first.iter().map(|word| (*word, false)).collect();
        let second = plan(&fell);
        assert!(
            second.iter().all(|word| !fell.contains_key(word)),
            "level {level}: {first:?}, then {second:?}"
        );
        // The same bot heeds it too, though it has looked at this throw before; and a word that stood is as good as ever.
        let mut player = letters::Player::new(level, 7);
        player.plan(&rules, WordsId::None, &BTreeMap::new());
        let again = player.plan(&rules, WordsId::None, &fell).layout.clone();
        let laid = again.check(&rules.faces, rules.counting, |_| true);
        assert!(laid.runs().iter().filter_map(|run| run.word).all(|word| !fell.contains_key(&word)));
        let stood: BTreeMap<Word, bool> = first.iter().map(|word| (*word, true)).collect();
        assert_eq!(plan(&stood), first);
    }
}
