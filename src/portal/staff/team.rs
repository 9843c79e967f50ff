//! `/staff/team`: who belongs to the support staff. Any of them invites others, helps those who have lost their telephone or
//! forgotten their password, and ends the access of somebody else; each of these asks for the second factor.

use axum::{
    Form,
    extract::{Path, Query},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use crossvat_app::portal::{
    DisableStaff, Fault as FormFault, StaffInvitation, StaffPerson, StaffRow, StaffState, StaffTeam,
};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    email::{Line, Message},
    limits::LimitedAction,
    one_time_links::{LinkError, LinkState, OneTimeLink, Purpose},
    people::{EmailAddress, Person, checked_person_name, checked_text},
    portal::{fault::Fault, moments::instant, sign_in::too_many, typed::worded, visit::StaffVisit},
    second_factor::SecondFactorError,
    staff::{StaffError, SupportPerson},
    ways_in::WayInError,
};

const TEAM: &str = "/staff/team";
/// Longest reason, in characters.
const MAX_REASON: usize = 500;

/// Somebody who is to be invited.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Invited {
    email: String,
    name: String,
    code: String,
}

/// What the page of one person sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Change {
    part: String,
    code: String,
}

/// What is typed to end somebody's access.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Disabling {
    confirm: String,
    reason: String,
    code: String,
}

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Done {
    done: String,
}

/// `GET /staff/team`
pub(super) async fn list(reader: StaffVisit, Query(Done { done }): Query<Done>) -> Result<Response, Fault> {
    let done = match done.as_str() {
        "invited" => Some("The invitation is on its way. Its link works once and for 24 hours."),
        "withdrawn" => Some("The link is taken back: it works no more."),
        "password" => Some(
            "A link to choose a password is on its way to them. It works once and for 24 hours; their second factor is asked for afterwards.",
        ),
        "factor" => Some("The second factor is removed. They set up another one when they sign in next."),
        "disabled" => Some("Their access has ended, and they are signed out everywhere."),
        _ => None,
    };
    let page = StaffTeam { done, ..team(&reader, StaffInvitation::default(), Vec::new()).await? };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/team`
pub(super) async fn invite(reader: StaffVisit, Form(invited): Form<Invited>) -> Result<Response, Fault> {
    let again = async |status, faults| -> Result<Response, Fault> {
        let typed = StaffInvitation { email: invited.email.clone(), name: invited.name.clone() };
        Ok(reader.visit.page(status, team(&reader, typed, faults).await?).await)
    };
    let (Ok(email), Ok(name)) = (invited.email.parse::<EmailAddress>(), checked_person_name(&invited.name))
    else {
        let mut faults = Vec::new();
        if invited.email.parse::<EmailAddress>().is_err() {
            let words = "Enter an email address with an @ and a domain, such as name@company.com";
            faults.push(FormFault::new("email", words));
        }
        if let Err(error) = checked_person_name(&invited.name) {
            faults.push(FormFault::new("name", worded(&error)));
        }
        return again(StatusCode::UNPROCESSABLE_ENTITY, faults).await;
    };
    let portal = &reader.visit.portal;
    if is_invited(&reader, (&email, name)).await? {
        // Sent twice, it went out by the first.
        return Ok(Redirect::to("/staff/team?done=invited").into_response());
    }
    if portal.staff.list().await?.iter().any(|person| person.email == email.as_str()) {
        return again(StatusCode::UNPROCESSABLE_ENTITY, vec![taken()]).await;
    }
    if let Some((status, fault)) = may_mail(&reader, &email, &invited.code).await? {
        return again(status, vec![fault]).await;
    }
    let (message, actor) = (invitation(&reader), reader.actor());
    match portal.ways_in.invite_staff((&email, name), message, &actor, &mut SysRng).await {
        Ok(()) => Ok(Redirect::to("/staff/team?done=invited").into_response()),
        Err(WayInError::Staff(StaffError::AddressTaken)) if is_invited(&reader, (&email, name)).await? => {
            Ok(Redirect::to("/staff/team?done=invited").into_response())
        }
        Err(WayInError::Staff(StaffError::AddressTaken)) => {
            again(StatusCode::UNPROCESSABLE_ENTITY, vec![taken()]).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `GET /staff/team/{id}`
pub(super) async fn show(reader: StaffVisit, Path(id): Path<String>) -> Result<Response, Fault> {
    match colleague(&reader, &id).await? {
        Some((person, row)) => {
            let page = person_page(&reader, &person, row, Vec::new());
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        None => Ok(reader.visit.not_found().await),
    }
}

/// `POST /staff/team/{id}`
pub(super) async fn change(
    reader: StaffVisit,
    Path(id): Path<String>,
    Form(change): Form<Change>,
) -> Result<Response, Fault> {
    let Some((person, row)) = colleague(&reader, &id).await? else {
        return Ok(reader.visit.not_found().await);
    };
    let again = async |status, fault| {
        let page = person_page(&reader, &person, row.clone(), vec![fault]);
        Ok(reader.visit.page(status, page).await)
    };
    let to = |address: &str| Ok(Redirect::to(address).into_response());
    let portal = &reader.visit.portal;
    match (change.part.as_str(), person.has_password) {
        ("invitation", false) => {
            let email: EmailAddress = person.email.parse()?;
            if let Some((status, fault)) = may_mail(&reader, &email, &change.code).await? {
                return again(status, FormFault { field: "code", ..fault }).await;
            }
            mail_link(&reader, (Person::Support(person.id), &email)).await?;
            to("/staff/team?done=invited")
        }
        ("withdraw", false) => {
            let links = portal.links.of_staff().await?;
            let Some(link) = open_link(&links, person.id) else { return to(TEAM) };
            if let Some(fault) = reader.prove(&change.code).await? {
                return again(StatusCode::UNPROCESSABLE_ENTITY, fault).await;
            }
            match portal.links.withdraw(None, link.id, &reader.actor()).await {
                Ok(()) => to("/staff/team?done=withdrawn"),
                // It has ended meanwhile.
                Err(LinkError::Unknown | LinkError::Ended(_)) => to(TEAM),
                Err(error) => Err(error.into()),
            }
        }
        ("password", true) if person.id != reader.person.id => {
            let email: EmailAddress = person.email.parse()?;
            if let Some((status, fault)) = may_mail(&reader, &email, &change.code).await? {
                return again(status, FormFault { field: "code", ..fault }).await;
            }
            let sent_by = Line::from(&*reader.person.name);
            let message = |secret| Message::ResetStaffPassword { secret, sent_by };
            let (whom, outbox) = ((Person::Support(person.id), &email), (&portal.outbox, message));
            let purpose = Purpose::ResetPassword;
            portal.links.mail(purpose, whom, &reader.actor(), &mut SysRng, outbox).await?;
            to("/staff/team?done=password")
        }
        ("second-factor", true) if person.id != reader.person.id => {
            if let Some(fault) = reader.prove(&change.code).await? {
                return again(StatusCode::UNPROCESSABLE_ENTITY, fault).await;
            }
            let whose = Person::Support(person.id);
            match portal.second_factors.remove(whose, None, &reader.actor(), &portal.outbox).await {
                Ok(()) => to("/staff/team?done=factor"),
                // It went meanwhile.
                Err(SecondFactorError::NotSet | SecondFactorError::UnknownPerson) => to(TEAM),
                Err(error) => Err(error.into()),
            }
        }
        _ => to(TEAM),
    }
}

/// `GET /staff/team/{id}/disable`
pub(super) async fn disable_form(reader: StaffVisit, Path(id): Path<String>) -> Result<Response, Fault> {
    match other(&reader, &id).await? {
        Some(person) => {
            let page = disable_page(&reader, &person, Disabling::default(), Vec::new());
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        None => Ok(reader.visit.not_found().await),
    }
}

/// `POST /staff/team/{id}/disable`
pub(super) async fn disable(
    reader: StaffVisit,
    Path(id): Path<String>,
    Form(typed): Form<Disabling>,
) -> Result<Response, Fault> {
    if was_disabled(&reader, &id).await? {
        // Sent twice, it was done by the first.
        return Ok(Redirect::to("/staff/team?done=disabled").into_response());
    }
    let Some(person) = other(&reader, &id).await? else { return Ok(reader.visit.not_found().await) };
    let mut faults = Vec::new();
    if typed.confirm.trim() != person.name {
        faults.push(FormFault::new("confirm", "Type their name exactly as it stands above"));
    }
    let reason = checked_text(&typed.reason, MAX_REASON);
    if reason.is_none() {
        let words = "Say why in a sentence or two, up to 500 characters: it stands in the audit log";
        faults.push(FormFault::new("reason", words));
    }
    let (Some(reason), true) = (reason, faults.is_empty()) else {
        let page = disable_page(&reader, &person, typed, faults);
        return Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    };
    if let Some(fault) = reader.prove(&typed.code).await? {
        let page = disable_page(&reader, &person, typed, vec![fault]);
        return Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    match reader.visit.portal.staff.disable(person.id, reason, &reader.actor()).await {
        // Or at the same time.
        Ok(()) | Err(StaffError::Unknown) => Ok(Redirect::to("/staff/team?done=disabled").into_response()),
        Err(error) => Err(error.into()),
    }
}

fn taken() -> FormFault {
    let words = "One of the support staff has, or had, this address: see the list";
    FormFault::new("email", words)
}

/// Nobody's mailbox is filled through us, and no link goes out from a browser that was left open.
async fn may_mail(
    reader: &StaffVisit,
    to: &EmailAddress,
    code: &str,
) -> Result<Option<(StatusCode, FormFault)>, Fault> {
    // First, so that wrong codes use nothing up of what may be sent to the address.
    if let Some(fault) = reader.prove(code).await? {
        return Ok(Some((StatusCode::UNPROCESSABLE_ENTITY, fault)));
    }
    for action in [
        LimitedAction::OneTimeLinkFrom(reader.visit.client),
        LimitedAction::OneTimeLinkTo { email: to.as_str() },
    ] {
        if let Err(refused) = reader.visit.portal.limiter.admit(&action).await {
            return Ok(Some((StatusCode::TOO_MANY_REQUESTS, too_many(refused))));
        }
    }
    Ok(None)
}

/// The letter that invites somebody, of the secret of its link.
fn invitation(reader: &StaffVisit) -> impl FnOnce(SecretString) -> Message + Send + use<> {
    let invited_by = Line::from(&*reader.person.name);
    move |secret| Message::JoinStaff { secret, invited_by }
}

async fn mail_link(reader: &StaffVisit, to: (Person, &EmailAddress)) -> Result<(), Fault> {
    let portal = &reader.visit.portal;
    let outbox = (&portal.outbox, invitation(reader));
    Ok(portal.links.mail(Purpose::JoinStaff, to, &reader.actor(), &mut SysRng, outbox).await?)
}

/// One of those who may come in, or are invited.
async fn colleague(reader: &StaffVisit, id: &str) -> Result<Option<(SupportPerson, StaffRow)>, Fault> {
    let found = rows(reader).await?.into_iter().find(|(person, _)| person.id.to_string() == id);
    Ok(found.filter(|(person, _)| person.disabled_at.is_none()))
}

/// The same, but not the reader.
async fn other(reader: &StaffVisit, id: &str) -> Result<Option<SupportPerson>, Fault> {
    let person = colleague(reader, id).await?.map(|(person, _)| person);
    Ok(person.filter(|person| person.id != reader.person.id))
}

/// Whether somebody was one of the staff, and is one no more.
async fn was_disabled(reader: &StaffVisit, id: &str) -> Result<bool, Fault> {
    let people = reader.visit.portal.staff.list().await?;
    Ok(people.iter().any(|person| person.id.to_string() == id && person.disabled_at.is_some()))
}

/// Whether just this invitation is on its way already: a form that was sent twice.
async fn is_invited(reader: &StaffVisit, (email, name): (&EmailAddress, &str)) -> Result<bool, Fault> {
    Ok(rows(reader).await?.iter().any(|(person, row)| {
        let open = matches!(row.state, StaffState::Invited { until: Some(_), .. });
        open && person.email == email.as_str() && person.name == name
    }))
}

/// The link that a person could still use.
fn open_link(links: &[OneTimeLink], person: Uuid) -> Option<&OneTimeLink> {
    links.iter().find(|link| {
        link.person == Person::Support(person)
            && link.purpose == Purpose::JoinStaff
            && matches!(link.state, LinkState::Sent | LinkState::Opened)
    })
}

async fn rows(reader: &StaffVisit) -> Result<Vec<(SupportPerson, StaffRow)>, Fault> {
    let portal = &reader.visit.portal;
    let (people, links) = (portal.staff.list().await?, portal.links.of_staff().await?);
    let factors = portal.second_factors.of_staff().await?;
    let now = portal.clock.now();
    let row = |person: SupportPerson| {
        let row = StaffRow {
            id: person.id.to_string(),
            name: person.name.clone(),
            email: person.email.clone(),
            state: standing(&person, &links, now),
            second_factor_since: factors.get(&person.id).map(|since| instant(*since, now)),
            is_reader: person.id == reader.person.id,
        };
        (person, row)
    };
    Ok(people.into_iter().map(row).collect())
}

fn standing(person: &SupportPerson, links: &[OneTimeLink], now: DateTime<Utc>) -> StaffState {
    match person.disabled_at {
        Some(at) => StaffState::Disabled { at: instant(at, now) },
        None if person.has_password => StaffState::Active { since: instant(person.created_at, now) },
        None => StaffState::Invited {
            until: open_link(links, person.id).map(|link| instant(link.expires_at, now)),
            opened: open_link(links, person.id).is_some_and(|link| link.state == LinkState::Opened),
        },
    }
}

async fn team(
    reader: &StaffVisit,
    invitation: StaffInvitation,
    faults: Vec<FormFault>,
) -> Result<StaffTeam, Fault> {
    let people = rows(reader).await?.into_iter().map(|(_, row)| row).collect();
    Ok(StaffTeam { people, invitation, asks_for_code: reader.asks_for_code(), done: None, faults })
}

fn person_page(
    reader: &StaffVisit,
    person: &SupportPerson,
    row: StaffRow,
    faults: Vec<FormFault>,
) -> StaffPerson {
    let since = instant(person.created_at, reader.visit.portal.clock.now());
    StaffPerson { row, since, asks_for_code: reader.asks_for_code(), faults }
}

fn disable_page(
    reader: &StaffVisit,
    person: &SupportPerson,
    typed: Disabling,
    faults: Vec<FormFault>,
) -> DisableStaff {
    DisableStaff {
        id: person.id.to_string(),
        name: person.name.clone(),
        email: person.email.clone(),
        confirm: typed.confirm,
        reason: typed.reason,
        asks_for_code: reader.asks_for_code(),
        faults,
    }
}
