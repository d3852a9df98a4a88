//! Perfect play: one hand by search and by look-up, the whole table, a census.

use cubo::{Census, HANDS, Hand, Lookup, Straights};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Hands spread evenly over all there are.
fn hands() -> impl Iterator<Item = Hand> + Clone {
    (0..HANDS).step_by(997).filter_map(Hand::from_rank).cycle()
}

#[divan::bench(args = [Straights::InOrder, Straights::AnyOrder])]
fn best_cubo_by_search(bencher: Bencher, straights: Straights) {
    let mut hands = hands();
    bencher.with_inputs(|| hands.next()).bench_local_refs(|hand| hand.map(|hand| hand.best(straights)));
}

/// From nine dice as thrown: sort, rank, look up.
#[divan::bench(sample_size = 1000)]
fn look_up(bencher: Bencher) {
    let table = Lookup::of(Straights::InOrder);
    let mut hands = hands();
    bencher
        .with_inputs(|| hands.next().map(|hand| hand.dice()))
        .bench_local_refs(|dice| dice.and_then(|dice| Hand::new(&dice).ok()).map(|hand| table.points(&hand)));
}

#[divan::bench]
fn arrangement_and_exchange_together(bencher: Bencher) {
    let Ok(taken) = "R6".parse() else { return };
    let mut hands = hands();
    bencher
        .with_inputs(|| hands.next())
        .bench_local_refs(|hand| hand.map(|hand| hand.plan_with(taken, Straights::InOrder)));
}

#[divan::bench(args = [Straights::InOrder, Straights::AnyOrder], sample_count = 3, sample_size = 1)]
fn whole_table(straights: Straights) -> Lookup {
    Lookup::make(straights)
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn census_with_table(bencher: Bencher) {
    Lookup::of(Straights::InOrder);
    bencher.bench(|| Census::count(black_box(4), Straights::InOrder));
}
