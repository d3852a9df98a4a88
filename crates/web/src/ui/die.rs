//! A die, drawn: a body and its pips or its sign. Boards give it a class for its colours.

use leptos::prelude::*;

/// Where the pips of a face lie, in a square of 100.
pub const fn pips(face: u8) -> &'static [(u8, u8)] {
    match face {
        1 => &[(50, 50)],
        2 => &[(27, 27), (73, 73)],
        3 => &[(25, 25), (50, 50), (75, 75)],
        4 => &[(27, 27), (73, 27), (27, 73), (73, 73)],
        5 => &[(26, 26), (74, 26), (50, 50), (26, 74), (74, 74)],
        6 => &[(28, 24), (72, 24), (28, 50), (72, 50), (28, 76), (72, 76)],
        _ => &[],
    }
}

/// A die with pips in a square of 100, as SVG.
pub fn pipped(face: u8) -> impl IntoView {
    let dots =
        pips(face).iter().map(|(x, y)| view! { <circle class="pip" cx=*x cy=*y r="9"/> }).collect_view();
    view! {
        <g class="die-body">
            <rect class="die-shade" x="3" y="8" width="96" height="96" rx="19"/>
            <rect class="die-side" x="2" y="2" width="96" height="96" rx="19"/>
            <rect class="die-face" x="7" y="5" width="86" height="86" rx="16"/>
            <g transform="translate(4 2) scale(.92)">{dots}</g>
        </g>
    }
}

/// A die with a sign on it in a square of 100, as SVG.
pub fn signed(sign: String) -> impl IntoView {
    view! {
        <g class="die-body">
            <rect class="die-shade" x="3" y="8" width="96" height="96" rx="15"/>
            <rect class="die-side" x="2" y="2" width="96" height="96" rx="15"/>
            <rect class="die-face" x="7" y="5" width="86" height="86" rx="12"/>
            <text class="die-sign" x="50" y="71" text-anchor="middle">{sign}</text>
        </g>
    }
}
