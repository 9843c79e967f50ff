//! `FactList`: names and values, one pair a line.

use leptos::prelude::*;

/// The list; its children are [`Fact`]s.
#[component]
pub(crate) fn FactList(
    /// The facts.
    children: Children,
) -> impl IntoView {
    view! { <dl class="fact-list">{children()}</dl> }
}

/// One name and its value.
#[component]
pub(crate) fn Fact<Name: IntoView>(
    /// The name: a word or two, or a status.
    name: Name,
    /// The value.
    children: Children,
) -> impl IntoView {
    view! {
        <div>
            <dt>{name}</dt>
            <dd>{children()}</dd>
        </div>
    }
}
