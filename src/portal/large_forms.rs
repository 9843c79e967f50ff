//! Forms that are larger than is taken. They are read to their end all the same, within reason, since a browser shows no
//! answer that comes before it has sent everything. The form of the batch check, which takes more, sees to its own.

use axum::{
    body::Body,
    extract::{FromRequestParts, Request, State},
    http::{Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use crossvat_app::portal::TooLarge;
use futures_util::StreamExt;

use super::{MAX_FORM_BYTES, check::MAX_DRAINED, state::Portal, visit::Visit};

/// Answers a form that is too large with a page that says so; everything else goes on.
pub(super) async fn refuse_large(State(portal): State<Portal>, request: Request, next: Next) -> Response {
    let size = size_of_form(&request).unwrap_or(0);
    if size <= MAX_FORM_BYTES {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    if size <= MAX_DRAINED {
        drain(body).await;
    }
    match Visit::from_request_parts(&mut parts, &portal).await {
        Ok(visit) => {
            let most = format!("{} kB", MAX_FORM_BYTES / 1024);
            visit.page(StatusCode::PAYLOAD_TOO_LARGE, TooLarge { most }).await
        }
        Err(response) => response,
    }
}

/// As the browser says; `None` for what is no form without files.
fn size_of_form(request: &Request) -> Option<usize> {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_form = request.method() == Method::POST
        && text(header::CONTENT_TYPE)?.starts_with("application/x-www-form-urlencoded");
    is_form.then(|| text(header::CONTENT_LENGTH)?.parse().ok()).flatten()
}

async fn drain(body: Body) {
    let mut chunks = body.into_data_stream();
    while let Some(Ok(_)) = chunks.next().await {}
}
