//! The few things the page asks of the browser itself: time, chance, memory, waking up later.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// The browser's window; none where there is no browser (tests that draw to text).
pub fn window() -> Option<web_sys::Window> {
    if cfg!(target_arch = "wasm32") { web_sys::window() } else { None }
}

/// Milliseconds since the page was opened, steadily.
pub fn steady() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Milliseconds since 1970.
pub fn wall() -> u64 {
    if cfg!(target_arch = "wasm32") { js_sys::Date::now() as u64 } else { 0 }
}

/// Whether a link of ours leads to this very machine, by an address that means another one everywhere else.
pub fn only_here() -> bool {
    let house = window().and_then(|_| web_sys::Url::new(&link_to("./")).ok());
    means_itself(&house.map(|house| house.hostname()).unwrap_or_default())
}

/// Where the house is on its server, as the document says: `/`, or `/games/`.
pub fn base() -> String {
    let document = window().and_then(|window| window.document());
    let whole = document.and_then(|document| document.base_uri().ok().flatten());
    let path = whole.and_then(|whole| web_sys::Url::new(&whole).ok()).map(|base| base.pathname());
    path.unwrap_or_else(|| "/".to_owned())
}

/// A place's address as others can follow it: from where the host says that the house is found, else from where this page was.
pub fn link_to(path: &str) -> String {
    let public = find("meta[name=public-url]").and_then(|meta| meta.get_attribute("content"));
    let house = public.filter(|public| !public.is_empty()).unwrap_or_else(|| {
        let origin = window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
        origin + &base()
    });
    house + path.trim_start_matches("./")
}

fn means_itself(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || host.starts_with("127.")
}

/// The day of a moment (in milliseconds since 1970), as it is written where the reader lives.
pub fn day(moment: u64) -> String {
    if !cfg!(target_arch = "wasm32") {
        return String::new();
    }
    let date = js_sys::Date::new(&JsValue::from_f64(moment as f64));
    String::from(date.to_locale_date_string("default", &JsValue::UNDEFINED))
}

/// Good random bytes.
pub fn chance<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let crypto = window().and_then(|window| window.crypto().ok());
    if crypto.is_none_or(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).is_err()) {
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    bytes
}

/// A short name that nothing else has.
pub fn fresh_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    chance::<10>().iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

/// Something that will happen later, unless this is dropped first.
pub struct Later {
    id: i32,
    _call: Closure<dyn FnMut()>,
}

impl Later {
    /// Calls `what` after so many milliseconds.
    pub fn new(ms: f64, what: impl FnOnce() + 'static) -> Option<Later> {
        let call = Closure::once(what);
        let id = window()?
            .set_timeout_with_callback_and_timeout_and_arguments_0(
                call.as_ref().unchecked_ref(),
                // Browsers count timeouts in 31 bits; whoever wakes early looks at the clock and waits again.
                ms.clamp(0.0, 1e9) as i32,
            )
            .ok()?;
        Some(Later { id, _call: call })
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        if let Some(window) = window() {
            window.clear_timeout_with_handle(self.id);
        }
    }
}

/// Does something after so many milliseconds, whatever happens.
pub fn later(ms: i32, what: impl FnOnce() + 'static) {
    leptos::leptos_dom::helpers::set_timeout(what, std::time::Duration::from_millis(ms.max(0) as u64));
}

/// Whether the person asked for less motion.
pub fn calm() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Whether a media query holds.
pub fn matches(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok().flatten()).is_some_and(|media| media.matches())
}

/// Whether a media query holds, now and as the window changes.
pub fn watching(query: &'static str) -> RwSignal<bool> {
    let holds = RwSignal::new(matches(query));
    if window().is_some() {
        let handle = window_event_listener(leptos::ev::resize, move |_| holds.set(matches(query)));
        on_cleanup(move || handle.remove());
    }
    holds
}

/// Whether the page is out of sight.
pub fn hidden() -> bool {
    window().and_then(|window| window.document()).is_some_and(|document| document.hidden())
}

/// What was remembered under a name.
pub fn recall(name: &str) -> Option<String> {
    memory()?.get_item(name).ok().flatten()
}

/// Remembers something under a name; says whether there was room.
pub fn remember(name: &str, what: &str) -> bool {
    memory().is_some_and(|memory| memory.set_item(name, what).is_ok())
}

/// Forgets what was remembered.
pub fn forget(name: &str) {
    if let Some(memory) = memory() {
        let _ = memory.remove_item(name);
    }
}

fn memory() -> Option<web_sys::Storage> {
    window()?.local_storage().ok().flatten()
}

/// Offers a text as a file to keep.
pub fn download(name: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = web_sys::Blob::new_with_str_sequence(&parts).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    let document = window()?.document()?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    let _ = web_sys::Url::revoke_object_url(&url);
    Some(())
}

/// The text in a file that somebody chose.
pub async fn text_of(file: &web_sys::File) -> Option<String> {
    wasm_bindgen_futures::JsFuture::from(file.text()).await.ok()?.as_string()
}

/// A text made small enough for a link.
pub async fn pack(text: &str) -> Option<String> {
    told_by("pack", text).await
}

/// The text of a link.
pub async fn unpack(text: &str) -> Option<String> {
    told_by("unpack", text).await
}

/// What one of the page's own few lines of script answers.
async fn told_by(name: &str, text: &str) -> Option<String> {
    let parlor = js_sys::Reflect::get(&window()?.into(), &"parlor".into()).ok()?;
    let script: js_sys::Function = js_sys::Reflect::get(&parlor, &name.into()).ok()?.dyn_into().ok()?;
    let answer: js_sys::Promise = script.call1(&JsValue::NULL, &text.into()).ok()?.dyn_into().ok()?;
    wasm_bindgen_futures::JsFuture::from(answer).await.ok()?.as_string()
}

/// What is said to whoever must copy a link without the page's help.
pub const BY_HAND: &str = "Select the link and copy it.";

/// Puts a text on the clipboard; says whether it lies there.
pub async fn copy(text: &str) -> bool {
    clip(text).await.is_some() || copy_selected(text) == Some(true)
}

/// By the clipboard itself. Over plain http a page has none, and where it has one the person may have forbidden it.
async fn clip(text: &str) -> Option<()> {
    let clipboard = js_sys::Reflect::get(&window()?.navigator(), &"clipboard".into()).ok()?;
    let clipboard: web_sys::Clipboard = clipboard.dyn_into().ok()?;
    wasm_bindgen_futures::JsFuture::from(clipboard.write_text(text)).await.ok().map(drop)
}

/// The old way, which needs no clipboard: a field with the text in it is selected for a moment, and copied.
fn copy_selected(text: &str) -> Option<bool> {
    let document = window()?.document()?;
    let script: js_sys::Function =
        js_sys::Reflect::get(&document, &"execCommand".into()).ok()?.dyn_into().ok()?;
    let field: web_sys::HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
    field.set_value(text);
    // So that no keyboard comes up for it.
    field.set_read_only(true);
    let focused = document.active_element();
    document.body()?.append_child(&field).ok()?;
    select(&field);
    let done = script.call1(&document, &"copy".into()).ok().and_then(|done| done.as_bool());
    field.remove();
    if let Some(element) = focused {
        give_focus(element);
    }
    done
}

/// Selects all that stands in the first field that a selector finds, once the page has drawn itself.
pub fn select_soon(selector: &'static str) {
    later(0, move || {
        if let Some(Ok(field)) = find(selector).map(web_sys::Element::dyn_into::<web_sys::HtmlInputElement>) {
            select(&field);
        }
    });
}

fn select(field: &web_sys::HtmlInputElement) {
    give_focus(field.clone().into());
    field.select();
}

/// Focuses the first element that a selector finds, once the page has drawn itself.
pub fn focus_soon(selector: &'static str) {
    later(0, move || focus(selector));
}

/// The same, but only if nothing has the focus then but the page itself: what had it has gone.
pub fn focus_if_lost(selector: &'static str) {
    later(0, move || {
        let document = window().and_then(|window| window.document());
        let focused = document.as_ref().and_then(web_sys::Document::active_element);
        if focused.is_none_or(|element| ["BODY", "MAIN"].contains(&&*element.tag_name())) {
            focus(selector);
        }
    });
}

fn focus(selector: &str) {
    if let Some(element) = find(selector) {
        give_focus(element);
    }
}

fn find(selector: &str) -> Option<web_sys::Element> {
    window()?.document()?.query_selector(selector).ok().flatten()
}

fn give_focus(element: web_sys::Element) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    // A group of a drawing takes the focus as any other element does, though its type is another.
    let _ = element.unchecked_into::<web_sys::HtmlElement>().focus_with_options(&options);
}

/// Whether a key was pressed within an element of this kind.
pub fn within(event: &web_sys::KeyboardEvent, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_mean_every_machine_itself_are_known() {
        assert!(
            ["localhost", "parlor.localhost", "127.0.0.1", "127.8.8.8", "[::1]"]
                .into_iter()
                .all(means_itself)
        );
        assert!(
            !["192.168.1.20", "house.example", "localhost.example", "[fe80::1]", ""]
                .into_iter()
                .any(means_itself)
        );
    }
}
