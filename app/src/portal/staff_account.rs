//! `/staff/accounts/…`: one account as support sees it. Of keys what is shown of them, of checks how many there were: whom a
//! customer asks about is not told.

use leptos::prelude::*;

use super::claim_links::claim_links;
use super::staff_accounts::AccountStanding;
use super::staff_audit::what_cell;
use super::{ClaimLinkRow, Instant, KeyRow, KeyState, ServerView, grouped};
use crate::components::{
    ApiKey, Docket, Fact, FactList, Moment, Notice, PageHeader, StatusTag, TagStatus, Tone,
};

/// What an account has used.
#[derive(Clone, Debug)]
pub struct AccountUsage {
    /// The present month.
    pub month: String,
    /// Numbers that were counted in it.
    pub used: u64,
    /// Numbers that may be.
    pub allowed: u64,
    /// Calls answered in the last 30 days.
    pub requests: u64,
    /// Numbers in them.
    pub numbers: u64,
    /// Calls refused in the last 30 days.
    pub refused: u64,
    /// Of these by error code, most first.
    pub refusals: Vec<(String, u64)>,
}

/// A member as support sees one.
#[derive(Clone, Debug)]
pub struct AccountMember {
    /// The identifier.
    pub id: String,
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The role, as a word.
    pub role: &'static str,
    /// Whether they have chosen a password.
    pub active: bool,
    /// Since when they belong to the account.
    pub since: Instant,
    /// When they ceased to.
    pub removed: Option<Instant>,
}

/// A request for keys.
#[derive(Clone, Debug)]
pub struct AccountRequest {
    /// The company's name in it.
    pub company: String,
    /// Its number.
    pub vat_number: Option<String>,
    /// The address of whoever asked, or the name when they are no member any more.
    pub asker: String,
    /// What became of it.
    pub state: &'static str,
    /// When it was asked.
    pub asked: Instant,
    /// Why it was declined.
    pub reason: Option<String>,
}

/// Something that was done.
#[derive(Clone, Debug)]
pub struct AccountDeed {
    /// What.
    pub what: String,
    /// What a reader needs beside that.
    pub detail: String,
    /// Who did it.
    pub by: String,
    /// When.
    pub when: Instant,
}

/// `/staff/accounts/…`
#[derive(Clone, Debug)]
pub struct StaffAccount {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub standing: AccountStanding,
    /// When it was made.
    pub since: Instant,
    /// What its plan is called.
    pub plan: String,
    /// Requests a minute, and whether they are other than the plan's.
    pub requests_per_minute: (String, bool),
    /// Numbers a month, and whether they are other than the plan's.
    pub numbers_per_month: (String, bool),
    /// The numbers in whose name registries are asked.
    pub requesters: Vec<String>,
    /// Where it sells from.
    pub supplier_country: Option<String>,
    /// What was used; nothing when that cannot be told at present.
    pub usage: Option<AccountUsage>,
    /// Checks of which evidence is kept: all, and those of the last 30 days.
    pub evidence: (u64, u64),
    /// Its keys, newest first.
    pub keys: Vec<KeyRow>,
    /// The links to keys that were sent to its people.
    pub links: Vec<ClaimLinkRow>,
    /// Its people, those who were removed too.
    pub members: Vec<AccountMember>,
    /// What it asked, newest first.
    pub requests: Vec<AccountRequest>,
    /// What happened lately, newest first.
    pub deeds: Vec<AccountDeed>,
    /// The address of everything that happened, and in how many words.
    pub all_deeds: (String, String),
    /// What was just done, or found.
    pub done: Option<String>,
}

fn or_plans((limit, is_own): &(String, bool)) -> String {
    if *is_own {
        format!("{limit}, agreed with this account")
    } else {
        format!("{limit}, as the plan has it")
    }
}

impl AccountUsage {
    fn view(self, evidence: (u64, u64)) -> AnyView {
        let (used, allowed) = (grouped(self.used), grouped(self.allowed));
        let refusals = self.refusals.iter().enumerate().map(|(place, (code, calls))| {
            let comma = if place > 0 { ", " } else { "" };
            view! {
                {comma}
                {grouped(*calls)}
                " "
                <code>{code.clone()}</code>
            }
        });
        let refusals = refusals.collect_view();
        let (all, lately) = evidence;
        view! {
            <dl class="figure-row">
                <div>
                    <dt id="used">{format!("Counted in {}", self.month)}</dt>
                    <dd>{used.clone()}</dd>
                    <dd>
                        <meter
                            class="meter"
                            aria-labelledby="used"
                            min="0"
                            max=self.allowed.max(1).to_string()
                            high=(self.allowed / 10 * 9).to_string()
                            optimum="0"
                            value=self.used.to_string()
                        >
                            {format!("{used} of {allowed}")}
                        </meter>
                    </dd>
                    <dd>{format!("of {allowed} numbers")}</dd>
                </div>
                <div>
                    <dt>"Requests, 30 days"</dt>
                    <dd>{grouped(self.requests)}</dd>
                    <dd>{format!("with {} numbers", grouped(self.numbers))}</dd>
                </div>
                <div>
                    <dt>"Refused, 30 days"</dt>
                    <dd>{grouped(self.refused)}</dd>
                    <dd>{refusals}</dd>
                </div>
                <div>
                    <dt>"Checks with evidence"</dt>
                    <dd>{grouped(all)}</dd>
                    <dd>{format!("{} of the last 30 days", grouped(lately))}</dd>
                </div>
            </dl>
        }
        .into_any()
    }
}

fn key_row(account: &str, key: KeyRow) -> AnyView {
    let prefix = if key.live { "cv_live_" } else { "cv_test_" };
    let origin = format!("{}, by {}", if key.live { "Live" } else { "Test" }, key.made_by);
    let (status, ended) = match key.state {
        KeyState::Active => (TagStatus::Active, false),
        KeyState::Expiring => (TagStatus::Expiring, false),
        KeyState::Expired => (TagStatus::Expired, true),
        KeyState::Revoked => (TagStatus::Revoked, true),
    };
    let revoke = format!("/staff/accounts/{account}/keys/{}/revoke", key.id);
    let label = format!("Revoke {}, ending {}", key.name, key.last_four);
    view! {
        <tr role="row" data-state=ended.then_some("ended") id=format!("key-{}", key.id)>
            <th role="rowheader" scope="row" data-kind="title">
                {key.name}
                " "
                <small>{origin}</small>
            </th>
            <td role="cell" data-kind="time" data-label="Key">
                <ApiKey prefix=prefix last_four=key.last_four />
            </td>
            <td role="cell" data-kind="status">
                <StatusTag status=status />
            </td>
            <td role="cell" data-kind="time" data-label="Last used">
                {match key.last_used {
                    Some(at) => view! { <Moment at=at /> }.into_any(),
                    None => "Never used".into_any(),
                }}
            </td>
            <td role="cell" data-kind="time" data-label=if ended { "Ended" } else { "Expires" }>
                {match key.ends {
                    Some(at) => view! { <Moment at=at /> }.into_any(),
                    None => "Never".into_any(),
                }}
            </td>
            <td role="cell" data-kind="actions">
                {(!ended)
                    .then(|| {
                        view! {
                            <a href=revoke rel="external" aria-label=label>
                                "Revoke"
                            </a>
                        }
                    })}
            </td>
        </tr>
    }
    .into_any()
}

fn keys(account: &str, rows: Vec<KeyRow>) -> AnyView {
    if rows.is_empty() {
        return view! { <p>"It has no key."</p> }.into_any();
    }
    view! {
        <div class="data-table">
            <table role="table">
                <caption>"Never the secret: prefix and last four, as the customer sees them"</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col" data-kind="title">"Name"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Key"</th>
                        <th role="columnheader" scope="col" data-kind="status">"State"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Last used"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Expires"</th>
                        <th role="columnheader" scope="col" data-kind="actions">"Change"</th>
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    {rows.into_iter().map(|key| key_row(account, key)).collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

impl AccountMember {
    fn view(self, account: &str) -> AnyView {
        let gone = self.removed.is_some();
        let sign_out = (!gone && self.active).then(|| {
            let address = format!("/staff/accounts/{account}/members/{}/sign-out", self.id);
            let label = format!("Sign out {}", self.name);
            view! {
                <a href=address rel="external" aria-label=label>
                    "Sign out"
                </a>
            }
        });
        let state = match (self.removed, self.active) {
            (Some(at), _) => view! { "Removed " <Moment at=at /> }.into_any(),
            (None, true) => view! { <StatusTag status=TagStatus::Active /> }.into_any(),
            (None, false) => view! { <StatusTag status=TagStatus::Invited /> }.into_any(),
        };
        view! {
            <tr role="row" data-state=gone.then_some("ended")>
                <th role="rowheader" scope="row" data-kind="title">
                    {self.name}
                    " "
                    <small>{self.email}</small>
                </th>
                <td role="cell" data-kind="status">
                    {state}
                </td>
                <td role="cell" data-label="Role">
                    {self.role}
                </td>
                <td role="cell" data-kind="time" data-label="Since">
                    <Moment at=self.since />
                </td>
                <td role="cell" data-kind="actions">
                    {sign_out}
                </td>
            </tr>
        }
        .into_any()
    }
}

fn members(account: &str, rows: Vec<AccountMember>) -> AnyView {
    if rows.is_empty() {
        return view! { <p>"Nobody belongs to it: it was made on the command line."</p> }.into_any();
    }
    view! {
        <div class="data-table">
            <table role="table">
                <caption>"By name"</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col" data-kind="title">"Name"</th>
                        <th role="columnheader" scope="col" data-kind="status">"State"</th>
                        <th role="columnheader" scope="col">"Role"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Since"</th>
                        <th role="columnheader" scope="col" data-kind="actions">"Change"</th>
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    {rows.into_iter().map(|member| member.view(account)).collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

impl AccountRequest {
    fn view(self) -> AnyView {
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    {self.company}
                    " "
                    <small>{self.vat_number}</small>
                </th>
                <td role="cell" data-label="Answer">
                    {self.state}
                    {self.reason.map(|reason| view! { " " <small>{reason}</small> })}
                </td>
                <td role="cell" data-label="Asked by">
                    {self.asker}
                </td>
                <td role="cell" data-kind="time" data-label="When">
                    <Moment at=self.asked />
                </td>
            </tr>
        }
        .into_any()
    }
}

fn requests(rows: Vec<AccountRequest>) -> Option<AnyView> {
    (!rows.is_empty()).then(|| {
        view! {
            <section>
                <h2>"Requests for keys"</h2>
                <div class="data-table">
                    <table role="table">
                        <caption>"Newest first"</caption>
                        <thead role="rowgroup">
                            <tr role="row">
                                <th role="columnheader" scope="col" data-kind="title">"Company"</th>
                                <th role="columnheader" scope="col">"Answer"</th>
                                <th role="columnheader" scope="col">"Asked by"</th>
                                <th role="columnheader" scope="col" data-kind="time">"When"</th>
                            </tr>
                        </thead>
                        <tbody role="rowgroup">
                            {rows.into_iter().map(AccountRequest::view).collect_view()}
                        </tbody>
                    </table>
                </div>
            </section>
        }
        .into_any()
    })
}

impl AccountDeed {
    fn view(self) -> AnyView {
        view! {
            <tr role="row">
                {what_cell(self.what, self.detail)}
                <td role="cell" data-label="Who">
                    {self.by}
                </td>
                <td role="cell" data-kind="time" data-label="When">
                    <Moment at=self.when />
                </td>
            </tr>
        }
        .into_any()
    }
}

fn deeds(rows: Vec<AccountDeed>, (address, words): (String, String)) -> AnyView {
    view! {
        <section>
            <h2>"What happened"</h2>
            <div class="data-table">
                <table role="table">
                    <caption>"Newest first"</caption>
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col" data-kind="title">"What"</th>
                            <th role="columnheader" scope="col">"Who"</th>
                            <th role="columnheader" scope="col" data-kind="time">"When"</th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">{rows.into_iter().map(AccountDeed::view).collect_view()}</tbody>
                </table>
            </div>
            <p>
                <a href=address rel="external">
                    {words}
                </a>
            </p>
        </section>
    }
    .into_any()
}

impl StaffAccount {
    fn terms(&self) -> AnyView {
        let (plan, change) = (self.plan.clone(), format!("/staff/accounts/{}/plan", self.id));
        let (requests, numbers) = (or_plans(&self.requests_per_minute), or_plans(&self.numbers_per_month));
        let requesters = if self.requesters.is_empty() {
            "None".into_any()
        } else {
            self.requesters
                .iter()
                .map(|number| {
                    view! {
                        {super::history::plate(number, false)}
                        " "
                    }
                })
                .collect_view()
                .into_any()
        };
        let supplier = self.supplier_country.clone().unwrap_or_else(|| "Not set".to_owned());
        view! {
            <Docket id="plan" heading="Plan and limits" reason="A change holds from the next request on.">
                <div>
                    <FactList>
                        <Fact name="Plan">{plan}</Fact>
                        <Fact name="Requests a minute">{requests}</Fact>
                        <Fact name="Numbers a month">{numbers}</Fact>
                        <Fact name="Own numbers">{requesters}</Fact>
                        <Fact name="Sells from">{supplier}</Fact>
                    </FactList>
                    <p class="button-row">
                        <a class="button" href=change rel="external">
                            "Change plan or limits"
                        </a>
                    </p>
                </div>
            </Docket>
        }
        .into_any()
    }

    fn serving(&self) -> AnyView {
        if self.standing == AccountStanding::Suspended {
            let restore = format!("/staff/accounts/{}/restore", self.id);
            return view! {
                <Docket
                    id="restore"
                    heading="Restore"
                    reason="Its keys are refused now, and its people can check nothing. Keys that have not ended open again within a second."
                >
                    <p class="button-row">
                        <a class="button" href=restore rel="external">
                            "Restore the account"
                        </a>
                    </p>
                </Docket>
            }
            .into_any();
        }
        let suspend = format!("/staff/accounts/{}/suspend", self.id);
        view! {
            <Docket
                id="suspend"
                heading="Suspend"
                reason="Every key of the account is refused within a second. History stays readable. You can restore it here."
            >
                <p class="button-row">
                    <a class="button" data-kind="danger" href=suspend rel="external">
                        "Suspend the account"
                    </a>
                </p>
            </Docket>
        }
        .into_any()
    }
}

impl ServerView for StaffAccount {
    fn title(&self) -> String {
        self.name.clone()
    }

    fn view(self) -> AnyView {
        let (terms, serving) = (self.terms(), self.serving());
        let figures = match self.usage {
            Some(usage) => usage.view(self.evidence),
            None => view! {
                <Notice tone=Tone::Note>
                    <p>"What was used cannot be told at present. Nothing of it is lost; look again in a minute."</p>
                </Notice>
            }
            .into_any(),
        };
        let issue = format!("/staff/accounts/{}/issue", self.id);
        view! {
            <PageHeader heading=self.name back=("/staff/accounts", "Accounts")>
                <p>
                    <StatusTag status=self.standing.tag() />
                    " "
                    {self.plan}
                    " plan, an account since "
                    <Moment at=self.since />
                </p>
            </PageHeader>
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            {figures}
            <section>
                <h2>"Keys"</h2>
                {keys(&self.id, self.keys)}
                <p class="button-row">
                    <a class="button" href=issue rel="external">
                        "Issue a key by phone"
                    </a>
                </p>
            </section>
            {claim_links(self.links, false)}
            <section>
                <h2>"Members"</h2>
                {members(&self.id, self.members)}
            </section>
            {requests(self.requests)}
            {deeds(self.deeds, self.all_deeds)}
            {terms}
            {serving}
        }
        .into_any()
    }
}
