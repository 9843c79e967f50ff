//! `/staff/accounts/{id}/members/{member}/sign-out`: every session of one member ends, for somebody whose computer was stolen or
//! who has seen a stranger's sign-in. As what is dangerous it asks why and for the second factor; the member is told by mail.

use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use crossvat_app::portal::{Fault as FormFault, SignOutMember};

use super::{
    account::account,
    account_changes::{Judgement, changed, done, fault_of_reason, proved, shown, to_account},
};
use crate::{
    accounts::AccountDetail,
    members::Member,
    people::Person,
    portal::{fault::Fault, moments::instant_to_the_minute, state::Portal, visit::StaffVisit},
    sessions::{OpenSession, SessionError},
};

/// `GET /staff/accounts/{id}/members/{member}/sign-out`
pub(in crate::portal) async fn form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path((id, member)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let Some((detail, member)) = account_and_member(&portal, &id, &member).await? else {
        return Ok(staff.visit.not_found().await);
    };
    let open = portal.sessions.of(Person::Member(member.id)).await?;
    let page = page(&staff, &detail, (member, &open), (Judgement::default(), Vec::new()));
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/members/{member}/sign-out`
pub(in crate::portal) async fn sign_out(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path((id, member)): Path<(String, String)>,
    Form(judgement): Form<Judgement>,
) -> Result<Response, Fault> {
    let Some((detail, member)) = account_and_member(&portal, &id, &member).await? else {
        return Ok(staff.visit.not_found().await);
    };
    let mut faults: Vec<_> = fault_of_reason(&judgement.reason).into_iter().collect();
    if judgement.confirm.trim() != member.email {
        faults.push(FormFault::new("confirm", "Type the member’s address exactly as it stands above"));
    }
    if let Some(faults) = proved(&staff, &judgement, faults).await? {
        let open = portal.sessions.of(Person::Member(member.id)).await?;
        let page = page(&staff, &detail, (member, &open), (judgement, faults));
        return Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    let (reason, actor) = (judgement.reason.trim(), staff.actor());
    match portal.sessions.end_of_member(member.id, reason, &actor, &portal.outbox).await {
        // Sent twice, nobody is signed in any more.
        Ok(_) => Ok(done(&detail, "signed-out")),
        // Removed meanwhile, and signed out by that.
        Err(SessionError::Unknown) => Ok(to_account(&detail)),
        Err(error) => Err(error.into()),
    }
}

/// The account and one of its present members; none of another account.
async fn account_and_member(
    portal: &Portal,
    id: &str,
    member: &str,
) -> Result<Option<(AccountDetail, Member)>, Fault> {
    let (Some(detail), Ok(member)) = (account(portal, id).await?, member.parse()) else { return Ok(None) };
    let member = portal.members.find(member).await?;
    let of_account = |member: &Member| member.account_id == detail.account.id && member.removed_at.is_none();
    Ok(member.filter(of_account).map(|member| (detail, member)))
}

fn page(
    staff: &StaffVisit,
    detail: &AccountDetail,
    (member, open): (Member, &[OpenSession]),
    (judgement, faults): (Judgement, Vec<FormFault>),
) -> SignOutMember {
    let now = staff.visit.portal.clock.now();
    SignOutMember {
        account: changed(detail),
        member: member.id.to_string(),
        name: member.name,
        email: member.email,
        signed_in: open.first().map(|last| (open.len(), instant_to_the_minute(last.last_seen_at, now))),
        reason: shown(&judgement.reason),
        confirm: shown(&judgement.confirm),
        asks_for_code: staff.asks_for_code(),
        faults,
    }
}
