//! One request for a page: who reads, from where, with which session.

use std::{net::IpAddr, time::Duration};

use axum::{
    extract::{FromRequestParts, OriginalUri},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use crossvat_app::{
    Document, Reader, ServerText, Standing, Theme,
    portal::{Fault as FormFault, ServerView},
};
use tower_sessions::{Expiry, Session, cookie::time::OffsetDateTime};
use uuid::Uuid;

use super::{fault::Fault, pages, state::Portal, theme::chosen_theme};
use crate::{
    accounts::Account,
    audit::Actor,
    members::{Member, Role},
    middleware::client_address,
    passwords::PasswordFingerprint,
    people::Person,
    sessions::{SIGNED_IN, SessionKey, SignedIn},
    staff::SupportPerson,
};

/// How long somebody who does nothing stays signed in.
const IDLE_LIMIT: Duration = Duration::from_hours(12);
/// The same for support staff, who can reach every account.
const STAFF_IDLE_LIMIT: Duration = Duration::from_mins(30);
/// How long a second factor that was seen is enough for a dangerous deed.
const PROOF_LIMIT: TimeDelta = TimeDelta::minutes(15);
/// How long anybody stays signed in at a time.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(24 * 7);
/// A session is written again only when this much of its idle time is over.
const RENEWED_AFTER: TimeDelta = TimeDelta::minutes(10);
/// Where a session holds when it was last written for that.
const RENEWED_AT: &str = "renewed_at";

/// A request for a page.
pub(super) struct Visit {
    pub(super) portal: Portal,
    pub(super) session: Session,
    pub(super) client: IpAddr,
    pub(super) user_agent: Option<String>,
    /// Path and query.
    pub(super) address: String,
    theme: Theme,
    signed_in: Option<Box<SignedInPerson>>,
}

/// A request of somebody who is signed in: the account is bound to it, not passed along.
pub(super) struct MemberVisit {
    pub(super) visit: Visit,
    pub(super) member: Member,
    pub(super) account: Account,
}

/// A request of one of the support staff whose second factor was seen in this session.
pub(super) struct StaffVisit {
    pub(super) visit: Visit,
    pub(super) person: SupportPerson,
    proved_at: DateTime<Utc>,
}

#[derive(Clone)]
enum SignedInPerson {
    Member(Member, Account),
    Support(SupportPerson, Option<DateTime<Utc>>),
}

impl FromRequestParts<Portal> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let session =
            Session::from_request_parts(parts, portal).await.map_err(IntoResponse::into_response)?;
        let address = parts.extensions.get::<OriginalUri>().map_or(&parts.uri, |original| &original.0);
        let address = address.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
        let mut visit = Self {
            client: client_address(&portal.trusted_proxies, &parts.extensions, &parts.headers),
            user_agent: parts
                .headers
                .get(header::USER_AGENT)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
            theme: chosen_theme(&parts.headers),
            portal: portal.clone(),
            session,
            address,
            signed_in: None,
        };
        visit.signed_in = visit.find_person().await.map_err(IntoResponse::into_response)?;
        Ok(visit)
    }
}

impl FromRequestParts<Portal> for MemberVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let visit = Visit::from_request_parts(parts, portal).await?;
        match visit.signed_in.as_deref().cloned() {
            Some(SignedInPerson::Member(member, account)) => Ok(Self { visit, member, account }),
            Some(SignedInPerson::Support(..)) | None => Err(visit.by_way_of("/sign-in")),
        }
    }
}

impl FromRequestParts<Portal> for StaffVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let visit = Visit::from_request_parts(parts, portal).await?;
        match visit.signed_in.as_deref().cloned() {
            Some(SignedInPerson::Support(person, Some(proved_at))) => Ok(Self { visit, person, proved_at }),
            Some(SignedInPerson::Support(_, None)) => Err(visit.by_way_of("/staff/second-factor")),
            Some(SignedInPerson::Member(..)) | None => Err(visit.by_way_of("/staff/sign-in")),
        }
    }
}

impl StaffVisit {
    /// Who does what is done.
    pub(super) const fn actor(&self) -> Actor {
        Actor::support(self.person.id, self.visit.client)
    }

    /// Whether a form for something dangerous asks for the second factor again.
    pub(super) fn asks_for_code(&self) -> bool {
        self.visit.portal.clock.now() - self.proved_at > PROOF_LIMIT
    }

    /// Whether something dangerous may be done now: the second factor was seen lately, or is seen now in `code`. If not,
    /// what to say beside the field `code`.
    pub(super) async fn prove(&self, _code: &str) -> Result<Option<FormFault>, Fault> {
        Ok(self.asks_for_code().then(|| FormFault::new("code", "Sign in again")))
    }
}

impl MemberVisit {
    /// Who does what is done.
    pub(super) const fn actor(&self) -> Actor {
        Actor::member(self.member.id, self.visit.client)
    }

    /// Whether the reader may do what members do, such as making keys.
    pub(super) const fn may_change(&self) -> bool {
        matches!(self.member.role, Role::Owner | Role::Member)
    }

    /// Whether the reader may do what owners do: settings and members.
    pub(super) const fn is_owner(&self) -> bool {
        matches!(self.member.role, Role::Owner)
    }
}

impl Visit {
    async fn find_person(&self) -> Result<Option<Box<SignedInPerson>>, Fault> {
        let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? else { return Ok(None) };
        let found = match signed_in.person() {
            Person::Member(id) => self.find_member(id).await?,
            Person::Support(id) => {
                let person = self.portal.staff.find(id).await?.filter(|person| person.disabled_at.is_none());
                person.map(|person| SignedInPerson::Support(person, signed_in.proved_at()))
            }
        };
        if found.is_some() {
            self.renew(signed_in.person()).await?;
        }
        Ok(found.map(Box::new))
    }

    async fn find_member(&self, id: Uuid) -> Result<Option<SignedInPerson>, Fault> {
        let Some(member) = self.portal.members.find(id).await?.filter(|member| member.removed_at.is_none())
        else {
            return Ok(None);
        };
        let account = self.portal.accounts.find(member.account_id).await?;
        Ok(account.map(|account| SignedInPerson::Member(member, account)))
    }

    /// Puts the end of the session off, if it is worth a write.
    async fn renew(&self, person: Person) -> Result<(), Fault> {
        self.session.set_expiry(Some(Expiry::AtDateTime(self.idle_end(person))));
        let now = self.portal.clock.now();
        let renewed_at: Option<DateTime<Utc>> = self.session.get(RENEWED_AT).await?;
        if renewed_at.is_none_or(|renewed_at| now - renewed_at > RENEWED_AFTER) {
            self.session.insert(RENEWED_AT, now).await?;
        }
        Ok(())
    }

    fn idle_end(&self, person: Person) -> OffsetDateTime {
        let limit = match person {
            Person::Member(_) => IDLE_LIMIT,
            Person::Support(_) => STAFF_IDLE_LIMIT,
        };
        let end = self.portal.clock.now() + limit;
        OffsetDateTime::from_unix_timestamp(end.timestamp()).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// Signs somebody in: with a new identifier, so that one known before is worth nothing.
    pub(super) async fn sign_in(&self, person: Person, password: PasswordFingerprint) -> Result<(), Fault> {
        self.session.cycle_id().await?;
        self.session.set_expiry(Some(Expiry::AtDateTime(self.idle_end(person))));
        let signed_in = SignedIn::new((person, password), Some(self.client), self.user_agent.as_deref());
        self.session.insert(RENEWED_AT, self.portal.clock.now()).await?;
        Ok(self.session.insert(SIGNED_IN, signed_in).await?)
    }

    /// Keeps the reader's session, who has just changed the password here.
    pub(super) async fn keep_with(&self, password: PasswordFingerprint) -> Result<(), Fault> {
        if let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? {
            self.session.insert(SIGNED_IN, signed_in.with_password(password)).await?;
        }
        Ok(())
    }

    /// Which session this request belongs to; none for a browser without one.
    pub(super) fn session_key(&self) -> Option<SessionKey> {
        self.session.id().as_ref().map(SessionKey::of_id)
    }

    /// Whether somebody is signed in.
    pub(super) const fn is_signed_in(&self) -> bool {
        self.signed_in.is_some()
    }

    /// To another page first, such as where one signs in, and back afterwards.
    fn by_way_of(&self, page: &str) -> Response {
        let back: String = url::form_urlencoded::byte_serialize(self.address.as_bytes()).collect();
        Redirect::to(&format!("{page}?return_to={back}")).into_response()
    }

    /// Answers with a page.
    pub(super) async fn page(&self, status: StatusCode, page: impl ServerView) -> Response {
        let mut response = self.render(crossvat_app::portal::write(page)).await;
        *response.status_mut() = status;
        response
    }

    async fn render(&self, text: ServerText) -> Response {
        pages::write(self.portal.assets.clone(), self.document(Some(text)), &self.address).await
    }

    /// Answers that there is no such page; the same whether it is another's or nobody's.
    pub(super) async fn not_found(&self) -> Response {
        let mut response = pages::write(self.portal.assets.clone(), self.document(None), "/not-found").await;
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }

    /// What the document says of this request.
    pub(super) fn document(&self, text: Option<ServerText>) -> Document {
        let reader = self.signed_in.as_deref().map(|signed_in| match signed_in {
            SignedInPerson::Member(member, account) => Reader {
                name: member.name.clone(),
                standing: Standing::Member {
                    account: account.terms.name.to_string(),
                    role: role_word(member.role),
                },
            },
            SignedInPerson::Support(person, _) => {
                Reader { name: person.name.clone(), standing: Standing::Support }
            }
        });
        Document { theme: self.theme, reader, text, slip: None }
    }
}

/// The word for a role, as people read it.
pub(super) const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner",
        Role::Member => "Member",
        Role::Viewer => "Viewer",
    }
}
