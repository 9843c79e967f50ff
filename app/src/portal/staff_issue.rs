//! `/staff/issue` and `/staff/accounts/…/issue`: a key is prepared for somebody on the phone, who takes it by a link.

use leptos::prelude::*;

use super::claim_links::claim_links;
use super::{ClaimLinkRow, Fault, ServerView};
use crate::components::{
    ButtonRow, Choice, ChoiceOption, CodeField, ErrorSummary, Field, Kind, Notice, PageHeader, Select, Tone,
};

/// For whom the key is.
#[derive(Clone, Debug)]
pub enum IssueFor {
    /// A company that has no account yet: everything as typed.
    NewCustomer {
        /// The company.
        company: String,
        /// The contact's name.
        contact: String,
        /// The contact's address.
        email: String,
        /// The plans there are: code and words.
        plans: Vec<(String, String)>,
        /// The code of the one that is chosen.
        plan: String,
        /// Empty for the plan's.
        requests_per_minute: String,
        /// Empty for the plan's.
        numbers_per_month: String,
    },
    /// A member of an account that is there.
    Member {
        /// The account's identifier.
        account_id: String,
        /// Its name.
        account: String,
        /// Its people: identifier and words.
        members: Vec<(String, String)>,
        /// The identifier of the one that is chosen.
        member: String,
    },
}

/// The page.
#[derive(Clone, Debug)]
pub struct IssueKey {
    /// For whom the key is.
    pub receiver: IssueFor,
    /// Names this form: sent twice, it sends one link.
    pub token: String,
    /// What the key will be called, as typed.
    pub name: String,
    /// `live` or `test`.
    pub kind: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// Why no key can be issued at present.
    pub closed: Option<&'static str>,
    /// The links that were sent.
    pub links: Vec<ClaimLinkRow>,
    /// What was just done.
    pub done: Option<&'static str>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

fn kinds() -> Vec<ChoiceOption> {
    [("test", "Test", "Sandbox only"), ("live", "Live", "Asks HMRC and VIES")]
        .map(|(value, words, remark)| ChoiceOption { value, words, remark: Some(remark.to_owned()) })
        .into()
}

impl IssueFor {
    fn action(&self) -> String {
        match self {
            Self::NewCustomer { .. } => "/staff/issue".to_owned(),
            Self::Member { account_id, .. } => format!("/staff/accounts/{account_id}/issue"),
        }
    }

    fn back(&self) -> (String, String) {
        match self {
            Self::NewCustomer { .. } => ("/staff".to_owned(), "Requests".to_owned()),
            Self::Member { account_id, account, .. } => {
                (format!("/staff/accounts/{account_id}"), account.clone())
            }
        }
    }

    /// Who it is.
    fn receiver(&self, faults: &[Fault]) -> AnyView {
        match self.clone() {
            Self::NewCustomer { company, contact, email, .. } => view! {
                <fieldset>
                    <legend>"The customer"</legend>
                    <Field
                        name="company"
                        label="Company"
                        hint="As it should stand on evidence pages."
                        value=company
                        faults=faults.to_vec()
                        autocomplete="off"
                    />
                    <Field
                        name="contact"
                        label="Contact’s name"
                        value=contact
                        faults=faults.to_vec()
                        autocomplete="off"
                    />
                    <Field
                        name="email"
                        label="Contact’s work email address"
                        kind=Kind::Email
                        hint="Spell it back to them. The link goes there and nowhere else."
                        value=email
                        faults=faults.to_vec()
                        autocomplete="off"
                    />
                </fieldset>
            }
            .into_any(),
            Self::Member { members, member, .. } => view! {
                <fieldset>
                    <legend>"The customer"</legend>
                    <Select
                        name="member"
                        label="For whom"
                        hint="Viewers take no keys. An earlier link to them that was not used is withdrawn."
                        options=members
                        chosen=member
                    />
                </fieldset>
            }
            .into_any(),
        }
    }

    /// What the account may use, where that is still to be said.
    fn limits(&self, faults: &[Fault]) -> AnyView {
        let Self::NewCustomer { plans, plan, requests_per_minute, numbers_per_month, .. } = self.clone()
        else {
            return ().into_any();
        };
        let limits = ["requests_per_minute", "numbers_per_month"];
        let open = faults.iter().any(|fault| limits.contains(&fault.field))
            || !requests_per_minute.is_empty()
            || !numbers_per_month.is_empty();
        view! {
            <Select
                name="plan"
                label="Plan"
                hint="What the account may use."
                options=plans
                chosen=plan
            />
            <details open=open>
                <summary>"Other limits than the plan’s"</summary>
                <Field
                    name="requests_per_minute"
                    label="Requests a minute"
                    hint="Leave empty for the plan’s."
                    value=requests_per_minute
                    faults=faults.to_vec()
                    autocomplete="off"
                    width="short"
                    optional=true
                />
                <Field
                    name="numbers_per_month"
                    label="Numbers a month"
                    hint="Leave empty for the plan’s."
                    value=numbers_per_month
                    faults=faults.to_vec()
                    autocomplete="off"
                    width="short"
                    optional=true
                />
            </details>
        }
        .into_any()
    }
}

impl IssueKey {
    fn form(&self) -> AnyView {
        let faults = self.faults.clone();
        let kind_fault = faults.iter().find(|fault| fault.field == "kind").map(|fault| fault.message.clone());
        let (cancel, _) = self.receiver.back();
        view! {
            <form method="post" action=self.receiver.action() novalidate>
                <input type="hidden" name="token" value=self.token.clone() />
                {self.receiver.receiver(&faults)}
                <fieldset>
                    <legend>"The key"</legend>
                    <Field
                        name="name"
                        label="Name"
                        hint="Where it will be used, such as “ERP, Leeds”."
                        value=self.name.clone()
                        faults=faults.clone()
                        autocomplete="off"
                        width="medium"
                    />
                    <Choice
                        name="kind"
                        legend="Kind"
                        options=kinds()
                        chosen=self.kind.clone()
                        fault=kind_fault
                    />
                    {self.receiver.limits(&faults)}
                </fieldset>
                <CodeField asked=self.asks_for_code faults />
                <ButtonRow kind="primary" words="Send the claim link" out_to=cancel out="Cancel" />
            </form>
        }
        .into_any()
    }
}

impl ServerView for IssueKey {
    fn title(&self) -> String {
        "Issue a key".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let heading = match &self.receiver {
            IssueFor::NewCustomer { .. } => "Issue an early-access key".to_owned(),
            IssueFor::Member { account, .. } => format!("Issue a key to {account}"),
        };
        let many = matches!(self.receiver, IssueFor::NewCustomer { .. });
        let content = match self.closed {
            Some(why) => view! {
                <Notice tone=Tone::Note>
                    <p>{why}</p>
                </Notice>
            }
            .into_any(),
            None => self.form(),
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            <div class="entry-form">
                <div>
                    <PageHeader heading=heading back_to=self.receiver.back()>
                        <p>"For somebody on the phone. They get a link and take the key themselves."</p>
                    </PageHeader>
                    {content}
                </div>
                <aside>
                    <h2>"You never see the key"</h2>
                    <ol>
                        <li>"A mail with a link goes to the contact. It works once, for 24 hours."</li>
                        <li>"They set a password, or sign in; their browser shows the key, once."</li>
                        <li>"You see “Claimed” here and on the account, with the time."</li>
                    </ol>
                    <p>
                        "Never read a key out, and never accept one by mail. If a customer sends you a key, revoke it."
                    </p>
                </aside>
            </div>
            {claim_links(self.links, many)}
        }
        .into_any()
    }
}
