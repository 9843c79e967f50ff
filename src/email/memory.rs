//! A mailer that keeps every letter, for tests.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::{
    letter::Letter,
    mailer::{Mailer, SendError},
};

/// Every letter that was sent. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Vec<Letter>>>);

impl Memory {
    /// The letters, oldest first.
    #[must_use]
    pub fn letters(&self) -> Vec<Letter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Those to one address, oldest first.
    #[must_use]
    pub fn to(&self, address: &str) -> Vec<Letter> {
        self.letters().into_iter().filter(|letter| letter.to.as_str() == address).collect()
    }
}

#[async_trait]
impl Mailer for Memory {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(letter.clone());
        Ok(())
    }

    fn longest(&self) -> Duration {
        Duration::ZERO
    }
}
