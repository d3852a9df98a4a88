//! The first words of a house that has opened: where it is, what to do next, and how the others come in.

use server::Open;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a house knows of itself before it opens.
pub(crate) struct Welcome {
    /// Whether it speaks https itself.
    pub(crate) sealed: bool,
    /// The folder of its server that it is in, with a slash at both ends.
    pub(crate) base: String,
    /// The address that others call it by.
    pub(crate) public: Option<String>,
    /// Its folder; none where it lives in a database.
    pub(crate) folder: Option<PathBuf>,
    /// Whether it is opened for the first time.
    pub(crate) new: bool,
    /// Whether to open it in this machine's browser.
    pub(crate) browse: bool,
}

impl Welcome {
    /// Says it, and tells the service manager.
    pub(crate) fn say(&self, open: Open<'_>) {
        let reached = if open.address.ip().is_unspecified() { server::lan_address() } else { None };
        let shown = reached.map_or(open.address, |ip| SocketAddr::new(ip, open.address.port()));
        let words = self.words(open, shown, io::stdout().is_terminal());
        // At once, and whether anybody still reads or not: a script may close the pipe after the first line.
        let mut out = io::stdout().lock();
        let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
        drop(out);
        ready();
        if self.browse
            && let Err(why) = browse(&self.here(shown))
        {
            eprintln!("No browser could be opened here ({why}): open that address yourself.");
        }
    }

    /// Its address as this machine and its neighbours have it.
    fn here(&self, shown: SocketAddr) -> String {
        format!("{}://{shown}{}", if self.sealed { "https" } else { "http" }, self.base)
    }

    /// One screen, or the same as plain lines, without a picture, where nobody looks at it.
    fn words(&self, open: Open<'_>, shown: SocketAddr, picture: bool) -> String {
        let here = self.here(shown);
        let mut words = format!("Parlor is open at {here}  (Ctrl-C closes it)\n");
        let mut line = |text: &str| words.extend([text, "\n"]);
        if let Some(public) = &self.public {
            line(&format!("Others find it at {public}: invitations say so, too."));
        }
        if let Some(print) = open.fingerprint {
            line(
                "Browsers will warn once: this house made its certificate itself. Its fingerprint (SHA-256) is",
            );
            line(print);
        }
        if self.new {
            line(
                "Open that address in a browser, choose a box, and play alone, with bots or with a link for your friends.",
            );
            if let Some(folder) = &self.folder {
                line(&format!(
                    "Games and people are kept in {}. parlor doctor looks whether all is well.",
                    folder.display()
                ));
            }
        }
        let others = self.public.as_deref().unwrap_or(&here);
        if let Some(path) = open.admin {
            let link = format!("{}{}", others.trim_end_matches('/'), path);
            line(&format!("To look after this house, sign in within the hour: {link}"));
            line("The link is good once. `parlor admin` prints another.");
        }
        if self.public.is_none() && shown.ip().is_loopback() {
            line("Only this machine can come in. To let the phones in the room come in: parlor serve --lan");
        } else if self.public.is_none() && shown.ip().is_unspecified() {
            line(
                "This machine seems to be in no network: connect it, and start again to see the address for phones.",
            );
        } else {
            let way = if self.public.is_none() { "Phones in the same network" } else { "Phones" };
            let code = server::qr(others).filter(|_| picture);
            let how = if code.is_some() { "point the camera here, or type" } else { "type" };
            line(&format!("{way}: {how} {others}"));
            if let Some(code) = code {
                line(&code);
            }
        }
        words
    }
}

/// Tells the service manager, if one started us and wants to know (`Type=notify` of systemd).
fn ready() {
    #[cfg(target_os = "linux")]
    if let Some(place) = std::env::var_os("NOTIFY_SOCKET") {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::net::{SocketAddr, UnixDatagram};
        let address = match place.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
            _ => SocketAddr::from_pathname(&place),
        };
        let told = address.and_then(|at| UnixDatagram::unbound()?.send_to_addr(b"READY=1", &at));
        if let Err(why) = told {
            eprintln!("the service manager cannot be told that the house is open: {why}");
        }
    }
}

/// Opens an address in the browser of whoever sits here.
fn browse(address: &str) -> io::Result<()> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(welcome: &Welcome, shown: &str, fingerprint: Option<&str>, picture: bool) -> String {
        let shown = shown.parse().unwrap();
        welcome.words(Open { address: shown, metrics: None, fingerprint, admin: None }, shown, picture)
    }

    fn house() -> Welcome {
        let folder = Some(PathBuf::from("data"));
        Welcome { sealed: false, base: "/".into(), public: None, folder, new: true, browse: false }
    }

    #[test]
    fn a_first_start_fits_on_a_screen_and_says_where_what_next_and_how_phones_come_in() {
        let alone = words(&house(), "127.0.0.1:7777", None, true);
        for part in ["http://127.0.0.1:7777/", "choose a box", "kept in data", "parlor serve --lan"] {
            assert!(alone.contains(part), "{part}: {alone}");
        }
        assert_eq!(alone.lines().count(), 4, "{alone}");
        let room = words(&house(), "192.0.2.7:7777", None, true);
        assert!(
            room.contains("same network: point the camera here, or type http://192.0.2.7:7777/"),
            "{room}"
        );
        assert!(room.contains('█') && room.lines().count() < 24, "{room}");
        let plain = words(&house(), "192.0.2.7:7777", None, false);
        assert!(plain.contains("type http://192.0.2.7:7777/") && !plain.contains('█'), "{plain}");
        let again = words(&Welcome { new: false, ..house() }, "127.0.0.1:7777", None, true);
        assert!(!again.contains("choose a box") && again.contains("--lan"), "{again}");
    }

    #[test]
    fn https_a_folder_and_a_public_address_are_told() {
        let sealed = Welcome { sealed: true, base: "/games/".into(), ..house() };
        let said = words(&sealed, "192.0.2.7:7777", Some("AB:CD"), false);
        for part in [
            "open at https://192.0.2.7:7777/games/ ",
            "warn once",
            "AB:CD",
            "type https://192.0.2.7:7777/games/",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let public = Welcome { public: Some("https://games.example/".into()), ..house() };
        let said = words(&public, "127.0.0.1:7777", None, false);
        assert!(said.contains("Phones: type https://games.example/") && !said.contains("--lan"), "{said}");
    }
}
