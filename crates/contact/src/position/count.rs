//! The count: who has more where a game goes nowhere (CT-R10).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Position;
use crate::board::{Side, sides_in};

/// What a side, or a partnership, has by the count. The greater is ahead: more tiles, and with as many the higher figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Tiles on the board.
    pub tiles: u32,
    /// The sum of the figures that their corners show.
    pub figures: u32,
}

/// How the count stands, of every side or partnership.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// Everybody's standing; of a partnership, that of the partner who sits first.
    pub standings: Vec<(Side, Standing)>,
    /// Who would win by it now, or share a tie.
    pub ahead: Vec<Side>,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, Standing { tiles, figures }) in &self.standings {
            let s = if *tiles == 1 { "" } else { "s" };
            write!(f, "{side} {tiles} tile{s} showing {figures}, ")?;
        }
        match self.ahead.as_slice() {
            [one] => write!(f, "{one} is ahead"),
            more if self.standings.iter().all(|(side, _)| more.contains(side)) => f.write_str("even"),
            more => {
                let names: Vec<String> = more.iter().map(ToString::to_string).collect();
                write!(f, "{} are ahead", names.join(" and "))
            }
        }
    }
}

impl Position {
    /// How the count stands, where the table has it (CT-R10).
    pub fn count_stands(&self) -> Option<Count> {
        let sides = self.players.sides().iter().copied();
        let first = |side: &Side| self.players.team(*side).trailing_zeros() as usize == side.index();
        let standings = sides.filter(first).map(|side| (side, self.standing(side))).collect();
        self.ties.count.then(|| Count { standings, ahead: sides_in(self.leaders()).collect() })
    }

    /// What a side has by the count, its partner's tiles included.
    ///
    /// ```
    /// use contact::{Players, Position, Set, Side};
    /// let start = Position::start(&Set::default(), "six", Players::Two).unwrap();
    /// let south = start.standing(Side::South);
    /// assert_eq!((south.tiles, south.figures), (6, 3 * 10 + 3 * 18));
    /// ```
    pub fn standing(&self, side: Side) -> Standing {
        let team = self.players.team(side);
        let ours = self.codes().filter(|(code, _)| team >> code.owner().index() & 1 != 0);
        ours.fold(Standing::default(), |sum, (code, _)| Standing {
            tiles: sum.tiles + 1,
            figures: sum.figures
                + self.faces[code.face()].iter().map(|&figure| u32::from(figure)).sum::<u32>(),
        })
    }

    /// The sides that are ahead by the count, one bit each: a side or a partnership alone, or all that have as much.
    pub fn leaders(&self) -> u8 {
        let sides = self.players.sides();
        let most = sides.iter().map(|&side| self.standing(side)).max();
        let ahead = sides.iter().filter(|&&side| Some(self.standing(side)) == most);
        ahead.fold(0, |mask, side| mask | 1 << side.index())
    }
}
