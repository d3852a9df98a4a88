//! The moving picture of the README: somebody opens a box and plays a throw of I-Qubes to its score.

use browser_tests::{Done, Film, Parlor, Screen, Visitor};
use serde_json::json;
use std::time::Duration;

const LEFT: &str = "\u{e012}";
const DOWN: &str = "\u{e015}";

const fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

/// Types one key after the other, as a person does.
async fn types(film: &mut Film, ann: &Visitor, keys: &[&str]) -> Done {
    for key in keys {
        ann.types(key).await?;
        film.rolls(ann, ms(330)).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_shelf_through_a_throw_to_the_word_of_the_coach() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.sees(".shelf").await?;
    // Dice that always fall the same, so that the film is the same each time.
    let dice: Vec<String> = "DT!AEHS".chars().map(|face| face.to_string().repeat(6)).collect();
    let options = json!({"rounds": 1, "set": {"name": "fixed", "dice": dice}});
    ann.remembers("parlor.options.iqubes", &options).await?;
    let mut film = Film::new()?;
    film.shows(&ann, ms(1600)).await?;
    ann.click(".box[data-game=iqubes]").await?;
    ann.sees(".ways").await?;
    film.rolls(&ann, ms(400)).await?;
    film.shows(&ann, ms(1000)).await?;
    ann.click("[data-way=alone]").await?;
    ann.sees(".lt-cup.is-full").await?;
    film.shows(&ann, ms(900)).await?;
    ann.click("[data-do=throw]").await?;
    film.rolls(&ann, ms(1100)).await?;
    ann.sees(".letters.is-mine").await?;
    ann.focuses(".lt-grid").await?;
    types(&mut film, &ann, &["d", "a", "s", "h"]).await?;
    types(&mut film, &ann, &[LEFT, LEFT, LEFT, DOWN, "t", "o", "e"]).await?;
    ann.until("a count of 26", "document.querySelector('.lt-points')?.textContent === '26'").await?;
    film.shows(&ann, ms(1500)).await?;
    ann.click("[data-do=done]").await?;
    film.rolls(&ann, ms(1500)).await?;
    film.shows(&ann, ms(2500)).await?;
    assert!(film.frames() > 20, "only {} frames", film.frames());
    film.ends()?;
    ann.leaves().await
}
