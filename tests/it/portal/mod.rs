//! What members and support staff see, over the real server.

mod access;
mod case_log;
mod check;
mod claims;
mod codes;
mod early_access;
mod every_link;
mod every_page;
mod history;
mod home;
mod members;
mod second_factor;
mod settings;
mod staff;
mod staff_accounts;
mod staff_audit;
mod staff_registries;
mod unsent;
mod usage;
mod ways_in;
