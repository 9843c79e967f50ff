//! `CodeField`: asks for the second factor, in the form of something dangerous.

use leptos::prelude::*;

use super::Field;
use crate::portal::Fault;

/// The field `code`, where the second factor was not seen lately; nothing otherwise.
#[component]
pub(crate) fn CodeField(
    /// Whether it is to be asked for.
    asked: bool,
    /// The form's faults.
    faults: Vec<Fault>,
) -> impl IntoView {
    asked
        .then(|| {
            view! {
                <Field
                    name="code"
                    label="Code from your app"
                    hint="Six digits. Without your telephone, type one of your recovery codes."
                    faults
                    autocomplete="one-time-code"
                    width="short"
                    mono=true
                />
            }
        })
        .into_any()
}
