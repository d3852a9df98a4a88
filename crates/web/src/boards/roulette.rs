//! Dice Roulette: green baize, gold rules, clay chips. Every one of the 136 spots can be reached with a finger, a mouse or
//! the arrow keys; what would be laid, and what it would pay, is shown before letting go.

mod chart;
mod layout;
mod lesson;
mod throw;

use super::{Game, Solver, name_of};
use crate::session::{Happened, Session};
use crate::sound::{Sound, ears};
use crate::ui::{icon, people::colour, point};
use crate::voice::voice;
use layout::{CELL, HEIGHT, LEFT, TOP, WIDTH};
use leptos::prelude::*;
use roulette::{Banker, Phase, Private, Public, Set as Pieces, Side, Spot, Stake};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use table::Seat;
use throw::Show as Shown;

/// What Dice Roulette brings to the page.
pub static GAME: Game = Game {
    engine: &house::ROULETTE,
    board,
    sheet: chart::sheet,
    advice,
    tally,
    tell,
    solver: Some(Solver {
        title: "What are the odds?",
        asks: "Your slip",
        written: "A number, two or four that touch with | between them, or a box, then = and the chips.",
        example: || "15=2 1|2=3 black=10".to_owned(),
        wishes: &[],
        question: |text| json!({"slip": text}),
        answer: solved,
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

fn tally(public: &str) -> Vec<String> {
    let Ok(public) = serde_json::from_str::<Public>(public) else { return Vec::new() };
    let laid = |seat: usize| {
        public
            .players
            .get(seat)
            .map_or(0, |place| place.slip.iter().map(|stake| u64::from(stake.chips)).sum())
    };
    (0..)
        .zip(&public.chips)
        .map(|(seat, chips)| match (public.banker, public.bank) {
            (Banker::Seat(banker), Some(bank)) if banker.index() == seat => format!("bank {}", bank.chips),
            _ => (chips + laid(seat)).to_string(),
        })
        .collect()
}

fn tell(happened: &Happened, public: &str, names: &[String]) -> Option<String> {
    let does = happened.act.get("do").and_then(Value::as_str).unwrap_or("");
    let name = || name_of(names, happened).unwrap_or_default();
    let laid = || {
        happened.act.get("bets").map(|bets| bets.to_string().replace(['[', ']', '"'], "")).unwrap_or_default()
    };
    let told = match does {
        "lay" => format!("{} lays {}.", name(), laid()),
        "take-back" => format!("{} takes back {}.", name(), laid()),
        "clear" => format!("{} takes everything back.", name()),
        "pass-bank" => format!("{} passes the bank.", name()),
        "take-bank" => format!("{} takes the bank.", name()),
        "agree" => format!("{} would stop here.", name()),
        "borrow" => format!("{} borrows.", name()),
        // The server does not say what somebody did, only what came of it.
        "" if happened.seat.is_some() && happened.act.is_null() => return None,
        _ => {
            let public = serde_json::from_str::<Public>(public).ok()?;
            let last = public.last.filter(|_| does == "throw" || public.layout.is_empty())?;
            return Some(format!(
                "{}. {} chips swept, {} paid.",
                called(last.number, last.red),
                last.swept_chips,
                last.paid_chips
            ));
        }
    };
    Some(told)
}

fn called(number: u8, red: bool) -> String {
    format!("{number}, {}", if red { "red" } else { "black" })
}

fn advice(advice: &Value) -> AnyView {
    let says = advice.get("says").and_then(Value::as_str).unwrap_or_default().to_owned();
    view! { <p>{says}</p>{advice.get("odds").map(bars)} }.into_any()
}

/// What the solver found, for people.
fn solved(answer: &Value) -> AnyView {
    let number = |key: &str| answer.get(key).and_then(Value::as_i64).unwrap_or(0);
    let words = format!(
        "{} chips at stake: {} throws of 36 win, {} lose, {} leave you where you were.",
        number("stake"),
        number("ahead"),
        number("behind"),
        number("even")
    );
    view! { <p><b>{words}</b></p>{bars(answer)} }.into_any()
}

/// How many throws of 36 bring how much.
fn bars(odds: &Value) -> AnyView {
    let ways = odds.get("distribution").and_then(Value::as_array).cloned().unwrap_or_default();
    let rows = ways.into_iter().map(|way| {
        let number = |key: &str| way.get(key).and_then(Value::as_i64).unwrap_or(0);
        let (net, ways) = (number("net"), number("ways"));
        view! {
            <li class="odd" class:is-plus={net > 0} class:is-minus={net < 0}>
                <span class="num">{format!("{net:+}")}</span>
                <span class="odd-bar" style=format!("--part:{:.3}", ways as f64 / 36.0)></span>
                <span class="num faint">{format!("{ways} of 36")}</span>
            </li>
        }
    });
    view! { <ul class="odds">{rows.collect_view()}</ul> }.into_any()
}

/// What the board remembers that is no business of the table.
#[derive(Clone, Copy)]
struct Hand {
    session: Session,
    /// The size of the chip in hand.
    chip: RwSignal<u32>,
    /// The spot under the finger or the cursor.
    aim: RwSignal<Option<Spot>>,
    /// Where the keyboard is.
    cursor: RwSignal<Spot>,
    /// Whether the board has the keyboard.
    keyed: RwSignal<bool>,
    /// What each player of this screen did since the last throw, the last last: to be undone.
    done: RwSignal<BTreeMap<Seat, Vec<Done>>>,
    /// What each had on the board at the last throw: to be laid again.
    before: RwSignal<BTreeMap<Seat, Vec<Stake>>>,
}

/// What a player did with chips, as undo needs it.
#[derive(Clone)]
enum Done {
    Laid(Stake),
    TookBack(Vec<Stake>),
}

fn act_lay(bets: &[Stake]) -> Value {
    json!({"do": "lay", "bets": bets})
}

impl Hand {
    fn lay(self, on: Spot) {
        let chips = self.chip.get_untracked();
        self.lay_all(vec![Stake { on, chips }]);
    }

    fn lay_all(self, bets: Vec<Stake>) {
        if bets.is_empty() {
            return;
        }
        if self.act(act_lay(&bets)) {
            self.did(bets.into_iter().map(Done::Laid));
        }
    }

    /// Whether an act was taken, as far as is known: on this screen the answer is there at once, from the server it comes
    /// later.
    fn act(self, act: Value) -> bool {
        let before = self.session.happened.get_untracked().map(|happened| happened.seq);
        self.session.act(act);
        self.session.refused.with_untracked(Option::is_none)
            || self.session.happened.get_untracked().map(|happened| happened.seq) != before
    }

    fn clear(self, slip: Vec<Stake>) {
        if self.act(json!({"do": "clear"})) {
            self.did([Done::TookBack(slip)]);
        }
    }

    fn did(self, what: impl IntoIterator<Item = Done>) {
        let Some(seat) = self.session.hand.get_untracked() else { return };
        self.done.update(|done| done.entry(seat).or_default().extend(what));
    }

    fn undo(self) {
        let Some(seat) = self.session.hand.get_untracked() else { return };
        match self.done.try_update(|done| done.get_mut(&seat).and_then(Vec::pop)).flatten() {
            Some(Done::Laid(stake)) => self.session.act(json!({"do": "take-back", "bets": [stake]})),
            Some(Done::TookBack(slip)) => self.session.act(act_lay(&slip)),
            None => {}
        }
    }

    fn can_undo(self) -> bool {
        let seat = self.session.hand.get();
        seat.is_some_and(|seat| self.done.with(|done| done.get(&seat).is_some_and(|done| !done.is_empty())))
    }

    /// What the player whose hand is in front had on the board at the last throw.
    fn before(self) -> Vec<Stake> {
        let seat = self.session.hand.get();
        seat.and_then(|seat| self.before.with(|before| before.get(&seat).cloned())).unwrap_or_default()
    }

    fn take_from(self, on: Spot) {
        let stake = Stake { on, chips: self.chip.get_untracked() };
        if self.act(json!({"do": "take-back", "bets": [stake]})) {
            self.did([Done::TookBack(vec![stake])]);
        }
    }
}

/// The sizes of the chips in the rack.
const CHIPS: [u32; 5] = [1, 5, 10, 25, 100];

fn board(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let own = session.own::<Private>();
    let hand = Hand {
        session,
        chip: RwSignal::new(5),
        aim: RwSignal::new(None),
        cursor: RwSignal::new(Spot::Number(23)),
        keyed: RwSignal::new(false),
        done: RwSignal::default(),
        before: RwSignal::default(),
    };
    let shown = throw::watch(session, view);
    remember_slips(hand, own, view);
    sounds(session);
    view! {
        <div class="roulette" class:is-throwing=move || shown.with(throw::Show::plays)>
            <div class="roulette-felt">
                <Layout hand view own shown/>
                <throw::Dice session view shown/>
            </div>
            <Rack hand view own shown/>
        </div>
    }
    .into_any()
}

/// After a throw: what lay there can be laid again, each player's by himself, and there is nothing to undo.
fn remember_slips(hand: Hand, own: Memo<Option<Private>>, view: Memo<Option<Public>>) {
    Effect::new(move |last: Option<(u32, BTreeMap<Seat, Vec<Stake>>)>| {
        let thrown = view.with(|view| view.as_ref().map_or(0, |view| view.thrown));
        let (thrown_then, lay) = last.unwrap_or_default();
        if thrown != thrown_then {
            hand.before.update(|before| before.extend(lay.into_iter().filter(|(_, slip)| !slip.is_empty())));
            hand.done.set(BTreeMap::new());
        }
        (thrown, slips(hand.session, own, view))
    });
}

/// What the players of this screen have on the board. At a large table only the slip of the hand in front is known.
fn slips(
    session: Session,
    own: Memo<Option<Private>>,
    view: Memo<Option<Public>>,
) -> BTreeMap<Seat, Vec<Stake>> {
    let open: BTreeMap<Seat, Vec<Stake>> = view.with(|view| {
        let places = view.as_ref().map_or(&[][..], |view| &view.players);
        let mine = session.mine.get().into_iter();
        mine.filter_map(|seat| Some((seat, places.get(seat.index())?.slip.clone()))).collect()
    });
    if !open.is_empty() {
        return open;
    }
    session.hand.get().zip(own.with(|own| own.as_ref().map(|own| own.slip.clone()))).into_iter().collect()
}

fn sounds(session: Session) {
    let ears = ears();
    Effect::new(move |_| match session.does().as_deref() {
        Some("lay") => ears.play(Sound::Chip),
        Some("take-back" | "clear") => ears.play(Sound::Click),
        _ => {}
    });
}

#[component]
fn Layout(
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
) -> impl IntoView {
    let set = Memo::new(move |_| {
        view.with(|view| view.as_ref().map_or_else(Pieces::standard, |view| view.set.clone()))
    });
    let open = move || {
        hand.session.my_turn()
            && view.with(|view| view.as_ref().is_some_and(|view| view.phase == Phase::Betting))
    };
    let spot_under = move |event: &web_sys::PointerEvent| {
        let element = point::handled_by(event)?;
        let (x, y) = point::on_drawing(event, &element)?;
        set.with_untracked(|set| layout::spot_at(x, y, set))
    };
    let down = move |event: web_sys::PointerEvent| {
        shown.update(throw::Show::skip);
        if let Some(element) = point::handled_by(&event) {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
        hand.aim.set(spot_under(&event));
    };
    let moved = move |event: web_sys::PointerEvent| {
        if event.buttons() > 0 || event.pointer_type() == "mouse" {
            hand.aim.set(spot_under(&event));
        }
    };
    let up = move |event: web_sys::PointerEvent| {
        let spot = spot_under(&event);
        if event.pointer_type() != "mouse" {
            hand.aim.set(None);
        }
        if let Some(spot) = spot.filter(|_| open()) {
            if event.button() == 2 { hand.take_from(spot) } else { hand.lay(spot) }
        }
    };
    let keys = move |event: web_sys::KeyboardEvent| board_keys(&event, hand, set);
    let label = move || {
        let set = set.get();
        let spot = hand.cursor.get();
        let on = own.with(|own| {
            own.as_ref()
                .and_then(|own| own.slip.iter().find(|stake| stake.on == spot).map(|stake| stake.chips))
        });
        format!(
            "Layout. {}, pays {}. {}Arrow keys move, Enter lays {}, Delete takes back.",
            layout::words(spot, &set),
            layout::pays(spot, &set),
            on.map(|chips| format!("{chips} of your chips lie here. ")).unwrap_or_default(),
            hand.chip.get(),
        )
    };
    let voice = voice();
    Effect::new(move |first: Option<()>| {
        let words = set.with(|set| {
            format!(
                "{}, pays {}",
                layout::words(hand.cursor.get(), set),
                layout::pays(hand.cursor.get(), set)
            )
        });
        if first.is_some() && hand.keyed.get_untracked() {
            voice.say(words);
        }
    });
    view! {
        <svg class="layout" class:is-open=open viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="application" tabindex="0" aria-label=label
            on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointerleave=move |_| hand.aim.set(None)
            on:contextmenu=move |event| event.prevent_default()
            on:keydown=keys on:focus=move |event| hand.keyed.set(by_keyboard(&event)) on:blur=move |_| hand.keyed.set(false)>
            {move || set.with(printed)}
            {move || shown.with(throw::Show::number).and_then(|number| set.with(|set| winning(number, set)))}
            {move || {
                let aim = hand.aim.get().or_else(|| hand.keyed.get().then(|| hand.cursor.get()));
                aim.map(|spot| set.with(|set| aimed(spot, set)))
            }}
            <g class="chips">{move || view.with(|view| view.as_ref().map(|view| stacks(view, hand.session.hand.get(), &shown.get())))}</g>
            {move || hand.aim.get().filter(|_| open()).map(|spot| set.with(|set| loupe(spot, set, hand.chip.get())))}
        </svg>
    }
}

/// Whether something came into focus in a way that is to be seen: by the keyboard, not by a finger.
fn by_keyboard(event: &web_sys::FocusEvent) -> bool {
    point::handled_by(event).is_some_and(|element| element.matches(":focus-visible").unwrap_or(true))
}

fn board_keys(event: &web_sys::KeyboardEvent, hand: Hand, set: Memo<Pieces>) {
    let way = match event.key().as_str() {
        "ArrowLeft" => Some((-1, 0)),
        "ArrowRight" => Some((1, 0)),
        "ArrowUp" => Some((0, -1)),
        "ArrowDown" => Some((0, 1)),
        _ => None,
    };
    match (way, event.key().as_str()) {
        (Some(way), _) => {
            hand.cursor.update(|spot| *spot = set.with_untracked(|set| layout::step(*spot, way, set)));
        }
        (None, "Enter" | " ") => hand.lay(hand.cursor.get_untracked()),
        (None, "Delete" | "Backspace") => hand.take_from(hand.cursor.get_untracked()),
        (None, "z") if event.ctrl_key() || event.meta_key() => hand.undo(),
        _ => return,
    }
    hand.keyed.set(true);
    event.prevent_default();
}

/// The printed layout: squares, boxes, words. It never changes, so it is drawn once, as text.
fn printed(set: &Pieces) -> AnyView {
    use std::fmt::Write;
    let mut ink = String::new();
    for (row, numbers) in set.grid().iter().enumerate() {
        for (column, number) in numbers.iter().enumerate() {
            let red = set.throw_of(*number).is_some_and(|throw| set.is_red(throw));
            let (x, y) = (LEFT + column as f64 * CELL, TOP + row as f64 * CELL);
            let (cx, cy) = (x + CELL / 2.0, y + CELL / 2.0);
            let class = if red { "sq-red" } else { "sq-black" };
            // Red and black are told apart by shape too: a round field and a pointed one.
            let field = if red {
                format!(r#"<circle class="{class}" cx="{cx}" cy="{cy}" r="22"/>"#)
            } else {
                format!(
                    r#"<path class="{class}" d="M{cx} {}L{} {cy}L{cx} {}L{} {cy}z"/>"#,
                    cy - 27.0,
                    cx + 27.0,
                    cy + 27.0,
                    cx - 27.0
                )
            };
            let _ = write!(
                ink,
                r#"<rect class="sq" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>{field}<text class="sq-number" x="{cx}" y="{}">{number}</text>"#,
                cy + 8.0
            );
        }
    }
    for spot in layout::outers(set) {
        let Some((x, y, wide, high)) = layout::outer(spot, set) else { continue };
        let (cx, cy) = (x + wide / 2.0, y + high / 2.0);
        let _ = write!(ink, r#"<rect class="sq" x="{x}" y="{y}" width="{wide}" height="{high}"/>"#);
        let _ = match spot {
            Spot::Half(Side::Black | Side::Red) => {
                let (class, word) =
                    if spot == Spot::Half(Side::Red) { ("sq-red", "Red") } else { ("sq-black", "Black") };
                write!(
                    ink,
                    r#"<path class="{class}" d="M{cx} {}L{} {cy}L{cx} {}L{} {cy}z"/><text class="sq-small" x="{cx}" y="{}">{word}</text>"#,
                    cy - 44.0,
                    cx + 30.0,
                    cy + 44.0,
                    cx - 30.0,
                    cy + 5.0
                )
            }
            Spot::Half(Side::Low | Side::High) => {
                let (from, to) = if spot == Spot::Half(Side::Low) { (1, 26) } else { (31, 56) };
                write!(
                    ink,
                    r#"<text class="sq-word" x="{cx}" y="{}">{from}</text><text class="sq-small" x="{cx}" y="{}">to</text><text class="sq-word" x="{cx}" y="{}">{to}</text>"#,
                    cy - 18.0,
                    cy + 5.0,
                    cy + 32.0
                )
            }
            Spot::Half(side) => {
                let word = if side == Side::Even { "Even" } else { "Odd" };
                write!(ink, r#"<text class="sq-word" x="{cx}" y="{}">{word}</text>"#, cy + 7.0)
            }
            Spot::Dozen(dozen) => {
                let word = ["1st 12", "2d 12", "3rd 12"][usize::from(dozen.clamp(1, 3) - 1)];
                write!(ink, r#"<text class="sq-word" x="{cx}" y="{}">{word}</text>"#, cy + 7.0)
            }
            _ => write!(ink, r#"<text class="sq-small" x="{cx}" y="{}">{spot}</text>"#, cy + 5.0),
        };
    }
    let _ = write!(
        ink,
        r#"<rect class="rim" x="2" y="2" width="{}" height="{}" rx="7"/>"#,
        WIDTH - 4.0,
        HEIGHT - 4.0
    );
    view! { <g class="printed" inner_html=ink></g> }.into_any()
}

/// The squares that a spot wins on, lit.
fn aimed(spot: Spot, set: &Pieces) -> AnyView {
    let numbers: Vec<u8> = set.bet(spot).map(|bet| set.numbers_of(bet).collect()).unwrap_or_default();
    let squares = numbers.into_iter().filter_map(|number| layout::place(Spot::Number(number), set)).map(|(x, y)| {
        view! { <rect class="aim-square" x=x - CELL / 2.0 + 2.0 y=y - CELL / 2.0 + 2.0 width=CELL - 4.0 height=CELL - 4.0 rx="6"/> }
    });
    let around = layout::outer(spot, set).map(|(x, y, wide, high)| {
        view! { <rect class="aim-square" x=x + 2.0 y=y + 2.0 width=wide - 4.0 height=high - 4.0 rx="6"/> }
    });
    let spot = layout::place(spot, set).map(|(x, y)| view! { <circle class="aim-spot" cx=x cy=y r="15"/> });
    view! { <g class="aim">{squares.collect_view()}{around}{spot}</g> }.into_any()
}

/// The number that came, ringed.
fn winning(number: u8, set: &Pieces) -> Option<AnyView> {
    let (x, y) = layout::place(Spot::Number(number), set)?;
    Some(view! { <rect class="came" x=x - CELL / 2.0 + 1.5 y=y - CELL / 2.0 + 1.5 width=CELL - 3.0 height=CELL - 3.0 rx="7"/> }.into_any())
}

/// What would be laid, above the finger.
fn loupe(spot: Spot, set: &Pieces, chip: u32) -> AnyView {
    let Some((x, y)) = layout::place(spot, set) else { return ().into_any() };
    let words = format!("{chip} on {} · pays {}", spot_short(spot), layout::pays(spot, set));
    let wide = 9.0 * words.chars().count() as f64 + 24.0;
    let (left, top) =
        ((x - wide / 2.0).clamp(4.0, WIDTH - wide - 4.0), if y > 84.0 { y - 62.0 } else { y + 34.0 });
    view! {
        <g class="loupe">
            <rect x=left y=top width=wide height="30" rx="8"/>
            <text x=left + wide / 2.0 y=top + 21.0>{words}</text>
        </g>
    }
    .into_any()
}

fn spot_short(spot: Spot) -> String {
    match spot {
        Spot::Run(first, last) => format!("{first}–{last}"),
        Spot::Half(Side::Low) => "1 to 26".to_owned(),
        Spot::Half(Side::High) => "31 to 56".to_owned(),
        Spot::Half(side) => side.name().to_owned(),
        _ => spot.to_string().replace('|', "·"),
    }
}

/// All chips on the layout. While a throw is shown, those that lay there when it fell.
fn stacks(view: &Public, me: Option<Seat>, shown: &Shown) -> AnyView {
    let set = &view.set;
    if let Some(last) = view.last.as_ref().filter(|_| shown.plays()) {
        let swept = last.swept.iter().map(|stake| {
            stack(*stake, set, if shown.sweeps() { "stack is-swept" } else { "stack" }, None, 0)
        });
        let won = last.won.iter().map(|stake| {
            let gain = shown.pays().then(|| u64::from(stake.chips) * u64::from(layout::pays(stake.on, set)));
            stack(*stake, set, if shown.pays() { "stack is-won" } else { "stack" }, gain, 0)
        });
        return view! { {swept.collect_view()}{won.collect_view()} }.into_any();
    }
    if view.players.is_empty() {
        return view
            .layout
            .iter()
            .map(|stake| stack(*stake, set, "stack", None, 0))
            .collect_view()
            .into_any();
    }
    // Others' chips lie a little aside, so that one's own are always seen.
    let mut all = Vec::new();
    let mut aside = 0;
    for (seat, place) in (0..).map(Seat).zip(&view.players) {
        let own = me == Some(seat);
        aside += i32::from(!own);
        for stake in &place.slip {
            let class = if own { "stack is-own" } else { "stack is-other" };
            all.push((own, seat, *stake, class, if own { 0 } else { aside }));
        }
    }
    all.sort_by_key(|(own, ..)| *own);
    all.into_iter()
        .map(|(_, seat, stake, class, aside)| view! { <g style=colour(seat)>{stack(stake, set, class, None, aside)}</g> })
        .collect_view()
        .into_any()
}

/// A stack of chips with its count.
fn stack(stake: Stake, set: &Pieces, class: &'static str, gain: Option<u64>, aside: i32) -> AnyView {
    let Some((x, y)) = layout::place(stake.on, set) else { return ().into_any() };
    let (dx, dy) = [(0.0, 0.0), (-15.0, -13.0), (15.0, 13.0), (15.0, -13.0), (-15.0, 13.0)]
        [(aside.clamp(0, 400) as usize).min(4)];
    let high = match stake.chips {
        0..5 => 1,
        5..10 => 2,
        10..25 => 3,
        25..100 => 4,
        _ => 5,
    };
    let under = (0..high - 1)
        .map(|at| view! { <circle class="chip-edge" r="14.5" cy=-f64::from(at) * 3.2/> })
        .collect_view();
    let top = -f64::from(high - 1) * 3.2;
    view! {
        <g class=class transform=format!("translate({} {})", x + dx, y + dy)>
            <g class="stack-chips">
                {under}
                <g transform=format!("translate(0 {top})")>
                    <circle class="chip-edge" r="14.5"/><circle class="chip-notch" r="14.5"/><circle class="chip-face" r="10.5"/>
                    <text class="chip-count" y="4">{stake.chips}</text>
                </g>
            </g>
            {gain.map(|gain| view! { <text class="gain" y="-24">{format!("+{gain}")}</text> })}
        </g>
    }
    .into_any()
}

/// What a player holds: chips, and what can be done with them.
#[component]
fn Rack(
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
) -> impl IntoView {
    let session = hand.session;
    let chips = move || own.with(|own| own.as_ref().map_or(0, |own| own.chips));
    let slip = move || own.with(|own| own.as_ref().map(|own| own.slip.clone())).unwrap_or_default();
    let total = move || slip().iter().map(|stake| u64::from(stake.chips)).sum::<u64>();
    let ready = move || own.with(|own| own.as_ref().is_some_and(|own| own.ready));
    let phase = move || view.with(|view| view.as_ref().map_or(Phase::Over, |view| view.phase));
    // After the last throw there is nothing left to bet on, once its dice have fallen.
    let rests = move || phase() == Phase::Over && !shown.with(throw::Show::plays);
    let plays = move || !session.mine.with(Vec::is_empty) && !rests();
    let banker = move || view.with(|view| view.as_ref().map(|view| view.banker)).unwrap_or_default();
    let i_bank = move || session.hand.get().is_some_and(|seat| banker() == Banker::Seat(seat));
    let betting = move || plays() && phase() == Phase::Betting && !i_bank();
    let idle = move || !betting() || ready();
    let go = move |_| {
        shown.update(throw::Show::skip);
        session.act(json!({"do": "ready"}));
    };
    let says = move || match phase() {
        Phase::Over => String::new(),
        _ if !plays() => String::new(),
        Phase::Throwing if i_bank() => "Bets are closed. Throw!".to_owned(),
        Phase::Throwing => "Bets are closed; the banker has the dice.".to_owned(),
        Phase::Betting if i_bank() => "You hold the bank: the others are laying their bets.".to_owned(),
        Phase::Betting if ready() => "Waiting for the others.".to_owned(),
        Phase::Betting if chips() == 0 && total() == 0 => {
            "No chips left: watch, or borrow where the table lends.".to_owned()
        }
        Phase::Betting if total() == 0 => "Lay a chip: number, edge, corner or box.".to_owned(),
        Phase::Betting => format!("{} on the layout, {} in hand.", total(), chips()),
    };
    let rack = move || {
        CHIPS.map(|size| {
        let label = format!("Chip of {size}");
        view! {
            <button class="rack-chip" style=format!("--size:{size}") data-size=size aria-label=label disabled={move || chips() < u64::from(size) && hand.chip.get() != size}
                aria-pressed=move || (hand.chip.get() == size).to_string() on:click=move |_| hand.chip.set(size)>
                <svg viewBox="-16 -16 32 32" aria-hidden="true"><circle class="chip-edge" r="14.5"/><circle class="chip-notch" r="14.5"/><circle class="chip-face" r="10.5"/><text class="chip-count" y="4">{size}</text></svg>
            </button>
        }
    })
    };
    let double = move |_| hand.lay_all(slip());
    let cannot_double = move || idle() || total() == 0 || total() > chips();
    let repeat = move |_| hand.lay_all(hand.before());
    let nothing_before = move || idle() || hand.before().is_empty();
    view! {
        <div class="rack" aria-label="Your chips">
            <p class="rack-says" aria-live="polite">{says}</p>
            <Show when=plays>
                <Show when=move || !i_bank()>
                    <div class="rack-chips" role="group" aria-label="Chip size">{rack}</div>
                    <div class="rack-acts">
                        <button class="btn" disabled=move || idle() || !hand.can_undo() data-do="undo" on:click=move |_| hand.undo()>{icon::undo()}"Undo"</button>
                        <button class="btn" data-do="repeat" disabled=nothing_before on:click=repeat>"Repeat"</button>
                        <button class="btn" disabled=cannot_double on:click=double>"Double"</button>
                        <button class="btn" disabled=move || idle() || total() == 0 data-do="clear" on:click=move |_| hand.clear(slip())>"Clear"</button>
                    </div>
                    <Show when=move || betting() && chips() == 0 && total() == 0 && view.with(|view| view.as_ref().is_some_and(|view| view.loan > 0))>
                        <button class="btn btn-main" on:click=move |_| session.act(json!({"do": "borrow"}))>"Borrow"</button>
                    </Show>
                    <button class="btn btn-main rack-go" data-do="ready" disabled=idle on:click=go>
                        {move || if session.players.with(Vec::len) > 1 { "Ready" } else { "Throw the dice" }}
                    </button>
                </Show>
                <Show when=move || i_bank()>
                    <button class="btn btn-main rack-go" data-do="throw" disabled=move || phase() != Phase::Throwing on:click=move |_| session.act(json!({"do": "throw"}))>"Throw the dice"</button>
                </Show>
            </Show>
        </div>
    }
}
