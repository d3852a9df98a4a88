//! A server from its start to its clean stop.

use crate::Config;
use crate::admin::{Feed, first_link};
use crate::bus::{Alone, Bus, Post};
use crate::clock::system_now;
use crate::door::Door;
use crate::http::{App, Counted, Inside, enter_path, metrics_router, router, unsealed_router};
#[cfg(feature = "cluster")]
use crate::nats::{BusFault, Nats};
use crate::node::Node;
use crate::page::{self, Page};
use crate::people::Seal;
use crate::probe::Probe;
use crate::site::{BasePath, PublicUrl};
use crate::store::office::{self, Office};
#[cfg(feature = "cluster")]
use crate::store::postgres::Postgres;
use crate::store::sqlite::Sqlite;
use crate::store::{Store, StoreFault};
use crate::think::Desk;
use crate::tls::{Sealed, TlsFault};
use axum::Router;
use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

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
    /// Its certificate.
    #[error("{0}")]
    Tls(#[from] TlsFault),
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
    /// What is told to whoever comes without https, where that is spoken.
    unsealed: Router,
    sealed: Option<Sealed>,
    probe: Option<Probe>,
    connections: Counted,
    config: Config,
    post: Option<mpsc::Receiver<Post>>,
    office: Arc<dyn Office>,
    feed: Arc<Feed>,
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
                return match Nats::connect(nats, &store.secret(), store.node()).await {
                    Ok((bus, post)) => {
                        Server::on(config, Arc::new(page), Arc::new(store), Arc::new(bus), Some(post)).await
                    }
                    Err(fault) => {
                        drop(store.withdraw().await); // if the database is gone too, the node is soon taken for dead
                        Err(fault.into())
                    }
                };
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
        mut config: Config,
        page: Arc<dyn Page>,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        post: Option<mpsc::Receiver<Post>>,
    ) -> Result<Server, ServeFault> {
        let prepared = async {
            let listener = listen(config.listen, config.any_port, "--listen").await?;
            let scraped = match config.metrics {
                Some(address) => Some(listen(address, false, "--metrics-listen").await?),
                None => None,
            };
            Ok((listener, scraped, office::beside(&config.data, config.database.as_deref())?))
        };
        let (listener, scraped, office) = match prepared.await {
            Ok(prepared) => prepared,
            Err(fault) => {
                drop(store.withdraw().await); // if the store is gone too, the node is soon taken for dead
                return Err(fault);
            }
        };
        let sealed =
            config.tls.as_ref().map(|tls| Sealed::new(tls, &config.data, &names(&config, &listener)));
        let sealed = sealed.transpose()?;
        config.origins.extend(config.public.as_ref().map(PublicUrl::origin));
        let seal = Seal::new(store.secret());
        let probe = config.public.clone().map(|url| Probe::new(url, &config, &seal, sealed.as_ref()));
        let page = page::of_this_house(page, &config);
        let node = Node::new(store, bus, config.limits.clone());
        let feed = Arc::new(Feed::new(Arc::clone(&node.hall), Arc::clone(&office)));
        let app = App::new(Inside {
            hall: Arc::clone(&node.hall),
            seal,
            config: config.clone(),
            page,
            desk: Desk::new(&config.limits),
            sockets: Counted::default(),
            stop: node.stopping(),
            office: Arc::clone(&office),
            feed: Arc::clone(&feed),
            started: SystemTime::now(),
        });
        let connections = Counted::default();
        let unsealed = unsealed_router(app.clone(), sealed.as_ref());
        let (router, metrics_router) = (router(app.clone()), metrics_router(app));
        Ok(Server {
            listener,
            scraped,
            node,
            router,
            metrics_router,
            unsealed,
            sealed,
            probe,
            connections,
            config,
            post,
            office,
            feed,
        })
    }

    /// The path of a link that signs one browser in as administrator, if this house never had one.
    pub async fn first_link(&self) -> Option<String> {
        first_link(&*self.office, self.node.hall.clock.now()).await.map(|key| enter_path(&key))
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr, ServeFault> {
        self.listener.local_addr().map_err(ServeFault::System)
    }

    /// The fingerprint of the certificate that the house made for itself, if it did.
    pub fn fingerprint(&self) -> Option<&str> {
        self.sealed.as_ref()?.self_made.as_deref()
    }

    /// Looks, beside everything else, whether the public address leads here.
    fn probe(&self) -> Option<JoinHandle<()>> {
        let probe = self.probe.clone()?;
        Some(tokio::spawn(async move { probe.look().await.tell() }))
    }

    /// Where it shows its metrics, if it does.
    pub fn metrics_address(&self) -> Result<Option<SocketAddr>, ServeFault> {
        self.scraped.as_ref().map(TcpListener::local_addr).transpose().map_err(ServeFault::System)
    }

    /// Serves until `stop`; then tells the sockets, stops the clocks, and puts everything on disk.
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> Result<(), ServeFault> {
        let node = &self.config.node_name;
        // Where there are many nodes, they know each other by these numbers.
        let number = (!self.node.hall.bus.alone()).then_some(self.node.hall.node.0);
        tracing::info!(address = %self.address()?, node, number, "the house is open");
        if let Some(address) = self.config.metrics {
            tracing::info!(%address, "metrics are shown");
        }
        self.node.start(self.post.take());
        // Who may not play is known before anybody comes.
        if let Err(fault) = self.feed.catch_up().await {
            tracing::warn!(%fault, "what administrators did cannot be read");
        }
        self.node.chore(Arc::clone(&self.feed).follow());
        let main = self.door();
        let aside = Door {
            sealed: None,
            base: BasePath::root(),
            router: self.metrics_router.clone(),
            ..main.clone()
        };
        let probing = self.probe();
        tokio::pin!(stop);
        loop {
            let (accepted, door) = tokio::select! {
                accepted = self.listener.accept() => (accepted, &main),
                accepted = accept(self.scraped.as_ref()) => (accepted, &aside),
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, peer)) => self.welcome(stream, peer, door.clone()),
                Err(fault) => {
                    // Too many open files, or a client that went: the others still wait at the door.
                    tracing::warn!(%fault, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        if let Some(probing) = probing {
            probing.abort();
        }
        drop((self.listener, self.scraped));
        tracing::info!("the house closes");
        self.node.stop().await;
        self.node.hall.store.close().await?;
        Ok(())
    }

    /// What stands at the main door.
    fn door(&self) -> Door {
        Door {
            sealed: self.sealed.clone(),
            base: self.config.base.clone(),
            router: self.router.clone(),
            unsealed: self.unsealed.clone(),
            patience: self.config.limits.patience,
            stop: self.node.stopping(),
        }
    }

    fn welcome(&self, stream: TcpStream, peer: SocketAddr, door: Door) {
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
        let metrics = Arc::clone(&self.node.hall.metrics);
        metrics.connections.add(1);
        tokio::spawn(async move {
            door.serve(stream, peer).await;
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

/// The names by which a house may be asked for: a certificate that it makes for itself holds for them.
fn names(config: &Config, listener: &TcpListener) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    let here = listener.local_addr().ok().map(|address| address.ip());
    let reached = here.and_then(|ip| if ip.is_unspecified() { crate::lan_address() } else { Some(ip) });
    names.extend(reached.map(|ip| ip.to_string()));
    let node = config.node_name.to_ascii_lowercase();
    if !node.is_empty() && node.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)) {
        names.extend([format!("{node}.local"), node]);
    }
    names.extend(config.public.as_ref().map(|public| public.host.trim_matches(['[', ']']).to_owned()));
    names.dedup();
    names
}

/// Where a server is open, for the words that it begins with.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it shows its metrics, if it does.
    pub metrics: Option<SocketAddr>,
    /// The fingerprint of a certificate that it made for itself.
    pub fingerprint: Option<&'a str>,
    /// In a house that never had an administrator: the path, in its folder, of a link that signs one browser in as that.
    pub admin: Option<&'a str>,
}

/// Runs a server until it is asked to stop, and tells `ready` where it is open. For a command that does nothing else.
pub fn run(config: Config, page: impl Page, ready: impl FnOnce(Open<'_>)) -> Result<(), ServeFault> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeFault::System)?;
    runtime.block_on(async {
        let server = Server::bind(config, page).await?;
        let stop = asked_to_stop();
        let admin = server.first_link().await;
        ready(Open {
            address: server.address()?,
            metrics: server.metrics_address()?,
            fingerprint: server.fingerprint(),
            admin: admin.as_deref(),
        });
        server.run(stop).await
    })
}
