//! `SiteFooter`: how the registries are now, the few links that matter, the theme.

use leptos::prelude::*;

use super::theme_switch::ThemeSwitch;
use super::{API_DESCRIPTION, DOCUMENTATION, ERROR_CODES, STATUS};

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
                <ul>
                    <li>
                        <a href=DOCUMENTATION rel="external">"Documentation"</a>
                    </li>
                    <li>
                        <a href=API_DESCRIPTION rel="external">"Description of the API"</a>
                    </li>
                    <li>
                        <a href=ERROR_CODES rel="external">"Error codes"</a>
                    </li>
                </ul>
            </nav>
            <ThemeSwitch />
        </footer>
    }
    .into_any()
}
