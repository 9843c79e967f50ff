//! What members and support staff see, over the real server.

mod access;
mod check;
mod codes;
mod history;
mod members;
mod second_factor;
mod settings;
mod staff;
mod usage;
mod ways_in;
