//! `/docs/sandbox`: the numbers that test keys know, from the server's own table.

use std::sync::Arc;

use leptos::prelude::*;
use vat::Status;

use super::prose::prose;
use crate::components::{Column, DataTable, DocsLayout, StatusTag, VatNumber};
use crate::portal::ServerView;

/// A number that the sandbox knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxEntry {
    /// In canonical form.
    pub number: &'static str,
    /// What comes of it.
    pub status: Status,
    /// What it shows, in one sentence; words of code stand between backticks.
    pub says: &'static str,
    /// The name it comes with.
    pub name: Option<&'static str>,
    /// Whether it is good for failures and other rare things rather than for everyday outcomes.
    pub rare: bool,
    /// Whether it is meant to be sent as the requester.
    pub requester: bool,
}

/// `/docs/sandbox`
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Every number, in the order of the table.
    pub entries: Arc<[SandboxEntry]>,
    /// The proof that HMRC's part of the sandbox gives.
    pub hmrc_proof: &'static str,
    /// The same of VIES's part.
    pub vies_proof: &'static str,
}

impl Sandbox {
    fn table(&self, caption: &'static str, rare: bool, requester: bool) -> AnyView {
        let rows = self
            .entries
            .iter()
            .filter(|entry| entry.rare == rare && entry.requester == requester)
            .map(row)
            .collect();
        let columns = &[Column::Title("Number"), Column::Status("Outcome"), Column::Text("What it shows")];
        view! { <DataTable caption=caption columns=columns rows=rows /> }.into_any()
    }
}

fn row(entry: &SandboxEntry) -> Vec<AnyView> {
    let number = match vat::VatNumber::parse(entry.number).number() {
        Some(number) => view! { <VatNumber number=number /> }.into_any(),
        None => view! { <code>{entry.number}</code> }.into_any(),
    };
    let name = entry.name.map(|name| {
        view! {
            " "
            <span dir="auto">{name}</span>
        }
    });
    let says = view! {
        {prose(entry.says)}
        {name}
    };
    vec![number, view! { <StatusTag status=entry.status /> }.into_any(), says.into_any()]
}

impl ServerView for Sandbox {
    fn title(&self) -> String {
        "Sandbox numbers – Documentation".to_owned()
    }

    fn view(self) -> AnyView {
        let everyday = self.table("HMRC first, then VIES by country", false, false);
        let rare = self.table("What goes wrong with registries, and what takes its time", true, false);
        let requesters = self.table("To be sent as requesterVatNumbers", true, true);
        view! {
            <DocsLayout current="/docs/sandbox">
                <h1>"Sandbox numbers"</h1>
                <p>
                    "A test key ("
                    <code>"cv_test_…"</code>
                    ") never reaches a government registry and uses none of the month’s allowance. It is answered from this table, the same way every time; every trader and address in it is made up."
                </p>
                <p>
                    "A well-formed number that is not listed is answered "
                    <code>"not_registered"</code>
                    ", real ones too: a test key says nothing about any real trader. What needs no registry is real: spelling is repaired, and what is malformed or unsupported is told as it would be with a live key."
                </p>
                <p>
                    "They are for programs. The portal’s own checks always ask the registries, which know none of these numbers."
                </p>
                <section id="everyday">
                    <h2>"One of each for every country"</h2>
                    {everyday}
                </section>
                <section id="rare">
                    <h2>"Failures and delays"</h2>
                    <p>
                        "Good for a test of what your program does when it cannot be told. Each of these numbers that is “Unavailable” makes a call answer 503, unless it was sent with "
                        <code>"\"partial\": true"</code>
                        "; see "
                        <a href="/docs/outages" rel="external">
                            "outages"
                        </a>
                        "."
                    </p>
                    {rare}
                </section>
                <section id="requesters">
                    <h2>"Proof, and requesters that are refused"</h2>
                    <p>
                        "With a requester, every registered number comes with a consultation number: "
                        <code>{self.hmrc_proof}</code>
                        " from HMRC, "
                        <code>{self.vies_proof}</code>
                        " from VIES. Any well-formed number is accepted as the requester, but for these:"
                    </p>
                    {requesters}
                </section>
                <section id="digits">
                    <h2>"How they are made up"</h2>
                    <p>
                        "Nines, in some countries eights, then three digits that say what the number shows, then its check digits: DE99999 301 1. The three digits are those of the test service of VIES as far as it has one: 100 and 105 registered (the second slowly), 200 not registered, 201 form refused, 202 refused as a requester, 300 registry away, 301 member state away, 302 timeout, 303 deadline of the call, 304 unreadable, 400 blocked, 402 no credentials, 500 and 600 throttled."
                    </p>
                </section>
            </DocsLayout>
        }
        .into_any()
    }
}
