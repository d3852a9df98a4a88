//! Where a request went, as logs and numbers may say it, and the line in the log for each. An address inside the page may hold an
//! invitation: what is said is only what kind of address it was, and there are few kinds.

use super::{App, Caller};
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use std::time::Duration;

/// The places of the page, by the first part of their address.
const PLACES: [(&str, &str); 10] = [
    ("box", "/box/{game}"),
    ("learn", "/learn/{game}"),
    ("solve", "/solve/{game}"),
    ("leaders", "/leaders/{game}"),
    ("you", "/you"),
    ("people", "/people/{person}"),
    ("here", "/here/{table}"),
    ("table", "/table/{table}"),
    ("replay", "/replay/{table}"),
    ("docs", "/docs/{page}"),
];

/// What kind of address a request is for.
pub(super) fn route(request: &Request) -> String {
    if let Some(matched) = request.extensions().get::<MatchedPath>() {
        return matched.as_str().to_owned();
    }
    let path = request.uri().path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    let place = PLACES.iter().find(|(name, _)| *name == first).map(|(_, route)| *route);
    let known = || match path {
        "" => "/",
        path if path.contains('.') => "/{file}",
        _ => "/{elsewhere}",
    };
    place.unwrap_or_else(known).to_owned()
}

/// A request that was answered.
pub(super) struct Answered<'a> {
    pub(super) from: Caller,
    pub(super) method: &'a Method,
    pub(super) route: &'a str,
    pub(super) status: StatusCode,
    pub(super) took: Duration,
    pub(super) id: &'a str,
}

impl Answered<'_> {
    /// Counts it; and writes it down, where the host wishes that.
    pub(super) fn note(self, app: &App) {
        let Answered { from, method, route, status, took, id } = self;
        let status = status.as_u16();
        app.hall.metrics.requests.add((route.to_owned(), status), 1);
        app.hall.metrics.request.observe(took.as_secs_f64());
        if app.config.access_log {
            let (client, node, ms) = (from.address, &app.config.node_name, took.as_secs_f64() * 1e3);
            tracing::info!(%client, %method, route, status, ms, id, node, "request");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn an_address_inside_the_page_is_told_without_what_it_holds() {
        for (path, told) in [
            ("/", "/"),
            ("/table/0123456789abcdef", "/table/{table}"),
            ("/replay/link", "/replay/{table}"),
            ("/you", "/you"),
            ("/app-0123456789abcdef.js?x=secret", "/{file}"),
            ("/parlor_secret", "/{elsewhere}"),
            ("/tables/secret", "/{elsewhere}"),
            ("//table/secret", "/table/{table}"),
        ] {
            assert_eq!(route(&Request::get(path).body(Body::empty()).unwrap()), told, "{path}");
        }
    }
}
