//! An evening: a laptop and phones of two sizes, by plain HTTP at a name that is not this machine's own, play each game from the
//! link to the rematch. At the end who won, by how much, and the way to the next game stand in the page. Nothing has to be
//! opened for it, and nothing lies over it, for winners, losers, ties, watchers, and whoever plays alone.

use browser_tests::{Done, ELSEWHERE, NAMES, Parlor, Screen, Trouble, Visitor, begin, gather};
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";

/// Whose screen it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Somebody's who sits at this screen alone.
    Alone,
    /// One of several people's, each with a screen.
    Seat(usize),
    /// Somebody's who looks on.
    Watcher,
}

/// Every one of these is on the screen, and a finger that comes down on it meets it and nothing else.
async fn in_front(visitor: &Visitor, what: &[&str]) -> Done {
    let hidden = format!(
        "return {}.filter(what => {{ \
            const all = [...document.querySelectorAll(what)]; \
            const met = e => [[.5, .5], [.1, .5], [.9, .5], [.5, .2], [.5, .8]].every(([right, down]) => {{ \
                const r = e.getBoundingClientRect(); \
                return e.contains(document.elementFromPoint(r.x + r.width * right, r.y + r.height * down)); }}); \
            return all.length === 0 || !all.every(met); }})",
        json!(what)
    );
    let found = visitor.ask(&hidden).await?;
    if found != json!([]) {
        visitor.picture("failure").await?;
        return Err(format!("cannot be met: {found}; the page says: {}", visitor.reads("body").await?).into());
    }
    Ok(())
}

/// What everybody has, as it stands beside the names.
async fn scores(visitor: &Visitor) -> Result<Vec<i64>, Trouble> {
    let tallies = "return [...document.querySelectorAll('.person-tally')].map(tally => tally.textContent.replace('−', '-'))";
    let tallies = visitor.ask(tallies).await?;
    Ok(tallies.as_array().into_iter().flatten().filter_map(|tally| tally.as_str()?.parse().ok()).collect())
}

/// The end in words, as it must be told.
fn told(scores: &[i64], whose: Whose) -> String {
    let most = scores.iter().max().copied().unwrap_or_default();
    let first: Vec<usize> = (0..scores.len()).filter(|&seat| scores[seat] == most).collect();
    let mine = match whose {
        Whose::Alone => Some(0),
        Whose::Seat(seat) => Some(seat),
        Whose::Watcher => None,
    };
    let by = match scores {
        [one, other] => format!(", {most} to {}", one.min(other)),
        _ => String::new(),
    };
    match first.as_slice() {
        _ if scores.len() == 1 => format!("{most} in the end"),
        [seat] if mine == Some(*seat) => format!("You won{by}"),
        [seat] => format!("{} won{by}", NAMES[*seat]),
        all => format!("{} share it", all.iter().map(|seat| NAMES[*seat]).collect::<Vec<_>>().join(" and ")),
    }
}

/// The end as somebody finds it: in words, with the places, and what may come next.
async fn is_told(visitor: &Visitor, name: &str, whose: Whose) -> Done {
    visitor.sees(".results").await?;
    // Roulette shows its last throw first.
    visitor
        .soon("the result", "document.querySelector('.results').getBoundingClientRect().width > 0")
        .await?;
    visitor.pictures(&format!("end-{name}")).await?;
    is_open(visitor, name, whose).await?;
    let scores = scores(visitor).await?;
    let words = told(&scores, whose).replace('-', "−");
    assert_eq!(visitor.reads(".results h2").await?, words, "{name}: {scores:?}");
    if scores.len() > 1 {
        in_front(visitor, &[".results .is-first"]).await?;
    }
    visitor.fits().await?;
    if visitor.screen() == Screen::Phone {
        visitor.fingers_fit().await?;
    }
    // Whoever looks on at Cubo has no square of their own.
    if whose != Whose::Watcher {
        visitor.board_is_the_page().await?;
    }
    visitor.table_is_one_screen().await
}

/// Nothing lies over the end, nor over what may come next.
async fn is_open(visitor: &Visitor, name: &str, whose: Whose) -> Done {
    let mut all = vec![".results h2", ".results .btn", ".bar a, .bar button"];
    if visitor.screen() == Screen::Phone {
        all.push(".side-open");
    }
    if whose != Whose::Watcher {
        all.push(".results [data-do=rematch]");
    }
    let own =
        if let Whose::Seat(seat) = whose { format!(".results [data-seat='{seat}']") } else { String::new() };
    if !own.is_empty() {
        all.extend([&*own, ".nods button"]);
    }
    in_front(visitor, &all).await.map_err(|trouble| format!("{name}: {trouble}").into())
}

/// A house as people in one room find it, who are not at its machine.
fn house() -> Result<Parlor, Trouble> {
    Ok(Parlor::open()?.called(ELSEWHERE))
}

/// People at a table, the first with a laptop, the second with a small phone, and somebody who looks on with a larger one.
async fn company(
    parlor: &Parlor,
    game: &str,
    options: Value,
    people: usize,
) -> Result<(Vec<Visitor>, Visitor), Trouble> {
    let (all, path) =
        gather(parlor, game, options, &[Screen::Wide, Screen::Phone, Screen::Phone][..people]).await?;
    all[1].looks_through(360, 640).await?;
    let watcher = Visitor::new(Screen::Phone).await?;
    watcher.go(parlor, &path).await?;
    watcher.sees(".table-main .board").await?;
    Ok((all, watcher))
}

/// Everybody finds the end, then the way to the next game, and goes there.
async fn end(game: &str, all: Vec<Visitor>, watcher: Visitor) -> Done {
    for (seat, visitor) in all.iter().enumerate() {
        is_told(visitor, &format!("{game}-{}", NAMES[seat]), Whose::Seat(seat)).await?;
    }
    is_told(&watcher, &format!("{game}-watcher"), Whose::Watcher).await?;
    all[0].click("[data-do=rematch]").await?;
    all[0].sees(".invitation").await?;
    for (seat, visitor) in all.iter().enumerate().skip(1) {
        let ready =
            "document.querySelector('.results a[data-do=rematch]')?.textContent === 'Join the rematch'";
        visitor.soon("the rematch", ready).await?;
        visitor.pictures(&format!("rematch-{game}-{}", NAMES[seat])).await?;
        is_open(visitor, &format!("{game}, the rematch"), Whose::Seat(seat)).await?;
        visitor.click("[data-do=rematch]").await?;
        visitor.sees(".invitation").await?;
    }
    is_open(&watcher, &format!("{game}, the rematch"), Whose::Watcher).await?;
    watcher.leaves().await?;
    for visitor in all {
        visitor.leaves().await?;
    }
    Ok(())
}

/// Somebody plays on a small phone, on this screen only.
async fn alone(parlor: &Parlor, game: &str, way: &str, options: Value) -> Result<Visitor, Trouble> {
    let ann = Visitor::new(Screen::Phone).await?;
    begin(&ann, parlor, game, way, options).await?;
    ann.looks_through(360, 640).await?;
    Ok(ann)
}

/// The end of what was played on this screen, and once more.
async fn end_alone(game: &str, ann: Visitor) -> Done {
    is_told(&ann, &format!("{game}-alone"), Whose::Alone).await?;
    ann.click("[data-do=rematch]").await?;
    ann.sees(".table:not(.is-over) .board").await?;
    ann.leaves().await
}

/// The next thing that is offered to be pressed.
async fn presses(visitor: &Visitor, what: &str) -> Done {
    visitor.click(&format!("[data-do={what}]:not([disabled])")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_from_the_link_to_the_rematch_of_dice_roulette() -> Done {
    let parlor = house()?;
    let options = json!({"throws": 1, "window": 600});
    let ann = alone(&parlor, "roulette", "alone", options.clone()).await?;
    presses(&ann, "ready").await?;
    end_alone("roulette", ann).await?;
    // Ann bets on a number, Ben on none: one of them has more than the other.
    let (all, watcher) = company(&parlor, "roulette", options, 2).await?;
    all[0].focuses(".layout").await?;
    all[0].types(ENTER).await?;
    all[0].until("her chips", "document.querySelector('.stack.is-own')").await?;
    for visitor in &all {
        presses(visitor, "ready").await?;
    }
    end("roulette", all, watcher).await
}

/// A game of Contact that its first move decides: it meets both tiles across, and one of its own stays.
fn one_move() -> Value {
    let rows =
        json!([{"line": 7, "step": "two-step", "at": [7]}, {"line": 7, "step": "one-step", "at": [9]}]);
    let side = json!([7, 8, 9]);
    json!({"setup": "short", "first": "south", "set": {
        "tiles": {
            "one-step": {"corners": [3, 4, 5, 6], "back": 5},
            "two-step": {"corners": [1, 2, 3, 4], "back": 4}
        },
        "box": {
            "red": {"one-step": 4, "two-step": 3}, "blue": {"one-step": 4, "two-step": 3},
            "green": {"one-step": 3, "two-step": 3}, "yellow": {"one-step": 3, "two-step": 3}
        },
        "rings": {"south": side, "west": side, "north": side, "east": side},
        "setups": {"short": {"players": [2], "colours": {"south": ["red"], "north": ["green"]}, "rows": rows}}
    }})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_from_the_link_to_the_rematch_of_contact() -> Done {
    let parlor = house()?;
    let moves = async |ann: &Visitor| -> Done {
        ann.sees(".ct-board.is-open").await?;
        ann.taps("[data-at=g7]").await?;
        ann.taps("[data-to=h8]").await
    };
    let ann = alone(&parlor, "contact", "bots", one_move()).await?;
    moves(&ann).await?;
    end_alone("contact", ann).await?;
    let (all, watcher) = company(&parlor, "contact", one_move(), 2).await?;
    moves(&all[0]).await?;
    end("contact", all, watcher).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_from_the_link_to_the_rematch_of_cubo() -> Done {
    let parlor = house()?;
    // Nobody is quick enough for a second: six rounds in which nothing counts.
    let clocks = json!({"clocks/pause": 0, "clocks/round": 1, "clocks/countdown": 1, "clocks/practice": 1});
    let ann = alone(&parlor, "cubo", "alone", clocks.clone()).await?;
    end_alone("cubo", ann).await?;
    let (all, watcher) = company(&parlor, "cubo", clocks, 2).await?;
    end("cubo", all, watcher).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_from_the_link_to_the_rematch_of_i_qubes() -> Done {
    let parlor = house()?;
    let dice: Vec<String> = "SPaRtBE".chars().map(|face| face.to_string().repeat(6)).collect();
    let options = json!({"rounds": 1, "set": {"name": "fixed", "dice": dice}});
    let ann = alone(&parlor, "iqubes", "alone", options.clone()).await?;
    presses(&ann, "throw").await?;
    presses(&ann, "done").await?;
    end_alone("iqubes", ann).await?;
    let (all, watcher) = company(&parlor, "iqubes", options, 2).await?;
    presses(&all[0], "throw").await?;
    all[0].focuses(".letters.is-mine .lt-grid").await?;
    all[0].types("spar").await?;
    all[0].until("SPAR", "document.querySelector('.lt-words').textContent.includes('SPAR')").await?;
    presses(&all[0], "done").await?;
    presses(&all[1], "throw").await?;
    // What lies open over the board when the end comes does not hide it.
    watcher.click(".side-open").await?;
    watcher.sees(".side.is-open").await?;
    presses(&all[1], "done").await?;
    end("iqubes", all, watcher).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_of_three_from_the_link_to_the_rematch_of_scribbage() -> Done {
    let parlor = house()?;
    let values = json!({"1": "AEO", "2": "ILNRST", "3": "DHMU", "4": "BCFGPVWY", "5": "K", "6": "J", "8": "QX", "10": "Z"});
    let cubes: Vec<String> = "PLANTICKRMWOZ".chars().map(|face| face.to_string().repeat(6)).collect();
    let options = json!({"turns": 1, "set": {"name": "fixed", "cubes": cubes, "values": values}});
    let ann = alone(&parlor, "scribbage", "alone", options.clone()).await?;
    presses(&ann, "throw").await?;
    presses(&ann, "done").await?;
    end_alone("scribbage", ann).await?;
    let (all, watcher) = company(&parlor, "scribbage", options, 3).await?;
    // Whoever has the cup first finds a word, the others none.
    let mut winner = None;
    for _ in 0..all.len() {
        let seat = has_the_cup(&all).await?;
        presses(&all[seat], "throw").await?;
        all[seat].focuses(".letters.is-mine .lt-grid").await?;
        if winner.is_none() {
            winner = Some(seat);
            all[seat].types("plonk").await?;
            all[seat]
                .until("PLONK", "document.querySelector('.lt-words').textContent.includes('PLONK')")
                .await?;
        }
        presses(&all[seat], "done").await?;
    }
    for (seat, visitor) in all.iter().enumerate() {
        visitor.sees(".results").await?;
        let place = visitor.reads(".results h2 + p").await?;
        assert_eq!(place, if winner == Some(seat) { "" } else { "You are 2nd of 3." });
    }
    end("scribbage", all, watcher).await
}

async fn has_the_cup(all: &[Visitor]) -> Result<usize, Trouble> {
    for _ in 0..500 {
        for (seat, visitor) in all.iter().enumerate() {
            if visitor.ask("return !!document.querySelector('[data-do=throw]')").await? == Value::Bool(true) {
                return Ok(seat);
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    Err("nobody has the cup".into())
}
