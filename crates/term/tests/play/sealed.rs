//! A server behind a proxy that speaks https, as houses on the open network are: joined where the machine trusts it, and not
//! joined where it does not.

use crate::games::verified;
use crate::online::{Host, Process};
use crate::play;
use crate::pty::{ENTER, folder};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A proxy with a certificate for `localhost`, on a thread of its own; answers its port and the certificate.
fn proxy(server: SocketAddr) -> (u16, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let chain: Vec<CertificateDer<'static>> = vec![cert.der().clone()];
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("the key fits");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (told, port) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            told.send(listener.local_addr().expect("its address").port()).expect("the test waits");
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut sealed) = acceptor.accept(stream).await else { return };
                    let Ok(mut open) = TcpStream::connect(server).await else { return };
                    let _ = copy_bidirectional(&mut sealed, &mut open).await;
                });
            }
        });
    });
    (port.recv().expect("the proxy listens"), cert.pem())
}

#[test]
fn a_sealed_link_leads_to_a_whole_game_where_its_certificate_is_trusted() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("roulette", &json!({"throws": 1, "window": 600}));
    let (port, certificate) = proxy(server.address);
    let trusted = data.path().join("trusted.pem");
    std::fs::write(&trusted, certificate).expect("a file");
    let link = format!("https://localhost:{port}/table/{table}");
    let join = || play(data.path(), &["--join", &link, "--name", "Tess"]);

    let stranger = generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let other = data.path().join("other.pem");
    std::fs::write(&other, stranger.cert.pem()).expect("a file");
    let mut pty = join().with("SSL_CERT_FILE", &other.display().to_string()).open();
    pty.see("certificate");
    drop(pty);

    let mut pty = join().with("SSL_CERT_FILE", &trusted.display().to_string()).open();
    pty.see("Press Enter when you are ready.");
    pty.keys(ENTER);
    host.start(&table);
    pty.see("throw 1 of 1");
    pty.keys("/15=2\r");
    pty.see("Laid: 15=2");
    pty.keys("r");
    pty.see("games/roulette-");
    verified(&mut pty, data.path());
}
