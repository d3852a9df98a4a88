//! A house in a folder of its server: two people play by a link, and the page is kept for when there is no network.

use browser_tests::{Done, Parlor, Screen, Visitor, join, lay, start};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn two_play_in_a_folder_and_the_page_comes_back_without_a_network() -> Done {
    let mut parlor = Parlor::with(&["--base-path", "/games"])?;
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Wide).await?);
    let path = lay(&ann, &parlor, "roulette", json!({"throws": 1, "window": 600}), &[]).await?;
    let link = format!("document.querySelector('#table-link').value === location.origin + '/games{path}'");
    ann.until("an invitation into the folder", &link).await?;
    join(&ben, &parlor, &path).await?;
    start(&ann).await?;
    for visitor in [&ann, &ben] {
        visitor.until("its place in the folder", "location.pathname.startsWith('/games/table/')").await?;
        visitor.until("bets to open", "document.querySelector('[data-do=ready]:not([disabled])')").await?;
        visitor.focuses("#typed-bet").await?;
        visitor.types("red=10\u{e007}").await?;
        visitor.until("the chips", "document.querySelector('.stack.is-own')").await?;
        visitor.click("[data-do=ready]").await?;
    }
    for visitor in [&ann, &ben] {
        visitor.sees(".results").await?;
    }
    let cookies = ann.driver.get_all_cookies().await?;
    assert!(cookies.iter().all(|cookie| cookie.path.as_deref() == Some("/games")), "{cookies:?}");
    // A link of the page stays in the folder, and so does a link that is opened by itself.
    ann.click(".results a[href^='./replay']").await?;
    ann.until("the replay", "location.pathname.startsWith('/games/replay/')").await?;
    ann.click(".bar a[href='./']").await?;
    ann.until("the shelf", "location.pathname === '/games/'").await?;
    let link = "document.querySelector('.box[data-game=cubo]').href === `${location.origin}/games/box/cubo`";
    ann.until("a link that leads into the folder", link).await?;
    ann.until("the service worker", "navigator.serviceWorker.controller").await?;
    let scope = "const done = arguments[arguments.length - 1]; \
        navigator.serviceWorker.getRegistration().then(found => done(new URL(found.scope).pathname))";
    assert_eq!(ann.driver.execute_async(scope, Vec::new()).await?.json(), &json!("/games/"));
    parlor.kill()?;
    ann.go(&parlor, "/learn/cubo").await?;
    ann.sees(".lesson, main h1").await?;
    ann.until("the lesson of Cubo", "document.title.includes('Cubo')").await?;
    ann.leaves().await?;
    ben.leaves().await
}
