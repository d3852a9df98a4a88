//! Every rule of `docs/rules/skeleton.md`, by its id.

use skeleton::{Act, Options, Refusal, Skeleton};
use table::{Head, Game, Refused, Seat, Seats, Seed, Table, Time};

fn open(goal: u32, people: usize) -> Table<Skeleton> {
    let seats = Seats::named((1..=people).map(|at| format!("Player {at}"))).unwrap();
    let seed = Seed::from_number(7);
    Table::open(&Head::new(Skeleton::NAME, Options { goal }, seats, seed.commitment()), &seed).unwrap()
}

#[test]
fn sk_s1_in_turn_everybody_throws_and_adds() {
    let mut table = open(30, 3);
    for _ in 0..3 {
        let before = table.game().public();
        let waiting = before.turn.left(3);
        assert_eq!(table.act(Time(0), waiting, &Act::Throw), Err(Refused::Rule(Refusal::NotYourTurn)));
        table.act(Time(0), before.turn, &Act::Throw).unwrap();
        let after = table.game().public();
        let (seat, shown) = after.last.unwrap();
        assert_eq!((seat, after.turn), (before.turn, waiting));
        assert_eq!(after.totals[seat.index()], before.totals[seat.index()] + shown);
    }
}

#[test]
fn sk_s2_the_first_to_reach_the_goal_wins() {
    let mut table = open(10, 2);
    while table.outcome().is_none() {
        let public = table.game().public();
        assert!(public.totals.iter().all(|&total| total < 10));
        table.act(Time(0), public.turn, &Act::Throw).unwrap();
    }
    let (winner, _) = table.game().public().last.unwrap();
    assert_eq!(table.outcome().unwrap().winners().collect::<Vec<Seat>>(), [winner]);
}
