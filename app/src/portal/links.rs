//! What mailed links lead to, and where they are asked for. To look at a link does not use it up: its form does.

use leptos::prelude::*;

use super::{Fault, ServerView};
use crate::components::{ErrorSummary, Field, Kind};

/// `/forgot-password`: the form that asks for a link.
#[derive(Clone, Debug, Default)]
pub struct ForgotPassword {
    /// As typed.
    pub email: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// That a mail is on its way; the same whether the address is known or not.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The heading.
    pub heading: &'static str,
    /// The address, as typed.
    pub email: String,
    /// What the mail is for and what to do when it does not come.
    pub words: &'static str,
}

/// `/reset-password/…` and `/claim/…`: the form that sets a password.
#[derive(Clone, Debug)]
pub struct NewPassword {
    /// Where the form is sent: the address of the link.
    pub action: String,
    /// The heading.
    pub heading: &'static str,
    /// Whose password it will be.
    pub email: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/confirm-email/…`: the form that confirms.
#[derive(Clone, Debug)]
pub struct ConfirmEmail {
    /// Where the form is sent: the address of the link.
    pub action: String,
    /// The address it confirms.
    pub email: String,
}

/// A link that can be used no more.
#[derive(Clone, Debug)]
pub struct LinkEnded {
    /// Why, in a sentence.
    pub why: &'static str,
    /// What to do: an address and its words.
    pub remedy: (&'static str, &'static str),
}

impl ServerView for ForgotPassword {
    fn title(&self) -> String {
        "Choose a new password".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>"Forgotten your password?"</h1>
                    <p>"We send a link to your address. With it you choose a new password."</p>
                    <form method="post" action="/forgot-password" novalidate>
                        <Field
                            name="email"
                            label="Work email address"
                            kind=Kind::Email
                            value=self.email
                            faults=self.faults
                            autocomplete="username"
                        />
                        <p class="button-row">
                            <button class="button" data-kind="primary" type="submit">
                                "Send the link"
                            </button>
                            <a href="/sign-in" rel="external">
                                "Sign in"
                            </a>
                        </p>
                    </form>
                </div>
                <aside>
                    <h2>"What happens then"</h2>
                    <p>"The link works once, within 24 hours. With the new password you are signed out everywhere."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for Sent {
    fn title(&self) -> String {
        self.heading.to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <div class="entry-form">
                <div>
                    <h1>{self.heading}</h1>
                    <p>"A mail is on its way to " <strong>{self.email}</strong> "."</p>
                    <p>{self.words}</p>
                </div>
            </div>
        }
        .into_any()
    }
}

impl ServerView for NewPassword {
    fn title(&self) -> String {
        self.heading.to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>{self.heading}</h1>
                    <form method="post" action=self.action novalidate>
                        // For programs that keep passwords: whose this one is.
                        <input type="hidden" name="username" value=self.email.clone() autocomplete="username" />
                        <Field
                            name="password"
                            label="New password"
                            kind=Kind::NewPassword
                            hint="12 characters or more. A few words in a row are easier to keep than symbols."
                            faults=self.faults
                        />
                        <button class="button" data-kind="primary" type="submit">
                            "Keep this password"
                        </button>
                    </form>
                </div>
                <aside>
                    <h2>"For " {self.email}</h2>
                    <p>"Afterwards sign in with it. Wherever you were signed in before, you are not any more."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for ConfirmEmail {
    fn title(&self) -> String {
        "Confirm your address".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <div class="entry-form">
                <div>
                    <h1>"Confirm your address"</h1>
                    <p><strong>{self.email}</strong> " belongs to you, and you asked for an account of Crossvat."</p>
                    <form method="post" action=self.action>
                        <button class="button" data-kind="primary" type="submit">
                            "Confirm the address"
                        </button>
                    </form>
                </div>
                <aside>
                    <h2>"It was not you?"</h2>
                    <p>"Then leave this page. Without your confirmation nobody can use the account."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for LinkEnded {
    fn title(&self) -> String {
        "This link can be used no more".to_owned()
    }

    fn view(self) -> AnyView {
        let (href, words) = self.remedy;
        view! {
            <div class="entry-form">
                <div>
                    <h1>"This link can be used no more"</h1>
                    <p>{self.why}</p>
                    <p>
                        <a class="button" data-kind="primary" href=href rel="external">
                            {words}
                        </a>
                    </p>
                </div>
            </div>
        }
        .into_any()
    }
}
