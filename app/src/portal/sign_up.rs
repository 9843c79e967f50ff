//! `/sign-up`.

use leptos::prelude::*;

use super::key_request::request_fields;
use super::{Fault, RequestTyped, ServerView};
use crate::components::{ErrorSummary, Field, Kind};

/// What was typed into the form, but for the password.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// The person's name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The company and its use.
    pub request: RequestTyped,
}

/// The form to ask for access with.
#[derive(Clone, Debug)]
pub struct SignUp {
    /// What stands in it.
    pub typed: Typed,
    /// What needs changing.
    pub faults: Vec<Fault>,
    /// Whether support answers first; else keys can be made at once.
    pub asks_first: bool,
}

impl SignUp {
    const fn name(&self) -> &'static str {
        if self.asks_first { "Ask for early access" } else { "Open an account" }
    }
}

impl ServerView for SignUp {
    fn title(&self) -> String {
        self.name().to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (name, faults, typed) = (self.name(), self.faults, self.typed);
        view! {
            <ErrorSummary faults=faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>{name}</h1>
                    <p>
                        "Everything is needed unless it says otherwise. What you have filled in is kept when something has to change; only the password must be typed again."
                    </p>
                    <form method="post" action="/sign-up" novalidate>
                        <fieldset>
                            <legend>"You"</legend>
                            <Field name="name" label="Your name" value=typed.name faults=faults.clone() autocomplete="name" />
                            <Field
                                name="email"
                                label="Work email address"
                                kind=Kind::Email
                                hint="We send a link there to confirm it."
                                value=typed.email
                                faults=faults.clone()
                            />
                            <Field
                                name="password"
                                label="Password"
                                kind=Kind::NewPassword
                                faults=faults.clone()
                            />
                        </fieldset>
                        <fieldset>
                            <legend>"Your company and its use"</legend>
                            {request_fields(typed.request, &faults, self.asks_first)}
                        </fieldset>
                        <button class="button" data-kind="primary" type="submit">
                            {name}
                        </button>
                    </form>
                </div>
                <aside>
                    <h2>"What happens next"</h2>
                    <ol>
                        <li>"You confirm your email address."</li>
                        {self.asks_first.then(|| view! { <li>"Support reads your request and answers by mail."</li> })}
                        <li>"You create your keys yourself. Nobody at Crossvat ever sees them."</li>
                    </ol>
                    <p>
                        <a href="/sign-in" rel="external">
                            "Sign in"
                        </a>
                        " if you have an account."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
