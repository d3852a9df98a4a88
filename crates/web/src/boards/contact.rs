//! Contact: a ruled board in ink, printed tiles with four numbers that stay upright while the tile turns. What a move
//! would touch, and who would go, is shown before letting go.

mod advice;
mod board;
mod hand;
mod lesson;
mod marks;
mod sheet;
mod sight;
mod stage;
mod strip;
mod tile;
mod words;

use super::{Game, Solver, THE_BEST, Telling};
use crate::seen::Seen;
use crate::session::Session;
use crate::sound::{Sound, ears};
use board::Board;
use contact::{Public, Side};
use hand::Hand;
use leptos::prelude::*;
use serde_json::{Value, json};
use stage::Stage;
use strip::Strip;
use table::Seat;

/// What Contact brings to the page.
pub static GAME: Game = Game {
    engine: &house::CONTACT,
    board,
    sheet: sheet::sheet,
    advice: advice::advice,
    tally,
    tell,
    solver: Some(Solver {
        title: THE_BEST,
        asks: "The position",
        written: "Rows from North to South: a number for free corners, a tile by its owner (large: TWO STEP) and its spin a to d, + on its back. Then whose turn it is, and who plays.",
        example: || {
            let start = contact::Position::start(&contact::Set::default(), "six", contact::Players::Two);
            start.map(|start| start.to_string()).unwrap_or_default()
        },
        wishes: &[],
        question: |text| json!({"position": text, "lines": 3}),
        answer: solved,
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

/// What the search found, for people: the lines, and the position with the best move on it.
fn solved(answer: &Value) -> AnyView {
    let says = json!({"best": answer});
    let lines = advice::advice(&says);
    let position = answer.get("position").and_then(Value::as_str);
    let board = position.and_then(Stage::look_at).map(|session| {
        session.coach.set(Some((Seat(0), says)));
        let hand = Hand::new(session, None);
        view! { <div class="contact ct-lesson"><Board hand/></div> }
    });
    view! { {lines}{board} }.into_any()
}

/// How many tiles each has left.
fn tally(seen: &Seen) -> Vec<String> {
    let Some(public) = seen.get::<Public>() else { return Vec::new() };
    let left = |side: &Side| public.tiles.iter().filter(|tile| tile.owner == *side).count();
    public.players.sides().iter().map(|side| left(side).to_string()).collect()
}

fn tell(telling: &Telling<'_>) -> Vec<String> {
    let Some((before, now)) = telling.views::<Public>() else { return Vec::new() };
    let moved = (before.last != now.last).then(|| told(&now, telling.names)).flatten();
    moved.into_iter().collect()
}

/// The last move in a sentence.
fn told(public: &Public, names: &[String]) -> Option<String> {
    let last = public.last.as_ref()?;
    let seat = public.players.sides().iter().position(|&side| side == last.by)?;
    let name = names.get(seat)?;
    let Some((from, to)) = last.mv.ends() else { return Some(format!("{name} passes.")) };
    let moved =
        if from == to { format!("steps out and back on {from}") } else { format!("moves {from} to {to}") };
    let lost = last.removed.iter().any(|tile| tile.at == to);
    let taken: Vec<String> =
        last.removed.iter().filter(|tile| tile.at != to).map(|tile| tile.at.to_string()).collect();
    let met = match (taken.is_empty(), lost) {
        (true, false) => String::new(),
        (true, true) => ", and the tile is lost".to_owned(),
        (false, false) => format!(", taking {}", words::list(&taken)),
        (false, true) => format!(", losing it for {}", words::list(&taken)),
    };
    let turned = if last.turned_over { ", turned over" } else { "" };
    let end = public.end.as_ref().map_or_else(String::new, |end| format!(" {}", sheet::ended(end.ending)));
    Some(format!("{name} {moved}{met}{turned}.{end}"))
}

fn board(session: Session) -> AnyView {
    let hand = Hand::new(session, None);
    sounds(hand);
    // What was picked before a move is not picked after it.
    Effect::new(move |_| {
        session.public.track();
        hand.let_go();
        hand.over.set(None);
    });
    // Two players with six tiles each have red and green; the page's dots follow.
    let red_and_green = move || {
        hand.view.with(|view| {
            let tiles = view.as_ref().map(|view| view.tiles.as_slice()).unwrap_or_default();
            hand.players().count() == 2
                && !tiles
                    .iter()
                    .any(|tile| tile.owner == Side::North && tile.colour != contact::Colour::Green)
        })
    };
    view! {
        <div class="contact">
            <div class="ct-in" class:is-red-and-green=red_and_green>
                <Board hand/>
                <Strip hand/>
            </div>
        </div>
    }
    .into_any()
}

/// A tile set down clicks; tiles that go are heard to go; a tile turned over rings.
fn sounds(hand: Hand) {
    let ears = ears();
    Effect::new(move |before: Option<Option<usize>>| {
        let now = hand.view.with(|view| view.as_ref().map(|view| view.moves.len()));
        if before.flatten().zip(now).is_some_and(|(before, now)| now == before + 1) {
            let last = hand.view.with_untracked(|view| view.as_ref().and_then(|view| view.last.clone()));
            ears.play(match last {
                Some(last) if !last.removed.is_empty() => Sound::Slam,
                Some(last) if last.turned_over => Sound::Chip,
                _ => Sound::Click,
            });
        }
        now
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact::{Contact, Players, Set as Pieces};
    use table::Game as _;

    fn sentence(moves: &[&str]) -> Option<String> {
        let mut game =
            Contact::new(&Pieces::default(), "six", Players::Two, Side::South, contact::Ties::default())
                .ok()?;
        let mut before = game.public();
        for mv in moves {
            before = game.public();
            game.play(mv.parse().ok()?).ok()?;
        }
        let seen = |public| Seen::from(serde_json::to_string(&public).unwrap());
        let names = ["Ann".to_owned(), "Ben".to_owned()];
        let (before, now) = (seen(before), seen(game.public()));
        tell(&Telling { before: &before, now: &now, by: None, names: &names }).pop()
    }

    #[test]
    fn a_move_is_told_in_a_sentence_whoever_tells_what_was_done() {
        assert_eq!(sentence(&["g2-g3"]).as_deref(), Some("Ann moves g2 to g3."));
        assert_eq!(sentence(&["g2-g3", "h15-h15"]), None, "closed in, it cannot step out");
        assert_eq!(sentence(&["g2-g3", "g14-g13"]).as_deref(), Some("Ben moves g14 to g13."));
        assert_eq!(sentence(&[]), None);
    }

    #[test]
    fn the_tally_counts_the_tiles_on_the_board() {
        let game =
            Contact::new(&Pieces::default(), "twelve", Players::Two, Side::South, contact::Ties::default())
                .expect("a game");
        assert_eq!(tally(&serde_json::to_string(&game.public()).expect("JSON").into()), ["12", "12"]);
    }
}
