//! HMRC's "Check a UK VAT number" API, version 2.0 (application-restricted, BETA).

mod access_token;
mod client;
#[cfg(test)]
mod tests;
mod wire;

pub use self::client::Hmrc;
