//! Codes of second factors as they are typed into forms: tried so often only, and told in words when they are refused.

use axum::http::StatusCode;
use crossvat_app::portal::Fault as FormFault;
use rand::rngs::SysRng;

use super::{fault::Fault, sign_in::too_many, visit::Visit};
use crate::{limits::LimitedAction, people::Person, second_factor::SecondFactorError};

/// The field in which a code is typed, in every form.
pub(super) const FIELD: &str = "code";

/// `None` when `typed` is a code of the person's second factor, which is used up by this; else the status to answer with and
/// what to say beside the field.
pub(super) async fn check_code(
    visit: &Visit,
    person: Person,
    typed: &str,
) -> Result<Option<(StatusCode, FormFault)>, Fault> {
    let portal = &visit.portal;
    if let Some(refusal) = may_try(visit, person, typed).await {
        return Ok(Some(refusal));
    }
    let factors = &portal.second_factors;
    let seen = factors.prove(person, typed, visit.client, &portal.outbox, &mut SysRng).await;
    refusal(seen.map(drop))
}

/// As [`check_code`], before anything is compared: something was typed, and not too often. Whoever has come by a session or a
/// password must not guess codes.
pub(super) async fn may_try(visit: &Visit, person: Person, typed: &str) -> Option<(StatusCode, FormFault)> {
    if typed.trim().is_empty() {
        let words = "Type the code that your app shows, or one of your recovery codes";
        return Some((StatusCode::UNPROCESSABLE_ENTITY, FormFault::new(FIELD, words)));
    }
    for action in [LimitedAction::SecondFactorFrom(visit.client), LimitedAction::SecondFactorOf(person.id())]
    {
        if let Err(refused) = visit.portal.limiter.admit(&action).await {
            let fault = FormFault { field: FIELD, ..too_many(refused) };
            return Some((StatusCode::TOO_MANY_REQUESTS, fault));
        }
    }
    None
}

/// What is said of a code that was refused; a fault when it cannot be told at present.
pub(super) fn refusal(seen: Result<(), SecondFactorError>) -> Result<Option<(StatusCode, FormFault)>, Fault> {
    let (status, words) = match seen {
        Ok(()) => return Ok(None),
        Err(SecondFactorError::WrongCode) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "This code is not the present one, or it was used already. Wait until your app shows the next one",
        ),
        Err(SecondFactorError::NotSet | SecondFactorError::UnknownPerson) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "Your second factor was removed meanwhile. Sign out, then sign in again",
        ),
        Err(error @ (SecondFactorError::NoKey | SecondFactorError::Unreadable)) => {
            tracing::error!(%error, "the codes of an app cannot be checked");
            let words = "Codes of apps cannot be checked at present: type a recovery code, or tell whoever runs \
                         this server";
            (StatusCode::SERVICE_UNAVAILABLE, words)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Some((status, FormFault::new(FIELD, words))))
}
