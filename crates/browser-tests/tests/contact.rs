//! Contact in a real browser: whole games by keyboard, a game of two browsers over a server that dies, fingers, and the
//! coach's arrow.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin, sit_down};
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// Three tiles each, four lines apart.
fn skirmish() -> Value {
    short(&json!([{"line": 5, "step": "two-step", "at": [8]}, {"line": 6, "step": "one-step", "at": [7, 9]}]))
}

/// One tile each: ten turns for either, at most.
fn duel() -> Value {
    short(&json!([{"line": 6, "step": "two-step", "at": [8]}]))
}

/// A short game with these tiles.
fn short(rows: &Value) -> Value {
    json!({
        "setup": "short",
        "first": "south",
        "set": {
            "tiles": {
                "one-step": {"corners": [3, 4, 5, 6], "back": 5},
                "two-step": {"corners": [1, 2, 3, 4], "back": 4}
            },
            "box": {
                "red": {"one-step": 4, "two-step": 3}, "blue": {"one-step": 4, "two-step": 3},
                "green": {"one-step": 3, "two-step": 3}, "yellow": {"one-step": 3, "two-step": 3}
            },
            "rings": {"south": [7, 8, 9], "west": [7, 8, 9], "north": [7, 8, 9], "east": [7, 8, 9]},
            "setups": {"short": {
                "players": [2],
                "colours": {"south": ["red"], "north": ["green"]},
                "rows": rows
            }}
        }
    })
}

/// Whether the table waits for this visitor, and whether the game is over.
async fn turn(visitor: &Visitor) -> Result<(bool, bool), Trouble> {
    let both = visitor
        .ask("return [!!document.querySelector('.ct-board.is-open'), !!document.querySelector('.results')]")
        .await?;
    let is = |at: usize| both.get(at).and_then(Value::as_bool).unwrap_or(false);
    Ok((is(0), is(1)))
}

/// What the picked tile could do: how many times N leads to a place where it takes something, and how many places there
/// are. The keyboard goes from the tile through its places in the order of rows, then columns.
const CHOICES: &str = "const from = document.querySelector('.ct-tile.is-picked')?.dataset.at; if (!from) return null; \
    const ways = [...document.querySelectorAll('.ct-way')]; \
    const ends = ways.map(way => way.dataset.to).concat(document.querySelector('[data-do=out-and-back]') ? [from] : []); \
    const order = at => parseInt(at.slice(1)) * 16 + at.charCodeAt(0); ends.sort((a, b) => order(a) - order(b)); \
    const takes = ways.find(way => way.matches('.is-takes'))?.dataset.to; \
    const presses = takes ? (ends.indexOf(takes) - ends.indexOf(from) + ends.length) % (ends.length + (ends.includes(from) ? 0 : 1)) : 0; \
    return [presses, ends.length]";

/// One move by keyboard: of two tiles the one that takes something, else some tile to some place.
async fn moves_by_keys(visitor: &Visitor, luck: usize) -> Done {
    if visitor.ask("return !!document.querySelector('[data-do=pass]')").await? == Value::Bool(true) {
        return visitor.click("[data-do=pass]").await;
    }
    visitor.focuses(".ct-board").await?;
    let before = visitor.ask("return document.querySelectorAll('.ct-move').length").await?;
    let mut presses = 0;
    for tile in 0..2 {
        visitor.types(&format!("{ESCAPE}{}{ENTER}", "n".repeat(1 + (luck + tile) % 3))).await?;
        let choices = visitor.ask(CHOICES).await?;
        let number = |at: usize| choices.get(at).and_then(Value::as_u64).unwrap_or(0) as usize;
        presses = if number(0) > 0 { number(0) } else { 1 + luck % number(1).max(1) };
        if number(0) > 0 {
            break;
        }
    }
    visitor.types(&format!("{}{ENTER}", "n".repeat(presses))).await?;
    let made = format!("document.querySelectorAll('.ct-move').length !== {before}");
    visitor.until("the move to be made", &made).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_contact_against_a_bot_with_the_keyboard_only_and_then_again() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "contact", "bots", skirmish()).await?;
    for luck in 0..200 {
        ann.until("my turn or the end", "document.querySelector('.ct-board.is-open, .results')").await?;
        if turn(&ann).await?.1 {
            break;
        }
        moves_by_keys(&ann, luck).await?;
    }
    ann.sees(".results").await?;
    ann.picture("contact-over").await?;
    ann.click(".results a[href^='./replay']").await?;
    ann.click("[data-do=check]").await?;
    ann.sees(".verdict.is-good").await?;
    for _ in 0..3 {
        ann.click("[data-do=forward]").await?;
    }
    ann.until("what was done, in words", "document.querySelector('.reel-told').textContent.length > 8")
        .await?;
    ann.picture("contact-replay").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_foretold_the_coach_draws_an_arrow_and_a_reload_loses_nothing() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "contact", "bots", json!({"first": "south"})).await?;
    ann.sees(".ct-board.is-open").await?;
    ann.picture("contact").await?;
    // The mouse over a tile shows its ways; a click picks it; the mouse over a way shows the tile as it would lie.
    let tile = ann.middle("[data-at=g2]").await?;
    ann.mouse("mouseMoved", tile, false).await?;
    ann.until("the ways", "document.querySelectorAll('.ct-ways.is-faint .ct-way').length === 2").await?;
    ann.mouse("mousePressed", tile, true).await?;
    ann.mouse("mouseReleased", tile, false).await?;
    let way = ann.middle("[data-to=g3]").await?;
    ann.mouse("mouseMoved", way, false).await?;
    ann.sees(".ct-ghost").await?;
    ann.until("words", "document.querySelector('.ct-says').textContent.includes('touches nothing')").await?;
    ann.picture("contact-foretold").await?;
    ann.mouse("mousePressed", way, true).await?;
    ann.mouse("mouseReleased", way, false).await?;
    ann.sees("[data-at=g3]").await?;
    ann.until("the bot", "document.querySelectorAll('.ct-move').length === 2").await?;
    // A drag.
    let from = ann.middle("[data-at=i2]").await?;
    let to = (from.0, ann.middle("[data-at=g3]").await?.1);
    ann.mouse("mousePressed", from, true).await?;
    for part in 1..=4 {
        let part = f64::from(part) / 4.0;
        ann.mouse("mouseMoved", (from.0, from.1 + (to.1 - from.1) * part), true).await?;
    }
    ann.sees(".ct-tile.is-snapped").await?;
    ann.picture("contact-held").await?;
    ann.mouse("mouseReleased", to, false).await?;
    ann.until("four moves", "document.querySelectorAll('.ct-move').length === 4").await?;
    ann.click("[data-do=threats]").await?;
    ann.click("[data-ask=coach]").await?;
    ann.sees(".ct-advised").await?;
    ann.sees(".ct-bar").await?;
    ann.picture("contact-coach").await?;
    ann.postcard("contact").await?;
    ann.wishes("dark").await?;
    ann.postcard("night").await?;
    ann.wishes("light").await?;
    let board = "[...document.querySelectorAll('.ct-tile')].map(tile => tile.ariaLabel).sort().join()";
    let before = ann.ask(&format!("return {board}")).await?;
    ann.driver.refresh().await?;
    ann.until("the same board", &format!("{board} === {before}")).await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_contact_to_the_end_though_the_server_is_killed_in_the_middle() -> Done {
    let mut parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "contact", duel()).await?;
    for ply in 0..300 {
        let (me, other) = if ply % 2 == 0 { (&ann, &ben) } else { (&ben, &ann) };
        me.until("a turn or the end", "document.querySelector('.ct-board.is-open, .results')").await?;
        if turn(me).await?.1 {
            break;
        }
        moves_by_keys(me, ply).await?;
        if ply == 1 {
            ben.picture("contact-together").await?;
        }
        if ply == 2 {
            parlor.kill()?;
            other.sees(".lost").await?;
            parlor.reopen()?;
            other.until("the line", "!document.querySelector('.lost')").await?;
        }
    }
    ann.sees(".results").await?;
    ben.sees(".results").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn fingers_tap_and_drag_tiles_and_the_board_comes_nearer() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    begin(&ann, &parlor, "contact", "around", json!({"first": "south"})).await?;
    ann.sees(".ct-board.is-open").await?;
    ann.fits().await?;
    ann.fingers_fit().await?;
    ann.picture("contact").await?;
    ann.taps("[data-at=g2]").await?;
    ann.sees(".ct-tile.is-picked").await?;
    let near = "document.querySelector('[data-to=g3] .ct-glow').getBoundingClientRect().width";
    ann.until("places large enough for a finger", &format!("{near} >= 36")).await?;
    ann.middle("[data-to=g3]").await?;
    ann.picture("contact-nearer").await?;
    ann.taps("[data-to=g3]").await?;
    // Now North sits before the screen, and the board has turned.
    ann.sees("[data-at=g3]").await?;
    let below = "(at => document.querySelector(`[data-at=${at}]`).getBoundingClientRect().y)";
    ann.until("the board to turn", &format!("{below}('g14') > {below}('g3')")).await?;
    let from = ann.middle("[data-at=g14]").await?;
    let step = ann.middle("[data-at=h14]").await?.0 - from.0;
    ann.drags(from, (from.0, from.1 - step.abs())).await?;
    ann.until("two moves", "document.querySelectorAll('.ct-move').length === 2").await?;
    ann.fits().await?;
    ann.leaves().await
}
