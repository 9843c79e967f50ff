//! `/.well-known/security.txt` (RFC 9116): whom to tell of a weakness of this service. It is there only where an operator
//! has said whom.

use std::sync::Arc;

use axum::{Router, http::header, routing::get};
use chrono::{DateTime, NaiveTime, TimeDelta, Utc};

use crate::{clock::SharedClock, config::SecurityContact};

const PATH: &str = "/.well-known/security.txt";

/// How long what is read today holds. The file is written when it is asked for, so that it is never out of date; the
/// standard recommends less than a year.
const HOLDS_FOR: TimeDelta = TimeDelta::days(180);

/// The file, or nothing without a contact. `public_url` is the address under which callers reach this service.
pub fn router(contact: Option<&SecurityContact>, public_url: &str, clock: SharedClock) -> Router {
    let Some(contact) = contact else {
        return Router::new();
    };
    // The standard wants addresses on the web to be https.
    let is_secure = public_url.starts_with("https://");
    let canonical = if is_secure { format!("Canonical: {public_url}{PATH}\n") } else { String::new() };
    let lasting: Arc<str> = format!("Contact: {contact}\nPreferred-Languages: en\n{canonical}").into();
    Router::new().route(
        PATH,
        get(move || async move {
            let headers = [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
                (header::CACHE_CONTROL, "public, max-age=86400"),
            ];
            (headers, format!("{lasting}Expires: {}\n", expires(clock.now())))
        }),
    )
}

/// The same all day.
fn expires(now: DateTime<Utc>) -> String {
    let midnight = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    (midnight + HOLDS_FOR).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
