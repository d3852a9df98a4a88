//! A table as the screens see it, wherever it is played: on this machine ([`Local`]) or on a server ([`Online`]). Screens
//! read the [`State`] and never ask where the table is.

use crate::checked::Checked;
use crate::line::Signal;
use crate::local::Local;
use crate::online::{Online, There};
use crate::post::Heard;
use house::Kind;
use protocol::Command;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use table::{Outcome, Seat, Time};

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Player {
    /// The name.
    pub(crate) name: String,
    /// The level, where a bot plays.
    pub(crate) bot: Option<u8>,
    /// Whether they are here.
    pub(crate) here: bool,
}

/// How well the table is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It is on this machine.
    Here,
    /// The line to the server is open.
    Open,
    /// It is lost, and why; it is tried again by itself.
    Lost(String),
    /// It is over with this table: why.
    Gone(String),
}

/// Table time: a moment that was told, how long ago that was, and how fast it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    told: Time,
    when: Instant,
    /// Table time for each unit of time; 0 while it stands.
    pace: f64,
}

impl Clock {
    /// A clock that shows this and runs from now on at a pace.
    pub(crate) fn new(told: Time, pace: f64) -> Clock {
        Clock { told, when: Instant::now(), pace }
    }

    /// Table time now.
    pub(crate) fn now(&self) -> Time {
        self.told.plus((self.when.elapsed().as_secs_f64() * 1000.0 * self.pace) as u64)
    }

    /// How long until it shows this; never, if it stands before that.
    pub(crate) fn until(&self, time: Time) -> Option<Duration> {
        let left = time - self.now();
        match left {
            0 => Some(Duration::ZERO),
            _ if self.pace > 0.0 => {
                Some(Duration::try_from_secs_f64(left as f64 / 1000.0 / self.pace).unwrap_or(Duration::MAX))
            }
            _ => None,
        }
    }

    /// Whether it runs.
    pub(crate) fn runs(&self) -> bool {
        self.pace > 0.0
    }

    /// The same moment at another pace.
    #[must_use]
    pub(crate) fn at_pace(&self, pace: f64) -> Clock {
        Clock::new(self.now(), pace)
    }
}

/// What is known of a table.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Which game.
    pub(crate) kind: Kind,
    /// Its options, whole.
    pub(crate) options: Value,
    /// What everybody sees, as JSON.
    pub(crate) public: String,
    /// What the seats of this screen see besides, as JSON.
    pub(crate) privates: BTreeMap<Seat, String>,
    /// The seats of this screen; none for somebody who watches.
    pub(crate) mine: Vec<Seat>,
    /// Whose hand lies in front of the screen.
    pub(crate) hand: Option<Seat>,
    /// Everybody at the table.
    pub(crate) players: Vec<Player>,
    /// The seats that the table waits for.
    pub(crate) awaited: Vec<Seat>,
    /// When time itself will act.
    pub(crate) deadline: Option<Time>,
    /// Since when it was known that time will act then.
    pub(crate) since: Time,
    /// Table time.
    pub(crate) clock: Clock,
    /// How well the table is heard.
    pub(crate) link: Link,
    /// How it ended.
    pub(crate) outcome: Option<Outcome>,
    /// What its score is beside the best one so far, of a game played alone on this machine.
    pub(crate) best: Option<String>,
    /// Something to be told: why an act was refused, what went wrong.
    pub(crate) notice: Option<String>,
    /// What the coach said last, and to whom.
    pub(crate) coach: Option<(Seat, Value)>,
    /// Whether the coach may speak.
    pub(crate) coached: bool,
    /// The record, where it is on this machine.
    pub(crate) record: Option<PathBuf>,
    /// What the record was found to be by the side of what a server showed; nothing for a game on this machine.
    pub(crate) checked: Option<Checked>,
    /// How often the table has changed.
    pub(crate) changes: u64,
    /// Whether a view came that this program cannot read.
    unreadable: Cell<bool>,
}

impl State {
    /// A table about which nothing is known but its game.
    pub(crate) fn new(kind: Kind) -> State {
        State {
            kind,
            options: Value::Null,
            public: "null".to_owned(),
            privates: BTreeMap::new(),
            mine: Vec::new(),
            hand: None,
            players: Vec::new(),
            awaited: Vec::new(),
            deadline: None,
            since: Time::START,
            clock: Clock::new(Time::START, 0.0),
            link: Link::Here,
            outcome: None,
            best: None,
            notice: None,
            coach: None,
            coached: true,
            record: None,
            checked: None,
            changes: 0,
            unreadable: Cell::new(false),
        }
    }

    /// What everybody sees, as the game's own type.
    pub(crate) fn view<T: DeserializeOwned>(&self) -> Option<T> {
        self.read(&self.public)
    }

    /// What the hand in front of the screen sees besides, as the game's own type.
    pub(crate) fn own<T: DeserializeOwned>(&self) -> Option<T> {
        self.own_of(self.hand?)
    }

    /// What a seat of this screen sees besides, as the game's own type.
    pub(crate) fn own_of<T: DeserializeOwned>(&self, seat: Seat) -> Option<T> {
        self.read(self.privates.get(&seat)?)
    }

    /// A view as the game's own type; nothing while none has come.
    fn read<T: DeserializeOwned>(&self, json: &str) -> Option<T> {
        serde_json::from_str::<Option<T>>(json).unwrap_or_else(|_| {
            self.unreadable.set(true);
            None
        })
    }

    /// Why the board does not show the table, if it does not.
    pub(crate) fn trouble(&self) -> Option<&str> {
        match &self.link {
            Link::Gone(says) => Some(says),
            _ if self.unreadable.get() => Some(
                "This table cannot be shown: its server runs another version of Parlor. Update this one, then open the table again.",
            ),
            _ => None,
        }
    }

    /// The name at a seat.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        self.players.get(seat.index()).map_or("", |player| &player.name)
    }

    /// Whether the table waits for the hand in front of the screen.
    pub(crate) fn my_turn(&self) -> bool {
        self.hand.is_some_and(|hand| self.awaited.contains(&hand))
    }

    /// Whether the game is over.
    pub(crate) fn over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Takes a new deadline.
    pub(crate) fn expect(&mut self, deadline: Option<Time>) {
        if self.deadline != deadline {
            self.deadline = deadline;
            self.since = self.clock.now();
        }
    }

    /// Milliseconds until time acts, and of how many.
    pub(crate) fn left(&self) -> Option<(u64, u64)> {
        let deadline = self.deadline?;
        Some((deadline - self.clock.now(), (deadline - self.since).max(1)))
    }

    /// Lets the hand pass to whoever is awaited.
    pub(crate) fn pass_hand(&mut self) {
        self.hand = house::next_hand(self.hand, &self.mine, &self.awaited);
    }

    /// Puts the next of this screen's hands in front.
    pub(crate) fn turn_hands(&mut self) {
        let at = self.mine.iter().position(|seat| Some(*seat) == self.hand);
        let next = at.map_or(0, |at| (at + 1) % self.mine.len().max(1));
        self.hand = self.mine.get(next).copied();
    }
}

/// Who holds the table.
pub(crate) enum Session {
    /// This machine.
    Local(Box<Local>),
    /// A server.
    Online(Box<Online>),
}

impl Session {
    /// A seat of this screen acts. What comes of it is seen in the state.
    pub(crate) fn act(&mut self, state: &mut State, seat: Seat, act: &Value) {
        state.notice = None;
        match self {
            Session::Local(local) => local.act(state, seat, act),
            Session::Online(online) => online.act(seat, act),
        }
    }

    /// Asks the coach; the answer arrives in the state.
    pub(crate) fn ask_coach(&mut self, state: &mut State) {
        let Some(seat) = state.hand else { return };
        match self {
            Session::Local(local) => local.ask_coach(seat),
            Session::Online(online) => online.ask_coach(seat),
        }
    }

    /// How long until something is due.
    pub(crate) fn due(&self, state: &State) -> Option<Duration> {
        match self {
            Session::Local(local) => local.due(state),
            Session::Online(online) => online.due(),
        }
    }

    /// Does one thing that is due; says whether there was one.
    pub(crate) fn wake(&mut self, state: &mut State) -> bool {
        match self {
            Session::Local(local) => local.wake(state),
            Session::Online(online) => {
                online.wake();
                false
            }
        }
    }

    /// Something came in the post; answers where to go on, if that is at another table.
    pub(crate) fn hear(&mut self, state: &mut State, heard: Heard) -> Option<There> {
        match (self, heard) {
            (Session::Local(local), Heard::Pondered(table, pondered)) => {
                local.pondered(state, table, pondered);
            }
            (Session::Online(online), Heard::Line(Signal::Record(record))) => {
                match record.and_then(|text| online.keep_record(&text)) {
                    Ok((path, checked)) => (state.record, state.checked) = (Some(path), checked),
                    Err(says) => state.notice = Some(says),
                }
            }
            (Session::Online(online), Heard::Line(signal)) => {
                let outcome = online.hear(signal);
                state.notice = outcome.notice.or(state.notice.take());
                state.link = online.link().clone();
                if outcome.changed {
                    online.show(state);
                }
                return outcome.again.map(|table| online.again(table));
            }
            (_, Heard::Coach(seat, says)) => match says {
                Ok(says) => state.coach = Some((seat, says)),
                Err(says) => state.notice = Some(says),
            },
            _ => {}
        }
        None
    }

    /// The clock of a table on this machine stands while nobody can see it.
    pub(crate) fn pause(&mut self, state: &mut State, paused: bool) {
        if let Session::Local(local) = self {
            local.pause(state, paused);
        }
    }

    /// Writes down what a full disk has left out, before somebody looks at the record.
    pub(crate) fn write_down(&mut self) -> io::Result<()> {
        match self {
            Session::Local(local) => local.write_down(),
            Session::Online(_) => Ok(()),
        }
    }

    /// The table is left: keeps what is needed to come back.
    pub(crate) fn leave(&mut self, state: &State) {
        match self {
            Session::Local(local) => local.keep(state),
            Session::Online(online) => online.leave(),
        }
    }

    /// What it means to leave now, if that should be said first: a table on this machine is kept and waits.
    pub(crate) fn leaving(&self) -> Option<Vec<String>> {
        match self {
            Session::Local(_) => None,
            Session::Online(online) => online.leaving(),
        }
    }

    /// Says something to the table on the server; on this machine nobody is there to hear it.
    pub(crate) fn say(&mut self, make: impl FnOnce(u64, String) -> Command) {
        if let Session::Online(online) = self {
            online.say(make);
        }
    }

    /// Asks for the same again; says what to open next, if that is on this machine.
    pub(crate) fn rematch(&mut self, state: &mut State) -> Option<Result<Local, String>> {
        match self {
            Session::Local(local) => Some(local.rematch()),
            Session::Online(online) => {
                online.rematch(state);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_of_another_version_is_read_or_told_and_never_passed_over() {
        let mut state = State::new(Kind::Contact);
        let side = |state: &State| state.own_of::<contact::Private>(Seat(0)).and_then(|own| own.side);
        assert!(
            state.view::<contact::Public>().is_none() && state.trouble().is_none(),
            "nothing has come yet"
        );
        state.privates.insert(Seat(0), r#"{"side":"south","surprise":[1]}"#.to_owned());
        assert!(side(&state).is_some() && state.trouble().is_none(), "a newer server says more");
        state.privates.insert(Seat(0), r#"{"side":"below"}"#.to_owned());
        assert!(side(&state).is_none());
        assert!(state.trouble().is_some_and(|says| says.contains("Update")), "what cannot be read is told");
    }

    #[test]
    fn a_clock_that_stands_never_gets_there() {
        let clock = Clock::new(Time(1000), 0.0);
        assert_eq!(clock.now(), Time(1000));
        assert_eq!(clock.until(Time(1001)), None);
        assert_eq!(clock.until(Time(900)), Some(Duration::ZERO));
    }
}
