//! Small drawings on buttons, all on a 24 × 24 sheet.

use leptos::prelude::*;

fn drawn(path: &'static str) -> impl IntoView {
    view! {
        <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2"
            stroke-linecap="round" stroke-linejoin="round" inner_html=path></svg>
    }
}

/// The mark of the house: two dice.
pub fn mark() -> impl IntoView {
    view! {
        <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false" inner_html=concat!(
            r##"<rect x="4" y="18" width="38" height="38" rx="8" fill="#8c2f22" transform="rotate(-9 23 37)"/>"##,
            r##"<g fill="#fdf6e6" transform="rotate(-9 23 37)"><circle cx="14" cy="28" r="4"/><circle cx="32" cy="46" r="4"/><circle cx="23" cy="37" r="4"/></g>"##,
            r##"<rect x="34" y="6" width="27" height="27" rx="5" fill="#241a15" stroke="#fdf6e6" stroke-width="1.5" transform="rotate(14 47 19)"/>"##,
            r##"<text x="47.5" y="28" font-weight="700" font-size="23" fill="#fdf6e6" text-anchor="middle" transform="rotate(14 47 19)">P</text>"##,
        )></svg>
    }
}

/// Sounds on.
pub fn sound() -> impl IntoView {
    drawn(r#"<path d="M4 9v6h4l5 4V5L8 9z"/><path d="M16.5 8.5a5 5 0 0 1 0 7M19 6a9 9 0 0 1 0 12"/>"#)
}

/// Sounds off.
pub fn muted() -> impl IntoView {
    drawn(r#"<path d="M4 9v6h4l5 4V5L8 9z"/><path d="M17 9.5l5 5M22 9.5l-5 5"/>"#)
}

/// Light and dark.
pub fn lamp() -> impl IntoView {
    drawn(r#"<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 0 0 0-16z" fill="currentColor"/>"#)
}

/// Throw away.
pub fn bin() -> impl IntoView {
    drawn(r#"<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5"/>"#)
}

/// Back one.
pub fn undo() -> impl IntoView {
    drawn(r#"<path d="M8 5L4 9l4 4"/><path d="M4 9h10a5 5 0 0 1 0 10h-4"/>"#)
}

/// The same again.
pub fn again() -> impl IntoView {
    drawn(r#"<path d="M20 11a8 8 0 1 0-2 6"/><path d="M20 4v7h-7"/>"#)
}

/// A person.
pub fn person() -> impl IntoView {
    drawn(r#"<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7"/>"#)
}

/// A bot.
pub fn bot() -> impl IntoView {
    drawn(
        r#"<rect x="5" y="8" width="14" height="11" rx="3"/><path d="M12 8V4M9 13v1.5M15 13v1.5"/><circle cx="12" cy="3.5" r="1" fill="currentColor"/>"#,
    )
}

/// More, in a drawer.
pub fn drawer() -> impl IntoView {
    drawn(r#"<path d="M5 8h14M5 12h14M5 16h9"/>"#)
}

/// Close.
pub fn close() -> impl IntoView {
    drawn(r#"<path d="M6 6l12 12M18 6L6 18"/>"#)
}

/// Forward.
pub fn next() -> impl IntoView {
    drawn(r#"<path d="M9 5l7 7-7 7"/>"#)
}

/// Back.
pub fn back() -> impl IntoView {
    drawn(r#"<path d="M15 5l-7 7 7 7"/>"#)
}

/// A check mark.
pub fn check() -> impl IntoView {
    drawn(r#"<path d="M5 13l4.5 4.5L19 7"/>"#)
}

/// Go on by itself.
pub fn play() -> impl IntoView {
    drawn(r#"<path d="M8 5v14l11-7z" fill="currentColor"/>"#)
}

/// Keep as a file.
pub fn save() -> impl IntoView {
    drawn(r#"<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>"#)
}

/// A friendly face.
pub fn nod() -> impl IntoView {
    drawn(r#"<circle cx="12" cy="12" r="9"/><path d="M8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5v.5M15 9.5v.5"/>"#)
}

/// All off the table.
pub fn sweep() -> impl IntoView {
    drawn(r#"<path d="M4 15v4h16v-4M12 4v10M8 10.5l4 4 4-4"/>"#)
}

/// In another order.
pub fn shuffle() -> impl IntoView {
    drawn(
        r#"<path d="M4 7h3.5c4 0 5 10 9 10H20M4 17h3.5c1.6 0 2.7-1.6 3.6-3.4M13 9.4C13.9 7.9 15 7 16.5 7H20M17.5 4.5L20 7l-2.5 2.5M17.5 14.5L20 17l-2.5 2.5"/>"#,
    )
}

/// What hangs together.
pub fn chain() -> impl IntoView {
    drawn(
        r#"<rect x="3.5" y="3.5" width="8" height="8" rx="1.5"/><rect x="12.5" y="3.5" width="8" height="8" rx="1.5"/><rect x="12.5" y="12.5" width="8" height="8" rx="1.5"/>"#,
    )
}

/// A hint.
pub fn bulb() -> impl IntoView {
    drawn(
        r#"<path d="M9 17.5h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.5.4.7 1 .7 1.6v.5h5.6v-.5c0-.6.2-1.2.7-1.6A6 6 0 0 0 12 3z"/>"#,
    )
}
