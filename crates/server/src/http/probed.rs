//! What this house sees of a request that it sent to itself through its public address (`crate::probe`).

use super::caller::last_told;
use super::{App, nothing_here};
use crate::door::CameSealed;
use axum::Json;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{Extension, Path, State, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

/// A request as it came in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Probed {
    /// The host it was for.
    pub(crate) host: String,
    /// Who a proxy says that it is from.
    pub(crate) forwarded_for: Option<String>,
    /// How a proxy says that it came.
    pub(crate) forwarded_proto: Option<String>,
    /// Whether it came to this house itself by https.
    pub(crate) sealed: bool,
}

/// `GET /ws/probe/…`: what is seen of it, over a socket if one can be opened. Only the house itself knows the key.
pub(crate) async fn probed(
    State(app): State<App>,
    Path(key): Path<String>,
    sealed: Option<Extension<CameSealed>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if key != app.seal.probe_key() {
        return nothing_here().await.into_response();
    }
    let told = |name: &str| last_told(&headers, name).map(str::to_owned);
    let seen = Probed {
        host: told(header::HOST.as_str()).unwrap_or_default(),
        forwarded_for: told("x-forwarded-for"),
        forwarded_proto: told("x-forwarded-proto"),
        sealed: sealed.is_some(),
    };
    match upgrade {
        Ok(upgrade) => upgrade.on_upgrade(move |socket| tell(socket, seen)),
        Err(_) => Json(seen).into_response(),
    }
}

async fn tell(mut socket: WebSocket, seen: Probed) {
    let text = serde_json::to_string(&seen).unwrap_or_default();
    let _ = socket.send(Message::Text(text.into())).await; // whoever has gone does not want to know
}
