//! A box, opened: who sits down, and every option of the game, changed with arrows or typed. Enter on the first line opens
//! the table.

use crate::drawer::{Chair, Drawer};
use crate::local::{Here, Local};
use crate::look::{Brush, Ink, Spots};
use crate::options;
use house::{Chosen, Field, Kind, bot_name, fields};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Start,
    Chair(usize),
    Another,
    Field(usize),
}

/// What a key did to the form.
pub(crate) enum Chose {
    /// Something was changed, or nothing.
    Stay,
    /// The table is open.
    Table(Box<Local>),
    /// Back to the shelf.
    Back,
}

/// The form of one game.
pub(crate) struct Form {
    kind: Kind,
    chosen: Chosen,
    chairs: Vec<Chair>,
    /// A set of one's own.
    pieces: Option<Value>,
    at: usize,
    /// What is being typed: a name, or a number.
    typing: Option<String>,
    notice: Option<String>,
    hits: Spots<(usize, bool)>,
}

/// What is remembered of a form.
#[derive(Serialize, Deserialize)]
struct Remembered {
    options: Value,
    chairs: Vec<Chair>,
}

impl Form {
    /// The form as it was left, or as the sheet has it.
    pub(crate) fn open(kind: Kind, drawer: &Drawer) -> Form {
        let left =
            drawer.recall(&memory(kind)).and_then(|text| serde_json::from_str::<Remembered>(&text).ok());
        let (chosen, chairs) = match left {
            Some(left) if !left.chairs.is_empty() => {
                (Chosen::remembered(Some(&left.options.to_string())), left.chairs)
            }
            _ => (Chosen::default(), usual_chairs(kind)),
        };
        Form { kind, chosen, chairs, pieces: None, at: 0, typing: None, notice: None, hits: Spots::default() }
    }

    /// Chooses an option as the command line says.
    pub(crate) fn choose(&mut self, text: &str) -> Result<(), String> {
        self.chosen.set_text(self.kind, text)
    }

    /// Plays with a set of one's own, from the text of its data file.
    pub(crate) fn bring(&mut self, pieces: &str) -> Result<(), String> {
        self.pieces = Some(options::read_pieces(self.kind, pieces)?);
        Ok(())
    }

    /// Seats people as the command line says.
    pub(crate) fn seat(&mut self, text: &str) -> Result<(), String> {
        self.chairs = options::read_chairs(self.kind, text)?;
        Ok(())
    }

    /// What was chosen, for a table of so many.
    pub(crate) fn options(&self, chairs: usize) -> Value {
        let mut options = self.chosen.options_for(self.kind, chairs);
        if let (Some(pieces), Value::Object(options)) = (&self.pieces, &mut options) {
            options.insert("set".to_owned(), pieces.clone());
        }
        options
    }

    /// Opens the table.
    pub(crate) fn start(&mut self, here: &Here) -> Result<Local, String> {
        let options = self.options(self.chairs.len());
        let local = Local::open(here, self.kind, options, self.chairs.clone())?;
        let left = Remembered {
            options: serde_json::from_str(&self.chosen.text()).unwrap_or_default(),
            chairs: self.chairs.clone(),
        };
        here.drawer.remember(&memory(self.kind), &serde_json::to_string(&left).unwrap_or_default());
        Ok(local)
    }

    fn lines(&self) -> Vec<Line> {
        let chairs = (0..self.chairs.len()).map(Line::Chair);
        let another = (self.chairs.len() < options::most_chairs(self.kind)).then_some(Line::Another);
        let fields = (0..fields(self.kind).len()).map(Line::Field);
        [Line::Start].into_iter().chain(chairs).chain(another).chain(fields).collect()
    }

    fn line(&self) -> Line {
        self.lines().get(self.at).copied().unwrap_or(Line::Start)
    }

    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent, here: &Here) -> Chose {
        self.notice = None;
        if self.typing.is_some() {
            self.type_on(key);
            return Chose::Stay;
        }
        let last = self.lines().len() - 1;
        match key.code {
            KeyCode::Up => self.at = if self.at == 0 { last } else { self.at - 1 },
            KeyCode::Down | KeyCode::Tab => self.at = if self.at == last { 0 } else { self.at + 1 },
            KeyCode::PageUp | KeyCode::Home => self.at = 0,
            KeyCode::PageDown | KeyCode::End => self.at = last,
            KeyCode::Left => self.change(false),
            KeyCode::Right | KeyCode::Char(' ') => self.change(true),
            KeyCode::Char('+') => self.add(),
            KeyCode::Char('-') | KeyCode::Delete => self.remove(),
            KeyCode::Char(digit @ '0'..='9') if matches!(self.line(), Line::Field(_)) => {
                self.typing = Some(digit.to_string());
            }
            KeyCode::Char('r') => {
                self.chosen = Chosen::default();
                self.chairs = usual_chairs(self.kind);
                self.at = 0;
            }
            KeyCode::Enter => return self.enter(here),
            KeyCode::Esc | KeyCode::Char('q') => return Chose::Back,
            _ => {}
        }
        Chose::Stay
    }

    fn enter(&mut self, here: &Here) -> Chose {
        match self.line() {
            Line::Start => match self.start(here) {
                Ok(local) => return Chose::Table(Box::new(local)),
                Err(says) => self.notice = Some(says),
            },
            Line::Chair(at) => self.typing = self.chairs.get(at).map(|chair| chair.name.clone()),
            Line::Another => self.add(),
            Line::Field(_) => self.change(true),
        }
        Chose::Stay
    }

    /// A key while a name or a number is typed.
    fn type_on(&mut self, key: KeyEvent) {
        let line = self.line();
        let Some(typed) = &mut self.typing else { return };
        match key.code {
            KeyCode::Char(sign) => {
                let fits = matches!(line, Line::Chair(_)) || sign.is_ascii_digit();
                if fits && typed.chars().count() < table::Seats::LONGEST_NAME {
                    typed.push(sign);
                }
            }
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter | KeyCode::Up | KeyCode::Down | KeyCode::Tab => {
                let typed = self.typing.take().unwrap_or_default();
                match line {
                    Line::Chair(at) if !typed.trim().is_empty() => {
                        typed.trim().clone_into(&mut self.chairs[at].name);
                    }
                    Line::Field(at) => {
                        if let Some(value) = fields(self.kind)[at].typed(&typed) {
                            self.chosen.set(&fields(self.kind)[at], value);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, up: bool) {
        match self.line() {
            Line::Field(at) => {
                let field: &Field = &fields(self.kind)[at];
                let next = field.step(&self.chosen.get(field), up);
                self.chosen.set(field, next);
            }
            Line::Chair(at) => self.change_chair(at, up),
            Line::Another => self.add(),
            Line::Start => {}
        }
    }

    /// A person, or a bot of each level.
    fn change_chair(&mut self, at: usize, up: bool) {
        let most = house::levels(self.kind);
        let chair = &mut self.chairs[at];
        let level = chair.bot.unwrap_or(0);
        let next = if up { (level + 1) % (most + 1) } else { (level + most) % (most + 1) };
        let was_person = chair.bot.is_none();
        chair.bot = (next > 0).then_some(next);
        if was_person && next > 0 {
            chair.name = bot_name(at);
        } else if next == 0 {
            chair.name = person_name(at);
        }
    }

    fn add(&mut self) {
        let at = self.chairs.len();
        if at < options::most_chairs(self.kind) {
            self.chairs.push(Chair { name: bot_name(at), bot: Some(2.min(house::levels(self.kind))) });
            self.at = at + 1;
        }
    }

    fn remove(&mut self) {
        if self.chairs.len() > 1 {
            self.chairs.pop();
            self.at = self.at.min(self.lines().len() - 1);
        }
    }

    /// A click: on a line to go there, on the line that is chosen to change it.
    pub(crate) fn click(&mut self, x: u16, y: u16, here: &Here) -> Chose {
        let Some((at, left)) = self.hits.at(x, y) else { return Chose::Stay };
        if self.typing.is_some() {
            self.type_on(KeyCode::Enter.into());
        }
        if self.at != at {
            self.at = at;
            if self.line() != Line::Start {
                return Chose::Stay;
            }
        }
        match self.line() {
            Line::Field(_) | Line::Chair(_) => self.change(!left),
            _ => return self.enter(here),
        }
        Chose::Stay
    }

    /// Draws the form.
    pub(crate) fn draw(&mut self, brush: &mut Brush<'_>) {
        brush.line(2, 1, &[(self.kind.title(), Ink::Accent)]);
        let top = brush.write(2, 2, self.kind.about().lead, Ink::Plain) + 1;
        self.hits.clear();
        let lines = self.lines();
        let room = usize::from(brush.area.height.saturating_sub(top + 4)).max(1);
        // The line that is chosen is always among those shown.
        let first = (self.at + 1).saturating_sub(room);
        for (y, (at, line)) in (top..).zip(lines.iter().enumerate().skip(first).take(room)) {
            let here = at == self.at;
            brush.put(1, y, if here { "▸" } else { " " }, Ink::Accent);
            self.draw_line(brush, y, *line, here);
            self.hits.add(brush, (0, y), (34, 1), (at, true));
            self.hits.add(brush, (34, y), (46, 1), (at, false));
        }
        let below = brush.area.height.saturating_sub(3);
        if let Some(notice) = &self.notice {
            brush.write(2, below - 1, notice, Ink::Warn);
        } else if let Line::Field(at) = self.line() {
            brush.put(2, below, fields(self.kind)[at].help, Ink::Faint);
        }
        let keys = match (self.typing.is_some(), self.line()) {
            (true, _) => "type, then Enter · Esc as it was",
            (_, Line::Start) => {
                "Enter sit down · ↑↓ options · + - players · r as the sheet has it · Esc shelf"
            }
            (_, Line::Chair(_)) => "←→ person or bot · Enter name · + - players · Esc shelf",
            (_, Line::Another) => "Enter one more · Esc shelf",
            (_, Line::Field(_)) => "←→ change, or type a number · ↑↓ next · Esc shelf",
        };
        brush.put(2, brush.area.height.saturating_sub(1), keys, Ink::Faint);
    }

    fn draw_line(&self, brush: &mut Brush<'_>, y: u16, line: Line, here: bool) {
        let ink = if here { Ink::Strong } else { Ink::Plain };
        let typed = |text: &str| format!("{text}_");
        match line {
            Line::Start => {
                brush.put(3, y, "[ Sit down and play ]", if here { Ink::Cursor } else { Ink::Accent });
            }
            Line::Chair(at) => {
                let chair = &self.chairs[at];
                brush.put(3, y, &format!("Seat {}", at + 1), ink);
                let name = self.typing.as_deref().filter(|_| here).map_or_else(|| chair.name.clone(), typed);
                brush.put(34, y, &format!("{name:<16}"), ink);
                let who =
                    chair.bot.map_or_else(|| "person".to_owned(), |level| format!("bot, level {level}"));
                brush.put(52, y, &who, Ink::Faint);
            }
            Line::Another => {
                brush.put(3, y, "+ one more player", if here { Ink::Strong } else { Ink::Faint });
            }
            Line::Field(at) => {
                let field = &fields(self.kind)[at];
                let value = self.chosen.get(field);
                brush.put(3, y, field.label, ink);
                let shown = self.typing.as_deref().filter(|_| here).map_or_else(|| field.say(&value), typed);
                let changed = value != field.default();
                brush.put(34, y, &shown, if changed { Ink::Accent } else { ink });
            }
        }
    }
}

fn memory(kind: Kind) -> String {
    format!("options/{}.json", kind.name())
}

fn person_name(at: usize) -> String {
    if at == 0 { "You".to_owned() } else { format!("Player {}", at + 1) }
}

/// One person, and as many bots as make a good game.
fn usual_chairs(kind: Kind) -> Vec<Chair> {
    let bots = if kind == Kind::Roulette { 2 } else { 1 };
    let you = Chair { name: person_name(0), bot: None };
    let bots = (1..=bots).map(|at| Chair { name: bot_name(at), bot: Some(2) });
    [you].into_iter().chain(bots).collect()
}
