//! Contact in the suite that every game of the house must pass.

use contact::{Act, Contact, Corner, First, Move, Options, R9};
use table::conformance::Suite;
use table::{Game, Luck, Seat};

struct ContactSuite;

impl Suite for ContactSuite {
    type Game = Contact;
    const CASES: u32 = 12;
    const KEYED: &'static [&'static str] = &["/rings", "/box", "/setups", "/colours"];

    fn table(luck: &mut Luck) -> (Options, u32) {
        let firsts = [First::Drawn, First::South, First::North];
        let first = *luck.pick(&firsts).expect("there are three");
        // Without CT-R9 random play need not end, so it stays on here.
        let r9 = *luck.pick(&[R9::On, R9::SixtyMoves]).expect("there are two");
        let options = Options { first, r9, count: luck.chance(1, 2), ..Options::default() };
        match luck.below(5) {
            0 => (Options { setup: "twelve".into(), ..options }, 2),
            1 => (Options { partners: true, ..options }, 4),
            n => (options, n as u32),
        }
    }

    fn any_act(game: &Contact, _: Seat, luck: &mut Luck) -> Option<Act> {
        if luck.chance(1, 6) {
            let any = |luck: &mut Luck| Corner::new(1 + luck.below(15) as u8, 1 + luck.below(15) as u8);
            let wild = any(luck).zip(any(luck)).map_or(Move::PASS, |(from, to)| Move::new(from, to));
            return Some(wild.into());
        }
        luck.pick(&game.public().legal).map(|&mv| mv.into())
    }
}

table::conformance_suite!(ContactSuite);
