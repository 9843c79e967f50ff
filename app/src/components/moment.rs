//! `Moment`: a point in time in a reader's words, with the exact time behind them.

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
