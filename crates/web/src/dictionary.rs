//! The word list, fetched when a word game is opened and put on the shelf; then given to the worker too. And lists of one's own,
//! kept in this browser.

use crate::browser;
use crate::thinker::Thinker;
use crate::worker::Ask;
use house::Kind;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use words::{Dialect, Lexicon, WordsId};

thread_local! {
    static BYTES: RefCell<Option<js_sys::Uint8Array>> = const { RefCell::new(None) };
    static OWN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Where the names of lists of one's own are kept; each list lies beside it, packed.
const LISTS: &str = "parlor.words";

/// Whether a game needs the word list.
pub const fn needed(kind: Kind) -> bool {
    matches!(kind, Kind::IQubes | Kind::Scribbage)
}

/// Gives a worker all word lists that are here.
pub fn hand_to(thinker: &Thinker) {
    if let Some(bytes) = bytes() {
        thinker.give_words(&bytes);
    }
    for list in OWN.with_borrow(Clone::clone) {
        thinker.ask(&Ask::Words { list });
    }
}

/// Puts a list of one's own on the shelf, or says what is wrong with it.
pub fn install_list(text: &str) -> Result<WordsId, Vec<String>> {
    let house = words::shelf::find(&WordsId::default());
    let lexicon = Lexicon::from_list(text, house.as_deref());
    let told = |faults: Vec<words::LineFault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>();
    Ok(words::shelf::install(Arc::new(lexicon.map_err(told)?)))
}

/// Takes a list of one's own, and keeps it: a game that is played with it shall be found again.
pub async fn keep(text: String) -> Result<WordsId, Vec<String>> {
    let no = |says: &str| vec![says.to_owned()];
    if !fetch().await {
        return Err(no(
            "The house's own list could not be fetched, and yours is held against it. Check the connection and try once more.",
        ));
    }
    let id = install_list(&text)?;
    let packed = browser::pack(&text).await.unwrap_or_default();
    if packed.is_empty() || !browser::remember(&format!("{LISTS}.{id}"), &packed) {
        return Err(no(
            "This browser has no room to keep so long a list. Throw finished games away, or take a shorter one.",
        ));
    }
    let mut kept = kept();
    if !kept.contains(&id) {
        kept.push(id);
        browser::remember(LISTS, &serde_json::to_string(&kept).unwrap_or_default());
        OWN.with_borrow_mut(|own| own.push(text));
    }
    Ok(id)
}

/// The lists that are kept in this browser.
fn kept() -> Vec<WordsId> {
    browser::recall(LISTS).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Puts the lists that are kept here on the shelf again.
async fn take_up() {
    for id in kept() {
        let Some(packed) = browser::recall(&format!("{LISTS}.{id}")) else { continue };
        if let Some(text) = browser::unpack(&packed).await
            && install_list(&text).is_ok()
        {
            OWN.with_borrow_mut(|own| own.push(text));
        }
    }
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
    take_up().await;
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
