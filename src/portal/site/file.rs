//! One file as browsers get it: compressed where they take it, with how long it may be kept.

use std::io;

use axum::{
    body::Bytes,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};

/// What a build compresses to, the smallest first: name on the wire and ending of the file.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// One file in all its forms.
pub(super) struct File {
    content_type: &'static str,
    keep: &'static str,
    plain: Bytes,
    /// Encoding and content, the smallest first.
    compressed: Vec<(&'static str, Bytes)>,
}

impl File {
    /// The file at `path` and its compressed forms beside it. `keep` is what browsers are told of keeping it.
    ///
    /// # Errors
    /// It is not there, or one of its forms is not readable.
    pub(super) fn gather(
        path: &str,
        keep: &'static str,
        read: impl Fn(&str) -> io::Result<Bytes>,
    ) -> io::Result<Self> {
        let mut compressed = Vec::new();
        for (encoding, ending) in ENCODINGS {
            match read(&format!("{path}{ending}")) {
                Ok(content) => compressed.push((encoding, content)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { content_type: content_type(path), keep, plain: read(path)?, compressed })
    }

    /// The smallest form that the request takes.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let kept = [(header::CONTENT_TYPE, self.content_type), (header::CACHE_CONTROL, self.keep)];
        // A shared cache must not hand one reader's form to another.
        let varies = [(header::VARY, "accept-encoding")];
        match self.compressed.iter().find(|(encoding, _)| takes(request, encoding)) {
            Some((encoding, content)) => {
                (kept, varies, [(header::CONTENT_ENCODING, *encoding)], content.clone()).into_response()
            }
            None => (kept, varies, self.plain.clone()).into_response(),
        }
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("ico") => "image/x-icon",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// Whether a request takes an encoding: it names it, or any, with a weight above 0 (RFC 9110, section 12.5.3).
fn takes(request: &HeaderMap, encoding: &str) -> bool {
    let offers = || {
        let values = request.get_all(header::ACCEPT_ENCODING).into_iter();
        values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','))
    };
    let says = |wanted: &str| {
        offers().find_map(|offer| {
            let (name, weight) = offer.split_once(';').unwrap_or((offer, "q=1"));
            name.trim().eq_ignore_ascii_case(wanted).then(|| above_zero(weight))
        })
    };
    says(encoding).or_else(|| says("*")).unwrap_or(false)
}

fn above_zero(weight: &str) -> bool {
    let number = weight.trim().strip_prefix(['q', 'Q']).and_then(|rest| rest.trim().strip_prefix('='));
    number.and_then(|number| number.trim().parse::<f32>().ok()).is_some_and(|number| number > 0.0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn file(with: &'static [&'static str]) -> File {
        File::gather("/pkg/a.css", "private", |path| {
            with.iter()
                .find(|name| **name == path)
                .map(|name| Bytes::from_static(name.as_bytes()))
                .ok_or_else(|| io::ErrorKind::NotFound.into())
        })
        .expect("there")
    }

    fn encoding_for(file: &File, accepted: Option<&'static str>) -> Option<String> {
        let mut request = HeaderMap::new();
        if let Some(accepted) = accepted {
            request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        }
        let answer = file.answer(&request);
        assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/css; charset=utf-8");
        answer.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().expect("text").to_owned())
    }

    #[test]
    fn the_smallest_form_goes_out_that_is_taken() {
        let all = file(&["/pkg/a.css", "/pkg/a.css.br", "/pkg/a.css.gz"]);
        for (accepted, encoding) in [
            (None, None),
            (Some(""), None),
            (Some("identity"), None),
            (Some("gzip, deflate, br, zstd"), Some("br")),
            (Some("gzip, deflate"), Some("gzip")),
            (Some("GZIP;q=0.5"), Some("gzip")),
            (Some("br;q=0, gzip ; q=0.001"), Some("gzip")),
            (Some("br; q=0.0, *;q=0.1"), Some("gzip")),
            (Some("*"), Some("br")),
            (Some("*;q=0"), None),
            (Some("br;q=much"), None),
            (Some("brotli"), None),
        ] {
            assert_eq!(encoding_for(&all, accepted).as_deref(), encoding, "{accepted:?}");
        }
        let bare = file(&["/pkg/a.css"]);
        assert_eq!(encoding_for(&bare, Some("br, gzip")), None);
    }
}
