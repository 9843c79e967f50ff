//! The port to whatever takes letters away.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use thiserror::Error;

use super::letter::Letter;

/// Takes letters away.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Gives a letter away. After that it is somebody else's business.
    ///
    /// # Errors
    /// It was not taken, as far as is known: it may arrive all the same.
    async fn send(&self, letter: &Letter) -> Result<(), SendError>;

    /// How long [`Mailer::send`] takes at most.
    fn longest(&self) -> Duration;
}

/// A mailer that is shared.
pub type SharedMailer = Arc<dyn Mailer>;

/// A letter was not taken. The text names no address and repeats no words of a server, which may.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// No letter is taken at present.
    #[error("{0}")]
    Away(String),
    /// This letter is not taken now.
    #[error("{0}")]
    NotNow(String),
    /// This letter is never taken.
    #[error("{0}")]
    Never(String),
}
