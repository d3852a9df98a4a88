//! The way to a table: on this screen, or with a link.

use crate::{Parlor, Screen, Trouble, Visitor};
use serde_json::{Value, json};

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
    let path = lay(&ann, parlor, game, options, &[]).await?;
    join(&ben, parlor, &path).await?;
    start(&ann).await?;
    Ok((ann, ben))
}

/// Who comes, in the order of the seats.
pub const NAMES: [&str; 3] = ["Ann", "Ben", "Cid"];

/// As many people as screens sit down at a table on the server, and the first of them starts the game. Answers the way to
/// the table, too.
pub async fn gather(
    parlor: &Parlor,
    game: &str,
    options: Value,
    screens: &[Screen],
) -> Result<(Vec<Visitor>, String), Trouble> {
    let ann = Visitor::new(screens[0]).await?;
    let path = lay(&ann, parlor, game, options, &[]).await?;
    let mut all = vec![ann];
    for (at, screen) in screens.iter().enumerate().skip(1) {
        if at > 1 {
            all[0].click(".seats + .btn").await?;
        }
        let visitor = Visitor::new(*screen).await?;
        join_as(&visitor, parlor, &path, NAMES[at]).await?;
        all.push(visitor);
    }
    start_with(&all[0], &NAMES[1..all.len()]).await?;
    Ok((all, path))
}

/// Ann lays a table on the server, with some switches turned; answers the way there.
pub async fn lay(
    ann: &Visitor,
    parlor: &Parlor,
    game: &str,
    options: Value,
    switches: &[&str],
) -> Result<String, Trouble> {
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    ann.remembers(&format!("parlor.options.{game}"), &options).await?;
    ann.go(parlor, &format!("/box/{game}")).await?;
    for switch in switches {
        ann.click(&format!("input[name={switch}]")).await?;
    }
    ann.click("[data-way=link]").await?;
    ann.focuses("#your-name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.sees(".invitation").await?;
    ann.picture(&format!("gathering-{game}")).await?;
    // From where the house begins.
    let path = "return location.pathname.slice(new URL(document.baseURI).pathname.length - 1)";
    Ok(ann.ask(path).await?.as_str().unwrap_or_default().to_owned())
}

/// Ben comes by the link, sits down and is ready.
pub async fn join(ben: &Visitor, parlor: &Parlor, path: &str) -> Result<(), Trouble> {
    join_as(ben, parlor, path, "Ben").await
}

async fn join_as(visitor: &Visitor, parlor: &Parlor, path: &str, name: &str) -> Result<(), Trouble> {
    visitor.go(parlor, path).await?;
    visitor.click("[data-do=join]").await?;
    visitor.focuses("#your-name").await?;
    visitor.types(&format!("{name}\u{e007}")).await?;
    visitor.click("[data-do=ready]").await
}

/// Ann starts the game as soon as Ben is ready.
pub async fn start(ann: &Visitor) -> Result<(), Trouble> {
    start_with(ann, &["Ben"]).await
}

async fn start_with(ann: &Visitor, others: &[&str]) -> Result<(), Trouble> {
    let ready = format!(
        "(seats => {}.every(name => seats.includes(name)) && !seats.includes('not ready'))(document.querySelector('.seats').textContent)",
        json!(others)
    );
    ann.until("the others to be ready", &ready).await?;
    ann.click("[data-do=start]").await
}
