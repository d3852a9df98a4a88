//! Records of format 2: with the links of players' clients they verify, and everything that a house could do to a throw is found, each by its
//! own words.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

mod pig;

use pig::{Act, Pig, Rules};
use table::chain::{Link, Secret};
use table::record::{End, Gathered, Head, Reader, Scribe};
use table::ring::{ASKED, BadThrow, RETURNS};
use table::verify::{Fault, What, verify};
use table::{Game as _, Seat, Seats, Seed, Table, Time};

fn secret(number: u8) -> Secret {
    Secret::new([number; 32])
}

/// What a house may do otherwise than it should.
#[derive(Default)]
struct Cheat {
    /// Another act of the first seat after the links have come.
    act: Option<Act>,
    /// Another link of the second seat, by the number of the throw.
    link: Option<Link>,
    /// The second seat's link is left out.
    drops: bool,
    /// The second seat is said to be silent, though it was not asked.
    silences: bool,
    /// Another anchor than the second seat's own, from the first throw.
    anchor: Option<Link>,
}

fn head(seed: &Seed, anchors: &[Link]) -> Head<Rules> {
    let seats = Seats::named(["Ann", "Ben"]).unwrap();
    let anchors = (0..).map(Seat).zip(anchors.iter().copied()).collect();
    let rules = Rules { goal: 10, ..Rules::default() };
    Head::new("pig", rules, seats, seed.commitment()).under(Pig::RULES).linked(anchors)
}

/// A game of Pig in which everybody always throws, time and again until it is over or has gone far enough; and its record. What a house
/// does wrong it does at its second throw, to a record whose sums are all right.
fn game(cheat: &Cheat) -> Vec<String> {
    let seed = Seed::from_number(11);
    let secrets = [secret(1), secret(2)];
    let head = head(&seed, &[secrets[0].anchor(), cheat.anchor.unwrap_or(secrets[1].anchor())]);
    let mut table = Table::<Pig>::open(&head, &seed).unwrap();
    let (mut scribe, mut forger) = (Scribe::new(), Scribe::new());
    let mut lines = vec![forger.head(&head)];
    scribe.head(&head);
    let mut turns = 0;
    loop {
        while let Some(ask) = table.ask() {
            let at = table.throws_at().unwrap();
            let cheats = ask.throw == 2;
            let links: Vec<Link> =
                ask.seats.iter().map(|(seat, index)| secrets[seat.index()].link(*index).unwrap()).collect();
            let honest = Gathered::Links(links.clone());
            let mut told = honest.clone();
            if let (Gathered::Links(links), true) = (&mut told, cheats) {
                if let Some(link) = cheat.link {
                    links[1] = link;
                }
                if cheat.drops {
                    links.pop();
                }
                if cheat.silences {
                    told = Gathered::Silent(vec![Seat(7)]);
                }
            }
            lines.push(forger.throw(at, ask.throw, &told));
            if table.throw(at, ask.throw, scribe.sum(), &honest).is_err() {
                return ended(lines, forger, &table, seed);
            }
            scribe.throw(at, ask.throw, &honest);
        }
        if table.outcome().is_some() || turns == 400 {
            return ended(lines, forger, &table, seed);
        }
        let (at, seat) = (table.now().plus(1000), Seat(u32::from(!table.awaits_turn(Seat(0)))));
        let act = if table.pot() >= 8 { Act::Hold } else { Act::Throw };
        table.act(at, seat, &act).unwrap();
        turns += 1;
        scribe.act(at, seat, &act);
        let told = cheat.act.as_ref().filter(|_| turns == 1).unwrap_or(&act);
        lines.push(forger.act(at, seat, told));
    }
}

fn ended(mut lines: Vec<String>, mut forger: Scribe, table: &Table<Pig>, seed: Seed) -> Vec<String> {
    let outcome = table.outcome().unwrap_or(table::Outcome { ranks: vec![1, 2], scores: vec![1, 0] });
    let end = End { outcome, state: table.fingerprint(), drawn: table.drawn(), seed };
    lines.push(forger.end(table.now(), &end));
    lines
}

/// What the tests need to know of a game of Pig.
trait Turn {
    fn awaits_turn(&self, seat: Seat) -> bool;
    fn pot(&self) -> u64;
}

impl Turn for Table<Pig> {
    fn awaits_turn(&self, seat: Seat) -> bool {
        serde_json::to_value(self.game().public()).unwrap()["turn"] == seat.0
    }

    fn pot(&self) -> u64 {
        serde_json::to_value(self.game().public()).unwrap()["pot"].as_u64().unwrap()
    }
}

fn fault(cheat: &Cheat) -> Fault {
    verify::<Pig>(&game(cheat).join("\n")).expect_err("this record was tampered with")
}

#[test]
fn a_record_with_links_verifies_and_says_how_many_throws_they_are_in() {
    let lines = game(&Cheat::default());
    assert!(lines[0].starts_with(r#"{"parlor":2,"#) && lines[1].contains(r#""throw":1,"links":["#));
    let verified = verify::<Pig>(&lines.join("\n")).unwrap();
    let throws = lines.iter().filter(|line| line.contains("\"throw\":")).count() as u64;
    assert_eq!((verified.dice.format, verified.dice.linked, verified.dice.unlinked), (2, throws, 0));
    assert_eq!(verified.dice.says(), format!("Players' devices took part in {throws} throws of {throws}."));
}

#[test]
fn whatever_a_house_does_to_a_throw_is_found() {
    let forged = Cheat { link: Some(secret(9).link(2).unwrap()), ..Cheat::default() };
    assert_eq!(fault(&forged).what, What::Throw(BadThrow::Link(Seat(1))));
    let again = Cheat { link: Some(secret(2).link(1).unwrap()), ..Cheat::default() };
    assert_eq!(fault(&again).what, What::Throw(BadThrow::Link(Seat(1))), "the link of an earlier throw");
    let ahead = Cheat { link: Some(secret(2).link(3).unwrap()), ..Cheat::default() };
    assert_eq!(fault(&ahead).what, What::Throw(BadThrow::Link(Seat(1))), "the link of a later throw");
    let dropped = Cheat { drops: true, ..Cheat::default() };
    assert_eq!(fault(&dropped).what, What::Throw(BadThrow::Count { expected: 2, found: 1 }));
    let silenced = Cheat { silences: true, ..Cheat::default() };
    assert_eq!(fault(&silenced).what, What::Throw(BadThrow::NotAsked(Seat(7))));
    let anchored = Cheat { anchor: Some(secret(9).anchor()), ..Cheat::default() };
    assert_eq!(fault(&anchored).what, What::Throw(BadThrow::Link(Seat(1))), "a chain that nobody there has");
}

/// An act that was changed after the links came has another sum, so its dice are others: the play does not fit.
#[test]
fn an_act_that_was_changed_after_the_links_came_gives_other_dice() {
    let cheat = Cheat { act: Some(Act::Guess { score: 5 }), ..Cheat::default() };
    fault(&cheat);
}

#[test]
fn sums_of_linked_records_are_whole() {
    let lines = game(&Cheat::default());
    for line in &lines {
        let sum = line.rsplit_once("\"c\":\"").unwrap().1;
        assert_eq!(sum.len(), 64 + 2, "{line}");
    }
    let short = lines[1].replace(&lines[1][lines[1].len() - 50..], "\"}");
    let mut reader = Reader::new();
    reader.head::<Rules>(&lines[0]).unwrap();
    assert!(reader.line::<Act>(&short).is_err());
}

#[test]
fn whoever_is_silent_is_not_asked_until_it_brings_another_chain_and_not_without_end() {
    let seed = Seed::from_number(3);
    let anchors = [secret(1).anchor(), secret(2).anchor()];
    let head = head(&seed, &anchors);
    let mut table = Table::<Pig>::open(&head, &seed).unwrap();
    let mut scribe = Scribe::new();
    scribe.head(&head);
    for turn in 0..=RETURNS {
        let ask = table.ask().unwrap();
        assert_eq!(ask.seats.len(), 2, "{turn}");
        let silent = Gathered::Silent(vec![Seat(1)]);
        let at = table.throws_at().unwrap();
        assert_eq!(table.throw(at, ask.throw, scribe.sum(), &silent), Ok(false), "nothing is thrown");
        let again = table.ask().unwrap();
        assert_eq!((again.throw, again.seats.as_slice()), (ask.throw + 1, &[(Seat(0), ask.throw + 1)][..]));
        let link = Gathered::Links(vec![secret(1).link(again.throw).unwrap()]);
        assert_eq!(table.throw(at, again.throw, scribe.sum(), &link), Ok(true));
        let back = table.anchor(table.now(), Seat(1), secret(2).anchor());
        assert_eq!(back.is_ok(), turn < RETURNS, "{turn}: {back:?}");
        let seat = Seat(u32::from(!table.awaits_turn(Seat(0))));
        table.act(table.now(), seat, &Act::Throw).unwrap();
        assert!(table.act(table.now(), seat, &Act::Throw).is_err(), "the dice are in the air");
        assert_eq!((table.deadline(), table.awaits(seat)), (None, false));
    }
    assert_eq!(table.ask().unwrap().seats.len(), 1);
}

#[test]
fn of_many_seats_others_are_asked_for_each_throw() {
    use std::collections::{BTreeMap, BTreeSet};
    use table::record::Sum;
    let anchors: BTreeMap<Seat, Link> = (0..40).map(|at| (Seat(at), secret(at as u8).anchor())).collect();
    let mut ring = table::ring::Ring::new(Seed::from_number(1), Sum::default(), &anchors);
    let mut met = BTreeSet::new();
    for throw in 1..=3 {
        let ask = ring.ask();
        assert_eq!((ask.throw, ask.seats.len()), (throw, ASKED));
        met.extend(ask.seats.iter().map(|(seat, _)| *seat));
        let links = ask.seats.iter().map(|(seat, at)| secret(seat.0 as u8).link(*at).unwrap()).collect();
        ring.gather(throw, Sum::default(), &Gathered::Links(links)).unwrap().unwrap();
    }
    assert_eq!(met.len(), 40, "in three throws everybody");
}

/// A moment that is not the throw's own, and a throw where none is made.
#[test]
fn a_throw_belongs_to_its_line() {
    let seed = Seed::from_number(3);
    let head = head(&seed, &[secret(1).anchor()]);
    let mut table = Table::<Pig>::open(&head, &seed).unwrap();
    let link = |index| Gathered::Links(vec![secret(1).link(index).unwrap()]);
    let sum = table::record::Sum::default();
    assert_eq!(table.throw(Time(5), 1, sum, &link(1)), Err(BadThrow::Moment));
    assert_eq!(table.throw(Time(0), 2, sum, &link(2)), Err(BadThrow::Number { expected: 1, found: 2 }));
    assert_eq!(table.throw(Time(0), 1, sum, &link(1)), Ok(true));
    assert_eq!(table.throw(Time(0), 2, sum, &link(2)), Err(BadThrow::NoThrow));
}
