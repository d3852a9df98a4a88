//! The real command: golden answers, every example of its help and its docs, whole games verified, and bad input that teaches.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

mod answers;
mod common;
mod docs;
mod examples;
mod hosting;
mod keeping;
mod logs;
#[cfg(target_os = "linux")]
mod machine;
mod package;
mod places;
mod probing;
mod proxies;
mod sealed;
mod terminal;
mod ties;
