//! The second factor: how it stands, where it is set up, and the recovery codes that are shown once. The same for members and
//! support staff, but that these must have one.

use leptos::prelude::*;

use super::{Fault, Instant, ServerView};
use crate::components::{
    CodeField, Docket, ErrorSummary, Field, Kind, Moment, Notice, PageHeader, QrCode, RecoveryCodeList,
    SecretText, StatusTag, TagStatus, Tone,
};

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrDrawing {
    /// How many squares it has on each side, its margin included.
    pub side: i32,
    /// Its dark squares, as an SVG path in squares.
    pub path: String,
}

/// How the reader's second factor stands.
#[derive(Clone, Debug)]
pub enum SecondFactorState {
    /// It is asked for.
    On {
        /// Since when.
        since: Instant,
        /// How many recovery codes were not used.
        codes_left: u64,
    },
    /// There is none.
    Off,
    /// There is none, and this server cannot keep one.
    NotOffered,
}

/// Whose rule it is that nothing is open without a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredBy {
    /// The reader's account, whose owners demand it of every member.
    Account,
    /// This service, of its support staff.
    Staff,
}

/// Where a second factor is set up.
#[derive(Clone, Debug)]
pub struct SetUpSecondFactor {
    /// Where the form is sent.
    pub action: String,
    /// By whom it is required, if nothing else is open without one.
    pub required: Option<RequiredBy>,
    /// Whether it takes the place of one that is there.
    pub replaces: bool,
    /// Whether the reader's password is asked for too: a session alone must not bind the account to somebody's telephone.
    pub asks_password: bool,
    /// The reader's address.
    pub email: String,
    /// What the app reads.
    pub drawing: Option<QrDrawing>,
    /// The same for typing: the secret, in groups.
    pub groups: Vec<String>,
    /// The page before this one.
    pub back: Option<(&'static str, &'static str)>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// The recovery codes, once.
#[derive(Clone, Debug)]
pub struct RecoveryCodes {
    /// What was just done.
    pub heading: &'static str,
    /// The codes, as they are read.
    pub codes: Vec<String>,
    /// Where to go then: a path.
    pub next: String,
    /// The query of where to go then: a form that is sent by GET puts its own fields in its place.
    pub next_query: Vec<(String, String)>,
    /// The words of the button that goes there.
    pub next_words: &'static str,
}

/// That the reader's account demands a second factor, and this server can keep none.
#[derive(Clone, Copy, Debug)]
pub struct SecondFactorNotKept;

/// That the pages of the support staff are closed, because this server can keep no second factors.
#[derive(Clone, Copy, Debug)]
pub struct StaffClosed;

/// The section of a member's settings.
pub(super) fn section(state: SecondFactorState, demanded: bool, faults: Vec<Fault>) -> AnyView {
    let (off, note) = if demanded {
        (
            "Set up another",
            "Your account demands one of every member. To replace yours, type a code of it: then you set up another.",
        )
    } else {
        ("Turn it off", "")
    };
    let matter = match state {
        SecondFactorState::On { since, codes_left } => view! {
            <div>
                {standing(since, codes_left)}
                {demanded.then(|| view! { <p>{note}</p> })}
                <form method="post" action="/portal/settings" novalidate>
                    <CodeField asked=true faults />
                    <p class="button-row">
                        <button class="button" type="submit" name="part" value="recovery-codes">
                            "New recovery codes"
                        </button>
                        <button class="button" data-kind="danger" type="submit" name="part" value="second-factor">
                            {off}
                        </button>
                    </p>
                </form>
            </div>
        }
        .into_any(),
        SecondFactorState::Off => view! {
            <div>
                <p>
                    <StatusTag status=TagStatus::Off />
                    " Whoever knows your password can sign in as you."
                </p>
                <p class="button-row">
                    <a class="button" href="/portal/settings/second-factor" rel="external">
                        "Set it up"
                    </a>
                </p>
            </div>
        }
        .into_any(),
        SecondFactorState::NotOffered => view! {
            <div>
                <p>
                    <StatusTag status=TagStatus::Off />
                    " It cannot be set up on this server, which has no key to keep it under. Whoever runs the server can give it one."
                </p>
            </div>
        }
        .into_any(),
    };
    view! {
        <Docket
            id="second-factor"
            heading="Second factor"
            reason="A code from an app on your telephone, asked for after the password."
        >
            {matter}
        </Docket>
    }
    .into_any()
}

/// The section in which an owner demands one of every member. Its field has a name of its own: the page asks for a code twice.
pub(super) fn demand(demanded: bool, own: &SecondFactorState, faults: Vec<Fault>) -> AnyView {
    let stands = if demanded {
        "Every member needs one. Who has none sets it up before anything else."
    } else {
        "Each member chooses. Whoever knows the password of one who has none can read this account’s checks and make keys."
    };
    let (value, words, kind) = if demanded {
        ("no", "Leave it to each member", "danger")
    } else {
        ("yes", "Demand it of every member", "primary")
    };
    let form = match own {
        SecondFactorState::On { .. } => view! {
            <form method="post" action="/portal/settings" novalidate>
                <input type="hidden" name="part" value="demand" />
                <Field
                    name="demand_code"
                    label="Code of your own second factor"
                    hint="Six digits from your app, or one of your recovery codes."
                    faults
                    autocomplete="one-time-code"
                    width="short"
                    mono=true
                />
                <p class="button-row">
                    <button class="button" data-kind=kind type="submit" name="demanded" value=value>
                        {words}
                    </button>
                </p>
            </form>
        }
        .into_any(),
        SecondFactorState::Off => {
            view! { <p>"Set up your own first: then you can demand it of the others."</p> }.into_any()
        }
        SecondFactorState::NotOffered => {
            view! { <p>"This server has no key to keep second factors under."</p> }.into_any()
        }
    };
    view! {
        <Docket
            id="demand"
            heading="Second factors of all"
            reason="It holds for whoever signs in to this account. API keys are not touched."
        >
            <div>
                <p>{stands}</p>
                {form}
            </div>
        </Docket>
    }
    .into_any()
}

/// That it is on, since when, and how many recovery codes are left.
pub(super) fn standing(since: Instant, codes_left: u64) -> AnyView {
    let left = match codes_left {
        0 => " No recovery code is left: make new ones.".to_owned(),
        1 => " One of 10 recovery codes is left: make new ones soon.".to_owned(),
        left => format!(" {left} of 10 recovery codes are left."),
    };
    view! {
        <p>
            <StatusTag status=TagStatus::On />
            " since "
            <Moment at=since />
            "."
            {left}
        </p>
    }
    .into_any()
}

impl SetUpSecondFactor {
    const fn heading(&self) -> &'static str {
        if self.replaces { "Replace your second factor" } else { "Set up your second factor" }
    }

    const fn why(&self) -> &'static str {
        match (self.required, self.replaces) {
            (_, true) => {
                "The codes of the app you have now are asked for until this is done. After that only those of the new one."
            }
            (Some(RequiredBy::Account), false) => {
                "The owners of your account want every member to have one. This is done once; then you go on. You are signed out everywhere else."
            }
            (Some(RequiredBy::Staff), false) => {
                "Support staff can reach every account, so a password alone is not enough. This is done once; then you go on."
            }
            (None, false) => {
                "From then on signing in asks for a code from your telephone after the password. You are signed out everywhere else."
            }
        }
    }
}

impl ServerView for SetUpSecondFactor {
    fn title(&self) -> String {
        self.heading().to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (heading, why) = (self.heading(), self.why());
        let header = match self.back {
            Some(back) => view! {
                <PageHeader heading=heading back>
                    <p>{why}</p>
                </PageHeader>
            }
            .into_any(),
            None => view! {
                <PageHeader heading=heading>
                    <p>{why}</p>
                </PageHeader>
            }
            .into_any(),
        };
        let drawing = self.drawing.map(|drawing| {
            view! { <QrCode drawing label="The secret as a QR code; the same as text stands below" /> }
        });
        let password = self.asks_password.then(|| {
            view! {
                <Field
                    name="password"
                    label="Your password"
                    kind=Kind::Password
                    hint="So that nobody does this for you who has found you signed in."
                    faults=self.faults.clone()
                    width="medium"
                />
            }
        });
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    {header} <ol class="steps" role="list">
                        <li>
                            <h2>"Have an app that makes codes"</h2>
                            <p>
                                "Any will do that knows time-based codes (TOTP): the one of your telephone’s maker, or of a password manager."
                            </p>
                        </li>
                        <li>
                            <h2>"Let it scan this"</h2>
                            {drawing}
                            <p>"Or type this secret into the app, for the account " {self.email} ":"</p>
                            <p>
                                <SecretText groups=self.groups />
                            </p>
                        </li>
                        <li>
                            <h2>"Type the code it shows"</h2>
                            <form method="post" action=self.action novalidate>
                                <Field
                                    name="code"
                                    label="Code from your app"
                                    hint="Six digits, others every 30 seconds."
                                    faults=self.faults
                                    autocomplete="one-time-code"
                                    width="short"
                                    mono=true
                                />
                                {password}
                                <button class="button" data-kind="primary" type="submit">
                                    "Set it up"
                                </button>
                            </form>
                        </li>
                    </ol>
                </div>
                <aside>
                    <h2>"What happens then"</h2>
                    <p>
                        "You are shown 10 recovery codes, once. Each of them lets you in when your telephone is lost: have a place ready where you keep them."
                    </p>
                    <h2>"Who sees the secret"</h2>
                    <p>
                        "You, on this page, until the code was right. We keep it encrypted and show it to nobody again."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for RecoveryCodes {
    fn title(&self) -> String {
        self.heading.to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading=self.heading>
                <p>"These are your recovery codes. This is the only time they are shown: keep them before you leave this page."</p>
            </PageHeader>
            <RecoveryCodeList codes=self.codes />
            <section>
                <h2>"What they are for"</h2>
                <p>
                    "Your telephone is lost or new? Type one of these in place of the code from your app. Each works once. Keep them where you find them without your telephone: in a password manager, or on paper in a safe place. Recovery codes that you had before work no more."
                </p>
            </section>
            <section>
                <h2>"Leaving this page"</h2>
                <form method="get" action=self.next>
                    {self
                        .next_query
                        .into_iter()
                        .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
                        .collect_view()}
                    <fieldset class="choice">
                        <legend>"Have you kept them?"</legend>
                        <label>
                            <input type="checkbox" required />
                            "I have put the recovery codes where I will find them again"
                        </label>
                    </fieldset>
                    <p class="button-row">
                        <button class="button" type="submit">
                            {self.next_words}
                        </button>
                    </p>
                </form>
            </section>
        }
        .into_any()
    }
}

impl ServerView for SecondFactorNotKept {
    fn title(&self) -> String {
        "Your account is closed to you at present".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading=self.title() />
            <Notice tone=Tone::Bad>
                <p>
                    <strong>
                        "The owners of your account want every member to have a second factor, and this server cannot keep one at present."
                    </strong>
                    " Tell an owner of your account, who can take the demand back, or whoever runs the server. API keys work all the same."
                </p>
            </Notice>
        }
        .into_any()
    }
}

impl ServerView for StaffClosed {
    fn title(&self) -> String {
        "Support is closed".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading="Support is closed" />
            <Notice tone=Tone::Bad>
                <p>
                    <strong>"This server cannot keep second factors, and without one nobody may work here."</strong>
                    " Whoever runs it has to set accounts.second_factor_key and start it again. Customers are served all the same."
                </p>
            </Notice>
        }
        .into_any()
    }
}
