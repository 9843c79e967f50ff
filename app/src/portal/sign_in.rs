//! `/sign-in` and `/staff/sign-in`, and where each asks for the second factor.

use leptos::prelude::*;

use super::{Fault, ServerView};
use crate::components::{ButtonRow, ErrorSummary, Field, Kind, Notice, Tone};

/// The form to sign in with.
#[derive(Clone, Debug, Default)]
pub struct SignIn {
    /// As typed.
    pub email: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
    /// What to say first, such as that a session has ended.
    pub notice: Option<&'static str>,
    /// Where to go afterwards.
    pub return_to: String,
    /// Whether it is that of the support staff.
    pub of_staff: bool,
    /// Whether whoever signs up has to be approved.
    pub asks_first: bool,
}

/// The form that asks for the second factor, after the password.
#[derive(Clone, Debug)]
pub struct SignInCode {
    /// Where it is sent.
    pub action: &'static str,
    /// Where one begins anew.
    pub sign_in: &'static str,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl ServerView for SignIn {
    fn title(&self) -> String {
        if self.of_staff { "Sign in to support" } else { "Sign in" }.to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (heading, action) =
            if self.of_staff { ("Sign in to support", "/staff/sign-in") } else { ("Sign in", "/sign-in") };
        let forgotten = (!self.of_staff).then(|| {
            view! {
                <a href="/forgot-password" rel="external">
                    "Forgotten your password?"
                </a>
            }
        });
        let aside = if self.of_staff {
            view! {
                <h2>"For Crossvat’s own staff"</h2>
                <p>
                    "After the password you are asked for a code from your app. Have your telephone at hand, or one of your recovery codes."
                </p>
                <p>
                    "Forgotten your password? Ask a colleague: they send you a link with which you choose another."
                </p>
                <p>
                    "A customer of ours? "
                    <a href="/sign-in" rel="external">
                        "Sign in to your account"
                    </a>
                </p>
            }
            .into_any()
        } else {
            let (promise, words) = if self.asks_first {
                ("Tell us what you want to check, and a person answers.", "Ask for early access")
            } else {
                ("It takes a minute. Then you create keys and check numbers at once.", "Open an account")
            };
            view! {
                <h2>"No account yet?"</h2>
                <p>{promise}</p>
                <p>
                    <a href="/sign-up" rel="external">
                        {words}
                    </a>
                </p>
            }
            .into_any()
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>{heading}</h1>
                    {self
                        .notice
                        .map(|notice| {
                            view! {
                                <Notice tone=Tone::Note>
                                    <p>{notice}</p>
                                </Notice>
                            }
                        })}
                    <form method="post" action=action novalidate>
                        <input type="hidden" name="return_to" value=self.return_to />
                        <Field
                            name="email"
                            label="Work email address"
                            kind=Kind::Email
                            value=self.email
                            faults=self.faults.clone()
                            autocomplete="username"
                        />
                        <Field name="password" label="Password" kind=Kind::Password faults=self.faults />
                        <p class="button-row">
                            <button class="button" data-kind="primary" type="submit">
                                "Sign in"
                            </button>
                            {forgotten}
                        </p>
                    </form>
                </div>
                <aside>{aside}</aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for SignInCode {
    fn title(&self) -> String {
        "Your second factor".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>"Your second factor"</h1>
                    <p>"Your password is right. Now type the code that your app shows."</p>
                    <form method="post" action=self.action novalidate>
                        <Field
                            name="code"
                            label="Code"
                            hint="Six digits, others every 30 seconds. Each works once."
                            faults=self.faults
                            autocomplete="one-time-code"
                            width="short"
                            mono=true
                        />
                        <ButtonRow kind="primary" words="Sign in" out_to=self.sign_in out="Begin anew" />
                    </form>
                </div>
                <aside>
                    <h2>"No telephone at hand?"</h2>
                    <p>
                        "Type one of the recovery codes that you were given when you set the second factor up. Each of them works once too."
                    </p>
                    <p>"They are lost as well? Then only a person can help: write to Crossvat support."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}
