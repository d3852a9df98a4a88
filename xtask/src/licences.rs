//! The licences of everything we depend on, read from cargo's own metadata: works without a network.

use crate::sh;
use serde_json::Value;

/// Licences that go well with MIT OR Apache-2.0. A crate passes if its expression can be met with these.
const GOOD: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "Unicode-3.0",
    "BSL-1.0",
    "Unlicense",
    "CDLA-Permissive-2.0",
    "MPL-2.0",
    "blessing",
];

/// Fails on a crate whose licence is none of the good ones.
pub(crate) fn check() -> Result<(), String> {
    let text = sh::output("cargo", &["metadata", "--format-version", "1", "--locked"])?;
    let metadata: Value = serde_json::from_str(&text).map_err(|why| format!("cargo metadata: {why}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let odd: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(may_use))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    if odd.is_empty() {
        println!("{} crates, every licence is a good one", packages.len());
        return Ok(());
    }
    Err(format!("licences to look at:\n  {}", odd.join("\n  ")))
}

/// Whether an SPDX expression can be met: every part of an AND, any part of an OR.
fn may_use(expression: &str) -> bool {
    let expression = expression.trim();
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| may_use(part));
    }
    if let Some(parts) = split(expression, " OR ").or_else(|| split(expression, "/")) {
        return parts.iter().any(|part| may_use(part));
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => may_use(inner),
        None => GOOD.contains(&expression),
    }
}

/// Splits at a word that stands outside of brackets; `None` if there is none.
fn split<'a>(text: &'a str, word: &str) -> Option<Vec<&'a str>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && at >= start && text[at..].starts_with(word) => {
                parts.push(&text[start..at]);
                start = at + word.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_met_part_by_part() {
        assert!(may_use("MIT OR Apache-2.0"));
        assert!(may_use("MIT/Apache-2.0"));
        assert!(may_use("(MIT OR GPL-3.0) AND Unicode-3.0"));
        assert!(!may_use("MIT AND GPL-3.0"));
        assert!(!may_use("GPL-3.0"));
        assert!(may_use("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
    }
}
