//! How long to wait before the next try to connect.

use table::Luck;

/// The wait after the first failure, and the longest, in milliseconds.
const FIRST: f64 = 250.0;
const LONGEST: f64 = 10_000.0;
/// How much longer each wait is than the one before.
const GROWS: f64 = 1.7;

/// Waits that grow from failure to failure, each with a fifth more or less by chance: a server that comes back is not met
/// by all its clients in one moment.
#[derive(Debug)]
pub(crate) struct Backoff {
    failures: i32,
    luck: Luck,
}

impl Backoff {
    pub(crate) fn new(luck: u64) -> Backoff {
        Backoff { failures: 0, luck: Luck::new(luck) }
    }

    /// The connection holds.
    pub(crate) const fn reset(&mut self) {
        self.failures = 0;
    }

    /// It failed once more: how long to wait now, in milliseconds.
    pub(crate) fn wait(&mut self) -> u64 {
        let wait = (FIRST * GROWS.powi(self.failures)).min(LONGEST);
        self.failures = (self.failures + 1).min(30);
        let jitter = 0.8 + self.luck.below(401) as f64 / 1000.0;
        (wait * jitter) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_bound_and_no_two_clients_wait_alike() {
        let waits = |luck| {
            let mut backoff = Backoff::new(luck);
            (0..60).map(|_| backoff.wait()).collect::<Vec<_>>()
        };
        let (one, other) = (waits(1), waits(2));
        assert!((200..=300).contains(&one[0]) && (8_000..=12_000).contains(&one[59]), "{one:?}");
        assert!(one[..6].windows(2).all(|pair| pair[0] < pair[1]), "{one:?}");
        assert_ne!(one, other);
        let mut backoff = Backoff::new(1);
        backoff.wait();
        backoff.reset();
        assert!(backoff.wait() <= 300);
    }
}
