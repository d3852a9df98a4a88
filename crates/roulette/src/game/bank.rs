//! The bank and how it changes hands (DR-R3): offered, taken, squared and handed over.

use table::{Moment, Seat};

use super::Roulette;
use crate::options::Banker;
use crate::refusal::Refusal;
use crate::view::{Phase, Purse};

impl Roulette {
    pub(super) fn purse(&self) -> Option<Purse> {
        let worst = self.layout.worst();
        (self.banker != Banker::House).then_some(Purse { chips: self.bank, stock: self.stock, worst })
    }

    pub(super) fn pass_bank(&mut self, seat: Seat, to: Banker, at: &mut Moment<'_>) -> Result<(), Refusal> {
        if self.phase == Phase::Over {
            return Err(Refusal::Over);
        }
        if !self.options.passing {
            return Err(Refusal::NoPassing);
        }
        if !self.is_banker(seat) {
            return Err(Refusal::NotTheBanker);
        }
        match to {
            Banker::Seat(heir) if heir == seat => return Err(Refusal::AlreadyBanker),
            Banker::Seat(heir) if self.player(heir)?.chips() == 0 => {
                return Err(Refusal::HeirWithoutChips { seat: heir });
            }
            Banker::Seat(heir) => (self.offered, self.heir) = (Some(heir), None),
            Banker::House => {
                (self.offered, self.heir) = (None, Some(Banker::House));
                self.hand_over_between_throws(at);
            }
        }
        Ok(())
    }

    pub(super) fn take_bank(&mut self, seat: Seat, at: &mut Moment<'_>) -> Result<(), Refusal> {
        if self.phase == Phase::Over {
            return Err(Refusal::Over);
        }
        if !self.options.passing {
            return Err(Refusal::NoPassing);
        }
        if self.is_banker(seat) {
            return Err(Refusal::AlreadyBanker);
        }
        if self.players.len() == 1 {
            return Err(Refusal::Alone);
        }
        if self.player(seat)?.chips() == 0 {
            return Err(Refusal::NoChips);
        }
        if self.heir.is_some() {
            return Err(Refusal::Promised);
        }
        let free = self.banker == Banker::House || self.bank == 0;
        if !free && self.offered != Some(seat) {
            return Err(Refusal::NotOffered);
        }
        (self.offered, self.heir) = (None, Some(Banker::Seat(seat)));
        self.hand_over_between_throws(at);
        Ok(())
    }

    /// With chips on the layout the bank stays where it is until they are settled.
    fn hand_over_between_throws(&mut self, at: &mut Moment<'_>) {
        let Some(heir) = self.heir.filter(|_| self.phase == Phase::Betting && self.layout.total() == 0)
        else {
            return;
        };
        self.hand_over(heir);
        // Who has a voice has changed, so the table is asked anew.
        self.players.iter_mut().for_each(|player| player.agreed = false);
        self.recount();
        if self.no_contest() {
            self.finish();
        } else {
            self.close_if_all_ready(at);
        }
    }

    /// The old banker squares the stock: what is above it is his, what is missing he owes. The new one puts his
    /// own chips to it. The house's bank has no stock: it comes out of the box and goes back there.
    pub(super) fn hand_over(&mut self, to: Banker) {
        (self.offered, self.heir) = (None, None);
        match self.banker {
            Banker::House => self.issued += self.stock,
            Banker::Seat(seat) => {
                let player = &mut self.players[seat.index()];
                player.hand = self.bank.saturating_sub(self.stock);
                let missing = self.stock.saturating_sub(self.bank);
                player.debt += missing;
                self.issued += missing;
            }
        }
        self.bank = self.stock;
        match to {
            Banker::House => self.issued -= std::mem::take(&mut self.bank),
            Banker::Seat(seat) => {
                let player = &mut self.players[seat.index()];
                self.bank += std::mem::take(&mut player.hand);
                player.ready = false;
            }
        }
        self.banker = to;
    }
}
