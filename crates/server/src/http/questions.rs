//! Questions that take a while: the coach, the solvers, the odds. All stand in one queue.

use super::finished::kind;
use super::{App, MaybeKnown, Refusal, Said};
use crate::room::Room;
use crate::say;
use crate::think::Asked;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::Phase;
use protocol::http::Thinking;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use table::{Seat, Spoken};

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
    let bounds = app.hall.bounds();
    // The coach has a table of his own, replayed from the record: the one that is played does not wait for him.
    let work = move |_: &AtomicBool, _: &mut (dyn FnMut(Value) + Send)| {
        let room = Room::load(&table, &stored, bounds).map_err(|fault| {
            tracing::error!(fault, "a table cannot be read");
            say("damaged", "This table cannot be read any more.")
        })?;
        let seat = coached_seat(&room, you.as_ref().map(|you| you.id.as_str()), seat)?;
        Ok(room.game.as_ref().and_then(|game| game.coach(Seat(seat))).unwrap_or_default())
    };
    answer(&headers, ask(&app, work)?).await
}

/// The seat that may be coached for this person.
fn coached_seat(room: &Room, you: Option<&str>, seat: Option<u32>) -> Result<u32, Spoken> {
    let mut own = you.into_iter().flat_map(|you| room.seats_of(you));
    let wanted = seat.or_else(|| own.next()).ok_or_else(|| say("which-seat", "Say which seat."))?;
    match room.phase {
        Phase::Over => Ok(wanted),
        Phase::Gathering | Phase::Closed => Err(say("not-started", "The game has not started yet.")),
        Phase::Playing if room.terms.rated => {
            Err(say("rated", "There is no coach while a rated game is played."))
        }
        Phase::Playing => {
            let mine =
                room.places.get(wanted as usize).is_some_and(|place| you.is_some() && place.person() == you);
            if mine {
                Ok(wanted)
            } else {
                Err(say("not-your-seat", "The coach speaks to a seat's owner only."))
            }
        }
    }
}

/// A question for the solver of a game.
#[utoipa::path(post, path = "/api/solve/{game}", params(("game" = String, Path,)), request_body = Value, responses((status = 200, description = "the answer; with Accept: application/x-ndjson a stream of progress and answer"), (status = 422, description = "not a question"), (status = 503, description = "too many ask; see Retry-After")))]
pub(crate) async fn solve(
    State(app): State<App>,
    Path(game): Path<String>,
    headers: HeaderMap,
    Said(question): Said<Value>,
) -> Result<Response, Refusal> {
    let (game, solver) = (kind(&game)?, Arc::clone(&app.solver));
    let work = move |stop: &AtomicBool, news: &mut (dyn FnMut(Value) + Send)| {
        solver.solve(game, question, stop, news)
    };
    answer(&headers, ask(&app, work)?).await
}

/// Exact odds, where the game has them.
#[utoipa::path(post, path = "/api/odds/{game}", params(("game" = String, Path,)), request_body = Value, responses((status = 200, description = "the odds"), (status = 422, description = "not a question"), (status = 503, description = "too many ask; see Retry-After")))]
pub(crate) async fn odds(
    State(app): State<App>,
    Path(game): Path<String>,
    headers: HeaderMap,
    Said(question): Said<Value>,
) -> Result<Response, Refusal> {
    let (game, solver) = (kind(&game)?, Arc::clone(&app.solver));
    let work = move |stop: &AtomicBool, _: &mut (dyn FnMut(Value) + Send)| solver.odds(game, question, stop);
    answer(&headers, ask(&app, work)?).await
}

fn ask<W>(app: &App, work: W) -> Result<Asked, Refusal>
where
    W: FnOnce(&AtomicBool, &mut (dyn FnMut(Value) + Send)) -> Result<Value, Spoken> + Send + 'static,
{
    let full = || {
        let says = "Too many questions at once. Ask again in a few seconds.";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", says).later(3)
    };
    app.desk.ask(&app.hall.metrics, work).ok_or_else(full)
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
