//! `PageLinks`: what part of a list is shown, whatever its order, and the way to the rest.

use leptos::prelude::*;

use crate::figures::grouped;

/// The links; only words when everything is on one page.
#[component]
pub(crate) fn PageLinks<F>(
    /// How many are on the pages before.
    offset: u64,
    /// How many are on this one.
    count: u64,
    /// How many there are in all.
    total: u64,
    /// How many are on a full page.
    size: u64,
    /// The address of a page, from 1.
    address: F,
) -> impl IntoView
where
    F: Fn(u64) -> String,
{
    let page = offset / size + 1;
    let last = offset + count;
    let link = |page: u64, rel: &'static str, words: String| {
        view! {
            <li>
                <a href=address(page) rel=format!("{rel} external")>
                    {words}
                </a>
            </li>
        }
    };
    let before = (offset > 0).then(|| link(page - 1, "prev", format!("← Previous {}", grouped(size))));
    let after = (last < total)
        .then(|| link(page + 1, "next", format!("Next {} →", grouped((total - last).min(size)))));

    view! {
        <nav class="pager" aria-label="Pages">
            <span>{format!("{} to {} of {}", grouped(offset + 1), grouped(last), grouped(total))}</span>
            <ul>{before} {after}</ul>
        </nav>
    }
    .into_any()
}
