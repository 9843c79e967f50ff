//! The landing page: what the service is, a first answer, how a number is read, which registry it goes to, what comes back.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::components::{
    AnswerSlip, CodeBlock, DOCUMENTATION, Docket, ERROR_CODES, Fact, FactList, Guilloche, RouteMap,
    StatusTag, TrySection,
};
use vat::Status;

/// The title of the start page.
pub(crate) const HOME_TITLE: &str = "Crossvat: UK and EU VAT numbers, checked at the registry";

/// A question to the API about one number of each registry.
const CALL: &str = r#"curl "$CROSSVAT_URL/v1/verify-vat" \
  -H "Authorization: Bearer $CROSSVAT_KEY" \
  -H "Content-Type: application/json" \
  -d '{"vatNumbers": ["GB123456782", "DE123456788"]}'"#;

/// Where a newcomer begins.
const QUICKSTART: &str = "/docs/quickstart";

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
        <Title text=HOME_TITLE />
        <section class="hero">
            <div>
                <h1>"Checked at the registry. Never guessed."</h1>
                <p class="lead">
                    "Crossvat asks HMRC or VIES whether a UK or EU VAT number is registered, tells you exactly what they said, and keeps the proof."
                </p>
                <p>
                    "One call takes up to 100 numbers and picks the registry for each. When a registry is down we say so: an outage is never reported as an invalid number."
                </p>
                <p class="button-row">
                    <a class="button" data-kind="primary" href="/sign-up" rel="external">"Get a key"</a>
                    <a href=QUICKSTART rel="external">"Read the quickstart"</a>
                </p>
            </div>
            <TrySection />
        </section>
        <Guilloche />
        <Docket id="how" heading="Two registries, one call" reason="Each number finds its own way. You never choose the registry.">
            <RouteMap />
        </Docket>
        <Docket
            id="reading"
            heading="Written as people write it"
            reason="Blanks, dots, GR for Greece, a letter O for a zero: what can be put right is, and what cannot is pointed out before anybody is asked."
        >
            <AnswerSlip />
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
        <Docket id="call" heading="For your developers" reason="One endpoint, one error format, a sandbox that can fail on purpose.">
            <div>
                <CodeBlock title="Ask about two numbers" code=CALL />
                <p>
                    <a href=QUICKSTART rel="external">"From key to first answer in five minutes"</a>
                    ", in curl, JavaScript, Python or Rust. What each error means, and what to do about it, is under "
                    <a href=ERROR_CODES rel="external">"error codes"</a>
                    "; everything else in the "
                    <a href=DOCUMENTATION rel="external">"documentation"</a>
                    "."
                </p>
            </div>
        </Docket>
        <Docket id="finance" heading="For finance and tax" reason="No code. Paste a column, get a table.">
            <div>
                <p>
                    "Paste forty numbers from a spreadsheet, or send a CSV file of ten thousand. What a registry could not answer can be asked again on its own."
                </p>
                <p>
                    "Every question to a registry is kept: who asked, when, what was said and the consultation number, on one printable page for "
                    <a href="/docs/evidence" rel="external">"the auditor"</a>
                    "."
                </p>
            </div>
        </Docket>
        <Docket
            id="plan"
            heading="The Standard plan"
            reason="What an account may use unless something else was agreed. Test keys use none of it."
        >
            <div>
                <dl class="figure-row">
                    <div><dt>"Requests a minute"</dt><dd>"100"</dd></div>
                    <div><dt>"Numbers a request"</dt><dd>"100"</dd></div>
                    <div><dt>"Numbers a month"</dt><dd>"50,000"</dd></div>
                </dl>
                <p>
                    <a href="/docs/limits" rel="external">"How they are counted"</a>
                    ", and "
                    <a href="/docs/registry-terms" rel="external">"what the registries allow"</a>
                    "."
                </p>
                <p class="button-row">
                    <a class="button" data-kind="primary" href="/sign-up" rel="external">"Get a key"</a>
                </p>
            </div>
        </Docket>
    }
    .into_any()
}
