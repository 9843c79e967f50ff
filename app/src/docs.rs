//! The documentation, which only the server writes. One module a page that is made from tables; guides are Markdown
//! files in `docs/guides` with a page for each.
//!
//! Not here: where the tables come from and who is answered what. That is the server's `portal`.

mod contents;
mod error_codes;
mod guide;
mod index;
mod json;
mod markdown;
mod prose;
mod quickstart;
mod reference;
mod sandbox;
mod try_call;
mod try_slip;

pub use self::contents::{ENTRIES, Entry, Part};
pub use self::error_codes::{ErrorCodes, ErrorEntry};
pub use self::guide::Guide;
pub use self::index::Index;
pub use self::quickstart::{Language, Quickstart};
pub use self::reference::{Field, HeaderEntry, Operation, Reference, ReferencePage, Response, Schema};
pub use self::sandbox::{Sandbox, SandboxEntry};
pub use self::try_call::TryCall;
pub use self::try_slip::{SandboxAnswer, Tried, TrySlip, write_try_slip};
