//! Stand-ins for HMRC's "Check a UK VAT number" API and for VIES, with state: one server on one loopback
//! port, for tests, browser tests and running the product without the real registries.
//!
//! Here lives [`Simulator`], which owns the server. What a registry says is in `hmrc` and `vies`, what it is
//! told to say in `script` and `condition`, what it heard in `log`. VIES's SOAP service and its batch mode
//! are not simulated.
//!
//! ```ignore
//! let simulator = Simulator::start(Settings::default()).await?;
//! simulator.vies().set_member_state("FR", Condition::Down);
//! let throttled = || Answer::error("MS_MAX_CONCURRENT_REQ");
//! simulator.vies().script("DE", "811569869", Script::first([throttled(), throttled()]).then(Answer::Usual));
//! // … the product under test asks simulator.vies_base_url() …
//! assert_eq!(simulator.calls_about("DE", "811569869").len(), 3);
//! ```

mod condition;
mod connection;
mod control;
mod hmrc;
mod invented;
mod known_numbers;
mod log;
mod reply;
mod script;
mod serial;
mod server;
mod settings;
mod state;
mod vies;
mod world;

use std::{io, net::SocketAddr, sync::Arc};

use chrono::{DateTime, Utc};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use self::world::World;
pub use self::{
    condition::Condition,
    hmrc::{ConsultationNumbers, Hmrc},
    log::{Call, Ending, Registry},
    script::{Answer, Script, Step},
    settings::Settings,
    vies::Vies,
};

/// A running simulator. Dropping it stops the server and cuts every connection, the silent ones too.
#[derive(Debug)]
pub struct Simulator {
    address: SocketAddr,
    world: Arc<World>,
    shutdown: CancellationToken,
    server: JoinHandle<()>,
}

impl Simulator {
    /// Starts serving on [`Settings::bind`]. The port is open when this returns.
    ///
    /// # Errors
    ///
    /// When the address cannot be bound.
    pub async fn start(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind(settings.bind).await?;
        let address = listener.local_addr()?;
        let world = World::new(settings);
        let shutdown = CancellationToken::new();
        let server = tokio::spawn(server::serve(listener, Arc::clone(&world), shutdown.clone()));
        Ok(Self { address, world, shutdown, server })
    }

    /// Where the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stands in for `https://api.service.hmrc.gov.uk`: the token endpoint is `/oauth/token` below it.
    #[must_use]
    pub fn hmrc_base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What stands in for `https://ec.europa.eu/taxation_customs/vies/rest-api`.
    #[must_use]
    pub fn vies_base_url(&self) -> String {
        format!("http://{}{}", self.address, server::VIES_PATH)
    }

    /// HMRC's controls and counters.
    #[must_use]
    pub fn hmrc(&self) -> &Hmrc {
        &self.world.hmrc
    }

    /// VIES's controls and counters.
    #[must_use]
    pub fn vies(&self) -> &Vies {
        &self.world.vies
    }

    /// Every call received since the start or the last [`clear_log`](Self::clear_log), in order of arrival.
    /// Calls still waiting for their answer are included. The oldest are dropped beyond 100,000.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.world.log.calls()
    }

    /// The lookups of one number: `("DE", "811569869")`, and `("GB", …)` for HMRC.
    #[must_use]
    pub fn calls_about(&self, country: &str, number: &str) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|call| call.country == country && call.number == number);
        calls
    }

    /// Forgets the calls and everything counted (peaks, refusals, token requests). Lookups in flight stay in
    /// flight, and a new peak starts from them.
    pub fn clear_log(&self) {
        self.world.clear_log();
    }

    /// Lookups at both registries that are waiting for their answer now.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.world.log.in_flight()
    }

    /// The most lookups that were in flight at once at both registries together.
    #[must_use]
    pub fn peak_in_flight(&self) -> usize {
        self.world.log.peak_in_flight()
    }

    /// The most lookups that were in flight at once for one country prefix, at the registry that covers it: HMRC
    /// for `GB`, otherwise VIES.
    #[must_use]
    pub fn peak_in_flight_of(&self, country: &str) -> usize {
        let registry = if country == "GB" { Registry::Hmrc } else { Registry::Vies };
        self.world.log.peak_in_flight_of(registry, country)
    }

    /// Fixes the time the registries print in their answers; `None` goes back to the real time.
    pub fn set_now(&self, now: Option<DateTime<Utc>>) {
        self.world.clock.set(now);
    }

    /// Back to the settings of the start: scripts, conditions and the log are forgotten. Access tokens already
    /// issued stay good, as they would after a registry's restart.
    pub fn reset(&self) {
        self.world.reset();
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.shutdown.cancel();
        self.server.abort();
    }
}
