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

/// `/reset-password/…` and the invitations at `/claim/…`: the form that sets a password.
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
    /// The company whose account was opened with it.
    pub company: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// A link that can be used no more.
#[derive(Clone, Debug)]
pub struct LinkEnded {
    /// Why, in a sentence.
    pub why: &'static str,
    /// What to do: an address and its words.
    pub remedy: (&'static str, &'static str),
}

/// A page with one thing to do: the heading and what stands under it, and beside it what to expect.
pub(super) fn entry(
    faults: &[Fault],
    heading: impl Into<String>,
    content: impl IntoView + 'static,
    aside: Option<AnyView>,
) -> AnyView {
    view! {
        <ErrorSummary faults=faults.to_vec() />
        <div class="entry-form">
            <div>
                <h1>{heading.into()}</h1>
                {content.into_any()}
            </div>
            {aside.map(|aside| view! { <aside>{aside}</aside> })}
        </div>
    }
    .into_any()
}

/// A heading and a paragraph beside the form.
fn beside(heading: impl Into<String>, words: &'static str) -> AnyView {
    let heading = heading.into();
    view! {
        <h2>{heading}</h2>
        <p>{words}</p>
    }
    .into_any()
}

/// The button that does the one thing.
pub(super) fn primary(words: &'static str) -> AnyView {
    view! {
        <button class="button" data-kind="primary" type="submit">
            {words}
        </button>
    }
    .into_any()
}

impl ServerView for ForgotPassword {
    fn title(&self) -> String {
        "Forgotten password".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let content = view! {
            <p>"We send a link to your address. With it you choose a new password."</p>
            <form method="post" action="/forgot-password" novalidate>
                <Field
                    name="email"
                    label="Work email address"
                    kind=Kind::Email
                    value=self.email
                    faults=self.faults.clone()
                    autocomplete="username"
                />
                <p class="button-row">
                    {primary("Send the link")} <a href="/sign-in" rel="external">
                        "Sign in"
                    </a>
                </p>
            </form>
        };
        let then = beside(
            "What happens then",
            "The link works once, within 24 hours. With the new password you are signed out everywhere.",
        );
        entry(&self.faults, "Forgotten your password?", content, Some(then))
    }
}

impl ServerView for Sent {
    fn title(&self) -> String {
        self.heading.to_owned()
    }

    fn view(self) -> AnyView {
        let content = view! {
            <p>"A mail is on its way to " <strong>{self.email}</strong> "."</p>
            <p>{self.words}</p>
        };
        entry(&[], self.heading, content, None)
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
        let content = view! {
            <form method="post" action=self.action novalidate>
                // For programs that keep passwords: whose this one is.
                <input type="hidden" name="username" value=self.email.clone() autocomplete="username" />
                <Field
                    name="password"
                    label="New password"
                    kind=Kind::NewPassword
                    faults=self.faults.clone()
                />
                {primary("Keep this password")}
            </form>
        };
        let aside = beside(
            format!("For {}", self.email),
            "Afterwards sign in with it. Wherever you were signed in before, you are not any more.",
        );
        entry(&self.faults, self.heading, content, Some(aside))
    }
}

impl ServerView for ConfirmEmail {
    fn title(&self) -> String {
        "Confirm your address".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let content = view! {
            <p>
                <strong>{self.email.clone()}</strong> " belongs to you, and you opened an account for "
                <strong>{self.company}</strong> ". Type the password that you chose then."
            </p>
            <form method="post" action=self.action novalidate>
                // For programs that keep passwords: whose this one is.
                <input type="hidden" name="username" value=self.email autocomplete="username" />
                <Field name="password" label="Password" kind=Kind::Password faults=self.faults.clone() />
                <p class="button-row">
                    {primary("Confirm and sign in")} <a href="/forgot-password" rel="external">
                        "Choose a new password"
                    </a>
                </p>
            </form>
        };
        let aside = beside(
            "It was not you?",
            "Then leave this page: without your confirmation nobody can use the account. If the company is yours and the password is not, choose a new one: that confirms the address too.",
        );
        entry(&self.faults, "Confirm your address", content, Some(aside))
    }
}

impl ServerView for LinkEnded {
    fn title(&self) -> String {
        "This link can be used no more".to_owned()
    }

    fn view(self) -> AnyView {
        let (href, words) = self.remedy;
        let content = view! {
            <p>{self.why}</p>
            <p>
                <a class="button" data-kind="primary" href=href rel="external">
                    {words}
                </a>
            </p>
        };
        entry(&[], "This link can be used no more", content, None)
    }
}
