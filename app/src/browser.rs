//! What the page asks of the browser itself: the stored theme, the clipboard, the page anew. Called from event handlers
//! and effects only, which never run on the server.

use leptos::ev::{Event, KeyboardEvent, MouseEvent};
use leptos::prelude::{document, location, request_animation_frame};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::prelude::wasm_bindgen;
use leptos::wasm_bindgen::{self, JsCast, JsValue};
use leptos::web_sys::js_sys::{Object, Reflect};
use leptos::web_sys::{DocumentFragment, Element, Node};

use crate::Theme;

/// How long the choice of a theme is remembered, in seconds: a year.
const THEME_MAX_AGE: u32 = 31_536_000;

#[wasm_bindgen(wasm_bindgen = wasm_bindgen, wasm_bindgen_futures = leptos::__reexports::wasm_bindgen_futures)]
extern "C" {
    /// A document with its cookies, a part of the type that the framework's own bindings leave out.
    type CookieDocument;

    #[wasm_bindgen(method, setter)]
    fn set_cookie(this: &CookieDocument, cookie: &str);

    #[wasm_bindgen(catch, js_namespace = ["navigator", "clipboard"], js_name = writeText)]
    async fn write_text(text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = print)]
    fn print_page();

    /// Something that can be focused, with the part of it that the framework's own bindings leave out.
    type Focusable;

    #[wasm_bindgen(method)]
    fn focus(this: &Focusable, options: &JsValue);

    /// Of the script that every page of the server's own holds.
    #[wasm_bindgen(catch, js_name = localTimes)]
    fn local_times(part: &DocumentFragment) -> Result<(), JsValue>;
}

/// Says the times in a part of a page in the reader's zone, before it is shown.
pub(crate) fn say_times(part: &DocumentFragment) {
    // Where it fails, they stay in UTC and say so.
    let _ = local_times(part);
}

/// The theme that is chosen in the switch.
pub(crate) fn chosen_theme() -> Option<Theme> {
    let chosen = document().query_selector(".theme-switch :checked").ok()??;
    Theme::parse(&chosen.get_attribute("value")?)
}

/// Shows the page in `theme` and remembers it for the pages to come.
pub(crate) fn keep_theme(theme: Theme) {
    let document = document();
    document.unchecked_ref::<CookieDocument>().set_cookie(&format!(
        "__Host-theme={}; Path=/; Max-Age={THEME_MAX_AGE}; Secure; SameSite=Lax",
        theme.as_str()
    ));

    if let Some(root) = document.document_element() {
        // Neither call can fail: the attribute's name is a fixed, valid one.
        let _ = match theme.data_theme() {
            Some(value) => root.set_attribute("data-theme", value),
            None => root.remove_attribute("data-theme"),
        };
    }
}

/// Puts `text` on the clipboard; false where the browser refuses, as it does on a page without TLS.
pub(crate) async fn copy(text: &str) -> bool {
    write_text(text).await.is_ok()
}

/// Puts the focus on an element, without scrolling to it.
pub(crate) fn focus_in_place(id: &str) {
    let options = Object::new();
    // A new object takes every property.
    let _ = Reflect::set(&options, &"preventScroll".into(), &true.into());
    if let Some(element) = document().get_element_by_id(id) {
        element.unchecked_ref::<Focusable>().focus(&options);
    }
}

/// Closes the reader's menu, which lies over the page, when something elsewhere is focused or pressed.
pub(crate) fn close_menu_left_for(event: &Event) {
    let elsewhere = event.target().and_then(|target| target.dyn_into::<Node>().ok());
    if let (Some(menu), Some(elsewhere)) = (open_menu(), elsewhere)
        && !menu.contains(Some(&elsewhere))
    {
        close(&menu);
    }
}

/// Closes the reader's menu on Escape, and puts the focus where it was opened.
pub(crate) fn close_menu_on_escape(event: &KeyboardEvent) {
    if event.key() != "Escape" {
        return;
    }
    let Some(menu) = open_menu() else { return };
    close(&menu);
    if let Ok(Some(summary)) = menu.query_selector("summary") {
        summary.unchecked_ref::<Focusable>().focus(&JsValue::UNDEFINED);
    }
}

fn open_menu() -> Option<Element> {
    document().query_selector(".person-menu[open]").ok().flatten()
}

fn close(menu: &Element) {
    // The attribute's name is a valid one.
    let _ = menu.remove_attribute("open");
}

/// Has the server send the page of the current address.
pub(crate) fn reload() {
    // A frame later the router has put the new page's address into place.
    request_animation_frame(|| {
        // Fails only in a sandboxed frame, and the security policy lets no page be framed.
        let _ = location().reload();
    });
}

/// What the buttons of the server's own page do without leaving it.
pub(crate) fn act_for(event: &MouseEvent) {
    let clicked = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(clicked) = clicked else { return };
    if clicked.closest("[data-prints]").is_ok_and(|button| button.is_some()) {
        print_page();
    } else {
        copy_for(&clicked);
    }
}

/// Copies for a button of the server's own page, which names in `data-copies` the element whose text it is about.
fn copy_for(clicked: &Element) {
    let Some(button) = clicked.closest("[data-copies]").ok().flatten() else { return };
    let source = button.get_attribute("data-copies").and_then(|id| document().get_element_by_id(&id));
    let Some(text) = source.and_then(|source| source.text_content()) else { return };
    spawn_local(async move {
        button.set_text_content(Some(if copy(&text).await {
            "Copied"
        } else {
            "Not copied: select the text"
        }));
    });
}
