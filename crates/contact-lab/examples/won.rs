//! Does the search win what is won? Games in which North has lost all but a few of six tiles after a quiet opening.
//!
//! `cargo run --release -p contact-lab --example won -- nodes:20000 nodes:4000 8 1`: who is ahead, who is behind, how many games
//! of each kind, and the first of the numbers they are drawn by.

use contact::level::{Kind, Player};
use contact::{Players, Position, Set, Side, Tile};
use table::Luck;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [ahead, behind, games, first] = words.as_slice() else {
        eprintln!(
            "say who is ahead, who is behind, how many games, and the first number: nodes:20000 nodes:4000 8 1"
        );
        std::process::exit(2);
    };
    let (Ok(ahead), Ok(behind), Ok(games), Ok(first)) =
        (ahead.parse(), behind.parse(), games.parse::<u32>(), first.parse::<u32>())
    else {
        eprintln!("a player is a word such as level5 or nodes:20000, and the rest are numbers");
        std::process::exit(2);
    };
    for left in 1..=4 {
        let seeds = (0..games).map(|game| u64::from(first) + u64::from(game));
        let ends: Vec<[u8; 2]> = seeds.map(|seed| play(seed, left, ahead, behind)).collect();
        let won = ends.iter().filter(|[_, north]| *north == 0).count();
        println!("six tiles against {left}: {won} of {games} won; left over, of each: {ends:?}");
    }
}

/// One game; how many tiles each side has at its end.
fn play(seed: u64, left: usize, ahead: Kind, behind: Kind) -> [u8; 2] {
    let mut position = won(seed, left);
    let mut players = [ahead, behind].map(|kind| Player::new(kind, seed));
    while position.over().is_none() {
        let mv = players[usize::from(position.turn() == Side::North)].choose(&position);
        position.play(mv).expect("players know the rules");
    }
    [position.count(Side::South), position.count(Side::North)]
}

/// Four moves of each side by chance, then North has so many tiles left.
fn won(seed: u64, left: usize) -> Position {
    let mut luck = Luck::new(seed);
    let mut position = Position::start(&Set::default(), "six", Players::Two).expect("a set-up");
    for _ in 0..8 {
        let legal = position.legal();
        position.make(*luck.pick(&legal).expect("nobody is stuck in the opening"));
    }
    let mut lost: Vec<u8> = position.tiles().filter(|t| t.owner == Side::North).map(|t| t.id).collect();
    luck.shuffle(&mut lost);
    lost.truncate(lost.len().saturating_sub(left));
    let tiles: Vec<Tile> = position.tiles().filter(|tile| !lost.contains(&tile.id)).collect();
    Position::new(&Set::default(), Players::Two, &tiles, position.turn(), 0, None)
        .expect("tiles that stood so")
}
