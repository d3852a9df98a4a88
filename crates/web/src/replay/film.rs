//! A record unrolled: what everybody saw after each event.

use crate::boards;
use crate::seen::Seen;
use crate::session::Happened;
use house::{AnyTable, Kind};
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
    act: Option<Value>,
    end: Option<table::record::End>,
}

impl Film {
    /// Unrolls a record. A game that is not over has no seed in it; then the seed must be known.
    pub fn unroll(record: &str, seed: Option<Seed>) -> Result<Film, Fault> {
        let head = table::verify::head(record)?;
        let lines: Vec<Line> =
            record.lines().skip(1).filter_map(|line| serde_json::from_str(line).ok()).collect();
        let shown = lines.iter().rev().find_map(|line| line.end.as_ref().map(|end| end.seed.clone()));
        let seed = shown.or(seed).unwrap_or_else(|| Seed::from_number(0));
        let first = record.lines().next().unwrap_or_default();
        let mut table = boards::game(house::kind_of(first)?).engine.resume([first], &seed)?;
        let mut moments = vec![moment(&table, None)];
        for line in lines.into_iter().filter(|line| line.end.is_none()) {
            let act = line.act.unwrap_or_default();
            match line.seat {
                Some(seat) => drop(table.act(line.t, seat, &act.to_string())),
                None => drop(table.expire_due(line.t)),
            }
            moments
                .push(moment(&table, Some(Happened { seq: table.events(), at: line.t.0, seat: line.seat })));
        }
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

fn moment(table: &AnyTable, happened: Option<Happened>) -> Moment {
    let seats = (0..table.seats().min(8)).map(Seat);
    let privates = seats.map(|seat| (seat, table.private(seat).get().into())).collect();
    Moment { public: table.public().get().into(), privates, happened }
}
