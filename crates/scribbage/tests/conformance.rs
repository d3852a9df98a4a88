//! The one suite that every game must pass, on Scribbage.

use scribbage::{Act, Options, Scribbage};
use table::conformance::Suite;
use table::{Game, Luck, Seat};
use words::{Letter, Placed, WordsId};

struct AtRandom;

impl Suite for AtRandom {
    type Game = Scribbage;
    const KEYED: &'static [&'static str] = &["/rulings", "/values"];

    fn table(luck: &mut Luck) -> (Options, u32) {
        let words = if luck.chance(1, 2) { WordsId::None } else { WordsId::default() };
        let teams = if luck.chance(1, 3) { 1 + luck.below(2) as u32 } else { 0 };
        // Random play loses points, so a game for a figure ends when it gets nowhere: seldom is enough.
        let figure = luck.chance(1, 12).then(|| 1 + luck.below(200) as u32);
        let options = Options {
            seconds: 60 + luck.below(541) as u32,
            turns: luck.chance(3, 4).then(|| 1 + luck.below(3) as u32),
            figure,
            teams,
            young: luck.chance(1, 3),
            judge: luck.chance(1, 2),
            words,
            offensive: luck.chance(1, 4),
            ..Options::default()
        };
        let seats = if teams == 0 { 1 + luck.below(4) as u32 } else { teams * (2 + luck.below(3) as u32) };
        (options, seats)
    }

    fn any_act(game: &Scribbage, _: Seat, luck: &mut Luck) -> Option<Act> {
        let die = luck.below(14) as u8;
        let spot = |luck: &mut Luck| luck.below(4) as i8 - 1;
        let letter = Letter::from_index(luck.below(26) as usize)?;
        let count = game.public().turn.count;
        Some(match luck.below(20) {
            0..=2 => Act::Throw,
            3..=7 => Act::Place { die, x: spot(luck), y: spot(luck) },
            8 => Act::Lift { die },
            9 => Act::Call { die, letter },
            10 => Act::Arrange {
                dice: (0..13)
                    .map(|die| Placed { die, x: die as i8, y: spot(luck) / 2, called: None })
                    .collect(),
            },
            11..=13 => Act::Done,
            14 | 15 => Act::Pass,
            16 | 17 => Act::Challenge { word: luck.pick(&count?.words)?.word },
            _ => Act::Vote { good: luck.chance(1, 2) },
        })
    }

    /// The secret of a seat is the vote it has cast while the vote is open.
    fn disguise(game: &Scribbage, seat: Seat, _: &mut Luck) -> Option<Scribbage> {
        game.private(seat).vote?;
        let mut state = serde_json::to_value(game).expect("a state is JSON");
        let vote = state.pointer_mut("/turn/stage/vote/ballot")?.get_mut(seat.index())?;
        *vote = (!vote.as_bool()?).into();
        serde_json::from_value(state).ok()
    }
}

table::conformance_suite!(AtRandom);
