//! What everybody who signs in settles for themselves, member or support staff: the password, and where they are signed in.

use axum::http::StatusCode;
use crossvat_app::portal::{Fault as FormFault, OpenSession};
use rand::rngs::SysRng;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use super::{
    fault::Fault,
    moments::instant_to_the_minute,
    programs::program,
    sign_in::{may_try, note_refusal, too_many},
    typed::worded,
    visit::Visit,
};
use crate::{
    audit::Actor,
    members::MemberError,
    passwords::{PasswordFingerprint, UnfitPassword},
    people::Person,
    sessions::{SessionError, SessionKey},
    staff::StaffError,
};

/// Why a password is not changed.
enum Refused {
    WrongPassword,
    Unfit(UnfitPassword),
}

/// Changes the reader's password, from the one that was typed; the other sessions end. If it is not changed: the status to
/// answer with, and what to say beside `present` or `new`.
pub(super) async fn change_password(
    visit: &Visit,
    (person, email): (Person, &str),
    passwords: (&SecretString, &SecretString),
) -> Result<Option<(StatusCode, FormFault)>, Fault> {
    let keep = visit.session_key().ok_or(SessionError::Unknown)?;
    // Whoever has come by a session must not guess the password with it.
    if let Err(refused) = may_try(&visit.portal, visit, email).await {
        let fault = FormFault { field: "present", ..too_many(refused) };
        return Ok(Some((StatusCode::TOO_MANY_REQUESTS, fault)));
    }
    let fault = match replace(visit, person, passwords, &keep).await? {
        Ok(password) => {
            visit.keep_with(password).await?;
            return Ok(None);
        }
        Err(Refused::WrongPassword) => {
            note_refusal(visit, person, (visit.account_id(), email));
            FormFault::new("present", "This is not your present password")
        }
        Err(Refused::Unfit(unfit)) => FormFault::new("new", worded(&unfit)),
    };
    Ok(Some((StatusCode::UNPROCESSABLE_ENTITY, fault)))
}

async fn replace(
    visit: &Visit,
    person: Person,
    passwords: (&SecretString, &SecretString),
    keep: &SessionKey,
) -> Result<Result<PasswordFingerprint, Refused>, Fault> {
    let (portal, from) = (&visit.portal, visit.client);
    match person {
        Person::Member(id) => {
            let changed =
                portal.members.change_password(id, passwords, keep, from, &mut SysRng, &portal.outbox).await;
            match changed {
                Ok(password) => Ok(Ok(password)),
                Err(MemberError::WrongPassword) => Ok(Err(Refused::WrongPassword)),
                Err(MemberError::Unfit(unfit)) => Ok(Err(Refused::Unfit(unfit))),
                Err(error) => Err(error.into()),
            }
        }
        Person::Support(id) => {
            let changed =
                portal.staff.change_password(id, passwords, keep, from, &mut SysRng, &portal.outbox).await;
            match changed {
                Ok(password) => Ok(Ok(password)),
                Err(StaffError::WrongPassword) => Ok(Err(Refused::WrongPassword)),
                Err(StaffError::Unfit(unfit)) => Ok(Err(Refused::Unfit(unfit))),
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// `None` when it is the password of a member who is signed in; else the status to answer with, and what to say beside
/// `password`. Whoever has come by a session must not guess the password with it.
pub(super) async fn check_password(
    visit: &Visit,
    (member, email): (Uuid, &str),
    typed: &SecretString,
) -> Result<Option<(StatusCode, FormFault)>, Fault> {
    let field = "password";
    if typed.expose_secret().is_empty() {
        let fault = FormFault::new(field, "Type the password with which you signed in");
        return Ok(Some((StatusCode::UNPROCESSABLE_ENTITY, fault)));
    }
    if let Err(refused) = may_try(&visit.portal, visit, email).await {
        let fault = FormFault { field, ..too_many(refused) };
        return Ok(Some((StatusCode::TOO_MANY_REQUESTS, fault)));
    }
    match visit.portal.members.prove_password(member, typed).await {
        Ok(_) => Ok(None),
        Err(MemberError::WrongPassword) => {
            note_refusal(visit, Person::Member(member), (visit.account_id(), email));
            let fault = FormFault::new(field, "This is not your password");
            Ok(Some((StatusCode::UNPROCESSABLE_ENTITY, fault)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends one of the reader's sessions by its key, or all but this one. Whether there was something to end: it may have ended
/// by itself, the form was sent twice, or it is somebody else's.
pub(super) async fn end_sessions(visit: &Visit, person: Person, which: &str) -> Result<bool, Fault> {
    let (sessions, actor) = (&visit.portal.sessions, Actor::person(person, visit.client));
    let ended = match (which, visit.session_key()) {
        ("others", Some(keep)) => sessions.end_others(person, &keep, &actor).await.map(drop),
        (key, _) => match key.parse::<SessionKey>() {
            Ok(key) => sessions.end(person, &key, &actor).await,
            Err(_) => Err(SessionError::Unknown),
        },
    };
    match ended {
        Ok(()) => Ok(true),
        Err(SessionError::Unknown) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Where the reader is signed in, the place last seen first.
pub(super) async fn open_sessions(visit: &Visit, person: Person) -> Result<Vec<OpenSession>, Fault> {
    let (now, this) = (visit.portal.clock.now(), visit.session_key());
    let sessions = visit.portal.sessions.of(person).await?;
    let shown = sessions.into_iter().map(|open| OpenSession {
        key: (Some(open.key) != this).then(|| open.key.to_string()),
        program: program(open.user_agent.as_deref()),
        address: open.client_address.map_or_else(
            || "from an address that is not known".to_owned(),
            |address| format!("from {address}"),
        ),
        since: instant_to_the_minute(open.created_at, now),
        last_seen: instant_to_the_minute(open.last_seen_at, now),
    });
    Ok(shown.collect())
}
