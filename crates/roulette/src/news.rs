//! What has happened between two views, in sentences: told alike wherever the table is played, and whoever missed a view in
//! between misses none of it.

use crate::notation::{Stake, write_slip};
use crate::options::Banker;
use crate::view::{Phase, Place, Public};
use table::Seat;

/// Up to so many players, each one's gain and loss is told after a throw.
const FEW: usize = 8;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The dice have fallen.
    Thrown {
        /// The number.
        number: u8,
        /// Whether its square is red.
        red: bool,
        /// All chips swept off.
        swept: u64,
        /// All chips paid.
        paid: u64,
    },
    /// What the throw did for somebody.
    Won(Seat, i64),
    /// Somebody has laid chips.
    Laid(Seat, Vec<Stake>),
    /// Somebody has taken chips back.
    TookBack(Seat, Vec<Stake>),
    /// Somebody would end the game here.
    WouldStop(Seat),
    /// Somebody would go on after all.
    PlaysOn(Seat),
    /// Somebody has borrowed so many chips.
    Borrowed(Seat, u64),
    /// The bank has changed hands.
    Bank(Banker),
    /// The bank is offered to somebody.
    Offered(Seat),
    /// The bank will change hands after the throw.
    Promised(Banker),
    /// It will not after all.
    Withdrawn(Banker),
    /// Bets are closed, and a player has the dice.
    Closed(Seat),
    /// The game is over.
    Over,
}

impl Public {
    /// What has happened since an earlier view. At a large table the slips are in nobody's view, and are not told.
    pub fn news_since(&self, before: &Public) -> Vec<News> {
        let mut news = Vec::new();
        let thrown = self.thrown > before.thrown;
        if let Some(last) = self.last.as_ref().filter(|_| thrown) {
            let (swept, paid) = (last.swept_chips, last.paid_chips);
            news.push(News::Thrown { number: last.number, red: last.red, swept, paid });
            let won = (0..).map(Seat).zip(&self.players).map(|(seat, place)| (seat, place.last.net()));
            let won = won.filter(|(_, net)| *net != 0 && self.players.len() <= FEW);
            news.extend(won.map(|(seat, net)| News::Won(seat, net)));
        }
        let same_bank = self.banker == before.banker;
        for (seat, (was, is)) in (0..).map(Seat).zip(before.players.iter().zip(&self.players)) {
            let laid = more(if thrown { &[] } else { &was.slip }, &is.slip);
            if !laid.is_empty() {
                news.push(News::Laid(seat, laid));
            }
            if !thrown && self.phase != Phase::Over {
                news.extend(changed(seat, was, is, same_bank));
            }
        }
        if !same_bank && self.phase != Phase::Over {
            news.push(News::Bank(self.banker));
        }
        if !thrown && same_bank && self.phase != Phase::Over && self.heir != before.heir {
            news.extend(before.heir.map(News::Withdrawn));
            news.extend(self.heir.map(News::Promised));
        }
        news.extend(self.offered.filter(|_| self.offered != before.offered).map(News::Offered));
        if let (Phase::Throwing, Banker::Seat(seat), true) =
            (self.phase, self.banker, before.phase != Phase::Throwing)
        {
            news.push(News::Closed(seat));
        }
        if self.phase == Phase::Over && before.phase != Phase::Over {
            news.push(News::Over);
        }
        news
    }
}

/// What else a player has done between two throws. A bank that passes squares debts and asks the table anew.
fn changed(seat: Seat, was: &Place, is: &Place, same_bank: bool) -> Vec<News> {
    let mut news = Vec::new();
    let back = more(&is.slip, &was.slip);
    if !back.is_empty() {
        news.push(News::TookBack(seat, back));
    }
    match (was.agreed, is.agreed) {
        (false, true) => news.push(News::WouldStop(seat)),
        (true, false) if same_bank => news.push(News::PlaysOn(seat)),
        _ => {}
    }
    if is.debt > was.debt && same_bank {
        news.push(News::Borrowed(seat, is.debt - was.debt));
    }
    news
}

/// What lies on one slip and not on the other.
fn more(than: &[Stake], slip: &[Stake]) -> Vec<Stake> {
    let had = |stake: &Stake| than.iter().find(|other| other.on == stake.on).map_or(0, |other| other.chips);
    let added = |stake: &Stake| {
        let chips = stake.chips.saturating_sub(had(stake));
        (chips > 0).then_some(Stake { on: stake.on, chips })
    };
    slip.iter().filter_map(added).collect()
}

impl News {
    /// It in a sentence.
    pub fn tell(&self, name: &dyn Fn(Seat) -> String) -> String {
        let slip = |bets: &[Stake]| write_slip(bets.iter().copied());
        match self {
            News::Thrown { number, red, swept, paid } => {
                let colour = if *red { "red" } else { "black" };
                format!("{number}, {colour}. {swept} chips swept, {paid} paid.")
            }
            News::Won(seat, net) if *net > 0 => format!("{} wins {net}.", name(*seat)),
            News::Won(seat, net) => format!("{} loses {}.", name(*seat), net.unsigned_abs()),
            News::Laid(seat, bets) => format!("{} lays {}.", name(*seat), slip(bets)),
            News::TookBack(seat, bets) => format!("{} takes back {}.", name(*seat), slip(bets)),
            News::WouldStop(seat) => format!("{} would stop here.", name(*seat)),
            News::PlaysOn(seat) => format!("{} wants to play on.", name(*seat)),
            News::Borrowed(seat, chips) => format!("{} borrows {chips}.", name(*seat)),
            News::Bank(Banker::House) => "The house takes the bank.".to_owned(),
            News::Bank(Banker::Seat(seat)) => format!("{} takes the bank.", name(*seat)),
            News::Offered(seat) => format!("The bank is offered to {}.", name(*seat)),
            News::Promised(Banker::House) => "The house takes the bank after this throw.".to_owned(),
            News::Promised(Banker::Seat(seat)) => format!("{} takes the bank after this throw.", name(*seat)),
            News::Withdrawn(Banker::House) => "The bank does not go to the house after all.".to_owned(),
            News::Withdrawn(Banker::Seat(seat)) => {
                format!("{} does not get the bank after all.", name(*seat))
            }
            News::Closed(seat) => format!("{} takes the dice: no more bets.", name(*seat)),
            News::Over => "The game is over.".to_owned(),
        }
    }
}
