//! The one task that writes: everything that waits in one transaction, tried until it is done, refused, or the database was away for too long.

use super::Answer;
use super::connection::{Have, LEASE, Line, int, nat, shown, take_house, withdraw};
use super::rows::{Held, Lines, Place, append, make};
use crate::store::meter::Meter;
use crate::store::{Append, NewTable, NodeId, PATIENCE, StoreFault};
use protocol::http::Person;
use protocol::{PersonId, TableId};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_postgres::Config;

/// The most writes in one group.
const GROUP: usize = 4_096;
/// However late it is, the last try has at least so long.
const LAST_TRY: Duration = Duration::from_secs(1);

/// What is written: every kind can be tried again.
pub(super) enum Work {
    Make(Box<NewTable>),
    Append(Box<Append>),
    Alive(u64),
    Name(Person, u64),
    Phrase(PersonId, [u8; 32]),
    Token(PersonId, [u8; 32]),
}

pub(super) enum Job {
    Work(Work, Answer<Option<TableId>>),
    Close(Farewell, oneshot::Sender<()>),
}

/// How a node leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Farewell {
    /// It was there, and is gone.
    Departs,
    /// Its start failed: it was never there.
    Withdraws,
}

pub(super) struct Writer {
    pub(super) config: Config,
    pub(super) line: Option<Line>,
    pub(super) have: Have,
    pub(super) node: NodeId,
    /// When this node began: who has the house alone has it as long as no later one began.
    pub(super) began: u64,
    pub(super) meter: Arc<Meter>,
}

/// How one write of a group went.
type Written = Result<Option<TableId>, StoreFault>;

impl Writer {
    pub(super) async fn run(mut self, mut waiting: mpsc::UnboundedReceiver<Job>) {
        let mut jobs = Vec::new();
        while waiting.recv_many(&mut jobs, GROUP).await > 0 {
            let (mut works, mut answers, mut close) = (Vec::new(), Vec::new(), None);
            for job in jobs.drain(..) {
                match job {
                    Job::Work(work, answer) => {
                        works.push(work);
                        answers.push(answer);
                    }
                    Job::Close(how, done) => close = Some((how, done)),
                }
            }
            self.meter.taken(works.len());
            if !works.is_empty() {
                self.group(&works, answers).await;
            }
            if let Some((how, done)) = close {
                self.leave(how).await;
                let _ = done.send(()); // whoever asked has given up waiting
                return;
            }
        }
    }

    /// The node is not dead but gone: nobody need wait to be sure of it.
    async fn leave(&mut self, how: Farewell) {
        let node = self.node;
        let sign_off = async {
            let line = self.line().await?;
            let sql = "UPDATE nodes SET until = clock_timestamp() WHERE node = $1";
            if how == Farewell::Departs {
                line.run(sql, &[&node.0]).await
            } else {
                withdraw(line, node).await
            }
        };
        drop(timeout(PATIENCE, sign_off).await); // then it is noticed a little later
    }

    /// One transaction, and then everybody's answer.
    async fn group(&mut self, works: &[Work], answers: Vec<Answer<Option<TableId>>>) {
        match self.commit_in_time(works).await {
            Ok(ids) => {
                for (answer, written) in answers.into_iter().zip(ids) {
                    drop(answer.send(written)); // nobody waits any more: nothing to tell
                }
            }
            Err(fault) if works.len() > 1 && self.is_about_a_write(&fault) => {
                self.one_by_one(works, answers).await;
            }
            Err(fault) => {
                for answer in answers {
                    drop(answer.send(Err(fault.clone())));
                }
            }
        }
    }

    /// Whether the database is well and only did not like what it was given.
    fn is_about_a_write(&self, fault: &StoreFault) -> bool {
        matches!(fault, StoreFault::Broken(_)) && self.line.is_some()
    }

    /// A group that was refused as a whole, each write in a transaction of its own: a bad one hurts only itself.
    async fn one_by_one(&mut self, works: &[Work], answers: Vec<Answer<Option<TableId>>>) {
        let mut away = None;
        for (work, answer) in works.iter().zip(answers) {
            let done = match &away {
                Some(fault) => Err(StoreFault::clone(fault)),
                None => self.commit_in_time(std::slice::from_ref(work)).await,
            };
            if let Err(fault) = &done
                && !self.is_about_a_write(fault)
            {
                away = Some(fault.clone()); // the others need not wait for it one after the other
            }
            let missing = || Err(StoreFault::Broken("a write was not answered".to_owned()));
            let written = done.and_then(|mut ids| ids.pop().unwrap_or_else(missing));
            drop(answer.send(written)); // nobody waits any more: nothing to tell
        }
    }

    async fn commit_in_time(&mut self, works: &[Work]) -> Result<Vec<Written>, StoreFault> {
        let began = Instant::now();
        let done = self.try_in_time(works, began).await;
        self.meter.settled(began, done.is_ok());
        if let Err(fault) = &done {
            tracing::warn!(%fault, writes = works.len(), "nothing of this group was written");
        }
        done
    }

    /// Tries until it is done, refused, or the database was away for too long. Whether a try that was not answered took place the next one sees.
    async fn try_in_time(&mut self, works: &[Work], began: Instant) -> Result<Vec<Written>, StoreFault> {
        loop {
            let tried = timeout(left(began), self.commit(works)).await;
            match tried.unwrap_or(Err(StoreFault::Lost)) {
                Err(StoreFault::Crossed) if began.elapsed() < PATIENCE => {}
                Err(StoreFault::Lost | StoreFault::Crossed) => {
                    self.hang_up();
                    if began.elapsed() >= PATIENCE {
                        return Err(StoreFault::Lost);
                    }
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                done => return done,
            }
        }
    }

    fn hang_up(&mut self) {
        if let Some(line) = self.line.take() {
            line.hang_up();
        }
    }

    /// The connection; a new one, if the old one broke and no other server had the house meanwhile.
    async fn line(&mut self) -> Result<&mut Line, StoreFault> {
        if self.line.as_ref().is_none_or(|line| line.client.is_closed()) {
            self.line = None;
            let line = Line::connect(&self.config).await?;
            let taken = take_house(&line, self.have, PATIENCE / 2).await?;
            let latest: Option<i64> =
                line.client.query_one("SELECT max(began) FROM nodes", &[]).await?.get(0);
            let later = self.have == Have::Alone && latest.map(nat) != Some(self.began);
            if later || !taken && self.have == Have::Shared {
                return Err(StoreFault::InUse(shown(&self.config)));
            }
            if !taken {
                return Err(StoreFault::Lost); // by our own connection of before: the database has not noticed yet that it is gone
            }
            tracing::info!("the database is back");
            self.line = Some(line);
        }
        self.line.as_mut().ok_or(StoreFault::Lost)
    }

    async fn commit(&mut self, works: &[Work]) -> Result<Vec<Written>, StoreFault> {
        let own = (self.node, self.began);
        let line = self.line().await?;
        line.run("BEGIN", &[]).await?;
        match write_all(line, works, own).await {
            Ok((written, rows)) => {
                line.run("COMMIT", &[]).await?;
                self.meter.added(rows);
                Ok(written)
            }
            Err(fault) => {
                // If this fails too, the connection is gone, and the transaction with it.
                if line.run("ROLLBACK", &[]).await.is_err() {
                    self.line = None;
                }
                Err(fault)
            }
        }
    }
}

/// How long who began then waits on: never without end, and long enough for one more try.
fn left(began: Instant) -> Duration {
    PATIENCE.saturating_sub(began.elapsed()).max(LAST_TRY)
}

/// Writes a group inside its transaction; answers how each write went, and how many rows were added. The rows come before everything that goes with them:
/// if one is there already, nothing else has been done twice.
async fn write_all(
    line: &Line,
    works: &[Work],
    own: (NodeId, u64),
) -> Result<(Vec<Written>, u64), StoreFault> {
    let appends = works.iter().filter_map(|work| match work {
        Work::Append(more) => Some(more.table.number),
        _ => None,
    });
    let mut held = Held::of(line, appends.collect()).await?;
    let (mut lines, mut rest, mut written) = (Lines::default(), Vec::new(), Vec::new());
    for work in works {
        written.push(match work {
            Work::Make(table) => Ok(Some(make(line, table, &mut lines).await?)),
            Work::Append(more) => match held.place(line, more).await? {
                Place::Next => {
                    lines.append(more);
                    rest.push(work);
                    Ok(None)
                }
                Place::Done => Ok(None),
                Place::Old => Err(StoreFault::Fenced),
            },
            other => {
                rest.push(other);
                Ok(None)
            }
        });
    }
    let rows = lines.write(line).await?;
    for work in rest {
        set(line, work, own).await?;
    }
    Ok((written, rows))
}

/// Writes what is the same however often it is written, or goes with rows that are new.
async fn set(line: &Line, work: &Work, (node, began): (NodeId, u64)) -> Result<(), StoreFault> {
    match work {
        Work::Make(_) => Ok(()),
        Work::Append(more) => append(line, more).await,
        Work::Alive(wall) => {
            // A node that was frozen may have been taken for dead, and its row away.
            let sql = "INSERT INTO nodes (node, began, alive, until)
                       VALUES ($2, $4, $1, clock_timestamp() + make_interval(secs => $3))
                       ON CONFLICT (node) DO UPDATE SET alive = excluded.alive, until = excluded.until";
            line.run(sql, &[&int(*wall), &node.0, &LEASE, &int(began)]).await
        }
        Work::Name(person, wall) => {
            let sql = "INSERT INTO people (id, name, made) VALUES ($1, $2, $3)
                       ON CONFLICT (id) DO UPDATE SET name = excluded.name";
            line.run(sql, &[&person.id, &person.name, &int(*wall)]).await
        }
        Work::Phrase(id, hash) => {
            line.run("UPDATE people SET phrase = $2 WHERE id = $1", &[id, &hash.as_slice()]).await
        }
        Work::Token(id, hash) => {
            line.run("UPDATE people SET token = $2 WHERE id = $1", &[id, &hash.as_slice()]).await
        }
    }
}
