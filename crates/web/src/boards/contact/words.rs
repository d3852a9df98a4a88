//! The board in words: corners, choices, and what a move would do. What is shown is also said.

use super::hand::Hand;
use super::tile;
use contact::{Corner, Foresight, Players, Side, Touch};
use leptos::prelude::*;

/// `a, b and c`.
pub(super) fn list<T: ToString>(items: &[T]) -> String {
    let words: Vec<String> = items.iter().map(ToString::to_string).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Where a tile may go.
pub(super) fn choices(from: Corner, ends: &[Corner]) -> String {
    let away: Vec<Corner> = ends.iter().copied().filter(|&end| end != from).collect();
    match (away.is_empty(), ends.contains(&from)) {
        (true, true) => format!("From {from} it can only step out and back."),
        (true, false) => format!("The tile on {from} cannot move."),
        (false, back) => {
            format!("From {from} to {}{}.", list(&away), if back { ", or out and back" } else { "" })
        }
    }
}

/// A corner, as one would tell somebody who cannot see it.
pub(super) fn corner(hand: Hand, at: Corner) -> String {
    let found =
        hand.view.with(|view| view.as_ref().and_then(|view| view.tiles.iter().find(|t| t.at == at).cloned()));
    let aimed = hand.foreseen.with(|seen| {
        seen.as_ref().filter(|seen| seen.tile.at == at).map(|seen| foretold(seen, hand.players()))
    });
    let ringed = hand.ringed(at);
    let what = match found {
        Some(found) => {
            let whose = if hand.side.get() == Some(found.owner) {
                "your".to_owned()
            } else {
                hand.owner(found.owner)
            };
            let figures = hand.sight.get().figures(found.figures).map(|figure| figure.to_string()).join(" ");
            let turned = if found.turned { ", turned over" } else { "" };
            let may = match hand.ends(at).len() {
                0 => String::new(),
                1 => ", one way to go".to_owned(),
                ways => format!(", {ways} ways to go"),
            };
            format!(
                "{whose} {} {} tile{turned}, {figures} from the top left{may}",
                found.colour,
                tile::kind(found.step)
            )
        }
        None if ringed => "a ringed spot".to_owned(),
        None => "empty".to_owned(),
    };
    aimed.map_or_else(|| format!("{at}, {what}"), |aimed| format!("{at}, {what}. {aimed}"))
}

impl Hand {
    /// Who plays against whom.
    pub(super) fn players(self) -> Players {
        self.view.with(|view| view.as_ref().map_or(Players::Two, |view| view.players))
    }

    /// A side's player, as "Ada's".
    pub(super) fn owner(self, side: Side) -> String {
        let seat = self.players().sides().iter().position(|&found| found == side).unwrap_or(0);
        format!("{}'s", self.session.name(table::Seat(seat as u32)))
    }

    /// Whether a corner has a ring.
    pub(super) fn ringed(self, at: Corner) -> bool {
        self.view.with(|view| {
            view.as_ref().is_some_and(|view| {
                view.rings
                    .iter()
                    .any(|(side, places)| places.iter().any(|&place| side.corner(1, place) == Some(at)))
            })
        })
    }
}

/// What a move would do, opponent by opponent (CT-R3), then whether the tile is turned over.
pub(super) fn foretold(seen: &Foresight, players: Players) -> String {
    let mut told = Vec::new();
    let mut teams: Vec<u8> = seen.touches.iter().map(|touch| players.team(touch.tile.owner)).collect();
    teams.sort_unstable();
    teams.dedup();
    for team in teams {
        let touches: Vec<&Touch> =
            seen.touches.iter().filter(|touch| players.team(touch.tile.owner) == team).collect();
        told.push(met(&touches));
    }
    if seen.turns_over {
        told.push(format!("It is turned over: {} on every corner.", seen.settled[0]));
    }
    if told.is_empty() { "It touches nothing.".to_owned() } else { told.join(" ") }
}

/// One tile against those of one opponent.
fn met(touches: &[&Touch]) -> String {
    let sum = |figures: Vec<u8>| {
        let total: u8 = figures.iter().sum();
        let parts: Vec<String> = figures.iter().map(ToString::to_string).collect();
        if parts.len() > 1 {
            (total, format!("{} = {total}", parts.join(" + ")))
        } else {
            (total, total.to_string())
        }
    };
    let (ours, our_sum) = sum(touches.iter().map(|touch| touch.ours).collect());
    let (theirs, their_sum) = sum(touches.iter().map(|touch| touch.theirs).collect());
    let at: Vec<Corner> = touches.iter().map(|touch| touch.tile.at).collect();
    let goes = if at.len() > 1 { "go" } else { "goes" };
    let end = match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => format!("{} {goes}", list(&at)),
        std::cmp::Ordering::Less => "yours goes".to_owned(),
        std::cmp::Ordering::Equal => format!("yours and {} go", list(&at)),
    };
    format!("{our_sum} against {their_sum}: {end}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact::{Move, Position};

    fn told(position: &str, mv: &str) -> String {
        let position: Position = position.parse().expect("a position");
        let mv: Move = mv.parse().expect("a move");
        foretold(&position.foresee(mv).expect("a tile stands there"), position.players())
    }

    #[test]
    fn a_move_is_told_before_it_is_made() {
        let meets = |north: &str| format!("15/15/15/15/15/15/8{north}6/15/15/7Sb7/15/15/15/15/sa14 s two");
        assert_eq!(told(&meets("Nb"), "h6-h8"), "4 against 3: i9 goes.");
        assert_eq!(told(&meets("Na"), "h6-h8"), "4 against 4: yours and i9 go.");
        assert_eq!(told(&meets("nb"), "h6-h8"), "4 against 5: yours goes.");
        assert_eq!(told(&meets("Nb"), "a1-a2"), "It touches nothing.");
    }

    #[test]
    fn choices_name_every_way_and_out_and_back() {
        let corners: Vec<Corner> = ["c4", "c6", "d5"].iter().map(|c| c.parse().expect("a corner")).collect();
        assert_eq!(choices(corners[0], &corners), "From c4 to c6 and d5, or out and back.");
        assert_eq!(choices(corners[0], &[]), "The tile on c4 cannot move.");
    }
}
