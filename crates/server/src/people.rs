//! Who somebody is: a signed cookie for people, a token for programs, four words to take an identity elsewhere. No passwords, no e-mail.

use crate::store::{Store, StoreFault};
use crate::{id, say};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use hmac::{Hmac, KeyInit, Mac};
use protocol::http::Person;
use sha2::Sha256;
use std::fmt::Write;
use table::Spoken;

/// The cookie's name.
const COOKIE_NAME: &str = "parlor";
/// A year, in seconds.
const YEAR: u32 = 365 * 24 * 60 * 60;
/// How a token begins, so that one left lying about can be recognised.
const TOKEN: &str = "parlor_";

/// The words of passphrases.
const WORDS: &str = include_str!("../data/phrase.txt");

/// Signs and reads identities with the secret of the house.
#[derive(Clone)]
pub(crate) struct Seal([u8; 32]);

impl Seal {
    pub(crate) const fn new(secret: [u8; 32]) -> Seal {
        Seal(secret)
    }

    fn mac(&self, purpose: &str, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac
    }

    /// The header that makes a browser remember somebody, in this folder of the server.
    pub(crate) fn cookie(&self, person: &str, path: &str, secure: bool) -> HeaderValue {
        let seal = hex(&self.mac("cookie", person).finalize().into_bytes());
        set_cookie(&format!("{person}.{seal}"), path, YEAR, secure)
    }

    /// Whose cookie this is, if the seal is ours.
    fn read_cookie(&self, value: &str) -> Option<String> {
        let (person, seal) = value.split_once('.')?;
        let seal = unhex(seal)?;
        self.mac("cookie", person).verify_slice(&seal).ok()?;
        Some(person.to_owned())
    }

    /// What is kept of a passphrase or a token: enough to know it again, not enough to use it.
    pub(crate) fn hash(&self, purpose: &str, secret: &str) -> [u8; 32] {
        self.mac(purpose, secret).finalize().into_bytes().into()
    }

    /// By what the house knows a request that it sent to itself.
    pub(crate) fn probe_key(&self) -> String {
        hex(&self.hash("probe", ""))
    }

    /// Who sent this request, by token or cookie.
    pub(crate) async fn identify(
        &self,
        headers: &HeaderMap,
        store: &dyn Store,
    ) -> Result<Option<Person>, StoreFault> {
        if let Some(token) = bearer(headers) {
            return store.by_token(self.hash("token", token)).await;
        }
        match cookies(headers).find_map(|value| self.read_cookie(value)) {
            Some(person) => store.person(person).await,
            None => Ok(None),
        }
    }
}

/// The header that makes a browser forget.
pub(crate) fn no_cookie(path: &str, secure: bool) -> HeaderValue {
    set_cookie("", path, 0, secure)
}

fn set_cookie(value: &str, path: &str, seconds: u32, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text =
        format!("{COOKIE_NAME}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("ids, hexadecimal digits and a BasePath are fit for a header")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// The values of our cookie: a browser may send several.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='))
}

/// Somebody new.
pub(crate) fn newcomer(name: &str) -> Result<Person, Spoken> {
    Ok(Person { id: id::fresh(), name: crate::clean_name(name)? })
}

/// Four words.
pub(crate) fn phrase() -> String {
    let words: Vec<&str> = WORDS.lines().collect();
    let bits = u64::from_le_bytes(id::random());
    // 2,048 words: each takes eleven bits.
    let word = |at: u32| words[(bits >> (11 * at)) as usize % words.len()];
    [word(0), word(1), word(2), word(3)].join(" ")
}

/// Four words as they were meant, however they were typed.
pub(crate) fn read_phrase(typed: &str) -> Result<String, Spoken> {
    let words: Vec<String> = typed
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.len() == 4 && words.iter().all(|word| word.len() <= 16) {
        return Ok(words.join(" "));
    }
    Err(say("bad-phrase", "A passphrase is four words, like the ones you were shown."))
}

/// A token for a program.
pub(crate) fn token() -> String {
    format!("{TOKEN}{}{}", id::fresh(), &id::fresh()[..8])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String never fails to be written
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() == 64)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(seal: &Seal, person: &str) -> String {
        let cookie = seal.cookie(person, "/", true);
        let text = cookie.to_str().unwrap();
        assert!(text.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{text}");
        text.split(';').next().unwrap().strip_prefix("parlor=").unwrap().to_owned()
    }

    #[test]
    fn a_cookie_is_good_only_as_it_was_signed() {
        let seal = Seal::new([7; 32]);
        let good = value(&seal, "ann");
        assert_eq!(seal.read_cookie(&good), Some("ann".into()));
        let others = [
            good.replace("ann", "ben"),
            good[..good.len() - 1].to_owned(),
            good.clone() + "0",
            "ann.".into(),
            "ann".into(),
        ];
        for bad in others {
            assert_eq!(seal.read_cookie(&bad), None, "{bad}");
        }
        assert_eq!(Seal::new([8; 32]).read_cookie(&good), None);
    }

    #[test]
    fn our_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=b; parlor=x.y; parlor_other=z"));
        headers.append(COOKIE, HeaderValue::from_static("parlor=u.v"));
        assert_eq!(cookies(&headers).collect::<Vec<_>>(), ["x.y", "u.v"]);
    }

    #[test]
    fn a_phrase_is_four_words_however_it_is_typed() {
        assert_eq!(WORDS.lines().count(), 2048);
        let words = phrase();
        assert_eq!(read_phrase(&words), Ok(words.clone()));
        let typed = format!("  {}\n", words.to_uppercase().replace(' ', " - "));
        assert_eq!(read_phrase(&typed), Ok(words));
        assert!(read_phrase("one two three").is_err());
    }
}
