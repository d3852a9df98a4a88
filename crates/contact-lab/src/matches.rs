//! Matches: strength measured by games. Two kinds of players meet from both sides of random openings; the report has the
//! Elo difference with its error, and a sequential test can end the match early. Without timed players a match is the
//! same on every machine, however many threads it uses; only the time that its moves took is not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use contact::level;
use contact::{Players, Position, Set, Side};
use serde::{Deserialize, Serialize};
use table::Luck;

use crate::contestant::{Contestant, Kind};

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The player whose strength is asked for.
    pub a: Kind,
    /// The player it is measured against.
    pub b: Kind,
    /// At most so many games.
    pub games: u32,
    /// The set-up.
    pub setup: String,
    /// Who plays against whom.
    pub players: Players,
    /// So many random moves of each side open a game.
    pub opening: u32,
    /// Where openings and players get their luck.
    pub seed: u64,
    /// On so many threads.
    pub threads: usize,
    /// The sequential test, if the match may stop early.
    pub sprt: Option<Sprt>,
}

impl Default for Match {
    fn default() -> Self {
        Self {
            a: Kind::Player(level::Kind::Level(5)),
            b: Kind::Player(level::Kind::Level(4)),
            games: 200,
            setup: "six".to_owned(),
            players: Players::Two,
            opening: 4,
            seed: 1,
            threads: 1,
            sprt: None,
        }
    }
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
    /// The risk of accepting wrongly.
    pub alpha: f64,
    /// The risk of rejecting wrongly.
    pub beta: f64,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 }
    }
}

/// What the sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The higher difference is accepted.
    Accepted,
    /// The lower difference is accepted.
    Rejected,
    /// Not decided.
    Open,
}

/// The outcome of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The player measured.
    pub a: Kind,
    /// The player it was measured against.
    pub b: Kind,
    /// Games played.
    pub games: u32,
    /// Games A won.
    pub wins: u32,
    /// Ties.
    pub draws: u32,
    /// Games A lost.
    pub losses: u32,
    /// A's share of the points, 0 to 1.
    pub score: f64,
    /// The Elo difference that goes with it; no number when one side took everything.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
    /// The log-likelihood ratio of the sequential test.
    pub llr: Option<f64>,
    /// What that test says.
    pub verdict: Verdict,
    /// Moves a game on average.
    pub moves: f64,
    /// Milliseconds that a move took A, and B, on average.
    pub pace: [f64; 2],
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} against {}: +{} ={} -{} in {} games",
            self.a, self.b, self.wins, self.draws, self.losses, self.games
        )?;
        write!(f, ", {:.1} %", 100.0 * self.score)?;
        match (self.elo, self.error) {
            (Some(elo), Some(error)) => write!(f, ", Elo {elo:+.0} ± {error:.0}")?,
            _ => write!(f, ", Elo beyond measure")?,
        }
        if let Some(llr) = self.llr {
            write!(f, ", LLR {llr:.2} ({:?})", self.verdict)?;
        }
        let [a, b] = self.pace;
        write!(f, ", {:.0} moves a game, {a:.0} and {b:.0} ms a move", self.moves)
    }
}

/// The Elo difference of a share of the points.
///
/// ```
/// assert!((contact_lab::matches::elo(0.64).unwrap() - 100.0).abs() < 1.0);
/// ```
pub fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The share of the points that goes with an Elo difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// One game: A's points (0, half, 1), and what the moves of A and of B took.
#[derive(Clone, Copy, Debug)]
struct Result {
    points: f64,
    spent: [Spent; 2],
}

/// How many moves somebody made, and the time that they took.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    moves: u32,
    time: Duration,
}

/// Results in the order of games, and what follows from them.
#[derive(Clone, Debug, Default)]
struct Tally {
    results: Vec<Option<Result>>,
}

impl Tally {
    /// The finished games up to the first gap, so that a report does not depend on threads.
    fn done(&self) -> impl Iterator<Item = Result> + '_ {
        self.results.iter().map_while(|r| *r)
    }

    fn report(&self, play: &Match) -> Report {
        let points: Vec<f64> = self.done().map(|r| r.points).collect();
        let n = points.len() as f64;
        let count = |p: f64| points.iter().filter(|&&x| (x - p).abs() < 0.01).count() as u32;
        let score = if points.is_empty() { 0.5 } else { points.iter().sum::<f64>() / n };
        let variance = points.iter().map(|p| (p - score).powi(2)).sum::<f64>() / n.max(1.0);
        let deviation = (variance / n.max(1.0)).sqrt();
        let error = elo((score + 1.96 * deviation).min(0.999))
            .zip(elo((score - 1.96 * deviation).max(0.001)))
            .map(|(high, low)| (high - low) / 2.0);
        let llr = play.sprt.map(|t| llr(t, n, score, variance));
        let verdict = play.sprt.zip(llr).map_or(Verdict::Open, |(t, llr)| t.judge(llr));
        Report {
            a: play.a,
            b: play.b,
            games: points.len() as u32,
            wins: count(1.0),
            draws: points.len() as u32 - count(1.0) - count(0.0),
            losses: count(0.0),
            score,
            elo: elo(score),
            error: elo(score).and(error),
            llr,
            verdict,
            moves: [0, 1].map(|player| f64::from(self.spent(player).moves)).iter().sum::<f64>() / n.max(1.0),
            pace: [0, 1].map(|player| self.spent(player).pace()),
        }
    }

    /// What all moves of A or B took.
    fn spent(&self, player: usize) -> Spent {
        self.done().map(|r| r.spent[player]).fold(Spent::default(), |sum, game| Spent {
            moves: sum.moves + game.moves,
            time: sum.time + game.time,
        })
    }
}

impl Spent {
    /// Milliseconds a move.
    fn pace(self) -> f64 {
        self.time.as_secs_f64() * 1e3 / f64::from(self.moves.max(1))
    }
}

/// The log-likelihood ratio by the normal approximation to the mean of the points.
fn llr(test: Sprt, n: f64, score: f64, variance: f64) -> f64 {
    let (p0, p1) = (expected(test.elo0), expected(test.elo1));
    // A little more than was seen, so that a clean sweep does not divide by nothing.
    let variance = variance.max(0.02);
    n * (p1 - p0) * (2.0 * score - p0 - p1) / (2.0 * variance)
}

impl Sprt {
    fn judge(self, llr: f64) -> Verdict {
        if llr >= ((1.0 - self.beta) / self.alpha).ln() {
            Verdict::Accepted
        } else if llr <= (self.beta / (1.0 - self.alpha)).ln() {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }
}

/// Plays a match; `each` is told the standing after every game.
pub fn run(set: &Set, play: &Match, each: impl Fn(&Report) + Sync) -> Option<Report> {
    let start = Position::start(set, &play.setup, play.players)?;
    let tally = Mutex::new(Tally { results: vec![None; play.games as usize] });
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= play.games as usize {
                return;
            }
            let result = one_game(&start, play, number as u64);
            let Ok(mut tally) = tally.lock() else { return };
            tally.results[number] = Some(result);
            let report = tally.report(play);
            each(&report);
            if report.verdict != Verdict::Open {
                next.store(play.games as usize, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..play.threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let tally = tally.into_inner().ok()?;
    Some(tally.report(play))
}

/// A start for a game: random moves that lose no tile, so that it is open on both sides.
fn opening(start: &Position, rounds: u32, luck: &mut Luck) -> Position {
    loop {
        let mut position = start.clone();
        for _ in 0..rounds * start.players().count() as u32 {
            let moves = position.legal();
            let calm: Vec<_> =
                moves.iter().filter(|&&m| position.verdict(m) == contact::Verdict::default()).collect();
            let Some(&&mv) = luck.pick(&calm) else { break };
            position.make(mv);
        }
        if position.over().is_none() {
            return position;
        }
    }
}

/// Which sides A plays in a game: both sides of each opening, and every seat in turn where more than two play.
fn seats_of_a(players: Players, number: u64) -> u8 {
    match players {
        Players::Two => [0b0001, 0b0100][(number % 2) as usize],
        Players::Partners | Players::Four => [0b0101, 0b1010][(number % 2) as usize],
        Players::Three => [0b001, 0b110, 0b010, 0b101, 0b100, 0b011][(number % 6) as usize],
    }
}

fn one_game(start: &Position, play: &Match, number: u64) -> Result {
    let same_opening = if play.players == Players::Three { 6 } else { 2 };
    let mut luck =
        Luck::new(play.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number / same_opening));
    let mut position = opening(start, play.opening, &mut luck);
    let a_plays = seats_of_a(play.players, number);
    let mut players = [play.a, play.b].map(|kind| Contestant::new(kind, luck.bits() ^ number));
    let mut spent = [Spent::default(); 2];
    for _ in 0..2000 {
        if position.over().is_some() {
            break;
        }
        let player = usize::from(a_plays >> position.turn().index() & 1 == 0);
        let clock = Instant::now();
        let mv = players[player].choose(&position);
        spent[player].time += clock.elapsed();
        spent[player].moves += 1;
        position.make(mv);
    }
    Result { points: points_of_a(&position, a_plays), spent }
}

/// A's share of a game: by seat, so that two seats are no advantage over one.
fn points_of_a(position: &Position, a_plays: u8) -> f64 {
    let Some(over) = position.over() else { return 0.5 };
    let seated: u8 = position.players().sides().iter().map(|s: &Side| 1 << s.index()).sum();
    let b_plays = seated & !a_plays;
    let per_seat = |mask: u8| f64::from((over.sides & mask).count_ones()) / f64::from(mask.count_ones());
    let (a, b) = (per_seat(a_plays), per_seat(b_plays));
    if a + b == 0.0 { 0.5 } else { a / (a + b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(level: u8) -> Kind {
        Kind::Player(level::Kind::Level(level))
    }

    #[test]
    fn elo_and_points_are_inverse() {
        for difference in [-300.0, -20.0, 0.0, 100.0, 250.0] {
            let back = elo(expected(difference)).expect("between nothing and everything");
            assert!((back - difference).abs() < 1e-6);
        }
        assert_eq!(elo(1.0), None);
    }

    #[test]
    fn a_match_is_the_same_on_any_number_of_threads() {
        let play = Match { a: level(3), b: level(1), games: 6, ..Match::default() };
        let one = run(&Set::default(), &play, |_| {}).expect("a set-up");
        let two = run(&Set::default(), &Match { threads: 2, ..play.clone() }, |_| {}).expect("a set-up");
        assert_eq!(one, Report { pace: one.pace, ..two });
        assert_eq!(one.games, 6);
        assert!(one.pace.iter().all(|&ms| ms > 0.0), "{one}");
    }

    #[test]
    fn a_sequential_test_stops_a_lopsided_match() {
        let sprt = Some(Sprt::default());
        let play =
            Match { a: level(3), b: Kind::Player(level::Kind::Random), games: 200, sprt, ..Match::default() };
        let report = run(&Set::default(), &play, |_| {}).expect("a set-up");
        assert_eq!(report.verdict, Verdict::Accepted);
        assert!(report.games < 60, "{report}");
    }
}
