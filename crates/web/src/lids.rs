//! The five lids, drawn. Each is a file of its own in `lids/`, 300 × 380.

use house::Kind;
use leptos::prelude::*;

/// The drawing on a lid, without its frame.
pub const fn drawing(kind: Kind) -> &'static str {
    match kind {
        Kind::IQubes => include_str!("../lids/iqubes.svg"),
        Kind::Scribbage => include_str!("../lids/scribbage.svg"),
        Kind::Contact => include_str!("../lids/contact.svg"),
        Kind::Cubo => include_str!("../lids/cubo.svg"),
        Kind::Roulette => include_str!("../lids/roulette.svg"),
    }
}

/// A lid.
#[component]
pub fn Lid(
    /// Which box.
    kind: Kind,
) -> impl IntoView {
    view! { <svg class="lid" viewBox="0 0 300 380" aria-hidden="true" focusable="false" inner_html=drawing(kind)></svg> }
}
