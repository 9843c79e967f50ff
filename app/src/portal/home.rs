//! `/portal`: the next sensible step for this account, or how it stands.

use leptos::prelude::*;

use super::{ServerView, grouped};
use crate::components::{Notice, PageHeader, Tone};

/// What an account still has to do before its first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is no key.
    Key,
    /// No key was used.
    FirstCall,
    /// Nothing: it is in use.
    None,
}

/// How the account stands.
#[derive(Clone, Debug)]
pub struct Today {
    /// Calls answered this month.
    pub requests: String,
    /// Numbers of the allowance that are used up this month.
    pub numbers: u64,
    /// The allowance.
    pub allowance: u64,
    /// The name of the month.
    pub month: String,
    /// Requests served in any minute.
    pub per_minute: String,
}

/// `/portal`
#[derive(Clone, Debug)]
pub struct Home {
    /// The account's name.
    pub account: String,
    /// What is to be done next.
    pub step: Step,
    /// How it stands; nothing when that cannot be told at present.
    pub today: Option<Today>,
    /// Whether the account is served.
    pub suspended: bool,
    /// Whether the reader may make keys.
    pub may_change: bool,
}

/// What the reader's role does not allow.
#[derive(Clone, Debug)]
pub struct NotAllowed {
    /// What it would take.
    pub words: &'static str,
}

impl Home {
    fn heading(&self) -> String {
        match self.step {
            _ if self.suspended => format!("{} is suspended", self.account),
            Step::Key => "Create your first key".to_owned(),
            Step::FirstCall => "Try your key".to_owned(),
            Step::None => self.account.clone(),
        }
    }

    fn lead(&self) -> String {
        match self.step {
            _ if self.suspended => {
                "Its keys are refused, and nothing can be asked. Write to support to have it restored."
                    .to_owned()
            }
            Step::Key => {
                "Start with a test key. It answers from a sandbox, reaches no registry and costs nothing."
                    .to_owned()
            }
            Step::FirstCall => {
                "No key of this account was used yet. With the key in hand it is one command; numbers can be checked here without one, too.".to_owned()
            }
            Step::None => "How the account stands.".to_owned(),
        }
    }
}

impl ServerView for Home {
    fn title(&self) -> String {
        "Home".to_owned()
    }

    fn view(self) -> AnyView {
        let (heading, lead) = (self.heading(), self.lead());
        let action = match self.step {
            Step::Key if self.may_change && !self.suspended => {
                Some(("/portal/keys/new", "Create a test key"))
            }
            Step::FirstCall => Some(("/portal/check", "Check numbers here")),
            _ => None,
        };
        view! {
            <PageHeader heading=heading>
                <p>{lead}</p>
                {action
                    .map(|(href, words)| {
                        view! {
                            <div class="button-row">
                                <a class="button" data-kind="primary" href=href rel="external">
                                    {words}
                                </a>
                            </div>
                        }
                    })}
            </PageHeader>
            {match self.today {
                Some(today) => figures(&today).into_any(),
                None => {
                    view! {
                        <Notice tone=Tone::Note>
                            <p>"What was used cannot be told at present. Nothing of it is lost; look again in a minute."</p>
                        </Notice>
                    }
                        .into_any()
                }
            }}
        }
        .into_any()
    }
}

fn figures(today: &Today) -> impl IntoView + use<> {
    let left = today.allowance.saturating_sub(today.numbers);
    let (numbers, allowance) = (grouped(today.numbers), grouped(today.allowance));
    view! {
        <section aria-labelledby="figures">
            <h2 id="figures">{today.month.clone()}</h2>
            <dl class="figure-row">
                <div>
                    <dt>"Numbers asked"</dt>
                    <dd>{numbers.clone()}</dd>
                    <dd>"of " {allowance.clone()} ", " {grouped(left)} " left"</dd>
                    <dd>
                        <meter
                            class="meter"
                            min="0"
                            max=today.allowance.to_string()
                            high=(today.allowance / 10 * 8).to_string()
                            value=today.numbers.to_string()
                            aria-label=format!("{numbers} of {allowance} numbers")
                        ></meter>
                    </dd>
                </div>
                <div>
                    <dt>"Calls answered"</dt>
                    <dd>{today.requests.clone()}</dd>
                    <dd>"up to " {today.per_minute.clone()} " a minute"</dd>
                </div>
            </dl>
            <p class="button-row">
                <a href="/portal/usage" rel="external">
                    "Usage day by day"
                </a>
                <a href="/portal/history" rel="external">
                    "What was checked"
                </a>
            </p>
        </section>
    }
}

impl ServerView for NotAllowed {
    fn title(&self) -> String {
        "Not for your role".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading="Your role does not allow this" back=("/portal", "Home")>
                <p>{self.words}</p>
            </PageHeader>
        }
        .into_any()
    }
}
