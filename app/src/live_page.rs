//! Keeps a page up to date that changes by itself, such as that of a run: asks for the page anew and puts what has changed in
//! the place of what stands there. A connection that is lost is told, and tried again.

use std::time::Duration;

use leptos::__reexports::wasm_bindgen_futures::JsFuture;
use leptos::prelude::{document, location, set_timeout, window};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{
    AbortSignal, DocumentFragment, Element, Headers, HtmlTemplateElement, RequestInit, Response,
};

use crate::{LOOKS_BY_ITSELF, browser};

/// Stands on a page that changes by itself; the value is the time after which it is asked for, in seconds.
const LIVE: &str = "data-live";
/// Parts of pages that change.
const PARTS: [&str; 9] = [
    "progress",
    "progress-bar",
    "progress-counts",
    "run-outcomes",
    "run-rows",
    "registries-finding",
    "registry-HMRC",
    "registry-VIES",
    "registries-states",
];
/// Where it is said that the connection is lost; the words stand in `data-lost`.
const CONNECTION: &str = "connection";
/// How often the page is asked for when the last time failed.
const PERIOD_WHEN_LOST: Duration = Duration::from_secs(4);
/// A page that takes longer is not waited for, in milliseconds.
const PATIENCE: u32 = 10_000;

/// Begins, on a page that changes by itself.
pub(crate) fn follow() {
    if let Some(period) =
        document().query_selector("[data-live]").ok().flatten().and_then(|live| period_of(&live))
    {
        wait(period);
    }
}

fn period_of(live: &Element) -> Option<Duration> {
    live.get_attribute(LIVE)?.parse().ok().map(Duration::from_secs)
}

fn wait(period: Duration) {
    set_timeout(
        || {
            // The reader has left the page.
            if !matches!(document().query_selector("[data-live]"), Ok(Some(_))) {
                return;
            }
            spawn_local(async {
                let page = page().await;
                say_whether_lost(page.is_none());
                let Some(page) = page else { return wait(PERIOD_WHEN_LOST) };
                match page.query_selector("[data-live]").ok().flatten().and_then(|live| period_of(&live)) {
                    Some(period) => {
                        take_over(&page);
                        wait(period);
                    }
                    // It changes no more, or the reader is signed out: the whole page is another.
                    None => browser::reload(),
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
    let headers = Headers::new().ok()?;
    headers.set(LOOKS_BY_ITSELF, "1").ok()?;
    request.set_headers(&headers);
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
    keep_unfolded(old, new);
    if old.outer_html() == new.outer_html() {
        return;
    }
    if old.has_attribute("role") && old.tag_name() == "P" {
        // What is announced when it changes has to stay itself.
        old.set_inner_html(&new.inner_html());
        return;
    }
    let focused = document().active_element().filter(|focused| old.contains(Some(focused)));
    let Some(focused) = focused else {
        // Both are in a document.
        let _ = old.replace_with_with_node_1(new);
        return;
    };
    // Nobody's place in the page is taken away.
    let id = focused.id();
    let is_there = !id.is_empty() && matches!(new.query_selector(&by_id(&id)), Ok(Some(_)));
    if is_there && old.replace_with_with_node_1(new).is_ok() {
        browser::focus_in_place(&id);
    }
}

/// What the reader has unfolded stays so.
fn keep_unfolded(old: &Element, new: &Element) {
    let id = old.id();
    if old.tag_name() == "DETAILS" && old.has_attribute("open") && !id.is_empty() {
        if let Ok(Some(details)) = new.query_selector(&by_id(&id)) {
            // Its name is a valid one.
            let _ = details.set_attribute("open", "");
        }
        return;
    }
    let mut child = old.first_element_child();
    while let Some(part) = child {
        keep_unfolded(&part, new);
        child = part.next_element_sibling();
    }
}

fn by_id(id: &str) -> String {
    ["[id=\"", id, "\"]"].concat()
}

fn say_whether_lost(is_lost: bool) {
    if let Some(place) = document().get_element_by_id(CONNECTION) {
        let words = if is_lost { place.get_attribute("data-lost") } else { None };
        if place.text_content().unwrap_or_default() != words.as_deref().unwrap_or_default() {
            place.set_text_content(words.as_deref());
        }
    }
}
