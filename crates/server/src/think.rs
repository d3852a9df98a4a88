//! Long questions, for the coach and the solvers: a few are worked on, some wait, the rest come back later. Who hangs up is forgotten.

use crate::metrics::Metrics;
use crate::say;
use house::Kind;
use protocol::http::Thinking;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::Spoken;
use tokio::sync::{Semaphore, mpsc};

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

/// Where questions wait.
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
    pub(crate) fn new(thinkers: usize, waiting: usize) -> Desk {
        let turns = thinkers.max(1);
        Desk { places: Arc::new(Semaphore::new(turns + waiting)), turns: Arc::new(Semaphore::new(turns)) }
    }

    /// Puts a question on the desk, if there is a place.
    pub(crate) fn ask<W>(&self, metrics: &Arc<Metrics>, work: W) -> Option<Asked>
    where
        W: FnOnce(&AtomicBool, &mut (dyn FnMut(Value) + Send)) -> Result<Value, Spoken> + Send + 'static,
    {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            metrics.busy.one();
            return None;
        };
        let (turns, stop, metrics) =
            (Arc::clone(&self.turns), Arc::new(AtomicBool::new(false)), Arc::clone(metrics));
        let (out, lines) = mpsc::channel(8);
        let stopped = StopOnDrop(Arc::clone(&stop));
        metrics.questions.add(1);
        tokio::spawn(async move {
            let turn = tokio::select! {
                turn = turns.acquire_owned() => turn.ok(),
                () = out.closed() => None,
            };
            if let Some(turn) = turn {
                let news = out.clone();
                let job = tokio::task::spawn_blocking(move || {
                    // News that nobody has read yet is soon old news.
                    work(&stop, &mut |progress| drop(news.try_send(Thinking::Progress(progress))))
                });
                let last = match job.await {
                    Ok(Ok(answer)) => Thinking::Answer(answer),
                    Ok(Err(why)) => Thinking::Refused(why),
                    Err(_) => {
                        Thinking::Refused(say("fell", "Something went wrong while thinking about this."))
                    }
                };
                drop(turn);
                drop(out.send(last).await); // whoever asked may have gone
            }
            drop(place);
            metrics.questions.add(-1);
        });
        Some(Asked { lines, _stop: stopped })
    }
}
