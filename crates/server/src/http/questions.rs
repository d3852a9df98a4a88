//! Questions that take a while, for the coach and the solvers. All wait in one queue.

use super::finished::kind;
use super::{App, MaybeKnown, Refusal, Said};
use crate::think::{Asked, Question};
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::http::Thinking;
use serde::Deserialize;
use serde_json::Value;

/// Which seat the coach is asked about.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// The seat; may be left out by who has only one.
    seat: Option<u32>,
}

/// What the coach says about a seat: to its owner, or after the end to anybody.
#[utoipa::path(get, path = "/api/coach/{table}", params(("table" = String, Path,), Which), responses((status = 200, description = "what the coach says, in the game's own words; null for nothing"), (status = 403, description = "not your seat, or a rated game"), (status = 503, description = "too many ask; see Retry-After")))]
pub(crate) async fn coach(
    State(app): State<App>,
    MaybeKnown(you): MaybeKnown,
    Path(table): Path<String>,
    Query(Which { seat }): Query<Which>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let missing = || Refusal::new(StatusCode::NOT_FOUND, "no-such-table", "There is no such table.");
    let stored = app.hall.store.load(table.clone(), app.hall.clock.now()).await?.ok_or_else(missing)?;
    let you = you.map(|you| you.id);
    answer(&headers, ask(&app, Question::Coach { table, stored: Box::new(stored), you, seat })?).await
}

/// A question for the solver of a game.
#[utoipa::path(post, path = "/api/solve/{game}", params(("game" = String, Path,)), request_body = Value, responses((status = 200, description = "the answer; with Accept: application/x-ndjson a stream of progress and answer"), (status = 422, description = "not a question"), (status = 503, description = "too many ask; see Retry-After")))]
pub(crate) async fn solve(
    State(app): State<App>,
    Path(game): Path<String>,
    headers: HeaderMap,
    Said(question): Said<Value>,
) -> Result<Response, Refusal> {
    let game = kind(&game)?;
    answer(&headers, ask(&app, Question::Solve { game, question })?).await
}

fn ask(app: &App, question: Question) -> Result<Asked, Refusal> {
    let full = || {
        let says = "Too many questions at once. Ask again in a few seconds.";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", says).later(3)
    };
    app.desk.ask(&app.hall.metrics, question).ok_or_else(full)
}

/// One answer, or a stream of lines for who asks for that.
async fn answer(headers: &HeaderMap, mut asked: Asked) -> Result<Response, Refusal> {
    let stream =
        headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/x-ndjson");
    if stream {
        let lines = futures_util::stream::unfold(asked, |mut asked| async move {
            let line = asked.lines.recv().await?;
            let text = crate::room::text(&line) + "\n";
            Some((Ok::<_, std::convert::Infallible>(text), asked))
        });
        let body = Body::from_stream(lines);
        return Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response());
    }
    while let Some(line) = asked.lines.recv().await {
        match line {
            Thinking::Progress(_) => {}
            Thinking::Answer(answer) => return Ok(Json(answer).into_response()),
            Thinking::Refused(why) => return Err(why.into()),
        }
    }
    Err(Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "stopped",
        "The server is stopping. Come back in a moment.",
    )
    .later(5))
}
