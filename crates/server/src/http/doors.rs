//! For everybody and for who hosts: the page, signs of health, and good manners on every answer.

use super::{App, Caller, Refusal};
use crate::rates::household;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// The server runs.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "the server runs")))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server runs, and what is said to it can be kept.
#[utoipa::path(get, path = "/readyz", responses((status = 200, description = "the disk takes writes"), (status = 503, description = "it does not, or the server is stopping")))]
pub(crate) async fn readyz(State(app): State<App>) -> Result<&'static str, Refusal> {
    if app.hall.stopping() {
        return Err(
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "The server is stopping.").later(5)
        );
    }
    let written =
        tokio::time::timeout(Duration::from_secs(2), app.hall.store.alive(app.hall.clock.now())).await;
    let slow =
        |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "slow-disk", "The disk is very slow.").later(5);
    written.map_err(slow)??;
    Ok("ready\n")
}

/// Numbers for Prometheus; to this machine only, unless the host opened them.
#[utoipa::path(get, path = "/metrics", responses((status = 200, description = "numbers for Prometheus"), (status = 404, description = "not for you")))]
pub(crate) async fn metrics(State(app): State<App>, from: Caller) -> Result<Response, Refusal> {
    if !app.config.open_metrics && !from.address.to_canonical().is_loopback() {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "not-found", "There is nothing here."));
    }
    let text = app.hall.metrics.prometheus(&app.hall.store.gauges());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// A file of the page. Addresses inside the page (without a dot) all lead to its first file.
pub(crate) async fn page(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let file = if path.rsplit('/').next().unwrap_or("").contains('.') { path } else { "index.html" };
    let brotli =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).is_some_and(takes_brotli);
    let Some(asset) = app.page.asset(file, brotli) else {
        return (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response();
    };
    let keep = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = asset.body.into_owned().into_response();
    let out = response.headers_mut();
    let kind = HeaderValue::from_str(&asset.content_type);
    out.insert(header::CONTENT_TYPE, kind.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = asset.encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn takes_brotli(accepted: &str) -> bool {
    accepted.split(',').any(|one| one.split(';').next().is_some_and(|name| name.trim() == "br"))
}

/// What every answer says to browsers.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // A table's invitation is in the address: no other site is to see it.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Every request has a number in the log, a bound on how often, and the usual headers on its answer.
pub(crate) async fn manners(State(app): State<App>, from: Caller, request: Request, next: Next) -> Response {
    let number = crate::id::fresh();
    // Addresses inside the page may hold an invitation: the log gets only what kind of address it was.
    let route = request
        .extensions()
        .get::<axum::extract::MatchedPath>()
        .map_or("page", |path| path.as_str())
        .to_owned();
    let span = tracing::info_span!("request", id = &number[..12], method = %request.method(), route);
    let began = Instant::now();
    let mut response = if app.hall.allow("request", household(from.address).to_string()) {
        next.run(request).instrument(span.clone()).await
    } else {
        app.hall.metrics.limited.one();
        let says = "That is too often from your address. Wait a while.";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "slow-down", says).later(10).into_response()
    };
    let status = response.status().as_u16();
    span.in_scope(|| tracing::debug!(status, ms = began.elapsed().as_millis() as u64, "answered"));
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(number) = HeaderValue::from_str(&number[..12]) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), number);
    }
    response
}
