//! A table and its disk: what happened is written, and then answered and told; what cannot be written is taken back, and the clock stands.

use super::nodes::{Held, claim, sentence};
use super::presence::Watch;
use super::{Asked, Keeper, refuse, short};
use crate::clock::TableClock;
use crate::outlet::Outlet;
use crate::repeats::Answer;
use crate::room::{Batch, text};
use crate::say;
use crate::store::{Append, ClockMark, StoreFault};
use protocol::{Message, Phase};
use std::time::Duration;
use table::{Spoken, Time};
use tokio::time::Instant;

/// How long a table waits before it tries to write again what could not be written: at first, and at most.
pub(super) const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(1);

/// An answer that waits for the disk.
pub(super) struct Waiting {
    pub(super) asked: Box<Asked>,
    pub(super) answer: Answer,
    /// Whether it should hear about the table from now on, and how it comes to that.
    pub(super) watch: Option<Watch>,
    /// Whether it stands or falls with what is to be written.
    pub(super) changes: bool,
}

/// Nothing can be written while a game is played: its clock stands, because nobody can act.
pub(super) struct Trouble {
    pub(super) stands: Time,
    /// When it is tried again.
    pub(super) again: Instant,
}

impl Keeper {
    /// Writes what happened, and then answers and tells it; or takes it all back.
    pub(super) async fn settle(&mut self, mut batch: Batch, waiting: Vec<Waiting>) {
        let append = std::mem::replace(&mut batch.append, Append::new(self.room.key));
        let on_disk = self.room.seq() - append.rows.len() as u64;
        let (stands, says) = (self.time(), !append.rows.is_empty());
        let written =
            if append.rows.is_empty() && (waiting.is_empty() && self.comers.is_empty() || self.is_sure()) {
                Ok(())
            } else {
                self.write(append).await
            };
        let undone = match written {
            Ok(()) => {
                if says {
                    self.pause = SOON;
                    self.go_on();
                }
                None
            }
            Err(fault) => {
                if fault == StoreFault::Fenced || !self.reload(stands).await {
                    return self.lose(waiting);
                }
                batch = Batch::new(self.room.key);
                if self.room.seq() != on_disk {
                    self.tell_afresh(); // a database that was lost had written after all
                }
                Some(say("store", sentence(&fault)))
            }
        };
        for wait in &waiting {
            let Asked { outlet, command, heard, .. } = &*wait.asked;
            let id = command.id().unwrap_or(0);
            match (&wait.answer, &undone) {
                (Answer::Done(..), Some(why)) if wait.changes => self.refuse(outlet, id, why),
                (Answer::Refused(why), _) => self.refuse(outlet, id, why),
                (Answer::Done(seq, table), _) => {
                    // Who only watches is told of nothing that could not be written.
                    let seq = (*seq).min(self.room.seq());
                    self.done(outlet, id, seq, table.as_deref());
                }
            }
            self.hall.metrics.answer.observe(heard.elapsed().as_secs_f64());
        }
        self.release(batch);
        for Waiting { asked, watch, changes, .. } in waiting {
            if let Some(watch) = watch.filter(|_| undone.is_none() || !changes) {
                self.watch(&asked.outlet, watch);
            }
        }
    }

    /// Another node has the table. What was not answered goes to it; what came from other nodes they send there themselves.
    fn lose(&mut self, waiting: Vec<Waiting>) {
        let asked = waiting.into_iter().map(|wait| wait.asked);
        self.lost = Some(asked.filter(|asked| asked.outlet.id.node.is_none()).collect());
    }

    /// Writes, as long as the table is ours.
    async fn write(&mut self, append: Append) -> Result<(), StoreFault> {
        let sure = self.hall.silences();
        self.hall.store.append(append).await?;
        self.sure = sure;
        Ok(())
    }

    /// Whether nobody else can have the table: a node that was silent for too long must not even refuse from memory.
    fn is_sure(&self) -> bool {
        self.sure.is_some() && self.sure == self.hall.silences()
    }

    pub(super) async fn still_ours(&mut self) {
        if self.write(Append::new(self.room.key)).await == Err(StoreFault::Fenced) {
            self.lost.get_or_insert_default();
        }
    }

    fn refuse(&self, outlet: &Outlet, id: u64, why: &Spoken) {
        self.hall.metrics.refused.one();
        refuse(outlet, Some(id), why);
    }

    fn done(&self, outlet: &Outlet, id: u64, seq: u64, table: Option<&str>) {
        let table = Some(table.unwrap_or(&self.id).to_owned());
        outlet.answer(Some(id), text(&Message::<()>::Done { id, table, seq: Some(seq) }).into());
    }

    /// The clock stands from now on, and in a while it is tried again whether anything can be written.
    fn stand_still(&mut self, stands: Time) {
        let again = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(LATER);
        self.trouble = (self.room.phase == Phase::Playing).then_some(Trouble { stands, again });
    }

    /// The clock goes on from where it stood: nobody is charged for the time when nothing could be written.
    fn go_on(&mut self) {
        if let Some(trouble) = self.trouble.take() {
            self.clock = TableClock::at(trouble.stands);
        }
    }

    /// In trouble, when it is time for it: writes down where the clock stands. Time, bots and absences wait for that; people's commands are tried as
    /// they come, and one that can be written ends the trouble too.
    pub(super) async fn try_again(&mut self) {
        let due = |trouble: &&Trouble| trouble.again <= Instant::now();
        let Some(stands) = self.trouble.as_ref().filter(due).map(|trouble| trouble.stands) else { return };
        match self.write(self.clock_mark(true)).await {
            Ok(()) => {
                self.go_on();
                self.tell_afresh(); // everybody's clock at home has run on
            }
            Err(StoreFault::Fenced) => drop(self.lost.get_or_insert_default()),
            Err(_) => self.stand_still(stands),
        }
    }

    /// What is on disk is what happened: after a failed write the table starts from there again, its clock where it stood. Answers whether it is
    /// still ours.
    async fn reload(&mut self, stands: Time) -> bool {
        let mut wait = Duration::from_millis(50);
        loop {
            match claim(&self.hall, &self.id).await {
                Ok(Held::Here(room, _)) => {
                    let before = std::mem::replace(&mut self.room, *room);
                    self.room.remember_refusals(before);
                    break;
                }
                Ok(Held::There(_)) => return false,
                Err(why) => {
                    tracing::error!(
                        table = short(&self.id),
                        why = why.spoken().says,
                        "a table cannot be read back"
                    );
                    // Meanwhile commands wait in the bounded queue, or are turned away as busy.
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(Duration::from_secs(5));
                }
            }
        }
        // A database that was lost may have written after all: the clock does not stand before what happened.
        let last = self.room.game.as_ref().map_or(Time::START, |game| game.table().now());
        self.stand_still(stands.max(last));
        self.ask_bots();
        self.note_away(); // whose seat could not be given to a bot is still away
        true
    }

    fn clock_mark(&self, runs: bool) -> Append {
        let mark = ClockMark { time: self.time(), wall: self.hall.clock.now(), runs };
        Append { clock: Some(mark), ..Append::new(self.room.key) }
    }

    /// Writes down that the clock runs from here, without waiting for it: at worst somebody is given a little time.
    pub(super) fn start_clock(&self) {
        if self.room.phase == Phase::Playing {
            tokio::spawn(self.hall.store.append(self.clock_mark(true)));
        }
    }

    /// Writes down where the clock stands until the table has an owner again, and that it has none.
    pub(super) async fn let_go(&mut self) {
        let playing = self.room.phase == Phase::Playing;
        let clock = self.clock_mark(false).clock.filter(|_| playing);
        let append = Append { clock, leave: true, ..Append::new(self.room.key) };
        if (playing || !self.hall.bus.alone())
            && let Err(fault) = self.hall.store.append(append).await
        {
            tracing::warn!(table = short(&self.id), %fault, "the table could not be let go");
        }
    }
}
