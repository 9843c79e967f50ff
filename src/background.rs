//! What works beside the calls, and until the last of them is over: recording, sending mail, watching who may call and whom
//! nobody may ask, batch checks, housekeeping.

use std::{future::Future, sync::Arc, time::Duration};

use futures_util::future::{join, join3};
use thiserror::Error;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    audit::NotedLater,
    batch_checks::BatchChecks,
    check_own_number::CheckOwnNumber,
    clock::SharedClock,
    db::Database,
    email::Outbox,
    registry_status::RegistryStatus,
    usage::{Allowances, Recorder, Usage},
    verify_vat::VerifyVat,
};

/// How often SQLite's log is moved into its file.
const CHECKPOINT_PERIOD: Duration = Duration::from_secs(2);
/// How often what dead servers had set aside is given back.
const RELEASE_PERIOD: Duration = Duration::from_secs(15);
/// How often it is looked for days whose usage can be added up.
const DAYS_PERIOD: Duration = Duration::from_mins(10);

/// The parts that work beside the calls.
pub(crate) struct Background {
    pub(crate) db: Database,
    pub(crate) verify_vat: VerifyVat,
    pub(crate) check_own_number: CheckOwnNumber,
    pub(crate) batch_checks: BatchChecks,
    pub(crate) recorder: Recorder,
    pub(crate) registry_status: RegistryStatus,
    pub(crate) usage: Usage,
    pub(crate) allowances: Allowances,
    pub(crate) outbox: Outbox,
    pub(crate) noted_later: NotedLater,
    pub(crate) clock: SharedClock,
}

/// A part without which nothing may be answered has died.
#[derive(Debug, Error)]
#[error("the recorder died: nothing may be answered that cannot be recorded")]
pub struct Died;

impl Background {
    /// Works while `serving` does, lets calls and parts of batch checks end within `limit` and records what they asked. After
    /// `stop` no part is begun.
    pub(crate) async fn run_beside(
        self,
        serving: impl Future,
        stop: CancellationToken,
        limit: Duration,
    ) -> Result<(), Died> {
        let Self {
            db,
            verify_vat,
            check_own_number,
            batch_checks,
            recorder,
            registry_status,
            usage,
            allowances,
            outbox,
            noted_later,
            clock,
        } = self;
        let over = CancellationToken::new();
        let beside = TaskTracker::new();
        let mut recording = tokio::spawn(recorder.run(db.clone(), clock, over.clone()));
        beside.spawn(Arc::clone(&db.access).watch(db.watching.clone(), over.clone()));
        beside.spawn(outbox.run(over.clone()));
        beside.spawn(keep_house(db.clone(), allowances, over.clone()));
        beside.spawn(add_up_days(usage, over.clone()));
        beside.spawn(registry_status.holds().clone().watch(over.clone()));
        beside.spawn(registry_status.keep_until(over.clone()));
        let calls = async {
            join(serving, work_on_batches(batch_checks, stop, limit)).await;
            if timeout(limit, join3(verify_vat.finish(), check_own_number.finish(), noted_later.finish()))
                .await
                .is_err()
            {
                tracing::warn!("giving up calls that were still open");
            }
        };
        let died = tokio::select! {
            () = calls => {
                over.cancel();
                recording.await.is_err()
            }
            _ended = &mut recording => true,
        };
        over.cancel();
        beside.close();
        beside.wait().await;
        if let Err(error) = db.close().await {
            tracing::warn!(%error, "the database did not close");
        }
        if died { Err(Died) } else { Ok(()) }
    }
}

/// Works on batch checks until `stop`, and for `limit` more on the parts that were begun.
async fn work_on_batches(batch_checks: BatchChecks, stop: CancellationToken, limit: Duration) {
    let patience = async {
        stop.cancelled().await;
        sleep(limit).await;
    };
    tokio::select! {
        () = batch_checks.work(stop.clone()) => {}
        () = patience => tracing::warn!("giving up parts of batch checks that were still open"),
    }
}

async fn keep_house(db: Database, allowances: Allowances, over: CancellationToken) {
    let (mut checkpoint, mut release) = (interval(CHECKPOINT_PERIOD), interval(RELEASE_PERIOD));
    checkpoint.set_missed_tick_behavior(MissedTickBehavior::Delay);
    release.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = over.cancelled() => return,
            _ = checkpoint.tick() => {
                if let Err(error) = db.checkpoint().await {
                    tracing::warn!(%error, "the database's log is not moved into its file");
                }
            }
            _ = release.tick() => match allowances.forget_expired().await {
                Ok(0) => {}
                Ok(reservations) => tracing::info!(reservations, "gave back allowance that a dead server had set aside"),
                Err(error) => tracing::warn!(%error, "allowance that a dead server had set aside is not given back"),
            },
        }
    }
}

async fn add_up_days(usage: Usage, over: CancellationToken) {
    let mut period = interval(DAYS_PERIOD);
    period.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let work = async {
        loop {
            period.tick().await;
            match usage.add_up_days().await {
                Ok(0) => {}
                Ok(days) => tracing::info!(days, "added up the usage of days that are over"),
                Err(error) => tracing::warn!(%error, "the usage of days that are over is not added up"),
            }
        }
    };
    let _stopped = over.run_until_cancelled(work).await;
}
