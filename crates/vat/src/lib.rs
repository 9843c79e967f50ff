//! UK and EU VAT numbers: how a typed text is read, what a number looks like, whether its check digits fit,
//! what can be advised about it, and the words for what a registry may answer.
//!
//! Pure: no clock, no randomness, no input or output, so that a browser reads a number with the server's own
//! code. Whether a number is registered is not decided here: only HMRC and VIES know that.

mod advice;
mod check_digits;
mod format;
mod no_number;
mod number;
mod outcome;
pub mod pasted;
mod prefix;
mod reading;
mod reverse_charge;

pub use advice::{Advice, AdviceCode};
pub use format::MAX_CHARACTERS;
pub use number::{CheckDigits, VatNumber};
pub use outcome::{Status, UnresolvedReason};
pub use prefix::{Prefix, Registry};
pub use reading::{MalformedReason, Reading, Repair, Shape, UnsupportedReason};
pub use reverse_charge::{ReverseCharge, SupplierCountry};
