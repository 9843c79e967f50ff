//! The one HTTP client for both registries, with its limits.

use std::time::Duration;

use thiserror::Error;

/// Time limit for making a connection, TLS included.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// Backstop for a whole exchange; the gateway's limit of one try is shorter.
const TOTAL_LIMIT: Duration = Duration::from_mins(1);
/// Registries close idle connections; a stale one costs a failed try.
const IDLE_LIMIT: Duration = Duration::from_secs(30);
/// VIES's SOAP service has refused calls without a real user agent (ddeboer/vatin, issue 2).
const USER_AGENT: &str = concat!("Crossvat/", env!("CARGO_PKG_VERSION"));

/// The client could not be made: the machine's TLS set-up is unusable.
#[derive(Debug, Error)]
#[error("cannot make an HTTP client: {0}")]
pub struct HttpClientError(#[from] reqwest::Error);

/// Makes the client. Redirects are followed on the same host only, so that credentials never travel elsewhere.
///
/// # Errors
/// The TLS set-up of the machine is unusable.
pub fn http_client() -> Result<reqwest::Client, HttpClientError> {
    // A second installation is refused and changes nothing, which is what several servers in one process need.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    let same_host = reqwest::redirect::Policy::custom(|attempt| {
        let first = attempt.previous().first();
        let stays = first.is_some_and(|first| {
            first.scheme() == attempt.url().scheme()
                && first.host_str() == attempt.url().host_str()
                && first.port_or_known_default() == attempt.url().port_or_known_default()
        });
        if stays && attempt.previous().len() < 5 { attempt.follow() } else { attempt.stop() }
    });
    #[expect(clippy::disallowed_methods, reason = "the one home of HTTP clients")]
    let builder = reqwest::Client::builder();
    Ok(builder
        .user_agent(USER_AGENT)
        // Not by the environment's leave: it is read in one place, and no setting for a proxy exists.
        .no_proxy()
        .connect_timeout(CONNECT_LIMIT)
        .timeout(TOTAL_LIMIT)
        .pool_idle_timeout(IDLE_LIMIT)
        .redirect(same_host)
        .build()?)
}
