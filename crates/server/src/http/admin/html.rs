//! Text and times as they stand in a page.

use std::fmt::{self, Display, Formatter, Write};

/// Text that somebody wrote: whatever it is, it stays text, in a page and between the quotes of an attribute.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

/// How long ago that was, in one unit.
pub(super) fn ago(then: u64, now: u64) -> String {
    let seconds = now.saturating_sub(then) / 1000;
    format!("{} ago", lasted(seconds))
}

/// A time in one unit.
pub(super) fn lasted(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7_200 => (seconds / 60, "minute"),
        7_200..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// A moment on the calendar, in universal time.
pub(super) fn moment(wall: u64) -> String {
    let minutes = wall / 60_000;
    let (days, minute) = (minutes / 1_440, minutes % 1_440);
    // Years begin in March here, so that a leap day is the last of its year; an era is 400 of them.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    format!("{:04}-{month:02}-{day:02} {:02}:{:02} UTC", era * 400 + year, minute / 60, minute % 60)
}

/// A size that people can read.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1_000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_somebody_wrote_stays_text() {
        let text = Text("<script>alert('a & b')</script> \"x\"").to_string();
        assert_eq!(text, "&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt; &quot;x&quot;");
    }

    #[test]
    fn a_moment_is_found_on_the_calendar() {
        for (seconds, shown) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_767_225_599, "2025-12-31 23:59 UTC"),
            (1_767_225_600, "2026-01-01 00:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(moment(seconds * 1000), shown);
        }
    }

    #[test]
    fn times_and_sizes_are_said_in_one_unit() {
        assert_eq!(
            (ago(0, 1_000), ago(0, 119_000)),
            ("1 second ago".to_owned(), "119 seconds ago".to_owned())
        );
        assert_eq!(
            (lasted(120), lasted(7_200), lasted(200_000)),
            ("2 minutes".into(), "2 hours".into(), "2 days".into())
        );
        assert_eq!(
            (size(9_999), size(123_456), size(98_765_432)),
            ("9999 bytes".into(), "123 kB".into(), "98 MB".into())
        );
    }
}
