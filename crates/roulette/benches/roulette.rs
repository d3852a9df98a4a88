//! How fast the table is: settling for thousands, laying and taking back, whole games by bots, exact odds.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use roulette::{Act, Options, Roulette, Set, bot, odds, outlook, read_slip};
use table::{Dice, Game, Head, Moment, Seat, Seats, Seed, Table, Time, bot::drive};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

const FIVE: &str = "15=1 1|2=1 1|2|11|12=1 1-6=2 black=3";

fn main() {
    divan::main();
}

fn seats(count: u32) -> Seats {
    Seats::named((0..count).map(|seat| format!("Player {seat}"))).expect("plain names")
}

fn lay(slip: &str) -> Act {
    Act::lay(slip.split_whitespace().map(|stake| stake.parse().expect("a sound stake")).collect())
}

/// A table where everybody has five bets on the layout.
fn laid(options: &Options, count: u32) -> (Roulette, Dice) {
    let seats = seats(count);
    let mut dice = Dice::new(&Seed::from_number(1), Roulette::NAME, &seats);
    let mut at = Moment { now: Time::START, dice: &mut dice };
    let mut game = Roulette::open(options, &seats, &mut at).expect("sound options");
    let act = lay(FIVE);
    for seat in seats.all() {
        game.act(seat, &act, &mut at).expect("everybody can afford that");
    }
    (game, dice)
}

/// The goal: 10,000 players with 5 bets each within 2 ms. The time is that of the whole throw, the new window included.
#[divan::bench(args = [100, 10_000])]
fn settle_a_throw(bencher: Bencher<'_, '_>, players: u32) {
    bencher.with_inputs(|| laid(&Options::default(), players)).bench_refs(|(game, dice)| {
        let now = game.deadline().expect("bets are open");
        game.expire(&mut Moment { now, dice });
    });
}

/// The goal: 10,000 seats within 10 MB. Read the bytes allocated.
#[divan::bench(args = [10_000])]
fn a_table_with_everybody_s_bets(bencher: Bencher<'_, '_>, players: u32) {
    let options = Options::default();
    let seats = seats(players);
    let act = lay(FIVE);
    let mut dice = Dice::new(&Seed::from_number(1), Roulette::NAME, &seats);
    bencher.bench_local(|| {
        let mut at = Moment { now: Time::START, dice: &mut dice };
        let mut game = Roulette::open(&options, &seats, &mut at).expect("sound options");
        for seat in seats.all() {
            game.act(seat, &act, &mut at).expect("everybody can afford that");
        }
        game
    });
}

#[divan::bench(args = [4, 10_000])]
fn public_view(bencher: Bencher<'_, '_>, players: u32) {
    let (game, _) = laid(&Options::default(), players);
    bencher.bench_local(|| game.public());
}

/// The goal of the kernel: a million simple acts a second.
#[divan::bench]
fn lay_and_take_back(bencher: Bencher<'_, '_>) {
    let seed = Seed::from_number(1);
    let head = Head::new(Roulette::NAME, Options::default(), seats(4), seed.commitment());
    let mut table = Table::<Roulette>::open(&head, &seed).expect("sound options");
    let acts = [
        lay("15=2"),
        lay("black=1"),
        Act::TakeBack { bets: vec!["15=2".parse().expect("a stake")] },
        Act::Clear,
    ];
    bencher.counter(ItemsCount::new(acts.len())).bench_local(|| {
        for act in &acts {
            table.act(Time::START, Seat(2), black_box(act)).expect("allowed");
        }
    });
}

/// The goal: 200,000 throws a second.
#[divan::bench(args = [1, 2, 3, 5])]
fn simulate_throws(bencher: Bencher<'_, '_>, players: u32) {
    const THROWS: u32 = 1_000;
    let options = Options { throws: THROWS, borrow: true, ..Options::default() };
    let seed = Seed::from_number(1);
    let head = Head::new(Roulette::NAME, options, seats(players), seed.commitment());
    bencher.counter(ItemsCount::new(THROWS)).bench_local(|| {
        let mut table = Table::<Roulette>::open(&head, &seed).expect("sound options");
        let mut bots: Vec<_> = (0..players).map(|seat| bot(1 + (seat % 5) as u8, seat.into())).collect();
        drive(&mut table, &mut bots, 1_000_000, |_, _| {}).expect("bots play by the rules")
    });
}

#[divan::bench]
fn exact_odds() -> roulette::Odds {
    odds(black_box("15=2 1|2=3 1|2|11|12=1 1-6=5 1st12=1 low=1 high=1 black=10 red=1 even=1 odd=1"))
        .expect("sound")
}

#[divan::bench(args = [20, 100, 1_000], sample_count = 5, sample_size = 1)]
fn outlook_of_one_number(throws: u32) -> roulette::Outlook {
    outlook(black_box("15=1"), 100, throws).expect("sound")
}

#[divan::bench(args = [20, 50], sample_count = 5, sample_size = 1)]
fn outlook_of_a_mixed_slip(throws: u32) -> roulette::Outlook {
    outlook(black_box("15=2 1|2=3 1-6=5 1st12=1 black=10"), 100, throws).expect("sound")
}

#[divan::bench]
fn read_a_slip(bencher: Bencher<'_, '_>) {
    let set = Set::standard();
    bencher.bench_local(|| read_slip(&set, black_box(FIVE)));
}
