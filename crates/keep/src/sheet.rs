//! Markdown: tables that line up also as plain text.

use crate::ledger::{Standing, winners};
use std::fmt::Write;

/// A table: a heading for each column, then rows.
pub(crate) fn table(headings: &[String], rows: &[Vec<String>]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let all: Vec<Vec<String>> = std::iter::once(headings)
        .chain(rows.iter().map(Vec::as_slice))
        .map(|row| row.iter().map(|text| cell(text)).collect())
        .collect();
    let width = |column: usize| {
        all.iter()
            .filter_map(|row| row.get(column))
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0)
            .max(3)
    };
    let mut text = String::new();
    for (number, row) in all.iter().enumerate() {
        for (column, says) in row.iter().enumerate() {
            let _ = write!(text, "| {says:<width$} ", width = width(column));
        }
        text.push_str("|\n");
        if number == 0 {
            for column in 0..row.len() {
                let _ = write!(text, "|{}", "-".repeat(width(column) + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

/// A heading row: something, then the players.
pub(crate) fn headings(first: &str, names: &[String]) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(names.iter().cloned()).collect()
}

/// The last row of points, and who has won.
pub(crate) fn totals(standing: &[Standing]) -> Vec<String> {
    let points = standing.iter().map(|player| format!("**{}**", player.points));
    std::iter::once("**Total**".to_owned()).chain(points).collect()
}

/// A whole sheet: title, table, and the outcome if the game is over.
pub(crate) fn sheet(title: &str, table: &str, standing: &[Standing], over: bool) -> String {
    let end = if over { winners(standing) } else { "Not finished.".to_owned() };
    format!("# {title}\n\n{table}\n{end}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_up_and_its_bars_are_escaped() {
        let text = table(&["Throw".into(), "Ann".into()], &[vec!["1".into(), "1|2=3".into()]]);
        assert_eq!(text, "| Throw | Ann    |\n|-------|--------|\n| 1     | 1\\|2=3 |\n");
    }
}
