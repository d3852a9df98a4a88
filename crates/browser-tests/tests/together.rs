//! Two browsers at one table on the server.

use browser_tests::{Done, Parlor, Screen, Visitor, join, lay, sit_down};
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_dice_roulette_to_the_end_and_once_more() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    for throw in 0..2 {
        for visitor in [&ann, &ben] {
            visitor
                .until("bets to open", "document.querySelector('[data-do=ready]:not([disabled])')")
                .await?;
            visitor.focuses("#typed-bet").await?;
            visitor.types("red=10 15=1\u{e007}").await?;
            visitor.until("the chips", "document.querySelectorAll('.stack.is-own').length === 2").await?;
        }
        if throw == 0 {
            ann.until("Ben's chips", "document.querySelector('.stack.is-other')").await?;
            ann.picture("roulette-together").await?;
            ann.postcard("roulette").await?;
        }
        ann.click("[data-do=ready]").await?;
        ben.click("[data-do=ready]").await?;
    }
    ann.sees(".results").await?;
    ben.sees(".results").await?;
    ann.click("[data-do=rematch]").await?;
    ann.sees(".invitation").await?;
    ben.until("the next game", "document.querySelector('.results a[data-do=rematch]')").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn three_people_play_at_two_screens() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Wide).await?);
    let options = json!({"throws": 1, "window": 600});
    let path = lay(&ann, &parlor, "roulette", options, &[]).await?;
    join(&ben, &parlor, &path).await?;
    ann.click(".seats + .btn").await?;
    ben.click("[data-do=beside]").await?;
    ben.focuses("#beside").await?;
    ben.types("Zoe\u{e007}").await?;
    let seats = |what: &str| format!("document.querySelector('.seats').textContent.{what}");
    ben.until("Zoe", &seats("includes('Zoe')")).await?;
    ben.picture("beside").await?;
    // Ben was ready, and is not while somebody beside him is not.
    ben.click("[data-do=ready]").await?;
    ann.until("all three", &seats("match(/ready/g)?.length === 3 && !document.querySelector('.seats').textContent.includes('not ready')")).await?;
    ann.click("[data-do=start]").await?;
    // Ben's screen passes from him to Zoe.
    for name in ["Ben", "Zoe"] {
        let turn = format!(
            "document.querySelector('.person-pick[aria-pressed=true]')?.textContent.includes('{name}')"
        );
        ben.until(&format!("{name}'s hand"), &turn).await?;
        ben.click("[data-do=ready]:not([disabled])").await?;
    }
    ann.click("[data-do=ready]").await?;
    for visitor in [&ann, &ben] {
        visitor.until("three places", "document.querySelectorAll('.results .place').length === 3").await?;
    }
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_is_killed_in_the_middle_and_nothing_is_lost() -> Done {
    let mut parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    ann.focuses("#typed-bet").await?;
    ann.types("red=10\u{e007}").await?;
    ann.until("the chips", "document.querySelectorAll('.stack.is-own').length === 1").await?;
    parlor.kill()?;
    ann.sees(".lost").await?;
    // What is done while the line is lost is done when it is back.
    ann.focuses("#typed-bet").await?;
    ann.types("black=5\u{e007}").await?;
    parlor.reopen()?;
    ann.until(
        "both bets",
        "document.querySelectorAll('.stack.is-own').length === 2 && !document.querySelector('.lost')",
    )
    .await?;
    ben.until("Ben sees them too", "document.querySelectorAll('.stack.is-other').length === 2").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_loaded_again_in_the_middle_of_a_turn_finds_everything_as_it_was() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 1, "window": 600})).await?;
    ann.focuses("#typed-bet").await?;
    ann.types("red=10 15=1\u{e007}").await?;
    ann.until("the chips", "document.querySelectorAll('.stack.is-own').length === 2").await?;
    ann.driver.refresh().await?;
    ann.until("the chips again", "document.querySelectorAll('.stack.is-own').length === 2").await?;
    // She is who she was, and her turn goes on.
    ann.focuses("#typed-bet").await?;
    ann.types("black=5\u{e007}").await?;
    for (visitor, whose) in [(&ann, "own"), (&ben, "other")] {
        let chips = format!("document.querySelectorAll('.stack.is-{whose}').length === 3");
        visitor.until("the third bet", &chips).await?;
    }
    for visitor in [&ann, &ben] {
        visitor.click("[data-do=ready]").await?;
    }
    ann.sees(".results").await?;
    ben.sees(".results").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_race_through_a_whole_game_of_cubo() -> Done {
    let parlor = Parlor::open()?;
    let clocks = json!({"clocks/pause": 1, "clocks/round": 600, "clocks/countdown": 60, "clocks/take": 60, "clocks/exchange": 60});
    let (ann, ben) = sit_down(&parlor, "cubo", clocks).await?;
    for round in 1..=6 {
        let thrown = format!(
            "document.querySelector('[data-do=call]') && document.querySelector('.centre-says').textContent.startsWith('Round {round} ')"
        );
        for visitor in [&ann, &ben] {
            visitor.until("the throw", &thrown).await?;
            visitor.focuses(".hand").await?;
            visitor.types("1q2w3e4a5d6z7x8c").await?;
            visitor.click("[data-do=call]").await?;
            visitor.click(".centre-die").await?;
        }
        if round == 1 {
            ann.picture("cubo-together").await?;
        }
        // Whoever's turn it is to count keeps the dice as they are.
        let over = format!(
            "document.querySelector('[data-do=keep]')?.click(); \
             return !!document.querySelector('.results') || document.querySelector('.centre-says').textContent.startsWith('Round {} ')",
            round + 1
        );
        // Both are asked each time: either may have to count before the other can go on.
        for look in 0.. {
            if [ann.ask(&over).await?, ben.ask(&over).await?] == [true, true] {
                break;
            }
            assert!(look < 1000, "round {round} does not end");
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
    ann.sees(".results").await?;
    ben.sees(".results").await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_name_sees_public_tables_come_and_go_watches_and_is_asked_when_he_sits_down() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Wide).await?);
    ben.go(&parlor, "/").await?;
    ben.sees(".shelf").await?;
    ann.go(&parlor, "/box/roulette").await?;
    ann.click("[data-way=link] ~ .way-more [name=public]").await?;
    ann.click("[data-way=link]").await?;
    ann.focuses("#your-name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.sees(".invitation").await?;
    // Ben's shelf was open before: he hears of the table, and looks in without a word about himself.
    ben.sees("#public").await?;
    ben.picture("home-public").await?;
    ben.click("#public + .tables .ticket-go").await?;
    ben.sees("[data-do=join]").await?;
    assert_eq!(ben.ask("return !document.querySelector('#your-name')").await?, true);
    // A second thought: he goes back to the shelf, and the name he might have given is not asked for there.
    ben.click("[data-do=join]").await?;
    ben.sees("#your-name").await?;
    ben.picture("gathering-name").await?;
    ben.click(".bar a[href='/']").await?;
    ben.sees("#public").await?;
    ben.click("#public + .tables .ticket-go").await?;
    ben.click("[data-do=join]").await?;
    ben.focuses("#your-name").await?;
    ben.types("Ben\u{e007}").await?;
    ann.until("Ben on his seat", "document.querySelector('.seats').textContent.includes('Ben')").await?;
    // Once closed, the table leaves the shelf of whoever looks at it.
    let cid = Visitor::new(Screen::Phone).await?;
    cid.go(&parlor, "/").await?;
    cid.sees("#public").await?;
    cid.picture("home-public").await?;
    ann.click("[data-do=close]").await?;
    ann.click("[data-do=close-now]").await?;
    cid.until("no more tables", "!document.querySelector('#public')").await?;
    ann.leaves().await?;
    ben.leaves().await?;
    cid.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gets_up_leaves_the_seat_to_a_bot_and_takes_it_back() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "contact", json!({})).await?;
    ben.sees(".table-main").await?;
    ben.click("[data-do=leave]").await?;
    ben.click("[data-do=leave-now]").await?;
    ben.sees(".stand-in").await?;
    ann.until("a bot in Ben's seat", "document.querySelector('.people .person-bot')").await?;
    ben.picture("stand-in").await?;
    // What he finds when he comes back, to this page or another.
    ben.driver.refresh().await?;
    ben.click("[data-do=back]").await?;
    let back = "!document.querySelector('.stand-in') && !document.querySelector('.people .person-bot')";
    ben.until("the seat again", back).await?;
    ann.until("Ben himself", "!document.querySelector('.people .person-bot')").await?;
    ann.leaves().await?;
    ben.leaves().await
}

/// The seconds that a page shows.
const LEFT: &str = "parseInt(document.querySelector('.clock').ariaLabel)";
/// From now on the page's steady clock is late by the time that the machine slept.
const SLEEPY: &str = "window.slept = 0; const now = performance.now.bind(performance); performance.now = () => now() + 1e6 - window.slept";
/// From now on nothing is said and no socket is opened while the line is dead. That it is dead, nobody is told.
const MORTAL: &str = "const send = WebSocket.prototype.send, Real = WebSocket; \
    WebSocket.prototype.send = function (text) { if (!window.dead) send.call(this, text); }; \
    window.WebSocket = function (url) { if (window.dead) throw new Error('no network'); return new Real(url); }";
/// Whether anybody looks at the page, as the page is told it.
const SIGHT: &str = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => !window.looks}); \
    document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))";

/// Somebody looks at the page, or elsewhere.
async fn looks(visitor: &Visitor, here: bool) -> Done {
    visitor.ask(&format!("window.looks = {here}; {SIGHT}")).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_is_right_after_a_sleep_of_the_machine_and_of_the_server() -> Done {
    let mut parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    ann.sees(".clock").await?;
    // A page that has been open for long: its clock is far from nought, and what it waits for by it is asked for anew.
    ann.ask(SLEEPY).await?;
    looks(&ann, true).await?;
    ann.until("the time of a page that is long open", &format!("{LEFT} > 500 && {LEFT} <= 600")).await?;
    // The line outlives the sleep.
    ann.ask("window.slept = 120000").await?;
    looks(&ann, true).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    ann.until("the right time", &format!("{LEFT} <= 600")).await?;
    // It does not, and nothing was missed.
    parlor.kill()?;
    ann.sees(".lost").await?;
    // Who wakes looks at the page: what the line waited for was reckoned by a clock that has stood.
    ann.ask("window.slept = 240000").await?;
    looks(&ann, true).await?;
    ann.until("the wrong time", &format!("{LEFT} > 650")).await?;
    parlor.reopen()?;
    ann.until("the right time again", &format!("!document.querySelector('.lost') && {LEFT} <= 600")).await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_line_is_noticed_and_what_was_missed_is_told_at_the_right_time() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    ann.sees(".clock").await?;
    ann.ask(MORTAL).await?;
    ann.ask("window.dead = true").await?;
    ann.sees(".lost").await?;
    ben.focuses("#typed-bet").await?;
    ben.types("red=10\u{e007}").await?;
    ben.until("the chips", "document.querySelectorAll('.stack.is-own').length === 1").await?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    ann.ask("window.dead = false; window.dispatchEvent(new Event('online'))").await?;
    let back =
        "!document.querySelector('.lost') && document.querySelectorAll('.stack.is-other').length === 1";
    ann.until("the line and Ben's chips", back).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (hers, his) = (ann.ask(&format!("return {LEFT}")).await?, ben.ask(&format!("return {LEFT}")).await?);
    let apart = hers.as_i64().zip(his.as_i64()).map(|(hers, his)| (hers - his).abs());
    assert!(apart.is_some_and(|apart| apart <= 2), "Ann has {hers} s left, Ben {his} s");
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_elsewhere_is_beckoned_when_it_is_their_turn() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 3, "window": 600})).await?;
    let open = "document.querySelector('[data-do=ready]:not([disabled])')";
    let marked = "document.title === '● Your turn · At the table · Parlor'";
    let plain = "document.title === 'At the table · Parlor'";
    let notes = "window.notes = []; const make = BaseAudioContext.prototype.createOscillator; \
        BaseAudioContext.prototype.createOscillator = function () { const note = make.call(this); window.notes.push(note); return note; }";
    ann.ask(notes).await?;
    for throw in 0..2 {
        for visitor in [&ann, &ben] {
            visitor.until("bets to open", open).await?;
        }
        ann.until("a plain title", plain).await?;
        ann.click("[data-do=ready]").await?;
        ann.until("Ben to be awaited alone", "document.querySelectorAll('.person.is-awaited').length === 1")
            .await?;
        looks(&ann, false).await?;
        ben.click("[data-do=ready]").await?;
        ann.until("a mark in the title", marked).await?;
        assert_eq!(ben.ask(&format!("return {plain}")).await?, true, "Ben has looked on all the time");
        let bells =
            ann.ask("return window.notes.filter(note => note.frequency.value === 1175).length").await?;
        assert_eq!(bells, throw + 1);
        // She looks; the other time she lets the turn pass, from another place.
        if throw == 0 {
            looks(&ann, true).await?;
        } else {
            ann.until("bets to open", open).await?;
            ann.click("[data-do=ready]").await?;
        }
        ann.until("the plain title again", plain).await?;
    }
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_cannot_be_laid_says_so_and_is_not_laid_behind_ones_back() -> Done {
    let mut parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.sees(".shelf").await?;
    let name = "fetch('/api/me', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{\"name\":\"Ann\"}'}).then(() => window.named = true)";
    ann.ask(name).await?;
    ann.until("a name", "window.named").await?;
    ann.go(&parlor, "/box/roulette").await?;
    ann.sees("[data-way=link]").await?;
    parlor.kill()?;
    ann.click("[data-way=link]").await?;
    ann.until("a word", "document.querySelector('.way .lost')?.textContent.includes('cannot be reached')")
        .await?;
    ann.fits().await?;
    ann.picture("box-offline").await?;
    // A second thought: she goes, and the server comes back.
    ann.click(".bar a[href='/']").await?;
    ann.sees(".shelf").await?;
    parlor.reopen()?;
    ann.click(".box[data-game=roulette]").await?;
    ann.click("[data-way=link]").await?;
    ann.sees(".invitation").await?;
    ann.ask("fetch('/api/me').then(answer => answer.json()).then(me => window.tables = me.tables.length)")
        .await?;
    ann.until("her tables", "window.tables").await?;
    assert_eq!(ann.ask("return window.tables").await?, 1);
    // The connection is lost before the game.
    parlor.kill()?;
    ann.sees(".lost").await?;
    assert_eq!(ann.reads(".lost").await?, "Connection lost. Reconnecting…");
    ann.fits().await?;
    ann.picture("gathering-offline").await?;
    parlor.reopen()?;
    ann.until("the line", "document.querySelector('.invitation') && !document.querySelector('.lost')")
        .await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_copied_over_plain_http_too_or_selected_for_whoever_copies_it() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/box/cubo").await?;
    ann.click("[data-way=link]").await?;
    ann.focuses("#your-name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.sees(".invitation").await?;
    // Over plain http, and not on this machine, a page has no clipboard.
    ann.ask("Object.defineProperty(navigator, 'clipboard', {configurable: true, value: undefined})").await?;
    ann.ask("document.execCommand = what => { window.copied = what === 'copy' && getSelection().toString(); return true; }")
        .await?;
    ann.click(".invitation button").await?;
    ann.until("the link", "window.copied === location.href").await?;
    ann.until("a word", "document.querySelector('.notice')?.textContent.includes('is copied')").await?;
    assert_eq!(ann.ask("return document.activeElement.textContent").await?, "Copy");
    ann.ask("document.execCommand = () => false").await?;
    ann.click(".invitation button").await?;
    ann.until("a word", "document.querySelector('.notice')?.textContent.includes('Select the link')").await?;
    ann.until("the link selected", "getSelection().toString() === location.href").await?;
    ann.leaves().await
}
