//! The room before its game: who sits where, who is ready, the invitation, and the host's last word.

use super::invitation::Invitation;
use super::seats::Seats;
use super::{Lost, Table, sits};
use crate::app::Bar;
use crate::browser;
use crate::lids::Lid;
use crate::net::line::{Line, line};
use crate::route::Route;
use crate::rules::RulesButton;
use crate::ui::Confirm;
use crate::voice::{Voice, voice};
use house::Kind;
use leptos::prelude::*;
use protocol::{Command, Place, Wish};

/// A table before its game, as somebody in its room sees and uses it.
#[derive(Clone, Copy)]
pub(super) struct Gathered {
    pub(super) line: Line,
    pub(super) room: RwSignal<Option<Table>>,
    voice: Voice,
    id: StoredValue<String>,
    kind: Kind,
    removed: RwSignal<bool>,
}

/// What is seen.
impl Gathered {
    fn new(id: String, room: RwSignal<Option<Table>>, removed: RwSignal<bool>) -> Gathered {
        let kind = room
            .with_untracked(|room| room.as_ref().and_then(|room| room.game.parse::<Kind>().ok()))
            .unwrap_or(Kind::Cubo);
        Gathered { line: line(), room, voice: voice(), id: StoredValue::new(id), kind, removed }
    }

    pub(super) fn table(self) -> Option<Table> {
        self.room.get()
    }

    /// Who we are to the server.
    pub(super) fn you(self) -> String {
        self.line.you.get().map(|you| you.id).unwrap_or_default()
    }

    /// What holds of the table; nothing before it is there.
    fn is(self, what: impl FnOnce(&Table) -> bool) -> bool {
        self.room.with(|room| room.as_ref().is_some_and(what))
    }

    pub(super) fn hosts(self) -> bool {
        self.is(|table| table.host == self.you())
    }

    pub(super) fn is_seated(self) -> bool {
        self.is(|table| sits(table, &self.you()))
    }

    pub(super) fn is_rated(self) -> bool {
        self.is(|table| table.rated)
    }

    /// Whether a seat that we ask for would be given.
    pub(super) fn is_welcome(self) -> bool {
        !self.removed.get()
    }

    /// Whether all of us at this screen are ready.
    fn is_ready(self) -> bool {
        let you = self.you();
        let waits =
            |place: &Place| matches!(place, Place::Guest { person, ready: false, .. } if *person == you);
        self.is_seated() && self.is(|table| !table.seats.iter().any(waits))
    }

    /// Whether there may be one seat more.
    pub(super) fn has_room(self) -> bool {
        self.is(|table| (table.seats.len() as u32) < table.seating.1.min(16))
    }

    /// Whether there may be one seat less.
    pub(super) fn can_shrink(self) -> bool {
        self.is(|table| table.seats.len() as u64 > u64::from(table.seating.0))
    }

    /// The way here for others.
    fn link(self) -> String {
        let origin = browser::window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
        origin + &Route::There(self.id.get_value()).path()
    }
}

/// What is done.
impl Gathered {
    fn say(self, make: impl FnOnce(u64, String) -> Command) {
        self.line.command(
            |number| make(number, self.id.get_value()),
            move |answer| {
                if let Err(refused) = answer {
                    self.voice.tell(refused.says);
                }
            },
        );
    }

    pub(super) fn join(self, at: u32, name: Option<String>) {
        let seed = browser::fresh_id();
        self.say(|id, table| Command::Join { id, table, seat: Some(at), name, seed });
    }

    pub(super) fn get_up(self, at: u32) {
        self.say(|id, table| Command::Leave { id, table, seat: Some(at) });
    }

    pub(super) fn kick(self, at: u32) {
        self.say(|id, table| Command::Kick { id, table, seat: at });
    }

    pub(super) fn place(self, at: u32, wish: Wish) {
        self.say(|id, table| Command::Place { id, table, seat: at, wish });
    }

    /// A bot as strong as the game proposes.
    pub(super) fn bot(self) -> Wish {
        Wish::Bot { level: self.kind.about().level }
    }

    /// Who is ready adds to the dice now that the house has bound itself: what was sent with the wish for a table came before.
    fn be_ready(self, ready: bool) {
        let seed = ready.then(browser::fresh_id);
        self.say(|id, table| Command::Ready { id, table, ready, seed });
    }

    fn start(self) {
        if self.is_ready() {
            self.be_ready(true);
        }
        self.say(|id, table| Command::Start { id, table, anyway: false });
    }

    fn close(self) {
        self.say(|id, table| Command::Close { id, table });
    }
}

/// The room.
#[component]
pub(super) fn Gathering(
    id: String,
    room: RwSignal<Option<Table>>,
    removed: RwSignal<bool>,
    rules: RwSignal<bool>,
) -> impl IntoView {
    let gathered = Gathered::new(id, room, removed);
    let kind = gathered.kind;
    view! {
        <Bar><RulesButton open=rules/></Bar>
        <main id="main" class="unbox" data-game=kind.name() tabindex="-1">
            <div class="unbox-lid"><Lid kind/><div><h1>{kind.title()}</h1><p class="faint">"Waiting for players"</p></div></div>
            <div class="unbox-words">
                <header><h1>{kind.title()}</h1><p class="faint">"Waiting for players"</p></header>
                <p class="variations">{move || gathered.table().map(|table| played_by(&table))}</p>
                <Show when=move || gathered.line.cut.get()><Lost says="Connection lost. Reconnecting…"/></Show>
                <Show when=move || !gathered.is_welcome() && !gathered.is_seated()><p class="removed" role="alert">{REMOVED}</p></Show>
                <Seats gathered/>
                <Beginning gathered/>
                <Invitation link=Signal::derive(move || gathered.link())/>
            </div>
        </main>
    }
}

/// Told to whoever the host removed, for as long as it holds.
const REMOVED: &str = "The host removed you from this table. You can stay and watch. To play, ask the host to add a seat for you.";

/// How it will be played, for whoever comes to the table.
fn played_by(table: &Table) -> String {
    let rated = if table.rated { "Rated. " } else { "" };
    let sheet = if table.variations.is_empty() { "As on the sheet." } else { &table.variations.join(" · ") };
    format!("{rated}{sheet}")
}

/// The buttons of whoever is ready, or says when it begins, and whether it begins at all.
#[component]
fn Beginning(gathered: Gathered) -> impl IntoView {
    let closing = RwSignal::new(false);
    let ready = move || if gathered.is_ready() { "Not ready" } else { "Ready" };
    view! {
        <div class="buttons">
            <Show when=move || gathered.is_seated() && !gathered.hosts()>
                <button class="btn btn-main" data-do="ready" on:click=move |_| gathered.be_ready(!gathered.is_ready())>{ready}</button>
            </Show>
            <Show when=move || gathered.hosts()>
                <button class="btn btn-main" data-do="start" on:click=move |_| gathered.start()>"Start game"</button>
                <button class="btn" data-do="close" aria-haspopup="dialog" on:click=move |_| closing.set(true)>"Close table"</button>
            </Show>
        </div>
        <Confirm open=closing name="closing" game=gathered.kind title="Close this table for everyone?" stay="Keep it open" go=("close-now", "Close table") act=move || gathered.close()>
            <p>"Everyone leaves the table, and its link stops working."</p>
        </Confirm>
    }
}
