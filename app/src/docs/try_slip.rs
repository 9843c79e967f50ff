//! The slip at the head of the start page: a number of the sandbox, asked without an account. Only the server writes it;
//! it stands in a page that the script takes over, which leaves it as it was sent.

use leptos::prelude::*;
use vat::{Registry, Status, VatNumber as Number};

use super::json::json_markup;
use crate::components::{
    Fact, FactList, Finding, Listing, Moment, StatusTag, TagStatus, VatNumber, field_error,
};
use crate::portal::Instant;

/// Numbers to ask about, each with what it shows.
const SAMPLES: [(&str, &str); 4] = [
    ("GB999910095", "A British one"),
    ("gr 999 991 006", "Greek, as people write it"),
    ("FR76999992001", "Not registered"),
    ("FR20999993017", "A registry that is down"),
];

/// What the sandbox said.
#[derive(Clone, Debug)]
pub struct SandboxAnswer {
    /// The number in canonical form, or what was typed.
    pub number: String,
    /// What came of it.
    pub status: Status,
    /// Whether it is one of the sandbox's numbers, or none that any registry is asked about.
    pub known: bool,
    /// The trader's name.
    pub name: Option<String>,
    /// The trader's address.
    pub address: Option<String>,
    /// When the answer came.
    pub answered: Instant,
    /// Whether, and why, the reverse charge may apply.
    pub reverse_charge: String,
    /// What else there is to say.
    pub advice: Vec<String>,
    /// The answer of the API, indented.
    pub json: String,
}

/// What came of a try.
#[derive(Clone, Debug)]
pub enum Tried {
    /// An answer.
    Answer(Box<SandboxAnswer>),
    /// Nothing was asked: what to do, beside the field.
    Refused(String),
}

/// The slip.
#[derive(Clone, Debug)]
pub struct TrySlip {
    /// What stands in its field.
    pub typed: String,
    /// What came of it.
    pub tried: Tried,
}

/// Writes the slip: what stands in its element.
#[must_use]
pub fn write_try_slip(slip: TrySlip) -> String {
    Owner::new().with(|| slip.view().to_html())
}

impl TrySlip {
    fn view(self) -> AnyView {
        let (fault, answer) = match self.tried {
            Tried::Refused(words) => (Some(words), None),
            Tried::Answer(answer) => (None, Some(view! { <div>{answer.view()}</div> })),
        };
        let described = if fault.is_some() { "try-hint try-error" } else { "try-hint" };
        let invalid = fault.is_some().then_some("true");
        let fault = field_error("try-error", fault);
        let samples = SAMPLES.map(|(number, name)| {
            let address = format!("/?try={}#first-try", number.replace(' ', "+"));
            view! {
                <li>
                    <a href=address rel="external">
                        {name}
                    </a>
                </li>
            }
        });
        view! {
            <form class="field" method="get" action="/#first-try">
                <label for="try" id="try-label">
                    "Try it: ask the sandbox"
                </label>
                <p class="hint" id="try-hint">
                    "Invented traders, real rules. No key is needed, and no registry is asked."
                </p>
                {fault}
                <div>
                    <input
                        id="try"
                        name="try"
                        type="text"
                        value=self.typed
                        aria-describedby=described
                        aria-invalid=invalid
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-face="mono"
                    />
                    <button class="button" data-kind="primary" type="submit">
                        "Check"
                    </button>
                </div>
                <ul class="samples" role="list">
                    {samples.into_iter().collect_view()}
                </ul>
            </form>
            {answer}
        }
        .into_any()
    }
}

impl SandboxAnswer {
    fn view(self) -> AnyView {
        let number = Number::parse(&self.number).number();
        let plate = match number {
            Some(number) => view! { <VatNumber number=number large=true /> }.into_any(),
            None => view! { <code dir="ltr">{self.number.clone()}</code> }.into_any(),
        };
        let registry = number.map(|number| number.registry());
        if !self.known {
            return unknown(plate, registry);
        }
        let answered = self.answered.clone();
        let by = registry.filter(|_| self.status != Status::Unavailable).map(|registry| {
            view! {
                <Fact name="Answered by">
                    {format!("{}, as the sandbox plays it, ", registry.name())} <Moment at=answered />
                </Fact>
            }
        });
        let name = self.name.map(|name| view! { <Fact name="Name">{name}</Fact> });
        let address = self.address.map(|address| view! { <Fact name="Address">{address}</Fact> });
        let noticed: Vec<_> = self.advice.into_iter().map(|words| view! { <p>{words}</p> }).collect();
        let noticed =
            (!noticed.is_empty()).then(|| view! { <Fact name="Noticed">{noticed.into_view()}</Fact> });
        let reverse_charge = (self.status == Status::Valid)
            .then(|| view! { <Fact name="Reverse charge">{self.reverse_charge}</Fact> });
        view! {
            <Finding>{plate} <StatusTag status=self.status large=true /></Finding>
            <FactList>{name} {address} {by} {reverse_charge} {noticed}</FactList>
            <details>
                <summary>"The same as a program gets it"</summary>
                <Listing id="tried-json".to_owned() title="Answer of the API" code=json_markup(&self.json) />
            </details>
        }
        .into_any()
    }
}

/// A number that could be anybody's: what the sandbox would say of it must not be taken for an answer.
fn unknown(plate: AnyView, registry: Option<Registry>) -> AnyView {
    let asked = registry.map_or("a registry", Registry::name);
    view! {
        <Finding>{plate} <StatusTag status=TagStatus::NotAsked large=true /></Finding>
        <p>
            {format!(
                "This is well formed, but not one of the sandbox’s numbers, so there is nothing to show here. With a live key {asked} is asked.",
            )}
        </p>
        <p>
            <a href="/docs/sandbox" rel="external">
                "The numbers that the sandbox knows"
            </a>
        </p>
    }
    .into_any()
}
