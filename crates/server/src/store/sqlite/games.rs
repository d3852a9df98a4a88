//! Finished games: how one is entered, with the ratings and the personal bests that follow from it, and how they are found.

use super::rows::Pen;
use crate::ratings::{self, Strength};
use crate::store::{Finish, FinishedSeat, Search, StoreFault};
use protocol::http::{Finished, FinishedPage, Played};
use rusqlite::{Connection, OptionalExtension, params};

impl Pen<'_> {
    /// Enters the game of a table.
    pub(super) fn finish(&self, key: i64, finish: &Finish) -> Result<(), StoreFault> {
        let Finish { id, game, options, rated, ended, players } = finish;
        let sql = "INSERT INTO finished (id, game, ended, rated) VALUES (?1, ?2, ?3, ?4)";
        self.run(sql, params![id, game, ended, rated])?;
        let n = self.db().last_insert_rowid();
        let strengths = if *rated { self.rate(game, players)? } else { vec![None; players.len()] };
        for ((seat, player), strength) in (0_u32..).zip(players).zip(strengths) {
            let FinishedSeat { person, name, rank, score } = player;
            let sql = "INSERT INTO played (n, seat, person, name, place, score, rating) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            self.run(sql, params![n, seat, person, name, rank, score, strength])?;
        }
        if let [FinishedSeat { person: Some(person), score, .. }] = players.as_slice() {
            let sql = "INSERT INTO bests (person, game, options, score, id, ended) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                       ON CONFLICT DO UPDATE SET score = excluded.score, id = excluded.id, ended = excluded.ended
                       WHERE excluded.score > score";
            self.run(sql, params![person, game, options, score, id, ended])?;
        }
        self.run("DELETE FROM sitting WHERE tab = ?1", [key])
    }

    /// New ratings for everybody who played; answers them.
    fn rate(&self, game: &str, players: &[FinishedSeat]) -> Result<Vec<Option<f64>>, StoreFault> {
        let known = |player: &FinishedSeat| match &player.person {
            Some(person) => strength_of(self.db(), person, game),
            None => Ok(Strength::default()),
        };
        let before = players.iter().map(known).collect::<rusqlite::Result<Vec<_>>>()?;
        let ranks: Vec<u32> = players.iter().map(|player| player.rank).collect();
        let after = ratings::after(&before, &ranks);
        let mut new = Vec::new();
        for (player, Strength { rating, deviation, volatility }) in players.iter().zip(after) {
            let Some(person) = &player.person else {
                new.push(None);
                continue;
            };
            let sql = "INSERT INTO ratings (person, game, rating, deviation, volatility, games) VALUES (?1, ?2, ?3, ?4, ?5, 1)
                       ON CONFLICT DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                       volatility = excluded.volatility, games = games + 1";
            self.run(sql, params![person, game, rating, deviation, volatility])?;
            new.push(Some(rating));
        }
        Ok(new)
    }
}

fn strength_of(db: &Connection, person: &str, game: &str) -> rusqlite::Result<Strength> {
    let sql = "SELECT rating, deviation, volatility FROM ratings WHERE person = ?1 AND game = ?2";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Strength { rating: row.get(0)?, deviation: row.get(1)?, volatility: row.get(2)? })
    };
    Ok(db.prepare_cached(sql)?.query_row([person, game], read).optional()?.unwrap_or_default())
}

/// Finished games, each with its number.
pub(super) fn finished(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<(u64, Finished)>> {
    let read = |row: &rusqlite::Row<'_>| {
        let (table, game, ended, rated) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        Ok((row.get(0)?, Finished { table, game, ended, rated, players: Vec::new() }))
    };
    let mut games = db.prepare_cached(sql)?.query_map(values, read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let sql = "SELECT person, name, place, score, rating FROM played WHERE n = ?1 ORDER BY seat LIMIT 64";
    let mut players = db.prepare_cached(sql)?;
    for (n, game) in &mut games {
        let read = |row: &rusqlite::Row<'_>| {
            let (person, name, rank) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Played { person, name, rank, score: row.get(3)?, rating: row.get(4)? })
        };
        game.players = players.query_map([*n], read)?.collect::<rusqlite::Result<_>>()?;
    }
    Ok(games)
}

/// A page of finished games.
pub(super) fn search(db: &Connection, search: &Search) -> rusqlite::Result<FinishedPage> {
    let Search { person, game, name, before, most } = search;
    // Names are cleaned of control characters, so this comes after every name that starts so.
    let last = name.as_ref().map(|name| format!("{name}\u{10ffff}"));
    let by = match (person, name) {
        (Some(_), _) => "n IN (SELECT n FROM played WHERE person = ?1)",
        (None, Some(_)) => {
            "n IN (SELECT n FROM played WHERE name >= ?3 COLLATE NOCASE AND name < ?4 COLLATE NOCASE)"
        }
        (None, None) => "TRUE",
    };
    let sql = format!(
        "SELECT n, id, game, ended, rated FROM finished WHERE {by}
         AND (?2 IS NULL OR game = ?2) AND n < ?5 AND (?1 IS NULL OR TRUE) AND (?3 IS NULL OR ?4 IS NOT NULL)
         ORDER BY n DESC LIMIT ?6"
    );
    let before = before.unwrap_or(i64::MAX as u64).min(i64::MAX as u64);
    let games = finished(db, &sql, params![person, game, name, last, before, most])?;
    let more = games.len() as u32 == *most;
    let before = games.last().filter(|_| more).map(|(n, _)| *n);
    Ok(FinishedPage { games: games.into_iter().map(|(_, game)| game).collect(), before })
}
