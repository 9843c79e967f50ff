//! One module a page.

mod home;
mod not_found;

#[cfg(feature = "ssr")]
pub(crate) use self::home::HOME_TITLE;
pub(crate) use self::home::Home;
pub(crate) use self::not_found::NotFound;
