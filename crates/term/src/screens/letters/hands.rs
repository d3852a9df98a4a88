//! Hands on the dice: letters are typed where the cursor is, and the dice that show them are laid; then what is asked at the
//! bottom, and what may be said to it.

use super::{Asking, Letters};
use crate::screens::Deed;
use crate::session::State;
use iqubes::{Act, IQubes};
use letters::{Move, Spot, StageView};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use scribbage::Scribbage;
use words::{Face, Letter};

impl Letters {
    pub(super) fn remember(&mut self) {
        if let Some(board) = self.board().cloned() {
            self.undo.push(board);
        }
    }

    fn forward(&mut self) {
        let (x, y) = if self.across { (1, 0) } else { (0, 1) };
        self.step(x, y);
    }

    fn step(&mut self, x: i8, y: i8) {
        let by = |at: i8, step: i8| at.saturating_add(step).clamp(-letters::REACH, letters::REACH);
        self.cursor = Spot(by(self.cursor.0, x), by(self.cursor.1, y));
    }

    /// Does something at a turn.
    pub(super) fn act(&self, step: Move) -> Deed {
        self.acts([step])
    }

    fn acts(&self, steps: impl IntoIterator<Item = Move>) -> Deed {
        let steps = steps.into_iter();
        if self.iqubes {
            Deed::acts::<IQubes>(steps.map(iqubes::Act::from))
        } else {
            Deed::acts::<Scribbage>(steps.map(scribbage::Act::from))
        }
    }

    /// A letter is typed: lays the die that shows it, or a wild one called so; on an uncalled wild die it calls.
    fn letter(&mut self, sign: char) -> Deed {
        let Some(letter) = Letter::from_char(sign) else { return Deed::No };
        let here = self.die_at(self.cursor);
        if let Some(die) = here.filter(|die| self.face(*die).is_some_and(Face::is_wild)) {
            let called = self.board().and_then(|board| board.dice().get(usize::from(die))?.called);
            if called.is_none() || self.showing(letter, sign.is_ascii_uppercase()).is_none() {
                self.remember();
                self.forward();
                return self.act(Move::Call(die, letter));
            }
        }
        if here.is_some_and(|die| self.face(die).is_some_and(|face| face.letter == Some(letter))) {
            self.forward();
            return Deed::Seen;
        }
        let (die, wild) = match (self.showing(letter, sign.is_ascii_uppercase()), self.wild()) {
            (Some(die), _) => (die, false),
            (None, Some(die)) => (die, true),
            (None, None) => return Deed::Say(format!("No die is left that shows {}.", letter.upper())),
        };
        self.remember();
        let place = Move::Place(die, self.cursor);
        self.forward();
        self.acts([place].into_iter().chain(wild.then_some(Move::Call(die, letter))))
    }

    fn lay_wild(&mut self) -> Deed {
        match self.wild() {
            Some(die) => {
                self.remember();
                self.act(Move::Place(die, self.cursor))
            }
            None => Deed::Say("No wild die is left.".to_owned()),
        }
    }

    /// Takes the die here back, or the one before.
    fn back(&mut self) -> Deed {
        if self.die_at(self.cursor).is_none() {
            let (x, y) = if self.across { (-1, 0) } else { (0, -1) };
            self.step(x, y);
        }
        self.lift()
    }

    pub(super) fn lift(&mut self) -> Deed {
        match self.die_at(self.cursor) {
            Some(die) => {
                self.remember();
                self.act(Move::Lift(die))
            }
            None => Deed::Seen,
        }
    }

    fn undo(&mut self) -> Deed {
        match self.undo.pop() {
            Some(board) => self.act(Move::Arrange(board.layout().dice)),
            None => Deed::Say("There is nothing to undo.".to_owned()),
        }
    }

    pub(super) fn arranging_key(&mut self, key: KeyEvent) -> Deed {
        if self.asking == Asking::Done {
            self.asking = Asking::Nothing;
            if key.code == KeyCode::Enter {
                return self.act(Move::Done);
            }
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('z') if control => return self.undo(),
            KeyCode::Char('x') if control => return self.clear(),
            KeyCode::Char(sign) if sign.is_ascii_alphabetic() && !control => return self.letter(sign),
            KeyCode::Char('*' | '.') => return self.lay_wild(),
            KeyCode::Char('-') => return self.undo(),
            KeyCode::Char('0') => return self.clear(),
            KeyCode::Char(' ') => self.across = !self.across,
            KeyCode::Up => self.step(0, -1),
            KeyCode::Down => self.step(0, 1),
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Backspace => return self.back(),
            KeyCode::Delete => return self.lift(),
            KeyCode::Enter => self.asking = Asking::Done,
            _ => return Deed::No,
        }
        Deed::Seen
    }

    fn clear(&mut self) -> Deed {
        self.remember();
        self.act(Move::Clear)
    }

    pub(super) fn go(&mut self, state: &State) -> Deed {
        let Some(seen) = &self.seen else { return Deed::No };
        if seen.over {
            return Deed::No;
        }
        match &seen.turn.stage {
            StageView::Cup if self.makes(state) => self.act(Move::Throw),
            StageView::Arranging if self.makes(state) && seen.auction.is_none() => {
                self.asking = Asking::Done;
                Deed::Seen
            }
            _ => Deed::No,
        }
    }

    pub(super) fn bid_key(&mut self, key: KeyEvent) -> Deed {
        let Asking::Bid(typed) = &mut self.asking else {
            return match key.code {
                KeyCode::Char(digit @ '0'..='9') => {
                    self.asking = Asking::Bid(digit.to_string());
                    Deed::Seen
                }
                KeyCode::Char('p') => self.act(Move::Pass),
                _ => Deed::No,
            };
        };
        match key.code {
            KeyCode::Char(digit @ '0'..='9') if typed.len() < 4 => typed.push(digit),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let bid = typed.parse::<u32>().ok();
                self.asking = Asking::Nothing;
                return bid.map_or(Deed::Seen, |count| Deed::act::<IQubes>(Act::Bid { count }));
            }
            _ => self.asking = Asking::Nothing,
        }
        Deed::Seen
    }

    /// Keys for a proposal to end the game; they work at any time.
    pub(super) fn proposal_key(&mut self, key: KeyEvent, writes: bool) -> Deed {
        let open = self.seen.as_ref().is_some_and(|seen| seen.proposal.is_some());
        let answer = |yes: bool| Deed::act::<IQubes>(Act::Agree { yes });
        if self.asking == Asking::Rounds {
            self.asking = Asking::Nothing;
            return match key.code {
                KeyCode::Char(digit @ '1'..='3') => {
                    Deed::act::<IQubes>(Act::Propose { rounds: u32::from(digit as u8 - b'0') })
                }
                _ => Deed::Seen,
            };
        }
        match key.code {
            KeyCode::F(7) if open => answer(true),
            KeyCode::F(8) if open => answer(false),
            KeyCode::Char('y') if open && !writes => answer(true),
            KeyCode::Char('n') if open && !writes => answer(false),
            KeyCode::F(6) => self.ask_rounds(),
            KeyCode::Char('e') if !writes => self.ask_rounds(),
            _ => Deed::No,
        }
    }

    fn ask_rounds(&mut self) -> Deed {
        self.asking = Asking::Rounds;
        Deed::Seen
    }

    pub(super) fn hearing_key(&mut self, key: KeyEvent) -> Deed {
        let words = self.words();
        match key.code {
            KeyCode::Char('p') | KeyCode::Enter => self.act(Move::Pass),
            KeyCode::Up => {
                self.word = self.word.saturating_sub(1);
                Deed::Seen
            }
            KeyCode::Down => {
                self.word = (self.word + 1).min(words.len().saturating_sub(1));
                Deed::Seen
            }
            KeyCode::Char('x') => {
                words.get(self.word).map_or(Deed::Seen, |word| self.act(Move::Challenge(*word)))
            }
            _ => Deed::No,
        }
    }
}
