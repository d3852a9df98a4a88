//! How Contact is played, in steps on a live board, and on one page.

use super::board::Board;
use super::hand::Hand;
use super::stage::Stage;
use crate::learn::Step;
use contact::Public;
use contact::view::Last;
use leptos::prelude::*;
use std::fmt::Write;

/// The lesson.
pub(super) const STEPS: &[Step] = &[
    Step {
        title: "Tiles stand on the lines",
        words: "The middle of a tile stands where two lines cross. A tile with one mark walks one corner along the lines, a tile with two marks walks two; it may turn a corner on the way, never cut across. Then it always turns a quarter to the right.",
        show: || TILES.shown(),
    },
    Step {
        title: "Corners meet, the higher stays",
        words: "When the tile has walked and turned, look where its corners touch an opponent's. The lower number leaves the board. Here the red 4 can meet the blue 3.",
        show: || HIGHER.shown(),
    },
    Step {
        title: "Equal: both go",
        words: "When the two corners are the same, both tiles are off. Sometimes that is just what you want.",
        show: || EQUAL.shown(),
    },
    Step {
        title: "One against two",
        words: "Touching two tiles of one opponent at once, add up: your two corners against theirs. Here 3 and 4 are more than 2 and 3, and both blue tiles go.",
        show: || SUM.shown(),
    },
    Step {
        title: "Never side by side",
        words: "No tile may stop beside an opponent's, or pass there: corner to corner is the only way to meet. The corners next to the blue tile stay dark.",
        show: || BESIDE.shown(),
    },
    Step {
        title: "The ringed spots",
        words: "The first time a tile reaches a ring on the far side it is turned over: 4 on all corners of a two-step tile, 5 on all of a one-step tile. No weak corner any more, and no strong one.",
        show: || RINGS.shown(),
    },
    Step {
        title: "The last two",
        words: "Two tiles left, alike and still face up: now every move is seven steps, and after ten turns each it is a tie. Pick the red tile and see how far it reaches.",
        show: || SEVEN.shown(),
    },
];

/// The rules on one page.
pub(super) const REFERENCE: &[(&str, &str)] = &[
    ("Aim", "To have the last tile on the board. With partners, the last tile of the two."),
    (
        "The tiles",
        "Two-step tiles have 1 2 3 4 on their corners and 4 on every corner of the back; one-step tiles have 3 4 5 6 and 5.",
    ),
    (
        "A move",
        "One tile, along the lines, exactly its steps, each in any direction; a two-step tile may go out and come back. Then a quarter turn to the right.",
    ),
    (
        "In the way",
        "No tile stands on another, and none comes side by side with an opponent's, not even in passing.",
    ),
    (
        "Contact",
        "Decided after the turn, and only for the tile that moved. Higher stays, lower goes, equal: both go. You may walk into a contact that you lose.",
    ),
    (
        "Several at once",
        "Against one opponent the touching corners are added up on each side; partners count as one opponent. Against different opponents each is decided for itself.",
    ),
    (
        "Ringed spots",
        "A tile that first ends on a ring of the side across from its home is turned over, after the contacts. It keeps its step.",
    ),
    (
        "Partners",
        "Opposite players. Instead of your own you may move your partner's tile, if that takes an opponent's tile or saves one of your partner's.",
    ),
    ("No move", "Whoever cannot move passes. Whoever has no tile is out."),
    (
        "The last two",
        "Both turned over and equal: a tie. Both alike and face up: moves of seven steps, ten turns each. Any other two: ten turns each. Then a tie.",
    ),
    (
        "Going round",
        "The same position three times, or thirty turns each in which nothing is taken or turned over: a tie, or the count decides if that was agreed: more tiles win, then higher figures.",
    ),
];

/// One live board of the lesson.
struct Example {
    /// The tiles: `Sb:h6` is South's two-step tile, spun once, on h6.
    tiles: &'static str,
    /// Who plays, and the stand of a last pair.
    play: &'static str,
    /// The corners that must be seen.
    look: &'static [&'static str],
    /// What to do, what to say when it was done, and what else.
    task: &'static str,
    done: &'static str,
    else_: &'static str,
}

const TILES: Example = Example {
    tiles: "sa:g7 Sa:i7 wa:b14",
    play: "four",
    look: &["e5", "k9"],
    task: "Pick a red tile and move it.",
    done: "",
    else_: "It turned a quarter. Again?",
};
const HIGHER: Example = Example {
    tiles: "Sb:h6 wd:i9 sa:a1 wa:b14",
    play: "four",
    look: &["f6", "k10"],
    task: "Touch the blue tile with the red 4.",
    done: "4 against 3: blue is off.",
    else_: "No contact there. Set it up again?",
};
const EQUAL: Example = Example {
    tiles: "Sb:h6 wc:i9 sa:a1 wa:b14",
    play: "four",
    look: &["f6", "k10"],
    task: "Touch blue's 4 with your 4.",
    done: "4 against 4: both are off.",
    else_: "No contact there. Set it up again?",
};
const SUM: Example = Example {
    tiles: "Sb:h6 Wb:g9 Wb:i9 sa:a1 wa:b14",
    play: "four",
    look: &["f6", "j10"],
    task: "Walk in between the two.",
    done: "3 + 4 against 2 + 3: both blue tiles are off.",
    else_: "Not between them. Set it up again?",
};
const BESIDE: Example = Example {
    tiles: "Sa:g7 wa:h9 wc:b14",
    play: "four",
    look: &["e5", "j10"],
    task: "See where the red tile may go.",
    done: "Corner to corner: that is a contact.",
    else_: "Corner to corner, or well away.",
};
const RINGS: Example = Example {
    tiles: "Sa:h13 sb:f14 wa:b9",
    play: "four",
    look: &["e12", "j15"],
    task: "Bring a tile onto a ring.",
    done: "Turned over: the same on every corner.",
    else_: "Not on a ring yet.",
};
const SEVEN: Example = Example {
    tiles: "Sa:h4 Nc:i11",
    play: "two 0 seven:0",
    look: &["a1", "o15"],
    task: "Seven steps, any way round.",
    done: "That was the last of them.",
    else_: "Seven steps, and a quarter turn.",
};

impl Example {
    /// The position as text.
    fn position(&self) -> String {
        let placed: Vec<(&str, &str)> =
            self.tiles.split(' ').filter_map(|tile| tile.split_once(':')).collect();
        let mut text = String::new();
        for row in (1..=15_u8).rev() {
            let mut empty = 0;
            for column in b'a'..=b'o' {
                let corner = format!("{}{row}", char::from(column));
                let Some((tile, _)) = placed.iter().find(|(_, at)| *at == corner) else {
                    empty += 1;
                    continue;
                };
                let gap = if empty > 0 { empty.to_string() } else { String::new() };
                let _ = write!(text, "{gap}{tile}");
                empty = 0;
            }
            let gap = if empty > 0 { empty.to_string() } else { String::new() };
            let _ = write!(text, "{gap}{}", if row > 1 { "/" } else { "" });
        }
        format!("{text} s {}", self.play)
    }

    /// The board, what to do on it, and a way to set it up again.
    fn shown(&'static self) -> AnyView {
        let again = RwSignal::new(0_u32);
        let board = move || {
            again.track();
            Stage::set_up(&self.position()).map(|session| {
                let view = session.view::<Public>();
                let says =
                    move || view.with(|view| self.says(view.as_ref().and_then(|view| view.last.as_ref())));
                let hand = Hand::new(session, Some(self.look));
                view! { <Board hand/><output class="try-says">{says}</output> }
            })
        };
        view! {
            <div class="contact ct-lesson">{board}</div>
            <button class="btn" data-do="again" on:click=move |_| again.update(|again| *again += 1)>"Set it up again"</button>
        }
        .into_any()
    }

    fn says(&self, last: Option<&Last>) -> &'static str {
        match last {
            None => self.task,
            Some(last) if !last.removed.is_empty() || last.turned_over => self.done,
            Some(_) => self.else_,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact::{Move, Position};

    const ALL: [&Example; 7] = [&TILES, &HIGHER, &EQUAL, &SUM, &BESIDE, &RINGS, &SEVEN];

    fn position(example: &Example) -> Position {
        example.position().parse().unwrap_or_else(|fault| panic!("{}: {fault}", example.tiles))
    }

    fn after(example: &Example, mv: &str) -> (u32, bool) {
        let mut position = position(example);
        let mv: Move = mv.parse().expect("a move");
        let turns = position.foresee(mv).is_some_and(|seen| seen.turns_over);
        (position.play(mv).expect("legal").removed().count_ones(), turns)
    }

    #[test]
    fn every_example_can_be_set_up_and_played_on() {
        for example in ALL {
            let mut position = position(example);
            assert!(position.over().is_none() && !position.legal().is_empty(), "{}", example.tiles);
        }
    }

    #[test]
    fn the_sheet_s_examples_end_as_the_sheet_says() {
        assert_eq!(after(&HIGHER, "h6-h8"), (1, false));
        assert_eq!(after(&EQUAL, "h6-h8"), (2, false));
        assert_eq!(after(&SUM, "h6-h8"), (2, false));
        assert_eq!(after(&RINGS, "h13-h15"), (0, true));
        assert_eq!(after(&RINGS, "f14-f15"), (0, true));
    }

    #[test]
    fn in_the_last_ending_a_tile_reaches_far() {
        assert!(position(&SEVEN).legal().len() > 30);
    }
}
