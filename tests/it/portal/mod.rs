//! The pages of members, as the server sends them and as forms are sent to it.

mod check;
