//! `SiteHeader`: skip link, wordmark, navigation.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::wordmark::Wordmark;

/// The sections of the start page that the navigation leads to.
const SECTIONS: [(&str, &str); 3] =
    [("#how", "How it routes"), ("#outcomes", "Outcomes"), ("#call", "For developers")];

/// The head of every page.
///
/// Links within a page carry `rel="external"`: left to the browser they move the focus too, which the router's own
/// navigation does not.
#[component]
pub(crate) fn SiteHeader() -> impl IntoView {
    let pathname = use_location().pathname;
    let address = move |section: &'static str| {
        pathname.with(|path| if path == "/" { section.to_owned() } else { format!("/{section}") })
    };

    view! {
        <header class="site-header">
            <a class="skip-link" href="#main" rel="external">"Skip to main content"</a>
            <Wordmark />
            <nav aria-label="Main">
                <ul>
                    {SECTIONS
                        .map(|(section, name)| {
                            view! {
                                <li>
                                    <a href=move || address(section) rel="external">{name}</a>
                                </li>
                            }
                        })
                        .into_iter()
                        .collect_view()}
                </ul>
            </nav>
        </header>
    }
    .into_any()
}
