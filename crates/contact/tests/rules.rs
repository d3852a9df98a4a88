//! Every rule of Contact by its id (docs/rules/contact.md).

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use contact::set::{self, MAX_TILES};
use contact::{
    Bits, Colour, Contact, Corner, Ending, Move, Options, Pair, Players, Position, R9, Refusal, Set, Side,
    Step, Ties, Tile, check_move,
};
use table::{Dice, Game, Moment, Seat, Seats, Seed, Time};

/// Tiles such as `Sa:c4 nc+:d6`: owner and kind, spin, turned over, corner.
fn tiles(text: &str) -> Vec<Tile> {
    let tile = |(id, word): (usize, &str)| {
        let (code, at) = word.split_once(':').unwrap();
        let letters: Vec<char> = code.chars().collect();
        Tile {
            id: id as u8,
            owner: Side::from_letter(letters[0].to_ascii_lowercase()).unwrap(),
            step: if letters[0].is_uppercase() { Step::TwoStep } else { Step::OneStep },
            turned: letters.len() == 3,
            spin: letters[1] as u8 - b'a',
            at: at.parse().unwrap(),
        }
    };
    text.split_whitespace().enumerate().map(tile).collect()
}

fn position(players: Players, turn: Side, text: &str) -> Position {
    Position::new(&Set::default(), players, &tiles(text), turn, 0, None).unwrap()
}

/// Two players, South to move, with a far tile each so that no last pair is left.
fn two(text: &str) -> Position {
    position(Players::Two, Side::South, &format!("{text} sa:a1 nc:o15"))
}

fn corner(text: &str) -> Corner {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn play(position: &mut Position, text: &str) {
    assert!(position.play(mv(text)).is_some(), "{text} is legal in {position}");
}

fn stands(position: &Position, at: &str) -> bool {
    position.tile_on(corner(at)).is_some()
}

/// Where the tile on a corner may go.
fn goes(position: &mut Position, from: &str) -> Vec<String> {
    let from = corner(from);
    let mut ends: Vec<_> = position.legal().iter().filter_map(|m| m.ends()).filter(|e| e.0 == from).collect();
    ends.sort();
    ends.into_iter().map(|e| e.1.to_string()).collect()
}

fn open(options: &Options, seats: u32, seed: u64) -> Result<Contact, Refusal> {
    let seats = Seats::named((0..seats).map(|i| format!("P{i}"))).unwrap();
    let mut dice = Dice::new(&Seed::from_number(seed), "contact", &seats);
    Contact::open(options, &seats, &mut Moment { now: Time::START, dice: &mut dice })
}

fn start(setup: &str, players: Players) -> Position {
    Position::start(&Set::default(), setup, players).unwrap()
}

// The set.

#[test]
fn ct_s1_the_box_holds_26_tiles_in_four_colours_and_the_board_is_15_corners_wide() {
    let set = Set::default();
    let held: u8 = set.stock.values().map(|s| s.one_step + s.two_step).sum();
    assert_eq!((held, set.stock.len()), (26, 4));
    assert_eq!(Bits::BOARD.len(), 225);
    assert_eq!(MAX_TILES, 24);
    for &side in Players::Four.sides() {
        assert_eq!(start("six", Players::Four).count(side), 6);
    }
}

#[test]
fn ct_s2_two_step_tiles_show_1_to_4_and_one_step_tiles_3_to_6() {
    let set = Set::default();
    assert_eq!((set.tiles.two_step.corners, set.tiles.two_step.back), ([1, 2, 3, 4], 4));
    assert_eq!((set.tiles.one_step.corners, set.tiles.one_step.back), ([3, 4, 5, 6], 5));
    let board = position(Players::Two, Side::South, "Sa:c4 Sa+:e4 sa:c8 sa+:e8 nc:o15");
    let figures = |at: &str| board.figures(board.tile_on(corner(at)).unwrap());
    assert_eq!((figures("c4"), figures("e4")), ([1, 2, 3, 4], [4; 4]));
    assert_eq!((figures("c8"), figures("e8")), ([3, 4, 5, 6], [5; 4]));
}

#[test]
fn ct_s3_red_and_blue_have_one_more_one_step_tile() {
    let stock = Set::default().stock;
    for colour in [Colour::Red, Colour::Blue] {
        assert_eq!((stock[&colour].one_step, stock[&colour].two_step), (4, 3));
    }
    for colour in [Colour::Green, Colour::Yellow] {
        assert_eq!((stock[&colour].one_step, stock[&colour].two_step), (3, 3));
    }
    // With twelve each it takes the place of a TWO STEP tile.
    let placed = Set::default().layout("twelve", Players::Two).unwrap();
    let count = |colour, step| placed.iter().filter(|p| p.colour == colour && p.step == step).count();
    assert_eq!((count(Colour::Red, Step::OneStep), count(Colour::Red, Step::TwoStep)), (4, 2));
    assert_eq!((count(Colour::Blue, Step::OneStep), count(Colour::Blue, Step::TwoStep)), (4, 2));
    assert_eq!((count(Colour::Green, Step::OneStep), count(Colour::Green, Step::TwoStep)), (3, 3));
}

#[test]
fn ct_f1_a_tile_stands_on_corners_1_to_15_and_nowhere_else() {
    assert!(Corner::new(1, 1).is_some() && Corner::new(15, 15).is_some());
    assert!(Corner::new(0, 8).is_none() && Corner::new(16, 8).is_none() && Corner::new(8, 0).is_none());
    assert_eq!(goes(&mut two("sa:o1"), "o1"), ["n1", "o2"]);
}

#[test]
fn ct_f2_figures_run_clockwise_from_the_owners_front_left_corner() {
    let board = start("six", Players::Four);
    let figures = |at: &str| board.figures(board.tile_on(corner(at)).unwrap());
    // North-west, north-east, south-east, south-west.
    assert_eq!(figures("h1"), [1, 2, 3, 4]);
    assert_eq!(figures("a8"), [4, 1, 2, 3]);
    assert_eq!(figures("h15"), [3, 4, 1, 2]);
    assert_eq!(figures("o8"), [2, 3, 4, 1]);
    assert_eq!(figures("h2"), [3, 4, 5, 6]);
}

#[test]
fn ct_f3_sides_follow_each_other_clockwise_and_red_sits_opposite_green() {
    let mut board = start("six", Players::Four);
    let mut order = Vec::new();
    for text in ["h2-h3", "b8-c8", "h14-h13", "n8-m8"] {
        order.push(board.turn());
        play(&mut board, text);
    }
    assert_eq!(order, [Side::South, Side::West, Side::North, Side::East]);
    assert_eq!(Colour::of(Side::South), Colour::Red);
    assert_eq!(Colour::of(Side::South.opposite()), Colour::Green);
    assert_eq!(Colour::of(Side::West), Colour::Blue);
    assert_eq!(Colour::of(Side::East), Colour::Yellow);
}

#[test]
fn ct_f4_six_tiles_stand_on_the_two_home_lines() {
    let text = "6NcNcNc6/6ncncnc6/15/15/15/15/Wbwb11edEd/Wbwb11edEd/Wbwb11edEd/15/15/15/15/6sasasa6/6SaSaSa6 s four 0 -";
    assert_eq!(start("six", Players::Four).to_string(), text);
}

#[test]
fn ct_f5_twelve_tiles_alternate_two_colours() {
    let text = "5NcNcNcNcNc5/4ncncncncncncnc4/15/15/15/15/15/15/15/15/15/15/15/4sasasasasasasa4/5SaSaSaSaSa5 s two 0 -";
    assert_eq!(start("twelve", Players::Two).to_string(), text);
    let placed = Set::default().layout("twelve", Players::Two).unwrap();
    let row = |y: u8| {
        let mut row: Vec<_> = placed.iter().filter(|p| p.at.y() == y).collect();
        row.sort_by_key(|p| p.at.x());
        row.iter().map(|p| p.colour.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row(2), "red green red green red green red");
    assert_eq!(row(1), "green red green red green");
    assert_eq!(row(14), "blue yellow blue yellow blue yellow blue");
    assert_eq!(row(15), "yellow blue yellow blue yellow");
}

#[test]
fn ct_f6_seven_spots_of_each_home_line_are_ringed() {
    let set = Set::default();
    let ring = |side| set.ring(side).into_iter().map(|c| c.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(ring(Side::South), "e1 f1 g1 h1 i1 j1 k1");
    assert_eq!(ring(Side::North), "e15 f15 g15 h15 i15 j15 k15");
    assert_eq!(ring(Side::West), "a5 a6 a7 a8 a9 a10 a11");
    assert_eq!(ring(Side::East), "o5 o6 o7 o8 o9 o10 o11");
}

// Play.

#[test]
fn ct_s4_two_three_and_four_play_and_four_can_be_partners() {
    assert_eq!(Players::Two.sides(), [Side::South, Side::North]);
    assert_eq!(Players::Three.sides(), [Side::South, Side::West, Side::North]);
    assert_eq!(Players::Four.sides().len(), 4);
    assert_eq!(Players::Partners.partner(Side::South), Some(Side::North));
    assert_eq!(Players::Partners.partner(Side::West), Some(Side::East));
    let options = |setup: &str, partners| Options { setup: setup.into(), partners, ..Options::default() };
    assert_eq!(Contact::seating(&options("six", false)), 2..=4);
    assert_eq!(Contact::seating(&options("twelve", false)), 2..=2);
    assert_eq!(Contact::seating(&options("six", true)), 4..=4);
    assert!(matches!(open(&options("six", true), 3, 1), Err(Refusal::Players { players: 3 })));
    assert!(matches!(open(&options("twelve", false), 3, 1), Err(Refusal::NoSetUp { .. })));
    assert!(open(&options("twelve", false), 2, 1).is_ok());
}

#[test]
fn ct_s5_a_corner_that_meets_an_opponents_corner_is_a_contact() {
    // South's NE will show 4 after the spin, North's SW shows 3.
    let mut board = two("Sb:h6 Nb:i9");
    play(&mut board, "h6-h8");
    assert!(stands(&board, "h8") && !stands(&board, "i9"));
}

#[test]
fn ct_s6_the_first_is_drawn_unless_agreed_and_turns_go_to_the_left() {
    let drawn: Vec<Side> =
        (0..64).map(|s| open(&Options::default(), 4, s).unwrap().position().turn()).collect();
    assert!(Side::ALL.iter().all(|side| drawn.contains(side)));
    let agreed = Options { first: contact::First::North, ..Options::default() };
    assert!((0..8).all(|s| open(&agreed, 3, s).unwrap().position().turn() == Side::North));
    let absent = Options { first: contact::First::East, ..Options::default() };
    assert_eq!(open(&absent, 3, 0), Err(Refusal::FirstNotSeated { side: Side::East }));
    let mut board = open(&agreed, 3, 0).unwrap().position().clone();
    play(&mut board, "h14-h13");
    assert_eq!(board.turn(), Side::South);
    play(&mut board, "h2-h3");
    assert_eq!(board.turn(), Side::West);
}

#[test]
fn ct_s7_one_step_tiles_move_one_corner_and_two_step_tiles_two() {
    assert_eq!(goes(&mut two("sa:h8"), "h8"), ["h7", "g8", "i8", "h9"]);
    let nine = ["h6", "g7", "i7", "f8", "h8", "j8", "g9", "i9", "h10"];
    assert_eq!(goes(&mut two("Sa:h8"), "h8"), nine);
    // Hemmed in by its own on three sides: straight on, round the corner, or out and back.
    assert_eq!(goes(&mut two("Sa:h8 sa:g8 sa:i8 sa:h7"), "h8"), ["h8", "g9", "i9", "h10"]);
    // With no first step there is no way back either.
    assert!(goes(&mut two("Sa:h8 sa:g8 sa:i8 sa:h7 sa:h9"), "h8").is_empty());
}

#[test]
fn ct_r1_no_tile_is_passed_over_and_no_opponent_lies_alongside_even_in_passing() {
    // j9 is diagonal to an opponent on k10; k9 and j10 would lie beside it.
    assert_eq!(goes(&mut two("sa:j9 Nc:k10"), "j9"), ["j8", "i9"]);
    // h9 and g8 are closed in passing by the opponents on h10 and f8, so only by i8 and h7 does it get on.
    let ends = goes(&mut two("Sa:h8 Nc:h10 Nc:f8"), "h8");
    assert_eq!(ends, ["h6", "g7", "i7", "h8", "j8", "i9"]);
    let mut board = two("Sa:h8 Nc:h10 Nc:f8");
    assert!(matches!(check_move(&mut board, mv("h8-h10")), Err(Refusal::Taken { .. })));
    assert!(matches!(check_move(&mut board, mv("h8-f8")), Err(Refusal::Taken { .. })));
    let mut board = two("Sa:h8 Nc:h11");
    assert!(matches!(check_move(&mut board, mv("h8-h10")), Err(Refusal::SideBySide { .. })));
    let mut board = two("Sa:h8 sa:h9 Nc:f15");
    assert!(matches!(check_move(&mut board, mv("h8-h10")), Err(Refusal::WayClosed { .. })));
}

#[test]
fn ct_s8_a_moved_tile_spins_a_quarter_to_the_right_and_others_do_not() {
    let mut board = two("Sa:h8");
    play(&mut board, "h8-h8");
    assert_eq!(board.figures(board.tile_on(corner("h8")).unwrap()), [4, 1, 2, 3]);
    assert_eq!(board.tile_on(corner("a1")).unwrap().spin, 0);
    assert_eq!(board.tile_on(corner("o15")).unwrap().spin, 2);
}

#[test]
fn ct_s9_higher_stays_lower_goes_and_equal_both_go() {
    // After the spin South's NE shows 4; North's SW shows 3, 4 or, ONE STEP, 5.
    for (north, south_stays, north_stays) in [("Nb", true, false), ("Na", false, false), ("nb", false, true)]
    {
        let mut board = two(&format!("Sb:h6 {north}:i9"));
        play(&mut board, "h6-h8");
        assert_eq!((stands(&board, "h8"), stands(&board, "i9")), (south_stays, north_stays), "{north}");
    }
}

#[test]
fn ct_s9_only_the_moved_tile_makes_contacts_and_only_where_it_ends() {
    // g9 and h10 already touch; another tile's move leaves them.
    let mut board = two("Sb:g9 Nd:h10");
    play(&mut board, "a1-a2");
    assert!(stands(&board, "g9") && stands(&board, "h10"));
    // With g6 shut, the only way from g7 to h6 is by h7, where i8's corner is met in passing.
    let mut board = two("Sa:g7 sa:g6 Nd:i8");
    play(&mut board, "g7-h6");
    assert!(stands(&board, "h6") && stands(&board, "i8"));
    // Ended there, the same two corners meet.
    let mut board = two("sa:g7 Nd:i8");
    play(&mut board, "g7-h7");
    assert!(stands(&board, "h7") && !stands(&board, "i8"));
}

#[test]
fn ct_s10_two_tiles_of_an_opponent_are_judged_by_the_sum() {
    // South's ONE STEP tile comes to h8 with 3 in its NW and 4 in its NE, 7 together, against g9's SE and i9's SW.
    for (left, right, south_stays, north_stays) in [
        ("Na", "Na", false, false), // 3 + 4 = 7: all go
        ("Nb", "Nb", true, false),  // 2 + 3 = 5
        ("na", "Nd", true, false),  // 5 + 1 = 6: the sum decides, not the 5 that beats the 3
        ("nd", "na", false, true),  // 6 + 6 = 12
    ] {
        let mut board = two(&format!("sd:h7 {left}:g9 {right}:i9"));
        play(&mut board, "h7-h8");
        let stand = ["h8", "g9", "i9"].map(|at| stands(&board, at));
        assert_eq!(stand, [south_stays, north_stays, north_stays], "{left} {right}");
    }
}

#[test]
fn ct_r2_three_and_four_contacts_are_summed_likewise() {
    // Three opponents around a corner close every way to it (CT-R1), so only the arithmetic can be tried: a tile that
    // ends on h8 with 3 4 5 6 in its corners.
    let verdict = |around: &str| two(&format!("sd:d4 {around}")).verdict(mv("d4-h8"));
    let three = verdict("nc+:g9 nc+:i9 nc+:i7"); // 3 + 4 + 5 against 15
    assert_eq!((three.mover, three.foes), (true, 0));
    let three = verdict("Nc+:g9 Nc+:i9 Nc+:i7"); // 12 against 12
    assert_eq!((three.mover, three.foes), (true, 0b1110));
    let four = verdict("Nc+:g9 Nc+:i9 Nc+:i7 Nc+:g7"); // 18 against 16
    assert_eq!((four.mover, four.foes), (false, 0b11110));
    assert!(goes(&mut two("Sd:h6 Nc:g9 Nc:i9 Nc:k7"), "h6").contains(&"h8".to_owned()));
    assert!(!goes(&mut two("Sd:h5 Nc:g9 Nc:i9 Nc:i7"), "h5").contains(&"h8".to_owned()));
}

#[test]
fn ct_r3_different_opponents_are_decided_apart_and_at_once() {
    // South comes to h8 with NW 3 and NE 4; North on g9 shows SE, East on i9 shows SW.
    let after = |north: &str, east: &str, players| {
        let text = format!("sd:h7 {north}:g9 {east}:i9 sa:a1 nc:o15 ed:o2 wb:a13");
        let mut board = position(players, Side::South, &text);
        play(&mut board, "h7-h8");
        ["h8", "g9", "i9"].map(|at| stands(&board, at))
    };
    assert_eq!(after("Nb", "Eb", Players::Four), [true, false, false]); // 3 > 2, 4 > 3
    assert_eq!(after("Nb", "ea", Players::Four), [false, false, true]); // 3 > 2, 4 < 6: it takes one and goes
    assert_eq!(after("Na", "Eb", Players::Four), [false, false, false]); // 3 = 3, 4 > 3
    assert_eq!(after("na", "ea", Players::Four), [false, true, true]);
    // Partners count as one: West and East against South.
    let text = "sd:h7 wb:g9 Ed:i9 sa:a1 nc:o15 ed:o2 wb:a13"; // 4 + 1 against 3 + 4
    let mut board = position(Players::Partners, Side::South, text);
    play(&mut board, "h7-h8");
    assert_eq!(["h8", "g9", "i9"].map(|at| stands(&board, at)), [true, false, false]);
    let mut board = position(Players::Four, Side::South, text); // apart: 3 < 4 and 4 > 1
    play(&mut board, "h7-h8");
    assert_eq!(["h8", "g9", "i9"].map(|at| stands(&board, at)), [false, true, false]);
}

#[test]
fn ct_s11_opponents_never_lie_side_by_side_but_partners_may() {
    let set = Set::default();
    let side_by_side = tiles("Sa:h8 Nc:h9");
    assert!(Position::new(&set, Players::Two, &side_by_side, Side::South, 0, None).is_err());
    assert!(
        Position::new(&set, Players::Partners, &tiles("Sa:h8 Nc:h9 wa:a1"), Side::South, 0, None).is_ok()
    );
    let mut board = position(Players::Partners, Side::South, "sa:h7 nc:h9 wb:a8 ed:o8");
    play(&mut board, "h7-h8");
    assert!(stands(&board, "h8") && stands(&board, "h9"));
    let mut board = two("sa:h7 nc:h9");
    assert!(matches!(check_move(&mut board, mv("h7-h8")), Err(Refusal::SideBySide { .. })));
}

#[test]
fn ct_s12_a_tile_is_turned_over_on_the_far_ringed_spots_and_nowhere_else() {
    let turned = |from: &str, to: &str, players, owner: &str, turn| {
        let text =
            format!("{owner}:{from} sa:a1 nc:o13 {}", if players == Players::Two { "" } else { "wb:a13" });
        let mut board = position(players, turn, &text);
        play(&mut board, &format!("{from}-{to}"));
        board.tile_on(corner(to)).unwrap().turned
    };
    assert!(turned("h14", "h15", Players::Two, "sa", Side::South));
    assert!(turned("e13", "e15", Players::Two, "Sa", Side::South));
    assert!(!turned("d14", "d15", Players::Two, "sa", Side::South), "not ringed");
    assert!(!turned("h2", "h1", Players::Two, "sa", Side::South), "its own home");
    assert!(!turned("n8", "o8", Players::Two, "sa", Side::South), "not the side opposite");
    assert!(turned("n8", "o8", Players::Three, "wb", Side::West), "though nobody sits there");
    // Passing over a ringed spot is not ending on it.
    assert!(!turned("k14", "l15", Players::Two, "Sa", Side::South));
}

#[test]
fn ct_s12_it_keeps_its_step_and_its_back_for_good() {
    let mut board = two("Sa:h13");
    play(&mut board, "h13-h15");
    let tile = board.tile_on(corner("h15")).unwrap();
    assert_eq!((board.figures(tile), tile.step), ([4; 4], Step::TwoStep));
    play(&mut board, "o15-o14");
    play(&mut board, "h15-h15");
    assert!(board.tile_on(corner("h15")).unwrap().turned);
    assert_eq!(board.quiet(), 2, "nothing was turned a second time");
}

#[test]
fn ct_s12_contacts_are_decided_before_the_tile_is_turned() {
    // South ends on h15 with 3 in its SW, 4 once turned; North's NE on g14 shows 4 or 2.
    let mut board = two("Sa:i14 Nc:g14");
    play(&mut board, "i14-h15");
    assert!(!stands(&board, "h15") && stands(&board, "g14"));
    let mut board = two("Sa:i14 Na:g14");
    play(&mut board, "i14-h15");
    assert!(board.tile_on(corner("h15")).unwrap().turned && !stands(&board, "g14"));
}

#[test]
fn ct_s12_with_twelve_tiles_both_colours_of_a_player_are_at_home_on_his_side() {
    // Both colours of both players, near enough to be played home: nobody else of them sits where green and blue do
    // when each has a colour.
    let row = |line, step, at, colour| set::Row { line, step, at: vec![at], colour: vec![colour] };
    let mut set = Set::default();
    let near = set::SetUp {
        rows: vec![row(14, Step::OneStep, 7, 1), row(14, Step::OneStep, 9, 2), row(6, Step::OneStep, 2, 2)],
        ..set.setups["twelve"].clone()
    };
    set.setups.insert("near".to_owned(), near);
    let mut game = Contact::new(&set, "near", Players::Two, Side::South, Ties::default()).unwrap();
    for text in ["g14-g15", "g2-g1", "i14-i15", "i2-i1"] {
        assert_eq!(game.play(mv(text)), Ok(()), "{text}");
    }
    let turned = |at: &str| {
        let tile = game.public().tiles.into_iter().find(|tile| tile.at == corner(at)).unwrap();
        (tile.colour, tile.turned)
    };
    assert_eq!((turned("g15"), turned("i15")), ((Colour::Red, true), (Colour::Green, true)));
    assert_eq!((turned("g1"), turned("i1")), ((Colour::Blue, true), (Colour::Yellow, true)));
    // The spots of his own side turn nothing of his, whichever colour it has.
    let placed = Set::default().layout("twelve", Players::Two).unwrap();
    for colour in [Colour::Red, Colour::Green] {
        let owner = placed.iter().find(|p| p.colour == colour).unwrap().owner;
        let tile = Tile { id: 0, owner, step: Step::OneStep, turned: false, spin: 0, at: corner("h2") };
        let others = tiles("sa:a3 nc:o15 nc:m15").into_iter();
        let all: Vec<Tile> = std::iter::once(tile).chain(others).collect();
        let mut board = Position::new(&Set::default(), Players::Two, &all, Side::South, 0, None).unwrap();
        play(&mut board, "h2-h1");
        assert!(!board.tile_on(corner("h1")).unwrap().turned, "{colour}");
    }
}

#[test]
fn ct_s13_a_losing_or_equal_contact_may_be_entered() {
    for north in ["Na", "nb"] {
        let mut board = two(&format!("Sb:h6 {north}:i9"));
        assert!(board.verdict(mv("h6-h8")).mover);
        assert!(goes(&mut board, "h6").contains(&"h8".to_owned()));
    }
}

#[test]
fn ct_s14_a_partners_tile_may_be_moved_to_take() {
    // Nobody threatens North's back of 5; from h8 it takes West's 4 on g7.
    let mut board = position(Players::Partners, Side::South, "sa:n2 nc+:h9 wa:g7 ed:o15");
    assert_eq!(goes(&mut board, "h9"), ["h8"]);
    assert!(matches!(check_move(&mut board, mv("h9-h10")), Err(Refusal::Partner { .. })));
    play(&mut board, "h9-h8");
    assert!(!stands(&board, "g7"));
    // Each for himself it is simply not his tile.
    let mut board = position(Players::Four, Side::South, "sa:n2 nc+:h9 wa:g7 ed:o15");
    assert!(matches!(check_move(&mut board, mv("h9-h8")), Err(Refusal::NotYours { .. })));
}

// rules: CT-S14 CT-R4
#[test]
fn ct_r4_a_partners_tile_may_be_moved_to_save_a_tile_of_his() {
    // West could come to g8 with 3 against the 3 of h9. d12 is in no danger and saves nothing.
    let mut board = position(Players::Partners, Side::South, "sa:n2 nd:h9 nc:d12 wa:g7 ed:o15");
    assert_eq!(goes(&mut board, "h9"), ["h8", "g9", "i9", "h10"]);
    assert!(goes(&mut board, "d12").is_empty());
    // North himself is bound by nothing.
    let mut board = position(Players::Partners, Side::North, "sa:n2 nd:h9 nc:d12 wa:g7 ed:o15");
    assert_eq!(goes(&mut board, "d12").len(), 4);
    // On h10 it would lose its corner to i11, and a tile that is gone is not saved.
    let text = "sa:n2 nd:h9 wa:g7 wa:i11 ed:o15";
    let mut board = position(Players::Partners, Side::South, text);
    assert!(!goes(&mut board, "h9").contains(&"h10".to_owned()));
}

// rules: CT-S14 CT-R5
#[test]
fn ct_s14_a_player_without_tiles_moves_for_his_partner_or_passes() {
    let mut board = position(Players::Partners, Side::South, "nc:d12 wb:a1 ed:o8");
    assert_eq!(board.legal()[..], [Move::PASS]);
    play(&mut board, "pass");
    assert_eq!(board.turn(), Side::West);
    let mut board = position(Players::Partners, Side::South, "nc+:h9 wa:g7 ed:o15");
    assert_eq!(board.legal()[..], [mv("h9-h8")]);
}

#[test]
fn ct_r5_who_has_no_move_passes_and_who_has_one_must_make_it() {
    let mut board = position(Players::Two, Side::South, "sa:a1 nc:a3 nc:c1");
    assert_eq!(board.legal()[..], [Move::PASS]);
    assert_eq!(check_move(&mut board, mv("a1-a2")), Err(Refusal::MustPass));
    play(&mut board, "pass");
    assert_eq!(board.turn(), Side::North);
    assert!(matches!(check_move(&mut board, Move::PASS), Err(Refusal::MustMove { .. })));
}

#[test]
fn ct_r5_who_has_no_tiles_is_out_and_his_turn_is_skipped() {
    let mut board = position(Players::Three, Side::South, "Sb:h6 sa:a1 Wb:i9 nc:o15");
    play(&mut board, "h6-h8");
    assert_eq!(board.count(Side::West), 0);
    assert_eq!(board.turn(), Side::North);
    // Partners are out only when both have none.
    let mut board = position(Players::Partners, Side::South, "Sb:h6 sa:a1 Wb:i9 ed:o8 nc:o15");
    play(&mut board, "h6-h8");
    assert_eq!(board.turn(), Side::West);
}

#[test]
fn ct_s15_the_last_with_a_tile_wins() {
    let mut board = position(Players::Two, Side::South, "Sb:h6 sa:a1 Nb:i9");
    play(&mut board, "h6-h8");
    let over = board.over().unwrap();
    assert_eq!((over.ending, over.sides, over.is_tie()), (Ending::LastTile, 0b0001, false));
    assert!(board.legal().is_empty());
    let mut board = position(Players::Partners, Side::South, "Sb:h6 Wb:i9 nc:o15 nc:o14");
    play(&mut board, "h6-h8");
    assert_eq!(board.over().unwrap().sides, 0b0101, "the side wins, with or without tiles of one's own");
    // Losing one's last tile against the last but one wins for the opponent.
    let mut board = position(Players::Two, Side::South, "Sb:h6 nb:i9");
    play(&mut board, "h6-h8");
    assert_eq!(board.over().unwrap().sides, 0b0100);
}

#[test]
fn ct_r6_both_gone_at_once_is_a_tie() {
    let mut board = position(Players::Two, Side::South, "sd:h7 Na:i9");
    play(&mut board, "h7-h8");
    let over = board.over().unwrap();
    assert_eq!((over.ending, over.sides), (Ending::GoneTogether, 0b0101));
    // Three at once share it; who was out before does not.
    let mut board = position(Players::Four, Side::South, "sd:h7 Na:g9 Ea:i9");
    play(&mut board, "h7-h8");
    assert_eq!(board.over().unwrap().sides, 0b1101);
}

// The end.

#[test]
fn ct_s16_two_equal_backs_are_a_tie_at_once() {
    // The 4 of South's back takes a 3 and leaves two backs of 4.
    let mut board = position(Players::Two, Side::South, "Sb+:h6 Nb:i9 Nc+:o15");
    play(&mut board, "h6-h8");
    let over = board.over().unwrap();
    assert_eq!((over.ending, over.sides), (Ending::EqualBacks, 0b0101));
    // Or the second of a pair is turned over.
    let mut board = position(Players::Two, Side::South, "sa:h14 nc+:a1");
    assert_eq!(board.pair(), Pair::Ordinary(0));
    play(&mut board, "h14-h15");
    assert_eq!(board.over().unwrap().ending, Ending::EqualBacks);
    // A 4 and a 5 are not equal.
    assert!(position(Players::Two, Side::South, "Sa+:h14 nc+:a1").over().is_none());
}

/// Where seven single steps lead that never come onto a foe's corner or beside it, walked one by one.
fn seven_steps(from: &str, foe: &str) -> Vec<String> {
    let (from, foe) = (corner(from), corner(foe));
    let mut at = std::collections::BTreeSet::from([(from.y(), from.x())]);
    for _ in 0..7 {
        let steps = at.iter().flat_map(|&(y, x)| [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]);
        let apart = |(y, x): (u8, u8)| y.abs_diff(foe.y()) + x.abs_diff(foe.x());
        at = steps
            .filter(|&(y, x)| (1..=15).contains(&x) && (1..=15).contains(&y) && apart((y, x)) > 1)
            .collect();
    }
    at.into_iter().map(|(y, x)| Corner::new(x, y).unwrap().to_string()).collect()
}

#[test]
fn ct_s17_two_equal_faces_move_exactly_seven_steps_past_nobodys_side() {
    let mut board = position(Players::Two, Side::South, "Sb:h6 Nb:i9 Nc:o15");
    play(&mut board, "h6-h8");
    assert_eq!((board.pair(), board.turn()), (Pair::Seven(0), Side::North));
    assert_eq!(goes(&mut board, "o15"), seven_steps("o15", "h8"));
    // A foe nearby closes corners to end on and corners to pass.
    for (from, foe) in [("a1", "b3"), ("a1", "c2"), ("h8", "h10"), ("o8", "m8"), ("e5", "g6")] {
        let mut board = position(Players::Two, Side::South, &format!("sa:{from} na:{foe}"));
        let ends = goes(&mut board, from);
        assert_eq!(ends, seven_steps(from, foe), "{from} {foe}");
        assert_ne!(ends, seven_steps(from, "a15"), "the foe on {foe} is in the way");
    }
    // One quarter spin for the whole move, and no move of another length.
    let mut board = position(Players::Two, Side::North, "Sb:h8 Nc:o15");
    assert!(matches!(check_move(&mut board, mv("o15-o13")), Err(Refusal::Steps { rule: "CT-S17", .. })));
    play(&mut board, "o15-o8");
    assert_eq!(board.tile_on(corner("o8")).unwrap().spin, 3);
}

#[test]
fn ct_s17_ten_turns_each_with_both_on_the_board_are_a_tie() {
    let mut board = position(Players::Two, Side::South, "Sa:a1 Nc:o15").under(Ties::NEVER);
    for turn in 0..20 {
        assert_eq!(board.pair(), Pair::Seven(turn));
        play(&mut board, ["a1-a2", "o15-o14", "a2-a1", "o14-o15"][usize::from(turn % 4)]);
    }
    assert_eq!(board.over().unwrap().ending, Ending::SevenSteps);
    // Partners: ten turns of each of the four, the passes of those without tiles among them.
    let mut board = position(Players::Partners, Side::South, "Sa:a1 Wb:o15").under(Ties::NEVER);
    for turn in 0..40 {
        assert_eq!(board.pair(), Pair::Seven(turn));
        let text =
            ["a1-a2", "o15-o14", "pass", "pass", "a2-a1", "o14-o15", "pass", "pass"][usize::from(turn % 8)];
        play(&mut board, text);
    }
    assert_eq!(board.over().unwrap().ending, Ending::SevenSteps);
}

#[test]
fn ct_r7_seven_steps_stay_when_a_tile_is_turned_over_but_equal_backs_end_it() {
    let mut board = position(Players::Two, Side::South, "Sa:e9 Nc:k7");
    play(&mut board, "e9-f15");
    assert!(board.tile_on(corner("f15")).unwrap().turned);
    assert_eq!(board.pair(), Pair::Seven(1));
    play(&mut board, "k7-j1");
    assert_eq!(board.over().unwrap().ending, Ending::EqualBacks);
}

#[test]
fn ct_r8_any_other_pair_moves_as_always_for_ten_turns_each() {
    for (south, north) in [("Sa", "nc"), ("Sa", "Nc+"), ("sa+", "nc"), ("Sa+", "nc+")] {
        let board = position(Players::Two, Side::South, &format!("{south}:c4 {north}:m12"));
        let mut board = board.without_repetition();
        for turn in 0..20 {
            assert_eq!(board.pair(), Pair::Ordinary(turn), "{south} {north}");
            let far = board.turn() == Side::South;
            let mut legal = board.legal();
            legal.sort_unstable();
            let away = if far { legal[0] } else { legal[legal.len() - 1] };
            board.play(away).unwrap();
        }
        assert_eq!(board.over().unwrap().ending, Ending::LastPair);
    }
}

/// Plays so many moves in which everybody takes one tile to and fro, or passes; none but the last may end the game.
fn shuffle(board: &mut Position, moves: usize, ways: &[[&str; 2]]) {
    for n in 0..moves {
        assert!(board.over().is_none(), "over after {n} moves: {:?}", board.over());
        play(board, ways[n % ways.len()][n / ways.len() % 2]);
    }
}

const SOUTH: [&str; 2] = ["a1-a2", "a2-a1"];
const WEST: [&str; 2] = ["a13-a14", "a14-a13"];
const NORTH: [&str; 2] = ["o15-o14", "o14-o15"];
const EAST: [&str; 2] = ["o2-o3", "o3-o2"];
const PASS: [&str; 2] = ["pass", "pass"];

/// South, West, North and East as far as they play, each with a tile to shuffle and one that waits.
fn waiting(players: Players) -> (Position, Vec<[&'static str; 2]>) {
    let (tiles, ways) = match players {
        Players::Two => ("sa:a1 sa:c1 nc:o15 nc:m15", vec![SOUTH, NORTH]),
        Players::Three => ("sa:a1 sa:c1 wb:a13 nc:o15 nc:m15", vec![SOUTH, WEST, NORTH]),
        _ => ("sa:a1 sa:c1 wb:a13 nc:o15 nc:m15 ed:o2", vec![SOUTH, WEST, NORTH, EAST]),
    };
    (position(players, Side::South, tiles), ways)
}

fn ended(board: &Position) -> (Ending, u8) {
    board.over().map(|over| (over.ending, over.sides)).unwrap()
}

const COUNT: Ties = Ties { r9: R9::On, count: true };
const SIXTY: Ties = Ties { r9: R9::SixtyMoves, count: false };

#[test]
fn ct_r9_the_third_time_a_position_stands_is_a_tie_however_many_play() {
    // A tile lies as it lay after four moves of its own, so a position stands again after four rounds.
    for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
        let (mut board, ways) = waiting(players);
        shuffle(&mut board, 2 * 4 * ways.len(), &ways);
        let all = players.sides().iter().map(|side| 1 << side.index()).sum();
        assert_eq!(ended(&board), (Ending::Repetition, all), "{players:?}");
    }
}

#[test]
fn ct_r9_a_position_that_stands_again_after_passes_counts_too() {
    // North and East have no tiles: between their passes the others go round in sixteen moves.
    let mut board = position(Players::Partners, Side::South, "sa:a1 sa:c1 wb:a13 wb:c13");
    shuffle(&mut board, 32, &[SOUTH, WEST, PASS, PASS]);
    assert_eq!(ended(&board), (Ending::Repetition, 0b1111));
}

#[test]
fn ct_r9_the_spin_of_a_tile_on_its_back_does_not_tell_positions_apart() {
    let still = [["h8-h8", "h8-h8"], ["k12-k12", "k12-k12"]];
    // Both on their backs: out and back, and everything looks as it did.
    let mut board = two("Sa+:h8 Nc+:k12");
    shuffle(&mut board, 4, &still);
    assert_eq!(ended(&board).0, Ending::Repetition);
    // A spin that shows takes four moves to come round, of one tile as of two.
    for text in ["Sa:h8 Nc+:k12", "Sa+:h8 Nc:k12", "Sa:h8 Nc:k12"] {
        let mut board = two(text);
        shuffle(&mut board, 16, &still);
        assert_eq!(ended(&board).0, Ending::Repetition, "{text}");
    }
    // By the first reading so did one that does not.
    let mut board = two("Sa+:h8 Nc+:k12").under(SIXTY);
    shuffle(&mut board, 16, &still);
    assert_eq!(ended(&board).0, Ending::Repetition);
}

#[test]
fn ct_r9_thirty_turns_each_without_a_removal_or_a_turning_over_are_a_tie() {
    for (players, moves) in
        [(Players::Two, 60), (Players::Three, 90), (Players::Four, 120), (Players::Partners, 120)]
    {
        let (board, ways) = waiting(players);
        let mut board = board.without_repetition();
        assert_eq!(usize::from(board.quiet_limit()), moves);
        shuffle(&mut board, moves, &ways);
        assert_eq!(ended(&board).0, Ending::Quiet, "{players:?}");
    }
    // By the first reading it was sixty moves, whoever made them.
    let (board, ways) = waiting(Players::Four);
    let mut board = board.under(SIXTY).without_repetition();
    shuffle(&mut board, 60, &ways);
    assert_eq!(ended(&board).0, Ending::Quiet);
}

#[test]
fn ct_r9_passes_are_turns_and_players_who_are_out_have_none() {
    // North and East pass in every round, for their partners still have tiles.
    let mut board =
        position(Players::Partners, Side::South, "sa:a1 sa:c1 wb:a13 wb:c13").without_repetition();
    shuffle(&mut board, 120, &[SOUTH, WEST, PASS, PASS]);
    assert_eq!(ended(&board).0, Ending::Quiet);
    // South takes West's only tile; from then on two play.
    let mut board = position(Players::Three, Side::South, "sa:a1 Sb:h6 Wb:i9 nc:o15 nc:m15");
    assert_eq!(board.quiet_limit(), 90);
    play(&mut board, "h6-h8");
    assert_eq!((board.quiet_limit(), board.quiet()), (60, 0));
    let mut board = board.without_repetition();
    shuffle(&mut board, 60, &[NORTH, SOUTH]);
    assert_eq!(ended(&board), (Ending::Quiet, 0b0101));
}

#[test]
fn ct_r9_a_turning_over_and_a_removal_start_the_turns_again() {
    let mut board = two("sa:h14 nc:m15");
    shuffle(&mut board, 2, &[SOUTH, NORTH]);
    assert_eq!(board.quiet(), 2);
    play(&mut board, "h14-h15");
    assert_eq!(board.quiet(), 0);
    let mut board = two("Sb:h6 Nb:i9 nc:m15");
    shuffle(&mut board, 2, &[SOUTH, NORTH]);
    play(&mut board, "h6-h8");
    assert_eq!(board.quiet(), 0);
}

#[test]
fn ct_r9_is_an_option() {
    assert_eq!(Options::default().ties(), Ties { r9: R9::On, count: false });
    for ties in [Ties::NEVER, Ties { count: true, ..Ties::NEVER }] {
        let (board, ways) = waiting(Players::Two);
        let mut board = board.under(ties);
        shuffle(&mut board, 120, &ways);
        assert!(board.over().is_none());
        // What such a game has come to can be read again, however long it has been quiet.
        assert_eq!(board.to_string().parse::<Position>().map(|read| read.quiet()), Ok(0));
    }
    let options = Options { r9: R9::Off, ..Options::default() };
    assert_eq!(open(&options, 2, 0).unwrap().position().ties(), Ties::NEVER);
}

/// Where a game of two comes to by the count when nobody does anything for thirty turns each.
fn counted(tiles: &str) -> (Ending, u8) {
    let mut board = two(tiles).under(COUNT).without_repetition();
    shuffle(&mut board, 60, &[SOUTH, NORTH]);
    ended(&board)
}

#[test]
fn ct_r10_the_most_tiles_win_where_ct_r9_would_make_a_tie() {
    assert_eq!(counted("Sa:c1"), (Ending::Count, 0b0001));
    assert_eq!(counted("Nc:m15 Nc:k15 sa+:c1"), (Ending::Count, 0b0100), "as high figures, a tile more");
    // The third time as well as the quiet turns.
    let mut board = two("Sa:c1").under(COUNT);
    shuffle(&mut board, 16, &[SOUTH, NORTH]);
    assert_eq!(ended(&board), (Ending::Count, 0b0001));
    assert!(!board.over().unwrap().is_tie());
    // Without the option both are a tie.
    let mut board = two("Sa:c1");
    shuffle(&mut board, 16, &[SOUTH, NORTH]);
    assert_eq!(ended(&board), (Ending::Repetition, 0b0101));
}

#[test]
fn ct_r10_with_as_many_tiles_the_higher_figures_win_and_else_it_is_a_tie() {
    assert_eq!(counted("Sa:c1 nc:m15"), (Ending::Count, 0b0100), "10 against 18");
    assert_eq!(counted("Sa+:c1 Nc:m15"), (Ending::Count, 0b0001), "a back of 16 against 10");
    assert_eq!(counted("sa+:c1 nc:m15"), (Ending::Count, 0b0001), "a back of 20 against 18");
    assert_eq!(counted("sb:c1 nc:m15"), (Ending::Quiet, 0b0101), "level in both");
}

#[test]
fn ct_r10_partners_count_together_and_whoever_is_level_at_the_top_shares() {
    let counted = |players, tiles: &str, moves, ways: &[[&str; 2]]| {
        let mut board = position(players, Side::South, tiles).under(COUNT).without_repetition();
        shuffle(&mut board, moves, ways);
        ended(&board)
    };
    let four = [SOUTH, WEST, NORTH, EAST];
    // Two and two against three and none more: West alone has most, South and North have most together.
    let tiles = "sa:a1 sa:c1 wb:a13 wb:c13 wb:e13 nc:o15 nc:m15 ed:o2";
    assert_eq!(counted(Players::Four, tiles, 120, &four), (Ending::Count, 0b0010));
    let tiles = "sa:a1 sa:c1 sa:e1 wb:a13 wb:c13 wb:e13 nc:o15 nc:m15 ed:o2";
    assert_eq!(counted(Players::Partners, tiles, 120, &four), (Ending::Count, 0b0101));
    // Of three, two are level and the third has less.
    let tiles = "sa:a1 sa:c1 wb:a13 wb:c13 nc:o15";
    assert_eq!(counted(Players::Three, tiles, 90, &[SOUTH, WEST, NORTH]), (Ending::Quiet, 0b0011));
}

#[test]
fn ct_r10_leaves_the_ties_of_the_last_two_as_they_are() {
    // A pair that moves by seven steps, of which one has been turned over since, and a pair that moves as always.
    let tiles = tiles("sa:a1 nc+:o15");
    for (pair, ending) in [(Pair::Seven(0), Ending::SevenSteps), (Pair::Ordinary(0), Ending::LastPair)] {
        let board = Position::new(&Set::default(), Players::Two, &tiles, Side::South, 0, Some(pair)).unwrap();
        let mut board = board.under(COUNT).without_repetition();
        assert_eq!(board.leaders(), 0b0100, "North would be ahead");
        shuffle(&mut board, 20, &[SOUTH, NORTH]);
        assert_eq!(ended(&board), (ending, 0b0101));
    }
}

#[test]
fn ct_r10_is_an_option_and_everybody_sees_how_it_stands() {
    assert!(!Options::default().count);
    assert_eq!(open(&Options::default(), 2, 0).unwrap().position().count_stands(), None);
    let game = open(&Options { count: true, ..Options::default() }, 2, 0).unwrap();
    assert!(game.public().count);
    assert_eq!(game.public().rebuild().unwrap().ties(), COUNT);
    let stands = |board: Position| board.under(COUNT).count_stands().unwrap().to_string();
    assert_eq!(stands(game.position().clone()), "South 6 tiles showing 84, North 6 tiles showing 84, even");
    assert_eq!(stands(two("")), "South 1 tile showing 18, North 1 tile showing 18, even");
    assert_eq!(stands(two("Sa+:h8")), "South 2 tiles showing 34, North 1 tile showing 18, South is ahead");
    let three = position(Players::Three, Side::South, "sa:a1 wb:a13 Nc:o15");
    assert!(stands(three).ends_with("South and West are ahead"));
}

// At the table.

#[test]
fn a_refusal_names_the_rule_and_the_tiles_legal_moves() {
    let mut board = two("sa:j9 Nc:k10");
    let words = check_move(&mut board, mv("j9-j10")).unwrap_err().to_string();
    assert_eq!(
        words,
        "CT-S11, CT-R1: on j10 it would lie side by side with an opponent's tile. From j9 it can go to: j8, i9"
    );
    let words = check_move(&mut board, mv("j9-k8")).unwrap_err().to_string();
    assert!(words.starts_with("CT-S7: a ONE STEP tile cannot go from j9 to k8"), "{words}");
    let words = check_move(&mut board, mv("d4-d5")).unwrap_err().to_string();
    assert_eq!(words, "no tile stands on d4; yours stand on a1, j9");
}

#[test]
fn an_act_out_of_turn_is_refused() {
    let options = Options { first: contact::First::South, ..Options::default() };
    let mut game = open(&options, 2, 0).unwrap();
    let seats = Seats::named(["A", "B"]).unwrap();
    let mut dice = Dice::new(&Seed::from_number(0), "contact", &seats);
    let mut at = Moment { now: Time::START, dice: &mut dice };
    let act = contact::Act::from(mv("h14-h13"));
    assert_eq!(game.act(Seat(1), &act, &mut at), Err(Refusal::NotYourTurn { turn: Side::South }));
    assert_eq!(game.act(Seat(0), &contact::Act::from(mv("h2-h3")), &mut at), Ok(()));
    assert_eq!(game.act(Seat(1), &act, &mut at), Ok(()));
    assert_eq!(game.act(Seat(7), &act, &mut at), Err(Refusal::NotSeated));
}

// The data file.

#[test]
fn the_house_set_is_sound() {
    assert_eq!(set::check(set::HOUSE), Ok(Set::default()));
}

#[test]
fn a_bad_set_says_what_is_wrong_and_where() {
    let fault = |from: &str, to: &str| {
        assert!(set::HOUSE.contains(from), "{from}");
        let faults = set::check(&set::HOUSE.replacen(from, to, 1)).unwrap_err();
        faults[0].to_string()
    };
    assert_eq!(
        fault("[3, 4, 5, 6]", "[3, 4, 0, 6]"),
        "tiles.one-step.corners[2]: 0 is no figure for a corner; use 1 to 9"
    );
    assert_eq!(
        fault("south = [5, 6, 7", "south = [5, 16, 7"),
        "rings.south[1]: 16 is off the board; lines and places run from 1 to 15"
    );
    assert_eq!(
        fault("at = [7, 8, 9] }", "at = [7, 8, 8] }"),
        "setups.six.rows[0].at[2]: 8 stands here twice; name each place once"
    );
    assert_eq!(fault("line = 1, step", "line = 2, step"), "setups.six: with 2 players two tiles stand on g2");
    assert_eq!(
        fault("line = 2, step", "line = 7, step"),
        "setups.six: with 3 players g7 lies side by side with an opponent's tile (CT-S11)"
    );
    assert_eq!(
        fault("colour = [2, 1, 2, 1, 2]", "colour = [2, 1, 2, 1]"),
        "setups.twelve.rows[0].colour: 4 colours for 5 tiles; give one for each, or leave `colour` out"
    );
    assert_eq!(
        fault("colour = [2, 1, 2, 1, 2]", "colour = [2, 2, 2, 1, 2]"),
        "setups.twelve: with 2 players it needs 4 green TWO STEP tiles, and the box holds 3"
    );
    let faults = set::check("[tiles]\none-step = 7").unwrap_err();
    assert_eq!(faults[0].at, "line 2, column 12");
}
