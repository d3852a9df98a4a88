//! How large an element is, now and as it changes: for drawings that count in pixels.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // One class of the browser that the page needs in one place.
    #[wasm_bindgen(js_name = ResizeObserver)]
    type Observer;
    #[wasm_bindgen(constructor, js_class = "ResizeObserver", catch)]
    fn new(changed: &JsValue) -> Result<Observer, JsValue>;
    #[wasm_bindgen(method, js_class = "ResizeObserver")]
    fn observe(this: &Observer, element: &web_sys::Element);
    #[wasm_bindgen(method, js_class = "ResizeObserver")]
    fn disconnect(this: &Observer);
}

/// Keeps the size of an element, in pixels, in a signal.
pub fn follow(element: NodeRef<Div>, size: RwSignal<(f64, f64)>) {
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        let look = {
            let element = element.clone();
            move || {
                let now = (f64::from(element.client_width()), f64::from(element.client_height()));
                if now.0 > 0.0 && size.try_get_untracked().is_some_and(|before| before != now) {
                    size.set(now);
                }
            }
        };
        look();
        let changed = Closure::<dyn FnMut()>::new(look);
        if let Ok(observer) = Observer::new(changed.as_ref()) {
            observer.observe(&element);
            let watch = StoredValue::new_local((observer, changed));
            on_cleanup(move || {
                watch.try_with_value(|(observer, _)| observer.disconnect());
            });
        }
    });
}
