//! One game's engine as a value. Whoever names one of these carries none of the others: a page fetches them one by one.

use crate::any::{Live, Playing, Setting};
use crate::check::{self, Shown};
use crate::{AnyTable, Kind};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use table::chain::Link;
use table::record::Head;
use table::verify::{Fault, Verified};
use table::{Choice, House, Progress, Seat, Seats, Seed, Spoken};

type Opened = Result<(Box<dyn Live>, String), Spoken>;
type Resumed = Result<Box<dyn Live>, Fault>;

/// Everything that one game does at a table.
pub struct Engine {
    kind: Kind,
    levels: u8,
    reference: &'static [(&'static str, &'static str)],
    setting: fn(Kind, Value) -> Result<Setting, Spoken>,
    pub(crate) kept: fn(Kind, Value) -> Result<Setting, Spoken>,
    open: fn(Head<Value>, &Seed) -> Opened,
    resume: fn(&str, &mut dyn Iterator<Item = &str>, &Seed) -> Resumed,
    verify: fn(&str) -> Result<Verified, Fault>,
    pub(crate) replay: fn(&str, Shown<'_>) -> Result<Verified, Fault>,
    picture: fn(&str) -> Option<String>,
    choices: fn(&str, &str, Seat) -> Vec<Choice<Value>>,
    house_pieces: &'static str,
    pieces: fn(&str) -> Result<Value, Vec<String>>,
    solve: fn(Value, &AtomicBool, Progress<'_>) -> Result<Value, Spoken>,
    guest: fn(Value) -> Result<Value, Spoken>,
}

impl Engine {
    pub(crate) const fn of<G: House>(kind: Kind) -> Engine
    where
        G::Public: Send,
        G::Private: Send,
    {
        Engine {
            kind,
            levels: G::ABOUT.levels,
            reference: G::REFERENCE,
            setting: Setting::of::<G>,
            kept: Setting::kept_of::<G>,
            open: Playing::<G>::open,
            resume: Playing::<G>::resume,
            verify: table::verify::verify::<G>,
            replay: check::replay_of::<G>,
            picture: picture_of::<G>,
            choices: choices_of::<G>,
            house_pieces: G::PIECES,
            pieces: G::pieces,
            solve: G::solve,
            guest: G::guest,
        }
    }

    /// The strongest level of its bots; the weakest is 1.
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// The rules on one page, where the game brings them: what, and how.
    pub const fn reference(&self) -> &'static [(&'static str, &'static str)] {
        self.reference
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

    /// Answers a question about pieces on somebody's real table. `stop` ends a long search with the best so far; `progress` hears of
    /// every step on the way.
    ///
    /// ```
    /// let question = serde_json::json!({"dice": "R1 R2 R3 R4 B1 B2 B3 B4 W4"});
    /// let stop = std::sync::atomic::AtomicBool::new(false);
    /// let best = house::CUBO.solve(question, &stop, &mut |_| ())?;
    /// assert_eq!(best["grid"][1][1], "W4");
    /// # Ok::<(), table::Spoken>(())
    /// ```
    pub fn solve(&self, question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken> {
        (self.solve)(question, stop, progress)
    }

    /// The same for somebody whose machine this is not: what costs too much is refused or left out.
    pub fn solve_for_guest(
        &self,
        question: Value,
        stop: &AtomicBool,
        progress: Progress<'_>,
    ) -> Result<Value, Spoken> {
        (self.solve)((self.guest)(question)?, stop, progress)
    }

    /// The public view as a picture in text.
    pub fn picture(&self, public: &str) -> Option<String> {
        (self.picture)(public)
    }

    /// What a seat can do now, as buttons, from its views; nothing where the game does not say.
    pub fn choices(&self, public: &str, private: &str, seat: Seat) -> Vec<Choice<Value>> {
        (self.choices)(public, private, seat)
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
        self.open_linked(options, seats, BTreeMap::new(), seed, opened)
    }

    /// The same, where the clients of these seats add to every throw. See [`AnyTable::open_linked`].
    pub(crate) fn open_linked(
        &self,
        options: Value,
        seats: Seats,
        anchors: BTreeMap<Seat, Link>,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(AnyTable, String), Spoken> {
        let head = Head::new(self.kind.name(), options, seats, seed.commitment()).opened(opened);
        let (live, line) = (self.open)(head.linked(anchors), seed)?;
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

/// A view as it came, perhaps from a newer house.
fn view<V: DeserializeOwned>(text: &str) -> Option<V> {
    table::newer::read(serde_json::from_str(text).ok()?).ok()
}

fn picture_of<G: House>(public: &str) -> Option<String> {
    Some(view::<G::Public>(public)?.to_string())
}

fn choices_of<G: House>(public: &str, private: &str, seat: Seat) -> Vec<Choice<Value>> {
    let (Some(public), Some(private)) = (view(public), view(private)) else { return Vec::new() };
    let json = |choice: Choice<G::Act>| Choice::new(choice.label, serde_json::json!(choice.act));
    G::choices(&public, &private, seat).into_iter().map(json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

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
