//! A server from its start to its clean stop.

use crate::Config;
use crate::bus::{Alone, Bus, Post};
use crate::clock::system_now;
use crate::http::{App, Counted, Inside, metrics_router, router};
#[cfg(feature = "cluster")]
use crate::nats::{BusFault, Nats};
use crate::node::Node;
use crate::page::Page;
use crate::people::Seal;
#[cfg(feature = "cluster")]
use crate::store::postgres::Postgres;
use crate::store::sqlite::Sqlite;
use crate::store::{Store, StoreFault};
use crate::think::Desk;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tower::ServiceExt;

/// Why a server could not start or went down.
#[derive(Debug, Error)]
pub enum ServeFault {
    /// Its store.
    #[error("{0}")]
    Store(#[from] StoreFault),
    /// The way to the other nodes.
    #[cfg(feature = "cluster")]
    #[error("{0}")]
    Bus(#[from] BusFault),
    /// Many nodes need a database that all of them reach.
    #[error(
        "nodes that share a house over NATS keep it in one database: say which with --database postgres://user@host/name"
    )]
    NoDatabase,
    /// Its address.
    #[error(
        "cannot listen on {address}: {fault}; is another server running there? Choose another with {option}"
    )]
    Listen {
        /// Where.
        address: SocketAddr,
        /// The option that says where.
        option: &'static str,
        /// Why not.
        fault: std::io::Error,
    },
    /// The system.
    #[error("{0}")]
    System(std::io::Error),
}

/// A server that listens, and does not serve yet.
pub struct Server {
    listener: TcpListener,
    /// Where the metrics are shown, if anywhere.
    scraped: Option<TcpListener>,
    node: Node,
    router: Router,
    metrics_router: Router,
    connections: Counted,
    config: Config,
    post: Option<mpsc::Receiver<Post>>,
}

impl Server {
    /// Opens the store and the door.
    pub async fn bind(config: Config, page: impl Page) -> Result<Server, ServeFault> {
        let store: Arc<dyn Store> = match (&config.database, &config.nats) {
            (None, None) => Arc::new(Sqlite::open(&config.data, system_now())?),
            (None, Some(_)) => return Err(ServeFault::NoDatabase),
            #[cfg(not(feature = "cluster"))]
            (Some(_), _) => return Err(StoreFault::LeftOut.into()),
            #[cfg(feature = "cluster")]
            (Some(url), None) => Arc::new(Postgres::open(url, system_now()).await?),
            #[cfg(feature = "cluster")]
            (Some(url), Some(nats)) => {
                let store = Postgres::join(url).await?;
                let (bus, post) = Nats::connect(nats, &store.secret(), store.node()).await?;
                return Server::on(config, Arc::new(page), Arc::new(store), Arc::new(bus), Some(post)).await;
            }
        };
        Server::with_store(config, page, store).await
    }

    /// Opens the door of a house with a store of its own.
    pub async fn with_store(
        config: Config,
        page: impl Page,
        store: Arc<dyn Store>,
    ) -> Result<Server, ServeFault> {
        Server::on(config, Arc::new(page), store, Arc::new(Alone), None).await
    }

    async fn on(
        config: Config,
        page: Arc<dyn Page>,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        post: Option<mpsc::Receiver<Post>>,
    ) -> Result<Server, ServeFault> {
        let listener = listen(config.listen, config.any_port, "--listen").await?;
        let scraped = match config.metrics {
            Some(address) => Some(listen(address, false, "--metrics-listen").await?),
            None => None,
        };
        let seal = Seal::new(store.secret());
        let node = Node::new(store, bus, config.limits.clone());
        let app = App::new(Inside {
            hall: Arc::clone(&node.hall),
            seal,
            config: config.clone(),
            page,
            desk: Desk::new(&config.limits),
            sockets: Counted::default(),
            stop: node.stopping(),
        });
        let connections = Counted::default();
        let (router, metrics_router) = (router(app.clone()), metrics_router(app));
        Ok(Server { listener, scraped, node, router, metrics_router, connections, config, post })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr, ServeFault> {
        self.listener.local_addr().map_err(ServeFault::System)
    }

    /// Where it shows its metrics, if it does.
    pub fn metrics_address(&self) -> Result<Option<SocketAddr>, ServeFault> {
        self.scraped.as_ref().map(TcpListener::local_addr).transpose().map_err(ServeFault::System)
    }

    /// Serves until `stop`; then tells the sockets, stops the clocks, and puts everything on disk.
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> Result<(), ServeFault> {
        tracing::info!(address = %self.config.listen, "the house is open");
        if let Some(address) = self.config.metrics {
            tracing::info!(%address, "metrics are shown");
        }
        self.node.start(self.post.take());
        tokio::pin!(stop);
        loop {
            let (accepted, router) = tokio::select! {
                accepted = self.listener.accept() => (accepted, &self.router),
                accepted = accept(self.scraped.as_ref()) => (accepted, &self.metrics_router),
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, peer)) => self.welcome(stream, peer, router.clone()),
                Err(fault) => {
                    // Too many open files, or a client that went: the others still wait at the door.
                    tracing::warn!(%fault, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        drop((self.listener, self.scraped));
        tracing::info!("the house closes");
        self.node.stop().await;
        self.node.hall.store.close().await?;
        Ok(())
    }

    fn welcome(&self, stream: TcpStream, peer: SocketAddr, router: Router) {
        // Behind a proxy all connections come from it; sockets are counted by the address it tells.
        let most = if self.config.trust_proxy {
            u32::MAX
        } else {
            self.config.limits.connections.saturating_add(16)
        };
        let Some(one) = self.connections.one_more(peer.ip(), most) else {
            self.node.hall.metrics.limited.one();
            return;
        };
        drop(stream.set_nodelay(true)); // slower without, but it works
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.config.limits.patience)
            .max_buf_size(16 * 1024)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let (metrics, mut stop) = (Arc::clone(&self.node.hall.metrics), self.node.stopping());
        metrics.connections.add(1);
        tokio::spawn(async move {
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
            metrics.connections.add(-1);
            drop(one);
        });
    }
}

/// Listens at an address, or where any port will do, at one of the next twenty.
async fn listen(
    address: SocketAddr,
    any_port: bool,
    option: &'static str,
) -> Result<TcpListener, ServeFault> {
    let last = address.port().saturating_add(if any_port { 20 } else { 0 });
    let mut taken = None;
    for port in address.port()..=last {
        match TcpListener::bind(SocketAddr::new(address.ip(), port)).await {
            Ok(listener) => return Ok(listener),
            Err(fault) if fault.kind() == ErrorKind::AddrInUse => taken = taken.or(Some(fault)),
            Err(fault) => return Err(ServeFault::Listen { address, option, fault }),
        }
    }
    let fault = taken.unwrap_or_else(|| ErrorKind::AddrInUse.into());
    Err(ServeFault::Listen { address, option, fault })
}

/// The next connection, where one may come.
async fn accept(listener: Option<&TcpListener>) -> std::io::Result<(TcpStream, SocketAddr)> {
    match listener {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// Ctrl-C, or being asked to stop. Heard from the call on, not from when it is first waited for: who says that he is ready can be stopped.
#[cfg(unix)]
fn asked_to_stop() -> impl Future<Output = ()> {
    let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    let interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    async move {
        if let (Ok(mut terminate), Ok(mut interrupt)) = (terminate, interrupt) {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        drop(tokio::signal::ctrl_c().await);
    }
}

/// Ctrl-C, from when it is first waited for.
#[cfg(not(unix))]
async fn asked_to_stop() {
    drop(tokio::signal::ctrl_c().await);
}

/// Runs a server until it is asked to stop, and tells `ready` where it listens. For a command that does nothing else.
pub fn run(config: Config, page: impl Page, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeFault> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeFault::System)?;
    runtime.block_on(async {
        let server = Server::bind(config, page).await?;
        let stop = asked_to_stop();
        ready(server.address()?);
        server.run(stop).await
    })
}
