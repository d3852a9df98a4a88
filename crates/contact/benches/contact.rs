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

/// A middle game of the six-tile set-up, reached by play.
const MIDDLE: &str = "15/6nc1nc6/7nd7/9Na5/15/15/5Nc9/8SbSa5/4Nd10/15/15/15/15/6sasasa6/15 s two 0 -";

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

#[divan::bench(args = [100_000], sample_count = 20)]
fn search_nodes_in_the_middle_game(bencher: Bencher<'_, '_>, nodes: u64) {
    let position: Position = MIDDLE.parse().expect("a good position");
    let mut searcher = Searcher::new(&Weights::default(), 16);
    bencher
        .counter(ItemsCount::new(nodes))
        .bench_local(|| searcher.think(black_box(&position), &Limits::nodes(nodes)));
}

#[divan::bench(sample_count = 5)]
fn search_to_depth_8_from_the_six_tile_set_up(bencher: Bencher<'_, '_>) {
    let position = start("six", Players::Two);
    bencher.bench_local(|| {
        Searcher::new(&Weights::default(), 16).think(black_box(&position), &Limits::depth(8))
    });
}
