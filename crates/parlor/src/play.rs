//! `parlor play`: the games in this terminal, on this machine or at a table of a server.

use crate::answer::{Answer, Failure, Outcome};
use clap::Args;
use house::Kind;
use serde_json::json;
use std::path::PathBuf;

/// What to play, and how.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  parlor play
  parlor play cubo
  parlor play contact --players Ann,bot:5
  parlor play roulette --players Ann,Ben,bot --set throws=10 --set borrow=yes
  parlor play --join http://192.168.1.20:7777/table/k3v9xy --name Ann

Inside, ? shows the keys. Games are kept as they grow: leave at any time and come back with parlor play.
Colours follow NO_COLOR, lines the locale.")]
pub(crate) struct Play {
    /// The game: iqubes, scribbage, contact, cubo or roulette; the shelf, if left out
    game: Option<Kind>,
    /// Sit down at a table of a server, by its invitation
    #[arg(long, value_name = "LINK", conflicts_with_all = ["game", "players", "options", "seed"])]
    join: Option<String>,
    /// Your name on a server
    #[arg(long, requires = "join")]
    name: Option<String>,
    /// Who plays, with commas: names, and bot or bot:LEVEL; the table is opened at once
    #[arg(long, value_name = "NAMES")]
    players: Option<String>,
    /// An option of the game, as often as needed
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Where games are kept; your data folder, if left out
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Dice and bots from this number, to play a game again; nobody else adds to the dice then
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Let the clock run so many times faster (0: it stands)
    #[arg(long, value_name = "TIMES", hide = true)]
    pace: Option<f64>,
    /// No colours
    #[arg(long)]
    no_color: bool,
    /// Only ASCII
    #[arg(long)]
    ascii: bool,
}

/// Plays until the person leaves. There is nothing to say afterwards.
pub(crate) fn play(ask: &Play) -> Outcome {
    let ask = term::Ask {
        game: ask.game,
        join: ask.join.clone(),
        name: ask.name.clone(),
        players: ask.players.clone(),
        options: ask.options.clone(),
        data: ask.data.clone(),
        seed: ask.seed,
        pace: ask.pace,
        no_colour: ask.no_color,
        ascii: ask.ascii,
    };
    term::run(&ask).map_err(|fault| Failure::new("play", fault))?;
    Ok(Answer::new("", &json!({"played": true})))
}
