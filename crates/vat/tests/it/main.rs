//! What reading a VAT number promises, tried from outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot get its data has failed")]

mod advice;
mod check_digits;
mod malformed_and_unsupported;
mod pasted;
mod properties;
mod published_numbers;
mod reverse_charge;
mod typed_inputs;
mod words;
