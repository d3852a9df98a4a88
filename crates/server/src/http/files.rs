//! The files of the page: each in the smallest form that the client takes, and only if the client does not have it yet. An address
//! without a dot leads to the folder of that name, if it has an `index.html` (`/docs/`), and else to the page, which knows its own way.

use super::App;
use crate::page::{Asset, Page};
use axum::extract::State;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;

/// A file of the page.
pub(crate) async fn page(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    match place(app.page.as_ref(), path) {
        Place::File(asset) => answer(&asset, &headers),
        // Relative, so that it is right below any base path.
        Place::Folder(name) => Redirect::permanent(&format!("{name}/")).into_response(),
        Place::Nothing => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

/// What an address leads to.
enum Place<'a> {
    File(Asset),
    /// A folder whose address lacks its slash: relative links inside would go wrong.
    Folder(&'a str),
    Nothing,
}

fn place<'a>(page: &dyn Page, path: &'a str) -> Place<'a> {
    let name = path.rsplit('/').next().unwrap_or("");
    let file = |path: &str| page.asset(path).map_or(Place::Nothing, Place::File);
    if name.contains('.') {
        return file(path);
    }
    let folder = path.trim_end_matches('/');
    match page.asset(&format!("{folder}/index.html")) {
        Some(_) if !path.ends_with('/') => Place::Folder(name),
        Some(first) => Place::File(first),
        None => file("index.html"),
    }
}

fn answer(asset: &Asset, headers: &HeaderMap) -> Response {
    let (coding, bytes) = form(asset, &list(headers, &header::ACCEPT_ENCODING));
    // Each form has a tag of its own: a cache must not take one for another.
    let tag =
        coding.map_or_else(|| format!("\"{}\"", asset.hash), |coding| format!("\"{}-{coding}\"", asset.hash));
    let known = knows(&list(headers, &header::IF_NONE_MATCH), &tag);
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let out = response.headers_mut();
    let keep = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    if !known {
        out.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
        if let Some(coding) = coding {
            out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
    }
    response
}

/// A header that is a list, whose parts may come in several lines.
fn list(headers: &HeaderMap, name: &HeaderName) -> String {
    let lines: Vec<&str> = headers.get_all(name).iter().filter_map(|line| line.to_str().ok()).collect();
    lines.join(",")
}

/// The form that the client likes best; of those that it likes equally, the smallest. Plain where it takes nothing else.
fn form(asset: &Asset, accepted: &str) -> (Option<&'static str>, Bytes) {
    let forms = [("identity", None), ("gzip", asset.gzip), ("br", asset.br)];
    let there = forms.into_iter().filter(|(coding, packed)| *coding == "identity" || packed.is_some());
    // Of equals the last is taken, so the smallest is.
    match there.max_by_key(|(coding, _)| weight(accepted, coding)) {
        Some((coding, Some(packed))) if weight(accepted, coding) > 0 => {
            (Some(coding), Bytes::from_static(packed))
        }
        _ => (None, asset.plain.bytes()),
    }
}

/// How much a client likes a coding, in thousandths, from its `Accept-Encoding` (RFC 9110, 12.5.3); 0 is not at all.
fn weight(accepted: &str, coding: &str) -> u16 {
    let named = |name: &str| {
        accepted.split(',').find_map(|one| {
            let (found, rest) = one.split_once(';').unwrap_or((one, ""));
            found.trim().eq_ignore_ascii_case(name).then(|| thousandths(rest))
        })
    };
    // A star speaks of codings; what is plain is sent for want of anything better, whether it is named or not.
    let any = || if coding == "identity" { None } else { named("*") };
    named(coding).or_else(any).unwrap_or(0)
}

/// The weight behind a coding: `q=0.5`. Nothing is the whole weight; what cannot be read is none.
fn thousandths(parameter: &str) -> u16 {
    let parameter = parameter.trim();
    if parameter.is_empty() {
        return 1000;
    }
    let Some(number) =
        parameter.strip_prefix(['q', 'Q']).and_then(|rest| rest.trim_start().strip_prefix('='))
    else {
        return 0;
    };
    let (whole, part) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
    if part.len() > 3 || !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return 0;
    }
    match whole {
        "1" if part.bytes().all(|digit| digit == b'0') => 1000,
        "0" => format!("{part:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}

/// Whether the client has the form with this tag already. A proxy on the way may have weakened the tag.
fn knows(tags: &str, tag: &str) -> bool {
    tags.split(',')
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Plain;

    static ASSET: Asset = Asset {
        plain: Plain::Here(b"plain"),
        br: Some(b"brotli"),
        gzip: Some(b"gzip"),
        content_type: "text/plain",
        hash: "abc",
        immutable: true,
    };

    fn chosen(accepted: &str) -> &'static str {
        form(&ASSET, accepted).0.unwrap_or("plain")
    }

    #[test]
    fn a_browser_on_plain_http_gets_gzip_and_one_on_https_brotli() {
        assert_eq!(chosen("gzip, deflate"), "gzip");
        assert_eq!(chosen("gzip, deflate, br, zstd"), "br");
        assert_eq!(chosen(""), "plain");
        assert_eq!(chosen("deflate, zstd"), "plain");
    }

    #[test]
    fn weights_are_gone_by_and_zero_is_a_refusal() {
        for (accepted, coding) in [
            ("br;q=0.5, gzip;q=0.8", "gzip"),
            ("br; q=0.8 ,gzip;q=0.8", "br"),
            ("BR;Q=1.000, gzip", "br"),
            ("br;q=0, gzip", "gzip"),
            ("br;q=0.000, gzip;q=0", "plain"),
            ("gzip;q=0.001", "gzip"),
            ("identity, gzip;q=0.5", "plain"),
            ("identity;q=0.5, gzip", "gzip"),
            ("identity, gzip", "gzip"),
            ("*", "br"),
            ("*;q=0", "plain"),
            ("br;q=0, *;q=0.1", "gzip"),
            ("*;q=0, gzip;q=0.3", "gzip"),
        ] {
            assert_eq!(chosen(accepted), coding, "{accepted}");
        }
        for nonsense in [
            "gzip;q=2",
            "gzip;q=-1",
            "gzip;q=0.1234",
            "gzip;q=",
            "gzip;q=+1",
            "gzip;level=9",
            "gzip;q=1.5",
            ";;,,=;q",
        ] {
            assert_eq!(chosen(nonsense), "plain", "{nonsense}");
        }
    }

    #[test]
    fn a_form_that_is_not_there_is_not_promised() {
        let bare = Asset { br: None, ..ASSET };
        assert_eq!(form(&bare, "br, gzip;q=0.5").0, Some("gzip"));
        assert_eq!(form(&Asset { gzip: None, ..bare }, "br, gzip").0, None);
    }

    /// A page with one folder.
    struct WithFolder;

    impl Page for WithFolder {
        fn asset(&self, path: &str) -> Option<Asset> {
            ["index.html", "app.js", "docs/index.html", "docs/a/b.html"].contains(&path).then_some(ASSET)
        }
    }

    #[test]
    fn a_folder_opens_with_its_index_and_everything_else_with_the_page() {
        let found = |path: &str| match place(&WithFolder, path) {
            Place::File(_) => "a file".to_owned(),
            Place::Folder(name) => format!("{name}/"),
            Place::Nothing => "nothing".to_owned(),
        };
        for path in ["", "table/k3v9xy", "box/cubo/", "app.js", "docs/", "docs/index.html", "docs/a/b.html"] {
            assert_eq!(found(path), "a file", "{path}");
        }
        assert_eq!(found("docs"), "docs/");
        for path in ["docs/nowhere.html", "nowhere.js"] {
            assert_eq!(found(path), "nothing", "{path}");
        }
    }

    #[tokio::test]
    async fn what_is_carried_packed_is_unpacked_for_a_client_that_takes_nothing_else() {
        let plain = Plain::Packed { gzip: b"gzip", unpack: |gzip| gzip.iter().rev().copied().collect() };
        let response = answer(&Asset { plain, ..ASSET }, &HeaderMap::new());
        assert_eq!(response.headers().get(header::CONTENT_ENCODING), None);
        assert_eq!(&axum::body::to_bytes(response.into_body(), 9).await.unwrap()[..], b"pizg");
    }

    fn asked(names: &[(HeaderName, &'static str)]) -> Response {
        let lines = names.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, value);
        }
        answer(&ASSET, &headers)
    }

    #[tokio::test]
    async fn each_form_has_its_own_tag_and_is_sent_once() {
        let accepts = |value| (header::ACCEPT_ENCODING, value);
        let knows = |value| (header::IF_NONE_MATCH, value);
        for (accepted, tag, coding) in
            [("br", "\"abc-br\"", Some("br")), ("gzip", "\"abc-gzip\"", Some("gzip")), ("", "\"abc\"", None)]
        {
            let first = asked(&[accepts(accepted), knows("\"other\"")]);
            let text = |response: &Response, name: HeaderName| {
                response.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
            };
            assert_eq!(first.status(), StatusCode::OK);
            assert_eq!(text(&first, header::ETAG).as_deref(), Some(tag));
            assert_eq!(text(&first, header::CONTENT_ENCODING).as_deref(), coding);
            assert_eq!(text(&first, header::VARY).as_deref(), Some("accept-encoding"));
            for had in [tag, "*"] {
                let then = asked(&[accepts(accepted), knows("\"other\""), knows(had)]);
                assert_eq!(then.status(), StatusCode::NOT_MODIFIED, "{had}");
                assert_eq!(text(&then, header::ETAG).as_deref(), Some(tag));
                assert_eq!(text(&then, header::VARY).as_deref(), Some("accept-encoding"));
                assert!(then.headers().contains_key(header::CACHE_CONTROL));
                assert!(axum::body::to_bytes(then.into_body(), 9).await.unwrap().is_empty());
            }
        }
        // Another form of the same file is not what is asked for.
        let status = |tag| asked(&[accepts("gzip"), knows(tag)]).status();
        assert_eq!(status("\"abc-br\", \"abc\""), StatusCode::OK);
        assert_eq!(status("\"abc-br\", W/\"abc-gzip\""), StatusCode::NOT_MODIFIED);
    }

    #[tokio::test]
    async fn an_answer_is_the_file_itself_and_no_copy_of_it() {
        let response = asked(&[(header::ACCEPT_ENCODING, "gzip;q=0.1"), (header::ACCEPT_ENCODING, "br")]);
        let sent = axum::body::to_bytes(response.into_body(), 99).await.unwrap();
        assert_eq!(ASSET.br.map(<[u8]>::as_ptr), Some(sent.as_ptr()));
    }
}
