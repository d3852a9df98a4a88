//! What stands in front of a house: nginx, Caddy or `HAProxy`, each with a site as a host would write it and nothing outside of its folder.

use crate::{Trouble, program, ran, stop, wait_for};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A proxy.
#[derive(Debug)]
pub struct Proxy {
    child: Child,
    _folder: TempDir,
}

impl Proxy {
    /// nginx with these sites, as they stand in a file of its folder `conf.d`; one of them listens on that port.
    pub fn nginx(sites: &str, port: u16) -> Result<Proxy, Trouble> {
        Proxy::start("nginx", port, |folder| {
            let file = folder.join("nginx.conf");
            let folder = folder.display();
            let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map(|what| format!("{what}_temp_path {folder}/{what};\n"))
                .concat();
            let text = format!(
                "daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{sites}\n}}\n"
            );
            let args = ["-p", &folder.to_string(), "-e", "stderr", "-c", &file.display().to_string()];
            let args = args.map(str::to_owned).to_vec();
            Plan { text, check: [&args[..], &["-t".to_owned()]].concat(), file, run: args }
        })
    }

    /// Caddy with this Caddyfile; one of its sites listens on that port. It asks nobody for certificates.
    pub fn caddy(sites: &str, port: u16) -> Result<Proxy, Trouble> {
        Proxy::start("caddy", port, |folder| {
            let file = folder.join("Caddyfile");
            let global =
                "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n";
            let args = |what: &str| {
                [what, "--adapter", "caddyfile", "--config", &file.display().to_string()]
                    .map(str::to_owned)
                    .to_vec()
            };
            Plan {
                text: format!("{global}{sites}"),
                check: args("validate"),
                run: args("run"),
                file: file.clone(),
            }
        })
    }

    /// `HAProxy` with these sections; one of its frontends listens on that port.
    pub fn haproxy(sections: &str, port: u16) -> Result<Proxy, Trouble> {
        Proxy::start("haproxy", port, |folder| {
            let file = folder.join("haproxy.cfg");
            let args = |how: &str| [how, "-f", &file.display().to_string()].map(str::to_owned).to_vec();
            Plan { text: sections.to_owned(), check: args("-c"), run: args("-db"), file: file.clone() }
        })
    }

    fn start(name: &'static str, port: u16, plan: impl FnOnce(&Path) -> Plan) -> Result<Proxy, Trouble> {
        let (proxy, folder) = (program(name)?, tempfile::tempdir()?);
        let Plan { file, text, check, run } = plan(folder.path());
        std::fs::write(&file, text)?;
        let command = |args: &[String]| {
            let mut command = Command::new(&proxy);
            command.args(args).env("HOME", folder.path()).env("XDG_DATA_HOME", folder.path());
            command
        };
        ran(name, &mut command(&check))?;
        let mut command = command(&run);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let proxy = Proxy { child, _folder: folder };
        wait_for(port)?;
        Ok(proxy)
    }
}

/// What a proxy is started with, and what says beforehand whether its settings can be read.
struct Plan {
    file: std::path::PathBuf,
    text: String,
    check: Vec<String>,
    run: Vec<String>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}
