//! The options that both word games have, as people meet them.

use table::Field;
use words::WordsId;

/// Which words count.
pub const WORDS: Field = Field {
    unlisted: own_list,
    ..Field::choice(
        "words",
        "Dictionary",
        "without one the table judges: challenge and vote",
        &[
            ("\"house\"", "American spelling"),
            ("\"british\"", "British spelling"),
            ("\"none\"", "none: challenge and vote"),
        ],
    )
};

/// Whether slurs and coarse words of the dictionary can be laid.
pub const OFFENSIVE: Field = Field::switch(
    "offensive",
    "Offensive words",
    "slurs and coarse words of the dictionary can be laid",
    false,
);

/// Whether the table shows what is a word.
pub const JUDGE: Field =
    Field::switch("judge", "Show good words", "while the dice are arranged, and what they count", true);

fn own_list(name: &str) -> Option<&'static str> {
    matches!(name.parse(), Ok(WordsId::List(_))).then_some("a list of one's own")
}
