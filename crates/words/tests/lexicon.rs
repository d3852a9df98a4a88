//! The house dictionary, its reviewed lists, its bytes, and lists of one's own.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use words::{
    Binder, Dialect, Entry, HOUSE_BYTES, LetterSet, Lexicon, LexiconError, LineFault, NoSuchWords, Spelling,
    Tier, Vocabulary, Word, WordFault, WordsId, shelf,
};

fn word(text: &str) -> Word {
    text.parse().expect("letters")
}

fn entry(tier: Tier, spelling: Spelling) -> Entry {
    Entry { tier, spelling, offensive: false }
}

/// The words of a reviewed list, read in the plainest way.
fn reviewed(list: &str) -> BTreeSet<String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .flat_map(str::split_whitespace)
        .map(|item| item.split(':').next().expect("one").to_owned())
        .collect()
}

#[test]
fn sb_s5_the_house_takes_standard_words_and_no_signs_names_or_abbreviations() {
    let house = Lexicon::house();
    for good in
        ["qi", "plant", "dash", "toe", "cod", "pick", "arm", "two", "axe", "ax", "app", "zebra", "QUIZ"]
    {
        assert!(house.contains_str(good), "{good} is a word");
    }
    for bad in
        ["cs", "mb", "gs", "kb", "ps", "za", "jew", "csc", "hhd", "london", "xii", "isn't", "", "a", "q", "é"]
    {
        assert!(!house.contains_str(bad), "{bad} is no word of the house");
    }
}

#[test]
fn two_and_three_letter_words_are_exactly_the_reviewed_ones() {
    for (length, list) in [(2, include_str!("../data/two.txt")), (3, include_str!("../data/three.txt"))] {
        let reviewed = reviewed(list);
        let both: BTreeSet<String> = [Lexicon::house(), Lexicon::british()]
            .iter()
            .flat_map(|lexicon| lexicon.words().filter(|(word, _)| word.len() == length).collect::<Vec<_>>())
            .map(|(word, _)| word.to_string())
            .collect();
        assert_eq!(both, reviewed);
    }
}

#[test]
fn offensive_words_are_flagged_and_left_out_of_a_clean_vocabulary() {
    let house = Lexicon::house();
    let clean = house.narrow(Vocabulary::default()).expect("words");
    for text in reviewed(include_str!("../data/offensive.txt")) {
        let either = house.entry_str(&text).or(Lexicon::british().entry_str(&text)).expect("it is a word");
        assert!(either.offensive, "{text} is flagged");
        assert!(!clean.contains_str(&text), "{text} is not laid by a bot");
    }
    assert!(!house.entry_str("donkey").expect("a word").offensive);
}

#[test]
fn plain_slurs_are_on_the_list_with_their_plurals() {
    let flagged = |text: &str| Lexicon::house().entry_str(text).is_some_and(|entry| entry.offensive);
    for slur in ["mick", "yid", "spic", "wop", "dago", "gyp", "coon", "chink"] {
        assert!(flagged(slur) && flagged(&format!("{slur}s")), "{slur}");
    }
}

#[test]
fn each_dialect_has_its_own_spelling() {
    let (house, british) = (Lexicon::house(), Lexicon::british());
    assert!(house.contains_str("color") && !house.contains_str("colour"));
    assert!(!british.contains_str("color") && british.contains_str("colour"));
    assert_eq!(house.entry_str("color").map(|e| e.spelling), Some(Spelling::American));
    assert_eq!(british.entry_str("colour").map(|e| e.spelling), Some(Spelling::British));
    assert_eq!(british.entry_str("plant").map(|e| e.spelling), Some(Spelling::Both));
    // Branches that lead only to the other spelling are cut.
    let node = |lexicon: &Lexicon, text: &str| {
        word(text).iter().try_fold(lexicon.root(), |node, &letter| lexicon.child(node, letter))
    };
    assert_eq!(node(&house, "colou"), None);
    assert!(node(&british, "colou").is_some());
}

#[test]
fn all_words_come_in_order_with_the_entry_that_a_look_up_finds() {
    let house = Lexicon::house();
    let all: Vec<(Word, Entry)> = house.words().collect();
    assert_eq!(all.len(), house.len());
    assert!(all.is_sorted_by(|(a, _), (b, _)| a < b));
    for (word, entry) in &all {
        assert_eq!(house.entry(word).as_ref(), Some(entry), "{word}");
        assert!(house.contains(word) && (2..=15).contains(&word.len()));
    }
    for tier in Tier::ALL {
        assert!(all.iter().filter(|(_, entry)| entry.tier == tier).count() > 3000, "tier {tier}");
    }
}

#[test]
fn a_narrow_vocabulary_has_the_common_words_only() {
    let house = Lexicon::house();
    let child = house.narrow(Vocabulary { tier_max: Tier::T20, clean: true }).expect("words");
    assert!(child.contains_str("cat") && !child.contains_str("xu"));
    let expected = house.words().filter(|(_, entry)| entry.tier <= Tier::T20 && !entry.offensive);
    assert!(child.words().map(|(word, entry)| (word, entry.tier)).eq(expected.map(|(w, e)| (w, e.tier))));
}

#[test]
fn near_words_are_the_nearest_and_then_the_most_common() {
    let house = Lexicon::house();
    let near = house.near(&word("qi"), 5);
    assert_eq!(near.len(), 5);
    assert!(near.iter().all(|near| near.distance == 1 && near.word != word("qi")));
    assert!(near.is_sorted_by_key(|near| near.entry.tier));
    assert_eq!(house.near(&word("xylophnoe"), 1)[0].word, word("xylophone"));
    assert!(house.near(&word("zzzzzzzzzzzzzzz"), 3).is_empty());
}

#[test]
fn a_list_of_ones_own_tells_each_bad_line() {
    let text = "\u{feff}# mine\r\nFoo\r\n\r\nb4r\nx\nabcdefghijklmnopq\nbar\n";
    let faults = Lexicon::from_list(text, None).expect_err("three bad lines");
    let bad = |line, text: &str, fault| LineFault::NoWord { line, text: text.into(), fault };
    let expected = [
        bad(4, "b4r", WordFault::NotALetter { at: 2, found: '4' }),
        bad(5, "x", WordFault::TooShort),
        bad(6, "abcdefghijklmnopq", WordFault::TooLong),
    ];
    assert_eq!(faults, expected);
    assert_eq!(Lexicon::from_list("# nothing\n", None).err(), Some(vec![LineFault::Empty]));
    let many = "1\n".repeat(50);
    let faults = Lexicon::from_list(&many, None).expect_err("fifty bad lines");
    assert_eq!((faults.len(), faults.last()), (21, Some(&LineFault::AndMore { lines: 30 })));
}

#[test]
fn a_list_of_ones_own_takes_tiers_and_flags_from_another() {
    let house = Lexicon::house();
    let own = Lexicon::from_list("plant\nfrobnicate\nfuck", Some(&house)).expect("good words");
    assert_eq!(own.entry_str("plant").map(|e| e.tier), Some(Tier::T10));
    assert_eq!(own.entry_str("frobnicate").map(|e| e.tier), Some(Tier::T70));
    assert_eq!(own.entry_str("fuck").map(|e| e.offensive), Some(true));
}

#[test]
fn the_same_words_have_the_same_name_whatever_their_tiers() {
    let house = Lexicon::house();
    let plain = Lexicon::from_list("two\none\n", None).expect("good words");
    let tiered = Lexicon::from_list("ONE\ntwo\ntwo\n", Some(&house)).expect("good words");
    let other = Lexicon::from_list("one\nthree\n", None).expect("good words");
    assert_eq!(plain.id(), tiered.id());
    assert_ne!(plain.id(), other.id());
}

#[test]
fn the_shelf_finds_what_was_put_there_and_pins_names() {
    let own = Arc::new(Lexicon::from_list("shelf\ntest\n", None).expect("good words"));
    assert!(shelf::find(&own.id()).is_none());
    assert_eq!(shelf::install(Arc::clone(&own)), own.id());
    assert!(shelf::find(&own.id()).is_some_and(|found| found.contains_str("shelf")));

    assert!(shelf::find(&WordsId::None).is_none());
    assert_eq!(shelf::pin(&WordsId::None), Some(WordsId::None));
    for (name, lexicon) in [("house", Lexicon::house()), ("british", Lexicon::british())] {
        let id: WordsId = name.parse().expect("a name");
        let pinned = shelf::pin(&id).expect("always there");
        assert_eq!(pinned, lexicon.id());
        assert_eq!(pinned.to_string(), format!("{name}:{}", &lexicon.digest().to_string()[..16]));
        assert!(shelf::find(&pinned).is_some());
        let other: WordsId = format!("{name}:0000000000000000").parse().expect("a name");
        assert!(shelf::find(&other).is_none(), "another edition is not on the shelf");
    }
}

#[test]
fn names_of_word_lists_read_back_and_nothing_else_is_a_name() {
    for name in ["none", "house", "british", "list:0123456789abcdef", "house:00000000000000ff"] {
        let id: WordsId = name.parse().expect("a name");
        assert_eq!(id.to_string(), name);
        let json = serde_json::to_string(&id).expect("json");
        assert_eq!(json, format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<WordsId>(&json).expect("json"), id);
    }
    for bad in [
        "",
        "House",
        "list",
        "list:12",
        "none:0123456789abcdef",
        "list:0123456789ABCDEF",
        "list:+123456789abcdef",
    ] {
        assert_eq!(bad.parse::<WordsId>(), Err(NoSuchWords(bad.into())), "{bad}");
    }
}

#[test]
fn damaged_bytes_are_refused_by_name() {
    let read = |bytes: &[u8]| Lexicon::from_bytes(bytes, Dialect::American).err();
    assert_eq!(read(b""), Some(LexiconError::NotALexicon));
    assert_eq!(read(&HOUSE_BYTES[..60]), Some(LexiconError::NotALexicon));
    let (wanted, found) = (HOUSE_BYTES.len() as u64, HOUSE_BYTES.len() as u64 - 1);
    assert_eq!(read(&HOUSE_BYTES[..found as usize]), Some(LexiconError::WrongLength { wanted, found }));
    let changed = |at: usize, byte: u8| {
        let mut bytes = HOUSE_BYTES.to_vec();
        bytes[at] ^= byte;
        read(&bytes)
    };
    assert_eq!(changed(0, 1), Some(LexiconError::NotALexicon));
    assert_eq!(changed(8, 2), Some(LexiconError::OtherVersion { found: 3 }));
    assert_eq!(changed(19, 255), Some(LexiconError::TooLarge { words: 255 << 24 | house_words() }));
    assert_eq!(changed(40, 1), Some(LexiconError::Damaged));
    assert_eq!(changed(5000, 1), Some(LexiconError::Damaged));
}

fn house_words() -> u32 {
    u32::from_le_bytes([HOUSE_BYTES[16], HOUSE_BYTES[17], HOUSE_BYTES[18], HOUSE_BYTES[19]])
}

/// A few words over few letters, so that beginnings and endings meet.
fn little_lists() -> impl Strategy<Value = Vec<(String, Entry)>> {
    let spelling = prop_oneof![Just(Spelling::American), Just(Spelling::British), Just(Spelling::Both)];
    let entry = (0..8_usize, spelling, any::<bool>()).prop_map(|(tier, spelling, offensive)| Entry {
        tier: Tier::ALL[tier],
        spelling,
        offensive,
    });
    prop::collection::vec(("[a-d]{2,6}", entry), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_bound_list_is_read_back_word_for_word(list in little_lists(), asked in "[a-d]{0,7}") {
        let mut binder = Binder::default();
        for (text, entry) in &list {
            binder.add(word(text), *entry);
        }
        let bytes = binder.bytes();
        for dialect in [Dialect::American, Dialect::British] {
            let mut expected: Vec<(Word, Entry)> = binder.words().map(|(w, e)| (*w, *e)).collect();
            expected.retain(|(_, entry)| entry.spelling.fits(dialect));
            match Lexicon::from_bytes(&bytes, dialect) {
                Ok(lexicon) => {
                    prop_assert_eq!(lexicon.words().collect::<Vec<_>>(), expected.clone());
                    prop_assert_eq!(lexicon.len(), expected.len());
                    let found = expected.iter().find(|(known, _)| *known == word(&asked)).map(|(_, entry)| *entry);
                    prop_assert_eq!(lexicon.entry_str(&asked), found);
                    prop_assert_eq!(lexicon.contains_str(&asked), found.is_some());
                }
                Err(error) => prop_assert!(expected.is_empty(), "{error}"),
            }
        }
    }

    #[test]
    fn the_order_of_a_list_does_not_matter(mut list in little_lists()) {
        let bind = |list: &[(String, Entry)]| {
            let mut binder = Binder::default();
            for (text, entry) in list {
                binder.add(word(text), *entry);
            }
            binder.bytes()
        };
        let bytes = bind(&list);
        list.reverse();
        prop_assert_eq!(bytes, bind(&list));
    }

    #[test]
    fn a_node_knows_exactly_the_letters_that_go_on(list in prop::collection::btree_set("[a-c]{2,5}", 1..30), start in "[a-c]{0,5}") {
        let text = list.iter().fold(String::new(), |text, word| text + word + "\n");
        let lexicon = Lexicon::from_list(&text, None).expect("good words");
        let mut node = Some(lexicon.root());
        for &letter in word(&start).iter() {
            node = node.and_then(|node| lexicon.child(node, letter));
        }
        let follows = list.iter().filter_map(|text| text.strip_prefix(start.as_str()));
        let next: LetterSet = follows.filter_map(|rest| rest.chars().next()).filter_map(words::Letter::from_char).collect();
        prop_assert_eq!(node.map_or(LetterSet::NONE, |node| lexicon.children(node)), next);
        prop_assert_eq!(node.is_some_and(|node| lexicon.is_word(node)), list.contains(&start));
    }

    #[test]
    fn near_words_are_those_a_plain_distance_finds(list in prop::collection::btree_set("[a-c]{2,5}", 1..30), asked in "[a-c]{1,6}") {
        let text = list.iter().fold(String::new(), |text, word| text + word + "\n");
        let lexicon = Lexicon::from_list(&text, None).expect("good words");
        let found: Vec<(u8, String)> =
            lexicon.near(&word(&asked), 100).iter().map(|near| (near.distance, near.word.to_string())).collect();
        let all = list.iter().map(|other| (distance(asked.as_bytes(), other.as_bytes()), other.clone()));
        let mut expected: Vec<(u8, String)> = all.filter(|(distance, _)| (1..=2).contains(distance)).collect();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn hostile_cells_never_panic(cells in prop::collection::vec(hostile_cell(), 0..40), words in 0..50_u32) {
        let bytes = signed(&cells, words);
        for dialect in [Dialect::American, Dialect::British] {
            if let Ok(lexicon) = Lexicon::from_bytes(&bytes, dialect) {
                prop_assert_eq!(lexicon.words().count(), lexicon.len());
            }
        }
    }

    #[test]
    fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..300_usize, byte in any::<u8>()) {
        let _ = Lexicon::from_bytes(&bytes, Dialect::American);
        let mut small = Lexicon::from_list("ab\nabc\nbc", None).map(|_| signed(&[1 << 26, 1 << 1, 0], 1)).expect("good");
        if let Some(place) = small.get_mut(at) {
            *place = byte;
        }
        let _ = Lexicon::from_bytes(&small, Dialect::American);
    }

    #[test]
    fn hostile_lists_never_panic(text in "\\PC{0,80}|[a-z#\\r\\n\\t]{0,200}") {
        if let Err(faults) = Lexicon::from_list(&text, None) {
            prop_assert!(!faults.is_empty());
        }
    }

    #[test]
    fn hostile_words_are_no_words(text in "\\PC{0,30}") {
        let plain = text.bytes().all(|byte| byte.is_ascii_alphabetic());
        prop_assert!(plain || !Lexicon::house().contains_str(&text));
    }
}

fn hostile_cell() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        0..40_u32,
        (0..4_u32, 0..8_u32).prop_map(|(ends, letters)| ends << 26 | letters)
    ]
}

/// Cells under a header that fits them, so that nothing but the cells themselves can be refused.
fn signed(cells: &[u32], words: u32) -> Vec<u8> {
    use sha2::Digest as _;
    let body: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let mut bytes = b"PARLORWG".to_vec();
    for number in [1, cells.len() as u32, words, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(sha2::Sha256::digest(&body));
    bytes.extend(&body);
    bytes.extend(vec![0; words.div_ceil(2) as usize]);
    bytes
}

#[test]
fn a_soundly_signed_graph_can_still_be_malformed() {
    let read =
        |cells: &[u32], words| Lexicon::from_bytes(&signed(cells, words), Dialect::American).map(|l| l.len());
    let end = 1 << 26;
    // "a" and then its root; the root must be last, have no end of its own, and count its words rightly.
    assert_eq!(read(&[end, 1, 0], 1), Ok(1));
    assert_eq!(read(&[end, 1, 0], 2), Err(LexiconError::Malformed { cell: 1 }));
    assert_eq!(read(&[end, 1 | end, 0], 2), Err(LexiconError::Malformed { cell: 1 }));
    assert_eq!(
        read(&[end, 1, 1], 1),
        Err(LexiconError::Malformed { cell: 1 }),
        "a node cannot lead to itself"
    );
    assert_eq!(read(&[end, 1, 0, 1, 2], 1), Err(LexiconError::Malformed { cell: 3 }), "not a node's head");
    assert_eq!(
        read(&[0, 1, 0], 0),
        Err(LexiconError::Malformed { cell: 0 }),
        "a branch that leads to no word"
    );
    assert_eq!(read(&[end, 3, 0], 1), Err(LexiconError::Malformed { cell: 1 }), "a child is missing");
    assert_eq!(read(&[], 0), Err(LexiconError::Malformed { cell: 0 }));
    // Twenty nodes, each with two ways to the one before: a million words, twenty letters long.
    let mut deep = vec![end];
    let mut last = 0;
    for _ in 0..20 {
        let head = deep.len() as u32;
        deep.extend([3, last, last]);
        last = head;
    }
    assert!(matches!(read(&deep, 1 << 20), Err(LexiconError::TooLarge { .. })));
    assert!(matches!(read(&deep, 1), Err(LexiconError::Malformed { .. })));
}

/// Edit distance with swaps of neighbours, straight from the definition.
fn distance(a: &[u8], b: &[u8]) -> u8 {
    let Some((x, rest_a)) = a.split_last() else { return b.len() as u8 };
    let Some((y, rest_b)) = b.split_last() else { return a.len() as u8 };
    let change = distance(rest_a, rest_b) + u8::from(x != y);
    let best = change.min(distance(rest_a, b) + 1).min(distance(a, rest_b) + 1);
    match (rest_a.split_last(), rest_b.split_last()) {
        (Some((p, front_a)), Some((q, front_b))) if p == y && q == x => {
            best.min(distance(front_a, front_b) + 1)
        }
        _ => best,
    }
}

#[test]
fn entries_made_twice_take_the_more_common_tier_and_both_spellings() {
    let mut binder = Binder::default();
    binder.add(word("ax"), entry(Tier::T50, Spelling::American));
    binder.add(word("ax"), entry(Tier::T20, Spelling::British));
    assert_eq!(binder.words().next(), Some((&word("ax"), &entry(Tier::T20, Spelling::Both))));
}
