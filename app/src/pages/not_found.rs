//! What stands at an address that has no page.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::components::{DOCUMENTATION, NumberPlate};

/// Says that there is no page, and where to go instead.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    view! {
        <Title text="Page not found – Crossvat" />
        <div class="page-header">
            <p aria-hidden="true">
                <NumberPlate code="ZZ" groups=vec!["404".to_owned()] large=true />
            </p>
            <h1>"There is no page at this address"</h1>
            <p>"If you typed it, look for a slip. If a link brought you here, the slip is in the link."</p>
        </div>
        <ul>
            <li><a href="/" rel="external">"Start page"</a></li>
            <li><a href=DOCUMENTATION rel="external">"Documentation"</a></li>
        </ul>
    }
    .into_any()
}
