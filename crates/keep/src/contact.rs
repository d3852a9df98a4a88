//! Contact: every move is checked by the referee, who says what was taken and what was turned over.

use crate::ledger::{Ledger, Standing, and};
use crate::terms::seats;
use crate::trouble::Trouble;
use ::contact::notation::{GameText, result_text};
use ::contact::search::Limits;
use ::contact::{Move, Players, Position, Set, Side, Tile, check_move};
use house::Kind;
use std::fmt::Write;
use std::time::Duration;

/// A fraction of a second of one core.
const NODES: u64 = 200_000;

pub(crate) struct ContactLedger {
    names: Vec<String>,
    start: Position,
    moves: Vec<Move>,
    now: Position,
    /// The position before the last move.
    before: Option<Position>,
}

impl ContactLedger {
    pub(crate) fn open(
        twelve: bool,
        partners: bool,
        first: usize,
        names: &[String],
    ) -> Result<ContactLedger, Trouble> {
        seats(Kind::Contact, names, 2, 4)?;
        let terms = |why: &str| Trouble::Terms(why.to_owned());
        let players = match (names.len(), partners) {
            (4, true) => Players::Partners,
            (_, true) => return Err(terms("partners play four at a table")),
            (2, _) => Players::Two,
            (3, _) => Players::Three,
            _ => Players::Four,
        };
        let set = Set::default();
        let setup = if twelve { "twelve" } else { "six" };
        let start = Position::start(&set, setup, players);
        let start = start.ok_or_else(|| terms("twelve tiles each are for two players"))?;
        let mover = first.checked_sub(1).and_then(|first| players.sides().get(first));
        let mover = *mover.ok_or_else(|| terms("who moves first is one of the players, from 1"))?;
        let start = moving_first(&start, mover, &set)?;
        Ok(ContactLedger {
            names: names.to_vec(),
            moves: Vec::new(),
            now: start.clone(),
            start,
            before: None,
        })
    }

    fn name(&self, side: Side) -> &str {
        let seat = self.now.players().sides().iter().position(|&other| other == side);
        seat.and_then(|seat| self.names.get(seat)).map_or("?", String::as_str)
    }

    fn told(&self, mv: Move, before: &Position) -> String {
        let there = |id: u8| self.now.tiles().find(|tile| tile.id == id);
        let called = |tile: &Tile| format!("{}'s {} tile on {}", self.name(tile.owner), tile.step, tile.at);
        let gone: Vec<String> =
            before.tiles().filter(|tile| there(tile.id).is_none()).map(|tile| called(&tile)).collect();
        let turned = before
            .tiles()
            .filter_map(|tile| there(tile.id).filter(|now| now.turned != tile.turned))
            .map(|tile| called(&tile));
        let turned: Vec<String> = turned.collect();
        let mut says = format!("{mv}");
        if let Some((_, to)) = mv.ends()
            && let Some(tile) = self.now.tile_on(to)
        {
            let [nw, ne, se, sw] = self.now.figures(tile);
            let _ = write!(says, ", now {nw} {ne} / {sw} {se}");
        }
        let list = |items: &[String]| and(&items.iter().map(String::as_str).collect::<Vec<_>>());
        if !gone.is_empty() {
            let _ = write!(says, "; off the board: {}", list(&gone));
        }
        if !turned.is_empty() {
            let _ = write!(says, "; turned over: {}", list(&turned));
        }
        says + "."
    }
}

/// The start with somebody else to move (CT-S6): the second field of its text.
fn moving_first(start: &Position, mover: Side, set: &Set) -> Result<Position, Trouble> {
    let text = start.to_string();
    let fields = text.split(' ').enumerate().map(|(number, field)| match number {
        1 => mover.letter().to_string(),
        _ => field.to_owned(),
    });
    Position::read(&fields.collect::<Vec<_>>().join(" "), set).map_err(|why| Trouble::Terms(why.to_string()))
}

impl Ledger for ContactLedger {
    fn turn(&self) -> Option<String> {
        if self.now.over().is_some() {
            return None;
        }
        let side = self.now.turn();
        let legal = self.now.clone().legal();
        let pass = if legal[..] == [Move::PASS] { ", no move: type pass" } else { "" };
        Some(format!("{} ({side}), move {}{pass}", self.name(side), self.moves.len() + 1))
    }

    fn enter(&mut self, line: &str) -> Result<String, Trouble> {
        if self.now.over().is_some() {
            return Err(Trouble::Over);
        }
        let mv: Move =
            line.parse().map_err(|why: ::contact::notation::NoMove| Trouble::Move(why.to_string()))?;
        let before = self.now.clone();
        check_move(&mut self.now, mv).map_err(|why| Trouble::Move(why.to_string()))?;
        self.now.make(mv);
        self.moves.push(mv);
        let mut says = self.told(mv, &before);
        if let Some(over) = self.now.over() {
            let _ = write!(says, " The game is over: {}.", result_text(over));
        }
        self.before = Some(before);
        Ok(says)
    }

    fn best(&self, limit: Duration) -> Option<String> {
        let (before, made) = (self.before.as_ref()?, self.moves.last()?);
        let limits = Limits { time: Some(limit), ..Limits::nodes(NODES) };
        let found = ::contact::best(before, &limits, 1);
        let best = found.lines.first()?;
        if best.mv == *made {
            return Some(format!(
                "A short search would have moved so too ({:+.1}).",
                f64::from(best.score) / 100.0
            ));
        }
        let line: Vec<String> = best.line.iter().take(4).map(ToString::to_string).collect();
        Some(format!(
            "A short search likes {} best ({:+.1}): {}.",
            best.mv,
            f64::from(best.score) / 100.0,
            line.join(" ")
        ))
    }

    /// The tiles of each player.
    fn standing(&self) -> Vec<Standing> {
        let sides = self.now.players().sides().iter().zip(&self.names);
        let standing = |(side, name): (&Side, &String)| Standing {
            name: name.clone(),
            points: self.now.count(*side).into(),
        };
        sides.map(standing).collect()
    }

    fn sheet(&self) -> String {
        let mut text = format!("# {}\n\n", Kind::Contact.title());
        for (side, standing) in self.now.players().sides().iter().zip(self.standing()) {
            let _ = writeln!(text, "- {side}: {}, {} tiles left", standing.name, standing.points);
        }
        let game = GameText { start: self.start.clone(), moves: self.moves.clone() };
        let _ = write!(text, "\n```\n{}\n```\n\n", game.to_string().trim_end());
        text + &match self.now.over() {
            Some(over) => format!("{}.\n", result_text(over)),
            None => "Not finished.\n".to_owned(),
        }
    }

    fn help(&self) -> &'static str {
        "Type each move, from corner to corner: columns a to o from the west, rows 1 to 15 from the south.
    h2-h3      the tile on h2 moves to h3, and turns a quarter to the right
    h1-h1      out and back
    pass       without a legal move"
    }

    fn seconds(&self) -> Option<u32> {
        None
    }
}
