//! The room round a game: rules that lie over the table, seats that are removed, people who are told so, leaving that is asked
//! about, and buttons that stay where they are.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin, join, lay, sit_down, start};
use serde_json::{Value, json};
use std::time::Duration;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";
const SHIFT: char = '\u{e008}';

/// Whether a dialog of this name is open.
fn open(name: &str) -> String {
    format!("document.querySelector('dialog[open][data-over={name}]')")
}

async fn holds(visitor: &Visitor, what: &str) -> Result<bool, Trouble> {
    Ok(visitor.ask(&format!("return !!({what})")).await? == Value::Bool(true))
}

async fn is_at(visitor: &Visitor) -> Result<String, Trouble> {
    Ok(visitor.ask("return location.pathname").await?.as_str().unwrap_or_default().to_owned())
}

/// Time for something to happen that shall not happen.
async fn nothing_comes() {
    tokio::time::sleep(Duration::from_millis(1500)).await;
}

/// From now on the sockets that the page opens are counted, and those that close.
const SOCKETS: &str = "window.opened = 0; window.shut = 0; const Real = WebSocket; \
    window.WebSocket = function (url) { window.opened++; return new Real(url); }; \
    const close = Real.prototype.close; Real.prototype.close = function (...why) { window.shut++; return close.apply(this, why); }";

/// The seconds on the clock of the dialog.
const LEFT: &str = "parseInt(document.querySelector('dialog[open] .clock').ariaLabel)";

/// The keyboard goes round in the dialog that is open, and out of it neither way.
async fn keeps_the_keyboard(visitor: &Visitor) -> Done {
    let inside = "document.activeElement.closest('dialog[open]')";
    assert!(holds(visitor, inside).await?, "the focus is in the dialog");
    for press in 0..12 {
        visitor.types(TAB).await?;
        assert!(holds(visitor, inside).await?, "Tab leads out of the dialog, the {press}th time");
    }
    for press in 0..12 {
        visitor.driver.action_chain().key_down(SHIFT).send_keys(TAB).key_up(SHIFT).perform().await?;
        assert!(holds(visitor, inside).await?, "Shift and Tab lead out of the dialog, the {press}th time");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_lie_over_the_table_and_nobody_leaves_it_to_read_them() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    ann.sees(".table-main .clock").await?;
    let table = is_at(&ann).await?;
    ann.ask(SOCKETS).await?;
    ann.ask("document.querySelector('.table-main').seen = true").await?;
    let still = "document.querySelector('.table-main')?.seen";

    ann.click("[data-do=rules]").await?;
    ann.until("the rules", &open("rules")).await?;
    ann.until("what they say", "document.querySelector('dialog[open] .reference dt')").await?;
    ann.picture("rules-over-roulette").await?;
    ann.fits().await?;
    // The clock is seen, and runs on; for Ben she is there.
    let before = ann.ask(&format!("return {LEFT}")).await?.as_i64().unwrap_or(0);
    ann.until("the clock to run on", &format!("{LEFT} < {before}")).await?;
    ben.focuses("#typed-bet").await?;
    ben.types(&format!("red=10{ENTER}")).await?;
    ann.until("Ben's chips, under the rules", "document.querySelector('.stack.is-other')").await?;
    assert!(!holds(&ben, "document.querySelector('.person.is-away')").await?, "she is not away");
    keeps_the_keyboard(&ann).await?;
    ann.click("[data-do=lesson]").await?;
    ann.sees("dialog[open] .lesson").await?;
    ann.click("dialog[open] .lesson [data-do=next]").await?;

    // Escape closes them, and the focus is where it was.
    ann.types(ESCAPE).await?;
    ann.until("the table alone", &format!("!{}", open("rules"))).await?;
    assert!(holds(&ann, "document.activeElement.matches('[data-do=rules]')").await?);
    // So does "back", without leaving; and the button, and a click beside them.
    ann.types(ENTER).await?;
    ann.until("the rules again", &open("rules")).await?;
    ann.driver.back().await?;
    ann.until("the table alone", &format!("!{}", open("rules"))).await?;
    assert_eq!(is_at(&ann).await?, table);
    for beside in [false, true] {
        ann.click("[data-do=rules]").await?;
        ann.until("the rules again", &open("rules")).await?;
        if beside {
            ann.mouse("mousePressed", (4.0, 400.0), true).await?;
            ann.mouse("mouseReleased", (4.0, 400.0), false).await?;
        } else {
            ann.click("dialog[open] [data-do=close-over]").await?;
        }
        ann.until("the table alone", &format!("!{}", open("rules"))).await?;
    }
    nothing_comes().await;
    assert!(holds(&ann, still).await?, "the table was not drawn again");
    assert_eq!(ann.ask("return [window.opened, window.shut]").await?, json!([0, 0]), "sockets");
    // The game goes on, by keyboard too; and now "back" leads away as it always did.
    ann.focuses("#typed-bet").await?;
    ann.types(&format!("black=5{ENTER}")).await?;
    ann.until("her chips", "document.querySelectorAll('.stack.is-own').length === 1").await?;
    ann.driver.back().await?;
    ann.until("the box", "location.pathname === '/box/roulette'").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_read_in_the_room_too_and_stay_open_when_the_game_begins() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Phone).await?);
    let path = lay(&ann, &parlor, "contact", json!({"first": "south"}), &[]).await?;
    ann.click("[data-do=rules]").await?;
    ann.until("the rules", &open("rules")).await?;
    ann.until("what they say", "document.querySelector('dialog[open] .reference dt')").await?;
    assert!(!holds(&ann, "document.querySelector('dialog[open] .clock')").await?, "no game, no clock");
    ann.picture("rules-over-room").await?;
    keeps_the_keyboard(&ann).await?;
    // A board in the lesson has Escape for what is picked on it; with nothing picked the rules close.
    ann.types(ESCAPE).await?;
    ann.until("the room alone", &format!("!{}", open("rules"))).await?;
    assert_eq!(is_at(&ann).await?, path);
    join(&ben, &parlor, &path).await?;
    ben.click("[data-do=rules]").await?;
    ben.until("the rules", &open("rules")).await?;
    start(&ann).await?;
    ben.sees(".table-main").await?;
    ben.until("the rules over the game", &open("rules")).await?;
    ben.click("[data-do=lesson]").await?;
    ben.sees("dialog[open] .lesson .ct-board").await?;
    ben.fits().await?;
    ben.fingers_fit().await?;
    ben.picture("rules-over-contact").await?;
    ben.focuses("dialog[open] .ct-board").await?;
    ben.types(ESCAPE).await?;
    ben.until("the table alone", &format!("!{}", open("rules"))).await?;
    assert_eq!(is_at(&ben).await?, path);
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_lie_over_a_table_on_this_screen_too() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    begin(&ann, &parlor, "cubo", "bots", json!({"clocks/round": 600})).await?;
    let table = is_at(&ann).await?;
    ann.ask("document.querySelector('.table-main').seen = true").await?;
    ann.click("[data-do=rules]").await?;
    ann.until("what they say", "document.querySelector('dialog[open] .reference dt')").await?;
    ann.fits().await?;
    ann.fingers_fit().await?;
    ann.picture("rules-over-cubo").await?;
    ann.driver.back().await?;
    ann.until("the table alone", &format!("!{}", open("rules"))).await?;
    assert_eq!(is_at(&ann).await?, table);
    assert!(holds(&ann, "document.querySelector('.table-main').seen").await?);
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_for_three_starts_with_two() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Phone).await?);
    let path = lay(&ann, &parlor, "contact", json!({"first": "south"}), &[]).await?;
    let seats = |count: u32| format!("document.querySelectorAll('.seat').length === {count}");
    ann.until("two seats", &seats(2)).await?;
    assert!(!holds(&ann, "document.querySelector('[data-do=remove-seat]')").await?, "the game needs both");
    ann.click(".seats + .btn").await?;
    ann.until("three seats", &seats(3)).await?;
    // Ben takes the last one; the free one between them goes.
    ben.go(&parlor, &path).await?;
    ben.click(".seat:nth-child(3) [data-do=join]").await?;
    ben.focuses("#your-name").await?;
    ben.types(&format!("Ben{ENTER}")).await?;
    ben.click("[data-do=ready]").await?;
    assert!(!holds(&ben, "document.querySelector('[data-do=remove-seat]')").await?, "only the host removes");
    ann.until("Ben", "document.querySelector('.seats').textContent.includes('Ben')").await?;
    ann.fits().await?;
    ann.picture("room-remove-seat").await?;
    ann.looks_through(390, 844).await?;
    ann.fits().await?;
    ann.fingers_fit().await?;
    ann.pictures("room-remove-seat-phone").await?;
    ann.looks_through(1280, 800).await?;
    ann.click("[data-do=remove-seat]").await?;
    for visitor in [&ann, &ben] {
        visitor.until("two seats", &seats(2)).await?;
    }
    start(&ann).await?;
    for visitor in [&ann, &ben] {
        visitor.until("two at the table", "document.querySelectorAll('.person').length === 2").await?;
    }
    ann.until("Ann's move", "document.querySelector('.ct-board.is-open')").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_removed_is_told_so_and_is_offered_no_seat_until_one_is_added() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Phone).await?);
    let path = lay(&ann, &parlor, "roulette", json!({"throws": 1}), &[]).await?;
    join(&ben, &parlor, &path).await?;
    ann.click("[data-do=kick]").await?;
    let told =
        "document.querySelector('.removed[role=alert]')?.textContent.includes('removed you from this table')";
    ben.until("a word about it", told).await?;
    let offered = "document.querySelector('[data-do=join]')";
    assert!(!holds(&ben, offered).await?, "a seat is offered that would be refused");
    ben.fits().await?;
    ben.picture("room-removed").await?;
    ben.looks_through(1280, 800).await?;
    ben.pictures("room-removed-wide").await?;
    ben.driver.refresh().await?;
    ben.until("the same after a reload", told).await?;
    assert!(!holds(&ben, offered).await?);
    // Ann is told nothing of the kind, and adds a seat.
    assert!(!holds(&ann, "document.querySelector('.removed')").await?);
    ann.click(".seats + .btn").await?;
    ben.until("no more of it", "!document.querySelector('.removed')").await?;
    ben.click("[data-do=join]").await?;
    ann.until("Ben again", "document.querySelector('.seats').textContent.includes('Ben')").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_does_not_leave_a_game() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "contact", json!({})).await?;
    ben.sees(".table-main").await?;
    let path = is_at(&ben).await?;
    let given = "document.querySelector('.stand-in')";
    for way in ["stay", "escape", "back"] {
        ben.click("[data-do=leave]").await?;
        ben.until("the question", &open("leaving")).await?;
        nothing_comes().await;
        assert!(!holds(&ben, given).await?, "one click has left");
        assert!(!holds(&ann, "document.querySelector('.people .person-bot')").await?);
        match way {
            "stay" => {
                ben.picture("leaving").await?;
                keeps_the_keyboard(&ben).await?;
                ben.click("[data-do=stay]").await?;
            }
            "escape" => ben.types(ESCAPE).await?,
            _ => ben.driver.back().await?,
        }
        ben.until("the table alone", &format!("!{}", open("leaving"))).await?;
        assert!(!holds(&ben, given).await?, "{way} has left");
        assert_eq!(is_at(&ben).await?, path);
    }
    ben.click("[data-do=leave]").await?;
    ben.click("[data-do=leave-now]").await?;
    ben.sees(".stand-in").await?;
    ann.sees(".people .person-bot").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_rated_game_says_that_it_counts() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Phone).await?);
    let path = lay(&ann, &parlor, "contact", json!({}), &["rated"]).await?;
    join(&ben, &parlor, &path).await?;
    start(&ann).await?;
    ben.click(".side-open").await?;
    ben.click("[data-do=leave]").await?;
    ben.until("the question", &open("leaving")).await?;
    let says = ben.reads("dialog[open]").await?;
    assert!(says.contains("This game is rated") && says.contains("your rating"), "{says}");
    ben.fits().await?;
    ben.fingers_fit().await?;
    ben.picture("leaving-rated").await?;
    ben.taps("[data-do=stay]").await?;
    ben.until("the table alone", &format!("!{}", open("leaving"))).await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_does_not_close_a_table() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Phone).await?, Visitor::new(Screen::Wide).await?);
    let path = lay(&ann, &parlor, "contact", json!({}), &[]).await?;
    join(&ben, &parlor, &path).await?;
    for way in ["stay", "escape", "back"] {
        ann.click("[data-do=close]").await?;
        ann.until("the question", &open("closing")).await?;
        nothing_comes().await;
        assert!(holds(&ben, "document.querySelector('.invitation')").await?, "one click has closed it");
        match way {
            "stay" => {
                let says = ann.reads("dialog[open]").await?;
                assert!(says.contains("Close this table for everyone?"), "{says}");
                ann.fits().await?;
                ann.fingers_fit().await?;
                ann.picture("closing").await?;
                keeps_the_keyboard(&ann).await?;
                ann.taps("[data-do=stay]").await?;
            }
            "escape" => ann.types(ESCAPE).await?,
            _ => ann.driver.back().await?,
        }
        ann.until("the room alone", &format!("!{}", open("closing"))).await?;
        assert_eq!(is_at(&ann).await?, path);
        assert!(holds(&ben, "document.querySelector('.invitation')").await?, "{way} has closed it");
    }
    ann.click("[data-do=close]").await?;
    ann.taps("[data-do=close-now]").await?;
    for visitor in [&ann, &ben] {
        visitor
            .until("why it is gone", "document.body.textContent.includes('The host closed this table.')")
            .await?;
        assert_eq!(is_at(visitor).await?, path);
    }
    // The question has left no step behind: "back" leads to the box.
    ann.driver.back().await?;
    ann.until("the box", "location.pathname === '/box/contact'").await?;
    ann.leaves().await?;
    ben.leaves().await
}

/// The buttons beside the board of Contact: how far they stick out of their card, and where "Out and back" is.
const BUTTONS: &str = "const card = document.querySelector('.ct-strip').getBoundingClientRect(); \
    const boxes = [...document.querySelectorAll('.ct-acts .btn')].map(button => button.getBoundingClientRect()); \
    const out = Math.max(...boxes.map(box => Math.max(card.left - box.left, box.right - card.right, card.top - box.top, box.bottom - card.bottom))); \
    const text = Math.max(...[...document.querySelectorAll('.ct-acts .btn')].map(button => button.scrollWidth - button.clientWidth)); \
    const way = document.querySelector('[data-do=out-and-back]').getBoundingClientRect(); \
    return [boxes.length, out, text, way.x, way.y]";

async fn buttons(visitor: &Visitor) -> Result<[f64; 5], Trouble> {
    let told = visitor.ask(BUTTONS).await?;
    let number = |at: usize| told.get(at).and_then(Value::as_f64).ok_or("no buttons");
    Ok([number(0)?, number(1)?, number(2)?, number(3)?, number(4)?])
}

/// Picks a tile that may step out and back, with the mouse.
async fn picks_one_for_out_and_back(visitor: &Visitor) -> Done {
    visitor.sees(".ct-board.is-open").await?;
    let tiles =
        visitor.ask("return [...document.querySelectorAll('.ct-tile')].map(tile => tile.dataset.at)").await?;
    for at in tiles.as_array().cloned().unwrap_or_default() {
        let at = at.as_str().unwrap_or_default().to_owned();
        let place = visitor.middle(&format!("[data-at={at}]")).await?;
        for (kind, down) in [("mouseMoved", false), ("mousePressed", true), ("mouseReleased", false)] {
            visitor.mouse(kind, place, down).await?;
        }
        let picked = format!("document.querySelector('.ct-tile.is-picked')?.dataset.at === '{at}'");
        if holds(visitor, &picked).await? {
            if holds(visitor, "document.querySelector('[data-do=out-and-back]')").await? {
                return Ok(());
            }
            visitor.focuses(".ct-board").await?;
            visitor.types(ESCAPE).await?;
        }
    }
    Err("no tile can step out and back".into())
}

#[tokio::test(flavor = "multi_thread")]
async fn out_and_back_stays_under_the_mouse_and_is_clicked() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "contact", "around", json!({"first": "south"})).await?;
    for (moves, (width, height)) in (0..).zip([(1280, 800), (1024, 768), (800, 1100), (390, 844)]) {
        ann.looks_through(width, height).await?;
        picks_one_for_out_and_back(&ann).await?;
        let button = ann.middle("[data-do=out-and-back]").await?;
        let [count, out, text, x, y] = buttons(&ann).await?;
        assert!(
            count >= 3.0 && out <= 0.0 && text <= 0.0,
            "{width} wide: {count} buttons, {out} px out, {text} px of text"
        );
        ann.mouse("mouseMoved", button, false).await?;
        let foretold =
            "(says => says && !says.startsWith('From '))(document.querySelector('.ct-says p')?.textContent)";
        ann.until("what it would do", foretold).await?;
        let [_, out, _, now_x, now_y] = buttons(&ann).await?;
        assert_eq!((x, y), (now_x, now_y), "{width} wide: the button has run away");
        assert!(out <= 0.0, "{width} wide: {out} px out");
        ann.pictures(&format!("contact-out-and-back-{width}")).await?;
        ann.mouse("mousePressed", button, true).await?;
        ann.mouse("mouseReleased", button, false).await?;
        let made = format!("document.querySelectorAll('.ct-move').length === {}", moves + 1);
        ann.until("the move", &made).await?;
    }
    ann.leaves().await
}
