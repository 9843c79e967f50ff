//! What support changes of an account: plan and limits, whether it is served, a key that has leaked. Each asks why.

use leptos::prelude::*;

use super::{Fault, Instant, KeyRow, ServerView};
use crate::components::{
    ApiKey, ButtonRow, CodeField, ConfirmField, ErrorSummary, Field, Kind, Moment, Notice, PageHeader,
    Select, Tone,
};

/// The account that is changed.
#[derive(Clone, Debug)]
pub struct ChangedAccount {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// `/staff/accounts/…/plan`
#[derive(Clone, Debug)]
pub struct ChangePlan {
    /// The account.
    pub account: ChangedAccount,
    /// The plans there are: code and words.
    pub plans: Vec<(String, String)>,
    /// The code of the one that is chosen.
    pub plan: String,
    /// As typed; empty for the plan's.
    pub requests_per_minute: String,
    /// As typed; empty for the plan's.
    pub numbers_per_month: String,
    /// As typed.
    pub reason: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/accounts/…/suspend`
#[derive(Clone, Debug)]
pub struct SuspendAccount {
    /// The account.
    pub account: ChangedAccount,
    /// Keys that open at present.
    pub open_keys: u64,
    /// When one of them was last used.
    pub last_used: Option<Instant>,
    /// As typed.
    pub reason: String,
    /// As typed.
    pub confirm: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/accounts/…/restore`
#[derive(Clone, Debug)]
pub struct RestoreAccount {
    /// The account.
    pub account: ChangedAccount,
    /// Why it was suspended, and when.
    pub suspended: Option<(String, Instant)>,
    /// As typed.
    pub reason: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/accounts/…/keys/…/revoke`
#[derive(Clone, Debug)]
pub struct RevokeLeakedKey {
    /// The account.
    pub account: ChangedAccount,
    /// The key.
    pub key: KeyRow,
    /// As typed.
    pub reason: String,
    /// As typed.
    pub confirm: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl ChangedAccount {
    pub(super) fn address(&self) -> String {
        format!("/staff/accounts/{}", self.id)
    }

    pub(super) fn back(&self) -> (String, String) {
        (self.address(), self.name.clone())
    }
}

/// Why something is done. `told` says who hears of it besides the audit log.
pub(super) fn reason_field(told: &str, value: String, faults: Vec<Fault>) -> AnyView {
    let hint = format!("Written to the audit log. {told}");
    view! { <Field name="reason" label="Reason" kind=Kind::Text hint=hint value faults /> }.into_any()
}

/// Of what is done to a whole account.
const TOLD: &str = "Nobody is mailed: speak to them.";

impl ServerView for ChangePlan {
    fn title(&self) -> String {
        format!("Plan of {}", self.account.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let out_to = self.account.address();
        let action = format!("{out_to}/plan");
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=self.title() back_to=self.account.back() />
                    <form method="post" action=action novalidate>
                        <Select
                            name="plan"
                            label="Plan"
                            hint="What holds where nothing else is agreed."
                            options=self.plans
                            chosen=self.plan
                        />
                        <Field
                            name="requests_per_minute"
                            label="Requests a minute (optional)"
                            hint="Only where another limit than the plan’s was agreed."
                            value=self.requests_per_minute
                            faults=self.faults.clone()
                            autocomplete="off"
                            width="short"
                            optional=true
                            mono=true
                        />
                        <Field
                            name="numbers_per_month"
                            label="Numbers a month (optional)"
                            hint="Only where another allowance than the plan’s was agreed."
                            value=self.numbers_per_month
                            faults=self.faults.clone()
                            autocomplete="off"
                            width="short"
                            optional=true
                            mono=true
                        />
                        {reason_field(TOLD, self.reason, self.faults)}
                        <ButtonRow kind="primary" words="Keep the change" out_to=out_to out="Cancel" />
                    </form>
                </div>
                <aside>
                    <h2>"When it holds"</h2>
                    <p>
                        "From the next request on, on every key. What was counted this month stays counted: under a smaller allowance nothing more may be asked until the month ends."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for SuspendAccount {
    fn title(&self) -> String {
        format!("Suspend {}", self.account.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let out_to = self.account.address();
        let action = format!("{out_to}/suspend");
        let keys = match self.open_keys {
            0 => "No key of it opens at present.".to_owned(),
            1 => "One key opens at present.".to_owned(),
            keys => format!("{keys} keys open at present."),
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=self.title() back_to=self.account.back() />
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>
                                "Every key is refused with " <code>"account_suspended"</code> " within a second."
                            </strong>
                            " "
                            {keys}
                            {self
                                .last_used
                                .map(|at| {
                                    view! {
                                        " The last call was "
                                        <Moment at=at />
                                        "."
                                    }
                                })}
                        </p>
                    </Notice>
                    <form method="post" action=action novalidate>
                        {reason_field(TOLD, self.reason, self.faults.clone())}
                        <ConfirmField label="Type the company’s name to suspend it" what=self.account.name typed=self.confirm faults=self.faults.clone() />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="danger" words="Suspend the account" out_to=out_to out="Leave it active" />
                    </form>
                </div>
                <aside>
                    <h2>"What stays"</h2>
                    <p>
                        "Its people stay signed in and can read history, evidence and usage; they can check nothing and make no keys. You can restore it at any time."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for RestoreAccount {
    fn title(&self) -> String {
        format!("Restore {}", self.account.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let out_to = self.account.address();
        let action = format!("{out_to}/restore");
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=self.title() back_to=self.account.back()>
                        {self
                            .suspended
                            .map(|(reason, at)| {
                                view! {
                                    <p>
                                        "Suspended " <Moment at=at /> ": “" {reason} "”"
                                    </p>
                                }
                            })}
                    </PageHeader>
                    <form method="post" action=action novalidate>
                        {reason_field(TOLD, self.reason, self.faults.clone())}
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="primary" words="Restore the account" out_to=out_to out="Leave it suspended" />
                    </form>
                </div>
                <aside>
                    <h2>"What opens again"</h2>
                    <p>
                        "Every key that has not ended, within a second. Keys that were revoked stay revoked: one that has leaked is to be revoked first."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for RevokeLeakedKey {
    fn title(&self) -> String {
        format!("Revoke {}", self.key.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let key = self.key;
        let out_to = self.account.address();
        let action = format!("{out_to}/keys/{}/revoke", key.id);
        let prefix = if key.live { "cv_live_" } else { "cv_test_" };
        let ending = key.last_four.clone();
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Revoke “{}”", key.name) back_to=self.account.back()>
                        <p>
                            <ApiKey prefix=prefix last_four=key.last_four />
                            ", made by "
                            {key.made_by}
                            ", "
                            <Moment at=key.made />
                        </p>
                    </PageHeader>
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>"Whatever uses this key stops working within a second."</strong>
                            " "
                            {match key.last_used {
                                Some(at) => view! { "It was last used " <Moment at=at /> "." }.into_any(),
                                None => "It was never used.".into_any(),
                            }}
                            " This cannot be undone: the customer makes another one."
                        </p>
                    </Notice>
                    <form method="post" action=action novalidate>
                        {reason_field(TOLD, self.reason, self.faults.clone())}
                        <ConfirmField label="Type the last four characters of the key to revoke it" what=ending typed=self.confirm faults=self.faults.clone() is_code=true />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="danger" words="Revoke the key" out_to=out_to out="Keep it" />
                    </form>
                </div>
                <aside>
                    <h2>"A key that has leaked"</h2>
                    <p>
                        "Revoke it first and speak to the customer then: whoever has found it can use up the month’s allowance. The checks that were made with it stay in the history."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
