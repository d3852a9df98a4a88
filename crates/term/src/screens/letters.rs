//! I-Qubes and Scribbage: letter dice on a grid. Letters are typed where the cursor is, and the dice that show them are laid;
//! the words, the sheet, the auction, challenges and votes stand below.

use super::{Click, Deed, Screen};
use crate::look::{Brush, Ink, Spots, wrap};
use crate::session::State;
use iqubes::{Auction, ProposalView};
use letters::{Board, Count, Ruling, Spot, StageView, TurnView};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};
use table::Seat;
use words::{Colour, Face, Letter, Word};

/// What both games show, told alike.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    at: String,
    faces: Vec<Face>,
    turn: TurnView,
    auction: Option<Auction>,
    bid: Option<u32>,
    proposal: Option<ProposalView>,
    /// Points by side, round by round.
    sheet: Vec<Vec<i64>>,
    totals: Vec<i64>,
    /// The side of each seat, where there are teams.
    teams: u32,
    news: Vec<News>,
    over: bool,
}

/// What happened, with its people still by number.
#[derive(Clone, Debug, PartialEq)]
enum News {
    IQubes(iqubes::News),
    Scribbage(scribbage::News),
}

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

/// Cells of the grid on a picture of 80 × 24.
const CELL: u16 = 3;

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

    fn read(&self, state: &State) -> Option<Seen> {
        if self.iqubes {
            let public: iqubes::Public = state.view()?;
            let seats = public.totals.len();
            let second = if public.second { ", second throw" } else { "" };
            Some(Seen {
                at: format!("round {} of {}{second}", public.round, public.last),
                faces: public.throw.faces(),
                turn: public.turn,
                auction: public.auction,
                bid: public.bid,
                proposal: public.proposal,
                sheet: (0..seats)
                    .map(|seat| public.sheet.iter().map(|round| round[seat]).collect())
                    .collect(),
                totals: public.totals,
                teams: 0,
                news: public.news.into_iter().map(News::IQubes).collect(),
                over: public.over,
            })
        } else {
            let public: scribbage::Public = state.view()?;
            let goal = match public.options.figure {
                Some(figure) => format!("past {figure}"),
                None => format!("of {}", public.options.turns),
            };
            Some(Seen {
                at: format!("turn {} {goal}", public.round),
                faces: public.throw.faces(&public.options.set),
                turn: public.turn,
                auction: None,
                bid: None,
                proposal: None,
                sheet: public.sheet,
                totals: public.totals,
                teams: public.options.teams,
                news: public.news.into_iter().map(News::Scribbage).collect(),
                over: public.over,
            })
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

    fn remember(&mut self) {
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

    fn place(die: u8, Spot(x, y): Spot) -> Value {
        json!({"do": "place", "die": die, "x": x, "y": y})
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
                return Deed::act(json!({"do": "call", "die": die, "letter": letter}));
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
        let place = Self::place(die, self.cursor);
        self.forward();
        let call = wild.then(|| json!({"do": "call", "die": die, "letter": letter}));
        Deed::Act([place].into_iter().chain(call).collect())
    }

    fn lay_wild(&mut self) -> Deed {
        match self.wild() {
            Some(die) => {
                self.remember();
                let place = Self::place(die, self.cursor);
                Deed::act(place)
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

    fn lift(&mut self) -> Deed {
        match self.die_at(self.cursor) {
            Some(die) => {
                self.remember();
                Deed::act(json!({"do": "lift", "die": die}))
            }
            None => Deed::Seen,
        }
    }

    fn undo(&mut self) -> Deed {
        match self.undo.pop() {
            Some(board) => Deed::act(json!({"do": "arrange", "dice": board.layout().dice})),
            None => Deed::Say("There is nothing to undo.".to_owned()),
        }
    }

    fn arranging_key(&mut self, key: KeyEvent) -> Deed {
        if self.asking == Asking::Done {
            self.asking = Asking::Nothing;
            if key.code == KeyCode::Enter {
                return Deed::act(json!({"do": "done"}));
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
        Deed::act(json!({"do": "clear"}))
    }

    /// The words that can be challenged.
    fn words(&self) -> Vec<Word> {
        let count = self.seen.as_ref().and_then(|seen| seen.turn.count.as_ref());
        count.map(|count| count.words.iter().map(|said| said.word).collect()).unwrap_or_default()
    }

    fn go(&mut self, state: &State) -> Deed {
        let Some(seen) = &self.seen else { return Deed::No };
        if seen.over {
            return Deed::No;
        }
        match &seen.turn.stage {
            StageView::Cup if self.makes(state) => Deed::act(json!({"do": "throw"})),
            StageView::Arranging if self.makes(state) && seen.auction.is_none() => {
                self.asking = Asking::Done;
                Deed::Seen
            }
            _ => Deed::No,
        }
    }

    fn bid_key(&mut self, key: KeyEvent) -> Deed {
        let Asking::Bid(typed) = &mut self.asking else {
            return match key.code {
                KeyCode::Char(digit @ '0'..='9') => {
                    self.asking = Asking::Bid(digit.to_string());
                    Deed::Seen
                }
                KeyCode::Char('p') => Deed::act(json!({"do": "pass"})),
                _ => Deed::No,
            };
        };
        match key.code {
            KeyCode::Char(digit @ '0'..='9') if typed.len() < 4 => typed.push(digit),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let bid = typed.parse::<u32>().ok();
                self.asking = Asking::Nothing;
                return bid.map_or(Deed::Seen, |count| Deed::act(json!({"do": "bid", "count": count})));
            }
            _ => self.asking = Asking::Nothing,
        }
        Deed::Seen
    }

    /// Keys for a proposal to end the game; they work at any time.
    fn proposal_key(&mut self, key: KeyEvent, writes: bool) -> Deed {
        let open = self.seen.as_ref().is_some_and(|seen| seen.proposal.is_some());
        if self.asking == Asking::Rounds {
            self.asking = Asking::Nothing;
            return match key.code {
                KeyCode::Char(digit @ '1'..='3') => {
                    Deed::act(json!({"do": "propose", "rounds": digit as u8 - b'0'}))
                }
                _ => Deed::Seen,
            };
        }
        match key.code {
            KeyCode::F(7) if open => Deed::act(json!({"do": "agree", "yes": true})),
            KeyCode::F(8) if open => Deed::act(json!({"do": "agree", "yes": false})),
            KeyCode::Char('y') if open && !writes => Deed::act(json!({"do": "agree", "yes": true})),
            KeyCode::Char('n') if open && !writes => Deed::act(json!({"do": "agree", "yes": false})),
            KeyCode::F(6) => self.ask_rounds(),
            KeyCode::Char('e') if !writes => self.ask_rounds(),
            _ => Deed::No,
        }
    }

    fn ask_rounds(&mut self) -> Deed {
        self.asking = Asking::Rounds;
        Deed::Seen
    }

    fn hearing_key(&mut self, key: KeyEvent) -> Deed {
        let words = self.words();
        match key.code {
            KeyCode::Char('p') | KeyCode::Enter => Deed::act(json!({"do": "pass"})),
            KeyCode::Up => {
                self.word = self.word.saturating_sub(1);
                Deed::Seen
            }
            KeyCode::Down => {
                self.word = (self.word + 1).min(words.len().saturating_sub(1));
                Deed::Seen
            }
            KeyCode::Char('x') => words
                .get(self.word)
                .map_or(Deed::Seen, |word| Deed::act(json!({"do": "challenge", "word": word}))),
            _ => Deed::No,
        }
    }

    /// A die as it is drawn in three signs.
    fn sign(&self, die: u8) -> (String, Ink) {
        let Some(face) = self.face(die) else { return ("   ".to_owned(), Ink::Plain) };
        let called = self.board().and_then(|board| board.dice().get(usize::from(die))?.called);
        let letter = face.letter.or(called);
        let star = if face.is_wild() { '*' } else { ' ' };
        match face.colour {
            // Red dice are large letters, black ones small: colour is never the only sign.
            Some(Colour::Red) => (format!(" {}{star}", letter.map_or('!', Letter::upper)), Ink::Red),
            Some(Colour::Black) => (format!(" {}{star}", letter.map_or('?', Letter::lower)), Ink::Black),
            None if face.is_wild() => (format!(" {}*", letter.map_or('?', Letter::lower)), Ink::Held),
            None => (format!("{}{:<2}", letter.map_or('?', Letter::upper), face.value), Ink::White),
        }
    }

    /// Keeps what matters in sight: the cursor of who arranges, or all dice.
    fn aim(&mut self, cells: (i8, i8), live: bool) {
        let spots: Vec<Spot> =
            self.board().map(Board::dice).unwrap_or_default().iter().filter_map(|lie| lie.at).collect();
        let fit = |least: i8, most: i8, origin: i8, room: i8| {
            if least < origin || most >= origin + room {
                // In the middle, if there is room for all.
                (least + most + 1 - room).div_euclid(2).min(least).max(most + 1 - room)
            } else {
                origin
            }
        };
        let marks = spots.iter().copied().chain(live.then_some(self.cursor));
        let span = |of: fn(&Spot) -> i8| {
            let all = marks.clone().map(|spot| of(&spot));
            all.clone().min().zip(all.max())
        };
        if let (Some((left, right)), Some((top, bottom))) = (span(|spot| spot.0), span(|spot| spot.1)) {
            self.origin.0 = fit(left, right, self.origin.0, cells.0);
            self.origin.1 = fit(top, bottom, self.origin.1, cells.1);
        }
        if live {
            let Spot(x, y) = self.cursor;
            self.origin.0 = self.origin.0.clamp(x.saturating_sub(cells.0 - 1), x);
            self.origin.1 = self.origin.1.clamp(y.saturating_sub(cells.1 - 1), y);
        }
    }

    fn draw_grid(&mut self, brush: &mut Brush<'_>, rows: u16, state: &State) {
        let cells = ((brush.area.width / CELL).min(60) as i8, rows.min(60) as i8);
        let live = self.arranges(state);
        self.aim(cells, live);
        let bad: Vec<u8> = self
            .seen
            .iter()
            .flat_map(|seen| seen.turn.reading.iter())
            .flat_map(|reading| reading.words.iter().filter(|word| !reading.counts(word)))
            .flat_map(|word| word.dice.iter().copied())
            .collect();
        for row in 0..cells.1 {
            for column in 0..cells.0 {
                let spot = Spot(self.origin.0 + column, self.origin.1 + row);
                let place = (column as u16 * CELL, row as u16);
                let here = live && spot == self.cursor;
                match self.die_at(spot) {
                    Some(die) => {
                        let (sign, ink) = self.sign(die);
                        let ink = match (here, self.held == Some(die), bad.contains(&die)) {
                            (true, ..) => Ink::Cursor,
                            (_, true, _) => Ink::Held,
                            (.., true) => Ink::Bad,
                            _ => ink,
                        };
                        brush.put(place.0, place.1, &sign, ink);
                    }
                    None if here => {
                        let way = if self.across { "[→]" } else { "[↓]" };
                        brush.put(place.0, place.1, way, Ink::Cursor);
                    }
                    None => {
                        brush.put(place.0 + 1, place.1, "·", Ink::Faint);
                    }
                }
                self.hits.add(brush, place, (CELL, 1), Hit::Spot(spot));
            }
        }
    }

    fn draw_tray(&mut self, brush: &mut Brush<'_>, y: u16) {
        let loose = self.loose();
        self.hits.add(brush, (0, y), (brush.area.width, 1), Hit::Tray);
        let mut x = brush.put(0, y, "Dice ", Ink::Faint);
        for die in loose {
            let (sign, ink) = self.sign(die);
            brush.put(x, y, &sign, if self.held == Some(die) { Ink::Held } else { ink });
            self.hits.add(brush, (x, y), (3, 1), Hit::Die(die));
            x += 3;
            // Dice in two colours lie apart enough to be told apart.
            x += u16::from(brush.area.width > 58);
        }
    }

    /// What is going on, below the dice.
    fn draw_below(&mut self, brush: &mut Brush<'_>, y: u16, state: &State) {
        let Some(seen) = self.seen.clone() else { return };
        let mut y = y;
        if let Some(proposal) = &seen.proposal {
            let answer = self.agreed.map_or("F7 agrees, F8 does not", |_| "you have answered");
            let says =
                format!("{} would end after round {}: {answer}", state.name(proposal.by), proposal.last);
            y = brush.write(0, y, &says, Ink::Accent);
        }
        let asks = match &self.asking {
            Asking::Nothing => None,
            Asking::Done => Some(match seen.turn.reading.as_ref().filter(|reading| reading.is_certain()) {
                Some(reading) => format!("Count it as it lies? Enter again does it, for {}.", reading.points),
                None => "Count it as it lies? Enter again does it.".to_owned(),
            }),
            Asking::Rounds => Some("End the game after how many more rounds? 1, 2 or 3".to_owned()),
            Asking::Bid(typed) => Some(format!("Your bid: {typed}_")),
        };
        if let Some(asks) = asks {
            brush.write(0, y, &asks, Ink::Accent);
            return;
        }
        if let Some(auction) = &seen.auction {
            let says = match auction.high {
                None => format!("Who bids more than {}? Type a number and Enter, or p.", auction.beat()),
                Some(high) => format!(
                    "{} bids {}. Who bids more? A number and Enter, or p.",
                    state.name(high.seat),
                    high.count
                ),
            };
            brush.write(0, y, &says, Ink::Accent);
            return;
        }
        match &seen.turn.stage {
            StageView::Cup if seen.over => {}
            StageView::Cup if self.makes(state) => {
                brush.put(0, y, "[ Throw the dice ]", Ink::Accent);
                self.hits.add(brush, (0, y), (18, 1), Hit::Go);
            }
            StageView::Arranging => {
                if let Some(bid) = seen.bid {
                    y = brush.write(0, y, &format!("For a bid of {bid}."), Ink::Accent);
                }
                if let Some(reading) = &seen.turn.reading {
                    brush.write(0, y, &reading.to_string(), Ink::Plain);
                }
            }
            StageView::Hearing { .. } => {
                let mut x = brush.put(0, y, "Words: ", Ink::Faint);
                for (at, word) in self.words().iter().enumerate() {
                    let ink = if at == self.word && !self.makes(state) { Ink::Cursor } else { Ink::Plain };
                    x = brush.put(x, y, &word.to_string(), ink) + 2;
                }
                let says = if self.makes(state) {
                    "The others may challenge."
                } else {
                    "x challenges, p lets them stand."
                };
                brush.put(0, y + 1, says, Ink::Accent);
            }
            StageView::Voting { word, by, .. } => {
                let vote =
                    self.vote.map_or("y or n?", |good| if good { "You said yes." } else { "You said no." });
                brush.write(
                    0,
                    y,
                    &format!("{} challenges {word}. Is it a word? {vote}", state.name(*by)),
                    Ink::Accent,
                );
            }
            StageView::Cup | StageView::Stands => {}
        }
    }

    fn side_name(&self, side: u32, state: &State) -> String {
        let teams = self.seen.as_ref().map_or(0, |seen| seen.teams);
        if teams == 0 { state.name(Seat(side)).to_owned() } else { format!("Team {}", side + 1) }
    }

    fn side_of(&self, seat: usize) -> usize {
        let teams = self.seen.as_ref().map_or(0, |seen| seen.teams) as usize;
        if teams == 0 { seat } else { seat % teams }
    }

    fn tell(&self, news: &News, state: &State) -> String {
        let counts = |name: String, count: &Count| format!("{name} counts {count}");
        let ruled = |ruling: &Ruling| {
            let stands = if ruling.stands { "stands" } else { "falls" };
            format!("{} challenges {}: it {stands}, {}.", state.name(ruling.by), ruling.word, ruling.tally)
        };
        match news {
            News::Scribbage(scribbage::News::Threw { side, throw }) => {
                format!("{} throws {throw}.", self.side_name(*side, state))
            }
            News::Scribbage(scribbage::News::Ruled { ruling })
            | News::IQubes(iqubes::News::Ruled { ruling }) => ruled(ruling),
            News::Scribbage(scribbage::News::Counted { side, count }) => {
                format!("{}.", counts(self.side_name(*side, state), count))
            }
            News::IQubes(iqubes::News::Threw { seat, second, rethrown, throw }) => {
                let again = rethrown
                    .iter()
                    .map(|throw| format!(" {throw} (no vowel, again)"))
                    .collect::<Vec<_>>()
                    .concat();
                let second = if *second { ", the second throw" } else { "" };
                format!("{} throws{again} {throw}{second}.", state.name(*seat))
            }
            News::IQubes(iqubes::News::Counted { seat, count, full, earned }) => {
                let full = if *full { ", all dice used" } else { "" };
                let earned = if *earned { ": a second throw" } else { "" };
                format!("{}{full}{earned}.", counts(state.name(*seat).to_owned(), count))
            }
            News::IQubes(iqubes::News::Auction { original, high: None }) => {
                format!("Nobody bids against {original}.")
            }
            News::IQubes(iqubes::News::Auction { original, high: Some(bid) }) => {
                format!("{} bids {} against {original}, and has the dice.", state.name(bid.seat), bid.count)
            }
            News::IQubes(iqubes::News::Bid { seat, bid, made, count, .. }) => {
                let made = if *made { "makes" } else { "fails" };
                format!("{} {made} the bid of {bid} with {count}.", state.name(*seat))
            }
            News::IQubes(iqubes::News::Proposal { by, last, agreed, tally }) => {
                let agreed = if *agreed { "agreed" } else { "not agreed" };
                format!("{} proposes to end after round {last}: {agreed}, {tally}.", state.name(*by))
            }
        }
    }
}

impl Screen for Letters {
    fn show(&mut self, state: &State) -> Vec<String> {
        let after = self.read(state);
        if self.iqubes {
            let own: iqubes::Private = state.own().unwrap_or_default();
            (self.vote, self.agreed) = (own.vote, own.agreed);
        } else {
            self.vote = state.own::<scribbage::Private>().and_then(|own| own.vote);
        }
        let told = match (&self.seen, &after) {
            (Some(before), Some(after)) => {
                let known = if after.news.starts_with(&before.news) { before.news.len() } else { 0 };
                after.news[known..].iter().map(|news| self.tell(news, state)).collect()
            }
            _ => Vec::new(),
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
            .map(|seat| self.side_name(self.side_of(seat.index()) as u32, state))
            .unwrap_or_default();
        let at = match &seen.turn.stage {
            _ if seen.over => "over".to_owned(),
            _ if seen.auction.is_some() => "the auction".to_owned(),
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
            .map(|seat| seen.totals.get(self.side_of(seat)).map(ToString::to_string).unwrap_or_default())
            .collect()
    }

    fn sheet(&self, state: &State) -> Vec<String> {
        let Some(seen) = &self.seen else { return Vec::new() };
        let line = |(side, points): (u32, &Vec<i64>)| {
            let last = &points[points.len().saturating_sub(5)..];
            let points = last.iter().map(|points| format!("{points:>4}")).collect::<Vec<_>>().concat();
            format!("{:<6.6}{points}", self.side_name(side, state))
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
            StageView::Cup if matches!(key.code, KeyCode::Enter | KeyCode::Char(' ' | 't')) => self.go(state),
            StageView::Hearing { .. } if !self.makes(state) => self.hearing_key(key),
            StageView::Voting { .. } => match key.code {
                KeyCode::Char('y') => Deed::act(json!({"do": "vote", "good": true})),
                KeyCode::Char('n') => Deed::act(json!({"do": "vote", "good": false})),
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
                let place = Self::place(die, spot);
                Deed::act(place)
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
                Deed::act(json!({"do": "lift", "die": die}))
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
            ("Enter", "throw · when arranged: done (asked once more)"),
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
