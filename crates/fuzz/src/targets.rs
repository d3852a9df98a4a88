//! The readers, and what must hold of each: whatever comes, it answers; what it accepts comes back the same when it is written and read again.

use crate::Target;
use contact::notation::GameText;
use cubo::{Die, Hand, Square};
use house::{AnyTable, Kind, Setting};
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write};
use std::str::FromStr;
use table::{Seat, Seats, Seed, Time};
use words::notation::{Style, Tile};
use words::{Lexicon, Word, WordsId};

/// All of them.
pub const TARGETS: [Target; 6] = [
    Target { name: "acts", read: acts },
    Target { name: "options", read: options },
    Target { name: "records", read: records },
    Target { name: "notations", read: notations },
    Target { name: "sets", read: sets },
    Target { name: "frames", read: frames },
];

/// The first line, and the rest.
fn parted(input: &str) -> (&str, &str) {
    input.split_once('\n').unwrap_or((input, ""))
}

fn seats(count: u32) -> Option<Seats> {
    Seats::named((1..=count).map(|seat| format!("Seat {seat}"))).ok()
}

/// A game, the number of its seed, and then acts: a time, a seat and the act, line by line. A line with only a time lets time act.
fn acts(input: &str) -> bool {
    let (head, lines) = parted(input);
    let mut head = head.split(' ');
    let Some(kind) = head.next().and_then(|game| game.parse::<Kind>().ok()) else { return false };
    let number = head.next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let Some((mut table, _)) = Setting::new(kind, serde_json::json!({})).ok().and_then(|setting| {
        let seats = seats((*setting.seating.start()).max(2).min(*setting.seating.end()))?;
        AnyTable::open(&setting, seats, &Seed::from_number(number), None).ok()
    }) else {
        panic!("a table with the usual options opens");
    };
    let mut accepted = false;
    for line in lines.lines().take(200) {
        let mut parts = line.splitn(3, ' ');
        let Some(time) = parts.next().and_then(|time| time.parse().ok()).map(Time) else { continue };
        let now = time.max(table.now());
        let Some(seat) = parts.next().and_then(|seat| seat.parse().ok()).map(Seat) else {
            while table.expire_due(now).is_some() {}
            continue;
        };
        if seat.0 >= table.seats() {
            continue;
        }
        // Time that is up acts first, as it does at a real table.
        while table.expire_due(now).is_some() {}
        let (before, events) = (table.fingerprint(), table.events());
        match table.act(now, seat, parts.next().unwrap_or_default()) {
            Ok(line) => {
                assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "a line is JSON: {line}");
                assert_eq!(table.events(), events + 1);
                accepted = true;
            }
            Err(refused) => {
                assert!(!refused.says.is_empty() && !refused.code.is_empty());
                assert_eq!(
                    (table.fingerprint(), table.events()),
                    (before, events),
                    "a refused act changes nothing"
                );
            }
        }
    }
    for seat in 0..table.seats() {
        table.private(Seat(seat));
    }
    assert!(serde_json::from_str::<serde_json::Value>(table.public().get()).is_ok());
    accepted
}

/// A game, and options for it.
fn options(input: &str) -> bool {
    let (game, text) = parted(input);
    let (Ok(kind), Ok(value)) = (game.parse::<Kind>(), serde_json::from_str(text)) else { return false };
    let Ok(setting) = Setting::new(kind, value) else { return false };
    let again = Setting::new(kind, setting.options.clone()).expect("complete options are options");
    assert_eq!(again.options, setting.options);
    let count = (*setting.seating.start()).clamp(1, 64);
    if let Some(seats) = seats(count)
        && let Ok((table, _)) = AnyTable::open(&setting, seats, &Seed::from_number(7), None)
    {
        table.public();
    }
    true
}

/// A record whose sums are put right again, so that what was changed inside is looked at.
fn records(input: &str) -> bool {
    drop(house::verify(input));
    let sealed = reseal(input);
    let verified = house::verify(&sealed);
    let replayed = house::replay(&sealed, |_, _, _, _| {});
    assert_eq!(verified.is_ok(), replayed.is_ok(), "verify and replay agree");
    if let Some(line) = sealed.lines().next() {
        drop(AnyTable::resume([line], &Seed::from_number(1)));
    }
    verified.is_ok()
}

/// How a line ends: `,"c":"` + 16 digits + `"}`.
const SEAL: usize = 24;

fn reseal(record: &str) -> String {
    let (mut sum, mut sealed) = ([0_u8; 8], String::new());
    for line in record.lines() {
        let body = line.len().checked_sub(SEAL).and_then(|at| line.get(..at)).unwrap_or(line);
        let digest = Sha256::new().chain_update(sum).chain_update(body).finalize();
        sum.copy_from_slice(&digest[..8]);
        let _ = writeln!(sealed, "{body},\"c\":\"{:016x}\"}}", u64::from_be_bytes(sum)); // a String never fails to be written
    }
    sealed
}

/// What is written can be read, and is the same.
fn comes_back<T: FromStr + Display>(text: &str) -> bool {
    let Ok(read) = text.parse::<T>() else { return false };
    let written = read.to_string();
    let again = written.parse::<T>().map(|again| again.to_string()).unwrap_or_default();
    assert_eq!(again, written, "from {text:?}");
    true
}

/// A notation's name, and a text in it.
fn notations(input: &str) -> bool {
    let (kind, text) = parted(input);
    match kind {
        "contact-move" => comes_back::<contact::Move>(text),
        "contact-corner" => comes_back::<contact::Corner>(text),
        "contact-position" => comes_back::<contact::Position>(text),
        "contact-game" => comes_back::<GameText>(text),
        "cubo-die" => comes_back::<Die>(text),
        "cubo-hand" => comes_back::<Hand>(text),
        "cubo-square" => comes_back::<Square>(text),
        "cubo-score" => cubo::score(text).is_ok(),
        "roulette-spot" => comes_back::<roulette::Spot>(text),
        "roulette-stake" => comes_back::<roulette::Stake>(text),
        "roulette-slip" => roulette::odds(text).is_ok(),
        "iqubes-throw" => comes_back::<iqubes::Throw>(text),
        "scribbage-throw" => comes_back::<scribbage::Throw>(text),
        "layout-colours" => layout(text, Style::Colours),
        "layout-jokers" => layout(text, Style::Jokers),
        "word" => comes_back::<Word>(text),
        "words" => comes_back::<WordsId>(text),
        "seed" => Seed::try_from(text.to_owned()).is_ok_and(|seed| Seed::try_from(seed.reveal()).is_ok()),
        _ => false,
    }
}

fn layout(text: &str, style: Style) -> bool {
    let Ok((layout, faces)) = words::notation::read(text, style, |tile: Tile| tile.face(1)) else {
        return false;
    };
    let written = words::notation::write(&layout, &faces, style);
    let (again, faces) = words::notation::read(&written, style, |tile: Tile| tile.face(1))
        .expect("what was written can be read");
    assert_eq!(words::notation::write(&again, &faces, style), written, "from {text:?}");
    true
}

/// Whose set it is, and its data file.
fn sets(input: &str) -> bool {
    let (game, text) = parted(input);
    match game {
        "contact" => contact::set::check(text).is_ok(),
        "cubo" => cubo::Set::from_toml(text).is_ok(),
        "iqubes" => iqubes::Set::from_toml(text).is_ok(),
        "roulette" => roulette::Set::from_toml(text).is_ok(),
        "scribbage" => scribbage::Set::from_toml(text).is_ok(),
        "words" => Lexicon::from_list(text, None).is_ok(),
        _ => false,
    }
}

/// What travels between a client and the server.
fn frames(input: &str) -> bool {
    let command = serde_json::from_str::<protocol::Command>(input).map(|command| {
        let text = serde_json::to_string(&command).expect("a command is JSON");
        assert_eq!(serde_json::from_str::<protocol::Command>(&text).ok(), Some(command), "from {input:?}");
    });
    let message = serde_json::from_str::<protocol::Message>(input).map(|message| {
        let text = serde_json::to_string(&message).expect("a message is JSON");
        assert_eq!(serde_json::from_str::<protocol::Message>(&text).ok(), Some(message), "from {input:?}");
    });
    command.is_ok() || message.is_ok()
}
