//! What the coach says: how the game stands, the best lines, and what one's own last move was worth.

use contact::search::WON;
use leptos::prelude::*;
use serde_json::Value;

/// A score beyond this says that the end is seen.
const SEEN: i64 = WON as i64;

/// What the coach says, for people. The better move also stands on the board as an arrow.
pub(super) fn advice(advice: &Value) -> AnyView {
    let lines = advice.pointer("/best/lines").and_then(Value::as_array).cloned().unwrap_or_default();
    let score = lines.first().and_then(|line| line.get("score")).and_then(Value::as_i64);
    let ends = lines.first().and_then(|line| line.get("ends_in")).and_then(Value::as_i64);
    let marked = advice.get("last").filter(|last| !last.is_null()).map(marked);
    let list = lines.iter().map(|line| {
        let moves = line.get("line").and_then(Value::as_array).cloned().unwrap_or_default();
        let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).take(5).collect();
        let worth = line.get("score").and_then(Value::as_i64).unwrap_or(0);
        view! { <li><b class="num">{points(worth)}</b><span class="num">{moves.join("  ")}</span></li> }
    });
    view! {
        {score.map(|score| bar(score, ends))}
        {marked}
        <ol class="ct-lines">{list.collect_view()}</ol>
    }
    .into_any()
}

/// Hundredths of a point as people read them; a seen end as what it is.
fn points(score: i64) -> String {
    match score {
        score if score > SEEN => "wins".to_owned(),
        score if score < -SEEN => "loses".to_owned(),
        0 => "tie".to_owned(),
        score => format!("{:+.1}", score as f64 / 100.0),
    }
}

/// How it stands for whoever is to move: a bar, and the same in words.
fn bar(score: i64, ends: Option<i64>) -> AnyView {
    let part = 1.0 / (1.0 + (-(score.clamp(-2000, 2000) as f64) / 300.0).exp());
    let words = match (ends, score) {
        (Some(moves), 1..) => format!("Whoever is to move wins in {moves}."),
        (Some(moves), _) => format!("Whoever is to move loses in {moves}."),
        (None, 0) => "A tie.".to_owned(),
        (None, -20..=20) => "Even.".to_owned(),
        (None, 21..) => format!("Better for whoever is to move, by {:.1}.", score as f64 / 100.0),
        (None, _) => format!("Worse for whoever is to move, by {:.1}.", -score as f64 / 100.0),
    };
    view! {
        <div class="ct-bar" role="img" aria-label=words.clone() style=format!("--part:{part:.3}")><span></span></div>
        <p>{words}</p>
    }
    .into_any()
}

/// What a move was worth.
fn marked(last: &Value) -> AnyView {
    let text = |key: &str| last.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (mark, mv, words) = (text("mark"), text("move"), text("words"));
    let sign = match mark.as_str() {
        "best" => "!",
        "good" => "✓",
        "slip" => "?",
        "blunder" => "??",
        _ => "·",
    };
    view! {
        <p class=format!("ct-note is-{mark}")>
            <b class="ct-note-sign" aria-hidden="true">{sign}</b>
            <span><b class="num">{mv}</b>" was "{words}"."</span>
        </p>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_in_points_and_a_seen_end_as_what_it_is() {
        assert_eq!(points(137), "+1.4");
        assert_eq!(points(-60), "-0.6");
        assert_eq!(points(19_900), "wins");
        assert_eq!(points(-19_900), "loses");
        assert_eq!(points(0), "tie");
    }
}
