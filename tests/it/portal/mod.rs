//! What members see, over the real server.

mod access;
mod check;
mod history;
mod home;
mod members;
mod settings;
mod usage;
mod ways_in;
