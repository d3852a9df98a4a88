//! The terminal itself: taken over on entering, and given back as it was however the program ends.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stdout};
use std::panic;

/// The terminal while the program has it. Dropped, it is as it was.
pub(crate) struct Stage {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Stage {
    /// Takes the terminal: raw keys, the mouse, a screen of its own.
    pub(crate) fn enter() -> io::Result<Stage> {
        enable_raw_mode()?;
        // From here on every way out leads past `leave`.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |why| {
            leave();
            hook(why);
        }));
        let entered = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, cursor::Hide)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match entered {
            Ok(terminal) => Ok(Stage { terminal }),
            Err(fault) => {
                leave();
                Err(fault)
            }
        }
    }

    /// Draws a picture. Terminals that know how show it all at once, and never half of it.
    pub(crate) fn draw(&mut self, picture: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| picture(frame.buffer_mut()))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the terminal back. A terminal that has gone away cannot be given back, and nobody is there to be told.
fn leave() {
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
