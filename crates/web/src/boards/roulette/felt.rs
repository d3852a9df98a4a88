//! The layout drawn: what is printed on it, the chips that lie there, and where a finger or the keyboard aims.

use super::hand::Hand;
use super::layout::{self, CELL, HEIGHT, LEFT, TOP, WIDTH};
use super::print;
use super::throw::{self, Show as Shown};
use crate::ui::{people::colour, point};
use crate::voice::voice;
use leptos::prelude::*;
use roulette::{Phase, Private, Public, Set as Pieces, Side, Spot, Stake};
use table::Seat;

/// Where a finger or the mouse aims, and what it does there.
#[derive(Clone, Copy)]
struct Pointer {
    hand: Hand,
    view: Memo<Option<Public>>,
    set: Memo<Pieces>,
}

impl Pointer {
    /// Whether chips can be laid now.
    fn may_lay(self) -> bool {
        self.hand.session.my_turn()
            && self.view.with(|view| view.as_ref().is_some_and(|view| view.phase == Phase::Betting))
    }

    fn spot_under(self, event: &web_sys::PointerEvent) -> Option<Spot> {
        let element = point::handled_by(event)?;
        let (x, y) = point::on_drawing(event, &element)?;
        self.set.with_untracked(|set| layout::spot_at(x, y, set))
    }

    fn down(self, event: &web_sys::PointerEvent) {
        if let Some(element) = point::handled_by(event) {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
        self.hand.aim.set(self.spot_under(event));
    }

    fn moved(self, event: &web_sys::PointerEvent) {
        if event.buttons() > 0 || event.pointer_type() == "mouse" {
            self.hand.aim.set(self.spot_under(event));
        }
    }

    fn up(self, event: &web_sys::PointerEvent) {
        let spot = self.spot_under(event);
        if event.pointer_type() != "mouse" {
            self.hand.aim.set(None);
        }
        if let Some(spot) = spot.filter(|_| self.may_lay()) {
            if event.button() == 2 { self.hand.take_from(spot) } else { self.hand.lay(spot) }
        }
    }
}

/// The layout.
#[component]
pub(super) fn Layout(
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
) -> impl IntoView {
    let set = Memo::new(move |_| {
        view.with(|view| view.as_ref().map_or_else(Pieces::standard, |view| view.set.clone()))
    });
    let pointer = Pointer { hand, view, set };
    tell_cursor(hand, set);
    let down = move |event: web_sys::PointerEvent| {
        shown.update(throw::Show::skip);
        pointer.down(&event);
    };
    let winner =
        move || shown.with(throw::Show::number).and_then(|number| set.with(|set| winning(number, set)));
    let aim = move || {
        let aim = hand.aim.get().or_else(|| hand.keyed.get().then(|| hand.cursor.get()));
        aim.map(|spot| set.with(|set| aimed(spot, set)))
    };
    let chips = move || {
        view.with(|view| view.as_ref().map(|view| stacks(view, hand.session.hand.get(), &shown.get())))
    };
    let wish = move || {
        let spot = hand.aim.get().filter(|_| pointer.may_lay());
        spot.map(|spot| set.with(|set| loupe(spot, set, hand.chip.get())))
    };
    view! {
        <svg class="layout" class:is-open=move || pointer.may_lay() viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="application" tabindex="0" aria-label=move || label(hand, own, set)
            on:pointerdown=down on:pointermove=move |event| pointer.moved(&event) on:pointerup=move |event| pointer.up(&event) on:pointerleave=move |_| hand.aim.set(None)
            on:contextmenu=move |event| event.prevent_default()
            on:keydown=move |event| board_keys(&event, hand, set) on:focus=move |event| hand.keyed.set(by_keyboard(&event)) on:blur=move |_| hand.keyed.set(false)>
            {move || set.with(printed)}
            {winner}
            {aim}
            <g class="chips">{chips}</g>
            {wish}
        </svg>
    }
}

/// Where the keyboard is on the layout, and what it does there, for a screen reader.
fn label(hand: Hand, own: Memo<Option<Private>>, set: Memo<Pieces>) -> String {
    let set = set.get();
    let spot = hand.cursor.get();
    let on = own.with(|own| {
        own.as_ref().and_then(|own| own.slip.iter().find(|stake| stake.on == spot).map(|stake| stake.chips))
    });
    format!(
        "Layout. {}, pays {}. {}Arrow keys move, Enter lays {}, Delete takes back.",
        layout::words(spot, &set),
        layout::pays(spot, &set),
        on.map(|chips| format!("{chips} of your chips lie here. ")).unwrap_or_default(),
        hand.chip.get(),
    )
}

/// A cursor that the keyboard moves says where it has come to.
fn tell_cursor(hand: Hand, set: Memo<Pieces>) {
    let voice = voice();
    Effect::new(move |first: Option<()>| {
        let spot = hand.cursor.get();
        let words = set.with(|set| format!("{}, pays {}", layout::words(spot, set), layout::pays(spot, set)));
        if first.is_some() && hand.keyed.get_untracked() {
            voice.say(words);
        }
    });
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
pub(super) fn printed(set: &Pieces) -> AnyView {
    let mut ink = String::new();
    for (row, numbers) in set.grid().iter().enumerate() {
        for (column, number) in numbers.iter().enumerate() {
            let corner = (LEFT + column as f64 * CELL, TOP + row as f64 * CELL);
            ink.push_str(&print::number(*number, corner, set));
        }
    }
    for spot in layout::outers(set) {
        if let Some(place) = layout::outer(spot, set) {
            ink.push_str(&print::outer(spot, place));
        }
    }
    ink.push_str(&print::rim());
    view! { <g class="printed" inner_html=ink></g> }.into_any()
}

/// The squares that a spot wins on, lit.
pub(super) fn aimed(spot: Spot, set: &Pieces) -> AnyView {
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
pub(super) fn winning(number: u8, set: &Pieces) -> Option<AnyView> {
    let (x, y) = layout::place(Spot::Number(number), set)?;
    Some(view! { <rect class="came" x=x - CELL / 2.0 + 1.5 y=y - CELL / 2.0 + 1.5 width=CELL - 3.0 height=CELL - 3.0 rx="7"/> }.into_any())
}

/// What would be laid, above the finger.
pub(super) fn loupe(spot: Spot, set: &Pieces, chip: u32) -> AnyView {
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

pub(super) fn spot_short(spot: Spot) -> String {
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
pub(super) fn stack(
    stake: Stake,
    set: &Pieces,
    class: &'static str,
    gain: Option<u64>,
    aside: i32,
) -> AnyView {
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
