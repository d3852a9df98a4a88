//! One chapter: Markdown in, a page of static HTML out. Links between chapters lead to files (`hosting.md#limits`), so that they
//! work where the source is shown; here they become links between pages.

use crate::contents::Contents;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::collections::HashMap;

/// A chapter, rendered.
pub(crate) struct Chapter {
    title: String,
    body: String,
    /// The pictures in it, as the source names them.
    pub(crate) pictures: Vec<String>,
}

impl Chapter {
    pub(crate) fn of(markdown: &str) -> Chapter {
        let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
        let title = name_headings(&mut events);
        let mut pictures = Vec::new();
        for event in &mut events {
            match event {
                Event::Start(Tag::Link { dest_url, .. }) => *dest_url = address(dest_url),
                Event::Start(Tag::Image { dest_url, .. }) => pictures.push(dest_url.to_string()),
                _ => {}
            }
        }
        let mut body = String::new();
        html::push_html(&mut body, events.into_iter().flat_map(in_frame));
        Chapter { title, body, pictures }
    }

    /// The whole page.
    pub(crate) fn page(&self, source: &str, contents: &Contents) -> String {
        let root = "../".repeat(source.matches('/').count());
        let title =
            if self.title == "Parlor" { "Parlor".to_owned() } else { format!("{} · Parlor", self.title) };
        format!(
            r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}book.css">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="name" href="{root}../">Parlor</a>
<a class="to-contents" href="#contents">Contents</a>
</header>
<main id="main" tabindex="-1">
{body}<nav class="neighbours" aria-label="Chapters before and after">
{neighbours}</nav>
</main>
<nav id="contents" class="contents" aria-label="Contents">
{side_bar}<h2>For programs</h2>
<ul>
<li><a href="{root}../api/docs">HTTP API</a></li>
</ul>
</nav>
</body>
</html>
"##,
            title = escaped(&title),
            body = self.body,
            neighbours = contents.neighbours(source, &root),
            side_bar = contents.side_bar(source, &root),
        )
    }
}

/// Gives every heading the id that a forge gives it, too. Answers the text of the first.
fn name_headings(events: &mut [Event<'_>]) -> String {
    let (mut title, mut text, mut at) = (None, String::new(), None);
    let mut seen: HashMap<String, usize> = HashMap::new();
    for here in 0..events.len() {
        match &events[here] {
            Event::Start(Tag::Heading { .. }) => {
                text.clear();
                at = Some(here);
            }
            Event::Text(part) | Event::Code(part) if at.is_some() => text.push_str(part),
            Event::End(TagEnd::Heading(_)) => {
                let (slug, number) = (slug(&text), seen.entry(slug(&text)).or_default());
                let name = if *number == 0 { slug } else { format!("{slug}-{number}") };
                *number += 1;
                title.get_or_insert_with(|| text.clone());
                if let Some(Event::Start(Tag::Heading { id, .. })) = at.take().map(|at| &mut events[at]) {
                    *id = Some(name.into());
                }
            }
            _ => {}
        }
    }
    title.unwrap_or_default()
}

/// A heading as an anchor: `Behind a proxy, with TLS` is `behind-a-proxy-with-tls`.
fn slug(heading: &str) -> String {
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(kept).collect()
}

/// Wide tables scroll by themselves, so that the page does not.
fn in_frame(event: Event<'_>) -> Vec<Event<'_>> {
    match event {
        Event::Start(Tag::Table(_)) => vec![Event::Html("<div class=\"wide\">".into()), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>\n".into())],
        _ => vec![event],
    }
}

/// A link to a file of the docs becomes a link to its page; any other stays.
fn address<'a>(link: &CowStr<'a>) -> CowStr<'a> {
    let (file, anchor) = link.split_once('#').map_or((&**link, None), |(file, anchor)| (file, Some(anchor)));
    if file.contains("://") || !has_end(file, "md") {
        return link.clone();
    }
    let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
    (target(file) + &anchor).into()
}

fn has_end(file: &str, end: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, found)| found == end)
}

/// The page of a file: `rules/cubo.md` is `rules/cubo.html`, and `README.md` is what a folder opens with.
pub(crate) fn target(source: &str) -> String {
    let stem = source.strip_suffix(".md").unwrap_or(source);
    match stem.strip_suffix("README") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("{folder}index.html"),
        _ => format!("{stem}.html"),
    }
}

/// What a chapter means by a relative path, seen from the top of the docs.
pub(crate) fn resolved(source: &str, path: &str) -> String {
    let mut parts: Vec<&str> = source.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Text that stands in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
