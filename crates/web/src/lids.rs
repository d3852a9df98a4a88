//! The lids, drawn. Each is a file of its own in `lids/`, 300 × 380.

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
        #[allow(unreachable_patterns, reason = "a game may have no drawing yet")]
        _ => include_str!("../lids/plain.svg"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::sync::atomic::AtomicBool;
    use words::notation::{self, Style};
    use words::{Counting, Lexicon};

    /// A die of a drawing.
    #[derive(Debug)]
    struct Die {
        turned: bool,
        at: (f64, f64),
        red: bool,
        shows: char,
        value: Option<u8>,
    }

    /// Reads the dice off a drawing: a group each, turned about its middle, with its letter and perhaps a value.
    fn dice(kind: Kind) -> Vec<Die> {
        let group = |group: &str| {
            let (turn, rest) = group.split_once(')')?;
            let turn: Vec<f64> = turn.split(' ').filter_map(|number| number.parse().ok()).collect();
            let mut texts = rest.split("<text").skip(1);
            let mut text = || Some(texts.next()?.split_once('>')?.1.split('<').next()?.to_owned());
            let shows = text()?.chars().next()?;
            Some(Die {
                turned: turn[0] != 0.0,
                at: (turn[1], turn[2]),
                red: rest.contains("a8231c"),
                shows,
                value: text().and_then(|value| value.parse().ok()),
            })
        };
        drawing(kind).split("<g transform=\"rotate(").skip(1).filter_map(group).collect()
    }

    /// Can these seven be thrown together? The solver asks that of every throw.
    fn can_be_thrown(dice: &str) -> Result<Value, table::Spoken> {
        house::IQUBES.solve(json!({"dice": dice}), &AtomicBool::new(false), &mut |_| ())
    }

    fn has_only_clean_words(words: impl Iterator<Item = words::Word>) -> bool {
        let house = Lexicon::house();
        words.into_iter().all(|word| house.entry(&word).is_some_and(|entry| !entry.offensive))
    }

    #[test]
    fn the_lid_of_i_qubes_is_a_legal_layout_of_seven_dice() {
        const STEP: f64 = 54.0;
        let dice = dice(Kind::IQubes);
        let written = |die: &Die| match die {
            Die { shows: '?', red: true, .. } => '!',
            Die { shows, red: true, .. } => shows.to_ascii_uppercase(),
            Die { shows, .. } => shows.to_ascii_lowercase(),
        };
        let throw: String = dice.iter().map(written).collect();
        assert_eq!(throw.chars().count(), ::iqubes::DICE, "{throw}");
        can_be_thrown(&throw).unwrap();
        let lie: Vec<&Die> = dice.iter().filter(|die| !die.turned).collect();
        let least = |of: fn(&Die) -> f64| lie.iter().map(|die| of(die)).fold(f64::INFINITY, f64::min);
        let corner = (least(|die| die.at.0), least(|die| die.at.1));
        let cell = |die: &Die| ((die.at.0 - corner.0) / STEP, (die.at.1 - corner.1) / STEP);
        let at = |x: f64, y: f64| lie.iter().find(|die| cell(die) == (x, y)).map_or('.', |die| written(die));
        let rows: Vec<String> =
            (0..7).map(|y| (0..7).map(|x| at(f64::from(x), f64::from(y))).collect()).collect();
        let (layout, faces) = notation::read(&rows.join("/"), Style::Colours, |tile| tile.face(0)).unwrap();
        assert_eq!(layout.dice.len(), lie.len(), "every die that is not tossed lies in a cell: {dice:?}");
        let house = Lexicon::house();
        let rule = Counting::IQubes { long_word: false };
        let checked = layout.check(&faces, rule, |word| house.contains(word));
        assert!(checked.is_good() && lie.len() > 4, "{:?}", checked.faults());
        assert!(has_only_clean_words(checked.runs().iter().filter_map(|run| run.word)));
    }

    #[test]
    fn the_lid_of_scribbage_spells_a_word_in_cubes_with_their_values() {
        let dice = dice(Kind::Scribbage);
        let set = ::scribbage::Set::standard();
        let throw: String = dice.iter().map(|die| if die.shows == '★' { '?' } else { die.shows }).collect();
        // Not all thirteen lie on the lid, so the solver would not have it for a throw.
        let faces: ::scribbage::Throw = throw.parse().unwrap();
        letters::bench::can_be_thrown(&faces.0, set.cubes(), "The thirteen cubes").unwrap();
        for die in &dice {
            let letter = words::Letter::from_char(die.shows);
            let value = letter.map(|letter| set.value(::scribbage::Face(Some(letter))));
            assert_eq!(die.value, value, "{die:?}");
            assert!(die.turned, "cubes out of the cup lie anyhow: {die:?}");
        }
        let word = throw.replace('?', "").parse().unwrap();
        assert!(has_only_clean_words(std::iter::once(word)), "{word}");
    }
}
