//! What a player is told when he may not do what he asks: the rule, and what his tile may do instead.

use serde::Serialize;

use crate::bits::Bits;
use crate::board::{Corner, Side};
use crate::ending::Pair;
use crate::moves::Move;
use crate::position::{Misplaced, Position};
use crate::set::{Fault, Step};
use crate::tile::Tile;

/// Why an act is refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// The set of a game has faults.
    #[error("this set cannot be played: {}", list(faults))]
    BadSet {
        /// All of them.
        faults: Vec<Fault>,
    },
    /// The set has no such set-up.
    #[error("there is no set-up `{setup}` in this set; choose one of: {}", list(known))]
    UnknownSetUp {
        /// The one asked for.
        setup: String,
        /// The set-ups of the set.
        known: Vec<String>,
    },
    /// No such set-up, or not for so many.
    #[error("there is no set-up `{setup}` for {players} players; choose one of: {}", list(known))]
    NoSetUp {
        /// The one asked for.
        setup: String,
        /// How many sit down.
        players: u32,
        /// Set-ups that fit.
        known: Vec<String>,
    },
    /// Tiles that cannot stand as the set-up puts them.
    #[error("this set-up cannot be played: {problem}")]
    Misplaced {
        /// What is wrong.
        problem: Misplaced,
    },
    /// A number of seats that cannot play.
    #[error("Contact is for 2, 3 or 4 players, and partners are 4 (CT-S4); here are {players}")]
    Players {
        /// How many sit down.
        players: u32,
    },
    /// A first player who does not sit here.
    #[error("{side} does not play at this table, and cannot start (CT-S6)")]
    FirstNotSeated {
        /// Who should start.
        side: Side,
    },
    /// Not at this table.
    #[error("that seat is not at this table")]
    NotSeated,
    /// The game has ended.
    #[error("the game is over; start a new one")]
    Over,
    /// Another player's turn.
    #[error("it is {turn}'s turn; players move in turn, to the left (CT-S6)")]
    NotYourTurn {
        /// Whose turn it is.
        turn: Side,
    },
    /// Passing although there are moves.
    #[error("you have a move, and must make one; only who has none passes (CT-R5). Moves: {}", list(legal))]
    MustMove {
        /// All legal moves.
        legal: Vec<Move>,
    },
    /// Moving where only a pass is left.
    #[error("you have no legal move, so all you can do is pass (CT-R5)")]
    MustPass,
    /// No tile there.
    #[error("no tile stands on {at}; yours stand on {}", list(yours))]
    NoTile {
        /// The corner.
        at: Corner,
        /// Where the player's tiles stand.
        yours: Vec<Corner>,
    },
    /// An opponent's tile.
    #[error("the tile on {at} is {owner}'s; move one of yours, on {}", list(yours))]
    NotYours {
        /// The corner.
        at: Corner,
        /// Whose it is.
        owner: Side,
        /// Where the player's tiles stand.
        yours: Vec<Corner>,
    },
    /// A corner that the tile's steps do not reach.
    #[error("{rule}: a {step} tile cannot go from {from} to {to}, {why}. It can go to: {}", list(legal))]
    Steps {
        /// The rule that says how it moves.
        rule: &'static str,
        /// Its kind.
        step: Step,
        /// Where it stands.
        from: Corner,
        /// Where it should go.
        to: Corner,
        /// How it moves.
        why: &'static str,
        /// Where it can go.
        legal: Vec<Corner>,
    },
    /// The corner is taken.
    #[error("CT-R1: another tile stands on {to}. From {from} it can go to: {}", list(legal))]
    Taken {
        /// Where it stands.
        from: Corner,
        /// Where it should go.
        to: Corner,
        /// Where it can go.
        legal: Vec<Corner>,
    },
    /// Side by side with an opponent.
    #[error(
        "CT-S11, CT-R1: on {to} it would lie side by side with an opponent's tile. From {from} it can go to: {}",
        list(legal)
    )]
    SideBySide {
        /// Where it stands.
        from: Corner,
        /// Where it should go.
        to: Corner,
        /// Where it can go.
        legal: Vec<Corner>,
    },
    /// The way is closed by tiles, or by corners next to opponents.
    #[error(
        "CT-R1: every way from {from} to {to} leads over a tile or past the side of an opponent's. It can go to: {}",
        list(legal)
    )]
    WayClosed {
        /// Where it stands.
        from: Corner,
        /// Where it should go.
        to: Corner,
        /// Where it can go.
        legal: Vec<Corner>,
    },
    /// A partner's tile may be moved only to take or to save (CT-S14).
    #[error(
        "CT-S14: a partner's tile may be moved only if that removes an opponent's tile or saves a tile of his from being taken. From {from} it can go to: {}",
        list(legal)
    )]
    Partner {
        /// Where it stands.
        from: Corner,
        /// Where the player may move it.
        legal: Vec<Corner>,
    },
}

fn list<T: ToString>(items: &[T]) -> String {
    if items.is_empty() {
        return "nowhere".to_owned();
    }
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Says why a move is not legal, if it is not.
pub fn check_move(position: &mut Position, mv: Move) -> Result<(), Refusal> {
    if position.over().is_some() {
        return Err(Refusal::Over);
    }
    let mut legal = position.legal();
    if legal.contains(&mv) {
        return Ok(());
    }
    legal.sort_unstable();
    let Some((from, to)) = mv.ends() else {
        return Err(Refusal::MustMove { legal: legal.to_vec() });
    };
    let turn = position.turn();
    let yours = || position.of(turn).into_iter().collect();
    let Some(tile) = position.tile_on(from) else {
        return Err(Refusal::NoTile { at: from, yours: yours() });
    };
    if position.players().team(turn) >> tile.owner.index() & 1 == 0 {
        return Err(Refusal::NotYours { at: from, owner: tile.owner, yours: yours() });
    }
    if legal[..] == [Move::PASS] {
        return Err(Refusal::MustPass);
    }
    let of_tile = legal.iter().filter_map(|m| m.ends()).filter(|e| e.0 == from).map(|e| e.1).collect();
    Err(refuse_steps(position, tile, to, of_tile))
}

fn refuse_steps(position: &Position, tile: Tile, to: Corner, legal: Vec<Corner>) -> Refusal {
    let from = tile.at;
    if position.reach(tile.id).has(to) {
        return Refusal::Partner { from, legal };
    }
    let seven = matches!(position.pair(), Pair::Seven(_));
    let (steps, rule, why) = match (seven, tile.step) {
        (true, _) => (7, "CT-S17", "for in this ending a move is of exactly seven steps along the lines"),
        (_, Step::TwoStep) => {
            (2, "CT-S7", "for it makes exactly two steps along the lines, never diagonally")
        }
        (_, Step::OneStep) => (1, "CT-S7", "for it makes one step along a line, never diagonally"),
    };
    let open = (0..steps).fold(Bits::of(from), |at, _| at.neighbours());
    if !open.has(to) {
        return Refusal::Steps { rule, step: tile.step, from, to, why, legal };
    }
    if to != from && position.occupied().has(to) {
        return Refusal::Taken { from, to, legal };
    }
    if position.foes(tile.owner).neighbours().has(to) {
        return Refusal::SideBySide { from, to, legal };
    }
    Refusal::WayClosed { from, to, legal }
}
