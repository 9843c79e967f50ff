//! Passwords: which ones may be chosen, how they are kept, and whether one is right. Whose they are is known to `members`
//! and `staff`. Kept as argon2id in PHC strings, with the least parameters that OWASP's Password Storage Cheat Sheet
//! advises: 19 MiB of memory, 2 passes, 1 lane.

mod fingerprint;
mod new_password;
mod typed;

use std::{sync::Arc, time::Duration};

use argon2::{
    Algorithm, Argon2, CustomizedPasswordHasher, Params, PasswordVerifier, Version,
    password_hash::{self, phc::PasswordHash},
};
use rand::TryCryptoRng;
use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use self::typed::Typed;
pub use self::{
    fingerprint::PasswordFingerprint,
    new_password::{NewPassword, UnfitPassword},
};

/// Memory of one hash, in KiB.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// As the PHC string format advises.
const SALT_LENGTH: usize = 16;
/// Nobody's password: what is compared when there is none, so that it takes as long. Its parameters are the present
/// ones; its output is one that no password is known to give.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// Hashes at once unless said otherwise: each takes a core for some tens of milliseconds, and 19 MiB.
const AT_ONCE: usize = 4;
/// How long one waits for its turn. Much longer, and whoever typed it has gone.
const TURN_LIMIT: Duration = Duration::from_secs(10);

/// Hashes passwords and compares them, a few at once.
#[derive(Clone, Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
}

/// A password that was found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// What is to be kept of it from now on, when what is kept is weaker than it should be.
    pub keep: Option<String>,
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the password.
    Right,
    /// It is the password, kept with less than the present parameters: to be hashed anew.
    RightButWeaklyKept,
    /// It is not, or there is none.
    Wrong,
}

/// Whether a password is right cannot be told, or it cannot be kept.
#[derive(Debug, Error)]
pub enum PasswordFault {
    /// Too many are waiting.
    #[error("too many passwords are being worked on")]
    Busy,
    /// The machine gives no randomness.
    #[error("the system's random numbers cannot be had")]
    NoRandomness,
    /// What is kept cannot be read, or there is no memory.
    #[error("a password's hash cannot be worked out: {0}")]
    Hash(#[from] password_hash::Error),
    /// The work was given up because the program ends.
    #[error("the program ends")]
    Ending,
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new(AT_ONCE)
    }
}

impl Passwords {
    /// Works on so many at once.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(at_once)) }
    }

    /// What is kept of a password: a PHC string.
    ///
    /// # Errors
    /// There is no turn in time, no randomness or no memory.
    pub async fn hash(
        &self,
        password: NewPassword,
        random: &mut impl TryCryptoRng,
    ) -> Result<String, PasswordFault> {
        self.hash_typed(password.into_typed(), random).await
    }

    /// As [`Passwords::verify`], for somebody who signs in; `None` when it is wrong. Whatever is thought of the password
    /// today, it is kept as well as a new one.
    ///
    /// # Errors
    /// As [`Passwords::verify`], or there is no randomness.
    pub async fn recognise(
        &self,
        typed: &SecretString,
        kept: Option<&str>,
        random: &mut impl TryCryptoRng,
    ) -> Result<Option<Recognised>, PasswordFault> {
        let keep = match self.verify(typed, kept).await? {
            Verdict::Wrong => return Ok(None),
            Verdict::Right => None,
            Verdict::RightButWeaklyKept => Some(self.hash_typed(Typed::new(typed), random).await?),
        };
        Ok(Some(Recognised { keep }))
    }

    /// Whether `typed` is the password of which `kept` is what is kept. `None` when there is no such person, or no
    /// password yet: it is found wrong, in the same time.
    ///
    /// # Errors
    /// There is no turn in time, what is kept cannot be read, or there is no memory.
    pub async fn verify(&self, typed: &SecretString, kept: Option<&str>) -> Result<Verdict, PasswordFault> {
        let kept = PasswordHash::new(kept.unwrap_or(NOBODYS)).map_err(password_hash::Error::from)?;
        let typed = Typed::new(typed);
        self.in_turn(move || match hasher()?.verify_password(typed.as_bytes(), &kept) {
            Ok(()) if is_weak(&kept) => Ok(Verdict::RightButWeaklyKept),
            Ok(()) => Ok(Verdict::Right),
            Err(password_hash::Error::PasswordInvalid) => Ok(Verdict::Wrong),
            Err(error) => Err(error.into()),
        })
        .await
    }

    async fn hash_typed(
        &self,
        typed: Typed,
        random: &mut impl TryCryptoRng,
    ) -> Result<String, PasswordFault> {
        let mut salt = [0; SALT_LENGTH];
        random.try_fill_bytes(&mut salt).map_err(|_| PasswordFault::NoRandomness)?;
        self.in_turn(move || {
            let hash: PasswordHash =
                hasher()?.hash_password_with_params(typed.as_bytes(), &salt, parameters()?)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Does `work` away from the threads that serve calls.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordFault> + Send + 'static,
    ) -> Result<T, PasswordFault> {
        let turn: OwnedSemaphorePermit =
            tokio::time::timeout(TURN_LIMIT, Arc::clone(&self.turns).acquire_owned())
                .await
                .map_err(|_| PasswordFault::Busy)?
                .map_err(|_| PasswordFault::Ending)?;
        // The work cannot be stopped, so it holds its turn until it is over, whether or not somebody still waits.
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        working.await.unwrap_or_else(|ended| match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(PasswordFault::Ending),
        })
    }
}

fn parameters() -> Result<Params, password_hash::Error> {
    Params::new(MEMORY, PASSES, LANES, None).map_err(password_hash::Error::from)
}

fn hasher() -> Result<Argon2<'static>, password_hash::Error> {
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters()?))
}

fn is_weak(kept: &PasswordHash) -> bool {
    let current =
        kept.algorithm == Algorithm::Argon2id.ident() && kept.version == Some(Version::V0x13.into());
    let enough = |kept: Params| kept.m_cost() >= MEMORY && kept.t_cost() >= PASSES && kept.p_cost() >= LANES;
    !(current && Params::try_from(kept).is_ok_and(enough))
}

#[cfg(test)]
mod tests;
