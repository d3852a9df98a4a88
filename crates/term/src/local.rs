//! A table on this machine: the engine runs here, every act is written down before it is shown, bots and the coach think on
//! threads of their own. The clock stands while nobody can see the table.

use crate::drawer::{Chair, Drawer, Kept, Sheet, wall};
use crate::post::Heard;
use crate::session::{Clock, Link, Player, State};
use house::{AnyTable, Bests, Driver, Kind, Pondered, Setting, Step};
use serde_json::Value;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use table::{Seat, Seated, Seats, Seed, Time};

/// What a machine gives to its tables.
#[derive(Clone)]
pub(crate) struct Here {
    /// Where games are kept.
    pub(crate) drawer: Drawer,
    /// Where thoughts are sent.
    pub(crate) post: Sender<Heard>,
    /// Dice and bots from a number, to repeat a game.
    pub(crate) seed: Option<u64>,
    /// Table time for each unit of time.
    pub(crate) pace: f64,
}

/// A table being played on this machine.
pub(crate) struct Local {
    here: Here,
    /// Tells this table's thoughts from those of one that was left.
    number: u64,
    id: String,
    driver: Driver,
    lines: Vec<String>,
    /// So many of the lines are on the sheet.
    written: usize,
    sheet: Sheet,
    kept: Kept,
    options: Value,
    paused: bool,
}

/// Tables opened by this program.
static TABLES: AtomicU64 = AtomicU64::new(0);

impl Local {
    /// Opens a new table and puts it into the drawer.
    pub(crate) fn open(here: &Here, kind: Kind, options: Value, chairs: Vec<Chair>) -> Result<Local, String> {
        let setting = Setting::new(kind, options).map_err(|refused| refused.says)?;
        let seed = match here.seed {
            Some(number) => Seed::from_number(number),
            None => Seed::new(chance()?),
        };
        // With a number everything repeats; otherwise each seat adds to the dice.
        let own = || here.seed.map_or_else(|| chance().map(|bytes| hex(&bytes[..16])), |_| Ok(String::new()));
        let seated: Result<Vec<Seated>, String> =
            chairs.iter().map(|chair| Ok(Seated { name: chair.name.clone(), seed: own()? })).collect();
        let seats = Seats::new(seated?).map_err(|fault| fault.to_string())?;
        let touched = wall();
        let (driver, head) = Driver::open(&setting, seats, &seed, here.seed.is_none().then_some(touched))
            .map_err(|refused| refused.says)?;
        let kept = Kept { kind, chairs, seed, clock: 0, touched };
        let (id, sheet) = here.drawer.begin(&kept, &head).map_err(|fault| fault.to_string())?;
        Ok(Local::new(here, id, driver, vec![head], sheet, kept, setting.options))
    }

    /// Goes on with a game of the drawer.
    pub(crate) fn resume(here: &Here, id: &str, kept: Kept) -> Result<Local, String> {
        let (lines, sheet) = here.drawer.resume(id).map_err(|fault| fault.to_string())?;
        let unreadable = |fault| format!("{}: {fault}", sheet.path().display());
        let driver = Driver::resume(lines.iter().map(String::as_str), &kept.seed).map_err(unreadable)?;
        let head = table::verify::head(&lines[0]).map_err(unreadable)?;
        let mut local = Local::new(here, id.to_owned(), driver, lines, sheet, kept, head.options);
        // A game that ended as the program died may lack its last line. If there is no room for it, the next time will do.
        let _ = local.write_down();
        Ok(local)
    }

    fn new(
        here: &Here,
        id: String,
        mut driver: Driver,
        lines: Vec<String>,
        sheet: Sheet,
        kept: Kept,
        options: Value,
    ) -> Local {
        for (seat, chair) in (0..).map(Seat).zip(&kept.chairs) {
            if let Some(level) = chair.bot {
                let luck = match here.seed {
                    Some(number) => number,
                    None => chance()
                        .map_or(0, |bytes| u64::from_le_bytes(bytes[..8].try_into().unwrap_or_default())),
                };
                driver.seat_bot(seat, level, luck.wrapping_mul(31).wrapping_add(u64::from(seat.0)));
            }
        }
        let number = TABLES.fetch_add(1, Ordering::Relaxed);
        let here = here.clone();
        let written = lines.len();
        Local { here, number, id, driver, lines, written, sheet, kept, options, paused: false }
    }

    /// What is seen on sitting down.
    pub(crate) fn state(&mut self) -> State {
        let mut state = State::new(self.kept.kind);
        state.options.clone_from(&self.options);
        let player = |chair: &Chair| Player { name: chair.name.clone(), bot: chair.bot, here: true };
        state.players = self.kept.chairs.iter().map(player).collect();
        let seats = (0..).map(Seat).zip(&self.kept.chairs);
        state.mine = seats.filter(|(_, chair)| chair.bot.is_none()).map(|(seat, _)| seat).collect();
        state.link = Link::Here;
        state.clock = Clock::new(Time(self.kept.clock).max(self.driver.table().now()), self.here.pace);
        state.record = Some(self.sheet.path().to_owned());
        self.show(&mut state);
        self.ask_bots(&state);
        state
    }

    fn now(&self, state: &State) -> Time {
        state.clock.now().max(self.driver.table().now())
    }

    /// A seat acts, after everything that is due.
    pub(crate) fn act(&mut self, state: &mut State, seat: Seat, act: &Value) {
        while self.wake(state) {}
        match self.driver.act(self.now(state), seat, &act.to_string()) {
            Ok(step) => self.done(state, step),
            Err(refused) => state.notice = Some(refused.says),
        }
    }

    /// Something happened: write it down, then show it, then let the bots think again.
    fn done(&mut self, state: &mut State, step: Step) {
        self.lines.push(step.line);
        if let Err(why) = self.write_down() {
            state.notice = Some(format!(
                "{}: {why}. The game goes on: make room there, and what is missing is written with the next act, or when you leave.",
                self.sheet.path().display()
            ));
        }
        self.show(state);
        self.keep_best(state);
        self.ask_bots(state);
    }

    /// The best score of a game played alone is kept, with the options it was played by.
    fn keep_best(&self, state: &mut State) {
        let (Some(outcome), [chair]) = (&state.outcome, self.kept.chairs.as_slice()) else { return };
        let score = outcome.scores.first().copied().unwrap_or_default();
        let (name, options) = (format!("best-{}.json", self.kept.kind.name()), self.options.to_string());
        let mut bests = Bests::read(self.here.drawer.recall(&name).as_deref());
        if chair.bot.is_none() {
            state.best = Some(bests.tell(&options, score));
            bests.keep(&options, score);
            self.here.drawer.remember(&name, &bests.text());
        }
    }

    /// Writes down what is not on the sheet yet: after a write that failed, all that it left out. A game that is over gets its
    /// last line in the same stroke, and only then is it no longer in progress.
    pub(crate) fn write_down(&mut self) -> io::Result<()> {
        let over = self.driver.table().outcome().is_some();
        if over && !self.lines.last().is_some_and(|line| is_end(line)) {
            self.lines.extend(self.driver.end(&self.kept.seed));
        }
        let missing = &self.lines[self.written..];
        if !missing.is_empty() {
            self.sheet.write(missing)?;
            self.written = self.lines.len();
        }
        if over {
            self.here.drawer.finish(&self.id);
            self.sheet.let_go();
        }
        Ok(())
    }

    fn show(&self, state: &mut State) {
        let table = self.driver.table();
        state.awaited = (0..table.seats()).map(Seat).filter(|&seat| table.awaits(seat)).collect();
        state.pass_hand();
        state.privates =
            state.mine.iter().map(|&seat| (seat, table.private(seat).get().to_owned())).collect();
        table.public().get().clone_into(&mut state.public);
        state.outcome = table.outcome();
        if state.over() {
            state.clock = state.clock.at_pace(0.0);
        }
        state.expect(table.deadline());
        state.changes += 1;
    }

    /// Lets every bot think that the table waits for and that is not thinking already.
    fn ask_bots(&mut self, state: &State) {
        for ponder in self.driver.ponderings(self.now(state)) {
            let (post, number) = (self.here.post.clone(), self.number);
            thread::spawn(move || post.send(Heard::Pondered(number, ponder.run())));
        }
    }

    /// A bot has thought.
    pub(crate) fn pondered(&mut self, state: &State, number: u64, pondered: Pondered) {
        if number == self.number {
            self.driver.pondered(pondered);
            self.ask_bots(state); // the table may have moved on while it thought
        }
    }

    /// How long until a bot acts or time is up.
    pub(crate) fn due(&self, state: &State) -> Option<Duration> {
        if self.paused {
            return None;
        }
        state.clock.until(self.driver.due()?)
    }

    /// Does the first thing that is due; says whether there was one.
    pub(crate) fn wake(&mut self, state: &mut State) -> bool {
        if self.paused {
            return false;
        }
        match self.driver.step(self.now(state)) {
            Some(Ok(step)) => self.done(state, step),
            // A bot that means what is no longer allowed is asked again when something has changed.
            Some(Err(_)) => {}
            None => return false,
        }
        true
    }

    /// The clock stands, or goes on.
    pub(crate) fn pause(&mut self, state: &mut State, paused: bool) {
        if self.paused != paused {
            self.paused = paused;
            let pace = if paused || state.over() { 0.0 } else { self.here.pace };
            state.clock = state.clock.at_pace(pace);
        }
    }

    /// Keeps what is needed to come back.
    pub(crate) fn keep(&mut self, state: &State) {
        // There is nobody to be told any more; what is on the sheet is whole as far as it goes.
        let _ = self.write_down();
        if state.over() {
            return;
        }
        self.kept.clock = self.now(state).0;
        self.kept.touched = wall();
        let _ = self.here.drawer.keep(&self.id, &self.kept);
    }

    /// Asks the coach on a thread of his own, with a table of his own.
    pub(crate) fn ask_coach(&self, seat: Seat) {
        let (lines, seed, post) = (self.lines.clone(), self.kept.seed.clone(), self.here.post.clone());
        thread::spawn(move || {
            let events = lines.iter().filter(|line| !is_end(line)).map(String::as_str);
            let says = match AnyTable::resume(events, &seed) {
                Ok(table) => table.coach(seat).ok_or_else(|| SILENT.to_owned()),
                Err(fault) => Err(fault.to_string()),
            };
            post.send(Heard::Coach(seat, says))
        });
    }

    /// The same game again with the same people.
    pub(crate) fn rematch(&self) -> Result<Local, String> {
        Local::open(&self.here, self.kept.kind, self.options.clone(), self.kept.chairs.clone())
    }
}

/// Whether a line is the last of its record.
fn is_end(line: &str) -> bool {
    line.contains("\"end\":{")
}

/// What a coach says who has nothing to say.
pub(crate) const SILENT: &str =
    "The coach has nothing to say yet: he looks at what you did, once it is counted.";

/// 32 bytes of chance.
pub(crate) fn chance() -> Result<[u8; 32], String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|why| format!("this system gives no random numbers: {why}"))?;
    Ok(bytes)
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// A random name: 32 hexadecimal digits.
pub(crate) fn fresh_name() -> Result<String, String> {
    chance().map(|bytes| hex(&bytes[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;
    use std::path::Path;
    use std::sync::mpsc::channel;

    fn here(folder: &Path) -> Here {
        // Nobody thinks at these tables: what is posted does not matter.
        let post = channel().0;
        Here { drawer: Drawer::open(Some(folder)).unwrap(), post, seed: Some(7), pace: 0.0 }
    }

    /// Ann alone at Dice Roulette; a throw of the dice each time that she is ready.
    fn table(here: &Here, throws: u32) -> (Local, State) {
        let chairs = vec![Chair { name: "Ann".to_owned(), bot: None }];
        let mut local = Local::open(here, Kind::Roulette, json!({"throws": throws}), chairs).unwrap();
        let state = local.state();
        (local, state)
    }

    fn throw(local: &mut Local, state: &mut State) {
        state.notice = None;
        local.act(state, Seat(0), &json!({"do": "ready"}));
    }

    /// The game as the drawer has it.
    fn come_back(here: &Here) -> Local {
        let (id, kept) = here.drawer.kept().remove(0);
        Local::resume(here, &id, kept).expect("the record is whole")
    }

    fn holds(path: &Path) {
        house::verify(&fs::read_to_string(path).unwrap()).expect("it holds");
    }

    // rules: CU-R1
    #[test]
    fn the_best_of_a_game_played_alone_is_kept_with_its_options() {
        let folder = tempfile::tempdir().unwrap();
        let here = here(folder.path());
        let told = |throws: u32| {
            let (mut local, mut state) = table(&here, throws);
            for _ in 0..throws {
                assert_eq!(state.best, None, "nothing is said before the end");
                throw(&mut local, &mut state);
            }
            state.best.expect("the game is over")
        };
        // Nothing was laid, so the hundred chips are still there.
        assert_eq!(told(1), "Your first with these options: a best to beat.");
        assert_eq!(told(1), "Your best is 100.");
        assert_eq!(told(2), "Your first with these options: a best to beat.");
        let chairs = ["Ann", "Ben"].map(|name| Chair { name: name.to_owned(), bot: None });
        let mut two = Local::open(&here, Kind::Roulette, json!({"throws": 1}), chairs.into()).unwrap();
        let mut state = two.state();
        for seat in [0, 1] {
            two.act(&mut state, Seat(seat), &json!({"do": "ready"}));
        }
        assert!(state.over() && state.best.is_none(), "a best is of one alone");
    }

    #[test]
    fn what_a_full_disk_left_out_is_written_with_the_next_act() {
        let folder = tempfile::tempdir().unwrap();
        let here = here(folder.path());
        let (mut local, mut state) = table(&here, 3);
        let room = local.sheet.fill_up();
        throw(&mut local, &mut state);
        assert!(state.notice.as_ref().is_some_and(|says| says.contains("make room")), "{:?}", state.notice);
        local.sheet.make_room(room);
        throw(&mut local, &mut state);
        assert_eq!(state.notice, None);
        let lines = local.lines.clone();
        drop(local);
        let mut local = come_back(&here);
        assert_eq!(local.lines, lines);
        throw(&mut local, &mut state);
        holds(local.sheet.path());
    }

    #[test]
    fn what_a_full_disk_left_out_is_written_on_leaving() {
        let folder = tempfile::tempdir().unwrap();
        let here = here(folder.path());
        let (mut local, mut state) = table(&here, 1);
        let room = local.sheet.fill_up();
        throw(&mut local, &mut state);
        assert!(state.over());
        local.keep(&state);
        assert_eq!(here.drawer.kept().len(), 1, "it can be gone on with: its end is not on the sheet");
        local.sheet.make_room(room);
        local.keep(&state);
        assert!(here.drawer.kept().is_empty());
        holds(local.sheet.path());
    }

    #[test]
    fn a_game_that_lacks_its_last_line_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let here = here(folder.path());
        let (mut local, mut state) = table(&here, 1);
        let (id, kept) = here.drawer.kept().remove(0);
        throw(&mut local, &mut state);
        let path = local.sheet.path().to_owned();
        drop(local);
        // As a crash leaves it between the last act and the end.
        let text = fs::read_to_string(&path).unwrap();
        let end = text.trim_end().rfind('\n').unwrap() + 1;
        for torn in [end, text.len() - 9, text.len()] {
            fs::write(&path, &text[..torn]).unwrap();
            here.drawer.keep(&id, &kept).unwrap();
            let mut local = come_back(&here);
            assert!(local.state().over());
            assert!(here.drawer.kept().is_empty());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        holds(&path);
    }
}
