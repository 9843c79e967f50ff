//! Version 1 of the API: its calls, their requests and responses. Only optional fields are ever added.

pub(super) mod account;
pub(super) mod request;
pub(super) mod response;
pub(super) mod status;
pub(super) mod verify_vat;
