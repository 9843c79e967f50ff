//! What every test starts from.

mod answer;
mod audit_events;
pub mod books;
mod browser;
mod customer;
pub mod database;
pub mod everything_stored;
mod links;
mod office;
mod pace;
mod port;
pub mod private_servers;
mod processor;
pub mod program;
mod raw;
pub mod smtp_server;
mod support_person;
mod terminal;
mod test_app;
mod visitor;

use crossvat::batch_checks::GivenNumber;

pub use self::{
    answer::{Answer, pager_link, plain},
    audit_events::{events_of, events_until},
    browser::Browser,
    customer::Customer,
    links::{follow_links, links_of},
    office::Office,
    pace::{in_hmrcs_pace, lookups_at_hmrc},
    port::Port,
    processor::processor_time,
    raw::exchange,
    support_person::SupportPerson,
    terminal::Terminal,
    test_app::{TestApp, TestAppBuilder, http_client},
    visitor::{Part, Visitor},
};

/// Numbers to be checked, one a line.
pub fn given(numbers: impl IntoIterator<Item = impl Into<String>>) -> Vec<GivenNumber> {
    (1..).zip(numbers).map(|(line, number)| GivenNumber { line, text: number.into() }).collect()
}
