//! I-Qubes and Scribbage in real browsers: a whole game of each alone, with the keyboard only and with a finger, a whole game
//! of each between two browsers, a bot without a network. The dice are such that always fall the same.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin, sit_down};
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";

/// Dice of I-Qubes that always show these faces.
fn dice(faces: &str) -> Value {
    let dice: Vec<String> = faces.chars().map(|face| face.to_string().repeat(6)).collect();
    json!({"name": "fixed", "dice": dice})
}

/// Cubes of Scribbage that always show these faces.
fn cubes(faces: &str) -> Value {
    let cubes: Vec<String> = faces.chars().map(|face| face.to_string().repeat(6)).collect();
    let values = json!({"1": "AEO", "2": "ILNRST", "3": "DHMU", "4": "BCFGPVWY", "5": "K", "6": "J", "8": "QX", "10": "Z"});
    json!({"name": "fixed", "cubes": cubes, "values": values})
}

/// Throws with the keyboard and waits until the dice lie there.
async fn throw(visitor: &Visitor) -> Result<(), Trouble> {
    visitor.focuses("[data-do=throw]").await?;
    visitor.types(ENTER).await?;
    visitor
        .until(
            "the sheet to have the keyboard",
            "document.activeElement.matches('.lt-grid') && document.querySelector('.letters.is-mine')",
        )
        .await
}

/// Presses a button with the keyboard.
async fn presses(visitor: &Visitor, name: &str) -> Result<(), Trouble> {
    let button = format!("[data-do={name}]:not([disabled])");
    visitor.focuses(&button).await?;
    visitor.types(ENTER).await
}

async fn counts(visitor: &Visitor, points: &str) -> Result<(), Trouble> {
    let question = format!("document.querySelector('.lt-points')?.textContent === {}", json!(points));
    visitor.until(&format!("a count of {points}"), &question).await
}

/// Draws a die to a cell with a finger.
async fn drags(visitor: &Visitor, die: u8, cell: &str) -> Result<(), Trouble> {
    let from = visitor.middle(&format!("[data-die='{die}']")).await?;
    let to = visitor.middle(&format!("[data-cell='{cell}']")).await?;
    visitor.drags(from, to).await
}

/// Taps a die, and then a cell.
async fn taps(visitor: &Visitor, die: u8, cell: &str) -> Result<(), Trouble> {
    visitor.taps(&format!("[data-die='{die}']")).await?;
    visitor.taps(&format!("[data-cell='{cell}']")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_i_qubes_alone_with_the_keyboard_only() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "iqubes", "alone", json!({"rounds": 1, "set": dice("DT!AEHS")})).await?;
    ann.sees(".lt-cup.is-full").await?;
    ann.picture("iqubes-cup").await?;
    throw(&ann).await?;
    // DASH, then TOE one row down and one step in; the WILD becomes the O that is missing.
    ann.types("dash").await?;
    counts(&ann, "8").await?;
    ann.types(&format!("{LEFT}{LEFT}{LEFT}{DOWN}toe")).await?;
    counts(&ann, "26").await?;
    ann.picture("iqubes").await?;
    ann.postcard("iqubes").await?;
    let tree = ann.tree().await?;
    for name in ["red D, row", "red WILD as O, row"] {
        assert!(
            tree.iter().any(|(role, said)| role == "button" && said.starts_with(name)),
            "{name}: {tree:?}"
        );
    }
    assert!(tree.iter().any(|(role, _)| role == "grid") && tree.iter().any(|(role, _)| role == "timer"));
    presses(&ann, "done").await?;
    // All seven were used: a second throw.
    throw(&ann).await?;
    ann.types("saq").await?;
    ann.until("a word on the missing Q", "document.querySelector('.lt-word.is-bad')").await?;
    ann.picture("iqubes-bad-word").await?;
    ann.types("\u{e003}\u{e003}").await?;
    ann.types("he").await?;
    presses(&ann, "done").await?;
    ann.sees(".results").await?;
    // The coach may still speak of the first throw; waited for is his word on the second.
    let coach = "document.querySelector('.lt-said p')?.textContent === '6 of a possible 28, proven.'";
    ann.until("the coach", coach).await?;
    presses(&ann, "best").await?;
    counts(&ann, "28").await?;
    ann.picture("iqubes-over").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_scribbage_alone_with_a_finger() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    begin(&ann, &parlor, "scribbage", "alone", json!({"turns": 1, "set": cubes("PLANTICKRMWOQ")})).await?;
    ann.sees(".lt-cup.is-full").await?;
    ann.picture("scribbage-cup").await?;
    ann.click("[data-do=throw]").await?;
    ann.sees("[data-die='12']").await?;
    for (die, cell) in [(0, "-2,0"), (1, "-1,0"), (2, "0,0"), (3, "1,0"), (4, "2,0")] {
        drags(&ann, die, cell).await?;
    }
    ann.until("PLANT", "document.querySelector('.lt-words').textContent.includes('PLANT')").await?;
    for (die, cell) in [(5, "-2,1"), (6, "-2,2"), (7, "-2,3"), (8, "0,1"), (9, "0,2")] {
        taps(&ann, die, cell).await?;
    }
    ann.fits().await?;
    ann.picture("scribbage").await?;
    // All of it one step down, then the last two.
    ann.click("[data-do=together]").await?;
    drags(&ann, 0, "-2,1").await?;
    ann.click("[data-do=together]").await?;
    for (die, cell) in [(10, "2,2"), (11, "2,3")] {
        drags(&ann, die, cell).await?;
    }
    counts(&ann, "31").await?;
    ann.looks_through(1280, 800).await?;
    ann.postcard("scribbage").await?;
    ann.looks_through(390, 844).await?;
    ann.click("[data-do=done]").await?;
    ann.until("the end", "document.querySelector('.lt-who').textContent.includes('over')").await?;
    ann.fits().await?;
    ann.picture("scribbage-over").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_i_qubes_with_an_auction() -> Done {
    let parlor = Parlor::open()?;
    let options = json!({"rounds": 1, "bidding": true, "set": dice("SPaRtBE")});
    let (ann, ben) = sit_down(&parlor, "iqubes", options).await?;
    throw(&ann).await?;
    ann.types("spar").await?;
    counts(&ann, "4").await?;
    ben.until("Ben to see it", "document.querySelector('.lt-points')?.textContent === '4'").await?;
    ann.click("[data-do=done]").await?;
    ben.click("[data-do=bid]").await?;
    ben.until("the dice for Ben", "document.querySelector('[data-do=done]')").await?;
    ben.picture("iqubes-bid").await?;
    // An E below the R: RE counts, too.
    ben.focuses(".lt-grid").await?;
    ben.types(&format!("{RIGHT}{RIGHT}{RIGHT}{DOWN}e")).await?;
    ben.until("more", "Number(document.querySelector('.lt-points').textContent) > 4").await?;
    ben.click("[data-do=done]").await?;
    ben.click("[data-do=throw]").await?;
    ben.click("[data-do=done]").await?;
    ann.picture("iqubes-auction").await?;
    ann.click("[data-do=pass]").await?;
    ann.sees(".results").await?;
    ben.until("the end", "document.querySelector('.lt-who').textContent.includes('over')").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_scribbage_without_a_dictionary_and_vote() -> Done {
    let parlor = Parlor::open()?;
    let options = json!({"turns": 1, "words": "none", "set": cubes("PLANTICKRMWOZ")});
    let (ann, ben) = sit_down(&parlor, "scribbage", options).await?;
    ann.sees(".lt-draw").await?;
    ann.picture("scribbage-draw").await?;
    let anns = "document.querySelector('[data-do=throw]')";
    let first = ann.ask(&format!("return !!{anns}")).await? == Value::Bool(true);
    let (first, second) = if first { (&ann, &ben) } else { (&ben, &ann) };
    throw(first).await?;
    first.types("plonk").await?;
    first.until("the word", "document.querySelector('.lt-words').textContent.includes('PLONK')").await?;
    first.click("[data-do=done]").await?;
    second.click("[data-challenge=PLONK]").await?;
    first.sees("[data-do=vote-yes]").await?;
    first.picture("scribbage-vote").await?;
    first.click("[data-do=vote-yes]").await?;
    second.click("[data-do=vote-no]").await?;
    // A tie lets it stand; nothing else is there to be challenged.
    throw(second).await?;
    second.types("plonk").await?;
    second.click("[data-do=done]").await?;
    first.until("the end", "document.querySelector('.lt-who').textContent.includes('over')").await?;
    ann.sees(".results").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_network_a_bot_still_knows_its_words() -> Done {
    let mut parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.until("the service worker", "navigator.serviceWorker.controller").await?;
    // Opened once, the word list is kept.
    begin(&ann, &parlor, "iqubes", "alone", json!({})).await?;
    ann.sees("[data-do=throw]").await?;
    parlor.kill()?;
    ann.offline(true).await?;
    begin(&ann, &parlor, "iqubes", "bots", json!({"rounds": 1, "set": dice("SPaRtBE")})).await?;
    throw(&ann).await?;
    presses(&ann, "hint").await?;
    ann.sees(".lt-ghosts .lt-die").await?;
    ann.picture("iqubes-hint").await?;
    presses(&ann, "hint").await?;
    ann.sees(".lt-word.is-good").await?;
    presses(&ann, "done").await?;
    ann.until("the bot's words", "document.querySelector('.lt-who').textContent.includes('Ada') && document.querySelector('.lt-word.is-good')").await?;
    ann.sees(".results").await?;
    ann.picture("iqubes-bot").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_word_games_fit_every_page_they_have() -> Done {
    let parlor = Parlor::open()?;
    for screen in [Screen::Wide, Screen::Phone] {
        let ann = Visitor::new(screen).await?;
        for (scheme, game) in [("light", "iqubes"), ("dark", "scribbage")] {
            ann.wishes(scheme).await?;
            for (name, path, seen) in [("box", "/box/", ".ways"), ("learn", "/learn/", ".lt-piece")] {
                ann.go(&parlor, &format!("{path}{game}")).await?;
                ann.sees(seen).await?;
                ann.fits().await?;
                ann.picture(&format!("{name}-{game}")).await?;
            }
            ann.click("[data-do=next]").await?;
            ann.sees(".lt-word").await?;
            ann.picture(&format!("learn-{game}-count")).await?;
        }
        ann.leaves().await?;
    }
    Ok(())
}
