//! Ctrl-C: long work stops and gives what it has found so far. A second Ctrl-C ends the program at once.

use signal_hook::consts::SIGINT;
use signal_hook::flag as hook;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What a shell shows for a program that was interrupted.
pub(crate) const EXIT: u8 = 130;

/// Listens for Ctrl-C from now on; the flag is set when it comes.
pub(crate) fn flag() -> &'static AtomicBool {
    ASKED.get_or_init(|| {
        let (asked, again) = (Arc::default(), Arc::default());
        // They are gone through in this order: the first Ctrl-C finds `again` not set yet, and sets it. Where nothing can be
        // registered, Ctrl-C ends the program as it always does.
        let _ = hook::register(SIGINT, Arc::clone(&asked))
            .and_then(|_| hook::register_conditional_shutdown(SIGINT, EXIT.into(), Arc::clone(&again)))
            .and_then(|_| hook::register(SIGINT, again));
        asked
    })
}

/// Was Ctrl-C pressed?
pub(crate) fn asked() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed))
}

/// What work has come to so far, for whoever cannot wait for its end.
pub(crate) struct Latest<T>(Arc<Mutex<Option<T>>>);

impl<T> Latest<T> {
    /// This is what is known now.
    pub(crate) fn set(&self, known: T) {
        if let Ok(mut latest) = self.0.lock() {
            *latest = Some(known);
        }
    }
}

/// Does the work on another thread. When it is interrupted, gives the latest that the work has told of.
pub(crate) fn or_latest<T: Send + 'static>(work: impl FnOnce(&Latest<T>) -> T + Send + 'static) -> Option<T> {
    let flag = flag();
    let latest = Arc::new(Mutex::new(None));
    let told = Latest(Arc::clone(&latest));
    let (done, bell) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody listens any more when the work was interrupted.
        let _ = done.send(work(&told));
    });
    loop {
        match bell.recv_timeout(Duration::from_millis(30)) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if flag.load(Ordering::Relaxed) => {
                return latest.lock().ok().and_then(|mut latest| latest.take());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
