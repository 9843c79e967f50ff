//! `/portal/settings`: what the account's checks assume, one's own password and second factor, and where one is signed in.

use leptos::prelude::*;

use super::own_security::{password_form, save, sessions};
use super::second_factor::{demand, section};
use super::{Fault, OpenSession, SecondFactorState, ServerView};
use crate::components::{Docket, ErrorSummary, Fact, FactList, Field, Notice, PageHeader, Select, Tone};

/// What the form about the account's own numbers holds, as typed.
#[derive(Clone, Debug, Default)]
pub struct OwnNumbers {
    /// In whose name HMRC is asked.
    pub gb: String,
    /// In whose name VIES is asked.
    pub eu: String,
    /// What helps to fill in the first, or doubts about what is kept.
    pub gb_hint: String,
    /// As `gb_hint`, of the second.
    pub eu_hint: String,
}

/// `/portal/settings`
#[derive(Clone, Debug)]
pub struct Settings {
    /// The account's name, or what was typed for it.
    pub account: String,
    /// The reader's own name.
    pub name: String,
    /// The reader's address.
    pub email: String,
    /// The reader's role, as a word.
    pub role: &'static str,
    /// Whether the reader may change what the account's checks assume.
    pub may_change: bool,
    /// What was just done.
    pub done: Option<String>,
    /// In whose name the registries are asked.
    pub numbers: OwnNumbers,
    /// The countries: what is sent, and the name.
    pub suppliers: Vec<(String, String)>,
    /// Which of them is chosen.
    pub supplier: String,
    /// The ages of answers: what is sent, and the words.
    pub ages: Vec<(String, String)>,
    /// Which of them is chosen.
    pub age: String,
    /// Whether the account demands a second factor of every member.
    pub demands_second_factor: bool,
    /// How the reader's second factor stands.
    pub second_factor: SecondFactorState,
    /// Where the reader is signed in, the place last seen first.
    pub sessions: Vec<OpenSession>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// The two pages of settings, of which one is open.
pub(super) fn tabs(open: &'static str) -> AnyView {
    let places = [("/portal/settings", "Account and you"), ("/portal/settings/members", "Members")];
    view! {
        <nav class="tab-links" aria-label="Settings">
            <ul>
                {places
                    .map(|(href, words)| {
                        view! {
                            <li>
                                <a href=href rel="external" aria-current=(href == open).then_some("page")>
                                    {words}
                                </a>
                            </li>
                        }
                    })
                    .into_iter()
                    .collect_view()}
            </ul>
        </nav>
    }
    .into_any()
}

impl ServerView for Settings {
    fn title(&self) -> String {
        "Settings".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let about_account = if self.may_change {
            view! {
                {numbers_form(self.numbers, self.faults.clone())}
                {assumptions_form((self.suppliers, self.supplier), (self.ages, self.age))}
            }
            .into_any()
        } else {
            assumed(&self.numbers, (&self.suppliers, &self.supplier), (&self.ages, &self.age))
        };
        let email = self.email.clone();
        let demand = self
            .may_change
            .then(|| demand(self.demands_second_factor, &self.second_factor, self.faults.clone()));
        let account = self.account.clone();
        let company_form = self.may_change.then(|| company_form(account.clone(), self.faults.clone()));
        let company = (!self.may_change).then(|| view! { <Fact name="Company">{account}</Fact> });
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading="Settings" />
            {tabs("/portal/settings")}
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            <Docket id="account" heading="Account" reason="The name stands on evidence pages and in mails.">
                <div>
                    {company_form}
                    <FactList>
                        {company}
                        <Fact name="You">{self.name}</Fact>
                        <Fact name="Your address">{email}</Fact>
                        <Fact name="Your role">{self.role}</Fact>
                    </FactList>
                </div>
            </Docket>
            {about_account}
            {password_form("/portal/settings", self.email, self.faults.clone())}
            {section(self.second_factor, self.demands_second_factor, self.faults)}
            {demand}
            {sessions("/portal/settings", self.sessions)}
        }
        .into_any()
    }
}

fn company_form(company: String, faults: Vec<Fault>) -> AnyView {
    view! {
        <form method="post" action="/portal/settings" novalidate>
            <input type="hidden" name="part" value="account" />
            <Field name="company" label="Company" value=company faults=faults autocomplete="organization" />
            {save("Save")}
        </form>
    }
    .into_any()
}

fn numbers_form(numbers: OwnNumbers, faults: Vec<Fault>) -> AnyView {
    view! {
        <Docket
            id="numbers"
            heading="Your own VAT numbers"
            reason="A registry gives a consultation number, its proof that you asked, only to a registered trader. Without one, checks work but prove less."
        >
            <div>
                <form method="post" action="/portal/settings" novalidate>
                    <input type="hidden" name="part" value="numbers" />
                    <Field
                        name="gb"
                        label="United Kingdom (optional)"
                        hint=numbers.gb_hint
                        value=numbers.gb
                        faults=faults.clone()
                        autocomplete="off"
                        width="medium"
                        mono=true
                        optional=true
                    />
                    <Field
                        name="eu"
                        label="A member state or Northern Ireland (optional)"
                        hint=numbers.eu_hint
                        value=numbers.eu
                        faults=faults
                        autocomplete="off"
                        width="medium"
                        mono=true
                        optional=true
                    />
                    {save("Save")}
                </form>
            </div>
        </Docket>
    }
    .into_any()
}

fn assumptions_form(
    (suppliers, supplier): (Vec<(String, String)>, String),
    (ages, age): (Vec<(String, String)>, String),
) -> AnyView {
    view! {
        <Docket id="assumptions" heading="What a check assumes" reason="Each call and each run can say otherwise.">
            <div>
                <form method="post" action="/portal/settings">
                    <input type="hidden" name="part" value="assumptions" />
                    <Select
                        name="supplier"
                        label="You sell from"
                        hint="Decides whether a sale is domestic or cross-border for the reverse charge."
                        options=suppliers
                        chosen=supplier
                    />
                    <Select
                        name="age"
                        label="Answers may be up to"
                        hint="An answer “not registered” is never used for more than 5 minutes."
                        options=ages
                        chosen=age
                    />
                    {save("Save")}
                </form>
            </div>
        </Docket>
    }
    .into_any()
}

/// What the account's checks assume, for those who may not change it.
fn assumed(
    numbers: &OwnNumbers,
    (suppliers, supplier): (&[(String, String)], &str),
    (ages, age): (&[(String, String)], &str),
) -> AnyView {
    let number = |number: &str| if number.is_empty() { "nobody’s".to_owned() } else { number.to_owned() };
    let words = |options: &[(String, String)], chosen: &str| {
        let option = options.iter().find(|(value, _)| value == chosen);
        option.map(|(_, words)| words.clone()).unwrap_or_default()
    };
    let (gb, eu) = (number(&numbers.gb), number(&numbers.eu));
    let (supplier, age) = (words(suppliers, supplier), words(ages, age));
    view! {
        <Docket
            id="assumptions"
            heading="What a check assumes"
            reason="Each call and each run can say otherwise. An owner of the account changes it."
        >
            <div>
                <FactList>
                    <Fact name="HMRC is asked in the name of">{gb}</Fact>
                    <Fact name="VIES is asked in the name of">{eu}</Fact>
                    <Fact name="You sell from">{supplier}</Fact>
                    <Fact name="Answers may be up to">{age}</Fact>
                </FactList>
            </div>
        </Docket>
    }
    .into_any()
}
