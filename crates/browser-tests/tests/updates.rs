//! A newer program is started, and with it comes a newer page: what visitors hear of it, and what they keep.

use browser_tests::{Done, Parlor, Screen, Trouble, Updates, Visitor, begin};
use serde_json::{Value, json};
use std::time::Duration;

/// Whether the page has offered a newer one.
const TOLD: &str = "[...document.querySelectorAll('[role=status]')].some(says => says.textContent.includes('A newer Parlor is here'))";

/// Asks the page something that it has to wait for.
async fn awaits(ann: &Visitor, question: &str) -> Result<Value, Trouble> {
    let script = format!("const done = arguments[arguments.length - 1]; ({question}).then(done)");
    Ok(ann.driver.execute_async(&script, Vec::new()).await?.json().clone())
}

/// Waits until the worker of a newer page is there and waits for its turn.
async fn worker_waits(ann: &Visitor) -> Done {
    awaits(ann, "navigator.serviceWorker.getRegistration().then(found => { window.found = found; })").await?;
    ann.until("the newer worker", "window.found.waiting").await
}

/// The shelves that the worker keeps pages on.
async fn shelves(ann: &Visitor) -> Result<Vec<String>, Trouble> {
    let names =
        awaits(ann, "caches.keys().then(names => names.filter(name => name.startsWith('parlor-')))").await?;
    Ok(serde_json::from_value(names)?)
}

/// The word lists that are kept, wherever they lie.
async fn lists(ann: &Visitor) -> Result<Vec<String>, Trouble> {
    let all = "caches.keys().then(names => Promise.all(names.map(async name => (await caches.open(name)).keys()))) \
        .then(all => all.flat().map(request => new URL(request.url).pathname).filter(path => path.endsWith('.words')))";
    Ok(serde_json::from_value(awaits(ann, all).await?)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_page_that_was_left_open_is_told_of_a_newer_one() -> Done {
    let mut parlor = Parlor::open()?;
    let updates = Updates::before(&mut parlor)?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.until("the service worker", "navigator.serviceWorker.controller").await?;
    updates.page();
    let left = ann.driver.window().await?;
    let fresh = ann.driver.new_tab().await?;
    ann.driver.switch_to_window(fresh.clone()).await?;
    ann.go(&parlor, "/").await?;
    ann.sees(".shelf").await?;
    worker_waits(&ann).await?;
    ann.driver.switch_to_window(left).await?;
    ann.until("word of a newer page", TOLD).await?;
    ann.picture("newer-page").await?;
    // Who has come to the newer page has nothing to hear, however often it is loaded.
    ann.driver.switch_to_window(fresh).await?;
    for _ in 0..2 {
        assert_eq!(ann.ask(&format!("return {TOLD}")).await?, json!(false), "this is the newer page");
        ann.go(&parlor, "/").await?;
        ann.sees(".shelf").await?;
        worker_waits(&ann).await?;
        // Long enough for an answer of the worker.
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    assert_eq!(ann.ask(&format!("return {TOLD}")).await?, json!(false), "this is the newer page");
    // A page that nobody loads again looks for itself when somebody looks at it.
    updates.page();
    ann.ask("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))").await?;
    ann.until("word of a still newer page", TOLD).await?;
    ann.leaves().await
}

/// Takes the update that is there: leaves, and comes back until the older page is gone for good.
async fn takes_update(ann: &Visitor, parlor: &Parlor) -> Done {
    let before = shelves(ann).await?;
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    worker_waits(ann).await?;
    for _ in 0..60 {
        ann.driver.goto("about:blank").await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
        ann.go(parlor, "/").await?;
        ann.sees(".shelf").await?;
        let now = shelves(ann).await?;
        if now.len() == 1 && now != before {
            return Ok(());
        }
    }
    Err(format!("the older page stays: {:?}", shelves(ann).await?).into())
}

/// Without a network the dictionary is there: a word is known.
async fn knows_its_words_alone(ann: &Visitor, parlor: &mut Parlor) -> Done {
    parlor.kill()?;
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    let there = awaits(ann, "fetch(parlor.words).then(list => list.ok, () => false)").await?;
    assert_eq!(there, json!(true), "the word list is gone; kept are {:?}", lists(ann).await?);
    let dice: Vec<String> = "DT!AEHS".chars().map(|face| face.to_string().repeat(6)).collect();
    let options = json!({"rounds": 1, "set": {"name": "fixed", "dice": dice}});
    begin(ann, parlor, "iqubes", "alone", options).await?;
    ann.click("[data-do=throw]").await?;
    ann.until("the sheet", "document.activeElement.matches('.lt-grid')").await?;
    ann.types("dash").await?;
    ann.sees(".lt-word.is-good").await?;
    parlor.reopen()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_word_list_outlives_an_update_and_goes_when_a_newer_one_is_there() -> Done {
    let mut parlor = Parlor::open()?;
    let updates = Updates::before(&mut parlor)?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.until("the service worker", "navigator.serviceWorker.controller").await?;
    begin(&ann, &parlor, "scribbage", "alone", json!({})).await?;
    ann.sees("[data-do=throw]").await?;
    let first = lists(&ann).await?;
    assert_eq!(first.len(), 1, "{first:?}");
    updates.page();
    takes_update(&ann, &parlor).await?;
    knows_its_words_alone(&ann, &mut parlor).await?;
    assert_eq!(lists(&ann).await?, first);
    updates.page_and_list();
    takes_update(&ann, &parlor).await?;
    knows_its_words_alone(&ann, &mut parlor).await?;
    let then = lists(&ann).await?;
    assert!(then.len() == 1 && then != first, "{first:?} became {then:?}");
    ann.leaves().await
}
