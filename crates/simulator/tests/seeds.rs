//! A few dozen houses, and proof that the simulator would notice: each thing broken on purpose is found, by the check that is meant to find it.

use simulator::{Report, Sabotage, simulate};

fn houses(seeds: std::ops::RangeInclusive<u64>, nodes: u64) -> Report {
    seeds
        .map(|seed| simulate(seed, nodes, Sabotage::None).unwrap_or_else(|what| panic!("{what}")))
        .fold(Report::default(), std::ops::Add::add)
}

#[test]
fn thirty_houses_lose_nothing_whatever_breaks() {
    let sum = houses(1..=30, 1);
    assert!(sum.acts > 100 && sum.deaths > 100 && sum.failed > 20, "{sum:?}");
}

#[test]
fn houses_of_many_nodes_lose_nothing_when_tables_change_hands() {
    let sum = houses(1..=20, 3);
    assert!(sum.moves > 100 && sum.fenced > 0, "{sum:?}");
}

#[test]
fn the_same_number_gives_the_same_house() {
    for (seed, nodes) in [(3, 1), (17, 1), (1, 3), (12, 3)] {
        assert_eq!(simulate(seed, nodes, Sabotage::None), simulate(seed, nodes, Sabotage::None));
    }
}

/// What is broken, in a house of up to so many nodes, and the words of the check that notices. The same list is in `docs/simulation.md`.
const BROKEN: [(Sabotage, u64, &str); 14] = [
    (Sabotage::AnswersEarly, 1, "rows are on disk"),
    (Sabotage::ForgetsCommands, 1, "and is on disk at"),
    (Sabotage::LosesTheLast, 1, "and is on disk at"),
    (Sabotage::LosesTheLast, 1, "asked this device twice"),
    (Sabotage::ChargesDowntime, 1, "of the table's clock"),
    (Sabotage::ForgetsCommands, 3, "and is on disk at"),
    (Sabotage::ChargesDowntime, 3, "of the table's clock"),
    (Sabotage::IgnoresEpochs, 3, "that another had taken"),
    (Sabotage::GivesTwice, 3, "with one epoch"),
    (Sabotage::ReadsOld, 3, "takes the seats for"),
    (Sabotage::NeverExpires, 3, "never ends"),
    (Sabotage::MixesUpSeats, 3, "saw the seats"),
    (Sabotage::MintsChips, 3, "chips, and now"),
    (Sabotage::HidesSeats, 1, "takes the seats for"),
];

#[test]
fn whatever_is_broken_on_purpose_is_noticed_by_what_is_meant_to_notice() {
    for (sabotage, nodes, words) in BROKEN {
        let mut heard = Vec::new();
        let noticed = (1..=40).any(|seed| {
            let what = simulate(seed, nodes, sabotage).err();
            let noticed = what.as_ref().is_some_and(|what| what.contains(words));
            heard.extend(what);
            noticed
        });
        assert!(noticed, "{sabotage:?} was noticed as {heard:?}");
    }
}
