//! `Field`: label, hint, error and control of one thing that is asked.

use leptos::prelude::*;

use super::field_error;
use crate::markup::textarea_content;
use crate::portal::Fault;

/// What helps to choose a password.
const PASSWORD_HINT: &str = "12 characters or more. A few words in a row are easier to keep than symbols.";

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One line.
    Line,
    /// An e-mail address.
    Email,
    /// A password that is being chosen.
    NewPassword,
    /// A password that is known.
    Password,
    /// A day. Sent as year, month and day, also by browsers that have no calendar.
    Date,
    /// Several lines.
    Text,
}

/// One thing that is asked. The fault of this field, if it has one, is taken from those of the form.
#[component]
pub(crate) fn Field(
    /// Name and anchor.
    name: &'static str,
    /// The anchor, where a page has the field more than once.
    #[prop(optional, into)]
    id: Option<String>,
    /// What is asked.
    label: &'static str,
    /// What it takes.
    #[prop(optional)]
    kind: Option<Kind>,
    /// What helps to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// What stands in it; never a password.
    #[prop(optional, into)]
    value: String,
    /// The form's faults.
    #[prop(optional)]
    faults: Vec<Fault>,
    /// What browsers may fill in: a token of HTML's `autocomplete`.
    #[prop(optional)]
    autocomplete: Option<&'static str>,
    /// Set where it may stay empty.
    #[prop(optional)]
    optional: bool,
    /// `short` or `medium`; as wide as there is room otherwise.
    #[prop(optional)]
    width: Option<&'static str>,
    /// Whether what stands in it is a number or a key.
    #[prop(optional)]
    mono: bool,
) -> impl IntoView {
    let kind = kind.unwrap_or(Kind::Line);
    let hint = hint.or_else(|| (kind == Kind::NewPassword).then(|| PASSWORD_HINT.to_owned()));
    let id = id.unwrap_or_else(|| name.to_owned());
    let fault = faults.into_iter().find(|fault| fault.field == name).map(|fault| fault.message);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let described: Vec<_> =
        [hint.as_ref().map(|_| hint_id.clone()), fault.as_ref().map(|_| error_id.clone())]
            .into_iter()
            .flatten()
            .collect();
    let described = (!described.is_empty()).then(|| described.join(" "));
    let invalid = fault.is_some().then_some("true");
    let autocomplete = autocomplete.or(match kind {
        Kind::Email => Some("email"),
        Kind::NewPassword => Some("new-password"),
        Kind::Password => Some("current-password"),
        Kind::Line | Kind::Date | Kind::Text => None,
    });
    let face = mono.then_some("mono");
    let control = match kind {
        Kind::Text => view! {
            <textarea
                id=id.clone()
                name=name
                rows="4"
                required=!optional
                aria-describedby=described
                aria-invalid=invalid
                data-face=face
                spellcheck="true"
                inner_html=textarea_content(&value)
            ></textarea>
        }
        .into_any(),
        Kind::Line | Kind::Email | Kind::NewPassword | Kind::Password | Kind::Date => {
            let (input, spellcheck, value) = match kind {
                Kind::Email => ("email", Some("false"), Some(value)),
                Kind::Date => ("date", None, Some(value)),
                Kind::NewPassword | Kind::Password => ("password", None, None),
                Kind::Line | Kind::Text => ("text", mono.then_some("false"), Some(value)),
            };
            view! {
                <input
                    id=id.clone()
                    name=name
                    type=input
                    value=value
                    required=!optional
                    aria-describedby=described
                    aria-invalid=invalid
                    autocomplete=autocomplete
                    spellcheck=spellcheck
                    data-width=width
                    data-face=face
                />
            }
            .into_any()
        }
    };

    view! {
        <div class="field">
            <label for=id>{label}</label>
            {hint.map(|hint| view! { <p class="hint" id=hint_id>{hint}</p> })}
            {field_error(error_id, fault)}
            {control}
        </div>
    }
    .into_any()
}
