//! How often is too often: buckets that fill with time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A bucket of so many drops that fills up again in so much time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    drops: f64,
    at: Instant,
}

/// How much a bucket holds, and how long it takes to fill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) most: u32,
    pub(crate) per: Duration,
}

impl Bucket {
    pub(crate) fn full(rate: Rate, now: Instant) -> Bucket {
        Bucket { drops: f64::from(rate.most), at: now }
    }

    /// Takes a drop, if there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let most = f64::from(rate.most);
        let filled = now.saturating_duration_since(self.at).as_secs_f64() / rate.per.as_secs_f64() * most;
        self.drops = (self.drops + filled).min(most);
        self.at = now;
        let there = self.drops >= 1.0;
        if there {
            self.drops -= 1.0;
        }
        there
    }
}

/// Buckets of many people and addresses, one for each thing they do.
#[derive(Debug, Default)]
pub(crate) struct Rates(Mutex<Buckets>);

/// What somebody does, and who.
type Buckets = HashMap<(&'static str, String), (Bucket, Rate)>;

/// When there are so many buckets, the full ones are thrown away.
const MANY: usize = 50_000;

impl Rates {
    /// Whether this one may do that once more.
    pub(crate) fn allow(&self, what: &'static str, who: impl Into<String>, rate: Rate) -> bool {
        let now = Instant::now();
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MANY {
            buckets.retain(|_, (bucket, rate)| now.saturating_duration_since(bucket.at) < rate.per);
        }
        let (bucket, _) =
            buckets.entry((what, who.into())).or_insert_with(|| (Bucket::full(rate, now), rate));
        bucket.take(rate, now)
    }
}

/// What counts as one address: of IPv6, the network of one household.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => four.into(),
            None => (six.to_bits() >> 64 << 64).to_be_bytes().into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rate = Rate { most: 3, per: Duration::from_secs(30) };
        let start = Instant::now();
        let mut bucket = Bucket::full(rate, start);
        let taken: Vec<bool> = (0..4).map(|_| bucket.take(rate, start)).collect();
        assert_eq!(taken, [true, true, true, false]);
        assert!(!bucket.take(rate, start + Duration::from_secs(9)));
        assert!(bucket.take(rate, start + Duration::from_secs(11)));
        assert!(!bucket.take(rate, start + Duration::from_secs(11)));
    }

    #[test]
    fn a_household_is_one_address_or_one_network_of_version_six() {
        let of = |text: &str| household(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
