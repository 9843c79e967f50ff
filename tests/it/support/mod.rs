//! What every test starts from.

mod answer;
mod customer;
pub mod database;
mod raw;
mod test_app;

pub use self::{
    answer::Answer,
    customer::Customer,
    raw::exchange,
    test_app::{TestApp, TestAppBuilder},
};
