//! nginx, in front of a house.

use crate::{Trouble, program, ran, stop, wait_for};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A proxy.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    _folder: TempDir,
}

impl Nginx {
    /// Starts one with these sites, as they stand in a file of its folder `conf.d`; one of them listens on that port.
    pub fn start(sites: &str, port: u16) -> Result<Nginx, Trouble> {
        let (nginx, folder) = (program("nginx")?, tempfile::tempdir()?);
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, config(sites, folder.path()))?;
        let command = || {
            let mut command = Command::new(&nginx);
            command.arg("-p").arg(folder.path()).arg("-c").arg(&file).args(["-e", "stderr"]);
            command
        };
        ran("nginx", command().arg("-t"))?;
        let child = command().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let nginx = Nginx { child, _folder: folder };
        wait_for(port)?;
        Ok(nginx)
    }
}

/// One process of whoever starts it, and nothing outside of its folder.
fn config(sites: &str, folder: &Path) -> String {
    let folder = folder.display();
    let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|what| format!("{what}_temp_path {folder}/{what};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{sites}\n}}\n"
    )
}

impl Drop for Nginx {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}
