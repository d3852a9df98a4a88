//! What is done on the administrator's page: each is a form that is sent, and leads back to the page.

use super::{Administrator, App, HOME, Page, cookie, from_here, home, try_once_more};
use crate::admin::{KEY_LIVES, new_key, sum};
use crate::http::Caller;
use crate::store::office::Deed;
use crate::{clean_name, clean_sentence, say};
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use table::Spoken;

/// The way back to a page, so that to load it again does nothing twice.
fn back(to: &str) -> Response {
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static(HOME));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

/// Signs this browser in by a link. The link is used by this form and not by its address: whoever only looks at addresses (a chat that shows what is behind
/// them) does not use it up.
pub(super) async fn enter(
    State(app): State<App>,
    Path(link): Path<String>,
    from: Caller,
    headers: HeaderMap,
) -> Result<Response, Page> {
    from_here(&app, &headers)?;
    try_once_more(&app, from)?;
    let (key, now) = (new_key(), app.hall.clock.now());
    let deed = Deed::SignIn { link: sum(&link), sum: sum(&key), until: now + KEY_LIVES };
    let home = home(&app);
    let who = Administrator { key: key.clone(), home: home.clone() }.who();
    if !app.office.carry_out(deed, who, now).await? {
        let says = "This link was used already, or is too old, or was never given out. The command `parlor admin` prints a new one.";
        return Err(Page::refused(StatusCode::FORBIDDEN, "This link opens nothing", says));
    }
    let mut response = back(&home);
    response.headers_mut().insert(header::SET_COOKIE, cookie(&key, &home, KEY_LIVES / 1000, from.secure));
    Ok(response)
}

/// A form of the page.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    token: String,
    deed: String,
    #[serde(default)]
    subject: String,
    #[serde(default)]
    says: String,
    /// What cannot be undone is asked twice.
    #[serde(default)]
    sure: String,
}

impl Asked {
    fn read(&self, own: &Administrator) -> Result<Deed, Spoken> {
        let person = self.subject.clone();
        Ok(match self.deed.as_str() {
            "rename" => Deed::Rename { person, name: clean_name(&self.says)? },
            "suspend" => Deed::Suspend { person },
            "lift" => Deed::Lift { person },
            "forget" => {
                self.surely()?;
                Deed::Forget { person }
            }
            "close" => {
                self.surely()?;
                let table =
                    self.subject.parse().map_err(|_| say("no-such-table", "There is no such table."))?;
                Deed::Close { table, says: clean_sentence(&self.says)? }
            }
            "sign-out" => Deed::SignOut { sum: sum(&own.key) },
            "revoke" => Deed::Revoke,
            _ => return Err(say("no-such-deed", "This page does not know how to do that. Open it again.")),
        })
    }

    fn surely(&self) -> Result<(), Spoken> {
        if self.sure == "yes" {
            return Ok(());
        }
        Err(say("not-sure", "This cannot be undone. Tick the box beside it, and do it again."))
    }
}

/// Does what a form asks for.
pub(super) async fn carry_out(
    State(app): State<App>,
    own: Administrator,
    from: Caller,
    headers: HeaderMap,
    form: Result<Form<Asked>, FormRejection>,
) -> Result<Response, Page> {
    from_here(&app, &headers)?;
    let Form(asked) = form.map_err(|wrong| {
        Page::refused(wrong.status(), "That was not done", "This form cannot be read. Open the page again.")
    })?;
    if asked.token != own.token() {
        let says = "This form is not one of this page. Open the page again, and do it there.";
        return Err(Page::refused(StatusCode::FORBIDDEN, "Not from here", says));
    }
    let deed = asked.read(&own)?;
    let leaves = matches!(deed, Deed::SignOut { .. } | Deed::Revoke);
    if !app.office.carry_out(deed, own.who(), app.hall.clock.now()).await? {
        let says =
            "There was nothing to do: somebody else may have done it a moment ago. Open the page again.";
        return Err(Page::refused(StatusCode::CONFLICT, "That was not done", says));
    }
    app.feed.catch_up().await?;
    let mut response = back(&own.home);
    if leaves {
        response.headers_mut().insert(header::SET_COOKIE, cookie("", &own.home, 0, from.secure));
    }
    Ok(response)
}
