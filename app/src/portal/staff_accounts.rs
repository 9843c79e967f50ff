//! `/staff/accounts`: every account, found by whatever somebody has at hand of it.

use leptos::prelude::*;

use super::{Instant, ServerView, grouped};
use crate::components::{FilterField, Moment, Notice, PageHeader, PageLinks, StatusTag, TagStatus, Tone};

/// How an account stands with us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStanding {
    /// It is served.
    Active,
    /// It waits for an answer to its request for keys.
    Waiting,
    /// It is not served.
    Suspended,
}

/// An account as it is listed.
#[derive(Clone, Debug)]
pub struct AccountItem {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub standing: AccountStanding,
    /// What its plan is called.
    pub plan: String,
    /// How many people belong to it.
    pub members: u64,
    /// When one of its keys was last used.
    pub last_used: Option<Instant>,
    /// An owner's address.
    pub owner: Option<String>,
}

/// `/staff/accounts`
#[derive(Clone, Debug)]
pub struct StaffAccounts {
    /// What is searched for, as it may be shown.
    pub find: String,
    /// By name.
    pub items: Vec<AccountItem>,
    /// How many are on the pages before.
    pub offset: u64,
    /// How many were found.
    pub total: u64,
    /// How many are on a full page.
    pub size: u64,
    /// The address of a page, to which its number is added.
    pub pages: String,
    /// What became of a key that was looked up.
    pub note: Option<&'static str>,
}

impl AccountStanding {
    /// The tag for it.
    pub(super) const fn tag(self) -> TagStatus {
        match self {
            Self::Active => TagStatus::Active,
            Self::Waiting => TagStatus::Waiting,
            Self::Suspended => TagStatus::Suspended,
        }
    }
}

impl AccountItem {
    fn view(self) -> AnyView {
        let address = format!("/staff/accounts/{}", self.id);
        let last_used = match self.last_used {
            Some(at) => view! { <Moment at=at /> }.into_any(),
            None => "Never".into_any(),
        };
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    <a href=address rel="external">
                        {self.name}
                    </a>
                </th>
                <td role="cell" data-kind="status">
                    <StatusTag status=self.standing.tag() />
                </td>
                <td role="cell" data-label="Plan">
                    {self.plan}
                </td>
                <td role="cell" data-kind="number" data-label="Members">
                    {grouped(self.members)}
                </td>
                <td role="cell" data-kind="time" data-label="Key last used">
                    {last_used}
                </td>
                <td role="cell" data-label="Owner">
                    {self.owner}
                </td>
            </tr>
        }
        .into_any()
    }
}

impl StaffAccounts {
    fn nothing(&self) -> AnyView {
        if self.find.is_empty() {
            return view! {
                <div class="empty-state">
                    <h2>"No account yet"</h2>
                    <p>"An account is listed here as soon as somebody has signed up."</p>
                </div>
            }
            .into_any();
        }
        view! {
            <div class="empty-state">
                <h2>"No account matches"</h2>
                <p>
                    "Company, address, number and key were looked through. Of a key only its end is kept: paste the whole key, or its last four characters."
                </p>
                <p class="button-row">
                    <a href="/staff/accounts" rel="external">
                        "Show all accounts"
                    </a>
                </p>
            </div>
        }
        .into_any()
    }

    fn table(self) -> AnyView {
        let caption = match (self.total, self.find.is_empty()) {
            (1, _) => "1 account".to_owned(),
            (total, true) => format!("{} accounts, by name", grouped(total)),
            (total, false) => format!("{} accounts match, by name", grouped(total)),
        };
        let (offset, total, size, pages) = (self.offset, self.total, self.size, self.pages);
        let count = self.items.len() as u64;
        let address = move |page: u64| format!("{pages}{page}");
        view! {
            <div class="data-table">
                <table role="table">
                    <caption>{caption}</caption>
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col" data-kind="title">"Company"</th>
                            <th role="columnheader" scope="col" data-kind="status">"State"</th>
                            <th role="columnheader" scope="col">"Plan"</th>
                            <th role="columnheader" scope="col" data-kind="number">"Members"</th>
                            <th role="columnheader" scope="col" data-kind="time">"Key last used"</th>
                            <th role="columnheader" scope="col">"Owner"</th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">
                        {self.items.into_iter().map(AccountItem::view).collect_view()}
                    </tbody>
                </table>
            </div>
            {(total > size).then(|| view! { <PageLinks offset count total size address /> })}
        }
        .into_any()
    }
}

impl ServerView for StaffAccounts {
    fn title(&self) -> String {
        "Accounts".to_owned()
    }

    fn view(self) -> AnyView {
        let (find, note) = (self.find.clone(), self.note);
        let list = if self.items.is_empty() { self.nothing() } else { self.table() };
        view! {
            <PageHeader heading="Accounts" />
            // Posted: a whole key must not come to stand in an address.
            <form class="filter-bar" method="post" action="/staff/accounts">
                <FilterField
                    name="find"
                    label="Company, email address, VAT number, or a key: whole, or its end"
                    kind="search"
                    value=find
                />
                <button class="button" type="submit">
                    "Find"
                </button>
            </form>
            {note
                .map(|note| {
                    view! {
                        <Notice tone=Tone::Note>
                            <p>{note}</p>
                        </Notice>
                    }
                })}
            {list}
        }
        .into_any()
    }
}
