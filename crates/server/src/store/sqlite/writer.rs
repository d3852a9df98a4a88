//! The one thread that writes: everything that waits in one transaction with one fsync, and then everybody's answer.

use super::connection::{checkpoint, connect};
use super::ends::write_down;
use super::rows::Pen;
use super::{Answer, Shared};
use crate::store::StoreFault;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs::{self, File};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::Instant;

/// So many rows may be added before the file is brought up to date about where each table ends.
const ENDS_AFTER: i64 = 100_000;
/// The write-ahead log is folded in when it has so many pages.
const FOLD_AFTER: i64 = 4_000;
/// The most writes in one group.
const GROUP: usize = 8_192;

/// Something that waits to be written.
pub(super) trait Write: Send {
    /// Writes it, inside a transaction; again in one of its own, if what else was in the first was refused.
    fn run(&mut self, pen: &mut Pen<'_>) -> Result<(), StoreFault>;
    /// Answers whoever asked, when its transaction is on disk or was given up.
    fn settle(self: Box<Self>, done: Result<(), StoreFault>);
}

/// Work, what came of it, and who is to hear of that.
pub(super) struct Asked<T, F> {
    pub(super) work: F,
    pub(super) done: Option<T>,
    pub(super) answer: Answer<T>,
}

impl<T: Send, F: FnMut(&mut Pen<'_>) -> Result<T, StoreFault> + Send> Write for Asked<T, F> {
    fn run(&mut self, pen: &mut Pen<'_>) -> Result<(), StoreFault> {
        self.done = Some((self.work)(pen)?);
        Ok(())
    }

    fn settle(self: Box<Self>, done: Result<(), StoreFault>) {
        let Asked { done: came, answer, .. } = *self;
        let done = done.and_then(|()| came.ok_or(StoreFault::Closed));
        drop(answer.send(done)); // nobody waits any more: nothing to tell
    }
}

pub(super) enum Job {
    Write(Box<dyn Write>),
    Close(Answer<()>),
}

pub(super) struct Writer {
    pub(super) db: Connection,
    pub(super) shared: Arc<Shared>,
    /// The next row's number.
    pub(super) next: i64,
    /// The last row that the file's ends know about.
    pub(super) ended: i64,
    pub(super) began: u64,
    pub(super) folding: Option<JoinHandle<()>>,
    pub(super) _lock: File,
}

impl Writer {
    pub(super) fn run(&mut self, waiting: &Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            let (mut group, mut close) = (Vec::new(), None);
            for job in std::iter::once(first).chain(waiting.try_iter().take(GROUP)) {
                match job {
                    Job::Write(write) => group.push(write),
                    Job::Close(answer) => close = Some(answer),
                }
            }
            self.shared.meter.taken(group.len());
            if !group.is_empty() {
                self.commit(group);
            }
            if let Some(answer) = close {
                drop(answer.send(self.finish()));
                return;
            }
            self.fold();
        }
        drop(self.finish());
    }

    /// Writes a group together. If it is refused for something in it, each write has a transaction of its own, and a bad one hurts only itself.
    fn commit(&mut self, mut group: Vec<Box<dyn Write>>) {
        let done = self.write(&mut group);
        let apart = group.len() > 1 && done.as_ref().is_err_and(is_about_a_write);
        for mut write in group {
            let done = if apart { self.write(std::slice::from_mut(&mut write)) } else { done.clone() };
            write.settle(done);
        }
    }

    fn write(&mut self, group: &mut [Box<dyn Write>]) -> Result<(), StoreFault> {
        let began = Instant::now();
        let done = self.transact(group);
        self.shared.meter.settled(began, done.is_ok());
        if let Err(fault) = &done {
            tracing::warn!(%fault, writes = group.len(), "nothing of this group was written");
        }
        done
    }

    fn transact(&mut self, group: &mut [Box<dyn Write>]) -> Result<(), StoreFault> {
        let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
        let mut pen = Pen::new(&self.db, &self.shared.ends, self.next);
        for write in group {
            write.run(&mut pen)?;
        }
        let Pen { next, new, .. } = pen;
        tx.commit()?;
        self.shared.meter.added((next - self.next) as u64);
        self.next = next;
        self.shared.ends.learn(new);
        Ok(())
    }

    /// Folds the write-ahead log into the database, beside the writing; the little that is left at the end is done here, so that
    /// the log can start over.
    fn fold(&mut self) {
        if let Some(folding) = self.folding.take_if(|folding| folding.is_finished()) {
            drop(folding.join());
            if let Err(fault) = checkpoint(&self.db) {
                tracing::warn!(%fault, "the write-ahead log could not be folded in");
            }
            if self.next - self.ended > ENDS_AFTER
                && let Err(fault) = self.write_ends()
            {
                tracing::warn!(%fault, "the ends of the tables could not be written down");
            }
        } else if self.folding.is_none() && self.log_pages() > FOLD_AFTER {
            let file = self.shared.file.clone();
            self.folding = Some(std::thread::spawn(move || {
                let done = connect(&file).and_then(|db| Ok(checkpoint(&db)?));
                if let Err(fault) = done {
                    tracing::warn!(%fault, "the write-ahead log could not be folded in");
                }
            }));
        }
    }

    fn log_pages(&self) -> i64 {
        let log = self.shared.file.with_extension("db-wal");
        fs::metadata(log).map_or(0, |log| log.len() as i64 / 4096)
    }

    fn write_ends(&mut self) -> rusqlite::Result<()> {
        write_down(&self.db)?;
        self.ended = self.next - 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), StoreFault> {
        if let Some(folding) = self.folding.take() {
            drop(folding.join());
        }
        self.write_ends()?;
        checkpoint(&self.db)?;
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        tracing::debug!(began = self.began, "the store is closed");
    }
}

/// Whether the disk is well, and only what was to be written was not.
fn is_about_a_write(fault: &StoreFault) -> bool {
    matches!(fault, StoreFault::Broken(_) | StoreFault::Fenced)
}
