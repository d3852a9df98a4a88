//! Chips on their way to the layout and back, while bets are open (DR-S6, DR-R4).

use table::Seat;

use super::Roulette;
use crate::notation::Stake;
use crate::options::Banker;
use crate::refusal::Refusal;
use crate::set::BETS;
use crate::slip::{LAYOUT_LIMIT, Slip};

impl Roulette {
    /// A list of stakes as a slip, or what is wrong with the list.
    fn gather(&self, bets: &[Stake]) -> Result<Slip, Refusal> {
        if bets.is_empty() {
            return Err(Refusal::NoBets);
        }
        if bets.len() > BETS {
            return Err(Refusal::TooManyBets { bets: bets.len(), most: BETS });
        }
        let mut slip = Slip::default();
        for &Stake { on, chips } in bets {
            let bet = self.options.set.bet(on).map_err(|error| Refusal::UnknownBet { bet: on, error })?;
            if chips == 0 {
                return Err(Refusal::NoStake { bet: on });
            }
            if !slip.add(bet, chips) {
                return Err(Refusal::LayoutFull { limit: LAYOUT_LIMIT, free: self.layout.room() });
            }
        }
        Ok(slip)
    }

    /// DR-S6: any number of chips on any number of spots.
    pub(super) fn lay(&mut self, seat: Seat, bets: &[Stake]) -> Result<(), Refusal> {
        let player = self.bettor(seat)?;
        if player.chips() == 0 {
            return Err(Refusal::NoChips);
        }
        let (new, have) = (self.gather(bets)?, player.hand);
        let stake = u64::from(new.total());
        if stake > have {
            return Err(Refusal::StakeOverChips { stake, have });
        }
        if new.total() > self.layout.room() {
            return Err(Refusal::LayoutFull { limit: LAYOUT_LIMIT, free: self.layout.room() });
        }
        if self.banker != Banker::House {
            // DR-R3
            let worst = self.layout.worst_with(&self.options.set, &new);
            if worst > self.bank {
                return Err(Refusal::BankCannotPay { worst, bank: self.bank });
            }
        }
        let player = &mut self.players[seat.index()];
        player.hand -= stake;
        for (bet, chips) in new.stakes() {
            self.layout.lay(&self.options.set, bet, chips);
            let fits = player.slip.add(bet, chips);
            debug_assert!(fits, "a slip is never larger than the layout it lies on");
        }
        self.busy(seat);
        Ok(())
    }

    /// DR-R4: until the window closes.
    pub(super) fn take_back(&mut self, seat: Seat, bets: &[Stake]) -> Result<(), Refusal> {
        let player = self.bettor(seat)?;
        let back = self.gather(bets)?;
        for (bet, asked) in back.stakes() {
            let standing = player.slip.chips_on(bet);
            if asked > standing {
                return Err(Refusal::NotStanding { bet: self.options.set.spot(bet), asked, standing });
            }
        }
        let player = &mut self.players[seat.index()];
        for (bet, chips) in back.stakes() {
            self.layout.take(&self.options.set, bet, chips);
            player.slip.take(bet, chips);
        }
        player.hand += u64::from(back.total());
        self.busy(seat);
        Ok(())
    }

    pub(super) fn clear(&mut self, seat: Seat) -> Result<(), Refusal> {
        if self.bettor(seat)?.slip.is_empty() {
            return Err(Refusal::NothingLaid);
        }
        self.return_slip(seat.index());
        self.busy(seat);
        Ok(())
    }

    pub(super) fn return_slip(&mut self, at: usize) {
        let player = &mut self.players[at];
        for (bet, chips) in player.slip.stakes() {
            self.layout.take(&self.options.set, bet, chips);
        }
        player.hand += u64::from(player.slip.total());
        player.slip.clear();
    }

    pub(super) fn busy(&mut self, seat: Seat) {
        let ready = &mut self.players[seat.index()].ready;
        self.waiting += u32::from(std::mem::take(ready));
    }
}
