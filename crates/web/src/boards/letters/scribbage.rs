//! Scribbage: teal and orange, ivory cubes, a leather cup.

use super::piece::{Look, small};
use super::shown::Shown;
use super::{Extra, OTHER_PIECES, lesson_scribbage as lesson, review, tale};
use crate::boards::{Game, Solver, THE_BEST, Telling, fresh};
use crate::browser;
use crate::seen::Seen;
use crate::session::Session;
use ::scribbage::{DRAW_MS, News, Public};
use leptos::prelude::*;
use letters::{HEARING_MS, StageView};
use serde_json::json;
use table::Seat;

/// What Scribbage brings to the page.
pub static GAME: Game = Game {
    engine: &house::SCRIBBAGE,
    board,
    sheet,
    advice: |advice| review::advice(advice, Look::Scribbage),
    tally,
    tell,
    solver: Some(Solver {
        title: THE_BEST,
        asks: "The cubes you threw",
        written: "Letters as they lie; ? is a joker.",
        example: || "PLANTICKRMWO?".to_owned(),
        wishes: &[("young", "Young players"), ("all_dice", "Every cube must be used"), OTHER_PIECES],
        question: |text| json!({"dice": text}),
        answer: |answer| review::solved(answer, Look::Scribbage),
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

fn board(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let shown = Memo::new(move |_| view.with(|view| view.as_ref().map(|view| shown(view, session))));
    let extra = Extra {
        foot: Box::new(|| ().into_any()),
        mat: Box::new(move || view! { <Draw session view/> }.into_any()),
    };
    super::board(session, Look::Scribbage, shown, extra)
}

/// Who plays on a side.
fn members(view: &Public, side: u32) -> Vec<Seat> {
    (0..view.seats).map(Seat).filter(|&seat| view.options.side(seat) == side).collect()
}

/// What a side is called: by its player, or by all its partners.
fn side_name(view: &Public, side: u32, name: &dyn Fn(Seat) -> String) -> String {
    let names: Vec<String> = members(view, side).into_iter().map(name).collect();
    match names.as_slice() {
        [] => format!("Team {}", side + 1),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn shown(view: &Public, session: Session) -> Shown {
    let sand = match view.turn.stage {
        StageView::Arranging => view.turn.by.map(|by| (by.0, view.options.time())),
        StageView::Hearing { .. } | StageView::Voting { .. } => view.turn.by.map(|by| (by.0, HEARING_MS)),
        _ => None,
    };
    let counted = view.news.iter().rev().find_map(|news| match news {
        News::Counted { side, count } => Some((members(view, *side), count.clone())),
        _ => None,
    });
    Shown {
        rules: view.options.rules(&view.throw),
        words: view.options.words,
        offensive: view.options.offensive,
        judge: view.options.judge,
        rulings: view.rulings.clone(),
        counted,
        sand: sand.filter(|_| !view.over),
        headline: headline(view, session),
        note: note(view),
        over: view.over,
        turn: view.turn.clone(),
    }
}

fn headline(view: &Public, session: Session) -> String {
    let mine = session.mine.get();
    let ours = |side: u32| {
        view.options.teams > 0
            && members(view, side).iter().any(|seat| mine.contains(seat))
            && mine.len() == 1
    };
    let (name, you) = match members(view, view.side).as_slice() {
        [one] => super::doer(session, *one),
        _ => (side_name(view, view.side, &|seat| session.name(seat)), ours(view.side)),
    };
    let several = members(view, view.side).len() > 1 || you;
    let subject = match (you, ours(view.side)) {
        (_, true) => "Your team",
        (true, false) => "You",
        _ => &name,
    };
    let plural = several && !ours(view.side);
    let does = |many: &str, one: &str| format!("{subject} {}", if plural { many } else { one });
    match &view.turn.stage {
        _ if view.over => {
            tale::ending(&view.totals, |side| side_name(view, side, &|seat| session.name(seat)))
        }
        StageView::Cup => does("have the cup.", "has the cup."),
        StageView::Arranging => does("arrange.", "arranges."),
        StageView::Hearing { .. } => "The words are on the table.".to_owned(),
        StageView::Voting { by, .. } => format!("{} has a doubt.", session.name(*by)),
        StageView::Stands => "It counts.".to_owned(),
    }
}

/// How many turns there are for everybody; the engine always says it.
fn turns(view: &Public) -> u32 {
    view.options.turns.unwrap_or(view.round)
}

fn note(view: &Public) -> String {
    let goal = match view.options.figure {
        Some(figure) => format!("Round {}, for more than {figure}", view.round),
        None if turns(view) == 1 => "One throw".to_owned(),
        None => format!("Turn {} of {}", view.round, turns(view)),
    };
    if view.options.young { format!("{goal} · words side by side") } else { goal }
}

/// The draw for the start: everybody's cube, and who begins (SB-S3). Whoever rolls at once does not take it from the others' eyes.
#[component]
fn Draw(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let draw = Memo::new(move |_| {
        view.with(|view| {
            view.as_ref().and_then(|view| view.draw.clone()).filter(|draw| !draw.rolls.is_empty())
        })
    });
    // The last draw that was seen here, and whether it is still to be looked at.
    let (last, held) = (RwSignal::new(None::<::scribbage::Draw>), RwSignal::new(false));
    Effect::new(move |_| {
        let now = draw.get();
        if now.is_some() && last.get_untracked() != now {
            last.set(now);
            held.set(true);
            browser::later(DRAW_MS as i32, move || {
                held.try_set(false);
            });
        }
    });
    // Nothing lies over the grid of those who arrange.
    let arranges = move || {
        let makers = view.with(|view| view.as_ref().map(|view| view.turn.makers.clone())).unwrap_or_default();
        session.mine.with(|mine| makers.iter().any(|maker| mine.contains(maker)))
    };
    let looked_at = move || draw.get().or_else(|| last.get().filter(|_| held.get() && !arranges()));
    let name = move |side: u32| {
        view.with(|view| view.as_ref().map(|view| side_name(view, side, &|seat| session.name(seat))))
            .unwrap_or_default()
    };
    move || {
        looked_at().map(|draw| {
            let (last, starts) = (draw.rolls.len() - 1, name(draw.starts));
            let verb = if starts == "You" || starts.contains(" and ") { "begin" } else { "begins" };
            let says = format!(" {verb}: the highest cube.");
            let rows = draw.rolls.iter().enumerate().map(|(at, rolls)| {
                let cubes = rolls.iter().map(|roll| {
                    let face = words::Face { letter: roll.face.0, colour: None, value: roll.value };
                    let first = at == last && roll.side == draw.starts;
                    view! { <li class:is-first=first>{small(face, None)}<span>{name(roll.side)}</span></li> }
                });
                view! { <ul>{cubes.collect_view()}</ul> }
            });
            view! {
                <section class="lt-draw" role="status" aria-label="The draw for the start">
                    <p><b>{starts}</b>{says}</p>
                    {rows.collect_view()}
                </section>
            }
        })
    }
}

fn tally(seen: &Seen) -> Vec<String> {
    let Some(view) = seen.get::<Public>() else { return Vec::new() };
    let total = |seat: u32| view.totals.get(view.options.side(Seat(seat)) as usize).map(super::signed);
    (0..view.seats).map(|seat| total(seat).unwrap_or_default()).collect()
}

fn tell(telling: &Telling<'_>) -> Vec<String> {
    let Some((before, now)) = telling.views::<Public>() else { return Vec::new() };
    let news = fresh(&before.news, &now.news);
    if !news.is_empty() {
        let name = |seat: Seat| telling.name(seat);
        let draw = before.draw.as_ref().filter(|_| now.draw.is_none());
        let drawn = draw.and_then(|draw| draw.tell(&|side| side_name(&now, side, &name)));
        return drawn.into_iter().chain(news.iter().map(|news| news_told(news, &now, &name))).collect();
    }
    let faces = now.throw.faces(&now.options.set);
    tale::done(&before.turn, &now.turn, &faces, telling).into_iter().collect()
}

fn news_told(news: &News, view: &Public, name: &dyn Fn(Seat) -> String) -> String {
    let side = |side: u32| side_name(view, side, name);
    match news {
        News::Threw { side: who, throw } => {
            format!("{} throws: {}.", side(*who), tale::letters(&throw.faces(&view.options.set)))
        }
        News::Ruled { ruling } => tale::ruled(ruling),
        News::Counted { side: who, count } => format!("{} counts {}.", side(*who), tale::count(count)),
    }
}

/// The sheet: points by turn, and how far it is to the figure.
fn sheet(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let columns = move || {
        view.with(|view| {
            view.as_ref().map_or(0, |view| match view.options.figure {
                None => turns(view) as usize,
                Some(_) => view.sheet.iter().map(Vec::len).max().unwrap_or(0).max(1),
            })
        })
    };
    let rows = move || {
        let view = view.get()?;
        let sides = (0..view.sheet.len() as u32).map(|side| {
            let played = &view.sheet[side as usize];
            let cells = (0..columns()).map(|turn| view! { <td class="num">{played.get(turn).map(super::signed)}</td> });
            let name = side_name(&view, side, &|seat| session.name(seat));
            let turn = view.side == side && !view.over;
            view! { <tr class:is-turn=turn><th scope="row" title=name.clone()>{name.clone()}</th>{cells.collect_view()}<td class="num total"><b>{view.totals.get(side as usize).map(super::signed)}</b></td></tr> }
        });
        Some(sides.collect_view())
    };
    let figure = move || {
        view.with(|view| {
            let view = view.as_ref()?;
            let figure = view.options.figure?;
            let best = view.totals.iter().copied().max().unwrap_or(0);
            let part = (best as f64 / f64::from(figure)).clamp(0.0, 1.0);
            Some(view! { <p class="lt-figure" style=format!("--part:{part:.3}")><span class="num">{format!("{best} of more than {figure}")}</span></p> })
        })
    };
    view! {
        <section class="card" aria-label="Score sheet">
            <h2>"Score"</h2>
            <div class="scroll"><table class="score">
                <thead><tr><td></td>{move || (1..=columns()).map(|turn| view! { <th scope="col" class="num">{turn}</th> }).collect_view()}<th scope="col">"Sum"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table></div>
            {figure}
            {move || view.with(|view| view.as_ref().map(|view| super::rulings(&view.rulings)))}
        </section>
    }
    .into_any()
}
