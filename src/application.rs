//! The composition root: the one place where the parts are made and joined.

mod documentation;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use crossvat_app::OperatorPages;
use futures_util::future::join;
use sea_orm::DbErr;
use thiserror::Error;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::sync::CancellationToken;

use crate::{
    accounts::Accounts,
    api::{self, ApiParts},
    api_keys::ApiKeys,
    audit::{AuditLog, NotedLater},
    background::Background,
    batch_checks::BatchChecks,
    check_own_number::CheckOwnNumber,
    clock::{SharedClock, SystemClock},
    config::{
        AccountsConfig, Config, EmailConfig, EmailTransport, KeyBytes, PageAddress, SignUps, SiteConfig,
    },
    db::{ConnectError, Database},
    early_access::EarlyAccess,
    email::{self, MailerError, Outbox, SharedMailer},
    evidence::Evidence,
    lifecycle::{self, ConnectionLimits},
    limits::{DEFAULT_NAMESPACE, InvalidRedisUrl, RateLimiter, Sharing},
    members::Members,
    middleware::TrustedProxies,
    onboarding::{self, Onboarding},
    one_time_links::OneTimeLinks,
    ops,
    passwords::Passwords,
    people::{BadEmailAddress, EmailAddress},
    portal::{self, PortalParts, SESSION_LIFETIMES, Site, SiteError, UnreadableDescription},
    registries::{self, HttpClientError, hmrc::Hmrc, sandbox::Sandbox, vies::Vies},
    registry_limits::{PacerOfAll, PlacesOfAll},
    registry_status::{Holds, RegistryStatus},
    router,
    second_factor::{SecondFactorKey, SecondFactors},
    security_txt,
    sessions::{SeaOrmSessionStore, Sessions},
    staff::Staff,
    telemetry,
    usage::{Allowances, Recorder, Usage},
    verification::gateway::{
        HmrcLine, MemoryPacer, MemoryPlaces, MostPlaces, RegistryGateway, SharedPacer, SharedPlaces, ViesLine,
    },
    verify_vat::{Parts, VerifyVat},
    ways_in::{self, WaysIn},
};

pub use crate::background::Died;

/// Over the call's own deadline: time to read its body and write its answer while stopping.
const DRAIN_MARGIN: Duration = Duration::from_secs(15);

/// Over the time of a call and of what goes on after it: time to record what was asked. After that, what was set aside is
/// given back.
const RESERVATION_MARGIN: Duration = Duration::from_secs(30);

/// Over the call's own deadline: time to take in what came of a part of a batch check. After that, another instance takes the
/// part up again.
const LEASE_MARGIN: Duration = Duration::from_mins(1);

/// A scrape takes no longer.
const METRICS_DRAIN: Duration = Duration::from_secs(1);

/// Parts that tests replace.
#[derive(Default)]
pub struct Overrides {
    /// Instead of the machine's clock.
    pub clock: Option<SharedClock>,
    /// Instead of the one that is set.
    pub mailer: Option<SharedMailer>,
}

/// The server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] ConnectError),
    /// Nobody knows whom not to ask.
    #[error("the breakers that are open by hand cannot be read: {0}")]
    Holds(DbErr),
    /// The pages' files are not there.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The address of Redis is none.
    #[error("limits.redis_url: {0}")]
    Redis(#[from] InvalidRedisUrl),
    /// Mail cannot be sent in the way that is set.
    #[error(transparent)]
    Mailer(#[from] MailerError),
    /// Nobody can be told of requests at the address that is set.
    #[error("email.requests_to: {0}")]
    RequestsTo(#[from] BadEmailAddress),
    /// No HTTP client can be made.
    #[error(transparent)]
    HttpClient(#[from] HttpClientError),
    /// Metrics cannot be gathered.
    #[error(transparent)]
    Metrics(#[from] telemetry::MetricsError),
    /// The API's description is none.
    #[error(transparent)]
    Description(#[from] UnreadableDescription),
    /// A listener cannot be had.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        reason: io::Error,
    },
}

/// A server that is ready to run.
pub struct Application {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    metrics: Option<(TcpListener, Router)>,
    background: Background,
    registries: Arc<RegistryGateway>,
    drain_limit: Duration,
}

impl Application {
    /// Makes all parts, brings the database up to date and takes the port.
    ///
    /// # Errors
    /// Any part cannot be had; the text says which and why.
    pub async fn build(config: Config, overrides: Overrides) -> Result<Self, StartError> {
        let clock = overrides.clock.unwrap_or_else(|| Arc::new(SystemClock::default()));
        let site = Site::load(config.http.site_directory.as_deref())?;
        let db = Database::connect(&config.database.url).await?;
        db.migrate().await?;
        let limiter = limiter(&config, &clock).await?;
        let recorder = Recorder::default();
        let lasts = config.verification.deadline + config.verification.afterwards + RESERVATION_MARGIN;
        let allowances = Allowances::new(db.clone(), Arc::clone(&clock), lasts);
        let registries = Arc::new(gateway(&config, limiter.sharing(), Arc::clone(&clock))?);
        let verify_vat =
            VerifyVat::new(use_case(&config, &db, &registries, (&limiter, &allowances, &recorder), &clock));
        let batch_checks = batch_checks(&config, &db, &verify_vat, &clock);
        let mailer = match overrides.mailer {
            Some(mailer) => Some(mailer),
            None => mailer(config.email.as_ref()).await?,
        };
        let (listener, address) = take_port(config.http.bind).await?;
        let public_url: Arc<str> =
            config.http.public_url.map_or_else(|| format!("http://{address}"), |url| url.to_string()).into();
        let outbox = Outbox::new(db.main.clone(), Arc::clone(&clock), Arc::clone(&public_url), mailer);
        let api_keys = ApiKeys::new(db.clone(), Arc::clone(&clock));
        let usage = Usage::new(db.clone(), recorder.clone(), Arc::clone(&clock));
        let registry_status = registry_status(&db, &registries, &clock).await?;
        let api = api::router(ApiParts {
            api_keys: api_keys.clone(),
            verify_vat: verify_vat.clone(),
            usage: usage.clone(),
            registry_status: registry_status.clone(),
            public_url: Arc::clone(&public_url),
            places: Arc::new(Semaphore::new(config.http.max_in_flight as usize)),
        });
        // One for all: so many hashes are worked on at once, whosever they are.
        let passwords = Passwords::default();
        let services = services(&db, (&api_keys, &outbox, &passwords), config.email.as_ref(), &clock)?;
        let staff = Staff::new(db.main.clone(), Arc::clone(&clock), passwords);
        let check_own_number = CheckOwnNumber::new(
            Arc::<RegistryGateway>::clone(&registries),
            services.early_access.clone(),
            limiter.clone(),
        );
        let noted_later = NotedLater::new(db.main.clone(), Arc::clone(&clock));
        let portal = portal::router(PortalParts {
            site,
            operator: operator_pages(&config.site),
            docs: documentation::parts()?,
            verify_vat: verify_vat.clone(),
            accounts: Accounts::new(db.clone(), Arc::clone(&clock)),
            check_own_number: check_own_number.clone(),
            members: services.members.clone(),
            api_keys,
            batch_checks: batch_checks.clone(),
            early_access: services.early_access.clone(),
            links: services.links.clone(),
            ways_in: WaysIn::new(ways_in(&services, &staff)),
            onboarding: Onboarding::new(services),
            outbox: outbox.clone(),
            limiter,
            evidence: Evidence::new(db.main.clone()),
            usage: usage.clone(),
            availability: registries.availability(),
            registries: Arc::clone(&registries),
            one_of_several: db.may_be_shared(),
            registry_status: registry_status.clone(),
            public_url: Arc::clone(&public_url),
            audit: AuditLog::new(db.main.clone()),
            noted_later: noted_later.clone(),
            staff,
            second_factors: second_factors(&db, &config.accounts, &clock),
            sessions: Sessions::new(db.main.clone(), Arc::clone(&clock)),
            session_store: SeaOrmSessionStore::new(db.main.clone(), Arc::clone(&clock), SESSION_LIFETIMES),
            keys_on_request: config.accounts.sign_ups == SignUps::EarlyAccess,
            trusted_proxies: TrustedProxies::new(config.http.trusted_proxies),
            clock: Arc::clone(&clock),
        });
        let probes = ops::probes(db.clone(), recorder.clone(), Arc::clone(&registries)).merge(
            security_txt::router(config.http.security_contact.as_ref(), &public_url, Arc::clone(&clock)),
        );
        let metrics = metrics(config.metrics.bind).await?;
        Ok(Self {
            listener,
            address,
            router: router::build((api, portal, probes), Arc::clone(&clock), &public_url),
            metrics,
            background: Background {
                db,
                verify_vat,
                check_own_number,
                batch_checks,
                recorder,
                registry_status,
                usage,
                allowances,
                outbox,
                noted_later,
                clock,
            },
            registries,
            drain_limit: config.verification.deadline + DRAIN_MARGIN,
        })
    }

    /// Where it listens, with the port the system chose.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The batch checks that it works on.
    #[must_use]
    pub const fn batch_checks(&self) -> &BatchChecks {
        &self.background.batch_checks
    }

    /// Its way to the registries.
    #[must_use]
    pub const fn registries(&self) -> &Arc<RegistryGateway> {
        &self.registries
    }

    /// Serves until `stop`, finishes what was accepted, records it and closes the database.
    ///
    /// # Errors
    /// A part without which nothing may be answered has died.
    pub async fn run_until(self, stop: CancellationToken) -> Result<(), Died> {
        tracing::info!(address = %self.address, "serving");
        let metrics = async {
            if let Some((listener, router)) = self.metrics {
                lifecycle::serve(
                    listener,
                    router,
                    stop.clone(),
                    ConnectionLimits::draining_for(METRICS_DRAIN),
                )
                .await;
            }
        };
        let calls = lifecycle::serve(
            self.listener,
            self.router,
            stop.clone(),
            ConnectionLimits::draining_for(self.drain_limit),
        );
        let ended = self.background.run_beside(join(calls, metrics), stop.clone(), self.drain_limit).await;
        tracing::info!("stopped");
        ended
    }
}

async fn limiter(config: &Config, clock: &SharedClock) -> Result<RateLimiter, InvalidRedisUrl> {
    match &config.limits.redis_url {
        Some(url) => {
            RateLimiter::shared(url, DEFAULT_NAMESPACE, config.limits.redis_timeout, Arc::clone(clock)).await
        }
        None => Ok(RateLimiter::in_memory(Arc::clone(clock))),
    }
}

/// Where figures are served, if they are.
async fn metrics(bind: Option<SocketAddr>) -> Result<Option<(TcpListener, Router)>, StartError> {
    Ok(match bind {
        Some(address) => Some((listen(address).await?, ops::metrics(telemetry::start_metrics()?))),
        None => None,
    })
}

/// The listener, and where it listens: the system may have chosen the port.
async fn take_port(bind: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let listener = listen(bind).await?;
    let address = listener.local_addr().map_err(|reason| StartError::Listen { address: bind, reason })?;
    Ok((listener, address))
}

fn operator_pages(config: &SiteConfig) -> OperatorPages {
    let address = |page: &Option<PageAddress>| page.as_ref().map(|page| page.to_string().into());
    OperatorPages { imprint: address(&config.imprint_url), privacy: address(&config.privacy_url) }
}

/// What the use case works with.
fn use_case(
    config: &Config,
    db: &Database,
    registries: &Arc<RegistryGateway>,
    (limiter, allowances, recorder): (&RateLimiter, &Allowances, &Recorder),
    clock: &SharedClock,
) -> Parts {
    Parts {
        registries: Arc::<RegistryGateway>::clone(registries),
        sandbox: Box::new(Sandbox::new(Arc::clone(clock))),
        limiter: limiter.clone(),
        allowances: allowances.clone(),
        evidence: Evidence::new(db.main.clone()),
        recorder: recorder.clone(),
        deadline: config.verification.deadline,
        afterwards: config.verification.afterwards,
        clock: Arc::clone(clock),
    }
}

fn batch_checks(config: &Config, db: &Database, verify_vat: &VerifyVat, clock: &SharedClock) -> BatchChecks {
    let lease = config.verification.deadline + LEASE_MARGIN;
    BatchChecks::new(db.main.clone(), verify_vat.clone(), Arc::clone(clock), lease)
}

/// Before anybody can ask, what is open by hand is.
async fn registry_status(
    db: &Database,
    registries: &Arc<RegistryGateway>,
    clock: &SharedClock,
) -> Result<RegistryStatus, StartError> {
    let holds = Holds::new(db.main.clone(), Arc::clone(registries), Arc::clone(clock));
    holds.obey().await.map_err(StartError::Holds)?;
    Ok(RegistryStatus::new(db.main.clone(), registries.availability(), holds, Arc::clone(clock)))
}

/// Who is told of requests for keys.
fn requests_to(config: Option<&EmailConfig>) -> Result<Option<EmailAddress>, BadEmailAddress> {
    let address = config.and_then(|config| config.requests_to.as_ref());
    address.map(|address| address.to_string().parse()).transpose()
}

/// The services that bring companies to their first key.
fn services(
    db: &Database,
    (api_keys, outbox, passwords): (&ApiKeys, &Outbox, &Passwords),
    email: Option<&EmailConfig>,
    clock: &SharedClock,
) -> Result<onboarding::Services, BadEmailAddress> {
    let mut early_access = EarlyAccess::new(db.clone(), Arc::clone(clock));
    if let Some(to) = requests_to(email)? {
        early_access = early_access.telling(to, outbox.clone());
    }
    Ok(onboarding::Services {
        db: db.clone(),
        members: Members::new(db.main.clone(), Arc::clone(clock), passwords.clone()),
        early_access,
        links: OneTimeLinks::new(db.main.clone(), Arc::clone(clock)),
        api_keys: api_keys.clone(),
        outbox: outbox.clone(),
        clock: Arc::clone(clock),
    })
}

/// The services by which people come in with what was mailed to them.
fn ways_in(services: &onboarding::Services, staff: &Staff) -> ways_in::Services {
    ways_in::Services {
        db: services.db.clone(),
        members: services.members.clone(),
        staff: staff.clone(),
        links: services.links.clone(),
        outbox: services.outbox.clone(),
        clock: Arc::clone(&services.clock),
    }
}

/// The way to the registries, whose limits are shared with whoever shares the others.
fn gateway(
    config: &Config,
    sharing: Option<Sharing>,
    clock: SharedClock,
) -> Result<RegistryGateway, HttpClientError> {
    let http = registries::http_client()?;
    let (pacer, places): (Arc<dyn SharedPacer>, Arc<dyn SharedPlaces>) = match sharing {
        Some(sharing) => (
            Arc::new(PacerOfAll::new(sharing.clone(), "HMRC")),
            Arc::new(PlacesOfAll::new(sharing, "VIES", config.vies.timeout)),
        ),
        None => (Arc::new(MemoryPacer::default()), Arc::new(MemoryPlaces::default())),
    };
    let hmrc = HmrcLine {
        registry: Arc::new(Hmrc::new(http.clone(), &config.hmrc, Arc::clone(&clock))),
        pacer,
        requests_per_second: config.hmrc.requests_per_second,
        try_limit: config.hmrc.timeout,
    };
    let vies = ViesLine {
        registry: Arc::new(Vies::new(http, &config.vies)),
        places,
        most: MostPlaces {
            in_all: config.vies.max_in_flight as usize,
            of_lane: config.vies.max_in_flight_per_member_state as usize,
        },
        try_limit: config.vies.timeout,
    };
    Ok(RegistryGateway::new(hmrc, vies, config.verification.pause, clock))
}

/// The key under which second factors are kept, with those before it.
pub(crate) fn second_factor_key(config: &AccountsConfig) -> Option<SecondFactorKey> {
    let former = config.former_second_factor_keys.iter().map(KeyBytes::expose);
    config.second_factor_key.as_ref().map(|key| SecondFactorKey::new(key.expose()).after(former))
}

/// Says what follows when there is no key for them.
fn second_factors(db: &Database, config: &AccountsConfig, clock: &SharedClock) -> SecondFactors {
    let key = second_factor_key(config);
    if key.is_none() {
        tracing::warn!(
            "accounts.second_factor_key is not set: nobody can set up a second factor, and the pages of support staff are \
             closed"
        );
    }
    SecondFactors::new(db.main.clone(), Arc::clone(clock), key)
}

/// Says what is missing when there is none.
async fn mailer(config: Option<&EmailConfig>) -> Result<Option<SharedMailer>, MailerError> {
    let Some(config) = config else {
        tracing::warn!(
            "email.transport is not set: no mail is sent, so nobody can confirm an address, choose a new password or be \
             invited"
        );
        return Ok(None);
    };
    let mailer = email::mailer(config).await?;
    match &config.transport {
        EmailTransport::File { folder } => {
            tracing::info!(folder = %folder.display(), "mail is written into a folder and goes no further");
        }
        EmailTransport::Smtp(server) => {
            tracing::info!(host = server.host, port = server.port, "mail goes by SMTP");
        }
    }
    Ok(Some(mailer))
}

async fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|reason| StartError::Listen { address, reason })
}
