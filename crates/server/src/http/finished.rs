//! The games of the house, and the games that were played.

use super::{App, Refusal};
use crate::store::Search;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use house::{Kind, Setting, UnknownGame};
use protocol::http::{FinishedPage, GameInfo};
use serde::Deserialize;

pub(crate) fn kind(game: &str) -> Result<Kind, Refusal> {
    let unknown =
        |unknown: UnknownGame| Refusal::new(StatusCode::NOT_FOUND, "no-such-game", &unknown.to_string());
    game.parse().map_err(unknown)
}

/// The games, their options and bots.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = [GameInfo])))]
pub(crate) async fn games() -> Result<Json<Vec<GameInfo>>, Refusal> {
    let info = |kind: Kind| {
        let setting = Setting::new(kind, serde_json::json!({}))?;
        Ok(GameInfo {
            game: kind.name().to_owned(),
            title: kind.title().to_owned(),
            options: setting.options,
            seating: (*setting.seating.start(), *setting.seating.end()),
            levels: house::levels(kind),
        })
    };
    let games: Result<Vec<_>, table::Spoken> = Kind::ALL.into_iter().map(info).collect();
    Ok(Json(games?))
}

/// Which finished games are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Of this person.
    person: Option<String>,
    /// Of this game.
    game: Option<String>,
    /// With somebody whose name starts so.
    name: Option<String>,
    /// Older than this: `before` of the page before.
    before: Option<u64>,
}

/// Finished games, the latest first.
#[utoipa::path(get, path = "/api/finished", params(Wanted), responses((status = 200, body = FinishedPage)))]
pub(crate) async fn finished(
    State(app): State<App>,
    Query(Wanted { person, game, name, before }): Query<Wanted>,
) -> Result<Json<FinishedPage>, Refusal> {
    let name = name.filter(|name| !name.is_empty()).map(|name| crate::clean_name(&name)).transpose()?;
    let search = Search { person, game, name, before, most: 50 };
    Ok(Json(app.hall.store.finished(search).await?))
}

/// A finished game as a record, for `parlor verify` and `parlor replay`.
#[utoipa::path(get, path = "/api/finished/{table}/record", params(("table" = String, Path,)), responses((status = 200, body = String, content_type = "application/jsonl"), (status = 404, description = "no such game, or not over")))]
pub(crate) async fn record(State(app): State<App>, Path(table): Path<String>) -> Result<Response, Refusal> {
    let missing =
        || Refusal::new(StatusCode::NOT_FOUND, "no-such-game", "There is no finished game at such a table.");
    let finished = app.hall.store.finished_at(table.clone()).await?.ok_or_else(missing)?;
    let stored = app.hall.store.load(table, app.hall.clock.now()).await?.ok_or_else(missing)?;
    let name = format!("attachment; filename=\"{}-{}.jsonl\"", finished.game, &finished.table[..8]);
    let headers =
        [(header::CONTENT_TYPE, "application/jsonl".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, stored.record()).into_response())
}
