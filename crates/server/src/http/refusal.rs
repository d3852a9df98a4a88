//! What goes wrong over HTTP: one type, a status, and words.

use crate::keeper::sentence;
use crate::say;
use crate::store::StoreFault;
use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use table::Spoken;

/// A request that is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    why: Spoken,
    retry_after: Option<u32>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &str, says: &str) -> Refusal {
        Refusal { status, why: say(code, says), retry_after: None }
    }

    /// One that has its words already.
    pub(crate) const fn because(status: StatusCode, why: Spoken) -> Refusal {
        Refusal { status, why, retry_after: None }
    }

    /// Come back in so many seconds.
    pub(crate) fn later(mut self, seconds: u32) -> Refusal {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<Spoken> for Refusal {
    fn from(why: Spoken) -> Refusal {
        Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, why, retry_after: None }
    }
}

impl From<StoreFault> for Refusal {
    fn from(fault: StoreFault) -> Refusal {
        tracing::warn!(%fault, "the store could not serve a request");
        Refusal {
            status: StatusCode::SERVICE_UNAVAILABLE,
            why: say("store", sentence(&fault)),
            retry_after: Some(5),
        }
    }
}

/// A request's body, as JSON.
pub(crate) struct Said<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Said<T> {
    type Rejection = Refusal;
    async fn from_request(request: Request, state: &S) -> Result<Said<T>, Refusal> {
        match Json::from_request(request, state).await {
            Ok(Json(said)) => Ok(Said(said)),
            Err(wrong) => Err(Refusal::new(wrong.status(), "bad-body", &sentence(&wrong.body_text()))),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.why)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
