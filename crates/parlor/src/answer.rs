//! What a command has to say: words for people, JSON for programs, and an exit code for both.

use crate::interrupt;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// How answers are printed. On a terminal they are words; in a pipe, or when asked, JSON.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Form {
    /// Answer in JSON (the default when the output is not a terminal)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Answer in words, even into a pipe
    #[arg(long, global = true, conflicts_with = "json")]
    pub(crate) text: bool,
}

/// An answer.
pub(crate) struct Answer {
    /// What it says in words.
    text: String,
    json: Value,
    end: End,
}

/// How an answer ends the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Exit code 0.
    Yes,
    /// Exit code 1.
    No,
    /// All that was found before Ctrl-C; exit code 130.
    Interrupted,
    /// Everything has been said already; exit code 0.
    Silent,
}

impl Answer {
    /// An answer from what it says in words and in JSON.
    pub(crate) fn new(text: impl Into<String>, json: &impl Serialize) -> Answer {
        let json = serde_json::to_value(json).unwrap_or(Value::Null);
        Answer { text: text.into(), json, end: End::Yes }
    }

    /// The same answer with words before it, and one more field.
    pub(crate) fn after(mut self, words: &str, field: &str, value: Value) -> Answer {
        self.text.insert_str(0, words);
        if let Value::Object(fields) = &mut self.json {
            fields.insert(field.to_owned(), value);
        }
        self
    }

    /// The same answer as a no.
    pub(crate) fn no(mut self) -> Answer {
        self.end = End::No;
        self
    }

    /// The same answer, marked as what was found so far if Ctrl-C was pressed.
    pub(crate) fn so_far(mut self) -> Answer {
        if interrupt::asked() {
            self.text = format!("Interrupted. So far:\n{}", self.text);
            if let Value::Object(fields) = &mut self.json {
                fields.insert("interrupted".to_owned(), true.into());
            }
            self.end = End::Interrupted;
        }
        self
    }

    /// What it says in words, and whether it is a yes.
    #[cfg(test)]
    pub(crate) fn said(&self) -> (&str, bool) {
        (&self.text, self.end == End::Yes)
    }

    /// An answer that has been given already.
    pub(crate) fn silent() -> Answer {
        Answer { text: String::new(), json: Value::Null, end: End::Silent }
    }
}

/// Why there is no answer. Exit code 2.
pub(crate) struct Failure {
    code: String,
    says: String,
}

impl Failure {
    /// A failure from its words; `code` is for programs.
    pub(crate) fn new(code: &str, says: impl Display) -> Failure {
        Failure { code: code.to_owned(), says: says.to_string() }
    }
}

#[cfg(test)]
impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.says)
    }
}

impl From<table::Spoken> for Failure {
    fn from(spoken: table::Spoken) -> Failure {
        Failure { code: spoken.code, says: spoken.says }
    }
}

/// What a command ends with.
pub(crate) type Outcome = Result<Answer, Failure>;

/// Prints the outcome of a command, and says how it ended.
pub(crate) fn tell(outcome: Outcome, form: Form) -> ExitCode {
    let in_json = form.json || (!form.text && !io::stdout().is_terminal());
    match outcome {
        Ok(answer) => {
            if answer.end != End::Silent {
                let text = if in_json { answer.json.to_string() } else { answer.text };
                // A reader that has gone away (`parlor … | head`) is no failure of ours.
                let _ = writeln!(io::stdout(), "{}", text.trim_end());
            }
            match answer.end {
                End::Yes | End::Silent => ExitCode::SUCCESS,
                End::No => ExitCode::from(1),
                End::Interrupted => ExitCode::from(interrupt::EXIT),
            }
        }
        Err(failure) if in_json => {
            let _ = writeln!(
                io::stdout(),
                "{}",
                serde_json::json!({"error": failure.code, "says": failure.says})
            );
            ExitCode::from(2)
        }
        Err(failure) => {
            let _ = writeln!(io::stderr(), "parlor: {}", failure.says);
            ExitCode::from(2)
        }
    }
}
