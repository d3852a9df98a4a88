//! Looking after a house from the command line, while it is open or not: `parlor admin`, `parlor people`, `parlor tables`.

use crate::answer::{Answer, Failure, Outcome};
use crate::home::Where;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use server::Admin;
use server::store::StoreFault;
use server::store::office::{Known, OpenTable};
use std::fmt::Write;

/// A link for an administrator.
#[derive(Clone, Debug, Args)]
pub(crate) struct Ask {
    /// Sign all administrators out instead, and make links that were not used yet useless
    #[arg(long)]
    revoke: bool,
    /// The address of the house as its administrator's browser knows it
    #[arg(long, value_name = "ADDRESS", default_value = "http://127.0.0.1:7777")]
    at: String,
    #[command(flatten)]
    house: Where,
}

/// What can be done about people.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum People {
    /// People by name, the latest first
    #[command(after_help = "Examples:\n  parlor people list\n  parlor people list ann")]
    List {
        /// What the name holds
        name: Option<String>,
        #[command(flatten)]
        house: Where,
    },
    /// Gives somebody another name
    #[command(after_help = "Example:\n  parlor people rename Ann \"Ann Lee\"")]
    Rename {
        /// The id or the name
        person: String,
        /// The new name
        name: String,
        #[command(flatten)]
        house: Where,
    },
    /// Lets somebody only watch from now on
    #[command(after_help = "Example:\n  parlor people suspend Ann")]
    Suspend {
        /// The id or the name
        person: String,
        #[command(flatten)]
        house: Where,
    },
    /// Lets somebody play again
    #[command(after_help = "Examples:\n  parlor people suspend Ann\n  parlor people lift Ann")]
    Lift {
        /// The id or the name
        person: String,
        #[command(flatten)]
        house: Where,
    },
    /// Deletes what is kept of somebody; games that were played stay, without the person
    #[command(after_help = "Example:\n  parlor people forget Ann --sure")]
    Forget {
        /// The id or the name
        person: String,
        /// It cannot be undone
        #[arg(long, required = true)]
        sure: bool,
        #[command(flatten)]
        house: Where,
    },
}

/// What can be done about tables.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Tables {
    /// Tables that are not over, the latest first
    #[command(after_help = "Example:\n  parlor tables list")]
    List {
        #[command(flatten)]
        house: Where,
    },
    /// Closes a table; its game is broken off, and nobody wins or loses
    #[command(after_help = "Example:\n  parlor tables close 1 \"The club closes at ten. Good night!\"")]
    Close {
        /// Its number in the list
        table: i64,
        /// What its players are told
        #[arg(default_value = "The administrator closed this table.")]
        says: String,
        #[command(flatten)]
        house: Where,
    },
}

fn wrong(fault: StoreFault) -> Failure {
    Failure::new("admin", fault)
}

fn of(house: &Where) -> Result<Admin, Failure> {
    Ok(Admin::of(house.home()?))
}

/// Prints a link, or revokes all.
pub(crate) fn link(ask: &Ask) -> Outcome {
    let admin = of(&ask.house)?;
    if ask.revoke {
        admin.revoke().map_err(wrong)?;
        return Ok(Answer::new("All administrators are signed out.", &json!({"revoked": true})));
    }
    let link = format!("{}{}", ask.at.trim_end_matches('/'), admin.link().map_err(wrong)?);
    let words = format!(
        "{link}\nIt signs one browser in as administrator, within the hour. Whoever has it can do so."
    );
    Ok(Answer::new(words, &json!({"link": link})))
}

/// Does something about people.
pub(crate) fn people(ask: &People) -> Outcome {
    match ask {
        People::List { name, house } => {
            let known = of(house)?.people(name.as_deref().unwrap_or_default()).map_err(wrong)?;
            Ok(listed(&known))
        }
        People::Rename { person, name, house } => {
            let (admin, known) = found(house, person)?;
            let new = admin.rename(&known.person.id, name).map_err(wrong)??;
            let words = format!("{} is called {new} now.", known.person.name);
            Ok(Answer::new(words, &json!({"id": known.person.id, "name": new})))
        }
        People::Suspend { person, house } => {
            let (admin, known) = found(house, person)?;
            let new = admin.suspend(&known.person.id).map_err(wrong)?;
            Ok(done(&known, new, "may only watch from now on", "was suspended already"))
        }
        People::Lift { person, house } => {
            let (admin, known) = found(house, person)?;
            let new = admin.lift(&known.person.id).map_err(wrong)?;
            Ok(done(&known, new, "may play again", "was not suspended"))
        }
        People::Forget { person, house, .. } => {
            let (admin, known) = found(house, person)?;
            let new = admin.forget(&known.person.id).map_err(wrong)?;
            Ok(done(&known, new, "is forgotten", "was forgotten already"))
        }
    }
}

fn found(house: &Where, person: &str) -> Result<(Admin, Known), Failure> {
    let admin = of(house)?;
    let known = admin.person(person).map_err(wrong)??;
    Ok((admin, known))
}

fn done(known: &Known, new: bool, did: &str, was: &str) -> Answer {
    let words = format!("{} {}.", known.person.name, if new { did } else { was });
    Answer::new(words, &json!({"id": known.person.id, "name": known.person.name, "changed": new}))
}

fn listed(known: &[Known]) -> Answer {
    let mut words = String::new();
    for Known { person, suspended, .. } in known {
        let state = if suspended.is_some() { "  suspended" } else { "" };
        let _ = writeln!(words, "{}  {}{state}", person.id, person.name); // a String never fails to be written
    }
    if known.is_empty() {
        "Nobody.".clone_into(&mut words);
    }
    let all: Vec<Value> = known
        .iter()
        .map(|Known { person, made, suspended }| {
            json!({"id": person.id, "name": person.name, "made": made, "suspended": suspended})
        })
        .collect();
    Answer::new(words.trim_end(), &json!({"people": all}))
}

/// Does something about tables.
pub(crate) fn tables(ask: &Tables) -> Outcome {
    match ask {
        Tables::List { house } => Ok(open(&of(house)?.tables().map_err(wrong)?)),
        Tables::Close { table, says, house } => {
            let closed = of(house)?.close(*table, says).map_err(wrong)??;
            let words = if closed {
                format!(
                    "Table {table} is closed. Whoever is at it is told within two seconds; the others when they come."
                )
            } else {
                format!("There is no open table {table}. See parlor tables list.")
            };
            let answer = Answer::new(words, &json!({"table": table, "closed": closed}));
            Ok(if closed { answer } else { answer.no() })
        }
    }
}

fn open(tables: &[OpenTable]) -> Answer {
    let mut words = String::new();
    for OpenTable { number, game, playing, people, .. } in tables {
        let state = if *playing { "playing" } else { "gathering" };
        let _ = writeln!(words, "{number}  {game}  {state}  {people}"); // a String never fails to be written
    }
    if tables.is_empty() {
        "No table is open.".clone_into(&mut words);
    }
    let all: Vec<Value> = tables
        .iter()
        .map(|OpenTable { number, game, playing, made, people, .. }| {
            json!({"table": number, "game": game, "playing": playing, "made": made, "people": people})
        })
        .collect();
    Answer::new(words.trim_end(), &json!({"tables": all}))
}
