//! Whole games as readable text; a change of the rules shows itself here. The players are simple on purpose: these texts
//! must not change with every improvement of the engine.

use contact::{Act, Contact, Move, Options, Verdict};
use table::{Bot, Intent, Luck, View, playthrough};

/// Takes what it can, else goes for the middle of the board, else anything.
struct Keen(Luck);

impl Bot<Contact> for Keen {
    fn next(&mut self, view: &View<'_, Contact>) -> Option<Intent<Act>> {
        let position = view.public.rebuild().ok()?;
        let legal = &view.public.legal;
        let takes = |mv: &&Move| position.verdict(**mv) != Verdict::default();
        let far = |mv: &Move| mv.ends().map_or(0, |(_, to)| to.x().abs_diff(8) + to.y().abs_diff(8));
        let mut choice = legal.iter().find(takes).copied();
        for _ in 0..3 {
            let other = self.0.pick(legal).copied();
            choice = choice.or(other).map(|c| {
                if takes(&&c) || far(&c) <= other.map_or(0, |o| far(&o)) { c } else { other.unwrap_or(c) }
            });
        }
        Some(Intent { at: view.now.plus(1_000), act: choice?.into() })
    }
}

fn bots(count: u64) -> Vec<Box<dyn Bot<Contact>>> {
    (0..count).map(|seed| Box::new(Keen(Luck::new(seed))) as Box<dyn Bot<Contact>>).collect()
}

#[test]
fn two_players_with_six_tiles() {
    let text = playthrough::write::<Contact>(Options::default(), &["Ann", "Ben"], bots(2), 1);
    playthrough::check("tests/playthroughs/two.txt", &text);
}

#[test]
fn partners() {
    let options = Options { partners: true, ..Options::default() };
    let text = playthrough::write::<Contact>(options, &["Ann", "Ben", "Cid", "Dot"], bots(4), 2);
    playthrough::check("tests/playthroughs/partners.txt", &text);
}
