//! `Moment`: a point in time in a reader's words, with the exact time behind them. The server's words are in UTC and say so;
//! `local_times.js` says them anew in the reader's zone.

use leptos::prelude::*;

use crate::portal::Instant;

/// The words are made by the server, which knows what day it is.
#[component]
pub(crate) fn Moment(
    /// When.
    at: Instant,
) -> impl IntoView {
    view! {
        <time datetime=at.datetime title=at.exact>
            {at.words}
        </time>
    }
}

/// A point in time where every digit counts, as in evidence: in UTC, beside which a script puts the reader's own time.
#[component]
pub(crate) fn ExactMoment(
    /// When, for programs.
    datetime: String,
    /// When, for people: with UTC.
    words: String,
) -> impl IntoView {
    view! {
        <time datetime=datetime data-exact>
            {words}
        </time>
    }
}
