//! Long questions off the play path: nodes put them on a work queue (`JetStream`), and workers (`parlor work`) answer them.
//!
//! A question stays in the queue until it is answered. A worker says again and again that he is at it; from one that died it goes to another. Whoever
//! asked looks after his question: if he leaves, it is taken out of the queue and its worker stops; if no worker is heard of any more, or the queue has lost
//! it, it is answered in his own process. Workers keep nothing and belong to no house.

use crate::lock;
use crate::nats::{BusFault, options};
use crate::room::text;
use crate::think::{Question, Solve, fell, last_word};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, AckKind, Context, Message};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use protocol::http::Thinking;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

/// The queue, where questions go in, where workers say that they are there, and where they are told to stop.
const QUEUE: &str = "parlor-work";
const QUESTIONS: &str = "parlor.work.ask";
const HERE: &str = "parlor.work.here";
const STOP: &str = "parlor.work.stop";
/// So many questions are in the queue at most.
const WAITING: i64 = 256;
/// How often a worker says that he is there, and how long he may be silent.
const BEAT: Duration = Duration::from_millis(500);
const SILENT: Duration = Duration::from_secs(3);
/// A question whose worker is silent for so long is handed out again; this often at most.
const HANDED_OUT: Duration = Duration::from_secs(4);
const TRIES: i64 = 3;
/// How often whoever asked looks after his question.
const LOOK: Duration = Duration::from_secs(2);
/// How long a worker waits for a question before he asks for one again.
const PULL: Duration = Duration::from_secs(10);

/// A question on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Job {
    id: String,
    /// The subject on which the answer is awaited.
    answers: String,
    question: Question,
}

/// Where a node leaves its questions.
#[derive(Debug)]
pub(crate) struct Office {
    client: Client,
    queue: Context,
    heard: Arc<Mutex<Option<Instant>>>,
}

/// Why a question was not put on the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotPosted {
    /// Too many wait there.
    Full,
    /// Nobody would answer it: ask in process.
    NobodyThere,
}

/// How a question that was put on the queue came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// It was answered, or nobody wants to know any more.
    Through,
    /// It will not be answered: ask in process.
    ToNothing,
}

impl Office {
    /// Listens for workers from now on.
    pub(crate) async fn open(client: Client) -> Result<Office, BusFault> {
        let mut here =
            client.subscribe(HERE).await.map_err(|fault| BusFault::Unreachable(fault.to_string()))?;
        let (queue, heard) = (jetstream::new(client.clone()), Arc::<Mutex<Option<Instant>>>::default());
        let last = Arc::clone(&heard);
        tokio::spawn(async move {
            while here.next().await.is_some() {
                *lock(&last) = Some(Instant::now());
            }
        });
        Ok(Office { client, queue, heard })
    }

    /// Whether a worker was heard of just now.
    pub(crate) fn staffed(&self) -> bool {
        lock(&self.heard).is_some_and(|heard| heard.elapsed() < SILENT)
    }

    /// Puts a question on the queue, if there is anybody to answer it.
    pub(crate) async fn post(&self, question: &Question) -> Result<Posted, NotPosted> {
        if !self.staffed() {
            return Err(NotPosted::NobodyThere);
        }
        let (id, inbox) = (crate::id::fresh(), self.client.new_inbox());
        let nobody = |_| NotPosted::NobodyThere;
        let answers = self.client.subscribe(inbox.clone()).await.map_err(nobody)?;
        let job = Job { id: id.clone(), answers: inbox, question: question.clone() };
        let sent =
            self.queue.publish(QUESTIONS, text(&job).into()).await.map_err(|_| NotPosted::NobodyThere)?;
        match sent.await {
            Ok(kept) => Ok(Posted { id, number: kept.sequence, answers }),
            // What the queue says itself: that it is full.
            Err(fault) if fault.kind() == PublishErrorKind::Other => Err(NotPosted::Full),
            Err(_) => Err(NotPosted::NobodyThere),
        }
    }

    /// Brings what a worker says to whoever asked.
    pub(crate) async fn follow(&self, mut posted: Posted, out: &mpsc::Sender<Thinking>) -> Came {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut missing = false;
        loop {
            tokio::select! {
                () = out.closed() => {
                    self.withdraw(&posted).await;
                    return Came::Through;
                }
                line = posted.answers.next() => match line.map(|line| serde_json::from_slice(&line.payload)) {
                    // News that nobody has read yet is soon old news.
                    Some(Ok(news @ Thinking::Progress(_))) => drop(out.try_send(news)),
                    Some(Ok(last)) => {
                        drop(out.send(last).await); // whoever asked may have gone
                        return Came::Through;
                    }
                    Some(Err(_)) | None => return Came::ToNothing,
                },
                _ = look.tick() => {
                    let gone = !self.waits(&posted).await;
                    if !self.staffed() || gone && missing {
                        self.withdraw(&posted).await;
                        return Came::ToNothing;
                    }
                    missing = gone; // an answer may be on its way: that is seen at the next look
                }
            }
        }
    }

    /// Whether the queue still has the question.
    async fn waits(&self, posted: &Posted) -> bool {
        let Ok(queue) = self.queue.get_stream_no_info(QUEUE).await else { return false };
        let kept = queue.get_raw_message(posted.number).await;
        // A queue that was lost and made anew counts from the beginning.
        kept.is_ok_and(|kept| kept.payload.windows(posted.id.len()).any(|part| part == posted.id.as_bytes()))
    }

    /// Nobody wants to know any more.
    async fn withdraw(&self, posted: &Posted) {
        if self.waits(posted).await
            && let Ok(queue) = self.queue.get_stream_no_info(QUEUE).await
        {
            drop(queue.delete_message(posted.number).await); // it was answered meanwhile
        }
        drop(self.client.publish(STOP, posted.id.clone().into()).await); // then somebody thinks in vain
    }
}

/// A question that is in the queue.
#[derive(Debug)]
pub(crate) struct Posted {
    id: String,
    number: u64,
    answers: Subscriber,
}

/// What a worker is at.
#[derive(Default)]
struct Work {
    /// The questions being worked on, and what tells them to stop.
    at: HashMap<String, Arc<AtomicBool>>,
    /// The last that nobody wants to know any more: one of them may just be on its way here.
    unwanted: VecDeque<String>,
}

impl Work {
    fn begin(&mut self, id: &str) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(self.unwanted.iter().any(|unwanted| unwanted == id)));
        self.at.insert(id.to_owned(), Arc::clone(&stop));
        stop
    }

    fn stop(&mut self, id: &str) {
        if let Some(stop) = self.at.get(id) {
            stop.store(true, Ordering::Relaxed);
        }
        self.unwanted.push_back(id.to_owned());
        if self.unwanted.len() > WAITING as usize {
            self.unwanted.pop_front();
        }
    }
}

/// A worker.
struct Worker {
    client: Client,
    solver: Arc<dyn Solve>,
    work: Mutex<Work>,
    leaving: watch::Sender<bool>,
}

/// Answers questions, so many at once, until it is asked to stop. For a command that does nothing else.
pub fn run_work(
    nats: &str,
    at_once: usize,
    solver: Arc<dyn Solve>,
    ready: impl FnOnce(),
) -> Result<(), crate::ServeFault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(crate::ServeFault::System)?;
    let done = runtime.block_on(async {
        let client =
            options().connect(nats).await.map_err(|fault| BusFault::Unreachable(fault.to_string()))?;
        queue(&client).await.map_err(|fault| BusFault::NoQueue(fault.to_string()))?;
        let (work, leaving) = (Mutex::default(), watch::Sender::new(false));
        let worker = Arc::new(Worker { client, solver, work, leaving });
        tokio::spawn(Arc::clone(&worker).say_here());
        tokio::spawn(Arc::clone(&worker).hear_stops());
        let hands: Vec<_> = (0..at_once.max(1)).map(|_| tokio::spawn(Arc::clone(&worker).work())).collect();
        let stop = crate::asked_to_stop();
        ready();
        stop.await;
        worker.leave();
        let all = futures_util::future::join_all(hands);
        drop(timeout(SILENT, all).await); // what is not given back by then is handed out again
        drop(timeout(SILENT, worker.client.flush()).await);
        Ok::<_, BusFault>(())
    });
    runtime.shutdown_background();
    Ok(done?)
}

/// The queue as a worker sees it; made, if it is not there.
async fn queue(client: &Client) -> Result<PullConsumer, async_nats::Error> {
    let queue = jetstream::new(client.clone())
        .get_or_create_stream(stream::Config {
            name: QUEUE.to_owned(),
            subjects: vec![QUESTIONS.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            storage: StorageType::Memory,
            max_messages: WAITING,
            max_age: Duration::from_secs(3_600),
            ..stream::Config::default()
        })
        .await?;
    let config = pull::Config {
        durable_name: Some("workers".to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: HANDED_OUT,
        ..pull::Config::default()
    };
    Ok(queue.get_or_create_consumer("workers", config).await?)
}

impl Worker {
    async fn say_here(self: Arc<Self>) {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !*self.leaving.borrow() {
            beat.tick().await;
            drop(self.client.publish(HERE, "".into()).await); // while NATS is away nobody hears it anyway
        }
    }

    async fn hear_stops(self: Arc<Self>) {
        let Ok(mut stops) = self.client.subscribe(STOP).await else { return };
        while let Some(stop) = stops.next().await {
            lock(&self.work).stop(&String::from_utf8_lossy(&stop.payload));
        }
    }

    /// What is not finished goes back to the queue at once.
    fn leave(&self) {
        self.leaving.send_replace(true);
        for stop in lock(&self.work).at.values() {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// One question after the other.
    async fn work(self: Arc<Self>) {
        let mut leaving = self.leaving.subscribe();
        while !*self.leaving.borrow() {
            match queue(&self.client).await {
                Err(fault) => tracing::warn!(%fault, "the queue cannot be reached"),
                Ok(queue) => loop {
                    let message = tokio::select! {
                        message = next(&queue) => message,
                        () = async { drop(leaving.wait_for(|leaving| *leaving).await) } => return,
                    };
                    let Some(message) = message else { break };
                    if let Err(fault) = self.answer(&message).await {
                        tracing::warn!(%fault, "a question could not be answered");
                    }
                },
            }
            sleep(BEAT).await;
        }
    }

    /// Works on a question, and says so.
    async fn answer(&self, message: &Message) -> Result<(), async_nats::Error> {
        let tries = message.info()?.delivered;
        let Ok(Job { id, answers, question }) = serde_json::from_slice::<Job>(&message.payload) else {
            // Perhaps another worker is of its version; if not, whoever asked notices.
            let kind = if tries < TRIES { AckKind::Nak(Some(BEAT)) } else { AckKind::Term };
            return message.ack_with(kind).await;
        };
        if tries > TRIES {
            self.client.publish(answers, text(&fell()).into()).await?;
            return message.ack().await;
        }
        let (stop, (news, mut told)) = (lock(&self.work).begin(&id), mpsc::channel(8));
        let (solver, flag) = (Arc::clone(&self.solver), Arc::clone(&stop));
        let mut job = tokio::task::spawn_blocking(move || {
            question
                .answer(&*solver, &flag, &mut |progress| drop(news.try_send(Thinking::Progress(progress))))
        });
        let mut beat = interval(HANDED_OUT / 4);
        let done = loop {
            tokio::select! {
                done = &mut job => break done,
                Some(news) = told.recv() => self.client.publish(answers.clone(), text(&news).into()).await?,
                _ = beat.tick() => message.ack_with(AckKind::Progress).await?,
            }
        };
        lock(&self.work).at.remove(&id);
        if stop.load(Ordering::Relaxed) {
            let leaving = *self.leaving.borrow();
            return message.ack_with(if leaving { AckKind::Nak(None) } else { AckKind::Term }).await;
        }
        let last = last_word(done);
        if self.client.publish(answers, text(&last).into()).await.is_err() {
            // Too long for NATS: whoever asked works on it himself.
            return message.ack_with(AckKind::Term).await;
        }
        message.ack().await
    }
}

/// The next question; none if the queue is gone.
async fn next(queue: &PullConsumer) -> Option<Message> {
    loop {
        let asked = queue.batch().max_messages(1).expires(PULL).messages();
        let mut batch = timeout(PULL, asked).await.ok()?.ok()?;
        match timeout(2 * PULL, batch.next()).await {
            Ok(Some(Ok(message))) => return Some(message),
            Ok(Some(Err(fault))) => {
                tracing::debug!(%fault, "the queue is gone");
                return None;
            }
            Ok(None) => {}
            Err(_) => return None,
        }
    }
}
