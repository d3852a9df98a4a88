//! A moving picture of real play: frames of a visitor's screen, each with how long it is shown. `cargo xtask pictures` makes one
//! animated file of them.

use crate::{Done, Trouble, Visitor};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much smaller than a wide screen the film is.
const SCALE: f64 = 0.65;

/// Frames in `target/screens/film`, in the order in which they were taken.
pub struct Film {
    folder: PathBuf,
    /// The list of frames: on each line its milliseconds and its file.
    cut: String,
    taken: usize,
}

impl Film {
    /// An empty film; the frames of an older one go.
    pub fn new() -> Result<Film, Trouble> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screens/film");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        Ok(Film { folder, cut: String::new(), taken: 0 })
    }

    /// How many frames were taken.
    pub fn frames(&self) -> usize {
        self.taken
    }

    /// One frame, shown for this long.
    pub async fn shows(&mut self, visitor: &Visitor, long: Duration) -> Done {
        let clip = json!({"x": 0, "y": 0, "width": 1280, "height": 800, "scale": SCALE});
        let picture = visitor.captured(json!({"format": "png", "clip": clip})).await?;
        let name = format!("{:03}.png", self.taken);
        std::fs::write(self.folder.join(&name), picture)?;
        self.taken += 1;
        Ok(writeln!(self.cut, "{} {name}", long.as_millis())?)
    }

    /// Everything that moves for this long: as many frames as the browser can give, each shown until the next was taken.
    pub async fn rolls(&mut self, visitor: &Visitor, long: Duration) -> Done {
        let begun = Instant::now();
        while begun.elapsed() < long {
            let (at, before) = (self.cut.len(), Instant::now());
            self.shows(visitor, Duration::ZERO).await?;
            let line = self.cut.split_off(at);
            let name = line.split(' ').nth(1).unwrap_or_default();
            let _ = write!(self.cut, "{} {name}", before.elapsed().as_millis());
        }
        Ok(())
    }

    /// Writes the list of frames.
    pub fn ends(self) -> Done {
        Ok(std::fs::write(self.folder.join("cut.txt"), self.cut)?)
    }
}
