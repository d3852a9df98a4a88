//! Stopping a search that has a flag of its own when somebody else's flag is set.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How often it is looked whether the work is still wanted.
const LOOK: Duration = Duration::from_millis(30);

/// Does `work`; `flag` is set soon after `stop` is.
pub(crate) fn heed<T>(stop: &AtomicBool, flag: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let carry = || flag.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
    carry();
    // A page has no threads: it ends the whole worker.
    if cfg!(target_arch = "wasm32") {
        return work();
    }
    thread::scope(|scope| {
        let (_done, bell) = mpsc::channel::<()>();
        let watch = move || {
            while bell.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                carry();
            }
        };
        // Where no thread can be had the work is done all the same, to its end.
        drop(thread::Builder::new().spawn_scoped(scope, watch));
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn the_word_is_carried_and_only_when_it_was_said() {
        let (stop, flag) = (AtomicBool::new(false), AtomicBool::new(false));
        let told = |patience: Duration| {
            let start = Instant::now();
            while !flag.load(Ordering::Relaxed) && start.elapsed() < patience {
                thread::sleep(Duration::from_millis(1));
            }
            flag.load(Ordering::Relaxed)
        };
        assert!(!heed(&stop, &flag, || told(3 * LOOK)));
        let heard = heed(&stop, &flag, || {
            stop.store(true, Ordering::Relaxed);
            told(Duration::from_secs(60))
        });
        assert!(heard);
    }
}
