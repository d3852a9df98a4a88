//! For everybody and for who hosts: signs of health, and good manners on every answer.

use super::access::{Answered, route};
use super::{App, Caller, Refusal};
use crate::metrics::About;
use crate::rates::household;
use crate::vitals::Sign;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::{Instant, UNIX_EPOCH};
use tracing::Instrument;

/// The server runs.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "the server runs")))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server runs, and what is said to it can be kept, as of a moment ago.
#[utoipa::path(get, path = "/readyz", responses((status = 200, description = "the disk takes writes"), (status = 503, description = "it does not, or the server is stopping")))]
pub(crate) async fn readyz(State(app): State<App>) -> Result<&'static str, Refusal> {
    let unready = |code, says| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, code, says).later(5);
    if app.hall.stopping() {
        return Err(unready("stopping", "The server is stopping."));
    }
    match app.hall.ready().await {
        Sign::Written => Ok("ready\n"),
        Sign::Slow => Err(unready("slow-disk", "The disk is very slow.")),
        Sign::Refused(fault) => Err(fault.into()),
    }
}

/// Numbers for Prometheus, on the address that `--metrics-listen` names.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let hash = app.page.asset("index.html").map_or("none", |index| index.hash);
    let about = About {
        node: &app.config.node_name,
        page: hash,
        started: app.started.duration_since(UNIX_EPOCH).unwrap_or_default(),
        waiting: app.hall.waiting(),
    };
    let text = app.hall.metrics.prometheus(&app.hall.store.gauges(), &about);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// Where players come in, nobody is shown the numbers: behind a proxy everybody may look like this machine.
pub(crate) async fn metrics_are_elsewhere() -> Refusal {
    let says = "Metrics have an address of their own: start the server with --metrics-listen.";
    Refusal::new(StatusCode::NOT_FOUND, "not-found", says)
}

/// What every answer says to browsers.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
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
    let id = &number[..12];
    let (method, route) = (request.method().clone(), route(&request));
    let span = tracing::info_span!("request", id, %method, route);
    let began = Instant::now();
    // Whoever watches over the house is always answered; what it asks for costs next to nothing.
    let free = matches!(request.uri().path(), "/healthz" | "/readyz");
    let mut response = if free || app.hall.allow("request", household(from.address).to_string()) {
        next.run(request).instrument(span.clone()).await
    } else {
        app.hall.metrics.limited.one();
        let says = "That is too often from your address. Wait a while.";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "slow-down", says).later(10).into_response()
    };
    let (status, took) = (response.status(), began.elapsed());
    span.in_scope(|| tracing::debug!(status = status.as_u16(), ms = took.as_millis() as u64, "answered"));
    Answered { from, method: &method, route: &route, status, took, id }.note(&app);
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(number) = HeaderValue::from_str(id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), number);
    }
    response
}
