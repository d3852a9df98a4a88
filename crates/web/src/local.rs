//! A table on this screen: the engine runs in the page, the clock is the page's own, every act is kept in the drawer.
//! Bots and the coach think in a worker. The clock stands still while the page is out of sight.

use crate::boards;
use crate::browser::{self, Later};
use crate::session::{Clock, Dealer, Happened, Link, Player, Session};
use crate::store::{self, Chair, Kept};
use crate::thinker::Thinker;
use crate::worker::{Ask, Tell};
use house::{Driver, Kind, Step};
use leptos::prelude::*;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use table::{Seat, Seated, Seats, Seed, Spoken, Time};

/// Opens a table on this screen and puts it into the drawer; answers its name in addresses.
pub fn open(kind: Kind, options: Value, chairs: Vec<Chair>) -> Result<String, Spoken> {
    let says =
        |code: &str, says: String| Spoken { code: code.to_owned(), says, details: serde_json::Map::new() };
    let engine = boards::game(kind).engine;
    let setting = engine.setting(options)?;
    let seed = Seed::new(browser::chance());
    let seated =
        chairs.iter().map(|chair| Seated { name: chair.name.clone(), seed: browser::fresh_id() }).collect();
    let seats = Seats::new(seated).map_err(|fault| says("seats", fault.to_string()))?;
    let (_, head) = engine.open(setting.options, seats, &seed, Some(browser::wall()))?;
    let id = browser::fresh_id();
    let kept =
        Kept { id: id.clone(), kind, chairs, seed, touched: 0, clock: 0, over: false, scores: Vec::new() };
    if store::keep(&kept, &[head]) {
        Ok(id)
    } else {
        Err(says(
            "no-room",
            "The browser has no room left for another game. Throw an old one away first.".to_owned(),
        ))
    }
}

/// A table being played on this screen.
struct Local {
    session: Session,
    driver: RefCell<Driver>,
    lines: RefCell<Vec<String>>,
    kept: RefCell<Kept>,
    thinker: RefCell<Option<Rc<Thinker>>>,
    coach: RefCell<Option<Rc<Thinker>>>,
    wake: RefCell<Option<Later>>,
    me: Weak<Local>,
}

/// Sits down at a table of the drawer. `None`: there is no such table here, or its record cannot be read any more.
pub fn sit(id: &str) -> Option<Session> {
    let kept = store::find(id)?;
    let lines = store::lines(id)?;
    let table = boards::game(kept.kind).engine.resume(lines.iter().map(String::as_str), &kept.seed).ok()?;
    let session = Session::new(kept.kind);
    let head = table::verify::head(&lines[0]).ok()?;
    session.options.set(Arc::new(head.options));
    let local = Rc::new_cyclic(|me| Local {
        session,
        driver: RefCell::new(Driver::new(table)),
        lines: RefCell::new(lines),
        kept: RefCell::new(kept),
        thinker: RefCell::new(None),
        coach: RefCell::new(None),
        wake: RefCell::new(None),
        me: me.clone(),
    });
    local.begin();
    session.serve(local);
    Some(session)
}

impl Local {
    fn begin(&self) {
        let kept = self.kept.borrow().clone();
        let player = |chair: &Chair| Player { name: chair.name.clone(), bot: chair.bot, here: true };
        self.session.players.set(kept.chairs.iter().map(player).collect());
        let people =
            (0..).map(Seat).zip(&kept.chairs).filter(|(_, chair)| chair.bot.is_none()).map(|(seat, _)| seat);
        self.session.mine.set(people.collect());
        self.session.link.set(Link::Here);
        let start = kept.clock.max(self.driver.borrow().table().now().0);
        self.session.clock.set(Clock { runs: !browser::hidden(), ..Clock::running(start as f64) });
        self.think(&kept);
        self.show();
        self.watch_sight();
        self.schedule();
    }

    /// Starts the worker in which the bots think.
    fn think(&self, kept: &Kept) {
        if kept.over {
            return;
        }
        let bots = (0..).map(Seat).zip(&kept.chairs);
        let bots =
            bots.filter_map(|(seat, chair)| Some((seat, chair.bot?, u64::from_le_bytes(browser::chance()))));
        let bots: Vec<_> = bots.collect();
        if !bots.is_empty() {
            *self.thinker.borrow_mut() = self.second_table(bots);
        }
    }

    /// A worker with a table like this one, and these bots at it.
    fn second_table(&self, bots: Vec<(Seat, u8, u64)>) -> Option<Rc<Thinker>> {
        let me = self.me.clone();
        let thinker = Thinker::start(move |tell| {
            if let Some(local) = me.upgrade() {
                local.hear(tell);
            }
        })?;
        crate::dictionary::hand_to(&thinker);
        let (lines, seed) = (self.lines.borrow().clone(), self.kept.borrow().seed.clone());
        thinker.ask(&Ask::Sit { lines, seed, bots });
        Some(thinker)
    }

    /// The clock stands while nobody can see the table.
    fn watch_sight(&self) {
        let me = self.me.clone();
        let handle = window_event_listener_untyped("visibilitychange", move |_| {
            if let Some(local) = me.upgrade() {
                local.sight_changed();
            }
        });
        on_cleanup(move || handle.remove());
    }

    fn sight_changed(&self) {
        let clock = self.session.clock.get_untracked();
        let runs = !browser::hidden();
        self.session.clock.set(Clock { runs, ..Clock::running(clock.now()) });
        if !runs {
            self.keep();
        }
        self.schedule();
    }

    fn now(&self) -> Time {
        let clock = self.session.clock.get_untracked().now().max(0.0);
        Time(clock as u64).max(self.driver.borrow().table().now())
    }

    fn hear(&self, tell: Tell) {
        match tell {
            Tell::Intent { seat, seen, at, act } => {
                self.driver.borrow_mut().intend(seat, seen, at, act);
                self.schedule();
            }
            Tell::Coach { seat, says } => self.session.coach.set(Some((seat, says))),
            Tell::Solving { .. } | Tell::Solved { .. } | Tell::Verified { .. } => {}
        }
    }

    /// Sleeps until something is due: a bot's act or the deadline.
    fn schedule(&self) {
        let clock = self.session.clock.get_untracked();
        let next = self.driver.borrow().due();
        let later = next.filter(|_| clock.runs).and_then(|next| {
            let me = self.me.clone();
            // A millisecond more, so that the clock has surely passed it.
            Later::new(next.0 as f64 - clock.now() + 1.0, move || {
                if let Some(local) = me.upgrade() {
                    local.woken();
                }
            })
        });
        *self.wake.borrow_mut() = later;
    }

    /// Does what is due, and looks again.
    fn woken(&self) {
        self.catch_up(self.now());
        self.schedule();
    }

    /// Does everything that is due by now.
    fn catch_up(&self, now: Time) {
        loop {
            let step = self.driver.borrow_mut().step(now);
            match step {
                Some(Ok(step)) => self.done(step),
                // A bot that means what is no longer allowed is asked again when something has changed.
                Some(Err(_)) => {}
                None => return,
            }
        }
    }

    /// Something happened: write it down, keep it, show it, let the bots think again.
    fn done(&self, step: Step) {
        let Step { at, seat, line } = step;
        if let Some(thinker) = &*self.thinker.borrow() {
            thinker.ask(&Ask::Line { line: line.clone() });
        }
        self.lines.borrow_mut().push(line);
        let end = self.driver.borrow_mut().end(&self.kept.borrow().seed);
        self.lines.borrow_mut().extend(end);
        let seq = self.driver.borrow().table().events();
        self.show();
        self.session.happened.set(Some(Happened { seq, at: at.0, seat }));
        self.keep();
    }

    fn keep(&self) {
        let mut kept = self.kept.borrow_mut();
        let outcome = self.driver.borrow().table().outcome();
        kept.over = outcome.is_some();
        kept.scores = outcome.map(|outcome| outcome.scores).unwrap_or_default();
        kept.clock = self.session.clock.get_untracked().now() as u64;
        store::keep(&kept, &self.lines.borrow());
    }

    /// Shows the table as it stands.
    fn show(&self) {
        let driver = self.driver.borrow();
        let table = driver.table();
        let session = self.session;
        let mine = session.mine.get_untracked();
        let awaited: Vec<Seat> = (0..table.seats()).map(Seat).filter(|&seat| table.awaits(seat)).collect();
        session.hand.update(|hand| *hand = house::next_hand(*hand, &mine, &awaited));
        session.privates.set(mine.iter().map(|&seat| (seat, table.private(seat).get().into())).collect());
        session.awaited.set(awaited);
        session.deadline.set(table.deadline().map(|deadline| deadline.0));
        session.public.set(table.public().get().into());
        session.outcome.set(table.outcome());
    }
}

impl Dealer for Local {
    fn act(&self, seat: Seat, act: Value) {
        let now = self.now();
        self.catch_up(now);
        let done = self.driver.borrow_mut().act(now, seat, &act.to_string());
        match done {
            Ok(step) => {
                self.session.refused.set(None);
                self.done(step);
            }
            Err(refused) => self.session.refused.set(Some(refused)),
        }
        self.schedule();
    }

    /// The coach has a worker of his own: bots do not wait while he looks everywhere.
    fn ask_coach(&self, seat: Seat) {
        let coach = self.second_table(Vec::new());
        if let Some(coach) = &coach {
            coach.ask(&Ask::Coach { seat });
        }
        *self.coach.borrow_mut() = coach;
    }

    fn record(&self) -> Option<String> {
        Some(self.lines.borrow().join("\n") + "\n")
    }

    fn rematch(&self) {
        let kept = self.kept.borrow().clone();
        let options = self.session.options.get_untracked();
        match open(kept.kind, (*options).clone(), kept.chairs) {
            Ok(id) => crate::route::way().go(crate::route::Route::Here(id)),
            Err(refused) => self.session.refused.set(Some(refused)),
        }
    }
}
