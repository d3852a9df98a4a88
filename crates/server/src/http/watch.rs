//! Opening a socket.

use super::{App, Caller, Known, Refusal, welcome_origin};
use crate::socket;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use protocol::http::Person;
use std::sync::Arc;

/// `GET /ws`: from here on everything is said over the socket.
pub(crate) async fn socket(
    State(app): State<App>,
    from: Caller,
    Known(person): Known,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    open(&app, from, Some(person), &headers, upgrade)
}

/// `GET /ws/look`: the same for who has no name yet. He hears what everybody may hear, and changes nothing.
pub(crate) async fn look(
    State(app): State<App>,
    from: Caller,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    open(&app, from, None, &headers, upgrade)
}

fn open(
    app: &App,
    from: Caller,
    person: Option<Person>,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    if !welcome_origin(headers, &app.config) {
        let says = "Sockets are only for pages of this server. See --origin.";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "other-origin", says));
    }
    let limits = &app.config.limits;
    let Some(one) = app.sockets.one_more(from.address, limits.connections) else {
        app.hall.metrics.limited.one();
        let says = "There are too many connections from your address. Close some.";
        return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, "enough-sockets", says).later(10));
    };
    let (hall, stop) = (Arc::clone(&app.hall), app.stop.clone());
    let upgrade = upgrade
        .max_message_size(limits.message)
        .max_frame_size(limits.message)
        // Small buffers: ten thousand sockets must fit.
        .read_buffer_size(2 * 1024)
        // What is told together goes out together: an answer, what the seat sees and the event are one write, not three.
        .write_buffer_size(16 * 1024)
        .max_write_buffer_size(usize::MAX);
    Ok(upgrade.on_upgrade(move |websocket| async move {
        socket::serve(hall, websocket, person, stop).await;
        drop(one);
    }))
}
