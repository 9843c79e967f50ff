//! `SiteFooter`: where the answers come from, the few links that matter, the theme.

use leptos::prelude::*;

use super::theme_switch::ThemeSwitch;
use super::{API_DESCRIPTION, DOCUMENTATION, ERROR_CODES};

/// The foot of every page.
#[component]
pub(crate) fn SiteFooter() -> impl IntoView {
    view! {
        <footer class="site-footer">
            <p>"HMRC and VIES answer. Crossvat asks them and passes on what they say."</p>
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
