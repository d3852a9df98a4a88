//! The clock: a ring that runs out, with the seconds in it. The last ten change its colour and are heard.

use crate::session::Session;
use crate::sound::{Sound, ears};
use leptos::prelude::*;
use std::time::Duration;

/// A ring of this radius is drawn in a square of 48.
const RADIUS: f64 = 20.0;

/// A signal that changes a few times a second for as long as its owner lives: for what shows the passing of time.
pub fn ticking(every_ms: u64) -> ReadSignal<u32> {
    let (tick, set_tick) = signal(0_u32);
    if crate::browser::window().is_some()
        && let Ok(handle) = set_interval_with_handle(
            move || set_tick.update(|tick| *tick = tick.wrapping_add(1)),
            Duration::from_millis(every_ms),
        )
    {
        on_cleanup(move || handle.clear());
    }
    tick
}

/// Seconds as people say them: `9`, `1:05`, `12′`.
pub fn spoken(seconds: u64) -> String {
    match seconds {
        0..60 => seconds.to_string(),
        60..600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}′", seconds.div_ceil(60)),
    }
}

/// The clock of a table. Where no clock runs there is nothing to see.
#[component]
pub fn ClockRing(
    /// The table.
    session: Session,
    /// Whether another clock of this table is heard already.
    #[prop(optional)]
    silent: bool,
) -> impl IntoView {
    let tick = ticking(200);
    let left = Memo::new(move |_| {
        tick.get();
        session.left()
    });
    let span = Memo::new(move |_| {
        session
            .deadline
            .get()
            .map(|deadline| (deadline as f64 - session.clock.get_untracked().now()).max(1.0))
    });
    let seconds = Memo::new(move |_| left.get().map(|left| (left / 1000.0).ceil() as u64));
    let ears = ears();
    Effect::new(move |_| {
        if !silent
            && seconds.get().is_some_and(|seconds| (1..=10).contains(&seconds))
            && session.my_turn()
            && session.clock.get_untracked().runs
        {
            ears.play(Sound::Tick);
        }
    });
    let gone = move || {
        let part = left.get().zip(span.get()).map_or(0.0, |(left, span)| 1.0 - (left / span).clamp(0.0, 1.0));
        format!("{:.1}", part * std::f64::consts::TAU * RADIUS)
    };
    let class = move || {
        if session.my_turn() && seconds.get().is_some_and(|seconds| seconds <= 10) {
            "clock clock-last"
        } else {
            "clock"
        }
    };
    view! {
        <Show when=move || seconds.get().is_some()>
            <div class=class role="timer" aria-label=move || format!("{} seconds left", seconds.get().unwrap_or(0))>
                <svg viewBox="0 0 48 48" aria-hidden="true">
                    <circle class="clock-back" cx="24" cy="24" r=RADIUS/>
                    <circle class="clock-left" cx="24" cy="24" r=RADIUS transform="rotate(-90 24 24)"
                        stroke-dasharray=format!("{:.1}", std::f64::consts::TAU * RADIUS) stroke-dashoffset=gone/>
                </svg>
                <span class="num" aria-hidden="true">{move || spoken(seconds.get().unwrap_or(0))}</span>
            </div>
        </Show>
    }
}
