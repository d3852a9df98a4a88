//! Parlor in the terminal: the five games alone, around one screen, with bots, and at the tables of a server.
//!
//! [`run`] takes the terminal over until the person leaves. Inside, an `App` is where one is (the shelf, a form, a table), what
//! comes in is `Heard`, and a picture of it all is drawn. A table is a `Session` (on this machine or on a server) with a `State`;
//! each game has a `Screen` that draws the state and turns keys and clicks into acts.

mod address;
mod app;
mod ask;
mod checked;
mod drawer;
mod form;
mod http;
mod line;
mod local;
mod look;
mod online;
mod options;
mod post;
mod room;
mod screens;
mod session;
mod shelf;
mod sitting;
mod stage;
mod wire;

pub use ask::Ask;
pub use drawer::{DrawerFault, data_folder};

use crate::address::{Address, Invitation, NoInvitation, NoServer};
use crate::app::App;
use crate::drawer::Drawer;
use crate::form::Form;
use crate::local::Here;
use crate::look::Look;
use crate::online::{Lay, There};
use crate::post::Heard;
use crate::room::Waiting;
use crate::sitting::Sitting;
use crate::stage::Stage;
use house::Kind;
use protocol::Wish;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use thiserror::Error;

/// Why it cannot be played.
#[derive(Debug, Error)]
pub enum Fault {
    /// There is no terminal.
    #[error("this needs a terminal; over a pipe, try parlor simulate or parlor help")]
    NoTerminal,
    /// The terminal does not answer.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
    /// The folder of games.
    #[error(transparent)]
    Drawer(#[from] DrawerFault),
    /// Something on the command line.
    #[error("{0}")]
    Ask(String),
}

/// Plays until the person leaves.
pub fn run(ask: &Ask) -> Result<(), Fault> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(Fault::NoTerminal);
    }
    let (post, inbox) = mpsc::channel();
    let mut app = open(ask, post.clone())?;
    let mut stage = Stage::enter()?;
    post::heed_signals(post.clone());
    post::read_input(post);
    play(&mut app, &mut stage, &inbox)
}

/// The program as it begins.
fn open(ask: &Ask, post: Sender<Heard>) -> Result<App, Fault> {
    let from_environment = Look::of_environment();
    let look = Look {
        colour: from_environment.colour && !ask.no_colour,
        ascii: from_environment.ascii || ask.ascii,
    };
    let drawer = Drawer::open(ask.data.as_deref())?;
    let here = Here { drawer, post, seed: ask.seed, pace: ask.pace.unwrap_or(1.0).clamp(0.0, 1000.0) };
    if let Some(link) = &ask.join {
        let invitation = link.parse().map_err(|fault: NoInvitation| Fault::Ask(fault.to_string()))?;
        return knock(here, look, invitation, ask.name.clone(), None);
    }
    let Some(kind) = ask.game else {
        if ask.players.is_some() || !ask.options.is_empty() {
            return Err(Fault::Ask("name the game too: parlor play cubo --players Ann,bot:3".to_owned()));
        }
        return Ok(App::at_shelf(here, look, None));
    };
    if ask.at.is_none() && ask.players.is_none() && ask.options.is_empty() && ask.pieces.is_none() {
        return Ok(App::at_shelf(here, look, Some(kind)));
    }
    let mut form = Form::open(kind, &here.drawer);
    ask.options.iter().try_for_each(|option| form.choose(option)).map_err(Fault::Ask)?;
    if let Some(file) = &ask.pieces {
        let text =
            std::fs::read_to_string(file).map_err(|why| Fault::Ask(format!("{}: {why}", file.display())))?;
        form.bring(&text).map_err(|says| Fault::Ask(format!("{}: {says}", file.display())))?;
    }
    if let Some(server) = &ask.at {
        return lay(ask, server, kind, &form, here, look);
    }
    let Some(players) = &ask.players else { return Ok(App::at_form(here, look, kind, form)) };
    form.seat(players).map_err(Fault::Ask)?;
    let local = form.start(&here).map_err(Fault::Ask)?;
    Ok(App::at_table(here, look, Some(kind), Sitting::at_local(local)))
}

/// At a table of a server, which may have to be laid first.
fn knock(
    here: Here,
    look: Look,
    invitation: Invitation,
    name: Option<String>,
    lay: Option<Lay>,
) -> Result<App, Fault> {
    let (drawer, post) = (here.drawer.clone(), here.post.clone());
    let there = There { invitation, lay, name, drawer, post };
    let waiting = Waiting::knock(there).map_err(Fault::Ask)?;
    Ok(App::at_room(here, look, waiting))
}

/// Lays a table on a server. Where nobody is named, it is for oneself and for whoever comes.
fn lay(ask: &Ask, server: &str, kind: Kind, form: &Form, here: Here, look: Look) -> Result<App, Fault> {
    let address: Address = server.parse().map_err(|fault: NoServer| Fault::Ask(fault.to_string()))?;
    let (name, seats) = match &ask.players {
        Some(players) => {
            let (own, seats) = options::read_wishes(kind, players).map_err(Fault::Ask)?;
            (Some(own), seats)
        }
        None => (ask.name.clone(), vec![Wish::Me, Wish::Open]),
    };
    let options = form.options(seats.len());
    let lay = Lay { kind, options, seats, public: ask.public, rated: ask.rated };
    knock(here, look, Invitation { address, table: String::new() }, name, Some(lay))
}

/// What the system calls the person, or a word that says nothing wrong.
fn own_name() -> String {
    let name = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    if name.is_empty() { "Guest".to_owned() } else { name.chars().take(table::Seats::LONGEST_NAME).collect() }
}

/// Draws, waits, hears, until it is done.
fn play(app: &mut App, stage: &mut Stage, inbox: &Receiver<Heard>) -> Result<(), Fault> {
    while !app.done() {
        stage.draw(|buffer| app.draw(buffer))?;
        let wait = app.due().unwrap_or(Duration::from_secs(3600));
        match inbox.recv_timeout(wait) {
            Ok(heard) => {
                app.hear(heard);
                // Whatever came meanwhile is in the same picture.
                while let Ok(heard) = inbox.try_recv() {
                    app.hear(heard);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        app.wake();
    }
    Ok(())
}
