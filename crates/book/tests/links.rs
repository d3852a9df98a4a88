//! No dead links: in the Markdown that forges show, and in the book that the server shows.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What one page offers and asks for.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

/// Where a relative link leads: a path from the same top, and an anchor there.
fn led<'a>(from: &str, link: &'a str) -> (String, Option<&'a str>) {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    if path.is_empty() {
        return (from.to_owned(), anchor);
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            "." | "" => {}
            _ => parts.push(part),
        }
    }
    (parts.join("/"), anchor)
}

/// Every link that leads nowhere. Files that are no pages are asked for by `is_there`; links to other sites are not followed.
fn dead(pages: &BTreeMap<String, Page>, is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut dead = Vec::new();
    for (from, page) in pages {
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = led(from, link);
            let alive = match (pages.get(&path), anchor) {
                (Some(page), Some(anchor)) => page.anchors.contains(anchor),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => is_there(&path),
            };
            if !alive {
                dead.push(format!("{from}: {link}"));
            }
        }
    }
    dead
}

/// A heading as forges name it.
fn slug(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let letters = letters.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn markdown(text: &str) -> Page {
    let (mut page, mut heading) = (Page::default(), None::<String>);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = slug(&heading.take().unwrap_or_default());
                let names = (1..).map(|number| format!("{name}-{number}"));
                let free =
                    std::iter::once(name.clone()).chain(names).find(|name| !page.anchors.contains(name));
                page.anchors.extend(free);
            }
            _ => {}
        }
    }
    page
}

/// The values of an attribute in HTML as the book's renderer writes it.
fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = String> + 'a {
    let rest = html.split(attribute).skip(1);
    rest.filter_map(|rest| rest.split('"').next()).map(|value| value.replace("&amp;", "&"))
}

fn rendered(html: &str) -> Page {
    let links = values(html, " href=\"").chain(values(html, " src=\"")).collect();
    Page { anchors: values(html, " id=\"").collect(), links }
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown for people, by its path from the root.
fn sources() -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    for folder in ["", "docs/", "docs/rules/"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if Path::new(&name).extension().is_some_and(|end| end == "md") {
                let path = format!("{folder}{name}");
                let text = std::fs::read_to_string(root().join(&path)).unwrap();
                pages.insert(path, markdown(&text));
            }
        }
    }
    pages
}

#[test]
fn no_link_in_the_sources_is_dead() {
    let pages = sources();
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/hosting.md"] {
        assert!(pages.contains_key(page), "{page}");
    }
    let dead = dead(&pages, |path| root().join(path).exists());
    assert!(dead.is_empty(), "these links lead nowhere:\n{}", dead.join("\n"));
}

#[test]
fn every_page_is_a_chapter_and_the_book_stands_by_itself() {
    let pages = sources();
    let listed: BTreeSet<String> =
        pages["docs/SUMMARY.md"].links.iter().map(|link| led("docs/SUMMARY.md", link).0).collect();
    for (path, page) in pages.iter().filter(|(path, _)| path.starts_with("docs/")) {
        assert!(path == "docs/SUMMARY.md" || listed.contains(path), "{path} is missing in docs/SUMMARY.md");
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let to = led(path, link).0;
            assert!(to.starts_with("docs/"), "{path}: {link} leads out of the book; name the file in words");
        }
    }
}

#[test]
fn no_link_in_the_book_is_dead() {
    let pages: BTreeMap<String, Page> = book::files()
        .iter()
        .filter(|file| file.content_type.starts_with("text/html"))
        .map(|file| (file.path.to_owned(), rendered(std::str::from_utf8(file.bytes).unwrap())))
        .collect();
    assert!(pages.len() > 15 && pages.values().all(|page| page.links.len() > 15), "{:?}", pages.keys());
    // Beside the book are only the page and the description of the HTTP API.
    let beside = ["..", "../api/docs"];
    let dead = dead(&pages, |path| beside.contains(&path) || book::file(path).is_some());
    assert!(dead.is_empty(), "these links lead nowhere:\n{}", dead.join("\n"));
}

#[test]
fn pages_say_what_they_are_called_and_where_one_is() {
    let text = |path: &str| std::str::from_utf8(book::file(path).unwrap().bytes).unwrap();
    let hosting = text("hosting.html");
    assert!(hosting.contains("<title>Hosting · Parlor</title>"), "{hosting}");
    assert!(hosting.contains("<a href=\"hosting.html\" aria-current=\"page\">"), "{hosting}");
    assert!(text("rules/cubo.html").contains("<link rel=\"stylesheet\" href=\"../book.css\">"));
    assert!(text("protocol.html").contains("href=\"#looking-in\""));
}

#[test]
fn a_dead_link_is_found() {
    let pages = BTreeMap::from([
        (
            "a.md".to_owned(),
            markdown("# One\n\n[x](b/c.md#two) [x](b/c.md#three) [x](gone.md) ![x](gone.webp)"),
        ),
        (
            "b/c.md".to_owned(),
            markdown("# Two\n\n## Two\n\n[x](../a.md#one) [x](#two-1) [x](#two-2) [x](../../a.md)"),
        ),
    ]);
    let dead = dead(&pages, |_| false);
    let links: Vec<&str> = dead.iter().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(links, ["b/c.md#three", "gone.md", "gone.webp", "#two-2", "../../a.md"]);
}
