//! Long questions, for the coach and the solvers: a few are worked on, some wait, the rest come back later. Who hangs up is forgotten.

use crate::metrics::Metrics;
use crate::room::{Bounds, Room};
use crate::store::{Kind as RowKind, Row, Stored, TableKey};
use crate::work::{Came, NotPosted, Office};
use crate::{Limits, say};
use house::{Errand, Kind};
use protocol::http::Thinking;
use protocol::{PersonId, Phase, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::{Seat, Seed, Spoken, Time};
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Whoever answers questions about a game: the best layout, exact odds. Handed in by who starts the server.
pub trait Solve: Send + Sync + 'static {
    /// Answers a question about a game; looks at `stop` now and then, and tells how far it has come.
    fn solve(
        &self,
        game: Kind,
        question: Value,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, Spoken>;

    /// Exact odds, for a game that has them.
    fn odds(&self, game: Kind, question: Value, stop: &AtomicBool) -> Result<Value, Spoken>;
}

/// Nobody to ask.
pub struct NoSolver;

impl Solve for NoSolver {
    fn solve(
        &self,
        game: Kind,
        _: Value,
        _: &AtomicBool,
        _: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, Spoken> {
        Err(say("no-solver", format!("This server has no solver for {}.", game.title())))
    }

    fn odds(&self, game: Kind, _: Value, _: &AtomicBool) -> Result<Value, Spoken> {
        Err(say("no-odds", format!("This server knows no odds of {}.", game.title())))
    }
}

/// A long question, with everything that is needed to answer it anywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Question {
    /// What is best?
    Solve { game: Kind, question: Value },
    /// What are the odds?
    Odds { game: Kind, question: Value },
    /// What does the coach say about a seat of this table, to this person? With the table's seed and its rows: whether they are lines of the record, and
    /// their text.
    Coach {
        table: TableId,
        you: Option<PersonId>,
        seat: Option<u32>,
        seed: String,
        rows: Vec<(bool, String)>,
    },
    /// What does this bot mean to do?
    Bot(Box<Errand>),
}

impl Question {
    /// A question for the coach.
    pub(crate) fn coach(
        table: TableId,
        stored: Stored,
        you: Option<PersonId>,
        seat: Option<u32>,
    ) -> Question {
        let rows = stored.rows.into_iter().map(|row| (row.kind == RowKind::Line, row.text));
        Question::Coach { table, you, seat, seed: stored.seed.reveal(), rows: rows.collect() }
    }

    /// Thinks about it; looks at `stop` now and then.
    pub(crate) fn answer(
        self,
        solver: &dyn Solve,
        stop: &AtomicBool,
        news: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, Spoken> {
        match self {
            Question::Solve { game, question } => solver.solve(game, question, stop, news),
            Question::Odds { game, question } => solver.odds(game, question, stop),
            Question::Coach { table, you, seat, seed, rows } => {
                // The coach has a table of his own, replayed from the record: the one that is played does not wait for him.
                let room = room(&table, seed, rows).map_err(|fault| {
                    tracing::error!(fault, "a table cannot be read");
                    say("damaged", "This table cannot be read any more.")
                })?;
                let seat = coached_seat(&room, you.as_deref(), seat)?;
                let game = room.game.as_ref();
                Ok(game.and_then(|game| game.table().coach_until(Seat(seat), stop)).unwrap_or_default())
            }
            Question::Bot(errand) => {
                let thought = errand.run().and_then(|thought| serde_json::to_value(thought).ok());
                thought.ok_or_else(|| say("damaged", "This bot cannot be understood."))
            }
        }
    }
}

fn room(table: &str, seed: String, rows: Vec<(bool, String)>) -> Result<Room, String> {
    let row = |(line, text)| {
        let kind = if line { RowKind::Line } else { RowKind::Life };
        Row { kind, text, by: None, wall: 0 }
    };
    let stored = Stored {
        key: TableKey::of(0),
        made: 0,
        seed: Seed::try_from(seed).map_err(|fault| fault.to_string())?,
        clock: Time::START,
        rows: rows.into_iter().map(row).collect(),
    };
    Room::load(table, &stored, Bounds::NONE)
}

/// The seat that may be coached for this person.
fn coached_seat(room: &Room, you: Option<&str>, seat: Option<u32>) -> Result<u32, Spoken> {
    let mut own = you.into_iter().flat_map(|you| room.seats_of(you));
    let wanted = seat.or_else(|| own.next()).ok_or_else(|| say("which-seat", "Say which seat."))?;
    match room.phase {
        Phase::Over => Ok(wanted),
        Phase::Gathering | Phase::Closed => Err(say("not-started", "The game has not started yet.")),
        Phase::Playing if room.terms.rated => {
            Err(say("rated", "There is no coach while a rated game is played."))
        }
        Phase::Playing => {
            let mine =
                room.places.get(wanted as usize).is_some_and(|place| you.is_some() && place.person() == you);
            if mine {
                Ok(wanted)
            } else {
                Err(say("not-your-seat", "The coach speaks to a seat's owner only."))
            }
        }
    }
}

/// Where questions wait.
pub(crate) struct Desk {
    solver: Arc<dyn Solve>,
    /// Places for questions, waiting or being worked on, here or elsewhere.
    places: Arc<Semaphore>,
    /// Questions that may be worked on here at once.
    turns: Arc<Semaphore>,
    /// Where workers take questions from, in a house with many nodes.
    office: Option<Arc<Office>>,
}

/// An answer on its way. Dropped, the work stops.
pub(crate) struct Asked {
    pub(crate) lines: mpsc::Receiver<Thinking>,
    _stop: StopOnDrop,
}

struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Desk {
    pub(crate) fn new(limits: &Limits, solver: Arc<dyn Solve>, office: Option<Arc<Office>>) -> Desk {
        let turns = limits.thinkers.max(1);
        let places = Arc::new(Semaphore::new(turns + limits.questions));
        Desk { solver, places, turns: Arc::new(Semaphore::new(turns)), office }
    }

    /// Puts a question on the desk, if there is a place: before a worker, or into this process where there is none.
    pub(crate) async fn ask(&self, metrics: &Arc<Metrics>, question: Question) -> Option<Asked> {
        let full = || metrics.busy.one();
        let place = Arc::clone(&self.places).try_acquire_owned().inspect_err(|_| full()).ok()?;
        let (out, lines) = mpsc::channel(8);
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Asked { lines, _stop: StopOnDrop(Arc::clone(&stop)) };
        let (solver, turns) = (Arc::clone(&self.solver), Arc::clone(&self.turns));
        let (office, queued) = (self.office.clone(), Arc::clone(metrics));
        let (taken, heard) = oneshot::channel();
        // In a task of its own: who leaves is noticed wherever the question is by then.
        tokio::spawn(async move {
            let posted = match &office {
                Some(office) => office.post(&question).await,
                None => Err(NotPosted::NobodyThere),
            };
            if posted.as_ref().err() == Some(&NotPosted::Full) {
                return;
            }
            queued.questions.add(1);
            let _ = taken.send(()); // whoever asked may have gone
            let came = match (&office, posted) {
                (Some(office), Ok(posted)) => office.follow(posted, &out).await,
                _ => Came::ToNothing,
            };
            if came == Came::ToNothing {
                work_here(question, solver, turns, stop, out).await;
            }
            drop(place);
            queued.questions.add(-1);
        });
        heard.await.inspect_err(|_| full()).ok().map(|()| asked)
    }
}

/// Works on a question in this process, when it is its turn.
async fn work_here(
    question: Question,
    solver: Arc<dyn Solve>,
    turns: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
    out: mpsc::Sender<Thinking>,
) {
    let turn = tokio::select! {
        turn = turns.acquire_owned() => turn.ok(),
        () = out.closed() => None,
    };
    let Some(turn) = turn else { return };
    let news = out.clone();
    let job = tokio::task::spawn_blocking(move || {
        // News that nobody has read yet is soon old news.
        question.answer(&*solver, &stop, &mut |progress| drop(news.try_send(Thinking::Progress(progress))))
    });
    let last = last_word(job.await);
    drop(turn);
    drop(out.send(last).await); // whoever asked may have gone
}

/// The last line of an answer.
pub(crate) fn last_word(done: Result<Result<Value, Spoken>, tokio::task::JoinError>) -> Thinking {
    match done {
        Ok(Ok(answer)) => Thinking::Answer(answer),
        Ok(Err(why)) => Thinking::Refused(why),
        Err(_) => fell(),
    }
}

/// Whoever thought about it fell over.
pub(crate) fn fell() -> Thinking {
    Thinking::Refused(say("fell", "Something went wrong while thinking about this."))
}
