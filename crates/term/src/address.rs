//! Where a server is, and the table on it that an invitation names.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A server, by host and port, and how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The name or number of the machine.
    pub(crate) host: String,
    /// Its port.
    pub(crate) port: u16,
    /// Whether the wire is sealed: https.
    pub(crate) sealed: bool,
    /// The folder of that machine that the house is in: `/games`, or nothing.
    pub(crate) folder: String,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Address {
    /// The address of a table there, to be sent to others.
    pub(crate) fn link(&self, table: &str) -> String {
        let scheme = if self.sealed { "https" } else { "http" };
        format!("{scheme}://{self}{}/table/{table}", self.folder)
    }

    /// The same machine, with the house in this folder of it.
    fn within(self, folder: &str) -> Option<Address> {
        let folder = folder.trim_matches('/');
        let good = folder.chars().all(|sign| sign.is_ascii_alphanumeric() || "-._~/".contains(sign));
        let folder = if folder.is_empty() { String::new() } else { format!("/{folder}") };
        good.then_some(Address { folder, ..self })
    }

    /// Reads `http://house.example:7777`, and what stands behind it.
    fn read(text: &str) -> Option<(Address, &str)> {
        let (sealed, bare) = match text.trim().strip_prefix("https://") {
            Some(bare) => (true, bare),
            None => (false, text.trim().strip_prefix("http://").unwrap_or(text.trim())),
        };
        let (place, path) = bare.split_once('/').unwrap_or((bare, ""));
        let (host, port) = match place.rsplit_once(':') {
            // The colons of a bare IPv6 address are no port's.
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
            _ => (place, if sealed { 443 } else { 80 }),
        };
        let good = !host.is_empty()
            && host.chars().all(|sign| sign.is_ascii_alphanumeric() || ".-_[]:".contains(sign));
        good.then(|| (Address { host: host.to_owned(), port, sealed, folder: String::new() }, path))
    }
}

/// Why a text is no server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is no server: it looks like http://house.example:7777")]
pub(crate) struct NoServer(String);

impl FromStr for Address {
    type Err = NoServer;

    fn from_str(text: &str) -> Result<Address, NoServer> {
        let found = Address::read(text).and_then(|(address, path)| address.within(path));
        found.ok_or_else(|| NoServer(text.chars().take(80).collect()))
    }
}

/// A table on a server, as an invitation names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invitation {
    /// The server.
    pub(crate) address: Address,
    /// The table.
    pub(crate) table: String,
}

/// Why a text is no invitation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoInvitation {
    /// Not of this shape.
    #[error("\"{0}\" is no invitation: it looks like http://house.example:7777/table/k3v9")]
    Shape(String),
}

impl FromStr for Invitation {
    type Err = NoInvitation;

    fn from_str(text: &str) -> Result<Invitation, NoInvitation> {
        let shown = || text.chars().take(80).collect::<String>();
        let parts = || {
            let (address, path) = Address::read(text)?;
            let path = path.split(['?', '#']).next()?.trim_end_matches('/');
            let (folder, table) = path
                .strip_prefix("table/")
                .map(|table| ("", table))
                .or_else(|| path.rsplit_once("/table/"))?;
            let address = address.within(folder)?;
            let good = !table.is_empty()
                && table.len() <= 64
                && table.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign));
            good.then(|| Invitation { address, table: table.to_owned() })
        };
        parts().ok_or_else(|| NoInvitation::Shape(shown()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invitations_are_read_as_servers_make_them() {
        let read = |text: &str| text.parse::<Invitation>();
        let invitation = read("http://127.0.0.1:7777/table/k3v9xy").expect("an invitation");
        assert_eq!(
            (invitation.address.to_string().as_str(), invitation.table.as_str()),
            ("127.0.0.1:7777", "k3v9xy")
        );
        assert_eq!(read("house.example/table/a1").expect("without scheme and port").address.port, 80);
        assert_eq!(read("http://[::1]:8080/table/a1?x#y").expect("IPv6").address.host, "[::1]");
        for bad in [
            "",
            "k3v9",
            "http://host/",
            "http://host/table/",
            "http://host:port/table/a",
            "http://h/table/a b",
            "http:///table/a",
        ] {
            assert!(matches!(read(bad), Err(NoInvitation::Shape(_))), "{bad}");
        }
        let inside = read("https://house.example/games/parlor/table/a1?x=/table/b").expect("one in a folder");
        assert_eq!((&*inside.address.folder, &*inside.table), ("/games/parlor", "a1"));
        assert_eq!(inside.address.link("b2"), "https://house.example:443/games/parlor/table/b2");
        let server = |text: &str| text.parse::<Address>();
        assert_eq!(server("http://h:1/games/").map(|server| server.folder), Ok("/games".to_owned()));
        assert!(server("http://h:1/ga mes").is_err());
        let sealed = read("https://house.example/table/a1").expect("a sealed one").address;
        assert_eq!((sealed.port, sealed.sealed), (443, true));
    }
}
