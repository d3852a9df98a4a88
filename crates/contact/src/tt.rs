//! The transposition table: what is known of positions met before. Shared between threads without locks: a slot is two
//! words, and the key is stored mixed with the data, so that a torn slot is no hit.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::moves::Move;

/// What a stored score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A stored result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) mv: Move,
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
}

/// A table of a fixed number of slots.
#[derive(Debug)]
pub(crate) struct Memory {
    slots: Vec<[AtomicU64; 2]>,
}

impl Memory {
    /// A table of about so many megabytes.
    pub(crate) fn new(megabytes: usize) -> Self {
        let count = (megabytes.max(1) << 20) / 16;
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: (0..count).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for slot in &self.slots {
            slot[0].store(0, Ordering::Relaxed);
            slot[1].store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let slot = self.slot(key);
        let data = slot[1].load(Ordering::Relaxed);
        if slot[0].load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        let bound = match data >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        Some(Known {
            mv: Move::from_raw(data as u16),
            score: (data >> 16) as i16,
            depth: (data >> 32) as i8,
            bound,
        })
    }

    #[inline]
    pub(crate) fn put(&self, key: u64, known: Known) {
        let bound = match known.bound {
            Bound::Exact => 1,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        let data = u64::from(known.mv.raw())
            | u64::from(known.score as u16) << 16
            | u64::from(known.depth as u8) << 32
            | bound << 40;
        let slot = self.slot(key);
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_and_nothing_else() {
        let memory = Memory::new(1);
        let known = Known { mv: Move::from_raw(0x8898), score: -1234, depth: -3, bound: Bound::AtLeast };
        memory.put(0xDEAD_BEEF_0000_0001, known);
        assert_eq!(memory.get(0xDEAD_BEEF_0000_0001), Some(known));
        assert_eq!(memory.get(0xDEAD_BEE0_0000_0001), None);
        memory.clear();
        assert_eq!(memory.get(0xDEAD_BEEF_0000_0001), None);
    }
}
