//! One module a page.

mod home;
mod not_found;

pub(crate) use self::home::Home;
pub(crate) use self::not_found::NotFound;
