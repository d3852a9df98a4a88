//! Dice Roulette at the workbench: the exact odds of a slip.

use crate::answer::{Answer, Failure, Outcome};
use clap::Args;
use serde_json::json;
use std::fmt::Write;
use table::Spoken;

/// `parlor odds roulette`
#[derive(Debug, Args)]
#[command(after_help = "A slip is bets of the form SPOT=CHIPS:
  15  a number           1|2  two squares side by side    1|2|11|12  the corner of four
  1-6  a run of six      1st12 2nd12 3rd12  a dozen       low high black red even odd

Examples:
  parlor odds roulette \"15=2 1|2=3 1|2|11|12=1 1-6=5 1st12=1 low=1 black=10\"
  parlor odds roulette \"red=5\" --chips 100 --throws 20")]
pub(crate) struct Odds {
    /// The slip
    slip: String,
    /// Follow the slip over so many throws: the chance of being ahead, or broke
    #[arg(long)]
    throws: Option<u32>,
    /// The chips in hand at the start, when the slip is followed
    #[arg(long, default_value_t = 100)]
    chips: u64,
}

/// The odds of a slip, exactly.
pub(crate) fn odds(ask: &Odds) -> Outcome {
    let misread = |misread: ::roulette::Misread| Failure::from(Spoken::of(&misread));
    let odds = ::roulette::odds(&ask.slip).map_err(misread)?;
    let mut text = ::roulette::coach::describe(&odds);
    let _ = write!(text, "\nexpectation {}, variance {}", odds.expectation, odds.variance);
    let mut json = serde_json::to_value(&odds).unwrap_or_default();
    if let Some(throws) = ask.throws {
        let outlook = ::roulette::outlook(&ask.slip, ask.chips, throws)
            .map_err(|fault| Failure::new("outlook", fault))?;
        let _ = write!(
            text,
            "\nafter {throws} throws from {} chips: ahead {:.4}, even {:.4}, behind {:.4}; broke {:.4}",
            ask.chips,
            outlook.ahead.decimal,
            outlook.even.decimal,
            outlook.behind.decimal,
            outlook.broke.decimal
        );
        json["outlook"] = json!(outlook);
    }
    Ok(Answer::new(text, &json))
}
