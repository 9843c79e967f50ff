//! `/portal/history`: every question to a registry, searched and filtered, newest first.

use leptos::prelude::*;
use vat::{Status, VatNumber};

use super::{Fault, Instant, ServerView};
use crate::components::{
    ErrorSummary, FilterBar, FilterChoice, FilterField, Moment, NumberPlate, PageHeader, Pager, StatusTag,
};

/// What the address asks for, as it was typed.
#[derive(Clone, Debug, Default)]
pub struct HistoryQuery {
    /// Part of a number, a name or a consultation number.
    pub find: String,
    /// The outcome's code; empty for all.
    pub outcome: String,
    /// The registry's code; empty for all.
    pub registry: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
}

/// Whose name stands with a number.
#[derive(Clone, Debug)]
pub enum Trader {
    /// As the registry gives it.
    Named(String),
    /// Why there is none, where that is worth telling.
    Unnamed(String),
}

/// One question and what was said.
#[derive(Clone, Debug)]
pub struct HistoryRow {
    /// Its identifier.
    pub id: String,
    /// The number, as it was asked.
    pub vat_number: String,
    /// What was said.
    pub status: Status,
    /// The trader.
    pub trader: Trader,
    /// Who was asked.
    pub registry: String,
    /// When the answer came.
    pub when: Instant,
    /// Which key or member asked.
    pub by: String,
    /// The registry's proof.
    pub consultation_number: Option<String>,
}

/// `/portal/history`
#[derive(Clone, Debug)]
pub struct History {
    /// The filter.
    pub query: HistoryQuery,
    /// What of it needs changing.
    pub faults: Vec<Fault>,
    /// What the table lists.
    pub caption: String,
    /// Newest first.
    pub rows: Vec<HistoryRow>,
    /// Which of how many are shown.
    pub part: String,
    /// The address of the page before.
    pub newer: Option<String>,
    /// The address of the page after.
    pub older: Option<String>,
    /// The address of all of it as a file.
    pub csv: String,
}

/// The number on a plate where it can be read, as it always can where it was asked.
pub(super) fn plate(text: &str, large: bool) -> AnyView {
    match VatNumber::parse(text).number() {
        Some(number) => {
            let groups = number.groups().map(ToOwned::to_owned).collect();
            let (code, country) = (number.prefix().as_str(), number.prefix().country_name());
            view! { <NumberPlate code=code country=country groups=groups large=large /> }.into_any()
        }
        None => view! { <code>{text.to_owned()}</code> }.into_any(),
    }
}

impl HistoryRow {
    fn view(self) -> AnyView {
        let address = format!("/portal/history/{}", self.id);
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    <a href=address rel="external">
                        {plate(&self.vat_number, false)}
                    </a>
                </th>
                <td role="cell" data-kind="status">
                    <StatusTag status=self.status />
                </td>
                {match self.trader {
                    Trader::Named(name) => view! { <td role="cell" data-kind="wide">{name}</td> }.into_any(),
                    Trader::Unnamed(why) if why.is_empty() => {
                        view! { <td role="cell" data-kind="wide"></td> }.into_any()
                    }
                    Trader::Unnamed(why) => {
                        view! {
                            <td role="cell" data-kind="wide">
                                <small>{why}</small>
                            </td>
                        }
                            .into_any()
                    }
                }}
                <td role="cell" data-label="Registry">
                    {self.registry}
                </td>
                <td role="cell" data-kind="time" data-label="When">
                    <Moment at=self.when />
                </td>
                <td role="cell" data-label="By">
                    {self.by}
                </td>
                {match self.consultation_number {
                    Some(number) => {
                        view! {
                            <td role="cell" data-label="Consultation number">
                                <code>{number}</code>
                            </td>
                        }
                            .into_any()
                    }
                    None => view! { <td role="cell"></td> }.into_any(),
                }}
            </tr>
        }
        .into_any()
    }
}

fn table(caption: String, rows: Vec<HistoryRow>) -> AnyView {
    view! {
        <div class="data-table">
            <table role="table">
                <caption>{caption}</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col" data-kind="title">"Number"</th>
                        <th role="columnheader" scope="col" data-kind="status">"Outcome"</th>
                        <th role="columnheader" scope="col" data-kind="wide">"Name"</th>
                        <th role="columnheader" scope="col">"Registry"</th>
                        <th role="columnheader" scope="col" data-kind="time" aria-sort="descending">
                            "When"
                        </th>
                        <th role="columnheader" scope="col">"By"</th>
                        <th role="columnheader" scope="col">"Consultation number"</th>
                    </tr>
                </thead>
                <tbody role="rowgroup">{rows.into_iter().map(HistoryRow::view).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

impl HistoryQuery {
    /// Whether it leaves anything out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [&self.find, &self.outcome, &self.registry, &self.from, &self.to]
            .into_iter()
            .all(|typed| typed.trim().is_empty())
    }

    fn bar(self, faults: &[Fault]) -> AnyView {
        let needs_change = |name: &str| faults.iter().any(|fault| fault.field == name);
        let outcomes = [Status::Valid, Status::NotRegistered, Status::Malformed, Status::Unavailable];
        let outcomes = outcomes.map(|status| (status.as_str().to_owned(), status.word().to_owned())).to_vec();
        let (from_faulty, to_faulty) = (needs_change("from"), needs_change("to"));
        view! {
            <FilterBar action="/portal/history">
                <FilterField
                    name="find"
                    label="Number, name or consultation number"
                    kind="search"
                    value=self.find
                />
                <FilterChoice
                    name="outcome"
                    label="Outcome"
                    all="Any"
                    options=outcomes
                    chosen=self.outcome
                />
                <FilterChoice
                    name="registry"
                    label="Registry"
                    all="Both"
                    options=super::registries()
                    chosen=self.registry
                />
                <FilterField name="from" label="From" kind="date" value=self.from faulty=from_faulty />
                <FilterField name="to" label="To" kind="date" value=self.to faulty=to_faulty />
            </FilterBar>
        }
        .into_any()
    }

    fn nothing(&self) -> AnyView {
        if self.is_empty() {
            return view! {
                <div class="empty-state">
                    <h2>"Nothing has been checked yet"</h2>
                    <p>
                        "Every question to a registry will be listed here with its proof. Answers of a test key are not: no registry is asked."
                    </p>
                </div>
            }
            .into_any();
        }
        view! {
            <div class="empty-state">
                <h2>"No check matches"</h2>
                <p>"None of this account’s checks is all of what is asked for above."</p>
                <p class="button-row">
                    <a href="/portal/history" rel="external">
                        "Show all checks"
                    </a>
                </p>
            </div>
        }
        .into_any()
    }
}

impl ServerView for History {
    fn title(&self) -> String {
        "History".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let list = if !self.faults.is_empty() {
            ().into_any()
        } else if self.rows.is_empty() {
            self.query.nothing()
        } else {
            view! {
                {table(self.caption, self.rows)}
                <Pager part=self.part newer=self.newer older=self.older />
            }
            .into_any()
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading="History">
                <p>
                    "Every question put to a registry for you, and what it said. Answers taken from an earlier check are not listed twice."
                </p>
                <div class="button-row">
                    <a class="button" href=self.csv rel="external" download>
                        "Download as CSV"
                    </a>
                </div>
            </PageHeader>
            {self.query.bar(&self.faults)}
            {list}
        }
        .into_any()
    }
}
