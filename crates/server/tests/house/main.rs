//! The live server, tested from outside: real sockets, real files, real processes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say so at once")]

mod admin;
mod bot;
mod cluster;
mod common;
mod copies;
mod dice;
mod engines;
mod faults;
mod front_door;
mod fuzz;
mod growing;
mod hosting;
mod lobby;
mod old;
mod once;
mod people;
mod play;
mod postgres;
#[cfg(unix)]
mod private;
mod protocol;
mod rules;
mod seats;
mod store;
