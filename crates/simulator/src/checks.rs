//! What must hold: of every message, of every table that a client knows, and in the end.

use crate::players::{Answered, Given, Player};
use crate::world::World;
use crate::{Report, TABLE, lock};
use client::{Change, Table};
use protocol::{Phase, Place, Why};
use serde_json::Value;
use server::node::Snapshot;
use server::store::{Kind, Row, Stored};
use std::collections::{BTreeMap, BTreeSet};
use table::kept::Broken;
use table::{Seat, Time};

/// What was seen of the game after each event, by everybody (no seat) or by a seat alone, as JSON.
pub(crate) type Seen = BTreeMap<(u64, Option<u32>), BTreeSet<String>>;

/// Looks at a message to a player.
pub(crate) fn message(world: &World, player: &mut Player, text: &str) {
    let Ok(heard) = serde_json::from_str::<Value>(text) else {
        return world.wrong(format!("no JSON: {text}"));
    };
    let on_disk = world.disk.rows();
    if let Some(seq) = heard["seq"].as_u64().filter(|seq| *seq >= on_disk) {
        world.wrong(format!("event {seq} was told, and only {on_disk} rows are on disk: {text}"));
    }
    match heard["msg"].as_str() {
        Some("done" | "refused") => answer(world, player, &heard),
        Some("view" | "event") => {
            chips(world, &heard["public"]);
            let private = heard["private"].as_array().into_iter().flatten();
            seats(world, player, &private.filter_map(|one| one["seat"].as_u64()).collect::<Vec<_>>());
        }
        Some("private") => seats(world, player, heard["seat"].as_u64().as_slice()),
        Some("bye") if heard["code"] == "fell" => world.wrong("a table fell over"),
        _ => {}
    }
}

/// A command that is answered again is answered the same.
fn answer(world: &World, player: &mut Player, heard: &Value) {
    let Some(given) = heard["id"].as_u64().and_then(|id| player.given.get_mut(&id)) else { return };
    let answer = match heard["seq"].as_u64() {
        Some(seq) if heard["msg"] == "done" => Answered::Done(seq),
        _ => Answered::Refused(heard["code"].as_str().unwrap_or_default().to_owned()),
    };
    match &given.answered {
        None => given.answered = Some(answer),
        // A node that cannot look up whose the table is says so, and nothing more.
        Some(Answered::Done(_)) if answer == Answered::Refused("store".to_owned()) => {}
        Some(Answered::Done(before)) if given.act && answer != Answered::Done(*before) => {
            world.wrong(format!("a command was done as {before}, and then answered {heard}"));
        }
        // What failed to be written may be done when it comes again.
        Some(_) => {}
    }
}

/// Where a player has the bank, all chips are somewhere: in hands, on the layout, in the bank.
fn chips(world: &World, public: &Value) {
    let Some(bank) = public["bank"]["chips"].as_u64() else { return };
    let numbers = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let hands: u64 = numbers(&public["chips"]).iter().filter_map(Value::as_u64).sum();
    let stake = |stake: &Value| stake.as_str()?.rsplit_once('=')?.1.parse::<u64>().ok();
    let layout: u64 = numbers(&public["layout"]).iter().filter_map(stake).sum();
    let (all, mut before) = (bank + hands + layout, lock(&world.chips));
    match *before {
        Some(before) if before != all => world.wrong(format!("there were {before} chips, and now {all}")),
        _ => *before = Some(all),
    }
}

/// A seat is seen by whom the disk knows to sit there.
fn seats(world: &World, player: &Player, seen: &[u64]) {
    if seen.is_empty() {
        return;
    }
    let Some(places) = places(world, u64::MAX >> 1) else { return };
    let person = Some(player.person.id.as_str());
    let owns = |seat: &u64| places.get(*seat as usize).is_some_and(|place| place.person() == person);
    if !seen.iter().all(owns) {
        world
            .wrong(format!("{} saw the seats {seen:?}, and these are taken: {places:?}", player.person.name));
    }
}

/// Who sat where after an event.
fn places(world: &World, seq: u64) -> Option<Vec<Place>> {
    let snapshot = Snapshot::of(TABLE, &world.disk.room_at(seq)?);
    snapshot.map(|snapshot| snapshot.seats).map_err(|fault| world.wrong(fault)).ok()
}

/// Looks at what a client knows of the table, after a message has changed it.
pub(crate) fn table(world: &World, player: &Player, change: &Change) {
    let Some(table) = player.client.table(TABLE) else { return };
    let room_changed = match change {
        Change::View => true,
        Change::Event(why, _) => !matches!(why, Why::Acted { .. } | Why::TimeUp | Why::Over { .. }),
        // A node that cannot ask the disk refuses to be watched; the client asks again on another connection.
        Change::Gone if world.calm() => return world.wrong("a client has lost the table"),
        Change::Private | Change::Crowd | Change::Gone => return,
    };
    let Some(seq) = table.seq else { return world.wrong("a client does not know how far it has heard") };
    if room_changed && let Some(places) = places(world, seq) {
        knows_places(world, player, table, &places);
    }
    let mut seen = lock(&world.seen);
    if let Some(public) = &table.public {
        seen.entry((seq, None)).or_default().insert(public.to_string());
    }
    // What a seat sees is told before the last of several events: between them it is ahead.
    if matches!(change, Change::View) {
        for (seat, private) in &table.privates {
            seen.entry((seq, Some(seat.0))).or_default().insert(private.to_string());
        }
    }
}

fn knows_places(world: &World, player: &Player, table: &Table, places: &[Place]) {
    let known = table.room.as_ref().map(|room| &room.seats[..]);
    if known != Some(places) {
        let (name, seq) = (&player.person.name, table.seq);
        world.wrong(format!(
            "after event {seq:?} the client of {name} takes the seats for {known:?}, and they are {places:?}"
        ));
    }
}

/// After one event the table is the same wherever it is kept.
fn diverged(world: &World) -> Result<(), String> {
    match lock(&world.seen).iter().find(|(_, views)| views.len() > 1) {
        Some(((seq, seat), views)) => {
            Err(format!("after event {seq} seat {seat:?} was shown different states: {views:?}"))
        }
        None => Ok(()),
    }
}

/// What must hold in the end.
pub(crate) fn end(world: &World, awake: u64, deaths: u64) -> Result<Report, String> {
    let stored = world.disk.all().ok_or("the table is gone")?;
    let mut report = Report { deaths, rows: stored.rows.len() as u64, ..Report::default() };
    {
        let kept = lock(&world.disk.kept);
        (report.failed, report.moves, report.fenced) = (kept.failed, kept.moves, kept.fenced);
        if kept.shared {
            return Err("two nodes had the table with one epoch".to_owned());
        }
        if kept.stale {
            return Err("a node wrote to a table that another had taken".to_owned());
        }
    }
    for (at, player) in (0_u32..).zip(&world.players) {
        let player = lock(player);
        report.calls += player.calls;
        for (&id, given) in player.given.iter().filter(|(_, given)| given.act) {
            report.acts += u64::from(once(&stored, &player, at, id, given, report.moves)?);
        }
    }
    diverged(world)?;
    let snapshot = Snapshot::of(TABLE, &stored)?;
    if snapshot.phase != Phase::Over {
        return Err(format!("the table is {:?} in the end", snapshot.phase));
    }
    let lines = stored.rows.iter().filter(|row| row.kind == Kind::Line);
    let record: String = lines.flat_map(|row| [row.text.as_str(), "\n"]).collect();
    house::verify(&record).map_err(|fault| format!("the record does not hold: {fault}"))?;
    replay(world, &stored)?;
    for player in &world.players {
        knows_the_end(&lock(player), &stored, &snapshot)?;
        kept(&lock(player), &record)?;
    }
    if snapshot.time > Time(awake) {
        let last = snapshot.time;
        return Err(format!("the game took {last:?} of the table's clock, and servers ran for {awake} ms"));
    }
    Ok(report)
}

/// An act is on disk once, where it was answered to be, or not at all. Answers whether it was done.
fn once(
    stored: &Stored,
    player: &Player,
    at: u32,
    id: u64,
    given: &Given,
    moves: u64,
) -> Result<bool, String> {
    let Some(answer) = &given.answered else { return Ok(false) };
    let client = format!("client{at}");
    let caused = |row: &Row| {
        let by = row.by.as_ref();
        row.kind == Kind::Line
            && by.is_some_and(|by| by.id == id && by.client == client && by.person == player.person.id)
    };
    let rows: Vec<u64> = (0..).zip(&stored.rows).filter(|(_, row)| caused(row)).map(|(seq, _)| seq).collect();
    let good = match answer {
        Answered::Done(seq) => rows == [*seq],
        Answered::Refused(code) if code == "store" => rows.len() <= 1,
        // Who keeps a table remembers what was refused; who takes it over does not, and a copy may come late.
        Answered::Refused(_) => rows.is_empty() || moves > 1 && rows.len() == 1,
    };
    if good {
        return Ok(matches!(answer, Answered::Done(_)));
    }
    Err(format!("act {id} of {client} was answered {answer:?}, and is on disk at {rows:?}"))
}

/// What was seen of the game after an event is what its rows say.
fn replay(world: &World, stored: &Stored) -> Result<(), String> {
    let mut seen = BTreeMap::<u64, Vec<_>>::new();
    for ((seq, seat), views) in std::mem::take(&mut *lock(&world.seen)) {
        seen.entry(seq).or_default().push((seat, views));
    }
    // Each replay starts from the beginning: a few dozen, spread over the game, are enough to find what a node got wrong.
    let stride = seen.len() / 24 + 1;
    for (seq, views) in seen.into_iter().step_by(stride) {
        let rows = stored.rows.iter().take(seq as usize + 1).filter(|row| row.kind == Kind::Line);
        let replayed = house::AnyTable::resume(rows.map(|row| row.text.as_str()), &stored.seed)
            .map_err(|fault| format!("the record does not hold up to event {seq}: {fault}"))?;
        for (seat, views) in views {
            let view = seat.map_or_else(|| replayed.public(), |seat| replayed.private(Seat(seat)));
            if !views.contains(view.get()) {
                return Err(format!("after event {seq} seat {seat:?} was not shown what replay gives"));
            }
        }
    }
    Ok(())
}

/// What a client was shown is what the record says. It may be said to have been silent though it answered: answers come late here.
fn kept(player: &Player, record: &str) -> Result<(), String> {
    let name = &player.person.name;
    let kept = player.client.kept(TABLE).ok_or_else(|| format!("{name} kept nothing"))?;
    match house::verify_kept(record, kept) {
        Ok(_) | Err(Broken::Silenced { .. }) => Ok(()),
        Err(broken) => Err(format!("{name} found: {broken}")),
    }
}

/// In the end every client knows the table as it is.
fn knows_the_end(player: &Player, stored: &Stored, snapshot: &Snapshot) -> Result<(), String> {
    let name = &player.person.name;
    let table = player.client.table(TABLE).ok_or_else(|| format!("{name} knows no table"))?;
    let last = stored.rows.len() as u64 - 1;
    let lines = stored.rows.iter().filter(|row| row.kind == Kind::Line);
    let game = house::AnyTable::resume(lines.map(|row| row.text.as_str()), &stored.seed)
        .map_err(|fault| format!("the record does not hold: {fault}"))?;
    let room = table.room.as_ref().ok_or_else(|| format!("{name} knows no room"))?;
    let own = |seat: &Seat| snapshot.seats[seat.0 as usize].person() == Some(player.person.id.as_str());
    let seats: Vec<Seat> = (0..game.seats()).map(Seat).filter(own).collect();
    let privates = seats.iter().map(|&seat| (seat, game.private(seat).get().to_owned()));
    let known = table.privates.iter().map(|(&seat, private)| (seat, private.to_string()));
    for (what, good) in [
        ("how far it has come", table.seq == Some(last)),
        ("what everybody sees", table.public.as_deref() == Some(game.public().get())),
        ("what the own seats see", known.eq(privates)),
        ("who sits where", room.seats == snapshot.seats),
        ("how it ended", room.outcome == game.outcome()),
    ] {
        if !good {
            return Err(format!("in the end the client of {name} is wrong about {what}"));
        }
    }
    Ok(())
}
