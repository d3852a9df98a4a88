//! What a bot of either house does with the dice: it thinks, lays them down one by one at a human pace, challenges and
//! votes. It sees what a person in its seat sees.

use crate::board::{Board, Spot};
use crate::count::Rules;
use crate::mind::{self, Level, Plan};
use crate::view::{StageView, TurnView};
use std::collections::{BTreeMap, BTreeSet};
use table::{Luck, Seat, Time};
use words::{Layout, Letter, Placed, Word, WordsId};

/// Something to do at a turn of either game, which puts it into an act of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Throws the dice.
    Throw,
    /// Puts a die somewhere.
    Place(u8, Spot),
    /// Takes a die off the grid.
    Lift(u8),
    /// Takes all dice off the grid.
    Clear,
    /// Calls the letter of a wild die.
    Call(u8, Letter),
    /// Lays the whole arrangement.
    Arrange(Vec<Placed>),
    /// Ends the arranging.
    Done,
    /// Has nothing to challenge.
    Pass,
    /// Challenges a word.
    Challenge(Word),
    /// Votes on a word.
    Vote(bool),
}

impl Move {
    /// Done to a board. What cannot be done, or is no matter of dice, leaves it as it is.
    pub fn done_to(&self, board: &Board) -> Board {
        let mut after = board.clone();
        let done = match self {
            Move::Place(die, spot) => after.place(*die, *spot),
            Move::Lift(die) => after.lift(*die),
            Move::Clear => {
                after.clear();
                Ok(())
            }
            Move::Call(die, letter) => after.call(*die, *letter, true),
            Move::Arrange(dice) => after.arrange(dice),
            Move::Throw | Move::Done | Move::Pass | Move::Challenge(_) | Move::Vote(_) => Ok(()),
        };
        if done.is_ok() { after } else { board.clone() }
    }
}

/// A partner has so long to change what a bot has laid before the bot says that the team is done, in milliseconds.
const PARTNER_MS: u64 = 20_000;

/// What a bot looks at: the turn, its dice, and the words that the table knows.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// Table time.
    pub now: Time,
    /// The bot's seat.
    pub seat: Seat,
    /// The turn as everybody sees it.
    pub turn: &'a TurnView,
    /// The throw and how it counts.
    pub rules: &'a Rules,
    /// The dictionary of the table.
    pub words: WordsId,
    /// What the table has decided about words.
    pub rulings: &'a BTreeMap<Word, bool>,
}

/// The hands and the patience of a bot.
#[derive(Debug)]
pub struct Player {
    level: Level,
    luck: Luck,
    /// The layout it is working on, the throw it belongs to, and the words that had fallen at the table.
    plan: Option<(Rules, BTreeSet<Word>, Plan)>,
    /// What it means to do: asked again about the same thing, it gives the same answer.
    intent: Option<(TurnView, Time, Move)>,
    /// The arranging it is at.
    work: Option<Work>,
}

/// Dice being laid.
#[derive(Debug)]
struct Work {
    /// When time is up, by which one arranging is told from another.
    by: Option<Time>,
    /// The board as it should look after its own last step.
    expected: Board,
    /// A partner has taken the dice in hand.
    yields: bool,
}

impl Player {
    /// A bot of a level, bounded to 1 to 5, with luck of its own.
    pub fn new(level: u8, seed: u64) -> Player {
        Player { level: Level::new(level), luck: Luck::new(seed), plan: None, intent: None, work: None }
    }

    /// Its level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Its luck, for what only one of the games asks.
    pub const fn luck(&mut self) -> &mut Luck {
        &mut self.luck
    }

    /// The best it can make of a throw at a table that has decided so about words.
    pub fn plan(&mut self, rules: &Rules, words: WordsId, rulings: &BTreeMap<Word, bool>) -> &Plan {
        let fell: BTreeSet<Word> =
            rulings.iter().filter(|(_, stands)| !**stands).map(|(word, _)| *word).collect();
        let known = self.plan.take().filter(|(of, with, _)| of == rules && *with == fell);
        let plan = known.unwrap_or_else(|| {
            let plan = mind::plan(rules, words, &fell, self.level, &mut self.luck);
            (rules.clone(), fell, plan)
        });
        &self.plan.insert(plan).2
    }

    /// What to do next, and when; nothing if the turn has no use for this seat.
    pub fn next(&mut self, sight: &Sight<'_>) -> Option<(Time, Move)> {
        if !sight.turn.awaits(sight.seat) {
            return None;
        }
        if let Some((_, at, step)) = self.intent.as_ref().filter(|(of, ..)| of == sight.turn) {
            return Some((*at, step.clone()));
        }
        let (wait, step) = match &sight.turn.stage {
            StageView::Cup => (self.about(1_500), Move::Throw),
            StageView::Arranging => self.arrange(sight)?,
            StageView::Hearing { .. } => (self.about(2_500), self.hear(sight)),
            StageView::Voting { word, .. } => (self.about(2_500), Move::Vote(mind::votes_for(sight, word))),
            StageView::Stands => return None,
        };
        let at = sight.now.plus(wait);
        self.intent = Some((sight.turn.clone(), at, step.clone()));
        Some((at, step))
    }

    /// One more die towards the plan. In a team the first member lays the dice, until a partner moves one; and once they lie
    /// the partners have a while to do so.
    fn arrange(&mut self, sight: &Sight<'_>) -> Option<(u64, Move)> {
        let TurnView { dice: board, makers, by, .. } = sight.turn;
        if makers.first() != Some(&sight.seat) {
            return None;
        }
        let work = self.work.take().filter(|work| work.by == *by);
        let fresh = work.is_none();
        let yields = work.is_some_and(|work| work.yields || (makers.len() > 1 && work.expected != *board));
        let target = self.plan(sight.rules, sight.words, sight.rulings).layout.clone();
        let step = step(board, &target);
        self.work = Some(Work { by: *by, expected: step.done_to(board), yields });
        if yields {
            return None;
        }
        // A look at the throw first; then whatever is left to do must fit into the time that is left.
        let left = by.map_or(0, |by| by - sight.now);
        let steps = 2 + 2 * target.dice.len() as u64;
        let wait = if step == Move::Done && makers.len() > 1 {
            PARTNER_MS.min(left * 3 / 4)
        } else if fresh {
            self.about(self.level.thinks()).min(left / 4)
        } else {
            self.about(self.level.pace()).min(left / steps)
        };
        Some((wait, step))
    }

    /// Challenges the first word that it does not know, where it dares to.
    fn hear(&mut self, sight: &Sight<'_>) -> Move {
        let words = sight.turn.count.iter().flat_map(|count| &count.words).map(|said| said.word);
        let mut open = words.filter(|word| !sight.rulings.contains_key(word));
        let strange = open.find(|word| !mind::knows(sight.words, word));
        strange.filter(|_| self.level.dares(&mut self.luck)).map_or(Move::Pass, Move::Challenge)
    }

    /// A time around `ms`, as people have it.
    fn about(&mut self, ms: u64) -> u64 {
        ms / 2 + self.luck.below(ms)
    }
}

/// The next step from a board to a layout: first what is too much goes, then each die to its place.
fn step(board: &Board, target: &Layout) -> Move {
    let lies = |die: u8| board.dice().get(usize::from(die)).copied().unwrap_or_default();
    let surplus = board.layout().dice.into_iter().find(|placed| target.find(placed.die).is_none());
    if let Some(Placed { die, .. }) = surplus {
        return Move::Lift(die);
    }
    for &Placed { die, x, y, called } in &target.dice {
        if let Some(letter) = called.filter(|_| lies(die).called != called) {
            return Move::Call(die, letter);
        }
        if lies(die).at != Some(Spot(x, y)) {
            return Move::Place(die, Spot(x, y));
        }
    }
    Move::Done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(mut board: Board, target: &Layout) -> (Board, usize) {
        for steps in 0..100 {
            match step(&board, target) {
                Move::Done => return (board, steps),
                step => board = step.done_to(&board),
            }
        }
        panic!("it does not get there: {board:?}");
    }

    #[test]
    fn every_board_comes_to_its_target_in_few_steps() {
        let o = Letter::from_char('o');
        let placed = |die, x, called| Placed { die, x, y: 0, called };
        let target = Layout { dice: vec![placed(0, 1, None), placed(1, 0, o), placed(2, 2, None)] };
        let (board, steps) = walk(Board::beside(4), &target);
        assert_eq!((board.layout().dice.len(), steps), (3, 4));
        // Two dice in each other's places, and one too many.
        let mut board = Board::beside(4);
        for (die, x) in [(0, 0), (1, 1), (3, 5)] {
            board.place(die, Spot(x, 0)).unwrap();
        }
        let (board, steps) = walk(board, &target);
        assert_eq!(board.layout().find(0), Some(placed(0, 1, None)));
        assert_eq!((board.die_at(Spot(5, 0)), steps), (None, 4));
    }

    #[test]
    fn what_cannot_be_done_leaves_the_board_as_it_is() {
        let mut board = Board::beside(2);
        board.place(0, Spot(0, 0)).unwrap();
        assert_eq!(Move::Lift(1).done_to(&board), board);
        assert_eq!(Move::Place(9, Spot(0, 0)).done_to(&board), board);
        assert_eq!(Move::Done.done_to(&board), board);
        assert_eq!(Move::Clear.done_to(&board).laid(), 0);
    }
}
