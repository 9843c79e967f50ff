//! What the pages work with.

use std::sync::Arc;

use crossvat_app::OperatorPages;

use super::{docs::DocsParts, site::Site};
use crate::{
    accounts::Accounts,
    api_keys::ApiKeys,
    audit::{AuditLog, NotedLater},
    batch_checks::BatchChecks,
    check_own_number::CheckOwnNumber,
    clock::SharedClock,
    early_access::EarlyAccess,
    email::Outbox,
    evidence::Evidence,
    limits::RateLimiter,
    members::Members,
    middleware::TrustedProxies,
    onboarding::Onboarding,
    one_time_links::OneTimeLinks,
    registry_status::RegistryStatus,
    second_factor::SecondFactors,
    sessions::{SeaOrmSessionStore, Sessions},
    staff::Staff,
    usage::Usage,
    verification::gateway::{Availability, RegistryGateway},
    verify_vat::VerifyVat,
    ways_in::WaysIn,
};

/// What the pages work with.
pub struct PortalParts {
    /// The files that pages load.
    pub site: Site,
    /// The pages of whoever runs the server, which every page links.
    pub operator: OperatorPages,
    /// What the documentation is made from.
    pub docs: DocsParts,
    /// The use case.
    pub verify_vat: VerifyVat,
    /// The accounts.
    pub accounts: Accounts,
    /// The people in them.
    pub members: Members,
    /// Their keys.
    pub api_keys: ApiKeys,
    /// Their batch checks.
    pub batch_checks: BatchChecks,
    /// Requests for keys.
    pub early_access: EarlyAccess,
    /// What registries say of the numbers in them.
    pub check_own_number: CheckOwnNumber,
    /// The way to the first key.
    pub onboarding: Onboarding,
    /// The ways in by mail.
    pub ways_in: WaysIn,
    /// The links that are mailed.
    pub links: OneTimeLinks,
    /// The mail.
    pub outbox: Outbox,
    /// How often something may be tried.
    pub limiter: RateLimiter,
    /// What registries were asked and said.
    pub evidence: Evidence,
    /// What was used.
    pub usage: Usage,
    /// How the registries are.
    pub availability: Arc<Availability>,
    /// The way to them.
    pub registries: Arc<RegistryGateway>,
    /// Whether other instances may have queues of their own.
    pub one_of_several: bool,
    /// How they are and were, as everybody may know.
    pub registry_status: RegistryStatus,
    /// The address under which callers reach the API.
    pub public_url: Arc<str>,
    /// What was done.
    pub audit: AuditLog,
    /// What was done that nobody waits for.
    pub noted_later: NotedLater,
    /// The support staff.
    pub staff: Staff,
    /// What people prove themselves with beside a password.
    pub second_factors: SecondFactors,
    /// Where people are signed in.
    pub sessions: Sessions,
    /// The sessions of browsers.
    pub session_store: SeaOrmSessionStore,
    /// Whether somebody who signs up has to ask support for keys.
    pub keys_on_request: bool,
    /// Whom to believe about a client's address.
    pub trusted_proxies: TrustedProxies,
    /// The time.
    pub clock: SharedClock,
}

impl PortalParts {
    /// Names a form, so that what it asks for is done once, however often it is sent.
    pub(super) fn new_token(&self) -> String {
        ApiKeys::next_id(self.clock.as_ref()).to_string()
    }
}

/// The pages' state.
pub(super) type Portal = Arc<PortalParts>;
