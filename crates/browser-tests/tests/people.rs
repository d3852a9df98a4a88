//! Who one is: a rated game, the pages about people, and the way to another device.

use browser_tests::{Done, Parlor, Screen, Trouble, Visitor, holds, join, lay, start};
use serde_json::json;

/// Whether a part of the page says something.
fn says(selector: &str, words: &str) -> String {
    format!("document.querySelector({})?.textContent.includes({})", json!(selector), json!(words))
}

/// Ann and Ben play a rated game of one throw.
async fn rated_game(parlor: &Parlor) -> Result<(Visitor, Visitor), Trouble> {
    let (ann, ben) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Wide).await?);
    let options = json!({"throws": 1, "window": 600});
    let path = lay(&ann, parlor, "roulette", options, &["public", "rated"]).await?;
    // By this address nobody else could come; the page says so.
    ann.until("the warning", &says(".only-here", "parlor serve --lan")).await?;
    // Somebody who looks round finds the table, and what is played there.
    ben.go(parlor, "/").await?;
    ben.until("the table", &says(".tables", "Ann's table · one seat free · rated")).await?;
    ben.until("its ways", &says(".tables", "Throws: 1 · Time to bet: 600 s")).await?;
    ben.click(".box[data-game=roulette]").await?;
    ben.until("the table beside the box", &says(".unbox .tables", "Ann's table")).await?;
    join(&ben, parlor, &path).await?;
    ben.until("the ways at the table", &says(".variations", "Rated. Throws: 1 · Time to bet: 600 s")).await?;
    ben.until("strengths", &says(".seats", "not rated yet · ready")).await?;
    start(&ann).await?;
    ben.focuses("#typed-bet").await?;
    // Only he stakes something: whatever falls, they do not end level.
    ben.types("15=10\u{e007}").await?;
    ben.until("the chips", "document.querySelectorAll('.stack.is-own').length === 1").await?;
    for visitor in [&ann, &ben] {
        visitor.click("[data-do=ready]").await?;
    }
    for visitor in [&ann, &ben] {
        visitor.until("both ratings", "document.querySelectorAll('.place-rating').length === 2").await?;
    }
    Ok((ann, ben))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_is_told_on_the_pages_about_people() -> Done {
    let parlor = Parlor::open()?;
    let (ann, ben) = rated_game(&parlor).await?;
    ann.picture("rated-over").await?;
    let told = ann.reads(".results .place-rating").await?;
    let rating: u32 = told.trim_start_matches("rating ").parse()?;
    assert!((1000..2000).contains(&rating) && rating != 1500, "{told}");
    ann.go(&parlor, "/").await?;
    ann.click("a[href='./you']").await?;
    ann.until("her name", &says("h1", "Ann")).await?;
    ann.until("her rating", &says(".standing", "Dice Roulette")).await?;
    ann.until("her game", &says(".folk .tables", "Ann 1")).await?;
    holds(&ann, "you").await?;
    ann.click(".standing a[href='./leaders/roulette']").await?;
    ann.until("both", "document.querySelectorAll('.standing tbody tr').length === 2").await?;
    holds(&ann, "leaders").await?;
    ann.click(".standing a[href^='./people/']").await?;
    ann.sees(".folk .tables").await?;
    ann.click(".folk .tables a[href^='./replay/']").await?;
    ann.sees("[data-do=check]").await?;
    // A game that nobody has played, and nobody at all.
    ann.go(&parlor, "/leaders/cubo").await?;
    ann.until("a kind word", &says("main", "Nobody has played Cubo rated")).await?;
    ann.go(&parlor, "/people/nobody").await?;
    ann.until("a kind word", &says("main", "There is nobody with this id.")).await?;
    ann.leaves().await?;
    ben.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn four_words_bring_somebody_to_another_device_and_a_device_forgets() -> Done {
    let parlor = Parlor::open()?;
    let (ann, phone) = (Visitor::new(Screen::Wide).await?, Visitor::new(Screen::Phone).await?);
    ann.go(&parlor, "/you").await?;
    ann.focuses("#name").await?;
    ann.types("Ann\u{e007}").await?;
    ann.until("her name", &says("h1", "Ann")).await?;
    // Another name, and the old one is gone.
    ann.focuses("#name").await?;
    ann.ask("document.querySelector('#name').select()").await?;
    ann.types("Anna\u{e007}").await?;
    ann.until("her new name", &says("h1", "Anna")).await?;
    ann.click("[data-do=token]").await?;
    ann.until("a token", "document.querySelector('.token')?.value.length > 20").await?;
    ann.click("[data-do=phrase]").await?;
    ann.until(
        "four words",
        "document.querySelector('.phrase').textContent.trim().split(/[\\s-]+/).length === 4",
    )
    .await?;
    let words = ann.reads(".phrase").await?;
    phone.go(&parlor, "/you").await?;
    phone.focuses("#words").await?;
    phone.types("these are not hers\u{e007}").await?;
    phone.sees(".notice").await?;
    phone.ask("document.querySelector('#words').select()").await?;
    phone.types(&format!("{words}\u{e007}")).await?;
    phone.until("her name", &says("h1", "Anna")).await?;
    phone.click("[data-do=forget]").await?;
    phone.click("[data-do=forget-surely]").await?;
    phone.until("nobody", &says("h1", "You")).await?;
    ann.driver.refresh().await?;
    ann.until("she is still there", &says("h1", "Anna")).await?;
    phone.leaves().await?;
    ann.leaves().await
}
