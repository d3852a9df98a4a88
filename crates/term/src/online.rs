//! One table on a server, as it is heard: what the [`Client`] knows of it becomes the [`State`] that screens draw.

use crate::address::Invitation;
use crate::checked::{self, Checked};
use crate::drawer::Drawer;
use crate::line::{self, Ask, Call, Signal};
use crate::local::{chance, fresh_name};
use crate::post::Heard;
use crate::session::{Clock, Link, Player, State};
use client::{Change, Client, Do, News, Table};
use house::Kind;
use protocol::http::Person;
use protocol::{Command, Phase, Place, Reaction, Room, Why, Wish};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use table::chain::Secret;
use table::{Seat, Spoken};
use tokio::sync::mpsc::UnboundedSender;

/// What this machine needs to sit down at a table of a server.
#[derive(Clone)]
pub(crate) struct There {
    /// Which table; it has no name as long as it is not made.
    pub(crate) invitation: Invitation,
    /// How it is to be made first, if it is.
    pub(crate) lay: Option<Lay>,
    /// The name to be known by, if one was asked for.
    pub(crate) name: Option<String>,
    /// Where identities and records are kept.
    pub(crate) drawer: Drawer,
    /// Where news is sent.
    pub(crate) post: Sender<Heard>,
}

/// A table that is to be made on the server.
#[derive(Clone, Debug)]
pub(crate) struct Lay {
    /// Of which game.
    pub(crate) kind: Kind,
    /// With which options.
    pub(crate) options: Value,
    /// For whom.
    pub(crate) seats: Vec<Wish>,
    /// Whether everybody may see it.
    pub(crate) public: bool,
    /// Whether it counts for ratings.
    pub(crate) rated: bool,
}

impl Lay {
    fn command(self, id: u64) -> Command {
        let Lay { kind, options, seats, public, rated } = self;
        let (game, seed) = (kind.name().to_owned(), String::new());
        let grace = Some(protocol::GRACE);
        Command::Create { id, game, options, seats, public, rated, grace, seed }
    }
}

/// What a command that waits for its answer was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Create,
    Rematch,
    Other,
}

/// What has become of a table after some news.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Something to be told.
    pub(crate) notice: Option<String>,
    /// The table to go on at: that of the rematch.
    pub(crate) again: Option<String>,
    /// Whether the table has changed.
    pub(crate) changed: bool,
}

/// A table on a server.
pub(crate) struct Online {
    there: There,
    wire: UnboundedSender<Ask>,
    client: Client<Purpose>,
    /// When the client's clock began.
    began: Instant,
    link: Link,
    /// A seat was asked for; once is enough.
    asked: bool,
    /// The record was asked for; once is enough.
    fetched: bool,
    /// Whether a free seat is taken without asking: not by somebody who was removed.
    sits_down: bool,
}

impl Online {
    /// Calls the server about a table.
    pub(crate) fn call(there: There) -> Result<Online, String> {
        let call = Call {
            address: there.invitation.address.clone(),
            name: there.name.clone(),
            cookie: there.drawer.recall(&memory(&there)).map(|text| text.trim().to_owned()),
        };
        let wire = line::call(call, there.post.clone());
        let name = fresh_name()?;
        // Any bits of the random name will do to spread the calls of many machines.
        let mut client = Client::new(name.clone(), u64::from_str_radix(&name[..12], 16).unwrap_or(0));
        client.takes_part(Secret::new(chance()?));
        let (began, link) = (Instant::now(), Link::Open);
        let (asked, fetched, sits_down) = (false, false, true);
        let mut online = Online { there, wire, client, began, link, asked, fetched, sits_down };
        online.recall();
        match online.there.lay.clone() {
            Some(lay) => drop(online.client.command(|id| lay.command(id), Purpose::Create)),
            None => online.client.follow(&online.there.invitation.table),
        }
        online.flush();
        Ok(online)
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Hands what is to be done to the wire, and what is to be kept to the drawer.
    fn flush(&mut self) {
        while let Some(todo) = self.client.poll() {
            match todo {
                Do::Keep(kept) => checked::note(&self.there.drawer, &kept),
                todo => drop(self.wire.send(Ask::Do(todo))), // a wire that has ended has said so
            }
        }
    }

    /// Brings back what was kept of this table before.
    fn recall(&mut self) {
        if let Some(kept) = checked::noted(&self.there.drawer, &self.there.invitation.table) {
            self.client.recall(kept);
        }
    }

    /// How long until something is to be done without news.
    pub(crate) fn due(&self) -> Option<Duration> {
        let left = |due: u64| Duration::from_millis(due.saturating_sub(self.now()));
        self.client.due().filter(|_| !matches!(self.link, Link::Gone(_))).map(left)
    }

    /// Does what is due.
    pub(crate) fn wake(&mut self) {
        if !matches!(self.link, Link::Gone(_)) {
            self.client.tick(self.now());
            self.flush();
        }
    }

    /// The table, once it was seen.
    fn table(&self) -> Option<&Table> {
        self.client.table(&self.there.invitation.table).filter(|table| table.room.is_some())
    }

    /// The table but for the game, once it was seen.
    pub(crate) fn room(&self) -> Option<&Room<client::Raw>> {
        self.table()?.room.as_ref()
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

    /// What is sent to whoever is invited.
    pub(crate) fn link_to_table(&self) -> String {
        let Invitation { address, table } = &self.there.invitation;
        address.link(table)
    }

    fn you(&self) -> Option<&str> {
        self.client.you().map(|you| you.id.as_str())
    }

    /// Whether this person made the table.
    pub(crate) fn hosts(&self) -> bool {
        self.room().is_some_and(|room| Some(room.host.as_str()) == self.you())
    }

    /// Whether a seat is this person's.
    pub(crate) fn is_mine(&self, place: &Place) -> bool {
        place.person().is_some() && place.person() == self.you()
    }

    /// Whether this person sits at the table.
    pub(crate) fn is_seated(&self) -> bool {
        self.room().is_some_and(|room| room.seats.iter().any(|place| self.is_mine(place)))
    }

    /// Whether the host removed this person, who may only watch until a seat is added.
    pub(crate) fn is_removed(&self) -> bool {
        self.table().is_some_and(|table| table.removed)
    }

    /// The first free seat; with `last`, the last.
    fn free_seat(&self, last: bool) -> Option<u32> {
        let seats = &self.room()?.seats;
        let free = |place: &Place| *place == Place::Open;
        let seat = if last { seats.iter().rposition(free) } else { seats.iter().position(free) };
        seat.map(|seat| seat as u32)
    }

    /// Whether there is a seat to sit down in.
    pub(crate) fn may_sit(&self) -> bool {
        !self.is_removed() && !self.is_seated() && self.free_seat(false).is_some()
    }

    /// Sits down, after having been removed.
    pub(crate) fn sit(&mut self) {
        self.sits_down = true;
        self.sit_down();
    }

    /// The host adds a free seat.
    pub(crate) fn add_seat(&mut self) {
        let seat = self.room().map_or(0, |room| room.seats.len() as u32);
        self.say(|id, table| Command::Place { id, table, seat, wish: Wish::Open });
    }

    /// The host removes the last free seat, if there is one.
    pub(crate) fn remove_seat(&mut self) -> Result<(), &'static str> {
        let seat = self.free_seat(true).ok_or("No seat is free: there is none to remove.")?;
        self.say(|id, table| Command::Place { id, table, seat, wish: Wish::Nobody });
        Ok(())
    }

    /// What it means to leave the game, if it means anything: it goes on without one.
    pub(crate) fn leaving(&self) -> Option<Vec<String>> {
        let lasts = !matches!(self.link, Link::Gone(_)) && self.is_seated();
        let room = self.room().filter(|room| lasts && room.phase == Phase::Playing)?;
        let meanwhile = match room.grace {
            Some(grace) => format!("After {grace} seconds away a bot plays for you."),
            None => "The table waits for you when it is your turn, and a clock that runs goes on running."
                .to_owned(),
        };
        let mut says = vec![format!("Your seat stays yours. {meanwhile}")];
        if room.rated {
            says.push(
                "This game is rated: its result counts for your rating, whoever plays for you.".to_owned(),
            );
        }
        says.push("You come back with:".to_owned());
        says.push(format!("parlor play --join {}", self.link_to_table()));
        Some(says)
    }

    /// Whether this person is ready.
    pub(crate) fn is_ready(&self) -> bool {
        let ready = |place: &Place| matches!(place, Place::Guest { ready: true, .. });
        self.room().is_some_and(|room| room.seats.iter().any(|place| self.is_mine(place) && ready(place)))
    }

    /// Says something to the table.
    pub(crate) fn say(&mut self, make: impl FnOnce(u64, String) -> Command) {
        self.say_for(Purpose::Other, make);
    }

    fn say_for(&mut self, purpose: Purpose, make: impl FnOnce(u64, String) -> Command) {
        let table = self.there.invitation.table.clone();
        self.client.command(|id| make(id, table), purpose);
        self.flush();
    }

    /// Ready to start, or not. Who is ready adds to the dice now that the house has bound itself: what was sent with
    /// the wish for a table came before that.
    pub(crate) fn ready(&mut self, ready: bool) {
        let seed = fresh_name().ok().filter(|_| ready);
        self.say(|id, table| Command::Ready { id, table, ready, seed });
    }

    /// The host starts the game.
    pub(crate) fn start(&mut self) {
        if self.is_ready() {
            self.ready(true);
        }
        self.say(|id, table| Command::Start { id, table, anyway: true });
    }

    /// A seat acts.
    pub(crate) fn act(&mut self, seat: Seat, act: &Value) {
        let act = act.clone();
        self.say(|id, table| Command::Act { id, table, seat: Some(seat.0), act });
    }

    /// Asks the coach.
    pub(crate) fn ask_coach(&self, seat: Seat) {
        let _ = self.wire.send(Ask::Coach(self.there.invitation.table.clone(), seat));
    }

    /// Asks for the same again.
    pub(crate) fn rematch(&mut self, state: &mut State) {
        let seed = fresh_name().unwrap_or_default();
        self.say_for(Purpose::Rematch, |id, table| Command::Rematch { id, table, seed });
        state.notice = Some("Asking for another game…".to_owned());
    }

    /// Gets up from the screen; the seat stays one's own.
    pub(crate) fn leave(&mut self) {
        self.client.forget(&self.there.invitation.table);
        self.flush();
    }

    /// Something came from the wire.
    pub(crate) fn hear(&mut self, signal: Signal) -> Outcome {
        let now = self.now();
        let mut outcome = Outcome::default();
        match signal {
            Signal::Known(cookie) => {
                self.there.name = None; // by which it was just introduced; the server may have tidied it
                self.there.drawer.remember(&memory(&self.there), &cookie);
            }
            Signal::Opened => self.client.opened(now),
            Signal::Lost(why, code) => {
                self.client.lost(code, now);
                if !matches!(self.link, Link::Gone(_)) {
                    self.link = Link::Lost(why);
                }
            }
            Signal::Gone(says) => self.link = Link::Gone(says),
            Signal::Text(text) => {
                if let Some(news) = self.client.hear(&text, now) {
                    self.take(news, &mut outcome);
                }
            }
            Signal::Record(Ok(_) | Err(_)) => {}
        }
        self.flush();
        outcome
    }

    fn take(&mut self, news: News<Purpose>, outcome: &mut Outcome) {
        match news {
            News::Welcome(you) => {
                self.link = match you.and_then(|you| self.mistaken(&you)) {
                    Some(says) => {
                        let _ = self.wire.send(Ask::Do(Do::HangUp));
                        Link::Gone(says)
                    }
                    None => Link::Open,
                };
            }
            News::Outdated => self.link = Link::Gone(OUTDATED.to_owned()),
            News::Done { tag: Purpose::Create, table: Some(table) } => {
                self.client.follow(&table);
                (self.there.invitation.table, self.there.lay) = (table, None);
            }
            News::Done { tag: Purpose::Rematch, table } => outcome.again = table,
            News::Done { .. } | News::Lobby => {}
            News::Refused { tag, why: Spoken { says, .. } } => {
                if tag == Purpose::Create {
                    self.link = Link::Gone(says.clone());
                }
                outcome.notice = Some(says);
            }
            News::Cheated(_, broken) => outcome.notice = Some(broken.to_string()),
            News::Reaction { name, reaction, .. } => {
                outcome.notice = Some(format!("{name}: {}", nod(reaction)));
            }
            News::Table(_, change) => {
                outcome.changed = true;
                self.changed(&change, outcome);
            }
        }
    }

    fn changed(&mut self, change: &Change, outcome: &mut Outcome) {
        if let Change::Event(Why::Rematch { .. }, _) = change {
            outcome.notice = Some("Somebody asks for another game: n sits down to it.".to_owned());
        }
        let table = self.client.table(&self.there.invitation.table);
        if let Some(says) = table.and_then(|table| table.gone.clone()) {
            self.link = Link::Gone(says);
        }
        self.sits_down &= !self.is_removed();
        let over = self.room().is_some_and(|room| room.outcome.is_some());
        if over && !std::mem::replace(&mut self.fetched, true) {
            let _ = self.wire.send(Ask::Record(self.there.invitation.table.clone()));
        }
        self.sit_down();
    }

    /// What to say to somebody whom the server takes for another: its cookie knows one person, the command line named one else.
    fn mistaken(&self, known: &Person) -> Option<String> {
        let asked = self.there.name.as_ref()?;
        // A server takes double blanks out of names.
        let (asked, known) = (asked.split_whitespace().collect::<Vec<_>>().join(" "), &known.name);
        (asked != *known).then(|| {
            format!(
                "This server knows you as {known}, not as {asked}. To play as {known}, leave --name out; to play as {asked}, name a data folder of {asked}'s own with --data FOLDER."
            )
        })
    }

    /// Takes an open seat, or one's own back from the bot that kept it warm.
    fn sit_down(&mut self) {
        let Some(wanted) = self.wanted_seat() else {
            self.asked = false;
            return;
        };
        if !std::mem::replace(&mut self.asked, true) {
            let seed = fresh_name().unwrap_or_default();
            self.say(|id, table| Command::Join { id, table, seat: Some(wanted), name: None, seed });
        }
    }

    /// The seat to sit down in, if there is one.
    fn wanted_seat(&self) -> Option<u32> {
        let room = self.room()?;
        match room.phase {
            Phase::Gathering if self.sits_down && self.may_sit() => self.free_seat(false),
            Phase::Playing => {
                let seat = room.seats.iter().position(|place| self.is_mine(place) && place.bot().is_some());
                seat.map(|seat| seat as u32)
            }
            Phase::Gathering | Phase::Over | Phase::Closed => None,
        }
    }

    /// The state of the game, once there is one to see.
    pub(crate) fn state(&self) -> Option<State> {
        let kind: Kind = self.room()?.game.parse().ok()?;
        let mut state = State::new(kind);
        state.options = serde_json::from_str(&self.room()?.options.0).ok()?;
        self.show(&mut state).then_some(state)
    }

    /// Shows the table as it is known now. Says whether there is a game to see.
    pub(crate) fn show(&self, state: &mut State) -> bool {
        state.link = self.link.clone();
        let Some(table) = self.table() else { return false };
        let (Some(room), Some(public)) = (&table.room, &table.public) else { return false };
        let pace = if table.runs() { 1.0 } else { 0.0 };
        state.clock = Clock::new(table.time(self.now()), pace);
        state.expect(table.deadline);
        state.awaited.clone_from(&table.awaited);
        state.public = public.to_string();
        state.privates = table.privates.iter().map(|(seat, own)| (*seat, own.to_string())).collect();
        let seats = (0..).map(Seat).zip(&room.seats);
        let player = |(seat, place): (Seat, &Place)| Player {
            name: place.name().to_owned(),
            bot: place.bot(),
            here: table.is_here(seat),
        };
        state.players = seats.map(player).collect();
        state.mine = table.seats_of(self.you());
        state.coached = !room.rated || room.phase == Phase::Over;
        state.outcome.clone_from(&room.outcome);
        state.pass_hand();
        state.changes += 1;
        true
    }

    /// Keeps the record of the game, and beside it what it was checked against; answers where, and what the check found.
    pub(crate) fn keep_record(&self, text: &str) -> Result<(PathBuf, Option<Checked>), String> {
        let game = self.room().map_or("game", |room| room.game.as_str());
        let table = &self.there.invitation.table;
        let found = checked::keep(&self.there.drawer, game, table, text, self.client.kept(table));
        found.map_err(|fault| fault.to_string())
    }
}

/// A server that speaks another protocol.
const OUTDATED: &str = "This program and the server are of different versions. Update the older one.";

/// Where a server's knowledge of this machine is kept.
fn memory(there: &There) -> String {
    let address = &there.invitation.address;
    let address = format!("{address}{}", address.folder).replace([':', '[', ']', '/'], "_");
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    fn online(name: Option<&str>, lay: Option<Lay>) -> (Online, Receiver<Heard>, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let invitation = Invitation {
            address: "http://127.0.0.1:9".parse().expect("an address"),
            table: if lay.is_some() { String::new() } else { "t".to_owned() },
        };
        let drawer = Drawer::open(Some(folder.path())).expect("a drawer");
        let (post, news) = channel();
        let there = There { invitation, lay, name: name.map(str::to_owned), drawer, post };
        (Online::call(there).expect("it calls"), news, folder)
    }

    fn person(name: &str) -> Person {
        Person { id: "p".to_owned(), name: name.to_owned() }
    }

    #[test]
    fn only_who_is_known_by_another_name_is_mistaken() {
        let mistaken = |name: Option<&str>| online(name, None).0.mistaken(&person("Ann Lee"));
        assert_eq!(mistaken(None), None);
        assert_eq!(mistaken(Some(" Ann  Lee")), None);
        assert!(mistaken(Some("Ben")).is_some_and(|says| says.contains("--data FOLDER")));
        let (mut online, ..) = online(Some("Ann\u{200b} Lee"), None);
        online.hear(Signal::Known("c=1".to_owned()));
        assert_eq!(online.mistaken(&person("Ann Lee")), None, "a server may tidy the name it was just told");
    }

    #[test]
    fn a_table_that_is_made_is_followed_from_then_on() {
        let (kind, options, seats) = (Kind::Cubo, Value::Null, vec![Wish::Me, Wish::Open]);
        let (mut online, ..) = online(None, Some(Lay { kind, options, seats, public: false, rated: false }));
        let text = |text: &str| Signal::Text(text.to_owned());
        online.hear(Signal::Opened);
        online.hear(text(r#"{"msg":"welcome","protocol":2,"you":{"id":"p","name":"P"},"now":1}"#));
        online.hear(text(r#"{"msg":"done","id":1,"table":"made"}"#));
        assert!(online.link_to_table().ends_with("/table/made") && online.client.table("made").is_some());
        let (mut refused, ..) = online_again();
        refused.hear(Signal::Opened);
        refused.hear(text(r#"{"msg":"welcome","protocol":2,"you":{"id":"p","name":"P"},"now":1}"#));
        let says = refused.hear(text(r#"{"msg":"refused","id":1,"code":"x","says":"No."}"#)).notice;
        assert_eq!((says.as_deref(), refused.link()), (Some("No."), &Link::Gone("No.".to_owned())));
    }

    fn online_again() -> (Online, Receiver<Heard>, tempfile::TempDir) {
        let seats = vec![Wish::Me, Wish::Open];
        online(None, Some(Lay { kind: Kind::Cubo, options: Value::Null, seats, public: false, rated: false }))
    }
}
