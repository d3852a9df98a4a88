//! Speed: perft (the last ply counted in bulk), make and unmake, move lists, contacts and the search.

use contact::eval::Weights;
use contact::search::{Limits, Searcher};
use contact::{Moves, Players, Position, Set};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn start(setup: &str, players: Players) -> Position {
    Position::start(&Set::default(), setup, players).expect("a set-up of the house")
}

/// Middle games reached by play: three with six tiles each at first, one with twelve.
const MIDDLE: [&str; 4] = [
    "15/5nd3nd5/7nd7/15/15/8Nb6/6Nb8/15/15/5Sd9/15/7scSc6/15/6sc1sa6/15 s two 8 -",
    "15/6ncnc7/15/15/7nc7/7Nc7/7Nc7/11Sa3/15/15/7sd7/6Sc8/15/6sa1sa6/15 n two 16 -",
    "15/15/5na2nd6/8NaNa5/7nb7/15/15/7Sb7/15/6Sd8/15/15/5sc9/7sasa6/15 n two 0 -",
    "5NcNcNc7/4ncnc1nd1nc2na2/6ndndNd6/15/15/7Sb7/15/15/15/10Nd4/15/6sc8/9Sbsb4/4sasa1sasa1sb4/5Sb1SaSa6 s two 22 -",
];

#[divan::bench(args = [("six", 5), ("twelve", 5)])]
fn perft_bulk(bencher: Bencher<'_, '_>, (setup, depth): (&str, u32)) {
    let position = start(setup, Players::Two);
    let count = contact::perft(&position, depth);
    bencher.counter(ItemsCount::new(count)).bench(|| contact::perft(black_box(&position), depth));
}

#[divan::bench]
fn make_and_unmake(bencher: Bencher<'_, '_>) {
    let mut position = start("twelve", Players::Two);
    let moves = position.legal();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for &mv in moves.iter() {
            let undo = position.make(black_box(mv));
            position.unmake(&undo);
        }
    });
}

#[divan::bench(args = ["two", "four", "partners"])]
fn list_moves(bencher: Bencher<'_, '_>, players: &str) {
    let mut position = start("six", Players::from_word(players).expect("players"));
    let mut moves = Moves::default();
    bencher.bench_local(|| position.generate(black_box(&mut moves)));
}

/// A fresh table of level 8's size each time, so that nothing is known beforehand. Every node counts once: those of the
/// search, of the quiescence, and finished games.
#[divan::bench(args = 0..4, sample_count = 25, sample_size = 1)]
fn search_nodes_in_the_middle_game(bencher: Bencher<'_, '_>, which: usize) {
    const NODES: u64 = 200_000;
    let position: Position = MIDDLE[which].parse().expect("a good position");
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(|| Searcher::new(&Weights::default(), 8))
        .bench_local_refs(|searcher| searcher.think(black_box(&position), &Limits::nodes(NODES)));
}

#[divan::bench(sample_count = 5)]
fn search_to_depth_8_from_the_six_tile_set_up(bencher: Bencher<'_, '_>) {
    let position = start("six", Players::Two);
    bencher
        .bench_local(|| Searcher::new(&Weights::default(), 8).think(black_box(&position), &Limits::depth(8)));
}
