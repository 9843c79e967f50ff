//! Who reads the page, as the head of every page shows it. Only the server knows.

/// Somebody who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The name.
    pub name: String,
    /// The name of the account.
    pub account: String,
    /// What the reader may do there: a word such as “Owner”.
    pub role: &'static str,
}
