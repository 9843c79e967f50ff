//! The one way shared state is locked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks even after a panic elsewhere: every change made under these locks is complete in itself.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
