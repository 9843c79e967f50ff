//! What every test starts from.

mod answer;
pub mod books;
mod browser;
mod customer;
pub mod database;
pub mod everything_stored;
mod office;
pub mod private_servers;
pub mod program;
mod raw;
pub mod smtp_server;
mod support_person;
mod test_app;
mod visitor;

pub use self::{
    answer::{Answer, pager_link, plain},
    browser::Browser,
    customer::Customer,
    office::Office,
    raw::exchange,
    support_person::SupportPerson,
    test_app::{TestApp, TestAppBuilder, http_client},
    visitor::{Part, Visitor},
};
