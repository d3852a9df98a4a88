//! Finished games: how one is entered, with the ratings and the personal bests that follow from it, and how they are found.

use super::connection::{Line, RATINGS_LOCK, int, nat, plain};
use crate::ratings::{self, Strength};
use crate::store::{Finish, FinishedSeat, Search, StoreFault};
use protocol::http::{Finished, FinishedPage, Played};

/// Enters the game of a table.
pub(super) async fn finish(line: &Line, key: i64, finish: &Finish) -> Result<(), StoreFault> {
    let Finish { id, game, options, rated, ended, players } = finish;
    let sql = "INSERT INTO finished (id, game, ended, rated) VALUES ($1, $2, $3, $4) RETURNING n";
    let row = line.one(sql, &[id, game, &int(*ended), rated]).await?;
    let n: i64 =
        row.map(|row| row.get(0)).ok_or_else(|| StoreFault::Broken("a game has no number".to_owned()))?;
    let strengths = if *rated { rate(line, game, players).await? } else { vec![None; players.len()] };
    for ((seat, player), strength) in (0_i32..).zip(players).zip(strengths) {
        let FinishedSeat { person, name, rank, score } = player;
        let sql = "INSERT INTO played (n, seat, person, name, place, score, rating) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        line.run(sql, &[&n, &seat, person, name, &(*rank as i32), score, &strength]).await?;
    }
    if let [FinishedSeat { person: Some(person), score, .. }] = players.as_slice() {
        let sql = "INSERT INTO bests (person, game, options, whole, score, id, ended)
                   VALUES ($1, $2, options_key($3), nullif($3, options_key($3)), $4, $5, $6)
                   ON CONFLICT (person, game, options) DO UPDATE
                   SET score = excluded.score, id = excluded.id, ended = excluded.ended WHERE excluded.score > bests.score";
        line.run(sql, &[person, game, options, score, id, &int(*ended)]).await?;
    }
    line.run("DELETE FROM sitting WHERE tab = $1", &[&key]).await
}

/// New ratings for everybody who played; answers them.
async fn rate(line: &Line, game: &str, players: &[FinishedSeat]) -> Result<Vec<Option<f64>>, StoreFault> {
    // Games that end at two nodes in one moment are rated one after the other.
    line.run("SELECT pg_advisory_xact_lock($1)", &[&RATINGS_LOCK]).await?;
    let mut before = Vec::with_capacity(players.len());
    for player in players {
        before.push(match &player.person {
            Some(person) => strength_of(line, person, game).await?,
            None => Strength::default(),
        });
    }
    let ranks: Vec<u32> = players.iter().map(|player| player.rank).collect();
    let mut new = Vec::new();
    for (player, Strength { rating, deviation, volatility }) in
        players.iter().zip(ratings::after(&before, &ranks))
    {
        let Some(person) = &player.person else {
            new.push(None);
            continue;
        };
        let sql = "INSERT INTO ratings (person, game, rating, deviation, volatility, games) VALUES ($1, $2, $3, $4, $5, 1)
                   ON CONFLICT (person, game) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                   volatility = excluded.volatility, games = ratings.games + 1";
        line.run(sql, &[person, &game, &rating, &deviation, &volatility]).await?;
        new.push(Some(rating));
    }
    Ok(new)
}

async fn strength_of(line: &Line, person: &str, game: &str) -> Result<Strength, StoreFault> {
    let sql = "SELECT rating, deviation, volatility FROM ratings WHERE person = $1 AND game = $2";
    let row = line.one(sql, &[&person, &game]).await?;
    Ok(row.map_or_else(Strength::default, |row| Strength {
        rating: row.get(0),
        deviation: row.get(1),
        volatility: row.get(2),
    }))
}

fn finished_game(row: &tokio_postgres::Row) -> (i64, Finished) {
    let (table, game, ended, rated) = (row.get(1), row.get(2), nat(row.get(3)), row.get(4));
    (row.get(0), Finished { table, game, ended, rated, players: Vec::new() })
}

/// These games with who played, each with its number.
pub(super) async fn with_players(
    line: &Line,
    rows: Vec<tokio_postgres::Row>,
) -> Result<Vec<(i64, Finished)>, StoreFault> {
    let mut games: Vec<(i64, Finished)> = rows.iter().map(finished_game).collect();
    let numbers: Vec<i64> = games.iter().map(|(n, _)| *n).collect();
    let sql = "SELECT n, person, name, place, score, rating FROM played WHERE n = ANY($1) AND seat < 64 ORDER BY n, seat";
    for row in line.all(sql, &[&numbers]).await? {
        let n: i64 = row.get(0);
        if let Some((_, game)) = games.iter_mut().find(|(number, _)| *number == n) {
            let (person, name, rank) = (row.get(1), row.get(2), row.get::<_, i32>(3) as u32);
            game.players.push(Played { person, name, rank, score: row.get(4), rating: row.get(5) });
        }
    }
    Ok(games)
}

/// A page of finished games.
pub(super) async fn search(line: &Line, search: Search) -> Result<FinishedPage, StoreFault> {
    let Search { person, game, name, before, most } = search;
    let (person, game) = (person.map(plain), game.map(plain));
    // Names are cleaned of control characters, so this comes after every name that starts so.
    let last = name.as_ref().map(|name| format!("{name}\u{10ffff}"));
    let sql = match (&person, &name) {
        (Some(_), _) => {
            "SELECT n, id, game, ended, rated FROM finished WHERE n IN (SELECT n FROM played WHERE person = $1)
             AND ($2::text IS NULL OR game = $2) AND n < $5 AND ($3::text IS NULL OR $4::text IS NOT NULL) ORDER BY n DESC LIMIT $6"
        }
        (None, Some(_)) => {
            r#"SELECT n, id, game, ended, rated FROM finished WHERE n IN (SELECT n FROM played
             WHERE lower(name) COLLATE "C" >= lower($3) COLLATE "C" AND lower(name) COLLATE "C" < lower($4) COLLATE "C")
             AND ($2::text IS NULL OR game = $2) AND n < $5 AND $1::text IS NULL ORDER BY n DESC LIMIT $6"#
        }
        (None, None) => {
            "SELECT n, id, game, ended, rated FROM finished WHERE ($2::text IS NULL OR game = $2) AND n < $5
             AND $1::text IS NULL AND $3::text IS NULL AND $4::text IS NULL ORDER BY n DESC LIMIT $6"
        }
    };
    let before = int(before.unwrap_or(u64::MAX));
    let rows = line.all(sql, &[&person, &game, &name, &last, &before, &i64::from(most)]).await?;
    let games = with_players(line, rows).await?;
    let more = games.len() as u32 == most;
    let before = games.last().filter(|_| more).map(|(n, _)| nat(*n));
    Ok(FinishedPage { games: games.into_iter().map(|(_, game)| game).collect(), before })
}
