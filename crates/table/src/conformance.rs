//! The one test suite that every game must pass. A game crate describes how to play it at random ([`Suite`]) and
//! calls [`conformance_suite!`](crate::conformance_suite) in its `tests/conformance.rs`; each property is a test of its own there.
//!
//! Everything is driven from one number a case; a failure prints it.

use crate::chain::{Link, Secret};
use crate::record::{End, Entry, Event, Gathered, Head, Line, Reader, Scribe};
use crate::{Game, Luck, Outcome, Seat, Seats, Seed, Table, Time, fingerprint, verify};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};
use std::fmt::Debug;

/// How to play a game at random.
pub trait Suite {
    /// The game.
    type Game: Game;
    /// How many random games each property is tried on.
    const CASES: u32 = 32;
    /// No random game may need more events than this.
    const LONGEST: u64 = 20_000;
    /// Where views and options hold objects whose keys are no names of fields (maps, choices): ends of paths, as in
    /// `/rulings`.
    const KEYED: &'static [&'static str] = &[];

    /// Options for a random table, and how many sit down to it. Should reach every option.
    fn table(luck: &mut Luck) -> (Options<Self>, u32);

    /// Something this seat might do now, mostly allowed, sometimes not.
    fn any_act(game: &Self::Game, seat: Seat, luck: &mut Luck) -> Option<Act<Self>>;

    /// The same game with another secret in this seat's hand; `None` where the seat has no secret now.
    fn disguise(_game: &Self::Game, _seat: Seat, _luck: &mut Luck) -> Option<Self::Game> {
        None
    }
}

/// The options of a suite's game.
pub type Options<S> = <<S as Suite>::Game as Game>::Options;
/// The acts of a suite's game.
pub type Act<S> = <<S as Suite>::Game as Game>::Act;

/// Makes one test of each property for a [`Suite`].
#[macro_export]
macro_rules! conformance_suite {
    ($suite:ty) => {
        $crate::conformance_suite!(@ $suite:
            random_play_ends json_round_trips replay_equals_live a_refused_act_changes_nothing
            views_leak_nothing views_may_say_more_and_players_may_not deadlines_never_go_back
            a_list_that_grows_only_grows hostile_json_never_panics
            dice_are_announced players_add_to_every_throw);
    };
    (@ $suite:ty: $($property:ident)+) => {
        $(#[test] fn $property() { $crate::conformance::$property::<$suite>(); })+
    };
}

/// A random game under way.
struct Run<S: Suite> {
    table: Table<S::Game>,
    head: Head<Options<S>>,
    seed: Seed,
    luck: Luck,
}

impl<S: Suite> Run<S> {
    fn new(number: u64) -> Run<S> {
        let mut luck = Luck::new(number);
        let seed = Seed::from_number(number);
        let (options, count) = S::table(&mut luck);
        let names = (1..=count).map(|at| format!("Player {at}"));
        let seats = Seats::named(names).expect("a suite seats people the table can hold");
        let head = Head::new(S::Game::NAME, options, seats, seed.commitment()).under(S::Game::RULES);
        Run { table: opened::<S>(&head, &seed), head, seed, luck }
    }

    /// The same table, where the first seats have these anchors.
    fn linked(number: u64, anchors: &[Link]) -> Run<S> {
        let Run { head, seed, luck, .. } = Run::<S>::new(number);
        let head = head.clone().linked(head.seats.all().zip(anchors.iter().copied()).collect());
        Run { table: opened::<S>(&head, &seed), head, seed, luck }
    }

    /// Lets one thing happen at random; `None` when the game is over.
    fn step(&mut self) -> Option<Entry<Act<S>>> {
        if self.table.outcome().is_some() {
            return None;
        }
        assert!(self.table.events() < S::LONGEST, "no end after {} events", self.table.events());
        for _ in 0..60 {
            if let Some(entry) = self.try_act() {
                return Some(entry);
            }
        }
        let deadline = self.table.deadline().expect("nobody can act, and no clock runs: the game is stuck");
        let at = self.table.expire_due(deadline).expect("time is due at the deadline");
        Some(Entry { at, event: Event::Time })
    }

    fn try_act(&mut self) -> Option<Entry<Act<S>>> {
        let awaited: Vec<Seat> =
            self.head.seats.all().filter(|&seat| self.table.game().awaits(seat)).collect();
        let seat = *self.luck.pick(&awaited)?;
        let at = self.table.now().plus(self.luck.below(2_000));
        if self.table.deadline().is_some_and(|deadline| deadline <= at) {
            return None;
        }
        let act = S::any_act(self.table.game(), seat, &mut self.luck)?;
        self.table.act(at, seat, &act).ok()?;
        Some(Entry { at, event: Event::Act { seat, act } })
    }
}

fn opened<S: Suite>(head: &Head<Options<S>>, seed: &Seed) -> Table<S::Game> {
    match Table::open(head, seed) {
        Ok(table) => table,
        Err(fault) => panic!("a suite's table must open: {fault}\n{head:?}"),
    }
}

/// Tries a property on many numbers; prints the first that fails.
fn on_many<S: Suite>(property: impl Fn(u64)) {
    let config =
        Config { cases: S::CASES, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let result = TestRunner::new(config).run(&proptest::num::u64::ANY, |number| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| property(number)));
        caught.map_err(|panic| TestCaseError::fail(words_of(&*panic)))
    });
    if let Err(TestError::Fail(why, number)) = result {
        panic!("{}: case {number}: {why}", S::Game::NAME);
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
}

/// Any game that people play at random comes to an end, with a rank and a score for every seat.
pub fn random_play_ends<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        while run.step().is_some() {}
        let Outcome { ranks, scores } = run.table.outcome().expect("a game that stopped has an outcome");
        let seats = run.table.seats() as usize;
        assert_eq!((ranks.len(), scores.len()), (seats, seats), "a rank and a score for each seat");
        assert!(ranks.contains(&1), "somebody has the first place: {ranks:?}");
        assert_eq!(run.table.deadline(), None, "a finished game waits for nothing");
        for seat in run.head.seats.all() {
            assert!(!run.table.game().awaits(seat), "a finished game awaits nobody");
        }
    });
}

/// Options, acts, views, states and records come back from JSON as they went in.
pub fn json_round_trips<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        comes_back(&run.head.options);
        let mut steps = 0_u32;
        while let Some(entry) = run.step() {
            if let Event::Act { act, .. } = &entry.event {
                comes_back(act);
            }
            steps += 1;
            // Every state of a short game, fewer of a long one: the cost is in the length.
            if steps < 40 || steps.is_multiple_of(16) {
                let game = run.table.game();
                comes_back(&game.public());
                for seat in run.head.seats.all().take(4) {
                    comes_back(&game.private(seat));
                }
                comes_back(game);
            }
        }
    });
}

fn comes_back<T: Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned>(thing: &T) {
    let text = serde_json::to_string(thing).expect("it can be written as JSON");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(&back, thing, "{text}");
}

/// A game's record verifies, and replaying it passes through the very states that were lived.
pub fn replay_equals_live<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        let mut scribe = Scribe::new();
        let mut text = scribe.head(&run.head);
        let mut prints = Vec::new();
        while let Some(entry) = run.step() {
            text.push('\n');
            text.push_str(&scribe.event(entry.at, &entry.event));
            prints.push(run.table.fingerprint());
        }
        let outcome = run.table.outcome().expect("the game is over");
        let (state, drawn) = (run.table.fingerprint(), run.table.drawn());
        let end = End { outcome: outcome.clone(), state, drawn, seed: run.seed.clone() };
        text.push('\n');
        text.push_str(&scribe.end(run.table.now(), &end));

        let mut lived = prints.iter();
        let verified = verify::walk::<S::Game>(&text, |table, _| {
            assert_eq!(Some(&table.fingerprint()), lived.next(), "after event {}", table.events());
        });
        let verified = verified.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        assert_eq!(verified.outcome, outcome);
        read_as_a_stream::<S>(&text);
    });
}

/// Whatever throws dice says so before it does.
pub fn dice_are_announced<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        loop {
            let before = run.table.clone();
            let Some(entry) = run.step() else { break };
            let announced = match &entry.event {
                Event::Act { seat, act } => before.game().throws(*seat, act),
                Event::Time => before.game().time_throws(),
            };
            let throws = run.table.drawn() > before.drawn();
            assert!(announced || !throws, "{:?} throws dice without having said so", entry.event);
        }
    });
}

/// Where players' clients add to the dice, the record verifies with their links, whoever falls silent and comes back meanwhile. An act that
/// was accepted before its throw is not refused after it.
pub fn players_add_to_every_throw<S: Suite>() {
    on_many::<S>(|number| {
        let mut secrets: Vec<Vec<Link>> =
            (0..3).map(|at| Secret::new([number as u8 ^ at; 32]).links()).collect();
        let anchors: Vec<Link> = secrets.iter().map(|links| links[0]).collect();
        let mut run = Run::<S>::linked(number, &anchors);
        let mut scribe = Scribe::new();
        let mut text = scribe.head(&run.head);
        let mut throws = throw_linked(&mut run, &mut secrets, &mut scribe, &mut text);
        let mut prints = Vec::new();
        while let Some(entry) = run.step() {
            text = text + "\n" + &scribe.event(entry.at, &entry.event);
            throws += throw_linked(&mut run, &mut secrets, &mut scribe, &mut text);
            prints.push(run.table.fingerprint());
        }
        let outcome = run.table.outcome().expect("the game is over");
        let (state, drawn) = (run.table.fingerprint(), run.table.drawn());
        let end = End { outcome, state, drawn, seed: run.seed.clone() };
        text = text + "\n" + &scribe.end(run.table.now(), &end);
        let mut lived = prints.iter();
        let verified = verify::walk::<S::Game>(&text, |table, _| {
            assert_eq!(Some(&table.fingerprint()), lived.next(), "after event {}", table.events());
        });
        let verified = verified.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        assert_eq!(verified.dice.linked + verified.dice.unlinked, throws);
        assert_eq!(lived.next(), None);
    });
}

/// Gathers links until the throw that the table waits for is made. Now and then a client is silent, and comes back with another chain.
/// Answers how many throws there were.
fn throw_linked<S: Suite>(
    run: &mut Run<S>,
    secrets: &mut [Vec<Link>],
    scribe: &mut Scribe,
    text: &mut String,
) -> u64 {
    let mut throws = 0;
    let mut back = Vec::new();
    while let Some(ask) = run.table.ask() {
        let at = run.table.throws_at().expect("what is asked for has its moment");
        let silent = ask.seats.iter().filter(|_| run.luck.chance(1, 40)).map(|(seat, _)| *seat);
        let silent: Vec<Seat> = silent.collect();
        let link = |(seat, index): &(Seat, u32)| secrets[seat.index()][*index as usize];
        let gathered = if silent.is_empty() {
            Gathered::Links(ask.seats.iter().map(link).collect())
        } else {
            Gathered::Silent(silent.clone())
        };
        back.extend(silent);
        let made = run.table.throw(at, ask.throw, scribe.sum(), &gathered).expect("what was asked for");
        throws += u64::from(made);
        *text = std::mem::take(text) + "\n" + &scribe.throw(at, ask.throw, &gathered);
    }
    for seat in back {
        let fresh = Secret::new([run.luck.bits() as u8; 32]).links();
        let at = run.table.now();
        if run.table.anchor(at, seat, fresh[0]).is_ok() {
            *text = std::mem::take(text) + "\n" + &scribe.anchor(at, seat, fresh[0]);
            secrets[seat.index()] = fresh;
        }
    }
    throws
}

fn read_as_a_stream<S: Suite>(text: &str) {
    let mut reader = Reader::new();
    let mut lines = text.lines();
    let _: Head<Options<S>> = reader.head(lines.next().expect("a head")).expect("a sound head");
    let ends = lines.map(|line| reader.line::<Act<S>>(line).expect("a sound line"));
    assert_eq!(ends.filter(|line| matches!(line, Line::End(..))).count(), 1);
}

/// Whatever is refused leaves the game, the dice and the clock as they were.
pub fn a_refused_act_changes_nothing<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        let mut acts: Vec<Act<S>> = Vec::new();
        loop {
            for _ in 0..3 {
                refuse_something(&mut run, &acts);
            }
            let Some(entry) = run.step() else { break };
            if let Event::Act { act, .. } = entry.event {
                acts.push(act);
            }
        }
        refuse_something(&mut run, &acts);
    });
}

/// Tries an old act, or a fresh one, from any seat at any time; looks closely if it is refused.
fn refuse_something<S: Suite>(run: &mut Run<S>, acts: &[Act<S>]) {
    let seat = Seat(run.luck.below(u64::from(run.table.seats()) + 1) as u32);
    let fresh = run.luck.chance(1, 2) && seat.0 < run.table.seats();
    let act =
        if fresh { S::any_act(run.table.game(), seat, &mut run.luck) } else { run.luck.pick(acts).cloned() };
    let Some(act) = act else { return };
    let at = Time((run.table.now().0 + run.luck.below(4_000)).saturating_sub(500));
    let mut tried = run.table.clone();
    if tried.act(at, seat, &act).is_err() {
        assert_eq!(tried.game(), run.table.game(), "{act:?} from {seat} was refused and changed the game");
        let marks = |table: &Table<S::Game>| (table.now(), table.drawn(), table.events());
        assert_eq!(marks(&tried), marks(&run.table), "{act:?} was refused and moved the clock or the dice");
    }
}

/// Two games that differ only in one seat's secret look the same to everybody else.
pub fn views_leak_nothing<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        loop {
            let game = run.table.game();
            for seat in run.head.seats.all().take(6) {
                let Some(other) = S::disguise(game, seat, &mut run.luck) else { continue };
                assert_eq!(game.public(), other.public(), "the public view shows the secret of {seat}");
                for watcher in run.head.seats.all().filter(|&watcher| watcher != seat) {
                    let seen = (game.private(watcher), other.private(watcher));
                    assert_eq!(seen.0, seen.1, "{watcher} sees the secret of {seat}");
                }
                assert_ne!(game.private(seat), other.private(seat), "the secret of {seat} is no secret");
            }
            // The house's seed is nobody's to see before the end.
            let public = serde_json::to_string(&game.public()).expect("a view is JSON");
            assert!(!public.contains(&run.seed.reveal()), "the public view shows the seed");
            if run.step().is_none() {
                break;
            }
        }
    });
}

/// A field that is unknown here is passed over in what a client reads, so that a page that is open keeps its table when the
/// server learns something; and it is refused in what a player sends, so that nothing misspelt is lost without a word.
pub fn views_may_say_more_and_players_may_not<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        refuses_more::<S, _>("options", &run.head.options);
        let mut steps = 0_u32;
        loop {
            if steps < 40 || steps.is_multiple_of(16) {
                let game = run.table.game();
                takes_more::<S, _>("public", &game.public());
                for seat in run.head.seats.all().take(4) {
                    takes_more::<S, _>("private", &game.private(seat));
                }
            }
            let Some(entry) = run.step() else { break };
            if let (Event::Act { act, .. }, 0..20) = (&entry.event, steps) {
                refuses_more::<S, _>("act", act);
            }
            steps += 1;
        }
    });
}

/// With a field more in each of its objects it reads the same.
fn takes_more<S: Suite, T: Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned>(
    root: &str,
    thing: &T,
) {
    let mut more = serde_json::to_value(thing).expect("it can be written as JSON");
    add_fields::<S>(&mut more, root, &mut |_| true);
    let read: Result<T, _> = serde_json::from_str(&more.to_string());
    let read = read.unwrap_or_else(|why| panic!("a {root} with more in it cannot be read: {why}\n{more}"));
    assert_eq!(&read, thing, "a {root} with more in it reads otherwise");
}

/// With a field more in any one of its objects it is refused.
fn refuses_more<S: Suite, T: Debug + serde::Serialize + serde::de::DeserializeOwned>(root: &str, thing: &T) {
    let sound = serde_json::to_value(thing).expect("it can be written as JSON");
    // What is only a name is read by its name alone.
    if sound.as_object().is_none_or(|fields| fields.len() < 2) {
        return;
    }
    let mut all = 0;
    add_fields::<S>(&mut sound.clone(), root, &mut |_| {
        all += 1;
        false
    });
    for chosen in 0..all {
        let (mut more, mut met, mut place) = (sound.clone(), 0, String::new());
        add_fields::<S>(&mut more, root, &mut |path| {
            met += 1;
            if met == chosen + 1 {
                path.clone_into(&mut place);
            }
            met == chosen + 1
        });
        let read: Result<T, _> = serde_json::from_value(more);
        assert!(read.is_err(), "{place} takes a field that there is not: {read:?}");
    }
}

/// Adds a field to those objects, by their paths, that stand for a struct and are `chosen`.
fn add_fields<S: Suite>(value: &mut Value, path: &str, chosen: &mut impl FnMut(&str) -> bool) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields.iter_mut() {
                add_fields::<S>(inner, &format!("{path}/{name}"), chosen);
            }
            if !S::KEYED.iter().any(|keyed| path.ends_with(keyed)) && chosen(path) {
                fields.insert("surprise".to_owned(), json!({"from": ["a later version"]}));
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter_mut().enumerate() {
                add_fields::<S>(inner, &format!("{path}/{at}"), chosen);
            }
        }
        _ => {}
    }
}

/// A deadline is never set in the past, and time that acts gets on: it cannot act for ever at one moment.
pub fn deadlines_never_go_back<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        let mut at_once = 0;
        loop {
            let now = run.table.now();
            if let Some(deadline) = run.table.deadline() {
                assert!(deadline >= now, "the deadline {deadline} is before now, {now}");
            }
            let Some(entry) = run.step() else { break };
            assert!(entry.at >= now, "time went back from {now} to {}", entry.at);
            let stood_still = entry.event == Event::Time && entry.at == now;
            at_once = if stood_still { at_once + 1 } else { 0 };
            assert!(at_once < 100, "time keeps acting at {now}");
        }
    });
}

/// The list of the public view that only grows (see [`Game::grown`]) never loses or changes an entry, and a view without its first
/// entries is the same but for them.
pub fn a_list_that_grows_only_grows<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        let mut before: Vec<Value> = Vec::new();
        while let Some((list, entries)) = run.table.game().grown() {
            let mut view = serde_json::to_value(run.table.game().public()).expect("a view is JSON");
            let now = view[list].as_array().expect("a list").clone();
            assert!(now.len() == entries && now.starts_with(&before), "{list} was {before:?} and is {now:?}");
            let known = run.luck.below(entries as u64 + 1) as usize;
            let since = serde_json::to_value(run.table.game().public_since(known)).expect("a view is JSON");
            view[list] = json!(now[known..]);
            assert_eq!(since, view, "without {known} of {entries}");
            before = now;
            if run.step().is_none() {
                break;
            }
        }
    });
}

/// JSON from anybody, for acts and for options, is refused or played; it never panics and never hangs.
pub fn hostile_json_never_panics<S: Suite>() {
    on_many::<S>(|number| {
        let mut run = Run::<S>::new(number);
        hostile_options::<S>(&mut run);
        for _ in 0..200 {
            let act = S::any_act(run.table.game(), Seat(0), &mut run.luck);
            let sound =
                act.map_or(json!({"do": "pass"}), |act| serde_json::to_value(act).expect("an act is JSON"));
            let hostile = spoil(sound, &mut run.luck);
            if let Ok(act) = serde_json::from_value::<Act<S>>(hostile) {
                let seat = Seat(run.luck.below(u64::from(run.table.seats())) as u32);
                let mut tried = run.table.clone();
                let _ = tried.act(run.table.now().plus(1), seat, &act);
                let _ = (fingerprint(tried.game()), tried.game().public().to_string());
            }
            if run.step().is_none() {
                break;
            }
        }
    });
}

fn hostile_options<S: Suite>(run: &mut Run<S>) {
    for _ in 0..50 {
        let sound = serde_json::to_value(&run.head.options).expect("options are JSON");
        let Ok(options) = serde_json::from_value::<Options<S>>(spoil(sound, &mut run.luck)) else { continue };
        let seating = S::Game::seating(&options);
        let count = (*seating.start()).min(6);
        let seats = Seats::named((1..=count).map(|at| format!("Player {at}"))).expect("few seats");
        let head = Head::new(S::Game::NAME, options, seats, run.seed.commitment()).under(S::Game::RULES);
        if let Ok(table) = Table::<S::Game>::open(&head, &run.seed) {
            let _ = table.game().public().to_string();
        }
    }
}

/// Changes a value in one to three places: another type, an extreme number, odd text, a lost or an added field.
fn spoil(mut value: Value, luck: &mut Luck) -> Value {
    for _ in 0..=luck.below(3) {
        spoil_once(&mut value, luck);
    }
    value
}

fn spoil_once(value: &mut Value, luck: &mut Luck) {
    match value {
        Value::Object(fields) if !fields.is_empty() && luck.chance(4, 5) => {
            let key =
                fields.keys().nth(luck.below(fields.len() as u64) as usize).cloned().unwrap_or_default();
            match luck.below(8) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert("surprise".to_owned(), odd_value(luck))),
                _ => {
                    if let Some(inner) = fields.get_mut(&key) {
                        spoil_once(inner, luck);
                    }
                }
            }
        }
        Value::Array(items) if !items.is_empty() && luck.chance(4, 5) => {
            let at = luck.below(items.len() as u64) as usize;
            match luck.below(5) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => spoil_once(&mut items[at], luck),
            }
        }
        other => *other = odd_value(luck),
    }
}

fn odd_value(luck: &mut Luck) -> Value {
    match luck.below(14) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(0),
        3 => json!(-1),
        4 => json!(u64::MAX),
        5 => json!(i64::MIN),
        6 => json!(1.5e300),
        7 => json!(u32::MAX),
        8 => json!(luck.below(300)),
        9 => json!(""),
        10 => json!("\u{202e}é\u{0}".repeat(luck.below(40) as usize)),
        11 => json!([[[[]]]]),
        12 => json!({"": {}}),
        _ => json!(luck.below(8)),
    }
}
