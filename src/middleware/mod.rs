//! Layers around every route. What only the API or only the portal needs is in those modules.

mod access_log;
mod around;
mod client_address;
mod panics;
mod request_id;
mod same_origin;
mod security_headers;

pub use self::{
    access_log::AccessLog,
    around::{Around, AroundLayer},
    client_address::{PeerAddress, TrustedProxies, client_address},
    panics::catch_panics,
    request_id::{RequestId, RequestIds},
    same_origin::same_origin_only,
    security_headers::SecurityHeaders,
};
