//! Signs of life. The house writes one down now and then, and notes how that went: so whoever asks whether it is well is answered
//! without writing anything.

use crate::hall::Hall;
use crate::lock;
use crate::store::StoreFault;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long a sign is good for.
const FRESH: Duration = Duration::from_secs(2);
/// A sign that takes longer tells that the disk is very slow.
const SLOW: Duration = Duration::from_secs(2);

/// How a sign of life went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It is on disk.
    Written,
    /// It has not come to an end in time.
    Slow,
    /// It could not be written.
    Refused(StoreFault),
}

/// The last sign of life.
#[derive(Debug, Default)]
pub(crate) struct Vitals {
    last: Mutex<Option<(Instant, Sign)>>,
    /// Whoever asks the store; the others wait for the answer.
    asking: tokio::sync::Mutex<()>,
}

impl Vitals {
    fn note(&self, sign: Sign) {
        *lock(&self.last) = Some((Instant::now(), sign));
    }

    fn fresh(&self) -> Option<Sign> {
        let last = lock(&self.last);
        last.as_ref().filter(|(at, _)| at.elapsed() < FRESH).map(|(_, sign)| sign.clone())
    }
}

impl Hall {
    /// Writes down a sign of life.
    pub(crate) async fn give_sign(&self) -> Result<(), StoreFault> {
        let given = self.store.alive(self.clock.now()).await;
        self.vitals.note(given.clone().map_or_else(Sign::Refused, |()| Sign::Written));
        given
    }

    /// How the last sign went. Only if there is none of late, the house gives one: once in a while, however many ask.
    pub(crate) async fn ready(&self) -> Sign {
        if let Some(sign) = self.vitals.fresh() {
            return sign;
        }
        let _turn = self.vitals.asking.lock().await;
        if let Some(sign) = self.vitals.fresh() {
            return sign;
        }
        if timeout(SLOW, self.give_sign()).await.is_err() {
            self.vitals.note(Sign::Slow);
        }
        self.vitals.fresh().unwrap_or(Sign::Slow)
    }
}
