//! How often and after what pause a lookup is tried again.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use crate::verification::registry::Trouble;

/// Tries a lookup gets, the first one included.
pub(super) const MAX_TRIES: u32 = 3;

/// The growing pauses of one lookup. Trouble that wants another first pause than that before it starts a new row.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    row: Option<(Duration, ExponentialBackoff)>,
}

impl Pauses {
    /// The pause before the next try; `None` when another try cannot help.
    pub(super) fn after(&mut self, trouble: &Trouble) -> Option<Duration> {
        let first = trouble.kind.first_pause()?;
        if self.row.as_ref().is_none_or(|(start, _)| *start != first) {
            // Jitter adds up to the pause itself, so that lookups that failed together do not return together.
            let row = ExponentialBuilder::default()
                .with_min_delay(first)
                .with_factor(4.0)
                .with_max_times(MAX_TRIES as usize)
                .with_jitter()
                .build();
            self.row = Some((first, row));
        }
        let pause = self.row.as_mut().and_then(|(_, row)| row.next())?;
        Some(pause.max(trouble.retry_after.unwrap_or(Duration::ZERO)))
    }
}
