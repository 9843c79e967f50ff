//! `/staff/issue` and `/staff/accounts/{id}/issue`: a key is prepared for somebody on the phone. What goes out is a link: the
//! key is made when its receiver uses it.

use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{Fault as FormFault, IssueFor, IssueKey};
use rand::rngs::SysRng;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    account::account,
    claim_links::{closed, done, rows},
    limits::{limits, plans},
};
use crate::{
    accounts::{AccountDetail, Limits, STANDARD_PLAN},
    api_keys::{KeyError, KeyMode},
    early_access::Standing,
    members::{Member, MemberError, Role, checked_company},
    onboarding::{NewCustomer, OnboardingError},
    one_time_links::PreparedKey,
    people::checked_person_name,
    portal::{
        fault::Fault,
        state::Portal,
        typed::{email_of, worded},
        visit::{StaffVisit, role_word},
    },
};

const SENT_BEFORE: &str =
    "This form was sent before, with something else in it. Look at the links below, then open the form anew";

/// Links that are listed.
const MOST_LINKS: u64 = 50;

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Done {
    done: String,
}

/// What the form sends. `member` is for an account that is there, the customer's fields for one that is not.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Wanted {
    token: String,
    company: String,
    contact: String,
    email: String,
    member: String,
    name: String,
    kind: String,
    plan: String,
    requests_per_minute: String,
    numbers_per_month: String,
    code: String,
}

impl Wanted {
    fn empty(portal: &Portal) -> Self {
        Self {
            token: portal.new_token(),
            kind: "live".to_owned(),
            plan: STANDARD_PLAN.to_owned(),
            ..Self::default()
        }
    }

    /// The key that was described; else what needs changing.
    fn key(&self, portal: &Portal) -> Result<PreparedKey, Vec<FormFault>> {
        let mut faults = Vec::new();
        if let Err(error @ KeyError::BadName) = portal.api_keys.accepts(&self.name, None) {
            faults.push(FormFault::new("name", worded(&error)));
        }
        let mode = match self.kind.as_str() {
            "live" => Some(KeyMode::Live),
            "test" => Some(KeyMode::Test),
            _ => None,
        };
        match mode {
            Some(mode) if faults.is_empty() => Ok(PreparedKey { name: self.name.trim().to_owned(), mode }),
            Some(_) => Err(faults),
            None => {
                faults.push(FormFault::new("kind", "Choose whether it is a test key or a live one"));
                Err(faults)
            }
        }
    }

    /// Everything about a company without an account that needs changing, and what can be used.
    fn read(&self, portal: &Portal) -> Result<(PreparedKey, Limits), Vec<FormFault>> {
        let mut faults = Vec::new();
        if let Err(error) = checked_company(&self.company) {
            faults.push(FormFault::new("company", worded(&error)));
        }
        if let Err(error) = checked_person_name(&self.contact) {
            faults.push(FormFault::new("contact", worded(&error)));
        }
        faults.extend(email_of(&self.email).err());
        let key = self.key(portal);
        let limits = limits(&self.plan, &self.requests_per_minute, &self.numbers_per_month);
        match (key, limits) {
            (Ok(key), Ok(limits)) if faults.is_empty() => Ok((key, limits)),
            (key, limits) => {
                faults.extend(key.err().into_iter().flatten());
                faults.extend(limits.err().into_iter().flatten());
                Err(faults)
            }
        }
    }
}

/// `GET /staff/issue`
pub(in crate::portal) async fn form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Query(asked): Query<Done>,
) -> Result<Response, Fault> {
    let page = new_page(&portal, &staff, Wanted::empty(&portal), Vec::new()).await?;
    let page = IssueKey { done: done(&asked.done), ..page };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/issue`
pub(in crate::portal) async fn issue(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    let again = async |wanted, faults| -> Result<Response, Fault> {
        let page = new_page(&portal, &staff, wanted, faults).await?;
        Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
    };
    let (key, limits) = match wanted.read(&portal) {
        Ok(read) => read,
        Err(faults) => return again(wanted, faults).await,
    };
    if let Some(fault) = staff.prove(&wanted.code).await? {
        return again(wanted, vec![fault]).await;
    }
    let new = NewCustomer {
        company: &wanted.company,
        contact: &wanted.contact,
        email: &wanted.email,
        limits: &limits,
    };
    let (token, by) = (wanted.token.parse().ok(), (&staff.actor(), &*staff.person.name));
    let opened = portal.onboarding.open_account(new, &key, token, by, &mut SysRng).await;
    let fault = match opened {
        Ok(_) => return Ok(Redirect::to("/staff/issue?done=sent").into_response()),
        Err(OnboardingError::Member(MemberError::CompanyTaken)) => FormFault::new(
            "company",
            "This company has an account already. Find it among the accounts and issue the key there",
        ),
        Err(OnboardingError::Member(MemberError::AddressTaken)) => FormFault::new(
            "email",
            "Somebody with this address belongs to another account. Find it among the accounts",
        ),
        Err(OnboardingError::Member(error @ MemberError::UnknownPlan)) => {
            FormFault::new("plan", worded(&error))
        }
        Err(OnboardingError::FormUsed) => FormFault::new("name", SENT_BEFORE),
        Err(error) => return Err(error.into()),
    };
    again(wanted, vec![fault]).await
}

/// `GET /staff/accounts/{id}/issue`
pub(in crate::portal) async fn form_for_account(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Query(asked): Query<Done>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let page = account_page(&portal, &staff, &detail, Wanted::empty(&portal), Vec::new()).await?;
    let page = IssueKey { done: done(&asked.done), ..page };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/issue`
pub(in crate::portal) async fn issue_to_account(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let account_id = detail.account.id;
    let again = async |status, wanted, faults| -> Result<Response, Fault> {
        let page = account_page(&portal, &staff, &detail, wanted, faults).await?;
        Ok(staff.visit.page(status, page).await)
    };
    let present = receivers(&portal, account_id).await?;
    let member = present.iter().map(|member| member.id).find(|id| id.to_string() == wanted.member);
    let (key, member) = match (wanted.key(&portal), member) {
        (Ok(key), Some(member)) => (key, member),
        (key, member) => {
            let mut faults: Vec<_> = key.err().into_iter().flatten().collect();
            if member.is_none() {
                faults.insert(0, FormFault::new("member", "Choose one of the account’s owners and members"));
            }
            return again(StatusCode::UNPROCESSABLE_ENTITY, wanted, faults).await;
        }
    };
    if let Some(fault) = staff.prove(&wanted.code).await? {
        return again(StatusCode::UNPROCESSABLE_ENTITY, wanted, vec![fault]).await;
    }
    let (token, by) = (wanted.token.parse().ok(), (&staff.actor(), &*staff.person.name));
    let sent = portal.onboarding.issue_to((account_id, member), &key, token, by, &mut SysRng).await;
    match sent {
        Ok(_) => Ok(Redirect::to(&format!("/staff/accounts/{account_id}/issue?done=sent")).into_response()),
        // The page says why.
        Err(OnboardingError::Suspended | OnboardingError::NotApproved) => {
            again(StatusCode::CONFLICT, wanted, Vec::new()).await
        }
        Err(OnboardingError::FormUsed) => {
            let faults = vec![FormFault::new("name", SENT_BEFORE)];
            again(StatusCode::UNPROCESSABLE_ENTITY, wanted, faults).await
        }
        Err(OnboardingError::Member(MemberError::Unknown) | OnboardingError::Viewer) => {
            let words = "They are no member any more, or a viewer: choose somebody else";
            let faults = vec![FormFault::new("member", words)];
            again(StatusCode::UNPROCESSABLE_ENTITY, wanted, faults).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn new_page(
    portal: &Portal,
    staff: &StaffVisit,
    wanted: Wanted,
    faults: Vec<FormFault>,
) -> Result<IssueKey, Fault> {
    Ok(IssueKey {
        receiver: IssueFor::NewCustomer {
            company: wanted.company,
            contact: wanted.contact,
            email: wanted.email,
            plans: plans(portal).await?,
            plan: wanted.plan,
            requests_per_minute: wanted.requests_per_minute,
            numbers_per_month: wanted.numbers_per_month,
        },
        token: wanted.token,
        name: wanted.name,
        kind: wanted.kind,
        asks_for_code: staff.asks_for_code(),
        closed: None,
        links: rows(portal, None, MOST_LINKS).await?,
        done: None,
        faults,
    })
}

async fn account_page(
    portal: &Portal,
    staff: &StaffVisit,
    detail: &AccountDetail,
    wanted: Wanted,
    faults: Vec<FormFault>,
) -> Result<IssueKey, Fault> {
    let account_id = detail.account.id;
    let members = receivers(portal, account_id).await?;
    let requests = portal.early_access.of_account(account_id).await?;
    let standing = Standing::of(requests.iter().map(|request| request.state));
    let words = |member: &Member| format!("{}, {} ({})", member.name, member.email, role_word(member.role));
    Ok(IssueKey {
        receiver: IssueFor::Member {
            account_id: account_id.to_string(),
            account: detail.account.terms.name.to_string(),
            members: members.iter().map(|member| (member.id.to_string(), words(member))).collect(),
            member: wanted.member,
        },
        token: wanted.token,
        name: wanted.name,
        kind: wanted.kind,
        asks_for_code: staff.asks_for_code(),
        closed: closed(detail.account.terms.suspended, standing).or_else(|| {
            members.is_empty().then_some("Nobody belongs to this account, so there is nobody to take a key.")
        }),
        links: rows(portal, Some(account_id), MOST_LINKS).await?,
        done: None,
        faults,
    })
}

/// Who may take a key: the account's people but its viewers.
async fn receivers(portal: &Portal, account: Uuid) -> Result<Vec<Member>, Fault> {
    let members = portal.members.list(account).await?;
    let may_take = |member: &Member| member.removed_at.is_none() && member.role != Role::Viewer;
    Ok(members.into_iter().filter(may_take).collect())
}
