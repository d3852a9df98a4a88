//! A table as the page sees it, wherever it is played: on this screen ([`local`](crate::local)) or on the server
//! ([`net`](crate::net)). Boards read its signals and call [`Session::act`]; they never ask where the table is.

use crate::browser;
use crate::seen::Seen;
use house::Kind;
use leptos::prelude::*;
use protocol::Command;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use table::{Game, Outcome, Seat, Spoken};

/// Sets a signal if that changes it: what was known already is not drawn again.
pub fn renew<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, now: T) {
    if signal.with_untracked(|before| *before != now) {
        signal.set(now);
    }
}

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The level, where it is a bot.
    pub bot: Option<u8>,
    /// Whether they are here: sitting at the table with a working line.
    pub here: bool,
}

/// Where the table is, and how well it is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// On this screen.
    Here,
    /// On the server, with this much lag in milliseconds.
    Open(Option<u32>),
    /// The line is lost; the page is trying again.
    Lost,
    /// It is over with this table: why, and what to do.
    Gone(String),
}

/// What just happened, so that boards can move what moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// Its number at this table, from 1.
    pub seq: u64,
    /// When, in table time.
    pub at: u64,
    /// Who; nobody, if time was up.
    pub seat: Option<Seat>,
}

/// Table time as the page knows it: a moment that was told, and how long ago that was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Table time at the moment it was told.
    pub told: f64,
    /// When that was, on the page's steady clock.
    pub when: f64,
    /// Whether it runs.
    pub runs: bool,
}

impl Clock {
    /// A clock that stands at this table time and runs from now on.
    pub fn running(told: f64) -> Clock {
        Clock { told, when: browser::steady(), runs: true }
    }

    /// Table time now, in milliseconds.
    pub fn now(self) -> f64 {
        if self.runs { self.told + (browser::steady() - self.when) } else { self.told }
    }
}

/// Who does what the page asks for: a table on this screen, or the line to the server.
pub trait Dealer {
    /// A seat acts. What comes of it is seen in the session's signals.
    fn act(&self, seat: Seat, act: Value);
    /// Asks the coach what he has to say to a seat; the answer arrives in [`Session::coach`].
    fn ask_coach(&self, seat: Seat);
    /// The record so far, as far as it is known here.
    fn record(&self) -> Option<String>;
    /// The same game again with the same people.
    fn rematch(&self) {}
    /// Says something to the table on the server, made of a number and the table's name. On this screen nobody is there to
    /// hear it, and no button for it is shown.
    fn say(&self, _make: Box<dyn FnOnce(u64, String) -> Command>) {}
}

/// A table as the page sees it.
#[derive(Clone, Copy)]
pub struct Session {
    /// Which game.
    pub kind: Kind,
    /// Its options, whole.
    pub options: RwSignal<Arc<Value>>,
    /// What everybody sees.
    pub public: RwSignal<Seen>,
    /// What the seats of this screen see besides.
    pub privates: RwSignal<BTreeMap<Seat, Seen>>,
    /// The seats of this screen. None: one is watching.
    pub mine: RwSignal<Vec<Seat>>,
    /// Whose hand lies in front of the screen.
    pub hand: RwSignal<Option<Seat>>,
    /// Everybody at the table.
    pub players: RwSignal<Vec<Player>>,
    /// The seats that the table waits for.
    pub awaited: RwSignal<Vec<Seat>>,
    /// When time itself will act, in table time.
    pub deadline: RwSignal<Option<u64>>,
    /// Table time.
    pub clock: RwSignal<Clock>,
    /// Where the table is.
    pub link: RwSignal<Link>,
    /// How many look on without a seat.
    pub onlookers: RwSignal<u32>,
    /// How it ended.
    pub outcome: RwSignal<Option<Outcome>>,
    /// The table of the next game with the same people, once somebody has asked for it.
    pub rematch: RwSignal<Option<String>>,
    /// The last thing that happened.
    pub happened: RwSignal<Option<Happened>>,
    /// What somebody at this screen is doing, at once, before the table has answered: for sounds and haste.
    doing: RwSignal<Option<Arc<dyn Any + Send + Sync>>>,
    /// Why the last act was refused; nothing after one that was not.
    pub refused: RwSignal<Option<Spoken>>,
    /// What the coach said last, and to whom.
    pub coach: RwSignal<Option<(Seat, Value)>>,
    /// Whether the coach may speak during the game.
    pub coached: RwSignal<bool>,
    /// Whether something of the table came that this page cannot read: the server is another version.
    pub unreadable: RwSignal<bool>,
    /// Whether the game counts for ratings.
    pub rated: RwSignal<bool>,
    dealer: StoredValue<Option<Rc<dyn Dealer>>, LocalStorage>,
}

impl Session {
    /// A table about which nothing is known yet but its game.
    pub fn new(kind: Kind) -> Session {
        Session {
            kind,
            options: RwSignal::new(Arc::new(Value::Null)),
            public: RwSignal::new(Seen::default()),
            privates: RwSignal::new(BTreeMap::new()),
            mine: RwSignal::new(Vec::new()),
            hand: RwSignal::new(None),
            players: RwSignal::new(Vec::new()),
            awaited: RwSignal::new(Vec::new()),
            deadline: RwSignal::new(None),
            clock: RwSignal::new(Clock { told: 0.0, when: 0.0, runs: false }),
            link: RwSignal::new(Link::Here),
            onlookers: RwSignal::new(0),
            outcome: RwSignal::new(None),
            rematch: RwSignal::new(None),
            happened: RwSignal::new(None),
            doing: RwSignal::new(None),
            refused: RwSignal::new(None),
            coach: RwSignal::new(None),
            coached: RwSignal::new(true),
            unreadable: RwSignal::new(false),
            rated: RwSignal::new(false),
            dealer: StoredValue::new_local(None),
        }
    }

    /// Says who does what the page asks for.
    pub fn serve(self, dealer: Rc<dyn Dealer>) {
        self.dealer.set_value(Some(dealer));
    }

    /// Asks something of the dealer, once there is one.
    fn dealt<T>(self, what: impl FnOnce(&(dyn Dealer + 'static)) -> T) -> Option<T> {
        self.dealer.with_value(|dealer| dealer.as_deref().map(what))
    }

    /// The seat in front of the screen acts. Watching, nothing happens.
    pub fn act<G: Game<Act: Send + Sync>>(self, act: G::Act) {
        if let Some(seat) = self.hand.get_untracked() {
            self.act_as::<G>(seat, act);
        }
    }

    /// A seat of this screen acts.
    pub fn act_as<G: Game<Act: Send + Sync>>(self, seat: Seat, act: G::Act) {
        if let Ok(json) = serde_json::to_value(&act) {
            self.doing.set(Some(Arc::new(act)));
            self.dealt(|dealer| dealer.act(seat, json));
        }
    }

    /// The seat in front of the screen acts, in a game that nobody has drawn.
    pub fn act_json(self, act: Value) {
        if let Some(seat) = self.hand.get_untracked() {
            self.dealt(|dealer| dealer.act(seat, act));
        }
    }

    /// Asks the coach what he has to say to the seat in front of the screen.
    pub fn ask_coach(self) {
        if let Some(seat) = self.hand.get_untracked() {
            self.ask_coach_for(seat);
        }
    }

    /// Asks the coach what he has to say to a seat of this screen.
    pub fn ask_coach_for(self, seat: Seat) {
        self.dealt(|dealer| dealer.ask_coach(seat));
    }

    /// Whether a bot plays for somebody of this screen who was away or got up.
    pub fn is_stood_in(self) -> bool {
        let bot = |seat: &Seat| {
            self.players.with(|players| players.get(seat.index()).is_some_and(|player| player.bot.is_some()))
        };
        matches!(self.link.get(), Link::Open(_))
            && !self.over()
            && self.mine.with(|mine| mine.iter().any(bot))
    }

    /// Says something to the table on the server.
    pub fn say(self, make: impl FnOnce(u64, String) -> Command + 'static) {
        self.dealt(|dealer| dealer.say(Box::new(make)));
    }

    /// The record so far, where it is known.
    pub fn record(self) -> Option<String> {
        self.dealt(Dealer::record).flatten()
    }

    /// Asks for the same again.
    pub fn ask_rematch(self) {
        self.dealt(Dealer::rematch);
    }

    /// What everybody sees, as the game's own type.
    pub fn view<T>(self) -> Memo<Option<T>>
    where
        T: DeserializeOwned + Clone + PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| self.public.with(|seen| self.read(seen)))
    }

    /// What the hand in front of the screen sees besides, as the game's own type.
    pub fn own<T>(self) -> Memo<Option<T>>
    where
        T: DeserializeOwned + Clone + PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| self.own_of(self.hand.get()?))
    }

    /// What a seat of this screen sees besides, as the game's own type.
    pub fn own_of<T: DeserializeOwned + Clone + Send + Sync + 'static>(self, seat: Seat) -> Option<T> {
        self.privates.with(|all| self.read(all.get(&seat)?))
    }

    /// A view as the game's own type; nothing while none has come. One that cannot be read is told, for no board can be
    /// drawn from it.
    fn read<T: DeserializeOwned + Clone + Send + Sync + 'static>(self, seen: &Seen) -> Option<T> {
        let read = seen.read::<T>();
        if read.is_err() {
            renew(self.unreadable, true);
        }
        read.ok().flatten().map(Arc::unwrap_or_clone)
    }

    /// What somebody at this screen is doing.
    pub fn does<G: Game>(self) -> Option<G::Act> {
        self.doing.with(|act| act.as_ref()?.downcast_ref::<G::Act>().cloned())
    }

    /// One option of the table, as its own type.
    pub fn option<T: DeserializeOwned>(self, key: &str) -> Option<T> {
        self.options.with(|options| table::newer::read(options.get(key)?.clone()).ok())
    }

    /// Whether the table waits for the hand in front of the screen.
    pub fn my_turn(self) -> bool {
        self.hand.get().is_some_and(|seat| self.awaited.with(|awaited| awaited.contains(&seat)))
    }

    /// Whether the table waits for anybody at this screen.
    pub fn waits_for_us(self) -> bool {
        !self.over()
            && self
                .mine
                .with(|mine| self.awaited.with(|awaited| mine.iter().any(|seat| awaited.contains(seat))))
    }

    /// The name at a seat.
    pub fn name(self, seat: Seat) -> String {
        self.players
            .with(|players| players.get(seat.index()).map(|player| player.name.clone()))
            .unwrap_or_default()
    }

    /// Milliseconds until time acts; none if no clock runs.
    pub fn left(self) -> Option<f64> {
        let deadline = self.deadline.get()?;
        Some((deadline as f64 - self.clock.get().now()).max(0.0))
    }

    /// Whether somebody of this screen shares the table with people at other screens.
    pub fn is_shared(self) -> bool {
        self.link.with(|link| *link != Link::Here)
    }

    /// Whether the game is over.
    pub fn over(self) -> bool {
        self.outcome.with(Option::is_some)
    }
}
