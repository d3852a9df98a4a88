//! The phones in the room come by plain HTTP to a name that is not this machine's own. Browsers take brotli only over a secure
//! connection, and have no service worker there.

use browser_tests::{Done, ELSEWHERE, Parlor, Screen, Trouble, Visitor, sit_down};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// One file as it came over the wire.
#[derive(Debug)]
struct Came {
    path: String,
    coding: String,
    bytes: u64,
}

impl Came {
    /// Whether it is this file, whatever its hash.
    fn is(&self, name: &str) -> bool {
        self.path.trim_start_matches('/').split('-').next() == Some(name)
    }

    /// Whether the server's page is made of it, and not an answer to a question.
    fn of_the_page(&self) -> bool {
        self.path == "/" || self.path.rsplit_once('-').is_some_and(|(_, hash)| hash.contains('.'))
    }
}

/// Everything that came since the page was asked for, once nothing has come for two seconds.
async fn came(ann: &Visitor) -> Result<Vec<Came>, Trouble> {
    let question = "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] \
        .map(file => [new URL(file.name).pathname, file.contentEncoding ?? '', file.encodedBodySize])";
    let (mut before, mut quiet) = (Value::Null, Instant::now());
    while quiet.elapsed() < Duration::from_secs(2) {
        let now = ann.ask(question).await?;
        if now != before {
            (before, quiet) = (now, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let files: Vec<(String, String, u64)> = serde_json::from_value(before)?;
    Ok(files.into_iter().map(|(path, coding, bytes)| Came { path, coding, bytes }).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shelf_is_small_without_brotli_and_a_game_comes_when_its_box_is_opened() -> Done {
    let parlor = Parlor::open()?.called(ELSEWHERE);
    let ann = Visitor::new(Screen::Phone).await?;
    ann.go(&parlor, "/").await?;
    ann.sees(".shelf").await?;
    let secure = ann.ask("return [isSecureContext, 'serviceWorker' in navigator]").await?;
    assert_eq!(secure, json!([false, false]), "nothing would be tested");
    let shelf = came(&ann).await?;
    for file in shelf.iter().filter(|file| file.of_the_page()) {
        assert_eq!(file.coding, "gzip", "{file:?}");
    }
    for piece in ["shared", "letters", "contact", "cubo", "roulette", "house"] {
        assert!(!shelf.iter().any(|file| file.is(piece)), "{piece} is not for the shelf: {shelf:?}");
    }
    let bytes: u64 = shelf.iter().map(|file| file.bytes).sum();
    println!("the shelf over plain HTTP: {bytes} bytes in {} files", shelf.len());
    assert!(shelf.iter().any(|file| file.is("app")) && bytes > 10_000, "{shelf:?}");
    // The page of a debug build is many times larger; how it is sent and when is the same.
    assert!(bytes <= 320 * 1024 || !Parlor::is_optimised()?, "{bytes} bytes: {shelf:?}");
    ann.click(".box[data-game=contact]").await?;
    ann.sees(".ways").await?;
    let then = came(&ann).await?;
    for piece in ["shared", "contact"] {
        assert!(then.iter().any(|file| file.is(piece) && file.coding == "gzip"), "{piece}: {then:?}");
    }
    assert!(!then.iter().any(|file| file.is("cubo")), "{then:?}");
    let bytes: u64 = then.iter().map(|file| file.bytes).sum();
    println!("with the box of Contact: {bytes} bytes in {} files", then.len());
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_play_online_at_a_name_over_plain_http() -> Done {
    let parlor = Parlor::open()?.called(ELSEWHERE);
    let (ann, ben) = sit_down(&parlor, "roulette", json!({"throws": 1, "window": 600})).await?;
    for visitor in [&ann, &ben] {
        visitor.until("bets to open", "document.querySelector('[data-do=ready]:not([disabled])')").await?;
        visitor.focuses("#typed-bet").await?;
        visitor.types("red=10\u{e007}").await?;
        visitor.until("the chips", "document.querySelector('.stack.is-own')").await?;
        visitor.click("[data-do=ready]").await?;
    }
    for visitor in [&ann, &ben] {
        visitor.sees(".results").await?;
    }
    ann.leaves().await?;
    ben.leaves().await
}

/// The sentence of the shelf about being without a network, as it is seen.
async fn without_a_network(ann: &Visitor, parlor: &Parlor) -> Result<String, Trouble> {
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    let settled = "document.documentElement.dataset.kept === 'no' || navigator.serviceWorker?.controller";
    ann.until("word whether the page is kept", settled).await?;
    let seen = "return [...document.querySelectorAll('.foot-kept, .foot-not-kept')] \
        .filter(says => says.checkVisibility()).map(says => says.textContent).join('|')";
    Ok(ann.ask(seen).await?.as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_browser_may_not_keep_the_page_the_shelf_says_so() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    let kept = without_a_network(&ann, &parlor).await?;
    assert!(kept.ends_with("works without a network too."), "{kept}");
    let parlor = parlor.called(ELSEWHERE);
    let not_kept = without_a_network(&ann, &parlor).await?;
    assert!(not_kept.contains("can't keep Parlor") && !not_kept.contains("network too"), "{not_kept}");
    ann.picture("plain-not-kept").await?;
    ann.leaves().await
}
