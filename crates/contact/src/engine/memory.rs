//! The transposition table: what is known of positions met before. Shared between threads without locks: a slot is one
//! word, so it is never torn. Small slots keep the table within what the processor can translate and fetch fast.

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
    /// At most 63.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// A table of a fixed number of slots: from the lowest bit move, score, depth, bound, and the top of the key, whose bottom
/// is the slot's place. A wrong hit is one in sixteen million, and its move is checked before it is made.
#[derive(Debug)]
pub(crate) struct Memory {
    slots: Vec<AtomicU64>,
}

const TAG: u64 = !0 << 40;

impl Memory {
    /// A table of about so many megabytes.
    pub(crate) fn new(megabytes: usize) -> Self {
        let count = (megabytes.max(1) << 20) / 8;
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: (0..count).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store(0, Ordering::Relaxed));
    }

    #[inline]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    /// Says that a key will soon be asked for, so that its slot is on the way from memory meanwhile.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(
            unsafe_code,
            reason = "a hint to the processor; without it a tenth of a search waits for the table"
        )
    )]
    pub(crate) fn expect(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing and faults on no address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.slot(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (self, key);
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let data = self.slot(key).load(Ordering::Relaxed);
        let bound = match data >> 38 & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            3 => Bound::AtMost,
            _ => return None,
        };
        ((data ^ key) & TAG == 0).then(|| Known {
            mv: Move::from_raw(data as u16),
            score: (data >> 16) as i16,
            depth: (data >> 32 & 63) as u8,
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
            | u64::from(known.depth & 63) << 32
            | bound << 38
            | key & TAG;
        self.slot(key).store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_and_nothing_else() {
        let memory = Memory::new(1);
        let known = Known { mv: Move::from_raw(0x8898), score: -1234, depth: 63, bound: Bound::AtLeast };
        memory.put(0xDEAD_BEEF_0000_0001, known);
        assert_eq!(memory.get(0xDEAD_BEEF_0000_0001), Some(known));
        assert_eq!(memory.get(0xDEAD_BEE0_0000_0001 ^ 1 << 63), None);
        memory.clear();
        assert_eq!(memory.get(0xDEAD_BEEF_0000_0001), None);
    }
}
