//! One table on the server, as it is heard: views, events and privates become the signals of a [`Session`].

use super::http;
use super::line::Line;
use crate::route::{Route, way};
use crate::session::{Clock, Dealer, Happened, Link, Player, Session};
use crate::voice::Voice;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Away, Command, Event, Phase, Place, Reaction, Room, View, Why};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{Seat, Spoken, Time};

/// What is known of a table on the server.
pub struct Online {
    id: String,
    line: Line,
    voice: Voice,
    seq: Cell<Option<u64>>,
    lag: Cell<f64>,
    /// Whose drawing lasts as long as this table is heard.
    owner: Option<Owner>,
    /// The table but for the game; nothing before the first view.
    pub room: RwSignal<Option<Room>>,
    /// The game, once there is one to see.
    pub session: RwSignal<Option<Session>>,
    /// Why it is over with this table.
    pub gone: RwSignal<Option<String>>,
    /// Whether the host removed us: until a seat is added we may only watch.
    pub removed: RwSignal<bool>,
    /// How many people hear about it.
    pub watching: RwSignal<u32>,
    away: RwSignal<Vec<Away>>,
    /// What our seats see besides. It is told before the event it belongs to, so when the game starts it is here before
    /// there is a session that could hold it.
    privates: RwSignal<BTreeMap<u32, Arc<str>>>,
}

impl Online {
    /// A table about which nothing was heard yet.
    pub fn new(id: String, line: Line, voice: Voice) -> Online {
        Online {
            id,
            line,
            voice,
            seq: Cell::new(None),
            lag: Cell::new(0.0),
            owner: Owner::current(),
            room: RwSignal::new(None),
            session: RwSignal::new(None),
            gone: RwSignal::new(None),
            removed: RwSignal::new(false),
            watching: RwSignal::new(0),
            away: RwSignal::new(Vec::new()),
            privates: RwSignal::new(BTreeMap::new()),
        }
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The last event heard.
    pub fn seq(&self) -> Option<u64> {
        self.seq.get()
    }

    /// The line is lost.
    pub fn lost(&self) {
        if let Some(session) = self.session.get_untracked() {
            session.link.set(Link::Lost);
        }
    }

    /// It is over with this table.
    pub fn gone(&self, says: String) {
        self.gone.set(Some(says));
    }

    /// The line was measured.
    pub fn lag(&self, lag: f64) {
        self.lag.set(lag);
        self.linked();
    }

    fn linked(&self) {
        if let Some(session) = self.session.get_untracked() {
            session.link.set(Link::Open(Some(self.lag.get() as u32)));
        }
    }

    /// The whole table, afresh.
    pub fn view(&self, view: View) {
        self.seq.set(Some(view.seq));
        self.watching.set(view.watching);
        self.away.set(view.away);
        self.privates.set(view.private.iter().map(|own| (own.seat, text(&own.private))).collect());
        renew(self.removed, view.removed);
        self.enter(view.room);
        self.now(view.time, view.deadline, &view.awaits, view.public.as_ref());
        self.linked();
    }

    /// What only one of our seats sees.
    pub fn private(&self, seat: u32, private: &Value) {
        self.privates.update(|privates| drop(privates.insert(seat, text(private))));
    }

    /// Something happened. Says whether it followed on what was known; if not, the table must be asked for afresh.
    pub fn event(&self, event: &Event) -> bool {
        if self.seq.get().is_some_and(|seq| event.seq <= seq) {
            return true;
        }
        if self.seq.get().is_none_or(|seq| event.from.unwrap_or(event.seq) != seq + 1) {
            return false;
        }
        self.seq.set(Some(event.seq));
        let before = self.room.get_untracked();
        self.note_removal(before.as_ref(), event);
        let Some(room) = Room::after(before, event) else { return false };
        if matches!(event.why, Why::Closed) {
            self.gone("The host has put this table away.".to_owned());
        }
        self.enter(room);
        if let Some(session) = self.session.get_untracked() {
            self.now(event.time, event.deadline, &event.awaits, event.public.as_ref());
            let seat = match event.why {
                Why::Acted { seat } => Some(Seat(seat)),
                _ => None,
            };
            if matches!(event.why, Why::Acted { .. } | Why::TimeUp | Why::Started) {
                session.happened.set(Some(Happened {
                    seq: event.seq,
                    at: event.time.0,
                    seat,
                    act: Value::Null,
                }));
            }
        }
        self.linked();
        true
    }

    /// Whoever is removed from a seat hears of it, and is not offered another before the host adds one.
    fn note_removal(&self, before: Option<&Room>, event: &Event) {
        let you = self.line.you.get_untracked().map(|you| you.id).unwrap_or_default();
        let Some(before) = before.filter(|_| !you.is_empty()) else { return };
        renew(self.removed, before.keeps_out(&you, self.removed.get_untracked(), event));
        let Why::Kicked { seat } = event.why else { return };
        let ours = |place: &&Place| place.person() == Some(&*you);
        let sat = before.seats.get(seat as usize).filter(ours);
        // Who has another seat at this screen stays in the room, and misses somebody there.
        if let Some(place) =
            sat.filter(|_| before.host != you && before.seats.iter().filter(ours).count() > 1)
        {
            self.voice.tell(format!("The host removed {} from this table.", place.name()));
        }
    }

    /// Who is there.
    pub fn crowd(&self, watching: u32, away: &[Away]) {
        self.watching.set(watching);
        self.away.set(away.to_vec());
        if let Some(room) = self.room.get_untracked() {
            self.seat_people(&room);
        }
    }

    /// A nod across the table.
    pub fn reacted(&self, name: &str, reaction: Reaction) {
        self.voice.tell(format!("{name} {}", face(reaction)));
    }

    /// Takes the room as it is now; when the game has started there is a session too.
    fn enter(&self, room: Room) {
        let started = matches!(room.phase, Phase::Playing | Phase::Over);
        if started
            && self.session.get_untracked().is_none()
            && let Ok(kind) = room.game.parse::<Kind>()
        {
            let make = || Session::new(kind);
            let mut session = self.owner.as_ref().map_or_else(make, |owner| owner.with(make));
            session.privates = self.privates;
            session.options.set(Arc::new(room.options.clone()));
            session.coached.set(!room.rated);
            session.rated.set(room.rated);
            session.serve(std::rc::Rc::new(Post { id: self.id.clone(), line: self.line, session }));
            self.session.set(Some(session));
        }
        self.seat_people(&room);
        if let Some(session) = self.session.get_untracked() {
            renew(session.outcome, room.outcome.clone());
            renew(session.rematch, room.rematch.clone());
        }
        self.room.set(Some(room));
    }

    fn seat_people(&self, room: &Room) {
        let Some(session) = self.session.get_untracked() else { return };
        let you = self.line.you.get_untracked().map(|you| you.id);
        let away = self.away.get_untracked();
        let here = |seat: u32| away.iter().all(|away| away.seat != seat);
        let players = (0..).zip(&room.seats).map(|(seat, place)| Player {
            name: place.name().to_owned(),
            bot: place.bot(),
            here: here(seat),
        });
        session.players.set(players.collect());
        let mut sitting: Vec<&str> = (0..)
            .zip(&room.seats)
            .filter(|(seat, _)| here(*seat))
            .filter_map(|(_, place)| place.person())
            .collect();
        sitting.sort_unstable();
        sitting.dedup();
        session.onlookers.set(self.watching.get_untracked().saturating_sub(sitting.len() as u32));
        let ours = |place: &Place| place.person().is_some() && place.person() == you.as_deref();
        let mine: Vec<Seat> =
            (0..).map(Seat).zip(&room.seats).filter(|(_, place)| ours(place)).map(|(seat, _)| seat).collect();
        if session.mine.get_untracked() != mine {
            session.hand.set(mine.first().copied());
            session.mine.set(mine);
        }
    }

    /// The clock and the game as they are now.
    fn now(&self, time: Time, deadline: Option<Time>, awaits: &[u32], public: Option<&Value>) {
        let Some(session) = self.session.get_untracked() else { return };
        let running =
            self.room.with_untracked(|room| room.as_ref().is_some_and(|room| room.phase == Phase::Playing));
        session.clock.set(Clock { runs: running, ..Clock::running(time.0 as f64 + self.lag.get() / 2.0) });
        renew(session.deadline, deadline.map(|deadline| deadline.0));
        renew(session.awaited, awaits.iter().map(|&seat| Seat(seat)).collect());
        let hand = session.hand.get_untracked();
        let next = session.mine.with_untracked(|mine| {
            session.awaited.with_untracked(|awaited| house::next_hand(hand, mine, awaited))
        });
        renew(session.hand, next);
        if let Some(public) = public {
            renew(session.public, text(public));
        }
    }
}

/// A view may say what was known already: that is no news, and nobody shall draw it again.
fn renew<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, now: T) {
    if signal.with_untracked(|before| *before != now) {
        signal.set(now);
    }
}

fn text(value: &Value) -> Arc<str> {
    Arc::from(value.to_string())
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

impl Post {
    /// Says something to the table; a refusal is told.
    fn say(&self, make: impl FnOnce(u64, String) -> Command) {
        let (table, session) = (self.id.clone(), self.session);
        session.refused.set(None);
        self.line.command(
            move |id| make(id, table),
            move |answer| {
                if let Err(refused) = answer {
                    session.refused.try_set(Some(refused));
                }
            },
        );
    }
}

impl Dealer for Post {
    fn act(&self, seat: Seat, act: Value) {
        self.say(move |id, table| Command::Act { id, table, seat: Some(seat.0), act });
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

    fn get_up(&self) {
        self.say(|id, table| Command::Leave { id, table, seat: None });
    }

    fn take_back(&self) {
        // The dice are cast from what was added before the game began.
        self.say(|id, table| Command::Join { id, table, seat: None, name: None, seed: String::new() });
    }

    fn rematch(&self) {
        let (table, session) = (self.id.clone(), self.session);
        let way = way();
        self.line.command(
            move |id| Command::Rematch { id, table, seed: crate::browser::fresh_id() },
            move |answer| match answer {
                Ok(Some(table)) => way.go(Route::There(table)),
                Ok(None) => {}
                Err(refused) => drop(session.refused.try_set(Some(refused))),
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A table of Ann and Ben, before or after its start.
    fn room(phase: &str) -> Value {
        let seat = |id: &str| json!({"is": "guest", "person": id, "name": id, "ready": true, "seed": ""});
        json!({"game": "contact", "options": {}, "seating": [2, 4], "seats": [seat("ann"), seat("ben")],
            "host": "ann", "phase": phase, "public": false, "rated": false, "commit": "", "made": 0})
    }

    #[test]
    fn what_a_seat_sees_at_the_start_is_told_before_there_is_a_game_and_is_not_lost() {
        let view =
            json!({"table": "t", "seq": 2, "time": 0, "now": 0, "room": room("gathering"), "watching": 2});
        let start = json!({"table": "t", "seq": 3, "why": {"what": "started"}, "phase": "playing", "time": 0,
            "now": 0, "room": room("playing"), "public": {"turn": "south"}});
        Owner::new().with(|| {
            let line = Line::new();
            line.you.set(serde_json::from_value(json!({"id": "ben", "name": "Ben"})).ok());
            let online = Online::new("t".to_owned(), line, Voice::new());
            online.view(serde_json::from_value(view).expect("a view"));
            assert!(online.session.get_untracked().is_none());
            online.private(1, &json!({"side": "north"}));
            assert!(online.event(&serde_json::from_value(start).expect("an event")));
            let session = online.session.get_untracked().expect("a game");
            assert_eq!(session.mine.get_untracked(), [Seat(1)]);
            assert_eq!(session.own::<Value>().get_untracked(), Some(json!({"side": "north"})));
        });
    }
}
