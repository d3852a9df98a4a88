//! What is in somebody's hand or under their eyes: the tile picked, where it may go, where it is aimed. Dragging, tap-tap
//! and keys all end in the same few words.

use super::sight::{CELL, Frame, Sight};
use super::words;
use crate::browser;
use crate::session::Session;
use crate::ui::point;
use crate::voice::Voice;
use contact::{Act, Contact, Corner, Foresight, Move, Position, Private, Public, Side};
use leptos::prelude::*;

/// A tile in somebody's fingers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    /// Where it stood.
    pub(super) from: Corner,
    /// Where it was touched, on the board.
    start: (f64, f64),
    /// Where the finger is, on the board.
    pub(super) at: (f64, f64),
    /// Whether it has left its place; before that it is only touched.
    pub(super) moved: bool,
}

/// A tile in somebody's fingers, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grip {
    /// Where it stood.
    pub(super) from: Corner,
    /// Whether it has left its place.
    pub(super) moved: bool,
}

/// What the board remembers that is no business of the table.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub(super) session: Session,
    pub(super) view: Memo<Option<Public>>,
    /// The position on the board, to ask what a move would do.
    pub(super) board: Memo<Option<Position>>,
    /// The side in front of the screen.
    pub(super) side: Memo<Option<Side>>,
    pub(super) sight: Memo<Sight>,
    /// The tile that was picked, by a tap or a key.
    pub(super) picked: RwSignal<Option<Corner>>,
    /// The tile under the mouse.
    pub(super) over: RwSignal<Option<Corner>>,
    /// Where the tile would go now.
    pub(super) aim: RwSignal<Option<Corner>>,
    /// The tile that is being dragged.
    pub(super) held: RwSignal<Option<Held>>,
    /// The same without where it is: a drag moves its tile only, and draws nothing else anew.
    pub(super) grip: Memo<Option<Grip>>,
    /// Where the keyboard is, and whether it is used.
    pub(super) cursor: RwSignal<Option<Corner>>,
    pub(super) keyed: RwSignal<bool>,
    /// Whether threats are shown.
    pub(super) threats: RwSignal<bool>,
    /// The part of the board that is looked at.
    pub(super) frame: Memo<Frame>,
    /// What the aimed move would do.
    pub(super) foreseen: Memo<Option<Foresight>>,
}

const THREATS: &str = "parlor.contact.threats";

impl Hand {
    /// An empty hand. A lesson looks at one part of the board for good.
    pub(super) fn new(session: Session, look: Option<&'static [&'static str]>) -> Hand {
        let view = session.view::<Public>();
        let own = session.own::<Private>();
        let board = Memo::new(move |_| view.with(|view| view.as_ref()?.standing().ok()));
        let side = Memo::new(move |_| own.get().and_then(|own| own.side));
        let sight = Memo::new(move |_| Sight::from(side.get().unwrap_or(Side::South)));
        let picked = RwSignal::new(None);
        let aim = RwSignal::new(None);
        let held = RwSignal::new(None::<Held>);
        let grip = Memo::new(move |_| held.get().map(|Held { from, moved, .. }| Grip { from, moved }));
        let narrow = browser::watching("(max-width: 700px)");
        let frame = Memo::new(move |_| {
            let sight = sight.get();
            if let Some(corners) = look {
                let corners: Vec<Corner> = corners.iter().filter_map(|text| text.parse().ok()).collect();
                return Frame::around(sight, &corners, 6.0);
            }
            match (narrow.get(), picked.get()) {
                (false, _) => Frame::ALL,
                (true, None) => Frame::SQUARES,
                // On a small screen the board comes nearer for a tile that is picked.
                (true, Some(from)) => {
                    let ends = view.with(|view| ends(view.as_ref(), from));
                    Frame::around(sight, &[ends, vec![from]].concat(), 7.5)
                }
            }
        });
        let foreseen = Memo::new(move |_| {
            let from = grip.get().map(|grip| grip.from).or_else(|| picked.get())?;
            let mv = Move::new(from, aim.get()?);
            board.with(|board| board.as_ref()?.foresee(mv))
        });
        Hand {
            session,
            view,
            board,
            side,
            sight,
            picked,
            over: RwSignal::new(None),
            aim,
            held,
            grip,
            cursor: RwSignal::new(None),
            keyed: RwSignal::new(false),
            threats: RwSignal::new(browser::recall(THREATS).is_some()),
            frame,
            foreseen,
        }
    }

    /// Where the tile on a corner may go, its own corner included where it may step out and back.
    pub(super) fn ends(self, from: Corner) -> Vec<Corner> {
        if !self.session.my_turn() {
            return Vec::new();
        }
        self.view.with(|view| ends(view.as_ref(), from))
    }

    /// The tiles that may be moved now.
    pub(super) fn movable(self) -> Vec<Corner> {
        if !self.session.my_turn() {
            return Vec::new();
        }
        let mut from: Vec<Corner> = self.view.with(|view| {
            let legal = view.as_ref().map(|view| view.legal.as_slice()).unwrap_or_default();
            legal.iter().filter_map(|mv| Some(mv.ends()?.0)).collect()
        });
        from.dedup();
        from
    }

    /// The tile whose ways are shown: in the fingers, picked, or under the mouse.
    pub(super) fn looked_at(self) -> Option<Corner> {
        self.grip.get().map(|grip| grip.from).or_else(|| self.picked.get()).or_else(|| self.over.get())
    }

    /// Whether nothing may be done here but pass.
    pub(super) fn must_pass(self) -> bool {
        self.session.my_turn()
            && self.view.with(|view| view.as_ref().is_some_and(|view| view.legal == [Move::PASS]))
    }

    /// Picks a tile, and says where it may go.
    pub(super) fn pick(self, from: Corner, voice: Voice) {
        self.picked.set(Some(from));
        self.aim.set(None);
        let ends = untrack(|| self.ends(from));
        voice.say(words::choices(from, &ends));
    }

    /// Lets go of everything.
    pub(super) fn let_go(self) {
        self.picked.set(None);
        self.aim.set(None);
        self.held.set(None);
    }

    /// Moves.
    pub(super) fn go(self, from: Corner, to: Corner) {
        self.let_go();
        self.session.act::<Contact>(Act::Move { from, to });
    }

    /// Shows the threats, or no longer.
    pub(super) fn toggle_threats(self) {
        let on = !self.threats.get_untracked();
        self.threats.set(on);
        if on {
            browser::remember(THREATS, "yes");
        } else {
            browser::forget(THREATS);
        }
    }
}

/// Where the tile on a corner may go.
fn ends(view: Option<&Public>, from: Corner) -> Vec<Corner> {
    let legal = view.map(|view| view.legal.as_slice()).unwrap_or_default();
    legal.iter().filter_map(|mv| mv.ends()).filter(|ends| ends.0 == from).map(|ends| ends.1).collect()
}

/// A pointer on the board: where it is, and how exact it can be.
struct Touched {
    at: (f64, f64),
    finger: bool,
}

impl Touched {
    fn of(hand: Hand, event: &web_sys::PointerEvent) -> Option<Touched> {
        let element = point::handled_by(event)?;
        let at = hand.frame.get_untracked().onto_board(point::on_drawing(event, &element)?);
        Some(Touched { at, finger: event.pointer_type() != "mouse" })
    }

    /// How near is near enough, in squares.
    fn near(&self, mouse: f64, finger: f64) -> f64 {
        CELL * if self.finger { finger } else { mouse }
    }
}

/// A finger or a button goes down.
pub(super) fn down(hand: Hand, event: &web_sys::PointerEvent) {
    hand.keyed.set(false);
    let Some(touched) = Touched::of(hand, event) else { return };
    if let Some(element) = point::handled_by(event) {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
    untrack(|| {
        let sight = hand.sight.get();
        let tile = sight.nearest(touched.at, hand.movable(), touched.near(0.55, 1.1));
        let end = hand.picked.get().and_then(|from| {
            let away = hand.ends(from).into_iter().filter(|&end| end != from);
            sight.nearest(touched.at, away, touched.near(0.55, 0.75))
        });
        match (tile, end) {
            (tile, Some((end, far))) if tile.is_none_or(|(_, tile_far)| far <= tile_far) => {
                hand.aim.set(Some(end));
            }
            (Some((from, _)), _) => {
                hand.held.set(Some(Held { from, start: touched.at, at: touched.at, moved: false }));
            }
            _ => hand.let_go(),
        }
    });
}

/// A finger or the mouse moves.
pub(super) fn moved(hand: Hand, event: &web_sys::PointerEvent) {
    let Some(touched) = Touched::of(hand, event) else { return };
    untrack(|| {
        let sight = hand.sight.get();
        let away = |from: Corner| hand.ends(from).into_iter().filter(move |&end| end != from);
        if let Some(held) = hand.held.get() {
            let (x, y) = held.start;
            let far = (touched.at.0 - x).hypot(touched.at.1 - y) > touched.near(0.15, 0.35);
            if !held.moved && !far {
                return;
            }
            hand.held.set(Some(Held { at: touched.at, moved: true, ..held }));
            aim(hand, sight.nearest(touched.at, away(held.from), touched.near(0.6, 0.7)));
            return;
        }
        if touched.finger && event.buttons() == 0 {
            return;
        }
        if let Some(from) = hand.picked.get() {
            aim(hand, sight.nearest(touched.at, away(from), touched.near(0.55, 0.75)));
        }
        let over = sight.nearest(touched.at, hand.movable(), touched.near(0.5, 0.0)).map(|over| over.0);
        if hand.over.get() != over {
            hand.over.set(over);
        }
    });
}

fn aim(hand: Hand, found: Option<(Corner, f64)>) {
    let end = found.map(|found| found.0);
    if hand.aim.get_untracked() != end {
        hand.aim.set(end);
    }
}

/// A finger or a button goes up: what was aimed at is done.
pub(super) fn up(hand: Hand, voice: Voice) {
    let (held, aim) = (hand.held.get_untracked(), hand.aim.get_untracked());
    match (held, aim) {
        (Some(held), Some(to)) if held.moved => hand.go(held.from, to),
        (Some(held), None) if held.moved => hand.let_go(),
        (Some(held), _) => {
            hand.held.set(None);
            if hand.picked.get_untracked() == Some(held.from) {
                hand.let_go();
            } else {
                hand.pick(held.from, voice);
            }
        }
        (None, Some(to)) => {
            if let Some(from) = hand.picked.get_untracked() {
                hand.go(from, to);
            }
        }
        (None, None) => {}
    }
}

/// A key: arrows walk, Enter picks and places, Escape lets go, N goes to the next choice, T shows threats.
pub(super) fn key(hand: Hand, event: &web_sys::KeyboardEvent, voice: Voice) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    hand.keyed.set(true);
    let key = event.key();
    match key.as_str() {
        "ArrowLeft" => walk(hand, -1, 0),
        "ArrowRight" => walk(hand, 1, 0),
        "ArrowUp" => walk(hand, 0, -1),
        "ArrowDown" => walk(hand, 0, 1),
        "Enter" | " " => untrack(|| press(hand, voice)),
        // With nothing to let go of, it closes what the board lies in.
        "Escape" if hand.picked.get_untracked().is_none() && hand.held.get_untracked().is_none() => return,
        "Escape" => hand.let_go(),
        "n" | "N" => untrack(|| next(hand, if key == "n" { 1 } else { -1 })),
        "t" | "T" => hand.toggle_threats(),
        _ => return,
    }
    event.prevent_default();
    // In a replay the arrow keys are the film's.
    event.stop_propagation();
}

/// Where the keyboard is: at first on a tile that may move, else in the middle.
pub(super) fn cursor(hand: Hand) -> Corner {
    let middle = || Corner::new(8, 8).expect("the middle is on the board");
    hand.cursor.get().or_else(|| hand.movable().first().copied()).unwrap_or_else(middle)
}

fn walk(hand: Hand, right: i8, down: i8) {
    let at = untrack(|| hand.sight.get().step(cursor(hand), right, down));
    put_cursor(hand, at);
}

fn put_cursor(hand: Hand, at: Corner) {
    hand.cursor.set(Some(at));
    if let Some(from) = hand.picked.get_untracked() {
        let may = untrack(|| hand.ends(from)).contains(&at);
        hand.aim.set(may.then_some(at));
    }
}

fn press(hand: Hand, voice: Voice) {
    let at = cursor(hand);
    match hand.picked.get() {
        Some(from) if hand.ends(from).contains(&at) => hand.go(from, at),
        Some(from) if from == at => hand.let_go(),
        _ if hand.movable().contains(&at) => {
            hand.pick(at, voice);
            put_cursor(hand, at);
        }
        Some(from) => voice.tell(words::choices(from, &hand.ends(from))),
        None => voice.say(words::corner(hand, at)),
    }
}

/// The next of what can be chosen: tiles, or with one picked where it may go.
fn next(hand: Hand, by: isize) {
    let among = hand.picked.get().map_or_else(|| hand.movable(), |from| hand.ends(from));
    if among.is_empty() {
        return;
    }
    let here = cursor(hand);
    let at = among.iter().position(|&corner| corner == here && hand.cursor.get().is_some());
    let at = at.map_or(0, |at| (at as isize + by).rem_euclid(among.len() as isize) as usize);
    put_cursor(hand, among[at]);
}
