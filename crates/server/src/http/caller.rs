//! Where a request comes from: the connection, or what the trusted proxy in front says.

use super::App;
use crate::door::CameSealed;
use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// What counts as the address of a caller whose proxy says something that is no address. Nobody calls from it, so that all of those
/// share one person's limits, and neither this machine's nor the proxy's.
const UNKNOWN: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Where a request comes from. It says whose limits count, and never what somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) address: IpAddr,
    pub(crate) secure: bool,
}

impl Caller {
    /// `sealed`: the connection itself is https.
    fn of(peer: IpAddr, sealed: bool, headers: &HeaderMap, trust_proxy: bool) -> Caller {
        if !trust_proxy {
            return Caller { address: peer, secure: sealed };
        }
        let told = last_told(headers, "x-forwarded-for");
        let proto = last_told(headers, "x-forwarded-proto");
        Caller {
            address: told.map_or(peer, |told| read_address(told).unwrap_or(UNKNOWN)),
            secure: proto.map_or(sealed, |proto| proto == "https"),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    App: FromRef<S>,
{
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Caller, Infallible> {
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = connection.map_or(UNKNOWN, |ConnectInfo(peer)| peer.ip());
        let sealed = parts.extensions.get::<CameSealed>().is_some();
        Ok(Caller::of(peer, sealed, &parts.headers, App::from_ref(state).config.trust_proxy))
    }
}

/// The last entry of a list that may stand in several lines: there a proxy adds what it saw itself. Anybody could have written what stands
/// before it.
pub(super) fn last_told<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let line = headers.get_all(name).iter().next_back()?;
    let list = line.to_str().unwrap_or_default();
    Some(list.rsplit(',').next().unwrap_or_default().trim())
}

/// An address as proxies write it: `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7`, `[2001:db8::7]`, `[2001:db8::7]:4711`.
fn read_address(told: &str) -> Option<IpAddr> {
    let bare = told.parse().ok();
    let with_port = || told.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bracketed = || told.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::from);
    bare.or_else(with_port).or_else(bracketed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn from(lines: &[&[u8]]) -> IpAddr {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(line).unwrap());
        }
        assert_eq!(
            Caller::of(PROXY, false, &headers, false).address,
            PROXY,
            "believed without being told to"
        );
        Caller::of(PROXY, false, &headers, true).address
    }

    #[test]
    fn the_last_address_of_the_last_line_counts() {
        let is = |lines: &[&[u8]], address: &str| assert_eq!(from(lines), address.parse::<IpAddr>().unwrap());
        is(&[b"198.51.100.1"], "198.51.100.1");
        is(&[b"203.0.113.9, 198.51.100.1"], "198.51.100.1");
        // A client's own line before the proxy's, as HAProxy passes it on.
        is(&[b"127.0.0.1", b"198.51.100.1"], "198.51.100.1");
        is(&[b"127.0.0.1, 203.0.113.9", b"203.0.113.9,198.51.100.1 "], "198.51.100.1");
    }

    #[test]
    fn an_address_is_read_as_proxies_write_it() {
        let is = |line: &str, address: &str| {
            assert_eq!(from(&[line.as_bytes()]), address.parse::<IpAddr>().unwrap(), "{line}");
        };
        is("198.51.100.1:4711", "198.51.100.1");
        is("2001:db8::7", "2001:db8::7");
        is("[2001:db8::7]", "2001:db8::7");
        is("[2001:db8::7]:4711", "2001:db8::7");
    }

    #[test]
    fn what_is_no_address_is_neither_the_proxy_nor_this_machine() {
        for line in [
            "",
            "unknown",
            "127.0.0.1,",
            "198.51.100.1, _hidden",
            "localhost",
            "1.2.3.4.5",
            "[::1",
            "::1]:80",
        ] {
            assert_eq!(from(&[line.as_bytes()]), UNKNOWN, "{line}");
        }
        assert_eq!(from(&[b"\xff\xfe"]), UNKNOWN);
        assert!(!UNKNOWN.is_loopback() && UNKNOWN != PROXY);
        assert_eq!(from(&[]), PROXY, "who comes past the proxy is who connects");
    }

    #[test]
    fn https_is_what_the_last_proxy_says() {
        let secure = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-proto", axum::http::HeaderValue::from_static(line));
            }
            Caller::of(PROXY, false, &headers, true).secure
        };
        assert!(secure(&["https"]) && secure(&["http", "https"]));
        assert!(!secure(&[]) && !secure(&["http"]) && !secure(&["https", "http"]));
    }

    #[test]
    fn https_to_the_house_itself_is_secure_unless_the_proxy_says_that_its_client_came_without() {
        let mut headers = HeaderMap::new();
        assert!(
            Caller::of(PROXY, true, &headers, false).secure && Caller::of(PROXY, true, &headers, true).secure
        );
        headers.append("x-forwarded-proto", axum::http::HeaderValue::from_static("http"));
        assert!(!Caller::of(PROXY, true, &headers, true).secure);
        assert!(Caller::of(PROXY, true, &headers, false).secure, "a client that is not trusted wrote that");
    }
}
