//! Contact: the ruled board with its tiles, one line a row or, where there is room, two with all four figures; and a glass
//! that shows the tile under the cursor and what a move would do.

use super::{Click, Deed, Screen};
use crate::look::{Brush, Ink, Spots};
use crate::session::State;
use contact::view::TileView;
use contact::{Act, Colour, Contact, Corner, Ending, Move, Private, Public, Side, Step};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use serde_json::Value;
use std::fmt::Write as _;
use table::Seat;

/// The screen of Contact.
pub(crate) struct Board {
    public: Option<Public>,
    side: Option<Side>,
    cursor: Corner,
    /// Where the tile in the fingers stands.
    held: Option<Corner>,
    /// A move being typed.
    typing: Option<String>,
    hits: Spots<Corner>,
}

impl Default for Board {
    fn default() -> Board {
        let cursor = middle();
        Board { public: None, side: None, cursor, held: None, typing: None, hits: Spots::default() }
    }
}

fn middle() -> Corner {
    Corner::new(8, 8).expect("the middle is on the board")
}

fn ink(colour: Colour) -> Ink {
    match colour {
        Colour::Red => Ink::Red,
        Colour::Blue => Ink::Blue,
        Colour::Green => Ink::Green,
        Colour::Yellow => Ink::Yellow,
    }
}

/// The letter of a tile: its owner's, large for TWO STEP.
fn letter(tile: &TileView) -> char {
    let letter = tile.owner.letter();
    if tile.step == Step::TwoStep { letter.to_ascii_uppercase() } else { letter }
}

impl Board {
    fn tile(&self, at: Corner) -> Option<&TileView> {
        self.public.as_ref()?.tiles.iter().find(|tile| tile.at == at)
    }

    fn legal(&self) -> &[Move] {
        self.public.as_ref().map(|public| public.legal.as_slice()).unwrap_or_default()
    }

    /// Where the tile in the fingers may go.
    fn may_go(&self, to: Corner) -> bool {
        self.held.is_some_and(|from| self.legal().contains(&Move::new(from, to)))
    }

    fn may_pass(&self) -> bool {
        self.legal() == [Move::PASS]
    }

    /// Picks up, puts down, or lays the tile back.
    fn touch(&mut self, at: Corner, state: &State) -> Deed {
        if !state.my_turn() {
            return Deed::Say("It is not your turn yet.".to_owned());
        }
        match self.held {
            // Twice on the same tile lays it back; out and back to where it stands is typed.
            Some(from) if from == at => {
                self.held = None;
                Deed::Seen
            }
            Some(from) if self.may_go(at) => self.go(from, at),
            _ if self.tile(at).is_some_and(|tile| Some(tile.owner) == self.side) => {
                self.held = Some(at);
                Deed::Seen
            }
            // The engine says why not.
            Some(from) => self.go(from, at),
            None => Deed::Say("Choose a tile of yours first.".to_owned()),
        }
    }

    fn go(&mut self, from: Corner, to: Corner) -> Deed {
        self.held = None;
        Deed::act::<Contact>(Act::Move { from, to })
    }

    fn step(&mut self, x: i8, y: i8) -> Deed {
        let by = |at: u8, step: i8| at.saturating_add_signed(step).clamp(1, 15);
        self.cursor = Corner::new(by(self.cursor.x(), x), by(self.cursor.y(), y)).unwrap_or(self.cursor);
        Deed::Seen
    }

    /// The next tile that can move; with one in the fingers, the next place it can go to.
    fn next(&mut self) -> Deed {
        let held = self.held;
        let ends = self.legal().iter().filter_map(|mv| mv.ends());
        let mut places: Vec<Corner> = match held {
            Some(from) => ends.filter(|end| end.0 == from).map(|end| end.1).collect(),
            None => ends.map(|end| end.0).collect(),
        };
        places.sort_unstable();
        places.dedup();
        let after = places.iter().find(|place| **place > self.cursor).or(places.first());
        self.cursor = after.copied().unwrap_or(self.cursor);
        Deed::Seen
    }

    fn type_on(&mut self, key: KeyEvent) -> Deed {
        let Some(typed) = &mut self.typing else { return Deed::No };
        match key.code {
            KeyCode::Char(sign) if typed.len() < 12 => typed.push(sign.to_ascii_lowercase()),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let typed = self.typing.take().unwrap_or_default();
                return match typed.trim().parse::<Move>() {
                    Ok(mv) => match mv.ends() {
                        Some((from, to)) => self.go(from, to),
                        None => Deed::act::<Contact>(Act::Pass {}),
                    },
                    Err(no_move) => Deed::Say(no_move.to_string()),
                };
            }
            KeyCode::Esc => self.typing = None,
            _ => {}
        }
        Deed::Seen
    }

    fn draw_spot(&mut self, brush: &mut Brush<'_>, at: Corner, place: (u16, u16), large: bool) {
        let (x, y) = place;
        let here = at == self.cursor;
        let may_go = self.may_go(at);
        let width = if large { 5 } else { 3 };
        if let Some(tile) = self.tile(at) {
            let paint = match (here, self.held == Some(at)) {
                (_, true) => Ink::Held,
                (true, _) => Ink::Cursor,
                _ => ink(tile.colour),
            };
            let [north_west, north_east, south_east, south_west] = tile.figures;
            let back = if tile.turned { '+' } else { ' ' };
            if large {
                brush.put(x, y, &format!(" {north_west}{}{north_east} ", letter(tile)), paint);
                brush.put(x, y + 1, &format!(" {south_west}{back}{south_east} "), paint);
            } else {
                brush.put(x, y, &format!("{}{north_west}{back}", letter(tile)), paint);
            }
        } else {
            let ringed = self.ringed(at);
            let sign = if may_go {
                "•"
            } else if ringed {
                "○"
            } else {
                "·"
            };
            let paint = match (here, may_go) {
                (true, _) => Ink::Cursor,
                (_, true) => Ink::Open,
                _ => Ink::Faint,
            };
            let pad = usize::from(width);
            brush.put(x, y, &format!("{sign:^pad$}"), paint);
        }
        self.hits.add(brush, (x, y), (width, if large { 2 } else { 1 }), at);
    }

    fn ringed(&self, at: Corner) -> bool {
        let rings = self.public.iter().flat_map(|public| &public.rings);
        rings.into_iter().any(|(side, places)| places.iter().any(|&place| side.corner(1, place) == Some(at)))
    }

    /// The tile under the cursor, large, and what would happen.
    fn draw_glass(&self, brush: &mut Brush<'_>, y: u16, state: &State) {
        let at = self.cursor;
        if let Some(tile) = self.tile(at) {
            let [north_west, north_east, south_east, south_west] = tile.figures;
            brush.put(1, y, &format!("{north_west}─{north_east}"), ink(tile.colour));
            brush.put(1, y + 1, &format!("│{}│", letter(tile)), ink(tile.colour));
            brush.put(1, y + 2, &format!("{south_west}─{south_east}"), ink(tile.colour));
            let back = if tile.turned { ", back up" } else { "" };
            let owner = self.name_of(tile.owner, state);
            brush.put(6, y, &format!("{at}: {} of {owner} ({}){back}", tile.step, tile.owner), Ink::Plain);
        } else {
            brush.put(6, y, &at.to_string(), Ink::Faint);
        }
        if let Some(typed) = &self.typing {
            brush.put(6, y + 2, &format!("Move: {typed}_"), Ink::Accent);
        } else if let Some(from) = self.held {
            brush.put(6, y + 1, &format!("The tile on {from} turns a quarter as it goes."), Ink::Plain);
            if self.may_go(at) {
                brush.put(
                    6,
                    y + 2,
                    &format!("{from}-{at}: {}", self.would(Move::new(from, at))),
                    Ink::Accent,
                );
            }
        } else if let Some(last) = self.public.as_ref().and_then(|public| public.last.as_ref()) {
            brush.put(6, y + 2, &format!("Last: {} {}", last.by, last.mv), Ink::Faint);
        }
    }

    /// What a move would do, in words.
    fn would(&self, mv: Move) -> String {
        let Some(position) = self.public.as_ref().and_then(|public| public.rebuild().ok()) else {
            return String::new();
        };
        let verdict = position.verdict(mv);
        match (verdict.foes.count_ones(), verdict.mover) {
            (0, false) => "no tile goes".to_owned(),
            (0, true) => "this tile goes".to_owned(),
            (1, false) => "takes a tile".to_owned(),
            (tiles, false) => format!("takes {tiles} tiles"),
            (1, true) => "takes a tile, and goes too".to_owned(),
            (tiles, true) => format!("takes {tiles} tiles, and goes too"),
        }
    }

    fn name_of(&self, side: Side, state: &State) -> String {
        let sides = self.public.as_ref().map(|public| public.players.sides()).unwrap_or_default();
        let seat = sides.iter().position(|&other| other == side);
        seat.map_or_else(|| side.to_string(), |seat| state.name(Seat(seat as u32)).to_owned())
    }

    fn tell(&self, before: &Public, after: &Public, state: &State) -> Vec<String> {
        let mut told = Vec::new();
        let new = after.moves.get(before.moves.len()..).unwrap_or_default();
        for mv in new.iter().rev().skip(1).rev() {
            told.push(format!("{mv}."));
        }
        if let (Some(last), false) = (&after.last, new.is_empty()) {
            let name = self.name_of(last.by, state);
            let mut says = if last.mv.is_pass() {
                format!("{name} passes")
            } else {
                format!("{name} moves {}", last.mv)
            };
            for tile in &last.removed {
                let _ = write!(says, ", {}'s tile on {} goes", self.name_of(tile.owner, state), tile.at);
            }
            says.push_str(if last.turned_over { ", turned over." } else { "." });
            told.push(says);
        }
        if let (None, Some(pair)) = (&before.pair, &after.pair) {
            let steps =
                if pair.seven_steps { "moves are of seven steps now" } else { "ten turns each are left" };
            told.push(format!("The last two tiles: {steps}."));
        }
        if let (None, Some(end)) = (&before.end, &after.end) {
            let names: Vec<String> = end.sides.iter().map(|side| self.name_of(*side, state)).collect();
            let names = names.join(" and ");
            told.push(match end.ending {
                Ending::LastTile => format!("The last tile is left: {names}."),
                Ending::GoneTogether => format!("The last tiles went together: a tie of {names}."),
                Ending::EqualBacks => format!("Two equal backs: a tie of {names}."),
                Ending::SevenSteps | Ending::LastPair => {
                    format!("Ten turns each are over: a tie of {names}.")
                }
                Ending::Repetition => format!("The third time this stood: a tie of {names}."),
                Ending::Quiet => format!("Too many quiet moves: a tie of {names}."),
                Ending::Count => format!("The count decides: {names}."),
            });
        }
        told
    }
}

impl Screen for Board {
    fn show(&mut self, state: &State) -> Vec<String> {
        let after = state.view::<Public>();
        self.side = state.own::<Private>().and_then(|own| own.side);
        let told = match (&self.public, &after) {
            (Some(before), Some(after)) => self.tell(before, after, state),
            _ => Vec::new(),
        };
        let turn = |public: &Option<Public>| public.as_ref().map(|public| public.moves.len());
        let moved = turn(&self.public) != turn(&after);
        self.public = after;
        if !state.my_turn() || self.held.is_some_and(|held| self.tile(held).is_none()) {
            self.held = None;
        }
        let on_own = self.tile(self.cursor).is_some_and(|tile| Some(tile.owner) == self.side);
        if moved && state.my_turn() && !on_own {
            self.next();
        }
        told
    }

    fn draw(&mut self, brush: &mut Brush<'_>, state: &State) {
        self.hits.clear();
        let large = brush.area.width >= 4 + 15 * 5 && brush.area.height >= 15 * 2 + 5;
        let (wide, high) = if large { (5, 2) } else { (3, 1) };
        for y in 1..=15u8 {
            let line = u16::from(15 - y) * high;
            brush.put(0, line, &format!("{y:>2}"), Ink::Faint);
            for x in 1..=15u8 {
                if let Some(corner) = Corner::new(x, y) {
                    self.draw_spot(brush, corner, (3 + u16::from(x - 1) * wide, line), large);
                }
            }
        }
        for (at, column) in (0u16..).zip('a'..='o') {
            brush.put(3 + at * wide + wide / 2, 15 * high, &column.to_string(), Ink::Faint);
        }
        self.draw_glass(brush, 15 * high + 1, state);
    }

    fn headline(&self, state: &State) -> String {
        let Some(public) = &self.public else { return String::new() };
        let number = public.moves.len() + 1;
        let quiet =
            if public.quiet >= 30 { format!(" · {} quiet moves", public.quiet) } else { String::new() };
        let pair = public.pair.map_or_else(String::new, |pair| {
            let steps = if pair.seven_steps { "seven steps a move" } else { "last pair" };
            format!(" · {steps}, turn {}", pair.turns + 1)
        });
        match public.turn {
            Some(turn) => format!("move {number} · {} ({turn}){pair}{quiet}", self.name_of(turn, state)),
            None => format!("over after {} moves", public.moves.len()),
        }
    }

    fn tally(&self) -> Vec<String> {
        let Some(public) = &self.public else { return Vec::new() };
        let count = |side: &Side| public.tiles.iter().filter(|tile| tile.owner == *side).count();
        public.players.sides().iter().map(|side| format!("{} {}", side.letter(), count(side))).collect()
    }

    fn sheet(&self, _: &State) -> Vec<String> {
        let Some(public) = &self.public else { return Vec::new() };
        let sides = public.players.count();
        let rows = public.moves.chunks(sides).zip(1..);
        let rows: Vec<String> = rows
            .map(|(moves, number)| {
                let moves =
                    moves.iter().map(|mv| format!(" {:<8}", mv.to_string())).collect::<Vec<_>>().concat();
                format!("{number:>3}{moves}")
            })
            .collect();
        rows[rows.len().saturating_sub(5)..].to_vec()
    }

    fn keys(&self, state: &State) -> Vec<(&'static str, &'static str)> {
        if self.typing.is_some() {
            return vec![("Enter", "move"), ("Esc", "never mind")];
        }
        if !state.my_turn() {
            return Vec::new();
        }
        if self.may_pass() {
            return vec![("p", "pass: you have no move")];
        }
        match self.held {
            Some(_) => {
                vec![("arrows", "where to"), ("n", "next place"), ("Enter", "put down"), ("Bksp", "lay back")]
            }
            None => vec![("arrows", "board"), ("n", "next tile"), ("Enter", "pick up"), ("/", "type a move")],
        }
    }

    fn writes(&self, _: &State) -> bool {
        self.typing.is_some()
    }

    fn key(&mut self, key: KeyEvent, state: &State) -> Deed {
        if self.typing.is_some() {
            return self.type_on(key);
        }
        match key.code {
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Enter | KeyCode::Char(' ') if !state.over() && state.hand.is_some() => {
                self.touch(self.cursor, state)
            }
            KeyCode::Esc | KeyCode::Backspace if self.held.is_some() => {
                self.held = None;
                Deed::Seen
            }
            KeyCode::Char('n') => self.next(),
            KeyCode::Char('p') if !state.over() && state.hand.is_some() => Deed::act::<Contact>(Act::Pass {}),
            KeyCode::Char('/') if !state.over() && state.hand.is_some() => {
                self.typing = Some(String::new());
                Deed::Seen
            }
            _ => Deed::No,
        }
    }

    fn click(&mut self, click: Click, state: &State) -> Deed {
        let Some(at) = self.hits.at(click.x, click.y) else { return Deed::No };
        self.cursor = at;
        if state.over() || state.hand.is_none() {
            return Deed::Seen;
        }
        if click.down {
            return self.touch(at, state);
        }
        // Let go elsewhere than where it was picked up: the tile was dragged there.
        match self.held {
            Some(from) if from != at && self.may_go(at) => self.go(from, at),
            _ => Deed::Seen,
        }
    }

    fn advice(&self, says: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        if let (Some(mv), Some(words)) = (
            says.pointer("/last/move").and_then(Value::as_str),
            says.pointer("/last/words").and_then(Value::as_str),
        ) {
            lines.push(format!("{mv} was {words}."));
            lines.push(String::new());
        }
        let best = says.pointer("/best/lines").and_then(Value::as_array).cloned().unwrap_or_default();
        if !best.is_empty() {
            lines.push("As far as it can be seen, best for who is to move:".to_owned());
        }
        for line in best {
            let score = line.get("score").and_then(Value::as_f64).unwrap_or(0.0) / 100.0;
            let moves = line.get("line").and_then(Value::as_array).cloned().unwrap_or_default();
            let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).take(6).collect();
            lines.push(format!("{score:>+6.2}  {}", moves.join(" ")));
        }
        lines
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("arrows", "move the cursor over the board"),
            ("Enter", "pick a tile up; put it down where a dot shows that it may go"),
            ("n", "the next tile that can move, or the next place for it"),
            ("Backspace", "lay the tile back"),
            ("/", "type a move, such as g1-e1; out and back is g1-g1"),
            ("p", "pass, when you have no move"),
            ("mouse", "press a tile, let go where it goes; or click both"),
            ("S3 or s3", "a tile: owner (large: TWO STEP), its figure in the north-west"),
            ("+", "behind it: the tile lies with its back up"),
        ]
    }
}
