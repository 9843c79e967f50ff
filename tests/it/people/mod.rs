//! Members, support staff, their sessions, links and requests: the services that pages will call, over a real database.

mod early_access;
mod members;
mod one_time_links;
mod schema;
mod second_factors;
mod secrets;
mod sessions;
mod staff;

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use chrono::{TimeZone, Utc};
use crossvat::{
    accounts::{Accounts, Limits},
    api_keys::ApiKeys,
    audit::{Actor, AuditEvent, Deed, Trail},
    clock::{ManualClock, SharedClock},
    db::{Database, entities, write},
    early_access::{EarlyAccess, KeyRequestError},
    email::Outbox,
    members::{Member, MemberError, Members, NewMember, Role, SignIn},
    onboarding::{Onboarding, OnboardingError, Services},
    one_time_links::{IssuedLink, LinkError, NewLink, OneTimeLink, OneTimeLinks, Purpose},
    passwords::{PasswordFingerprint, Passwords},
    people::Person,
    second_factor::{SecondFactorKey, SecondFactors},
    sessions::{SIGNED_IN, SeaOrmSessionStore, SessionKey, SessionLifetimes, Sessions, SignedIn},
    staff::Staff,
    ways_in::{self, WaysIn},
};
use rand::rngs::SysRng;
use sea_orm::EntityTrait;
use secrecy::SecretString;
use tempfile::TempDir;
use tower_sessions::{Expiry, Session, cookie::time::OffsetDateTime, session::Id};
use uuid::Uuid;

use crate::support::{database, events_of};

/// Where everybody is.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 24));
/// Everybody's first password.
const PASSWORD: &str = "correct horse battery";
/// How long a session lasts at most.
const LIFETIME: Duration = Duration::from_hours(12);
/// The same for support staff.
const STAFF_LIFETIME: Duration = Duration::from_hours(6);

/// The services over a database of their own.
struct People {
    db: Database,
    clock: Arc<ManualClock>,
    accounts: Accounts,
    members: Members,
    staff: Staff,
    second_factors: SecondFactors,
    sessions: Sessions,
    links: OneTimeLinks,
    early_access: EarlyAccess,
    onboarding: Onboarding,
    ways_in: WaysIn,
    outbox: Outbox,
    store: Arc<SeaOrmSessionStore>,
    folder: TempDir,
}

/// What uses links up.
#[derive(Clone)]
struct Uses {
    db: Database,
    links: OneTimeLinks,
    clock: Arc<ManualClock>,
}

impl Uses {
    async fn consume(&self, purpose: Purpose, secret: &str) -> Result<OneTimeLink, LinkError> {
        write(&self.db.main, async |transaction| {
            let mut trail = Trail::default();
            let used = self.links.consume_within(transaction, purpose, secret, HERE, &mut trail).await?;
            trail.write(transaction, &*self.clock).await?;
            Ok(used)
        })
        .await
    }
}

impl People {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let db = Database::connect(&database::url_for(folder.path()).into()).await.expect("database");
        db.migrate().await.expect("migrated");
        let clock = Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap()));
        let shared: SharedClock = clock.clone();
        let (main, passwords) = (|| db.main.clone(), Passwords::default());
        let services = Services {
            db: db.clone(),
            members: Members::new(main(), shared.clone(), passwords.clone()),
            early_access: EarlyAccess::new(db.clone(), shared.clone()),
            links: OneTimeLinks::new(main(), shared.clone()),
            api_keys: ApiKeys::new(db.clone(), shared.clone()),
            outbox: Outbox::new(main(), shared.clone(), "https://crossvat.example".into(), None),
            clock: shared.clone(),
        };
        let lifetimes = SessionLifetimes { member: LIFETIME, support: STAFF_LIFETIME };
        let key = SecondFactorKey::new(&[7; 32]);
        let staff = Staff::new(main(), shared.clone(), passwords);
        let ways_in = ways_in::Services {
            db: db.clone(),
            members: services.members.clone(),
            staff: staff.clone(),
            links: services.links.clone(),
            outbox: services.outbox.clone(),
            clock: shared.clone(),
        };
        Self {
            ways_in: WaysIn::new(ways_in),
            accounts: Accounts::new(db.clone(), shared.clone()),
            members: services.members.clone(),
            staff,
            second_factors: SecondFactors::new(main(), shared.clone(), Some(key)),
            sessions: Sessions::new(main(), shared.clone()),
            links: services.links.clone(),
            early_access: services.early_access.clone(),
            outbox: services.outbox.clone(),
            onboarding: Onboarding::new(services),
            store: Arc::new(SeaOrmSessionStore::new(main(), shared, lifetimes)),
            db,
            clock,
            folder,
        }
    }

    async fn account(&self, name: &str) -> Uuid {
        self.accounts.find_or_create(name, &Actor::COMMAND_LINE).await.expect("account")
    }

    /// A member with everybody's first password.
    async fn member(&self, account_id: Uuid, email: &str, role: Role) -> Uuid {
        let password = secret(PASSWORD);
        let new = NewMember { account_id, email, name: "Helen Fenwick", role, password: Some(&password) };
        self.members.add(new, &Actor::visitor(HERE), &mut SysRng).await.expect("member")
    }

    /// A member who has not chosen a password.
    async fn invited(&self, account_id: Uuid, email: &str) -> Uuid {
        let new = NewMember { account_id, email, name: "Maya Okafor", role: Role::Member, password: None };
        self.members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member")
    }

    /// Keeps a password that a member has chosen by a link.
    async fn choose_password(&self, member: Uuid, new: &str) -> Result<(), MemberError> {
        let chosen = self.members.prepare_password(member, &secret(new), &mut SysRng).await?;
        write(&self.db.main, async |transaction| {
            let mut trail = Trail::default();
            let told = (HERE, &self.outbox);
            self.members.keep_password_within(transaction, chosen, told, &mut trail).await?;
            Ok(trail.write(transaction, &*self.clock).await?)
        })
        .await
    }

    /// Uses links up, for nothing.
    fn uses(&self) -> Uses {
        Uses { db: self.db.clone(), links: self.links.clone(), clock: self.clock.clone() }
    }

    async fn support(&self, email: &str) -> Uuid {
        let who = (email, "Sam Support");
        self.staff
            .create(who, &secret(PASSWORD), &Actor::COMMAND_LINE, &mut SysRng)
            .await
            .expect("one of the staff")
    }

    async fn approve(&self, request: Uuid, limits: &Limits, actor: &Actor) -> Result<(), KeyRequestError> {
        self.onboarding.approve(request, limits, actor, &mut SysRng).await.map_err(of_the_request)
    }

    async fn decline(&self, request: Uuid, reason: &str, actor: &Actor) -> Result<(), KeyRequestError> {
        self.onboarding.decline(request, reason, (actor, "Sam Support")).await.map_err(of_the_request)
    }

    async fn sign_in(&self, email: &str, password: &str) -> SignIn {
        self.members.sign_in(email, &secret(password), &mut SysRng).await.expect("can be told")
    }

    async fn opens(&self, email: &str, password: &str) -> bool {
        matches!(self.sign_in(email, password).await, SignIn::Accepted(..))
    }

    async fn found(&self, member: Uuid) -> Member {
        self.members.find(member).await.expect("answers").expect("there")
    }

    /// A browser in which the person signs in, by tower-sessions' own way.
    async fn browser(&self, person: Person) -> Id {
        let session = self.session(None);
        let password = self.password_of(person).await;
        let signed_in = SignedIn::new((person, password), Some(HERE), Some("Edge on Windows"));
        session.insert(SIGNED_IN, signed_in).await.expect("inserts");
        session.save().await.expect("saves");
        session.id().expect("has one")
    }

    /// Which password a person has at present.
    async fn password_of(&self, person: Person) -> PasswordFingerprint {
        let kept = match person {
            Person::Member(id) => {
                let row = entities::member::Entity::find_by_id(id).one(&self.db.main).await.expect("answers");
                row.and_then(|row| row.password_hash)
            }
            Person::Support(id) => {
                let row = entities::support_staff::Entity::find_by_id(id)
                    .one(&self.db.main)
                    .await
                    .expect("answers");
                row.and_then(|row| row.password_hash)
            }
        };
        PasswordFingerprint::of(&kept.expect("a password"))
    }

    /// A session as tower-sessions makes it for one call; it lasts for an hour.
    fn session(&self, id: Option<Id>) -> Session {
        let end = self.shared_clock().now() + Duration::from_hours(1);
        let end = OffsetDateTime::from_unix_timestamp(end.timestamp()).expect("a time");
        Session::new(id, self.store.clone(), Some(Expiry::AtDateTime(end)))
    }

    async fn signed_in(&self, id: Id) -> Option<Person> {
        let session = self.session(Some(id));
        session.get::<SignedIn>(SIGNED_IN).await.expect("answers").map(|signed_in| signed_in.person())
    }

    async fn link(&self, purpose: Purpose, person: Person) -> IssuedLink {
        self.issue(purpose, person).await.expect("link")
    }

    /// Makes a link without a letter, for whoever waits for it.
    fn issue(
        &self,
        purpose: Purpose,
        person: Person,
    ) -> impl Future<Output = Result<IssuedLink, LinkError>> + Send + use<> {
        let (db, links, clock) = (self.db.main.clone(), self.links.clone(), self.shared_clock());
        async move {
            write(&db, async |transaction| {
                let (new, mut trail) = (NewLink { id: None, purpose, person, key: None }, Trail::default());
                let actor = &Actor::COMMAND_LINE;
                let issued = links.issue_within(transaction, new, actor, &mut SysRng, &mut trail).await?;
                trail.write(transaction, clock.as_ref()).await?;
                Ok(issued)
            })
            .await
        }
    }

    fn shared_clock(&self) -> SharedClock {
        self.clock.clone()
    }

    /// Every audit event, oldest first.
    async fn events(&self) -> Vec<AuditEvent> {
        let mut events = entities::audit_event::Entity::find().all(&self.db.main).await.expect("events");
        // Not by their names, which begin with the time: programs go by the machine's clock, and this one stands still.
        events.sort_by_key(|event| event.sequence);
        events
    }

    /// The deeds that concern an account after its making.
    async fn deeds(&self, account_id: Uuid) -> Vec<Deed> {
        let events = events_of(&self.db, account_id).await;
        events.iter().map(|event| event.deed).filter(|deed| *deed != Deed::AccountCreated).collect()
    }

    async fn last_event(&self) -> AuditEvent {
        self.events().await.pop().expect("an event")
    }
}

impl Drop for People {
    fn drop(&mut self) {
        database::forget(self.folder.path());
    }
}

fn of_the_request(error: OnboardingError) -> KeyRequestError {
    match error {
        OnboardingError::Request(error) => error,
        other => panic!("{other:?}"),
    }
}

fn secret(text: &str) -> SecretString {
    text.into()
}

fn key(id: Id) -> SessionKey {
    SessionKey::of_id(&id)
}
