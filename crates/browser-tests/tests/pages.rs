//! Every page at every size, by day and by night: nothing scrolls sideways, everything has a name for a screen reader and
//! room for a finger, and a picture of each is kept under `target/screens`.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, begin, holds};
use serde_json::json;

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
    assert_eq!(games.len(), 5, "{games:?}");
    ann.postcard("shelf").await?;
    holds(&ann, "home").await?;
    for game in &games {
        ann.go(&parlor, &format!("/box/{game}")).await?;
        ann.sees(".ways").await?;
        ann.click("details.options > summary").await?;
        holds(&ann, &format!("box-{game}")).await?;
        ann.go(&parlor, &format!("/learn/{game}")).await?;
        ann.sees(".lesson").await?;
        holds(&ann, &format!("learn-{game}")).await?;
        walk(&ann, game).await?;
    }
    ann.leaves().await
}

/// Every step of a lesson on the smallest phone, not only the first.
async fn walk(ann: &Visitor, game: &str) -> Done {
    ann.looks_through(320, 640).await?;
    let steps = ann.ask("return document.querySelectorAll('.dot').length").await?.as_u64().unwrap_or(0);
    for step in 2..=steps {
        ann.click("[data-do=next]").await?;
        let here = format!("document.querySelectorAll('.dot')[{}].ariaCurrent === 'step'", step - 1);
        ann.until("the next step", &here).await?;
        for check in [ann.fits().await, ann.fingers_fit().await] {
            check.map_err(|trouble| format!("step {step} of {game}: {trouble}"))?;
        }
        ann.pictures(&format!("learn-{game}-step-{step}-320x640")).await?;
    }
    ann.looks_through(1280, 800).await
}

/// The files that the page itself has asked for, without their hashes.
async fn fetched(ann: &Visitor) -> Result<Vec<String>, Trouble> {
    let names = "return performance.getEntriesByType('resource').map(file => new URL(file.name).pathname.slice(1).split('-')[0])";
    let names = ann.ask(names).await?;
    Ok(names.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_fetched_when_its_box_is_opened_and_asked_for_again_where_that_fails() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.misses(&["*/contact-*"]).await?;
    shelf(&ann, &parlor).await?;
    let games = ["shared", "letters", "contact", "cubo", "roulette"];
    let first = fetched(&ann).await?;
    assert!(first.iter().any(|file| file == "app"), "{first:?}");
    assert!(!first.iter().any(|file| games.contains(&file.as_str())), "{first:?}");
    ann.click(".box[data-game=contact]").await?;
    ann.until("a kind word", "document.querySelector('h1')?.textContent === 'A piece is missing'").await?;
    holds(&ann, "missing").await?;
    ann.misses(&[]).await?;
    ann.click("#main .btn-main").await?;
    ann.sees(".ways").await?;
    let then = fetched(&ann).await?;
    assert!(then.iter().any(|file| file == "contact") && !then.iter().any(|file| file == "cubo"), "{then:?}");
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_holds_at_every_size() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    for game in shelf(&ann, &parlor).await? {
        // A pause of a second: so the dice of Cubo lie in the middle when it is looked at.
        let (options, sight) = match &*game {
            "cubo" => (json!({"clocks/pause": 1}), ".centre-die"),
            _ => (json!({}), ".board svg, .board button"),
        };
        begin(&ann, &parlor, &game, "bots", options).await?;
        ann.sees(sight).await?;
        holds(&ann, &format!("table-{game}")).await?;
        // What lies in the drawer of a phone.
        ann.looks_through(390, 844).await?;
        ann.click(".side-open").await?;
        ann.sees(".side.is-open").await?;
        for check in [ann.fits().await, ann.fingers_fit().await] {
            check.map_err(|trouble| format!("the drawer of {game}: {trouble}"))?;
        }
        ann.pictures(&format!("table-{game}-drawer-390x844")).await?;
        ann.looks_through(1280, 800).await?;
    }
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_game_its_replay_an_invitation_and_a_lost_way_hold_at_every_size() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "roulette", "alone", json!({"throws": 1, "window": 600})).await?;
    ann.focuses("#typed-bet").await?;
    ann.types("15=2 red=10\u{e007}").await?;
    ann.click("[data-do=ready]").await?;
    ann.sees(".results").await?;
    // The last throw is shown first.
    ann.soon("the result", "document.querySelector('.results').getBoundingClientRect().width > 0").await?;
    holds(&ann, "over").await?;
    ann.click(".results a[href^='./replay']").await?;
    ann.sees("[data-do=check]").await?;
    holds(&ann, "replay").await?;
    ann.go(&parlor, "/box/cubo").await?;
    ann.click("[data-way=link]").await?;
    ann.focuses("#your-name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.sees(".invitation").await?;
    holds(&ann, "gathering").await?;
    ann.go(&parlor, "/table/abcdefghijkmnpqrstuvwxyz23").await?;
    ann.until("a kind word", "document.body.textContent.includes('No table here')").await?;
    holds(&ann, "gone").await?;
    ann.go(&parlor, "/nowhere/at/all").await?;
    ann.sees("main h1").await?;
    holds(&ann, "lost").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_book_is_reached_from_the_shelf_and_reads_well_at_every_size() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    shelf(&ann, &parlor).await?;
    ann.click(".foot a[href$='docs/']").await?;
    ann.until("the book", "document.title === 'Parlor' && document.querySelector('.contents')").await?;
    for chapter in ["page", "hosting", "protocol", "rules/contact"] {
        ann.go(&parlor, &format!("/docs/{chapter}.html")).await?;
        ann.until("the style", "getComputedStyle(document.querySelector('main')).borderRadius === '14px'")
            .await?;
        for (width, height) in [(320, 640), (390, 844), (1280, 800)] {
            ann.looks_through(width, height).await?;
            ann.fits().await.map_err(|trouble| format!("{chapter} at {width}: {trouble}"))?;
            for scheme in ["light", "dark"] {
                ann.wishes(scheme).await?;
                let name = chapter.replace('/', "-");
                ann.pictures(&format!("book-{name}-{width}x{height}-{scheme}")).await?;
            }
        }
    }
    ann.click(".name").await?;
    ann.sees(".shelf").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_solver_finds_the_best_of_its_example_and_refuses_nonsense() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    for game in shelf(&ann, &parlor).await? {
        ann.go(&parlor, &format!("/box/{game}")).await?;
        ann.click(&format!("a[href='./solve/{game}']")).await?;
        ann.click("[data-do=solve]").await?;
        let found = match &*game {
            "contact" => "document.querySelectorAll('.ct-lines li').length === 3",
            "roulette" => "document.querySelector('.solved b')?.textContent.includes('19 throws of 36 win')",
            _ => "document.querySelector('.solved b')?.textContent.includes('is the most, proven.')",
        };
        ann.until(&format!("the best of {game}"), found).await?;
        holds(&ann, &format!("solve-{game}")).await?;
        ann.ask("document.querySelector('#pieces').select()").await?;
        ann.types("77 §\u{e007}").await?;
        ann.until("a kind word", "document.querySelector('.solved .verdict.is-bad')").await?;
    }
    ann.leaves().await
}
