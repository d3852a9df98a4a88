//! What the administrator's page shows.

use super::html::{Text, ago, lasted, moment, size};
use super::{Administrator, App, Page};
use crate::store::office::{Entry, Known, OpenTable};
use axum::extract::{Query, State};
use serde::Deserialize;
use std::fmt::Write;

const STYLE: &str = include_str!("admin.css");
/// As many lines as each list shows.
const SHOWN: u32 = 100;

fn whole(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title} · Parlor</title><style>{STYLE}</style><body>{body}</body></html>\n"
    )
}

/// A few words that say what to do.
pub(super) fn notice(title: &str, says: &str) -> String {
    let (title, says) = (Text(title), Text(says));
    whole(&title.to_string(), &format!("<main class=\"notice\"><h1>{title}</h1><p>{says}</p></main>"))
}

/// Where a link leads: a button, so that a program that only looks at addresses does not use it up.
pub(super) async fn enter() -> Page {
    Page::of(whole(
        "Sign in",
        "<main class=\"notice\"><h1>Look after this house</h1><p>This signs this browser in as administrator. The link is good once.</p>\
         <form method=\"post\"><button class=\"main\">Sign in</button></form></main>",
    ))
}

/// The whole page.
pub(super) async fn overview(State(app): State<App>, own: Administrator) -> Result<Page, Page> {
    let known = app.office.people(String::new(), SHOWN).await?;
    let mut body = head(&own);
    body += &house(&app).await?;
    body += &tables(&app, &own, &app.office.tables(SHOWN).await?);
    body += &people_list(&app, &own, &known, "");
    body += &limits(&app);
    body += &log(&app, &app.office.audit(SHOWN).await?);
    Ok(Page::of(whole("Administrator", &format!("{body}</main>"))))
}

/// Somebody who is looked for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    name: String,
}

/// People by name.
pub(super) async fn people(
    State(app): State<App>,
    own: Administrator,
    Query(Wanted { name }): Query<Wanted>,
) -> Result<Page, Page> {
    let known = app.office.people(name.trim().to_owned(), SHOWN).await?;
    let list = people_list(&app, &own, &known, &name);
    Ok(Page::of(whole("People", &format!("{}{list}</main>", head(&own)))))
}

fn head(own: &Administrator) -> String {
    let form = |deed, words| form(own, deed, "", &format!("<button>{words}</button>"));
    format!(
        "<header><h1><a href=\"{}\">Parlor</a></h1><p>Administrator ({})</p>{}{}</header><main>",
        own.home,
        own.who(),
        form("sign-out", "Sign out"),
        form("revoke", "Sign out everywhere"),
    )
}

/// A form that does one thing.
fn form(own: &Administrator, deed: &str, subject: &str, inside: &str) -> String {
    format!(
        "<form method=\"post\" action=\"{}/do\"><input type=\"hidden\" name=\"token\" value=\"{}\">\
         <input type=\"hidden\" name=\"deed\" value=\"{deed}\"><input type=\"hidden\" name=\"subject\" value=\"{}\">{inside}</form>",
        own.home,
        own.token(),
        Text(subject)
    )
}

/// The box that is ticked before what cannot be undone.
const SURE: &str = "<label><input type=\"checkbox\" name=\"sure\" value=\"yes\" required> Sure</label>";

async fn house(app: &App) -> Result<String, Page> {
    let counts = app.office.counts().await?;
    let here = app.hall.guests.here();
    let nodes = app.hall.store.nodes().await?.len();
    let sockets = app.hall.metrics.sockets.get().max(0);
    let kept = if app.config.database.is_some() { "Database" } else { "File" };
    let mut body = "<section><h2>The house</h2><dl>".to_owned();
    let mut line = |name: &str, says: String| {
        let _ = write!(body, "<dt>{name}</dt><dd>{}</dd>", Text(&says)); // a String never fails to be written
    };
    line("Version", env!("CARGO_PKG_VERSION").to_owned());
    line("Open for", lasted(app.started.elapsed().unwrap_or_default().as_secs()));
    if nodes > 1 {
        line("Nodes", format!("{nodes}; who is here, and what is awake, is told of this one"));
    }
    line("Here now", format!("{} people with a name, {sockets} connections", here.len()));
    line(
        "Tables",
        format!(
            "{} gathering, {} playing, {} awake",
            counts.gathering,
            counts.playing,
            app.hall.awake().len()
        ),
    );
    line("Games played", counts.finished.to_string());
    line("People", format!("{}, {} of them suspended", counts.people, counts.suspended));
    line(kept, size(counts.bytes));
    if app.config.database.is_none() {
        line("Folder", size(folder_size(&app.config.data)));
    }
    body += "</dl>";
    if !here.is_empty() {
        let names: Vec<String> =
            here.values().take(SHOWN as usize).map(|here| Text(&here.name).to_string()).collect();
        let _ = write!(body, "<p>Here: {}</p>", names.join(", "));
    }
    Ok(body + "</section>")
}

/// The files of a folder, copies of the house included.
fn folder_size(folder: &std::path::Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .map(|file| file.len())
        .sum()
}

fn tables(app: &App, own: &Administrator, open: &[OpenTable]) -> String {
    let (awake, now) = (app.hall.awake(), app.hall.clock.now());
    let mut rows = String::new();
    for table in open {
        let state = match (table.playing, awake.contains(&table.id)) {
            (false, true) => "gathering",
            (false, false) => "gathering, asleep",
            (true, true) => "playing",
            (true, false) => "playing, asleep",
        };
        let inside = format!(
            "<input name=\"says\" maxlength=\"200\" required aria-label=\"What its players are told\" \
             value=\"The administrator closed this table.\">{SURE}<button>Close</button>"
        );
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{state}</td><td>{}</td><td>{}</td></tr>",
            table.number,
            Text(&table.game),
            Text(&table.people),
            ago(table.made, now),
            form(own, "close", &table.number.to_string(), &inside)
        );
    }
    list("Tables", &["No.", "Game", "People", "State", "Made", ""], &rows, "No table is open.")
}

fn people_list(app: &App, own: &Administrator, known: &[Known], wanted: &str) -> String {
    let (here, now) = (app.hall.guests.here(), app.hall.clock.now());
    let mut rows = String::new();
    for Known { person, made, suspended } in known {
        let state = match (suspended, here.get(&person.id)) {
            (Some(since), _) => format!("suspended {}", ago(*since, now)),
            (None, Some(here)) => format!("here ({})", here.sockets),
            (None, None) => String::new(),
        };
        let (deed, words) = if suspended.is_some() { ("lift", "Lift") } else { ("suspend", "Suspend") };
        let rename = format!(
            "<input name=\"says\" maxlength=\"40\" required aria-label=\"New name\" value=\"{}\"><button>Rename</button>",
            Text(&person.name)
        );
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{state}</td><td>{}{}{}</td></tr>",
            Text(&person.name),
            ago(*made, now),
            form(own, "rename", &person.id, &rename),
            form(own, deed, &person.id, &format!("<button>{words}</button>")),
            form(own, "forget", &person.id, &format!("{SURE}<button>Forget</button>")),
        );
    }
    let search = format!(
        "<form action=\"{}/people\"><input name=\"name\" maxlength=\"40\" aria-label=\"Name\" value=\"{}\"><button>Search</button></form>",
        own.home,
        Text(wanted)
    );
    list("People", &["Name", "Since", "State", ""], &rows, "Nobody.").replacen(
        "</h2>",
        &format!("</h2>{search}"),
        1,
    )
}

fn limits(app: &App) -> String {
    let mut rows = String::new();
    for (name, value) in app.config.limits.in_force() {
        let _ = write!(rows, "<dt>{name}</dt><dd>{value}</dd>");
    }
    format!("<section><h2>Limits</h2><dl>{rows}</dl></section>")
}

fn log(app: &App, entries: &[Entry]) -> String {
    let mut rows = String::new();
    for entry in entries {
        let subject = if entry.name.is_empty() { &entry.subject } else { &entry.name };
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            moment(entry.wall),
            Text(&entry.who),
            Text(&entry.deed),
            Text(subject),
            Text(&entry.says)
        );
    }
    let now = moment(app.hall.clock.now());
    let title = format!("What administrators did <small>(it is {now})</small>");
    list(&title, &["When", "By", "Did", "To", "Words"], &rows, "Nothing yet.")
}

fn list(title: &str, columns: &[&str], rows: &str, none: &str) -> String {
    if rows.is_empty() {
        return format!("<section><h2>{title}</h2><p>{none}</p></section>");
    }
    let head = columns.join("</th><th>");
    format!(
        "<section><h2>{title}</h2><div class=\"wide\"><table><thead><tr><th>{head}</th></tr></thead><tbody>{rows}</tbody></table></div></section>"
    )
}
