//! People: your own page (name, ratings, games, the way to another device), anybody's page, and the strongest of every game.

use super::http::{self, Silence};
use super::line::line;
use super::name::{NameForm, call_me};
use crate::app::{Bar, Kindly};
use crate::browser;
use crate::lids::Lid;
use crate::ui::icon;
use crate::voice::voice;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::PersonId;
use protocol::http::{Best, Claim, Finished, FinishedPage, Leader, Me, Person, Phrase, Played, Rated, Token};
use serde::de::DeserializeOwned;

/// What was asked of the server: nothing came yet, or the answer, or why there is none.
type Asked<T> = RwSignal<Option<Result<T, String>>>;

/// Asks for what is at an address; called again, asks again.
fn asking<T>(path: String) -> (Asked<T>, impl Fn() + Copy + 'static)
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let asked = Asked::new(None);
    let path = StoredValue::new(path);
    let ask = move || {
        let path = path.get_value();
        if browser::window().is_some() {
            spawn_local(async move {
                let answer = http::get_json(&path).await.map_err(|silence| silence.says());
                asked.try_set(Some(answer));
            });
        }
    };
    (asked, ask)
}

/// A page about people: a word while its answer is under way, or why there is none.
fn page<T: Clone + Send + Sync + 'static>(
    asked: Asked<T>,
    show: impl Fn(T) -> AnyView + Send + 'static,
) -> impl IntoView {
    move || match asked.get() {
        None => view! { <Bar/><p class="section faint" role="status">"Looking it up…"</p> }.into_any(),
        Some(Err(says)) => view! {
            <Kindly title="This page is not to be had just now" says>
                <a class="btn btn-main" href="/">"Back to the shelf"</a>
            </Kindly>
        }
        .into_any(),
        Some(Ok(answer)) => view! {
            <Bar/>
            <main id="main" class="folk" tabindex="-1">{show(answer)}</main>
        }
        .into_any(),
    }
}

/// Your own page.
#[component]
pub fn You() -> impl IntoView {
    let line = line();
    let (me, ask) = asking::<Me>("/api/me".to_owned());
    // Whoever takes a name, or another, is looked up again.
    Effect::new(move |_| {
        line.you.track();
        ask();
    });
    page(me, |me| {
        match me.you.clone() {
        None => view! {
            <h1>"You"</h1>
            <p>"You have no name here yet, and need none to play on this screen. Rated games and tables with a link ask for one."</p>
            <Name now=String::new()/>
            <Claim/>
        }
        .into_any(),
        Some(you) => view! {
            <h1>{you.name.clone()}</h1>
            <Name now=you.name.clone()/>
            <Standing me/>
            <Games person=you.id/>
            <OtherDevice/>
            <Claim known=true/>
            <ForPrograms/>
            <SignOut/>
        }
        .into_any(),
    }
    })
}

/// Somebody's page.
#[component]
pub fn Somebody(
    /// Who.
    id: PersonId,
) -> impl IntoView {
    let (them, ask) = asking::<Me>(format!("/api/people/{id}"));
    ask();
    page(them, move |them| {
        let name = them.you.as_ref().map(|you| you.name.clone()).unwrap_or_default();
        view! {
            <h1>{name}</h1>
            <Standing me=them/>
            <Games person=id.clone()/>
        }
        .into_any()
    })
}

/// The strongest players of a game.
#[component]
pub fn Leaders(
    /// Which game.
    kind: Kind,
) -> impl IntoView {
    let (leaders, ask) = asking::<Vec<Leader>>(format!("/api/leaders/{}", kind.name()));
    ask();
    page(leaders, move |leaders| {
        let games = Kind::ALL.map(|other| {
            let here = (other == kind).then_some("page");
            view! { <a class="btn" href=format!("/leaders/{}", other.name()) aria-current=here>{other.title()}</a> }
        });
        let none = leaders.is_empty().then(|| {
            view! {
                <p class="faint">{format!("Nobody has played {kind} rated so far. Lay a table with a link and switch “Rated” on.")}</p>
            }
        });
        let lines = leaders.into_iter().map(|leader| {
            let Leader { place, person: Person { id, name }, rating, deviation, games } = leader;
            view! {
                <tr>
                    <td class="num is-left">{place}</td>
                    <th scope="row" class="is-left"><a href=format!("/people/{id}")>{name}</a></th>
                    <td class="num">{told(rating, deviation)}</td>
                    <td class="num">{games}</td>
                </tr>
            }
        });
        let table = none.is_none().then(|| view! {
            <table class="standing card">
                <thead><tr><th scope="col" class="is-left">"Place"</th><th scope="col" class="is-left">"Player"</th><th scope="col">"Rating"</th><th scope="col">"Games"</th></tr></thead>
                <tbody>{lines.collect_view()}</tbody>
            </table>
            <p class="faint">"By what everybody is at least worth: two deviations below the rating."</p>
        });
        view! {
            <h1>{format!("The strongest at {kind}")}</h1>
            <nav class="buttons" aria-label="Games">{games}</nav>
            {none}
            {table}
        }
        .into_any()
    })
}

/// A rating in words: where the true strength lies, 19 times of 20.
fn told(rating: f64, deviation: f64) -> String {
    format!("{rating:.0} ± {:.0}", 2.0 * deviation)
}

/// How strong somebody is in a game, in words.
pub async fn strength(person: &str, game: &str) -> Result<String, Silence> {
    let them: Me = http::get_json(&format!("/api/people/{person}")).await?;
    let rated = them.ratings.iter().find(|rated| rated.game == game);
    Ok(rated.map_or_else(|| "not rated yet".to_owned(), |rated| told(rated.rating, rated.deviation)))
}

/// The ratings everybody at a finished table has now, seat by seat; nothing where it was not rated.
pub async fn ratings_after(table: &str, game: &str) -> Option<Vec<Option<f64>>> {
    let page: FinishedPage = http::get_json(&format!("/api/finished?game={game}")).await.ok()?;
    let finished = page.games.into_iter().find(|finished| finished.table == table)?;
    finished.rated.then(|| finished.players.iter().map(|player| player.rating).collect())
}

fn title(game: &str) -> String {
    game.parse::<Kind>().map_or_else(|_| game.to_owned(), |kind| kind.title().to_owned())
}

/// Ratings, and the best games alone.
#[component]
fn Standing(me: Me) -> impl IntoView {
    let ratings = me.ratings.into_iter().map(|Rated { game, rating, deviation, games }| {
        view! {
            <tr>
                <th scope="row" class="is-left"><a href=format!("/leaders/{game}")>{title(&game)}</a></th>
                <td class="num">{told(rating, deviation)}</td>
                <td class="num">{games}</td>
            </tr>
        }
    });
    let ratings = ratings.collect::<Vec<_>>();
    let ratings = if ratings.is_empty() {
        view! { <p class="faint">"No rated game so far."</p> }.into_any()
    } else {
        view! {
            <table class="standing card">
                <thead><tr><th scope="col" class="is-left">"Game"</th><th scope="col">"Rating"</th><th scope="col">"Games"</th></tr></thead>
                <tbody>{ratings}</tbody>
            </table>
        }
        .into_any()
    };
    let bests = (!me.bests.is_empty()).then(|| {
        view! {
            <section aria-labelledby="bests">
                <h2 id="bests">"Best games alone"</h2>
                <ul class="tables">{me.bests.into_iter().filter_map(best).collect_view()}</ul>
            </section>
        }
    });
    view! {
        <section aria-labelledby="ratings"><h2 id="ratings">"Ratings"</h2>{ratings}</section>
        {bests}
    }
}

fn best(best: Best) -> Option<impl IntoView> {
    let kind: Kind = best.game.parse().ok()?;
    let varied = if best.variations.is_empty() { "as on the sheet" } else { &best.variations.join(" · ") };
    Some(view! {
        <li class="ticket">
            <Lid kind/>
            <a class="ticket-go" href=format!("/replay/{}", best.table)>
                <h3 class="num">{format!("{} · {}", kind.title(), best.score)}</h3>
                <p>{format!("{}, {varied}", browser::day(best.ended))}</p>
            </a>
        </li>
    })
}

/// Finished games at tables of the server, the latest first.
#[component]
fn Games(person: PersonId) -> impl IntoView {
    let voice = voice();
    let (games, before) = (RwSignal::new(Vec::<Finished>::new()), RwSignal::new(None::<u64>));
    let person = StoredValue::new(person);
    let look = move || {
        let older = before.get_untracked().map(|before| format!("&before={before}")).unwrap_or_default();
        let path = format!("/api/finished?person={}{older}", person.get_value());
        spawn_local(async move {
            match http::get_json::<FinishedPage>(&path).await {
                Ok(page) => {
                    games.try_update(|games| games.extend(page.games));
                    before.try_set(page.before);
                }
                Err(silence) => voice.tell(silence.says()),
            }
        });
    };
    if browser::window().is_some() {
        look();
    }
    view! {
        <Show when=move || !games.with(Vec::is_empty)>
            <section aria-labelledby="games">
                <h2 id="games">"Finished games"</h2>
                <ul class="tables">
                    {move || games.get().into_iter().filter_map(|game| person.with_value(|person| finished(game, person))).collect_view()}
                </ul>
                <Show when=move || before.get().is_some()>
                    <button class="btn" data-do="older" on:click=move |_| look()>"Older ones"</button>
                </Show>
            </section>
        </Show>
    }
}

fn finished(game: Finished, person: &str) -> Option<impl IntoView + use<>> {
    let kind: Kind = game.game.parse().ok()?;
    let seats: Vec<String> =
        game.players.iter().map(|Played { name, score, .. }| format!("{name} {score}")).collect();
    let own = game.players.iter().find(|player| player.person.as_deref() == Some(person));
    let mut words = vec![browser::day(game.ended)];
    if let Some(Played { rank, rating, .. }) = own {
        words.push(if *rank == 1 { "won".to_owned() } else { format!("place {rank}") });
        words.extend(rating.map(|rating| format!("rating {rating:.0}")));
    }
    Some(view! {
        <li class="ticket">
            <Lid kind/>
            <a class="ticket-go" href=format!("/replay/{}", game.table)>
                <h3>{seats.join(" : ")}</h3>
                <p class="num">{words.join(" · ")}</p>
            </a>
        </li>
    })
}

/// A name, or another one.
#[component]
fn Name(now: String) -> impl IntoView {
    view! { <NameForm id="name" label="Your name" begin=now does="Take this name" take=call_me()/> }
}

/// Something that the server makes anew whenever it is asked: what was made last, and the asking.
fn made_anew<T: DeserializeOwned + 'static>(
    path: &'static str,
    words: fn(T) -> String,
) -> (RwSignal<Option<String>>, impl Fn(web_sys::MouseEvent) + Copy + 'static) {
    let (voice, made) = (voice(), RwSignal::new(None));
    let make = move |_: web_sys::MouseEvent| {
        spawn_local(async move {
            match http::post::<T>(path, &()).await {
                Ok(new) => drop(made.try_set(Some(words(new)))),
                Err(silence) => voice.tell(silence.says()),
            }
        });
    };
    (made, make)
}

/// Four words that bring you to another device.
#[component]
fn OtherDevice() -> impl IntoView {
    let (words, make) = made_anew("/api/me/phrase", |Phrase { words }| words);
    view! {
        <section class="card" aria-labelledby="device">
            <h2 id="device">"On another device"</h2>
            <p class="faint">"Four words bring your name, ratings and tables there. New words make older ones useless."</p>
            <p class="phrase" aria-live="polite">{move || words.get()}</p>
            <button class="btn" data-do="phrase" on:click=make>"Give me four words"</button>
        </section>
    }
}

/// Somebody comes from another device.
#[component]
fn Claim(
    /// Who is somebody here already would leave that behind.
    #[prop(optional)]
    known: bool,
) -> impl IntoView {
    let voice = voice();
    let words = RwSignal::new(String::new());
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let words = words.get_untracked();
        spawn_local(async move {
            match http::post::<Person>("/api/me/claim", &Claim { words }).await {
                Ok(Person { name, .. }) => {
                    browser::remember("parlor.name", &name);
                    // The line was opened by who one was before; the page begins anew as who one is now.
                    let _ = window().location().reload();
                }
                Err(silence) => voice.tell(silence.says()),
            }
        });
    };
    view! {
        <section class="card" aria-labelledby="claim">
            <h2 id="claim">"From another device"</h2>
            {known.then(|| view! { <p class="faint">"Who you are here now is left behind then. If you want it back one day, take four words for it first."</p> })}
            <form class="your-name" on:submit=submit>
                <label for="words">"The four words you were given there"</label>
                <div class="typed-line">
                    <input id="words" class="text" autocomplete="off" autocapitalize="none" spellcheck="false" prop:value=move || words.get() on:input=move |event| words.set(event_target_value(&event))/>
                    <button class="btn">"That is me"</button>
                </div>
            </form>
        </section>
    }
}

/// A token for a bot of one's own.
#[component]
fn ForPrograms() -> impl IntoView {
    let (token, make) = made_anew("/api/me/token", |Token { token }| token);
    view! {
        <section class="card" aria-labelledby="programs">
            <h2 id="programs">"For a program of yours"</h2>
            <p class="faint">"A token lets it play in your name. It is shown once, and makes the one before useless. "<a href="/api/docs" rel="external">"How programs play"</a></p>
            {move || token.get().map(|token| view! { <input class="text token" readonly aria-label="Your token" prop:value=token/> })}
            <button class="btn" data-do="token" on:click=make>"Make a token"</button>
        </section>
    }
}

/// This browser forgets who you are.
#[component]
fn SignOut() -> impl IntoView {
    let voice = voice();
    let sure = RwSignal::new(false);
    let forget = move |_| {
        spawn_local(async move {
            match http::delete("/api/me").await {
                Ok(()) => {
                    browser::forget("parlor.name");
                    let _ = window().location().reload();
                }
                Err(silence) => voice.tell(silence.says()),
            }
        });
    };
    view! {
        <section class="card" aria-labelledby="forget">
            <h2 id="forget">"Leave this device"</h2>
            <p class="faint">"This browser forgets who you are. Only your four words bring you back: have them first."</p>
            <Show when=move || sure.get() fallback=move || view! { <button class="btn" data-do="forget" on:click=move |_| sure.set(true)>{icon::bin()}"Forget me here"</button> }>
                <div class="buttons">
                    <button class="btn btn-main" data-do="forget-surely" on:click=forget>"Yes, forget me"</button>
                    <button class="btn" on:click=move |_| sure.set(false)>"No, I stay"</button>
                </div>
            </Show>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Route;
    use crate::tests::drawn;
    use serde_json::json;

    #[test]
    fn ratings_are_told_with_how_sure_they_are_and_bests_with_how_they_were_played() {
        let me = |ratings: serde_json::Value, bests: serde_json::Value| -> Me {
            serde_json::from_value(json!({"you": null, "ratings": ratings, "bests": bests, "tables": []}))
                .expect("somebody")
        };
        let rated = json!([{"game": "cubo", "rating": 1532.4, "deviation": 60.2, "games": 14}]);
        let best = |variations: serde_json::Value| json!([{"game": "cubo", "options": {}, "variations": variations, "score": 412, "table": "t1", "ended": 0}]);
        let somebody = me(rated, best(json!(["A round: 90 s"])));
        let page = drawn(Route::You, move || view! { <Standing me=somebody/> });
        for words in
            ["1532 ± 120", "href=\"/leaders/cubo\"", "Cubo · 412", "A round: 90 s", "href=\"/replay/t1\""]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
        let newcomer = me(json!([]), best(json!([])));
        let page = drawn(Route::You, move || view! { <Standing me=newcomer/> });
        assert!(page.contains("No rated game so far.") && page.contains("as on the sheet"), "{page}");
    }

    #[test]
    fn a_finished_game_says_how_it_ended_for_whom_it_is_told() {
        let game: Finished = serde_json::from_value(json!({
            "table": "t1", "game": "roulette", "ended": 0, "rated": true,
            "players": [
                {"person": "a", "name": "Ann", "rank": 1, "score": 110, "rating": 1540.6},
                {"person": "b", "name": "Ben", "rank": 2, "score": 90, "rating": 1459.4},
            ],
        }))
        .expect("a game");
        let told = |person: &'static str| {
            let game = game.clone();
            drawn(Route::You, move || finished(game, person))
        };
        assert!(
            told("a").contains("Ann 110 : Ben 90") && told("a").contains("won · rating 1541"),
            "{}",
            told("a")
        );
        assert!(told("b").contains("place 2 · rating 1459"), "{}", told("b"));
    }
}
