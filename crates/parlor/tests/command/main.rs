//! The real command: golden answers, every example of its help and its docs, whole games verified, and bad input that teaches.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

mod answers;
mod common;
mod examples;
mod hosting;
mod keeping;
mod logs;
#[cfg(target_os = "linux")]
mod package;
mod proxies;
mod terminal;
mod ties;
