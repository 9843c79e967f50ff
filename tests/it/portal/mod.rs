//! What members see, over the real server.

mod access;
mod members;
mod settings;
