//! Chores of the project: `cargo xtask <chore>`. Each is one file; this one is the table of contents.

mod cluster;
mod dist;
mod files;
mod lanes;
mod licences;
mod mutants;
mod new_game;
mod platforms;
mod rules;
mod sh;
mod shipping;
mod sixth;
mod suite;
mod timing;
mod watch;
mod words;

use std::process::ExitCode;

pub(crate) const HELP: &str = "\
cargo xtask <chore>

  test [rust]        set up what is missing, then format, lints, rules, licences and every test
                     (rust: without what is built on the server or on the page)
  browser [cluster]  whole games on the page in a real Chromium; pictures of every page go to target/screens
                     (cluster: at three nodes on PostgreSQL and NATS)
  pictures [film]    the same, and renews the pictures of the docs (film: only the moving one)
  rules [--write]    which tests name which rule; fails on a rule without a test, and when docs/rules/COVERAGE.md
                     says something else (--write: writes it)
  new-game NAME      writes the crate of a new game, which plays from the first minute, and adds it to the lists
                     (--prove: follows docs/new-game.md in a copy of the project, and plays the game it ends with)
  mutants [game] [--sample N]
                     breaks a game's rules, one sign or number at a time, and says what no test notices (docs/mutants.md)
  playthrough        writes the playthroughs of all games anew; review them with git diff
  words              makes the house dictionary from Debian's package scowl
  licences           checks the licence of every crate we depend on
  watch [--port P]   the house with the page as it is now: builds it again at every change of a source, and open pages reload
  platforms          compiles (without linking) what is shipped for Windows and macOS
  dist [--profile P | --program FILE] [--prove]
                     packages for this platform, with checksums and a bill of materials, in target/packages
                     (--program: of a program that is built already)
                     (--prove: installs, plays, upgrades, removes and purges the Debian package on this machine, and
                     runs the container where buildah is; as root, on a machine that has no Parlor)
  bench [crate]      runs the benches (of one crate); `bench server [what]` puts a real server under load,
                     `bench cluster` three nodes on PostgreSQL and NATS; `bench build REV [times]` builds REV and HEAD
                     in turn from clean clones
  fuzz [seconds] [target] [number]
                     feeds every reader with nonsense, a minute each: acts, options, records, notations, sets, frames
  simulate [--seeds N] [--from M]
                     whole houses in virtual time, with faults of every kind; prints every seed that fails
  cluster [--nodes N] [--port P] [--release] [-- command]
                     PostgreSQL, NATS and three nodes behind one address, until Ctrl-C or the command's end
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("test") => suite::test(rest),
        Some("browser") => suite::browser(rest),
        Some("pictures") => suite::pictures(rest),
        Some("rules") => rules::run(rest),
        Some("mutants") => mutants::run(rest),
        Some("playthrough") => suite::playthrough(),
        Some("words") => words::run(rest),
        Some("licences") => licences::check(),
        Some("platforms") => platforms::check(),
        Some("watch") => watch::run(rest),
        Some("dist") => dist::dist(rest),
        Some("new-game") if rest == ["--prove"] => sixth::prove(),
        Some("new-game") => new_game::run(rest),
        Some("bench") if rest.first().is_some_and(|what| what == "build") => timing::run(&rest[1..]),
        Some("bench") => suite::bench(rest),
        Some("fuzz") => suite::fuzz(rest),
        Some("simulate") => suite::simulate(rest),
        Some("cluster") => cluster::run(rest),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no chore \"{other}\"\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
