//! The one suite that every game must pass, on I-Qubes.

use iqubes::{Act, IQubes, Options, Rethrow, Set};
use table::conformance::Suite;
use table::{Game, Luck, Seat};
use words::{Letter, Placed, WordsId};

struct AtRandom;

impl Suite for AtRandom {
    type Game = IQubes;
    const KEYED: &'static [&'static str] = &["/rulings"];

    fn table(luck: &mut Luck) -> (Options, u32) {
        let words = if luck.chance(1, 2) { WordsId::None } else { WordsId::default() };
        // Of the house's dice one throw in many is mute; of these, two in three.
        let shy = "name = \"shy\"\ndice = [\"YBCDFA\",\"BCDFGH\",\"bcdfgh\",\"BCDFGH\",\"bcdfgh\",\"BCDFGH\",\"Abcdfg\"]";
        let shy = Set::from_toml(shy).expect("a sound set");
        let options = Options {
            set: if luck.chance(1, 2) { shy } else { Set::standard() },
            rethrow: if luck.chance(2, 3) { Rethrow::Asked } else { Rethrow::Automatic },
            y_vowel: luck.chance(1, 4),
            seconds: if luck.chance(1, 2) { 60 } else { 90 },
            rounds: 1 + luck.below(3) as u32,
            long_word: luck.chance(1, 2),
            two_sets: luck.chance(1, 4),
            bidding: luck.chance(1, 2),
            judge: luck.chance(1, 2),
            words,
            offensive: luck.chance(1, 4),
        };
        (options, 1 + luck.below(5) as u32)
    }

    fn any_act(game: &IQubes, _: Seat, luck: &mut Luck) -> Option<Act> {
        let dice = game.options().dice() as u64;
        let die = luck.below(dice + 1) as u8;
        let spot = |luck: &mut Luck| luck.below(4) as i8 - 1;
        let letter = Letter::from_index(luck.below(26) as usize)?;
        let count = game.public().turn.count;
        Some(match luck.below(25) {
            0..=2 => Act::Throw,
            24 => Act::Keep,
            3..=7 => Act::Place { die, x: spot(luck), y: spot(luck) },
            8 => Act::Lift { die },
            9 => Act::Call { die, letter },
            10 => Act::Arrange {
                dice: (0..dice as u8)
                    .map(|die| Placed { die, x: die as i8, y: spot(luck) / 2, called: None })
                    .collect(),
            },
            11..=13 => Act::Done,
            14 | 15 => Act::Pass,
            16 | 17 => Act::Bid { count: luck.below(30) as u32 },
            18 | 19 => Act::Challenge { word: luck.pick(&count?.words)?.word },
            20 | 21 => Act::Vote { good: luck.chance(1, 2) },
            // A table may go on as long as it likes (IQ-S7); this one likes it no longer after five rounds.
            22 if game.public().round <= 5 => Act::Propose { rounds: luck.below(5) as u32 },
            _ => Act::Agree { yes: luck.chance(1, 2) },
        })
    }

    /// The secret of a seat is the vote it has cast while the vote is open.
    fn disguise(game: &IQubes, seat: Seat, _: &mut Luck) -> Option<IQubes> {
        let private = game.private(seat);
        let path = match (private.vote, private.agreed) {
            (Some(_), _) => "/turn/stage/vote/ballot",
            (None, Some(_)) => "/proposal/ballot",
            (None, None) => return None,
        };
        let mut state = serde_json::to_value(game).expect("a state is JSON");
        let vote = state.pointer_mut(path)?.get_mut(seat.index())?;
        *vote = (!vote.as_bool()?).into();
        serde_json::from_value(state).ok()
    }
}

table::conformance_suite!(AtRandom);
