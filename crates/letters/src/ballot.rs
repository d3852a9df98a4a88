//! A vote of the table. How a seat voted is its own secret until the vote is closed.

use serde::{Deserialize, Serialize};
use table::Seat;

/// Votes being collected, one a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ballot(Vec<Option<bool>>);

/// The votes of a closed ballot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many said yes.
    pub yes: u32,
    /// How many said no.
    pub no: u32,
}

impl Ballot {
    /// A ballot of so many seats.
    pub fn new(seats: u32) -> Ballot {
        Ballot(vec![None; seats as usize])
    }

    /// What a seat said, if it has spoken.
    pub fn vote(&self, seat: Seat) -> Option<bool> {
        self.0.get(seat.index()).copied().flatten()
    }

    /// A seat votes; it may change its mind until the vote is closed.
    pub fn cast(&mut self, seat: Seat, yes: bool) {
        if let Some(vote) = self.0.get_mut(seat.index()) {
            *vote = Some(yes);
        }
    }

    /// Who has voted, not how: the part that everybody sees.
    pub fn voted(&self) -> Vec<bool> {
        self.0.iter().map(Option::is_some).collect()
    }

    /// Has everybody voted?
    pub fn complete(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// The votes so far.
    pub fn tally(&self) -> Tally {
        let of = |which| self.0.iter().filter(|&&vote| vote == Some(which)).count() as u32;
        Tally { yes: of(true), no: of(false) }
    }

    /// More than half of all seats, present or silent, said yes.
    pub fn carried(&self) -> bool {
        2 * self.tally().yes as usize > self.0.len()
    }

    /// So many said no, or nobody is left to speak, that it can no longer be carried.
    pub fn lost(&self) -> bool {
        2 * self.tally().no as usize >= self.0.len() || (self.complete() && !self.carried())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ballot_is_carried_by_more_than_half_of_all_seats() {
        let mut ballot = Ballot::new(4);
        ballot.cast(Seat(0), true);
        ballot.cast(Seat(1), true);
        assert!(!ballot.carried() && !ballot.lost());
        ballot.cast(Seat(2), true);
        assert!(ballot.carried());
        ballot.cast(Seat(2), false);
        ballot.cast(Seat(3), false);
        assert!(ballot.lost());
        assert_eq!(ballot.tally(), Tally { yes: 2, no: 2 });
    }

    #[test]
    fn a_seat_that_is_not_there_cannot_vote() {
        let mut ballot = Ballot::new(1);
        ballot.cast(Seat(7), true);
        assert_eq!((ballot.tally().yes, ballot.vote(Seat(7))), (0, None));
    }
}
