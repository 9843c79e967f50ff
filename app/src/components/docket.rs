//! `Docket`: a section with its heading and reason on the left, its matter on the right.

use leptos::prelude::*;

/// A section that other pages may link to by its `id`.
#[component]
pub(crate) fn Docket(
    /// The anchor of the section.
    id: &'static str,
    /// The heading, one level below the page's.
    heading: &'static str,
    /// One or two sentences on why the section is there.
    reason: &'static str,
    /// The matter: one element.
    children: Children,
) -> impl IntoView {
    view! {
        <section class="docket" id=id>
            <header>
                <h2>{heading}</h2>
                <p>{reason}</p>
            </header>
            {children()}
        </section>
    }
    .into_any()
}
