//! The portal's pages as members get them, over the real server.

mod history;
mod reader;
mod usage;
