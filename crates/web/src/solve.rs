//! The solver, for whoever has the real pieces on the table: type what lies there, and see the best that can be made of it. It
//! thinks in a worker of this page, so it needs no server.

use crate::app::Bar;
use crate::boards::{self, Solver};
use crate::dictionary;
use crate::lids::Lid;
use crate::options::Chosen;
use crate::thinker::Thinker;
use crate::ui::icon;
use crate::worker::{Ask, Tell};
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use std::rc::Rc;

/// Where a question stands.
#[derive(Clone, PartialEq)]
enum Stand {
    /// Nobody has asked.
    Idle,
    /// It is being thought about; so far this was found.
    Thinking(String),
    /// Here is what is best, or why that cannot be told.
    Answered(Result<Value, String>),
}

/// How far a search has come, in words.
fn so_far(progress: &Value) -> String {
    let number = |key: &str| progress.get(key).and_then(Value::as_i64);
    match (number("score"), number("bound")) {
        (Some(score), Some(bound)) => format!("{score} so far; no more than {bound}."),
        _ => String::new(),
    }
}

/// The question: what was typed, and what was wished besides.
fn question(solver: &Solver, typed: &str, wished: &[bool]) -> Value {
    let mut question = (solver.question)(typed.trim());
    for ((key, _), _) in solver.wishes.iter().zip(wished).filter(|(_, wished)| **wished) {
        question[*key] = Value::Bool(true);
    }
    question
}

/// A question to the solver of a game: what is typed, and how far its answer is.
#[derive(Clone, Copy)]
struct Query {
    kind: Kind,
    solver: &'static Solver,
    typed: RwSignal<String>,
    wished: RwSignal<Vec<bool>>,
    stand: RwSignal<Stand>,
    /// The dictionary of one's tables, where one was chosen; without one there is no telling what is best, so then it is the house's.
    words: StoredValue<Option<Value>>,
    /// Who thinks about it.
    thinker: StoredValue<Option<Rc<Thinker>>, LocalStorage>,
}

impl Query {
    fn new(kind: Kind, solver: &'static Solver) -> Query {
        let chosen = Chosen::remembered(kind).options().get("words").cloned().filter(|words| words != "none");
        Query {
            kind,
            solver,
            typed: RwSignal::new((solver.example)()),
            wished: RwSignal::new(vec![false; solver.wishes.len()]),
            stand: RwSignal::new(Stand::Idle),
            words: StoredValue::new(chosen),
            thinker: StoredValue::new_local(None),
        }
    }

    /// The dictionary that the answer goes by, for people.
    fn dictionary(self) -> Option<String> {
        let field = crate::options::words_of(self.kind)?;
        Some(self.words.with_value(|chosen| field.say(chosen.as_ref().unwrap_or(&field.default()))))
    }

    /// Asks, as soon as the words are here.
    fn submit(self) {
        self.stand.set(Stand::Thinking(String::new()));
        spawn_local(async move {
            if dictionary::needed(self.kind) && !dictionary::fetch().await {
                let says = "The word list could not be fetched. Check the connection and try once more.";
                self.stand.try_set(Stand::Answered(Err(says.to_owned())));
            } else if self.stand.try_with_untracked(|stand| matches!(stand, Stand::Thinking(_))) == Some(true)
            {
                self.ask();
            }
        });
    }

    fn ask(self) {
        let mut question = question(self.solver, &self.typed.get_untracked(), &self.wished.get_untracked());
        if let Some(words) = self.words.get_value() {
            question["words"] = words;
        }
        let stand = self.stand;
        let started = Thinker::start(move |tell| match tell {
            Tell::Solving { progress } => drop(stand.try_set(Stand::Thinking(so_far(&progress)))),
            Tell::Solved { answer } => drop(stand.try_set(Stand::Answered(answer))),
            _ => {}
        });
        let Some(started) = started else { return };
        dictionary::hand_to(&started);
        started.ask(&Ask::Solve { game: self.kind.name().to_owned(), question });
        // Whoever was still thinking is let go.
        self.thinker.set_value(Some(started));
    }

    fn stop(self) {
        self.thinker.set_value(None);
        self.stand.set(Stand::Idle);
    }
}

/// The solver of a game.
#[component]
pub fn Solve(
    /// Which.
    kind: Kind,
) -> impl IntoView {
    let game = boards::game(kind);
    let Some(solver) = &game.solver else {
        return view! { <crate::table_page::Gone says=format!("{kind} has no solver.")/> }.into_any();
    };
    let query = Query::new(kind, solver);
    view! {
        <Bar/>
        <main id="main" class="unbox" data-game=kind.name() tabindex="-1">
            <div class="unbox-lid"><Lid kind/><div><h1>{kind.title()}</h1><p class="faint">{solver.title}</p></div></div>
            <div class="unbox-words">
                <header><h1>{solver.title}</h1><p class="faint">{format!("{kind}, with the real pieces on the table")}</p></header>
                <Question query/>
                <Answer query/>
                <p><a class="btn btn-quiet how" href=format!("./box/{}", kind.name())>"Play"{icon::next()}</a></p>
            </div>
        </main>
    }
    .into_any()
}

/// Where it is typed.
#[component]
fn Question(query: Query) -> impl IntoView {
    let Query { solver, typed, wished, .. } = query;
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        query.submit();
    };
    let wishes = solver.wishes.iter().enumerate().map(|(at, (key, words))| {
        let turn = move |event: web_sys::Event| wished.update(|all| all[at] = event_target_checked(&event));
        view! {
            <label class="field"><span>{*words}</span><input type="checkbox" role="switch" class="switch" name=*key on:change=turn/></label>
        }
    });
    let dictionary = query.dictionary();
    view! {
        <form class="card solve" on:submit=submit>
            <label for="pieces">{solver.asks}</label>
            <input id="pieces" class="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="400" aria-describedby="written"
                prop:value=move || typed.get() on:input=move |event| typed.set(event_target_value(&event))/>
            <p id="written" class="faint">{solver.written}</p>
            {wishes.collect_view()}
            {dictionary.map(|by| view! { <p class="faint">{format!("Dictionary: {by}, as in the options of your tables.")}</p> })}
            <button class="btn btn-main" data-do="solve">"Find it"</button>
        </form>
    }
}

/// What came of it so far.
#[component]
fn Answer(query: Query) -> impl IntoView {
    let Query { solver, stand, .. } = query;
    let said = move || match stand.get() {
        Stand::Idle => ().into_any(),
        Stand::Thinking(words) => view! {
            <p role="status">"Thinking… "<span class="num">{words}</span></p>
            <button class="btn" type="button" data-do="stop" on:click=move |_| query.stop()>"Stop"</button>
        }
        .into_any(),
        Stand::Answered(Err(says)) => view! { <p class="verdict is-bad"><span>{says}</span></p> }.into_any(),
        Stand::Answered(Ok(answer)) => (solver.answer)(&answer),
    };
    let empty = move || stand.with(|stand| *stand == Stand::Idle);
    view! {
        <section class="card solved" class:is-empty=empty aria-label="The answer" aria-live="polite">{said}</section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_solver_answers_its_own_example_in_words() {
        for kind in Kind::ALL {
            let Some(solver) = &boards::game(kind).solver else { continue };
            let wished = vec![false; solver.wishes.len()];
            let ask = Ask::Solve {
                game: kind.name().to_owned(),
                question: question(solver, &(solver.example)(), &wished),
            };
            assert_eq!(ask.kind(), Some(kind));
            let mut told = Vec::new();
            crate::worker::Replica::default().hear(ask, &mut |tell| told.push(tell));
            let Some(Tell::Solved { answer: Ok(answer) }) = told.last() else { panic!("{kind}: {told:?}") };
            let answer = answer.clone();
            let page =
                crate::tests::drawn(crate::route::Route::Solve(kind), move || (solver.answer)(&answer));
            let words = match kind {
                Kind::IQubes => "24 is the most, proven.",
                Kind::Scribbage => "is the most, proven.",
                Kind::Cubo => "16 is the most, proven.",
                Kind::Roulette => {
                    "15 chips at stake: 19 throws of 36 win, 17 lose, 0 leave you where you were."
                }
                Kind::Contact => "ct-board",
                #[allow(unreachable_patterns, reason = "a game may have no solver yet")]
                _ => "",
            };
            assert!(page.contains(words), "{kind}: {page}");
        }
    }

    #[test]
    fn a_best_that_leaves_words_out_says_so_and_is_not_called_proven() {
        let solver = boards::game(Kind::Scribbage).solver.as_ref().expect("it has one");
        let answer = json!({"score": -12, "bound": 12, "proven": false, "proof": "shown", "unused": "pgy"});
        let page = crate::tests::drawn(crate::route::Route::Solve(Kind::Scribbage), move || {
            (solver.answer)(&answer)
        });
        assert!(
            page.contains("-12 is the most with the words shown here.") && page.contains("up to 12."),
            "{page}"
        );
        assert!(!page.contains("proven"), "{page}");
    }

    #[test]
    fn wishes_and_a_tenth_die_are_part_of_the_question() {
        let solver = |kind| boards::game(kind).solver.as_ref().expect("it has one");
        let asked = question(solver(Kind::IQubes), " DASHTo! ", &[false, true]);
        assert_eq!(asked, json!({"dice": "DASHTo!", "all_dice": true}));
        let asked = question(solver(Kind::Cubo), "R1 R2 R3 R4 B1 B2 B3 B4 W4 R6", &[true]);
        assert_eq!(asked, json!({"dice": "R1 R2 R3 R4 B1 B2 B3 B4 W4", "take": "R6", "any_order": true}));
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for kind in Kind::ALL {
            let Some(solver) = &boards::game(kind).solver else { continue };
            let ask =
                Ask::Solve { game: kind.name().to_owned(), question: question(solver, "§$% 77 zz", &[]) };
            let mut told = Vec::new();
            crate::worker::Replica::default().hear(ask, &mut |tell| told.push(tell));
            assert!(
                matches!(told.last(), Some(Tell::Solved { answer: Err(says) }) if says.len() > 10),
                "{kind}: {told:?}"
            );
        }
    }
}
