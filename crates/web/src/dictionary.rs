//! The word list, fetched when a word game is opened and put on the shelf; then given to the worker too.

use crate::browser;
use house::Kind;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use words::{Dialect, Lexicon};

thread_local! {
    static BYTES: RefCell<Option<js_sys::Uint8Array>> = const { RefCell::new(None) };
}

/// Whether a game needs the word list.
pub const fn needed(kind: Kind) -> bool {
    matches!(kind, Kind::IQubes | Kind::Scribbage)
}

/// The word list, if it has been fetched: for a worker.
pub fn bytes() -> Option<js_sys::Uint8Array> {
    BYTES.with_borrow(Clone::clone)
}

/// Puts a word list on the shelf, in both its spellings. What is no sound word list is left out, and a word game then says so.
pub fn install(bytes: &[u8]) {
    for dialect in [Dialect::American, Dialect::British] {
        if let Ok(lexicon) = Lexicon::from_bytes(bytes, dialect) {
            words::shelf::install(Arc::new(lexicon));
        }
    }
}

/// Fetches the word list unless it is here already. Says whether it is here now.
pub async fn fetch() -> bool {
    if bytes().is_some() {
        return true;
    }
    let Ok(array) = fetch_bytes().await else { return false };
    install(&array.to_vec());
    BYTES.with_borrow_mut(|bytes| *bytes = Some(array));
    true
}

async fn fetch_bytes() -> Result<js_sys::Uint8Array, JsValue> {
    let window = browser::window().ok_or(JsValue::NULL)?;
    let parlor = js_sys::Reflect::get(&window, &"parlor".into())?;
    let path = js_sys::Reflect::get(&parlor, &"words".into())?.as_string().filter(|path| !path.is_empty());
    let path = path.ok_or(JsValue::NULL)?;
    let response: web_sys::Response = JsFuture::from(window.fetch_with_str(&path)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    Ok(js_sys::Uint8Array::new(&JsFuture::from(response.array_buffer()?).await?))
}
