//! Pages that only the server writes: the portal and the ways into it. Their addresses are the router's too, but not
//! their text: the browser keeps what it was sent.

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;

use crate::live_readings::LiveReadings;
use crate::{browser, live_page};

/// What the server has written for the address of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerText {
    /// The title of the document, without the product's name.
    pub title: String,
    /// The content of the page, as markup.
    pub html: String,
}

/// The page at an address that only the server can answer. Links to it carry `rel="external"`; a browser that comes to
/// one by itself, going back for instance, asks the server for it.
#[component]
pub(crate) fn ServerPage() -> impl IntoView {
    let html = if cfg!(feature = "ssr") {
        use_context::<ServerText>().map(|text| text.html).unwrap_or_default()
    } else {
        String::new()
    };
    let page = NodeRef::<Div>::new();
    let readings = LiveReadings::new();
    Effect::new(move || {
        match page.get() {
            None => {}
            Some(page) if page.child_element_count() == 0 => browser::reload(),
            Some(_) => {
                // A form that was sent in vain has its field filled.
                readings.read();
                live_page::follow();
            }
        }
    });

    // What is shown once is not left by a slip; its form says that it was kept.
    let kept = StoredValue::new(false);
    let warns = window_event_listener(ev::beforeunload, move |event| {
        let page = page.get_untracked();
        if !kept.get_value()
            && page.is_some_and(|page| {
                page.query_selector("[data-shown-once]").is_ok_and(|shown| shown.is_some())
            })
        {
            event.prevent_default();
        }
    });
    on_cleanup(move || warns.remove());

    view! {
        <div
            class="server-page"
            node_ref=page
            inner_html=html
            on:click=move |event| {
                readings.take_suggestion(&event);
                browser::act_for(&event);
            }
            on:input=move |event| readings.follow(&event)
            on:submit=move |_| kept.set_value(true)
        ></div>
    }
    .into_any()
}
