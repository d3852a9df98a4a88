//! One connection from its first byte to its last: https where the house speaks it, then HTTP, then perhaps a socket.

use crate::site::BasePath;
use crate::tls::Sealed;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::http::uri::{PathAndQuery, Uri};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tower::ServiceExt;

/// The first byte of whoever begins to speak TLS: the content type "handshake" (RFC 8446, 5.1).
const HANDSHAKE: u8 = 0x16;

/// A request that came by https to this house itself, and not to a proxy in front of it.
#[derive(Clone, Copy)]
pub(crate) struct CameSealed;

/// What a connection comes to.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) sealed: Option<Sealed>,
    pub(crate) base: BasePath,
    pub(crate) router: Router,
    /// For whoever comes without https, where that is spoken.
    pub(crate) unsealed: Router,
    pub(crate) patience: Duration,
    /// Becomes true when connections are to be closed.
    pub(crate) stop: watch::Receiver<bool>,
}

impl Door {
    /// Until the connection is closed.
    pub(crate) async fn serve(self, stream: TcpStream, peer: SocketAddr) {
        let Some(sealed) = &self.sealed else {
            let router = self.router.clone();
            return self.talk(stream, peer, router, false).await;
        };
        let mut first = [0];
        match timeout(self.patience, stream.peek(&mut first)).await {
            Ok(Ok(1)) if first[0] == HANDSHAKE => {}
            Ok(Ok(1)) => {
                let unsealed = self.unsealed.clone();
                return self.talk(stream, peer, unsealed, false).await;
            }
            _ => return,
        }
        match timeout(self.patience, sealed.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => {
                let router = self.router.clone();
                self.talk(stream, peer, router, true).await;
            }
            // A browser that does not trust the certificate yet, mostly.
            Ok(Err(fault)) => tracing::debug!(%fault, "no https came about"),
            Err(_) => tracing::debug!("a connection began to speak https and fell silent"),
        }
    }

    async fn talk<S>(self, stream: S, peer: SocketAddr, router: Router, sealed: bool)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Door { base, patience, mut stop, .. } = self;
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            if sealed {
                request.extensions_mut().insert(CameSealed);
            }
            if let Some(uri) = within(&base, request.uri()) {
                *request.uri_mut() = uri;
            }
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .max_buf_size(16 * 1024)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        let served = tokio::select! {
            served = connection.as_mut() => served,
            () = async { drop(stop.wait_for(|stop| *stop).await) } => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(fault) = served {
            tracing::debug!(%fault, "a connection broke");
        }
    }
}

/// The address of a request as the house knows it, where that is another.
fn within(base: &BasePath, uri: &Uri) -> Option<Uri> {
    let path = base.within(uri.path());
    if path.len() == uri.path().len() {
        return None;
    }
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{path}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}
