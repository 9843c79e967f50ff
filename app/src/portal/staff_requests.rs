//! `/staff`: the requests that wait, oldest first; `/staff/requests/…`: one of them, to be decided with other limits than the
//! plan's, or as it was decided.

use leptos::prelude::*;

use super::key_request::said;
use super::{Fault, Instant, RequestFacts, ServerView};
use crate::components::{
    CodeField, ErrorSummary, Fact, FactList, Field, Kind, Moment, Notice, PageHeader, Select, Tone, VatNumber,
};

/// An account that a request resembles.
#[derive(Clone, Debug)]
pub struct SimilarAccount {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// In what it is alike, and who its owners are.
    pub why: String,
}

/// What was answered, or that it was taken back.
#[derive(Clone, Debug)]
pub struct RequestDecision {
    /// In words: what, and by whom.
    pub words: String,
    /// When.
    pub at: Option<Instant>,
    /// Why.
    pub reason: Option<String>,
}

/// A request with what is needed to decide it.
#[derive(Clone, Debug)]
pub struct RequestCard {
    /// Its identifier.
    pub id: String,
    /// The account's.
    pub account_id: String,
    /// What was asked.
    pub facts: RequestFacts,
    /// How long ago.
    pub ago: String,
    /// When the asker proved the address.
    pub confirmed: Option<Instant>,
    /// The accounts that it resembles.
    pub similar: Vec<SimilarAccount>,
    /// Whether one of them has addresses that end alike.
    pub same_domain: bool,
    /// What was decided.
    pub decision: Option<RequestDecision>,
}

/// `/staff`
#[derive(Clone, Debug)]
pub struct StaffRequests {
    /// The oldest ones.
    pub cards: Vec<RequestCard>,
    /// How many wait in all.
    pub total: u64,
    /// Whether the first has waited for longer than a working day.
    pub late: bool,
    /// The name of the plan that is given by one press of a button.
    pub plan: String,
    /// What was just done.
    pub done: Option<String>,
    /// What was decided last: in words, and when.
    pub last: Option<(String, Instant)>,
}

/// `/staff/requests/…`
#[derive(Clone, Debug)]
pub struct DecideRequest {
    /// The request.
    pub card: RequestCard,
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
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What the reader should know first.
    pub note: Option<&'static str>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl RequestCard {
    fn address(&self) -> String {
        format!("/staff/requests/{}", self.id)
    }

    fn anchor(&self) -> String {
        format!("r-{}", self.id)
    }

    fn own_number(&self) -> AnyView {
        let Some(number) = self.facts.vat_number else { return "Not given".into_any() };
        let words = match &self.facts.said {
            None => format!("Ask {}", number.registry().name()),
            Some(_) => format!("Ask {} again", number.registry().name()),
        };
        let ask = self.decision.is_none().then(|| {
            view! {
                <form method="post" action=self.address()>
                    <button
                        class="button"
                        data-kind="plain"
                        type="submit"
                        name="do"
                        value="ask"
                        aria-label=format!("{words} about the number of {}", self.facts.company)
                    >
                        {words.clone()}
                    </button>
                </form>
            }
        });
        view! {
            <VatNumber number=number />
            " "
            {said(number, self.facts.said.clone())}
            {ask}
        }
        .into_any()
    }

    fn similar(&self) -> AnyView {
        if self.similar.is_empty() {
            return "None".into_any();
        }
        let one = |account: &SimilarAccount| {
            let href = format!("/staff/accounts/{}", account.id);
            view! {
                <p>
                    <a href=href rel="external">
                        {account.name.clone()}
                    </a>
                    " "
                    <small>{account.why.clone()}</small>
                </p>
            }
        };
        self.similar.iter().map(one).collect_view().into_any()
    }

    /// What was asked, by whom, and what is known of them.
    fn matter(&self) -> AnyView {
        let facts = self.facts.clone();
        let (own_number, similar) = (self.own_number(), self.similar());
        let confirmed = match (&facts.email, self.confirmed.clone()) {
            (None, _) => view! { <small>"No member any more"</small> }.into_any(),
            (_, Some(at)) => view! { <small>"Address confirmed " <Moment at=at /></small> }.into_any(),
            (_, None) => view! { <small>"Address not confirmed yet"</small> }.into_any(),
        };
        let warning = self.same_domain.then(|| {
            view! {
                <Notice tone=Tone::Warn>
                    <p>"The domain already has an account. Speak to them before you approve a second one."</p>
                </Notice>
            }
        });
        view! {
            <div>
                <blockquote>{facts.intended_use}</blockquote>
                <FactList>
                    <Fact name="Asked by">{facts.asker} {facts.email.map(|email| format!(", {email}"))} " " {confirmed}</Fact>
                    <Fact name="Own number">{own_number}</Fact>
                    <Fact name="Expects">{facts.volume} " numbers a month"</Fact>
                    <Fact name="Similar accounts">{similar}</Fact>
                </FactList>
                {warning}
            </div>
        }
        .into_any()
    }

    fn asked(&self) -> AnyView {
        view! {
            <small>"asked " <Moment at=self.facts.asked.clone() /> ": " {self.ago.clone()}</small>
        }
        .into_any()
    }

    fn account_link(&self) -> AnyView {
        let (href, label) = (
            format!("/staff/accounts/{}", self.account_id),
            format!("Open the account of {}", self.facts.company),
        );
        view! {
            <a href=href rel="external" aria-label=label>
                "Open the account"
            </a>
        }
        .into_any()
    }

    /// In the queue: decided by one press of a button, or on a page of its own.
    fn in_queue(self, plan: &str) -> AnyView {
        let (anchor, address, company) = (self.anchor(), self.address(), self.facts.company.clone());
        let (named_by, other_limits) = (anchor.clone(), address.clone());
        let (approve, decline, limits) = (
            format!("Approve, {plan} plan: {company}"),
            format!("Decline {company}"),
            format!("Other limits for {company}"),
        );
        let (matter, asked, account) = (self.matter(), self.asked(), self.account_link());
        let reason = format!("reason-{}", self.id);
        view! {
            <article class="request-card" aria-labelledby=named_by>
                <header>
                    <h2 id=anchor>{company}</h2>
                    {asked}
                </header>
                {matter}
                <form method="post" action=address novalidate>
                    <p class="button-row">
                        <button class="button" type="submit" name="do" value="approve" aria-label=approve>
                            "Approve, "
                            {plan.to_owned()}
                            " plan"
                        </button>
                    </p>
                    <details>
                        <summary>"Decline with a reason"</summary>
                        <Field
                            name="reason"
                            id=reason
                            label="Reason"
                            kind=Kind::Text
                            hint=REASON_HINT
                        />
                        <p>
                            <button
                                class="button"
                                data-kind="danger"
                                type="submit"
                                name="do"
                                value="decline"
                                aria-label=decline
                            >
                                "Decline"
                            </button>
                        </p>
                    </details>
                    <p class="button-row">
                        <a href=other_limits rel="external" aria-label=limits>
                            "Other limits"
                        </a>
                        {account}
                    </p>
                </form>
            </article>
        }
        .into_any()
    }
}

const REASON_HINT: &str = "Mailed to them as it stands, with your first name.";

impl ServerView for StaffRequests {
    fn title(&self) -> String {
        match self.total {
            0 => "Requests".to_owned(),
            1 => "1 request".to_owned(),
            total => format!("{total} requests"),
        }
    }

    fn view(self) -> AnyView {
        let heading = match self.total {
            0 => "No request waits".to_owned(),
            1 => "1 request for early access".to_owned(),
            total => format!("{total} requests for early access"),
        };
        let shown = self.cards.len() as u64;
        let lead = match (self.total, self.late) {
            (0, _) => None,
            (1, true) => Some("It has waited longer than one working day."),
            (1, false) => Some("It has waited less than one working day."),
            (_, true) => Some("Oldest first. The first has waited longer than one working day."),
            (_, false) => Some("Oldest first. None has waited longer than one working day."),
        };
        let more = (shown < self.total)
            .then(|| format!("The oldest {shown} are shown. The others follow as these are decided."));
        let plan = self.plan;
        view! {
            <PageHeader heading=heading>
                {lead.map(|lead| view! { <p>{lead}</p> })} {more.map(|more| view! { <p>{more}</p> })}
                <div class="button-row">
                    <a class="button" href="/staff/issue" rel="external">
                        "Issue a key by phone"
                    </a>
                </div>
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
            {(self.total == 0).then(|| nothing_waits(self.last))}
            {self.cards.into_iter().map(|card| card.in_queue(&plan)).collect_view()}
        }
        .into_any()
    }
}

fn nothing_waits(last: Option<(String, Instant)>) -> AnyView {
    let words = match last {
        Some((words, at)) => view! { {words} " " <Moment at=at /> "." }.into_any(),
        None => "Whoever signs up and asks for keys will be here, oldest first.".into_any(),
    };
    view! {
        <div class="empty-state">
            <h2>"Everybody has an answer"</h2>
            <p>{words}</p>
            <p class="button-row">
                <a href="/staff/audit" rel="external">
                    "See what was decided"
                </a>
            </p>
        </div>
    }
    .into_any()
}

impl DecideRequest {
    fn form(&self) -> AnyView {
        let card = &self.card;
        let has = |fields: &[&str]| self.faults.iter().any(|fault| fields.contains(&fault.field));
        let limits = ["requests_per_minute", "numbers_per_month"];
        let other_limits =
            has(&limits) || !self.requests_per_minute.is_empty() || !self.numbers_per_month.is_empty();
        let declines = has(&["reason"]) || !self.reason.is_empty();
        let account = card.account_link();
        view! {
            <form method="post" action=card.address() novalidate>
                <Select
                    name="plan"
                    label="Plan"
                    hint="What the account may use."
                    options=self.plans.clone()
                    chosen=self.plan.clone()
                />
                <details open=other_limits>
                    <summary>"Other limits than the plan’s"</summary>
                    <Field
                        name="requests_per_minute"
                        label="Requests a minute"
                        hint="Leave empty for the plan’s."
                        value=self.requests_per_minute.clone()
                        faults=self.faults.clone()
                        autocomplete="off"
                        width="short"
                        optional=true
                    />
                    <Field
                        name="numbers_per_month"
                        label="Numbers a month"
                        hint="Leave empty for the plan’s."
                        value=self.numbers_per_month.clone()
                        faults=self.faults.clone()
                        autocomplete="off"
                        width="short"
                        optional=true
                    />
                </details>
                <CodeField asked=self.asks_for_code faults=self.faults.clone() />
                <p class="button-row">
                    <button class="button" data-kind="primary" type="submit" name="do" value="approve">
                        "Approve"
                    </button>
                </p>
                <details open=declines>
                    <summary>"Decline with a reason"</summary>
                    <Field
                        name="reason"
                        label="Reason"
                        kind=Kind::Text
                        hint=REASON_HINT
                        value=self.reason.clone()
                        faults=self.faults.clone()
                    />
                    <p>
                        <button class="button" data-kind="danger" type="submit" name="do" value="decline">
                            "Decline"
                        </button>
                    </p>
                </details>
                <p>{account}</p>
            </form>
        }
        .into_any()
    }
}

impl ServerView for DecideRequest {
    fn title(&self) -> String {
        format!("Request of {}", self.card.facts.company)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let anchor = self.card.anchor();
        let named_by = anchor.clone();
        let (heading, matter, asked) =
            (self.card.facts.company.clone(), self.card.matter(), self.card.asked());
        let right = match self.card.decision.clone() {
            None => self.form(),
            Some(decision) => decided(decision, self.card.account_link()),
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading=heading back=("/staff", "Requests") />
            {self
                .note
                .map(|note| {
                    view! {
                        <Notice tone=Tone::Warn>
                            <p>{note}</p>
                        </Notice>
                    }
                })}
            <article class="request-card" aria-labelledby=named_by>
                <header>
                    <h2 id=anchor>"Asks for early access"</h2>
                    {asked}
                </header>
                {matter}
                {right}
            </article>
        }
        .into_any()
    }
}

fn decided(decision: RequestDecision, account: AnyView) -> AnyView {
    view! {
        <div>
            <p>
                <strong>{decision.words}</strong>
                {decision.at.map(|at| view! { ", " <Moment at=at /> })}
                "."
            </p>
            {decision.reason.map(|reason| view! { <blockquote>{reason}</blockquote> })}
            <p>{account}</p>
        </div>
    }
    .into_any()
}
