//! One module a page.

mod error_codes;
mod home;
mod not_found;

pub(crate) use self::error_codes::ErrorCodes;
pub(crate) use self::home::Home;
pub(crate) use self::not_found::NotFound;
