//! `Choice`: one of several, each with what it means.

use leptos::prelude::*;

use super::{Moment, field_error};
use crate::portal::Instant;

/// One of the choices.
#[derive(Clone, Debug)]
pub(crate) struct Option {
    /// What is sent.
    pub(crate) value: &'static str,
    /// What it is called.
    pub(crate) words: &'static str,
    /// What it means.
    pub(crate) remark: std::option::Option<String>,
}

/// The group.
#[component]
pub(crate) fn Choice(
    /// What is sent, and the anchor.
    name: &'static str,
    /// What is asked.
    legend: &'static str,
    /// The choices.
    options: Vec<Option>,
    /// The value of the one that is chosen.
    #[prop(into)]
    chosen: String,
    /// What needs changing.
    #[prop(optional_no_strip)]
    fault: std::option::Option<String>,
    /// Until when each choice holds, where that is told.
    #[prop(optional)]
    until: Vec<std::option::Option<Instant>>,
) -> impl IntoView {
    let error_id = format!("{name}-error");
    let described = fault.is_some().then(|| error_id.clone());
    let until = until.into_iter().chain(std::iter::repeat(None));

    view! {
        <fieldset class="choice" aria-describedby=described>
            <legend>{legend}</legend>
            {field_error(error_id, fault)}
            {options
                .into_iter()
                .zip(until)
                .enumerate()
                .map(move |(place, (option, until))| {
                    view! {
                        <label>
                            <input
                                type="radio"
                                name=name
                                id=(place == 0).then_some(name)
                                value=option.value
                                checked=chosen == option.value
                                required
                            />
                            {option.words}
                            {option.remark.map(|remark| view! { <small>{remark}</small> })}
                            {until.map(|until| view! { <small>"Until " <Moment at=until /></small> })}
                        </label>
                    }
                })
                .collect_view()}
        </fieldset>
    }
    .into_any()
}
