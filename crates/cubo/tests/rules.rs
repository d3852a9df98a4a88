//! Every rule of docs/rules/cubo.md, by its id.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use cubo::{
    Act, Advice, Cell, Clocks, Colour, Cubo, Die, Figure, Hand, Misread, Options, Phase, Public, Refusal,
    Row, Set, SetFault, Square, Stage, Start, Straights, arrangement,
};
use serde_json::{Value, json};
use table::{Dice, Game, Moment, Outcome, Seat, Seats, Seed, Time};

const ANN: Seat = Seat(0);
const BEN: Seat = Seat(1);
const CAT: Seat = Seat(2);
const DAN: Seat = Seat(3);

/// A game in play, its dice and its clock.
struct Play {
    game: Cubo,
    dice: Dice,
    now: Time,
}

impl Play {
    fn with(options: &Options, count: usize) -> Play {
        let seats = Seats::named(["Ann", "Ben", "Cat", "Dan"].into_iter().take(count)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(2014), "cubo", &seats);
        let mut at = Moment { now: Time::START, dice: &mut dice };
        let game = Cubo::open(options, &seats, &mut at).unwrap();
        Play { game, dice, now: Time::START }
    }

    /// A table where Ann starts, in its first race.
    fn race(count: usize) -> Play {
        let mut play = Play::with(&ann_starts(), count);
        play.signal();
        play
    }

    /// Everybody is ready.
    fn signal(&mut self) {
        for seat in self.seats() {
            self.act(seat, Act::Ready).unwrap();
        }
    }

    fn seats(&self) -> Vec<Seat> {
        (0..self.public().seats.len() as u32).map(Seat).collect()
    }

    fn act(&mut self, seat: Seat, act: Act) -> Result<(), Refusal> {
        assert!(self.game.deadline().is_none_or(|deadline| deadline > self.now), "let time act first");
        self.game.act(seat, &act, &mut Moment { now: self.now, dice: &mut self.dice })
    }

    /// Lets so many milliseconds go by, and time do what is due.
    fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        while let Some(due) = self.game.deadline().filter(|&due| due <= until) {
            assert!(due >= self.now);
            self.now = due;
            self.game.expire(&mut Moment { now: due, dice: &mut self.dice });
        }
        self.now = until;
    }

    /// Lays the best cubo and calls.
    fn call(&mut self, seat: Seat) {
        let dice = self.public().seats[seat.index()].dice.unwrap();
        let best = Hand::new(&dice).unwrap().best(Straights::InOrder);
        self.act(seat, Act::Arrange { grid: arrangement(&dice, &best).unwrap() }).unwrap();
        self.act(seat, Act::Call).unwrap();
    }

    fn call_and_take(&mut self, seat: Seat, die: u8) {
        self.call(seat);
        self.act(seat, Act::Take { die }).unwrap();
    }

    /// Plays a round in which everybody covers and keeps.
    fn quiet_round(&mut self) {
        self.signal();
        for (seat, die) in self.seats().into_iter().zip(0..) {
            self.call_and_take(seat, die);
        }
        while let Phase::Scoring { turn, .. } = self.public().phase {
            self.act(turn, Act::Keep).unwrap();
        }
    }

    fn public(&self) -> Public {
        self.game.public()
    }

    fn stage(&self, seat: Seat) -> Stage {
        self.public().seats[seat.index()].stage
    }

    fn centre(&self) -> Vec<Option<Die>> {
        self.public().centre
    }

    /// Writes something into the state that the dice would seldom give.
    fn write(&mut self, pointer: &str, value: Value) {
        let mut state = serde_json::to_value(&self.game).unwrap();
        *state.pointer_mut(pointer).unwrap() = value;
        self.game = serde_json::from_value(state).unwrap();
    }
}

fn ann_starts() -> Options {
    Options { start: Start::Seat(ANN), ..Options::default() }
}

fn cell(row: u8, column: u8) -> Cell {
    Cell::new(row, column).unwrap()
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn die(text: &str) -> Die {
    text.parse().unwrap()
}

/// The points of a row of three dice.
fn row(text: &str, straights: Straights) -> u8 {
    let dice: Vec<Die> = text.split(' ').map(die).collect();
    straights.count_row(Row::Top, dice.try_into().unwrap()).points
}

fn in_order(text: &str) -> u8 {
    row(text, Straights::InOrder)
}

// ---- The set ----

#[test]
fn cu_s1_the_box_holds_eighteen_blue_eighteen_red_and_four_white_dice_of_six_faces() {
    let dice = Set::default().dice();
    assert_eq!((dice.blue, dice.red, dice.white), (18, 18, 4));
    for colour in [Colour::Red, Colour::Blue, Colour::White] {
        let faces: Vec<u8> = (0..=9).filter_map(|face| Die::new(colour, face)).map(Die::face).collect();
        assert_eq!(faces, [1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn cu_f1_the_white_die_is_wild_in_colour_only() {
    assert_eq!(in_order("R3 W4 R5"), 10, "it goes with red");
    assert_eq!(in_order("B3 W4 B5"), 10, "and with blue");
    assert_eq!(in_order("R3 W3 R5"), 0, "but its pips are its own");
}

#[test]
fn cu_s2_two_to_four_play_with_four_red_four_blue_one_white_and_four_dice_in_the_centre() {
    assert_eq!(Cubo::seating(&Options::default()), 1..=4);
    for count in 2..=4 {
        let play = Play::race(count);
        let colours = |dice: &[Die], colour| dice.iter().filter(|die| die.colour() == colour).count();
        for seat in play.public().seats {
            let dice = seat.dice.unwrap();
            let [red, blue, white] = [Colour::Red, Colour::Blue, Colour::White].map(|c| colours(&dice, c));
            assert_eq!((red, blue, white), (4, 4, 1));
        }
        let centre: Vec<Die> = play.centre().into_iter().flatten().collect();
        assert_eq!((colours(&centre, Colour::Red), colours(&centre, Colour::Blue)), (2, 2));
    }
}

#[test]
fn cu_s2_a_set_of_ones_own_is_checked_and_played_with() {
    let duel = |white, red| {
        Set::from_toml(&format!(
            "name = 'Duel'\nrounds = 1\ndice = {{ red = {red}, blue = 9, white = {white} }}\n\
             player = {{ red = 6, blue = 2 }}\ncentre = {{ red = 3, blue = 1 }}"
        ))
    };
    let options = Options { set: duel(2, 15).unwrap(), ..ann_starts() };
    assert_eq!(Cubo::seating(&options), 1..=2);
    let mut play = Play::with(&options, 2);
    play.quiet_round();
    assert_eq!(play.public().seats[0].red, 6);
    assert!(play.game.outcome().is_some(), "one round was agreed on");
    let short = SetFault::Short { colour: Colour::Red, needed: 15, found: 14 };
    assert_eq!(duel(2, 14), Err(short));
}

#[test]
fn cu_r1_practice_alone_has_no_countdown_and_a_cap_of_ninety_seconds() {
    let mut play = Play::race(1);
    let Phase::Race { signal, cap, countdown, .. } = play.public().phase else { panic!() };
    assert_eq!((cap - signal, countdown), (90_000, None));
    play.wait(89_999);
    assert_eq!(play.stage(ANN), Stage::Thrown);
    play.wait(1);
    assert_eq!(play.stage(ANN), Stage::Late, "at the cap the round is over, without a countdown");
    assert_eq!(play.public().seats[0].points, [0]);

    play.signal();
    play.call_and_take(ANN, 0);
    assert!(matches!(play.public().phase, Phase::Scoring { turn: ANN, .. }));
    play.act(ANN, Act::Keep).unwrap();
    let counted = play.public().seats[0].uncovered.unwrap().count.total;
    assert_eq!(play.public().seats[0].points, [0, counted], "a round that nobody covered in is a round");
    for _ in 2..6 {
        assert_eq!(play.game.outcome(), None);
        play.quiet_round();
    }
    // The score to beat next time is the sum of the rounds, the lost one among them.
    for (points, score) in [([0, 7, 0, 18, 0, 32], 57), ([0; 6], 0)] {
        play.write("/players/0/points", json!(points));
        assert_eq!(play.game.outcome(), Some(Outcome { ranks: vec![1], scores: vec![score] }));
    }
}

#[test]
fn cu_r1_alone_a_late_call_is_too_late_and_nobody_counts_down() {
    let mut play = Play::race(1);
    play.wait(89_000);
    play.call(ANN);
    // He takes a die and uncovers; no other player is there to be counted down.
    play.act(ANN, Act::Take { die: 0 }).unwrap();
    assert!(matches!(play.public().phase, Phase::Scoring { turn: ANN, .. }));
    let mut play = Play::race(1);
    play.wait(90_000);
    assert!(play.act(ANN, Act::Call).is_err());
    let cap = |seats| match Play::race(seats).public().phase {
        Phase::Race { signal, cap, .. } => cap - signal,
        phase => panic!("{phase:?}"),
    };
    assert_eq!((cap(1), cap(2)), (90_000, 120_000), "together a round lasts longer");
}

#[test]
fn cu_r2_the_table_chooses_who_starts_or_the_dice_do() {
    let options = |start| Options { start, ..Options::default() };
    for seat in [ANN, BEN, CAT] {
        assert_eq!(Play::with(&options(Start::Seat(seat)), 3).public().start, seat);
    }
    let drawn = |number| {
        let seats = Seats::named(["Ann", "Ben", "Cat"]).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "cubo", &seats);
        let mut at = Moment { now: Time::START, dice: &mut dice };
        Cubo::open(&Options::default(), &seats, &mut at).unwrap().public().start
    };
    let starts: Vec<Seat> = (0..40).map(drawn).collect();
    assert!([ANN, BEN, CAT].iter().all(|seat| starts.contains(seat)), "by default anybody may");

    let seats = Seats::named(["Ann", "Ben"]).unwrap();
    let mut dice = Dice::new(&Seed::from_number(1), "cubo", &seats);
    let mut at = Moment { now: Time::START, dice: &mut dice };
    let refused = Cubo::open(&options(Start::Seat(CAT)), &seats, &mut at);
    assert_eq!(refused, Err(Refusal::NoSuchStart { seat: CAT, seats: 2 }));
}

#[test]
fn cu_s3_the_start_passes_clockwise_each_round() {
    let mut play = Play::with(&Options { start: Start::Seat(BEN), ..Options::default() }, 3);
    let mut starts = Vec::new();
    for _ in 0..6 {
        play.quiet_round();
        starts.push(play.public().start);
    }
    assert_eq!(starts, [BEN, CAT, ANN, BEN, CAT, ANN]);
}

// ---- A round ----

#[test]
fn cu_f2_at_the_signal_everything_is_rolled_at_once() {
    let mut play = Play::with(&ann_starts(), 3);
    assert!(play.centre().is_empty() && play.public().seats.iter().all(|seat| seat.dice.is_none()));
    assert_eq!(play.act(ANN, Act::Roll), Err(Refusal::NoRace));
    play.act(ANN, Act::Ready).unwrap();
    assert_eq!(play.act(ANN, Act::Ready), Err(Refusal::AlreadyReady));
    play.act(BEN, Act::Ready).unwrap();
    assert!(matches!(play.public().phase, Phase::Pause { .. }));
    play.act(CAT, Act::Ready).unwrap();
    assert!(matches!(play.public().phase, Phase::Race { .. }));
    assert_eq!(play.centre().iter().flatten().count(), 4);
    assert!(play.public().seats.iter().all(|seat| seat.stage == Stage::Thrown && seat.throws == 1));
    assert_eq!(play.act(ANN, Act::Ready), Err(Refusal::RoundIsOn));
}

#[test]
fn cu_f2_the_signal_comes_by_itself_after_the_pause() {
    let mut play = Play::with(&ann_starts(), 2);
    play.act(ANN, Act::Ready).unwrap();
    play.wait(7_999);
    assert_eq!(play.public().round, 0);
    play.wait(1);
    assert_eq!(play.public().round, 1);
}

#[test]
fn cu_s4_a_cubo_is_eight_coloured_dice_round_the_white_one() {
    assert_eq!(
        "R1 R2 R3 / B1 R4 B2 / R4 B3 W4".parse::<Square>(),
        Err(Misread::MiddleNotWhite { token: "R4".into() })
    );
    let mut play = Play::race(2);
    let middle = Cell::MIDDLE;
    assert_eq!(play.act(ANN, Act::Place { die: 0, at: middle }), Err(Refusal::MiddleIsWhite));
    assert_eq!(play.act(ANN, Act::Place { die: 8, at: cell(0, 0) }), Err(Refusal::WhiteStays));
    assert_eq!(play.act(ANN, Act::Lift { die: 8 }), Err(Refusal::WhiteStays));
    assert_eq!(play.act(ANN, Act::Place { die: 9, at: cell(0, 0) }), Err(Refusal::NoSuchDie { die: 9 }));
    for grid in [
        [[8, 1, 2], [3, 0, 4], [5, 6, 7]],
        [[0, 0, 2], [3, 8, 4], [5, 6, 7]],
        [[0, 1, 2], [3, 8, 4], [5, 6, 9]],
    ] {
        assert_eq!(play.act(ANN, Act::Arrange { grid }), Err(Refusal::BadArrangement));
    }
}

#[test]
fn cu_s4_six_rows_count_and_no_diagonals() {
    let cells: Vec<[usize; 3]> = Row::ALL.iter().map(|row| row.cells().map(Cell::index)).collect();
    assert_eq!(cells, [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]]);
    let diagonals = square("R4 B1 B4 / B6 W4 R1 / R4 R6 B4");
    assert_eq!(diagonals.points(Straights::InOrder), 0);
}

#[test]
fn cu_s4_dice_are_laid_swapped_and_lifted_one_by_one() {
    let mut play = Play::race(2);
    let lies = |play: &Play, at| play.game.private(ANN).layout.at(at);
    let (here, there) = (cell(0, 0), cell(2, 1));
    play.act(ANN, Act::Place { die: 3, at: here }).unwrap();
    play.act(ANN, Act::Place { die: 5, at: there }).unwrap();
    play.act(ANN, Act::Place { die: 3, at: there }).unwrap();
    assert_eq!(
        (lies(&play, here), lies(&play, there)),
        (Some(5), Some(3)),
        "two in the square change places"
    );
    play.act(ANN, Act::Place { die: 6, at: there }).unwrap();
    assert_eq!(play.game.private(ANN).layout.find(3), None, "one from outside sends the other out");
    assert_eq!(play.public().seats[0].placed, 3, "with the white one");
    play.act(ANN, Act::Lift { die: 6 }).unwrap();
    assert_eq!(lies(&play, there), None);
    assert_eq!(play.act(ANN, Act::Lift { die: 6 }), Err(Refusal::NotPlaced));
}

#[test]
fn cu_s5_a_reroll_is_two_acts_and_may_be_done_as_often_as_one_likes() {
    let mut play = Play::race(2);
    assert_eq!(play.act(ANN, Act::Roll), Err(Refusal::DiceOnTable));
    for throws in 2..30 {
        let before = play.public().seats[0].dice;
        play.act(ANN, Act::Place { die: 0, at: cell(0, 0) }).unwrap();
        play.act(ANN, Act::PickUp).unwrap();
        assert_eq!((play.stage(ANN), play.public().seats[0].dice), (Stage::Held, None));
        assert_eq!(play.act(ANN, Act::PickUp), Err(Refusal::DiceInHand));
        assert_eq!(play.act(ANN, Act::Place { die: 0, at: cell(0, 0) }), Err(Refusal::DiceInHand));
        assert_eq!(play.act(ANN, Act::Call), Err(Refusal::DiceInHand));
        play.act(ANN, Act::Roll).unwrap();
        let seat = &play.public().seats[0];
        assert_eq!(
            (seat.throws, seat.placed),
            (throws, 1),
            "all nine are thrown, none but the white is placed"
        );
        assert_ne!(seat.dice, before);
    }
}

#[test]
fn cu_s5_after_the_first_call_nobody_rerolls_but_who_holds_his_dice_rolls_once() {
    let mut play = Play::race(3);
    play.act(BEN, Act::PickUp).unwrap();
    play.call(ANN);
    assert_eq!(play.act(CAT, Act::PickUp), Err(Refusal::NoMoreRolls { by: ANN }));
    assert!(play.public().seats[1].last_roll);
    play.act(BEN, Act::Roll).unwrap();
    assert!(!play.public().seats[1].last_roll);
    assert_eq!(play.act(BEN, Act::PickUp), Err(Refusal::NoMoreRolls { by: ANN }));
}

#[test]
fn cu_s5_the_last_roll_does_not_stop_the_countdown() {
    let mut play = Play::race(2);
    play.act(BEN, Act::PickUp).unwrap();
    play.call_and_take(ANN, 0);
    play.wait(5_000);
    play.act(BEN, Act::Roll).unwrap();
    play.wait(1_000);
    assert_eq!(play.stage(BEN), Stage::Late);
}

#[test]
fn cu_s6_a_call_needs_all_nine_dice_and_fixes_them() {
    let mut play = Play::race(2);
    for (die, at) in (0..7).zip(Cell::coloured()) {
        play.act(ANN, Act::Place { die, at }).unwrap();
    }
    assert_eq!(play.act(ANN, Act::Call), Err(Refusal::NotAllPlaced { placed: 8 }));
    play.act(ANN, Act::Place { die: 7, at: cell(2, 2) }).unwrap();
    assert_eq!(play.act(ANN, Act::Take { die: 0 }), Err(Refusal::CallFirst));
    play.act(ANN, Act::Call).unwrap();
    let fixed = [
        Act::Place { die: 0, at: cell(2, 2) },
        Act::Lift { die: 0 },
        Act::Arrange { grid: [[0, 1, 2], [3, 8, 4], [5, 6, 7]] },
        Act::PickUp,
        Act::Roll,
        Act::Call,
    ];
    for act in fixed {
        assert_eq!(play.act(ANN, act), Err(Refusal::Covered), "{act:?}");
    }
}

#[test]
fn cu_s6_the_caller_takes_a_die_from_the_centre_and_lays_it_on_the_cover() {
    let mut play = Play::race(3);
    let wanted = play.centre()[2];
    play.call_and_take(ANN, 2);
    assert_eq!(play.public().seats[0].taken, wanted);
    assert_eq!(play.centre()[2], None, "the others keep their places");
    assert_eq!(play.act(ANN, Act::Take { die: 1 }), Err(Refusal::AlreadyTaken));
    play.call(BEN);
    assert_eq!(play.act(BEN, Act::Take { die: 2 }), Err(Refusal::Snatched { die: 2 }));
    assert_eq!(play.act(BEN, Act::Take { die: 4 }), Err(Refusal::NotInCentre { die: 4, last: 3 }));
    play.act(BEN, Act::Take { die: 3 }).unwrap();
}

#[test]
fn cu_s6_four_players_take_all_four_dice() {
    let mut play = Play::race(4);
    for (seat, die) in [(DAN, 1), (ANN, 3), (CAT, 0), (BEN, 2)] {
        play.call_and_take(seat, die);
    }
    assert!(play.centre().iter().all(Option::is_none));
    assert!(matches!(play.public().phase, Phase::Scoring { turn: ANN, .. }));
}

#[test]
fn cu_s6_what_lies_under_a_cover_is_nobody_elses_to_see() {
    let mut play = Play::race(2);
    let grids = [[[0, 1, 2], [3, 8, 4], [5, 6, 7]], [[7, 6, 5], [4, 8, 3], [2, 1, 0]]];
    let seen = grids.map(|grid| {
        let mut other = Play { game: play.game.clone(), dice: play.dice.clone(), now: play.now };
        other.act(ANN, Act::Arrange { grid }).unwrap();
        other.act(ANN, Act::Call).unwrap();
        assert_ne!(other.game.private(ANN), play.game.private(ANN));
        (other.public(), other.game.private(BEN))
    });
    assert_eq!(seen[0], seen[1]);
    play.call_and_take(ANN, 0);
    play.call_and_take(BEN, 1);
    let uncovered: Vec<bool> = play.public().seats.iter().map(|seat| seat.uncovered.is_some()).collect();
    assert_eq!(uncovered, [true, false], "one cubo is uncovered at a time");
}

#[test]
fn cu_r3_a_caller_who_does_not_take_in_five_seconds_is_given_a_die_at_random() {
    let mut given = Vec::new();
    for dice in 0..40 {
        let mut play = Play::race(3);
        for _ in 0..dice {
            play.dice.below(6);
        }
        play.call_and_take(ANN, 1);
        play.call(BEN);
        play.wait(4_999);
        assert!(matches!(play.stage(BEN), Stage::Called { .. }));
        play.wait(1);
        assert_eq!(play.stage(BEN), Stage::Covered);
        let gone: Vec<usize> = (0..4).filter(|&place| place != 1 && play.centre()[place].is_none()).collect();
        given.extend(gone);
    }
    assert_eq!(given.len(), 40);
    assert!([0, 2, 3].iter().all(|place| given.contains(place)), "any of the three that lay there");
}

#[test]
fn cu_r3_the_first_call_is_the_first_that_came() {
    let mut play = Play::race(3);
    play.call(CAT);
    play.call(ANN);
    let Phase::Race { first_call, .. } = play.public().phase else { panic!() };
    assert_eq!(first_call, Some(CAT));
}

#[test]
fn cu_s7_when_all_but_one_have_taken_six_seconds_run_for_the_last() {
    let mut play = Play::race(3);
    play.call_and_take(ANN, 0);
    let countdown = |play: &Play| match play.public().phase {
        Phase::Race { countdown, .. } => countdown,
        _ => None,
    };
    assert_eq!(countdown(&play), None, "two are left");
    play.call(BEN);
    assert_eq!(countdown(&play), None, "a call is not a take");
    play.wait(1_000);
    play.act(BEN, Act::Take { die: 1 }).unwrap();
    assert_eq!(countdown(&play), Some(play.now.plus(6_000)));
    play.wait(5_999);
    play.call(CAT);
    play.wait(3_000);
    assert!(
        matches!(play.stage(CAT), Stage::Called { .. }),
        "covered in time, he still has his time to take"
    );
    play.act(CAT, Act::Take { die: 2 }).unwrap();
    assert!(matches!(play.public().phase, Phase::Scoring { .. }));
}

#[test]
fn cu_s7_no_countdown_for_a_last_one_who_has_covered() {
    let mut play = Play::race(2);
    play.call(BEN);
    play.call_and_take(ANN, 0);
    assert!(matches!(play.public().phase, Phase::Race { countdown: None, .. }));
    play.wait(5_000);
    assert_eq!(play.public().seats[1].taken.map(|_| ()), Some(()));
}

#[test]
fn cu_s7_too_late_takes_none_scores_nothing_and_keeps_his_dice() {
    let mut play = Play::race(2);
    play.call_and_take(ANN, 0);
    play.wait(6_000);
    let ben = &play.public().seats[1];
    assert_eq!((ben.stage, ben.taken, ben.score), (Stage::Late, None, 0));
    assert!(matches!(play.public().phase, Phase::Scoring { turn: ANN, .. }), "the scoring passes him by");
    play.act(ANN, Act::Keep).unwrap();
    assert_eq!(play.public().seats[1].points, [0]);
    play.signal();
    assert_eq!((play.stage(BEN), play.public().seats[1].red), (Stage::Thrown, 4));
}

#[test]
fn cu_s7_too_late_is_too_late_for_everything() {
    let mut play = Play::race(3);
    play.wait(125_000);
    play.call(ANN);
    play.wait(1_000);
    assert!(matches!(play.stage(ANN), Stage::Called { .. }), "the race goes on until Ann has taken");
    assert_eq!(play.act(BEN, Act::Call), Err(Refusal::TooLate));
    assert_eq!(play.act(BEN, Act::PickUp), Err(Refusal::TooLate));
    assert_eq!(play.act(BEN, Act::Take { die: 0 }), Err(Refusal::TooLate));
}

#[test]
fn cu_r4_the_cap_of_a_round_starts_the_countdown_for_all_who_have_not_called() {
    let mut play = Play::race(4);
    play.call_and_take(DAN, 3);
    play.wait(119_999);
    assert!(matches!(play.public().phase, Phase::Race { countdown: None, .. }));
    play.wait(1);
    let end = play.now.plus(6_000);
    assert!(matches!(play.public().phase, Phase::Race { countdown: Some(at), .. } if at == end));
    play.wait(3_000);
    play.call_and_take(ANN, 0);
    play.call_and_take(BEN, 1);
    let same = matches!(play.public().phase, Phase::Race { countdown: Some(at), .. } if at == end);
    assert!(same, "the last one gets no second countdown");
    play.wait(3_000);
    assert_eq!(play.stage(CAT), Stage::Late);
}

#[test]
fn cu_r4_the_cap_is_an_option_and_every_clock_is_within_reason() {
    let clocks = |change: fn(&mut Clocks)| {
        let mut options = ann_starts();
        change(&mut options.clocks);
        options
    };
    let mut play = Play::with(&clocks(|clocks| clocks.round = 10), 2);
    play.signal();
    play.wait(16_000);
    assert_eq!(play.public().seats.iter().filter(|seat| seat.stage == Stage::Late).count(), 2);
    assert!(matches!(play.public().phase, Phase::Pause { .. }), "nothing to count");

    let seats = Seats::named(["Ann", "Ben"]).unwrap();
    let mut dice = Dice::new(&Seed::from_number(1), "cubo", &seats);
    let mut open = |options: Options| {
        Cubo::open(&options, &seats, &mut Moment { now: Time::START, dice: &mut dice }).err()
    };
    let bad = |clock: &str, seconds, least| Some(Refusal::BadClock { clock: clock.into(), seconds, least });
    assert_eq!(open(clocks(|clocks| clocks.round = 0)), bad("round", 0, 1));
    assert_eq!(open(clocks(|clocks| clocks.pause = 3601)), bad("pause", 3601, 0));
    assert_eq!(open(clocks(|clocks| clocks.pause = 0)), None);
}

#[test]
fn cu_s8_cubos_are_uncovered_one_by_one_the_start_players_first() {
    let mut play = Play::with(&Options { start: Start::Seat(BEN), ..Options::default() }, 3);
    play.signal();
    for (seat, die) in [(CAT, 0), (ANN, 1), (BEN, 2)] {
        play.call_and_take(seat, die);
    }
    for turn in [BEN, CAT, ANN] {
        let Phase::Scoring { turn: now, .. } = play.public().phase else { panic!() };
        assert_eq!(now, turn);
        let other = if turn == ANN { BEN } else { ANN };
        assert_eq!(play.act(other, Act::Keep), Err(Refusal::NotYourTurn { turn }));
        play.act(turn, Act::Keep).unwrap();
        assert_eq!(play.stage(turn), Stage::Counted);
    }
    assert_eq!(play.act(ANN, Act::Keep), Err(Refusal::NoScoring));
}

/// Ann's cubo uncovered, with a blue 2 in the top row and a red 6 on the cover.
fn the_sheets_exchange() -> Play {
    let mut play = Play::race(2);
    play.write("/centre/0", json!("R6"));
    play.write("/players/0/dice", json!(["R4", "R1", "R1", "R3", "B5", "B2", "B1", "B3", "W6"]));
    play.act(ANN, Act::Arrange { grid: [[0, 4, 5], [1, 8, 2], [3, 6, 7]] }).unwrap();
    play.act(ANN, Act::Call).unwrap();
    play.act(ANN, Act::Take { die: 0 }).unwrap();
    play.call_and_take(BEN, 1);
    play
}

// rules: CU-S8 CU-S9
#[test]
fn cu_s8_the_sheets_exchange_of_a_red_6_for_a_blue_2_makes_a_straight_in_the_top_row() {
    let mut play = the_sheets_exchange();
    let before = play.public().seats[0].uncovered.unwrap();
    assert_eq!(before.square.to_string(), "R4 B5 B2 / R1 W6 R1 / R3 B1 B3");
    assert_eq!(before.count.rows[0].figure, Figure::Nothing);
    play.act(ANN, Act::Exchange { out: cell(0, 2) }).unwrap();
    let after = play.public().seats[0].uncovered.unwrap();
    assert_eq!(after.square.to_string(), "R4 B5 R6 / R1 W6 R1 / R3 B1 B3", "in its place");
    assert_eq!((after.count.rows[0].figure, after.count.rows[0].points), (Figure::Straight, 6));
    let made = after.exchange.unwrap();
    assert_eq!((made.at, made.out, made.taken), (cell(0, 2), die("B2"), die("R6")));
    assert_eq!(play.public().seats[0].points, [after.count.total]);
    assert_eq!(play.centre()[0], Some(die("B2")), "the die not used goes back to the centre");
}

#[test]
fn cu_s8_the_white_die_is_never_exchanged() {
    let mut play = the_sheets_exchange();
    assert_eq!(play.act(ANN, Act::Exchange { out: Cell::MIDDLE }), Err(Refusal::WhiteNotExchanged));
    assert_eq!(square("R4 B5 B2 / R1 W6 R1 / R3 B1 B3").exchanged(Cell::MIDDLE, die("R6")), None);
}

#[test]
fn cu_s8_a_die_kept_on_the_cover_goes_back_to_the_centre() {
    let mut play = the_sheets_exchange();
    play.act(ANN, Act::Keep).unwrap();
    assert_eq!(play.centre()[0], Some(die("R6")));
    let ann = &play.public().seats[0];
    assert_eq!((ann.red, ann.uncovered.unwrap().exchange), (4, None));
}

#[test]
fn cu_r5_after_twenty_seconds_the_cubo_stays_as_it_is() {
    let mut play = the_sheets_exchange();
    play.wait(19_999);
    assert_eq!(play.stage(ANN), Stage::Uncovered);
    play.wait(1);
    assert_eq!(play.stage(ANN), Stage::Counted);
    assert_eq!(play.public().seats[0].uncovered.unwrap().exchange, None);
    assert_eq!(play.stage(BEN), Stage::Uncovered, "the next one's time begins");
}

#[test]
fn cu_s9_the_stock_of_colours_changes_with_an_exchange_and_stays_changed() {
    let mut play = the_sheets_exchange();
    play.act(ANN, Act::Exchange { out: cell(0, 2) }).unwrap();
    play.act(BEN, Act::Keep).unwrap();
    assert_eq!(play.public().seats[0].red, 5);
    for _ in 1..6 {
        play.quiet_round();
        let reds = |dice: &[Die]| dice.iter().filter(|die| die.colour() == Colour::Red).count();
        let public = play.public();
        let [ann, ben] = [0, 1].map(|seat| reds(&public.seats[seat].dice.unwrap()));
        let centre: Vec<Die> = play.centre().into_iter().flatten().collect();
        assert_eq!((ann, ben, reds(&centre)), (5, 4, 1), "no die is lost or won");
    }
}

// ---- Count ----

#[test]
fn cu_s10_a_straight_counts_its_highest_number_up_or_down() {
    assert_eq!((in_order("R3 B4 R5"), in_order("R5 B4 R3")), (5, 5));
    assert_eq!((in_order("R1 B2 R3"), in_order("R6 B5 R4")), (3, 6));
    assert_eq!((in_order("R6 B1 R2"), in_order("R5 B6 R1")), (0, 0), "no wrap");
    assert_eq!((in_order("R4 B3 R5"), in_order("R1 B3 R5")), (0, 0));
}

#[test]
fn cu_r6_with_any_order_4_3_5_counts() {
    let any = |text| row(text, Straights::AnyOrder);
    assert_eq!((in_order("R4 B3 R5"), any("R4 B3 R5")), (0, 5));
    assert_eq!((any("R3 B4 R5"), any("R4 R3 R5"), any("R3 B3 R5"), any("R6 B1 R2")), (5, 10, 0, 0));

    // The solver knows both ways to count: the option makes no hand worse.
    let hand: Hand = "R1 R3 R3 R5 B1 B4 B6 B6 W2".parse().unwrap();
    let [strict, loose] = [Straights::InOrder, Straights::AnyOrder].map(|straights| {
        let best = hand.best(straights);
        assert_eq!(best.points(straights), hand.best_points(straights));
        best.points(straights)
    });
    assert!(loose > strict, "{loose} {strict}");
}

#[test]
fn cu_r6_the_option_reaches_the_table() {
    let count = |straights| {
        let mut play = Play::with(&Options { straights, ..ann_starts() }, 1);
        play.signal();
        play.write("/players/0/dice", json!(["R4", "R3", "R1", "R1", "B5", "B1", "B4", "B1", "W6"]));
        play.act(ANN, Act::Arrange { grid: [[0, 1, 4], [2, 8, 5], [3, 6, 7]] }).unwrap();
        play.act(ANN, Act::Call).unwrap();
        play.act(ANN, Act::Take { die: 0 }).unwrap();
        play.public().seats[0].uncovered.unwrap().count.rows[0].points
    };
    assert_eq!((count(Straights::InOrder), count(Straights::AnyOrder)), (0, 5));
}

#[test]
fn cu_s11_a_trip_counts_its_number() {
    assert_eq!(in_order("R3 B3 R3"), 3);
    assert_eq!((in_order("R6 B6 R6"), in_order("R1 B1 B1"), in_order("R3 B3 R2")), (6, 1, 0));
}

#[test]
fn cu_s12_one_colour_doubles() {
    assert_eq!((in_order("R3 R3 R3"), in_order("B3 B4 B5"), in_order("B3 R4 B5")), (6, 10, 5));
    assert_eq!(in_order("R1 R3 R3"), 0, "nothing doubled is nothing");
    let count = square("R1 R4 B6 / B3 W4 B5 / R6 R4 B1").count(Straights::InOrder);
    let doubled: Vec<Row> = count.rows.iter().filter(|row| row.doubled).map(|row| row.row).collect();
    assert_eq!(doubled, [Row::Middle, Row::Centre], "white is blue in one row and red in another at once");
}

// rules: CU-S4 CU-S10 CU-S11 CU-S12
#[test]
fn cu_s12_golden_the_cubo_of_18() {
    let count = cubo::score("R1 R4 B6 / B3 W4 B5 / R6 R4 B1").unwrap();
    assert_eq!(count.rows.map(|row| row.points), [0, 10, 0, 0, 8, 0]);
    assert_eq!(count.total, 18);
}

// An example of ours: the sheet's picture of a cubo of 32 fits no grid (docs/rules/cubo.md, and `brute.rs`).
// rules: CU-S4 CU-S10 CU-S12
#[test]
fn cu_s12_six_rows_with_both_middle_ones_doubled_make_32() {
    let count = cubo::score("R1 B2 B3 / R2 W3 R4 / B3 B4 R5").unwrap();
    assert_eq!(count.rows.map(|row| row.points), [3, 8, 5, 3, 8, 5]);
    assert_eq!(count.total, 32);
}

#[test]
fn cu_s13_six_rounds_and_the_most_points_win() {
    let mut play = Play::with(&ann_starts(), 3);
    for round in 1..=6 {
        assert_eq!(play.game.outcome(), None);
        play.quiet_round();
        assert_eq!(play.public().round, round);
    }
    assert_eq!(play.game.deadline(), None);
    assert!(matches!(play.public().phase, Phase::Over));
    // Ben has the best round, and Cat the most points.
    for (seat, points) in [(0, [8, 3, 0, 9, 5, 6]), (1, [0, 32, 0, 0, 0, 0]), (2, [6, 6, 6, 5, 5, 5])] {
        play.write(&format!("/players/{seat}/points"), json!(points));
    }
    assert_eq!(play.game.outcome(), Some(Outcome { ranks: vec![3, 2, 1], scores: vec![31, 32, 33] }));
    let shown: Vec<u32> = play.public().seats.iter().map(|seat| seat.score).collect();
    assert_eq!(shown, [31, 32, 33]);
}

#[test]
fn cu_s13_a_tie_is_shared() {
    let mut play = Play::with(&ann_starts(), 3);
    for _ in 0..6 {
        play.quiet_round();
    }
    for (seat, points) in [(0, [9]), (1, [2]), (2, [9])] {
        play.write(&format!("/players/{seat}/points"), json!(points));
    }
    assert_eq!(play.game.outcome().unwrap().ranks, [1, 3, 1]);
}

// ---- What the rules lead to: perfect play and the coach ----

// rules: CU-S8
#[test]
fn cu_s8_arrangement_and_exchange_are_solved_together() {
    let plan = cubo::solve("R6 R6 R6 R1 B6 B6 B5 B1 W6", Some("R6")).unwrap();
    let exchange = plan.exchange.unwrap();
    assert_eq!(exchange.taken, die("R6"));
    assert_eq!(plan.cubo.points(Straights::InOrder), plan.score);
    let before = plan.arrangement();
    assert_eq!(Hand::from(&before), "R6 R6 R6 R1 B6 B6 B5 B1 W6".parse().unwrap());
    let swap = before.best_swap(die("R6"), Straights::InOrder);
    assert_eq!(swap.score, plan.score, "the exchange leads there in one step");

    let json = serde_json::to_value(plan).unwrap();
    assert_eq!(json["exchange"], json!({"out": exchange.out.to_string(), "in": "R6"}));
    assert_eq!(json["grid"][1][1], json!("W6"));
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    let alone = cubo::solve("R6 R6 R6 R1 B6 B6 B5 B1 W6", None).unwrap();
    assert!(alone.score < plan.score && alone.exchange.is_none());
    assert_eq!(
        cubo::solve("R6 R6 R6 R1 B6 B6 B5 B1 W6", Some("W6")),
        Err(Misread::WhiteTaken { token: "W6".into() })
    );
}

// rules: CU-S5 CU-S8
#[test]
fn cu_s5_the_coach_weighs_the_throw_the_take_and_the_exchange() {
    let mut play = the_sheets_exchange();
    assert_eq!(cubo::review(&play.public(), ANN), None, "nothing before it is counted");
    play.act(ANN, Act::Exchange { out: cell(2, 2) }).unwrap();
    let review = cubo::review(&play.public(), ANN).unwrap();
    let hand: Hand = "R4 R1 R1 R3 B5 B2 B1 B3 W6".parse().unwrap();
    assert_eq!(review.best, hand.plan(Straights::InOrder));

    let covered = review.covered.clone().unwrap();
    assert_eq!(covered.arranged, square("R4 B5 B2 / R1 W6 R1 / R3 B1 B3").points(Straights::InOrder));
    assert_eq!(covered.exchange.out, Some(cell(0, 2)), "the exchange that was missed");
    assert!(covered.take_exchange.score >= covered.exchange.score && covered.exchange.score > review.scored);
    assert!(review.together.clone().unwrap().plan.score >= covered.take_exchange.score);

    let census = cubo::census(4).unwrap();
    assert_eq!((review.reroll.red, review.reroll.mean), (4, census.mean));
    let stay = f64::from(review.best.score) >= census.mean.to_f64();
    assert_eq!(review.reroll.advice, if stay { Advice::Stay } else { Advice::RollAgain });
    assert!(review.to_string().contains("fresh throw"), "{review}");
}
