//! What members and support staff see, over the real server.

mod access;
mod check;
mod claims;
mod codes;
mod early_access;
mod history;
mod members;
mod second_factor;
mod settings;
mod staff;
mod staff_accounts;
mod staff_audit;
mod usage;
mod ways_in;
