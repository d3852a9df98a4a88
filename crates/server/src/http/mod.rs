//! The front door: what is where. Reads like a table of contents.

mod access;
mod admin;
mod caller;
mod docs;
mod doors;
mod files;
mod finished;
mod me;
mod probed;
mod questions;
mod refusal;
mod unsealed;
mod watch;

pub(crate) use admin::enter_path;
pub(crate) use caller::Caller;
pub(crate) use probed::Probed;
pub(crate) use refusal::{Refusal, Said};
pub(crate) use unsealed::unsealed_router;

use crate::Config;
use crate::admin::Feed;
use crate::hall::Hall;
use crate::lock;
use crate::page::Page;
use crate::people::Seal;
use crate::store::office::Office;
use crate::think::Desk;
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use protocol::http::Person;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::watch::Receiver;

/// What every request can reach.
#[derive(Clone)]
pub(crate) struct App(Arc<Inside>);

pub(crate) struct Inside {
    pub(crate) hall: Arc<Hall>,
    pub(crate) seal: Seal,
    pub(crate) config: Config,
    pub(crate) page: Arc<dyn Page>,
    pub(crate) desk: Desk,
    pub(crate) sockets: Counted,
    pub(crate) stop: Receiver<bool>,
    pub(crate) office: Arc<dyn Office>,
    pub(crate) feed: Arc<Feed>,
    /// When this process opened the house, by the clock on its wall.
    pub(crate) started: SystemTime,
}

impl std::ops::Deref for App {
    type Target = Inside;
    fn deref(&self) -> &Inside {
        &self.0
    }
}

impl App {
    pub(crate) fn new(inside: Inside) -> App {
        App(Arc::new(inside))
    }
}

/// The whole front door.
pub(crate) fn router(app: App) -> Router {
    let limit = app.config.limits.message;
    Router::new()
        .route("/ws", get(watch::socket))
        .route("/ws/look", get(watch::look))
        .route("/ws/probe/{key}", get(probed::probed))
        .route("/api/me", get(me::me).post(me::name_me).delete(me::forget_me))
        .route("/api/me/phrase", post(me::phrase))
        .route("/api/me/claim", post(me::claim))
        .route("/api/me/token", post(me::token))
        .route("/api/people/{person}", get(me::person))
        .route("/api/leaders/{game}", get(me::leaders))
        .route("/api/games", get(finished::games))
        .route("/api/finished", get(finished::finished))
        .route("/api/finished/{table}/record", get(finished::record))
        .route("/api/coach/{table}", get(questions::coach))
        .route("/api/solve/{game}", post(questions::solve))
        .route("/api/openapi.json", get(docs::openapi))
        .route("/api/docs", get(docs::page))
        .route("/api/docs.js", get(docs::script))
        .route("/api/docs.css", get(docs::style))
        .route("/api/{*rest}", get(nothing_here).post(nothing_here))
        .route("/healthz", get(doors::healthz))
        .route("/readyz", get(doors::readyz))
        .route("/metrics", get(doors::metrics_are_elsewhere))
        .merge(admin::routes())
        .fallback(files::page)
        .layer(DefaultBodyLimit::max(limit))
        .layer(axum::middleware::from_fn_with_state(app.clone(), doors::manners))
        .with_state(app)
}

/// What a scraper is told, on an address of its own.
pub(crate) fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(doors::metrics)).with_state(app)
}

async fn nothing_here() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "not-found", "There is nothing here. See /api/docs.")
}

/// Whoever sent the request, by cookie or token; refused if it is nobody.
pub(crate) struct Known(pub(crate) Person);

impl FromRequestParts<App> for Known {
    type Rejection = Refusal;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Known, Refusal> {
        match MaybeKnown::from_request_parts(parts, app).await?.0 {
            Some(person) => Ok(Known(person)),
            None => Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "who-are-you",
                "Say your name first: POST /api/me.",
            )),
        }
    }
}

/// Whoever sent the request, if anybody we know.
pub(crate) struct MaybeKnown(pub(crate) Option<Person>);

impl FromRequestParts<App> for MaybeKnown {
    type Rejection = Refusal;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<MaybeKnown, Refusal> {
        Ok(MaybeKnown(app.seal.identify(&parts.headers, app.hall.store.as_ref()).await?))
    }
}

/// Whether a page of this origin may talk to us in somebody's name.
pub(crate) fn welcome_origin(headers: &HeaderMap, config: &Config) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // A browser always says where a page comes from when it opens a socket or posts; programs need not.
    let Some(origin) = text("origin") else { return true };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && host == text("host") || config.origins.iter().any(|allowed| allowed == origin)
}

/// How many each address has of something.
#[derive(Clone, Default)]
pub(crate) struct Counted(Arc<Mutex<HashMap<IpAddr, u32>>>);

/// One of them.
pub(crate) struct One {
    all: Counted,
    address: IpAddr,
}

impl Counted {
    /// One more, unless that is too many.
    pub(crate) fn one_more(&self, address: IpAddr, most: u32) -> Option<One> {
        let address = crate::rates::household(address);
        let mut all = lock(&self.0);
        let count = all.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(One { all: self.clone(), address })
    }
}

impl Drop for One {
    fn drop(&mut self) {
        let mut all = lock(&self.all.0);
        if let Some(count) = all.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.address);
            }
        }
    }
}
