//! `/portal`: the next sensible step for this account, or how it stands.

use leptos::prelude::*;

use super::registries_now::{RegistryLine, registries_now};
use super::{Instant, ServerView, grouped};
use crate::components::{ApiKey, Column, DataTable, Moment, Notice, PageHeader, Tone};

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

/// What an account may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests in any minute.
    pub requests_per_minute: u32,
    /// Numbers in a month.
    pub numbers_per_month: u64,
}

/// What was used.
#[derive(Clone, Debug)]
pub struct Today {
    /// Numbers of the allowance that are used up this month.
    pub used: u64,
    /// The day from which it is whole again.
    pub whole_again: String,
    /// Numbers that were registered, today.
    pub valid: u64,
    /// Numbers that were not.
    pub not_registered: u64,
    /// Numbers that no registry was asked about: malformed or of no country that is covered.
    pub not_asked: u64,
    /// Numbers without an answer.
    pub unavailable: u64,
    /// Calls whose results were told.
    pub requests: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// The address of what had no answer.
    pub without_answer: String,
}

/// What somebody of the account should look at.
#[derive(Clone, Debug)]
pub enum ToDo {
    /// A key whose place another took, and that is used all the same.
    OldKey {
        /// Its name.
        name: String,
        /// Its last characters.
        last_four: String,
        /// When it stops working.
        ends: Instant,
        /// When it was last used.
        last_used: Instant,
    },
    /// Numbers of a run have no answer.
    Unanswered {
        /// The run.
        id: String,
        /// By what it is known.
        name: String,
        /// How many.
        numbers: u64,
    },
    /// A run was stopped.
    Stopped {
        /// The run.
        id: String,
        /// By what it is known.
        name: String,
        /// How many numbers wait in it.
        waiting: u64,
    },
    /// Little of the allowance is left.
    Allowance {
        /// So many numbers.
        left: u64,
        /// The day from which it is whole again.
        whole_again: String,
    },
    /// The sandbox was tried, and no key reaches the registries.
    LiveKey,
    /// Registries are asked in nobody's name.
    Requester,
}

/// Calls that were refused in one hour with one code.
#[derive(Clone, Debug)]
pub struct HomeRefusal {
    /// The code.
    pub code: String,
    /// How many.
    pub calls: u64,
    /// The start of the hour.
    pub hour: Instant,
    /// Whose.
    pub by: String,
    /// What to do about it, in a few words.
    pub remedy: &'static str,
}

/// `/portal`
#[derive(Clone, Debug)]
pub struct Home {
    /// The account's name.
    pub account: String,
    /// When it is read.
    pub now: Instant,
    /// What is to be done next.
    pub step: Step,
    /// When support has approved its request, if it had to ask.
    pub approved: Option<Instant>,
    /// Whether the account is not served.
    pub suspended: bool,
    /// Whether the reader may make keys.
    pub may_change: bool,
    /// Whether the reader may change settings and invite people.
    pub is_owner: bool,
    /// What the account may use.
    pub limits: Limits,
    /// What was used; nothing when that cannot be told at present.
    pub today: Option<Today>,
    /// What needs somebody.
    pub to_do: Vec<ToDo>,
    /// The latest refusals, newest first.
    pub refusals: Vec<HomeRefusal>,
    /// How the registries are.
    pub registries: Vec<RegistryLine>,
    /// The address of the API.
    pub api: String,
}

/// What the reader's role does not allow.
#[derive(Clone, Debug)]
pub struct NotAllowed {
    /// What it would take.
    pub words: &'static str,
}

const REFUSAL_COLUMNS: &[Column] = &[
    Column::Title("Code"),
    Column::Text("In the hour from"),
    Column::Text("Calls"),
    Column::Text("By"),
    Column::Text("What to do"),
];

impl Home {
    fn heading(&self) -> String {
        match (self.step, &self.approved) {
            _ if self.suspended => format!("{} is suspended", self.account),
            (Step::Key, Some(_)) => "Your access is approved".to_owned(),
            (Step::Key, None) => "Create your first key".to_owned(),
            (Step::FirstCall, _) => "Try your key".to_owned(),
            (Step::None, _) => self.account.clone(),
        }
    }

    fn lead(&self) -> AnyView {
        let Limits { requests_per_minute, numbers_per_month } = self.limits;
        let limits = format!(
            "{} requests a minute, {} numbers a month",
            grouped(requests_per_minute.into()),
            grouped(numbers_per_month)
        );
        let now = self.now.clone();
        match (self.step, &self.approved) {
            _ if self.suspended => {
                "Its keys are refused, and nothing can be asked. Write to support to have it restored. What was answered stays readable.".into_any()
            }
            (Step::Key, Some(_)) => {
                format!("{} may now make keys and check numbers: {limits}.", self.account).into_any()
            }
            (Step::Key, _) => {
                format!("{} may make keys and check numbers: {limits}.", self.account).into_any()
            }
            (Step::FirstCall, _) => {
                "No key of this account was used yet. With the key in hand it is one command.".into_any()
            }
            (Step::None, _) => view! { "As of " <Moment at=now /> "." }.into_any(),
        }
    }

    fn body(self) -> AnyView {
        let registries = registries_now(self.registries.clone());
        let matter = if self.step == Step::None || self.suspended {
            view! {
                {to_do(self.to_do.clone())}
                {refusals(self.refusals.clone())}
            }
            .into_any()
        } else {
            self.steps()
        };
        let figures = (self.step == Step::None || self.suspended).then(|| self.figures());
        view! {
            {figures}
            <div class="columns">
                <div>{matter}</div>
                <aside>{registries}</aside>
            </div>
        }
        .into_any()
    }

    /// What is done and what comes next, up to the first answer.
    fn steps(&self) -> AnyView {
        let current = |step: Step| (self.step == step).then_some("step");
        let done = |is_done: bool| is_done.then_some("done");
        let approval = self.approved.clone().map(|at| {
            view! {
                <li data-state="done">
                    <h3>"Request approved"</h3>
                    <p>"By support, " <Moment at=at /> "."</p>
                </li>
            }
        });
        view! {
            <section>
                <h2>"From here to your first answer"</h2>
                <ol class="steps" role="list">
                    <li data-state="done">
                        <h3>"Email address confirmed"</h3>
                    </li>
                    {approval}
                    <li data-state=done(self.step == Step::FirstCall) aria-current=current(Step::Key)>
                        <h3>"Create your first key"</h3>
                        {self.first_key()}
                    </li>
                    <li aria-current=current(Step::FirstCall)>
                        <h3>"Ask about a number"</h3>
                        {self.first_call()}
                    </li>
                </ol>
            </section>
            {self.meanwhile()}
        }
        .into_any()
    }

    fn first_key(&self) -> Option<AnyView> {
        if self.step == Step::FirstCall {
            return None;
        }
        let action = (self.step == Step::Key && self.may_change).then(|| {
            view! {
                <p class="button-row">
                    <a class="button" data-kind="primary" href="/portal/keys/new" rel="external">
                        "Create a test key"
                    </a>
                </p>
            }
        });
        let who = (!self.may_change).then_some(" Members and owners of the account make keys.");
        let view = view! {
            <p>
                "Start with a test key. It answers from a sandbox, reaches no registry and costs nothing."
                {who}
            </p>
            {action}
        };
        Some(view.into_any())
    }

    fn first_call(&self) -> AnyView {
        if self.step != Step::FirstCall {
            return view! {
                <p>"With the key in hand it is one command. This page shows when the first call has arrived."</p>
            }
            .into_any();
        }
        let command = format!(
            "curl {}/v1/verify-vat \\\n  -H \"Authorization: Bearer $CROSSVAT_KEY\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{{\"vatNumbers\": [\"GB123456782\"]}}'",
            self.api
        );
        view! {
            <p>
                "Put the key where " <code>"$CROSSVAT_KEY"</code>
                " stands. This page shows when the first call has arrived."
            </p>
            <figure class="code-block">
                <figcaption>
                    <span>"Paste this into a terminal"</span>
                    <button class="button" data-kind="plain" data-needs="script" type="button" data-copies="command">
                        "Copy"
                    </button>
                </figcaption>
                <pre>
                    <code id="command">{command}</code>
                </pre>
            </figure>
            <p>
                "Lost it? "
                <a href="/portal/keys" rel="external">
                    "Rotate the key"
                </a> " to get a new one."
            </p>
        }
        .into_any()
    }

    /// What can be done without a key.
    fn meanwhile(&self) -> Option<AnyView> {
        let check = view! {
            <section>
                <h2>"No program to connect?"</h2>
                <p>
                    "You can check numbers here at once, without a key: "
                    <a href="/portal/check" rel="external">
                        "paste a list"
                    </a> "."
                </p>
            </section>
        };
        self.may_change.then(|| check.into_any())
    }

    fn figures(&self) -> AnyView {
        let Some(today) = self.today.clone() else {
            return view! {
                <Notice tone=Tone::Note>
                    <p>"What was used cannot be told at present. Nothing of it is lost; look again in a minute."</p>
                </Notice>
            }
            .into_any();
        };
        let Limits { requests_per_minute, numbers_per_month } = self.limits;
        let (used, allowance) = (grouped(today.used), grouped(numbers_per_month));
        let answered = today.valid + today.not_registered + today.not_asked;
        let outcomes = format!(
            "{} valid, {} not registered, {} malformed or unsupported",
            grouped(today.valid),
            grouped(today.not_registered),
            grouped(today.not_asked)
        );
        let refused = match today.refused {
            0 => "none refused".to_owned(),
            refused => format!("{} refused", grouped(refused)),
        };
        let unanswered = if today.unavailable == 0 {
            "Every number that was asked about today has its answer".into_any()
        } else {
            let address = today.without_answer;
            view! {
                "Nothing is said about those. "
                <a href=address rel="external">
                    "See which"
                </a>
            }
            .into_any()
        };
        view! {
            <dl class="figure-row">
                <div>
                    <dt id="used">"Counted this month"</dt>
                    <dd>{used.clone()}</dd>
                    <dd>
                        <meter
                            class="meter"
                            aria-labelledby="used"
                            min="0"
                            max=numbers_per_month.max(1).to_string()
                            high=(numbers_per_month / 10 * 9).to_string()
                            optimum="0"
                            value=today.used.to_string()
                        >
                            {format!("{used} of {allowance}")}
                        </meter>
                    </dd>
                    <dd>{format!("of {allowance} numbers; starts again on {}", today.whole_again)}</dd>
                </div>
                <div>
                    <dt>"Answered today"</dt>
                    <dd>{grouped(answered)}</dd>
                    <dd>{outcomes}</dd>
                </div>
                <div>
                    <dt>"Without an answer today"</dt>
                    <dd>{grouped(today.unavailable)}</dd>
                    <dd>{unanswered}</dd>
                </div>
                <div>
                    <dt>"Requests today"</dt>
                    <dd>{grouped(today.requests)}</dd>
                    <dd>{format!("{refused}; up to {} a minute", grouped(requests_per_minute.into()))}</dd>
                </div>
            </dl>
        }
        .into_any()
    }
}

impl ServerView for Home {
    fn title(&self) -> String {
        "Home".to_owned()
    }

    fn view(self) -> AnyView {
        let (heading, lead) = (self.heading(), self.lead());
        let action = match self.step {
            Step::None if !self.suspended && self.may_change => Some(("/portal/check", "Check numbers")),
            Step::None => Some(("/portal/history", "What was checked")),
            Step::Key | Step::FirstCall => None,
        };
        let kind = (!self.suspended && self.may_change).then_some("primary");
        view! {
            <PageHeader heading=heading>
                <p>{lead}</p>
                {action
                    .map(|(href, words)| {
                        view! {
                            <div class="button-row">
                                <a class="button" data-kind=kind href=href rel="external">
                                    {words}
                                </a>
                            </div>
                        }
                    })}
            </PageHeader>
            {self.body()}
        }
        .into_any()
    }
}

fn to_do(items: Vec<ToDo>) -> Option<AnyView> {
    if items.is_empty() {
        return None;
    }
    let view = view! {
        <section>
            <h2>"For you to do"</h2>
            <ul class="item-list" role="list">
                {items.into_iter().map(ToDo::view).collect_view()}
            </ul>
        </section>
    };
    Some(view.into_any())
}

impl ToDo {
    fn view(self) -> AnyView {
        let (words, address, action) = match self {
            Self::OldKey { name, last_four, ends, last_used } => {
                let words = view! {
                    "The old key of " <strong>{name}</strong> " works until " <Moment at=ends />
                    "; it was last used " <Moment at=last_used /> ". "
                    <small>
                        <ApiKey prefix="cv_live_" last_four=last_four /> ", whose place another has taken"
                    </small>
                };
                (words.into_any(), "/portal/keys".to_owned(), "See both keys")
            }
            Self::Unanswered { id, name, numbers } => {
                let count = if numbers == 1 {
                    "One number of ".to_owned()
                } else {
                    format!("{} numbers of ", grouped(numbers))
                };
                let words = view! { {count} <strong>{name}</strong> " had no answer." };
                (words.into_any(), format!("/portal/check/{id}"), "Open the run")
            }
            Self::Stopped { id, name, waiting } => {
                let words = view! {
                    <strong>{name}</strong>
                    {format!(" was stopped; {} of its numbers wait.", grouped(waiting))}
                };
                (words.into_any(), format!("/portal/check/{id}"), "Open the run")
            }
            Self::Allowance { left, whole_again } => {
                let words = format!(
                    "{} numbers are left until {whole_again}. Answers from an earlier check are not counted.",
                    grouped(left)
                );
                (words.into_any(), "/portal/usage".to_owned(), "See what used them")
            }
            Self::LiveKey => {
                let words = view! {
                    "The test key works. With a live key the registries are asked. "
                    <small>"Nothing else changes in the program that calls."</small>
                };
                (words.into_any(), "/portal/keys/new".to_owned(), "Create a live key")
            }
            Self::Requester => {
                let words = view! {
                    "The registries are asked in nobody’s name. "
                    <small>"To a number of your own they give a consultation number, which is proof."</small>
                };
                (words.into_any(), "/portal/settings".to_owned(), "Name your VAT numbers")
            }
        };
        view! {
            <li>
                <p>{words}</p>
                <a href=address rel="external">
                    {action}
                </a>
            </li>
        }
        .into_any()
    }
}

fn refusals(refusals: Vec<HomeRefusal>) -> AnyView {
    let list = if refusals.is_empty() {
        view! { <p>"No call was refused in the last 7 days."</p> }.into_any()
    } else {
        let rows = refusals.into_iter().map(HomeRefusal::cells).collect();
        view! {
            <DataTable
                caption="Calls that were refused, by the hour, newest first"
                columns=REFUSAL_COLUMNS
                rows=rows
            />
            <p>
                <a href="/portal/usage" rel="external">
                    "All refusals, by code"
                </a>
            </p>
        }
        .into_any()
    };
    view! {
        <section>
            <h2>"Last refusals"</h2>
            {list}
        </section>
    }
    .into_any()
}

impl HomeRefusal {
    fn cells(self) -> Vec<AnyView> {
        let address = format!("/docs/errors#{}", self.code);
        let code = view! {
            <a href=address rel="external">
                <code>{self.code}</code>
            </a>
        };
        vec![
            code.into_any(),
            view! { <Moment at=self.hour /> }.into_any(),
            grouped(self.calls).into_any(),
            self.by.into_any(),
            self.remedy.into_any(),
        ]
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
