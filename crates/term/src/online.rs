//! One table on a server, as it is heard: views, events and privates become the [`State`] that screens draw.

use crate::drawer::Drawer;
use crate::http::Invitation;
use crate::line::{self, Ask, Call, Lay};
use crate::local::fresh_name;
use crate::post::Heard;
use crate::session::{Clock, Link, Player, State};
use house::Kind;
use protocol::http::Person;
use protocol::{Away, Command, Event, Message, Phase, Place, Reaction, Room, View, Why};
use serde_json::Value;
use std::sync::mpsc::Sender;
use table::{Seat, Spoken, Time};
use tokio::sync::mpsc::UnboundedSender;

/// What comes from the line.
pub(crate) enum News {
    /// The server knows this machine by this from now on.
    Known(String),
    /// The line is open, and this is who we are.
    Welcome(Person),
    /// The table is laid, and has this name.
    Laid(String),
    /// A message about the table.
    Heard(Box<Message>),
    /// A command was refused.
    Refused(Box<Command>, Spoken),
    /// The same again: at this table.
    Again(String),
    /// The record of the game, or why it did not come.
    Record(Result<String, String>),
    /// The line is lost, and tried again.
    Lost(String),
    /// There is no use in trying: why.
    Gone(String),
}

/// What this machine needs to sit down at a table of a server.
#[derive(Clone)]
pub(crate) struct There {
    /// Which table; it has no name as long as it is not laid.
    pub(crate) invitation: Invitation,
    /// How it is to be laid first, if it is.
    pub(crate) lay: Option<Lay>,
    /// The name to be known by, if one was asked for.
    pub(crate) name: Option<String>,
    /// Where identities and records are kept.
    pub(crate) drawer: Drawer,
    /// Where news is sent.
    pub(crate) post: Sender<Heard>,
}

/// A table on a server.
pub(crate) struct Online {
    there: There,
    line: UnboundedSender<Ask>,
    you: Option<Person>,
    room: Option<Room>,
    away: Vec<Away>,
    link: Link,
    /// A seat was asked for; once is enough.
    asked: bool,
}

impl Online {
    /// Calls the server about a table.
    pub(crate) fn call(there: There) -> Result<Online, String> {
        let address = there.invitation.address.clone();
        let call = Call {
            cookie: there.drawer.recall(&memory(&there)).map(|text| text.trim().to_owned()),
            address,
            table: there.invitation.table.clone(),
            lay: there.lay.clone(),
            name: there.name.clone(),
            client: fresh_name()?,
        };
        let line = line::call(call, there.post.clone());
        Ok(Online { there, line, you: None, room: None, away: Vec::new(), link: Link::Open, asked: false })
    }

    /// The table but for the game, once it was seen.
    pub(crate) fn room(&self) -> Option<&Room> {
        self.room.as_ref()
    }

    /// How well it is heard.
    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    /// Where to sit down for the same again.
    pub(crate) fn again(&self, table: String) -> There {
        let mut there = self.there.clone();
        (there.invitation.table, there.lay) = (table, None);
        there
    }

    /// What is sent to whoever shall come.
    pub(crate) fn link_to_table(&self) -> String {
        let Invitation { address, table } = &self.there.invitation;
        address.link(table)
    }

    /// Whether this person made the table.
    pub(crate) fn hosts(&self) -> bool {
        let you = self.you.as_ref().map(|you| you.id.as_str());
        self.room.as_ref().is_some_and(|room| Some(room.host.as_str()) == you)
    }

    /// Whether a seat is this person's.
    pub(crate) fn is_mine(&self, place: &Place) -> bool {
        let you = self.you.as_ref().map(|you| you.id.as_str());
        place.person().is_some() && place.person() == you
    }

    /// Whether this person is ready.
    pub(crate) fn is_ready(&self) -> bool {
        let ready = |place: &Place| matches!(place, Place::Guest { ready: true, .. });
        self.room
            .as_ref()
            .is_some_and(|room| room.seats.iter().any(|place| self.is_mine(place) && ready(place)))
    }

    fn say(&self, make: impl FnOnce(u64) -> Command + Send + 'static) {
        // A line that has ended has said so.
        let _ = self.line.send(Ask::Say(Box::new(make)));
    }

    fn table(&self) -> String {
        self.there.invitation.table.clone()
    }

    /// Ready to start, or not. Who is ready adds to the dice now that the house has bound itself: what was sent with
    /// the wish for a table came before that.
    pub(crate) fn ready(&self, ready: bool) {
        let (table, seed) = (self.table(), fresh_name().ok().filter(|_| ready));
        self.say(move |id| Command::Ready { id, table, ready, seed });
    }

    /// The host starts the game.
    pub(crate) fn start(&self) {
        if self.is_ready() {
            self.ready(true);
        }
        let table = self.table();
        self.say(move |id| Command::Start { id, table, anyway: true });
    }

    /// A seat acts.
    pub(crate) fn act(&self, _: &mut State, seat: Seat, act: &Value) {
        let (table, act) = (self.table(), act.clone());
        self.say(move |id| Command::Act { id, table, seat: Some(seat.0), act });
    }

    /// Asks the coach.
    pub(crate) fn ask_coach(&self, seat: Seat) {
        let _ = self.line.send(Ask::Coach(seat));
    }

    /// Asks for the same again.
    pub(crate) fn rematch(&self, state: &mut State) {
        let table = self.table();
        let seed = fresh_name().unwrap_or_default();
        self.say(move |id| Command::Rematch { id, table, seed });
        state.notice = Some("Asking for another game…".to_owned());
    }

    /// Asks for the whole table afresh.
    pub(crate) fn look_again(&self) {
        let table = self.table();
        self.say(move |id| Command::Watch { id, table, seq: None });
    }

    /// A nod across the table.
    pub(crate) fn nod(&self, reaction: Reaction) {
        let table = self.table();
        self.say(move |id| Command::React { id, table, reaction });
    }

    /// News about the room, before there is a game to see. Answers something to be told.
    pub(crate) fn hear_room(&mut self, news: News) -> Option<String> {
        match news {
            News::Known(cookie) => self.there.drawer.remember(&memory(&self.there), &cookie),
            News::Welcome(you) => {
                self.you = Some(you);
                self.link = Link::Open;
            }
            News::Laid(table) => self.there.invitation.table = table,
            News::Lost(why) => self.link = Link::Lost(why),
            News::Gone(says) => self.link = Link::Gone(says),
            News::Refused(command, refused) => {
                if matches!(*command, Command::Watch { .. } | Command::Create { .. }) {
                    self.link = Link::Gone(refused.says.clone());
                }
                return Some(refused.says);
            }
            News::Heard(message) => match *message {
                Message::View(view) => self.enter(view.room, view.away),
                Message::Event(event) => self.change_room(&event),
                Message::Crowd { away, .. } => self.away = away,
                Message::Reaction { name, reaction, .. } => {
                    return Some(format!("{name}: {}", nod(reaction)));
                }
                _ => {}
            },
            News::Record(_) | News::Again(_) => {}
        }
        None
    }

    fn enter(&mut self, room: Room, away: Vec<Away>) {
        self.away = away;
        self.room = Some(room);
        self.sit_down();
    }

    fn change_room(&mut self, event: &Event) {
        self.room = Room::after(self.room.take(), event);
        if self.room.is_none() {
            return;
        }
        if matches!(event.why, Why::Closed) {
            self.link = Link::Gone("The host has put this table away.".to_owned());
        }
        self.sit_down();
    }

    /// Takes an open seat, or one's own back from the bot that kept it warm.
    fn sit_down(&mut self) {
        let Some(wanted) = self.wanted_seat() else {
            self.asked = false;
            return;
        };
        if !std::mem::replace(&mut self.asked, true) {
            let (table, seed) = (self.table(), fresh_name().unwrap_or_default());
            self.say(move |id| Command::Join { id, table, seat: Some(wanted), name: None, seed });
        }
    }

    /// The seat to sit down in, if there is one.
    fn wanted_seat(&self) -> Option<u32> {
        let room = self.room.as_ref()?;
        let seat = match room.phase {
            Phase::Gathering if room.seats.iter().any(|place| self.is_mine(place)) => None,
            Phase::Gathering => room.seats.iter().position(|place| *place == Place::Open),
            Phase::Playing => {
                room.seats.iter().position(|place| self.is_mine(place) && place.bot().is_some())
            }
            Phase::Over | Phase::Closed => None,
        };
        seat.map(|seat| seat as u32)
    }

    /// The state of a game that can be seen, from a view.
    pub(crate) fn state(&self, view: &View) -> Option<State> {
        let room = self.room.as_ref()?;
        let kind: Kind = room.game.parse().ok()?;
        view.public.as_ref()?;
        let mut state = State::new(kind);
        state.link = Link::Open;
        self.take(&mut state, view);
        Some(state)
    }

    fn take(&self, state: &mut State, view: &View) {
        state.privates = view.private.iter().map(|own| (Seat(own.seat), own.private.to_string())).collect();
        self.now(state, view.time, view.deadline, &view.awaits, view.public.as_ref());
    }

    /// The clock and the game as they are now.
    fn now(
        &self,
        state: &mut State,
        time: Time,
        deadline: Option<Time>,
        awaits: &[u32],
        public: Option<&Value>,
    ) {
        let runs = self.room.as_ref().is_some_and(|room| room.phase == Phase::Playing);
        state.clock = Clock::new(time, if runs { 1.0 } else { 0.0 });
        state.expect(deadline);
        state.awaited = awaits.iter().map(|&seat| Seat(seat)).collect();
        if let Some(public) = public {
            state.public = public.to_string();
        }
        self.seat_people(state);
        state.changes += 1;
    }

    fn seat_people(&self, state: &mut State) {
        let Some(room) = &self.room else { return };
        let here = |seat: u32| self.away.iter().all(|away| away.seat != seat);
        let player = |(seat, place): (u32, &Place)| Player {
            name: place.name().to_owned(),
            bot: place.bot(),
            here: here(seat),
        };
        state.players = (0..).zip(&room.seats).map(player).collect();
        let seats = (0..).map(Seat).zip(&room.seats);
        state.mine = seats.filter(|(_, place)| self.is_mine(place)).map(|(seat, _)| seat).collect();
        state.coached = !room.rated || room.phase == Phase::Over;
        if state.outcome.is_none() && room.outcome.is_some() {
            let _ = self.line.send(Ask::Record);
        }
        state.outcome.clone_from(&room.outcome);
        state.pass_hand();
    }

    /// News about a game that is seen. Says whether the table has changed.
    pub(crate) fn hear(&mut self, state: &mut State, news: News) -> bool {
        let before = state.changes;
        match news {
            News::Refused(command, refused) => match *command {
                Command::Watch { .. } => state.link = Link::Gone(refused.says),
                _ => state.notice = Some(refused.says),
            },
            News::Record(Ok(text)) => match self.there.drawer.keep_record(&self.record_name(), &text) {
                Ok(path) => state.record = Some(path),
                Err(fault) => state.notice = Some(fault.to_string()),
            },
            News::Record(Err(says)) => state.notice = Some(says),
            News::Heard(message) => self.hear_game(state, *message),
            other => {
                if let Some(says) = self.hear_room(other) {
                    state.notice = Some(says);
                }
                state.link = self.link.clone();
            }
        }
        state.changes != before
    }

    fn record_name(&self) -> String {
        let game = self.room.as_ref().map_or("game", |room| room.game.as_str());
        format!("{game}-{}", self.table())
    }

    fn hear_game(&mut self, state: &mut State, message: Message) {
        match message {
            Message::View(view) => {
                self.enter(view.room.clone(), view.away.clone());
                self.take(state, &view);
            }
            Message::Private { seat, private, .. } => {
                state.privates.insert(Seat(seat), private.to_string());
            }
            Message::Event(event) => {
                self.change_room(&event);
                self.now(state, event.time, event.deadline, &event.awaits, event.public.as_ref());
                if let Why::Rematch { .. } = event.why {
                    state.notice = Some("Somebody asks for another game: n sits down to it.".to_owned());
                }
            }
            other => {
                if let Some(says) = self.hear_room(News::Heard(Box::new(other))) {
                    state.notice = Some(says);
                }
                self.seat_people(state);
            }
        }
        state.link = self.link.clone();
    }

    /// Gets up from the screen; the seat stays one's own.
    pub(crate) fn leave(&self) {
        let table = self.table();
        self.say(move |id| Command::Unwatch { id, table });
    }
}

/// Where a server's knowledge of this machine is kept.
fn memory(there: &There) -> String {
    let address = there.invitation.address.to_string().replace([':', '[', ']'], "_");
    format!("people/{address}")
}

/// A nod in words.
pub(crate) const fn nod(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::Clap => "well played!",
        Reaction::Laugh => "ha ha!",
        Reaction::Wow => "wow!",
        Reaction::Think => "let me think…",
        Reaction::Ouch => "ouch!",
        Reaction::Thanks => "thank you!",
        Reaction::Wave => "hello!",
    }
}
