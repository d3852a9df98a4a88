//! Cubo: the centre, the throw, the square being filled, and how far the others are.

use super::{Click, Deed, Screen};
use crate::look::{Brush, Ink, Spots};
use crate::session::State;
use cubo::{
    Act, Cell, Colour, Cubo, Die, Layout, Phase, Private, Public, Row, SeatView, Stage, Straights, Uncovered,
    WHITE,
};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use serde_json::Value;
use table::Seat;

/// Something on the board that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    /// A die of the throw.
    Die(u8),
    /// A cell of the square.
    Cell(Cell),
    /// A die in the centre.
    Centre(u8),
    /// What the big key of the moment does.
    Go,
}

/// The screen of Cubo.
#[derive(Default)]
pub(crate) struct Race {
    public: Option<Public>,
    own: Option<Private>,
    /// The cell under the cursor, row by row.
    cursor: usize,
    /// The die in the fingers.
    held: Option<u8>,
    hits: Spots<Hit>,
}

fn act(act: Act) -> Deed {
    Deed::act::<Cubo>(act)
}

fn ink(die: Die) -> Ink {
    match die.colour() {
        Colour::Red => Ink::Red,
        Colour::Blue => Ink::Blue,
        Colour::White => Ink::White,
    }
}

fn cell(index: usize) -> Cell {
    Cell::new((index / 3 % 3) as u8, (index % 3) as u8).unwrap_or(Cell::MIDDLE)
}

impl Race {
    fn seat<'a>(&'a self, state: &State) -> Option<&'a SeatView> {
        self.public.as_ref()?.seats.get(state.hand?.index())
    }

    fn stage(&self, state: &State) -> Option<Stage> {
        self.seat(state).map(|seat| seat.stage)
    }

    fn layout(&self) -> Layout {
        self.own.map_or(Layout::EMPTY, |own| own.layout)
    }

    /// Is this seat's cubo being counted?
    fn counting(&self, state: &State) -> bool {
        let turn = |public: &Public| match public.phase {
            Phase::Scoring { turn, .. } => Some(turn) == state.hand,
            _ => false,
        };
        self.public.as_ref().is_some_and(turn)
    }

    /// The dice of the throw that do not lie in the square.
    fn loose(&self) -> impl Iterator<Item = u8> {
        let layout = self.layout();
        (0..WHITE).filter(move |&die| layout.find(die).is_none())
    }

    /// Lays a die where the cursor is, and goes on to the next free cell.
    fn place(&mut self, die: u8, at: Cell) -> Deed {
        if at == Cell::MIDDLE {
            return Deed::Say("The middle is for the white die: lay this one round it.".to_owned());
        }
        self.held = None;
        let layout = self.layout();
        let free = |index: &usize| *index != at.index() && layout.at(cell(*index)).is_none();
        if let Some(next) = (at.index() + 1..9).chain(0..at.index()).find(free) {
            self.cursor = next;
        }
        act(Act::Place { die, at })
    }

    fn lift(&self, at: Cell) -> Deed {
        match self.layout().at(at) {
            Some(WHITE) => Deed::Say("The white die stays in the middle.".to_owned()),
            Some(die) => act(Act::Lift { die }),
            None => Deed::Seen,
        }
    }

    /// Lays what is loose into the free cells, in order.
    fn lay_the_rest(&self) -> Deed {
        let layout = self.layout();
        let mut loose = self.loose();
        let mut grid = [[WHITE; 3]; 3];
        for (index, place) in grid.as_flattened_mut().iter_mut().enumerate() {
            match layout.at(cell(index)).or_else(|| loose.next()) {
                Some(die) => *place = die,
                None => return Deed::Seen,
            }
        }
        act(Act::Arrange { grid })
    }

    fn digit(&mut self, digit: u8, state: &State) -> Deed {
        match self.stage(state) {
            Some(Stage::Called { .. }) if digit > 0 => act(Act::Take { die: digit - 1 }),
            Some(Stage::Thrown) if (1..=8).contains(&digit) => self.place(digit - 1, cell(self.cursor)),
            _ => Deed::No,
        }
    }

    /// The one thing that Enter and the space bar do now.
    fn go(&self, state: &State) -> Deed {
        let Some(public) = &self.public else { return Deed::No };
        match (&public.phase, self.stage(state)) {
            (Phase::Pause { .. }, _) => act(Act::Ready),
            (_, Some(Stage::Held)) => act(Act::Roll),
            (_, Some(Stage::Thrown)) => act(Act::Call),
            _ if self.counting(state) => Self::exchange(cell(self.cursor)),
            _ => Deed::No,
        }
    }

    fn exchange(at: Cell) -> Deed {
        if at == Cell::MIDDLE {
            return Deed::Say("The white die is never exchanged: choose a coloured one, or keep.".to_owned());
        }
        act(Act::Exchange { out: at })
    }

    fn step(&mut self, row: usize, column: usize) -> Deed {
        let (y, x) = (self.cursor / 3, self.cursor % 3);
        self.cursor = (y + row) % 3 * 3 + (x + column) % 3;
        Deed::Seen
    }

    fn draw_centre(&mut self, brush: &mut Brush<'_>, y: u16, state: &State) {
        let Some(public) = &self.public else { return };
        let taking = matches!(self.stage(state), Some(Stage::Called { .. }));
        let mut x = brush.put(1, y + 1, "Centre  ", Ink::Faint);
        for (at, die) in (0u8..).zip(&public.centre) {
            if taking {
                brush.put(x + 1, y, &(at + 1).to_string(), Ink::Accent);
            }
            match die {
                Some(die) => {
                    brush.put(x, y + 1, &format!(" {die} "), ink(*die));
                    self.hits.add(brush, (x, y), (4, 2), Hit::Centre(at));
                }
                None => {
                    brush.put(x, y + 1, " ·· ", Ink::Faint);
                }
            }
            x += 6;
        }
        if public.centre.is_empty() {
            brush.put(x, y + 1, "thrown with the signal", Ink::Faint);
        }
        if taking {
            brush.put(x, y + 1, "take one!", Ink::Warn);
        }
    }

    fn draw_throw(&mut self, brush: &mut Brush<'_>, y: u16, state: &State) {
        let layout = self.layout();
        let dice = self.seat(state).and_then(|seat| seat.dice);
        let mut x = brush.put(1, y + 1, "Throw   ", Ink::Faint);
        let Some(dice) = dice else {
            let says = if self.stage(state) == Some(Stage::Held) { "in your hand" } else { "" };
            brush.put(x, y + 1, says, Ink::Plain);
            return;
        };
        for (at, die) in (0u8..WHITE).zip(dice) {
            if layout.find(at).is_some() {
                brush.put(x, y + 1, "  · ", Ink::Faint);
            } else {
                let ink = if self.held == Some(at) { Ink::Held } else { ink(die) };
                brush.put(x + 1, y, &(at + 1).to_string(), Ink::Accent);
                brush.put(x, y + 1, &format!(" {die} "), ink);
                self.hits.add(brush, (x, y), (4, 2), Hit::Die(at));
            }
            x += 5;
        }
    }

    /// The square with what each full row is worth beside it.
    fn draw_square(&mut self, brush: &mut Brush<'_>, (x, y): (u16, u16), dice: [Option<Die>; 9], live: bool) {
        let straights = self.public.as_ref().map_or(Straights::InOrder, |public| public.straights);
        for line in 0..3u16 {
            let rule = if line == 0 {
                "┌──────┬──────┬──────┐"
            } else {
                "├──────┼──────┼──────┤"
            };
            brush.put(x, y + line * 2, rule, Ink::Faint);
            brush.put(x, y + line * 2 + 1, "│      │      │      │", Ink::Faint);
        }
        brush.put(x, y + 6, "└──────┴──────┴──────┘", Ink::Faint);
        for (index, die) in dice.iter().enumerate() {
            let (column, line) = (index as u16 % 3, index as u16 / 3);
            let at = (x + 1 + column * 7, y + 1 + line * 2);
            let here = live && self.cursor == index;
            match die {
                Some(die) => {
                    brush.put(at.0 + 1, at.1, &format!(" {die} "), ink(*die));
                }
                None if here => {}
                None => {
                    brush.put(at.0 + 2, at.1, "··", Ink::Faint);
                }
            }
            if here {
                brush.put(at.0, at.1, "▸", Ink::Accent);
                brush.put(at.0 + 5, at.1, "←", Ink::Accent);
            }
            self.hits.add(brush, at, (6, 1), Hit::Cell(cell(index)));
        }
        let mut total = 0;
        for row in Row::ALL {
            let [a, b, c] = row.cells().map(|cell| dice[cell.index()]);
            let (Some(a), Some(b), Some(c)) = (a, b, c) else { continue };
            let points = straights.count_row(row, [a, b, c]).points;
            total += u32::from(points);
            let ink = if points > 0 { Ink::Good } else { Ink::Faint };
            match row.cells() {
                [first, second, _] if second.index() == first.index() + 1 => {
                    brush.put(x + 23, y + 1 + first.index() as u16 / 3 * 2, &format!("{points:>2}"), ink);
                }
                [first, ..] => {
                    brush.put(x + 3 + first.index() as u16 % 3 * 7, y + 7, &format!("{points:>2}"), ink);
                }
            }
        }
        brush.put(x + 23, y + 7, &format!("= {total}"), Ink::Strong);
    }

    /// What lies before one seat, in a line or two.
    fn draw_other(&self, brush: &mut Brush<'_>, y: u16, seat: Seat, state: &State) -> u16 {
        let Some(view) = self.public.as_ref().and_then(|public| public.seats.get(seat.index())) else {
            return y;
        };
        let mut x = brush.put(1, y, &format!("{:<10.10} ", state.name(seat)), Ink::Plain);
        if let Some(taken) = view.taken {
            x = brush.put(x, y, &format!("{taken}"), ink(taken));
            x = brush.put(x, y, " ", Ink::Plain);
        }
        if let Some(Uncovered { square, count, .. }) = &view.uncovered {
            for (at, die) in square.dice().iter().enumerate() {
                if at == 3 || at == 6 {
                    x = brush.put(x, y, " ", Ink::Plain);
                }
                x = brush.put(x, y, &die.to_string(), ink(*die));
            }
            brush.put(x, y, &format!(" = {}", count.total), Ink::Strong);
        } else {
            brush.put(x, y, &stage_words(view), Ink::Faint);
        }
        y + 1
    }
}

fn stage_words(view: &SeatView) -> String {
    match view.stage {
        Stage::Waiting => "waits for the signal".to_owned(),
        Stage::Held if view.last_roll => "holds the dice: one last roll".to_owned(),
        Stage::Held => "holds the dice".to_owned(),
        Stage::Thrown => format!("{} of 9 placed, throw {}", view.placed, view.throws),
        Stage::Called { .. } => "calls Cubo, takes a die".to_owned(),
        Stage::Covered => "covered".to_owned(),
        Stage::Late => "too late this round".to_owned(),
        Stage::Uncovered | Stage::Counted => "counted".to_owned(),
    }
}

impl Screen for Race {
    fn show(&mut self, state: &State) -> Vec<String> {
        let after = state.view::<Public>();
        self.own = state.own();
        let told = match (&self.public, &after) {
            (Some(before), Some(after)) => {
                let name = |seat| state.name(seat).to_owned();
                after.news_since(before).iter().map(|news| news.tell(&name)).collect()
            }
            _ => Vec::new(),
        };
        let round = |public: &Option<Public>| public.as_ref().map(|public| public.round);
        if round(&self.public) != round(&after) {
            (self.cursor, self.held) = (0, None);
        }
        self.public = after;
        if self.held.is_some_and(|die| self.layout().find(die).is_some()) {
            self.held = None;
        }
        told
    }

    fn draw(&mut self, brush: &mut Brush<'_>, state: &State) {
        self.hits.clear();
        let Some(public) = self.public.clone() else { return };
        self.draw_centre(brush, 0, state);
        let counted = match public.phase {
            Phase::Scoring { turn, .. } => Some(turn),
            _ => None,
        };
        if let Some(shown) = counted.and_then(|turn| public.seats.get(turn.index())?.uncovered) {
            let turn = counted.unwrap_or(Seat(0));
            brush.put(1, 4, &format!("{}'s cubo", state.name(turn)), Ink::Strong);
            self.draw_square(brush, (9, 6), shown.square.dice().map(Some), self.counting(state));
            let taken = public.seats.get(turn.index()).and_then(|seat| seat.taken);
            if let Some(taken) = taken.filter(|_| self.counting(state)) {
                let x = brush.put(36, 8, "Put ", Ink::Plain);
                let x = brush.put(x, 8, &format!(" {taken} "), ink(taken));
                brush.put(x, 8, " in", Ink::Plain);
                brush.put(36, 9, "its place?", Ink::Plain);
            }
        } else {
            self.draw_throw(brush, 3, state);
            let layout = self.layout();
            let throw = self.seat(state).and_then(|seat| seat.dice);
            let dice = std::array::from_fn(|index| {
                layout.at(cell(index)).and_then(|die| throw?.get(usize::from(die)).copied())
            });
            let live = self.stage(state) == Some(Stage::Thrown) && state.my_turn();
            self.draw_square(brush, (9, 6), dice, live);
            let says = self.seat(state).map(|seat| match (&public.phase, seat.stage) {
                (Phase::Pause { ready, .. }, _) if state.hand.is_some_and(|hand| ready.contains(&hand)) => {
                    "ready".to_owned()
                }
                (Phase::Pause { .. }, _) => "Ready?".to_owned(),
                (_, Stage::Thrown) if layout.placed() == 9 => "Call Cubo!".to_owned(),
                (_, Stage::Held) => "Roll!".to_owned(),
                _ => String::new(),
            });
            if let Some(says) = says.filter(|says| !says.is_empty()) {
                brush.put(36, 9, &format!("[ {says} ]"), Ink::Accent);
                self.hits.add(brush, (36, 9), (says.chars().count() as u16 + 4, 1), Hit::Go);
            }
        }
        let mut y = 15;
        for seat in (0..public.seats.len() as u32).map(Seat) {
            if Some(seat) != state.hand || public.seats[seat.index()].uncovered.is_some() {
                y = self.draw_other(brush, y, seat, state);
            }
        }
    }

    fn headline(&self, state: &State) -> String {
        let Some(public) = &self.public else { return String::new() };
        let at = match &public.phase {
            Phase::Pause { ready, .. } => format!("{} of {} ready", ready.len(), public.seats.len()),
            Phase::Race { countdown: Some(_), .. } => "countdown!".to_owned(),
            Phase::Race { first_call: Some(by), .. } => format!("called by {}", state.name(*by)),
            Phase::Race { .. } => "the race is on".to_owned(),
            Phase::Scoring { turn, .. } => format!("{} counts", state.name(*turn)),
            Phase::Over => "over".to_owned(),
        };
        format!("round {} of {} · {at}", public.round.max(1), public.rounds)
    }

    fn tally(&self) -> Vec<String> {
        self.public.iter().flat_map(|public| public.seats.iter().map(|seat| seat.score.to_string())).collect()
    }

    fn sheet(&self, state: &State) -> Vec<String> {
        let Some(public) = &self.public else { return Vec::new() };
        let row = |(seat, view): (Seat, &SeatView)| {
            let points = view.points.iter().map(|points| format!("{points:>3}")).collect::<Vec<_>>().concat();
            format!("{:<6.6}{points}", state.name(seat))
        };
        (0..).map(Seat).zip(&public.seats).map(row).collect()
    }

    fn keys(&self, state: &State) -> Vec<(&'static str, &'static str)> {
        let Some(public) = &self.public else { return Vec::new() };
        match (&public.phase, self.stage(state)) {
            (Phase::Pause { .. }, _) if state.my_turn() => vec![("Enter", "ready")],
            (_, Some(Stage::Held)) => vec![("Enter", "roll")],
            (_, Some(Stage::Thrown)) => {
                vec![
                    ("1-8", "lay a die"),
                    ("Enter", "call"),
                    ("a", "the rest"),
                    ("Bksp", "lift"),
                    ("p", "pick up"),
                    ("arrows", "cell"),
                ]
            }
            (_, Some(Stage::Called { .. })) => vec![("1-4", "take a die")],
            _ if self.counting(state) => vec![("arrows", "die"), ("Enter", "exchange"), ("k", "keep")],
            _ => Vec::new(),
        }
    }

    fn key(&mut self, key: KeyEvent, state: &State) -> Deed {
        if state.hand.is_none() {
            return Deed::No;
        }
        let thrown = self.stage(state) == Some(Stage::Thrown);
        match key.code {
            KeyCode::Char(digit @ '1'..='9') => self.digit(digit as u8 - b'0', state),
            KeyCode::Left => self.step(0, 2),
            KeyCode::Right => self.step(0, 1),
            KeyCode::Up => self.step(2, 0),
            KeyCode::Down => self.step(1, 0),
            KeyCode::Enter | KeyCode::Char(' ') => self.go(state),
            KeyCode::Backspace | KeyCode::Delete if thrown => self.lift(cell(self.cursor)),
            KeyCode::Char('a') if thrown => self.lay_the_rest(),
            KeyCode::Char('p') => act(Act::PickUp),
            KeyCode::Char('r') => act(Act::Roll),
            KeyCode::Char('k') => act(Act::Keep),
            _ => Deed::No,
        }
    }

    fn click(&mut self, click: Click, state: &State) -> Deed {
        let hit = self.hits.at(click.x, click.y);
        if !click.down {
            // Let go on a cell after pressing on a die: the die was dragged there.
            return match (hit, self.held) {
                (Some(Hit::Cell(at)), Some(die)) => self.place(die, at),
                _ => Deed::No,
            };
        }
        match hit {
            Some(Hit::Go) => self.go(state),
            Some(Hit::Centre(die)) => act(Act::Take { die }),
            Some(Hit::Die(die)) => {
                self.held = if self.held == Some(die) { None } else { Some(die) };
                Deed::Seen
            }
            Some(Hit::Cell(at)) => {
                self.cursor = at.index();
                if self.counting(state) {
                    return Self::exchange(at);
                }
                match (self.held, self.layout().at(at)) {
                    (Some(die), _) => self.place(die, at),
                    (None, Some(die)) if !click.other && die != WHITE => {
                        self.held = Some(die);
                        Deed::Seen
                    }
                    (None, Some(_)) => self.lift(at),
                    (None, None) => Deed::Seen,
                }
            }
            None => Deed::No,
        }
    }

    fn advice(&self, says: &Value) -> Vec<String> {
        let text = |pointer: &str| says.pointer(pointer).map(|value| value.to_string().replace('"', ""));
        let number = |pointer: &str| says.pointer(pointer).and_then(Value::as_f64);
        let grid = |pointer: &str| {
            let rows = says.pointer(pointer).and_then(Value::as_array)?;
            let row = |row: &Value| {
                row.as_array().map(|dice| dice.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
            };
            Some(rows.iter().filter_map(row).collect::<Vec<_>>().join(" / "))
        };
        let mut lines = Vec::new();
        if let (Some(round), Some(scored), Some(best)) =
            (text("/round"), text("/scored"), text("/best/score"))
        {
            lines.push(format!("Round {round} brought {scored}. The dice held {best}:"));
            lines.extend(grid("/best/grid"));
        }
        if let (Some(take), Some(score)) = (text("/together/take"), text("/together/plan/score")) {
            lines.push(format!("With the {take} from the centre, {score} could be made:"));
            lines.extend(grid("/together/plan/grid"));
        }
        let mean = number("/reroll/mean/numerator").zip(number("/reroll/mean/denominator"));
        if let (Some((above, below)), Some(advice)) = (mean, text("/reroll/advice")) {
            let mean = above / below;
            let advice = if advice == "stay" { "stay" } else { "roll again, if there is time" };
            lines.push(format!("A fresh throw is worth {mean:.1}: {advice}."));
        }
        lines
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter", "ready · roll · call Cubo · exchange"),
            ("1 to 8", "lay that die of the throw where the cursor is"),
            ("arrows", "move the cursor over the square"),
            ("Backspace", "take the die under the cursor out again"),
            ("a", "lay all dice that are left, in order"),
            ("p, r", "pick all dice up; roll them again"),
            ("1 to 4", "after the call: take that die from the centre"),
            ("k", "when it is counted: keep the cubo as it is"),
            ("mouse", "press a die, let go on a cell; or click one, then the other"),
        ]
    }
}
