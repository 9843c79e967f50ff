//! The one writer of what is counted and proved. Of a live answer everything is committed before the answer leaves:
//! whoever waits shares one transaction, so that a flush of the disk serves many. Counts of answers that prove nothing new
//! wait for at most ten milliseconds and hold nobody up.
//!
//! When it is not known whether a commit succeeded (a connection broke), the same batch is tried again under the same
//! number, and the database knows whether it has that already: nothing is counted twice, and nothing is dropped.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use metrics::{counter, histogram};
use thiserror::Error;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    allowance::Reservation,
    counts::{CallCount, Counts},
    store,
};
use crate::{
    clock::SharedClock,
    db::{Database, entities::evidence, new_id},
};

/// How long counts wait for others to be written with.
const COUNTS_WAIT: Duration = Duration::from_millis(10);
/// How long a live answer waits to be recorded.
const RECORD_LIMIT: Duration = Duration::from_secs(5);
/// Records that may wait at once; more are refused.
const MAX_WAITING: usize = 4096;
/// Different counts that may wait at once; over that, calls are refused.
const MAX_COUNTS: usize = 50_000;
/// Pauses between tries to write a batch.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long a server that stops tries to write what is left.
const LAST_FLUSH_LIMIT: Duration = Duration::from_secs(10);

/// Writes what is counted and proved.
#[derive(Clone, Debug)]
pub struct Recorder(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    pending: Mutex<Pending>,
    record_waits: Notify,
    count_waits: Notify,
    full: AtomicBool,
    /// The last try to write has failed.
    failing: AtomicBool,
}

#[derive(Debug, Default)]
struct Pending {
    records: Vec<(Record, oneshot::Sender<()>)>,
    counts: Counts,
    /// Who only wants to know when everything before is written.
    flushes: Vec<oneshot::Sender<()>>,
    writing: bool,
    ended: bool,
}

/// What is written of a live answer, all or nothing.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The proof of one lookup.
    pub evidence: Option<evidence::Model>,
    /// What becomes of the number that was set aside for it.
    pub settlement: Option<Settlement>,
    /// The call, when this completes it.
    pub count: Option<CallCount>,
}

/// What becomes of one number that was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// For which call.
    pub reservation: Reservation,
    /// It is used up; else it is given back.
    pub used: bool,
}

/// It was not recorded in time, so it must not be acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Too much is waiting already.
    #[error("too many records are waiting to be written")]
    Full,
    /// The database did not take it in time. It may still be written later.
    #[error("the database does not take records at present")]
    TooSlow,
    /// The server has stopped.
    #[error("the recorder has ended")]
    Ended,
}

/// What is written in one transaction.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// Who writes it.
    pub(super) recorder: Uuid,
    /// Grows from one to the next.
    pub(super) number: i64,
    pub(super) records: Vec<Record>,
    pub(super) counts: Counts,
}

impl Default for Recorder {
    fn default() -> Self {
        Self(Arc::new(Shared {
            pending: Mutex::default(),
            record_waits: Notify::new(),
            count_waits: Notify::new(),
            full: AtomicBool::new(false),
            failing: AtomicBool::new(false),
        }))
    }
}

impl Recorder {
    /// Whether a further call can be counted within the time that counts may wait; else it must be refused.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.can_write() && !self.0.full.load(Ordering::Relaxed)
    }

    /// Whether the database took what was last to be written; `true` as long as there was nothing.
    #[must_use]
    pub fn can_write(&self) -> bool {
        !self.0.failing.load(Ordering::Relaxed)
    }

    /// Counts a call whose answer proves nothing new, some time within ten milliseconds and one commit.
    pub fn count(&self, call: &CallCount) {
        self.add(|counts| counts.add(call));
    }

    /// Remembers that a key was used for something that is not counted.
    pub fn use_key(&self, key: Uuid, at: DateTime<Utc>) {
        self.add(|counts| counts.use_key(key, at));
    }

    /// Writes a record, and every count that waits; returns once they are committed.
    ///
    /// # Errors
    /// They are not, or not yet.
    pub async fn record(&self, record: Record) -> Result<(), RecordError> {
        let (written, wait) = oneshot::channel();
        {
            let mut pending = self.0.lock();
            if pending.ended {
                return Err(RecordError::Ended);
            }
            if pending.records.len() >= MAX_WAITING {
                counter!("crossvat_records_refused_total").increment(1);
                return Err(RecordError::Full);
            }
            pending.records.push((record, written));
        }
        self.written(wait).await
    }

    /// Returns once everything that waits now is committed.
    ///
    /// # Errors
    /// It is not, or not yet.
    pub async fn flush(&self) -> Result<(), RecordError> {
        let (written, wait) = oneshot::channel();
        {
            let mut pending = self.0.lock();
            if pending.records.is_empty() && pending.counts.is_empty() && !pending.writing {
                return Ok(());
            }
            if !self.can_write() {
                return Err(RecordError::TooSlow);
            }
            pending.flushes.push(written);
        }
        self.written(wait).await
    }

    /// Has the writer look at what waits, and waits until it has written it.
    async fn written(&self, wait: oneshot::Receiver<()>) -> Result<(), RecordError> {
        self.0.record_waits.notify_one();
        match timeout(RECORD_LIMIT, wait).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(RecordError::Ended),
            Err(_) => Err(RecordError::TooSlow),
        }
    }

    /// Writes until `stop`, then what is left.
    pub async fn run(self, db: Database, clock: SharedClock, stop: CancellationToken) {
        let mut writer =
            Writer { id: new_id(clock.as_ref()), batches: 0, used_keys: HashMap::new(), db, clock };
        let writing = async {
            loop {
                self.0.wait_for_work(&stop).await;
                match self.0.take() {
                    Some(taken) => {
                        writer.write(taken, &self.0.failing).await;
                        self.0.lock().writing = false;
                    }
                    None if stop.is_cancelled() => return,
                    None => {}
                }
            }
        };
        let last_moment = async {
            stop.cancelled().await;
            sleep(LAST_FLUSH_LIMIT).await;
        };
        tokio::select! {
            () = writing => {}
            () = last_moment => {
                tracing::error!("stopped before everything was recorded: the database does not take it");
            }
        }
        let mut pending = self.0.lock();
        pending.ended = true;
        pending.records.clear();
        pending.flushes.clear();
    }

    fn add(&self, add: impl FnOnce(&mut Counts)) {
        let first = {
            let mut pending = self.0.lock();
            let first = pending.counts.is_empty();
            add(&mut pending.counts);
            if pending.counts.len() >= MAX_COUNTS {
                self.0.full.store(true, Ordering::Relaxed);
            }
            first
        };
        if first {
            self.0.count_waits.notify_one();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn wait_for_work(&self, stop: &CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.record_waits.notified() => {}
            () = self.count_waits.notified() => {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = self.record_waits.notified() => {}
                    () = sleep(COUNTS_WAIT) => {}
                }
            }
        }
    }

    /// Everything that waits.
    fn take(&self) -> Option<Taken> {
        let mut pending = self.lock();
        if pending.records.is_empty() && pending.counts.is_empty() && pending.flushes.is_empty() {
            return None;
        }
        let (records, mut waiters): (_, Vec<_>) = std::mem::take(&mut pending.records).into_iter().unzip();
        waiters.append(&mut pending.flushes);
        let counts = std::mem::take(&mut pending.counts);
        pending.writing = true;
        self.full.store(false, Ordering::Relaxed);
        Some(Taken { records, counts, waiters })
    }
}

struct Taken {
    records: Vec<Record>,
    counts: Counts,
    waiters: Vec<oneshot::Sender<()>>,
}

struct Writer {
    id: Uuid,
    batches: i64,
    /// When the keys of the present minute were last said to be used: once a minute is enough.
    used_keys: HashMap<Uuid, DateTime<Utc>>,
    db: Database,
    clock: SharedClock,
}

impl Writer {
    /// Writes what was taken, if that is anything, and tells those who wait.
    async fn write(&mut self, taken: Taken, failing: &AtomicBool) {
        let Taken { records, mut counts, waiters } = taken;
        for call in records.iter().filter_map(|record| record.count.as_ref()) {
            counts.add(call);
        }
        self.leave_out_known_uses(&mut counts);
        if !(records.is_empty() && counts.is_empty()) {
            self.batches += 1;
            let batch = Batch { recorder: self.id, number: self.batches, records, counts };
            self.commit(&batch, failing).await;
        }
        for waiter in waiters {
            // Nobody waits any more: it is written all the same.
            let _gone = waiter.send(());
        }
    }

    /// Tries until it is committed. Tells in `failing` whether it has to try again.
    async fn commit(&self, batch: &Batch, failing: &AtomicBool) {
        let (started, mut pause, mut failed) = (Instant::now(), FIRST_PAUSE, false);
        while let Err(error) = store::write_batch(&self.db.recording, batch, failed, self.clock.now()).await {
            counter!("crossvat_record_failures_total").increment(1);
            if !failed {
                tracing::warn!(%error, records = batch.records.len(), "cannot record; trying until it is possible");
            }
            failed = true;
            failing.store(true, Ordering::Relaxed);
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        if failed {
            failing.store(false, Ordering::Relaxed);
            tracing::info!(records = batch.records.len(), "recorded again");
        }
        histogram!("crossvat_record_seconds").record(started.elapsed());
    }

    fn leave_out_known_uses(&mut self, counts: &mut Counts) {
        let latest = counts.used_keys().into_values().max();
        self.used_keys.retain(|_, at| latest.is_none_or(|latest| *at >= latest));
        counts.keep_uses(|key, at| self.used_keys.insert(key, at) != Some(at));
    }
}
