//! What is told of a game: everything once, however many views were seen of it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use cubo::{Act, Clocks, Cubo, News, Options, Public};
use table::record::Event;
use table::{Bot, Game, Head, Seat, Seats, Seed, Table, bot};

/// The views of a game between three bots, and who called in it, call by call.
fn game(seed: u64) -> (Vec<Public>, Vec<Seat>) {
    let seats = Seats::named(["Ann", "Ben", "Cat"]).unwrap();
    let seed = Seed::from_number(seed);
    // A short countdown, so that somebody comes too late now and then.
    let options = Options { clocks: Clocks { countdown: 3, ..Clocks::default() }, ..Options::default() };
    let head = Head::new(Cubo::NAME, options, seats, seed.commitment()).under(Cubo::RULES);
    let mut table = Table::<Cubo>::open(&head, &seed).unwrap();
    let mut bots: Vec<Box<dyn Bot<Cubo>>> =
        (1..=3).map(|level| Box::new(cubo::bot(level, u64::from(level))) as Box<dyn Bot<Cubo>>).collect();
    let (mut views, mut calls) = (vec![table.game().public()], Vec::new());
    bot::drive(&mut table, &mut bots, 100_000, |table, entry| {
        views.push(table.game().public());
        if let Event::Act { seat, act: Act::Call } = entry.event {
            calls.push(seat);
        }
    })
    .unwrap();
    (views, calls)
}

fn told<'a>(views: impl Iterator<Item = &'a Public> + Clone) -> Vec<News> {
    views.clone().zip(views.skip(1)).flat_map(|(before, after)| after.news_since(before)).collect()
}

#[test]
fn every_round_call_die_and_count_is_told_once() {
    for seed in 0..4 {
        let (views, calls) = game(seed);
        let news = told(views.iter());
        let called: Vec<Seat> = news
            .iter()
            .filter_map(|news| if let News::Called(seat) = news { Some(*seat) } else { None })
            .collect();
        assert_eq!(called, calls);
        let count = |is: fn(&News) -> bool| news.iter().filter(|news| is(news)).count();
        assert_eq!(count(|news| matches!(news, News::Took(..))), calls.len());
        assert_eq!(count(|news| matches!(news, News::Counted { .. })), calls.len());
        assert_eq!(count(|news| matches!(news, News::Late(_))), 18 - calls.len());
        assert_eq!(count(|news| matches!(news, News::Signal { .. })), 6);
        assert_eq!(count(|news| matches!(news, News::Uncovered)), 6);
        assert_eq!(news.last(), Some(&News::Over));
        let last = views.last().unwrap();
        for (seat, view) in (0..).map(Seat).zip(&last.seats) {
            let scores = news.iter().rev().find_map(|news| match *news {
                News::Counted { seat: whose, score, .. } if whose == seat => Some(score),
                _ => None,
            });
            assert_eq!(scores.unwrap_or(0), view.score);
        }
    }
}

#[test]
fn whoever_missed_some_views_is_told_the_same_calls_and_counts() {
    let (views, _) = game(1);
    let kept = |news: &News| !matches!(news, News::PickedUp(_) | News::Rolled(_) | News::Countdown);
    let mut all: Vec<String> = Vec::new();
    let mut fewer = Vec::new();
    let name = |seat: Seat| seat.to_string();
    all.extend(told(views.iter()).iter().filter(|news| kept(news)).map(|news| news.tell(&name)));
    fewer.extend(
        told(views.iter().step_by(2).chain(views.last()))
            .iter()
            .filter(|news| kept(news))
            .map(|news| news.tell(&name)),
    );
    // Two events seen as one may be told in another order, and the end of a round with the next one's beginning.
    all.sort_unstable();
    fewer.sort_unstable();
    assert_eq!(all, fewer);
}

#[test]
fn news_are_sentences_about_somebody() {
    let name = |seat: Seat| ["Ann", "Ben"][seat.index()].to_owned();
    let tell = |news: News| news.tell(&name);
    assert_eq!(tell(News::Called(Seat(0))), "Ann calls Cubo!");
    assert_eq!(tell(News::Took(Seat(1), "R4".parse().unwrap())), "Ben takes the red 4.");
    let counted = News::Counted { seat: Seat(0), points: 11, score: 30, exchange: None };
    assert_eq!(tell(counted), "Ann counts 11, 30 in all.");
}
