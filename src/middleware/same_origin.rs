//! A page of another site must not make a reader's browser change anything here.

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// Lets reading through, and of what changes something only what the browser says came from here. A program that is no
/// browser sends neither header and has no reader's cookies to abuse.
pub async fn same_origin_only(request: Request, next: Next) -> Response {
    if request.method().is_safe() || is_same_origin(request.headers()) {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    }
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let host = text(header::HOST.as_str()).unwrap_or_default();
            !host.is_empty() && origin.split_once("://").is_some_and(|(_, authority)| authority == host)
        }
        (None, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    use super::is_same_origin;

    #[test]
    fn another_site_is_told_by_either_header() {
        for (headers, same) in [
            (vec![], true),
            (vec![("sec-fetch-site", "same-origin")], true),
            (vec![("sec-fetch-site", "none")], true),
            (vec![("sec-fetch-site", "same-site")], false),
            (
                vec![("sec-fetch-site", "cross-site"), ("origin", "http://a.example"), ("host", "a.example")],
                false,
            ),
            (vec![("origin", "http://a.example"), ("host", "a.example")], true),
            (vec![("origin", "https://a.example:8080"), ("host", "a.example:8080")], true),
            (vec![("origin", "http://b.example"), ("host", "a.example")], false),
            (vec![("origin", "null"), ("host", "a.example")], false),
            (vec![("origin", "http://a.example")], false),
        ] {
            let map: HeaderMap = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
                .collect();
            assert_eq!(is_same_origin(&map), same, "{headers:?}");
        }
    }
}
