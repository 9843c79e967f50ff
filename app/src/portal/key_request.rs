//! What an account asks of support before it has keys: the part of the form that `/sign-up` has too, and
//! `/portal/keys/request`, where it is asked again or taken back.

use leptos::prelude::*;
use vat::Status;

use super::{Fault, Instant, ServerView};
use crate::components::{
    Choice, ChoiceOption, ErrorSummary, Fact, FactList, Field, Kind, Moment, PageHeader, StatusTag, VatNumber,
};

/// What was typed about a company and its use.
#[derive(Clone, Debug, Default)]
pub struct RequestTyped {
    /// The company.
    pub company: String,
    /// Its own number.
    pub vat_number: String,
    /// What will be checked, and when.
    pub intended_use: String,
    /// About how much.
    pub volume: String,
}

/// What came of asking a registry about a company's own number.
#[derive(Clone, Debug)]
pub struct OwnNumberSaid {
    /// The outcome.
    pub status: Status,
    /// Who is registered, as far as the registry says it.
    pub trader: Option<String>,
    /// When it was asked.
    pub at: Instant,
}

/// What an account has asked.
#[derive(Clone, Debug)]
pub struct RequestFacts {
    /// The company.
    pub company: String,
    /// Its own number.
    pub vat_number: Option<vat::VatNumber>,
    /// What came of asking about it.
    pub said: Option<OwnNumberSaid>,
    /// What it will check, and when.
    pub intended_use: String,
    /// About how much, in words.
    pub volume: &'static str,
    /// When it asked.
    pub asked: Instant,
    /// Who did.
    pub asker: String,
    /// Where the answer goes; `None` when they are no member any more: to an owner.
    pub email: Option<String>,
}

/// `/portal/keys/request`: the form.
#[derive(Clone, Debug)]
pub struct AskForKeys {
    /// What stands in it.
    pub typed: RequestTyped,
    /// Why support has declined the last time.
    pub declined: Option<String>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/portal/keys/request`: what waits for support.
#[derive(Clone, Debug)]
pub struct AskedForKeys {
    /// What was asked.
    pub request: RequestFacts,
    /// Whether the reader may take it back.
    pub may_change: bool,
}

/// `/portal` of an account that may not have keys yet: how its request stands and what can be done.
#[derive(Clone, Debug)]
pub struct RequestStands {
    /// How it stands.
    pub heading: &'static str,
    /// When it was asked, where that is what it stands at.
    pub asked: Option<Instant>,
    /// What that means.
    pub lead: String,
    /// Support's own words, who wrote them and when.
    pub reason: Option<(String, String, Instant)>,
    /// What the reader can do: the words of the link to the request.
    pub action: Option<&'static str>,
    /// Whether the reader may change settings and invite people.
    pub is_owner: bool,
}

/// The words for how much is expected, by what a form sends.
#[must_use]
pub fn volume_words(value: &str) -> &'static str {
    VOLUMES.iter().find(|(known, ..)| *known == value).map_or("", |(_, words, _)| words)
}

/// The choices of how much is expected: the value sent, and its words.
const VOLUMES: [(&str, &str, Option<&str>); 4] = [
    ("up_to_1000", "Up to 1,000", None),
    ("up_to_10000", "Up to 10,000", None),
    ("up_to_50000", "Up to 50,000", Some("The Standard plan ends here")),
    ("more", "More than 50,000", Some("Tell us above; support will write to you")),
];

/// The fields about a company and its use. `number` says whether its own number is asked for.
pub(super) fn request_fields(typed: RequestTyped, faults: &[Fault], number: bool) -> AnyView {
    let volume_fault = faults.iter().find(|fault| fault.field == "volume").map(|fault| fault.message.clone());
    let volumes = VOLUMES
        .map(|(value, words, remark)| ChoiceOption { value, words, remark: remark.map(str::to_owned) })
        .into();
    view! {
        <Field
            name="company"
            label="Company"
            value=typed.company
            faults=faults.to_vec()
            autocomplete="organization"
        />
        {number
            .then(|| {
                view! {
                    <Field
                        name="vat_number"
                        label="Its own VAT number (optional)"
                        hint="With the country in front, such as GB123456782. Support decides sooner with it; its registry is asked."
                        value=typed.vat_number
                        faults=faults.to_vec()
                        autocomplete="off"
                        width="medium"
                        mono=true
                        optional=true
                    />
                }
            })}
        <Field
            name="intended_use"
            label="What will you check, and when?"
            kind=Kind::Text
            hint="For example: customers’ numbers at checkout, or all suppliers before the monthly invoice run."
            value=typed.intended_use
            faults=faults.to_vec()
        />
        <Choice
            name="volume"
            legend="About how many numbers a month?"
            options=volumes
            chosen=typed.volume
            fault=volume_fault
        />
    }
    .into_any()
}

impl ServerView for AskForKeys {
    fn title(&self) -> String {
        "Ask for keys".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading="Ask for keys" back=("/portal/keys", "Keys") />
                    <form method="post" action="/portal/keys/request" novalidate>
                        {request_fields(self.typed, &self.faults, true)} <p class="button-row">
                            <button class="button" data-kind="primary" type="submit" name="do" value="ask">
                                "Ask support"
                            </button>
                            <a href="/portal" rel="external">
                                "Cancel"
                            </a>
                        </p>
                    </form>
                </div>
                <aside>
                    {self
                        .declined
                        .map(|reason| {
                            view! {
                                <h2>"Why it was declined"</h2>
                                <blockquote>{reason}</blockquote>
                            }
                        })} <h2>"What happens next"</h2>
                    <ol>
                        <li>"Support reads your request and answers by mail."</li>
                        <li>"You create your keys yourself. Nobody at Crossvat ever sees them."</li>
                    </ol>
                </aside>
            </div>
        }
        .into_any()
    }
}

/// What the one who asked is told of the registry's word: nothing that is not about a slip.
fn doubt(number: vat::VatNumber, said: Option<&OwnNumberSaid>) -> Option<String> {
    let registry = number.registry().name();
    match said?.status {
        Status::NotRegistered | Status::Malformed => Some(format!(
            "{registry} does not confirm this number. If it is a slip, withdraw the request and ask again."
        )),
        Status::Valid | Status::Unavailable | Status::Unsupported => None,
    }
}

impl ServerView for AskedForKeys {
    fn title(&self) -> String {
        "Your request".to_owned()
    }

    fn view(self) -> AnyView {
        let request = self.request;
        let number = request.vat_number.map(|number| {
            let doubt = doubt(number, request.said.as_ref());
            view! {
                <Fact name="Own number">
                    <VatNumber number=number />
                    {doubt.map(|doubt| view! { <small>{doubt}</small> })}
                </Fact>
            }
        });
        let receiver = match request.email {
            Some(email) => view! { <strong>{email}</strong> }.into_any(),
            None => "an owner of the account".into_any(),
        };
        view! {
            <PageHeader heading="Your request is with support" back=("/portal/keys", "Keys")>
                <p>
                    "A person reads it, in the order of arrival, and answers by mail to "
                    {receiver} "."
                </p>
            </PageHeader>
            <section>
                <FactList>
                    <Fact name="Asked">
                        <Moment at=request.asked />
                        ", by "
                        {request.asker}
                    </Fact>
                    <Fact name="Company">{request.company}</Fact>
                    {number}
                    <Fact name="Use">{request.intended_use}</Fact>
                    <Fact name="Expects">{request.volume} " numbers a month"</Fact>
                </FactList>
            </section>
            {self
                .may_change
                .then(|| {
                    view! {
                        <section>
                            <h2>"Something to change?"</h2>
                            <p>
                                "Withdraw the request and ask again. It then waits behind those that came before it."
                            </p>
                            <form method="post" action="/portal/keys/request">
                                <p class="button-row">
                                    <button class="button" type="submit" name="do" value="withdraw">
                                        "Withdraw the request"
                                    </button>
                                </p>
                            </form>
                        </section>
                    }
                })}
        }
        .into_any()
    }
}

impl ServerView for RequestStands {
    fn title(&self) -> String {
        "Home".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading=self.heading>
                <p>{self.asked.map(request_of)} {self.lead}</p>
                {self
                    .action
                    .map(|words| {
                        view! {
                            <div class="button-row">
                                <a
                                    class="button"
                                    data-kind="primary"
                                    href="/portal/keys/request"
                                    rel="external"
                                >
                                    {words}
                                </a>
                            </div>
                        }
                    })}
            </PageHeader>
            {self
                .reason
                .map(|(reason, by, at)| {
                    view! {
                        <section>
                            <h2>"Support writes"</h2>
                            <blockquote>{reason}</blockquote>
                            <p>
                                <small>{by} " at Crossvat support, " <Moment at=at /></small>
                            </p>
                        </section>
                    }
                })}
            {self.is_owner.then(meanwhile)}
        }
        .into_any()
    }
}

/// That a request is there.
pub(super) fn request_of(asked: Instant) -> AnyView {
    view! { "We have your request of " <Moment at=asked /> " and read it in the order of arrival. " }
        .into_any()
}

/// What an owner can do before there are keys.
fn meanwhile() -> AnyView {
    view! {
        <section>
            <h2>"What you can do meanwhile"</h2>
            <ul class="item-list" role="list">
                <li>
                    <p>
                        "Say in whose name the registries are asked. "
                        <small>"To a number of your own they give a consultation number, which is proof."</small>
                    </p>
                    <a href="/portal/settings" rel="external">
                        "Name your VAT numbers"
                    </a>
                </li>
                <li>
                    <p>"Let the people in who will check numbers or build the connection."</p>
                    <a href="/portal/settings/members" rel="external">
                        "Invite members"
                    </a>
                </li>
            </ul>
        </section>
    }
    .into_any()
}

/// What a registry said of a company's own number, for support.
pub(super) fn said(number: vat::VatNumber, said: Option<OwnNumberSaid>) -> AnyView {
    let registry = number.registry().name();
    match said {
        None => view! { <small>{registry} " was not asked yet"</small> }.into_any(),
        Some(OwnNumberSaid { status: Status::Unavailable, at, .. }) => view! {
            <StatusTag status=Status::Unavailable />
            <small>{registry} " did not answer, " <Moment at=at /> ". This says nothing about the number."</small>
        }
        .into_any(),
        Some(OwnNumberSaid { status, trader, at }) => {
            let trader = match (status, trader) {
                (_, Some(trader)) => trader,
                (Status::Valid, None) => format!("Name not disclosed by {registry}"),
                _ => String::new(),
            };
            let trader = (!trader.is_empty()).then(|| view! { {trader} ". " });
            view! {
                <StatusTag status=status />
                <small>{trader} {registry} ", " <Moment at=at /></small>
            }
            .into_any()
        }
    }
}
