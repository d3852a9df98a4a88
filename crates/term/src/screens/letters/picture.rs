//! The grid, the dice beside it, and what is going on below.

use super::seen::Seen;
use super::{Asking, Hit, Letters};
use crate::look::{Brush, Ink};
use crate::session::State;
use letters::{Board, Spot, StageView};
use words::{Colour, Letter};

/// Columns of a place of the grid.
const CELL: u16 = 3;

impl Letters {
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

    pub(super) fn draw_grid(&mut self, brush: &mut Brush<'_>, rows: u16, state: &State) {
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

    pub(super) fn draw_tray(&mut self, brush: &mut Brush<'_>, y: u16) {
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
    pub(super) fn draw_below(&mut self, brush: &mut Brush<'_>, y: u16, state: &State) {
        let Some(seen) = self.seen.clone() else { return };
        let mut y = y;
        if let Some(proposal) = &seen.proposal {
            let answer = self.agreed.map_or("F7 agrees, F8 does not", |_| "you have answered");
            let says =
                format!("{} would end after round {}: {answer}", state.name(proposal.by), proposal.last);
            y = brush.write(0, y, &says, Ink::Accent);
        }
        if let Some(draw) = seen.draw.as_ref().filter(|_| seen.turn.stage == StageView::Cup) {
            y = brush.write(0, y, draw, Ink::Plain);
        }
        let asks = self.asks(&seen);
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
        self.draw_stage(brush, y, state, &seen);
    }

    /// What was asked on this screen and waits for an answer typed here.
    fn asks(&self, seen: &Seen) -> Option<String> {
        match &self.asking {
            Asking::Nothing => None,
            Asking::Done => Some(match seen.turn.reading.as_ref().filter(|reading| reading.is_certain()) {
                Some(reading) => format!("Count it as it lies? Enter again does it, for {}.", reading.points),
                None => "Count it as it lies? Enter again does it.".to_owned(),
            }),
            Asking::Rounds => Some("End the game after how many more rounds? 1, 2 or 3".to_owned()),
            Asking::Bid(typed) => Some(format!("Your bid: {typed}_")),
        }
    }

    /// What can be done at this stage of the turn, and how.
    fn draw_stage(&mut self, brush: &mut Brush<'_>, mut y: u16, state: &State, seen: &Seen) {
        match &seen.turn.stage {
            StageView::Cup if seen.over => {}
            StageView::Cup if self.makes(state) => {
                let says = if seen.asks { "[ Throw again ]" } else { "[ Throw the dice ]" };
                let x = brush.put(0, y, says, Ink::Accent);
                self.hits.add(brush, (0, y), (x, 1), Hit::Go);
                if seen.asks {
                    brush.put(x + 2, y, "No vowel, no WILD. k keeps it all the same.", Ink::Plain);
                }
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
}
