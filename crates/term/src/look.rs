//! How everything looks: colours or none, drawn lines or plain ASCII. Colour is never the only sign of anything.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use std::env;

/// The look of one terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Colours, or only bold, dim and reversed.
    pub(crate) colour: bool,
    /// Only characters that every terminal has.
    pub(crate) ascii: bool,
}

/// What something is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Text.
    Plain,
    /// What matters less.
    Faint,
    /// What matters more.
    Strong,
    /// Titles, and what belongs to the house.
    Accent,
    /// It is well.
    Good,
    /// It is not.
    Bad,
    /// Look here.
    Warn,
    /// Where the keyboard is.
    Cursor,
    /// What is held or chosen.
    Held,
    /// A red piece.
    Red,
    /// A blue piece.
    Blue,
    /// A white piece.
    White,
    /// A black piece.
    Black,
    /// A green piece.
    Green,
    /// A yellow piece.
    Yellow,
    /// Where something may go.
    Open,
}

impl Look {
    /// The look that the environment asks for: `NO_COLOR`, and a locale without UTF-8.
    pub(crate) fn of_environment() -> Look {
        let no_colour = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .filter_map(|name| env::var(name).ok())
            .find(|value| !value.is_empty());
        let utf8 = |locale: String| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        Look { colour: !no_colour, ascii: !locale.is_none_or(utf8) }
    }

    /// The style of an ink.
    pub(crate) fn ink(self, ink: Ink) -> Style {
        if self.colour { coloured(ink) } else { plain(ink) }
    }

    /// A character, or what stands for it in ASCII.
    fn sign(self, sign: char) -> char {
        if sign.is_control() {
            return '?';
        }
        if !self.ascii || sign.is_ascii() {
            return sign;
        }
        match sign {
            '─' | '═' | '—' | '–' | '−' => '-',
            '│' => '|',
            '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => '+',
            '█' => '#',
            '░' | '·' => '.',
            '•' | '●' | '◆' => '*',
            '○' => 'o',
            '▸' | '→' => '>',
            '←' => '<',
            '↑' => '^',
            '↓' => 'v',
            '↵' => '/',
            '×' => 'x',
            '…' => '~',
            '’' => '\'',
            _ => '?',
        }
    }
}

fn coloured(ink: Ink) -> Style {
    let style = Style::default();
    match ink {
        Ink::Plain => style,
        Ink::Faint => style.fg(Color::DarkGray),
        Ink::Strong => style.add_modifier(Modifier::BOLD),
        Ink::Accent => style.fg(Color::Yellow).add_modifier(Modifier::BOLD),
        Ink::Good => style.fg(Color::Green),
        Ink::Bad => style.fg(Color::Red),
        Ink::Warn => style.fg(Color::Red).add_modifier(Modifier::BOLD),
        Ink::Cursor => style.add_modifier(Modifier::REVERSED | Modifier::BOLD),
        Ink::Held | Ink::Yellow => style.fg(Color::Black).bg(Color::Yellow).add_modifier(Modifier::BOLD),
        Ink::Red => style.fg(Color::White).bg(Color::Red).add_modifier(Modifier::BOLD),
        Ink::Blue => style.fg(Color::White).bg(Color::Blue).add_modifier(Modifier::BOLD),
        Ink::White => style.fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD),
        Ink::Black => style.fg(Color::White).bg(Color::Black).add_modifier(Modifier::BOLD),
        Ink::Green => style.fg(Color::Black).bg(Color::Green).add_modifier(Modifier::BOLD),
        Ink::Open => style.fg(Color::Black).bg(Color::Cyan),
    }
}

fn plain(ink: Ink) -> Style {
    let style = Style::default();
    match ink {
        Ink::Plain | Ink::Good | Ink::Blue | Ink::Green | Ink::White | Ink::Black => style,
        Ink::Faint => style.add_modifier(Modifier::DIM),
        Ink::Strong | Ink::Accent | Ink::Red | Ink::Yellow => style.add_modifier(Modifier::BOLD),
        Ink::Bad | Ink::Warn | Ink::Open => style.add_modifier(Modifier::UNDERLINED),
        Ink::Cursor | Ink::Held => style.add_modifier(Modifier::REVERSED),
    }
}

/// Paints on the picture, within one area of it; what lies outside is not painted.
pub(crate) struct Brush<'a> {
    picture: &'a mut Buffer,
    /// Where it may paint.
    pub(crate) area: Rect,
    /// How.
    pub(crate) look: Look,
}

impl<'a> Brush<'a> {
    /// A brush for a whole picture.
    pub(crate) fn new(picture: &'a mut Buffer, look: Look) -> Brush<'a> {
        let area = picture.area;
        Brush { picture, area, look }
    }

    /// A brush for a part of the area.
    pub(crate) fn within(&mut self, area: Rect) -> Brush<'_> {
        let area = area.intersection(self.area);
        Brush { picture: self.picture, area, look: self.look }
    }

    /// Writes at a place counted from the area's corner; answers where the text ends.
    pub(crate) fn put(&mut self, x: u16, y: u16, text: &str, ink: Ink) -> u16 {
        let style = self.look.ink(ink);
        let mut at = x;
        for sign in text.chars().map(|sign| self.look.sign(sign)) {
            let width = width(sign);
            // A wide character that would stick out is left out, and so is what has no width of its own.
            if width > 0 && at + width <= self.area.width && y < self.area.height {
                let place = (self.area.x + at, self.area.y + y);
                if let Some(cell) = self.picture.cell_mut(place) {
                    cell.set_char(sign).set_style(style);
                }
            }
            at = at.saturating_add(width);
        }
        at
    }

    /// Writes several pieces one after the other.
    pub(crate) fn line(&mut self, x: u16, y: u16, pieces: &[(&str, Ink)]) -> u16 {
        pieces.iter().fold(x, |at, (text, ink)| self.put(at, y, text, *ink))
    }

    /// Writes so that it ends at the right edge.
    pub(crate) fn put_right(&mut self, y: u16, text: &str, ink: Ink) {
        let width = text.chars().count() as u16;
        self.put(self.area.width.saturating_sub(width), y, text, ink);
    }

    /// Writes wrapped text from a line on; answers the line after it.
    pub(crate) fn write(&mut self, x: u16, y: u16, text: &str, ink: Ink) -> u16 {
        let mut line = y;
        for row in wrap(text, self.area.width.saturating_sub(x)) {
            self.put(x, line, &row, ink);
            line += 1;
        }
        line
    }

    /// Empties the area.
    pub(crate) fn clear(&mut self) {
        for y in 0..self.area.height {
            self.put(0, y, &" ".repeat(self.area.width.into()), Ink::Plain);
        }
    }

    /// A box along the edge of the area, with a title in its upper side.
    pub(crate) fn frame(&mut self, title: &str) {
        let (width, height) = (self.area.width, self.area.height);
        if width < 2 || height < 2 {
            return;
        }
        let bar = "─".repeat(usize::from(width) - 2);
        self.put(0, 0, &format!("┌{bar}┐"), Ink::Faint);
        for y in 1..height - 1 {
            self.put(0, y, "│", Ink::Faint);
            self.put(width - 1, y, "│", Ink::Faint);
        }
        self.put(0, height - 1, &format!("└{bar}┘"), Ink::Faint);
        if !title.is_empty() {
            self.put(2, 0, &format!(" {title} "), Ink::Accent);
        }
    }
}

/// The cells that a character takes.
fn width(sign: char) -> u16 {
    if sign.is_ascii() { 1 } else { Span::raw(sign.to_string()).width() as u16 }
}

/// Text in lines of at most `width` characters, broken between words.
pub(crate) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width).max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let mut word = word;
            let length = line.chars().count();
            if length > 0 && length + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            while line.is_empty() && word.chars().count() > width {
                let cut = word.char_indices().nth(width).map_or(word.len(), |(at, _)| at);
                lines.push(word[..cut].to_owned());
                word = &word[cut..];
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Places that can be clicked, and what each means.
#[derive(Clone, Debug)]
pub(crate) struct Spots<T>(Vec<(Rect, T)>);

impl<T> Default for Spots<T> {
    fn default() -> Self {
        Spots(Vec::new())
    }
}

impl<T: Copy> Spots<T> {
    /// Forgets all of them: before every picture.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// A place of a brush's area, counted from its corner.
    pub(crate) fn add(&mut self, brush: &Brush<'_>, at: (u16, u16), size: (u16, u16), what: T) {
        let place = Rect::new(brush.area.x + at.0, brush.area.y + at.1, size.0, size.1);
        let shown = place.intersection(brush.area);
        if !shown.is_empty() {
            self.0.push((shown, what));
        }
    }

    /// What lies at a place of the screen; what was drawn last lies on top.
    pub(crate) fn at(&self, x: u16, y: u16) -> Option<T> {
        self.0.iter().rev().find(|(place, _)| place.contains((x, y).into())).map(|(_, what)| *what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words_and_long_words_are_cut() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
    }

    #[test]
    fn ascii_stands_for_every_sign_that_is_drawn() {
        let look = Look { colour: false, ascii: true };
        for sign in "─│┌┐└┘├┤┬┴┼█░·•●○▸→←↑↓↵×…’◆—".chars()
        {
            assert!(look.sign(sign).is_ascii() && look.sign(sign) != '?', "{sign}");
        }
    }

    #[test]
    fn wide_characters_take_two_cells_and_control_characters_none_of_the_terminal() {
        let mut picture = Buffer::empty(Rect::new(0, 0, 8, 1));
        let mut brush = Brush::new(&mut picture, Look { colour: false, ascii: false });
        assert_eq!(brush.put(0, 0, "安a\x1b\u{301}b", Ink::Plain), 5);
        assert_eq!(brush.put(7, 0, "安", Ink::Plain), 9);
        assert_eq!(picture, Buffer::with_lines(["安a?b   "]));
    }

    #[test]
    fn nothing_is_painted_outside_of_its_area() {
        let mut picture = Buffer::empty(Rect::new(0, 0, 6, 2));
        let mut brush = Brush::new(&mut picture, Look { colour: false, ascii: false });
        brush.within(Rect::new(1, 0, 3, 1)).put(0, 0, "abcdefgh", Ink::Plain);
        brush.within(Rect::new(1, 0, 3, 1)).put(0, 1, "x", Ink::Plain);
        assert_eq!(picture, Buffer::with_lines([" abc  ", "      "]));
    }
}
