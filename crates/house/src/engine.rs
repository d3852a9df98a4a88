//! One game's engine as a value. Whoever names one of these carries none of the others: a page fetches them one by one.

use crate::any::{Live, Playing, Setting};
use crate::games::House;
use crate::workbench::Progress;
use crate::{AnyTable, Kind, check};
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use table::record::Head;
use table::verify::{Fault, Verified};
use table::{Seats, Seed, Spoken};

type Opened = Result<(Box<dyn Live>, String), Spoken>;
type Resumed = Result<Box<dyn Live>, Fault>;

/// Everything that one game does at a table.
pub struct Engine {
    kind: Kind,
    levels: u8,
    setting: fn(Kind, Value) -> Result<Setting, Spoken>,
    pub(crate) kept: fn(Kind, Value) -> Result<Setting, Spoken>,
    open: fn(Head<Value>, &Seed) -> Opened,
    resume: fn(&str, &mut dyn Iterator<Item = &str>, &Seed) -> Resumed,
    verify: fn(&str) -> Result<Verified, Fault>,
    house_pieces: &'static str,
    pieces: fn(&str) -> Result<Value, Vec<String>>,
    solve: fn(Value, &AtomicBool, Progress<'_>) -> Result<Value, Spoken>,
}

/// The engine of I-Qubes.
pub static IQUBES: Engine = Engine::of::<iqubes::IQubes>(Kind::IQubes);
/// The engine of Scribbage.
pub static SCRIBBAGE: Engine = Engine::of::<scribbage::Scribbage>(Kind::Scribbage);
/// The engine of Contact.
pub static CONTACT: Engine = Engine::of::<contact::Contact>(Kind::Contact);
/// The engine of Cubo.
pub static CUBO: Engine = Engine::of::<cubo::Cubo>(Kind::Cubo);
/// The engine of Dice Roulette.
pub static ROULETTE: Engine = Engine::of::<roulette::Roulette>(Kind::Roulette);

/// The engine of a game.
pub const fn engine(kind: Kind) -> &'static Engine {
    match kind {
        Kind::IQubes => &IQUBES,
        Kind::Scribbage => &SCRIBBAGE,
        Kind::Contact => &CONTACT,
        Kind::Cubo => &CUBO,
        Kind::Roulette => &ROULETTE,
    }
}

impl Engine {
    const fn of<G: House>(kind: Kind) -> Engine
    where
        G::Public: Send,
        G::Private: Send,
    {
        Engine {
            kind,
            levels: G::LEVELS,
            setting: Setting::of::<G>,
            kept: Setting::kept_of::<G>,
            open: Playing::<G>::open,
            resume: Playing::<G>::resume,
            verify: table::verify::verify::<G>,
            house_pieces: G::PIECES,
            pieces: G::pieces,
            solve: G::solve,
        }
    }

    /// The strongest level of its bots; the weakest is 1.
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// Options from a person: what is left out takes its default, what is odd is refused.
    /// (What only shows when the table opens, say too many players for a variation, is refused then.)
    pub fn setting(&self, options: Value) -> Result<Setting, Spoken> {
        (self.setting)(self.kind, options)
    }

    /// The pieces of the house as a data file, for whoever makes his own.
    pub const fn house_pieces(&self) -> &'static str {
        self.house_pieces
    }

    /// Reads a data file of pieces, as the option `set` holds them; or says everything that is wrong with it.
    pub fn pieces(&self, file: &str) -> Result<Value, Vec<String>> {
        (self.pieces)(file)
    }

    /// Answers a question about pieces on somebody's real table, as [`solve`](crate::solve) does.
    pub fn solve(&self, question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken> {
        (self.solve)(question, stop, progress)
    }

    /// Opens a table with these options; answers the first line of its record too. `opened` is the wall clock in
    /// milliseconds since 1970.
    pub fn open(
        &self,
        options: Value,
        seats: Seats,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(AnyTable, String), Spoken> {
        let head = Head::new(self.kind.name(), options, seats, seed.commitment()).opened(opened);
        let (live, line) = (self.open)(head, seed)?;
        Ok((AnyTable::with(self.kind, live), line))
    }

    /// Takes up a game from the lines of its record so far and its seed.
    pub fn resume<'a>(
        &self,
        lines: impl IntoIterator<Item = &'a str>,
        seed: &Seed,
    ) -> Result<AnyTable, Fault> {
        let mut lines = lines.into_iter();
        let first = lines.next().unwrap_or("");
        check::is_of(first, self.kind)?;
        Ok(AnyTable::with(self.kind, (self.resume)(first, &mut lines, seed)?))
    }

    /// Replays a finished record and checks everything in it.
    pub fn verify(&self, record: &str) -> Result<Verified, Fault> {
        check::is_of(record, self.kind)?;
        (self.verify)(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_the_house_are_read_from_their_own_file() {
        for kind in Kind::ALL {
            let engine = engine(kind);
            let set = engine.pieces(engine.house_pieces()).expect("the house's own");
            let options = engine.setting(serde_json::json!({"set": set})).expect("a table").options;
            let usual = engine.setting(serde_json::json!({})).expect("a table").options;
            assert_eq!(options, usual, "{kind}");
        }
    }

    #[test]
    fn a_file_with_a_fault_says_where() {
        for kind in Kind::ALL {
            let faults = engine(kind).pieces("name = \"Mine\"\nthis is no line\n").expect_err("no file");
            assert!(faults.iter().any(|fault| fault.contains("line 2")), "{kind}: {faults:?}");
        }
    }
}
