//! https by the house itself: with a certificate that the host brings, or with one that the house makes for itself and keeps
//! beside its games. Browsers warn of the second kind; what they say, and why, is told to whoever comes without https.

use crate::people::hex;
use crate::store::files::{new_own_file, own_folder};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// How a house proves who it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tls {
    /// It makes a certificate for itself.
    SelfMade,
    /// By these files, both PEM.
    Files {
        /// The certificate, and those between it and a known one.
        certificate: PathBuf,
        /// Its key.
        key: PathBuf,
    },
}

/// Why a house cannot speak https.
#[derive(Debug, Error)]
pub enum TlsFault {
    /// A file that cannot be read or written.
    #[error("{path}: {why}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// A file without what it is for.
    #[error("{path} holds no {what}; it should be a PEM file with a line -----BEGIN … in it")]
    Empty {
        /// Which.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// A certificate and a key that do not belong together, or that cannot be used.
    #[error("{certificate} and {key} cannot be used together: {why}")]
    Unfit {
        /// The certificate.
        certificate: PathBuf,
        /// The key.
        key: PathBuf,
        /// Why.
        why: tokio_rustls::rustls::Error,
    },
    /// A certificate that could not be made.
    #[error("no certificate could be made: {0}")]
    Made(#[from] rcgen::Error),
}

/// The file of a certificate that the house made.
const FILE: &str = "tls/certificate.pem";
/// What stands above a certificate that the house made: until when it holds, and for which names.
const UNTIL: &str = "# until ";
const NAMES: &str = "# for ";
/// How long a certificate holds. Browsers refuse those that hold for much more than a year.
const YEAR: Duration = Duration::from_secs(397 * 24 * 60 * 60);
/// A certificate that will not hold so much longer is replaced when the house opens.
const SOON: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What speaks https for a house.
#[derive(Clone)]
pub(crate) struct Sealed {
    pub(crate) acceptor: TlsAcceptor,
    pub(crate) certificate: CertificateDer<'static>,
    /// The fingerprint of a certificate that the house made: people can hold it against what their browser shows.
    pub(crate) self_made: Option<Arc<str>>,
}

impl Sealed {
    /// Reads the certificate and its key; or makes both for these names, where they are not in the folder yet.
    pub(crate) fn new(tls: &Tls, folder: &Path, names: &[String]) -> Result<Sealed, TlsFault> {
        let (certificate, key) = match tls {
            Tls::Files { certificate, key } => (certificate.clone(), key.clone()),
            Tls::SelfMade => {
                let file = self_made(folder, names, SystemTime::now())?;
                (file.clone(), file)
            }
        };
        let chain = certificates(&certificate)?;
        let first = chain[0].clone();
        let self_made = (*tls == Tls::SelfMade).then(|| Arc::from(fingerprint(&first)));
        let private = PrivateKeyDer::from_pem_file(&key).map_err(|why| unread(&key, "private key", why))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private));
        let mut config = config.map_err(|why| TlsFault::Unfit { certificate, key, why })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Sealed { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: first, self_made })
    }
}

/// At least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsFault> {
    let what = "certificate";
    let read = CertificateDer::pem_file_iter(path).map_err(|why| unread(path, what, why))?;
    let chain = read.collect::<Result<Vec<_>, _>>().map_err(|why| unread(path, what, why))?;
    if chain.is_empty() {
        return Err(TlsFault::Empty { path: path.to_owned(), what });
    }
    Ok(chain)
}

fn unread(path: &Path, what: &'static str, why: tokio_rustls::rustls::pki_types::pem::Error) -> TlsFault {
    let path = path.to_owned();
    match why {
        tokio_rustls::rustls::pki_types::pem::Error::Io(why) => TlsFault::File { path, why },
        _ => TlsFault::Empty { path, what },
    }
}

/// As browsers show it: pairs of hexadecimal digits with colons between.
fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let digits = hex(&Sha256::digest(certificate)).to_uppercase();
    let pairs: Vec<&str> = (0..digits.len()).step_by(2).filter_map(|at| digits.get(at..at + 2)).collect();
    pairs.join(":")
}

/// The file of the house's own certificate and key: the one that is there, if it still holds for these names, else a new one.
fn self_made(folder: &Path, names: &[String], now: SystemTime) -> Result<PathBuf, TlsFault> {
    let file = folder.join(FILE);
    let fault = |why| TlsFault::File { path: file.clone(), why };
    let apart = file.with_file_name("");
    own_folder(&apart, &file).map_err(fault)?;
    if std::fs::read_to_string(&file).is_ok_and(|kept| still_holds(&kept, names, now)) {
        return Ok(file);
    }
    let new = apart.join("certificate.new");
    let _ = std::fs::remove_file(&new); // half of one that an earlier start left
    let text = make(names, now)?;
    std::io::Write::write_all(&mut new_own_file(&new).map_err(fault)?, text.as_bytes()).map_err(fault)?;
    std::fs::rename(&new, &file).map_err(fault)?;
    Ok(file)
}

fn still_holds(kept: &str, names: &[String], now: SystemTime) -> bool {
    let line = |start: &str| kept.lines().find_map(|line| line.strip_prefix(start));
    let until = line(UNTIL).and_then(|until| until.parse().ok()).map(Duration::from_secs);
    let known: Vec<&str> = line(NAMES).unwrap_or_default().split(' ').collect();
    until.is_some_and(|until| UNIX_EPOCH + until > now + SOON)
        && names.iter().all(|name| known.contains(&name.as_str()))
}

fn make(names: &[String], now: SystemTime) -> Result<String, TlsFault> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::CommonName, "Parlor, made by itself");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let epoch = rcgen::date_time_ymd(1970, 1, 1);
    // Clocks in the room differ: it holds since yesterday.
    params.not_before = epoch + since.saturating_sub(Duration::from_secs(24 * 60 * 60));
    params.not_after = epoch + (since + YEAR);
    let certificate = params.self_signed(&key)?;
    let until = (since + YEAR).as_secs();
    Ok(format!(
        "# A certificate that Parlor made for itself, and its key: keep it to yourself.\n{UNTIL}{until}\n{NAMES}{}\n{}{}",
        names.join(" "),
        certificate.pem(),
        key.serialize_pem(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_certificate_is_made_once_and_again_when_it_no_longer_fits() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let made = |wanted: &[&str], now| {
            let file = self_made(folder.path(), &names(wanted), now).unwrap();
            std::fs::read_to_string(file).unwrap()
        };
        let first = made(&["localhost", "192.0.2.7"], now);
        assert_eq!(made(&["192.0.2.7"], now), first, "people have told their browsers to trust it");
        assert_eq!(made(&["localhost"], now + YEAR - SOON - SOON), first);
        let other = made(&["localhost", "192.0.2.8"], now);
        assert_ne!(other, first, "the machine has another address");
        assert_ne!(made(&["localhost"], now + YEAR - SOON / 2), other, "it would soon have ended");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&folder.path().join(FILE)), 0o600);
        }
    }

    #[test]
    fn what_is_wrong_with_the_files_is_told_with_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (ours, theirs) = (make(&names(&["a.example"]), SystemTime::now()).unwrap(), at("theirs.pem"));
        std::fs::write(at("ours.pem"), &ours).unwrap();
        std::fs::write(&theirs, make(&names(&["b.example"]), SystemTime::now()).unwrap()).unwrap();
        std::fs::write(at("empty.pem"), "hello").unwrap();
        let said = |certificate: &str, key: &str| {
            let tls = Tls::Files { certificate: at(certificate), key: at(key) };
            Sealed::new(&tls, folder.path(), &[]).map(|_| ()).unwrap_err().to_string()
        };
        assert!(said("nowhere.pem", "ours.pem").contains("nowhere.pem: No such file"));
        assert!(said("empty.pem", "ours.pem").contains("empty.pem holds no certificate"));
        assert!(said("ours.pem", "empty.pem").contains("empty.pem holds no private key"));
        let mixed = said("ours.pem", "theirs.pem");
        assert!(mixed.contains("ours.pem and") && mixed.contains("cannot be used together"), "{mixed}");
        let fits = Tls::Files { certificate: at("ours.pem"), key: at("ours.pem") };
        assert!(Sealed::new(&fits, folder.path(), &[]).is_ok_and(|sealed| sealed.self_made.is_none()));
    }
}
