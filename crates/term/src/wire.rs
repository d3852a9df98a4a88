//! The wire to a server: open, or sealed with TLS where the invitation says https. Whom to trust is for the machine to say: its
//! own certificates are asked, as by every other program on it.

use crate::address::Address;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A wire, sealed or not.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<W: AsyncRead + AsyncWrite + Send + Unpin> Wire for W {}

/// A server that has not taken the call after this long will not take it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Calls a server.
pub(crate) async fn connect(address: &Address) -> io::Result<Box<dyn Wire>> {
    connect_within(PATIENCE, address).await
}

async fn connect_within(patience: Duration, address: &Address) -> io::Result<Box<dyn Wire>> {
    let late = |_| {
        let says = format!("no answer within {} seconds", patience.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, says))
    };
    timeout(patience, dial(address)).await.unwrap_or_else(late)
}

async fn dial(address: &Address) -> io::Result<Box<dyn Wire>> {
    let stream = TcpStream::connect(address.to_string()).await?;
    stream.set_nodelay(true)?;
    if !address.sealed {
        return Ok(Box::new(stream));
    }
    let host = address.host.trim_matches(['[', ']']).to_owned();
    let host = ServerName::try_from(host).map_err(io::Error::other)?;
    Ok(Box::new(connector()?.connect(host, stream).await?))
}

/// The machine's certificates are read once: that takes a while, and they do not change between two calls.
fn connector() -> io::Result<TlsConnector> {
    static CONNECTOR: OnceLock<TlsConnector> = OnceLock::new();
    if let Some(connector) = CONNECTOR.get() {
        return Ok(connector.clone());
    }
    let made = make_connector()?;
    Ok(CONNECTOR.get_or_init(|| made).clone())
}

fn make_connector() -> io::Result<TlsConnector> {
    let mut trusted = RootCertStore::empty();
    trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if trusted.is_empty() {
        return Err(io::Error::other(
            "this machine has no certificates to trust: install ca-certificates, or name a file in SSL_CERT_FILE",
        ));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use tokio::net::TcpSocket;

    /// A machine that swallows calls: as many wait at its door as it has room for, and it never opens.
    #[tokio::test]
    async fn nobody_waits_for_ever_at_a_door_that_stays_shut() {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        let listener = socket.listen(1).expect("a door");
        let port = listener.local_addr().expect("its address").port();
        let address = Address { host: "127.0.0.1".to_owned(), port, sealed: false, folder: String::new() };
        let mut waiting = Vec::new();
        let refused = loop {
            // The system itself gives up, too, but only after minutes.
            let connected = timeout(PATIENCE, connect_within(Duration::from_millis(300), &address)).await;
            match connected.expect("in time") {
                Ok(wire) => waiting.push(wire),
                Err(why) => break why,
            }
            assert!(waiting.len() < 100, "the door has no room for so many");
        };
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut, "{refused}");
    }
}
