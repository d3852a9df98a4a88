//! The conversation: a prompt, a line, what it counts. It works the same on a terminal and in a pipe, and after every
//! line that is accepted the game is on disk.

use crate::ledger::{Ledger, Standing, and, winners};
use crate::store::{Kept, Lock, StoreError};
use crate::terms::Terms;
use crate::timer::Timer;
use crate::trouble::Trouble;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A line longer than this is no line a person types.
const LONGEST_LINE: u64 = 4000;

/// What the conversation needs beside people.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Where the game is kept.
    pub file: PathBuf,
    /// Where the score sheet goes at the end; else it is shown.
    pub sheet: Option<PathBuf>,
    /// How long the solver may think after each turn; not at all if nothing.
    pub think: Option<Duration>,
    /// How long a turn takes, if not as the game says.
    pub seconds: Option<u32>,
    /// Whether a running timer is drawn.
    pub visible: bool,
    /// Begin anew, whatever is kept.
    pub anew: bool,
}

/// How the conversation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Is the game over, or ended by the players?
    pub over: bool,
    /// How the players stand.
    pub standing: Vec<Standing>,
    /// The score sheet.
    pub sheet: String,
    /// How many lines are kept.
    pub lines: usize,
}

/// Why the conversation could not go on. Nothing that was accepted is lost.
#[derive(Debug, Error)]
pub enum KeepError {
    /// The kept game.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was agreed on does not fit.
    #[error(transparent)]
    Terms(#[from] Trouble),
    /// Nobody said who plays.
    #[error("nobody plays: give the names, with commas between")]
    Nobody,
    /// A kept game of other people, or with other terms.
    #[error(
        "{file} holds a game of {names} that is not finished. Go on with it by leaving the names out, or begin anew with --new"
    )]
    Other {
        /// The file.
        file: PathBuf,
        /// Its players.
        names: String,
    },
    /// The terminal or the pipe failed.
    #[error("{0}")]
    Talk(#[from] io::Error),
    /// The score sheet could not be written.
    #[error("{0}: {1}")]
    Sheet(PathBuf, io::Error),
}

/// Talks until the game is over, or the people leave.
pub fn run(
    terms: &Terms,
    names: &[String],
    desk: &Desk,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Ended, KeepError> {
    if !names.is_empty() && !desk.file.exists() {
        // A table that cannot be opened leaves nothing behind, not even a lock.
        terms.open(names)?;
    }
    let _lock = Lock::take(&desk.file)?;
    let kept = match resume(terms, names, desk)? {
        Some(kept) => {
            writeln!(out, "Going on with the game of {}.", list(&kept.names))?;
            kept
        }
        None => begin(terms, names, desk, input, out)?,
    };
    let ledger = kept.ledger(&desk.file)?;
    let mut talk = Talk { kept, ledger, desk, timer: None };
    writeln!(out, "{}", talk.standing())?;
    writeln!(out, "Type what was laid; `help` says how.")?;
    talk.converse(input, out)
}

fn list(names: &[String]) -> String {
    and(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The kept game, if it is to be gone on with.
fn resume(terms: &Terms, names: &[String], desk: &Desk) -> Result<Option<Kept>, KeepError> {
    if desk.anew {
        return Ok(None);
    }
    let Some(kept) = Kept::read(&desk.file)?.filter(|kept| !kept.ended) else { return Ok(None) };
    let other = (!names.is_empty() && names != kept.names) || kept.terms.kind() != terms.kind();
    if other {
        return Err(KeepError::Other { file: desk.file.clone(), names: list(&kept.names) });
    }
    Ok(Some(kept))
}

fn begin(
    terms: &Terms,
    names: &[String],
    desk: &Desk,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Kept, KeepError> {
    let mut names = names.to_vec();
    loop {
        if names.is_empty() {
            write!(out, "Who plays? Names with commas between: ")?;
            out.flush()?;
            let line = line(input)?.ok_or(KeepError::Nobody)?;
            names =
                line.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
            if names.is_empty() {
                continue;
            }
            if let Err(trouble) = terms.open(&names) {
                writeln!(out, "{}", sentence(&trouble.to_string()))?;
                names.clear();
                continue;
            }
        }
        terms.open(&names)?;
        let kept = Kept { terms: terms.clone(), names, lines: Vec::new(), ended: false };
        kept.write(&desk.file)?;
        return Ok(kept);
    }
}

/// A line without its end; nothing when there are no more.
fn line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// The seconds that follow `time`, if there are any and the line asks for the timer. TIME is a word that can be laid, too:
/// what follows it then are dice.
fn timing(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("time")?;
    if rest.is_empty() {
        return Some(rest);
    }
    let seconds = rest.strip_prefix(char::is_whitespace)?.trim_end_matches('s').trim();
    let number = !seconds.is_empty() && seconds.bytes().all(|digit| digit.is_ascii_digit());
    number.then_some(seconds)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

struct Talk<'a> {
    kept: Kept,
    ledger: Box<dyn Ledger>,
    desk: &'a Desk,
    timer: Option<Timer>,
}

impl Talk<'_> {
    fn converse(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Ended, KeepError> {
        loop {
            let prompt = self.ledger.turn().unwrap_or_else(|| "The game is over (end, or undo)".to_owned());
            write!(out, "{prompt}> ")?;
            out.flush()?;
            let Some(line) = line(input)? else {
                writeln!(out)?;
                return self.leave(out);
            };
            if let Some(timer) = self.timer.take() {
                writeln!(out, "{}", timer.stop())?;
            }
            // A command stands alone: END, UNDO and QUIT can also be laid, with the dice left over behind them.
            match line.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.help(out)?,
                "undo" => self.undo(out)?,
                "score" => writeln!(out, "{}", self.standing())?,
                "sheet" => writeln!(out, "{}", self.ledger.sheet())?,
                "best" => self.best_again(out)?,
                "quit" | "exit" => return self.leave(out),
                "end" => return self.end(out),
                typed => match timing(typed) {
                    Some(seconds) => self.time(seconds, out)?,
                    None => self.enter(&line, out)?,
                },
            }
        }
    }

    fn enter(&mut self, line: &str, out: &mut dyn Write) -> Result<(), KeepError> {
        match self.ledger.enter(line) {
            Err(trouble) => writeln!(out, "{}", sentence(&trouble.to_string()))?,
            Ok(says) => {
                self.kept.lines.push(line.to_owned());
                self.kept.write(&self.desk.file)?;
                writeln!(out, "{says}")?;
                self.best(self.desk.think, out)?;
                if self.ledger.turn().is_none() {
                    writeln!(out, "{}", self.standing())?;
                }
            }
        }
        Ok(())
    }

    fn best(&self, think: Option<Duration>, out: &mut dyn Write) -> io::Result<()> {
        let best = think.and_then(|think| self.ledger.best(think));
        best.map_or(Ok(()), |best| writeln!(out, "  {best}"))
    }

    fn best_again(&self, out: &mut dyn Write) -> io::Result<()> {
        let best = self.ledger.best(self.desk.think.unwrap_or(Duration::from_secs(10)));
        writeln!(out, "  {}", best.as_deref().unwrap_or("There is no best to tell."))
    }

    fn undo(&mut self, out: &mut dyn Write) -> Result<(), KeepError> {
        let Some(line) = self.kept.lines.pop() else {
            writeln!(out, "There is nothing to take back.")?;
            return Ok(());
        };
        self.ledger = self.kept.ledger(&self.desk.file)?;
        self.kept.write(&self.desk.file)?;
        writeln!(out, "Taken back: {line}")?;
        Ok(())
    }

    fn time(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let told = text.parse().ok().filter(|seconds| (1..=7200).contains(seconds));
        let agreed = self.desk.seconds.or_else(|| self.ledger.seconds()).filter(|_| text.is_empty());
        let Some(seconds) = told.or(agreed) else {
            return writeln!(out, "How many seconds? Type: time 90");
        };
        writeln!(out, "{seconds} s from now; the next line you type stops the timer.")?;
        if self.desk.visible {
            // The line that the bar is drawn on.
            writeln!(out)?;
        }
        self.timer = Some(Timer::start(seconds, self.desk.visible));
        Ok(())
    }

    fn help(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.ledger.help())?;
        writeln!(
            out,
            "  undo score best sheet    takes the last line back; the points; the best again; the score sheet so far
  time, time 60            starts the timer
  quit                     leaves; the game is kept in {} and goes on next time
  end                      ends the game with its score sheet",
            self.desk.file.display()
        )
    }

    fn standing(&self) -> String {
        let standing = self.ledger.standing();
        let told: Vec<String> =
            standing.iter().map(|player| format!("{} {}", player.name, player.points)).collect();
        let over = self.ledger.turn().is_none() && self.kept.terms.kind() != house::Kind::Contact;
        if over { format!("{}. {}", told.join(", "), winners(&standing)) } else { told.join(", ") }
    }

    fn ended(&self, over: bool) -> Ended {
        Ended {
            over,
            standing: self.ledger.standing(),
            sheet: self.ledger.sheet(),
            lines: self.kept.lines.len(),
        }
    }

    fn leave(&mut self, out: &mut dyn Write) -> Result<Ended, KeepError> {
        if self.ledger.turn().is_none() {
            return self.end(out);
        }
        writeln!(
            out,
            "Kept in {}. To go on: parlor keep {}",
            self.desk.file.display(),
            self.kept.terms.kind().name()
        )?;
        Ok(self.ended(false))
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<Ended, KeepError> {
        let ended = self.ended(true);
        self.kept.ended = true;
        match &self.desk.sheet {
            Some(file) => {
                write_sheet(file, &ended.sheet)?;
                writeln!(out, "The score sheet is in {}.", file.display())?;
            }
            None => writeln!(out, "\n{}", ended.sheet.trim_end())?,
        }
        self.kept.write(&self.desk.file)?;
        Ok(ended)
    }
}

fn write_sheet(file: &Path, sheet: &str) -> Result<(), KeepError> {
    std::fs::write(file, sheet).map_err(|why| KeepError::Sheet(file.to_owned(), why))
}
