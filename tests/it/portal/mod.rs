//! What members see, over the real server.

mod access;
mod case_log;
mod check;
mod every_page;
mod history;
mod home;
mod members;
mod settings;
mod staff_accounts;
mod staff_audit;
mod unsent;
mod usage;
mod ways_in;
