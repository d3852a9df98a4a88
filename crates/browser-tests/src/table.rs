//! The way to a table: on this screen, or with a link.

use crate::{Parlor, Screen, Trouble, Visitor};
use serde_json::Value;

/// Opens a box and starts a table on this screen.
pub async fn begin(
    visitor: &Visitor,
    parlor: &Parlor,
    game: &str,
    way: &str,
    options: Value,
) -> Result<(), Trouble> {
    visitor.go(parlor, "/").await?;
    visitor.sees(".shelf").await?;
    visitor.remembers(&format!("parlor.options.{game}"), &options).await?;
    visitor.go(parlor, &format!("/box/{game}")).await?;
    visitor.click(&format!("[data-way={way}]")).await?;
    visitor.sees(".table-main").await
}

/// Ann lays a table on the server, Ben comes by the link, and they start.
pub async fn sit_down(parlor: &Parlor, game: &str, options: Value) -> Result<(Visitor, Visitor), Trouble> {
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
    ben.click("[data-do=join]").await?;
    ben.focuses("#your-name").await?;
    ben.types("Ben\u{e007}").await?;
    ben.click("[data-do=ready]").await?;
    let ready = "(seats => seats.includes('Ben') && !seats.includes('not ready'))(document.querySelector('.seats').textContent)";
    ann.until("Ben to be ready", ready).await?;
    ann.click("[data-do=start]").await?;
    Ok((ann, ben))
}
