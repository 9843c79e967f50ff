//! `/portal/settings/members`: who belongs to the account. Everybody in it sees who; an owner invites, gives other roles and
//! removes. Whether an address belongs to another account is not told.

use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{
    ChangeMember, Fault as FormFault, Invitation, MemberRow, Members as Page, Membership, NotAllowed,
    RemoveMember,
};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;

use super::{
    fault::Fault,
    moments::instant,
    sign_in::too_many,
    state::Portal,
    typed::{email_of, worded},
    visit::{MemberVisit, role_word},
};
use crate::{
    email::{Line, Message},
    limits::{LimitedAction, RateStatus},
    members::{Member, MemberError, Role},
    one_time_links::{LinkError, LinkState, OneTimeLink, Purpose},
    people::{EmailAddress, Person, checked_person_name},
    ways_in::WayInError,
};

const MEMBERS: &str = "/portal/settings/members";

/// Somebody who is to be invited.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Invited {
    email: String,
    name: String,
    role: String,
}

/// What the page of one member sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Change {
    part: String,
    role: String,
}

/// What a removal sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Removal {
    confirm: String,
}

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Done {
    done: String,
}

/// `GET /portal/settings/members`
pub(super) async fn list(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(Done { done }): Query<Done>,
) -> Result<Response, Fault> {
    let done = match done.as_str() {
        "invited" => Some("The invitation is on its way. Its link works once and for 24 hours."),
        "role" => Some("The role is changed. It holds from the next page they open."),
        "removed" => Some("They are removed, and signed out everywhere."),
        _ => None,
    };
    let invitation = match reader.visit.typed_before::<Invited>().await? {
        Some(Invited { email, name, role }) => Invitation { email, name, role },
        None => Invitation { role: "member".to_owned(), ..Invitation::default() },
    };
    let page = Page { done, ..page(&portal, &reader, invitation, Vec::new()).await? };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `POST /portal/settings/members`
pub(super) async fn invite(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Form(invited): Form<Invited>,
) -> Result<Response, Fault> {
    if let Some(refusal) = may_invite(&reader).await {
        return Ok(refusal);
    }
    let again = async |status, faults| -> Result<Response, Fault> {
        let typed = Invitation {
            email: invited.email.clone(),
            name: invited.name.clone(),
            role: invited.role.clone(),
        };
        Ok(reader.visit.page(status, page(&portal, &reader, typed, faults).await?).await)
    };
    let (email, role) = match (email_of(&invited.email), role_of(&invited.role)) {
        (Ok(email), Some(role)) if checked_person_name(&invited.name).is_ok() => (email, role),
        (email, role) => {
            let mut faults: Vec<_> = email.err().into_iter().collect();
            if let Err(error) = checked_person_name(&invited.name) {
                faults.push(FormFault::new("name", worded(&error)));
            }
            if role.is_none() {
                faults.push(FormFault::new("role", "Choose what they may do"));
            }
            return again(StatusCode::UNPROCESSABLE_ENTITY, faults).await;
        }
    };
    if let Err(refused) = may_mail(&portal, &reader, &email).await {
        return again(StatusCode::TOO_MANY_REQUESTS, vec![too_many(refused)]).await;
    }
    let (to, who) = ((reader.account.id, role), (&email, &*invited.name));
    let (message, actor) = (invitation(&reader), reader.actor());
    let words = match portal.ways_in.invite_member(to, who, message, &actor, &mut SysRng).await {
        Ok(()) => return Ok(Redirect::to("/portal/settings/members?done=invited").into_response()),
        Err(WayInError::Member(MemberError::AlreadyMember))
            if is_invited(&portal, &reader, &invited).await? =>
        {
            return Ok(Redirect::to("/portal/settings/members?done=invited").into_response());
        }
        Err(WayInError::Member(MemberError::AlreadyMember)) => {
            "Somebody with this address is a member already, or invited: see the list"
        }
        Err(WayInError::Member(MemberError::AddressTaken)) => {
            "Nobody can be invited with this address. Use another one of theirs, or write to support"
        }
        Err(error) => return Err(error.into()),
    };
    again(StatusCode::UNPROCESSABLE_ENTITY, vec![FormFault::new("email", words)]).await
}

/// `GET /portal/settings/members/{id}`
pub(super) async fn change_form(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    match own_member(&portal, &reader, &id).await? {
        Ok((member, _)) => {
            let typed = reader.visit.typed_before::<Change>().await?;
            let chosen = typed.map(|typed| typed.role).filter(|role| !role.is_empty());
            let role = chosen.unwrap_or_else(|| member.role.to_owned());
            Ok(reader.visit.page(StatusCode::OK, change_page(&reader, member, role, Vec::new())).await)
        }
        Err(refusal) => Ok(refusal),
    }
}

/// `POST /portal/settings/members/{id}`
pub(super) async fn change(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
    Form(change): Form<Change>,
) -> Result<Response, Fault> {
    let (row, member) = match own_member(&portal, &reader, &id).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    match change.part.as_str() {
        "role" => change_role(&portal, &reader, (row, &member), change.role).await,
        "invitation" if !member.has_password => invite_again(&portal, &reader, row, &member).await,
        _ => Ok(Redirect::to(MEMBERS).into_response()),
    }
}

/// `GET /portal/settings/members/{id}/remove`
pub(super) async fn remove_form(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    match own_member(&portal, &reader, &id).await? {
        Ok((member, _)) => {
            let typed: Removal = reader.visit.typed_before().await?.unwrap_or_default();
            let page = RemoveMember { member, confirm: typed.confirm, faults: Vec::new() };
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        Err(refusal) => Ok(refusal),
    }
}

/// `POST /portal/settings/members/{id}/remove`
pub(super) async fn remove(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
    Form(Removal { confirm }): Form<Removal>,
) -> Result<Response, Fault> {
    if reader.is_owner() && was_removed(&portal, &reader, &id).await? {
        // Sent twice, they went by the first.
        return Ok(Redirect::to("/portal/settings/members?done=removed").into_response());
    }
    let (row, member) = match own_member(&portal, &reader, &id).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    let fault = if confirm.trim() == member.name {
        match portal.members.remove(reader.account.id, member.id, &reader.actor()).await {
            Ok(()) | Err(MemberError::Unknown) => {
                return Ok(Redirect::to("/portal/settings/members?done=removed").into_response());
            }
            Err(MemberError::LastOwner) => FormFault::new("confirm", LAST_OWNER),
            Err(error) => return Err(error.into()),
        }
    } else {
        FormFault::new("confirm", "Type their name exactly as it stands above")
    };
    let page = RemoveMember { member: row, confirm, faults: vec![fault] };
    Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

const LAST_OWNER: &str = "The account needs an owner: make somebody else one first";

async fn change_role(
    portal: &Portal,
    reader: &MemberVisit,
    (row, member): (MemberRow, &Member),
    wanted: String,
) -> Result<Response, Fault> {
    let fault = match role_of(&wanted) {
        None => FormFault::new("role", "Choose what they may do"),
        Some(role) => {
            let account = reader.account.id;
            match portal.members.change_role(account, member.id, role, &reader.actor()).await {
                Ok(()) => {
                    return Ok(Redirect::to("/portal/settings/members?done=role").into_response());
                }
                Err(MemberError::LastOwner) => FormFault::new("role", LAST_OWNER),
                // They were removed meanwhile.
                Err(MemberError::Unknown) => return Ok(Redirect::to(MEMBERS).into_response()),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let page = change_page(reader, row, wanted, vec![fault]);
    Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

async fn invite_again(
    portal: &Portal,
    reader: &MemberVisit,
    row: MemberRow,
    member: &Member,
) -> Result<Response, Fault> {
    if let Some(refusal) = may_invite(reader).await {
        return Ok(refusal);
    }
    let email: EmailAddress = member.email.parse()?;
    if let Err(refused) = may_mail(portal, reader, &email).await {
        let role = row.role.to_owned();
        let fault = FormFault { field: "role", ..too_many(refused) };
        let page = change_page(reader, row, role, vec![fault]);
        return Ok(reader.visit.page(StatusCode::TOO_MANY_REQUESTS, page).await);
    }
    match mail_invitation(portal, reader, (Person::Member(member.id), &email)).await {
        Ok(()) => Ok(Redirect::to("/portal/settings/members?done=invited").into_response()),
        // They were removed meanwhile.
        Err(LinkError::UnknownPerson) => Ok(Redirect::to(MEMBERS).into_response()),
        Err(error) => Err(error.into()),
    }
}

async fn mail_invitation(
    portal: &Portal,
    reader: &MemberVisit,
    to: (Person, &EmailAddress),
) -> Result<(), LinkError> {
    let outbox = (&portal.outbox, invitation(reader));
    portal.links.mail(Purpose::Invitation, to, &reader.actor(), &mut SysRng, outbox).await
}

/// The letter that invites somebody, of the secret of its link.
fn invitation(reader: &MemberVisit) -> impl FnOnce(SecretString) -> Message + Send + use<> {
    let (invited_by, account) = (Line::from(&*reader.member.name), Line::from(&*reader.account.terms.name));
    move |secret| Message::Invitation { secret, invited_by, account }
}

/// Nobody's mailbox is filled through us, and no list of addresses is tried for those that are known.
async fn may_mail(portal: &Portal, reader: &MemberVisit, to: &EmailAddress) -> Result<(), RateStatus> {
    for action in [
        LimitedAction::OneTimeLinkFrom(reader.visit.client),
        LimitedAction::OneTimeLinkTo { email: to.as_str() },
    ] {
        portal.limiter.admit(&action).await?;
    }
    Ok(())
}

/// The answer to somebody who may not invite now; `None` to one who may.
async fn may_invite(reader: &MemberVisit) -> Option<Response> {
    if !reader.is_owner() {
        return Some(not_allowed(reader).await);
    }
    if !reader.account.terms.suspended {
        return None;
    }
    let words =
        "The account is suspended: nobody can be invited to it. Write to support to have it restored.";
    Some(reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await)
}

async fn not_allowed(reader: &MemberVisit) -> Response {
    let words = "Members are invited, changed and removed by owners of the account.";
    reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await
}

/// A member of the reader's account, for somebody who may change them.
async fn own_member(
    portal: &Portal,
    reader: &MemberVisit,
    id: &str,
) -> Result<Result<(MemberRow, Member), Response>, Fault> {
    if !reader.is_owner() {
        return Ok(Err(not_allowed(reader).await));
    }
    match members(portal, reader).await?.into_iter().find(|(row, _)| row.id == id) {
        Some(found) => Ok(Ok(found)),
        None => Ok(Err(reader.visit.not_found().await)),
    }
}

/// Whether somebody belonged to the reader's account, and was removed.
async fn was_removed(portal: &Portal, reader: &MemberVisit, id: &str) -> Result<bool, Fault> {
    let members = portal.members.list(reader.account.id).await?;
    Ok(members.iter().any(|member| member.id.to_string() == id && member.removed_at.is_some()))
}

/// Whether just this invitation is on its way already: a form that was sent twice.
async fn is_invited(portal: &Portal, reader: &MemberVisit, invited: &Invited) -> Result<bool, Fault> {
    let email = invited.email.trim().to_lowercase();
    Ok(members(portal, reader).await?.iter().any(|(row, _)| {
        let open = matches!(row.membership, Membership::Invited { until: Some(_) });
        open && row.email == email && row.name == invited.name.trim() && row.role == invited.role
    }))
}

/// Everybody who belongs to the reader's account, by name.
async fn members(portal: &Portal, reader: &MemberVisit) -> Result<Vec<(MemberRow, Member)>, Fault> {
    let account = reader.account.id;
    let members = portal.members.list(account).await?;
    let links = portal.links.of_account(account).await?;
    let present = members.into_iter().filter(|member| member.removed_at.is_none());
    Ok(present.map(|member| (row(portal, &member, &links), member)).collect())
}

fn row(portal: &Portal, member: &Member, links: &[OneTimeLink]) -> MemberRow {
    let now = portal.clock.now();
    let membership = if member.has_password {
        Membership::Active { since: instant(member.created_at, now) }
    } else {
        let leads_here = |link: &&OneTimeLink| {
            link.person == Person::Member(member.id)
                && matches!(link.purpose, Purpose::Invitation | Purpose::ClaimKey)
                && matches!(link.state, LinkState::Sent | LinkState::Opened)
        };
        let until = links.iter().filter(leads_here).map(|link| link.expires_at).max();
        Membership::Invited { until: until.map(|until| instant(until, now)) }
    };
    MemberRow {
        id: member.id.to_string(),
        name: member.name.clone(),
        email: member.email.clone(),
        role: member.role.as_str(),
        role_word: role_word(member.role),
        membership,
    }
}

async fn page(
    portal: &Portal,
    reader: &MemberVisit,
    invitation: Invitation,
    faults: Vec<FormFault>,
) -> Result<Page, Fault> {
    let members = members(portal, reader).await?.into_iter().map(|(row, _)| row).collect();
    let invitation = (reader.is_owner() && !reader.account.terms.suspended).then_some(invitation);
    Ok(Page { members, may_change: reader.is_owner(), invitation, done: None, faults })
}

fn change_page(
    reader: &MemberVisit,
    member: MemberRow,
    role: String,
    faults: Vec<FormFault>,
) -> ChangeMember {
    ChangeMember { member, role, may_invite: !reader.account.terms.suspended, faults }
}

fn role_of(sent: &str) -> Option<Role> {
    [Role::Owner, Role::Member, Role::Viewer].into_iter().find(|role| role.as_str() == sent)
}
