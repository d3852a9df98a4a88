//! What the coach makes of a throw: "17 of a possible 26, proven", the best layout, the words that were missed. It is proven of all
//! words that the table accepts; what is the best of the words shown alone, is told as that.

use super::desk::Desk;
use super::piece::{Look, picture};
use crate::session::Session;
use crate::ui::icon;
use leptos::prelude::*;
use letters::{Board, Count, Proof};
use serde::Deserialize;
use serde_json::Value;
use table::Seat;
use words::{Face, Layout, notation};

/// The coach's word on one throw, as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Review {
    points: i32,
    possible: Option<Possible>,
    layout: Vec<String>,
    words: Vec<Word>,
    missed: Vec<Word>,
    #[serde(rename = "all-dice")]
    all_dice: AllDice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Possible {
    score: i32,
    bound: i32,
    proof: Option<Proof>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Word {
    word: String,
    points: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum AllDice {
    Used,
    Possible { layout: Vec<String> },
    Impossible,
    Unknown,
}

impl Review {
    /// In one sentence.
    pub fn headline(&self) -> String {
        let made = self.points;
        match self.possible {
            Some(Possible { score, proof: Some(Proof::Accepted), .. }) if made >= score => {
                format!("{made}: nothing better was there, proven.")
            }
            Some(Possible { score, proof: Some(Proof::Accepted), .. }) => {
                format!("{made} of a possible {score}, proven.")
            }
            Some(Possible { score, bound, proof: Some(Proof::Shown) }) => {
                format!("{made} of {score}, the most with the words shown here. {}", beyond(bound))
            }
            Some(Possible { score, bound, .. }) => {
                format!("{made}; {score} was possible, and more than {bound} was not.")
            }
            None => format!("{made}. Without a dictionary there is no telling what was possible."),
        }
    }

    /// Was there anything better?
    pub fn better(&self) -> bool {
        self.possible.is_some_and(|possible| possible.score > self.points)
    }

    /// The best layout, made of the dice of a throw.
    fn best(&self, faces: &[Face], look: Look) -> Option<Layout> {
        notation::read_with(&self.layout.join("/"), look.style(), faces).ok()
    }
}

/// How far words could go that are not shown.
fn beyond(bound: i32) -> String {
    format!("Words that Parlor accepts and does not show allow up to {bound}.")
}

fn drawn(rows: &[String], look: Look) -> Option<AnyView> {
    // The values are those of the table's own cubes.
    let own = use_context::<Session>().and_then(|session| {
        session.options.with_untracked(|options| table::newer::read(options.get("set")?.clone()).ok())
    });
    let set = own.unwrap_or_else(scribbage::Set::standard);
    let face = |tile: notation::Tile| {
        let letter = tile.letter.filter(|_| !tile.wild);
        let value = if look == Look::Scribbage { set.value(scribbage::Face(letter)) } else { 0 };
        tile.face(value)
    };
    let (layout, faces) = notation::read(&rows.join("/"), look.style(), face).ok()?;
    (!layout.dice.is_empty()).then(|| picture(&layout, &faces))
}

fn listed(words: &[Word]) -> AnyView {
    let each = words.iter().map(
        |word| view! { <li><b>{word.word.to_uppercase()}</b>" "<span class="num">{word.points}</span></li> },
    );
    view! { <ul class="lt-list">{each.collect_view()}</ul> }.into_any()
}

/// All of it, for the panel.
pub(super) fn advice(advice: &Value, look: Look) -> AnyView {
    match serde_json::from_value::<Review>(advice.clone()) {
        Ok(review) => whole(&review, look),
        Err(_) => ().into_any(),
    }
}

fn whole(review: &Review, look: Look) -> AnyView {
    let all = match &review.all_dice {
        AllDice::Used | AllDice::Unknown => None,
        AllDice::Possible { layout } if *layout == review.layout => {
            Some((format!("It uses all the {}.", look.pieces()), None))
        }
        AllDice::Possible { layout } => {
            Some((format!("All the {} could be used, like this:", look.pieces()), drawn(layout, look)))
        }
        AllDice::Impossible => Some((format!("Nobody could have used all the {}.", look.pieces()), None)),
    };
    let best = review.better().then(|| view! { {drawn(&review.layout, look)}{listed(&review.words)} });
    let missed = (!review.missed.is_empty())
        .then(|| view! { <p class="faint">"Words that were there, too:"</p>{listed(&review.missed)} });
    view! {
        <p><b>{review.headline()}</b></p>
        {best}
        {all.map(|(words, picture)| view! { <p class="faint">{words}</p>{picture} })}
        {missed}
    }
    .into_any()
}

/// What the solver found.
#[derive(Deserialize)]
struct Solved {
    score: Option<i32>,
    bound: Option<i32>,
    proof: Option<Proof>,
    #[serde(default)]
    layout: Vec<String>,
    #[serde(default)]
    words: Vec<Word>,
    #[serde(default)]
    unused: String,
    says: Option<String>,
}

/// What the solver found, for people.
pub(super) fn solved(answer: &Value, look: Look) -> AnyView {
    let Ok(solved) = serde_json::from_value::<Solved>(answer.clone()) else { return ().into_any() };
    let head = match (solved.says, solved.score, solved.bound, solved.proof) {
        (_, Some(score), _, Some(Proof::Accepted)) => format!("{score} is the most, proven."),
        (_, Some(score), Some(bound), Some(Proof::Shown)) => {
            format!("{score} is the most with the words shown here. {}", beyond(bound))
        }
        (_, Some(score), Some(bound), None) => format!("{score} so far; no more than {bound}."),
        (says, ..) => says.unwrap_or_default(),
    };
    let unused = (!solved.unused.is_empty()).then(|| format!("Left over: {}", solved.unused));
    view! {
        <p><b>{head}</b></p>
        {drawn(&solved.layout, look)}
        {listed(&solved.words)}
        {unused.map(|words| view! { <p class="faint">{words}</p> })}
    }
    .into_any()
}

/// Whose count stood last here, and what it was.
type Counted = Option<(Vec<Seat>, Count)>;

/// After a throw of this screen's own the coach is asked by himself; his word stays until the next one.
pub(super) fn asked(session: Session, desk: Desk) -> RwSignal<Option<(Vec<Face>, Review)>> {
    let review = RwSignal::new(None);
    let counted = Memo::new(move |_| {
        desk.shown.with(|shown| {
            let shown = shown.as_ref().filter(|shown| shown.over || shown.in_the_cup())?;
            shown.counted.clone().map(|counted| (counted, shown.rules.faces.clone()))
        })
    });
    Effect::new(move |before: Option<Option<(Counted, Vec<Face>)>>| {
        let now = counted.get().map(|(counted, faces)| (Some(counted), faces));
        let fresh = before.as_ref().is_some_and(|before| *before != now);
        let mine = now.as_ref().and_then(|(counted, _)| {
            let (seats, _) = counted.as_ref()?;
            session.mine.with_untracked(|mine| seats.iter().copied().find(|seat| mine.contains(seat)))
        });
        if let Some(seat) = mine.filter(|_| fresh && session.coached.get_untracked()) {
            session.ask_coach_for(seat);
        }
        now
    });
    // The answer belongs to the throw it was asked about, whatever lies there by now.
    let faces = StoredValue::new(Vec::new());
    Effect::new(move |_| {
        if let Some((_, now)) = counted.get() {
            faces.set_value(now);
        }
    });
    Effect::new(move |_| {
        let said = session.coach.get().and_then(|(_, said)| serde_json::from_value::<Review>(said).ok());
        if let Some(said) = said {
            review.set(Some((faces.get_value(), said)));
        }
    });
    Effect::new(move |_| {
        if desk.may.get() {
            review.set(None);
        }
    });
    review
}

/// The coach's word on the board: a line, and on demand the best layout with the dice themselves.
#[component]
pub(super) fn Said(desk: Desk, review: RwSignal<Option<(Vec<Face>, Review)>>) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| {
        review.track();
        open.set(false);
    });
    let here = move |faces: &[Face]| {
        desk.shown.with(|shown| {
            shown.as_ref().is_some_and(|shown| !shown.arranging() && shown.rules.faces == faces)
        })
    };
    Effect::new(move |_| {
        let best = review.with(|review| {
            let (faces, review) = review.as_ref().filter(|(faces, _)| open.get() && here(faces))?;
            let mut board = Board::beside(faces.len());
            board.arrange(&review.best(faces, desk.look)?.dice).ok()?;
            Some(board)
        });
        desk.instead.set(best);
    });
    let card = move || {
        review.with(|review| {
            let (_, review) = review.as_ref().filter(|(faces, _)| open.get() && !here(faces))?;
            Some(view! { <div class="lt-card card">{whole(review, desk.look)}</div> }.into_any())
        })
    };
    move || {
        review.get().map(|(_, review)| {
            let headline = review.headline();
            view! {
                <div class="lt-said" role="status">
                    <span class="lt-said-who">{icon::bulb()}<span class="sr">"Coach: "</span></span>
                    <p>{headline}</p>
                    {review.better().then(|| view! {
                        <button class="btn" data-do="best" aria-pressed=move || open.get().to_string() on:click=move |_| open.update(|open| *open = !*open)>
                            {move || if open.get() { "As it was" } else { "Show it" }}
                        </button>
                    })}
                </div>
                {card}
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn review(points: i32, possible: Value) -> Review {
        let json = json!({"points": points, "possible": possible, "layout": ["DASH", ".TO*E"], "words": [{"word": "dash", "across": true, "points": 8}],
            "missed": [{"word": "toe", "points": 6}], "all-dice": {"is": "possible", "layout": ["DASH", ".TO*E"]}});
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_coach_says_what_was_possible_and_how_sure_that_is() {
        let proven = json!({"score": 26, "bound": 26, "proven": true, "proof": "accepted"});
        assert_eq!(review(17, proven.clone()).headline(), "17 of a possible 26, proven.");
        assert_eq!(review(26, proven).headline(), "26: nothing better was there, proven.");
        let shown =
            review(17, json!({"score": 26, "bound": 28, "proven": false, "proof": "shown"})).headline();
        assert!(
            shown.starts_with("17 of 26, the most with the words shown here.") && shown.contains("up to 28")
        );
        assert!(!shown.contains("proven"));
        let open = json!({"score": 26, "bound": 30, "proven": false, "proof": null});
        assert_eq!(review(17, open).headline(), "17; 26 was possible, and more than 30 was not.");
        assert!(review(17, Value::Null).headline().starts_with("17. Without"));
    }

    #[test]
    fn the_best_layout_is_made_of_the_dice_that_were_thrown() {
        let faces = "HSeDAT!".parse::<iqubes::Throw>().unwrap().faces();
        let upper = "HSEDAT!".parse::<iqubes::Throw>().unwrap().faces();
        let review = review(17, json!({"score": 26, "bound": 26, "proven": true, "proof": "accepted"}));
        assert!(review.best(&faces, Look::IQubes).is_none(), "the e is black");
        assert_eq!(review.best(&upper, Look::IQubes).unwrap().dice.len(), 7);
    }
}
