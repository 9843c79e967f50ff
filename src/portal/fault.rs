//! What is answered when something that a page needs fails: it is told in the log, not to the reader.

use std::error::Error;

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use crossvat_app::{Document, portal::Unanswered};

use super::{pages, registries_now::in_a_sentence, state::Portal, theme::chosen_theme};

/// When to try again, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("60");

/// Something that a page needs has failed.
#[derive(Debug)]
pub(super) struct Fault(Box<dyn Error + Send + Sync>);

/// Marks a response that has no page yet.
#[derive(Clone, Copy)]
struct WithoutPage;

impl<E: Error + Send + Sync + 'static> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        tracing::error!(error = %self.0, "a page cannot be answered");
        (StatusCode::SERVICE_UNAVAILABLE, Extension(WithoutPage)).into_response()
    }
}

/// Gives every fault its page, for which nothing is asked: who reads may be just what cannot be told.
pub(super) async fn show(State(portal): State<Portal>, request: Request, next: Next) -> Response {
    let theme = chosen_theme(request.headers());
    let was_form = request.method() == Method::POST;
    let response = next.run(request).await;
    if response.extensions().get::<WithoutPage>().is_none() {
        return response;
    }
    let document = Document {
        theme,
        reader: None,
        registries: in_a_sentence(&portal),
        text: Some(crossvat_app::portal::write(Unanswered { was_form })),
        slip: None,
        is_still: true,
    };
    // Whatever the address was: this is one of those that show what the server has written.
    let mut page = pages::write(portal.site.assets.clone(), document, "/portal").await;
    *page.status_mut() = response.status();
    page.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    page
}
