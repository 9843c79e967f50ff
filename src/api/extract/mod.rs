//! What stands between the socket and a handler, in the order in which a call is refused: load, key, rate, body.

mod admitted;
mod caller;
mod json_body;
mod load;

pub(super) use self::{
    admitted::Admitted,
    caller::Authenticated,
    json_body::{ApiJson, ReadJson},
};
