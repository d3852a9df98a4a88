//! People: who you are, what you are called, and how strong.

use super::{App, Caller, Known, MaybeKnown, Refusal, Said, welcome_origin};
use crate::people;
use crate::rates::household;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use house::{Kind, Setting};
use protocol::http::{Best, Claim, Leader, Me, NameMe, Person, Phrase, Token};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

/// Who you are, your ratings, personal bests and open tables.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub(crate) async fn me(State(app): State<App>, MaybeKnown(you): MaybeKnown) -> Result<Json<Me>, Refusal> {
    Ok(Json(about(&app, you, true).await?))
}

async fn about(app: &App, person: Option<Person>, tables: bool) -> Result<Me, Refusal> {
    let Some(you) = person else {
        return Ok(Me { you: None, ratings: Vec::new(), bests: Vec::new(), tables: Vec::new() });
    };
    let store = &app.hall.store;
    let ratings = store.ratings_of(you.id.clone()).await?;
    let mut bests = store.bests_of(you.id.clone()).await?;
    for best in &mut bests {
        best.variations = varied(best);
    }
    let tables = if tables { store.tables_of(you.id.clone()).await? } else { Vec::new() };
    Ok(Me { you: Some(you), ratings, bests, tables })
}

/// How a best game was played, in words.
fn varied(best: &Best) -> Vec<String> {
    let setting = best.game.parse().ok().and_then(|kind| Setting::kept(kind, best.options.clone()).ok());
    setting.as_ref().map(house::variations).unwrap_or_default()
}

/// Become a guest, or change your name.
#[utoipa::path(post, path = "/api/me", request_body = NameMe, responses((status = 200, body = Person), (status = 422, description = "not a name")))]
pub(crate) async fn name_me(
    State(app): State<App>,
    from: Caller,
    MaybeKnown(known): MaybeKnown,
    headers: HeaderMap,
    Said(NameMe { name }): Said<NameMe>,
) -> Result<Response, Refusal> {
    own_page(&app, &headers)?;
    let person = if let Some(Person { id, .. }) = known {
        app.hall.guests.may_play(&id).map_err(|why| Refusal::because(StatusCode::FORBIDDEN, why))?;
        Person { id, name: crate::clean_name(&name)? }
    } else {
        allow(&app, "guest", from, app.config.limits.guests)?;
        people::newcomer(&name)?
    };
    app.hall.store.name_person(person.clone(), app.hall.clock.now()).await?;
    Ok(remembered(&app, from, person))
}

/// The answer that makes a browser remember somebody.
fn remembered(app: &App, from: Caller, person: Person) -> Response {
    let cookie = app.seal.cookie(&person.id, app.config.base.for_cookies(), from.secure);
    ([(header::SET_COOKIE, cookie)], Json(person)).into_response()
}

/// Sign out: this browser forgets you. Four words (`/api/me/phrase`) bring you back.
#[utoipa::path(delete, path = "/api/me", responses((status = 204, description = "the cookie is cleared"), (status = 403, description = "a page of another origin")))]
pub(crate) async fn forget_me(
    State(app): State<App>,
    from: Caller,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    own_page(&app, &headers)?;
    let cookie = people::no_cookie(app.config.base.for_cookies(), from.secure);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

fn own_page(app: &App, headers: &HeaderMap) -> Result<(), Refusal> {
    if welcome_origin(headers, &app.config) {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::FORBIDDEN, "other-origin", "Only pages of this server can do that."))
}

fn allow(app: &App, what: &str, from: Caller, most: u32) -> Result<(), Refusal> {
    if app.hall.allow(what, household(from.address).to_string()) {
        return Ok(());
    }
    app.hall.metrics.limited.one();
    let says = "That is too often from your address. Wait a while.";
    Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, "slow-down", says)
        .later(HOUR.as_secs() as u32 / most.max(1)))
}

/// Four words that bring your identity to another device. The ones before are no longer good.
#[utoipa::path(post, path = "/api/me/phrase", responses((status = 200, body = Phrase), (status = 401, description = "nobody")))]
pub(crate) async fn phrase(
    State(app): State<App>,
    Known(you): Known,
    headers: HeaderMap,
) -> Result<Json<Phrase>, Refusal> {
    own_page(&app, &headers)?;
    let words = people::phrase();
    app.hall.store.set_phrase(you.id, app.seal.hash("phrase", &words)).await?;
    Ok(Json(Phrase { words }))
}

/// On the other device: become who has these words.
#[utoipa::path(post, path = "/api/me/claim", request_body = Claim, responses((status = 200, body = Person), (status = 404, description = "nobody has these words")))]
pub(crate) async fn claim(
    State(app): State<App>,
    from: Caller,
    headers: HeaderMap,
    Said(Claim { words }): Said<Claim>,
) -> Result<Response, Refusal> {
    own_page(&app, &headers)?;
    allow(&app, "phrase", from, app.config.limits.phrases)?;
    let words = people::read_phrase(&words)?;
    match app.hall.store.by_phrase(app.seal.hash("phrase", &words)).await? {
        Some(person) => Ok(remembered(&app, from, person)),
        None => Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "no-such-phrase",
            "Nobody here has these words. Look again.",
        )),
    }
}

/// A token for a program that plays in your name. The one before is no longer good.
#[utoipa::path(post, path = "/api/me/token", responses((status = 200, body = Token), (status = 401, description = "nobody")))]
pub(crate) async fn token(
    State(app): State<App>,
    Known(you): Known,
    headers: HeaderMap,
) -> Result<Json<Token>, Refusal> {
    own_page(&app, &headers)?;
    let token = people::token();
    app.hall.store.set_token(you.id, app.seal.hash("token", &token)).await?;
    Ok(Json(Token { token }))
}

/// Somebody's name, ratings and personal bests.
#[utoipa::path(get, path = "/api/people/{person}", params(("person" = String, Path,)), responses((status = 200, body = Me), (status = 404, description = "nobody")))]
pub(crate) async fn person(State(app): State<App>, Path(person): Path<String>) -> Result<Json<Me>, Refusal> {
    let person = app.hall.store.person(person).await?;
    if person.is_none() {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "nobody", "There is nobody with this id."));
    }
    Ok(Json(about(&app, person, false).await?))
}

/// The strongest players of a game: by what they are at least worth, two deviations below their rating.
#[utoipa::path(get, path = "/api/leaders/{game}", params(("game" = String, Path,)), responses((status = 200, body = [Leader])))]
pub(crate) async fn leaders(
    State(app): State<App>,
    Path(game): Path<String>,
) -> Result<Json<Vec<Leader>>, Refusal> {
    let kind: Kind = super::finished::kind(&game)?;
    Ok(Json(app.hall.store.leaders(kind.name().to_owned(), 100).await?))
}
