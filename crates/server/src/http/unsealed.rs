//! Whoever comes without https to a house that speaks it: sent there, or, where the browser will warn, told what it will say and why.

use super::{App, doors};
use crate::tls::Sealed;
use axum::Router;
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// What is told: with the fingerprint, where the house made its certificate itself.
#[derive(Clone)]
struct Told {
    fingerprint: Option<Arc<str>>,
    base: Arc<str>,
}

/// Signs of health are for machines, hold no secret and are answered; everything else is to come by https.
pub(crate) fn unsealed_router(app: App, sealed: Option<&Sealed>) -> Router {
    let told = Told {
        fingerprint: sealed.and_then(|sealed| sealed.self_made.clone()),
        base: app.config.base.as_str().into(),
    };
    Router::new()
        .route("/healthz", get(doors::healthz))
        .route("/readyz", get(doors::readyz))
        .with_state(app)
        .fallback(move |method: Method, uri: Uri, headers: HeaderMap| {
            let told = State(told.clone());
            async move { come_by_https(&told, &method, &uri, &headers) }
        })
}

fn come_by_https(told: &Told, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    // It is written into a page: only what a host can be.
    let plain =
        |host: &&str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte));
    let there = host.filter(plain).map(|host| {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        format!("https://{host}{}{}", told.base.trim_end_matches('/'), path)
    });
    let looks = method == Method::GET || method == Method::HEAD;
    let Some(there) = there.filter(|_| looks) else {
        let says = "This address speaks https. Ask again with https:// before it.\n";
        return (StatusCode::UPGRADE_REQUIRED, [(header::UPGRADE, "TLS/1.2, HTTP/1.1")], says)
            .into_response();
    };
    match (&told.fingerprint, HeaderValue::from_str(&there)) {
        (None, Ok(there)) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, there)]).into_response(),
        (fingerprint, _) => warning(&there, fingerprint.as_deref().unwrap_or_default(), headers),
    }
}

/// What the browser will say, and what to do: as a page, or as text for programs.
fn warning(there: &str, fingerprint: &str, headers: &HeaderMap) -> Response {
    let page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    let form = if page { include_str!("unsealed.html") } else { include_str!("unsealed.txt") };
    let there = if page { escaped(there) } else { there.to_owned() };
    let text = form.replace("{{there}}", &there).replace("{{fingerprint}}", fingerprint);
    let kind = if page { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::UPGRADE, "TLS/1.2, HTTP/1.1"),
    ];
    (StatusCode::UPGRADE_REQUIRED, headers, text).into_response()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
