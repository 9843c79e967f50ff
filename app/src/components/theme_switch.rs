//! `ThemeSwitch`: three radio buttons that act at once; the choice is kept in a cookie, by a script or by the server.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::{Theme, browser};

/// The theme the page was printed in: the server has it from the cookie, the browser reads what the server printed.
fn printed_theme() -> Theme {
    if cfg!(feature = "hydrate") {
        document()
            .document_element()
            .and_then(|root| root.get_attribute("data-theme"))
            .and_then(|value| Theme::parse(&value))
            .unwrap_or_default()
    } else {
        use_context().unwrap_or_default()
    }
}

/// The switch. Without a script its form posts `theme` and `return_to`, the address to come back to, to `/theme`.
#[component]
pub(crate) fn ThemeSwitch() -> impl IntoView {
    let location = use_location();
    let return_to = move || {
        let path = location.pathname.get();
        let search = location.search.get();
        if search.is_empty() { path } else { format!("{path}?{search}") }
    };
    let printed = printed_theme();
    // What was chosen before the script came is the reader's.
    Effect::new(move || {
        if let Some(chosen) = browser::chosen_theme().filter(|chosen| *chosen != printed) {
            browser::keep_theme(chosen);
        }
    });

    view! {
        <form class="theme-switch" method="post" action="/theme">
            <input type="hidden" name="return_to" value=return_to />
            <fieldset>
                <legend>"Theme"</legend>
                {Theme::ALL
                    .map(|theme| {
                        view! {
                            <label>
                                <input
                                    type="radio"
                                    name="theme"
                                    value=theme.as_str()
                                    id=theme.control_id()
                                    checked=theme == printed
                                    autocomplete="off"
                                    on:change=move |_| browser::keep_theme(theme)
                                />
                                {theme.word()}
                            </label>
                        }
                    })
                    .into_iter()
                    .collect_view()}
            </fieldset>
            <button class="button" type="submit">"Keep"</button>
        </form>
    }
}
