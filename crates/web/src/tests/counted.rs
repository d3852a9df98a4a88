//! The number on *Done* is the number that is counted: random layouts in every form of both word games, drawn by the page, read by
//! the table (as the terminal shows it), and then counted by the game.

use super::{drawn, looked_at};
use crate::route::Route;
use ::letters::{Rules, hint};
use house::{AnyTable, Kind, Setting};
use leptos::prelude::*;
use serde_json::{Value, json};
use table::{Luck, Seat, Seats, Seed, Time};
use words::notation::{Style, read_with};
use words::{Layout, Letter, Placed, WordsId};

const NAMES: [&str; 4] = ["Ann", "Ben", "Cleo", "Dan"];

/// A table that is played for some throws.
struct Play {
    setting: Setting,
    table: AnyTable,
    luck: Luck,
    now: u64,
}

impl Play {
    fn open(kind: Kind, options: &Value, number: u64) -> Play {
        let setting = Setting::new(kind, options.clone()).expect("good options");
        let seats = Seats::named(NAMES).expect("good names");
        let (table, _) = AnyTable::open(&setting, seats, &Seed::from_number(number), None).expect("a table");
        Play { setting, table, luck: Luck::new(number), now: 0 }
    }

    fn public(&self) -> Value {
        serde_json::from_str(self.table.public().get()).expect("the view is JSON")
    }

    fn act(&mut self, seat: u32, act: &Value) {
        self.now += 1000;
        self.table
            .act(Time(self.now), Seat(seat), &act.to_string())
            .unwrap_or_else(|no| panic!("{act}: {no:?}"));
    }

    /// Whose throw it is.
    fn maker(&self) -> u32 {
        self.public()["turn"]["makers"][0].as_u64().expect("somebody's turn") as u32
    }

    /// What the dice show and how they count.
    fn rules(&self) -> Rules {
        let public = self.public();
        let (options, throw) = (public["options"].clone(), public["throw"].clone());
        if self.setting.kind == Kind::IQubes {
            let options: ::iqubes::Options = serde_json::from_value(options).unwrap();
            return options.rules(&serde_json::from_value(throw).unwrap());
        }
        let options: ::scribbage::Options = serde_json::from_value(options).unwrap();
        options.rules(&serde_json::from_value(throw).unwrap())
    }

    /// The page as whoever has the dice sees it.
    fn page(&self, me: u32) -> String {
        drawn(Route::Home, || {
            let session = looked_at(&self.setting, &self.table, &NAMES, Some(me));
            view! { <crate::table_page::Felt session/> }
        })
    }

    /// What was counted: the count that is heard, or the last that stands.
    fn counted(&self) -> i64 {
        let public = self.public();
        let hearing = public["turn"]["stage"]["is"] == "hearing";
        let heard = public["turn"]["count"]["points"].as_i64().filter(|_| hearing);
        let news =
            || public["news"].as_array()?.iter().rev().find_map(|news| news["count"]["points"].as_i64());
        heard.or_else(news).expect("it was counted")
    }

    /// The others have nothing to say and bid nothing, until somebody has the cup.
    fn goes_on(&mut self) {
        let idle = |public: &Value| public["turn"]["stage"]["is"] == "cup" && public["auction"].is_null();
        while !idle(&self.public())
            && let Some(deadline) = self.table.deadline()
        {
            self.now = self.now.max(deadline.0);
            self.table.expire_due(deadline);
        }
    }
}

/// Dice laid as people lay them who have not finished: a few words, moved together or not, and dice put to them anyhow.
fn anyhow(rules: &Rules, luck: &mut Luck) -> Layout {
    let mut laid = Layout::EMPTY;
    for _ in 0..luck.below(4) {
        laid = hint(rules, WordsId::default(), &laid).unwrap_or(laid);
    }
    if luck.chance(1, 2) {
        // Words that lay apart now touch.
        laid.dice.iter_mut().for_each(|placed| placed.y = placed.y.div_euclid(2));
    }
    let mut alone = Layout::EMPTY;
    laid.dice.into_iter().filter(|_| !luck.chance(1, 12)).for_each(|placed| {
        if alone.at(placed.x, placed.y).is_none() {
            alone.place(placed);
        }
    });
    for _ in 0..luck.below(6) {
        let die = luck.below(rules.faces.len() as u64) as u8;
        let (x, y) = (luck.below(7) as i8 - 1, luck.below(5) as i8 - 1);
        let letter = Letter::from_index(luck.below(26) as usize).filter(|_| luck.chance(5, 6));
        if alone.find(die).is_none() && alone.at(x, y).is_none() {
            alone.place(Placed { die, x, y, called: letter.filter(|_| rules.is_wild(die)) });
        }
    }
    alone
}

/// What stands on the button, if a number does.
fn on_done(page: &str) -> Option<i64> {
    let (_, number) = page.split_once("lt-go-points num\">")?;
    number.split('<').next()?.replace('−', "-").parse().ok()
}

/// The forms of both games in which good words are told.
fn forms() -> Vec<(Kind, Value)> {
    let always = json!({"name": "fixed", "dice": ["DDDDDD", "TTTTTT", "!!!!!!", "AAAAAA", "EEEEEE", "HHHHHH", "SSSSSS"]});
    let iqubes = [
        json!({}),
        json!({"seconds": 60, "long_word": true}),
        json!({"two_sets": true}),
        json!({"two_sets": true, "words": "none"}),
        json!({"words": "none"}),
        json!({"words": "british", "bidding": true}),
        json!({"set": always}),
    ];
    let scribbage = [
        json!({}),
        json!({"seconds": 60, "words": "british"}),
        json!({"teams": 2}),
        json!({"figure": 200}),
        json!({"words": "none"}),
        json!({"young": true}),
        json!({"young": true, "teams": 2}),
        json!({"young": true, "words": "none"}),
    ];
    let of = |kind: Kind| move |options: Value| (kind, options);
    iqubes.map(of(Kind::IQubes)).into_iter().chain(scribbage.map(of(Kind::Scribbage))).collect()
}

#[test]
fn the_number_on_done_is_what_is_counted_in_every_form() {
    let (mut tried, mut faulty, mut second) = (0, 0, 0);
    for (kind, options) in forms() {
        for number in 0..6 {
            let mut play = Play::open(kind, &options, number);
            for turn in 0..3 {
                let maker = play.maker();
                play.act(maker, &json!({"do": "throw"}));
                let rules = play.rules();
                second += u32::from(play.public()["second"] == true);
                // Every die used earns a second throw: where these dice always fall, the first has it.
                let full = read_with("DASH/.TO*E", Style::Colours, &rules.faces).ok().filter(|_| turn == 0);
                let laid = full.unwrap_or_else(|| anyhow(&rules, &mut play.luck));
                play.act(maker, &json!({"do": "arrange", "dice": laid.dice}));
                let reading = play.public()["turn"]["reading"].clone();
                let shown = on_done(&play.page(maker));
                play.act(maker, &json!({"do": "done"}));
                let counted = play.counted();
                assert_eq!(shown, Some(counted), "{kind} {options}: {laid:?} {reading}");
                assert_eq!(reading["points"].as_i64(), Some(counted), "{kind} {options}: {laid:?} {reading}");
                tried += 1;
                faulty += u32::from(reading["taken"] != json!([]));
                play.goes_on();
            }
        }
    }
    assert!(
        tried > 250 && faulty > tried / 4 && second > 3,
        "{tried} tried, {faulty} with faults, {second} second"
    );
}

#[test]
fn where_good_words_are_not_told_the_number_is_not_on_the_button() {
    for (kind, options) in
        [(Kind::IQubes, json!({"judge": false})), (Kind::Scribbage, json!({"judge": false}))]
    {
        let mut play = Play::open(kind, &options, 3);
        let maker = play.maker();
        play.act(maker, &json!({"do": "throw"}));
        let rules = play.rules();
        let laid = hint(&rules, WordsId::default(), &Layout::EMPTY).expect("a word is there");
        play.act(maker, &json!({"do": "arrange", "dice": laid.dice}));
        let page = play.page(maker);
        assert!(on_done(&page).is_none() && page.contains("data-do=\"done\""), "{page}");
        assert!(page.contains("if all are words"), "{page}");
    }
}

/// The page with these dice laid so.
fn page(kind: Kind, more: &[(&str, Value)], dice: &[&str], laid: &str) -> (String, i64) {
    let (pieces, style) = match kind {
        Kind::IQubes => ("dice", Style::Colours),
        _ => ("cubes", Style::Jokers),
    };
    let mut options = json!({"set": {"name": "fixed", (pieces): dice}});
    if kind == Kind::Scribbage {
        options["set"]["values"] = json!({"1": "AEO", "2": "ILNRST", "3": "DHMU", "4": "BCFGPVWY", "5": "K", "6": "J", "8": "QX", "10": "Z"});
    }
    for (key, value) in more {
        options[*key] = value.clone();
    }
    let mut play = Play::open(kind, &options, 1);
    let maker = play.maker();
    play.act(maker, &json!({"do": "throw"}));
    let laid = read_with(laid, style, &play.rules().faces).expect("its own dice");
    play.act(maker, &json!({"do": "arrange", "dice": laid.dice}));
    let page = play.page(maker);
    play.act(maker, &json!({"do": "done"}));
    (page, play.counted())
}

fn always(faces: &str) -> Vec<String> {
    faces.chars().map(|face| face.to_string().repeat(6)).collect()
}

#[test]
fn rows_under_each_other_are_told_to_young_players_without_a_cross() {
    let cubes = always("SONGTERMRANEA");
    let cubes: Vec<&str> = cubes.iter().map(String::as_str).collect();
    let young = [("young", json!(true))];
    let (page, counted) = page(Kind::Scribbage, &young, &cubes, "song/term/ran");
    assert_eq!((on_done(&page), counted), (Some(4), 4));
    assert!(!page.contains("is-bad") && !page.contains("no word here"), "no column is marked: {page}");
    assert!(page.contains("SONG") && page.contains("Leave a space between words"), "{page}");
    assert!(page.contains("not counted as it lies"), "{page}");
}

#[test]
fn words_of_one_that_is_none_are_counted_as_they_will_be() {
    let dice = always("CUEASRT");
    let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
    let (page_of_dice, counted) = page(Kind::IQubes, &[], &dice, "CUE/AS");
    assert_eq!(on_done(&page_of_dice), Some(counted));
    let cubes = always("BOAFEDSIINNRE");
    let cubes: Vec<&str> = cubes.iter().map(String::as_str).collect();
    let (page_of_cubes, counted) = page(Kind::Scribbage, &[], &cubes, "boafeds");
    assert_eq!(on_done(&page_of_cubes), Some(counted));
    assert!(page_of_cubes.contains("BOAFEDS is no word here"));
    assert!(page_of_cubes.contains("As it lies, this would count: "), "what the number comes of");
    assert!(page_of_cubes.contains("lt-piece is-out"), "and the cubes that it leaves out");
}
