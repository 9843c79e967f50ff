//! Version 1 of the API: one call, its request and its response. Only optional fields are ever added.

pub(super) mod request;
pub(super) mod response;
pub(super) mod verify_vat;
