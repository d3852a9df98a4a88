//! The drawer: games on this machine. A record is written line by line as it grows; beside a game that is not over lies
//! what is needed to go on with it (the seed of its dice, its bots, its clock).

use house::Kind;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{env, time};
use table::Seed;
use thiserror::Error;

/// Who sits in a chair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chair {
    /// The name.
    pub(crate) name: String,
    /// The level, if it is a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<u8>,
}

/// What is kept beside the record of a game that is not over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Which game.
    pub(crate) kind: Kind,
    /// Who plays.
    pub(crate) chairs: Vec<Chair>,
    /// The house's seed: a secret until the game is over.
    pub(crate) seed: Seed,
    /// Table time when it was left, in milliseconds.
    pub(crate) clock: u64,
    /// When it was last touched, in milliseconds since 1970.
    pub(crate) touched: u64,
}

/// Why the drawer does not open.
#[derive(Debug, Error)]
pub enum DrawerFault {
    /// No place to keep games was found.
    #[error("there is no home folder to keep games in: name one with --data FOLDER")]
    Homeless,
    /// The folder or a file in it.
    #[error("{}: {why}. Games are kept there; name another folder with --data", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Two who write on one sheet would spoil it.
    #[error("this game is open in another terminal: go on with it there, or leave it there first")]
    OpenElsewhere,
}

/// The folder of this machine's games.
#[derive(Clone, Debug)]
pub(crate) struct Drawer {
    folder: PathBuf,
}

/// One game of the drawer, open for writing here and nowhere else.
#[derive(Debug)]
pub(crate) struct Sheet {
    record: PathBuf,
    file: File,
    /// So many bytes of it are well: whole lines, none missing before them.
    good: u64,
}

impl Drawer {
    /// The drawer in a folder, or in the user's data folder.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Drawer, DrawerFault> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => data_folder().ok_or(DrawerFault::Homeless)?,
        };
        Ok(Drawer { folder })
    }

    fn games(&self) -> PathBuf {
        self.folder.join("games")
    }

    /// Games that are not over, the last touched first.
    pub(crate) fn kept(&self) -> Vec<(String, Kept)> {
        let files = fs::read_dir(self.games()).into_iter().flatten().flatten();
        let read = |file: fs::DirEntry| {
            let name = file.file_name().into_string().ok()?;
            let id = name.strip_suffix(".kept")?.to_owned();
            let kept = serde_json::from_str(&fs::read_to_string(file.path()).ok()?).ok()?;
            Some((id, kept))
        };
        let mut kept: Vec<(String, Kept)> = files.filter_map(read).collect();
        kept.sort_by(|(a, one), (b, other)| other.touched.cmp(&one.touched).then(b.cmp(a)));
        kept
    }

    /// Puts a new game into the drawer; answers its name there.
    pub(crate) fn begin(&self, kept: &Kept, head: &str) -> Result<(String, Sheet), DrawerFault> {
        let fault = |path: &Path| {
            let path = path.to_owned();
            move |why| DrawerFault::File { path, why }
        };
        let games = self.games();
        fs::create_dir_all(&games).map_err(fault(&games))?;
        let stem = format!("{}-{}", kept.kind.name(), day_and_time(kept.touched));
        let mut number = 1;
        loop {
            let id = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            let record = games.join(format!("{id}.jsonl"));
            match OpenOptions::new().read(true).write(true).create_new(true).open(&record) {
                Ok(file) => {
                    lock(&file)?;
                    let mut sheet = Sheet { record: record.clone(), file, good: 0 };
                    sheet.write(&[head]).map_err(fault(&record))?;
                    self.keep(&id, kept)?;
                    return Ok((id, sheet));
                }
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(why) => return Err(fault(&record)(why)),
            }
        }
    }

    /// Opens a game's record to go on with it; answers its lines. A last line that was cut off while it was written is dropped.
    pub(crate) fn resume(&self, id: &str) -> Result<(Vec<String>, Sheet), DrawerFault> {
        let record = self.games().join(format!("{id}.jsonl"));
        let fault = |why| DrawerFault::File { path: record.clone(), why };
        let mut file = OpenOptions::new().read(true).write(true).open(&record).map_err(fault)?;
        // Before it is read: whoever has it open may be writing.
        lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault)?;
        // It may be cut off in the middle of a letter, too.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..whole]).map_err(|why| fault(io::Error::other(why)))?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fault)?;
        }
        let lines = text.lines().map(str::to_owned).collect();
        Ok((lines, Sheet { record: record.clone(), file, good: whole as u64 }))
    }

    /// Keeps what is needed to go on with a game.
    pub(crate) fn keep(&self, id: &str, kept: &Kept) -> Result<(), DrawerFault> {
        let path = self.games().join(format!("{id}.kept"));
        let text = serde_json::to_string(kept).unwrap_or_default();
        // Written beside and moved when it is on disk, so that a crash or a power cut leaves the old one or the new one.
        let fresh = path.with_extension("kept-new");
        let fault = |why| DrawerFault::File { path: path.clone(), why };
        let mut new = File::create(&fresh).map_err(fault)?;
        new.write_all(text.as_bytes()).and_then(|()| new.sync_all()).map_err(fault)?;
        fs::rename(&fresh, &path).map_err(fault)
    }

    /// The game is over: only its record stays.
    pub(crate) fn finish(&self, id: &str) {
        let _ = fs::remove_file(self.games().join(format!("{id}.kept")));
    }

    /// Throws a game away, unless somebody sits at it.
    pub(crate) fn throw_away(&self, id: &str) -> Result<(), DrawerFault> {
        let record = self.games().join(format!("{id}.jsonl"));
        // Held until it is gone, so that nobody sits down in between.
        let file = OpenOptions::new().read(true).write(true).open(&record).ok();
        file.as_ref().map_or(Ok(()), lock)?;
        self.finish(id);
        let _ = fs::remove_file(record);
        Ok(())
    }

    /// A small text kept between one time and the next.
    pub(crate) fn recall(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(name)).ok()
    }

    /// Keeps a small text. Where there is no room for it, the next time begins afresh.
    pub(crate) fn remember(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = fs::write(path, text);
    }

    /// Throws a small text away.
    pub(crate) fn forget(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// Keeps a file of a game that was played elsewhere; answers where.
    pub(crate) fn keep_record(&self, name: &str, text: &str) -> Result<PathBuf, DrawerFault> {
        let games = self.games();
        let path = games.join(name);
        let fault = |why| DrawerFault::File { path: path.clone(), why };
        fs::create_dir_all(&games).map_err(fault)?;
        fs::write(&path, text).map_err(fault)?;
        Ok(path)
    }
}

impl Sheet {
    /// Writes lines in one go; they are in the system's hands when this comes back. Where it fails, none of them counts.
    pub(crate) fn write(&mut self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        let text: String = lines.iter().flat_map(|line| [line.as_ref(), "\n"]).collect();
        if self.file.seek(SeekFrom::End(0))? != self.good {
            // What a write that failed has left behind: part of a line that is written anew.
            self.file.set_len(self.good)?;
            self.file.seek(SeekFrom::Start(self.good))?;
        }
        self.file.write_all(text.as_bytes())?;
        self.good += text.len() as u64;
        Ok(())
    }

    /// Nothing more will be written: from now on everybody may read it, on systems too where a lock keeps readers out.
    pub(crate) fn let_go(&self) {
        let _ = self.file.unlock();
    }

    /// Where the record is.
    pub(crate) fn path(&self) -> &Path {
        &self.record
    }
}

/// Keeps others from a sheet for as long as the file is open; the system lets go of it when the program dies.
fn lock(file: &File) -> Result<(), DrawerFault> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DrawerFault::OpenElsewhere),
        // Not every folder can lock, on network drives for one: that is no reason not to play.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Milliseconds since 1970.
pub(crate) fn wall() -> u64 {
    time::SystemTime::now().duration_since(time::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// `20261115-0812`, in universal time.
fn day_and_time(wall: u64) -> String {
    let minutes = wall / 60_000;
    let (days, minute) = (minutes / 1440, minutes % 1440);
    // Days to a date, by Howard Hinnant's rule: years that begin in March.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}{month:02}{day:02}-{:02}{:02}", minute / 60, minute % 60)
}

/// Where programs keep their users' data on this system.
pub fn data_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        set("APPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library/Application Support"))
    } else {
        set("XDG_DATA_HOME").or_else(|| env::home_dir().map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("parlor"))
}

/// A disk that is full for a while.
#[cfg(test)]
pub(crate) mod full {
    use super::*;

    impl Sheet {
        /// From now on writing fails, and has left half a line behind; answers what [`Sheet::make_room`] needs.
        pub(crate) fn fill_up(&mut self) -> File {
            self.file.seek(SeekFrom::End(0)).unwrap();
            self.file.write_all(b"{\"t\":1,\"se").unwrap();
            std::mem::replace(&mut self.file, File::open(&self.record).unwrap())
        }

        /// There is room again.
        pub(crate) fn make_room(&mut self, file: File) {
            self.file = file;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Kept {
        let chairs = vec![Chair { name: "Ann".to_owned(), bot: None }];
        Kept { kind: Kind::Cubo, chairs, seed: Seed::from_number(1), clock: 5, touched: 0 }
    }

    #[test]
    fn days_are_named_as_in_the_calendar() {
        assert_eq!(day_and_time(0), "19700101-0000");
        assert_eq!(day_and_time(951_782_400_000 + 83 * 60_000), "20000229-0123");
        assert_eq!(day_and_time(1_794_729_600_000), "20261115-0800");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_kept_is_on_disk_before_it_takes_the_place_of_what_was() {
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().join("said");
        let mut watched = std::process::Command::new("strace");
        watched.args(["-f", "-y", "-e", "trace=/^(f(data)?sync|rename)", "-o"]).arg(&said);
        let test = "drawer::tests::a_game_stays_in_the_drawer_until_it_is_over";
        watched.arg(env::current_exe().unwrap()).args(["--exact", test]);
        let done = match watched.output() {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return eprintln!("SKIPPED: strace is not here; install it (Debian: apt-get install strace)");
            }
            done => done.unwrap(),
        };
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let said = fs::read_to_string(said).unwrap();
        let (synced, renamed) = (said.find(".kept-new>) = 0"), said.find("rename"));
        assert!(synced.is_some() && synced < renamed, "{said}");
    }

    #[test]
    fn a_game_stays_in_the_drawer_until_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Drawer::open(Some(folder.path())).unwrap();
        let (id, mut sheet) = drawer.begin(&kept(), "head").unwrap();
        sheet.write(&["one"]).unwrap();
        drop(sheet);
        assert_eq!(drawer.kept()[0].0, id);
        let (second, _) = drawer.begin(&kept(), "head").unwrap();
        assert_ne!(id, second, "two games of one minute have two names");
        drawer.finish(&id);
        assert_eq!(drawer.kept().len(), 1);
        assert_eq!(drawer.resume(&id).unwrap().0, ["head", "one"]);
    }

    #[test]
    fn a_line_that_was_cut_off_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Drawer::open(Some(folder.path())).unwrap();
        let (id, sheet) = drawer.begin(&kept(), "head").unwrap();
        fs::write(sheet.path(), b"head\none\n{\"t\":1,\"se\xc3").unwrap();
        drop(sheet);
        let (lines, mut sheet) = drawer.resume(&id).unwrap();
        assert_eq!(lines, ["head", "one"]);
        sheet.write(&["two"]).unwrap();
        assert_eq!(fs::read_to_string(sheet.path()).unwrap(), "head\none\ntwo\n");
    }

    #[test]
    fn a_game_is_open_once() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Drawer::open(Some(folder.path())).unwrap();
        let (id, new) = drawer.begin(&kept(), "head").unwrap();
        let refused = |drawer: &Drawer| matches!(drawer.resume(&id), Err(DrawerFault::OpenElsewhere));
        assert!(refused(&drawer), "it is being played");
        drop(new);
        let (_, old) = drawer.resume(&id).expect("it was left");
        assert!(refused(&drawer), "it is being played again");
        assert!(matches!(drawer.throw_away(&id), Err(DrawerFault::OpenElsewhere)));
        assert_eq!(drawer.kept().len(), 1, "nobody's game is thrown away under their hands");
        drop(old);
        drawer.throw_away(&id).expect("nobody plays it");
        assert!(drawer.kept().is_empty() && !folder.path().join(format!("games/{id}.jsonl")).exists());
    }

    #[test]
    fn what_a_failed_write_left_behind_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Drawer::open(Some(folder.path())).unwrap();
        let (_, mut sheet) = drawer.begin(&kept(), "head").unwrap();
        let room = sheet.fill_up();
        sheet.write(&["one"]).expect_err("there is no room");
        sheet.make_room(room);
        sheet.write(&["one", "two"]).unwrap();
        assert_eq!(fs::read_to_string(sheet.path()).unwrap(), "head\none\ntwo\n");
    }
}
