//! The rules of Dice Roulette, one test or more for each id of `docs/rules/roulette.md`.

use std::collections::{BTreeMap, BTreeSet};

use roulette::game::Books;
use roulette::{
    Act, Banker, Bet, Kind, LAYOUT_LIMIT, Options, Phase, Public, Refusal, Roulette, Set, Spot, SpotError,
    Stake, Throw, bot, coach, odds, read_slip,
};
use table::{
    Bot, Dice, Game, Head, Outcome, Refused, Seat, Seats, Seed, Spoken, Table, Time, View, bot::drive,
};

const ANN: Seat = Seat(0);
const BEN: Seat = Seat(1);
const CAT: Seat = Seat(2);

/// A table of some seats whose first throws are known, so that a rule can be shown on a number.
struct Trial {
    table: Table<Roulette>,
}

impl Trial {
    fn new(options: Options, seats: u32) -> Self {
        Self::throwing(options, seats, &[])
    }

    fn throwing(options: Options, seats: u32, numbers: &[u8]) -> Self {
        let seats = Seats::named((0..seats).map(|seat| format!("Player {seat}"))).expect("plain names");
        let seed = (0..1_000_000).map(Seed::from_number).find(|seed| {
            let mut dice = Dice::new(seed, Roulette::NAME, &seats);
            numbers.iter().all(|number| number_of(dice.below(6), dice.below(6)) == *number)
        });
        let seed = seed.expect("a short row of numbers comes within a million seeds");
        let head = Head::new(Roulette::NAME, options, seats, seed.commitment());
        Self { table: Table::open(&head, &seed).expect("the options are sound") }
    }

    fn tries(&mut self, seat: Seat, act: &Act) -> Result<(), Refusal> {
        let before = self.table.game().clone();
        let result = self.table.act(self.table.now(), seat, act);
        assert!(self.books().balance(), "{act:?}: {:?}", self.books());
        result.map_err(|refused| {
            assert_eq!(&before, self.table.game(), "{act:?} was refused and changed the game");
            match refused {
                Refused::Rule(refusal) => refusal,
                other => panic!("{act:?}: {other}"),
            }
        })
    }

    fn does(&mut self, seat: Seat, act: &Act) -> &mut Self {
        self.tries(seat, act).expect("the act is allowed");
        self
    }

    fn lays(&mut self, seat: Seat, slip: &str) -> &mut Self {
        self.does(seat, &lay(slip))
    }

    fn ready(&mut self, seats: &[Seat]) -> &mut Self {
        for seat in seats {
            self.does(*seat, &Act::Ready);
        }
        self
    }

    /// The window runs out, or the banker's patience.
    fn waits(&mut self) -> &mut Self {
        let deadline = self.table.deadline().expect("a clock runs");
        self.table.expire_due(deadline).expect("time is due");
        assert!(self.books().balance());
        self
    }

    fn public(&self) -> Public {
        self.table.game().public()
    }

    fn chips(&self, seat: Seat) -> u64 {
        self.public().chips[seat.index()]
    }

    fn books(&self) -> Books {
        self.table.game().books()
    }

    fn bank(&self) -> u64 {
        self.public().bank.expect("a player banks").chips
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.outcome()
    }
}

/// DR-S1 by the sheet, apart from the engine: faces counted from 0, the black die's first is its blank.
fn number_of(black: u32, white: u32) -> u8 {
    (black * 10 + white + 1) as u8
}

fn stakes(slip: &str) -> Vec<Stake> {
    slip.split_whitespace().map(|stake| stake.parse().expect("a sound stake")).collect()
}

fn lay(slip: &str) -> Act {
    Act::lay(stakes(slip))
}

fn take_back(slip: &str) -> Act {
    Act::TakeBack { bets: stakes(slip) }
}

fn banked_by(seat: Seat) -> Options {
    Options { bank: Banker::Seat(seat), ..Options::default() }
}

fn pass_to(to: Banker) -> Act {
    Act::PassBank { to }
}

fn winners(set: &Set, spot: &str) -> BTreeSet<u8> {
    let bet = set.bet(spot.parse().expect("a spot")).expect("a bet");
    set.numbers_of(bet).collect()
}

/// All 36 numbers by the sheet, apart from the engine.
fn all_numbers() -> impl Iterator<Item = u8> {
    (0..=5).flat_map(|tens| (1..=6).map(move |units| tens * 10 + units))
}

// ---- The set ----

#[test]
fn dr_s1_black_is_read_first_and_a_blank_counts_nothing() {
    let set = Set::standard();
    let read = |black: u8, white: u8| {
        let face = |faces: [u8; 6], shows| faces.iter().position(|face| *face == shows).unwrap() as u32;
        set.number(Throw::of_faces(face(set.black_die(), black), face(set.white_die(), white)).unwrap())
    };
    assert_eq!(read(1, 5), 15);
    assert_eq!(read(0, 6), 6);
    assert_eq!(read(4, 2), 42);
    assert_eq!(set.black_die(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(set.white_die(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(Throw::of_faces(6, 0), None);
    assert_eq!(Throw::of_faces(0, 6), None);
}

#[test]
fn dr_s1_the_thirty_six_throws_make_thirty_six_numbers_each_once() {
    let set = Set::standard();
    let thrown: Vec<u8> = Throw::all().map(|throw| set.number(throw)).collect();
    assert_eq!(thrown, all_numbers().collect::<Vec<_>>());
    for gap in [7..=10, 17..=20, 27..=30, 37..=40, 47..=50, 57..=255] {
        for number in gap {
            assert_eq!(set.throw_of(number), None, "{number} can never come");
        }
    }
    assert_eq!(set.throw_of(0), None);
}

#[test]
fn dr_s1_the_faces_come_from_the_data_file() {
    let text =
        include_str!("../data/set.toml").replace("white = [1, 2, 3, 4, 5, 6]", "white = [1, 2, 3, 4, 5, 8]");
    let text = text.replace("[6, 16, 26, 36, 46, 56]", "[8, 18, 28, 38, 48, 58]");
    let text = text.replace("16,", "18,").replace("36,", "38,").replace("56]", "58]");
    let set = Set::from_toml(&text).unwrap();
    assert!(set.throw_of(8).is_some() && set.throw_of(6).is_none());
    let options = Options { set, ..Options::default() };
    let mut trial = Trial::throwing(options, 1, &[6]);
    trial.lays(ANN, "8=1").ready(&[ANN]);
    assert_eq!(trial.public().last.unwrap().number, 8, "the sixth face of the white die shows an 8 here");
    assert_eq!(trial.chips(ANN), 135);
}

#[test]
fn dr_s1_every_throw_counts() {
    let mut trial = Trial::new(Options { throws: 3, ..Options::default() }, 2);
    for thrown in 1..=3 {
        trial.waits();
        assert_eq!(trial.public().thrown, thrown);
        assert!(all_numbers().any(|number| number == trial.public().last.unwrap().number));
    }
    assert_eq!(trial.public().phase, Phase::Over);
}

#[test]
fn dr_s2_the_layout_has_thirty_six_squares_half_of_them_red() {
    let set = Set::standard();
    let squares: BTreeSet<u8> = set.grid().into_iter().flatten().collect();
    assert_eq!(squares, all_numbers().collect());
    assert_eq!(Throw::all().filter(|throw| set.is_red(*throw)).count(), 18);
}

#[test]
fn dr_f1_the_columns_of_the_grid_are_the_runs_of_six() {
    let grid = Set::standard().grid();
    assert_eq!(grid[0][0], 1);
    for (row, squares) in (0..).zip(grid) {
        for (column, square) in (0..).zip(squares) {
            assert_eq!(square, column * 10 + row + 1);
        }
    }
}

#[test]
fn dr_f2_a_square_is_red_where_its_digits_sum_to_an_odd_number() {
    let set = Set::standard();
    let is_red = |number: u8| set.is_red(set.throw_of(number).unwrap());
    for number in all_numbers() {
        assert_eq!(is_red(number), (number / 10 + number % 10) % 2 == 1, "{number}");
    }
    assert!(is_red(1));
    for pair in Bet::all().filter(|bet| set.kind(*bet) == Kind::Pair) {
        let colours: BTreeSet<bool> = set.numbers_of(pair).map(is_red).collect();
        assert_eq!(colours.len(), 2, "a chequerboard: {} is red and black", set.spot(pair));
    }
}

#[test]
fn dr_s3_dozens_halves_and_runs_are_where_the_board_shows_them() {
    let set = Set::standard();
    let among = |wanted: &dyn Fn(u8) -> bool| all_numbers().filter(|n| wanted(*n)).collect::<BTreeSet<_>>();
    assert_eq!(winners(&set, "1st12"), among(&|n| n <= 16));
    assert_eq!(winners(&set, "2d12"), among(&|n| (21..=36).contains(&n)));
    assert_eq!(winners(&set, "3rd12"), among(&|n| n >= 41));
    assert_eq!(winners(&set, "low"), among(&|n| n <= 26));
    assert_eq!(winners(&set, "high"), among(&|n| n >= 31));
    assert_eq!(winners(&set, "even"), among(&|n| n % 2 == 0));
    assert_eq!(winners(&set, "odd"), among(&|n| n % 2 == 1));
    assert_eq!(winners(&set, "red"), among(&|n| (n / 10 + n % 10) % 2 == 1));
    assert_eq!(winners(&set, "black"), among(&|n| (n / 10 + n % 10) % 2 == 0));
    let runs = [(1, 6), (11, 16), (21, 26), (31, 36), (41, 46), (51, 56)];
    assert_eq!(set.runs(), runs);
    for (first, last) in runs {
        assert_eq!(winners(&set, &format!("{first}-{last}")), among(&|n| (first..=last).contains(&n)));
    }
}

// ---- The bets ----

#[test]
fn dr_s4_each_kind_of_bet_pays_what_the_sheet_says_and_returns_the_stake() {
    let pays = [
        ("15", 35),
        ("14|15", 17),
        ("4|5|14|15", 8),
        ("11-16", 5),
        ("1st12", 2),
        ("odd", 1),
        ("black", 1),
        ("low", 1),
        ("2d12", -1),
        ("3rd12", -1),
        ("even", -1),
        ("red", -1),
        ("high", -1),
    ];
    for (spot, pays) in pays {
        let mut trial = Trial::throwing(Options::default(), 1, &[15]);
        trial.lays(ANN, &format!("{spot}=3")).ready(&[ANN]);
        assert_eq!(trial.chips(ANN) as i64, 100 + 3 * pays, "{spot}");
    }
}

#[test]
fn dr_s4_every_bet_wins_on_its_own_numbers_and_no_others() {
    let set = Set::standard();
    for bet in Bet::all() {
        let spot = set.spot(bet);
        let expected: BTreeSet<u8> = match spot {
            Spot::Number(n) => [n].into(),
            Spot::Pair(pair) => pair.into(),
            Spot::Four(four) => four.into(),
            Spot::Run(first, last) => (first..=last).collect(),
            Spot::Dozen(dozen) => all_numbers().filter(|n| n / 20 == dozen - 1).collect(),
            // Halves are checked one by one in dr_s3.
            Spot::Half(_) => continue,
        };
        assert_eq!(set.numbers_of(bet).collect::<BTreeSet<_>>(), expected, "{spot}");
        let slip = read_slip(&set, &format!("{spot}=1")).unwrap();
        for throw in Throw::all() {
            let settled = slip.settle(&set, throw);
            if expected.contains(&set.number(throw)) {
                assert_eq!((settled.swept, settled.returned, settled.paid), (0, 1, set.pays(bet).into()));
            } else {
                assert_eq!((settled.swept, settled.returned, settled.paid), (1, 0, 0));
            }
        }
    }
}

#[test]
fn dr_r1_a_pair_shares_an_edge_and_a_four_shares_a_corner() {
    let set = Set::standard();
    // Apart from the engine: on the grid a number stands in column tens, row units.
    let place = |n: u8| (i32::from(n / 10), i32::from(n % 10));
    let mut pairs = 0;
    for a in all_numbers() {
        for b in all_numbers() {
            let ((ax, ay), (bx, by)) = (place(a), place(b));
            let touch = (ax - bx).abs() + (ay - by).abs() == 1;
            assert_eq!(set.bet(Spot::pair(a, b)).is_ok(), touch, "{a}|{b}");
            pairs += u32::from(touch && a < b);
        }
    }
    assert_eq!(pairs, 60);
    let fours: BTreeSet<_> = Bet::all()
        .filter(|bet| set.kind(*bet) == Kind::Four)
        .map(|bet| set.numbers_of(bet).collect::<Vec<_>>())
        .collect();
    let corners = all_numbers().filter(|n| n / 10 < 5 && n % 10 < 6);
    assert_eq!(fours, corners.map(|n| vec![n, n + 1, n + 10, n + 11]).collect());
    assert_eq!(fours.len(), 25);
    assert!(set.bet("1|2".parse().unwrap()).is_ok());
    assert!(set.bet("1|11".parse().unwrap()).is_ok());
    assert!(matches!(set.bet("6|11".parse().unwrap()), Err(SpotError::NotAPair { .. })));
}

#[test]
fn dr_r2_there_are_136_bets_and_each_has_expectation_exactly_nought() {
    let set = Set::standard();
    let mut kinds = BTreeMap::new();
    for bet in Bet::all() {
        *kinds.entry(set.kind(bet)).or_insert(0) += 1;
        let slip = read_slip(&set, &format!("{}=1", set.spot(bet))).unwrap();
        let sum: i64 = Throw::all().map(|throw| slip.settle(&set, throw).net()).sum();
        assert_eq!(sum, 0, "{}", set.spot(bet));
        assert_eq!(odds(&format!("{}=1", set.spot(bet))).unwrap().expectation.to_string(), "0");
    }
    let counts: Vec<i32> = kinds.values().copied().collect();
    assert_eq!(counts, [36, 60, 25, 6, 3, 6]);
    assert_eq!(counts.iter().sum::<i32>(), 136);
    let spots: BTreeSet<_> = Bet::all().map(|bet| set.spot(bet)).collect();
    assert_eq!(spots.len(), 136, "no bet twice");
}

#[test]
fn dr_r2_so_every_slip_is_fair_and_its_odds_are_exact() {
    let slip = "15=2 1|2=3 1|2|11|12=1 1-6=5 1st12=1 low=1 high=1 black=10 red=1 even=1 odd=1";
    let odds = odds(slip).unwrap();
    // Worked out by hand: number, pair, four, run, dozen, black and red; low and high, even and odd cancel.
    assert_eq!(odds.net[&15], 2 * 35 - 3 - 1 - 5 + 2 + 9);
    assert_eq!(odds.net[&1], -2 + 3 * 17 + 8 + 5 * 5 + 2 - 9);
    assert_eq!(odds.net[&56], -2 - 3 - 1 - 5 - 1 - 9);
    assert_eq!(odds.net.len(), 36);
    assert_eq!(odds.stake, 27);
    assert_eq!(odds.expectation.to_string(), "0");
    let squares: i64 = odds.net.values().map(|net| net * net).sum();
    assert_eq!(odds.net.values().sum::<i64>(), 0);
    assert_eq!(odds.distribution.iter().map(|way| way.ways).sum::<u32>(), 36);
    assert_eq!(odds.ahead + odds.even + odds.behind, 36);
    let variance = odds.variance.to_string();
    let (over, under) = variance.split_once('/').unwrap_or((&variance, "1"));
    assert_eq!(over.parse::<i64>().unwrap() * 36, squares * under.parse::<i64>().unwrap());
    let json = serde_json::to_value(&odds).unwrap();
    assert_eq!(json["expectation"], 0);
    assert_eq!(json["net"]["15"], 72);
}

#[test]
fn dr_r2_a_fixed_slip_keeps_its_mean_over_many_throws() {
    let outlook = roulette::outlook("15=1 black=2 1st12=1", 20, 12).unwrap();
    assert_eq!(outlook.mean.to_string(), "20");
    let sum = outlook.ahead.decimal + outlook.even.decimal + outlook.behind.decimal;
    assert!((sum - 1.0).abs() < 1e-9);
    assert!(outlook.broke.decimal > 0.0 && outlook.broke.decimal < outlook.behind.decimal);
}

// ---- Play ----

#[test]
fn dr_s5_all_start_with_equal_chips_and_the_banker_never_bets() {
    let trial = Trial::new(Options::default(), 3);
    assert_eq!(trial.public().chips, [100, 100, 100]);
    let mut trial = Trial::new(Options { chips: 7, ..banked_by(BEN) }, 3);
    assert_eq!((trial.chips(ANN), trial.chips(CAT)), (7, 7));
    assert_eq!(trial.tries(BEN, &lay("15=1")), Err(Refusal::BankerNeverBets));
    assert_eq!(trial.tries(BEN, &Act::Ready), Err(Refusal::BankerNeverBets));
    assert!(!trial.table.game().awaits(BEN), "nobody waits for the banker's bets");
}

#[test]
fn dr_s5_the_banker_throws_and_nobody_else() {
    let mut trial = Trial::new(banked_by(ANN), 2);
    assert_eq!(trial.tries(ANN, &Act::Throw), Err(Refusal::BetsOpen));
    trial.ready(&[BEN]);
    assert_eq!(trial.public().phase, Phase::Throwing);
    assert_eq!(trial.tries(BEN, &Act::Throw), Err(Refusal::NotYourDice));
    assert!(trial.table.game().awaits(ANN) && !trial.table.game().awaits(BEN));
    trial.does(ANN, &Act::Throw);
    assert_eq!((trial.public().thrown, trial.public().phase), (1, Phase::Betting));
    trial.ready(&[BEN]).waits();
    assert_eq!(trial.public().thrown, 2, "a banker who holds the dice too long has them thrown for him");
    let mut house = Trial::new(Options::default(), 2);
    assert_eq!(house.tries(ANN, &Act::Throw), Err(Refusal::NotYourDice));
}

#[test]
fn dr_r3_the_house_banks_unless_told_otherwise_and_never_runs_out() {
    assert_eq!(Options::default().bank, Banker::House);
    let mut trial = Trial::throwing(Options { chips: 1_000_000, ..Options::default() }, 1, &[15, 15]);
    trial.lays(ANN, "15=1000000").ready(&[ANN]);
    trial.lays(ANN, "15=30000000").ready(&[ANN]);
    assert_eq!(trial.chips(ANN), 36_000_000 + 35 * 30_000_000);
    assert_eq!(trial.books().house, -35 * 31_000_000);
}

#[test]
fn dr_r3_a_players_bank_starts_with_chips_times_players() {
    let trial = Trial::new(Options { chips: 50, ..banked_by(ANN) }, 4);
    let bank = trial.public().bank.unwrap();
    assert_eq!(
        (bank.stock, bank.chips),
        (150, 200),
        "three players' chips, and the banker's own beside them"
    );
    let trial = Trial::new(Options { bank_chips: Some(30), ..banked_by(ANN) }, 4);
    assert_eq!(trial.public().bank.unwrap().stock, 30);
}

#[test]
fn dr_r3_a_bet_that_the_bank_could_not_pay_is_refused() {
    let mut trial = Trial::new(Options { bank_chips: Some(20), ..banked_by(ANN) }, 3);
    assert_eq!(trial.bank(), 120);
    trial.lays(BEN, "15=3");
    assert_eq!(trial.public().bank.unwrap().worst, 105);
    // On 15 the bank would owe 105 + 16; on 16 no more than that.
    assert_eq!(
        trial.tries(CAT, &lay("11-16=3 odd=1")),
        Err(Refusal::BankCannotPay { worst: 121, bank: 120 })
    );
    trial.lays(CAT, "11-16=3");
    trial.lays(CAT, "52=3");
    assert_eq!(trial.public().bank.unwrap().worst, 120);
    assert_eq!(trial.tries(BEN, &lay("15=1")), Err(Refusal::BankCannotPay { worst: 155, bank: 120 }));
    assert_eq!(trial.tries(BEN, &lay("black=1")), Err(Refusal::BankCannotPay { worst: 121, bank: 120 }));
    trial.lays(BEN, "red=1");
    // Room again as soon as something is taken back.
    trial.does(CAT, &take_back("11-16=1")).lays(BEN, "black=5");
}

#[test]
fn dr_r3_the_worst_case_is_that_of_all_bets_standing_whatever_was_laid_and_taken_back() {
    let set = Set::standard();
    let mut luck = table::Luck::new(1932);
    let mut trial = Trial::new(Options { chips: 1_000, bank_chips: Some(500), ..banked_by(ANN) }, 3);
    let mut refused = 0;
    for _ in 0..400 {
        let seat = if luck.chance(1, 2) { BEN } else { CAT };
        let spot = set.spot(Bet::all().nth(luck.below(136) as usize).unwrap());
        let bets = vec![Stake { on: spot, chips: 1 + luck.below(40) as u32 }];
        let act = if luck.chance(1, 3) { Act::TakeBack { bets } } else { Act::lay(bets) };
        refused += u32::from(matches!(trial.tries(seat, &act), Err(Refusal::BankCannotPay { .. })));
        let game = trial.table.game();
        let owed =
            |throw| [BEN, CAT].iter().map(|seat| game.slip(*seat).unwrap().settle(&set, throw).paid).sum();
        let worst: u64 = Throw::all().map(owed).max().unwrap();
        assert_eq!(trial.public().bank.unwrap().worst, worst);
        assert!(worst <= trial.bank());
    }
    assert!(refused > 10, "the bank's limit was reached {refused} times");
}

#[test]
fn dr_r3_the_bank_passes_between_throws_and_the_banker_squares_its_stock() {
    let mut trial = Trial::throwing(Options { bank_chips: Some(200), ..banked_by(ANN) }, 3, &[15]);
    trial.lays(BEN, "even=40").lays(CAT, "15=2");
    trial.does(ANN, &pass_to(Banker::Seat(BEN)));
    assert_eq!(trial.tries(CAT, &Act::TakeBank), Err(Refusal::NotOffered));
    trial.does(BEN, &Act::TakeBank);
    assert_eq!(
        trial.public().banker,
        Banker::Seat(ANN),
        "chips lie on the layout: it passes after the throw"
    );
    assert_eq!(trial.public().heir, Some(Banker::Seat(BEN)));
    trial.ready(&[BEN, CAT]).does(ANN, &Act::Throw);
    assert_eq!(trial.public().banker, Banker::Seat(BEN));
    // Ann's bank: 200 + her 100 + 40 swept − 70 paid; 200 stay, and Ben puts his 60 to them.
    assert_eq!((trial.chips(ANN), trial.chips(BEN), trial.chips(CAT)), (70, 0, 170));
    assert_eq!(trial.bank(), 260);
    assert_eq!(trial.tries(BEN, &lay("15=1")), Err(Refusal::BankerNeverBets));
    trial.lays(ANN, "15=1");
}

#[test]
fn dr_r3_a_banker_who_lost_more_than_he_had_owes_the_rest() {
    let mut trial = Trial::throwing(Options { bank_chips: Some(300), ..banked_by(ANN) }, 2, &[15]);
    trial.lays(BEN, "15=10").ready(&[BEN]).does(ANN, &Act::Throw);
    assert_eq!((trial.chips(BEN), trial.bank()), (450, 50));
    trial.does(ANN, &pass_to(Banker::House));
    let public = trial.public();
    assert_eq!((public.banker, public.bank), (Banker::House, None));
    assert_eq!(public.phase, Phase::Over, "Ben has all the chips");
    assert_eq!(
        trial.outcome().unwrap().scores,
        [-250, 450],
        "what one won the other lost: the bank is fair too"
    );
}

#[test]
fn dr_r3_a_player_may_take_the_bank_from_the_house_and_give_it_back() {
    let mut trial = Trial::new(Options::default(), 3);
    assert_eq!(trial.tries(ANN, &pass_to(Banker::House)), Err(Refusal::NotTheBanker));
    trial.does(ANN, &Act::TakeBank);
    assert_eq!(trial.bank(), 300);
    assert_eq!(trial.tries(ANN, &Act::TakeBank), Err(Refusal::AlreadyBanker));
    assert_eq!(trial.tries(ANN, &pass_to(Banker::Seat(ANN))), Err(Refusal::AlreadyBanker));
    assert_eq!(
        trial.tries(ANN, &pass_to(Banker::Seat(Seat(9)))),
        Err(Refusal::NobodyThere { seat: Seat(9), seats: 3 })
    );
    trial.does(ANN, &pass_to(Banker::House));
    assert_eq!(trial.public().chips, [100, 100, 100]);
    assert_eq!(trial.books().issued, 300, "the stock went back into the box");
    trial.lays(ANN, "red=1").does(BEN, &Act::TakeBank);
    assert_eq!(trial.tries(CAT, &Act::TakeBank), Err(Refusal::Promised));
}

#[test]
fn dr_r3_anybody_may_take_a_broken_bank() {
    let mut trial = Trial::throwing(Options { bank_chips: Some(250), ..banked_by(ANN) }, 3, &[15]);
    trial.lays(BEN, "15=10").ready(&[BEN, CAT]).does(ANN, &Act::Throw);
    assert_eq!(trial.bank(), 0);
    assert_eq!(trial.public().phase, Phase::Betting, "two players have chips yet");
    assert_eq!(trial.tries(CAT, &lay("red=1")), Err(Refusal::BankCannotPay { worst: 1, bank: 0 }));
    trial.does(CAT, &Act::TakeBank);
    assert_eq!((trial.public().banker, trial.bank()), (Banker::Seat(CAT), 350));
    assert_eq!((trial.public().players[0].debt, trial.chips(ANN)), (250, 0));
    assert_eq!(trial.tries(CAT, &pass_to(Banker::Seat(ANN))), Err(Refusal::HeirWithoutChips { seat: ANN }));
    assert_eq!(trial.tries(ANN, &Act::TakeBank), Err(Refusal::NoChips));
}

#[test]
fn dr_r3_alone_there_is_nobody_to_hold_the_bank_against() {
    let mut trial = Trial::new(Options::default(), 1);
    assert_eq!(trial.tries(ANN, &Act::TakeBank), Err(Refusal::Alone));
    assert_eq!(trial.public().phase, Phase::Betting);
}

#[test]
fn dr_r3_where_the_table_says_so_the_bank_stays_put() {
    let mut trial = Trial::new(Options { passing: false, ..banked_by(ANN) }, 3);
    assert_eq!(trial.tries(ANN, &pass_to(Banker::House)), Err(Refusal::NoPassing));
    assert_eq!(trial.tries(BEN, &Act::TakeBank), Err(Refusal::NoPassing));
}

#[test]
fn dr_s6_any_number_of_chips_on_any_number_of_spots() {
    let set = Set::standard();
    let mut trial = Trial::new(Options { chips: 1_000, ..Options::default() }, 2);
    let everything: Vec<_> = Bet::all().map(|bet| format!("{}=7", set.spot(bet))).collect();
    trial.lays(ANN, &everything.join(" "));
    assert_eq!((trial.chips(ANN), trial.books().layout), (1_000 - 136 * 7, 136 * 7));
    assert_eq!(trial.public().layout.len(), 136);
    trial.lays(ANN, "15=1").lays(BEN, "15=1");
    assert_eq!(trial.public().layout[10], "15=9".parse().unwrap());
    assert_eq!(trial.public().players[0].slip[10], "15=8".parse().unwrap());
    trial.ready(&[ANN, BEN]);
    assert_eq!(trial.public().thrown, 1);
    assert_eq!(trial.books().layout, 0, "the layout is empty after a throw");
}

#[test]
fn dr_s6_a_bet_that_cannot_be_laid_is_refused_with_the_reason() {
    let mut trial = Trial::new(Options::default(), 2);
    let refusal = |trial: &mut Trial, act: &Act| trial.tries(ANN, act).unwrap_err();
    assert_eq!(refusal(&mut trial, &lay("red=101")), Refusal::StakeOverChips { stake: 101, have: 100 });
    assert_eq!(refusal(&mut trial, &lay("red=60 odd=41")), Refusal::StakeOverChips { stake: 101, have: 100 });
    assert_eq!(refusal(&mut trial, &lay("")), Refusal::NoBets);
    let nothing = Act::lay(vec![Stake { on: Spot::Number(15), chips: 0 }]);
    assert_eq!(refusal(&mut trial, &nothing), Refusal::NoStake { bet: Spot::Number(15) });
    let seven = refusal(&mut trial, &lay("15=1 7=1"));
    assert!(matches!(&seven, Refusal::UnknownBet { bet: Spot::Number(7), .. }));
    assert!(seven.to_string().contains("7 can never be thrown"), "{seven}");
    let spoken = Spoken::of(&seven);
    assert_eq!((spoken.code.as_str(), &spoken.details["bet"]), ("unknown-bet", &"7".into()));
    let crowd = Act::lay(stakes(&"15=1 ".repeat(137)));
    assert_eq!(refusal(&mut trial, &crowd), Refusal::TooManyBets { bets: 137, most: 136 });
    let huge = Act::lay(vec![Stake { on: Spot::Number(15), chips: u32::MAX }]);
    assert!(matches!(refusal(&mut trial, &huge), Refusal::LayoutFull { limit: LAYOUT_LIMIT, .. }));
    assert_eq!(refusal(&mut trial, &Act::Clear), Refusal::NothingLaid);
}

#[test]
fn dr_r4_the_window_closes_after_thirty_seconds_or_when_all_are_ready() {
    let mut trial = Trial::new(Options::default(), 2);
    assert_eq!(trial.table.deadline(), Some(Time(30_000)));
    trial.lays(ANN, "red=5").waits();
    assert_eq!((trial.public().thrown, trial.table.deadline()), (1, Some(Time(60_000))));
    trial.ready(&[ANN]);
    assert_eq!(trial.public().thrown, 1);
    assert_eq!(trial.tries(ANN, &Act::Ready), Err(Refusal::AlreadyReady));
    trial.ready(&[BEN]);
    assert_eq!(trial.public().thrown, 2);
    trial.does(ANN, &Act::Lay { bets: stakes("red=1"), ready: true }).ready(&[BEN]);
    assert_eq!(trial.public().thrown, 3, "a player may lay his bets and be ready in one breath");
    let quick = Trial::new(Options { window: 5, ..Options::default() }, 2);
    assert_eq!(quick.table.deadline(), Some(Time(5_000)));
}

#[test]
fn dr_r4_bets_can_be_taken_back_until_the_window_closes() {
    let mut trial = Trial::new(banked_by(ANN), 3);
    trial.lays(BEN, "15=2 red=10").does(BEN, &take_back("red=4"));
    assert_eq!(trial.chips(BEN), 92);
    let spot = "15".parse().unwrap();
    let two = Refusal::NotStanding { bet: spot, asked: 3, standing: 2 };
    assert_eq!(trial.tries(BEN, &take_back("15=2 15=1")), Err(two));
    let none = Refusal::NotStanding { bet: spot, asked: 1, standing: 0 };
    assert_eq!(trial.tries(CAT, &take_back("15=1")), Err(none));
    trial.ready(&[BEN]).does(BEN, &take_back("15=1"));
    assert!(!trial.public().players[1].ready, "who changes his bets is not ready any more");
    trial.does(BEN, &Act::Clear);
    assert_eq!((trial.chips(BEN), trial.books().layout), (100, 0));
    trial.lays(BEN, "15=1").ready(&[BEN, CAT]);
    assert_eq!(trial.tries(BEN, &take_back("15=1")), Err(Refusal::Closed));
    assert_eq!(trial.tries(BEN, &Act::Clear), Err(Refusal::Closed));
    assert_eq!(trial.tries(BEN, &lay("16=1")), Err(Refusal::Closed));
}

#[test]
fn dr_r4_an_act_after_the_window_is_too_late() {
    let mut trial = Trial::new(Options::default(), 2);
    let late = trial.table.act(Time(30_000), ANN, &lay("red=1"));
    assert_eq!(late, Err(Refused::TimeUp { at: Time(30_000), deadline: Time(30_000) }));
    assert!(trial.table.act(Time(29_999), ANN, &lay("red=1")).is_ok());
}

#[test]
fn dr_s7_losers_are_removed_before_winners_are_paid() {
    let mut trial = Trial::throwing(Options { bank_chips: Some(20), ..banked_by(ANN) }, 3, &[15]);
    trial.lays(BEN, "15=2 16=3 odd=1").lays(CAT, "red=15");
    let (laid, before) = (trial.books().layout, trial.public());
    trial.ready(&[BEN, CAT]).does(ANN, &Act::Throw);
    let last = trial.public().last.unwrap();
    assert_eq!((last.black, last.white, last.number, last.red), (1, 5, 15, false));
    assert_eq!((last.swept, last.swept_chips), (stakes("16=3 red=15"), 18));
    assert_eq!((&last.won, last.paid_chips), (&stakes("15=2 odd=1"), 71));
    let ben = trial.table.game().private(BEN).last;
    assert_eq!((ben.swept, ben.returned, ben.paid, ben.net()), (3, 3, 71, 68));
    assert_eq!((trial.chips(BEN), trial.chips(CAT)), (168, 85));
    assert_eq!(trial.bank(), 120 + 18 - 71);
    // Every chip that lay there was swept off or went back with its winnings, and nothing lies there now.
    let went_back: u64 = last.won.iter().map(|stake| u64::from(stake.chips)).sum();
    assert_eq!(laid, last.swept_chips + went_back);
    assert_eq!((trial.books().layout, trial.table.game().slip(BEN).unwrap().is_empty()), (0, true));
    // It is told in that order: first what is swept off, then what is paid.
    let name = |seat: Seat| format!("{seat}");
    let told: Vec<String> = trial.public().news_since(&before).iter().map(|news| news.tell(&name)).collect();
    assert!(told[0].ends_with("18 chips swept, 71 paid."), "{told:?}");
    let picture = trial.public().to_string();
    assert!(
        picture.contains("black 1, white 5: 15 black; swept 18 (16=3 red=15), paid 71 (15=2 odd=1)"),
        "{picture}"
    );
}

#[test]
fn dr_s7_chips_are_conserved_at_every_throw() {
    for seed in 0..60u32 {
        let bank = if seed % 2 == 0 { Banker::House } else { Banker::Seat(Seat(seed % 4)) };
        let options = Options { bank, borrow: seed % 3 == 0, throws: 30, ..Options::default() };
        let mut trial = Trial::new(options, 4);
        let mut bots: Vec<_> =
            (0..4).map(|seat| bot(1 + ((seed + seat) % 5) as u8, u64::from(seed * 4 + seat))).collect();
        let mut throws = 0;
        drive(&mut trial.table, &mut bots, 10_000, |table, _| {
            assert!(table.game().books().balance(), "{:?}", table.game().books());
            throws = table.game().public().thrown;
        })
        .unwrap();
        assert!(throws > 0);
        let Outcome { scores, .. } = trial.outcome().unwrap();
        let won_by_house = trial.books().house;
        assert_eq!(scores.iter().sum::<i64>() + won_by_house, 400, "what one wins another loses");
    }
}

#[test]
fn dr_r5_the_game_ends_after_the_agreed_throws_and_the_most_chips_win() {
    assert_eq!(Options::default().throws, 20);
    let mut trial = Trial::throwing(Options { throws: 2, ..Options::default() }, 3, &[15, 22]);
    trial.lays(ANN, "15=1").lays(BEN, "16=5").ready(&[ANN, BEN, CAT]);
    assert_eq!(trial.outcome(), None);
    trial.ready(&[ANN, BEN, CAT]);
    let outcome = trial.outcome().unwrap();
    assert_eq!((outcome.scores, outcome.ranks), (vec![135, 95, 100], vec![1, 3, 2]));
    assert_eq!(trial.table.deadline(), None);
    assert!([ANN, BEN, CAT].iter().all(|seat| !trial.table.game().awaits(*seat)));
    assert_eq!(trial.table.act(trial.table.now(), ANN, &lay("red=1")), Err(Refused::Over));
}

#[test]
fn dr_r5_the_game_ends_when_the_table_agrees() {
    let mut trial = Trial::new(banked_by(CAT), 3);
    trial.lays(ANN, "15=1").does(ANN, &Act::Agree).does(BEN, &Act::Agree);
    assert_eq!(trial.tries(ANN, &Act::Agree), Err(Refusal::AlreadyAgreed));
    assert_eq!(trial.outcome(), None, "the banker has a voice too");
    trial.does(ANN, &Act::PlayOn).does(CAT, &Act::Agree);
    assert_eq!(trial.tries(ANN, &Act::PlayOn), Err(Refusal::NotAgreed));
    assert_eq!(trial.outcome(), None);
    trial.does(ANN, &Act::Agree);
    assert_eq!(trial.outcome().unwrap().scores, [100, 100, 100], "what lay on the layout went back");
    // A throw asks the table anew.
    let mut trial = Trial::new(Options::default(), 2);
    trial.does(ANN, &Act::Agree).ready(&[ANN, BEN]).does(BEN, &Act::Agree);
    assert_eq!(trial.outcome(), None);
}

#[test]
fn dr_r5_the_game_ends_when_one_player_has_all_the_chips() {
    // Against the house: everybody else is out.
    let mut trial = Trial::throwing(Options::default(), 2, &[15]);
    trial.lays(ANN, "16=100").lays(BEN, "odd=10").ready(&[ANN, BEN]);
    assert_eq!(trial.outcome().unwrap().ranks, [2, 1]);
    // The banker has won everything.
    let mut trial = Trial::throwing(banked_by(ANN), 2, &[15]);
    trial.lays(BEN, "red=100").ready(&[BEN]).does(ANN, &Act::Throw);
    assert_eq!(trial.outcome().unwrap().scores, [200, 0]);
    // A player has broken the bank.
    let mut trial = Trial::throwing(Options { bank_chips: Some(250), ..banked_by(ANN) }, 2, &[15]);
    trial.lays(BEN, "15=10").ready(&[BEN]).does(ANN, &Act::Throw);
    assert_eq!(trial.outcome().unwrap().scores, [-250, 450]);
    // Alone against the house, having all the chips is how one starts; having none ends it.
    let mut trial = Trial::throwing(Options::default(), 1, &[15, 15]);
    trial.lays(ANN, "odd=1").ready(&[ANN]);
    assert_eq!(trial.outcome(), None);
    trial.lays(ANN, "even=101").ready(&[ANN]);
    assert_eq!(trial.outcome().unwrap().scores, [0]);
    // A broken bank that may not pass: nobody could bet again.
    let options = Options { bank_chips: Some(250), passing: false, ..banked_by(ANN) };
    let mut trial = Trial::throwing(options.clone(), 3, &[15]);
    let mut lending = Trial::throwing(Options { borrow: true, ..options }, 3, &[15]);
    for trial in [&mut trial, &mut lending] {
        trial.lays(BEN, "15=10").ready(&[BEN, CAT]).does(ANN, &Act::Throw);
        assert_eq!(trial.outcome().unwrap().ranks, [3, 1, 2]);
    }
}

#[test]
fn dr_r5_where_the_table_lends_nobody_ends_it_without_those_who_may_borrow() {
    let mut trial = Trial::throwing(Options { borrow: true, ..Options::default() }, 2, &[15]);
    trial.lays(ANN, "red=100").ready(&[ANN, BEN]);
    assert_eq!(trial.chips(ANN), 0);
    trial.does(BEN, &Act::Agree);
    assert_eq!(trial.outcome(), None, "Ann has a voice too");
    // Nor is thrown without her, unless she lets it pass.
    trial.ready(&[BEN]);
    assert_eq!(trial.public().thrown, 1);
    trial.ready(&[ANN]);
    assert_eq!(trial.public().thrown, 2);
    // Who borrows after all is waited for again.
    trial.ready(&[ANN]).does(ANN, &Act::Borrow).ready(&[BEN]);
    assert_eq!(trial.public().thrown, 2);
    trial.does(ANN, &Act::Agree).does(BEN, &Act::Agree);
    assert_eq!(trial.outcome().unwrap().scores, [0, 100]);
}

#[test]
fn dr_r5_a_player_without_chips_watches_and_is_not_waited_for() {
    let mut trial = Trial::throwing(Options::default(), 3, &[15]);
    trial.lays(ANN, "red=100").ready(&[ANN, BEN, CAT]);
    assert_eq!(trial.tries(ANN, &lay("red=1")), Err(Refusal::NoChips));
    assert_eq!(trial.tries(ANN, &Act::Ready), Err(Refusal::NoChips));
    assert_eq!(trial.tries(ANN, &Act::Agree), Err(Refusal::NoChips));
    assert_eq!(trial.tries(ANN, &Act::Borrow), Err(Refusal::NoLoans));
    assert!(!trial.table.game().awaits(ANN));
    trial.ready(&[BEN, CAT]);
    assert_eq!(trial.public().thrown, 2);
}

#[test]
fn dr_r5_where_the_table_lends_a_player_without_chips_may_borrow() {
    let mut trial = Trial::throwing(Options { borrow: true, throws: 3, ..Options::default() }, 2, &[15, 15]);
    assert_eq!(trial.tries(ANN, &Act::Borrow), Err(Refusal::NotBroke { chips: 100 }));
    trial.lays(ANN, "red=100").ready(&[ANN, BEN]);
    assert_eq!(trial.outcome(), None, "Ben has all the chips, but Ann may borrow");
    assert!(trial.table.game().awaits(ANN));
    trial.does(ANN, &Act::Borrow);
    assert_eq!((trial.chips(ANN), trial.public().players[0].debt), (100, 100));
    trial.lays(ANN, "15=10").ready(&[BEN, ANN]).ready(&[ANN, BEN]);
    assert_eq!(trial.outcome().unwrap().scores, [350, 100], "what was borrowed is given back");
}

#[test]
fn dr_r5_a_table_where_nobody_has_chips_but_may_borrow_waits_for_the_window() {
    let mut trial = Trial::throwing(Options { borrow: true, ..Options::default() }, 1, &[15]);
    trial.lays(ANN, "red=100").ready(&[ANN]);
    assert_eq!((trial.public().thrown, trial.public().phase), (1, Phase::Betting));
    trial.waits().does(ANN, &Act::Borrow).lays(ANN, "red=1").ready(&[ANN]);
    assert_eq!(trial.public().thrown, 3);
}

#[test]
fn dr_r6_ten_thousand_play_at_one_table() {
    let mut trial = Trial::throwing(Options { throws: 2, ..Options::default() }, 10_000, &[15]);
    let bets = lay("15=1 1|2=1 1-6=2 black=3 1st12=1");
    for seat in (0..10_000).map(Seat) {
        trial.table.act(Time(5), seat, &bets).unwrap();
    }
    let private = trial.table.game().private(Seat(9_999));
    assert_eq!(private.slip.len(), 5);
    for seat in (0..10_000).map(Seat) {
        trial.table.act(Time(6), seat, &Act::Ready).unwrap();
    }
    assert_eq!(trial.public().thrown, 1);
    assert!(trial.public().chips.iter().all(|chips| *chips == 100 + 35 - 1 - 2 + 3 + 2));
    assert_eq!(trial.books().house, -37 * 10_000);
    assert!(trial.books().balance());
    let view = serde_json::to_string(&trial.public()).unwrap();
    assert!(view.len() < 64 * 1024, "the view of 10,000 seats takes {} bytes", view.len());
    assert!(Roulette::seating(&Options::default()).contains(&10_000));
    assert_eq!(trial.table.game().private(Seat(9_999)).last.net(), 37);
}

// ---- The door ----

#[test]
fn options_out_of_bounds_are_refused_by_name() {
    let refused = |options: Options| options.check(3).unwrap_err();
    let options = Options::default;
    assert!(matches!(refused(Options { chips: 0, ..options() }), Refusal::Option { option: "chips", .. }));
    assert!(matches!(refused(Options { window: 0, ..options() }), Refusal::Option { option: "window", .. }));
    assert!(matches!(refused(Options { hold: 3_601, ..options() }), Refusal::Option { option: "hold", .. }));
    assert!(matches!(
        refused(Options { throws: 10_001, ..options() }),
        Refusal::Option { option: "throws", .. }
    ));
    let bottomless = Options { bank_chips: Some(0), ..options() };
    assert!(matches!(refused(bottomless), Refusal::Option { option: "bank_chips", .. }));
    assert_eq!(refused(banked_by(Seat(3))), Refusal::NobodyThere { seat: Seat(3), seats: 3 });
    assert_eq!(Roulette::seating(&banked_by(ANN)).start(), &2, "a bank needs a player");
}

#[test]
fn acts_and_options_read_as_people_write_them() {
    let act = |text| serde_json::from_str::<Act>(text);
    assert_eq!(act(r#"{"do":"lay","bets":["15=2","2|1=3"]}"#).unwrap(), lay("15=2 1|2=3"));
    assert_eq!(act(r#"{"do":"pass-bank","to":"house"}"#).unwrap(), pass_to(Banker::House));
    assert_eq!(act(r#"{"do":"pass-bank","to":{"seat":1}}"#).unwrap(), pass_to(Banker::Seat(BEN)));
    assert_eq!(act(r#"{"do":"take-bank"}"#).unwrap(), Act::TakeBank);
    let at_once = Act::Lay { bets: stakes("15=2"), ready: true };
    assert_eq!(act(r#"{"do":"lay","bets":["15=2"],"ready":true}"#).unwrap(), at_once);
    assert!(act(r#"{"do":"lay","bets":["15=0"]}"#).unwrap_err().to_string().contains("no stake"));
    assert!(act(r#"{"do":"lay","bets":["fifteen=1"]}"#).unwrap_err().to_string().contains("fifteen"));
    let options: Options = serde_json::from_str(r#"{"bank":{"seat":0},"throws":5}"#).unwrap();
    assert_eq!(options, Options { throws: 5, ..banked_by(ANN) });
    assert!(serde_json::from_str::<Options>(r#"{"chip":5}"#).is_err());
}

#[test]
fn the_coach_tells_the_odds_of_a_slip_and_what_the_throw_did() {
    let mut trial = Trial::throwing(Options::default(), 1, &[15]);
    let advise = |trial: &Trial| coach::advise(&trial.public(), &trial.table.game().private(ANN));
    assert_eq!(advise(&trial).odds, None);
    trial.lays(ANN, "15=1 red=2");
    let advice = advise(&trial);
    assert_eq!(advice.odds, odds("15=1 red=2").ok());
    assert!(advice.says.contains("3 chips on the layout: 19 of 36 numbers put you ahead"), "{}", advice.says);
    trial.ready(&[ANN]);
    let advice = advise(&trial);
    assert_eq!(advice.last.unwrap(), "15 came: 2 were swept off, 1 came back and 35 were paid; +33 for you.");
}

#[test]
fn the_five_gamblers_bet_in_five_ways() {
    let mut slips = BTreeSet::new();
    for level in 1..=5 {
        let mut trial = Trial::new(Options::default(), 2);
        let mut bots = vec![bot(level, 7), bot(2, 8)];
        let mut laid = Vec::new();
        drive(&mut trial.table, &mut bots, 10_000, |_, entry| {
            if let table::record::Event::Act { seat: ANN, act: Act::Lay { bets, .. } } = &entry.event {
                laid.push(bets.clone());
            }
        })
        .unwrap();
        assert!(!laid.is_empty(), "level {level} plays");
        slips.insert(laid.concat());
    }
    assert_eq!(slips.len(), 5);
}

#[test]
fn a_bot_takes_the_bank_that_it_is_offered() {
    let mut trial = Trial::new(Options { throws: 2, ..banked_by(ANN) }, 3);
    trial.does(ANN, &pass_to(Banker::Seat(BEN)));
    let mut bots = vec![bot(1, 7), bot(4, 8), bot(3, 9)];
    let mut bankers = BTreeSet::new();
    drive(&mut trial.table, &mut bots, 10_000, |table, _| {
        if let Banker::Seat(seat) = table.game().public().banker {
            bankers.insert(seat);
        }
    })
    .unwrap();
    assert!(bankers.contains(&BEN), "{bankers:?}");
}

/// Asks a bot until it has nothing to say, and does what it says; answers whether it agreed to stop.
fn asked_to_stop(trial: &mut Trial, seat: Seat, bot: &mut dyn Bot<Roulette>) -> bool {
    for _ in 0..4 {
        let (public, private) = (trial.public(), trial.table.game().private(seat));
        if trial.outcome().is_some() || !trial.table.game().awaits(seat) {
            break;
        }
        let now = trial.table.now();
        let Some(intent) = bot.next(&View { now, seat, public: &public, private: &private }) else { break };
        assert!(trial.table.deadline().is_some_and(|closes| intent.at < closes), "it answers in time");
        trial.table.act(intent.at.max(now), seat, &intent.act).expect("the act is allowed");
        if intent.act == Act::Agree {
            return true;
        }
    }
    false
}

// rules: DR-R5
#[test]
fn dr_r5_a_bot_answers_when_the_table_is_asked_to_stop() {
    let mut agreed = 0;
    for seed in 0..30 {
        for (bank, ready) in [(Banker::House, false), (Banker::House, true), (Banker::Seat(BEN), true)] {
            let mut trial = Trial::new(Options { bank, ..Options::default() }, 3);
            let mut ben = bot(1 + seed as u8 % 5, seed);
            if bank == Banker::House && ready {
                trial.ready(&[BEN]);
            }
            assert!(!asked_to_stop(&mut trial, BEN, &mut *ben), "nobody has asked yet");
            trial.does(ANN, &Act::Agree).does(CAT, &Act::Agree);
            let yes = asked_to_stop(&mut trial, BEN, &mut *ben);
            assert_eq!(trial.outcome().is_some(), yes, "the bot's voice was the last one wanted");
            assert!(yes || !asked_to_stop(&mut trial, BEN, &mut *ben), "one answer to a throw");
            agreed += u32::from(yes);
        }
    }
    assert!((45..75).contains(&agreed), "two of three: {agreed} of 90");
}

// rules: DR-R3 DR-R4
#[test]
fn dr_r3_a_banker_who_gives_the_bank_away_is_waited_for_like_everybody() {
    let mut trial = Trial::new(Options::default(), 2);
    trial.ready(&[BEN]).does(BEN, &Act::TakeBank).does(BEN, &pass_to(Banker::House)).ready(&[ANN]);
    assert!(trial.table.game().awaits(BEN), "whoever has held the bank says again that he is ready");
    assert_eq!(trial.public().thrown, 0);
    trial.ready(&[BEN]);
    assert_eq!(trial.public().thrown, 1);
}
