//! A printed tile: its colour with an edge and a mark of its own, so that colour is never the only sign; one mark or two
//! for its steps; and four figures that stay upright however the tile is turned.

use contact::view::TileView;
use contact::{Colour, Public, Step, Tile};
use leptos::prelude::*;

/// Half a tile: as large as a square, less a hair, so that tiles side by side can be told apart.
pub(super) const HALF: f64 = 23.5;
/// Where the figures stand, from the middle of the tile.
const FIGURE: f64 = 12.5;
/// The corners of a tile that has not been spun, clockwise from the top left.
const CORNERS: [(f64, f64); 4] = [(-FIGURE, -FIGURE), (FIGURE, -FIGURE), (FIGURE, FIGURE), (-FIGURE, FIGURE)];

/// What is printed on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Print {
    /// Its colour.
    pub(super) colour: Colour,
    /// Its kind.
    pub(super) step: Step,
    /// Whether its back is up.
    pub(super) turned: bool,
    /// The figures of a tile that has not been spun.
    pub(super) figures: [u8; 4],
}

impl Print {
    /// What is printed on a tile of a table.
    pub(super) fn of(tile: &TileView, public: &Public) -> Print {
        Print::new(tile.colour, tile.step, tile.turned, public)
    }

    /// What is printed on a tile of that kind and colour.
    pub(super) fn new(colour: Colour, step: Step, turned: bool, public: &Public) -> Print {
        let figures = public.figures.get(step);
        Print { colour, step, turned, figures: if turned { [figures.back; 4] } else { figures.corners } }
    }

    fn class(self) -> String {
        let step = if self.step == Step::OneStep { "is-one" } else { "is-two" };
        let face = if self.turned { " is-turned" } else { "" };
        format!("ct-print is-{} {step}{face}", self.colour)
    }
}

/// A tile drawn round the origin, turned by so many quarters.
pub(super) fn printed(print: Print, quarters: impl Fn() -> i32 + Copy + Send + 'static) -> AnyView {
    let turn = move || format!("transform:rotate({}deg)", quarters() * 90);
    let upright = move |(x, y): (f64, f64)| {
        move || format!("transform:translate({x}px,{y}px) rotate({}deg)", quarters() * -90)
    };
    let figures =
        print.figures.into_iter().zip(CORNERS).map(
            |(figure, at)| view! { <g class="ct-figure" style=upright(at)><text y="7">{figure}</text></g> },
        );
    view! {
        <g class=print.class()>
            <rect class="ct-shade" x=1.5 - HALF y=2.5 - HALF width=2.0 * HALF height=2.0 * HALF rx="5"/>
            <g class="ct-turn" style=turn>
                <rect class="ct-face" x=-HALF y=-HALF width=2.0 * HALF height=2.0 * HALF rx="5"/>
                <rect class="ct-edge" x=2.6 - HALF y=2.6 - HALF width=2.0 * HALF - 5.2 height=2.0 * HALF - 5.2 rx="3.5"/>
                {figures.collect_view()}
                <g class="ct-figure" style=upright((0.0, 0.0)) inner_html=marks(print)></g>
            </g>
        </g>
    }
    .into_any()
}

/// The marks in the middle: as many as steps, of the shape of the colour.
fn marks(print: Print) -> String {
    let shape = match print.colour {
        Colour::Red => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        Colour::Blue => "M0-5L5 0L0 5L-5 0z",
        Colour::Green => "M0-5L5 4H-5z",
        Colour::Yellow => "M-1.6-5h3.2v3.4H5v3.2H1.6V5h-3.2V1.6H-5v-3.2h3.4z",
    };
    let at: &[i32] = if print.step == Step::OneStep { &[0] } else { &[-6, 6] };
    let mark = |x| format!(r#"<path class="ct-mark" transform="translate({x} 0)" d="{shape}"/>"#);
    at.iter().map(mark).collect::<Vec<_>>().concat()
}

/// A tile on its own, small, in a line of text.
pub(super) fn small(print: Print, quarters: i32, label: String) -> AnyView {
    view! { <svg class="ct-small" viewBox="-26 -26 52 52" role="img" aria-label=label>{printed(print, move || quarters)}</svg> }.into_any()
}

/// The kind of a tile, in words.
pub(super) const fn kind(step: Step) -> &'static str {
    match step {
        Step::OneStep => "one-step",
        Step::TwoStep => "two-step",
    }
}

/// The same way round, in the fewest quarters from where a tile is: a step back in a replay turns it back.
pub(super) fn unrolled(before: Option<i32>, now: i32) -> i32 {
    let Some(before) = before else { return now };
    match (now - before).rem_euclid(4) {
        3 => before - 1,
        quarters => before + quarters,
    }
}

/// How many quarters a tile lies turned, from South's start.
pub(super) fn quarters(tile: &Tile) -> i32 {
    i32::from(tile.spin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_turns_on_and_on_to_the_right_and_back_only_in_a_replay() {
        assert_eq!(unrolled(None, 3), 3);
        assert_eq!(unrolled(Some(3), 0), 4);
        assert_eq!(unrolled(Some(4), 1), 5);
        assert_eq!(unrolled(Some(4), 3), 3);
        assert_eq!(unrolled(Some(-1), 3), -1);
    }
}
