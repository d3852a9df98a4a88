//! Cubo: nine dice in a square, everyone at once.
//!
//! Two to four players throw their nine dice together (four red, four blue, one white) and race to set them in a square
//! round the white one, so that its rows and columns make straights and trips. Whoever is content covers his cubo, calls
//! "Cubo" and takes a die from the centre, which may later replace one of his. The last one has six seconds. Six rounds.
//!
//! The crate is the game ([`Cubo`]), its bots ([`bot`]) and its coach ([`review`]); and, since there are only
//! 453,492 hands, perfect play: [`Hand::best`] finds the best cubo of one hand by search, [`Lookup`] knows them all,
//! [`Census`] tells what a throw is worth. [`solve`], [`score`] and [`census`] are the same for text.

mod best;
mod bot;
mod census;
mod coach;
mod die;
mod exchange;
mod game;
mod hand;
mod house;
mod layout;
mod lookup;
mod news;
mod notation;
mod options;
mod refusal;
mod score;
mod set;
mod square;
mod view;

pub use bot::{CuboBot, LEVELS, bot};
pub use census::{Census, Ratio, Share, THROWS};
pub use coach::{Advice, Covered, Reroll, Review, Together, review};
pub use die::{Colour, Die, FACES};
pub use exchange::{Exchange, Plan, Swap};
pub use game::{Act, Cubo};
pub use hand::{HANDS, Hand};
pub use house::CuboQuestion;
pub use layout::{Arrangement, Layout, Throw, WHITE, arrangement};
pub use lookup::Lookup;
pub use news::News;
pub use notation::Misread;
pub use options::{Clocks, Options, Start};
pub use refusal::Refusal;
pub use score::{Count, Figure, RowCount, Straights};
pub use set::{DiceBox, Set, SetFault, Stock};
pub use square::{Cell, Row, Square};
pub use view::{Made, Phase, Private, Public, SeatView, Stage, Uncovered};

/// The best cubo of nine dice, and with a die to take the best arrangement and exchange together.
///
/// Serialises as `{"score":n,"grid":[[..],[..],[..]],"exchange":null|{"out":"B2","in":"R6"}}`; the grid is shown as it is
/// counted, the exchange made.
///
/// ```
/// let plan = cubo::solve("R1 R2 R3 R4 B1 B2 B3 B4 W4", Some("R6"))?;
/// assert_eq!(plan.cubo.points(cubo::Straights::InOrder), plan.score);
/// # Ok::<(), cubo::Misread>(())
/// ```
pub fn solve(hand: &str, take: Option<&str>) -> Result<Plan, Misread> {
    solve_by(hand, take, Straights::InOrder)
}

/// [`solve`] with straights read as told (CU-R6).
pub fn solve_by(hand: &str, take: Option<&str>, straights: Straights) -> Result<Plan, Misread> {
    let hand: Hand = hand.parse()?;
    let taken = take.map(notation::taken).transpose()?;
    Ok(taken.map_or_else(|| hand.plan(straights), |taken| hand.plan_with(taken, straights)))
}

/// What each row of a cubo is worth, and the whole.
///
/// ```
/// assert_eq!(cubo::score("B1 R2 B6 / R3 W4 R5 / B6 R2 B1")?.total, 10);
/// # Ok::<(), cubo::Misread>(())
/// ```
pub fn score(cubo: &str) -> Result<Count, Misread> {
    score_by(cubo, Straights::InOrder)
}

/// [`score`] with straights read as told (CU-R6).
pub fn score_by(cubo: &str, straights: Straights) -> Result<Count, Misread> {
    Ok(cubo.parse::<Square>()?.count(straights))
}

/// The exact distribution and mean of the best cubo over all 6⁹ throws of a stock with this many reds.
pub fn census(red: u8) -> Result<&'static Census, Misread> {
    census_by(red, Straights::InOrder)
}

/// [`census`] with straights read as told (CU-R6).
pub fn census_by(red: u8, straights: Straights) -> Result<&'static Census, Misread> {
    Census::of(red, straights).ok_or(Misread::NoSuchStock { red })
}
