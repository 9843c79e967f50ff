//! `/portal/settings/members` and what is done there.

use leptos::prelude::*;

use super::settings::tabs;
use super::{Fault, Instant, ServerView};
use crate::components::{
    ButtonRow, Choice, ChoiceOption, ConfirmField, Docket, ErrorSummary, Field, Kind, Moment, Notice,
    PageHeader, StatusTag, TagStatus, Tone,
};

/// How far somebody is a member.
#[derive(Clone, Debug)]
pub enum Membership {
    /// They have chosen a password.
    Active {
        /// Since when they belong to the account.
        since: Instant,
    },
    /// They have not followed the link of their invitation.
    Invited {
        /// Until when it works; none when it works no more.
        until: Option<Instant>,
    },
}

/// A member.
#[derive(Clone, Debug)]
pub struct MemberRow {
    /// The identifier.
    pub id: String,
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// What is sent for the role.
    pub role: &'static str,
    /// The role, as a word.
    pub role_word: &'static str,
    /// How far they are one.
    pub membership: Membership,
}

/// What the form that invites holds, as typed.
#[derive(Clone, Debug, Default)]
pub struct Invitation {
    /// The address.
    pub email: String,
    /// The name.
    pub name: String,
    /// The role that is chosen.
    pub role: String,
}

/// `/portal/settings/members`
#[derive(Clone, Debug)]
pub struct Members {
    /// Everybody, by name.
    pub members: Vec<MemberRow>,
    /// Whether the reader may invite and change members.
    pub may_change: bool,
    /// What stands in the form that invites; none where nobody can be invited.
    pub invitation: Option<Invitation>,
    /// What was just done.
    pub done: Option<&'static str>,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/portal/settings/members/…`
#[derive(Clone, Debug)]
pub struct ChangeMember {
    /// Who.
    pub member: MemberRow,
    /// The role that is chosen.
    pub role: String,
    /// Whether an invitation can be sent again.
    pub may_invite: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/portal/settings/members/…/remove`
#[derive(Clone, Debug)]
pub struct RemoveMember {
    /// Who.
    pub member: MemberRow,
    /// As typed.
    pub confirm: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl MemberRow {
    const fn is_invited(&self) -> bool {
        matches!(self.membership, Membership::Invited { .. })
    }

    fn address(&self) -> String {
        format!("/portal/settings/members/{}", self.id)
    }

    fn view(self, may_change: bool) -> AnyView {
        let (address, label) = (self.address(), format!("Change {}", self.name));
        let (status, since) = match self.membership {
            Membership::Active { since } => (TagStatus::Active, view! { <Moment at=since /> }.into_any()),
            Membership::Invited { until: Some(until) } => {
                (TagStatus::Invited, view! { "link works until " <Moment at=until /> }.into_any())
            }
            Membership::Invited { until: None } => (TagStatus::Invited, "the link has ended".into_any()),
        };
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    {self.name}
                    " "
                    <small>{self.email}</small>
                </th>
                <td role="cell" data-kind="status">
                    <StatusTag status=status />
                </td>
                <td role="cell" data-label="Role">
                    {self.role_word}
                </td>
                <td role="cell" data-label="Since">
                    {since}
                </td>
                {may_change
                    .then(|| {
                        view! {
                            <td role="cell" data-kind="actions">
                                <a href=address rel="external" aria-label=label>
                                    "Change"
                                </a>
                            </td>
                        }
                    })}
            </tr>
        }
        .into_any()
    }
}

/// How many they are, as a caption.
fn counted(members: &[MemberRow]) -> String {
    let invited = members.iter().filter(|member| member.is_invited()).count();
    let people = match members.len() - invited {
        1 => "1 person".to_owned(),
        people => format!("{people} people"),
    };
    match invited {
        0 => people,
        1 => format!("{people} and 1 invitation"),
        invited => format!("{people} and {invited} invitations"),
    }
}

fn roles() -> Vec<ChoiceOption> {
    [
        ("viewer", "Viewer", "Sees history, usage and evidence. Changes nothing, asks nothing."),
        ("member", "Member", "Makes keys, checks numbers."),
        ("owner", "Owner", "Also settings and members."),
    ]
    .map(|(value, words, remark)| ChoiceOption { value, words, remark: Some(remark.to_owned()) })
    .into()
}

fn of_field(faults: &[Fault], field: &str) -> Option<String> {
    faults.iter().find(|fault| fault.field == field).map(|fault| fault.message.clone())
}

impl ServerView for Members {
    fn title(&self) -> String {
        "Members".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (caption, may_change) = (counted(&self.members), self.may_change);
        let change = may_change.then(|| {
            view! {
                <th role="columnheader" scope="col" data-kind="actions">
                    "Change"
                </th>
            }
        });
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <PageHeader heading="Settings" />
            {tabs("/portal/settings/members")}
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
                                <th role="columnheader" scope="col">"Role"</th>
                                <th role="columnheader" scope="col">"Since"</th>
                                {change}
                            </tr>
                        </thead>
                        <tbody role="rowgroup">
                            {self.members.into_iter().map(|member| member.view(may_change)).collect_view()}
                        </tbody>
                    </table>
                </div>
            </section>
            {self.invitation.map(|invitation| invitation_form(invitation, self.faults))}
        }
        .into_any()
    }
}

fn invitation_form(invitation: Invitation, faults: Vec<Fault>) -> AnyView {
    let role_fault = of_field(&faults, "role");
    view! {
        <Docket
            id="invite"
            heading="Invite somebody"
            reason="They get a link that works once and for 24 hours. With it they choose a password of their own."
        >
            <div>
                <form method="post" action="/portal/settings/members" novalidate>
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
                        faults=faults
                        autocomplete="off"
                        width="medium"
                    />
                    <Choice name="role" legend="Role" options=roles() chosen=invitation.role fault=role_fault />
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

impl ServerView for ChangeMember {
    fn title(&self) -> String {
        format!("Change {}", self.member.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (member, address) = (self.member.clone(), self.member.address());
        let remove = format!("{address}/remove");
        let again = (self.may_invite && member.is_invited()).then(|| invite_again(&member));
        let role_fault = of_field(&self.faults, "role");
        view! {
            <ErrorSummary faults=self.faults />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Change {}", member.name) back=("/portal/settings/members", "Members")>
                        <p>{member.email}</p>
                    </PageHeader>
                    <form method="post" action=address>
                        <input type="hidden" name="part" value="role" />
                        <Choice name="role" legend="Role" options=roles() chosen=self.role fault=role_fault />
                        <ButtonRow kind="primary" words="Keep the role" out_to="/portal/settings/members" out="Cancel" />
                    </form>
                </div>
                <aside>
                    {again}
                    <h2>"Remove"</h2>
                    <p>"Who is removed is signed out at once and can sign in no more."</p>
                    <p>
                        <a class="button" data-kind="danger" href=remove rel="external">
                            "Remove "
                            {member.name}
                        </a>
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

fn invite_again(member: &MemberRow) -> AnyView {
    let state = match &member.membership {
        Membership::Invited { until: Some(until) } => {
            view! { <p>"The link that was sent works until " <Moment at=until.clone() /> "."</p> }.into_any()
        }
        Membership::Invited { until: None } | Membership::Active { .. } => {
            view! { <p>"The link that was sent works no more."</p> }.into_any()
        }
    };
    view! {
        <h2>"The invitation"</h2>
        {state}
        <form method="post" action=member.address()>
            <input type="hidden" name="part" value="invitation" />
            <button class="button" type="submit">
                "Send it again"
            </button>
        </form>
    }
    .into_any()
}

impl ServerView for RemoveMember {
    fn title(&self) -> String {
        format!("Remove {}", self.member.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (member, address) = (self.member.clone(), self.member.address());
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Remove {}", member.name) back=("/portal/settings/members", "Members")>
                        <p>{format!("{}, {}", member.email, member.role_word)}</p>
                    </PageHeader>
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>"They are signed out at once and can sign in no more."</strong>
                            " You can invite them again later."
                        </p>
                    </Notice>
                    <form method="post" action=format!("{address}/remove") novalidate>
                        <ConfirmField label="Type their name to remove them" what=member.name typed=self.confirm faults=self.faults />
                        <ButtonRow kind="danger" words="Remove" out_to="/portal/settings/members" out="Keep them" />
                    </form>
                </div>
                <aside>
                    <h2>"What stays"</h2>
                    <p>
                        "The keys they made go on working, and what they checked stays under their name. Revoke the keys that they alone have kept."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
