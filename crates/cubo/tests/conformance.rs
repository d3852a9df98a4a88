//! The suite that every game must pass, with Cubo played at random.

use cubo::{Act, Cell, Clocks, Cubo, Options, Set, Stage, Start, Straights};
use serde_json::Value;
use table::{Game, Luck, Seat, conformance::Suite};

struct Random;

impl Suite for Random {
    type Game = Cubo;

    fn table(luck: &mut Luck) -> (Options, u32) {
        let seats = luck.below(4) as u32 + 1;
        let mut second = || luck.below(9) as u32 + 1;
        let clocks = Clocks {
            round: 10 * second(),
            practice: 10 * second(),
            countdown: second(),
            take: second(),
            exchange: second(),
            pause: second() - 1,
        };
        let start = if luck.chance(1, 2) {
            Start::Random
        } else {
            Start::Seat(Seat(luck.below(seats.into()) as u32))
        };
        let straights = if luck.chance(1, 2) { Straights::InOrder } else { Straights::AnyOrder };
        let set = if luck.chance(1, 2) { Set::default() } else { lopsided() };
        (Options { set, straights, start, clocks }, seats)
    }

    fn any_act(game: &Cubo, seat: Seat, luck: &mut Luck) -> Option<Act> {
        let public = game.public();
        let stage = public.seats[seat.index()].stage;
        let placed = public.seats[seat.index()].placed;
        let cell = |luck: &mut Luck| Cell::new(luck.below(3) as u8, luck.below(3) as u8);
        let die = luck.below(9) as u8;
        Some(match (stage, luck.below(12)) {
            (_, 0) => Act::Ready,
            (_, 1) => Act::PickUp,
            (Stage::Held, 2..8) => Act::Roll,
            (Stage::Thrown, 2..4) if placed < 9 => Act::Arrange { grid: shuffled(luck) },
            (Stage::Thrown, 2..8) => Act::Place { die, at: cell(luck)? },
            (Stage::Called { .. }, 2..8) => Act::Take { die: luck.below(5) as u8 },
            (Stage::Uncovered, 2..8) => Act::Exchange { out: cell(luck)? },
            (_, 8) => Act::Lift { die },
            (Stage::Uncovered, _) => Act::Keep,
            (_, 9) | (Stage::Thrown, _) => Act::Call,
            _ => Act::Ready,
        })
    }

    /// What lies where under a cover, or in a square not yet covered, is its owner's secret.
    fn disguise(game: &Cubo, seat: Seat, luck: &mut Luck) -> Option<Cubo> {
        let stage = game.public().seats[seat.index()].stage;
        if !matches!(stage, Stage::Thrown | Stage::Called { .. } | Stage::Covered) {
            return None;
        }
        let mut state = serde_json::to_value(game).ok()?;
        let grid = &mut state["players"][seat.index()]["layout"];
        let ring: Vec<Value> =
            Cell::coloured().map(|cell| grid[cell.index() / 3][cell.index() % 3].take()).collect();
        let turn = 1 + luck.below(7) as usize;
        for (i, cell) in Cell::coloured().enumerate() {
            grid[cell.index() / 3][cell.index() % 3] = ring[(i + turn) % 8].clone();
        }
        let other: Cubo = serde_json::from_value(state).ok()?;
        // Fewer than two dice, or a turn onto themselves, hide nothing.
        (other.private(seat) != game.private(seat)).then_some(other)
    }
}

/// A set of somebody's own: nearly all red, and short.
fn lopsided() -> Set {
    let text = r#"
        name = "Red evening"
        rounds = 3
        dice = { red = 40, blue = 10, white = 4 }
        player = { red = 7, blue = 1 }
        centre = { red = 1, blue = 4 }
    "#;
    Set::from_toml(text).expect("a sound set")
}

fn shuffled(luck: &mut Luck) -> [[u8; 3]; 3] {
    let mut dice = [0, 1, 2, 3, 4, 5, 6, 7];
    luck.shuffle(&mut dice);
    let [a, b, c, d, e, f, g, h] = dice;
    [[a, b, c], [d, 8, e], [f, g, h]]
}

table::conformance_suite!(Random);
