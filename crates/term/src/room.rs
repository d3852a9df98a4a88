//! A table on a server before its game: who sits where, who is ready. When the game starts one sits at it.

use crate::line::Signal;
use crate::look::{Brush, Ink};
use crate::online::{Online, There};
use crate::session::{Link, Session};
use crate::sitting::Sitting;
use house::Kind;
use protocol::{Phase, Place};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use std::time::Duration;

/// Told to whoever the host removed, for as long as it holds.
const REMOVED: &str = "The host removed you from this table. You can stay and watch. \
    To play, ask the host to add a seat for you.";

/// Waiting for a game on a server.
pub(crate) struct Waiting {
    online: Online,
    notice: Option<String>,
}

impl Waiting {
    /// Knocks.
    pub(crate) fn knock(there: There) -> Result<Waiting, String> {
        Ok(Waiting { online: Online::call(there)?, notice: None })
    }

    /// Something came from the wire; answers the table, once there is a game on it.
    pub(crate) fn hear(mut self: Box<Self>, signal: Signal) -> Result<Sitting, Box<Waiting>> {
        if let Some(says) = self.online.hear(signal).notice {
            self.notice = Some(says);
        }
        match self.online.state() {
            Some(state) => Ok(Sitting::new(Session::Online(Box::new(self.online)), state)),
            None => Err(self),
        }
    }

    /// How long until something is to be done without news.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.online.due()
    }

    /// Does what is due.
    pub(crate) fn wake(&mut self) {
        self.online.wake();
    }

    /// A key; says whether one stays.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        self.notice = None;
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ' | 'r') if self.online.is_seated() => {
                self.online.ready(!self.online.is_ready());
            }
            KeyCode::Enter | KeyCode::Char(' ' | 'r') if self.online.may_sit() => self.online.sit(),
            KeyCode::Char('s') if self.online.hosts() => self.online.start(),
            KeyCode::Char('+') if self.online.hosts() => self.online.add_seat(),
            KeyCode::Char('-') if self.online.hosts() => {
                self.notice = self.online.remove_seat().err().map(str::to_owned);
            }
            KeyCode::Esc | KeyCode::Char('q') => {
                self.online.leave();
                return false;
            }
            _ => {}
        }
        true
    }

    /// Draws the room.
    pub(crate) fn draw(&self, brush: &mut Brush<'_>) {
        let below = brush.area.height - 1;
        let Some(room) = self.online.room() else {
            match self.online.link() {
                Link::Gone(says) => drop(brush.write(2, 2, says, Ink::Warn)),
                Link::Lost(why) => {
                    let below = brush.write(2, 2, "The table cannot be reached; trying again…", Ink::Warn);
                    brush.write(2, below + 1, why, Ink::Faint);
                }
                Link::Here | Link::Open => drop(brush.write(2, 2, "Knocking…", Ink::Faint)),
            }
            brush.put(2, below, "Esc shelf", Ink::Faint);
            return;
        };
        let title =
            room.game.parse::<Kind>().map_or_else(|_| room.game.clone(), |kind| kind.title().to_owned());
        brush.put(2, 1, &title, Ink::Accent);
        brush.put(2, 2, "at a table of a server", Ink::Faint);
        let rated = if room.rated { "rated · " } else { "" };
        let sheet =
            if room.variations.is_empty() { "as on the sheet" } else { &room.variations.join(" · ") };
        let mut y = brush.write(2, 3, &format!("{rated}{sheet}"), Ink::Faint) + 1;
        for (seat, place) in (1..).zip(&room.seats).take(usize::from(brush.area.height.saturating_sub(y + 6)))
        {
            let mine = self.online.is_mine(place);
            let (name, says) = match place {
                Place::Open => ("open", String::new()),
                Place::Guest { name, ready, .. } => {
                    (name.as_str(), if *ready { "ready" } else { "not ready yet" }.to_owned())
                }
                Place::Bot { name, level } => (name.as_str(), format!("bot, level {level}")),
            };
            let ink = if mine { Ink::Strong } else { Ink::Plain };
            brush.put(2, y, &format!("{seat:>3}  {name:<24}"), ink);
            brush.put(34, y, &says, Ink::Faint);
            y += 1;
        }
        y += 1;
        let says = self.says(room.phase);
        y = brush.write(2, y, self.notice.as_ref().unwrap_or(&says), Ink::Strong);
        if room.phase == Phase::Gathering {
            brush.put(2, y + 1, &self.online.link_to_table(), Ink::Accent);
        }
        let enter = if self.online.may_sit() { "Enter sit down" } else { "Enter ready or not" };
        let host = if self.online.hosts() { " · s start · + - seats" } else { "" };
        brush.put(2, below, &format!("{enter}{host} · Esc shelf"), Ink::Faint);
    }

    /// What there is to do, or to wait for.
    fn says(&self, phase: Phase) -> String {
        let says = match (self.online.link(), phase) {
            (Link::Gone(says), _) => says.as_str(),
            (Link::Lost(_), _) => "The line is lost; trying again…",
            (_, Phase::Gathering) if self.online.hosts() => {
                "Send the link to whoever shall come. When they are ready, s starts the game. \
                 - removes a free seat, + adds one."
            }
            (_, Phase::Gathering) if self.online.is_removed() && !self.online.is_seated() => REMOVED,
            (_, Phase::Gathering) if self.online.is_ready() => "You are ready. The host starts the game.",
            (_, Phase::Gathering) if self.online.is_seated() => "Press Enter when you are ready.",
            (_, Phase::Gathering) if self.online.may_sit() => "A seat is free: press Enter to sit down.",
            (_, Phase::Gathering) => "No seat is open; you will watch.",
            (_, Phase::Playing | Phase::Over | Phase::Closed) => "The game is on…",
        };
        says.to_owned()
    }
}
