//! A board without a table: for lessons, where it always waits for the same side and can be set up again, and for a position
//! that is only looked at.

use crate::session::{Dealer, Happened, Player, Session};
use contact::view::{Last, PairView, TileView};
use contact::{Colour, Move, Pair, Position, Private, Public, R9, Set as Pieces, Side, Ties, Tile};
use house::Kind;
use leptos::prelude::*;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use table::Seat;

/// A board on which somebody learns.
pub(super) struct Stage {
    session: Session,
    position: RefCell<Position>,
}

impl Stage {
    /// Sets a board up from a position text; South is whoever learns. The text is checked by a test.
    pub(super) fn set_up(text: &str) -> Option<Session> {
        let position = text.parse::<Position>().ok()?.under(Ties::NEVER);
        let session = Session::new(Kind::Contact);
        let names = ["You", "Blue", "Green", "Yellow"].map(str::to_owned);
        session.players.set(names.map(|name| Player { name, bot: None, here: true }).into());
        session.mine.set(vec![Seat(0)]);
        session.hand.set(Some(Seat(0)));
        let own = serde_json::to_string(&Private { side: Some(Side::South) }).ok()?;
        session.privates.set([(Seat(0), own.into())].into());
        session.awaited.set(vec![Seat(0)]);
        show(session, &position, None);
        session.serve(Rc::new(Stage { session, position: RefCell::new(position) }));
        Some(session)
    }

    /// A board with this position on it, where nobody moves.
    pub(super) fn look_at(text: &str) -> Option<Session> {
        let position: Position = text.parse().ok()?;
        let session = Session::new(Kind::Contact);
        let sides = position.players().sides().iter();
        let named = sides.map(|side| Player { name: format!("{side:?}"), bot: None, here: true });
        session.players.set(named.collect());
        session.hand.set(Some(Seat(0)));
        show(session, &position, None);
        Some(session)
    }

    fn play(&self, mv: Move) -> Option<()> {
        let mut position = self.position.borrow_mut();
        let before = position.clone();
        let removed = position.play(mv)?.removed();
        let spun = |tile: Tile| match mv.ends() {
            Some((from, to)) if tile.at == from => Tile { at: to, spin: (tile.spin + 1) & 3, ..tile },
            _ => tile,
        };
        let gone = before.tiles().filter(|tile| removed >> tile.id & 1 != 0);
        let removed: Vec<TileView> = gone.map(|tile| seen(&before, spun(tile))).collect();
        let turned_over = before.foresee(mv).is_some_and(|seen| seen.turns_over);
        let last = Last { by: Side::South, mv, removed, turned_over };
        // Nobody else moves here.
        while position.turn() != Side::South && position.over().is_none() {
            position.make(Move::PASS);
        }
        show(self.session, &position, Some(last));
        self.session.happened.set(Some(Happened { seq: 1, at: 0, seat: Some(Seat(0)) }));
        Some(())
    }
}

impl Dealer for Stage {
    fn act(&self, _: Seat, act: Value) {
        let mv = serde_json::from_value::<contact::Act>(act).map(contact::Act::mv);
        if let Ok(mv) = mv {
            self.play(mv);
        }
    }

    fn ask_coach(&self, _: Seat) {}

    fn record(&self) -> Option<String> {
        None
    }
}

fn seen(position: &Position, tile: Tile) -> TileView {
    TileView {
        id: tile.id,
        owner: tile.owner,
        step: tile.step,
        colour: Colour::of(tile.owner),
        turned: tile.turned,
        spin: tile.spin,
        figures: position.figures(tile),
        at: tile.at,
    }
}

fn show(session: Session, position: &Position, last: Option<Last>) {
    let set = Pieces::default();
    let mut legal = position.clone().legal();
    legal.sort_unstable();
    let pair = match position.pair() {
        Pair::Seven(turns) => Some(PairView { seven_steps: true, turns }),
        _ => None,
    };
    let public = Public {
        players: position.players(),
        turn: position.over().is_none().then_some(position.turn()),
        tiles: position.tiles().map(|tile| seen(position, tile)).collect(),
        legal: legal.to_vec(),
        last,
        quiet: 0,
        pair,
        end: None,
        position: position.to_string(),
        start: position.to_string(),
        moves: Vec::new(),
        r9: R9::Off,
        count: false,
        quiet_limit: position.quiet_limit(),
        figures: set.tiles,
        rings: set.rings,
    };
    session.public.set(serde_json::to_string(&public).unwrap_or_default().into());
}
