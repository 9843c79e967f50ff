//! Keeps the page of a run up to date as long as it runs: asks for the page anew and puts what has changed in the place of
//! what stands there. A connection that is lost is told, and tried again; the run itself goes on at the server.

use std::time::Duration;

use leptos::__reexports::wasm_bindgen_futures::JsFuture;
use leptos::prelude::{document, location, set_timeout, window};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{AbortSignal, DocumentFragment, Element, HtmlTemplateElement, RequestInit, Response};

use crate::browser;

/// Stands on the page of a run that goes on.
const RUNNING: &str = "[data-live-run]";
/// Parts of the page that change while it does.
const PARTS: [&str; 5] = ["progress", "progress-bar", "progress-counts", "run-outcomes", "run-rows"];
/// Where it is said that the connection is lost; the words stand in `data-lost`.
const CONNECTION: &str = "connection";
/// How often the page is asked for.
const PERIOD: Duration = Duration::from_secs(2);
/// How often when the last time failed.
const PERIOD_WHEN_LOST: Duration = Duration::from_secs(4);
/// A page that takes longer is not waited for, in milliseconds.
const PATIENCE: u32 = 10_000;

/// Begins, on the page of a run that goes on.
pub(crate) fn follow() {
    wait(PERIOD);
}

fn wait(period: Duration) {
    if !matches!(document().query_selector(RUNNING), Ok(Some(_))) {
        return;
    }
    set_timeout(
        || {
            spawn_local(async {
                let page = page().await;
                say_whether_lost(page.is_none());
                match page {
                    None => wait(PERIOD_WHEN_LOST),
                    Some(page) if matches!(page.query_selector(RUNNING), Ok(Some(_))) => {
                        take_over(&page);
                        wait(PERIOD);
                    }
                    // It has ended, or the reader is signed out: the whole page is another.
                    Some(_) => browser::reload(),
                }
            });
        },
        period,
    );
}

/// The page as it is now; nothing runs or is fetched in it.
async fn page() -> Option<DocumentFragment> {
    let request = RequestInit::new();
    request.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE)));
    let address = location().href().ok()?;
    let response = JsFuture::from(window().fetch_with_str_and_init(&address, &request)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let page: HtmlTemplateElement = document().create_element("template").ok()?.dyn_into().ok()?;
    page.set_inner_html(&text);
    Some(page.content())
}

fn take_over(page: &DocumentFragment) {
    browser::say_times(page);
    if let Ok(Some(title)) = page.query_selector("title") {
        document().set_title(&title.text_content().unwrap_or_default());
    }
    for id in PARTS {
        if let (Some(old), Ok(Some(new))) =
            (document().get_element_by_id(id), page.query_selector(&["#", id].concat()))
        {
            replace(&old, &new);
        }
    }
}

fn replace(old: &Element, new: &Element) {
    if old.outer_html() == new.outer_html() {
        return;
    }
    if old.has_attribute("role") && old.tag_name() == "P" {
        // What is announced when it changes has to stay itself.
        old.set_inner_html(&new.inner_html());
    } else if !old.contains(document().active_element().as_deref()) {
        // Nobody's place in the page is taken away; both are in a document.
        let _ = old.replace_with_with_node_1(new);
    }
}

fn say_whether_lost(is_lost: bool) {
    if let Some(place) = document().get_element_by_id(CONNECTION) {
        let words = if is_lost { place.get_attribute("data-lost") } else { None };
        if place.text_content().unwrap_or_default() != words.as_deref().unwrap_or_default() {
            place.set_text_content(words.as_deref());
        }
    }
}
