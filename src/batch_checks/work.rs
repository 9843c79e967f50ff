//! The work on runs, beside everything else: whoever has a turn is given one, a part at a time, so that a long run keeps
//! nobody waiting.

use std::time::Duration;

use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use super::BatchChecks;

/// Parts of all accounts that this instance works on at once.
const PARTS_AT_ONCE: usize = 16;
/// How often it is looked for runs that wait no longer, or that another instance left.
const PERIOD: Duration = Duration::from_secs(1);

impl BatchChecks {
    /// Works on the runs of all accounts until `stop`, and then takes in the parts that are on their way. Dropped before
    /// that, it leaves those to whoever works on the runs next.
    pub async fn work(self, stop: CancellationToken) {
        let mut parts = JoinSet::new();
        while !stop.is_cancelled() {
            self.begin_parts(&mut parts).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.news.notified() => {}
                () = sleep(PERIOD) => {}
                Some(ended) = parts.join_next() => note_end(ended),
            }
        }
        while let Some(ended) = parts.join_next().await {
            note_end(ended);
        }
    }

    async fn begin_parts(&self, parts: &mut JoinSet<()>) {
        while parts.len() < PARTS_AT_ONCE {
            match self.claim().await {
                Ok(Some(claimed)) => {
                    let checks = self.clone();
                    parts.spawn(async move { checks.work_on(claimed).await });
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!(%error, "cannot see which batch checks are to go on");
                    return;
                }
            }
        }
    }
}

fn note_end(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a part of a batch check died; it is begun anew");
    }
}
