//! Records of whole games: sound ones verify, and every kind of tampering is found on its line.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

mod pig;

use pig::{Act, Pig, Rules};
use serde_json::{Value, json};
use table::record::{End, Event, Head, Scribe};
use table::verify::{Checked, Fault, What, seals_so_far, verify};
use table::{Bot, Game as _, Intent, Refused, Seat, Seated, Seats, Seed, Table, Time, View, bot};

/// Throws until there are eight in the pot, thinking a second each time.
struct Careful;

impl Bot<Pig> for Careful {
    fn next(&mut self, view: &View<'_, Pig>) -> Option<Intent<Act>> {
        let public = serde_json::to_value(view.public).unwrap();
        if public["turn"] != view.seat.0 {
            return None;
        }
        let act = if public["pot"].as_u64() < Some(8) { Act::Throw } else { Act::Hold };
        Some(Intent { at: view.now.plus_secs(1), act })
    }
}

fn seats() -> Seats {
    let seated = |name: &str, seed: &str| Seated { name: name.into(), seed: seed.into() };
    Seats::new(vec![seated("Ann", "clover"), seated("Ben", "")]).unwrap()
}

fn head(seed: &Seed) -> Head<Rules> {
    Head::new("pig", Rules::default(), seats(), seed.commitment()).under(Pig::RULES)
}

type Events = Vec<(Time, Event<Act>)>;

/// The lines of a game, and its events for writing them anew.
fn game() -> (Vec<String>, Events, End) {
    let seed = Seed::from_number(11);
    let head = head(&seed);
    let mut table = Table::<Pig>::open(&head, &seed).unwrap();
    let mut scribe = Scribe::new();
    let mut lines = vec![scribe.head(&head)];
    let mut events = Vec::new();
    let mut bots: Vec<Box<dyn Bot<Pig>>> = vec![Box::new(Careful), Box::new(Careful)];
    let outcome = bot::drive(&mut table, &mut bots, 1000, |_, entry| {
        lines.push(scribe.event(entry.at, &entry.event));
        events.push((entry.at, entry.event.clone()));
    });
    let end = End { outcome: outcome.unwrap(), state: table.fingerprint(), drawn: table.drawn(), seed };
    lines.push(scribe.end(table.now(), &end));
    (lines, events, end)
}

/// A forger who knows how the sums are made writes the whole record anew.
fn forge(head: &Head<Rules>, events: &[(Time, Event<Act>)], end: Option<(Time, &End)>) -> String {
    let mut scribe = Scribe::new();
    let mut lines = vec![scribe.head(head)];
    lines.extend(events.iter().map(|(at, event)| scribe.event(*at, event)));
    lines.extend(end.map(|(at, end)| scribe.end(at, end)));
    lines.join("\n")
}

fn fault(text: &str) -> Fault {
    verify::<Pig>(text).expect_err("this record was tampered with")
}

#[test]
fn a_sound_record_verifies() {
    let (lines, events, end) = game();
    let verified = verify::<Pig>(&lines.join("\n")).unwrap();
    assert_eq!(verified.outcome, end.outcome);
    assert_eq!(verified.events, events.len() as u64);
    assert_eq!(verified.players, ["Ann", "Ben"]);
    assert!(verified.dice.says().contains("does not show that the house did not know them"), "{verified:?}");
    assert_eq!(verify::<Pig>(&(lines.join("\n") + "\n")).unwrap(), verified, "a last line end does no harm");
}

#[test]
fn a_changed_lost_added_or_moved_line_is_named() {
    let (lines, ..) = game();
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = lines.clone();
        change(&mut lines);
        fault(&lines.join("\n"))
    };
    assert!(lines.len() > 8, "the game is long enough to tamper with");
    let sum = |fault: &Fault| matches!(fault.what, What::Text(table::record::LineFault::Sum { .. }));

    let changed = with(&|lines| lines[3] = lines[3].replace("throw", "hold"));
    assert!(changed.line == 4 && sum(&changed), "{changed}");
    let head = with(&|lines| lines[0] = lines[0].replace("Ann", "Eve"));
    assert!(head.line == 1 && sum(&head), "{head}");
    let lost = with(&|lines| drop(lines.remove(4)));
    assert!(lost.line == 5 && sum(&lost), "{lost}");
    let added = with(&|lines| lines.insert(4, lines[3].clone()));
    assert!(added.line == 5 && sum(&added), "{added}");
    let moved = with(&|lines| lines.swap(2, 3));
    assert!(moved.line == 3 && sum(&moved), "{moved}");
    let cut = with(&|lines| lines[4].truncate(20));
    assert_eq!((cut.line, cut.what), (5, What::Text(table::record::LineFault::NoSum)));
    let empty = with(&|lines| lines.insert(2, String::new()));
    assert_eq!(empty.line, 3);
    let endless = with(&|lines| drop(lines.pop()));
    assert_eq!((endless.line, endless.what), (lines.len() - 1, What::NoEnd));
    let longer = with(&|lines| lines.push(lines[2].clone()));
    assert_eq!((longer.line, longer.what), (lines.len() + 1, What::AfterEnd));
    assert_eq!(fault("").what, What::Text(table::record::LineFault::NoSum));
    assert_eq!(fault("not a record at all").line, 1);
}

#[test]
fn a_forged_event_is_refused_on_its_line_though_its_sum_is_right() {
    let (_, events, end) = game();
    let head = head(&end.seed);
    let last = events.last().unwrap().0;
    let with = |change: &dyn Fn(&mut Events)| {
        let mut events = events.clone();
        change(&mut events);
        fault(&forge(&head, &events, Some((last, &end))))
    };
    let code = |fault: &Fault| match &fault.what {
        What::Refused(spoken) => spoken.code.clone(),
        other => panic!("{other}"),
    };
    let other = |seat: Seat| Seat(1 - seat.0);
    let turned = with(&|events| {
        if let Event::Act { seat, .. } = &mut events[1].1 {
            *seat = other(*seat);
        }
    });
    assert_eq!((turned.line, code(&turned).as_str()), (3, "not-your-turn"));
    let nobody = with(&|events| events[1].1 = Event::Act { seat: Seat(9), act: Act::Throw });
    assert_eq!((nobody.line, code(&nobody).as_str()), (3, "no-such-seat"));
    let early = with(&|events| events[2].0 = Time(1));
    assert_eq!((early.line, code(&early).as_str()), (4, "clock-back"));
    let late = with(&|events| events.iter_mut().skip(2).for_each(|(at, _)| *at = at.plus_secs(60)));
    assert_eq!((late.line, code(&late).as_str()), (4, "time-up"));
    let bell = with(&|events| events[1].1 = Event::Time);
    assert_eq!((bell.line, code(&bell).as_str()), (3, "not-due"));
    let after = with(&|events| events.push((last, Event::Act { seat: Seat(0), act: Act::Throw })));
    assert_eq!((after.line, code(&after).as_str()), (events.len() + 2, "over"));
}

#[test]
fn a_forged_end_does_not_follow_from_the_game() {
    let (_, events, end) = game();
    let head = head(&end.seed);
    let last = events.last().unwrap().0;
    let ending = |at: Time, change: &dyn Fn(&mut End)| {
        let mut end = end.clone();
        change(&mut end);
        fault(&forge(&head, &events, Some((at, &end)))).what
    };
    let field = |what: What| match what {
        What::End { field, .. } => field,
        other => panic!("{other}"),
    };
    assert_eq!(field(ending(last, &|end| end.outcome.scores[0] += 1)), "outcome");
    assert_eq!(field(ending(last, &|end| end.outcome.ranks.reverse())), "outcome");
    assert_eq!(field(ending(last, &|end| end.state.replace_range(..1, "x"))), "state");
    assert_eq!(field(ending(last, &|end| end.drawn += 1)), "dice drawn");
    assert_eq!(field(ending(last.plus(1), &|_| ())), "time");
    let seed = ending(last, &|end| end.seed = Seed::from_number(12));
    assert!(matches!(&seed, What::Open(why) if why.contains("commitment")), "{seed}");
    let short = fault(&forge(&head, &events[..4], Some((events[3].0, &end))));
    assert_eq!((short.line, short.what), (6, What::GoesOn));
}

#[test]
fn an_outcome_may_say_more_on_a_wire_but_not_in_a_record() {
    let (_, _, end) = game();
    let mut more = serde_json::to_value(&end).unwrap();
    more["outcome"]["prize"] = 3.into();
    let outcome: table::Outcome = serde_json::from_value(more["outcome"].clone()).unwrap();
    assert_eq!(outcome, end.outcome);
    assert!(serde_json::from_value::<End>(more).is_err());
}

#[test]
fn a_forged_head_gives_other_dice_or_no_table() {
    let (_, events, end) = game();
    let last = events.last().unwrap().0;
    let with = |change: &dyn Fn(&mut Head<Rules>)| {
        let mut head = head(&end.seed);
        change(&mut head);
        fault(&forge(&head, &events, Some((last, &end))))
    };
    let seeded = |seed: &str| {
        let mut seated = seats().seated().to_vec();
        seated[1].seed = seed.to_owned();
        Seats::new(seated).unwrap()
    };
    // Another seed at a seat means other throws: the game stops fitting somewhere.
    with(&|head| head.seats = seeded("thistle"));
    assert!(matches!(with(&|head| head.parlor = 3).what, What::Open(why) if why.contains("version 3")));
    assert!(matches!(with(&|head| head.parlor = 2).what, What::Open(why) if why.contains("anchors")));
    assert!(
        matches!(with(&|head| head.game = "chess".into()).what, What::Open(why) if why.contains("chess"))
    );
    assert!(matches!(with(&|head| head.options.goal = 5).what, What::Open(why) if why.contains("10 to 100")));
    assert!(matches!(with(&|head| head.options.goal = 30).what, What::GoesOn | What::End { .. }));
    let alone = with(&|head| head.seats = Seats::named(["Ann"]).unwrap());
    assert!(matches!(alone.what, What::Open(why) if why.contains("2 to 4 players; 1 sat down")));
}

#[test]
fn acts_are_refused_with_reasons_that_teach() {
    let seed = Seed::from_number(11);
    let mut table = Table::<Pig>::open(&head(&seed), &seed).unwrap();
    let refused = table.act(Time(5_000), Seat(0), &Act::Throw).unwrap_err();
    assert_eq!(refused, Refused::TimeUp { at: Time(5_000), deadline: Time(5_000) });
    assert_eq!(table.expire_due(Time(4_999)), None);
    assert_eq!(table.expire_due(Time(9_999)), Some(Time(5_000)));
    assert_eq!(table.deadline(), Some(Time(10_000)));
    let refused = table.act(Time(4_000), Seat(0), &Act::Throw).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "The clock of this table stands at 0:05.000; an act cannot be made at 0:04.000."
    );
}

/// A record as a program wrote it that played by these rules: its own options, and states written its own way.
fn made_under(rules: u32, options: Value) -> String {
    let (seed, (_, events, end)) = (Seed::from_number(11), game());
    let head = Head::new("pig", options, seats(), seed.commitment()).under(rules);
    let end = End { state: "written differently then".into(), ..end };
    let mut scribe = Scribe::new();
    let mut lines = vec![scribe.head(&head)];
    lines.extend(events.iter().map(|(at, event)| scribe.event(*at, event)));
    lines.push(scribe.end(events.last().unwrap().0, &end));
    lines.join("\n")
}

#[test]
fn a_record_of_an_older_revision_is_replayed_by_the_old_reading_of_its_rules() {
    let old = verify::<Pig>(&made_under(2, json!({"goal": 20}))).unwrap();
    assert!(matches!(&old.checked, Checked::Play(rules) if (rules.made, rules.newest) == (2, 3)), "{old:?}");
    assert!(old.unchecked().unwrap().contains("revision 2"));
    // No goal was 60 then and is 20 now: by the old reading this game was not over yet.
    let longer = verify::<Pig>(&made_under(2, json!({}))).expect_err("nobody has 60");
    assert_eq!(longer.what, What::GoesOn);
    let now = verify::<Pig>(&made_under(3, json!({}))).expect_err("a state of this revision is compared");
    assert!(matches!(now.what, What::End { field: "state", .. }), "{now}");
}

#[test]
fn an_honest_record_under_rules_unknown_here_is_never_called_false() {
    for rules in [1, 4] {
        let record = made_under(rules, json!({"no such option": {}}));
        let verified = verify::<Pig>(&record).unwrap();
        assert!(matches!(&verified.checked, Checked::Seals(found) if found.made == rules), "{verified:?}");
        assert!(verified.unchecked().unwrap().contains("the play was not checked"));
        assert_eq!(verified.players, ["Ann", "Ben"]);
        let shown = table::verify::walk::<Pig>(&record, |_, _| ()).expect_err("it cannot be shown");
        assert!(matches!(&shown.what, What::Rules(found) if found.made == rules), "{shown}");
        // What holds under any rules is still checked.
        let touched = record.replacen("\"seat\":0", "\"seat\":1", 1);
        assert!(matches!(fault(&touched).what, What::Text(table::record::LineFault::Sum { .. })));
        let cut = record.rsplit_once('\n').unwrap().0;
        assert_eq!(fault(cut).what, What::NoEnd);
    }
    let mut head = Head::new("pig", json!({}), seats(), Seed::from_number(12).commitment()).under(4);
    head.opened = Some(1);
    let (_, _, end) = game();
    let mut scribe = Scribe::new();
    let swapped = [scribe.head(&head), scribe.end(Time(1), &end)].join("\n");
    assert!(matches!(fault(&swapped).what, What::Open(why) if why.contains("commitment")));
}

#[test]
fn of_a_running_game_under_unknown_rules_the_lines_and_the_seed_are_checked() {
    let record = made_under(4, json!({}));
    let running = || record.lines().take(4);
    let seed = Seed::from_number(11);
    assert_eq!(seals_so_far(running(), &seed), Ok(3));
    let gap = seals_so_far(running().take(2).chain(running().skip(3)), &seed).expect_err("a line is lost");
    assert_eq!(gap.line, 3);
    let other = seals_so_far(running(), &Seed::from_number(12)).expect_err("another seed");
    assert!(matches!(other.what, What::Open(why) if why.contains("commitment")));
    assert!(seals_so_far([], &seed).is_err());
}

#[test]
fn the_first_revision_is_not_written_and_any_other_is() {
    let (lines, ..) = game();
    assert!(lines[0].starts_with(r#"{"parlor":1,"game":"pig","rules":3,"#), "{}", lines[0]);
    let first = Scribe::new().head(&Head::new("pig", json!({}), seats(), Seed::from_number(1).commitment()));
    assert!(first.starts_with(r#"{"parlor":1,"game":"pig","options":"#), "{first}");
}
