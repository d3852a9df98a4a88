//! One table on the server, as it is heard: views, events and privates become the signals of a [`Session`].

use super::http;
use super::line::Line;
use crate::route::{Route, way};
use crate::seen::Seen;
use crate::session::{Clock, Dealer, Happened, Link, Player, Session, renew};
use crate::voice::Voice;
use client::{Change, Client, Raw, Table};
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Command, Phase, Place, Reaction, Room, Why};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::kept::Broken;
use table::{Seat, Spoken};

/// What is shown of a table on the server.
pub struct Online {
    id: String,
    line: Line,
    voice: Voice,
    /// Whose drawing lasts as long as this table is heard.
    owner: Option<Owner>,
    /// The table but for the game; nothing before the first view.
    pub room: RwSignal<Option<Room<Raw>>>,
    /// The game, once there is one to see.
    pub session: RwSignal<Option<Session>>,
    /// Why it is over with this table.
    pub gone: RwSignal<Option<String>>,
    /// Whether the host removed us: until a seat is added we may only watch.
    pub removed: RwSignal<bool>,
    /// What our seats see besides. It is told before the event it belongs to, so when the game starts it is here before
    /// there is a session that could hold it.
    privates: RwSignal<BTreeMap<Seat, Seen>>,
}

impl Online {
    /// A table about which nothing was heard yet.
    pub fn new(id: String, line: Line, voice: Voice) -> Online {
        Online {
            id,
            line,
            voice,
            owner: Owner::current(),
            room: RwSignal::new(None),
            session: RwSignal::new(None),
            gone: RwSignal::new(None),
            removed: RwSignal::new(false),
            privates: RwSignal::new(BTreeMap::new()),
        }
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Shows how well it is heard.
    pub fn linked<T>(&self, client: &Client<T>) {
        if let Some(session) = self.session.get_untracked() {
            let open = Link::Open(Some(client.lag() as u32));
            renew(session.link, if client.is_cut() { Link::Lost } else { open });
        }
    }

    /// The client has heard something about it: shows the table as it is now.
    pub fn heard<T>(&self, client: &Client<T>, change: &Change) {
        let Some(table) = client.table(&self.id) else { return };
        let you = client.you().map(|you| you.id.as_str());
        if let Change::Event(Why::Kicked { seat }, _) = change
            && let Some(says) = self.removal(*seat, you.unwrap_or_default())
        {
            self.voice.tell(says);
        }
        renew(self.gone, table.gone.clone());
        renew(self.removed, table.removed);
        let own = |(seat, own): (&Seat, &Arc<str>)| (*seat, own.clone().into());
        renew(self.privates, table.privates.iter().map(own).collect());
        let Some(room) = &table.room else { return };
        self.begin(room);
        if let Some(session) = self.session.get_untracked() {
            show_people(session, table, room, you);
            if matches!(change, Change::View | Change::Event(..)) {
                show_game(session, table, room);
            }
        }
        renew(self.room, Some(room.clone()));
        self.linked(client);
        if let (Change::Event(why, at), Some(session)) = (change, self.session.get_untracked()) {
            let seat = match why {
                Why::Acted { seat } => Some(Seat(*seat)),
                Why::TimeUp | Why::Started => None,
                _ => return,
            };
            let seq = table.seq.unwrap_or_default();
            session.happened.set(Some(Happened { seq, at: at.0, seat }));
        }
    }

    /// What is told of a seat that the host takes from us while we keep another: somebody at this screen is missed then.
    fn removal(&self, seat: u32, you: &str) -> Option<String> {
        let before = self.room.get_untracked().filter(|room| room.host != you)?;
        let ours = |place: &&Place| place.person() == Some(you);
        let sat = before.seats.get(seat as usize).filter(ours)?;
        let several = before.seats.iter().filter(ours).count() > 1;
        several.then(|| format!("The host removed {} from this table.", sat.name()))
    }

    /// A nod across the table.
    pub fn reacted(&self, name: &str, reaction: Reaction) {
        self.voice.tell(format!("{name} {}", face(reaction)));
    }

    /// The house asked for dice as an honest one does not.
    pub fn cheated(&self, broken: &Broken) {
        self.voice.tell(broken.to_string());
    }

    /// When the game has started there is a session.
    fn begin(&self, room: &Room<Raw>) {
        let started = matches!(room.phase, Phase::Playing | Phase::Over);
        if !started || self.session.with_untracked(Option::is_some) {
            return;
        }
        let Ok(kind) = room.game.parse::<Kind>() else { return };
        let make = || Session::new(kind);
        let mut session = self.owner.as_ref().map_or_else(make, |owner| owner.with(make));
        session.privates = self.privates;
        session.options.set(Arc::new(serde_json::from_str(&room.options.0).unwrap_or_default()));
        session.coached.set(!room.rated);
        session.rated.set(room.rated);
        session.serve(std::rc::Rc::new(Post { id: self.id.clone(), line: self.line, session }));
        self.session.set(Some(session));
    }
}

fn show_people(session: Session, table: &Table, room: &Room<Raw>, you: Option<&str>) {
    let seats = (0..).map(Seat).zip(&room.seats);
    let player = |(seat, place): (Seat, &Place)| Player {
        name: place.name().to_owned(),
        bot: place.bot(),
        here: table.is_here(seat),
    };
    renew(session.players, seats.map(player).collect());
    renew(session.onlookers, table.onlookers());
    let mine = table.seats_of(you);
    if session.mine.with_untracked(|before| *before != mine) {
        session.hand.set(mine.first().copied());
        session.mine.set(mine);
    }
}

/// The clock and the game as they are now.
fn show_game(session: Session, table: &Table, room: &Room<Raw>) {
    let now = table.time(crate::browser::steady() as u64);
    session.clock.set(Clock { runs: table.runs(), ..Clock::running(now.0 as f64) });
    renew(session.deadline, table.deadline.map(|deadline| deadline.0));
    renew(session.awaited, table.awaited.clone());
    let hand = session.hand.get_untracked();
    renew(session.hand, session.mine.with_untracked(|mine| house::next_hand(hand, mine, &table.awaited)));
    renew(session.outcome, room.outcome.clone());
    renew(session.rematch, room.rematch.clone());
    if let Some(public) = &table.public {
        renew(session.public, public.clone().into());
    }
}

/// What a nod looks like.
pub const fn face(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::Clap => "👏",
        Reaction::Laugh => "😄",
        Reaction::Wow => "😮",
        Reaction::Think => "🤔",
        Reaction::Ouch => "🙈",
        Reaction::Thanks => "🙏",
        Reaction::Wave => "👋",
    }
}

/// All nods.
pub const NODS: [Reaction; 7] = [
    Reaction::Clap,
    Reaction::Laugh,
    Reaction::Wow,
    Reaction::Think,
    Reaction::Ouch,
    Reaction::Thanks,
    Reaction::Wave,
];

/// Carries to the server what the page asks for.
struct Post {
    id: String,
    line: Line,
    session: Session,
}

impl Dealer for Post {
    fn act(&self, seat: Seat, act: Value) {
        self.say(Box::new(move |id, table| Command::Act { id, table, seat: Some(seat.0), act }));
    }

    /// A refusal is told; what makes another table leads to it.
    fn say(&self, make: Box<dyn FnOnce(u64, String) -> Command>) {
        let (here, table, session) = (self.id.clone(), self.id.clone(), self.session);
        session.refused.set(None);
        self.line.command(
            move |id| make(id, table),
            move |answer| match answer {
                Ok(Some(table)) if table != here => way().go(Route::There(table)),
                Ok(_) => {}
                Err(refused) => drop(session.refused.try_set(Some(refused))),
            },
        );
    }

    fn ask_coach(&self, seat: Seat) {
        let (path, session) = (format!("/api/coach/{}?seat={}", self.id, seat.0), self.session);
        spawn_local(async move {
            match http::get_json::<Value>(&path).await {
                Ok(says) => drop(session.coach.try_set(Some((seat, says)))),
                Err(silence) => drop(session.refused.try_set(Some(Spoken {
                    code: "coach".to_owned(),
                    says: silence.says(),
                    details: serde_json::Map::new(),
                }))),
            }
        });
    }

    fn record(&self) -> Option<String> {
        None
    }

    fn rematch(&self) {
        self.say(Box::new(|id, table| Command::Rematch { id, table, seed: crate::browser::fresh_id() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use table::Time;

    /// A table of Ann and Ben, before or after its start.
    fn room(phase: &str) -> Value {
        let seat = |id: &str| json!({"is": "guest", "person": id, "name": id, "ready": true, "seed": ""});
        json!({"game": "contact", "options": {}, "seating": [2, 4], "seats": [seat("ann"), seat("ben")],
            "host": "ann", "phase": phase, "public": false, "rated": false, "commit": "", "made": 0})
    }

    /// A table that Ben's client follows.
    fn followed() -> (Online, Client<()>) {
        let online = Online::new("t".to_owned(), Line::new(), Voice::new());
        let mut client = Client::new("c".to_owned(), 1);
        client.follow("t");
        client.opened(0);
        let welcome = json!({"msg": "welcome", "protocol": 2, "you": {"id": "ben", "name": "Ben"}, "now": 0});
        client.hear(&welcome.to_string(), 0);
        (online, client)
    }

    fn hear(online: &Online, client: &mut Client<()>, message: &Value) {
        if let Some(client::News::Table(_, change)) = client.hear(&message.to_string(), 0) {
            online.heard(client, &change);
        }
    }

    #[test]
    fn what_a_seat_sees_at_the_start_is_told_before_there_is_a_game_and_is_not_lost() {
        let view = json!({"msg": "view", "table": "t", "seq": 2, "time": 0, "now": 0, "room": room("gathering"),
            "watching": 2});
        let own = json!({"msg": "private", "table": "t", "seq": 3, "seat": 1, "private": {"side": "north"}});
        let start = json!({"msg": "event", "table": "t", "seq": 3, "why": {"what": "started"},
            "phase": "playing", "time": 0, "now": 0, "room": room("playing"), "public": {"turn": "south"}});
        Owner::new().with(|| {
            let (online, mut client) = followed();
            for message in [view, own, start] {
                assert!(online.session.get_untracked().is_none());
                hear(&online, &mut client, &message);
            }
            let session = online.session.get_untracked().expect("a game");
            assert_eq!(session.mine.get_untracked(), [Seat(1)]);
            assert_eq!(session.own::<Value>().get_untracked(), Some(json!({"side": "north"})));
            assert_eq!(session.happened.get_untracked().map(|happened| happened.seq), Some(3));
        });
    }

    #[test]
    fn whoever_is_removed_beside_somebody_who_stays_is_told_by_name() {
        let two = |first: &str| {
            let mut room = room("gathering");
            room["seats"] = json!([
                {"is": "guest", "person": "ben", "name": first, "ready": true, "seed": ""},
                {"is": "guest", "person": "ben", "name": "Cleo", "ready": true, "seed": ""}]);
            room
        };
        let view = json!({"msg": "view", "table": "t", "seq": 2, "time": 0, "now": 0, "room": two("Ben"), "watching": 2});
        let kicked = json!({"msg": "event", "table": "t", "seq": 3, "why": {"what": "kicked", "seat": 1},
            "phase": "gathering", "time": 0, "now": 0, "seats": [{"seat": 1, "place": {"is": "open"}}]});
        Owner::new().with(|| {
            let (online, mut client) = followed();
            hear(&online, &mut client, &view);
            assert_eq!(online.removal(1, "ben").as_deref(), Some("The host removed Cleo from this table."));
            assert_eq!(online.removal(1, "ann"), None, "the host knows");
            client.hear(&kicked.to_string(), 0);
            online.heard(&client, &Change::View);
            assert!(online.removed.get_untracked());
            assert_eq!(online.removal(0, "ben"), None, "nobody stays to miss them");
        });
    }

    #[test]
    fn an_online_table_tells_who_calls() {
        let (_, mut game) = crate::tests::opened(Kind::Cubo, json!({}), &["Ann", "Ben"]);
        let ring = json!({"do": "arrange", "grid": [[0, 1, 2], [3, 8, 4], [5, 6, 7]]});
        for (at, seat, act) in [(1, 0, json!({"do": "ready"})), (2, 1, json!({"do": "ready"})), (3, 1, ring)]
        {
            game.act(Time(at * 1000), Seat(seat), &act.to_string()).expect("allowed");
        }
        let public =
            |game: &house::AnyTable| serde_json::from_str::<Value>(game.public().get()).expect("JSON");
        let mut room = room("playing");
        room["game"] = json!("cubo");
        let view = json!({"msg": "view", "table": "t", "seq": 2, "time": 0, "now": 0, "room": room,
            "public": public(&game), "watching": 2});
        game.act(Time(4000), Seat(1), r#"{"do":"call"}"#).expect("allowed");
        let event = json!({"msg": "event", "table": "t", "seq": 3, "why": {"what": "acted", "seat": 1},
            "phase": "playing", "time": 4000, "now": 0, "public": public(&game)});
        Owner::new().with(|| {
            let (online, mut client) = followed();
            hear(&online, &mut client, &view);
            let session = online.session.get_untracked().expect("a game");
            let before = session.public.get_untracked();
            hear(&online, &mut client, &event);
            assert_eq!(crate::table_page::told_since(session, &before), "ben calls Cubo!");
        });
    }
}
