//! Any text at all is a slip or a refusal, and a slip that was written is read back as it was.

use proptest::prelude::*;
use roulette::{Bet, Set, Slip, Spot, odds, read_slip, write_slip};

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        let _ = read_slip(&Set::standard(), &text);
    }

    #[test]
    fn no_text_that_looks_like_a_slip_panics(text in "([0-9]{1,3}[-|=]?|1st12|low|=|[|]| ){0,20}") {
        if let Ok(slip) = read_slip(&Set::standard(), &text) {
            prop_assert!(slip.total() > 0);
        }
        let _ = text.parse::<Spot>();
    }

    #[test]
    fn a_slip_is_read_back_as_it_was_and_is_fair(stakes in prop::collection::vec((0..136usize, 1..5_000_000u32), 1..40)) {
        let set = Set::standard();
        let mut slip = Slip::default();
        for (bet, chips) in stakes {
            prop_assert!(slip.add(Bet::all().nth(bet).expect("one of 136"), chips));
        }
        let text = write_slip(slip.on(&set));
        prop_assert_eq!(&read_slip(&set, &text).expect("a sound slip"), &slip);
        prop_assert_eq!(odds(&text).expect("a sound slip").expectation.to_string(), "0");
    }
}
