//! `/staff/links/{id}`: a link to a key is sent again or taken back; and how far such links have come, for the pages that
//! list them. Nothing of what opens them is here.

use std::collections::HashSet;

use axum::{
    Form,
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{ClaimLinkRow, ClaimStage};
use rand::rngs::SysRng;
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    early_access::Standing,
    onboarding::OnboardingError,
    one_time_links::{KeyMode, LinkError, LinkState, OneTimeLink, Purpose, SentClaim},
    portal::{fault::Fault, moments::instant, state::Portal, visit::StaffVisit},
};

/// What a form about a link sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Change {
    #[serde(rename = "do")]
    deed: String,
    token: String,
    from: String,
}

/// `POST /staff/links/{id}`
pub(in crate::portal) async fn change(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(Change { deed, token, from }): Form<Change>,
) -> Result<Response, Fault> {
    let Some(link) = find(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let page = match link.account_id {
        Some(account) if from == "account" => format!("/staff/accounts/{account}/issue"),
        _ => "/staff/issue".to_owned(),
    };
    let done = match deed.as_str() {
        "again" => {
            let by = (&staff.actor(), &*staff.person.name);
            match portal.onboarding.send_again(link.id, token.parse().ok(), by, &mut SysRng).await {
                Ok(_) => "again",
                Err(OnboardingError::Link(LinkError::Ended(_))) => "claimed",
                Err(OnboardingError::Superseded | OnboardingError::FormUsed) => "superseded",
                Err(
                    OnboardingError::Suspended
                    | OnboardingError::NotApproved
                    | OnboardingError::Viewer
                    | OnboardingError::Member(_)
                    | OnboardingError::Link(LinkError::UnknownPerson),
                ) => "nobody",
                Err(error) => return Err(error.into()),
            }
        }
        "withdraw" => match portal.links.withdraw(link.account_id, link.id, &staff.actor()).await {
            Ok(()) | Err(LinkError::Ended(LinkState::Withdrawn | LinkState::Expired)) => "withdrawn",
            Err(LinkError::Ended(_)) => "claimed",
            Err(error) => return Err(error.into()),
        },
        _ => return Ok(Redirect::to(&page).into_response()),
    };
    Ok(Redirect::to(&format!("{page}?done={done}")).into_response())
}

/// A link to a key, and no other.
async fn find(portal: &Portal, id: &str) -> Result<Option<OneTimeLink>, Fault> {
    let Ok(id) = id.parse::<Uuid>() else { return Ok(None) };
    let link = portal.links.find(id).await?;
    Ok(link.filter(|link| link.purpose == Purpose::ClaimKey && link.key.is_some()))
}

/// What is said after something was done about a link.
pub(super) fn done(what: &str) -> Option<&'static str> {
    Some(match what {
        "sent" => "The link is on its way. It works once and for 24 hours.",
        "again" => "A new link is on its way. The one before it works no more.",
        "withdrawn" => "The link is withdrawn. It opens nothing any more.",
        "claimed" => {
            "The key was taken meanwhile. If the wrong person has it, revoke it on the account’s page."
        }
        "superseded" => {
            "Nothing was sent: the same person was sent another link since. Only the newest can be sent again."
        }
        "nobody" => {
            "Nothing was sent: the account is suspended or not approved, or the receiver is no member any more or a viewer."
        }
        _ => return None,
    })
}

/// The latest links to keys, of one account or of all.
pub(super) async fn rows(
    portal: &Portal,
    account: Option<Uuid>,
    most: u64,
) -> Result<Vec<ClaimLinkRow>, Fault> {
    let claims = portal.links.claims(account, most).await?;
    let mut receivers = HashSet::new();
    Ok(claims
        .into_iter()
        // Newest first.
        .map(|claim| (receivers.insert(claim.link.person), claim))
        .map(|(is_newest, claim)| row(portal, claim, is_newest))
        .collect())
}

fn row(portal: &Portal, claim: SentClaim, is_newest: bool) -> ClaimLinkRow {
    let now = portal.clock.now();
    let link = claim.link;
    let at = |at: Option<_>| instant(at.unwrap_or(link.created_at), now);
    let (key, live) =
        link.key.clone().map_or_else(Default::default, |key| (key.name, key.mode == KeyMode::Live));
    ClaimLinkRow {
        id: link.id.to_string(),
        account_id: claim.account_id.to_string(),
        account: claim.account,
        name: claim.name,
        email: claim.email,
        key,
        live,
        sent: instant(link.created_at, now),
        stage: match link.state {
            LinkState::Sent => ClaimStage::Sent,
            LinkState::Opened => ClaimStage::Opened(at(link.opened_at)),
            LinkState::Used => ClaimStage::Claimed(at(link.used_at)),
            LinkState::Expired => ClaimStage::Expired(instant(link.expires_at, now)),
            LinkState::Withdrawn => ClaimStage::Withdrawn(at(link.withdrawn_at)),
        },
        is_newest,
        token: portal.new_token(),
    }
}

/// Why nobody prepares a key for an account.
pub(super) fn closed(suspended: bool, standing: Standing) -> Option<&'static str> {
    match standing {
        _ if suspended => Some("The account is suspended. Restore it first."),
        Standing::Waiting => {
            Some("The account has asked for keys itself: answer its request, and it gets a link.")
        }
        Standing::Declined => Some(
            "The latest request of the account was declined. It can ask again; approve that request instead.",
        ),
        Standing::Withdrawn => {
            Some("The account has taken its request back. It can ask again; approve that request instead.")
        }
        Standing::NeverAsked | Standing::Approved => None,
    }
}
