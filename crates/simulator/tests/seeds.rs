//! A few dozen houses, and proof that the simulator would notice: each thing broken on purpose is found.

use server::simulate::{Sabotage, simulate, simulate_nodes};

#[test]
fn forty_houses_lose_nothing_whatever_breaks() {
    let reports: Vec<_> =
        (1..=40).map(|seed| simulate(seed, Sabotage::None).unwrap_or_else(|what| panic!("{what}"))).collect();
    let sum = |of: fn(&server::simulate::Report) -> u64| reports.iter().map(of).sum::<u64>();
    assert!(
        sum(|report| report.acts) > 100
            && sum(|report| report.deaths) > 100
            && sum(|report| report.failed) > 20,
        "{reports:?}"
    );
}

#[test]
fn the_same_number_gives_the_same_house() {
    for seed in [3, 17] {
        assert_eq!(simulate(seed, Sabotage::None), simulate(seed, Sabotage::None));
    }
}

#[test]
fn whatever_is_broken_on_purpose_is_noticed() {
    for sabotage in
        [Sabotage::AnswersEarly, Sabotage::ForgetsCommands, Sabotage::LosesTheLast, Sabotage::ChargesDowntime]
    {
        let noticed = (1..=40).find_map(|seed| simulate(seed, sabotage).err());
        assert!(noticed.is_some(), "{sabotage:?} went unnoticed");
    }
}

#[test]
fn houses_of_many_nodes_lose_nothing_when_tables_change_hands() {
    let reports: Vec<_> = (1..=8)
        .map(|seed| simulate_nodes(seed, 3, Sabotage::None).unwrap_or_else(|what| panic!("{what}")))
        .collect();
    let sum = |of: fn(&server::simulate::Report) -> u64| reports.iter().map(of).sum::<u64>();
    assert!(sum(|report| report.moves) > 20 && sum(|report| report.fenced) > 0, "{reports:?}");
}
