//! One request for a page: who reads, from where, with which session.

use std::{
    net::IpAddr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{FromRequestParts, OriginalUri},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use crossvat_app::{
    Document, LOOKS_BY_ITSELF, Place, Reader, ServerText, Standing, Theme,
    portal::{Fault as FormFault, ServerView},
};
use serde::Serialize;
use tower_sessions::{Expiry, Session, cookie::time::OffsetDateTime};
use uuid::Uuid;

use super::{
    codes::check_code, door::Door, fault::Fault, pages, registries_now::in_a_sentence, state::Portal,
    theme::chosen_theme, unsent::Browser,
};
use crate::{
    accounts::Account,
    audit::Actor,
    members::{Member, Role},
    middleware::client_address,
    passwords::PasswordFingerprint,
    people::Person,
    sessions::{SIGNED_IN, SessionKey, SessionLifetimes, SignedIn},
    staff::SupportPerson,
};

/// How long somebody who does nothing stays signed in.
const IDLE_LIMIT: Duration = Duration::from_hours(12);
/// The same for support staff, who can reach every account.
const STAFF_IDLE_LIMIT: Duration = Duration::from_mins(30);
/// How long a second factor that was seen is enough for a dangerous deed.
const PROOF_LIMIT: TimeDelta = TimeDelta::minutes(15);
/// How long anybody stays signed in at a time.
pub const SESSION_LIFETIMES: SessionLifetimes =
    SessionLifetimes { member: Duration::from_hours(24 * 7), support: Duration::from_hours(8) };
/// A session is written again only when this much of its idle time is over.
const RENEWED_AFTER: TimeDelta = TimeDelta::minutes(10);
/// Where a session holds when it was last written for that.
const RENEWED_AT: &str = "renewed_at";

/// A request for a page.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) portal: Portal,
    pub(super) session: Session,
    pub(super) browser: Browser,
    pub(super) client: IpAddr,
    pub(super) user_agent: Option<String>,
    /// Path and query.
    pub(super) address: String,
    theme: Theme,
    /// The page keeps itself up to date: nobody need sit before it.
    looks_by_itself: bool,
    signed_in: Option<Box<SignedInPerson>>,
    /// Set when the page holds what was typed before the reader had to sign in.
    was_not_sent: OnceLock<()>,
}

/// A request of somebody who is signed in: the account is bound to it, not passed along.
pub(super) struct MemberVisit {
    pub(super) visit: Visit,
    pub(super) member: Member,
    pub(super) account: Account,
}

/// A request of a member, whether or not the account demands a second factor that is not there: good for setting one up, and
/// nothing else.
pub(super) struct NewMemberVisit {
    pub(super) visit: Visit,
    pub(super) member: Member,
    pub(super) account: Account,
}

/// A request of one of the support staff whose second factor was seen in this session.
pub(super) struct StaffVisit {
    pub(super) visit: Visit,
    pub(super) person: SupportPerson,
    proved_at: DateTime<Utc>,
    /// Whether the second factor was seen in this very request.
    proved_now: AtomicBool,
}

/// A request of one of the support staff, whether or not a second factor was seen: good for setting one up, and nothing else.
pub(super) struct NewStaffVisit {
    pub(super) visit: Visit,
    pub(super) person: SupportPerson,
    /// When the second factor was seen last in this session.
    pub(super) proved_at: Option<DateTime<Utc>>,
}

/// What a member lacks whose account demands a second factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lacks {
    Nothing,
    SecondFactor,
}

#[derive(Clone)]
enum SignedInPerson {
    Member(Member, Account, Lacks),
    Support(SupportPerson, Option<DateTime<Utc>>),
}

impl FromRequestParts<Portal> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        if let Some(visit) = parts.extensions.remove::<Self>() {
            return Ok(visit);
        }
        let session =
            Session::from_request_parts(parts, portal).await.map_err(IntoResponse::into_response)?;
        let Some(browser) = parts.extensions.get::<Browser>().cloned() else {
            return Err(StatusCode::INTERNAL_SERVER_ERROR.into_response());
        };
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
            looks_by_itself: parts.headers.contains_key(LOOKS_BY_ITSELF),
            portal: portal.clone(),
            session,
            browser,
            address,
            signed_in: None,
            was_not_sent: OnceLock::new(),
        };
        visit.signed_in = visit.find_person().await.map_err(IntoResponse::into_response)?;
        Ok(visit)
    }
}

impl FromRequestParts<Portal> for MemberVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let NewMemberVisit { visit, member, account } =
            NewMemberVisit::from_request_parts(parts, portal).await?;
        if visit.lacks_second_factor() {
            return Err(visit.by_way_of(Door::Members.second_factor()));
        }
        Ok(Self { visit, member, account })
    }
}

impl FromRequestParts<Portal> for NewMemberVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let visit = Visit::from_request_parts(parts, portal).await?;
        match visit.signed_in.as_deref().cloned() {
            Some(SignedInPerson::Member(member, account, _)) => Ok(Self { visit, member, account }),
            Some(SignedInPerson::Support(..)) | None => Err(visit.by_way_of(Door::Members.sign_in())),
        }
    }
}

impl FromRequestParts<Portal> for StaffVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let NewStaffVisit { visit, person, proved_at } =
            NewStaffVisit::from_request_parts(parts, portal).await?;
        match proved_at.filter(|_| portal.second_factors.has_key()) {
            Some(proved_at) => Ok(Self { visit, person, proved_at, proved_now: AtomicBool::new(false) }),
            None => Err(visit.by_way_of(Door::Staff.second_factor())),
        }
    }
}

impl FromRequestParts<Portal> for NewStaffVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let visit = Visit::from_request_parts(parts, portal).await?;
        match visit.signed_in.as_deref().cloned() {
            Some(SignedInPerson::Support(person, proved_at)) => Ok(Self { visit, person, proved_at }),
            Some(SignedInPerson::Member(..)) | None => Err(visit.by_way_of(Door::Staff.sign_in())),
        }
    }
}

impl NewStaffVisit {
    /// Whether a second factor was seen lately enough for something dangerous.
    pub(super) fn is_proved_lately(&self) -> bool {
        self.proved_at.is_some_and(|proved_at| is_lately(proved_at, self.visit.portal.clock.now()))
    }
}

impl StaffVisit {
    /// Who does what is done.
    pub(super) const fn actor(&self) -> Actor {
        Actor::support(self.person.id, self.visit.client)
    }

    /// Whether a form for something dangerous asks for the second factor again.
    pub(super) fn asks_for_code(&self) -> bool {
        let now = self.visit.portal.clock.now();
        !is_lately(self.proved_at, now) && !self.proved_now.load(Ordering::Relaxed)
    }

    /// Whether something dangerous may be done now: the second factor was seen lately, or is seen now in `code`. If not,
    /// what to say beside the field `code`. A code is used up by this: ask for it when nothing else needs changing.
    pub(super) async fn prove(&self, code: &str) -> Result<Option<FormFault>, Fault> {
        if !self.asks_for_code() {
            return Ok(None);
        }
        if let Some((_, fault)) = check_code(&self.visit, Person::Support(self.person.id), code).await? {
            return Ok(Some(fault));
        }
        self.visit.note_proof().await?;
        self.proved_now.store(true, Ordering::Relaxed);
        Ok(None)
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
        if found.is_some() && !self.looks_by_itself {
            self.renew().await?;
        }
        Ok(found.map(Box::new))
    }

    async fn find_member(&self, id: Uuid) -> Result<Option<SignedInPerson>, Fault> {
        let Some(member) = self.portal.members.find(id).await?.filter(|member| member.removed_at.is_none())
        else {
            return Ok(None);
        };
        let account = self.portal.accounts.find(member.account_id).await?;
        let Some(account) = account else { return Ok(None) };
        let demanded = account.terms.demands_second_factor;
        let lacks = if demanded && !self.portal.second_factors.has_one(Person::Member(id)).await? {
            Lacks::SecondFactor
        } else {
            Lacks::Nothing
        };
        Ok(Some(SignedInPerson::Member(member, account, lacks)))
    }

    /// Puts the end of the session off, if it is worth a write. To set an end is one, even when it is the same.
    async fn renew(&self) -> Result<(), Fault> {
        let renewed_at: Option<DateTime<Utc>> = self.session.get(RENEWED_AT).await?;
        if renewed_at.is_none_or(|renewed_at| self.portal.clock.now() - renewed_at > RENEWED_AFTER) {
            self.put_end_off().await?;
        }
        Ok(())
    }

    /// To be done with everything that is written into the session of somebody who is signed in: an end is not read back, so
    /// what is written without one lasts as long as any session may.
    async fn put_end_off(&self) -> Result<(), Fault> {
        if let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? {
            self.session.set_expiry(Some(Expiry::AtDateTime(self.idle_end(signed_in.person()))));
            self.session.insert(RENEWED_AT, self.portal.clock.now()).await?;
        }
        Ok(())
    }

    /// Keeps something in the session of somebody who is signed in.
    pub(super) async fn keep_in_session(&self, name: &str, value: impl Serialize) -> Result<(), Fault> {
        self.put_end_off().await?;
        Ok(self.session.insert(name, value).await?)
    }

    /// Forgets something that the session of somebody who is signed in holds.
    pub(super) async fn forget_in_session(&self, name: &str) -> Result<(), Fault> {
        self.put_end_off().await?;
        self.session.remove_value(name).await?;
        Ok(())
    }

    fn idle_end(&self, person: Person) -> OffsetDateTime {
        let limit = match person {
            Person::Member(_) => IDLE_LIMIT,
            Person::Support(_) => STAFF_IDLE_LIMIT,
        };
        self.in_time(limit)
    }

    /// So long from now.
    pub(super) fn in_time(&self, span: Duration) -> OffsetDateTime {
        let end = self.portal.clock.now() + span;
        OffsetDateTime::from_unix_timestamp(end.timestamp()).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// Signs somebody in, whose second factor was just seen or not. With a new identifier, so that one known before is worth
    /// nothing, and without anything that the session held. The browser is known from now on.
    pub(super) async fn sign_in(
        &self,
        (person, password): (Person, PasswordFingerprint),
        proved: bool,
    ) -> Result<(), Fault> {
        self.begin_anew(self.idle_end(person)).await?;
        let now = self.portal.clock.now();
        let signed_in = SignedIn::new((person, password), Some(self.client), self.user_agent.as_deref());
        let signed_in = if proved { signed_in.proved(now) } else { signed_in };
        self.session.insert(RENEWED_AT, now).await?;
        self.session.insert(SIGNED_IN, signed_in).await?;
        self.remember(person).await
    }

    /// Finds out who is signed in once more, after somebody was.
    pub(super) async fn look_again(&mut self) -> Result<(), Fault> {
        self.signed_in = self.find_person().await?;
        Ok(())
    }

    /// Empties the session and gives it another identifier.
    pub(super) async fn begin_anew(&self, end: OffsetDateTime) -> Result<(), Fault> {
        self.session.clear().await;
        self.session.cycle_id().await?;
        self.session.set_expiry(Some(Expiry::AtDateTime(end)));
        Ok(())
    }

    /// Notes that the reader's second factor was seen now.
    pub(super) async fn note_proof(&self) -> Result<(), Fault> {
        if let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? {
            self.keep_in_session(SIGNED_IN, signed_in.proved(self.portal.clock.now())).await?;
        }
        Ok(())
    }

    /// Signs one of the support staff in once more who has just set up a second factor.
    pub(super) async fn sign_in_with_proof(&self) -> Result<(), Fault> {
        if let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? {
            self.sign_in((signed_in.person(), signed_in.password()), true).await?;
        }
        Ok(())
    }

    /// Keeps the reader's session, who has just changed the password here.
    pub(super) async fn keep_with(&self, password: PasswordFingerprint) -> Result<(), Fault> {
        if let Some(signed_in) = self.session.get::<SignedIn>(SIGNED_IN).await? {
            self.keep_in_session(SIGNED_IN, signed_in.with_password(password)).await?;
        }
        Ok(())
    }

    /// Which session this request belongs to; none for a browser without one.
    pub(super) fn session_key(&self) -> Option<SessionKey> {
        self.session.id().as_ref().map(SessionKey::of_id)
    }

    /// Who is signed in.
    pub(super) fn person(&self) -> Option<Person> {
        self.signed_in.as_deref().map(|signed_in| match signed_in {
            SignedInPerson::Member(member, ..) => Person::Member(member.id),
            SignedInPerson::Support(person, _) => Person::Support(person.id),
        })
    }

    /// The account of a member who is signed in.
    pub(super) fn account_id(&self) -> Option<Uuid> {
        match self.signed_in.as_deref()? {
            SignedInPerson::Member(_, account, _) => Some(account.id),
            SignedInPerson::Support(..) => None,
        }
    }

    /// Whether the reader has to set up a second factor before anything else, because the account demands it.
    pub(super) fn lacks_second_factor(&self) -> bool {
        matches!(self.signed_in.as_deref(), Some(SignedInPerson::Member(_, _, Lacks::SecondFactor)))
    }

    /// Through which door the reader came in, who is signed in.
    pub(super) fn came_through(&self) -> Option<Door> {
        self.signed_in.as_deref().map(|signed_in| match signed_in {
            SignedInPerson::Member(..) => Door::Members,
            SignedInPerson::Support(..) => Door::Staff,
        })
    }

    /// The page says that its form was not sent, since the reader had been signed out.
    pub(super) fn tell_that_it_was_not_sent(&self) {
        // Once said, it is said.
        let _ = self.was_not_sent.set(());
    }

    /// To another page first, such as where one signs in, and back afterwards.
    pub(super) fn by_way_of(&self, page: &str) -> Response {
        led_by(page, &self.address)
    }

    /// Answers with a page.
    pub(super) async fn page(&self, status: StatusCode, page: impl ServerView) -> Response {
        let mut text = crossvat_app::portal::write(page);
        if self.was_not_sent.get().is_some() {
            text = crossvat_app::portal::with_unsent_notice(text);
        }
        let mut response = self.render(text).await;
        *response.status_mut() = status;
        response
    }

    async fn render(&self, text: ServerText) -> Response {
        pages::write(self.portal.site.assets.clone(), self.document(Some(text)), &self.address).await
    }

    /// Answers that there is no such page; the same whether it is another's or nobody's.
    pub(super) async fn not_found(&self) -> Response {
        let mut response =
            pages::write(self.portal.site.assets.clone(), self.document(None), "/not-found").await;
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }

    /// What the document says of this request.
    pub(super) fn document(&self, text: Option<ServerText>) -> Document {
        let reader = self.signed_in.as_deref().map(|signed_in| match signed_in {
            SignedInPerson::Member(member, account, lacks) => {
                let (account, role) = (account.terms.name.to_string(), role_word(member.role));
                let standing = match lacks {
                    Lacks::Nothing => Standing::Member { account, role },
                    Lacks::SecondFactor => Standing::NewMember { account, role },
                };
                Reader { name: member.name.clone(), standing }
            }
            SignedInPerson::Support(person, proved_at) => {
                let standing = if proved_at.is_some() { Standing::Support } else { Standing::NewSupport };
                Reader { name: person.name.clone(), standing }
            }
        });
        let registries = in_a_sentence(&self.portal);
        let path = self.address.split_once('?').map_or(&*self.address, |(path, _)| path).to_owned();
        let place = Some(Place { origin: self.portal.public_url.to_string(), path });
        let (theme, operator) = (self.theme, self.portal.operator.clone());
        Document { theme, reader, registries, operator, text, slip: None, place, is_still: false }
    }
}

/// Whether a second factor that was seen then is enough for something dangerous now.
fn is_lately(seen_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - seen_at <= PROOF_LIMIT
}

/// To a page first, such as where one signs in, and on to an address afterwards.
pub(super) fn led_by(page: &str, address: &str) -> Response {
    let back: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
    Redirect::to(&format!("{page}?return_to={back}")).into_response()
}

/// The word for a role, as people read it.
pub(super) const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner",
        Role::Member => "Member",
        Role::Viewer => "Viewer",
    }
}
