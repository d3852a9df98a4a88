//! The web client compiled to wasm. All of it is in the build script, which depends on nothing, so that cargo can start it at once:
//! what it compiles takes longer than anything else, and `page` needs it only at the end.

#[cfg(test)]
#[path = "../build/progress.rs"]
mod progress;

#[cfg(test)]
mod tests {
    use super::progress::Progress;
    use std::io::{BufReader, Read, Result, Write};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    /// A terminal that remembers.
    #[derive(Clone, Default)]
    struct Terminal(Arc<Mutex<Vec<u8>>>);

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    impl Terminal {
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.lines().map(|line| line.trim_start_matches("\r\u{1b}[K   ").to_owned()).collect()
        }
    }

    /// A build that says nothing for a while, then ends.
    struct Silent(Duration);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            std::thread::sleep(std::mem::take(&mut self.0));
            Ok(0)
        }
    }

    fn artifact(name: &str, fresh: bool) -> String {
        format!(r#"{{"reason":"compiler-artifact","package_id":"registry+x#{name}@1.0.0","fresh":{fresh}}}"#)
            + "\n"
    }

    #[test]
    fn the_first_line_comes_before_anything_is_compiled() {
        let terminal = Terminal::default();
        let _progress = Progress::on(terminal.clone());
        assert_eq!(terminal.lines(), ["The page: compiling it for the browser"]);
    }

    #[test]
    fn crates_are_counted_but_not_those_that_were_there_already() {
        let terminal = Terminal::default();
        let mut progress = Progress::on(terminal.clone());
        progress.expect(3);
        let built = [
            artifact("old", true),
            artifact("serde", false),
            artifact("serde", false),
            artifact("web", false),
        ];
        progress.follow(std::io::Cursor::new(built.concat()), Duration::from_mins(1), Duration::ZERO);
        assert_eq!(
            terminal.lines()[1..],
            ["The page: 1 of 3 crates (serde 1.0.0)", "The page: 2 of 3 crates (web 1.0.0)"]
        );
    }

    #[test]
    fn a_long_silence_is_broken() {
        let terminal = Terminal::default();
        let silent = BufReader::new(Silent(Duration::from_millis(500)));
        Progress::on(terminal.clone()).follow(silent, Duration::from_millis(50), Duration::ZERO);
        let lines = terminal.lines();
        assert!(lines.len() > 3 && lines[1] == "The page: 0 of 0 crates, 0 s so far", "{lines:?}");
    }
}
