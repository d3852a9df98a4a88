//! A few dozen houses, and proof that the simulator would notice: each thing broken on purpose is found.

use server::simulate::{Sabotage, simulate};

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
