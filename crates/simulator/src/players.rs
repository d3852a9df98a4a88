//! Those who play: clients as anybody's ([`client::Client`]), over as many connections as it takes, in spite of everything. They
//! outlive every server.

use crate::net::Line;
use crate::world::World;
use crate::{TABLE, checks, lock};
use client::{Client, Do, News};
use protocol::http::Person;
use protocol::{Command, Phase, Wish};
use serde_json::json;
use server::node::Heard;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use table::Luck;
use table::chain::Secret;
use tokio::time::{Instant, sleep_until};

/// How a command was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answered {
    Done(u64),
    Refused(String),
}

/// A command, and how it was answered first.
pub(crate) struct Given {
    pub(crate) act: bool,
    pub(crate) answered: Option<Answered>,
}

/// Somebody who plays.
pub(crate) struct Player {
    pub(crate) person: Person,
    host: bool,
    luck: Luck,
    pub(crate) client: Client<()>,
    /// The commands so far, by number.
    pub(crate) given: BTreeMap<u64, Given>,
    /// The one that waits for its answer.
    waits: Option<u64>,
    pub(crate) calls: u64,
}

impl Player {
    pub(crate) fn new(at: u64, luck: &mut Luck) -> Player {
        let mut client = Client::new(format!("client{at}"), luck.bits());
        // Most add to the dice.
        if luck.chance(3, 4) {
            client.takes_part(Secret::new([luck.bits() as u8; 32]).derive(&at.to_string()));
        }
        Player {
            person: Person { id: format!("person{at}"), name: format!("Player {at}") },
            host: at == 0,
            client,
            luck: Luck::new(luck.bits()),
            given: BTreeMap::new(),
            waits: None,
            calls: 0,
        }
    }

    fn phase(&self) -> Option<Phase> {
        self.client.table(TABLE)?.room.as_ref().map(|room| room.phase)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.phase() == Some(Phase::Over)
    }

    /// Gives a command that comes to mind.
    fn wish(&mut self, world: &World) {
        let table = || TABLE.to_owned();
        let number = self.luck.below(6);
        let act = |seat, act| move |id| Command::Act { id, table: TABLE.to_owned(), seat, act };
        let id = match (self.phase(), number) {
            (None, _) if self.host && world.disk.rows() == 0 => self.create(world),
            (Some(Phase::Gathering), 0..2) if self.host => {
                self.client.command(|id| Command::Start { id, table: table(), anyway: true }, ())
            }
            (Some(Phase::Gathering), 2..5) if !self.host => {
                let join =
                    |id| Command::Join { id, table: table(), seat: None, name: None, seed: String::new() };
                self.client.command(join, ())
            }
            (Some(Phase::Gathering), _) => {
                let ready = number.is_multiple_of(2);
                self.client.command(|id| Command::Ready { id, table: table(), ready, seed: None }, ())
            }
            (Some(Phase::Playing), 0..2) => {
                self.client.command(act(None, json!({"do": "lay", "bets": ["black=1"]})), ())
            }
            (Some(Phase::Playing), 2) => self.client.command(act(None, json!({"do": "clear"})), ()),
            (Some(Phase::Playing), 3) => {
                self.client.command(act(None, json!({"do": "lay", "bets": ["15=9000"]})), ())
            }
            (Some(Phase::Playing), 4) => {
                let seat = Some(self.luck.below(4) as u32);
                self.client.command(act(seat, json!({"do": "clear"})), ())
            }
            (Some(Phase::Playing), _) => self.client.command(act(None, json!({"do": "ready"})), ()),
            _ => return,
        };
        let act = self.phase() == Some(Phase::Playing);
        self.given.insert(id, Given { act, answered: None });
        self.waits = Some(id);
    }

    fn create(&mut self, world: &World) -> u64 {
        let others = (1..world.players.len()).map(|_| Wish::Open);
        let seats: Vec<Wish> = [Wish::Me].into_iter().chain(others).collect();
        let bank = if self.luck.chance(1, 2) { json!({"seat": 0}) } else { json!("house") };
        let create = |id| Command::Create {
            id,
            game: "roulette".to_owned(),
            options: json!({"throws": 3, "window": 30, "bank": bank}),
            seats,
            public: false,
            rated: false,
            grace: None,
            seed: String::new(),
        };
        self.client.command(create, ())
    }
}

/// The world's clock while servers run, in milliseconds: what the players go by.
#[derive(Clone, Copy)]
pub(crate) struct Day {
    wall: u64,
    began: Instant,
}

impl Day {
    pub(crate) fn begins(wall: u64) -> Day {
        Day { wall, began: Instant::now() }
    }

    fn now(self) -> u64 {
        self.wall + self.began.elapsed().as_millis() as u64
    }

    fn at(self, time: u64) -> Instant {
        self.began + Duration::from_millis(time.saturating_sub(self.wall))
    }
}

/// Somebody at play, while servers run.
struct Play {
    world: Arc<World>,
    at: usize,
    day: Day,
    line: Option<Line>,
    /// Commands until this connection is given up for another.
    left: u64,
    /// When the next command comes to mind, or, while one waits for its answer, when the connection is given up.
    next: Instant,
}

/// Somebody plays until the game is over, or, where there is no table yet, until there is one.
pub(crate) async fn play(world: Arc<World>, at: usize, day: Day) {
    let founding = world.disk.rows() == 0;
    let mut play = Play { world, at, day, line: None, left: 0, next: Instant::now() };
    play.wake_up();
    loop {
        play.act();
        let over = if founding { play.world.disk.rows() > 0 } else { play.player().is_over() };
        if over {
            return;
        }
        let due = play.player().client.due().map_or(play.next, |due| day.at(due).min(play.next));
        let heard = tokio::select! {
            biased;
            heard = hear(&mut play.line) => Some(heard),
            () = sleep_until(due) => None,
        };
        match heard {
            Some(Some(Heard::Text(text))) => play.hear(&text),
            Some(Some(Heard::Close(code))) => play.hang_up(Some(code)),
            Some(None) => play.hang_up(None),
            None => play.pass_time(),
        }
    }
}

async fn hear(line: &mut Option<Line>) -> Option<Heard> {
    match line {
        Some(line) => line.hear().await,
        None => std::future::pending().await,
    }
}

impl Play {
    fn player(&self) -> MutexGuard<'_, Player> {
        lock(&self.world.players[self.at])
    }

    /// Whatever connection there was before is gone. Some notice at once that servers are there again, some when they try.
    fn wake_up(&mut self) {
        let (now, exists) = (self.day.now(), self.world.disk.rows() > 0);
        let mut player = self.player();
        player.client.lost(None, now);
        if exists && player.client.table(TABLE).is_none() {
            player.client.follow(TABLE);
        }
        if player.luck.chance(1, 2) {
            player.client.wake(now);
        }
    }

    /// Does what the client wants done.
    fn act(&mut self) {
        loop {
            let Some(todo) = self.player().client.poll() else { return };
            match todo {
                Do::Connect => self.call(),
                // A device may be silent when it is asked for a link.
                Do::Say(text) if text.contains(r#""cmd":"link""#) && self.player().luck.chance(1, 12) => {}
                Do::Say(text) => self.line.iter().for_each(|line| line.say(text.clone())),
                Do::HangUp => self.line = None,
                // A simulated player outlives every server, and the notes with it.
                Do::Keep(_) => {}
            }
        }
    }

    fn call(&mut self) {
        let now = self.day.now();
        let mut player = lock(&self.world.players[self.at]);
        let Some((node, being)) = self.world.any_node(&mut player.luck) else {
            self.line = None;
            return player.client.lost(None, now);
        };
        let person = player.person.clone();
        self.line = Some(Line::open(&node, &being, person, &self.world.disk, &mut player.luck));
        player.calls += 1;
        player.client.opened(now);
        self.left = 1 + player.luck.below(30);
    }

    fn hang_up(&mut self, code: Option<u16>) {
        self.line = None;
        let now = self.day.now();
        self.player().client.lost(code, now);
    }

    fn hear(&mut self, text: &str) {
        let now = self.day.now();
        let mut player = lock(&self.world.players[self.at]);
        checks::message(&self.world, &mut player, text);
        match player.client.hear(text, now) {
            Some(News::Table(_, change)) => checks::table(&self.world, &player, &change),
            Some(News::Cheated(_, broken)) => self.world.wrong(broken.to_string()),
            Some(News::Outdated) => self.world.wrong("a client is told that it is outdated"),
            _ => {}
        }
        let answered = |id| player.given.get(&id).is_some_and(|given| given.answered.is_some());
        if player.waits.is_some_and(answered) {
            player.waits = None;
            self.next = Instant::now() + Duration::from_millis(player.luck.below(900));
        }
    }

    /// Nothing was heard for a while.
    fn pass_time(&mut self) {
        let now = self.day.now();
        self.player().client.tick(now);
        if Instant::now() < self.next {
            return;
        }
        let mut player = lock(&self.world.players[self.at]);
        let patience = Duration::from_millis(1_500 + player.luck.below(1_500));
        if player.waits.is_some() || self.left == 0 {
            drop(player);
            self.hang_up(None);
        } else {
            player.wish(&self.world);
            self.left = self.left.saturating_sub(1);
        }
        self.next = Instant::now() + patience;
    }
}
