//! What a game is to everything else: a pure state machine.

use crate::{Dice, Outcome, Seat, Seats, Time, hex};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::io;
use std::ops::RangeInclusive;

/// The only things a game may learn from outside: the time, and what the dice show.
pub struct Moment<'a> {
    /// Table time.
    pub now: Time,
    /// The fair dice of this table.
    pub dice: &'a mut Dice,
}

/// One game. Its state is plain data: the same acts at the same moments give the same states, bit for bit,
/// on every machine. So a state holds no floats, no hash maps, and nothing whose size is the platform's.
pub trait Game: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static {
    /// The name in records, addresses and commands: `"cubo"`.
    const NAME: &'static str;
    /// The revision of its rules. Raise it whenever a record could be replayed differently from how it was played, or its state
    /// is written differently.
    const RULES: u32 = 1;
    /// The oldest revision whose games can still be played event by event.
    const OLDEST_RULES: u32 = 1;
    /// Everything a table may agree on before it starts, the set of pieces included. Checked by [`Game::open`].
    type Options: Clone + Debug + Default + PartialEq + Send + Serialize + DeserializeOwned;
    /// What a seat can do.
    type Act: Clone + Debug + PartialEq + Send + Serialize + DeserializeOwned;
    /// What everybody sees. Shown as text it is a readable picture of the table.
    type Public: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Display;
    /// What only one seat sees.
    type Private: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// Why an act or a set of options is refused; its words tell the person what to do instead.
    type Refusal: Error + Clone + PartialEq + Serialize;

    /// The options of a table that was opened under an older revision of the rules, in the terms of this one: where a rule has
    /// changed since, its old reading is the value of an option.
    fn older_options(_rules: u32, _options: &mut serde_json::Map<String, serde_json::Value>) {}

    /// How many may sit down to a game with these options.
    fn seating(options: &Self::Options) -> RangeInclusive<u32>;

    /// Sets the table, or says what is wrong with the options.
    fn open(options: &Self::Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Self, Self::Refusal>;

    /// A seat acts. Refused, the game is as it was.
    fn act(&mut self, seat: Seat, act: &Self::Act, at: &mut Moment<'_>) -> Result<(), Self::Refusal>;

    /// Whether this act may throw dice, if it is allowed. A table where players' clients add to every throw tries such an act on a copy of
    /// the game first, and asks for their links when it does throw. "Yes" is always right and costs the copy; "no" to an act that throws is
    /// an error, which `conformance` finds. What an act throws must not decide whether it is allowed.
    fn throws(&self, _seat: Seat, _act: &Self::Act) -> bool {
        true
    }

    /// The same for time that is up now.
    fn time_throws(&self) -> bool {
        true
    }

    /// Whether this seat may do something that the table has a use for now. Bots are asked only then.
    fn awaits(&self, seat: Seat) -> bool;

    /// When time itself will act; never before the moment that set it.
    fn deadline(&self) -> Option<Time>;

    /// Time acts: called once, with `at.now` equal to the deadline.
    fn expire(&mut self, at: &mut Moment<'_>);

    /// What everybody sees.
    fn public(&self) -> Self::Public;

    /// The list in the public view that only grows while a game is played, say the moves made: its name in JSON, and how many
    /// entries it has. An event brings only what is new in it; otherwise every event would be longer than the one before.
    fn grown(&self) -> Option<(&'static str, usize)> {
        None
    }

    /// What everybody sees, without the first `known` entries of that list.
    fn public_since(&self, _known: usize) -> Self::Public {
        self.public()
    }

    /// What only this seat sees.
    fn private(&self, seat: Seat) -> Self::Private;

    /// How it ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
}

/// The fingerprint of a state: SHA-256 of its JSON, the first 16 bytes in hexadecimal. Two machines that replayed
/// the same record can compare these.
pub fn fingerprint<S: Serialize>(state: &S) -> String {
    struct Sink(Sha256);
    impl io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut sink = Sink(Sha256::new());
    serde_json::to_writer(&mut sink, state).expect("a game's state is plain data with text keys");
    hex::encode(&sink.0.finalize()[..16])
}
