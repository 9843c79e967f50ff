//! `/portal/history/…`: one check as a document, which prints on one sheet.

use leptos::prelude::*;
use vat::Status;

use super::{ServerView, history::plate};
use crate::components::{ExactMoment, Fact, FactList, Finding, Guilloche, SheetWordmark, StatusTag};

/// One question to a registry with its answer.
#[derive(Clone, Debug)]
pub struct EvidenceSheet {
    /// The number, as it was asked.
    pub vat_number: String,
    /// What was said.
    pub status: Status,
    /// The day, for the title.
    pub day: String,
    /// The finding: the trader's name, or what is true of the number.
    pub heading: String,
    /// When who said what, as a sentence.
    pub sentence: String,
    /// As the registry gives it, or why there is none.
    pub name: String,
    /// As the registry gives it.
    pub address: Option<String>,
    /// The registry's proof, or why there is none.
    pub proof: Result<String, String>,
    /// When the answer came, to the millisecond: for programs, and for people.
    pub answered: (String, String),
    /// The registry's own words for the day.
    pub registry_dated: Option<String>,
    /// The account's name: whose evidence it is.
    pub company: String,
    /// The number in whose name the registry was asked.
    pub requester: Option<String>,
    /// Whether the registry refused that number.
    pub requester_refused: bool,
    /// Which key or member asked.
    pub by: String,
    /// The identifier of the call.
    pub request_id: String,
    /// The identifier of this row.
    pub record: String,
}

impl EvidenceSheet {
    fn said(&self) -> AnyView {
        let answered = self.status != Status::Unavailable;
        let heading = if answered { "What the registry said" } else { "What came of it" };
        let name = answered.then(|| {
            let name = self.name.clone();
            view! { <Fact name="Name">{name}</Fact> }
        });
        let address = self.address.clone().map(|address| view! { <Fact name="Address">{address}</Fact> });
        let proof = match self.proof.clone() {
            Ok(proof) => view! { <span class="proof">{proof}</span> }.into_any(),
            Err(why) => why.into_any(),
        };
        let dated =
            self.registry_dated.clone().map(|day| view! { <Fact name="Dated by the registry">{day}</Fact> });
        let (number, (datetime, at)) = (self.vat_number.clone(), self.answered.clone());
        view! {
            <h2>{heading}</h2>
            <FactList>
                <Fact name="VAT number">
                    <code>{number}</code>
                </Fact>
                {name}
                {address}
                <Fact name="Consultation number">{proof}</Fact>
                <Fact name=if answered { "Answered" } else { "Given up" }>
                    <ExactMoment datetime=datetime words=at />
                </Fact>
                {dated}
            </FactList>
        }
        .into_any()
    }

    fn asked(&self) -> AnyView {
        let requester = match (self.requester.clone(), self.requester_refused) {
            (Some(number), false) => view! { <code>{number}</code> }.into_any(),
            (Some(number), true) => view! {
                "Nobody: the registry does not know the requester "
                <code>{number}</code>
            }
            .into_any(),
            (None, _) => "Nobody: no requester was named".into_any(),
        };
        let (company, by) = (self.company.clone(), self.by.clone());
        let (request, record) = (self.request_id.clone(), self.record.clone());
        view! {
            <h2>"What was asked"</h2>
            <FactList>
                <Fact name="Company">{company}</Fact>
                <Fact name="In the name of">{requester}</Fact>
                <Fact name="By">{by}</Fact>
                <Fact name="Request">
                    <code>{request}</code>
                </Fact>
                <Fact name="Record">
                    <code>{record}</code>
                </Fact>
            </FactList>
        }
        .into_any()
    }

    const fn remark(&self) -> &'static str {
        match self.status {
            Status::Unavailable => {
                "This page shows that the question was sent and not answered. It says nothing about the number."
            }
            _ if self.proof.is_ok() => {
                "The consultation number is the registry’s own proof that it was asked on this day by this requester; the tax authority can look it up. This page shows what the registry answered then. It does not say that the number is still registered now, nor that the trader is who they claim to be."
            }
            _ => {
                "This page shows what the registry answered then. It does not say what is registered now, nor that the trader is who they claim to be."
            }
        }
    }
}

impl ServerView for EvidenceSheet {
    fn title(&self) -> String {
        format!("Evidence: {}, {}", self.vat_number, self.day)
    }

    fn view(self) -> AnyView {
        let (said, asked, remark) = (self.said(), self.asked(), self.remark());
        view! {
            <div class="page-header">
                <a class="back" href="/portal/history" rel="external">
                    "← History"
                </a>
                <div class="button-row">
                    <button class="button" data-kind="primary" data-needs="script" data-prints type="button">
                        "Print"
                    </button>
                </div>
            </div>
            <article class="evidence-sheet">
                <header>
                    <SheetWordmark />
                    <p>"Evidence of a VAT number check"</p>
                </header>
                <Guilloche />
                <h1>{self.heading}</h1>
                <Finding>{plate(&self.vat_number, true)} <StatusTag status=self.status large=true /></Finding>
                <p>{self.sentence}</p>
                {said}
                {asked}
                <footer>
                    <p>{remark}</p>
                </footer>
            </article>
        }
        .into_any()
    }
}
