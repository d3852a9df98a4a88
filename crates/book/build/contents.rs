//! The table of contents: `docs/SUMMARY.md` in the format of mdBook, and the side bar that it becomes.

use crate::chapter::{escaped, target};
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use std::fmt::Write;

/// A line of the table of contents.
enum Line {
    /// The title of a part.
    Part(String),
    /// A chapter: how deep it is indented, its title, and its file below `docs`.
    Chapter(usize, String, String),
}

/// The table of contents.
pub(crate) struct Contents(Vec<Line>);

impl Contents {
    /// Reads a summary: its own heading, then parts (headings) and chapters (links in lists).
    pub(crate) fn of(summary: &str) -> Contents {
        let (mut lines, mut depth, mut text, mut link) = (Vec::new(), 0, String::new(), String::new());
        for event in Parser::new(summary) {
            match event {
                Event::Start(Tag::List(_)) => depth += 1,
                Event::End(TagEnd::List(_)) => depth -= 1,
                Event::Start(Tag::Heading { .. }) => text.clear(),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    text.clear();
                    link = dest_url.into_string();
                }
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::End(TagEnd::Link) => {
                    lines.push(Line::Chapter(depth, text.clone(), std::mem::take(&mut link)));
                }
                Event::End(TagEnd::Heading(HeadingLevel::H1)) => lines.push(Line::Part(text.clone())),
                _ => {}
            }
        }
        // The first heading is the summary's own.
        Contents(lines.into_iter().skip(1).collect())
    }

    fn chapters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|line| match line {
            Line::Chapter(_, title, source) => Some((title.as_str(), source.as_str())),
            Line::Part(_) => None,
        })
    }

    /// The files of all chapters, in their order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &str> {
        self.chapters().map(|(_, source)| source)
    }

    /// The side bar on the page of a chapter; `root` leads from there to the top of the book.
    pub(crate) fn side_bar(&self, here: &str, root: &str) -> String {
        let (mut html, mut open) = (String::new(), false);
        for line in &self.0 {
            match line {
                Line::Part(title) => {
                    let end = if std::mem::take(&mut open) { "</ul>\n" } else { "" };
                    let _ = writeln!(html, "{end}<h2>{}</h2>", escaped(title));
                }
                Line::Chapter(depth, title, source) => {
                    if !std::mem::replace(&mut open, true) {
                        html.push_str("<ul>\n");
                    }
                    let current = if source == here { " aria-current=\"page\"" } else { "" };
                    let inner = if *depth > 1 { " class=\"inner\"" } else { "" };
                    let (address, title) = (target(source), escaped(title));
                    let _ =
                        writeln!(html, "<li{inner}><a href=\"{root}{address}\"{current}>{title}</a></li>");
                }
            }
        }
        if open {
            html.push_str("</ul>\n");
        }
        html
    }

    /// The links at the end of a chapter: to the one before and the one after it.
    pub(crate) fn neighbours(&self, here: &str, root: &str) -> String {
        let all: Vec<(&str, &str)> = self.chapters().collect();
        let at = all.iter().position(|(_, source)| *source == here);
        let link = |rel: &str, found: Option<&(&str, &str)>| {
            found.map_or_else(String::new, |(title, source)| {
                let (address, title) = (target(source), escaped(title));
                format!("<a rel=\"{rel}\" href=\"{root}{address}\">{title}</a>\n")
            })
        };
        let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| all.get(at));
        let after = at.and_then(|at| all.get(at + 1));
        link("prev", before) + &link("next", after)
    }
}
