//! The worker's side: a replica of the table, fed with the same record lines, where bots and the coach may think for as
//! long as they like. Since a table is its record, the replica is exact, and nothing but text goes back and forth.

use crate::boards;
use house::{AnyTable, Kind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use table::{Seat, Seed, Time};

/// What the page tells the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Ask {
    /// Take up this table.
    Sit {
        /// Its record so far.
        lines: Vec<String>,
        /// The secret of its dice.
        seed: Seed,
        /// Which seats are bots, of which level, with which luck.
        bots: Vec<(Seat, u8, u64)>,
    },
    /// This happened at the table.
    Line {
        /// The line of the record.
        line: String,
    },
    /// What has the coach to say to this seat?
    Coach {
        /// Whom.
        seat: Seat,
    },
    /// Here is a word list of the person's own.
    Words {
        /// A word a line.
        list: String,
    },
    /// What is the best that can be made of these pieces?
    Solve {
        /// Of which game.
        game: String,
        /// What is asked, as `house::solve` reads it.
        question: Value,
    },
    /// Replay a finished game and check every throw of it.
    Verify {
        /// Its record.
        record: String,
    },
}

/// What the worker tells the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "tell", rename_all = "kebab-case")]
pub enum Tell {
    /// A bot means to do this, if nothing happens before.
    Intent {
        /// Which bot.
        seat: Seat,
        /// How many events it had seen.
        seen: u64,
        /// When.
        at: Time,
        /// What, in JSON.
        act: String,
    },
    /// The coach says.
    Coach {
        /// To whom.
        seat: Seat,
        /// What; null if nothing.
        says: Value,
    },
    /// The solver has come so far.
    Solving {
        /// How far.
        progress: Value,
    },
    /// The solver has come to an end.
    Solved {
        /// What is best, or why that cannot be told.
        answer: Result<Value, String>,
    },
    /// A record was checked.
    Verified {
        /// What it was found to be, or what is wrong with which line.
        found: Result<Value, String>,
    },
}

impl Ask {
    /// The game whose table or record this brings.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Ask::Sit { lines, .. } => house::kind_of(lines.first()?).ok(),
            Ask::Verify { record } => house::kind_of(record).ok(),
            Ask::Solve { game, .. } => game.parse().ok(),
            Ask::Line { .. } | Ask::Coach { .. } | Ask::Words { .. } => None,
        }
    }
}

fn resume(lines: &[String], seed: &Seed) -> Option<AnyTable> {
    let kind = house::kind_of(lines.first()?).ok()?;
    boards::game(kind).engine.resume(lines.iter().map(String::as_str), seed).ok()
}

/// Nobody tells this search to stop: who has heard enough lets the worker go.
fn solve(game: &str, question: Value, progress: house::Progress<'_>) -> Result<Value, String> {
    let kind: Kind = game.parse().map_err(|unknown: house::UnknownGame| unknown.to_string())?;
    let answer = boards::game(kind).engine.solve(question, &AtomicBool::new(false), progress);
    answer.map_err(|refused| refused.says)
}

/// A table in the worker.
#[derive(Default)]
pub struct Replica {
    table: Option<AnyTable>,
    bots: Vec<Seat>,
}

/// One line of a record after the head, as far as a replica needs it.
#[derive(Deserialize)]
struct Event {
    t: Time,
    seat: Option<Seat>,
    act: Option<Value>,
    end: Option<Value>,
}

impl Replica {
    /// Hears one thing from the page and says what there is to say.
    pub fn hear(&mut self, ask: Ask, tell: &mut (dyn FnMut(Tell) + Send)) {
        match ask {
            Ask::Sit { lines, seed, bots } => {
                self.table = resume(&lines, &seed);
                self.bots = bots.iter().map(|bot| bot.0).collect();
                for (seat, level, luck) in bots {
                    if let Some(table) = &mut self.table {
                        table.seat_bot(seat, level, luck);
                    }
                }
                self.ponder(tell);
            }
            Ask::Line { line } => {
                self.follow(&line);
                self.ponder(tell);
            }
            Ask::Coach { seat } => {
                let says = self.table.as_ref().and_then(|table| table.coach(seat)).unwrap_or(Value::Null);
                tell(Tell::Coach { seat, says });
            }
            // What was wrong with it was said when it was chosen.
            Ask::Words { list } => drop(crate::dictionary::install_list(&list)),
            Ask::Solve { game, question } => {
                let answer = solve(&game, question, &mut |progress| tell(Tell::Solving { progress }));
                tell(Tell::Solved { answer });
            }
            Ask::Verify { record } => {
                let found =
                    house::kind_of(&record).and_then(|kind| boards::game(kind).engine.verify(&record));
                let found = found
                    .map(|good| serde_json::to_value(good).unwrap_or_default())
                    .map_err(|bad| bad.to_string());
                tell(Tell::Verified { found });
            }
        }
    }

    /// Does here what was done at the table.
    fn follow(&mut self, line: &str) {
        let (Some(table), Ok(event)) = (&mut self.table, serde_json::from_str::<Event>(line)) else { return };
        match (event.seat, event.act, event.end) {
            (Some(seat), Some(act), _) => drop(table.act(event.t, seat, &act.to_string())),
            (None, None, None) => drop(table.expire_due(event.t)),
            _ => {}
        }
    }

    /// Asks every bot that the table waits for.
    fn ponder(&mut self, tell: &mut (dyn FnMut(Tell) + Send)) {
        let Some(table) = &mut self.table else { return };
        let (now, seen) = (table.now(), table.events());
        for &seat in &self.bots {
            let Some(ponder) = table.ponder(seat, now) else { continue };
            let pondered = ponder.run();
            if let Some((at, act)) = table.pondered(pondered) {
                tell(Tell::Intent { seat, seen, at, act });
            }
        }
    }
}
