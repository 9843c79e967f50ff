//! What is said about what was typed into a form, where more than one form asks for it.

use crossvat_app::portal::Fault as FormFault;

use crate::people::EmailAddress;

/// The address that was typed into the field `email`.
pub(super) fn email_of(typed: &str) -> Result<EmailAddress, FormFault> {
    typed.parse().map_err(|_| {
        FormFault::new("email", "Enter an email address with an @ and a domain, such as name@company.com")
    })
}

/// A service's words about what was typed, as the beginning of a sentence.
pub(super) fn worded(error: &dyn std::error::Error) -> String {
    let words = error.to_string();
    let mut characters = words.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
