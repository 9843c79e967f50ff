//! The documentation: every page is there, every link leads somewhere, and what it says is what the code does.

mod examples;
mod guides;
mod links;
mod reference;
mod start;
mod try_call;

use crate::support::{Answer, TestApp};

/// A page that is there.
async fn page(app: &TestApp, path: &str) -> String {
    let answer = Answer::of(app.http.get(app.url(path))).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/html; charset=utf-8")),
        "{path}"
    );
    answer.html().to_owned()
}

/// What stands between two texts, the first time.
#[track_caller]
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} after {start}")).0
}
