//! The tuner: Texel's method. Games of self-play give quiet positions and their results; gradient descent moves the weights
//! until the evaluation foretells the results best. `cargo xtask tune contact` calls `run`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use table::Luck;

use crate::board::{Players, Side};
use crate::ending::Pair;
use crate::eval::{
    Camps, Evaluator, HUNT, MOBILITY, TEMPO, TOUCH, WEIGHTS, Weights, surroundings, tile_features, urge,
};
use crate::hunt::{HUNTERS, hunting, keenness};
use crate::level::{Kind, Player};
use crate::matches::{on_threads, opening};
use crate::position::Position;
use crate::set::Set;

/// How to tune.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuning {
    /// Games of self-play.
    pub games: u32,
    /// Nodes a move in them.
    pub nodes: u64,
    /// Passes over all positions.
    pub epochs: u32,
    /// Where the openings come from.
    pub seed: u64,
    /// On so many threads.
    pub threads: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { games: 400, nodes: 3_000, epochs: 300, seed: 1, threads: 1 }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// Positions used.
    pub positions: usize,
    /// The mean error before and after, on the positions that were learnt from.
    pub learnt: (f64, f64),
    /// The same on positions of games kept apart.
    pub tested: (f64, f64),
    /// The weights it started from.
    pub start: Weights,
    /// The weights it ended with.
    pub end: Weights,
}

impl Tuned {
    /// The new weights, as the data file has them.
    pub fn to_toml(&self) -> String {
        toml_of(&self.end)
    }
}

/// Weights as the data file has them.
pub fn toml_of(weights: &Weights) -> String {
    let lines = weights.lines.map(|row| format!("    {row:?},\n")).concat();
    let columns = weights.columns.map(|row| format!("    {row:?},\n")).concat();
    format!(
        "# The weights of the evaluation, in hundredths of a point, as the tuner left them (`cargo xtask tune contact`).\n\
         # Kinds in rows: ONE STEP, ONE STEP turned over, TWO STEP, TWO STEP turned over.\n\
         material = {:?}\n\
         # By line from the owner's edge, 1 to 15.\n\
         lines = [\n{}]\n\
         # By distance from the middle of the line, 0 to 7.\n\
         columns = [\n{}]\n\
         # By spin as the owner sees it, ONE STEP and TWO STEP.\n\
         spins = {:?}\n\
         # For each corner a tile can go to; each opponent's tile that can be touched; the move; and each step nearer to the\n\
         # prey when ahead in the end.\n\
         mobility = {}\ntouch = {}\ntempo = {}\nhunt = {}\n",
        weights.material,
        lines,
        columns,
        weights.spins,
        weights.mobility,
        weights.touch,
        weights.tempo,
        weights.hunt
    )
}

/// A position as the evaluation sees it, from South, and how its game ended for South.
struct Sample {
    features: Vec<(u8, f32)>,
    result: f32,
    test: bool,
}

/// Tunes the weights from `start`; `say` is told how it goes.
pub fn run(set: &Set, start: &Weights, tuning: &Tuning, say: impl Fn(&str) + Sync) -> Option<Tuned> {
    let samples = self_play(set, start, tuning, &say)?;
    say(&format!("{} positions", samples.len()));
    let mut weights: Vec<f64> = start.to_row().iter().map(|&w| f64::from(w)).collect();
    let scale = best_scale(&samples, &weights);
    let before = (error(&samples, &weights, scale, false), error(&samples, &weights, scale, true));
    descend(&samples, &mut weights, scale, tuning.epochs, &say);
    let after = (error(&samples, &weights, scale, false), error(&samples, &weights, scale, true));
    let mut row = [0; WEIGHTS];
    row.iter_mut().zip(&weights).for_each(|(slot, w)| *slot = w.round() as i32);
    Some(Tuned {
        positions: samples.len(),
        learnt: (before.0, after.0),
        tested: (before.1, after.1),
        start: start.clone(),
        end: Weights::from_row(&row),
    })
}

fn self_play(
    set: &Set,
    weights: &Weights,
    tuning: &Tuning,
    say: &(impl Fn(&str) + Sync),
) -> Option<Vec<Sample>> {
    let six = Position::start(set, "six", Players::Two)?;
    let twelve = Position::start(set, "twelve", Players::Two)?;
    let games: Mutex<Vec<(usize, Vec<Sample>)>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= tuning.games as usize {
                return;
            }
            let start = if number % 3 == 2 { &twelve } else { &six };
            let samples = sample_game(start, weights, tuning, number as u64);
            let Ok(mut games) = games.lock() else { return };
            games.push((number, samples));
            if games.len() % 50 == 0 {
                say(&format!("{} games", games.len()));
            }
        }
    };
    on_threads(tuning.threads, &work);
    let mut games = games.into_inner().ok()?;
    games.sort_by_key(|g| g.0);
    Some(games.into_iter().flat_map(|g| g.1).collect())
}

/// A game with some blunders in it, so that games are decided and show what decides them.
fn sample_game(start: &Position, weights: &Weights, tuning: &Tuning, number: u64) -> Vec<Sample> {
    let mut luck = Luck::new(tuning.seed.wrapping_mul(1 << 32).wrapping_add(number));
    let mut position = opening(start, 2 + luck.below(6) as u32, &mut luck);
    let mut player = Player::with_weights(Kind::Nodes(tuning.nodes), number, weights);
    let evaluator = Evaluator::new(weights);
    let mut samples = Vec::new();
    while position.over().is_none() && samples.len() < 400 {
        let mv = if luck.chance(1, 20) {
            luck.pick(&position.legal()).copied().unwrap_or_default()
        } else {
            player.choose(&position)
        };
        let undo = position.make(mv);
        // Only positions in which nothing was just taken, and whose evaluation is linear.
        let calm =
            undo.removed() == 0 && position.over().is_none() && !matches!(position.pair(), Pair::Seven(_));
        if calm && luck.chance(1, 2) {
            samples.push(Sample {
                features: features(&evaluator, &position),
                result: 0.5,
                test: number.is_multiple_of(5),
            });
        }
    }
    let result = match position.over() {
        Some(over) if !over.is_tie() => f32::from(u8::from(over.sides & 1 != 0)),
        _ => 0.5,
    };
    for sample in &mut samples {
        sample.result = result;
    }
    samples
}

/// The evaluation as a sum of weights times these.
fn features(evaluator: &Evaluator, position: &Position) -> Vec<(u8, f32)> {
    let camps = Camps::of(position, Side::South);
    let mut row = [0f32; WEIGHTS];
    for tile in position.tiles() {
        let code = crate::tile::Code::new(tile.owner, tile.step, tile.turned, tile.spin);
        let sign = camps.factor[tile.owner.index()] as f32;
        for i in tile_features(code, tile.at) {
            row[i] += sign;
        }
    }
    for (side, (mobility, touched)) in surroundings(position) {
        row[MOBILITY] += (camps.factor[side.index()] * mobility) as f32;
        row[TOUCH] += (camps.factor[side.index()] * touched) as f32;
    }
    row[TEMPO] = if camps.is_ours(position.turn()) { 1.0 } else { -1.0 };
    if position.total() <= HUNTERS {
        let lead = evaluator.tiles(position, &camps) - urge(position, &camps);
        row[HUNT] = hunting(position, &camps, keenness(position, &camps, lead));
    }
    let kept = row.iter().enumerate().filter(|(_, v)| **v != 0.0);
    kept.map(|(i, &v)| (i as u8, v)).collect()
}

fn foretold(sample: &Sample, weights: &[f64], scale: f64) -> f64 {
    let sum: f64 = sample.features.iter().map(|&(i, v)| weights[usize::from(i)] * f64::from(v)).sum();
    1.0 / (1.0 + (-sum * scale).exp())
}

fn error(samples: &[Sample], weights: &[f64], scale: f64, test: bool) -> f64 {
    let mut count = 0.0f64;
    let mut sum = 0.0;
    for sample in samples.iter().filter(|s| s.test == test) {
        sum += (foretold(sample, weights, scale) - f64::from(sample.result)).powi(2);
        count += 1.0;
    }
    sum / count.max(1.0)
}

/// How steeply scores turn into results, for the weights as they are.
fn best_scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let tries = (1..60).map(|i| f64::from(i) * 0.0004);
    let errors = tries.map(|s| (error(samples, weights, s, false), s));
    errors.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.004, |(_, s)| s)
}

/// Adam, over all samples at once. Weights that the games say little about are held near the start, and of all epochs the
/// one is kept that foretells best the games it did not learn from.
fn descend(samples: &[Sample], weights: &mut Vec<f64>, scale: f64, epochs: u32, say: &impl Fn(&str)) {
    const RATE: f64 = 0.25;
    const FLOOR: f64 = 2e-4;
    const PULL: f64 = 4e-6;
    let start = weights.clone();
    let mut best = (error(samples, weights, scale, true), weights.clone());
    let (mut mean, mut square) = (vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
    let learnt: Vec<&Sample> = samples.iter().filter(|s| !s.test).collect();
    for epoch in 1..=epochs {
        let mut slope = vec![0.0; WEIGHTS];
        for sample in &learnt {
            let p = foretold(sample, weights, scale);
            let outer = (p - f64::from(sample.result)) * p * (1.0 - p);
            for &(i, v) in &sample.features {
                slope[usize::from(i)] += outer * f64::from(v);
            }
        }
        for i in 0..WEIGHTS {
            let g = slope[i] / learnt.len().max(1) as f64 + PULL * (weights[i] - start[i]);
            mean[i] = 0.9 * mean[i] + 0.1 * g;
            square[i] = 0.999 * square[i] + 0.001 * g * g;
            let m = mean[i] / (1.0 - 0.9f64.powi(epoch as i32));
            let s = square[i] / (1.0 - 0.999f64.powi(epoch as i32));
            weights[i] -= RATE * m / (s.sqrt() + FLOOR);
        }
        let tested = error(samples, weights, scale, true);
        if tested < best.0 {
            best = (tested, weights.clone());
        }
        if epoch % 50 == 0 {
            let learnt = error(samples, weights, scale, false);
            say(&format!("epoch {epoch}: error {learnt:.5}, on games kept apart {tested:.5}"));
        }
    }
    *weights = best.1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_as_they_are_read() {
        let weights = Weights::default();
        assert_eq!(toml::from_str::<Weights>(&toml_of(&weights)), Ok(weights));
    }

    #[test]
    fn tuning_never_foretells_worse_and_repeats_itself() {
        let tuning = Tuning { games: 6, nodes: 200, epochs: 40, seed: 3, threads: 1 };
        let once = run(&Set::default(), &Weights::default(), &tuning, |_| {}).expect("set-ups");
        assert!(once.positions > 100 && once.tested.1 <= once.tested.0, "{:?}", once.tested);
        let again = run(&Set::default(), &Weights::default(), &Tuning { threads: 2, ..tuning }, |_| {});
        assert_eq!(again.expect("set-ups").end, once.end);
    }
}
