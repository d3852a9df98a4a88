//! Records of older revisions of the rules are still played as they were.

use iqubes::IQubes;
use table::verify::{Checked, Rules, verify};

/// Two bots, played under revision 1 by a Parlor of that time.
const RECORD: &str = include_str!("../../server/tests/old/930f6e7/records/rec-iqubes-bots.jsonl");

#[test]
fn a_record_of_revision_1_is_replayed_under_its_own_rules() {
    let verified = verify::<IQubes>(RECORD).expect("an honest record");
    assert_eq!(verified.checked, Checked::Play(Rules { made: 1, oldest: 1, newest: 2 }));
    assert!(verified.events > 20, "{verified:?}");
}
