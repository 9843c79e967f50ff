//! `/claim/…`: a colleague has invited, or support has prepared a key. The key is made by the form, once; to look, however
//! often, makes and shows nothing. Whoever has a password is signed in first, second factor and all: such a link alone must
//! not open an account.

use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{ClaimKey, ClaimWay, Fault as FormFault, NewSecret};
use rand::rngs::SysRng;

use super::{
    door::Door,
    fault::Fault,
    links::{Chosen, ended, look, password_form, set_password},
    moments::instant,
    state::Portal,
    typed::worded,
    visit::Visit,
};
use crate::{
    members::{Member, MemberError, Role},
    onboarding::{Claimed, OnboardingError},
    one_time_links::{KeyMode, LinkError, LinkState, OneTimeLink, PreparedKey, Purpose},
    people::Person,
};

/// What a link to `/claim/…` may be for.
const CLAIMS: [Purpose; 2] = [Purpose::ClaimKey, Purpose::Invitation];

/// A link that brings a key, and to whom.
struct Claim {
    link: OneTimeLink,
    key: PreparedKey,
    member: Member,
    account: String,
    way: ClaimWay,
}

/// `GET /claim/…`
pub(super) async fn form(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
) -> Result<Response, Fault> {
    match look(&visit, &portal, &CLAIMS, &secret).await? {
        Ok((link, member)) => match link.key.clone() {
            Some(key) => {
                let claim = claim_of(&visit, &portal, link, key, member).await?;
                Ok(answer(&visit, &portal, claim, Vec::new()).await)
            }
            None if link.purpose == Purpose::ClaimKey => Ok(ended(&visit, link.purpose, None).await),
            None => Ok(password_form(&visit, &link, member).await),
        },
        Err(ended) => Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    }
}

/// `POST /claim/…`
pub(super) async fn claim(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
    Form(chosen): Form<Chosen>,
) -> Result<Response, Fault> {
    let (link, member) = match look(&visit, &portal, &CLAIMS, &secret).await? {
        Ok(found) => found,
        Err(ended) => return Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    };
    let Some(key) = link.key.clone() else {
        if link.purpose == Purpose::ClaimKey {
            return Ok(ended(&visit, link.purpose, None).await);
        }
        return set_password(&visit, &portal, (link, member), &secret, chosen).await;
    };
    let claim = claim_of(&visit, &portal, link, key, member).await?;
    let password = match claim.way {
        ClaimWay::ChoosePassword => Some(&chosen.password),
        ClaimWay::Take if visit.lacks_second_factor() => {
            return Ok(visit.by_way_of(Door::Members.second_factor()));
        }
        ClaimWay::Take => None,
        ClaimWay::SignIn => return Ok(visit.by_way_of("/sign-in")),
        ClaimWay::SomebodyElse | ClaimWay::Viewer | ClaimWay::Suspended => {
            return Ok(answer(&visit, &portal, claim, Vec::new()).await);
        }
    };
    let taken = portal.onboarding.claim((&claim.link, &secret), password, visit.client, &mut SysRng).await;
    match taken {
        Ok(claimed) => reveal(visit, &portal, claimed).await,
        Err(OnboardingError::Member(MemberError::Unfit(unfit))) => {
            let faults = vec![FormFault::new("password", worded(&unfit))];
            Ok(answer(&visit, &portal, claim, faults).await)
        }
        Err(OnboardingError::Link(LinkError::Ended(state))) => {
            Ok(ended(&visit, Purpose::ClaimKey, Some(state)).await)
        }
        // The member was removed meanwhile, and the link with them.
        Err(OnboardingError::Member(MemberError::Unknown)) => {
            Ok(ended(&visit, Purpose::ClaimKey, Some(LinkState::Withdrawn)).await)
        }
        // Something changed between the look and the deed: the page says what is to be done now.
        Err(
            OnboardingError::Suspended
            | OnboardingError::Viewer
            | OnboardingError::Member(MemberError::HasPassword),
        ) => Ok(Redirect::to(&visit.address).into_response()),
        Err(error) => Err(error.into()),
    }
}

/// Shows the key, the only time. Whoever has chosen a password on the way is signed in with it.
async fn reveal(mut visit: Visit, portal: &Portal, claimed: Claimed) -> Result<Response, Fault> {
    if let Some(password) = claimed.password {
        portal.members.note_sign_in(claimed.member, false, visit.client).await?;
        visit.sign_in((Person::Member(claimed.member), password), false).await?;
        visit.look_again().await?;
    }
    let page = NewSecret {
        name: claimed.name,
        secret: claimed.key.secret.reveal().to_owned(),
        api: portal.public_url.to_string(),
        replaces: None,
    };
    Ok(visit.page(StatusCode::OK, page).await)
}

async fn claim_of(
    visit: &Visit,
    portal: &Portal,
    link: OneTimeLink,
    key: PreparedKey,
    member: Member,
) -> Result<Claim, Fault> {
    let account = portal.accounts.find(member.account_id).await?;
    let suspended = account.as_ref().is_none_or(|account| account.terms.suspended);
    let way = match visit.person() {
        _ if suspended => ClaimWay::Suspended,
        _ if member.role == Role::Viewer => ClaimWay::Viewer,
        _ if !member.has_password => ClaimWay::ChoosePassword,
        Some(person) if person == Person::Member(member.id) => ClaimWay::Take,
        Some(_) => ClaimWay::SomebodyElse,
        None => ClaimWay::SignIn,
    };
    let account = account.map(|account| account.terms.name.to_string()).unwrap_or_default();
    Ok(Claim { link, key, member, account, way })
}

async fn answer(visit: &Visit, portal: &Portal, claim: Claim, faults: Vec<FormFault>) -> Response {
    let status = match claim.way {
        ClaimWay::SomebodyElse | ClaimWay::Viewer | ClaimWay::Suspended => StatusCode::FORBIDDEN,
        _ if faults.is_empty() => StatusCode::OK,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = ClaimKey {
        action: visit.address.clone(),
        account: claim.account,
        first_owner: claim.member.role == Role::Owner && !claim.member.has_password,
        email: claim.member.email,
        name: claim.key.name,
        live: claim.key.mode == KeyMode::Live,
        until: instant(claim.link.expires_at, portal.clock.now()),
        way: claim.way,
        faults,
    };
    visit.page(status, page).await
}
