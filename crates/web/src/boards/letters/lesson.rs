//! A live board in a lesson: the dice of a worked example, to be laid or laid already, counted as at a table.

use super::desk::Desk;
use super::foot::Pad;
use super::grid::Grid;
use super::piece::Look;
use super::shown::Shown;
use super::throw::Roll;
use super::{Count, WordList};
use crate::ui::icon;
use leptos::prelude::*;
use letters::{Board, Move, Rules, StageView, TurnView};
use std::collections::BTreeMap;
use words::{Counting, Face, Layout, WordsId, notation};

/// A worked example.
#[derive(Clone, Copy)]
pub(super) struct Example {
    /// Of which game.
    pub look: Look,
    /// How it counts.
    pub counting: Counting,
    /// The layout, as it is written.
    pub solved: &'static str,
    /// The dice left over.
    pub left: &'static str,
}

impl Example {
    /// The dice and where they lie.
    fn set_up(self) -> (Vec<Face>, Layout) {
        let set = scribbage::Set::standard();
        let face = |tile: notation::Tile| {
            let shown = tile.letter.filter(|_| !tile.wild);
            tile.face(if self.look == Look::Scribbage { set.value(scribbage::Face(shown)) } else { 0 })
        };
        let read = |text: &str| notation::read(text, self.look.style(), face).unwrap_or_default();
        let ((layout, mut faces), (_, left)) = (read(self.solved), read(self.left));
        faces.extend(left);
        (faces, layout)
    }
}

/// The example, its dice in the tray.
pub(super) fn to_lay(example: Example) -> AnyView {
    view! { <Lesson example solved=false/> }.into_any()
}

/// The example as it was laid.
pub(super) fn laid(example: Example) -> AnyView {
    view! { <Lesson example solved=true/> }.into_any()
}

#[component]
fn Lesson(example: Example, solved: bool) -> impl IntoView {
    #[cfg(test)]
    tests::DRAWN.with_borrow_mut(|drawn| drawn.push(example));
    let (faces, layout) = example.set_up();
    let mut board = Board::beside(faces.len());
    if solved {
        board = Move::Arrange(layout.dice.clone()).done_to(&board);
    }
    let board = RwSignal::new(board);
    let shown = Memo::new(move |_| Some(at_the_table(example, faces.clone(), board.get())));
    let may = Memo::new(|_| true);
    let act = Callback::new(move |touch: Move| board.update(|board| *board = touch.done_to(board)));
    let desk = Desk::new(example.look, shown, may, act);
    let class = match example.look {
        Look::IQubes => "letters is-iqubes lt-lesson",
        Look::Scribbage => "letters is-scribbage lt-lesson",
    };
    let solve = move |_| desk.arrange(&layout);
    view! {
        <div class=class>
            <div class="lt-head"><WordList desk/><Count desk/></div>
            <Grid desk roll=Roll::still_life()><Pad desk/></Grid>
            <div class="lt-row">
                <button class="btn" on:click=move |_| desk.clear()>{icon::sweep()}"All back"</button>
                <button class="btn" data-do="solve" on:click=solve>{icon::check()}"As on the sheet"</button>
            </div>
        </div>
    }
}

/// A table at which nothing but this throw is played.
fn at_the_table(example: Example, faces: Vec<Face>, dice: Board) -> Shown {
    let rules = Rules { faces, counting: example.counting };
    let stage = StageView::Arranging;
    Shown {
        turn: TurnView { makers: Vec::new(), stage, by: None, dice, reading: None, count: None },
        rules,
        words: WordsId::default(),
        offensive: false,
        judge: true,
        rulings: BTreeMap::new(),
        counted: None,
        sand: None,
        headline: String::new(),
        note: String::new(),
        over: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::letters::read::Read;
    use crate::boards::{self, Game};
    use crate::route::Route;
    use house::Kind;
    use std::cell::RefCell;
    use words::{Lexicon, Word};

    thread_local! {
        /// The examples that lessons have drawn.
        pub(super) static DRAWN: RefCell<Vec<Example>> = const { RefCell::new(Vec::new()) };
    }

    /// The examples of a game's lesson, by drawing every step of it.
    fn examples(game: &Game) -> Vec<Example> {
        DRAWN.with_borrow_mut(Vec::clear);
        for step in game.steps {
            crate::tests::drawn(Route::Home, || (step.show)());
        }
        DRAWN.take()
    }

    #[test]
    fn every_example_of_a_lesson_is_good_by_the_house_list_and_has_no_slur() {
        let house = Lexicon::house();
        for kind in [Kind::IQubes, Kind::Scribbage] {
            let examples = examples(boards::game(kind));
            assert!(examples.len() >= 4, "{kind}: {} examples", examples.len());
            for example in examples {
                let (faces, layout) = example.set_up();
                let checked = layout.check(&faces, example.counting, |word| house.contains(word));
                assert!(checked.is_good(), "{}: {:?}", example.solved, checked.faults());
                let offends = |word: &Word| house.entry(word).is_some_and(|entry| entry.offensive);
                let words: Vec<Word> = checked.runs().iter().filter_map(|run| run.word).collect();
                assert!(!words.is_empty() && !words.iter().any(offends), "{}", example.solved);
            }
        }
    }

    #[test]
    fn the_examples_of_the_sheets_count_what_the_sheets_say() {
        let plain = Counting::IQubes { long_word: false };
        let cases = [
            (Look::IQubes, plain, ".T../CO*D./..IS/..e.", "", 17),
            (Look::IQubes, plain, "DASH/.TO*E", "", 26),
            (Look::IQubes, plain, "sPAR/..t", "ro", 6),
            (Look::Scribbage, Counting::Scribbage, "plant/i.r.w/c.m.o/k", "q", 31),
        ];
        for (look, counting, solved, left, points) in cases {
            let example = Example { look, counting, solved, left };
            let (faces, layout) = example.set_up();
            let board = Move::Arrange(layout.dice).done_to(&Board::beside(faces.len()));
            let read = Read::of(&board, &at_the_table(example, faces, board.clone()), look);
            assert_eq!((read.points, &read.says), (points, &None), "{solved}");
        }
    }
}
