//! One browser: whole games on this screen, reloads, keyboards, fingers, no network.

use browser_tests::{Done, Parlor, Screen, Visitor, begin};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_dice_roulette_alone_with_the_keyboard_only() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "roulette", "alone", json!({"throws": 3, "window": 600})).await?;
    for throw in 1..=3 {
        ann.focuses(".layout").await?;
        // From 23 one step right is the edge of 23 and 33, one more up the corner of four.
        ann.types("\u{e014}\u{e013}\u{e007}").await?;
        ann.until("a chip on the layout", "document.querySelector('.stack.is-own')").await?;
        ann.focuses("[data-do=ready]").await?;
        ann.types("\u{e007}").await?;
        if throw < 3 {
            let next = format!(
                "document.querySelector('.throw-count').textContent.includes('Throw {} of 3')",
                throw + 1
            );
            ann.until("the next throw", &next).await?;
        }
    }
    ann.sees(".results").await?;
    ann.picture("roulette-over").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_cubo_alone_with_the_keyboard_only_and_then_again_move_by_move() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    let clocks = json!({"clocks/pause": 1, "clocks/take": 60, "clocks/exchange": 60, "clocks/practice": 600});
    begin(&ann, &parlor, "cubo", "alone", clocks).await?;
    for round in 1..=6 {
        ann.until("the throw", &format!("document.querySelector('[data-do=call]') && document.activeElement.matches('.hand') && document.querySelector('.centre-says').textContent.startsWith('Round {round} ')")).await?;
        if round == 1 {
            // These do not please: pick them up, throw them again.
            ann.types("r").await?;
            ann.sees("[data-do=roll]").await?;
            ann.types("r").await?;
            ann.sees("[data-do=call]").await?;
        }
        ann.types("1q2w3e4a5d").await?;
        if round == 1 {
            ann.until(
                "six dice",
                "document.querySelector('[data-do=call]').textContent.includes('3 to place')",
            )
            .await?;
            ann.postcard("cubo").await?;
        }
        ann.types("6z7x8c").await?;
        ann.until("nine dice", "document.querySelector('[data-do=call]')?.disabled === false").await?;
        if round == 1 {
            ann.picture("cubo").await?;
        }
        ann.types("s").await?;
        ann.sees(".cover").await?;
        ann.types("1").await?;
        ann.sees("[data-do=keep]").await?;
        ann.types(if round == 2 { "q" } else { "k" }).await?;
    }
    ann.sees(".results").await?;
    ann.picture("cubo-over").await?;
    ann.click(".results a[href^='./replay']").await?;
    ann.click("[data-do=check]").await?;
    ann.sees(".verdict.is-good").await?;
    for _ in 0..4 {
        ann.click("[data-do=forward]").await?;
    }
    ann.picture("replay").await?;
    // The whole game travels in the link: whoever has it needs no server's word for it.
    ann.ask("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
        .await?;
    ann.click("[data-do=share]").await?;
    ann.until("the link", "window.copied?.includes('/replay/link#')").await?;
    let link = ann.ask("return new URL(window.copied).pathname + new URL(window.copied).hash").await?;
    // Where the browser forbids it, the link lies there to be copied by hand.
    ann.ask("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
        .await?;
    ann.click("[data-do=share]").await?;
    let selected = "document.activeElement.id === 'game-link' && getSelection().toString() === window.copied";
    ann.until("the link, selected", selected).await?;
    let ben = Visitor::new(Screen::Phone).await?;
    ben.go(&parlor, link.as_str().unwrap_or_default()).await?;
    // The way past the bar leaves the game in the address, and an arrow moves the film by one.
    ben.sees(".reel").await?;
    ben.focuses(".skip").await?;
    ben.types("\u{e007}").await?;
    ben.until("the table", "document.activeElement.id === 'main' && location.hash.length > 99").await?;
    ben.focuses(".reel-slide").await?;
    ben.types("\u{e014}").await?;
    ben.until("one moment on", "document.querySelector('.reel .num').textContent.startsWith('1 /')").await?;
    ben.click("[data-do=check]").await?;
    ben.sees(".verdict.is-good").await?;
    ben.leaves().await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_ones_own_are_checked_kept_and_played_with() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    let folder = tempfile::tempdir()?;
    let (bad, good) = (folder.path().join("bad.txt"), folder.path().join("good.txt"));
    std::fs::write(&bad, "dash\nc3po\n")?;
    // No dictionary has the second one; the many others are of letters that the dice do not show.
    let others = (0..60_000_u32).map(|number| {
        (0..7).map(|at| char::from(b"bcefg"[(number / 5_u32.pow(at) % 5) as usize])).collect::<String>()
            + "\n"
    });
    std::fs::write(&good, format!("dash\nhadsto\n{}", others.collect::<String>()))?;
    ann.go(&parlor, "/box/iqubes").await?;
    ann.click("details.options > summary").await?;
    ann.chooses("input[name=words]", &bad).await?;
    ann.until("what is wrong", "document.querySelector('.faults li')?.textContent.includes('line 2')")
        .await?;
    ann.chooses("input[name=words]", &good).await?;
    let taken = "!document.querySelector('.faults') && document.querySelector('[data-own=words]').textContent.includes('60002 words of your own')";
    ann.until("the words", taken).await?;
    ann.ask("document.querySelector('[data-own=words]').scrollIntoView({block: 'center'})").await?;
    ann.picture("box-own-words").await?;
    // They are kept, and the solver goes by them: by the house's the seven dice count 24.
    ann.go(&parlor, "/solve/iqubes").await?;
    ann.click("[data-do=solve]").await?;
    let found = "[...document.querySelectorAll('.solved .lt-list b')].map(word => word.textContent).join() === 'HADSTO'";
    ann.until("the best of two words", found).await?;
    // So are the table and its bots.
    ann.go(&parlor, "/box/iqubes").await?;
    ann.click("[data-way=bots]").await?;
    ann.sees(".table-main").await?;
    ann.driver.refresh().await?;
    ann.sees(".table-main .board").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_of_ones_own_are_checked_in_the_page_and_played_with() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/box/iqubes").await?;
    ann.click("details.options > summary").await?;
    let folder = tempfile::tempdir()?;
    let (bad, good) = (folder.path().join("bad.toml"), folder.path().join("good.toml"));
    std::fs::write(&bad, "name = \"Ays\"\ndice = [\"AAAaaa\", \"AAA1aa\"]\n")?;
    std::fs::write(
        &good,
        "name = \"Ays\"\ndice = [\"AAAAAA\", \"AAAAAA\", \"AAAAAA\", \"AAAAAA\", \"aaaaaa\", \"aaaaaa\", \"aaaaaa\"]\n",
    )?;
    ann.chooses("input[name=pieces]", &bad).await?;
    ann.sees(".faults li").await?;
    ann.ask("document.querySelector('[data-own=pieces]').scrollIntoView({block: 'center'})").await?;
    ann.picture("box-own-pieces-bad").await?;
    ann.chooses("input[name=pieces]", &good).await?;
    ann.until("the pieces", "!document.querySelector('.faults') && document.querySelector('[data-own=pieces]').textContent.includes('Ays')").await?;
    ann.picture("box-own-pieces").await?;
    ann.click("[data-way=alone]").await?;
    ann.click("[data-do=throw]").await?;
    let letters = "[...document.querySelectorAll('.lt-piece .lt-letter')].map(letter => letter.textContent)";
    let ays = format!("{letters}.length === 7 && {letters}.every(letter => letter === 'A')");
    ann.until("seven letters", &ays).await?;
    // The table is kept with its pieces, and taken up with them.
    ann.driver.refresh().await?;
    ann.until("the same letters", &ays).await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_in_the_middle_of_a_turn_loses_nothing() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "roulette", "bots", json!({"throws": 5, "window": 600})).await?;
    ann.sees(".layout").await?;
    ann.focuses("#typed-bet").await?;
    ann.types("15=2 1|2=3 red=10\u{e007}").await?;
    ann.until("the chips", "document.querySelectorAll('.stack.is-own').length === 3").await?;
    ann.driver.refresh().await?;
    ann.until("the chips again", "document.querySelectorAll('.stack.is-own').length === 3").await?;
    // Chromium 156 now and then loses a tab that is left while it is still being loaded.
    ann.picture("roulette-again").await?;
    ann.go(&parlor, "/").await?;
    ann.sees("#drawer").await?;
    ann.picture("home-in-progress").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finger_lays_chips_on_an_edge_and_a_corner_and_drags_dice() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    begin(&ann, &parlor, "roulette", "alone", json!({"throws": 2, "window": 600})).await?;
    ann.sees(".layout").await?;
    ann.finger(".layout", (138.0, 84.0), (138.0, 84.0)).await?;
    ann.finger(".layout", (100.0, 110.0), (198.0, 174.0)).await?;
    ann.until("two bets", "document.querySelectorAll('.stack.is-own').length === 2").await?;
    ann.fits().await?;
    ann.picture("roulette").await?;
    begin(&ann, &parlor, "cubo", "alone", json!({"clocks/pause": 1, "clocks/practice": 600})).await?;
    ann.sees("[data-do=call]").await?;
    // A die that still rolls is not where it will lie.
    let still =
        "[...document.querySelectorAll('.piece-roll')].every(die => die.getAnimations().length === 0)";
    ann.until("the dice to lie", still).await?;
    // The first die of the tray to the first cell.
    ann.finger(".square", (65.0, 458.0), (69.0, 69.0)).await?;
    ann.until(
        "a die in its cell",
        "document.querySelector('[data-do=call]').textContent.includes('7 to place')",
    )
    .await?;
    ann.fits().await?;
    ann.picture("cubo").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn around_one_screen_everybody_repeats_and_undoes_what_is_his() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    begin(&ann, &parlor, "roulette", "around", json!({"throws": 3, "window": 600})).await?;
    let own = |chips: u32| format!("document.querySelectorAll('.stack.is-own').length === {chips}");
    for (seat, bets, stacks) in [(0, "15=2 16=1", 2), (1, "red=10", 1)] {
        ann.click(&format!("[data-seat='{seat}'] .person-pick")).await?;
        ann.focuses("#typed-bet").await?;
        ann.types(&format!("{bets}\u{e007}")).await?;
        ann.until("the bets", &own(stacks)).await?;
    }
    for seat in [0, 1] {
        ann.click(&format!("[data-seat='{seat}'] .person-pick")).await?;
        ann.click("[data-do=ready]").await?;
    }
    let second = "document.querySelector('.throw-count').textContent.includes('Throw 2 of 3')";
    ann.until("the next throw", second).await?;
    // Whoever was in front when the dice fell: Ann's bets are two, Ben's is one.
    for (seat, stacks) in [(0, 2), (1, 1)] {
        ann.click(&format!("[data-seat='{seat}'] .person-pick")).await?;
        ann.click("[data-do=repeat]").await?;
        ann.until("his own bets", &own(stacks)).await?;
    }
    // What is cleared by mistake comes back, and only one's own.
    ann.click("[data-do=clear]").await?;
    ann.until("an empty slip", &own(0)).await?;
    ann.click("[data-do=undo]").await?;
    ann.until("Ben's bet again", &own(1)).await?;
    ann.click("[data-seat='0'] .person-pick").await?;
    ann.click("[data-do=undo]").await?;
    ann.until("one of Ann's bets", &own(1)).await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_network_the_page_opens_and_plays() -> Done {
    let mut parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    ann.go(&parlor, "/").await?;
    ann.sees(".shelf").await?;
    ann.until("the service worker", "navigator.serviceWorker.controller").await?;
    parlor.kill()?;
    ann.offline(true).await?;
    begin(&ann, &parlor, "roulette", "alone", json!({})).await?;
    ann.sees(".layout").await?;
    ann.go(&parlor, "/table/abcdefghijkmnpqrstuvwxyz23").await?;
    ann.until("a kind word", "document.body.textContent.includes('cannot be reached')").await?;
    ann.picture("offline").await?;
    ann.leaves().await
}
