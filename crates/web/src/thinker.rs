//! The page's side of the worker: asks go out as text, answers come back to whoever is listening.

use crate::browser;
use crate::worker::{Ask, Tell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A worker that thinks about one table. Dropped, it stops thinking.
pub struct Thinker {
    worker: web_sys::Worker,
    _hears: Closure<dyn FnMut(web_sys::MessageEvent)>,
}

impl Thinker {
    /// Starts a worker. None where the browser has none: then bots do not move and the coach is silent.
    pub fn start(listen: impl Fn(Tell) + 'static) -> Option<Rc<Thinker>> {
        browser::window()?;
        let parlor = js_sys::Reflect::get(&js_sys::global(), &"parlor".into()).ok()?;
        let script = js_sys::Reflect::get(&parlor, &"worker".into()).ok()?.as_string()?;
        let options = web_sys::WorkerOptions::new();
        options.set_type(web_sys::WorkerType::Module);
        let worker = web_sys::Worker::new_with_options(&script, &options).ok()?;
        let hears = Closure::new(move |message: web_sys::MessageEvent| {
            let text = message.data().as_string().unwrap_or_default();
            if let Ok(tell) = serde_json::from_str(&text) {
                listen(tell);
            }
        });
        worker.set_onmessage(Some(hears.as_ref().unchecked_ref()));
        Some(Rc::new(Thinker { worker, _hears: hears }))
    }

    /// Tells the worker something.
    pub fn ask(&self, ask: &Ask) {
        if let Ok(text) = serde_json::to_string(ask) {
            let _ = self.worker.post_message(&JsValue::from_str(&text));
        }
    }

    /// Gives the worker a word list.
    pub fn give_words(&self, bytes: &js_sys::Uint8Array) {
        let _ = self.worker.post_message(bytes);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.terminate();
    }
}
