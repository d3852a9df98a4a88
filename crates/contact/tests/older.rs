//! Records of older revisions of the rules are still played as they were.

use contact::{Contact, Ending, Options, R9, Ties};
use table::Game;
use table::verify::{Checked, Rules, verify, walk};

/// Four players, played to a tie under revision 1 by a Parlor of that time.
const RECORD: &str = include_str!("records/revision-1.jsonl");

#[test]
fn ct_r9_a_record_of_revision_1_ends_after_sixty_moves_as_it_did() {
    let verified = verify::<Contact>(RECORD).expect("an honest record");
    assert_eq!(verified.checked, Checked::Play(Rules { made: 1, oldest: 1, newest: 2 }));
    assert_eq!(verified.outcome.ranks, [1, 1, 1, 1]);
    let mut last = None;
    walk::<Contact>(RECORD, |table, _| last = Some(table.game().clone())).expect("an honest record");
    let game = last.expect("it was played");
    assert_eq!(game.position().ties(), Ties { r9: R9::SixtyMoves, count: false });
    assert_eq!((game.text().moves.len(), game.position().quiet()), (60, 60));
    assert_eq!(game.position().over().map(|over| over.ending), Some(Ending::Quiet));
    // By the rule as it is now the same moves end nothing: four have a hundred and twenty.
    let mut now = game.text().start.under(Ties::default());
    for mv in game.text().moves {
        assert!(now.play(mv).is_some(), "{mv}");
    }
    assert!(now.over().is_none());
}

#[test]
fn ct_r9_the_options_of_revision_1_mean_its_own_reading() {
    let read = |text: &str| {
        let mut options = serde_json::from_str(text).expect("an object");
        Contact::older_options(1, &mut options);
        serde_json::from_value::<Options>(options.into()).expect("options").r9
    };
    assert_eq!(read("{}"), R9::SixtyMoves, "the rule held unless it was switched off");
    assert_eq!(read(r#"{"r9": true}"#), R9::SixtyMoves);
    assert_eq!(read(r#"{"r9": false}"#), R9::Off);
    let written = serde_json::to_string(&[R9::Off, R9::On, R9::SixtyMoves]).expect("plain data");
    assert_eq!(written, r#"[false,true,"sixty-moves"]"#);
}
