//! The administrator's page: plain HTML that needs no script. Nothing of it is shown, and nothing done, without the cookie that a one-time link gives; and
//! every form says by a token and by its origin that it comes from this page.

mod deeds;
mod html;
mod pages;

use super::{App, Caller, welcome_origin};
use crate::admin::{Key, form_token, sum};
use crate::rates::household;
use crate::store::StoreFault;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use table::Spoken;

/// Where all of it is, below the path that the house is served under.
const HOME: &str = "/admin";

/// The same as browsers have it.
fn home(app: &App) -> String {
    format!("{}{HOME}", app.config.base.as_str().trim_end_matches('/'))
}

/// Where a link leads.
pub(crate) fn enter_path(key: &str) -> String {
    format!("{HOME}/enter/{key}")
}

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(HOME, get(pages::overview))
        .route(&format!("{HOME}/people"), get(pages::people))
        .route(&enter_path("{key}"), get(pages::enter).post(deeds::enter))
        .route(&format!("{HOME}/do"), post(deeds::carry_out))
}

/// The cookie's name. Browsers send it to these pages only.
const COOKIE: &str = "parlor-admin";

/// The header that signs a browser in, for so many seconds.
fn cookie(key: &str, home: &str, seconds: u64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={key}; Path={home}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&text).expect("keys and paths are plain letters")
}

/// A page, or the reason why there is none.
struct Page {
    status: StatusCode,
    html: String,
}

impl Page {
    const fn of(html: String) -> Page {
        Page { status: StatusCode::OK, html }
    }

    /// A few words that say what to do.
    fn refused(status: StatusCode, title: &str, says: &str) -> Page {
        Page { status, html: pages::notice(title, says) }
    }
}

impl From<StoreFault> for Page {
    fn from(fault: StoreFault) -> Page {
        tracing::warn!(%fault, "the store could not serve an administrator");
        Page::refused(StatusCode::SERVICE_UNAVAILABLE, "Not just now", &crate::keeper::sentence(&fault))
    }
}

impl From<Spoken> for Page {
    fn from(why: Spoken) -> Page {
        Page::refused(StatusCode::UNPROCESSABLE_ENTITY, "That was not done", &why.says)
    }
}

/// What these pages say to browsers besides what every answer says: there is no script, and nothing is kept. A form's origin is told to this server, as
/// browsers tell it only if the address may be told, too.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "same-origin"),
];

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.html).into_response();
        for (name, value) in HEADERS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// A browser that is signed in.
struct Administrator {
    key: Key,
    /// Where its pages are.
    home: String,
}

impl Administrator {
    /// What the audit log calls this browser.
    fn who(&self) -> String {
        let sum = crate::people::hex(&sum(&self.key));
        format!("browser {}", &sum[..6])
    }

    fn token(&self) -> String {
        form_token(&self.key)
    }
}

impl FromRequestParts<App> for Administrator {
    type Rejection = Page;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Administrator, Page> {
        let closed = || {
            Page::refused(
                StatusCode::UNAUTHORIZED,
                "For the administrator",
                "Whoever runs this house can sign in here by a link that is good once. The command `parlor admin` prints one.",
            )
        };
        let key = key_of(&parts.headers).ok_or_else(closed)?;
        if app.office.signed_in(sum(&key), app.hall.clock.now()).await? {
            return Ok(Administrator { key, home: home(app) });
        }
        let from = Caller::from_request_parts(parts, app).await.unwrap_or_else(|never| match never {});
        try_once_more(app, from)?;
        Err(closed())
    }
}

/// The key that a browser brings.
fn key_of(headers: &HeaderMap) -> Option<Key> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut ours = all
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    ours.find(|key| crate::id::plausible(key)).map(str::to_owned)
}

/// A try at a link, or a key that opened nothing: from one address, as often as at a passphrase.
fn try_once_more(app: &App, from: Caller) -> Result<(), Page> {
    if app.hall.allow("key", household(from.address).to_string()) {
        return Ok(());
    }
    app.hall.metrics.limited.one();
    let says = "That is too often from your address. Wait an hour, or use the command line.";
    Err(Page::refused(StatusCode::TOO_MANY_REQUESTS, "Too many tries", says))
}

/// Refuses a form that a page elsewhere has sent. Browsers say where a form comes from; whatever does not is no page.
fn from_here(app: &App, headers: &HeaderMap) -> Result<(), Page> {
    if headers.contains_key(header::ORIGIN) && welcome_origin(headers, &app.config) {
        return Ok(());
    }
    let says = "This form does not come from a page of this house. Open the page again, and do it there.";
    Err(Page::refused(StatusCode::FORBIDDEN, "Not from here", says))
}
