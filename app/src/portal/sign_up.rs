//! `/sign-up`.

use leptos::prelude::*;

use super::{Fault, ServerView};
use crate::components::{ErrorSummary, Field, Kind};

/// The choices of how much is expected: the value sent, and its words.
const VOLUMES: [(&str, &str, Option<&str>); 4] = [
    ("up_to_1000", "Up to 1,000", None),
    ("up_to_10000", "Up to 10,000", None),
    ("up_to_50000", "Up to 50,000", Some("The Standard plan ends here")),
    ("more", "More", Some("Tell us above; support will write to you")),
];

/// What was typed into the form, but for the password.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// The person's name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The company.
    pub company: String,
    /// What will be checked, and when.
    pub intended_use: String,
    /// About how much.
    pub volume: String,
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
        let volume_fault =
            faults.iter().find(|fault| fault.field == "volume").map(|fault| fault.message.clone());
        let described = volume_fault.is_some().then_some("volume-error");
        let volumes = VOLUMES
            .iter()
            .enumerate()
            .map(|(place, (value, words, remark))| {
                view! {
                    <label>
                        <input
                            type="radio"
                            name="volume"
                            id=(place == 0).then_some("volume")
                            value=*value
                            checked=typed.volume == *value
                            required
                        />
                        {*words}
                        {remark.map(|remark| view! { <small>{remark}</small> })}
                    </label>
                }
            })
            .collect_view();

        view! {
            <ErrorSummary faults=faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>{name}</h1>
                    <p>
                        "Everything is needed. What you have filled in is kept when something has to change; only the password must be typed again."
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
                                hint="12 characters or more. A few words in a row are easier to keep than symbols."
                                faults=faults.clone()
                            />
                        </fieldset>
                        <fieldset>
                            <legend>"Your company and its use"</legend>
                            <Field
                                name="company"
                                label="Company"
                                value=typed.company
                                faults=faults.clone()
                                autocomplete="organization"
                            />
                            <Field
                                name="intended_use"
                                label="What will you check, and when?"
                                kind=Kind::Text
                                hint="For example: customers’ numbers at checkout, or all suppliers before the monthly invoice run."
                                value=typed.intended_use
                                faults=faults
                            />
                            <fieldset class="choice" aria-describedby=described>
                                <legend>"About how many numbers a month?"</legend>
                                {volume_fault.map(|fault| view! { <p class="error" id="volume-error">{fault}</p> })}
                                {volumes}
                            </fieldset>
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
