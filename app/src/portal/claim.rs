//! `/claim/…` when the link brings a key: what its receiver has to do before the key is shown.

use leptos::prelude::*;

use super::links::{entry, primary};
use super::{Fault, Instant, ServerView};
use crate::components::{Field, Kind, Moment, Notice, Tone};

/// What has to be done before the key is shown.
#[derive(Clone, Debug)]
pub enum ClaimWay {
    /// A password is chosen.
    ChoosePassword,
    /// Nothing: the receiver is signed in.
    Take,
    /// The receiver, who has a password, signs in.
    SignIn,
    /// Whoever is signed in here is somebody else, and signs out.
    SomebodyElse,
    /// Nothing can be done: the receiver only looks on by now.
    Viewer,
    /// Nothing can be done: the account is suspended.
    Suspended,
}

/// The page of the link.
#[derive(Clone, Debug)]
pub struct ClaimKey {
    /// Where the form is sent: the address of the link.
    pub action: String,
    /// The account.
    pub account: String,
    /// The receiver's address.
    pub email: String,
    /// Whether the account was made for the receiver.
    pub first_owner: bool,
    /// What the key will be called.
    pub name: String,
    /// Whether it will reach the registries.
    pub live: bool,
    /// Until when the link works.
    pub until: Instant,
    /// What has to be done.
    pub way: ClaimWay,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl ClaimKey {
    const fn heading(&self) -> &'static str {
        match self.way {
            ClaimWay::ChoosePassword => "Set a password, then take your key",
            ClaimWay::Take => "Take your key",
            ClaimWay::SignIn => "Sign in, then take your key",
            ClaimWay::SomebodyElse => "This key is for somebody else",
            ClaimWay::Viewer => "Viewers take no keys",
            ClaimWay::Suspended => "No key can be made at present",
        }
    }

    fn form(&self) -> AnyView {
        let action = self.action.clone();
        match self.way {
            ClaimWay::ChoosePassword => view! {
                <form method="post" action=action novalidate>
                    <div class="field">
                        <label for="email">"Email address"</label>
                        <p class="hint" id="email-hint">
                            "The link was sent here. It cannot be changed on this page."
                        </p>
                        <input
                            id="email"
                            name="email"
                            type="email"
                            value=self.email.clone()
                            aria-describedby="email-hint"
                            autocomplete="username"
                            readonly
                        />
                    </div>
                    <Field
                        name="password"
                        label="New password"
                        kind=Kind::NewPassword
                        faults=self.faults.clone()
                    />
                    {primary("Set password and show the key")}
                </form>
            }
            .into_any(),
            ClaimWay::Take => view! {
                <form method="post" action=action>
                    {primary("Show the key")}
                </form>
            }
            .into_any(),
            ClaimWay::SignIn => view! {
                <p>
                    "You have a password already: sign in with " <strong>{self.email.clone()}</strong>
                    ", and this page comes back."
                </p>
                <form method="post" action=action>
                    {primary("Sign in")}
                </form>
            }
            .into_any(),
            ClaimWay::SomebodyElse => view! {
                <p>
                    "It was sent to " <strong>{self.email.clone()}</strong>
                    ", and somebody else is signed in here. Sign out, then follow the link again."
                </p>
                <form method="post" action="/sign-out">
                    {primary("Sign out")}
                </form>
            }
            .into_any(),
            ClaimWay::Viewer => view! {
                <Notice tone=Tone::Bad>
                    <p>
                        "You are a viewer of this account, and viewers make no keys. An owner can give you another role; the link stays as it is until its time is over."
                    </p>
                </Notice>
            }
            .into_any(),
            ClaimWay::Suspended => view! {
                <Notice tone=Tone::Bad>
                    <p>"The account is suspended. Write to support; the link stays as it is until its time is over."</p>
                </Notice>
            }
            .into_any(),
        }
    }
}

impl ServerView for ClaimKey {
    fn title(&self) -> String {
        self.heading().to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (heading, form) = (self.heading(), self.form());
        let account = self.account;
        let lead = if self.first_owner {
            view! {
                "Crossvat support has opened an account for "
                <strong>{account}</strong>
                ". You are its first owner."
            }
            .into_any()
        } else {
            view! { "Crossvat support has prepared a key for " <strong>{account}</strong> "." }.into_any()
        };
        let kind = if self.live { "a live key: it asks HMRC and VIES" } else { "a test key for the sandbox" };
        let content = view! {
            <p>{lead}</p>
            {form}
        };
        let aside = view! {
            <h2>"This link works once"</h2>
            <p>"Until " <Moment at=self.until /> ". Opening the page does not use it up; the button does."</p>
            <p>
                "It brings “" {self.name} "”, " {kind}
                ". The key is shown once, on the next page. Have the place ready where you will keep it."
            </p>
            <p>"Not expecting this? Close the page and nothing happens."</p>
        }
        .into_any();
        entry(&self.faults, heading, content, Some(aside))
    }
}
