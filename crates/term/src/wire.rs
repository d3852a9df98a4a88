//! The wire to a server: open, or sealed with TLS where the invitation says https. Whom to trust is for the machine to say: its
//! own certificates are asked, as by every other program on it.

use crate::http::Address;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A wire, sealed or not.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<W: AsyncRead + AsyncWrite + Send + Unpin> Wire for W {}

/// Calls a server.
pub(crate) async fn connect(address: &Address) -> io::Result<Box<dyn Wire>> {
    let stream = TcpStream::connect(address.to_string()).await?;
    stream.set_nodelay(true)?;
    if !address.sealed {
        return Ok(Box::new(stream));
    }
    let host = address.host.trim_matches(['[', ']']).to_owned();
    let host = ServerName::try_from(host).map_err(io::Error::other)?;
    Ok(Box::new(connector()?.connect(host, stream).await?))
}

fn connector() -> io::Result<TlsConnector> {
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
