//! `/staff/security`: how one of the support staff signs in: second factor, password, sessions.

use leptos::prelude::*;

use super::own_security::{password_form, sessions};
use super::second_factor::standing;
use super::{Fault, OpenSession, SecondFactorState, ServerView};
use crate::components::{
    CodeField, Docket, ErrorSummary, Fact, FactList, Notice, PageHeader, StatusTag, TagStatus, Tone,
};

const PATH: &str = "/staff/security";

/// `/staff/security`
#[derive(Clone, Debug)]
pub struct StaffSecurity {
    /// The reader's name.
    pub name: String,
    /// The reader's address.
    pub email: String,
    /// How the second factor stands.
    pub second_factor: SecondFactorState,
    /// Whether it is asked for again before it is changed.
    pub asks_for_code: bool,
    /// Where the reader is signed in, the place last seen first.
    pub sessions: Vec<OpenSession>,
    /// What was just done.
    pub done: Option<&'static str>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl ServerView for StaffSecurity {
    fn title(&self) -> String {
        "Your sign-in".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let email = self.email.clone();
        let factor = second_factor(self.second_factor, self.asks_for_code, self.faults.clone());
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading="Your sign-in" />
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            <Docket id="you" heading="You" reason="The name stands in the audit log and in mails to customers.">
                <div>
                    <FactList>
                        <Fact name="Name">{self.name}</Fact>
                        <Fact name="Address">{email}</Fact>
                    </FactList>
                </div>
            </Docket>
            <Docket
                id="second-factor"
                heading="Second factor"
                reason="A code from an app on your telephone. Support staff cannot be without one, so it is replaced and not turned off."
            >
                {factor}
            </Docket>
            {password_form(PATH, self.email, self.faults)}
            {sessions(PATH, self.sessions)}
        }
        .into_any()
    }
}

fn second_factor(state: SecondFactorState, asks_for_code: bool, faults: Vec<Fault>) -> AnyView {
    let standing = match state {
        SecondFactorState::On { since, codes_left } => standing(since, codes_left),
        SecondFactorState::Off | SecondFactorState::NotOffered => {
            view! { <p><StatusTag status=TagStatus::Off /></p> }.into_any()
        }
    };
    view! {
        <div>
            {standing} <form method="post" action=PATH novalidate>
                <CodeField asked=asks_for_code faults />
                <p class="button-row">
                    <button class="button" type="submit" name="part" value="codes">
                        "New recovery codes"
                    </button>
                    <button class="button" type="submit" name="part" value="replace">
                        "Replace it"
                    </button>
                </p>
            </form>
        </div>
    }
    .into_any()
}
