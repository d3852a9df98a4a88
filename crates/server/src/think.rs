//! Long questions, for the coach and the solvers: a few are worked on, some wait, the rest are refused for now. A question whose
//! asker has hung up is dropped.

use crate::metrics::Metrics;
use crate::room::{Bounds, Room};
use crate::store::Stored;
use crate::{Limits, say};
use house::Kind;
use protocol::http::Thinking;
use protocol::{PersonId, Phase, TableId};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::{Seat, Spoken};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// A long question, with everything that is needed to answer it.
#[derive(Debug)]
pub(crate) enum Question {
    /// What is best?
    Solve { game: Kind, question: Value },
    /// What does the coach say about a seat of this table, to this person?
    Coach { table: TableId, stored: Box<Stored>, you: Option<PersonId>, seat: Option<u32> },
}

impl Question {
    /// Thinks about it; looks at `stop` now and then.
    fn answer(self, stop: &AtomicBool, news: &mut (dyn FnMut(Value) + Send)) -> Result<Value, Spoken> {
        match self {
            Question::Solve { game, question } => house::engine(game).solve_for_guest(question, stop, news),
            Question::Coach { table, stored, you, seat } => {
                // The coach has a table of its own, replayed from the record: the one that is played does not wait for it.
                let room = Room::load(&table, &stored, Bounds::NONE).map_err(|fault| {
                    tracing::error!(fault, "a table cannot be read");
                    say("damaged", "This table cannot be read any more.")
                })?;
                let seat = coached_seat(&room, you.as_deref(), seat)?;
                let game = room.laid();
                Ok(game.and_then(|game| game.table().coach_until(Seat(seat), stop)).unwrap_or_default())
            }
        }
    }
}

/// The seat that may be coached for this person.
fn coached_seat(room: &Room, you: Option<&str>, seat: Option<u32>) -> Result<u32, Spoken> {
    let mut own = you.into_iter().flat_map(|you| room.seats_of(you));
    let wanted = seat.or_else(|| own.next()).ok_or_else(|| say("which-seat", "Say which seat."))?;
    match room.phase {
        Phase::Over => Ok(wanted),
        Phase::Gathering => Err(say("not-started", "The game has not started yet.")),
        Phase::Closed => Err(room.closed()),
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

/// The queue of questions.
pub(crate) struct Desk {
    /// Places for questions, waiting or being worked on.
    places: Arc<Semaphore>,
    /// Questions that may be worked on at once.
    turns: Arc<Semaphore>,
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
    pub(crate) fn new(limits: &Limits) -> Desk {
        let turns = limits.thinkers.max(1);
        let places = Arc::new(Semaphore::new(turns + limits.questions));
        Desk { places, turns: Arc::new(Semaphore::new(turns)) }
    }

    /// Puts a question into the queue, if there is a place.
    pub(crate) fn ask(&self, metrics: &Arc<Metrics>, question: Question) -> Option<Asked> {
        let place = Arc::clone(&self.places).try_acquire_owned().inspect_err(|_| metrics.busy.one()).ok()?;
        let (out, lines) = mpsc::channel(8);
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Asked { lines, _stop: StopOnDrop(Arc::clone(&stop)) };
        let (turns, metrics) = (Arc::clone(&self.turns), Arc::clone(metrics));
        metrics.questions.add(1);
        tokio::spawn(async move {
            work(question, turns, stop, out, place).await;
            metrics.questions.add(-1);
        });
        Some(asked)
    }
}

/// Works on a question when its turn comes, unless nobody waits for it any more.
async fn work(
    question: Question,
    turns: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
    out: mpsc::Sender<Thinking>,
    place: OwnedSemaphorePermit,
) {
    let turn = tokio::select! {
        turn = turns.acquire_owned() => turn.ok(),
        () = out.closed() => None,
    };
    let Some(turn) = turn else { return };
    let news = out.clone();
    let job = tokio::task::spawn_blocking(move || {
        // News that nobody has read yet is soon old news.
        question.answer(&stop, &mut |progress| drop(news.try_send(Thinking::Progress(progress))))
    });
    let last = match job.await {
        Ok(Ok(answer)) => Thinking::Answer(answer),
        Ok(Err(why)) => Thinking::Refused(why),
        Err(_) => Thinking::Refused(say("fell", "Something went wrong while thinking about this.")),
    };
    drop((turn, place));
    drop(out.send(last).await); // whoever asked may have gone
}
