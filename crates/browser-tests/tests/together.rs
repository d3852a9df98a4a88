//! Two browsers at one table on the server.

use browser_tests::{Done, Parlor, Screen, Visitor, sit_down};
use serde_json::json;

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
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
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
    // Put away, the table leaves the shelf of whoever looks at it.
    let cid = Visitor::new(Screen::Phone).await?;
    cid.go(&parlor, "/").await?;
    cid.sees("#public").await?;
    cid.picture("home-public").await?;
    ann.click("[data-do=close]").await?;
    cid.until("no more tables", "!document.querySelector('#public')").await?;
    ann.leaves().await?;
    ben.leaves().await?;
    cid.leaves().await
}
