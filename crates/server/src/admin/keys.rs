//! What administrators are known by: keys that cannot be guessed. Only sums of them are kept.

use crate::id;
use crate::people::hex;
use crate::store::office::KeySum;
use sha2::{Digest, Sha256};

/// 128 random bits: in a link, or in the cookie of a browser that is signed in.
pub(crate) type Key = String;

pub(crate) fn new_key() -> Key {
    id::fresh()
}

/// What is kept of a key.
pub(crate) fn sum(key: &str) -> KeySum {
    summed("parlor administrator\0", key)
}

/// What every form of a browser with this key carries: a page elsewhere does not know it.
pub(crate) fn form_token(key: &str) -> String {
    hex(&summed("parlor form\0", key))
}

fn summed(purpose: &str, key: &str) -> [u8; 32] {
    Sha256::new().chain_update(purpose).chain_update(key).finalize().into()
}
