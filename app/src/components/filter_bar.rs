//! `FilterBar`: what of a list is shown. A form that is got, so that the address holds the filter.

use leptos::prelude::*;

/// The form; its children are [`FilterField`]s and [`FilterChoice`]s.
#[component]
pub(crate) fn FilterBar(
    /// The page of the list.
    action: &'static str,
    /// The fields.
    children: Children,
) -> impl IntoView {
    view! {
        <form class="filter-bar" method="get" action=action>
            {children()}
            <button class="button" type="submit">
                "Show"
            </button>
        </form>
    }
    .into_any()
}

/// Something that is typed.
#[component]
pub(crate) fn FilterField(
    /// Name and anchor.
    name: &'static str,
    /// What it is.
    label: &'static str,
    /// The type of HTML's `input`.
    kind: &'static str,
    /// What stands in it.
    value: String,
    /// Whether it needs changing.
    #[prop(optional)]
    faulty: bool,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                value=value
                autocomplete="off"
                aria-invalid=faulty.then_some("true")
            />
        </div>
    }
    .into_any()
}

/// One of several, the first of which is all of them.
#[component]
pub(crate) fn FilterChoice(
    /// Name and anchor.
    name: &'static str,
    /// What it is.
    label: &'static str,
    /// What all of them are called.
    all: &'static str,
    /// The others: what is sent and what it is called.
    options: Vec<(String, String)>,
    /// The value of the one that is chosen; empty for all of them.
    chosen: String,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <select id=name name=name>
                <option value="">{all}</option>
                {options
                    .into_iter()
                    .map(move |(value, words)| {
                        let selected = value == chosen;
                        view! {
                            <option value=value selected=selected>
                                {words}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </div>
    }
    .into_any()
}
