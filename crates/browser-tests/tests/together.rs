//! Two browsers at one table on the server.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor};
use serde_json::json;

/// Ann lays a table, Ben comes by the link, and they start.
async fn sit_down(
    parlor: &Parlor,
    game: &str,
    options: serde_json::Value,
) -> Result<(Visitor, Visitor), Trouble> {
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Wide).await?);
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    ann.remembers(&format!("parlor.options.{game}"), &options).await?;
    ann.go(parlor, &format!("/box/{game}")).await?;
    ann.click("[data-way=link]").await?;
    ann.focuses("#your-name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.sees(".invitation").await?;
    ann.picture(&format!("gathering-{game}")).await?;
    let path = ann.ask("return location.pathname").await?.as_str().unwrap_or_default().to_owned();
    ben.go(parlor, &path).await?;
    ben.focuses("#your-name").await?;
    ben.types("Ben\u{e007}").await?;
    ben.click("[data-do=join]").await?;
    ben.click("[data-do=ready]").await?;
    ann.until("Ben to be ready", "!document.querySelector('.seats').textContent.includes('not ready') && document.querySelector('.seats').textContent.includes('Ben')").await?;
    ann.click("[data-do=start]").await?;
    Ok((ann, ben))
}

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
        }
        ann.click("[data-do=ready]").await?;
        ben.click("[data-do=ready]").await?;
    }
    ann.sees(".results").await?;
    ben.sees(".results").await?;
    ann.click("[data-do=rematch]").await?;
    ann.sees(".invitation").await?;
    ben.until("the next game", "document.querySelector('a.notice')").await?;
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
