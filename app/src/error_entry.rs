//! What the page about error codes shows of one code. The table of codes is the server's.

/// An error code of the API, explained. Words of code in its texts stand between backticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorEntry {
    /// The code in the body of the error, and the anchor of its entry.
    pub code: &'static str,
    /// The HTTP status it comes with.
    pub status: u16,
    /// The error's `title`, without a full stop.
    pub title: &'static str,
    /// What it means, in whole sentences.
    pub meaning: &'static str,
    /// What the caller can do about it, in whole sentences.
    pub remedy: &'static str,
}
