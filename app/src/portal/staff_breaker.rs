//! `/staff/registries/…/open` and `…/close`: support staff have a registry or a member state asked nothing, or asked again.

use leptos::prelude::*;

use super::{BreakerPosition, BreakerStands, Fault, Instant, ServerView};
use crate::components::{
    ButtonRow, Choice, ChoiceOption, CodeField, ErrorSummary, Field, Notice, PageHeader, Tone,
};

const REGISTRIES: &str = "/staff/registries";

/// Whose breaker is changed.
#[derive(Clone, Debug)]
pub struct ChangedBreaker {
    /// What it is called in addresses.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whose numbers are concerned: the words behind "Numbers of".
    pub whose: &'static str,
    /// How its breaker stands.
    pub breaker: BreakerStands,
}

/// `/staff/registries/…/open`
#[derive(Clone, Debug)]
pub struct OpenBreaker {
    /// What is to be left alone.
    pub of: ChangedBreaker,
    /// Names the form: sent twice, it is done once.
    pub token: String,
    /// Who waits for it now.
    pub waiting: Option<String>,
    /// Each time that can be chosen: value, words, and when that would be.
    pub times: Vec<(&'static str, &'static str, Option<Instant>)>,
    /// The value of the one that is chosen.
    pub time: String,
    /// As typed.
    pub reason: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/registries/…/close`
#[derive(Clone, Debug)]
pub struct CloseBreaker {
    /// What is to be asked again.
    pub of: ChangedBreaker,
    /// As of [`OpenBreaker`].
    pub token: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

fn back() -> (String, String) {
    (REGISTRIES.to_owned(), "Registries".to_owned())
}

impl ServerView for OpenBreaker {
    fn title(&self) -> String {
        format!("Open the breaker of {}", self.of.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let ChangedBreaker { code, name, whose, breaker } = self.of.clone();
        let action = format!("{REGISTRIES}/{code}/open");
        let is_open = breaker.by_hand.is_some();
        let out =
            if breaker.position == BreakerPosition::Closed { "Leave it closed" } else { "Leave it as it is" };
        let fault = self.faults.iter().find(|fault| fault.field == "time").map(|fault| fault.message.clone());
        let until = self.times.iter().map(|(_, _, until)| until.clone()).collect();
        let options =
            self.times.iter().map(|(value, words, _)| ChoiceOption { value, words, remark: None }).collect();
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=self.title() back_to=back()>
                        <p>
                            {name} " is asked nothing until the time below, on every server. Numbers of " {whose}
                            " are answered as unavailable, never as invalid."
                        </p>
                    </PageHeader>
                    {is_open
                        .then(|| {
                            view! {
                                <Notice tone=Tone::Note>
                                    <p>
                                        "It is open already; what you send takes the place of that. " {breaker.words()}
                                    </p>
                                </Notice>
                            }
                        })}
                    {self
                        .waiting
                        .clone()
                        .map(|waiting| {
                            view! {
                                <Notice tone=Tone::Warn>
                                    <p>{waiting}</p>
                                </Notice>
                            }
                        })}
                    <form method="post" action=action novalidate>
                        <input type="hidden" name="token" value=self.token />
                        <Choice name="time" legend="For how long?" options chosen=self.time until fault />
                        <Field
                            name="reason"
                            label="Reason"
                            hint="One line, shown on the public status page and written to the audit log."
                            value=self.reason
                            faults=self.faults.clone()
                            autocomplete="off"
                        />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="danger" words="Open the breaker" out_to=REGISTRIES out=out />
                    </form>
                </div>
                <aside>
                    <h2>"When to do this"</h2>
                    <p>
                        "When a registry asks us to stop, or has announced maintenance. For a mere outage the breaker opens by itself."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for CloseBreaker {
    fn title(&self) -> String {
        format!("Close the breaker of {}", self.of.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let ChangedBreaker { code, name, breaker, .. } = self.of.clone();
        let action = format!("{REGISTRIES}/{code}/close");
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=self.title() back_to=back()>
                        <p>
                            {name}
                            " is asked again within a second, on every server, as if it had never failed or refused anything."
                        </p>
                        <p>{breaker.words()}</p>
                    </PageHeader>
                    <form method="post" action=action novalidate>
                        <input type="hidden" name="token" value=self.token />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="primary" words="Close the breaker" out_to=REGISTRIES out="Leave it open" />
                    </form>
                </div>
                <aside>
                    <h2>"If it still does not answer"</h2>
                    <p>
                        "Then the breaker opens again by itself, after five lookups in vain. A breaker that opened by itself is tried again without you."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
