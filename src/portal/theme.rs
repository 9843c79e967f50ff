//! Light or dark: the reader's choice, kept in a cookie. With a script the page sets the cookie itself.

use axum::{
    Form,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::Theme;
use serde::Deserialize;

/// Browsers accept a cookie of this name only with `Secure`, for the whole site and without a domain. The page's script sets it
/// too.
const COOKIE: &str = "__Host-theme";
const ONE_YEAR_IN_SECONDS: u32 = 31_536_000;

/// What the form in the footer sends.
#[derive(Deserialize)]
pub(super) struct Choice {
    theme: String,
    #[serde(default)]
    return_to: String,
}

/// `POST /theme`: keeps the choice and goes back to the page. A choice that does not exist changes nothing.
pub(super) async fn choose(Form(choice): Form<Choice>) -> Response {
    let mut response = Redirect::to(own_path(&choice.return_to)).into_response();
    if let Some(theme) = Theme::parse(&choice.theme) {
        let cookie = format!(
            "{COOKIE}={}; Path=/; Max-Age={ONE_YEAR_IN_SECONDS}; Secure; SameSite=Lax",
            theme.as_str()
        );
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// The theme the request's cookie names; the system's when it names none.
pub(super) fn chosen_theme(headers: &HeaderMap) -> Theme {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .and_then(|(_, value)| Theme::parse(value))
        .unwrap_or(Theme::System)
}

/// `path` if it leads to a page of ours, else the first page: a form must not send readers elsewhere.
pub(super) fn own_path(path: &str) -> &str {
    let stays = path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if stays { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn only_paths_of_our_own_are_returned_to() {
        for (given, used) in [
            ("/", "/"),
            ("/?number=DE136695976", "/?number=DE136695976"),
            ("", "/"),
            ("//evil.example", "/"),
            ("/\\evil.example", "/"),
            ("/a\r\nSet-Cookie: x=1", "/"),
            ("https://evil.example", "/"),
            ("javascript:alert(1)", "/"),
        ] {
            assert_eq!(own_path(given), used, "{given:?}");
        }
    }
}
