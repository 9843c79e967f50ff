//! `TabLinks`: links between views of one thing. Each is an address, so none needs a script.

use leptos::prelude::*;

use super::{StatusTag, TagStatus};
use crate::figures::grouped;

/// One view.
#[derive(Clone, Debug)]
pub(crate) struct TabLink {
    /// Its address.
    pub(crate) href: String,
    /// The status it is about.
    pub(crate) tag: Option<TagStatus>,
    /// What it is called, when it is about none.
    pub(crate) words: Option<&'static str>,
    /// How many things it shows.
    pub(crate) count: u64,
    /// Whether it is the one that is shown.
    pub(crate) is_current: bool,
}

/// The links.
#[component]
pub(crate) fn TabLinks(
    /// The anchor.
    id: &'static str,
    /// What they choose.
    label: &'static str,
    /// The views.
    links: Vec<TabLink>,
) -> impl IntoView {
    let links = links
        .into_iter()
        .map(|link| {
            view! {
                <li>
                    <a href=link.href rel="external" aria-current=link.is_current.then_some("true")>
                        {link.tag.map(|tag| view! { <StatusTag status=tag /> })}
                        {link.words}
                        " "
                        <data value=link.count.to_string()>{grouped(link.count)}</data>
                    </a>
                </li>
            }
        })
        .collect_view();

    view! {
        <nav class="tab-links" id=id aria-label=label>
            <ul>{links}</ul>
        </nav>
    }
    .into_any()
}
