//! What needs changing about a field, beside it: the same words as in the summary of the page.

use leptos::prelude::*;

use super::{Icon, Shape};

/// The message of the field that is described by `id`, where there is one.
pub(crate) fn field_error(id: impl Into<String>, fault: Option<String>) -> Option<AnyView> {
    let (id, fault) = (id.into(), fault?);
    let view = view! {
        <p class="error" id=id>
            <Icon shape=Shape::Problem />
            {fault}
        </p>
    };
    Some(view.into_any())
}
