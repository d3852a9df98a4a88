//! Where people find the house: the folder of its server that it is in, and the address that others call it by.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The folder of a server that a house is in: `/`, or `/games/`. It begins and ends with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath(String);

/// Why a text is no folder of a server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a path on a server; write one of letters, digits, - . _ ~ and slashes, as in /games")]
pub struct NoBasePath(String);

impl BasePath {
    /// The whole server is the house.
    pub fn root() -> BasePath {
        BasePath("/".to_owned())
    }

    /// With a slash at both ends.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As a cookie says it: `/games` is for the folder and for all that is in it.
    pub(crate) fn for_cookies(&self) -> &str {
        if self.0 == "/" { "/" } else { self.0.trim_end_matches('/') }
    }

    /// What follows the folder in the path of a request, with a slash before it. A proxy may have taken the folder off already;
    /// then the whole path is meant.
    pub(crate) fn within<'a>(&self, path: &'a str) -> &'a str {
        match path.strip_prefix(self.0.trim_end_matches('/')) {
            Some("") => "/",
            Some(rest) if rest.starts_with('/') => rest,
            _ => path,
        }
    }
}

impl FromStr for BasePath {
    type Err = NoBasePath;

    /// ```
    /// let base: server::BasePath = "/games".parse()?;
    /// assert_eq!(base.as_str(), "/games/");
    /// assert!("/games?x".parse::<server::BasePath>().is_err());
    /// # Ok::<(), server::NoBasePath>(())
    /// ```
    fn from_str(text: &str) -> Result<BasePath, NoBasePath> {
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
        let plain = |part: &&str| {
            part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
                && !matches!(*part, "." | "..")
        };
        if !parts.iter().all(plain) || text.contains("//") {
            return Err(NoBasePath(text.to_owned()));
        }
        Ok(if parts.is_empty() { BasePath::root() } else { BasePath(format!("/{}/", parts.join("/"))) })
    }
}

/// The address that people all over the world have for the house, but for its folder: `https://games.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    pub(crate) secure: bool,
    /// As it stands in an address: one of IPv6 has its brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// Why a text is no such address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPublicUrl {
    /// The scheme is missing, or no browser's.
    #[error(
        "{0:?} does not begin with https:// or http://; write the address as people type it, as in https://games.example"
    )]
    Scheme(String),
    /// No host, or a port that is none.
    #[error(
        "{0:?} has no host that a browser could find; write the address as people type it, as in https://games.example"
    )]
    Host(String),
    /// More than a host and a path.
    #[error(
        "the address of a house is a host and perhaps a path, without a name, a password, ? or #; write it as in https://games.example/games"
    )]
    More,
    /// Its path.
    #[error(transparent)]
    Path(#[from] NoBasePath),
}

impl PublicUrl {
    /// Reads `https://games.example`, or `https://games.example/games`, which names the folder, too.
    ///
    /// ```
    /// let (url, base) = server::PublicUrl::read("https://Games.Example:443/games/")?;
    /// assert_eq!(url.origin(), "https://games.example");
    /// assert_eq!(base.as_ref().map(|base| base.as_str()), Some("/games/"));
    /// # Ok::<(), server::NoPublicUrl>(())
    /// ```
    pub fn read(text: &str) -> Result<(PublicUrl, Option<BasePath>), NoPublicUrl> {
        let lower = text.to_ascii_lowercase();
        let (secure, rest) = match (lower.strip_prefix("https://"), lower.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Err(NoPublicUrl::Scheme(text.to_owned())),
        };
        // A path keeps its capitals.
        let rest = &text[text.len() - rest.len()..];
        if rest.contains(['?', '#', '@']) {
            return Err(NoPublicUrl::More);
        }
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        let place = place.to_ascii_lowercase();
        let usual = if secure { 443 } else { 80 };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
            _ => (place.as_str(), Some(usual)),
        };
        let no_host = || NoPublicUrl::Host(text.to_owned());
        let port = port.filter(|port| *port > 0).ok_or_else(no_host)?;
        if !is_host(host) {
            return Err(no_host());
        }
        let base = (!path.is_empty()).then(|| path.parse()).transpose()?;
        Ok((PublicUrl { secure, host: host.to_owned(), port }, base))
    }

    /// As browsers name it: scheme and host, and the port if it is not the usual one.
    pub fn origin(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}", self.authority())
    }

    /// What a browser sends as `Host`.
    pub(crate) fn authority(&self) -> String {
        let usual = if self.secure { 443 } else { 80 };
        if self.port == usual { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }
}

/// A host's name or address.
fn is_host(host: &str) -> bool {
    let six = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let named = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    six.map_or(!host.is_empty() && host.bytes().all(named), |six| six.parse::<std::net::Ipv6Addr>().is_ok())
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_written_in_many_ways_and_means_one() {
        for text in ["/games", "games", "/games/", "games/"] {
            assert_eq!(text.parse::<BasePath>().unwrap().as_str(), "/games/", "{text}");
        }
        assert_eq!("/".parse::<BasePath>().unwrap(), BasePath::root());
        assert_eq!("/a/b".parse::<BasePath>().unwrap().for_cookies(), "/a/b");
        assert_eq!(BasePath::root().for_cookies(), "/");
        for text in
            ["/..", "/a/../b", "//games", "/a b", "/a?b", "/a#b", "/\"><x", "/ä", "/a\\b", "https://x/y"]
        {
            assert!(text.parse::<BasePath>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_request_is_for_the_house_whether_a_proxy_took_the_folder_off_or_not() {
        let base: BasePath = "/games".parse().unwrap();
        for (path, within) in [
            ("/games", "/"),
            ("/games/", "/"),
            ("/games/table/x", "/table/x"),
            ("/table/x", "/table/x"),
            ("/gamesters", "/gamesters"),
            ("/", "/"),
        ] {
            assert_eq!(base.within(path), within, "{path}");
            assert_eq!(BasePath::root().within(path), path);
        }
    }

    #[test]
    fn a_public_address_is_what_people_type() {
        let read =
            |text: &str| PublicUrl::read(text).map(|(url, base)| (url.origin(), base.map(|base| base.0)));
        for (text, origin, base) in [
            ("https://games.example", "https://games.example", None),
            ("https://games.example/", "https://games.example", None),
            ("HTTP://Games.Example:80/Play", "http://games.example", Some("/Play/")),
            ("http://192.0.2.7:7777", "http://192.0.2.7:7777", None),
            ("https://[::1]:8443/a/b/", "https://[::1]:8443", Some("/a/b/")),
        ] {
            assert_eq!(read(text), Ok((origin.to_owned(), base.map(str::to_owned))), "{text}");
        }
        for text in ["games.example", "ws://games.example", ""] {
            assert!(matches!(read(text), Err(NoPublicUrl::Scheme(_))), "{text}");
        }
        for text in
            ["https://", "https://:443", "https://a:many", "https://a:0", "https://*.example", "https://[x]"]
        {
            assert!(matches!(read(text), Err(NoPublicUrl::Host(_))), "{text}");
        }
        for text in
            ["https://ann:secret@games.example", "https://games.example/?x", "https://games.example/#x"]
        {
            assert!(matches!(read(text), Err(NoPublicUrl::More)), "{text}");
        }
        assert!(matches!(read("https://games.example/a b"), Err(NoPublicUrl::Path(_))));
    }
}
