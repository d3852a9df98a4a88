//! Bots play whole games, keep to the rules, and are the stronger the higher their level.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use cubo::{Act, Cubo, LEVELS, Options, Straights};
use table::{Bot, Game, Head, Outcome, Seat, Seats, Seed, Table, Time, View, bot::drive};

fn open(count: usize, options: Options, number: u64) -> Table<Cubo> {
    let seed = Seed::from_number(number);
    let seats = Seats::named(["Ann", "Ben", "Cat", "Dan"].into_iter().take(count)).unwrap();
    Table::open(&Head::new(Cubo::NAME, options, seats, seed.commitment()), &seed).unwrap()
}

fn play(levels: &[u8], options: Options, number: u64) -> Outcome {
    let mut table = open(levels.len(), options, number);
    let bot = |(level, seed): (&u8, u64)| Box::new(cubo::bot(*level, seed)) as Box<dyn Bot<Cubo>>;
    let mut bots: Vec<Box<dyn Bot<Cubo>>> = levels.iter().zip(number..).map(bot).collect();
    drive(&mut table, &mut bots, 10_000, |_, _| {}).unwrap()
}

#[test]
fn any_bots_play_any_table_to_its_end() {
    for straights in [Straights::InOrder, Straights::AnyOrder] {
        for levels in [&[1][..], &[3], &[0, 9], &[2, 4], &[1, 3, 5], &[4, 3, 2, 1]] {
            let outcome = play(levels, Options { straights, ..Options::default() }, 7);
            assert_eq!(outcome.scores.len(), levels.len());
        }
    }
}

#[test]
fn a_higher_level_wins_most_games_against_the_one_below() {
    for low in 1..LEVELS - 1 {
        let games = (0..20).map(|number| play(&[low, low + 1], Options::default(), number));
        let won = games.filter(|outcome| outcome.scores[1] > outcome.scores[0]).count();
        assert!(won >= 13, "level {} won {won} of 20 against level {low}", low + 1);
    }
}

#[test]
fn a_bot_does_not_start_over_when_something_happens_elsewhere() {
    let mut table = open(2, Options::default(), 3);
    table.expire_due(Time(8_000)).unwrap();
    let mut bot = cubo::bot(3, 1);
    let mut ask = |table: &Table<Cubo>| {
        let (public, private) = (table.game().public(), table.game().private(Seat(0)));
        bot.next(&View { now: table.now(), seat: Seat(0), public: &public, private: &private }).unwrap()
    };
    let first = ask(&table);
    table.act(Time(9_000), Seat(1), &Act::PickUp).unwrap();
    assert_eq!(ask(&table), first);
}

/// A person who is fast gets there before the strongest bot: it takes its time.
#[test]
fn a_person_can_win_the_race() {
    let mut table = open(1, Options::default(), 11);
    let mut bots: Vec<Box<dyn Bot<Cubo>>> = vec![Box::new(cubo::bot(LEVELS, 5))];
    let (mut signal, mut shortest) = (Time::START, u64::MAX);
    drive(&mut table, &mut bots, 10_000, |table, entry| {
        if let cubo::Phase::Race { signal: at, first_call, .. } = table.game().public().phase {
            signal = at;
            if first_call.is_some() {
                shortest = shortest.min(entry.at - signal);
            }
        }
    })
    .unwrap();
    assert!((15_000..60_000).contains(&shortest), "{shortest} ms from the signal to the call");
}
