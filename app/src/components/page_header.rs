//! `PageHeader`: where the reader is, what the page is for, what can be done.

use leptos::prelude::*;

/// The head of a page's content.
#[component]
pub(crate) fn PageHeader(
    /// The heading: the finding, where there is one.
    #[prop(into)]
    heading: String,
    /// The page before this one: its address and name.
    #[prop(optional)]
    back: Option<(&'static str, &'static str)>,
    /// The same, where the page before this one is one of many.
    #[prop(optional)]
    back_to: Option<(String, String)>,
    /// A sentence below the heading, and what can be done.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let back = back.map(|(href, name)| (href.to_owned(), name.to_owned())).or(back_to);

    view! {
        <div class="page-header">
            {back
                .map(|(href, name)| {
                    view! {
                        <a class="back" href=href rel="external">
                            "← "
                            {name}
                        </a>
                    }
                })}
            <h1>{heading}</h1>
            {children.map(|children| children())}
        </div>
    }
    .into_any()
}
