//! Dice Roulette: the felt with all 136 spots, a rack of chips, the dice, and the bank.

use super::{Click, Deed, Screen, said};
use crate::look::{Brush, Ink, Spots};
use crate::session::State;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use roulette::view::Thrown;
use roulette::{
    Act, Banker, Phase, Private, Public, Roulette, Set, Side, Spot, Stake, read_slip, write_slip,
};
use serde_json::Value;
use std::collections::BTreeMap;
use table::Seat;

/// The sizes of the chips in the rack.
const CHIPS: [u32; 5] = [1, 5, 10, 25, 100];

/// Where the keyboard is: a row of the felt, and a place in it. Rows 0 to 10 are the squares and the lines between
/// them, then the runs, the dozens, the even chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Aim {
    row: usize,
    at: usize,
}

const RUNS: usize = 11;
const DOZENS: usize = 12;
const HALVES: usize = 13;

impl Aim {
    const fn length(row: usize) -> usize {
        match row {
            RUNS | HALVES => 6,
            DOZENS => 3,
            _ => 11,
        }
    }

    /// The spot there.
    fn spot(self, set: &Set) -> Spot {
        let (grid, row, at) = (set.grid(), self.row, self.at);
        let number = |y: usize, x: usize| grid[(row / 2 + y).min(5)][(at / 2 + x).min(5)];
        match (row, row % 2, at % 2) {
            (RUNS, ..) => set.runs().get(at).map_or(Spot::Dozen(1), |&(first, last)| Spot::Run(first, last)),
            (DOZENS, ..) => Spot::Dozen(at as u8 + 1),
            (HALVES.., ..) => Spot::Half(Side::ALL[at.min(5)]),
            (_, 0, 0) => Spot::Number(number(0, 0)),
            (_, 0, _) => Spot::pair(number(0, 0), number(0, 1)),
            (_, _, 0) => Spot::pair(number(0, 0), number(1, 0)),
            _ => Spot::four([number(0, 0), number(0, 1), number(1, 0), number(1, 1)]),
        }
    }

    /// One step; from one kind of row to another the place stays about where it is on the felt.
    fn step(self, down: isize, right: isize) -> Aim {
        let row = self.row.saturating_add_signed(down).min(HALVES);
        let (from, to) = (Aim::length(self.row), Aim::length(row));
        let at = if from == to { self.at } else { (self.at * 2 + 1) * to / (from * 2) };
        Aim { row, at: at.saturating_add_signed(right).min(to - 1) }
    }

    fn all() -> impl Iterator<Item = Aim> {
        (0..=HALVES).flat_map(|row| (0..Aim::length(row)).map(move |at| Aim { row, at }))
    }

    /// Where it lies on the picture: column, row, width.
    fn place(self) -> (u16, u16, u16) {
        let at = self.at as u16;
        match self.row {
            RUNS => (at * 7, 12, 7),
            DOZENS => (at * 14, 13, 13),
            HALVES => (at * 7, 14, 7),
            row if self.at.is_multiple_of(2) => (at / 2 * 7, row as u16 + 1, 5),
            row => (at / 2 * 7 + 5, row as u16 + 1, 2),
        }
    }
}

fn act(act: Act) -> Deed {
    Deed::act::<Roulette>(act)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    Spot(Aim),
    Chip(u32),
    Ready,
}

/// What is typed at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Typing {
    Nothing,
    /// A slip.
    Slip(String),
    /// Whom to offer the bank to: the digits of a seat, 0 for the house.
    Heir(String),
}

/// The screen of Dice Roulette.
pub(crate) struct Felt {
    public: Option<Public>,
    own: Option<Private>,
    aim: Aim,
    chip: u32,
    /// What each hand of this screen has on the felt.
    slips: BTreeMap<Seat, Vec<Stake>>,
    /// What each has laid since the last throw, the last last: to be undone.
    laid: BTreeMap<Seat, Vec<Stake>>,
    /// What each had on the felt at the last throw: to be laid again.
    before: BTreeMap<Seat, Vec<Stake>>,
    typing: Typing,
    hits: Spots<Hit>,
}

impl Default for Felt {
    fn default() -> Felt {
        Felt {
            public: None,
            own: None,
            aim: Aim { row: 4, at: 4 },
            chip: 5,
            slips: BTreeMap::new(),
            laid: BTreeMap::new(),
            before: BTreeMap::new(),
            typing: Typing::Nothing,
            hits: Spots::default(),
        }
    }
}

impl Felt {
    fn banks(&self, state: &State) -> bool {
        let banker = self.public.as_ref().map(|public| public.banker);
        state.hand.is_some_and(|hand| banker == Some(Banker::Seat(hand)))
    }

    fn own_on(&self, spot: Spot) -> u32 {
        let own = self.own.as_ref().map(|own| own.slip.as_slice()).unwrap_or_default();
        own.iter().find(|stake| stake.on == spot).map_or(0, |stake| stake.chips)
    }

    fn lay(&mut self, hand: Seat, bets: Vec<Stake>) -> Deed {
        if bets.is_empty() {
            return Deed::Say("There is nothing to lay again yet.".to_owned());
        }
        self.laid.entry(hand).or_default().extend(&bets);
        act(Act::lay(bets))
    }

    /// Lays what this hand had on the felt at the last throw.
    fn lay_again(&mut self, hand: Seat) -> Deed {
        let bets = self.before.get(&hand).cloned().unwrap_or_default();
        self.lay(hand, bets)
    }

    /// The same, and no more bets.
    fn lay_again_and_rest(&mut self, hand: Seat) -> Deed {
        self.laid.remove(&hand);
        let bets = self.before.get(&hand).cloned().unwrap_or_default();
        act(Act::Lay { bets, ready: true })
    }

    fn lay_here(&mut self, hand: Seat) -> Deed {
        let Some(public) = &self.public else { return Deed::No };
        let stake = Stake { on: self.aim.spot(&public.set), chips: self.chip };
        self.lay(hand, vec![stake])
    }

    fn take_from_here(&mut self, hand: Seat) -> Deed {
        let Some(public) = &self.public else { return Deed::No };
        let on = self.aim.spot(&public.set);
        let chips = self.chip.min(self.own_on(on));
        if chips == 0 {
            return Deed::Say(format!("You have nothing on {on}."));
        }
        self.laid.entry(hand).or_default().retain(|stake| stake.on != on);
        act(Act::TakeBack { bets: vec![Stake { on, chips }] })
    }

    fn undo(&mut self, hand: Seat) -> Deed {
        match self.laid.entry(hand).or_default().pop() {
            Some(stake) if self.own_on(stake.on) >= stake.chips => act(Act::TakeBack { bets: vec![stake] }),
            _ => Deed::Say("There is nothing to undo.".to_owned()),
        }
    }

    fn size(&mut self, up: bool) -> Deed {
        let at = CHIPS.iter().position(|&chip| chip == self.chip).unwrap_or(1);
        let next = if up { (at + 1).min(CHIPS.len() - 1) } else { at.saturating_sub(1) };
        self.chip = CHIPS[next];
        Deed::Seen
    }

    fn agree(&self) -> Deed {
        let agreed = self.own.as_ref().is_some_and(|own| own.agreed);
        act(if agreed { Act::PlayOn } else { Act::Agree })
    }

    /// Offers the bank to a seat, counted from 1, or to the house.
    fn offer(&mut self, heir: u32) -> Deed {
        self.typing = Typing::Nothing;
        let to = heir.checked_sub(1).map_or(Banker::House, |seat| Banker::Seat(Seat(seat)));
        act(Act::PassBank { to })
    }

    fn type_on(&mut self, key: KeyEvent, hand: Seat, players: usize) -> Deed {
        match (&mut self.typing, key.code) {
            (Typing::Heir(digits), KeyCode::Char(digit @ '0'..='9')) if digits.len() < 9 => {
                digits.push(digit);
                match digits.parse::<u32>() {
                    // No longer number can be meant.
                    Ok(heir) if heir == 0 || heir as usize * 10 > players => self.offer(heir),
                    _ => Deed::Seen,
                }
            }
            (Typing::Heir(digits), KeyCode::Backspace) => {
                digits.pop();
                Deed::Seen
            }
            (Typing::Heir(digits), KeyCode::Enter) => match digits.parse() {
                Ok(heir) => self.offer(heir),
                Err(_) => Deed::Seen,
            },
            (Typing::Slip(text), KeyCode::Char(sign)) => {
                if text.len() < 200 {
                    text.push(sign);
                }
                Deed::Seen
            }
            (Typing::Slip(text), KeyCode::Backspace) => {
                text.pop();
                Deed::Seen
            }
            (Typing::Slip(text), KeyCode::Enter) => {
                let text = std::mem::take(text);
                self.typing = Typing::Nothing;
                let Some(public) = &self.public else { return Deed::No };
                match read_slip(&public.set, &text) {
                    Ok(slip) => {
                        let bets = slip.on(&public.set).collect();
                        self.lay(hand, bets)
                    }
                    Err(misread) => Deed::Say(misread.to_string()),
                }
            }
            _ => {
                self.typing = Typing::Nothing;
                Deed::Seen
            }
        }
    }

    fn draw_felt(&mut self, brush: &mut Brush<'_>, public: &Public, live: bool) {
        let number = |spot: Spot| match spot {
            Spot::Number(number) => {
                public.set.throw_of(number).map(|throw| (number, public.set.is_red(throw)))
            }
            _ => None,
        };
        let fallen = public.last.as_ref().filter(|_| public.layout.is_empty()).map(|last| last.number);
        for aim in Aim::all() {
            let spot = aim.spot(&public.set);
            let (x, y, width) = aim.place();
            let all = public.layout.iter().find(|stake| stake.on == spot).map_or(0, |stake| stake.chips);
            let own = self.own_on(spot);
            let (label, ink) = match (number(spot), spot) {
                (Some((number, red)), _) => {
                    let red = if red { Ink::Red } else { Ink::Black };
                    let ink = if fallen == Some(number) { Ink::Held } else { red };
                    (format!("{number:>2}"), ink)
                }
                (None, Spot::Pair(_) | Spot::Four(_)) => (String::new(), Ink::Faint),
                (None, spot) => (spot.to_string(), Ink::Plain),
            };
            let red = number(spot).is_some_and(|(_, red)| red);
            // Red squares carry a mark, so that they are red without colour too.
            let label = if red { format!("{label}'") } else { label };
            let chips = match (own, all) {
                (0, 0) => String::new(),
                (0, all) => short(all),
                (own, _) => short(own),
            };
            let room = usize::from(width).saturating_sub(chips.chars().count());
            let text = match (label.is_empty(), chips.is_empty()) {
                (true, true) => format!("{:^1$}", "·", usize::from(width)),
                (true, false) => format!("{chips:^0$}", usize::from(width)),
                _ => format!("{label:<room$.room$}{chips}"),
            };
            let ink = if own > 0 { Ink::Yellow } else { ink };
            let ink = if live && aim == self.aim { Ink::Cursor } else { ink };
            brush.put(x + 2, y, &format!("{text:<0$.0$}", usize::from(width)), ink);
            self.hits.add(brush, (x + 2, y), (width, 1), Hit::Spot(aim));
        }
    }

    fn draw_rack(&mut self, brush: &mut Brush<'_>, y: u16) {
        let Some(own) = self.own.clone() else { return };
        let mut x = brush.put(2, y, &format!("You have {} ", own.chips), Ink::Strong);
        if own.debt > 0 {
            x = brush.put(x, y, &format!("and owe {} ", own.debt), Ink::Bad);
        }
        x = brush.put(x + 1, y, "chip", Ink::Faint);
        for chip in CHIPS {
            let ink = if chip == self.chip { Ink::Held } else { Ink::Plain };
            let from = x + 1;
            x = brush.put(from, y, &format!(" {chip} "), ink);
            self.hits.add(brush, (from, y), (x - from, 1), Hit::Chip(chip));
        }
    }

    fn draw_below(&mut self, brush: &mut Brush<'_>, public: &Public, state: &State) {
        if let Some(last) = &public.last {
            let mut x = brush.put(2, 16, "Last throw ", Ink::Faint);
            let black = if last.black == 0 { " ".to_owned() } else { last.black.to_string() };
            x = brush.put(x, 16, &format!("[{black}]"), Ink::Black);
            x = brush.put(x + 1, 16, &format!("[{}]", last.white), Ink::White);
            brush.put(x + 1, 16, &format!("= {}", called(last)), Ink::Strong);
        }
        match &self.typing {
            Typing::Slip(text) => {
                brush.put(2, 18, &format!("Lay: {text}_"), Ink::Accent);
            }
            Typing::Heir(digits) => {
                let names = (1..).zip(&state.players).map(|(at, player)| format!("{at} {}", player.name));
                let fits = names.filter(|name| name.starts_with(digits.as_str())).take(9);
                let fits = fits.collect::<Vec<_>>().join(", ");
                brush.write(2, 18, &format!("Offer the bank to {digits}_: 0 the house, {fits}"), Ink::Accent);
            }
            Typing::Nothing => {
                let slip =
                    self.own.as_ref().map(|own| write_slip(own.slip.iter().copied())).unwrap_or_default();
                if slip.is_empty() {
                    let odds = self.aim.spot(&public.set);
                    let pays = public.set.bet(odds).map_or(0, |bet| public.set.pays(bet));
                    brush.put(2, 18, &format!("{odds} pays {pays} to 1"), Ink::Faint);
                } else {
                    brush.write(2, 18, &format!("Laid: {slip}"), Ink::Plain);
                }
            }
        }
        let ready = self.own.as_ref().is_some_and(|own| own.ready);
        if public.phase == Phase::Betting && state.my_turn() && !ready {
            brush.put(44, 16, "[Ready]", Ink::Accent);
            self.hits.add(brush, (44, 16), (7, 1), Hit::Ready);
        }
    }
}

/// Chips in two signs.
fn short(chips: u32) -> String {
    match chips {
        0..100 => chips.to_string(),
        100..1000 => format!("{}c", chips / 100),
        1000..10_000 => format!("{}k", chips / 1000),
        _ => "**".to_owned(),
    }
}

fn called(last: &Thrown) -> String {
    format!("{} {}", last.number, if last.red { "red" } else { "black" })
}

fn banker_name(banker: Banker, state: &State) -> String {
    match banker {
        Banker::House => "The house".to_owned(),
        Banker::Seat(seat) => state.name(seat).to_owned(),
    }
}

impl Screen for Felt {
    fn show(&mut self, state: &State) -> Vec<String> {
        let after = state.view::<Public>();
        let own = state.own::<Private>();
        let thrown = |public: &Option<Public>| public.as_ref().map_or(0, |public| public.thrown);
        if thrown(&self.public) != thrown(&after) {
            self.before
                .extend(std::mem::take(&mut self.slips).into_iter().filter(|(_, slip)| !slip.is_empty()));
            self.laid.clear();
        }
        let slip = |&seat: &Seat| Some((seat, state.own_of::<Private>(seat)?.slip));
        self.slips = state.mine.iter().filter_map(slip).collect();
        let told = match (&self.public, &after) {
            (Some(before), Some(after)) => {
                let name = |seat| state.name(seat).to_owned();
                after.news_since(before).iter().map(|news| news.tell(&name)).collect()
            }
            _ => Vec::new(),
        };
        (self.public, self.own) = (after, own);
        told
    }

    fn draw(&mut self, brush: &mut Brush<'_>, state: &State) {
        self.hits.clear();
        let Some(public) = self.public.clone() else { return };
        let live = public.phase == Phase::Betting && state.hand.is_some() && !self.banks(state);
        if self.banks(state) {
            let (chips, worst) = public.bank.map_or((0, 0), |bank| (bank.chips, bank.worst));
            brush.put(
                2,
                0,
                &format!("You hold the bank: {chips} chips, at worst {worst} to pay"),
                Ink::Accent,
            );
        } else if state.hand.is_some() {
            self.draw_rack(brush, 0);
        }
        self.draw_felt(brush, &public, live);
        self.draw_below(brush, &public, state);
    }

    fn headline(&self, state: &State) -> String {
        let Some(public) = &self.public else { return String::new() };
        let at = match public.phase {
            Phase::Betting => "bets are open".to_owned(),
            Phase::Throwing => "no more bets".to_owned(),
            Phase::Over => "over".to_owned(),
        };
        let throw = (public.thrown + 1).min(public.throws);
        let bank = match public.banker {
            Banker::House => String::new(),
            banker @ Banker::Seat(_) => format!(" · {} banks", banker_name(banker, state)),
        };
        format!("throw {throw} of {} · {at}{bank}", public.throws)
    }

    fn tally(&self) -> Vec<String> {
        let Some(public) = &self.public else { return Vec::new() };
        let laid = |seat: usize| {
            let place = public.players.get(seat);
            place.map_or(0, |place| place.slip.iter().map(|stake| u64::from(stake.chips)).sum::<u64>())
        };
        let tally = |(seat, chips): (usize, &u64)| match (public.banker, public.bank) {
            (Banker::Seat(banker), Some(bank)) if banker.index() == seat => format!("bank {}", bank.chips),
            _ => (chips + laid(seat)).to_string(),
        };
        public.chips.iter().enumerate().map(tally).collect()
    }

    fn sheet(&self, state: &State) -> Vec<String> {
        let Some(public) = &self.public else { return Vec::new() };
        let mut lines = Vec::new();
        if let Some(bank) = public.bank {
            lines.push(format!("bank {} (stock {})", bank.chips, bank.stock));
        }
        if public.agreed > 0 {
            lines.push(format!("{} would stop here", public.agreed));
        }
        if let Some(heir) = public.heir {
            lines.push(format!("next bank: {}", banker_name(heir, state)));
        }
        lines
    }

    fn keys(&self, state: &State) -> Vec<(&'static str, &'static str)> {
        let Some(public) = &self.public else { return Vec::new() };
        match (&self.typing, public.phase) {
            (Typing::Slip(_), _) => return vec![("Enter", "lay it"), ("Esc", "never mind")],
            (Typing::Heir(_), _) => return vec![("0-9", "whom"), ("Esc", "never mind")],
            (Typing::Nothing, _) => {}
        }
        match public.phase {
            Phase::Throwing if self.banks(state) => vec![("t", "throw the dice"), ("o", "pass the bank")],
            Phase::Betting if self.banks(state) => vec![("o", "pass the bank"), ("e", "stop?")],
            Phase::Betting if state.hand.is_some() => {
                vec![
                    ("Enter", "lay"),
                    ("r", "ready"),
                    ("Bksp", "take"),
                    ("+-", "chip"),
                    ("/", "type"),
                    ("u", "undo"),
                    ("l", "again"),
                ]
            }
            _ => Vec::new(),
        }
    }

    fn writes(&self, _: &State) -> bool {
        self.typing != Typing::Nothing
    }

    fn key(&mut self, key: KeyEvent, state: &State) -> Deed {
        let Some(hand) = state.hand.filter(|_| !state.over()) else { return Deed::No };
        if self.typing != Typing::Nothing {
            return self.type_on(key, hand, state.players.len());
        }
        match key.code {
            KeyCode::Up => self.aim = self.aim.step(-1, 0),
            KeyCode::Down => self.aim = self.aim.step(1, 0),
            KeyCode::Left => self.aim = self.aim.step(0, -1),
            KeyCode::Right => self.aim = self.aim.step(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => return self.lay_here(hand),
            KeyCode::Backspace | KeyCode::Delete => return self.take_from_here(hand),
            KeyCode::Char('+' | '=') => return self.size(true),
            KeyCode::Char('-') => return self.size(false),
            KeyCode::Char('u') => return self.undo(hand),
            KeyCode::Char('l') => return self.lay_again(hand),
            KeyCode::Char('L') => return self.lay_again_and_rest(hand),
            KeyCode::Char('x') => return act(Act::Clear),
            KeyCode::Char('r') => return act(Act::Ready),
            KeyCode::Char('t') => return act(Act::Throw),
            KeyCode::Char('b') => return act(Act::TakeBank),
            KeyCode::Char('o') => self.typing = Typing::Heir(String::new()),
            KeyCode::Char('e') => return self.agree(),
            KeyCode::Char('m') => return act(Act::Borrow),
            KeyCode::Char('/') => self.typing = Typing::Slip(String::new()),
            _ => return Deed::No,
        }
        Deed::Seen
    }

    fn click(&mut self, click: Click, state: &State) -> Deed {
        let Some(hand) = state.hand.filter(|_| click.down) else { return Deed::No };
        match self.hits.at(click.x, click.y) {
            Some(Hit::Spot(aim)) => {
                self.aim = aim;
                if click.other { self.take_from_here(hand) } else { self.lay_here(hand) }
            }
            Some(Hit::Chip(chip)) => {
                self.chip = chip;
                Deed::Seen
            }
            Some(Hit::Ready) => act(Act::Ready),
            None => Deed::No,
        }
    }

    fn advice(&self, says: &Value) -> Vec<String> {
        let mut lines = said(says);
        let ways = says.pointer("/odds/distribution").and_then(Value::as_array).cloned().unwrap_or_default();
        for way in ways.iter().take(8) {
            let number = |key: &str| way.get(key).and_then(Value::as_i64).unwrap_or(0);
            lines.push(format!("{:>+6}  {:>2} of 36", number("net"), number("ways")));
        }
        lines
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("arrows", "move over the felt: squares, and the lines between them"),
            ("Enter", "lay the chip in hand there"),
            ("Backspace", "take it back"),
            ("+ and -", "a larger or a smaller chip"),
            ("/", "type a slip, such as 15=2 1|2=3 black=10"),
            ("u, x", "undo; take everything back"),
            ("l, L", "lay what lay at the last throw; the same and ready"),
            ("r", "ready: no more bets from you"),
            ("b, o", "take the bank; pass it (to the house, or offer it)"),
            ("t", "throw the dice, as the banker"),
            ("e", "you would end the game here; again: play on"),
            ("m", "borrow, where the table lends"),
            ("mouse", "click lays, the other button takes back"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roulette::set::Bet;
    use std::collections::BTreeSet;

    #[test]
    fn the_cursor_reaches_every_bet_there_is() {
        let set = Set::standard();
        let spots: BTreeSet<Spot> = Aim::all().map(|aim| aim.spot(&set)).collect();
        assert_eq!(spots.len(), 136);
        assert!(Bet::all().all(|bet| spots.contains(&set.spot(bet))));
    }

    #[test]
    fn the_cursor_never_leaves_the_felt() {
        for aim in Aim::all() {
            for (down, right) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = aim.step(down, right);
                assert!(Aim::all().any(|other| other == next), "{aim:?} {next:?}");
            }
        }
    }
}
