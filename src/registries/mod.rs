//! The adapters: what the registries send, turned into answers and errors. Never a guess: what cannot be read
//! for certain is trouble. Limits, retries and deadlines are the gateway's.

mod body;
mod disclosed;
pub mod hmrc;
mod http_client;
#[cfg(test)]
mod recorded;
pub mod sandbox;
pub mod vies;

pub use self::http_client::{HttpClientError, http_client};
