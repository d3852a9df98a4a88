//! A record unrolled: what everybody saw after each event.

use crate::boards;
use crate::seen::Seen;
use crate::session::Happened;
use house::{AnyTable, Driver, Kind};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::verify::Fault;
use table::{Outcome, Seat, Seed, Time};

/// One moment of a game.
#[derive(Clone)]
pub struct Moment {
    /// What everybody saw.
    pub public: Seen,
    /// What each seat saw besides.
    pub privates: BTreeMap<Seat, Seen>,
    /// How many lines of the record lead there.
    pub lines: usize,
    /// What had happened; nothing at the start.
    pub happened: Option<Happened>,
}

/// A whole game, unrolled.
#[derive(Clone)]
pub struct Film {
    /// Which game.
    pub kind: Kind,
    /// Its options.
    pub options: Arc<Value>,
    /// Who played.
    pub names: Vec<String>,
    /// Every moment from the start.
    pub moments: Arc<Vec<Moment>>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The record itself.
    pub record: Arc<str>,
    /// The secret of its dice.
    pub seed: Seed,
}

#[derive(serde::Deserialize)]
struct Line {
    t: Time,
    seat: Option<Seat>,
    throw: Option<u32>,
    anchor: Option<table::chain::Link>,
    end: Option<table::record::End>,
}

impl Film {
    /// Unrolls a record. A game that is not over has no seed in it; then the seed must be known.
    pub fn unroll(record: &str, seed: Option<Seed>) -> Result<Film, Fault> {
        let head = table::verify::head(record)?;
        let read = |line: &str| serde_json::from_str::<Line>(line).ok();
        let shown = record.lines().rev().find_map(|line| Some(read(line)?.end?.seed));
        let seed = shown.or(seed).unwrap_or_else(|| Seed::from_number(0));
        let first = record.lines().next().unwrap_or_default();
        let table = boards::game(house::kind_of(first)?).engine.resume([first], &seed)?;
        let (mut driver, mut moments, mut acted) = (Driver::new(table), Vec::new(), None);
        // What throws has happened when its dice lie: that may be some lines later.
        for (text, lines) in record.lines().zip(1..) {
            let line = read(text).filter(|_| lines > 1);
            if line.as_ref().is_some_and(|line| line.end.is_some()) {
                break;
            }
            if line.is_some() {
                driver.follow(text);
            }
            let comes_back = line.as_ref().is_some_and(|line| line.anchor.is_some());
            if let Some(line) = line.filter(|line| line.throw.is_none() && !comes_back) {
                acted = Some((line.t, line.seat));
            }
            let table = driver.table();
            if table.ask().is_none() && !comes_back {
                let happened = |(at, seat): (Time, _)| Happened { seq: table.events(), at: at.0, seat };
                moments.push(moment(table, lines, acted.map(happened)));
            }
        }
        let table = driver.table();
        Ok(Film {
            kind: table.kind(),
            options: Arc::new(head.options),
            names: head.seats.seated().iter().map(|seated| seated.name.clone()).collect(),
            moments: Arc::new(moments),
            outcome: table.outcome(),
            record: Arc::from(record),
            seed,
        })
    }
}

fn moment(table: &AnyTable, lines: usize, happened: Option<Happened>) -> Moment {
    let seats = (0..table.seats().min(8)).map(Seat);
    let privates = seats.map(|seat| (seat, table.private(seat).get().into())).collect();
    Moment { public: table.public().get().into(), privates, lines, happened }
}

#[cfg(test)]
mod tests {
    use super::*;
    use house::Setting;
    use table::chain::Secret;
    use table::record::Gathered;
    use table::{Seats, Seed};

    #[test]
    fn a_throw_with_links_is_one_moment_and_the_coach_is_told_all_its_lines() {
        let setting = Setting::new(Kind::Roulette, serde_json::json!({"throws": 2})).expect("options");
        let (seats, seed, secret) =
            (Seats::named(["Ann"]).expect("a name"), Seed::from_number(7), Secret::new([1; 32]));
        let anchors = BTreeMap::from([(Seat(0), secret.anchor())]);
        let (mut table, head) =
            AnyTable::open_linked(&setting, seats, anchors, &seed, None).expect("it opens");
        let mut lines = vec![head];
        lines.push(table.act(Time(1), Seat(0), r#"{"do":"ready"}"#).expect("allowed"));
        let link = secret.link(1).expect("the first");
        lines.push(table.throw(&Gathered::Links(vec![link])).expect("the link").0);
        lines.push(table.anchor(Time(1), Seat(0), secret.derive("again").anchor()).expect("a new chain"));
        lines.push(table.act(Time(1), Seat(0), r#"{"do":"lay","bets":["red=1"]}"#).expect("allowed"));
        let film = Film::unroll(&lines.join("\n"), Some(seed)).expect("it unrolls");
        let ends: Vec<usize> = film.moments.iter().map(|moment| moment.lines).collect();
        assert_eq!(ends, [1, 3, 5], "laid, thrown, a bet");
        assert_eq!(film.moments[2].public, Seen::from(table.public().get()));
    }
}
