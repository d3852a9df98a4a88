//! The worker's side: a replica of the table, fed with the same record lines, where bots and the coach may think for as
//! long as they like. Since a table is its record, the replica is exact, and nothing but text goes back and forth.

use crate::boards;
use house::{AnyTable, Driver, Kind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use table::verify::Verified;
use table::{Kept, Seat, Seed, Time};
use wasm_bindgen::{JsCast, JsValue};

/// What the page tells the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
        /// What is asked, as the game's solver reads it.
        question: Value,
    },
    /// Replay a finished game and check every throw of it.
    Verify {
        /// Its record.
        record: String,
        /// What this page was shown during the game, to hold the record against.
        kept: Option<Kept>,
    },
}

/// What the worker tells the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
            Ask::Verify { record, .. } => house::kind_of(record).ok(),
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

/// Checks a record by itself and, where something was kept, against that.
fn verify(record: &str, kept: Option<&Kept>) -> Result<Verified, String> {
    let engine =
        |record: &str| house::kind_of(record).and_then(|kind| boards::game(kind).engine.verify(record));
    match kept {
        Some(kept) => kept.check(record, engine).map_err(|broken| broken.to_string()),
        None => engine(record).map_err(|fault| fault.to_string()),
    }
}

thread_local! {
    static REPLICA: RefCell<Replica> = RefCell::default();
}

/// Hears one thing: a question as text, or a word list as bytes.
pub fn hears(data: JsValue) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async move {
        let Some(text) = data.as_string() else {
            crate::dictionary::install(&js_sys::Uint8Array::new(&data).to_vec());
            return;
        };
        let Ok(ask) = serde_json::from_str::<Ask>(&text) else { return };
        if let Some(kind) = ask.kind() {
            // Where the game cannot be fetched, the replica stays empty and says nothing.
            let _ = crate::pieces::fetch(kind).await;
        }
        REPLICA.with_borrow_mut(|replica| {
            replica.hear(ask, &mut |tell| {
                let scope: web_sys::DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
                let told = serde_json::to_string(&tell).unwrap_or_default();
                let _ = scope.post_message(&JsValue::from_str(&told));
            });
        });
    })
}

/// A table in the worker, with the bots that think here. It follows the table on the page, and does nothing by itself.
#[derive(Default)]
pub struct Replica {
    driver: Option<Driver>,
}

impl Replica {
    /// Hears one thing from the page and says what there is to say.
    pub fn hear(&mut self, ask: Ask, tell: &mut (dyn FnMut(Tell) + Send)) {
        match ask {
            Ask::Sit { lines, seed, bots } => {
                self.driver = resume(&lines, &seed).map(Driver::new);
                for (seat, level, luck) in bots {
                    if let Some(driver) = &mut self.driver {
                        driver.seat_bot(seat, level, luck);
                    }
                }
                self.ponder(tell);
            }
            Ask::Line { line } => {
                if let Some(driver) = &mut self.driver {
                    driver.follow(&line);
                }
                self.ponder(tell);
            }
            Ask::Coach { seat } => {
                let says =
                    self.driver.as_ref().and_then(|driver| driver.table().coach(seat)).unwrap_or(Value::Null);
                tell(Tell::Coach { seat, says });
            }
            // What was wrong with it was said when it was chosen.
            Ask::Words { list } => drop(crate::dictionary::install_list(&list)),
            Ask::Solve { game, question } => {
                let answer = solve(&game, question, &mut |progress| tell(Tell::Solving { progress }));
                tell(Tell::Solved { answer });
            }
            Ask::Verify { record, kept } => {
                let found = verify(&record, kept.as_ref())
                    .map(|good| serde_json::json!({"events": good.events, "drawn": good.drawn, "unchecked": good.unchecked()}));
                tell(Tell::Verified { found });
            }
        }
    }

    /// Asks every bot that the table waits for.
    fn ponder(&mut self, tell: &mut (dyn FnMut(Tell) + Send)) {
        let Some(driver) = &mut self.driver else { return };
        let (now, seen) = (driver.table().now(), driver.table().events());
        for ponder in driver.ponderings(now) {
            let pondered = ponder.run();
            let seat = pondered.seat();
            driver.pondered(pondered);
            if let Some((at, act)) = driver.intent(seat).cloned() {
                tell(Tell::Intent { seat, seen, at, act });
            }
        }
    }
}
