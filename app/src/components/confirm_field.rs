//! `ConfirmField`: something dangerous is confirmed by typing what it is done to.

use leptos::prelude::*;

use super::Field;
use crate::portal::Fault;

/// The field `confirm`.
#[component]
pub(crate) fn ConfirmField(
    /// What is asked.
    label: &'static str,
    /// What is to be typed.
    #[prop(into)]
    what: String,
    /// What stands in it.
    typed: String,
    /// The form's faults.
    faults: Vec<Fault>,
    /// Whether it is a short code, and no name.
    #[prop(optional)]
    is_code: bool,
) -> impl IntoView {
    let width = if is_code { "short" } else { "medium" };
    view! {
        <Field name="confirm" label hint=what value=typed faults autocomplete="off" width mono=is_code />
    }
    .into_any()
}
