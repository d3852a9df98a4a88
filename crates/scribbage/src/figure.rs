//! When a game for a figure is over (SB-R5): pure arithmetic over the score sheet, for tables and for whoever keeps the score
//! of people with the real cubes.

/// So many rounds in a row that get the game nowhere end it.
pub const IDLE_ROUNDS: u32 = 20;

/// Is a game for a `figure` over after the rounds that all sides have played? `sheet` is points by side, then by turn.
///
/// It is when one side alone is at the top with more than the figure. A tie there is played on, and there is no last round;
/// but [`IDLE_ROUNDS`] in a row in which nobody came higher than anybody was before, or which all left such a tie, are the end:
/// or bots with dice of their own making would play for ever.
///
/// ```
/// assert!(!scribbage::figure_is_won(60, &[vec![31, 31], vec![31, 31]]), "62 is more than 60, but both have it");
/// assert!(scribbage::figure_is_won(60, &[vec![31, 31], vec![31, 25]]));
/// assert!(!scribbage::figure_is_won(62, &[vec![31, 31], vec![31, 25]]), "more, not as much");
/// ```
pub fn figure_is_won(figure: i64, sheet: &[Vec<i64>]) -> bool {
    let rounds = sheet.iter().map(Vec::len).min().unwrap_or(0);
    let mut totals = vec![0; sheet.len()];
    let (mut won, mut highest) = (false, 0);
    let (mut no_higher, mut level) = (0, 0);
    for round in 0..rounds {
        for (total, turns) in totals.iter_mut().zip(sheet) {
            *total += turns[round];
        }
        let most = totals.iter().copied().max().unwrap_or(0);
        let alone = totals.iter().filter(|&&total| total == most).count() == 1;
        won = most > figure && alone;
        level = if most > figure && !alone { level + 1 } else { 0 };
        no_higher = if most > highest { 0 } else { no_higher + 1 };
        highest = highest.max(most);
    }
    won || level >= IDLE_ROUNDS || no_higher >= IDLE_ROUNDS
}
