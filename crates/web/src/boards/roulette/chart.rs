//! The running sheet: a chart of one's chips, the bank, the last numbers, and a bet typed in words.

use crate::session::Session;
use crate::voice::voice;
use leptos::prelude::*;
use roulette::{Act, Banker, Phase, Private, Public, Roulette, Stake};
use table::Seat;

/// The sheet beside the layout.
pub(super) fn sheet(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let own = session.own::<Private>();
    view! {
        <section class="card" aria-label="Your chips over the game">
            <header class="card-head"><h2>"Chips"</h2><b class="num">{move || own.with(|own| own.as_ref().map(worth))}</b></header>
            <Chart session own view/>
            <Numbers view/>
        </section>
        <Bank session view own/>
        <Typed session/>
    }
    .into_any()
}

fn worth(own: &Private) -> i64 {
    own.chips as i64 + own.slip.iter().map(|stake| i64::from(stake.chips)).sum::<i64>() - own.debt as i64
}

/// One's chips, throw by throw, for as long as the page has watched.
#[component]
fn Chart(session: Session, own: Memo<Option<Private>>, view: Memo<Option<Public>>) -> impl IntoView {
    let points = RwSignal::new(Vec::<(Option<Seat>, u32, i64)>::new());
    Effect::new(move |_| {
        let (Some(thrown), Some(worth)) = (
            view.with(|view| view.as_ref().map(|view| view.thrown)),
            own.with(|own| own.as_ref().map(worth)),
        ) else {
            return;
        };
        let seat = session.hand.get();
        points.update(|points| {
            points.retain(|(whose, at, _)| *whose != seat || *at < thrown);
            points.push((seat, thrown, worth));
        });
    });
    let line = move || {
        let seat = session.hand.get();
        let points: Vec<(u32, i64)> = points
            .get()
            .into_iter()
            .filter(|point| point.0 == seat)
            .map(|point| (point.1, point.2))
            .collect();
        let throws = view.with(|view| view.as_ref().map_or(1, |view| view.throws)).max(1);
        let most = points.iter().map(|point| point.1).max().unwrap_or(1).max(1) as f64 * 1.1;
        let place = |(thrown, worth): &(u32, i64)| {
            (f64::from(*thrown) / f64::from(throws) * 300.0, 90.0 - (*worth).max(0) as f64 / most * 84.0)
        };
        let path: Vec<String> = points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let last = points.last().map(place);
        view! {
            <polyline class="chart-line" points=path.join(" ")/>
            {last.map(|(x, y)| view! { <circle class="chart-dot" cx=x cy=y r="4"/> })}
        }
    };
    view! {
        <svg class="chart" viewBox="-4 0 308 96" aria-hidden="true" preserveAspectRatio="none">
            <path class="chart-base" d="M0 90H300M0 48H300M0 6H300"/>
            {line}
        </svg>
    }
}

/// The numbers that came, the last first.
#[component]
fn Numbers(view: Memo<Option<Public>>) -> impl IntoView {
    let came = RwSignal::new(Vec::<(u32, u8, bool)>::new());
    Effect::new(move |_| {
        view.with(|view| {
            let Some((view, last)) = view.as_ref().and_then(|view| Some((view, view.last.as_ref()?))) else {
                return;
            };
            came.update(|came| {
                came.retain(|(at, ..)| *at < view.thrown);
                came.insert(0, (view.thrown, last.number, last.red));
                came.truncate(12);
            });
        });
    });
    view! {
        <ol class="came-list" aria-label="Numbers that came, the last first">
            {move || came.get().into_iter().map(|(_, number, red)| view! {
                <li class:is-red=red class="num">{number}<span class="sr">{if red { " red" } else { " black" }}</span></li>
            }).collect_view()}
        </ol>
    }
}

/// Who banks, and how the bank passes.
#[component]
fn Bank(session: Session, view: Memo<Option<Public>>, own: Memo<Option<Private>>) -> impl IntoView {
    let banker = move || view.with(|view| view.as_ref().map(|view| view.banker)).unwrap_or_default();
    let me = move || session.hand.get();
    let plays = move || !session.mine.with(Vec::is_empty) && !session.over();
    let who = move || match banker() {
        Banker::House => "The house banks, and never runs out.".to_owned(),
        Banker::Seat(seat) if me() == Some(seat) => "You hold the bank.".to_owned(),
        Banker::Seat(seat) => format!("{} holds the bank.", session.name(seat)),
    };
    let purse = move || {
        view.with(|view| view.as_ref().and_then(|view| view.bank)).map(|bank| {
        view! { <p class="num">{format!("{} chips in it; the worst number would cost {}.", bank.chips, bank.worst)}</p> }
    })
    };
    let passing = move || view.with(|view| view.as_ref().is_some_and(|view| view.passing));
    let offered = move || {
        view.with(|view| view.as_ref().and_then(|view| view.offered)).is_some_and(|seat| me() == Some(seat))
    };
    let broken = move || {
        view.with(|view| view.as_ref().and_then(|view| view.bank)).is_some_and(|bank| bank.chips == 0)
    };
    let promised = move || view.with(|view| view.as_ref().is_some_and(|view| view.heir.is_some()));
    let i_bank = move || me().is_some_and(|seat| banker() == Banker::Seat(seat));
    let may_take = move || {
        plays()
            && passing()
            && !promised()
            && !i_bank()
            && session.players.with(Vec::len) > 1
            && (banker() == Banker::House || broken() || offered())
    };
    let agreed = move || own.with(|own| own.as_ref().is_some_and(|own| own.agreed));
    let betting = move || view.with(|view| view.as_ref().is_some_and(|view| view.phase == Phase::Betting));
    let act = move |act: Act| session.act::<Roulette>(act);
    let heirs = move || {
        (0..).map(Seat).zip(session.players.get()).filter(|(seat, _)| me() != Some(*seat)).map(|(seat, player)| {
        view! { <button class="btn" on:click=move |_| act(Act::PassBank { to: Banker::Seat(seat) })>{format!("Offer it to {}", player.name)}</button> }
    }).collect_view()
    };
    view! {
        <section class="card" aria-label="The bank">
            <h2>"The bank"</h2>
            <p>{who}</p>
            {purse}
            <div class="buttons">
                <Show when=may_take>
                    <button class="btn" on:click=move |_| act(Act::TakeBank)>"Take the bank"</button>
                </Show>
                <Show when=move || plays() && passing() && i_bank()>
                    <button class="btn" on:click=move |_| act(Act::PassBank { to: Banker::House })>"Give it to the house"</button>
                    {heirs}
                </Show>
                <Show when=move || plays() && betting()>
                    <button class="btn" on:click=move |_| act(if agreed() { Act::PlayOn } else { Act::Agree })>
                        {move || if agreed() { "Play on after all" } else { "Stop here" }}
                    </button>
                </Show>
            </div>
        </section>
    }
}

/// A bet typed in words, for those who would rather type.
#[component]
fn Typed(session: Session) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let voice = voice();
    let lay = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked();
        let one = |word: &str| if word.contains('=') { word.parse() } else { format!("{word}=1").parse() };
        let bets = match typed.split_whitespace().map(one).collect::<Result<Vec<Stake>, _>>() {
            Ok(bets) if bets.is_empty() => return voice.tell("Write a bet such as 15=2, 1|2=3 or red=10."),
            Ok(bets) => bets,
            Err(misread) => return voice.tell(misread.to_string()),
        };
        session.act::<Roulette>(Act::lay(bets));
        if session.refused.with_untracked(Option::is_none) {
            text.set(String::new());
        }
    };
    view! {
        <form class="card typed" on:submit=lay>
            <label class="field-words" for="typed-bet">"Type a bet"<small>"15=2  1|2=3  1-6=4  2d12=5  red=10"</small></label>
            <div class="typed-line">
                <input id="typed-bet" class="text" autocomplete="off" autocapitalize="off" spellcheck="false" prop:value=move || text.get() on:input=move |event| text.set(event_target_value(&event))/>
                <button class="btn">"Lay"</button>
            </div>
        </form>
    }
}
