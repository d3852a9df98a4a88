//! What a person asks for on the command line.

use clap::{ArgGroup, Args};
use house::Kind;
use std::path::PathBuf;

/// What to play, and how.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(Clone, Debug, Default, Args)]
#[command(group = ArgGroup::new("there").args(["join", "at"]))]
#[command(after_help = "Examples:
  parlor play
  parlor play cubo
  parlor play contact --players Ann,bot:5
  parlor play roulette --players Ann,Ben,bot --set throws=10 --set borrow=yes
  parlor play --join http://192.168.1.20:7777/table/k3v9xy --name Ann
  parlor play cubo --at http://192.168.1.20:7777 --players Ann,open,bot:3

Inside, ? shows the keys. Games are kept as they grow: leave at any time and come back with parlor play.
Colours follow NO_COLOR, lines the locale.")]
pub struct Ask {
    /// The game; the shelf, if left out
    #[arg(help = format!("The game: {}; the shelf, if left out", Kind::names()))]
    pub game: Option<Kind>,
    /// Sit down at a table of a server, by its invitation
    #[arg(long, value_name = "LINK", conflicts_with_all = ["game", "players", "options", "seed"])]
    pub join: Option<String>,
    /// Lay the table on this server and invite others: among the players, open is a seat for whoever comes
    #[arg(long, value_name = "SERVER", requires = "game", conflicts_with_all = ["join", "seed", "pace"])]
    pub at: Option<String>,
    /// On a server: let everybody see the table, not only who has the link
    #[arg(long, requires = "at")]
    pub public: bool,
    /// On a server: let the game count for ratings
    #[arg(long, requires = "at")]
    pub rated: bool,
    /// Your name on a server; one that knows this machine by another asks for --data FOLDER
    #[arg(long, requires = "there")]
    pub name: Option<String>,
    /// Who plays, with commas: names, and bot or bot:LEVEL; the table is opened at once
    #[arg(long, value_name = "NAMES")]
    pub players: Option<String>,
    /// An option of the game, as often as needed
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Play with the pieces of this data file instead of the house's (those in crates/*/data are the pattern)
    #[arg(long, value_name = "FILE", requires = "game")]
    pub pieces: Option<PathBuf>,
    /// Where games are kept; your data folder, if left out
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Dice and bots from this number, to play a game again; nobody adds to the dice then
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Let the clock run so many times faster (0: it stands)
    #[arg(long, value_name = "TIMES", hide = true)]
    pub pace: Option<f64>,
    /// No colours, whatever the environment says
    #[arg(long = "no-color")]
    pub no_colour: bool,
    /// Only characters that every terminal has
    #[arg(long)]
    pub ascii: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_help_leads_to_data_files_that_are_there() {
        let help = Ask::augment_args(clap::Command::new("play")).render_long_help().to_string();
        assert!(help.contains("crates/*/data"), "{help}");
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for kind in Kind::ALL.into_iter().filter(|&kind| !house::engine(kind).house_pieces().is_empty()) {
            let data = std::fs::read_dir(crates.join(kind.name()).join("data")).expect("a folder of data");
            let pattern =
                |file: std::fs::DirEntry| file.path().extension().is_some_and(|kind| kind == "toml");
            assert!(data.flatten().any(pattern), "{kind}");
        }
    }
}
