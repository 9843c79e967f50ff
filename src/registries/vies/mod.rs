//! The EU exchange's REST interface (VIES swagger, version 1.0.0). The answer of its web page's own endpoint is
//! read as well, since both have been seen in each other's place.

mod client;
mod status;
#[cfg(test)]
mod tests;
mod wire;

pub use self::{
    client::Vies,
    status::{MemberStateAvailability, ViesStatus},
};
