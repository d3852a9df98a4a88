//! The scorekeeper on a terminal, where its timer is drawn.

use crate::common::{folder, path};
use crate::terminal::Terminal;

#[test]
fn the_timer_runs_out_above_the_line_where_one_types() {
    let mut terminal = Terminal::open("parlor keep cubo --names Ann --new", &folder("timer"), &path());
    assert!(terminal.sees(|screen| screen.contains("> ")), "{}", terminal.screen());
    terminal.types("time 2\r");
    assert!(terminal.sees(|screen| screen.contains("[####")), "{}", terminal.screen());
    terminal.types("R1 R4 B6 / B3");
    let at = |screen: &str, words: &str| screen.lines().position(|line| line.contains(words));
    let up = |screen: &str| at(screen, "Time is up!").zip(at(screen, "R1 R4 B6 / B3"));
    assert!(terminal.sees(|screen| up(screen).is_some()), "{}", terminal.screen());
    let (bar, line) = up(&terminal.screen()).unwrap();
    assert_eq!(line, bar + 1, "{}", terminal.screen());
    terminal.types(" W4 B5 / R6 R4 B1\r");
    assert!(terminal.sees(|screen| screen.contains("Ann: 18")), "{}", terminal.screen());
    terminal.types("quit\r");
    assert!(terminal.ends(), "{}", terminal.screen());
}
