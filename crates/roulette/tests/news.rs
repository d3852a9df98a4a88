//! What is told of a game: chips laid and taken back, throws, and the way of the bank.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use roulette::{Act, Banker, News, Options, Public, Roulette};
use table::{Game, Head, Seat, Seats, Seed, Table};

const ANN: Seat = Seat(0);
const BEN: Seat = Seat(1);

struct Trial {
    table: Table<Roulette>,
    before: Public,
}

impl Trial {
    fn new(options: Options, names: &[&str]) -> Trial {
        let seed = Seed::from_number(1932);
        let seats = Seats::named(names.iter().copied()).unwrap();
        let head = Head::new(Roulette::NAME, options, seats, seed.commitment()).under(Roulette::RULES);
        let table = Table::<Roulette>::open(&head, &seed).unwrap();
        let before = table.game().public();
        Trial { table, before }
    }

    fn act(&mut self, seat: Seat, act: &Act) -> &mut Trial {
        self.table.act(self.table.now(), seat, act).unwrap();
        self
    }

    /// What is told since it was told last.
    fn told(&mut self) -> Vec<String> {
        let now = self.table.game().public();
        let name = |seat: Seat| ["Ann", "Ben", "Cat"][seat.index()].to_owned();
        let told = now.news_since(&self.before).iter().map(|news| news.tell(&name)).collect();
        self.before = now;
        told
    }
}

fn lay(slip: &str) -> Act {
    Act::lay(slip.split(' ').map(|stake| stake.parse().unwrap()).collect())
}

#[test]
fn chips_throws_and_voices_are_told() {
    let mut trial = Trial::new(Options::default(), &["Ann", "Ben"]);
    assert_eq!(trial.act(ANN, &lay("15=2 1|2=3")).told(), ["Ann lays 15=2 1|2=3."]);
    assert_eq!(trial.act(ANN, &lay("15=4")).told(), ["Ann lays 15=4."]);
    let back = Act::TakeBack { bets: vec!["15=5".parse().unwrap()] };
    assert_eq!(trial.act(ANN, &back).told(), ["Ann takes back 15=5."]);
    assert_eq!(trial.act(BEN, &Act::Agree).told(), ["Ben would stop here."]);
    assert_eq!(trial.act(BEN, &Act::PlayOn).told(), ["Ben wants to play on."]);
    assert!(trial.act(ANN, &Act::Ready).told().is_empty());
    trial.act(BEN, &lay("red=10")).act(BEN, &Act::Agree).act(BEN, &Act::Ready);
    let told = trial.told();
    assert!(told[0].ends_with(" paid."), "{told:?}");
    assert!(told[1].starts_with("Ann ") && told[2].starts_with("Ben ") && told.len() == 3, "{told:?}");
}

#[test]
fn the_way_of_the_bank_is_told_and_no_loan_is_made_of_it() {
    let options = Options { bank: Banker::Seat(ANN), ..Options::default() };
    let mut trial = Trial::new(options, &["Ann", "Ben", "Cat"]);
    let offer = Act::PassBank { to: Banker::Seat(BEN) };
    assert_eq!(trial.act(ANN, &offer).told(), ["The bank is offered to Ben."]);
    trial.act(Seat(2), &Act::Agree).told();
    assert_eq!(trial.act(BEN, &Act::TakeBank).told(), ["Ben takes the bank."]);
    assert!(trial.act(ANN, &Act::Ready).told().is_empty());
    assert_eq!(trial.act(Seat(2), &Act::Ready).told(), ["Ben takes the dice: no more bets."]);
    let thrown = trial.act(BEN, &Act::Throw).told();
    assert!(thrown.len() == 1 && thrown[0].ends_with("0 chips swept, 0 paid."), "{thrown:?}");
    assert_eq!(trial.act(BEN, &Act::PassBank { to: Banker::House }).told(), ["The house takes the bank."]);
}

// rules: DR-R3
#[test]
fn a_promised_bank_is_not_taken_back_in_silence() {
    let options = Options { bank: Banker::Seat(ANN), ..Options::default() };
    let mut trial = Trial::new(options, &["Ann", "Ben", "Cat"]);
    trial.act(BEN, &lay("red=1")).act(ANN, &Act::PassBank { to: Banker::Seat(BEN) }).told();
    assert_eq!(trial.act(BEN, &Act::TakeBank).told(), ["Ben takes the bank after this throw."]);
    assert_eq!(
        trial.act(ANN, &Act::PassBank { to: Banker::Seat(Seat(2)) }).told(),
        ["Ben does not get the bank after all.", "The bank is offered to Cat."]
    );
    trial.act(Seat(2), &Act::TakeBank).told();
    assert_eq!(
        trial.act(ANN, &Act::PassBank { to: Banker::House }).told(),
        ["Cat does not get the bank after all.", "The house takes the bank after this throw."]
    );
    // What was promised is kept by the throw, and then it is told as what it is.
    trial.act(BEN, &Act::Ready).act(Seat(2), &Act::Ready).told();
    let told = trial.act(ANN, &Act::Throw).told();
    assert_eq!(told.last().map(String::as_str), Some("The house takes the bank."), "{told:?}");
}

#[test]
fn a_large_table_is_told_its_throws_alone() {
    let names: Vec<String> = (0..70).map(|at| format!("Player {at}")).collect();
    let mut trial = Trial::new(Options::default(), &names.iter().map(String::as_str).collect::<Vec<_>>());
    trial.act(ANN, &lay("15=2"));
    assert!(trial.told().is_empty());
    let deadline = trial.table.deadline().unwrap();
    trial.table.expire_due(deadline);
    let news = trial.table.game().public().news_since(&trial.before);
    assert!(matches!(news.as_slice(), [News::Thrown { .. }]), "{news:?}");
}
