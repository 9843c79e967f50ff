//! `/sign-in`.

use leptos::prelude::*;

use super::{Fault, ServerView};
use crate::components::{ErrorSummary, Field, Kind, Notice, Tone};

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
}

impl ServerView for SignIn {
    fn title(&self) -> String {
        "Sign in".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <h1>"Sign in"</h1>
                    {self
                        .notice
                        .map(|notice| {
                            view! {
                                <Notice tone=Tone::Note>
                                    <p>{notice}</p>
                                </Notice>
                            }
                        })}
                    <form method="post" action="/sign-in">
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
                            <a href="/forgot-password" rel="external">
                                "Forgotten your password?"
                            </a>
                        </p>
                    </form>
                </div>
                <aside>
                    <h2>"No account yet?"</h2>
                    <p>"Tell us what you want to check, and a person answers."</p>
                    <p>
                        <a href="/sign-up" rel="external">
                            "Ask for early access"
                        </a>
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
