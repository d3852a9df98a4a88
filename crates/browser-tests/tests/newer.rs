//! A page that is older than its server: what more the server says is passed over, and what cannot be read is told.

use browser_tests::{Done, Parlor, sit_down};
use serde_json::json;

/// A field more in every object of a message.
const MORE: &str = "message => {
    const more = value => Array.isArray(value) ? value.map(more)
        : value && typeof value === 'object'
            ? {...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, more(inner)])), surprise: {from: 'later'}}
            : value;
    return more(message);
}";

/// Views without what they cannot do without.
const LESS: &str = "message => { delete message.public?.chips; return message; }";

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_plays_on_with_a_server_that_says_more_and_asks_for_a_reload_when_it_must() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 2, "window": 600})).await?;
    ann.hears(MORE).await?;
    ben.hears(LESS).await?;
    ann.driver.refresh().await?;
    ben.driver.refresh().await?;
    ann.until("bets to open", "document.querySelector('[data-do=ready]:not([disabled])')").await?;
    ann.focuses("#typed-bet").await?;
    ann.types("red=10 15=1\u{e007}").await?;
    ann.until("the chips", "document.querySelectorAll('.stack.is-own').length === 2").await?;
    ben.until(
        "the way on",
        "document.querySelector('.kindly .btn-main')?.textContent.includes('Load again')",
    )
    .await?;
    ben.picture("unreadable").await?;
    let says = ben.reads(".kindly").await?;
    assert!(says.contains("newer") && says.contains("load the page again"), "{says}");
    ann.leaves().await?;
    ben.leaves().await
}
