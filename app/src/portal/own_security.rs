//! What everybody who signs in settles for themselves, member or support staff: the password, and where they are signed in.

use leptos::prelude::*;

use super::{Fault, Instant};
use crate::components::{Docket, Field, Kind, Moment};

/// Where the reader is signed in.
#[derive(Clone, Debug)]
pub struct OpenSession {
    /// What the form sends to end it; none for the one that reads.
    pub key: Option<String>,
    /// The program, in plain words.
    pub program: String,
    /// From where.
    pub address: String,
    /// Since when.
    pub since: Instant,
    /// When it was last seen.
    pub last_seen: Instant,
}

/// The form that changes the reader's password. It is sent to `action`.
pub(super) fn password_form(action: &'static str, email: String, faults: Vec<Fault>) -> AnyView {
    view! {
        <Docket id="password" heading="Your password" reason="Changing it signs you out everywhere else.">
            <div>
                <form method="post" action=action novalidate>
                    <input type="hidden" name="part" value="password" />
                    // For programs that keep passwords: whose this one is.
                    <input type="hidden" name="username" value=email autocomplete="username" />
                    <Field
                        name="present"
                        label="Present password"
                        kind=Kind::Password
                        faults=faults.clone()
                        width="medium"
                    />
                    <Field
                        name="new"
                        label="New password"
                        kind=Kind::NewPassword
                        hint="12 characters or more. A few words in a row are easier to keep than symbols."
                        faults=faults
                        width="medium"
                    />
                    {save("Change password")}
                </form>
            </div>
        </Docket>
    }
    .into_any()
}

/// The button of a form.
pub(super) fn save(words: &'static str) -> AnyView {
    view! {
        <p class="button-row">
            <button class="button" type="submit">
                {words}
            </button>
        </p>
    }
    .into_any()
}

/// Where the reader is signed in, and the forms that end a session. They are sent to `action`.
pub(super) fn sessions(action: &'static str, sessions: Vec<OpenSession>) -> AnyView {
    let others = sessions.iter().any(|session| session.key.is_some());
    view! {
        <Docket
            id="sessions"
            heading="Where you are signed in"
            reason="End what you do not recognise, then change your password."
        >
            <div>
                <div class="data-table">
                    <table role="table">
                        <caption>"Sessions"</caption>
                        <thead role="rowgroup">
                            <tr role="row">
                                <th role="columnheader" scope="col" data-kind="title">"Browser"</th>
                                <th role="columnheader" scope="col">"Signed in"</th>
                                <th role="columnheader" scope="col">"Last seen"</th>
                                <th role="columnheader" scope="col" data-kind="actions">"End"</th>
                            </tr>
                        </thead>
                        <tbody role="rowgroup">{sessions.into_iter().map(session_row).collect_view()}</tbody>
                    </table>
                </div>
                <form id="end" method="post" action=action>
                    <input type="hidden" name="part" value="end" />
                    {others
                        .then(|| {
                            view! {
                                <button class="button" type="submit" name="session" value="others">
                                    "End all others"
                                </button>
                            }
                        })}
                </form>
            </div>
        </Docket>
    }
    .into_any()
}

fn session_row(session: OpenSession) -> AnyView {
    let label = format!("End the session of {}", session.program);
    let last_seen = match &session.key {
        Some(_) => view! { <Moment at=session.last_seen /> }.into_any(),
        None => "This session".into_any(),
    };
    let end = session.key.map(|key| {
        view! {
            <button
                class="button"
                data-kind="plain"
                type="submit"
                form="end"
                name="session"
                value=key
                aria-label=label
            >
                "End"
            </button>
        }
    });
    view! {
        <tr role="row">
            <th role="rowheader" scope="row" data-kind="title">
                {session.program}
                " "
                <small>{session.address}</small>
            </th>
            <td role="cell" data-label="Signed in">
                <Moment at=session.since />
            </td>
            <td role="cell" data-label="Last seen">
                {last_seen}
            </td>
            <td role="cell" data-kind="actions">
                {end}
            </td>
        </tr>
    }
    .into_any()
}
