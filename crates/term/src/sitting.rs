//! Sitting at a table: the frame round every board (title and clock, players, sheet, what happened, keys), the coach, the
//! help and the result.

use crate::local::Local;
use crate::look::{Brush, Ink, Spots, wrap};
use crate::online::There;
use crate::post::Heard;
use crate::screens::{self, Click, Deed, Screen};
use crate::session::{Link, Session, State};
use protocol::{Command, Reaction};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use std::fs;
use std::time::Duration;
use table::Seat;

/// What lies over the board.
#[derive(Clone, Debug, PartialEq)]
enum Over {
    Nothing,
    Help,
    Coach,
    /// Leave the game? With what that means.
    Leaving(Vec<String>),
    /// The result, and what verifying the record came to.
    Result(Option<String>),
}

/// What became of a key.
pub(crate) enum Then {
    /// One sits on.
    Stay,
    /// Up, and back to the shelf.
    Up,
    /// To another table on this machine.
    Table(Box<Local>),
    /// To another table on a server.
    Room(Box<There>),
}

/// Somebody sitting at a table.
pub(crate) struct Sitting {
    session: Session,
    state: State,
    screen: Box<dyn Screen>,
    log: Vec<String>,
    seen: u64,
    over: Over,
    hits: Spots<KeyCode>,
    /// Nobody can see the table: the terminal is too small.
    hidden: bool,
}

/// Nods across an online table, on F9 to F12.
const NODS: [Reaction; 4] = [Reaction::Wave, Reaction::Clap, Reaction::Wow, Reaction::Thanks];

/// The most that is remembered of what happened.
const LONGEST_LOG: usize = 500;

impl Sitting {
    /// Sits down at a table of this machine.
    pub(crate) fn at_local(mut local: Local) -> Sitting {
        let state = local.state();
        Sitting::new(Session::Local(Box::new(local)), state)
    }

    /// Sits down.
    pub(crate) fn new(session: Session, state: State) -> Sitting {
        let screen = screens::screen(state.kind);
        let (log, hits) = (Vec::new(), Spots::default());
        let mut sitting =
            Sitting { session, state, screen, log, seen: 0, over: Over::Nothing, hits, hidden: false };
        sitting.look();
        sitting
    }

    /// Takes in what has changed at the table.
    fn look(&mut self) {
        if self.seen == self.state.changes {
            return;
        }
        self.seen = self.state.changes;
        let was_over = self.over != Over::Nothing;
        let told = self.screen.show(&self.state);
        self.log.extend(told.into_iter().map(house::to_you));
        if self.log.len() > LONGEST_LOG {
            self.log.drain(..LONGEST_LOG / 5);
        }
        if self.state.over() && !was_over {
            self.over = Over::Result(None);
        }
    }

    /// How long until the picture changes by itself.
    pub(crate) fn due(&self) -> Option<Duration> {
        let tick =
            self.state.left().map(|(left, _)| Duration::from_millis(if left < 10_000 { 100 } else { 250 }));
        let tick = tick.filter(|_| self.state.clock.runs());
        [self.session.due(&self.state), tick].into_iter().flatten().min()
    }

    /// Does what is due.
    pub(crate) fn wake(&mut self) {
        // A picture in between, however much is due.
        for _ in 0..32 {
            if !self.session.wake(&mut self.state) {
                break;
            }
            self.look();
        }
    }

    /// Something came in the post.
    pub(crate) fn hear(&mut self, heard: Heard) -> Then {
        let again = self.session.hear(&mut self.state, heard);
        self.look();
        again.map_or(Then::Stay, |there| Then::Room(Box::new(there)))
    }

    /// Gets up; a table on this machine is kept.
    pub(crate) fn leave(&mut self) {
        self.session.leave(&self.state);
    }

    /// The terminal is too small to see the table, or large enough again.
    pub(crate) fn hide(&mut self, hidden: bool) {
        self.hidden = hidden;
        self.pause();
    }

    fn pause(&mut self) {
        let away = self.hidden || self.over == Over::Help;
        self.session.pause(&mut self.state, away);
    }

    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Then {
        let then = if self.over == Over::Nothing { self.board_key(key) } else { self.over_key(key) };
        self.pause();
        then
    }

    fn board_key(&mut self, key: KeyEvent) -> Then {
        self.state.notice = None;
        let deed = self.screen.key(key, &self.state);
        if deed != Deed::No {
            self.carry_out(deed);
            return Then::Stay;
        }
        let writes = self.screen.writes(&self.state);
        match key.code {
            KeyCode::Char('?') | KeyCode::F(1) => self.over = Over::Help,
            KeyCode::Char('c') if !writes => self.ask_coach(),
            KeyCode::F(2) => self.ask_coach(),
            KeyCode::Tab => {
                self.state.turn_hands();
                self.screen.show(&self.state);
            }
            KeyCode::F(nod @ 9..=12) => {
                let reaction = NODS[usize::from(nod) - 9];
                self.session.say(|id, table| Command::React { id, table, reaction });
            }
            KeyCode::Enter if self.state.over() => self.over = Over::Result(None),
            KeyCode::Char('q') if !writes => return self.leave_if_sure(),
            KeyCode::Esc => return self.leave_if_sure(),
            _ => {}
        }
        Then::Stay
    }

    /// A game that goes on without one is not left by one key.
    fn leave_if_sure(&mut self) -> Then {
        let Some(says) = self.session.leaving() else { return Then::Up };
        self.over = Over::Leaving(says);
        Then::Stay
    }

    fn over_key(&mut self, key: KeyEvent) -> Then {
        let result = matches!(self.over, Over::Result(_));
        match key.code {
            KeyCode::Char('y') if matches!(self.over, Over::Leaving(_)) => return Then::Up,
            KeyCode::Char('v') if result => self.over = Over::Result(Some(self.verify())),
            KeyCode::Char('c') | KeyCode::F(2) if result => self.ask_coach(),
            KeyCode::Char('n') if result => return self.again(),
            KeyCode::Char('b') if result => self.over = Over::Nothing,
            KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q') if result => return Then::Up,
            _ if result => {}
            // The result is under the coach.
            _ if self.state.over() => self.over = Over::Result(None),
            _ => self.over = Over::Nothing,
        }
        Then::Stay
    }

    fn again(&mut self) -> Then {
        match self.session.rematch(&mut self.state) {
            Some(Ok(local)) => return Then::Table(Box::new(local)),
            Some(Err(says)) => self.over = Over::Result(Some(says)),
            None => {}
        }
        Then::Stay
    }

    fn verify(&mut self) -> String {
        let Some(path) = &self.state.record else { return "The record is not here yet.".to_owned() };
        let text = self.session.write_down().and_then(|()| fs::read_to_string(path));
        match text.map(|text| house::verify(&text)) {
            Ok(Ok(verified)) => verified.unchecked().unwrap_or_else(|| {
                format!(
                    "It holds: every line, every throw, every clock. {} events, {} words of the dice.",
                    verified.events, verified.drawn
                )
            }),
            Ok(Err(fault)) => format!("It does not hold: {fault}"),
            Err(why) => format!("{}: {why}", path.display()),
        }
    }

    fn ask_coach(&mut self) {
        if !self.state.coached {
            self.state.notice = Some("At a rated table the coach is silent until the end.".to_owned());
            return;
        }
        self.state.coach = None;
        self.state.notice = None;
        self.session.ask_coach(&mut self.state);
        self.over = Over::Coach;
    }

    fn carry_out(&mut self, deed: Deed) {
        match deed {
            Deed::No | Deed::Seen => {}
            Deed::Say(says) => self.state.notice = Some(says),
            Deed::Act(acts) => {
                let Some(seat) = self.state.hand else { return };
                for act in acts {
                    self.session.act(&mut self.state, seat, &act);
                    self.look();
                    if self.state.notice.is_some() {
                        break;
                    }
                }
            }
        }
    }

    /// A click: on the board, or on a key that is named at the bottom.
    pub(crate) fn click(&mut self, click: Click) -> Then {
        if click.down
            && let Some(key) = self.hits.at(click.x, click.y)
        {
            return self.key(key.into());
        }
        if self.over == Over::Nothing {
            let deed = self.screen.click(click, &self.state);
            self.carry_out(deed);
        }
        Then::Stay
    }

    /// Draws everything.
    pub(crate) fn draw(&mut self, brush: &mut Brush<'_>) {
        self.hits.clear();
        let (width, height) = (brush.area.width, brush.area.height);
        let panel = (width / 3).clamp(26, 44);
        self.draw_title(brush);
        let board = Rect::new(0, 2, width - panel - 1, height - 4);
        self.screen.draw(&mut brush.within(board), &self.state);
        for y in 2..height - 2 {
            brush.put(width - panel - 1, y, "│", Ink::Faint);
        }
        self.draw_panel(&mut brush.within(Rect::new(width - panel + 1, 2, panel - 1, height - 4)));
        self.draw_foot(brush);
        let over = std::mem::replace(&mut self.over, Over::Nothing);
        match &over {
            Over::Nothing => {}
            Over::Help => self.draw_help(brush),
            Over::Coach => self.draw_coach(brush),
            Over::Leaving(says) => self.draw_leaving(brush, says),
            Over::Result(says) => self.draw_result(brush, says.as_deref()),
        }
        self.over = over;
    }

    fn draw_title(&self, brush: &mut Brush<'_>) {
        let headline = self.screen.headline(&self.state);
        brush.line(
            1,
            0,
            &[(self.state.kind.title(), Ink::Accent), ("  ", Ink::Plain), (&headline, Ink::Plain)],
        );
        brush.put(0, 1, &"─".repeat(brush.area.width.into()), Ink::Faint);
        match &self.state.link {
            Link::Lost(_) => return brush.put_right(0, "the line is lost, trying again… ", Ink::Warn),
            Link::Gone(_) => return brush.put_right(0, "gone ", Ink::Warn),
            Link::Here | Link::Open => {}
        }
        if let Some((left, whole)) = self.state.left() {
            let seconds = left.div_ceil(1000);
            let bar = (left * 10).div_ceil(whole).min(10) as usize;
            let clock = format!(
                "{}{} {:>2}:{:02} ",
                "█".repeat(bar),
                "░".repeat(10 - bar),
                seconds / 60,
                seconds % 60
            );
            brush.put_right(0, &clock, if seconds <= 10 { Ink::Warn } else { Ink::Good });
        }
    }

    fn draw_panel(&self, brush: &mut Brush<'_>) {
        let tally = self.screen.tally();
        let mut y = 0;
        // At a large table those in front are shown, and one's own.
        let shown = usize::from(brush.area.height / 2).min(self.state.players.len());
        let from = self.state.hand.map_or(0, |hand| (hand.index() + 1).saturating_sub(shown));
        for (seat, player) in (0..).map(Seat).zip(&self.state.players).skip(from).take(shown) {
            let waits = self.state.awaited.contains(&seat) && !self.state.over();
            let ink = if Some(seat) == self.state.hand { Ink::Strong } else { Ink::Plain };
            brush.put(0, y, if waits { "▸" } else { " " }, Ink::Accent);
            let x = brush.put(1, y, &format!("{:.14}", player.name), ink);
            let x = match player.bot {
                Some(level) => brush.put(x, y, &format!(" bot {level}"), Ink::Faint),
                None => x,
            };
            if !player.here {
                brush.put(x, y, " away", Ink::Warn);
            }
            brush.put_right(y, tally.get(seat.index()).map_or("", |tally| tally), Ink::Strong);
            y += 1;
        }
        y += 1;
        let sheet = self.screen.sheet(&self.state);
        for line in sheet.iter().take(usize::from(brush.area.height / 3)) {
            brush.put(0, y, line, Ink::Faint);
            y += 1;
        }
        self.draw_log(brush, if sheet.is_empty() { y } else { y + 1 });
    }

    fn draw_log(&self, brush: &mut Brush<'_>, y: u16) {
        let room = usize::from(brush.area.height.saturating_sub(y));
        let mut lines: Vec<(String, Ink)> = Vec::new();
        for (back, told) in self.log.iter().rev().enumerate() {
            if lines.len() >= room {
                break;
            }
            let ink = if back == 0 { Ink::Plain } else { Ink::Faint };
            lines.extend(wrap(told, brush.area.width).into_iter().rev().map(|line| (line, ink)));
        }
        for (at, (line, ink)) in lines.iter().take(room).enumerate() {
            brush.put(0, brush.area.height - 1 - at as u16, line, *ink);
        }
    }

    fn draw_foot(&mut self, brush: &mut Brush<'_>) {
        let (width, height) = (brush.area.width, brush.area.height);
        let notice = self.state.trouble().or(self.state.notice.as_deref()).map(str::to_owned);
        let notice = notice.filter(|_| self.over != Over::Coach);
        match notice {
            Some(notice) => {
                // A long refusal takes the line above too.
                let lines = wrap(&notice, width - 2);
                let y = height - 1 - (lines.len() as u16).min(3);
                for (at, line) in lines.iter().take(3).enumerate() {
                    brush.put(0, y + at as u16, &" ".repeat(width.into()), Ink::Plain);
                    brush.put(1, y + at as u16, line, Ink::Warn);
                }
            }
            None => self.draw_turn(brush, height - 2),
        }
        let mut keys = self.screen.keys(&self.state);
        if self.state.mine.len() > 1 {
            keys.push(("Tab", "next hand"));
        }
        if !self.screen.writes(&self.state) {
            keys.push(("c", "coach"));
        }
        self.draw_keys(brush, &keys);
    }

    /// The keys of the moment; those for help and leaving always have their place.
    fn draw_keys(&mut self, brush: &mut Brush<'_>, keys: &[(&'static str, &'static str)]) {
        const ALWAYS: [(&str, &str); 2] = [("?", "help"), ("Esc", "leave")];
        let y = brush.area.height - 1;
        let end = brush.area.width - 19;
        let mut x = 1;
        for (key, what) in keys {
            let width = (key.chars().count() + what.chars().count() + 1) as u16;
            if x + width <= end {
                x = self.draw_key(brush, (x, y), key, what) + 2;
            }
        }
        let mut x = end + 1;
        for (key, what) in ALWAYS {
            x = self.draw_key(brush, (x, y), key, what) + 2;
        }
    }

    /// One key that can also be clicked.
    fn draw_key(&mut self, brush: &mut Brush<'_>, at: (u16, u16), key: &str, what: &str) -> u16 {
        let x = brush.put(at.0, at.1, key, Ink::Accent);
        let x = brush.put(x + 1, at.1, what, Ink::Faint);
        if let Some(code) = key_of(key) {
            self.hits.add(brush, at, (x - at.0, 1), code);
        }
        x
    }

    /// Whose turn it is, in words.
    fn draw_turn(&self, brush: &mut Brush<'_>, y: u16) {
        if self.state.over() {
            brush.put(1, y, "The game is over. Enter shows the result.", Ink::Strong);
        } else if self.state.mine.is_empty() {
            brush.put(1, y, "You are watching.", Ink::Faint);
        } else if let (true, Some(hand)) = (self.state.my_turn(), self.state.hand) {
            let name = self.state.name(hand);
            let says = if self.state.mine.len() == 1 {
                "Your turn.".to_owned()
            } else {
                format!("{name}: your turn.")
            };
            brush.put(1, y, &says, Ink::Strong);
        } else if let Some(first) = self.state.awaited.first() {
            let more = if self.state.awaited.len() > 1 { " and others" } else { "" };
            brush.put(1, y, &format!("{}{more} to act…", self.state.name(*first)), Ink::Faint);
        }
    }

    fn draw_box<'a>(brush: &'a mut Brush<'_>, size: (u16, u16), title: &str) -> Brush<'a> {
        let (width, height) = (size.0.min(brush.area.width), size.1.min(brush.area.height));
        let corner = ((brush.area.width - width) / 2, (brush.area.height - height) / 2);
        let mut over = brush.within(Rect::new(corner.0, corner.1, width, height));
        over.clear();
        over.frame(title);
        let inner = Rect::new(corner.0 + 2, corner.1 + 1, width.saturating_sub(4), height.saturating_sub(2));
        brush.within(inner)
    }

    fn draw_help(&self, brush: &mut Brush<'_>) {
        const ALWAYS: &[(&str, &str)] = &[
            ("c, F2", "ask the coach"),
            ("Tab", "the next hand, where several play round this screen"),
            ("F9 to F12", "online: hello, well played, wow, thank you"),
            ("?, F1", "this help; a table on this machine waits meanwhile"),
            ("Esc, q", "leave the table; you come back where you were"),
            ("Ctrl-C", "leave Parlor, at any time; nothing is lost"),
        ];
        let own = self.screen.help();
        // Dice Roulette has the most keys: with a frame, a gap and the last line they just fit on 24 rows.
        let height = (own.len() + ALWAYS.len()) as u16 + 4;
        let title = format!("{}: keys", self.state.kind.title());
        let mut over = Self::draw_box(brush, (76, height), &title);
        let mut y = 0;
        for (key, what) in own.iter().chain([&("", "")]).chain(ALWAYS) {
            over.put(0, y, key, Ink::Accent);
            over.put(13, y, what, Ink::Plain);
            y += 1;
        }
        over.put(0, y, "Any key goes on.", Ink::Faint);
    }

    fn draw_coach(&self, brush: &mut Brush<'_>) {
        let (lines, ink) = match (&self.state.coach, &self.state.notice) {
            (Some((_, says)), _) => (self.screen.advice(says), Ink::Plain),
            (None, Some(notice)) => (vec![notice.clone()], Ink::Plain),
            (None, None) => (vec!["The coach thinks…".to_owned()], Ink::Faint),
        };
        let lines: Vec<String> = lines.iter().flat_map(|line| wrap(line, 68)).collect();
        let mut over = Self::draw_box(brush, (72, lines.len() as u16 + 4), "The coach");
        for (y, line) in (1..).zip(&lines) {
            over.put(0, y, line, ink);
        }
    }

    fn draw_leaving(&mut self, brush: &mut Brush<'_>, says: &[String]) {
        let lines: Vec<String> = says.iter().flat_map(|line| wrap(line, 68)).collect();
        let mut over = Self::draw_box(brush, (72, lines.len() as u16 + 5), "Leave the game?");
        let mut y = 0;
        for line in &lines {
            over.put(0, y, line, Ink::Plain);
            y += 1;
        }
        let x = self.draw_key(&mut over, (0, y + 1), "y", "leave") + 3;
        self.draw_key(&mut over, (x, y + 1), "Esc", "stay");
    }

    fn draw_result(&mut self, brush: &mut Brush<'_>, says: Option<&str>) {
        let Some(outcome) = self.state.outcome.clone() else { return };
        let path = self.state.record.as_ref().map(|path| path.display().to_string());
        let record: Vec<String> = path.iter().flat_map(|path| wrap(path, 68)).collect();
        let says = says.map_or_else(Vec::new, |says| inked(says, Ink::Good));
        let checked = self.state.checked.as_ref().map_or_else(Vec::new, |checked| {
            inked(&checked.says, if checked.good { Ink::Good } else { Ink::Warn })
        });
        let names: Vec<&str> = self.state.players.iter().map(|player| &*player.name).collect();
        let ending = house::Ending::of(self.state.kind, &self.state.options, &outcome);
        let headline = match &self.state.best {
            _ if names.len() > 1 => wrap(&ending.says(&names), 68),
            best => best.iter().flat_map(|best| wrap(best, 68)).collect(),
        };
        let height = headline.len() + outcome.ranks.len() + record.len() + checked.len() + says.len() + 9;
        let mut over = Self::draw_box(brush, (72, height as u16), "The result");
        let mut order: Vec<usize> = (0..outcome.ranks.len()).collect();
        order.sort_by_key(|&seat| outcome.ranks[seat]);
        let mut y = 1;
        for line in &headline {
            over.put(0, y, line, Ink::Strong);
            y += 1;
        }
        y += 1;
        for seat in order {
            let name = self.state.name(Seat(seat as u32));
            let ink = if outcome.ranks[seat] == 1 { Ink::Accent } else { Ink::Plain };
            over.put(
                0,
                y,
                &format!("{:>2}. {name:<30} {:>8}", outcome.ranks[seat], outcome.scores[seat]),
                ink,
            );
            y += 1;
        }
        y += 1;
        if !record.is_empty() {
            over.put(0, y, "The record, for parlor verify and parlor replay:", Ink::Faint);
            for line in &record {
                y += 1;
                over.put(0, y, line, Ink::Faint);
            }
            y += 1;
        }
        for (line, ink) in checked.iter().chain(&says) {
            over.put(0, y, line, *ink);
            y += 1;
        }
        y += 1;
        let mut x = 0;
        let keys =
            [("v", "verify"), ("n", "the same again"), ("b", "board"), ("c", "coach"), ("Enter", "shelf")];
        for (key, what) in keys {
            x = self.draw_key(&mut over, (x, y), key, what) + 3;
        }
    }
}

/// Words in lines of one ink.
fn inked(says: &str, ink: Ink) -> Vec<(String, Ink)> {
    wrap(says, 68).into_iter().map(|line| (line, ink)).collect()
}

/// The key that a hint names, if it is one.
fn key_of(hint: &str) -> Option<KeyCode> {
    let mut signs = hint.chars();
    match (hint, signs.next(), signs.next()) {
        ("Enter", ..) => Some(KeyCode::Enter),
        ("Esc", ..) => Some(KeyCode::Esc),
        ("Tab", ..) => Some(KeyCode::Tab),
        ("Bksp", ..) => Some(KeyCode::Backspace),
        (_, Some(sign), None) => Some(KeyCode::Char(sign)),
        _ => None,
    }
}
