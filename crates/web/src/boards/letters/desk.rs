//! What lies on the desk: the dice as the table knows them, as a hand has just moved them, and what the fingers hold. All
//! ways of moving a die (dragging, tapping, typing) end here.

use super::lay::{Lay, Span, UNMEASURED};
use super::piece::{Look, spoken};
use super::read::Read;
use super::shown::Shown;
use crate::browser;
use crate::voice::{Voice, voice};
use leptos::prelude::*;
use letters::{Board, Move, Spot};
use words::{Face, Layout, Letter, Placed};

/// Dice in somebody's fingers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    /// The one that was taken hold of.
    pub die: u8,
    /// All that come with it.
    pub all: Vec<u8>,
    /// Where the fingers came down.
    pub from: (f64, f64),
    /// Where they are.
    pub at: (f64, f64),
    /// Whether they have moved.
    pub moved: bool,
}

/// Where the keyboard is, and which way it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The cell.
    pub spot: Spot,
    /// To the right, or downwards.
    pub across: bool,
}

impl Cursor {
    /// So many steps on, or back.
    pub fn step(self, by: i8) -> Cursor {
        let Spot(x, y) = self.spot;
        let spot = if self.across { Spot(x.saturating_add(by), y) } else { Spot(x, y.saturating_add(by)) };
        Cursor { spot, ..self }
    }
}

/// The desk.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    /// Which game.
    pub look: Look,
    /// The table.
    pub shown: Memo<Option<Shown>>,
    /// Whether somebody at this screen may move the dice.
    pub may: Memo<bool>,
    /// The dice as they are seen.
    pub board: Memo<Board>,
    /// The die picked with a tap.
    pub picked: RwSignal<Option<u8>>,
    /// The wild die that is asked for its letter.
    pub asking: RwSignal<Option<u8>>,
    /// What is being dragged.
    pub held: RwSignal<Option<Held>>,
    /// Whether dice that touch are dragged together.
    pub together: RwSignal<bool>,
    /// The keyboard.
    pub cursor: RwSignal<Cursor>,
    /// Whether the grid has the keyboard.
    pub keyed: RwSignal<bool>,
    /// Whether somebody has typed here.
    pub typed: RwSignal<bool>,
    /// Which die lies in which place of the tray.
    pub order: RwSignal<Vec<u8>>,
    /// Dice that could be laid, as a hint.
    pub ghost: RwSignal<Option<Layout>>,
    /// Another layout, looked at instead: the best there was.
    pub instead: RwSignal<Option<Board>>,
    /// How large the drawing is.
    pub size: RwSignal<(f64, f64)>,
    /// Where everything lies.
    pub lay: Memo<Lay>,
    /// The cell over which something is held.
    pub over: Memo<Option<Spot>>,
    /// What is read and counted, as it is or as it would be.
    pub read: Memo<Read>,
    /// The dice as a hand left them, before the table has answered.
    hope: RwSignal<Option<Board>>,
    /// How it was before, the last last.
    past: RwSignal<Vec<Board>>,
    act: Callback<Move>,
    voice: Voice,
}

impl Desk {
    /// A desk with a table's dice on it.
    pub fn new(look: Look, shown: Memo<Option<Shown>>, may: Memo<bool>, act: Callback<Move>) -> Desk {
        let (hope, instead) = (RwSignal::new(None::<Board>), RwSignal::new(None::<Board>));
        let (held, order) = (RwSignal::new(None::<Held>), RwSignal::new(Vec::new()));
        let (size, ghost) = (RwSignal::new(UNMEASURED), RwSignal::new(None::<Layout>));
        let board = Memo::new(move |_| {
            let real = || {
                shown.with(|shown| shown.as_ref().map(|shown| shown.turn.dice.clone()).unwrap_or_default())
            };
            instead.get().or_else(|| hope.get()).unwrap_or_else(real)
        });
        let lay = Memo::new(move |before: Option<&Lay>| {
            // Nothing moves under a hand that holds something.
            if let Some(before) =
                before.filter(|_| held.with(|held| held.as_ref().is_some_and(|held| held.moved)))
            {
                return *before;
            }
            let dice = shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.rules.faces.len()));
            let hinted = ghost.with(|ghost| ghost.as_ref().and_then(Span::of_layout));
            Lay::of(size.get(), dice, Span::both(board.with(Span::of), hinted), before.copied())
        });
        let over = Memo::new(move |_| {
            let held = held.get().filter(|held| held.moved)?;
            lay.get().spot_at(held.at)
        });
        let read = Memo::new(move |_| {
            let would = over.get().and_then(|over| {
                let held = held.get_untracked()?;
                board.with(|board| would(board, &held, over).map(|touch| touch.done_to(board)))
            });
            shown
                .with(|shown| {
                    let shown = shown.as_ref()?;
                    Some(match would {
                        Some(board) => Read::of(&board, shown, look),
                        None => board.with(|board| Read::of(board, shown, look)),
                    })
                })
                .unwrap_or_default()
        });
        let desk = Desk {
            look,
            shown,
            may,
            board,
            picked: RwSignal::new(None),
            asking: RwSignal::new(None),
            held,
            together: RwSignal::new(false),
            cursor: RwSignal::new(Cursor { spot: Spot(-1, 0), across: true }),
            keyed: RwSignal::new(false),
            typed: RwSignal::new(false),
            order,
            ghost,
            instead,
            size,
            lay,
            over,
            read,
            hope,
            past: RwSignal::new(Vec::new()),
            act,
            voice: voice(),
        };
        desk.follow();
        desk
    }

    /// What the table answers takes the place of what was hoped; and a new throw is a new beginning.
    fn follow(self) {
        Effect::new(move |_| {
            let real = self.shown.with(|shown| shown.as_ref().map(|shown| shown.turn.dice.clone()));
            if self.hope.get_untracked() == real || !self.may.get() {
                self.hope.set(None);
            }
        });
        let throw = Memo::new(move |_| {
            self.shown.with(|shown| {
                let shown = shown.as_ref()?;
                Some((shown.rules.faces.clone(), shown.arranging(), shown.turn.makers.clone()))
            })
        });
        Effect::new(move |_| {
            let dice = throw.with(|throw| throw.as_ref().map_or(0, |throw| throw.0.len()));
            self.order.set((0..dice as u8).collect());
            self.past.set(Vec::new());
            self.drop_all();
            self.instead.set(None);
            self.cursor.set(Cursor { spot: Spot(-1, 0), across: true });
        });
    }

    /// Nothing is picked, held, asked or hinted at.
    pub fn drop_all(self) {
        self.picked.set(None);
        self.asking.set(None);
        self.held.set(None);
        self.ghost.set(None);
    }

    /// The table said no: it is as it was.
    pub fn refused(self) {
        self.hope.set(None);
        self.past.update(|past| drop(past.pop()));
    }

    /// Does something with the dice, at once, and tells the table.
    fn touch(self, touch: Move) {
        let before = self.board.get_untracked();
        let after = touch.done_to(&before);
        if after == before || !self.may.get_untracked() {
            return;
        }
        self.past.update(|past| past.push(before));
        self.hope_for(after);
        self.act.run(touch);
    }

    fn hope_for(self, board: Board) {
        self.ghost.set(None);
        self.hope.set(Some(board.clone()));
        // A partner may have moved the dice at the same moment; then the table is right.
        browser::later(1500, move || {
            if self.hope.try_get_untracked().flatten() == Some(board) {
                self.hope.set(None);
            }
        });
    }

    /// How many dice there are.
    pub fn dice(self) -> usize {
        self.shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.rules.faces.len()))
    }

    /// What a die shows.
    pub fn face(self, die: u8) -> Option<Face> {
        self.shown.with(|shown| shown.as_ref()?.rules.faces.get(usize::from(die)).copied())
    }

    /// What a wild die is called.
    pub fn called(self, die: u8) -> Option<Letter> {
        self.board.with(|board| board.dice().get(usize::from(die)).and_then(|lie| lie.called))
    }

    /// Where a die lies on the grid.
    pub fn at(self, die: u8) -> Option<Spot> {
        self.board.with(|board| board.dice().get(usize::from(die)).and_then(|lie| lie.at))
    }

    /// A die in words.
    pub fn spoken(self, die: u8) -> String {
        self.face(die).map(|face| spoken(face, self.called(die))).unwrap_or_default()
    }

    /// Puts a die on the grid; a wild one is then asked for its letter.
    pub fn put(self, die: u8, spot: Spot) {
        self.picked.set(None);
        self.touch(Move::Place(die, spot));
        let wild = self.face(die).is_some_and(Face::is_wild);
        self.asking.set((wild && self.called(die).is_none()).then_some(die));
    }

    /// Takes a die off the grid.
    pub fn lift(self, die: u8) {
        self.picked.set(None);
        self.asking.set(None);
        if self.at(die).is_some() {
            self.touch(Move::Lift(die));
        }
    }

    /// Takes all dice off the grid.
    pub fn clear(self) {
        self.drop_all();
        self.touch(Move::Clear);
    }

    /// Says what a wild die is.
    pub fn call(self, die: u8, letter: Letter) {
        self.asking.set(None);
        self.picked.set(None);
        self.touch(Move::Call(die, letter));
    }

    /// The layout of before, or nothing.
    pub fn undo(self) {
        self.drop_all();
        if let Some(before) = self.past.try_update(Vec::pop).flatten() {
            let laid = before.layout().dice;
            self.hope_for(before);
            self.act.run(Move::Arrange(laid));
        }
    }

    /// Is there anything to undo?
    pub fn has_past(self) -> bool {
        self.past.with(|past| !past.is_empty())
    }

    /// Lays a whole layout.
    pub fn arrange(self, layout: &Layout) {
        self.drop_all();
        self.touch(Move::Arrange(layout.dice.clone()));
    }

    /// The dice in the tray change places, to look at them afresh.
    pub fn shuffle(self) {
        self.order.update(|order| {
            for at in (1..order.len()).rev() {
                let [byte] = browser::chance::<1>();
                order.swap(at, usize::from(byte) % (at + 1));
            }
        });
    }

    /// A tap on a die: pick it; picked already, off with it; another picked and this one on the grid: they change places.
    pub fn tap_die(self, die: u8) {
        match (self.picked.get_untracked(), self.at(die)) {
            (Some(picked), Some(_)) if picked == die => self.lift(die),
            (Some(picked), None) if picked == die => self.picked.set(None),
            (Some(picked), Some(spot)) => self.put(picked, spot),
            _ => self.pick(die),
        }
    }

    fn pick(self, die: u8) {
        self.picked.set(Some(die));
        let laid_wild = self.at(die).is_some() && self.face(die).is_some_and(Face::is_wild);
        self.asking.set(laid_wild.then_some(die));
    }

    /// A tap on a cell: the picked die goes there; without one the keyboard does.
    pub fn tap_spot(self, spot: Spot) {
        match self.picked.get_untracked() {
            Some(die) => {
                self.put(die, spot);
                self.cursor.update(|cursor| cursor.spot = spot);
            }
            None => self.cursor.update(|cursor| {
                cursor.across ^= cursor.spot == spot;
                cursor.spot = spot;
            }),
        }
    }

    /// Dice are let go over a cell.
    pub fn drop_on(self, held: &Held, spot: Spot) {
        if let [die] = held.all[..] {
            self.put(die, spot);
            return;
        }
        if let Some(touch) = self.board.with_untracked(|board| would(board, held, spot)) {
            self.touch(touch);
        }
        self.picked.set(None);
    }

    /// Dice are let go beside the grid.
    pub fn drop_beside(self, held: &Held, slot: Option<usize>) {
        self.picked.set(None);
        self.asking.set(None);
        if self.at(held.die).is_none() {
            if let Some(slot) = slot {
                self.order.update(|order| {
                    if let Some(from) = order.iter().position(|die| *die == held.die) {
                        order.swap(from, slot);
                    }
                });
            }
            return;
        }
        match held.all.as_slice() {
            [die] => self.lift(*die),
            all => {
                let mut layout = self.board.with_untracked(Board::layout);
                layout.dice.retain(|placed| !all.contains(&placed.die));
                self.touch(Move::Arrange(layout.dice));
            }
        }
    }

    /// Moves the dice that hang together with the one under the cursor.
    pub fn push(self, by: (i8, i8)) {
        let cursor = self.cursor.get_untracked();
        let Some(die) = self.board.with_untracked(|board| board.die_at(cursor.spot)) else { return };
        let all = self.board.with_untracked(|board| group(board, die));
        let moved = self.board.with_untracked(|board| shifted(board, &all, by));
        if let Some(touch) = moved {
            self.touch(touch);
            self.cursor.update(|cursor| {
                cursor.spot = Spot(cursor.spot.0.saturating_add(by.0), cursor.spot.1.saturating_add(by.1));
            });
        }
    }

    /// Writes a letter at the cursor: lays a die that shows it, or a wild one, and goes on. `other` takes the other colour.
    pub fn write(self, letter: Letter, other: bool) {
        self.typed.set(true);
        let cursor = self.cursor.get_untracked();
        if let Some(die) = self.asking.get_untracked() {
            if self.at(die) == Some(cursor.spot) {
                self.cursor.set(cursor.step(1));
            }
            return self.call(die, letter);
        }
        let there = self.board.with_untracked(|board| board.die_at(cursor.spot));
        let reads = |die: u8| self.face(die).and_then(|face| face.letter).or_else(|| self.called(die));
        if there.is_some_and(|die| reads(die) == Some(letter)) {
            return self.cursor.set(cursor.step(1));
        }
        let Some(die) = self.find(letter, cursor, other) else {
            let wild = self.look.wild();
            return self.voice.tell(format!("No {} is left in the tray, and no {wild}.", letter.upper()));
        };
        self.picked.set(None);
        let mut layout = self.board.with_untracked(Board::layout);
        layout.dice.retain(|placed| Some(placed.die) != there);
        let called = self.face(die).is_some_and(Face::is_wild).then_some(letter);
        layout.place(Placed { die, x: cursor.spot.0, y: cursor.spot.1, called });
        let alone = there.is_none() && called.is_none();
        self.touch(if alone { Move::Place(die, cursor.spot) } else { Move::Arrange(layout.dice) });
        self.cursor.set(cursor.step(1));
    }

    /// The die of the tray for a letter: the colour of the word it continues, then any, then a wild one.
    fn find(self, letter: Letter, cursor: Cursor, other: bool) -> Option<u8> {
        let before = self.board.with_untracked(|board| board.die_at(cursor.step(-1).spot));
        let colour = before.and_then(|die| self.face(die)).and_then(|face| face.colour);
        let order = self.order.get_untracked();
        let free = order.iter().copied().filter(|&die| self.at(die).is_none());
        let fits = free.filter(|&die| {
            self.face(die).is_some_and(|face| face.letter.is_none_or(|shown| shown == letter))
        });
        fits.min_by_key(|&die| {
            let face = self.face(die);
            let wild = face.is_some_and(Face::is_wild);
            let odd = colour.is_some() && face.and_then(|face| face.colour) != colour;
            (wild, odd != other)
        })
    }

    /// Lays a wild die at the cursor, to be asked for its letter.
    pub fn write_wild(self) {
        self.typed.set(true);
        let order = self.order.get_untracked();
        let wild = |die: &u8| self.at(*die).is_none() && self.face(*die).is_some_and(Face::is_wild);
        match order.into_iter().find(wild) {
            Some(die) => self.put(die, self.cursor.get_untracked().spot),
            None => self.voice.tell(format!("No {} is left in the tray.", self.look.wild())),
        }
    }

    /// Takes back what was written: the die under the cursor, or the one before it.
    pub fn rub_out(self, back: bool) {
        self.typed.set(true);
        let here = self.cursor.get_untracked();
        let at = |cursor: Cursor| self.board.with_untracked(|board| board.die_at(cursor.spot));
        match (at(here), back) {
            (Some(die), _) => self.lift(die),
            (None, true) => {
                let before = here.step(-1);
                self.cursor.set(before);
                if let Some(die) = at(before) {
                    self.lift(die);
                }
            }
            (None, false) => {}
        }
    }

    /// Enter: the picked die is laid here, or the die here is picked.
    pub fn enter(self) {
        self.typed.set(true);
        let spot = self.cursor.get_untracked().spot;
        let there = self.board.with_untracked(|board| board.die_at(spot));
        match (self.picked.get_untracked(), there) {
            (Some(picked), _) => self.put(picked, spot),
            (None, Some(die)) => self.tap_die(die),
            (None, None) => {}
        }
    }

    /// Moves the cursor, and says what is there.
    pub fn walk(self, (dx, dy): (i8, i8)) {
        self.typed.set(true);
        let Cursor { spot: Spot(x, y), across } = self.cursor.get_untracked();
        let spot = Spot(x.saturating_add(dx), y.saturating_add(dy));
        if self.lay.get_untracked().shows(spot) {
            self.cursor.set(Cursor { spot, across });
            self.voice.say(self.cell_spoken(spot));
        }
    }

    /// Writes the other way.
    pub fn turn(self) {
        self.typed.set(true);
        let across = self.cursor.try_update(|cursor| {
            cursor.across = !cursor.across;
            cursor.across
        });
        self.voice.say(if across == Some(true) { "Writing across" } else { "Writing down" });
    }

    /// A cell in words: where it is, and what lies there.
    pub fn cell_spoken(self, spot: Spot) -> String {
        let first = self.lay.get_untracked().first;
        let there = self.board.with_untracked(|board| board.die_at(spot));
        let what = there.map_or_else(|| "empty".to_owned(), |die| self.spoken(die));
        format!("row {}, column {}, {what}", spot.1 - first.1 + 1, spot.0 - first.0 + 1)
    }
}

/// All dice that hang together with one on the grid, itself among them.
pub(super) fn group(board: &Board, die: u8) -> Vec<u8> {
    let mut all = vec![die];
    let mut next = 0;
    while let Some(&die) = all.get(next) {
        next += 1;
        let Some(Spot(x, y)) = board.dice().get(usize::from(die)).and_then(|lie| lie.at) else { continue };
        for spot in [Spot(x - 1, y), Spot(x + 1, y), Spot(x, y - 1), Spot(x, y + 1)] {
            if let Some(other) = board.die_at(spot).filter(|other| !all.contains(other)) {
                all.push(other);
            }
        }
    }
    all
}

/// What letting go over a cell would do; nothing, where a group would lie on other dice.
fn would(board: &Board, held: &Held, over: Spot) -> Option<Move> {
    match held.all.as_slice() {
        [die] => Some(Move::Place(*die, over)),
        all => {
            let Spot(x, y) = board.dice().get(usize::from(held.die))?.at?;
            shifted(board, all, (over.0 - x, over.1 - y))
        }
    }
}

/// These dice moved by so many cells, if there is room for them.
fn shifted(board: &Board, all: &[u8], (dx, dy): (i8, i8)) -> Option<Move> {
    let mut layout = board.layout();
    for placed in layout.dice.iter_mut().filter(|placed| all.contains(&placed.die)) {
        placed.x = placed.x.checked_add(dx)?;
        placed.y = placed.y.checked_add(dy)?;
    }
    let mut tried = board.clone();
    tried.arrange(&layout.dice).ok()?;
    Some(Move::Arrange(layout.dice))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(spots: &[(i8, i8)]) -> Board {
        let mut board = Board::beside(spots.len() + 1);
        for (die, &(x, y)) in (0..).zip(spots) {
            board.place(die, Spot(x, y)).unwrap();
        }
        board
    }

    #[test]
    fn dice_that_touch_hang_together_and_corners_do_not() {
        let board = laid(&[(0, 0), (1, 0), (1, 1), (2, 2), (5, 5)]);
        assert_eq!(group(&board, 2), [2, 1, 0]);
        assert_eq!(group(&board, 3), [3]);
        assert_eq!(group(&board, 5), [5], "one in the tray is alone");
    }

    #[test]
    fn a_group_moves_where_there_is_room_and_else_stays() {
        let board = laid(&[(0, 0), (1, 0), (3, 0)]);
        assert!(shifted(&board, &[0, 1], (0, 1)).is_some());
        assert!(shifted(&board, &[0, 1], (1, 0)).is_some(), "onto its own cells");
        assert_eq!(shifted(&board, &[0, 1], (2, 0)), None, "the third die lies there");
        assert_eq!(shifted(&board, &[0], (120, 0)), None, "off the table");
    }
}
