//! How often is too often: buckets that fill with time.

use crate::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

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

    /// Takes so many drops, or all there are.
    fn spill(&mut self, count: u32, rate: Rate, now: Instant) {
        for _ in 0..count.min(rate.most) {
            self.take(rate, now);
        }
    }
}

/// Buckets of many people and addresses, one for each thing they do.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    buckets: Mutex<Buckets>,
    /// What was allowed since the other nodes were told; nothing, where there are none.
    allowed: Option<Mutex<HashMap<Deed, u32>>>,
}

/// What somebody does, and who.
type Deed = (Box<str>, String);
type Buckets = HashMap<Deed, (Bucket, Rate)>;

/// When there are so many buckets, the full ones are thrown away.
const MANY: usize = 50_000;

impl Rates {
    /// Of a node that is alone, or one of many.
    pub(crate) fn new(alone: bool) -> Rates {
        Rates { buckets: Mutex::default(), allowed: (!alone).then(Mutex::default) }
    }

    /// Whether this one may do that once more.
    pub(crate) fn allow(&self, what: &str, who: impl Into<String>, rate: Rate) -> bool {
        let now = Instant::now();
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= MANY {
            buckets.retain(|_, (bucket, rate)| now.saturating_duration_since(bucket.at) < rate.per);
        }
        let deed: Deed = (what.into(), who.into());
        let told = self.allowed.as_ref().map(|allowed| (allowed, deed.clone()));
        let (bucket, _) = buckets.entry(deed).or_insert_with(|| (Bucket::full(rate, now), rate));
        let there = bucket.take(rate, now);
        if let Some((allowed, deed)) = told.filter(|_| there) {
            let mut allowed = lock(allowed);
            if allowed.len() < MANY {
                *allowed.entry(deed).or_default() += 1;
            }
        }
        there
    }

    /// What was allowed here since the last time, for the other nodes.
    pub(crate) fn allowed(&self) -> Vec<(String, String, u32)> {
        let Some(allowed) = &self.allowed else { return Vec::new() };
        let allowed = std::mem::take(&mut *lock(allowed));
        allowed.into_iter().map(|((what, who), count)| (what.into(), who, count)).collect()
    }

    /// Another node has allowed this: what is left is less here too. A bucket that nobody has used here yet is as full as it may be.
    pub(crate) fn allowed_elsewhere(&self, what: &str, who: String, count: u32, rate: Rate) {
        let now = Instant::now();
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= MANY {
            return;
        }
        let (bucket, rate) =
            buckets.entry((what.into(), who)).or_insert_with(|| (Bucket::full(rate, now), rate));
        bucket.spill(count, *rate, now);
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
    fn what_one_node_allows_is_taken_from_the_others() {
        let rate = Rate { most: 3, per: Duration::from_secs(3_600) };
        let (one, two) = (Rates::new(false), Rates::new(false));
        assert!(one.allow("guest", "here", rate) && one.allow("guest", "here", rate));
        for (what, who, count) in one.allowed() {
            two.allowed_elsewhere(&what, who, count, rate);
        }
        assert!(two.allow("guest", "here", rate));
        assert!(!two.allow("guest", "here", rate));
        assert!(two.allow("guest", "there", rate) && one.allowed().is_empty());
        assert!(Rates::new(true).allowed().is_empty());
    }

    #[test]
    fn a_household_is_one_address_or_one_network_of_version_six() {
        let of = |text: &str| household(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
