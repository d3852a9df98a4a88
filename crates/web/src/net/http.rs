//! Plain questions to the server.

use crate::browser;
use serde::Serialize;
use serde::de::DeserializeOwned;
use table::Spoken;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Silence {
    /// Nobody answered: no network, or no server.
    Offline,
    /// The server said no.
    Refused(Spoken),
}

impl Silence {
    /// Words for the person.
    pub fn says(&self) -> String {
        match self {
            Silence::Offline => "The server cannot be reached. Games on this screen go on; for the others, try again in a moment.".to_owned(),
            Silence::Refused(spoken) => spoken.says.clone(),
        }
    }
}

/// The text at an address: `/api/me`, from where the house begins.
pub async fn get(path: &str) -> Result<String, Silence> {
    fetch(path, "GET", None).await
}

/// The JSON at an address.
pub async fn get_json<T: DeserializeOwned>(path: &str) -> Result<T, Silence> {
    read(&get(path).await?)
}

/// Sends JSON, and reads the answer.
pub async fn post<T: DeserializeOwned>(path: &str, body: &impl Serialize) -> Result<T, Silence> {
    let body = serde_json::to_string(body).unwrap_or_default();
    read(&fetch(path, "POST", Some(body)).await?)
}

/// Takes away what is at an address.
pub async fn delete(path: &str) -> Result<(), Silence> {
    fetch(path, "DELETE", None).await.map(drop)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Silence> {
    serde_json::from_str(text).map_err(|_| Silence::Offline)
}

async fn fetch(path: &str, method: &str, body: Option<String>) -> Result<String, Silence> {
    let (ok, text) = raw(path, method, body).await.map_err(|_| Silence::Offline)?;
    if ok {
        return Ok(text);
    }
    Err(serde_json::from_str(&text).map_or(Silence::Offline, Silence::Refused))
}

async fn raw(path: &str, method: &str, body: Option<String>) -> Result<(bool, String), JsValue> {
    let window = browser::window().ok_or(JsValue::NULL)?;
    let init = web_sys::RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        init.set_body(&JsValue::from_str(&body));
        let headers = web_sys::Headers::new()?;
        headers.set("content-type", "application/json")?;
        init.set_headers(&headers);
    }
    // A browser begins where the document's base is.
    let response = JsFuture::from(window.fetch_with_str_and_init(&format!(".{path}"), &init)).await?;
    let response: web_sys::Response = response.dyn_into()?;
    let text = JsFuture::from(response.text()?).await?;
    Ok((response.ok(), text.as_string().unwrap_or_default()))
}
