//! The program: where one is (shelf, form, table), what comes in, and the picture of it.

use crate::form::{Chose, Form};
use crate::local::{Here, Local};
use crate::look::{Brush, Ink, Look};
use crate::online::There;
use crate::post::Heard;
use crate::room::Waiting;
use crate::screens::Click;
use crate::shelf::{Shelf, Took};
use crate::sitting::{Sitting, Then};
use house::Kind;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use std::time::Duration;

/// The smallest terminal that holds every board.
pub(crate) const LEAST: (u16, u16) = (80, 24);

/// Where one is.
enum Place {
    Shelf(Shelf),
    Form(Form),
    Table(Box<Sitting>),
    Room(Box<Waiting>),
    /// Between two places, for as long as it takes to go there.
    Nowhere,
}

/// The program.
pub(crate) struct App {
    here: Here,
    look: Look,
    only: Option<Kind>,
    place: Place,
    done: bool,
}

impl App {
    /// At the shelf; or, where one game is named and none of it is in progress, at its form.
    pub(crate) fn at_shelf(here: Here, look: Look, only: Option<Kind>) -> App {
        let shelf = Shelf::look(&here.drawer, only);
        let place = match only {
            Some(kind) if !shelf.has_games() => Place::Form(Form::open(kind, &here.drawer)),
            _ => Place::Shelf(shelf),
        };
        App { here, look, only, place, done: false }
    }

    /// At a form that is filled in.
    pub(crate) fn at_form(here: Here, look: Look, kind: Kind, form: Form) -> App {
        App { here, look, only: Some(kind), place: Place::Form(form), done: false }
    }

    /// At a table.
    pub(crate) fn at_table(here: Here, look: Look, only: Option<Kind>, sitting: Sitting) -> App {
        App { here, look, only, place: Place::Table(Box::new(sitting)), done: false }
    }

    /// At a table of a server.
    pub(crate) fn at_room(here: Here, look: Look, waiting: Waiting) -> App {
        App { here, look, only: None, place: Place::Room(Box::new(waiting)), done: false }
    }

    /// Whether it is time to go.
    pub(crate) fn done(&self) -> bool {
        self.done
    }

    /// How long until the picture changes by itself.
    pub(crate) fn due(&self) -> Option<Duration> {
        match &self.place {
            Place::Table(sitting) => sitting.due(),
            Place::Room(waiting) => waiting.due(),
            _ => None,
        }
    }

    /// Does what is due.
    pub(crate) fn wake(&mut self) {
        match &mut self.place {
            Place::Table(sitting) => sitting.wake(),
            Place::Room(waiting) => waiting.wake(),
            Place::Shelf(_) | Place::Form(_) | Place::Nowhere => {}
        }
    }

    /// Something came in.
    pub(crate) fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Input(Event::Key(key)) if key.kind != KeyEventKind::Release => self.key(key),
            Heard::Input(Event::Mouse(mouse)) => {
                let click = |down, other| Click { x: mouse.column, y: mouse.row, down, other };
                match mouse.kind {
                    MouseEventKind::Down(button) => self.click(click(true, button != MouseButton::Left)),
                    MouseEventKind::Up(button) => self.click(click(false, button != MouseButton::Left)),
                    MouseEventKind::ScrollUp => self.key(KeyCode::Up.into()),
                    MouseEventKind::ScrollDown => self.key(KeyCode::Down.into()),
                    _ => {}
                }
            }
            Heard::Input(_) => {}
            Heard::End => self.end(),
            other => self.news(other),
        }
    }

    /// Something for the table, or for the room before it.
    fn news(&mut self, heard: Heard) {
        match (std::mem::replace(&mut self.place, Place::Nowhere), heard) {
            (Place::Table(mut sitting), heard) => {
                let then = sitting.hear(heard);
                self.place = Place::Table(sitting);
                self.then(then);
            }
            (Place::Room(waiting), Heard::Line(signal)) => {
                self.place = match waiting.hear(signal) {
                    Ok(sitting) => Place::Table(Box::new(sitting)),
                    Err(waiting) => Place::Room(waiting),
                };
            }
            (place, _) => self.place = place,
        }
    }

    /// Knocks at a table of a server.
    fn knock(&mut self, there: There) {
        match Waiting::knock(there) {
            Ok(waiting) => self.place = Place::Room(Box::new(waiting)),
            Err(says) => {
                self.back_to_shelf();
                if let Place::Shelf(shelf) = &mut self.place {
                    shelf.say(says);
                }
            }
        }
    }

    /// The end: what is on the table is kept.
    fn end(&mut self) {
        if let Place::Table(sitting) = &mut self.place {
            sitting.leave();
        }
        self.done = true;
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return self.end();
        }
        match &mut self.place {
            Place::Shelf(shelf) => {
                let took = shelf.key(key, &self.here.drawer);
                self.took(took);
            }
            Place::Form(form) => {
                let chose = form.key(key, &self.here);
                self.chose(chose);
            }
            Place::Table(sitting) => {
                let then = sitting.key(key);
                self.then(then);
            }
            Place::Room(waiting) => {
                if !waiting.key(key) {
                    self.back_to_shelf();
                }
            }
            Place::Nowhere => {}
        }
    }

    fn click(&mut self, click: Click) {
        match &mut self.place {
            Place::Shelf(shelf) if click.down => {
                let took = shelf.click(click.x, click.y);
                self.took(took);
            }
            Place::Form(form) if click.down => {
                let chose = form.click(click.x, click.y, &self.here);
                self.chose(chose);
            }
            Place::Table(sitting) => {
                let then = sitting.click(click);
                self.then(then);
            }
            _ => {}
        }
    }

    fn took(&mut self, took: Took) {
        match took {
            Took::Nothing => {}
            Took::Leave => self.done = true,
            Took::Box(kind) => self.place = Place::Form(Form::open(kind, &self.here.drawer)),
            Took::Game(id, kept) => match Local::resume(&self.here, &id, *kept) {
                Ok(local) => self.place = Place::Table(Box::new(Sitting::at_local(local))),
                Err(says) => {
                    if let Place::Shelf(shelf) = &mut self.place {
                        shelf.say(says);
                    }
                }
            },
        }
    }

    fn chose(&mut self, chose: Chose) {
        match chose {
            Chose::Stay => {}
            Chose::Back => self.back_to_shelf(),
            Chose::Table(local) => self.place = Place::Table(Box::new(Sitting::at_local(*local))),
        }
    }

    fn then(&mut self, then: Then) {
        match then {
            Then::Stay => {}
            Then::Up => {
                if let Place::Table(sitting) = &mut self.place {
                    sitting.leave();
                }
                self.back_to_shelf();
            }
            Then::Room(there) => self.knock(*there),
            Then::Table(local) => self.place = Place::Table(Box::new(Sitting::at_local(*local))),
        }
    }

    fn back_to_shelf(&mut self) {
        self.only = None;
        self.place = Place::Shelf(Shelf::look(&self.here.drawer, None));
    }

    /// Draws the picture.
    pub(crate) fn draw(&mut self, picture: &mut Buffer) {
        let (width, height) = (picture.area.width, picture.area.height);
        let mut brush = Brush::new(picture, self.look);
        let small = width < LEAST.0 || height < LEAST.1;
        if let Place::Table(sitting) = &mut self.place {
            sitting.hide(small);
        }
        if small {
            let says = format!(
                "Parlor needs a terminal of {} × {}. This one has {width} × {height}: make it larger. A table on this machine waits; Ctrl-C leaves.",
                LEAST.0, LEAST.1
            );
            brush.write(0, 0, &says, Ink::Warn);
            return;
        }
        match &mut self.place {
            Place::Shelf(shelf) => shelf.draw(&mut brush),
            Place::Form(form) => form.draw(&mut brush),
            Place::Table(sitting) => sitting.draw(&mut brush),
            Place::Room(waiting) => waiting.draw(&mut brush),
            Place::Nowhere => {}
        }
    }
}
