//! What has happened between two views, in sentences: told alike wherever the table is played, and whoever missed a view in
//! between misses none of it.

use crate::die::Die;
use crate::view::{Made, Phase, Public, SeatView, Stage};
use table::Seat;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The signal for a round.
    Signal {
        /// Which.
        round: u32,
    },
    /// Somebody holds the dice again.
    PickedUp(Seat),
    /// Somebody has rolled them again.
    Rolled(Seat),
    /// Somebody has covered and called.
    Called(Seat),
    /// Somebody has a die from the centre.
    Took(Seat, Die),
    /// Somebody did not cover in time.
    Late(Seat),
    /// The countdown for all who have not called.
    Countdown,
    /// The race is over.
    Uncovered,
    /// Somebody's cubo is counted.
    Counted {
        /// Whose.
        seat: Seat,
        /// What it brought.
        points: u8,
        /// What that makes in all.
        score: u32,
        /// The exchange before.
        exchange: Option<Made>,
    },
    /// The game is over.
    Over,
}

impl Public {
    /// What has happened since an earlier view.
    pub fn news_since(&self, before: &Public) -> Vec<News> {
        let race = |view: &Public| matches!(view.phase, Phase::Race { .. });
        let runs = |view: &Public| matches!(view.phase, Phase::Race { countdown: Some(_), .. });
        let mut news = Vec::new();
        let pairs = || (0..).map(Seat).zip(before.seats.iter().zip(&self.seats));
        if self.round == before.round {
            pairs().for_each(|(seat, (was, is))| raced(seat, was, is, &mut news));
            if !runs(before) && runs(self) {
                news.push(News::Countdown);
            }
            if race(before) && !race(self) {
                news.push(News::Uncovered);
            }
        }
        for (seat, (was, is)) in pairs() {
            let counted = is.points.len() > was.points.len() && is.stage != Stage::Late;
            if let Some(&points) = is.points.last().filter(|_| counted) {
                let exchange = is.uncovered.and_then(|shown| shown.exchange);
                news.push(News::Counted { seat, points, score: is.score, exchange });
            }
        }
        if self.round > before.round && race(self) {
            news.push(News::Signal { round: self.round });
        }
        if self.phase == Phase::Over && before.phase != Phase::Over {
            news.push(News::Over);
        }
        news
    }
}

/// What a player has done in a race.
fn raced(seat: Seat, was: &SeatView, is: &SeatView, news: &mut Vec<News>) {
    let called = |stage: Stage| !matches!(stage, Stage::Waiting | Stage::Held | Stage::Thrown | Stage::Late);
    if was.stage == Stage::Thrown && is.stage == Stage::Held {
        news.push(News::PickedUp(seat));
    }
    if is.throws > was.throws {
        news.push(News::Rolled(seat));
    }
    if !called(was.stage) && called(is.stage) {
        news.push(News::Called(seat));
    }
    if let (None, Some(die)) = (was.taken, is.taken) {
        news.push(News::Took(seat, die));
    }
    if was.stage != Stage::Late && is.stage == Stage::Late {
        news.push(News::Late(seat));
    }
}

impl News {
    /// It in a sentence.
    pub fn tell(&self, name: &dyn Fn(Seat) -> String) -> String {
        match *self {
            News::Signal { round } => format!("Round {round}. Go!"),
            News::PickedUp(seat) => format!("{} picks the dice up.", name(seat)),
            News::Rolled(seat) => format!("{} rolls again.", name(seat)),
            News::Called(seat) => format!("{} calls Cubo!", name(seat)),
            News::Took(seat, die) => format!("{} takes the {}.", name(seat), die.in_words()),
            News::Late(seat) => format!("{} comes too late.", name(seat)),
            News::Countdown => "The countdown runs.".to_owned(),
            News::Uncovered => "The cubos are uncovered.".to_owned(),
            News::Counted { seat, points, score, exchange } => {
                let swap = exchange.map_or_else(String::new, |made| {
                    format!(" with the {} for the {}", made.taken.in_words(), made.out.in_words())
                });
                format!("{} counts {points}{swap}, {score} in all.", name(seat))
            }
            News::Over => "The game is over.".to_owned(),
        }
    }
}
