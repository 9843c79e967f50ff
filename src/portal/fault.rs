//! What is answered when there is no page: something that it needs fails, which is told in the log and not to the reader, or
//! what was sent is nothing that it takes.

use std::error::Error;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use crossvat_app::{
    Document,
    portal::{Unanswered, WhyUnanswered},
};

use super::{pages, registries_now::in_a_sentence, site::is_file, state::Portal, theme::chosen_theme};

/// When to try again, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("60");

/// Something that a page needs has failed.
#[derive(Debug)]
pub(super) struct Fault(Box<dyn Error + Send + Sync>);

impl<E: Error + Send + Sync + 'static> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        tracing::error!(error = %self.0, "a page cannot be answered");
        (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER)]).into_response()
    }
}

/// Gives everything that was answered without a page one, for which nothing is asked: who reads may be just what cannot be
/// told.
pub(super) async fn show(State(portal): State<Portal>, request: Request, next: Next) -> Response {
    let theme = chosen_theme(request.headers());
    let was_form = request.method() == Method::POST;
    let is_page = !is_file(request.uri().path());
    let response = next.run(request).await;
    let Some(why) = why_unanswered(&response).filter(|_| is_page) else { return response };
    let document = Document {
        theme,
        reader: None,
        registries: in_a_sentence(&portal),
        operator: portal.operator.clone(),
        text: Some(crossvat_app::portal::write(Unanswered { why, was_form })),
        slip: None,
        place: None,
        is_still: true,
    };
    // Whatever the address was: this is one of those that show what the server has written.
    let mut page = pages::write(portal.site.assets.clone(), document, "/portal").await;
    *page.status_mut() = response.status();
    // What belongs to the status, such as which methods are allowed, stays with it.
    for (name, value) in response.headers() {
        if !is_about_body(name) && !page.headers().contains_key(name) {
            page.headers_mut().insert(name.clone(), value.clone());
        }
    }
    page
}

/// Why nothing can be shown; nothing when there is a page, or a file.
fn why_unanswered(response: &Response) -> Option<WhyUnanswered> {
    if has_content(response.headers()) {
        return None;
    }
    Some(match response.status() {
        StatusCode::SERVICE_UNAVAILABLE => WhyUnanswered::Unavailable,
        StatusCode::REQUEST_TIMEOUT => WhyUnanswered::TooSlow,
        StatusCode::FORBIDDEN => WhyUnanswered::OtherSite,
        StatusCode::METHOD_NOT_ALLOWED => WhyUnanswered::NotThatWay,
        StatusCode::PAYLOAD_TOO_LARGE => WhyUnanswered::TooMuch,
        status if status.is_server_error() => WhyUnanswered::Broken,
        StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::UNPROCESSABLE_ENTITY => {
            WhyUnanswered::Unreadable
        }
        _ => return None,
    })
}

/// Whether there is more than nothing, or the plain words of a refusal.
fn has_content(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    content_type.is_some_and(|content_type| !content_type.starts_with("text/plain"))
}

fn is_about_body(name: &HeaderName) -> bool {
    [header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name)
}
