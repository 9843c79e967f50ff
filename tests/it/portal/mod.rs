//! What members see, over the real server.

mod access;
mod check;
mod claims;
mod early_access;
mod history;
mod members;
mod settings;
mod staff_accounts;
mod staff_audit;
mod usage;
mod ways_in;
