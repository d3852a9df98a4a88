//! The suite that every game must pass, on random tables of Dice Roulette.

use roulette::{Act, Banker, Bet, Options, Roulette, Stake};
use table::conformance::Suite;
use table::{Luck, Seat, conformance_suite};

struct Random;

impl Suite for Random {
    type Game = Roulette;
    const KEYED: &'static [&'static str] = &["/banker", "/heir"];

    fn table(luck: &mut Luck) -> (Options, u32) {
        // Now and then more seats than the public view shows one by one.
        let seats = if luck.chance(1, 16) { 70 } else { 1 + luck.below(5) as u32 };
        let options = Options {
            chips: 1 + luck.below(120) as u32,
            bank: if seats > 1 && luck.chance(1, 2) { Banker::Seat(Seat(0)) } else { Banker::House },
            bank_chips: luck.chance(1, 2).then(|| 1 + luck.below(300)),
            passing: luck.chance(3, 4),
            window: 1 + luck.below(30) as u32,
            hold: 1 + luck.below(10) as u32,
            throws: 1 + luck.below(12) as u32,
            borrow: luck.chance(1, 3),
            ..Options::default()
        };
        (options, seats)
    }

    fn any_act(game: &Roulette, seat: Seat, luck: &mut Luck) -> Option<Act> {
        let set = &game.options().set;
        let most = 1 + luck.below(30);
        let any = |luck: &mut Luck| Stake {
            on: set.spot(Bet::all().nth(luck.below(136) as usize).expect("one of 136")),
            chips: luck.below(most + 1) as u32,
        };
        Some(match luck.below(20) {
            0..=6 => {
                let bets = (0..=luck.below(4)).map(|_| any(luck)).collect();
                Act::Lay { bets, ready: luck.chance(1, 4) }
            }
            7 => {
                let slip = game.slip(seat)?;
                Act::TakeBack { bets: slip.on(set).map(|stake| Stake { chips: 1, ..stake }).collect() }
            }
            8 => Act::TakeBack { bets: vec![any(luck)] },
            9 => Act::Clear,
            10..=12 => Act::Ready,
            13 | 14 => Act::Throw,
            15 => Act::PassBank { to: Banker::Seat(Seat(luck.below(6) as u32)) },
            16 => Act::PassBank { to: Banker::House },
            17 => Act::TakeBank,
            18 => Act::Borrow,
            _ if luck.chance(1, 4) => Act::Agree,
            _ => Act::PlayOn,
        })
    }
}

conformance_suite!(Random);
