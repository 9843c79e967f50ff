//! `/staff/audit`: who did what, when, to whom and from where.

use leptos::prelude::*;

use super::{Fault, Instant, ServerView};
use crate::components::{ErrorSummary, FilterBar, FilterChoice, FilterField, Moment, PageHeader, Pager};

/// What the address asks for, as it was typed.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// The deed's code; empty for all.
    pub deed: String,
    /// Part of a person's address.
    pub person: String,
    /// An account, by name or part of it.
    pub account: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
}

/// An event in words.
#[derive(Clone, Debug)]
pub struct AuditRow {
    /// What was done.
    pub what: String,
    /// What a reader needs beside that.
    pub detail: String,
    /// The account it concerns: its page and its name.
    pub account: Option<(String, String)>,
    /// What or whom it was done to.
    pub subject: Option<String>,
    /// Who did it.
    pub by: String,
    /// The person's address.
    pub by_address: Option<String>,
    /// When.
    pub when: Instant,
    /// From which address of the network.
    pub from: Option<String>,
}

/// `/staff/audit`
#[derive(Clone, Debug)]
pub struct StaffAudit {
    /// The filter.
    pub query: AuditQuery,
    /// What of it needs changing.
    pub faults: Vec<Fault>,
    /// The deeds there are: code and words.
    pub deeds: Vec<(String, String)>,
    /// What the table lists.
    pub caption: String,
    /// Newest first.
    pub rows: Vec<AuditRow>,
    /// Which of how many are shown.
    pub part: String,
    /// The address of the page before.
    pub newer: Option<String>,
    /// The address of the page after.
    pub older: Option<String>,
    /// The address of all of it as a file.
    pub csv: String,
}

impl AuditRow {
    fn view(self) -> AnyView {
        let account = self.account.map(|(address, name)| {
            view! {
                <a href=address rel="external">
                    {name}
                </a>
            }
        });
        view! {
            <tr role="row">
                {what_cell(self.what, self.detail)}
                <td role="cell" data-label="To whom">
                    {account}
                    {self.subject.map(|subject| view! { " " <small>{subject}</small> })}
                </td>
                <td role="cell" data-label="By">
                    {self.by}
                    {self.by_address.map(|address| view! { " " <small>{address}</small> })}
                </td>
                <td role="cell" data-kind="time" data-label="When">
                    <Moment at=self.when />
                </td>
                <td role="cell" data-label="From">
                    {self.from}
                </td>
            </tr>
        }
        .into_any()
    }
}

/// What was done, with its detail below.
pub(super) fn what_cell(what: String, detail: String) -> AnyView {
    view! {
        <th role="rowheader" scope="row" data-kind="title">
            {what}
            {(!detail.is_empty()).then(|| view! { " " <small>{detail}</small> })}
        </th>
    }
    .into_any()
}

fn table(caption: String, rows: Vec<AuditRow>) -> AnyView {
    view! {
        <div class="data-table">
            <table role="table">
                <caption>{caption}</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col" data-kind="title">"What"</th>
                        <th role="columnheader" scope="col">"To whom"</th>
                        <th role="columnheader" scope="col">"By"</th>
                        <th role="columnheader" scope="col" data-kind="time" aria-sort="descending">
                            "When"
                        </th>
                        <th role="columnheader" scope="col">"From"</th>
                    </tr>
                </thead>
                <tbody role="rowgroup">{rows.into_iter().map(AuditRow::view).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

impl AuditQuery {
    fn is_empty(&self) -> bool {
        [&self.deed, &self.person, &self.account, &self.from, &self.to]
            .into_iter()
            .all(|typed| typed.trim().is_empty())
    }

    fn bar(self, deeds: Vec<(String, String)>, faults: &[Fault]) -> AnyView {
        let needs_change = |name: &str| faults.iter().any(|fault| fault.field == name);
        let (from_faulty, to_faulty) = (needs_change("from"), needs_change("to"));
        view! {
            <FilterBar action="/staff/audit">
                <FilterField name="account" label="Company" kind="search" value=self.account />
                <FilterField name="person" label="Person’s email address" kind="search" value=self.person />
                <FilterChoice name="deed" label="What" all="Anything" options=deeds chosen=self.deed />
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
                    <h2>"Nothing has been done yet"</h2>
                    <p>"Whatever is changed here or on the command line will be listed with who did it."</p>
                </div>
            }
            .into_any();
        }
        view! {
            <div class="empty-state">
                <h2>"No entry matches"</h2>
                <p>"None of the entries is all of what is asked for above."</p>
                <p class="button-row">
                    <a href="/staff/audit" rel="external">
                        "Show all entries"
                    </a>
                </p>
            </div>
        }
        .into_any()
    }
}

impl ServerView for StaffAudit {
    fn title(&self) -> String {
        "Audit".to_owned()
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
            <PageHeader heading="Audit">
                <p>
                    "Who did what, when, to whom. Entries are only ever added; the operator’s "
                    <code>"crossvat verify-audit"</code> " shows whether one was changed."
                </p>
                <div class="button-row">
                    <a class="button" href=self.csv rel="external" download>
                        "Download as CSV"
                    </a>
                </div>
            </PageHeader>
            {self.query.bar(self.deeds, &self.faults)}
            {list}
        }
        .into_any()
    }
}
