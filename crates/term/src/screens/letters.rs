//! I-Qubes and Scribbage: letter dice on a grid. Letters are typed where the cursor is, and the dice that show them are laid;
//! the words, the sheet, the auction, challenges and votes stand below.

mod hands;
mod picture;
mod seen;

use super::{Click, Deed, Screen};
use crate::look::{Brush, Ink, Spots, wrap};
use crate::session::State;
use iqubes::{Act, IQubes};
use letters::{Board, Move, Spot, StageView};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use seen::Seen;
use serde_json::Value;
use words::{Colour, Face, Letter, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    /// A place of the grid.
    Spot(Spot),
    /// A die beside it.
    Die(u8),
    /// Beside the grid, where dice are put back.
    Tray,
    /// The big key of the moment.
    Go,
}

/// What is asked at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asking {
    Nothing,
    /// Really done?
    Done,
    /// A bid, as it is typed.
    Bid(String),
    /// The game is to end after how many rounds?
    Rounds,
}

/// The screen of a word game.
pub(crate) struct Letters {
    iqubes: bool,
    seen: Option<Seen>,
    vote: Option<bool>,
    agreed: Option<bool>,
    cursor: Spot,
    across: bool,
    /// The corner of the grid that is shown.
    origin: (i8, i8),
    held: Option<u8>,
    /// Arrangements to go back to, the last last.
    undo: Vec<Board>,
    /// The word that is looked at while words are heard.
    word: usize,
    asking: Asking,
    hits: Spots<Hit>,
}

impl Letters {
    /// The screen of I-Qubes.
    pub(crate) fn iqubes() -> Letters {
        Letters::new(true)
    }

    /// The screen of Scribbage.
    pub(crate) fn scribbage() -> Letters {
        Letters::new(false)
    }

    fn new(iqubes: bool) -> Letters {
        Letters {
            iqubes,
            seen: None,
            vote: None,
            agreed: None,
            cursor: Spot(0, 0),
            across: true,
            origin: (0, 0),
            held: None,
            undo: Vec::new(),
            word: 0,
            asking: Asking::Nothing,
            hits: Spots::default(),
        }
    }

    fn board(&self) -> Option<&Board> {
        self.seen.as_ref().map(|seen| &seen.turn.dice)
    }

    fn makes(&self, state: &State) -> bool {
        let makers = self.seen.as_ref().map(|seen| seen.turn.makers.as_slice()).unwrap_or_default();
        state.hand.is_some_and(|hand| makers.contains(&hand))
    }

    fn arranges(&self, state: &State) -> bool {
        let arranging =
            |seen: &Seen| seen.turn.stage == StageView::Arranging && seen.auction.is_none() && !seen.over;
        self.makes(state) && self.seen.as_ref().is_some_and(arranging)
    }

    fn face(&self, die: u8) -> Option<Face> {
        self.seen.as_ref()?.faces.get(usize::from(die)).copied()
    }

    /// The dice beside the grid.
    fn loose(&self) -> Vec<u8> {
        let lies = self.board().map(Board::dice).unwrap_or_default();
        (0u8..).zip(lies).filter(|(_, lie)| lie.at.is_none()).map(|(die, _)| die).collect()
    }

    /// The loose die that shows a letter, of the wished colour if there is one of it.
    fn showing(&self, letter: Letter, red: bool) -> Option<u8> {
        let colour = if red { Colour::Red } else { Colour::Black };
        let shows = |die: &u8| self.face(*die).is_some_and(|face| face.letter == Some(letter));
        let loose = self.loose();
        let wished = |die: &&u8| self.face(**die).is_some_and(|face| face.colour == Some(colour));
        loose
            .iter()
            .filter(|die| shows(die))
            .find(wished)
            .or_else(|| loose.iter().find(|die| shows(die)))
            .copied()
    }

    fn wild(&self) -> Option<u8> {
        self.loose().into_iter().find(|die| self.face(*die).is_some_and(Face::is_wild))
    }

    fn die_at(&self, spot: Spot) -> Option<u8> {
        self.board().and_then(|board| board.die_at(spot))
    }

    /// The words that can be challenged.
    fn words(&self) -> Vec<Word> {
        let count = self.seen.as_ref().and_then(|seen| seen.turn.count.as_ref());
        count.map(|count| count.words.iter().map(|said| said.word).collect()).unwrap_or_default()
    }
}

impl Screen for Letters {
    fn show(&mut self, state: &State) -> Vec<String> {
        let after = Seen::read(self.iqubes, state);
        if self.iqubes {
            let own: iqubes::Private = state.own().unwrap_or_default();
            (self.vote, self.agreed) = (own.vote, own.agreed);
        } else {
            self.vote = state.own::<scribbage::Private>().and_then(|own| own.vote);
        }
        let told = match (&self.seen, &after) {
            (Some(before), Some(after)) => after.told_since(before, state),
            (None, Some(after)) => after.draw.iter().cloned().collect(),
            (_, None) => Vec::new(),
        };
        let turn = |seen: &Option<Seen>| {
            seen.as_ref().map(|seen| (seen.turn.stage == StageView::Arranging, seen.turn.makers.clone()))
        };
        if turn(&self.seen) != turn(&after) {
            (self.cursor, self.across, self.held) = (Spot(0, 0), true, None);
            (self.origin, self.word, self.asking) = ((-6, -6), 0, Asking::Nothing);
            self.undo.clear();
        }
        self.seen = after;
        told
    }

    fn draw(&mut self, brush: &mut Brush<'_>, state: &State) {
        self.hits.clear();
        let height = brush.area.height;
        let rows = height.saturating_sub(6).max(1);
        self.draw_grid(brush, rows, state);
        brush.put(0, rows, &"─".repeat(brush.area.width.into()), Ink::Faint);
        self.draw_tray(brush, rows + 1);
        self.draw_below(brush, rows + 3, state);
    }

    fn headline(&self, state: &State) -> String {
        let Some(seen) = &self.seen else { return String::new() };
        let who = seen
            .turn
            .makers
            .first()
            .map(|seat| seen.side_name(seen.side_of(seat.index()) as u32, state))
            .unwrap_or_default();
        let at = match &seen.turn.stage {
            _ if seen.over => "over".to_owned(),
            _ if seen.auction.is_some() => "the auction".to_owned(),
            StageView::Cup if seen.asks => format!("{who} may throw again"),
            StageView::Cup => format!("{who} has the cup"),
            StageView::Arranging => format!("{who} arranges"),
            StageView::Hearing { .. } => "words are heard".to_owned(),
            StageView::Voting { .. } => "the table votes".to_owned(),
            StageView::Stands => "counted".to_owned(),
        };
        format!("{} · {at}", seen.at)
    }

    fn tally(&self) -> Vec<String> {
        let Some(seen) = &self.seen else { return Vec::new() };
        // With teams every member shows the team's points.
        let seats = if seen.teams == 0 { seen.totals.len() } else { seen.totals.len() * 4 };
        (0..seats)
            .map(|seat| seen.totals.get(seen.side_of(seat)).map(ToString::to_string).unwrap_or_default())
            .collect()
    }

    fn sheet(&self, state: &State) -> Vec<String> {
        let Some(seen) = &self.seen else { return Vec::new() };
        let line = |(side, points): (u32, &Vec<i64>)| {
            let last = &points[points.len().saturating_sub(5)..];
            let points = last.iter().map(|points| format!("{points:>4}")).collect::<Vec<_>>().concat();
            format!("{:<6.6}{points}", seen.side_name(side, state))
        };
        (0..).zip(&seen.sheet).map(line).collect()
    }

    fn keys(&self, state: &State) -> Vec<(&'static str, &'static str)> {
        let Some(seen) = &self.seen else { return Vec::new() };
        if seen.auction.is_some() {
            return vec![("0-9", "bid"), ("p", "pass")];
        }
        match &seen.turn.stage {
            _ if seen.over => Vec::new(),
            StageView::Cup if self.makes(state) && seen.asks => vec![("Enter", "again"), ("k", "keep")],
            StageView::Cup if self.makes(state) => vec![("Enter", "throw")],
            StageView::Arranging if self.makes(state) => {
                vec![
                    ("A-Z", "lay"),
                    ("Space", "turn"),
                    ("Bksp", "take"),
                    ("*", "wild"),
                    ("-", "undo"),
                    ("Enter", "done"),
                    ("F2", "coach"),
                ]
            }
            StageView::Hearing { .. } if state.my_turn() => {
                vec![("↑↓", "word"), ("x", "challenge"), ("p", "let stand")]
            }
            StageView::Voting { .. } if state.my_turn() => vec![("y", "a word"), ("n", "none")],
            _ => Vec::new(),
        }
    }

    fn writes(&self, state: &State) -> bool {
        self.arranges(state) || self.asking != Asking::Nothing
    }

    fn key(&mut self, key: KeyEvent, state: &State) -> Deed {
        let Some(seen) = &self.seen else { return Deed::No };
        if state.hand.is_none() || seen.over {
            return Deed::No;
        }
        let arranges = self.arranges(state);
        let stage = seen.turn.stage.clone();
        let voting = matches!(stage, StageView::Voting { .. });
        let asks = seen.asks && self.makes(state);
        if self.iqubes {
            let deed = self.proposal_key(key, arranges || voting);
            if deed != Deed::No {
                return deed;
            }
        }
        if self.seen.as_ref().is_some_and(|seen| seen.auction.is_some()) {
            return self.bid_key(key);
        }
        match stage {
            StageView::Arranging if arranges => self.arranging_key(key),
            StageView::Cup if asks && key.code == KeyCode::Char('k') => Deed::act::<IQubes>(Act::Keep),
            StageView::Cup if matches!(key.code, KeyCode::Enter | KeyCode::Char(' ' | 't')) => self.go(state),
            StageView::Hearing { .. } if !self.makes(state) => self.hearing_key(key),
            StageView::Voting { .. } => match key.code {
                KeyCode::Char('y') => self.act(Move::Vote(true)),
                KeyCode::Char('n') => self.act(Move::Vote(false)),
                _ => Deed::No,
            },
            _ => Deed::No,
        }
    }

    fn click(&mut self, click: Click, state: &State) -> Deed {
        let hit = self.hits.at(click.x, click.y);
        if hit == Some(Hit::Go) && click.down {
            return self.go(state);
        }
        if !self.arranges(state) {
            return Deed::No;
        }
        match (hit, self.held, click.down) {
            (Some(Hit::Spot(spot)), Some(die), _) if self.die_at(spot) != Some(die) => {
                (self.held, self.cursor) = (None, spot);
                self.remember();
                self.act(Move::Place(die, spot))
            }
            (Some(Hit::Spot(spot)), _, true) => {
                self.cursor = spot;
                let die = self.die_at(spot);
                if click.other {
                    return self.lift();
                }
                self.held = if self.held == die { None } else { die };
                Deed::Seen
            }
            (Some(Hit::Die(die)), _, true) => {
                self.held = if self.held == Some(die) { None } else { Some(die) };
                Deed::Seen
            }
            (Some(Hit::Tray), Some(die), _) if !self.loose().contains(&die) => {
                self.held = None;
                self.remember();
                self.act(Move::Lift(die))
            }
            _ => Deed::No,
        }
    }

    fn advice(&self, says: &Value) -> Vec<String> {
        let number = |pointer: &str| says.pointer(pointer).and_then(Value::as_i64);
        let list =
            |pointer: &str| says.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut lines = Vec::new();
        if let Some(points) = number("/points") {
            let text = |pointer: &str| says.pointer(pointer).and_then(Value::as_str);
            let (score, bound) = (number("/possible/score"), number("/possible/bound"));
            let best = match (score, text("/possible/proof"), bound) {
                (Some(score), Some("accepted"), _) => {
                    format!(" of {score}; no layout counts more, that is proven")
                }
                (Some(score), Some("shown"), Some(bound)) => {
                    format!("; {score} is the most of the words shown here, and none allow more than {bound}")
                }
                (Some(score), ..) => format!("; {score} was there at least"),
                _ => String::new(),
            };
            lines.push(format!("You made {points}{best}."));
        }
        lines.extend(list("/layout").iter().filter_map(Value::as_str).map(|row| format!("    {row}")));
        let words = |pointer: &str| {
            let word = |said: &Value| {
                Some(format!("{} {}", said.get("word")?.as_str()?, said.get("points")?.as_i64()?))
            };
            list(pointer).iter().filter_map(word).collect::<Vec<_>>().join(", ")
        };
        if !words("/words").is_empty() {
            lines.push(format!("Its words: {}.", words("/words")));
        }
        if !words("/missed").is_empty() {
            lines.push(format!("Also within reach: {}.", words("/missed")));
        }
        match says.pointer("/all-dice/is").and_then(Value::as_str) {
            Some("possible") => lines.push("All dice could be used.".to_owned()),
            Some("impossible") => lines.push("Nobody could have used all dice.".to_owned()),
            _ => {}
        }
        lines
            .iter()
            .flat_map(|line| if line.starts_with("    ") { vec![line.clone()] } else { wrap(line, 68) })
            .collect()
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter", "throw (k keeps one without a vowel) · when arranged: done"),
            ("a to z", "lay a die that shows it; shift prefers a red one"),
            ("", "without one left, a wild die is laid and called so"),
            ("* or .", "lay a wild die; then type its letter"),
            ("Space", "write across or down"),
            ("arrows", "move the cursor"),
            ("Backspace", "take the last die back; Delete the one here; 0 all"),
            ("- or Ctrl-Z", "undo"),
            ("x, p", "while words are heard: challenge the word, let them stand"),
            ("y, n", "vote on a challenged word, answer a proposal"),
            ("0-9, Enter", "in an auction: a bid; p passes"),
            ("e or F6", "I-Qubes: propose to end; F7 agrees, F8 does not"),
            ("mouse", "press a die, let go on the grid; or click both"),
        ]
    }
}
