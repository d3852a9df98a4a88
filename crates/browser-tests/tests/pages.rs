//! Every page at every size, by day and by night: nothing scrolls sideways, everything has a name for a screen reader and
//! room for a finger, and a picture of each is kept under `target/screens`.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin};
use serde_json::json;

/// From the smallest phone to the largest screen.
const SIZES: [(u32, u32); 4] = [(320, 640), (390, 844), (1280, 800), (3840, 2160)];

/// What must hold on the page that is open, at every size, and a picture by day and by night.
async fn holds(ann: &Visitor, name: &str) -> Done {
    for (width, height) in SIZES {
        ann.looks_through(width, height).await?;
        ann.fits().await.map_err(|trouble| format!("{name} at {width}: {trouble}"))?;
        if width < 700 {
            ann.fingers_fit().await.map_err(|trouble| format!("{name} at {width}: {trouble}"))?;
        }
        for scheme in ["light", "dark"] {
            ann.wishes(scheme).await?;
            ann.pictures(&format!("{name}-{width}x{height}-{scheme}")).await?;
        }
    }
    ann.looks_through(1280, 800).await?;
    speaks(ann, name).await
}

/// The page as a screen reader has it: landmarks, a live region, and no control without a name.
async fn speaks(ann: &Visitor, name: &str) -> Done {
    let tree = ann.tree().await?;
    let has = |role: &str| tree.iter().any(|(found, _)| found == role);
    for role in ["main", "banner", "status"] {
        assert!(has(role), "{name} has no {role}: {tree:?}");
    }
    let controls = ["button", "link", "textbox", "switch", "combobox", "spinbutton", "slider", "application"];
    let nameless: Vec<_> =
        tree.iter().filter(|(role, name)| controls.contains(&&**role) && name.is_empty()).collect();
    assert!(nameless.is_empty(), "{name}: {nameless:?}");
    let live = "document.querySelectorAll('[aria-live=polite], [role=status]').length";
    assert!(ann.ask(&format!("return {live}")).await?.as_u64() >= Some(1), "{name} has no live region");
    Ok(())
}

/// The games on the shelf.
async fn shelf(ann: &Visitor, parlor: &Parlor) -> Result<Vec<String>, Trouble> {
    ann.go(parlor, "/").await?;
    ann.sees(".shelf").await?;
    let games = ann.ask("return [...document.querySelectorAll('.box')].map(box => box.dataset.game)").await?;
    let games = games.as_array().cloned().unwrap_or_default();
    Ok(games.iter().filter_map(|game| game.as_str().map(str::to_owned)).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shelf_every_box_and_every_lesson_hold_at_every_size() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    let games = shelf(&ann, &parlor).await?;
    holds(&ann, "home").await?;
    for game in &games {
        ann.go(&parlor, &format!("/box/{game}")).await?;
        ann.sees(".ways").await?;
        ann.click("details.options > summary").await?;
        holds(&ann, &format!("box-{game}")).await?;
        ann.go(&parlor, &format!("/learn/{game}")).await?;
        ann.sees(".lesson").await?;
        holds(&ann, &format!("learn-{game}")).await?;
    }
    ann.go(&parlor, "/nowhere/at/all").await?;
    ann.sees("main h1").await?;
    holds(&ann, "lost").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_holds_at_every_size() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    for game in shelf(&ann, &parlor).await? {
        begin(&ann, &parlor, &game, "bots", json!({})).await?;
        ann.sees(".board svg, .board button").await?;
        holds(&ann, &format!("table-{game}")).await?;
    }
    ann.leaves().await
}
