//! `SiteFooter`: how the registries are now, the few links that matter, the theme.

use leptos::prelude::*;

use super::STATUS;
use super::theme_switch::ThemeSwitch;

/// What the page says of the registries. Only the server knows: the browser keeps what it was sent.
fn registries_now() -> String {
    #[cfg(feature = "ssr")]
    if let Some(now) = use_context::<crate::shell::RegistriesNow>() {
        let mut markup = String::new();
        crate::markup::push_text(&mut markup, &now.0);
        return markup;
    }
    String::new()
}

/// The links, of which the server alone knows all: the browser keeps what it was sent.
fn links() -> String {
    #[cfg(feature = "ssr")]
    return server::links();
    #[cfg(not(feature = "ssr"))]
    String::new()
}

/// The foot of every page.
#[component]
pub(crate) fn SiteFooter() -> impl IntoView {
    view! {
        <footer class="site-footer">
            <p>
                <span inner_html=registries_now()></span>
                " "
                <a href=STATUS rel="external">"Registry status"</a>
            </p>
            <nav aria-label="Footer">
                <ul inner_html=links()></ul>
            </nav>
            <ThemeSwitch />
        </footer>
    }
    .into_any()
}

#[cfg(feature = "ssr")]
mod server {
    use leptos::prelude::*;

    use crate::OperatorPages;
    use crate::components::{API_DESCRIPTION, DOCUMENTATION, ERROR_CODES};

    pub(super) fn links() -> String {
        let OperatorPages { imprint, privacy } = use_context().unwrap_or_default();
        let ours = [
            (DOCUMENTATION, "Documentation"),
            (API_DESCRIPTION, "Description of the API"),
            (ERROR_CODES, "Error codes"),
        ];
        let operators = [(imprint, "Imprint"), (privacy, "Privacy")];
        ours.into_iter()
            .map(|(href, words)| (Some(href.into()), words))
            .chain(operators)
            .filter_map(|(href, words)| Some((href?, words)))
            .map(|(href, words)| {
                view! {
                    <li>
                        <a href=href.to_string() rel="external">
                            {words}
                        </a>
                    </li>
                }
                .to_html()
            })
            .collect()
    }
}
