//! One test or more for every rule of I-Qubes. A set whose dice show the same letter on all six faces makes a throw
//! certain, so the tests play the game itself and not a part of it.

use iqubes::{Act, Auction, Bid, IQubes, News, Options, Refusal, Rethrow, Set, SetFault, Throw, settle};
use letters::{Count, StageView};
use table::{Game, Head, Outcome, Refused, Seat, Seats, Seed, Table, Time};
use words::notation::{Style, read_with};
use words::{Colour, Counting, Layout, Letter, Lexicon, Placed, WordsId};

/// Dice that can only show this throw.
fn sure(throw: &str) -> Set {
    let dice: Vec<String> = throw.chars().map(|face| format!("\"{}\"", face.to_string().repeat(6))).collect();
    Set::from_toml(&format!("name = \"sure\"\ndice = [{}]", dice.join(","))).expect("a sound set")
}

fn options(throw: &str) -> Options {
    Options { set: sure(throw), rounds: 1, ..Options::default() }
}

fn open_with(options: Options, seats: u32, seed: u64) -> Result<Table<IQubes>, String> {
    let seed = Seed::from_number(seed);
    let seats = Seats::named((1..=seats).map(|at| format!("Player {at}"))).expect("names");
    let head = Head::new(IQubes::NAME, options, seats, seed.commitment()).under(IQubes::RULES);
    Table::open(&head, &seed).map_err(|fault| fault.to_string())
}

fn open(options: Options, seats: u32) -> Table<IQubes> {
    open_with(options, seats, 1948).expect("the table opens")
}

/// Acts a second later.
fn act(table: &mut Table<IQubes>, seat: u32, act: &Act) {
    try_act(table, seat, act).unwrap_or_else(|why| panic!("{act:?}: {why}"));
}

fn try_act(table: &mut Table<IQubes>, seat: u32, act: &Act) -> Result<(), Refused<Refusal>> {
    table.act(table.now().plus(1000), Seat(seat), act)
}

fn refusal(table: &mut Table<IQubes>, seat: u32, act: &Act) -> Refusal {
    match try_act(table, seat, act) {
        Err(Refused::Rule(refusal)) => refusal,
        other => panic!("{act:?} should be refused by a rule: {other:?}"),
    }
}

fn time_up(table: &mut Table<IQubes>) {
    let deadline = table.deadline().expect("a clock runs");
    table.expire_due(deadline).expect("time is due");
}

fn arrange(table: &Table<IQubes>, layout: &str) -> Act {
    let faces = table.game().public().throw.faces();
    Act::Arrange { dice: read_with(layout, Style::Colours, &faces).expect("a layout of the throw").dice }
}

/// Throws, lays a layout and ends the turn.
fn play(table: &mut Table<IQubes>, seat: u32, layout: &str) {
    act(table, seat, &Act::Throw);
    let laid = arrange(table, layout);
    act(table, seat, &laid);
    act(table, seat, &Act::Done);
}

fn counted(table: &Table<IQubes>) -> Count {
    let news = table.game().public().news;
    let count = |news: &News| match news {
        News::Counted { count, .. } => Some(count.clone()),
        _ => None,
    };
    news.iter().rev().find_map(count).expect("a count stands")
}

fn said(count: &Count) -> Vec<(String, i32)> {
    count.words.iter().map(|said| (said.word.to_string(), said.points)).collect()
}

fn totals(table: &Table<IQubes>) -> Vec<i64> {
    table.game().public().totals
}

fn house(word: &[Letter]) -> bool {
    Lexicon::house().contains(word)
}

fn letter(c: char) -> Letter {
    Letter::from_char(c).expect("a letter")
}

#[test]
fn iq_s1_seven_dice_have_twenty_red_and_twenty_black_letters_and_a_wild_of_each_colour() {
    let set = Set::standard();
    let faces = set.dice().as_flattened();
    let of = |wild: bool, colour| faces.iter().filter(|f| f.is_wild() == wild && f.colour == colour).count();
    assert_eq!((set.dice().len(), faces.len()), (7, 42));
    assert_eq!((of(false, Colour::Red), of(false, Colour::Black)), (20, 20));
    assert_eq!((of(true, Colour::Red), of(true, Colour::Black)), (1, 1));
}

#[test]
fn iq_f1_the_rebuilt_dice_have_three_faces_of_each_colour_and_can_show_every_example() {
    let set = Set::standard();
    for die in set.dice() {
        assert_eq!(die.iter().filter(|face| face.colour == Colour::Red).count(), 3);
    }
    // Each example of the sheet, with the die that shows each letter.
    for throw in ["DT!CeIS", "DT!AEHS", "rsRAotP"] {
        let throw: Throw = throw.parse().expect("faces");
        for (face, die) in throw.0.iter().zip(set.dice()) {
            assert!(die.contains(face), "{face} is not on {die:?}");
        }
    }
}

#[test]
fn iq_f1_a_set_of_ones_own_is_checked() {
    let read =
        |dice: &str| Set::from_toml(&format!("name = \"mine\"\ndice = [{dice}]")).expect_err("refused");
    let seven = |face: &str| vec![format!("\"{face}\""); 7].join(",");
    assert_eq!(read("\"ABCDEF\""), SetFault::Dice { found: 1 });
    assert_eq!(read("\"ABCDE\""), SetFault::Faces { die: 1, found: 5 });
    assert!(matches!(read("\"ABCDE7\""), SetFault::Face { die: 1, .. }));
    assert_eq!(read(&seven("BCDFGH")), SetFault::Mute);
    assert_eq!(read(&seven("ABCDE!")), SetFault::Wild { found: 7 });
    assert!(matches!(Set::from_toml("dice = 3"), Err(SetFault::Unreadable { .. })));
}

#[test]
fn iq_s2_a_wild_is_the_letter_its_player_calls_in_its_own_colour_and_the_same_in_both_words() {
    let mut table = open(options("DASHT!E"), 1);
    act(&mut table, 0, &Act::Throw);
    for (die, x, y) in [(4, 0, 0), (5, 1, 0), (5, 1, 0)] {
        act(&mut table, 0, &Act::Place { die, x, y });
    }
    let reading = table.game().public().turn.reading.expect("it is read while arranged");
    assert_eq!(reading.words[0].word, None, "nothing is read before the WILD is called");
    assert_eq!(
        refusal(&mut table, 0, &Act::Call { die: 4, letter: letter('o') }),
        Refusal::Turn(letters::Refusal::NotWild { die: 4 })
    );
    act(&mut table, 0, &Act::Call { die: 5, letter: letter('o') });
    let reading = table.game().public().turn.reading.expect("it is read while arranged");
    assert_eq!(reading.words[0].word, "to".parse().ok());
    assert_eq!(reading.points, 4, "a red WILD makes a red word");
    // One die has one call: it cannot be O across and A down.
    act(&mut table, 0, &Act::Call { die: 5, letter: letter('a') });
    let reading = table.game().public().turn.reading.expect("it is read while arranged");
    assert_eq!(reading.words[0].word, "ta".parse().ok());
}

#[test]
fn iq_s2_a_wild_in_two_words_is_one_letter_in_both_and_keeps_its_colour() {
    // TO across in red and OAT down: its other letters are black, the WILD is red.
    let mut table = open(options("T!atNNN"), 1);
    act(&mut table, 0, &Act::Throw);
    for (die, x, y) in [(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 1, 2)] {
        act(&mut table, 0, &Act::Place { die, x, y });
    }
    for (call, words, points) in
        [('o', [("to", 4, true), ("oat", 3, true)], 7), ('e', [("te", 4, true), ("eat", 3, true)], 7)]
    {
        act(&mut table, 0, &Act::Call { die: 1, letter: letter(call) });
        let reading = table.game().public().turn.reading.expect("it is read while arranged");
        let read: Vec<_> = reading.words.iter().map(|seen| (seen.word, seen.points, seen.good)).collect();
        let words = words.map(|(word, points, good)| (word.parse().ok(), points, Some(good)));
        assert_eq!(read, words, "one call is read in both words");
        assert_eq!(reading.points, points);
    }
    // Two calls cannot be made for one die, not even in one stroke.
    let placed = |x, c| Placed { die: 1, x, y: 0, called: Some(letter(c)) };
    let twice = Act::Arrange { dice: vec![placed(0, 'o'), placed(1, 'a')] };
    assert_eq!(refusal(&mut table, 0, &twice), Refusal::Turn(letters::Refusal::DieTwice { die: 1 }));
}

#[test]
fn iq_s3_one_to_five_players_and_the_cup_goes_round() {
    assert_eq!(IQubes::seating(&Options::default()), 1..=5);
    assert!(open_with(Options::default(), 6, 1).is_err_and(|why| why.contains("1 to 5")));
    let mut table = open(options("SPARTBE"), 5);
    for seat in 0..5 {
        assert_eq!(
            refusal(&mut table, (seat + 1) % 5, &Act::Throw),
            Refusal::Turn(letters::Refusal::NotYourTurn { turn: Seat(seat) })
        );
        play(&mut table, seat, "SPAR");
    }
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1; 5], scores: vec![8; 5] }));
}

// rules: IQ-S4 IQ-R1
#[test]
fn iq_s4_a_throw_is_arranged_in_sixty_or_ninety_seconds_and_ninety_is_usual() {
    assert_eq!(Options::default().seconds, 90);
    for (seconds, fits) in [(60, true), (90, true), (61, false), (0, false)] {
        assert_eq!(open_with(Options { seconds, ..Options::default() }, 2, 1).is_ok(), fits);
    }
    let mut table = open(Options { seconds: 60, ..options("SPARTBE") }, 2);
    act(&mut table, 0, &Act::Throw);
    assert_eq!(table.deadline(), Some(table.now().plus_secs(60)));
    let laid = arrange(&table, "SPAR/..T");
    act(&mut table, 0, &laid);
    time_up(&mut table);
    assert_eq!(counted(&table).points, 12, "what lies there when time is up counts");
    assert_eq!(table.game().public().player, Seat(1));
}

/// A set that shows a vowel once in a while.
fn shy() -> Set {
    let dice = "\"YBCDFG\",\"BCDFGH\",\"bcdfgh\",\"BCDFGH\",\"bcdfgh\",\"BCDFGH\",\"Abcdfg\"";
    Set::from_toml(&format!("name = \"shy\"\ndice = [{dice}]")).expect("a sound set")
}

// rules: IQ-S5 IQ-R2
#[test]
fn iq_s5_where_nobody_is_asked_a_mute_throw_is_thrown_again_for_all_to_see_before_the_clock_starts() {
    let mut again = 0;
    for seed in 0..20 {
        let options = Options { set: shy(), rethrow: Rethrow::Automatic, ..Options::default() };
        let mut table = open_with(options, 2, seed).expect("the table opens");
        act(&mut table, 0, &Act::Throw);
        let public = table.game().public();
        let [News::Threw { rethrown, throw, .. }] = &public.news[..] else { panic!("{:?}", public.news) };
        assert!(rethrown.iter().all(|throw| throw.0.len() == 7 && !throw.opens()));
        assert!(throw.opens(), "{throw}");
        again += rethrown.len();
        assert_eq!(
            table.deadline(),
            Some(table.now().plus_secs(90)),
            "the clock starts after the last throw"
        );
    }
    assert!(again > 20, "one vowel in six throws: {again}");
}

/// A table where the player has just thrown neither a vowel nor a WILD, and the throw.
fn asked(options: &Options, seats: u32) -> (Table<IQubes>, Throw) {
    let options = Options { set: shy(), ..options.clone() };
    let thrown = (0..100).map(|seed| {
        let mut table = open_with(options.clone(), seats, seed).expect("the table opens");
        act(&mut table, 0, &Act::Throw);
        table
    });
    let table = thrown.into_iter().find(|table| table.game().public().asks).expect("one in six has a vowel");
    let throw = table.game().public().throw;
    (table, throw)
}

// rules: IQ-S5 IQ-R2
#[test]
fn iq_s5_a_player_may_keep_a_throw_without_vowel_and_wild_and_the_clock_starts_when_it_is_kept() {
    assert_eq!(Options::default().rethrow, Rethrow::Asked);
    let (mut table, throw) = asked(&Options::default(), 2);
    assert!(!throw.opens(), "{throw}");
    let public = table.game().public();
    assert_eq!((&public.turn.stage, table.game().awaits(Seat(0))), (&StageView::Cup, true));
    assert_eq!(table.deadline(), Some(table.now().plus(letters::CUP_MS)), "the clock does not run yet");
    let not_yet = refusal(&mut table, 0, &Act::Place { die: 0, x: 0, y: 0 });
    assert_eq!(not_yet, Refusal::Turn(letters::Refusal::NotThrown));
    let turn = Seat(0);
    assert_eq!(refusal(&mut table, 1, &Act::Keep), Refusal::Turn(letters::Refusal::NotYourTurn { turn }));
    act(&mut table, 0, &Act::Keep);
    let public = table.game().public();
    assert_eq!((&public.throw, public.asks, &public.turn.stage), (&throw, false, &StageView::Arranging));
    assert_eq!(table.deadline(), Some(table.now().plus_secs(90)));
    assert_eq!(refusal(&mut table, 0, &Act::Keep), Refusal::Turn(letters::Refusal::Thrown));
    let [News::Threw { rethrown, throw: told, .. }] = &public.news[..] else { panic!("{:?}", public.news) };
    assert_eq!((rethrown.len(), told), (0, &throw), "nothing was thrown again");
    // A throw that opens is not asked about.
    let mut table = open(options("SPARTBE"), 2);
    assert_eq!(refusal(&mut table, 0, &Act::Keep), Refusal::NothingToKeep);
    act(&mut table, 0, &Act::Throw);
    assert!(!table.game().public().asks);
}

// rules: IQ-S5 IQ-R2
#[test]
fn iq_s5_a_player_who_is_asked_may_throw_all_seven_again_until_a_vowel_turns_up() {
    let (mut table, first) = asked(&Options::default(), 2);
    let mut mute = vec![first];
    loop {
        act(&mut table, 0, &Act::Throw);
        let public = table.game().public();
        let News::Threw { rethrown, throw, .. } = &public.news[0] else { panic!("{:?}", public.news) };
        assert_eq!((rethrown, throw), (&mute, &public.throw), "everybody sees all of them");
        assert_eq!(public.throw.0.len(), 7);
        if !public.asks {
            assert!(public.throw.opens());
            break;
        }
        mute.push(public.throw);
    }
    assert_eq!(table.deadline(), Some(table.now().plus_secs(90)));
    // Another turn begins without them; and whoever says nothing has the dice thrown again.
    act(&mut table, 0, &Act::Done);
    let (mut table, first) = asked(&Options::default(), 2);
    time_up(&mut table);
    let public = table.game().public();
    let News::Threw { rethrown, throw, .. } = &public.news[0] else { panic!("{:?}", public.news) };
    assert!(rethrown[0] == first && throw.opens() && public.turn.stage == StageView::Arranging);
}

#[test]
fn iq_r2_y_is_no_vowel_unless_the_table_says_so_and_a_wild_of_either_colour_opens() {
    let with = |y_vowel, throw: &str| {
        Options { y_vowel, ..Options::default() }.opens(&throw.parse::<Throw>().expect("faces"))
    };
    let opens = |throw: &str| with(false, throw);
    assert!(!opens("YyBCdfg") && opens("YyBCdfu") && opens("BCDFG!H") && opens("BCDFG?H"));
    assert!(with(true, "BCDFGHy") && with(true, "YBCDFGH") && !with(true, "BCDFGHJ"));
    assert!(!Options::default().y_vowel);
    // The same seeds ask more often where Y is none.
    let asked = |y_vowel| {
        let thrown = (0..60).filter(|&seed| {
            let options = Options { set: shy(), y_vowel, ..Options::default() };
            let mut table = open_with(options, 2, seed).expect("the table opens");
            act(&mut table, 0, &Act::Throw);
            table.game().public().asks
        });
        thrown.count()
    };
    assert!(asked(true) < asked(false), "{} {}", asked(true), asked(false));
}

// rules: IQ-S5
#[test]
fn iq_s5_tables_of_revision_1_throw_again_without_asking_as_they_did() {
    let mut options = serde_json::Map::new();
    IQubes::older_options(1, &mut options);
    let options: Options = serde_json::from_value(options.into()).expect("options");
    assert_eq!((IQubes::RULES, options.rethrow), (2, Rethrow::Automatic));
}

// rules: IQ-S6 IQ-R3
#[test]
fn iq_s6_all_dice_used_earn_a_second_throw_and_no_third_and_both_count() {
    let mut table = open(options("DASHT!E"), 2);
    play(&mut table, 0, "DASH/.TO*E");
    let public = table.game().public();
    assert_eq!((public.player, public.second, &public.totals[..]), (Seat(0), true, &[26, 0][..]));
    assert!(matches!(public.news.last(), Some(News::Counted { full: true, earned: true, .. })));
    play(&mut table, 0, "DASH/.TO*E");
    let public = table.game().public();
    assert_eq!((public.player, public.second, &public.totals[..]), (Seat(1), false, &[52, 0][..]));
    assert!(matches!(public.news.last(), Some(News::Counted { full: true, earned: false, .. })));
    play(&mut table, 1, "DASH");
    assert_eq!(totals(&table), [52, 8]);
    assert!(table.outcome().is_some(), "six dice left over earn nothing");
}

#[test]
fn iq_s7_a_game_has_one_to_twenty_rounds_and_three_are_usual() {
    assert_eq!(Options::default().rounds, 3);
    for (rounds, fits) in [(0, false), (1, true), (20, true), (21, false)] {
        assert_eq!(open_with(Options { rounds, ..Options::default() }, 2, 1).is_ok(), fits);
    }
    let mut table = open(Options { rounds: 2, ..options("SPARTBE") }, 2);
    for seat in [0, 1, 0, 1] {
        assert_eq!(table.outcome(), None);
        play(&mut table, seat, "SPAR");
    }
    assert_eq!(table.game().public().sheet, [[8, 8], [8, 8]]);
    assert!(table.outcome().is_some());
}

#[test]
fn iq_s7_the_majority_may_agree_to_end_after_one_two_or_three_more_rounds() {
    let mut table = open(Options { rounds: 20, ..options("SPARTBE") }, 3);
    assert_eq!(refusal(&mut table, 1, &Act::Propose { rounds: 4 }), Refusal::MoreRounds { found: 4 });
    assert_eq!(refusal(&mut table, 1, &Act::Agree { yes: true }), Refusal::NoProposal);
    act(&mut table, 1, &Act::Propose { rounds: 1 });
    assert_eq!(table.game().public().last, 20, "one of three is no majority");
    assert_eq!(refusal(&mut table, 2, &Act::Propose { rounds: 2 }), Refusal::ProposalOpen);
    let proposal = table.game().public().proposal.expect("it is on the table");
    assert_eq!(proposal.voted, [false, true, false]);
    assert!(table.game().awaits(Seat(2)));
    act(&mut table, 2, &Act::Agree { yes: true });
    let public = table.game().public();
    assert_eq!((public.last, public.proposal), (2, None));
    for seat in [0, 1, 2, 0, 1, 2] {
        assert_eq!(table.outcome(), None);
        play(&mut table, seat, "SPAR");
    }
    assert!(table.outcome().is_some(), "the round of the proposal and one more");
}

#[test]
fn iq_s7_a_proposal_that_half_the_table_declines_or_nobody_answers_changes_nothing() {
    let mut table = open(options("SPARTBE"), 4);
    act(&mut table, 0, &Act::Propose { rounds: 3 });
    act(&mut table, 1, &Act::Agree { yes: false });
    act(&mut table, 2, &Act::Agree { yes: false });
    let public = table.game().public();
    assert_eq!((public.last, public.proposal), (1, None));
    assert!(matches!(public.news[..], [News::Proposal { agreed: false, .. }]));
    act(&mut table, 0, &Act::Throw);
    act(&mut table, 1, &Act::Propose { rounds: 3 });
    let arranging = table.game().public().turn.by;
    assert!(table.deadline() < arranging, "the proposal runs out first");
    time_up(&mut table);
    assert_eq!(table.game().public().turn.stage, StageView::Arranging);
    assert_eq!(table.game().public().proposal, None);
    let mut solitaire = open(Options { rounds: 20, ..options("SPARTBE") }, 1);
    act(&mut solitaire, 0, &Act::Propose { rounds: 2 });
    assert_eq!(solitaire.game().public().last, 3, "one alone is the majority");
}

#[test]
fn iq_s7_any_time_in_play_and_as_often_as_the_table_likes_it_may_go_on() {
    let mut table = open(Options { rounds: 20, ..options("SPARTBE") }, 2);
    for seat in [0, 1].repeat(19) {
        play(&mut table, seat, "SPAR");
    }
    // In the last of twenty rounds, and again when the answer was no.
    for yes in [false, true] {
        act(&mut table, 0, &Act::Propose { rounds: 3 });
        assert_eq!(refusal(&mut table, 0, &Act::Propose { rounds: 1 }), Refusal::ProposalOpen);
        act(&mut table, 1, &Act::Agree { yes });
    }
    assert_eq!((table.game().public().round, table.game().public().last), (20, 23));
    for seat in [0, 1].repeat(4) {
        assert_eq!(table.outcome(), None);
        play(&mut table, seat, "SPAR");
    }
    assert!(table.outcome().is_some());
}

#[test]
fn iq_s8_example_one_of_the_sheet_counts_seventeen_and_uses_every_die() {
    let mut table = open(options("DT!CeIS"), 2);
    play(&mut table, 0, ".T../CO*D./..IS/..e.");
    let count = counted(&table);
    let mut words = said(&count);
    words.sort();
    assert_eq!(words, [("cod".into(), 6), ("die".into(), 3), ("is".into(), 4), ("to".into(), 4)]);
    assert_eq!((count.points, count.used), (17, 7));
    assert!(table.game().public().second, "so a second throw");
}

#[test]
fn iq_s8_example_two_of_the_sheet_counts_twenty_six() {
    let mut table = open(options("DT!AEHS"), 2);
    play(&mut table, 0, "DASH/.TO*E");
    let count = counted(&table);
    let mut words = said(&count);
    words.sort();
    let expected = [("at", 4), ("dash", 8), ("he", 4), ("so", 4), ("toe", 6)];
    assert_eq!(words, expected.map(|(word, points)| (word.to_owned(), points)));
    assert_eq!((count.points, count.used), (26, 7));
}

// rules: IQ-S8 IQ-R4
#[test]
fn iq_r4_example_three_of_the_sheet_counts_six_and_two_dice_left_over_cost_nothing() {
    let mut table = open(options("rsRAotP"), 2);
    play(&mut table, 0, "sPAR/..t");
    let count = counted(&table);
    assert_eq!(said(&count), [("spar".into(), 4), ("at".into(), 2)]);
    assert_eq!((count.points, count.used), (6, 5));
    assert_eq!(table.game().public().player, Seat(1));
}

#[test]
fn iq_r5_every_run_must_be_a_word_and_a_repeated_word_counts_each_time() {
    let faces: Throw = "TOOTNNN".parse().expect("faces");
    let check = |layout: &str| {
        let layout = read_with(layout, Style::Colours, &faces.faces()).expect("a layout");
        layout.check(&faces.faces(), Counting::IQubes { long_word: false }, house)
    };
    assert_eq!(check("TO/O.").count(), Some(8), "TO across and TO down, both red");
    assert_eq!(check("TO/OT").count(), None, "OT down is no word");
    assert_eq!(check("TO../..ON").count(), None, "two groups do not hang together");
    assert_eq!(check("T").count(), None, "one die is no word");
}

#[test]
fn iq_s9_the_agreed_dictionary_is_final() {
    let mut table = open(options("SPARTBE"), 2);
    act(&mut table, 0, &Act::Throw);
    let laid = arrange(&table, "PSRA");
    act(&mut table, 0, &laid);
    act(&mut table, 0, &Act::Done);
    assert_eq!(counted(&table).points, 0, "PSRA is no word, and nobody is asked");
    let challenge = Act::Challenge { word: "psra".parse().expect("letters") };
    assert_eq!(refusal(&mut table, 1, &challenge), Refusal::Turn(letters::Refusal::NoHearing));
}

#[test]
fn iq_s9_a_dictionary_that_is_not_on_the_shelf_is_refused_when_the_table_opens() {
    let words: WordsId = "list:0123456789abcdef".parse().expect("a name");
    let options = Options { words, ..Options::default() };
    assert_eq!(options.clone().pinned(), Err(Refusal::NoSuchWords { words }));
    assert!(open_with(options, 2, 1).is_err_and(|why| why.contains("not on the shelf")));
    let pinned = Options::default().pinned().expect("the house dictionary is there");
    assert_eq!(pinned.words, Lexicon::house().id());
}

/// A table without dictionary where the first player has laid SPRA and ended his turn.
fn without_dictionary(seats: u32) -> Table<IQubes> {
    let mut table = open(Options { words: WordsId::None, ..options("SPARTBE") }, seats);
    play(&mut table, 0, "SPRA/..B./..E.");
    table
}

fn challenge(word: &str) -> Act {
    Act::Challenge { word: word.parse().expect("letters") }
}

#[test]
fn iq_s9_without_dictionary_the_majority_decides_a_challenged_word() {
    let mut table = without_dictionary(3);
    assert!(table.game().awaits(Seat(1)) && !table.game().awaits(Seat(0)));
    assert_eq!(refusal(&mut table, 0, &challenge("spra")), Refusal::Turn(letters::Refusal::OwnWords));
    let word = "cat".parse().expect("letters");
    assert_eq!(
        refusal(&mut table, 1, &challenge("cat")),
        Refusal::Turn(letters::Refusal::NoSuchWord { word })
    );
    act(&mut table, 1, &challenge("spra"));
    // The maker of the word votes too (IQ-R6), and nobody sees how before all have voted.
    act(&mut table, 0, &Act::Vote { good: true });
    let public = table.game().public();
    let StageView::Voting { voted, .. } = &public.turn.stage else { panic!("{:?}", public.turn.stage) };
    assert_eq!(voted, &[true, false, false]);
    assert_eq!(table.game().private(Seat(0)).vote, Some(true));
    assert_eq!(table.game().private(Seat(1)).vote, None);
    act(&mut table, 1, &Act::Vote { good: false });
    act(&mut table, 2, &Act::Vote { good: false });
    let public = table.game().public();
    let count = public.turn.count.expect("counted anew");
    assert_eq!(said(&count), [("rbe".into(), 6)], "SPRA falls; the rest is heard again");
    act(&mut table, 1, &Act::Pass);
    act(&mut table, 2, &Act::Pass);
    assert_eq!(totals(&table), [6, 0, 0]);
}

#[test]
fn iq_r6_a_tie_lets_the_word_stand_and_a_voted_word_is_remembered() {
    let mut table = without_dictionary(2);
    act(&mut table, 1, &challenge("spra"));
    act(&mut table, 0, &Act::Vote { good: true });
    act(&mut table, 1, &Act::Vote { good: false });
    let word = "spra".parse().expect("letters");
    assert_eq!(refusal(&mut table, 1, &challenge("spra")), Refusal::Turn(letters::Refusal::Ruled { word }));
    act(&mut table, 1, &challenge("rbe"));
    act(&mut table, 0, &Act::Vote { good: false });
    act(&mut table, 1, &Act::Vote { good: false });
    assert_eq!(
        totals(&table),
        [8, 0],
        "SPRA was tied and stands, RBE fell, and no word is left to challenge"
    );
    // The next player meets both rulings.
    play(&mut table, 1, "SPRA/..B./..E.");
    assert_eq!(counted(&table).points, 8);
    assert_eq!(table.game().public().rulings.len(), 2);
    assert_eq!(totals(&table), [8, 8], "all its words are decided: there is no hearing");
}

#[test]
fn iq_r6_those_who_do_not_vote_in_time_count_for_neither_side() {
    let mut table = without_dictionary(5);
    act(&mut table, 1, &challenge("spra"));
    act(&mut table, 4, &Act::Vote { good: false });
    time_up(&mut table);
    let public = table.game().public();
    assert_eq!(public.rulings.get(&"spra".parse().expect("letters")), Some(&false));
    time_up(&mut table);
    assert_eq!(totals(&table)[0], 6, "nobody challenged RBE");
    let mut silent = without_dictionary(2);
    act(&mut silent, 1, &challenge("spra"));
    time_up(&mut silent);
    assert_eq!(silent.game().public().rulings.len(), 1, "no vote at all is a tie");
}

#[test]
fn iq_s9_one_alone_without_dictionary_judges_himself() {
    let table = without_dictionary(1);
    assert_eq!(totals(&table), [14], "SPRA 8 and RBE 6, at once");
}

#[test]
fn iq_r7_when_time_is_up_bad_dice_are_taken_out_and_what_is_left_counts() {
    let mut table = open(options("SPARTBE"), 2);
    act(&mut table, 0, &Act::Throw);
    // SPAR and AT are words, TB is none; E lies apart.
    let laid = arrange(&table, "SPAR/..TB/....../E");
    act(&mut table, 0, &laid);
    time_up(&mut table);
    let count = counted(&table);
    assert_eq!(said(&count), [("spar".into(), 8), ("at".into(), 4)]);
    assert_eq!(Vec::from(count.taken), [5, 6], "B and E are taken out");
    let lies: Vec<bool> = table.game().public().turn.dice.dice().iter().map(|lie| lie.at.is_some()).collect();
    assert_eq!(lies, [true, true, true, true, true, false, false]);
}

#[test]
fn iq_r7_nothing_valid_left_counts_nothing() {
    let mut table = open(options("SPARTBE"), 2);
    act(&mut table, 0, &Act::Throw);
    let laid = arrange(&table, "TB/.P");
    act(&mut table, 0, &laid);
    time_up(&mut table);
    assert_eq!((counted(&table).points, counted(&table).words.len()), (0, 0));
    act(&mut table, 1, &Act::Throw);
    time_up(&mut table);
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1, 1], scores: vec![0, 0] }));
}

#[test]
fn iq_s10_all_dice_in_one_word_count_fifteen_or_thirty_in_one_colour() {
    for (throw, plain, long) in [("PARTIES", 14, 30), ("pARTIES", 7, 15)] {
        let points = |long_word| {
            let mut table = open(Options { long_word, ..options(throw) }, 2);
            play(&mut table, 0, throw);
            counted(&table).points
        };
        assert_eq!((points(false), points(true)), (plain, long), "{throw}");
    }
    let mut table = open(Options { long_word: true, ..options("PARTIES") }, 2);
    play(&mut table, 0, "PARTS");
    assert_eq!(counted(&table).points, 10, "only all dice in one word are special");
    // All dice that are named are not all dice of a throw.
    let solved = |dice: &str| {
        let question = serde_json::json!({"dice": dice, "long_word": true, "any_letters": true});
        let stop = std::sync::atomic::AtomicBool::new(false);
        <IQubes as table::House>::solve(question, &stop, &mut |_| ()).expect("an answer")["score"].clone()
    };
    assert_eq!((solved("CAT"), solved("PARTIES")), (6.into(), 30.into()));
    // With two sets all fourteen would have to be in one word.
    let mut table = open(Options { long_word: true, two_sets: true, ..options("PARTIES") }, 2);
    play(&mut table, 0, "PARTIES");
    assert_eq!(counted(&table).points, 14);
}

// rules: IQ-S11 IQ-R8
#[test]
fn iq_s11_two_sets_are_fourteen_dice_with_up_to_four_wilds_and_double_time() {
    for (seconds, double) in [(60, 120), (90, 180)] {
        let two = Options { two_sets: true, seconds, bidding: true, ..options("DASHT!?") };
        let mut table = open(two, 2);
        act(&mut table, 0, &Act::Throw);
        let throw = table.game().public().throw;
        assert_eq!((throw.0.len(), throw.0.iter().filter(|face| face.is_wild()).count()), (14, 4));
        assert_eq!(table.deadline(), Some(table.now().plus_secs(double)));
        act(&mut table, 0, &Act::Done);
        act(&mut table, 1, &Act::Bid { count: 56 });
        assert_eq!(table.deadline(), Some(table.now().plus_secs(double / 2)), "half the regular time");
    }
}

/// A table with bidding where the first of three players has counted 4 with red SO of the sheet's second example.
fn auction() -> Table<IQubes> {
    let mut table = open(Options { bidding: true, ..options("DT!AEHS") }, 3);
    play(&mut table, 0, "SO*");
    table
}

#[test]
fn iq_s12_the_sheets_example_of_a_bid() {
    assert_eq!(settle(10, 15, 15), (5, 0), "made: five to the bidder");
    assert_eq!(settle(10, 15, 14), (-5, 5), "failed: five from the bidder to the original player");
    // Played: PARTS counts 10, and with PIE down from its P 16.
    for (laid, points) in [("PARTS/I..../E....", [10, 5, 0]), ("PARTS", [15, -5, 0])] {
        let mut table = open(Options { bidding: true, ..options("PARTSIE") }, 3);
        play(&mut table, 0, "PARTS");
        act(&mut table, 2, &Act::Bid { count: 12 });
        act(&mut table, 1, &Act::Bid { count: 15 });
        act(&mut table, 2, &Act::Pass);
        let turn = Seat(1);
        for other in [0, 2] {
            let refused = Refusal::Turn(letters::Refusal::NotYourTurn { turn });
            assert_eq!(
                refusal(&mut table, other, &Act::Clear),
                refused,
                "only the highest bidder rearranges"
            );
        }
        let laid = arrange(&table, laid);
        act(&mut table, 1, &laid);
        act(&mut table, 1, &Act::Done);
        assert_eq!(totals(&table), points);
    }
}

#[test]
fn iq_s12_the_highest_bidder_rearranges_in_half_the_time_and_wins_the_difference() {
    let mut table = auction();
    assert_eq!(totals(&table), [4, 0, 0], "the original count stands");
    assert!(!table.game().awaits(Seat(0)) && table.game().awaits(Seat(1)) && table.game().awaits(Seat(2)));
    assert_eq!(refusal(&mut table, 0, &Act::Bid { count: 9 }), Refusal::OwnCount);
    act(&mut table, 1, &Act::Bid { count: 8 });
    act(&mut table, 2, &Act::Bid { count: 20 });
    act(&mut table, 1, &Act::Pass);
    assert_eq!(table.deadline(), Some(table.now().plus_secs(45)));
    let public = table.game().public();
    assert_eq!((&public.turn.makers[..], public.bid), (&[Seat(2)][..], Some(20)));
    assert_eq!(public.turn.dice.laid(), 2, "the dice lie as the first player left them");
    let laid = arrange(&table, "DASH/.TO*E");
    act(&mut table, 2, &laid);
    act(&mut table, 2, &Act::Done);
    assert_eq!(totals(&table), [4, 0, 16], "26 were made, but only the bid pays");
    assert_eq!(table.game().public().player, Seat(1), "a bidder's full layout earns no throw");
}

#[test]
fn iq_s12_a_failed_bid_goes_from_the_bidder_to_the_original_player() {
    let mut table = auction();
    act(&mut table, 1, &Act::Bid { count: 20 });
    act(&mut table, 2, &Act::Pass);
    time_up(&mut table);
    assert_eq!(totals(&table), [4 + 16, -16, 0], "scores may go below nothing");
    let news = table.game().public().news;
    assert!(matches!(news.last(), Some(News::Bid { made: false, bid: 20, original: 4, .. })));
}

#[test]
fn iq_r9_the_auction_is_open_for_fifteen_seconds_and_each_bid_must_beat_the_last() {
    let mut table = auction();
    assert_eq!(table.deadline(), Some(table.now().plus_secs(15)));
    let open = table.deadline();
    assert_eq!(refusal(&mut table, 1, &Act::Bid { count: 4 }), Refusal::BidTooLow { beat: 4 });
    act(&mut table, 1, &Act::Bid { count: 6 });
    assert_eq!(refusal(&mut table, 2, &Act::Bid { count: 6 }), Refusal::BidTooLow { beat: 6 });
    assert_eq!(refusal(&mut table, 2, &Act::Bid { count: 29 }), Refusal::BidTooHigh { most: 28 });
    assert_eq!(refusal(&mut table, 1, &Act::Pass), Refusal::BidHolds { bid: 6 });
    assert_eq!(table.deadline(), open, "bids do not prolong it");
    let auction = table.game().public().auction.expect("it runs");
    assert_eq!(auction.high, Some(Bid { seat: Seat(1), count: 6 }), "of equal bids the first holds");
    time_up(&mut table);
    assert_eq!(table.game().public().turn.makers, [Seat(1)]);
}

#[test]
fn iq_r9_nobody_bids_and_the_game_goes_on() {
    let mut table = auction();
    act(&mut table, 1, &Act::Pass);
    assert_eq!(refusal(&mut table, 1, &Act::Bid { count: 9 }), Refusal::Turn(letters::Refusal::Passed));
    act(&mut table, 2, &Act::Pass);
    assert!(matches!(table.game().public().news.last(), Some(News::Auction { high: None, original: 4 })));
    assert_eq!(refusal(&mut table, 2, &Act::Bid { count: 9 }), Refusal::NoAuction);
    play(&mut table, 1, "SO*");
    time_up(&mut table);
    assert_eq!((totals(&table), table.game().public().player), (vec![4, 4, 0], Seat(2)));
}

#[test]
fn iq_r9_a_second_throw_follows_the_auction_of_the_first() {
    let mut table = open(Options { bidding: true, ..options("DT!AEHS") }, 2);
    play(&mut table, 0, "DASH/.TO*E");
    assert!(table.game().public().auction.is_some());
    act(&mut table, 1, &Act::Bid { count: 28 });
    time_up(&mut table);
    assert_eq!(totals(&table), [28, -2], "the bidder did not move the dice: 26, not 28");
    assert_eq!((table.game().public().player, table.game().public().second), (Seat(0), true));
}

#[test]
fn iq_s12_there_is_no_bidding_in_solitaire() {
    let mut table = open(Options { bidding: true, ..options("DT!AEHS") }, 1);
    play(&mut table, 0, "SO*");
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1], scores: vec![4] }));
}

#[test]
fn iq_r9_an_auction_waits_for_nobody_who_cannot_bid() {
    let mut auction = Auction::new(Seat(0), 10, 28, 2, Time(0));
    assert!(!auction.over());
    auction.bid(Seat(1), 15).expect("it beats ten");
    assert!(auction.over(), "nobody is left to bid against");
    assert!(Auction::new(Seat(0), 28, 28, 2, Time(0)).over(), "nothing is left to bid");
}

#[test]
fn iq_r10_the_highest_total_wins_and_equal_totals_share() {
    let mut table = open(options("SPARTBE"), 3);
    play(&mut table, 0, "SPAR");
    play(&mut table, 1, "AT");
    play(&mut table, 2, "TRAP");
    assert_eq!(table.outcome(), Some(Outcome { ranks: vec![1, 3, 1], scores: vec![8, 4, 8] }));
    assert_eq!(table.deadline(), None);
    assert!(table.game().public().over);
}

#[test]
fn the_cup_is_turned_over_for_a_player_who_does_not_throw() {
    let mut table = open(options("SPARTBE"), 2);
    assert_eq!(refusal(&mut table, 0, &Act::Done), Refusal::Turn(letters::Refusal::NotThrown));
    assert_eq!(table.deadline(), Some(Time(letters::CUP_MS)));
    time_up(&mut table);
    assert_eq!(table.game().public().turn.stage, StageView::Arranging);
    assert_eq!(refusal(&mut table, 0, &Act::Throw), Refusal::Turn(letters::Refusal::Thrown));
}

#[test]
fn a_table_that_does_not_judge_shows_the_words_and_not_whether_they_are_good() {
    for judge in [true, false] {
        let mut table = open(Options { judge, ..options("SPARTBE") }, 2);
        act(&mut table, 0, &Act::Throw);
        let laid = arrange(&table, "SPRA");
        act(&mut table, 0, &laid);
        let reading = table.game().public().turn.reading.expect("it is read while arranged");
        assert_eq!(reading.words[0].good, judge.then_some(false));
        assert_eq!((reading.points, reading.faults.len()), if judge { (0, 1) } else { (8, 0) });
    }
}

#[test]
fn dice_are_placed_moved_lifted_and_cleared() {
    let mut table = open(options("SPARTBE"), 2);
    act(&mut table, 0, &Act::Throw);
    act(&mut table, 0, &Act::Place { die: 2, x: 0, y: 0 });
    act(&mut table, 0, &Act::Place { die: 4, x: 1, y: 0 });
    assert_eq!(table.game().public().turn.reading.expect("read").points, 4);
    let off = letters::Refusal::OffTheTable { x: 99, y: 0 };
    assert_eq!(refusal(&mut table, 0, &Act::Place { die: 4, x: 99, y: 0 }), Refusal::Turn(off));
    act(&mut table, 0, &Act::Lift { die: 4 });
    act(&mut table, 0, &Act::Clear);
    assert_eq!(table.game().public().turn.dice.layout(), Layout::EMPTY);
    let called = Some(letter('o'));
    let tame = Act::Arrange { dice: vec![Placed { die: 0, x: 0, y: 0, called }] };
    assert_eq!(refusal(&mut table, 0, &tame), Refusal::Turn(letters::Refusal::NotWild { die: 0 }));
}
