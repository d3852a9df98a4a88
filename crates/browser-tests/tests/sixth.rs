//! A game that nobody has drawn yet, on the page and between bots at a real server. It needs a house with such a game in it: `cargo xtask
//! new-game --prove` builds one, with the Pig of docs/new-game.md, and runs this with it.

use browser_tests::{Parlor, Screen, Trouble, Visitor, begin, lay};
use serde_json::json;

type Done = Result<(), Trouble>;

const OVER: &str = "!!document.querySelector('.results')";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a house with a sixth game: cargo xtask new-game --prove"]
async fn a_whole_game_against_a_bot_without_a_drawing() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Phone).await?;
    ann.go(&parlor, "/").await?;
    ann.until("Pig on the shelf", "document.querySelector('.shelf').textContent.includes('Pig')").await?;
    begin(&ann, &parlor, "pig", "bots", json!({"goal": 20})).await?;
    ann.sees(".undrawn-picture").await?;
    ann.picture("undrawn").await?;
    ann.fits().await?;
    // Throws until there is something to hold, and holds it, as a careful person would.
    let play = "const hold = [...document.querySelectorAll('.undrawn-acts .btn')].pop(); if (hold) hold.click(); \
        return !!document.querySelector('.results')";
    for _ in 0..600 {
        if ann.ask(play).await? == json!(true) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    ann.until("the end", OVER).await?;
    ann.picture("undrawn-result").await?;
    ann.leaves().await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a house with a sixth game: cargo xtask new-game --prove"]
async fn two_bots_play_at_a_real_server_and_somebody_watches() -> Done {
    let parlor = Parlor::open()?;
    let ann = Visitor::new(Screen::Wide).await?;
    // Ann has a name here once she has laid a table of any game.
    lay(&ann, &parlor, "pig", json!({}), &[]).await?;
    let play = "window.heard = []; const line = new WebSocket(location.origin.replace('http', 'ws') + '/ws'); \
        const say = command => line.send(JSON.stringify(command)); let table; \
        line.onopen = () => { say({cmd: 'hello', protocol: 2, client: 'bots'}); \
            say({cmd: 'create', id: 1, game: 'pig', options: {goal: 20}, seats: [{for: 'bot', level: 3}, {for: 'bot', level: 1}]}); }; \
        line.onmessage = event => { window.heard.push(event.data); const message = JSON.parse(event.data); \
            if (message.msg === 'done' && message.id === 1) say({cmd: 'start', id: 2, table: message.table}); };";
    ann.ask(play).await?;
    if let Err(why) =
        ann.until("the end of the bots' game", "window.heard.some(text => /\"ranks\":/.test(text))").await
    {
        let heard = ann.ask("return window.heard.slice(0, 12)").await?;
        return Err(format!("{why}: {heard}").into());
    }
    ann.leaves().await
}
