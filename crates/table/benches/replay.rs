//! How fast a record is replayed: from memory, and from its text with every sum checked.
//! `cargo bench -p table`

#[path = "../tests/pig/mod.rs"]
mod pig;

use divan::counter::ItemsCount;
use pig::{Act, Pig, Rules};
use table::record::{Entry, Event, Head, Line, Reader, Scribe};
use table::{Dice, Seat, Seats, Seed, Table, Time};

const ACTS: u64 = 100_000;

fn main() {
    divan::main();
}

fn stage() -> (Table<Pig>, Vec<Entry<Act>>, Vec<String>) {
    let seed = Seed::from_number(1);
    let seats = Seats::named(["Ann", "Ben"]).expect("plain names");
    let head = Head::new("pig", Rules::default(), seats, seed.commitment());
    let table = Table::open(&head, &seed).expect("pig opens");
    let entry = |at: u64| {
        let act = Act::Guess { score: at as u32 % 50 };
        Entry { at: Time(at / 1000), event: Event::Act { seat: Seat((at % 2) as u32), act } }
    };
    let entries: Vec<_> = (0..ACTS).map(entry).collect();
    let mut scribe = Scribe::new();
    let lines = entries.iter().map(|entry| scribe.event(entry.at, &entry.event)).collect();
    (table, entries, lines)
}

#[divan::bench]
fn replay_in_memory(bencher: divan::Bencher<'_, '_>) {
    let (table, entries, _) = stage();
    bencher.counter(ItemsCount::new(ACTS)).with_inputs(|| table.clone()).bench_values(|mut table| {
        for entry in &entries {
            table.redo(entry).expect("a sound entry");
        }
        table
    });
}

#[divan::bench]
fn replay_from_text(bencher: divan::Bencher<'_, '_>) {
    let (table, _, lines) = stage();
    bencher.counter(ItemsCount::new(ACTS)).with_inputs(|| table.clone()).bench_values(|mut table| {
        let mut reader = Reader::new();
        for line in &lines {
            let Ok(Line::Entry(entry)) = reader.line(line) else { panic!("a sound line") };
            table.redo(&entry).expect("a sound entry");
        }
        table
    });
}

#[divan::bench]
fn write_the_text(bencher: divan::Bencher<'_, '_>) {
    let (_, entries, _) = stage();
    bencher.counter(ItemsCount::new(ACTS)).bench(|| {
        let mut scribe = Scribe::new();
        entries.iter().map(|entry| scribe.event(entry.at, &entry.event).len()).sum::<usize>()
    });
}

#[divan::bench]
fn throw_a_die(bencher: divan::Bencher<'_, '_>) {
    let seats = Seats::named(["Ann"]).expect("a plain name");
    let mut dice = Dice::new(&Seed::from_number(1), "pig", &seats);
    bencher.counter(ItemsCount::new(1000_u32)).bench_local(|| (0..1000).map(|_| dice.below(6)).sum::<u32>());
}
