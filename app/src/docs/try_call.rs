//! `/docs/try`: a call with a test key, sent from a form.

use leptos::prelude::*;

use super::json::json_markup;
use crate::components::{DocsLayout, ErrorSummary, Field, Kind, Listing};
use crate::portal::{Fault, ServerView};

/// `/docs/try`
#[derive(Clone, Debug, Default)]
pub struct TryCall {
    /// As typed.
    pub numbers: String,
    /// As typed.
    pub supplier: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
    /// What was sent, and what was answered; both as JSON.
    pub call: Option<(String, String)>,
}

impl ServerView for TryCall {
    fn title(&self) -> String {
        "Try a call – Documentation".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let call = self.call.map(|(sent, answered)| {
            view! {
                <section id="answer">
                    <h2>"Answered"</h2>
                    <Listing id="sent".to_owned() title="POST /v1/verify-vat" code=json_markup(&sent) />
                    <Listing id="answered".to_owned() title="200 OK" code=json_markup(&answered) />
                </section>
            }
        });
        view! {
            <DocsLayout current="/docs/try">
                <ErrorSummary faults=self.faults.clone() />
                <h1>"Try a call"</h1>
                <p>
                    "The whole of it without a program: the server asks the "
                    <a href="/docs/sandbox" rel="external">
                        "sandbox"
                    </a>
                    " as your test key may, and shows what a program would get. The key is used for this one call; it is neither kept nor shown again."
                </p>
                <form method="post" action="/docs/try#answer" novalidate>
                    <Field
                        name="key"
                        label="Test key"
                        kind=Kind::Password
                        hint="Begins with cv_test_. A live key is not taken: it belongs in no form."
                        faults=self.faults.clone()
                        autocomplete="off"
                        mono=true
                    />
                    <Field
                        name="numbers"
                        label="VAT numbers"
                        kind=Kind::Text
                        hint="One a line, up to 10, as people write them."
                        value=self.numbers
                        faults=self.faults.clone()
                        autocomplete="off"
                        mono=true
                    />
                    <Field
                        name="supplier"
                        label="Supplier country (optional)"
                        hint="Two letters, such as IE. Decides the reverse charge."
                        value=self.supplier
                        faults=self.faults
                        autocomplete="off"
                        width="short"
                        optional=true
                    />
                    <p class="button-row">
                        <button class="button" data-kind="primary" type="submit">
                            "Send the call"
                        </button>
                    </p>
                </form>
                {call}
            </DocsLayout>
        }
        .into_any()
    }
}
