//! `parlor play`: the games in this terminal, on this machine or at a table of a server.

use crate::answer::{Answer, Failure, Outcome};
use serde_json::json;

/// Plays until the person leaves. There is nothing to say afterwards.
pub(crate) fn play(ask: &term::Ask) -> Outcome {
    term::run(ask).map_err(|fault| Failure::new("play", fault))?;
    Ok(Answer::new("", &json!({"played": true})))
}
