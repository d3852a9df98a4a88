//! The description of the HTTP API, and a page that shows it without the internet.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use utoipa::OpenApi;

/// All of it.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Parlor",
        description = "Tables, people and records of a Parlor house. Playing goes over the WebSocket at /ws: see docs/protocol.md."
    ),
    paths(
        super::me::me,
        super::me::name_me,
        super::me::forget_me,
        super::me::phrase,
        super::me::claim,
        super::me::token,
        super::me::person,
        super::me::leaders,
        super::finished::games,
        super::finished::finished,
        super::finished::record,
        super::questions::coach,
        super::questions::solve,
        super::doors::healthz,
        super::doors::readyz,
    )
)]
struct Api;

pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Api::openapi())
}

pub(crate) async fn page() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("docs.html"))
}

pub(crate) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("docs.js"))
}

pub(crate) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("docs.css"))
}
