//! The invitation to a table: its link, to be copied, and as a picture for a phone.

use crate::browser;
use crate::voice::voice;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The link, to be copied, and as a picture for a phone.
#[component]
pub(super) fn Invitation(link: Signal<String>) -> impl IntoView {
    let voice = voice();
    let copy = move |_| {
        let link = link.get_untracked();
        spawn_local(async move {
            if browser::copy(&link).await {
                voice.tell("The link is copied. Send it to whoever shall come.");
            } else {
                browser::select_soon("#table-link");
                voice.tell(browser::BY_HAND);
            }
        });
    };
    view! {
        <section class="card invitation" aria-labelledby="invite">
            <div>
                <h2 id="invite">"Invite"</h2>
                <p class="faint">"Whoever has this link may sit down or watch."</p>
                <Show when=browser::only_here>
                    <p class="only-here">"It works on this machine only. For phones and friends in your network, start the house with "<code>"parlor serve --lan"</code>" and open the address it prints."</p>
                </Show>
                <div class="typed-line"><input id="table-link" class="text" readonly aria-label="Link to this table" prop:value=move || link.get()/><button class="btn" on:click=copy>"Copy"</button></div>
            </div>
            {move || qr(&link.get())}
        </section>
    }
}

fn qr(link: &str) -> Option<AnyView> {
    use std::fmt::Write;
    let code = qrcodegen::QrCode::encode_text(link, qrcodegen::QrCodeEcc::Low).ok()?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        for x in (0..size).filter(|&x| code.get_module(x, y)) {
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Some(view! {
        <svg class="qr" viewBox=format!("-2 -2 {} {}", size + 4, size + 4) role="img" aria-label="The link as a QR code" shape-rendering="crispEdges">
            <rect x="-2" y="-2" width=size + 4 height=size + 4 fill="#fff"/><path d=path fill="#000"/>
        </svg>
    }
    .into_any())
}
