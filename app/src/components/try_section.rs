//! The place of the sandbox's slip on the start page. Only the server writes what stands in it: the browser keeps what it
//! was sent, and asks for the page anew where the script has drawn it.

use leptos::html::Section;
use leptos::prelude::*;

use crate::browser;

/// What the server wrote of the slip for this request.
#[derive(Clone, Debug, Default)]
pub struct SlipText(pub String);

/// The slip's element.
#[component]
pub(crate) fn TrySection() -> impl IntoView {
    let html = if cfg!(feature = "ssr") {
        use_context::<SlipText>().map(|text| text.0).unwrap_or_default()
    } else {
        String::new()
    };
    let section = NodeRef::<Section>::new();
    Effect::new(move || {
        if section.get().is_some_and(|section| section.child_element_count() == 0) {
            browser::reload();
        }
    });

    view! {
        <section class="answer-slip" id="first-try" aria-labelledby="try-label" node_ref=section inner_html=html></section>
    }
    .into_any()
}
