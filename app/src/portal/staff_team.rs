//! `/staff/team` and what is done there.

use leptos::prelude::*;

use super::{Fault, Instant, ServerView};
use crate::components::{
    ButtonRow, CodeField, ConfirmField, Docket, ErrorSummary, Fact, FactList, Field, Kind, Moment, Notice,
    PageHeader, StatusTag, TagStatus, Tone,
};

const TEAM: &str = "/staff/team";

/// How far somebody is one of the support staff.
#[derive(Clone, Debug)]
pub enum StaffState {
    /// They have chosen a password.
    Active {
        /// Since when they belong to the staff.
        since: Instant,
    },
    /// They have not followed the link of their invitation.
    Invited {
        /// Until when it works; none when it works no more.
        until: Option<Instant>,
        /// Whether somebody, or a scanner of mail, has looked at it.
        opened: bool,
    },
    /// They may come in no more.
    Disabled {
        /// Since when.
        at: Instant,
    },
}

/// One of the support staff.
#[derive(Clone, Debug)]
pub struct StaffRow {
    /// The identifier.
    pub id: String,
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// How far they are one.
    pub state: StaffState,
    /// Since when they have a second factor.
    pub second_factor_since: Option<Instant>,
    /// Whether it is the reader.
    pub is_reader: bool,
}

/// What the form that invites holds, as typed.
#[derive(Clone, Debug, Default)]
pub struct StaffInvitation {
    /// The address.
    pub email: String,
    /// The name.
    pub name: String,
}

/// `/staff/team`
#[derive(Clone, Debug)]
pub struct StaffTeam {
    /// Everybody, by name.
    pub people: Vec<StaffRow>,
    /// What stands in the form that invites.
    pub invitation: StaffInvitation,
    /// Whether the second factor is asked for again.
    pub asks_for_code: bool,
    /// What was just done.
    pub done: Option<&'static str>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/team/…`
#[derive(Clone, Debug)]
pub struct StaffPerson {
    /// Who.
    pub row: StaffRow,
    /// Since when they stand in the list.
    pub since: Instant,
    /// Whether the second factor is asked for again.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/staff/team/…/disable`
#[derive(Clone, Debug)]
pub struct DisableStaff {
    /// The identifier.
    pub id: String,
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The name, as typed.
    pub confirm: String,
    /// Why, as typed.
    pub reason: String,
    /// Whether the second factor is asked for again.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl StaffRow {
    const fn is_disabled(&self) -> bool {
        matches!(self.state, StaffState::Disabled { .. })
    }

    fn view(self) -> AnyView {
        let change = (!self.is_disabled()).then(|| {
            let (address, label) = (format!("{TEAM}/{}", self.id), format!("Change {}", self.name));
            view! {
                <a href=address rel="external" aria-label=label>
                    "Change"
                </a>
            }
        });
        let (status, since) = match self.state {
            StaffState::Active { since } => (TagStatus::Active, view! { <Moment at=since /> }.into_any()),
            StaffState::Invited { until: Some(until), .. } => {
                (TagStatus::Invited, view! { "Link works until " <Moment at=until /> }.into_any())
            }
            StaffState::Invited { until: None, .. } => {
                (TagStatus::Invited, "The link works no more".into_any())
            }
            StaffState::Disabled { at } => (TagStatus::Disabled, view! { "Ended " <Moment at /> }.into_any()),
        };
        let factor = match self.second_factor_since {
            Some(since) => view! { "Since " <Moment at=since /> }.into_any(),
            None => "None".into_any(),
        };
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    {self.name}
                    {self.is_reader.then_some(" (you)")}
                    " "
                    <small>{self.email}</small>
                </th>
                <td role="cell" data-kind="status">
                    <StatusTag status=status />
                </td>
                <td role="cell" data-label="Since">
                    {since}
                </td>
                <td role="cell" data-label="Second factor">
                    {factor}
                </td>
                <td role="cell" data-kind="actions">
                    {change}
                </td>
            </tr>
        }
        .into_any()
    }
}

/// How many they are, as a caption.
fn counted(people: &[StaffRow]) -> String {
    let count = |wanted: fn(&StaffState) -> bool| people.iter().filter(|row| wanted(&row.state)).count();
    let present = match count(|state| matches!(state, StaffState::Active { .. })) {
        1 => "1 person".to_owned(),
        people => format!("{people} people"),
    };
    match count(|state| matches!(state, StaffState::Invited { .. })) {
        0 => present,
        1 => format!("{present} and 1 invitation"),
        invited => format!("{present} and {invited} invitations"),
    }
}

impl ServerView for StaffTeam {
    fn title(&self) -> String {
        "Team".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let caption = counted(&self.people);
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading="Team">
                <p>"Who can work here. Each of you can reach every account."</p>
            </PageHeader>
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            <section>
                <div class="data-table">
                    <table role="table">
                        <caption>{caption}</caption>
                        <thead role="rowgroup">
                            <tr role="row">
                                <th role="columnheader" scope="col" data-kind="title">"Name"</th>
                                <th role="columnheader" scope="col" data-kind="status">"State"</th>
                                <th role="columnheader" scope="col">"Since"</th>
                                <th role="columnheader" scope="col">"Second factor"</th>
                                <th role="columnheader" scope="col" data-kind="actions">"Change"</th>
                            </tr>
                        </thead>
                        <tbody role="rowgroup">{self.people.into_iter().map(StaffRow::view).collect_view()}</tbody>
                    </table>
                </div>
            </section>
            {invitation_form(self.invitation, self.asks_for_code, self.faults)}
        }
        .into_any()
    }
}

fn invitation_form(invitation: StaffInvitation, asks_for_code: bool, faults: Vec<Fault>) -> AnyView {
    view! {
        <Docket
            id="invite"
            heading="Invite somebody"
            reason="They get a link that works once and for 24 hours. With it they choose a password; then they set up a second factor."
        >
            <div>
                <form method="post" action=TEAM novalidate>
                    <Field
                        name="email"
                        label="Work email address"
                        kind=Kind::Email
                        value=invitation.email
                        faults=faults.clone()
                        autocomplete="off"
                        width="medium"
                    />
                    <Field
                        name="name"
                        label="Name"
                        value=invitation.name
                        faults=faults.clone()
                        autocomplete="off"
                        width="medium"
                    />
                    <CodeField asked=asks_for_code faults />
                    <p class="button-row">
                        <button class="button" type="submit">
                            "Send the invitation"
                        </button>
                    </p>
                </form>
            </div>
        </Docket>
    }
    .into_any()
}

impl ServerView for StaffPerson {
    fn title(&self) -> String {
        self.row.name.clone()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let StaffRow { id, name, email, state, second_factor_since, is_reader } = self.row;
        let has_factor = second_factor_since.is_some();
        let factor = match second_factor_since {
            Some(since) => view! { "Since " <Moment at=since /> }.into_any(),
            None => "None".into_any(),
        };
        let change = match &state {
            StaffState::Invited { until, .. } => {
                Some(invitation_actions(&id, until.is_some(), self.asks_for_code, self.faults.clone()))
            }
            StaffState::Active { .. } if !is_reader => {
                Some(help_actions(&id, has_factor, self.asks_for_code, self.faults.clone()))
            }
            StaffState::Active { .. } | StaffState::Disabled { .. } => None,
        };
        let end = if is_reader {
            view! {
                <h2>"Your own access"</h2>
                <p>"Only somebody else can end it, so that one of you is always left."</p>
                <p>
                    <a href="/staff/security" rel="external">
                        "Your sign-in"
                    </a>
                </p>
            }
            .into_any()
        } else {
            view! {
                <h2>"End their access"</h2>
                <p>"They are signed out at once and can sign in no more. What they did stays under their name."</p>
                <p>
                    <a class="button" data-kind="danger" href=format!("{TEAM}/{id}/disable") rel="external">
                        "End the access of "
                        {name.clone()}
                    </a>
                </p>
            }
            .into_any()
        };
        view! {
            <ErrorSummary faults=self.faults />
            <div class="entry-form">
                <div>
                    <PageHeader heading=name back=(TEAM, "Team")>
                        <p>{email}</p>
                    </PageHeader>
                    <FactList>
                        <Fact name="State">{state_words(&state)}</Fact>
                        <Fact name="In the list since">
                            <Moment at=self.since />
                        </Fact>
                        <Fact name="Second factor">{factor}</Fact>
                    </FactList>
                </div>
                <aside>{change} {end}</aside>
            </div>
        }
        .into_any()
    }
}

fn state_words(state: &StaffState) -> AnyView {
    match state {
        StaffState::Active { .. } => "Signs in with a password".into_any(),
        StaffState::Invited { until: Some(until), opened } => {
            let seen = if *opened {
                "The link was opened, and works until "
            } else {
                "The link was sent, and works until "
            };
            view! { {seen} <Moment at=until.clone() /> }.into_any()
        }
        StaffState::Invited { until: None, .. } => "The link that was sent works no more".into_any(),
        StaffState::Disabled { at } => view! { "Access ended " <Moment at=at.clone() /> }.into_any(),
    }
}

fn invitation_actions(id: &str, is_open: bool, asks_for_code: bool, faults: Vec<Fault>) -> AnyView {
    view! {
        <h2>"The invitation"</h2>
        <form method="post" action=format!("{TEAM}/{id}") novalidate>
            <CodeField asked=asks_for_code faults />
            <p class="button-row">
                <button class="button" type="submit" name="part" value="invitation">
                    "Send it again"
                </button>
                {is_open
                    .then(|| {
                        view! {
                            <button class="button" type="submit" name="part" value="withdraw">
                                "Take the link back"
                            </button>
                        }
                    })}
            </p>
        </form>
    }
    .into_any()
}

fn help_actions(id: &str, has_factor: bool, asks_for_code: bool, faults: Vec<Fault>) -> AnyView {
    view! {
        <h2>"They cannot sign in?"</h2>
        <p>
            "A forgotten password: send them a link with which they choose another. Their second factor is asked for afterwards."
        </p>
        {has_factor
            .then(|| {
                view! {
                    <p>
                        "Telephone and recovery codes lost: without the second factor they set up another one when they sign in next."
                    </p>
                }
            })}
        <p>"Be sure that it is they who ask: speak to them."</p>
        <form method="post" action=format!("{TEAM}/{id}") novalidate>
            <CodeField asked=asks_for_code faults />
            <p class="button-row">
                <button class="button" type="submit" name="part" value="password">
                    "Send a link to choose a password"
                </button>
                {has_factor
                    .then(|| {
                        view! {
                            <button
                                class="button"
                                data-kind="danger"
                                type="submit"
                                name="part"
                                value="second-factor"
                            >
                                "Remove their second factor"
                            </button>
                        }
                    })}
            </p>
        </form>
    }
    .into_any()
}

impl ServerView for DisableStaff {
    fn title(&self) -> String {
        format!("End the access of {}", self.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let address = format!("{TEAM}/{}", self.id);
        let action = format!("{address}/disable");
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("End the access of {}", self.name) back=(TEAM, "Team")>
                        <p>{self.email}</p>
                    </PageHeader>
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>"They are signed out at once and can sign in no more."</strong>
                            " This cannot be undone: their address stays taken."
                        </p>
                    </Notice>
                    <form method="post" action=action novalidate>
                        <ConfirmField label="Type their name" what=self.name typed=self.confirm faults=self.faults.clone() />
                        <Field
                            name="reason"
                            label="Why"
                            kind=Kind::Text
                            hint="For the audit log."
                            value=self.reason
                            faults=self.faults.clone()
                        />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="danger" words="End their access" out_to=address out="Keep it" />
                    </form>
                </div>
                <aside>
                    <h2>"What stays"</h2>
                    <p>"What they did stays in the audit log under their name."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}
