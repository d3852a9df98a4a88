//! From the room into the game: what every seat sees of a game that has just begun, before anybody has done anything. Two
//! and three browsers, large and small, all five games.

use browser_tests::{Done, NAMES, Parlor, Screen, Visitor, gather};
use serde_json::{Value, json};

/// Two people, and three.
const COMPANIES: [&[Screen]; 2] =
    [&[Screen::Wide, Screen::Phone], &[Screen::Phone, Screen::Wide, Screen::Phone]];

/// Everybody finds the own name marked among all, and no other.
async fn are_marked(game: &str, all: &[Visitor]) -> Done {
    for (seat, visitor) in all.iter().enumerate() {
        visitor.picture(&format!("live-{game}-{}-{}", all.len(), NAMES[seat])).await?;
        let marked = format!(
            "(people => people.length === {} && people.every((person, at) => \
                person.textContent.includes({}[at]) && !!person.querySelector('.person-you') === (at === {seat})))\
             ([...document.querySelectorAll('.people .person')])",
            all.len(),
            json!(NAMES)
        );
        visitor.soon(&format!("{} marked at {game}", NAMES[seat]), &marked).await?;
    }
    Ok(())
}

async fn leave(all: Vec<Visitor>) -> Done {
    for visitor in all {
        visitor.leaves().await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_holds_the_chips_they_begin_dice_roulette_with() -> Done {
    let parlor = Parlor::open()?;
    // The house has the bank, or Ben has.
    for (screens, banker) in COMPANIES.into_iter().zip([None, Some(1)]) {
        let bank = banker.map_or(json!("house"), |seat| json!({"seat": seat}));
        let (all, _) = gather(&parlor, "roulette", json!({"window": 600, "bank": bank}), screens).await?;
        for (seat, visitor) in all.iter().enumerate() {
            let (says, chips) = if banker == Some(seat) {
                ("You hold the bank: the others are laying their bets.", 0)
            } else {
                ("Lay a chip: number, edge, corner or box.", 5)
            };
            let rack = format!(
                "document.querySelector('.rack-says')?.textContent === {} && \
                 document.querySelectorAll('.rack-chip:not([disabled])').length === {chips} && \
                 !document.body.textContent.includes('No chips left')",
                json!(says)
            );
            visitor.soon(&format!("the rack of {}", NAMES[seat]), &rack).await?;
        }
        are_marked("roulette", &all).await?;
        leave(all).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sits_at_the_bottom_of_the_board_of_contact_with_the_goals_in_gold() -> Done {
    let parlor = Parlor::open()?;
    for (screens, colours) in COMPANIES.into_iter().zip([&["red", "green"][..], &["red", "blue", "green"]]) {
        let (all, _) = gather(&parlor, "contact", json!({"first": "south"}), screens).await?;
        for (seat, visitor) in all.iter().enumerate() {
            let says = if seat == 0 { "Your move" } else { "Ann to move" };
            let board = format!(
                "(board => {{ \
                    const down = thing => {{ const r = thing.getBoundingClientRect(), b = board.getBoundingClientRect(); \
                        return (r.y + r.height / 2 - b.y) / b.height; }}; \
                    const all = what => [...document.querySelectorAll(what)]; \
                    const own = all('.ct-tile').filter(tile => tile.querySelector('.is-{}')), goals = all('.ct-ring.is-goal'); \
                    return own.length === 6 && own.every(tile => down(tile) > 0.8) \
                        && goals.length === 14 && goals.every(goal => down(goal) < 0.2) \
                        && document.querySelector('.ct-strip h2').textContent === '{says}' \
                        && board.matches('.is-open') === {}; \
                 }})(document.querySelector('.ct-board'))",
                colours[seat],
                seat == 0
            );
            visitor.soon(&format!("{} at the bottom", NAMES[seat]), &board).await?;
        }
        are_marked("contact", &all).await?;
        leave(all).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_has_nine_dice_of_cubo_in_hand_and_the_others_beside_them() -> Done {
    let parlor = Parlor::open()?;
    for screens in COMPANIES {
        let clocks = json!({"clocks/pause": 1, "clocks/round": 600, "clocks/countdown": 60});
        let (all, _) = gather(&parlor, "cubo", clocks, screens).await?;
        for (seat, visitor) in all.iter().enumerate() {
            let others: Vec<&str> =
                NAMES[..all.len()].iter().copied().filter(|name| *name != NAMES[seat]).collect();
            let hand = format!(
                "(words => words('.hand', hand => hand.ariaLabel) === 'Dice of {}' \
                    && words('.other-name b', other => other.textContent) === '{}' \
                    && document.querySelector('[data-do=call]')?.textContent.trim() === '8 to place' \
                    && document.querySelectorAll('.hand .piece[tabindex=\"0\"]').length === 8 \
                    && /white \\d, row 2, column 2/.test(words('.piece', piece => piece.ariaLabel)))\
                 ((what, say) => [...document.querySelectorAll(what)].map(say).join())",
                NAMES[seat],
                others.join(",")
            );
            visitor.soon(&format!("the hand of {}", NAMES[seat]), &hand).await?;
        }
        are_marked("cubo", &all).await?;
        leave(all).await?;
    }
    Ok(())
}

/// In a word game one has the dice to throw, and all others read who that is and have nothing to press.
async fn one_throws(game: &str, you: &str, other: &str) -> Done {
    let parlor = Parlor::open()?;
    for screens in COMPANIES {
        let (all, _) = gather(&parlor, game, json!({}), screens).await?;
        let says = "document.querySelector('.lt-who')?.textContent";
        let mut first = Vec::new();
        for (seat, visitor) in all.iter().enumerate() {
            visitor.soon("a word about whose turn it is", &format!("{says}?.length > 0")).await?;
            if visitor.ask(&format!("return {says} === '{you}'")).await? == Value::Bool(true) {
                first.push(seat);
            }
        }
        assert_eq!(first.len(), 1, "{game}: one of {} begins", all.len());
        for (seat, visitor) in all.iter().enumerate() {
            let (says_so, buttons) = if seat == first[0] {
                (you.to_owned(), "throw")
            } else {
                (format!("{} {other}", NAMES[first[0]]), "")
            };
            let foot = format!(
                "{says} === '{says_so}' && \
                 [...document.querySelectorAll('.lt-foot button')].map(button => button.dataset.do).join() === '{buttons}'"
            );
            visitor.soon(&format!("the dice with {}", NAMES[first[0]]), &foot).await?;
        }
        are_marked(game, &all).await?;
        leave(all).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_has_the_dice_of_i_qubes_and_all_others_wait() -> Done {
    one_throws("iqubes", "You have the dice.", "has the dice.").await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_has_the_cup_of_scribbage_and_all_others_wait() -> Done {
    one_throws("scribbage", "You have the cup.", "has the cup.").await
}
