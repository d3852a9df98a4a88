//! The screen of a game that nobody has drawn yet: the table as its picture in text, and what the hand can do by number. A game that does
//! not say what can be done is played by writing its acts.

use super::{Click, Deed, Screen, said};
use crate::look::{Brush, Ink, Spots};
use crate::session::State;
use house::{Choice, engine};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use serde_json::Value;

/// Table and choices as they stood when the table last changed.
#[derive(Default)]
pub(crate) struct Plain {
    picture: String,
    choices: Vec<Choice<Value>>,
    /// Whether the table waits for the hand in front of the screen.
    awaited: bool,
    /// An act that is being written.
    written: String,
    places: Spots<usize>,
}

impl Plain {
    fn writes_acts(&self) -> bool {
        self.awaited && self.choices.is_empty()
    }

    fn choose(&self, at: usize) -> Deed {
        self.choices.get(at).map_or(Deed::No, |choice| Deed::Act(vec![choice.act.clone()]))
    }

    fn write(&mut self, key: KeyCode) -> Deed {
        match key {
            KeyCode::Char(letter) => self.written.push(letter),
            KeyCode::Backspace => drop(self.written.pop()),
            KeyCode::Enter => {
                return match serde_json::from_str(&self.written) {
                    Ok(act) => {
                        self.written.clear();
                        Deed::Act(vec![act])
                    }
                    Err(why) => Deed::Say(format!("This is not JSON: {why}.")),
                };
            }
            _ => return Deed::No,
        }
        Deed::Seen
    }
}

impl Screen for Plain {
    fn show(&mut self, state: &State) -> Vec<String> {
        let engine = engine(state.kind);
        self.picture = engine.picture(&state.public).unwrap_or_default();
        let hand = state.hand.filter(|seat| state.awaited.contains(seat));
        self.awaited = hand.is_some();
        let private = |seat| state.privates.get(&seat).map_or("null", String::as_str);
        self.choices =
            hand.map(|seat| engine.choices(&state.public, private(seat), seat)).unwrap_or_default();
        Vec::new()
    }

    fn draw(&mut self, brush: &mut Brush<'_>, _: &State) {
        self.places.clear();
        let mut y = 1;
        for line in self.picture.lines() {
            brush.put(2, y, line, Ink::Plain);
            y += 1;
        }
        y += 1;
        for (at, choice) in self.choices.iter().enumerate() {
            let words = format!("{} {}", at + 1, choice.label);
            let width = brush.put(2, y, &words, Ink::Strong);
            self.places.add(brush, (2, y), (width, 1), at);
            y += 1;
        }
        if self.writes_acts() {
            brush.put(2, y, &format!("Your move: {}_", self.written), Ink::Cursor);
        }
    }

    fn headline(&self, _: &State) -> String {
        String::new()
    }

    fn tally(&self) -> Vec<String> {
        Vec::new()
    }

    fn sheet(&self, _: &State) -> Vec<String> {
        Vec::new()
    }

    fn keys(&self, _: &State) -> Vec<(&'static str, &'static str)> {
        match (self.choices.is_empty(), self.writes_acts()) {
            (false, _) => vec![("1-9", "choose")],
            (true, true) => vec![("Enter", "play what is written")],
            (true, false) => Vec::new(),
        }
    }

    fn key(&mut self, key: KeyEvent, _: &State) -> Deed {
        match key.code {
            code if self.writes_acts() => self.write(code),
            KeyCode::Char(digit @ '1'..='9') => self.choose(digit as usize - '1' as usize),
            _ => Deed::No,
        }
    }

    fn click(&mut self, click: Click, _: &State) -> Deed {
        let at = self.places.at(click.x, click.y).filter(|_| click.down && !click.other);
        at.map_or(Deed::No, |at| self.choose(at))
    }

    fn writes(&self, _: &State) -> bool {
        self.writes_acts()
    }

    fn advice(&self, says: &Value) -> Vec<String> {
        said(says)
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("1-9", "do what stands beside the number"),
            ("Enter", "play the move that was written, as records write it"),
        ]
    }
}
