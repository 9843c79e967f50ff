//! How a simulator starts. What can be changed while it runs is on the handles, not here.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

/// How a simulator starts, and what a reset goes back to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address to listen on. Default: a free port of 127.0.0.1.
    pub bind: SocketAddr,
    /// How long each registry takes for an ordinary answer. Default: none.
    pub latency: Duration,
    /// The client id HMRC's token endpoint accepts. Default: `sandbox-client`.
    pub hmrc_client_id: String,
    /// The client secret that goes with it. Default: `sandbox-secret`.
    pub hmrc_client_secret: String,
    /// How long an access token is good for. Default: 4 hours, as HMRC's are.
    pub hmrc_token_lifetime: Duration,
    /// Lookups HMRC accepts from one client id in any one second; `None` for no limit. Default: 3.
    pub hmrc_calls_per_second: Option<u32>,
    /// Lookups VIES accepts at once; `None` for no limit. Default: 50 (the real figure is not published).
    pub vies_limit: Option<u32>,
    /// Lookups VIES accepts at once for one member state; `None` for no limit. Default: 10 (likewise).
    pub vies_limit_per_member_state: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            latency: Duration::ZERO,
            hmrc_client_id: "sandbox-client".to_owned(),
            hmrc_client_secret: "sandbox-secret".to_owned(),
            hmrc_token_lifetime: Duration::from_hours(4),
            hmrc_calls_per_second: Some(3),
            vies_limit: Some(50),
            vies_limit_per_member_state: Some(10),
        }
    }
}
