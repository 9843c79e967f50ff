//! The landing page: what the service is, how a number is read, which registry it goes to, what comes back.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::components::{
    API_DESCRIPTION, AnswerSlip, CodeBlock, Docket, ERROR_CODES, Fact, FactList, Guilloche, RouteMap,
    StatusTag,
};
use vat::Status;

/// A question to the API about one number of each registry.
const CALL: &str = r#"curl "$CROSSVAT_URL/v1/verify-vat" \
  -H "Authorization: Bearer $CROSSVAT_KEY" \
  -H "Content-Type: application/json" \
  -d '{"vatNumbers": ["GB123456782", "DE123456788"]}'"#;

/// The five outcomes and what each says, the registry's own words first.
const OUTCOMES: [(Status, &str); 5] = [
    (Status::Valid, "The registry said that the number is registered."),
    (Status::NotRegistered, "The registry said that it is not."),
    (
        Status::Malformed,
        "It cannot be a number of that country: our rules say so, or the registry refused its form.",
    ),
    (Status::Unsupported, "Neither registry covers that country. Nothing is said about the number."),
    (Status::Unavailable, "The registry did not answer. Nothing is said about the number; ask again."),
];

/// The page at `/`; the query's `number` is what its field holds at first.
#[component]
pub(crate) fn Home() -> impl IntoView {
    view! {
        <Title text="Crossvat: UK and EU VAT numbers, checked at the registry" />
        <section class="hero">
            <div>
                <h1>"Checked at the registry. Never guessed."</h1>
                <p class="lead">
                    "Crossvat asks HMRC or VIES whether a UK or EU VAT number is registered, and tells you exactly what they said."
                </p>
                <p>
                    "One call takes up to 100 numbers and picks the registry for each. When a registry is down we say so: an outage is never reported as an invalid number."
                </p>
                <p class="button-row">
                    <a class="button" href="#call" rel="external">"See the call"</a>
                    <a href=API_DESCRIPTION rel="external">"Description of the API"</a>
                </p>
            </div>
            <AnswerSlip />
        </section>
        <Guilloche />
        <Docket id="how" heading="Two registries, one call" reason="Each number finds its own way. You never choose the registry.">
            <RouteMap />
        </Docket>
        <Docket
            id="outcomes"
            heading="Five outcomes, kept apart"
            reason="Only the first two are the registry’s word. The rest say why there is none."
        >
            <div>
                <FactList>
                    {OUTCOMES
                        .map(|(status, meaning)| {
                            view! { <Fact name=view! { <StatusTag status=status /> }>{meaning}</Fact> }
                        })
                        .into_iter()
                        .collect_view()}
                </FactList>
            </div>
        </Docket>
        <Docket id="call" heading="For your developers" reason="One endpoint, one answer a number, one error format.">
            <div>
                <CodeBlock title="Ask about two numbers" code=CALL />
                <p>
                    <code>"CROSSVAT_URL"</code>
                    " is the address of this page, "
                    <code>"CROSSVAT_KEY"</code>
                    " your API key. Every field is in the "
                    <a href=API_DESCRIPTION rel="external">"description of the API"</a>
                    " (OpenAPI 3.1); what each error means, and what to do about it, under "
                    <a href=ERROR_CODES rel="external">"error codes"</a>
                    "."
                </p>
            </div>
        </Docket>
    }
    .into_any()
}
