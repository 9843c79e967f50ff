//! A layer that does something before a request and after it, and waits for nothing itself. Layers made of functions
//! (`axum::middleware::from_fn`) box and clone what stands inside them at every call, which costs more than what most of
//! them do.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

/// What is done around a request.
pub trait Around: Clone {
    /// What is kept while the request is answered; dropped when its caller leaves.
    type Noted;

    /// Before the request goes in.
    fn before(&self, request: &mut Request) -> Self::Noted;

    /// Before the answer goes out.
    fn after(&self, noted: Self::Noted, response: &mut Response);
}

/// The layer that does it.
#[derive(Clone, Debug)]
pub struct AroundLayer<A>(pub A);

impl<A: Around, S> Layer<S> for AroundLayer<A> {
    type Service = AroundService<A, S>;

    fn layer(&self, inner: S) -> Self::Service {
        AroundService { around: self.0.clone(), inner }
    }
}

/// The service of [`AroundLayer`].
#[derive(Clone, Debug)]
pub struct AroundService<A, S> {
    around: A,
    inner: S,
}

impl<A, S> Service<Request> for AroundService<A, S>
where
    A: Around,
    S: Service<Request>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = AroundFuture<A, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let noted = self.around.before(&mut request);
        AroundFuture { answer: self.inner.call(request), kept: Some((self.around.clone(), noted)) }
    }
}

pin_project! {
    /// The answer of [`AroundService`] to come.
    pub struct AroundFuture<A: Around, F> {
        #[pin]
        answer: F,
        kept: Option<(A, A::Noted)>,
    }
}

impl<A: Around, F: Future<Output = Result<R, E>>, R: IntoResponse, E> Future for AroundFuture<A, F> {
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut answer = ready!(this.answer.poll(context)).map(IntoResponse::into_response);
        if let (Ok(response), Some((around, noted))) = (&mut answer, this.kept.take()) {
            around.after(noted, response);
        }
        Poll::Ready(answer)
    }
}
