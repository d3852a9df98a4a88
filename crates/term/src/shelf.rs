//! The shelf: games in progress first, then the five boxes.

use crate::drawer::{Drawer, Kept};
use crate::look::{Brush, Ink, Spots};
use house::Kind;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// What was taken from the shelf.
pub(crate) enum Took {
    /// Nothing yet.
    Nothing,
    /// A game to go on with.
    Game(String, Box<Kept>),
    /// A box.
    Box(Kind),
    /// Enough for today.
    Leave,
}

/// The shelf.
pub(crate) struct Shelf {
    kept: Vec<(String, Kept)>,
    kinds: Vec<Kind>,
    at: usize,
    /// The game that is thrown away when that is asked for once more.
    doomed: Option<usize>,
    notice: Option<String>,
    hits: Spots<usize>,
}

impl Shelf {
    /// The shelf as it stands; of one game only, if one is named.
    pub(crate) fn look(drawer: &Drawer, only: Option<Kind>) -> Shelf {
        let mut kept = drawer.kept();
        kept.retain(|(_, kept)| only.is_none_or(|kind| kept.kind == kind));
        let kinds = only.map_or_else(|| Kind::ALL.to_vec(), |kind| vec![kind]);
        Shelf { kept, kinds, at: 0, doomed: None, notice: None, hits: Spots::default() }
    }

    /// Whether a game is in progress.
    pub(crate) fn has_games(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Says something.
    pub(crate) fn say(&mut self, notice: String) {
        self.notice = Some(notice);
    }

    fn take(&self, at: usize) -> Took {
        match self.kept.get(at) {
            Some((id, kept)) => Took::Game(id.clone(), Box::new(kept.clone())),
            None => self.kinds.get(at - self.kept.len()).map_or(Took::Nothing, |kind| Took::Box(*kind)),
        }
    }

    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent, drawer: &Drawer) -> Took {
        self.notice = None;
        let last = self.kept.len() + self.kinds.len() - 1;
        if !matches!(key.code, KeyCode::Delete | KeyCode::Char('x')) {
            self.doomed = None;
        }
        match key.code {
            KeyCode::Up => self.at = if self.at == 0 { last } else { self.at - 1 },
            KeyCode::Down | KeyCode::Tab => self.at = if self.at == last { 0 } else { self.at + 1 },
            KeyCode::Char(digit @ '1'..='9') if usize::from(digit as u8 - b'1') <= last => {
                return self.take(usize::from(digit as u8 - b'1'));
            }
            KeyCode::Enter | KeyCode::Char(' ') => return self.take(self.at),
            KeyCode::Delete | KeyCode::Char('x') => self.throw_away(drawer),
            KeyCode::Esc | KeyCode::Char('q') => return Took::Leave,
            _ => {}
        }
        Took::Nothing
    }

    /// Throws a game in progress away; asked twice, as it cannot be undone.
    fn throw_away(&mut self, drawer: &Drawer) {
        let Some((id, _)) = self.kept.get(self.at) else { return };
        if self.doomed == Some(self.at) {
            self.notice = match drawer.throw_away(id) {
                Ok(()) => {
                    self.kept.remove(self.at);
                    Some("It is thrown away.".to_owned())
                }
                Err(fault) => Some(fault.to_string()),
            };
            self.doomed = None;
        } else {
            self.doomed = Some(self.at);
            self.notice = Some("Throw this game away for good? x again does it.".to_owned());
        }
    }

    /// A click takes.
    pub(crate) fn click(&mut self, x: u16, y: u16) -> Took {
        match self.hits.at(x, y) {
            Some(at) => {
                self.at = at;
                self.take(at)
            }
            None => Took::Nothing,
        }
    }

    /// Draws the shelf.
    pub(crate) fn draw(&mut self, brush: &mut Brush<'_>) {
        self.hits.clear();
        brush.line(2, 1, &[("Parlor", Ink::Accent), ("  five lost tabletop games", Ink::Faint)]);
        let mut y = 3;
        let all = self.kept.len() + self.kinds.len();
        // At 24 lines there is room for all boxes and nine games; more are reached by scrolling.
        let room = usize::from(brush.area.height.saturating_sub(10)).max(self.kinds.len() + 1);
        let first = (self.at + 1).saturating_sub(room);
        for at in (0..all).skip(first).take(room) {
            if at == self.kept.len() && at > 0 {
                y += 1;
            }
            let here = at == self.at;
            brush.put(1, y, if here { "▸" } else { " " }, Ink::Accent);
            let ink = if here { Ink::Strong } else { Ink::Plain };
            let number = if at < 9 { format!("{} ", at + 1) } else { "  ".to_owned() };
            brush.put(3, y, &number, Ink::Faint);
            if let Some((_, kept)) = self.kept.get(at) {
                let names: Vec<&str> = kept.chairs.iter().map(|chair| chair.name.as_str()).collect();
                brush.put(5, y, &format!("Go on with {}", kept.kind.title()), ink);
                brush.put(34, y, &names.join(", "), Ink::Faint);
            } else {
                let kind = self.kinds[at - self.kept.len()];
                brush.put(5, y, kind.title(), ink);
                brush.put(34, y, kind.about().plate, Ink::Faint);
            }
            self.hits.add(brush, (0, y), (brush.area.width, 1), at);
            y += 1;
        }
        let below = brush.area.height.saturating_sub(4);
        match (&self.notice, self.at.checked_sub(self.kept.len()).and_then(|at| self.kinds.get(at))) {
            (Some(notice), _) => {
                brush.write(2, below, notice, Ink::Warn);
            }
            (None, Some(kind)) => {
                brush.write(2, below, kind.about().lead, Ink::Plain);
            }
            (None, None) => {
                brush.put(2, below, "As you left it.", Ink::Plain);
            }
        }
        let away = if self.at < self.kept.len() { " · x throw away" } else { "" };
        let keys = format!("↑↓ choose · Enter open{away} · q leave");
        brush.put(2, brush.area.height.saturating_sub(1), &keys, Ink::Faint);
    }
}
