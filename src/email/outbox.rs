//! The outbox: letters wait in the database until a mailer has taken them. A letter is written in the transaction of the
//! deed it tells of, so neither is there without the other, and nobody who asks for a page waits for a mail server.
//!
//! * Whoever sends a letter takes it up first, for longer than sending it can last: of several instances one does. One that
//!   dies leaves it to be taken up again after that.
//! * A letter that was sent is deleted: its text may hold the secret of a link. When the server dies between the two, or
//!   the database does, it is sent once more, under the same name.
//! * One that is not taken is tried again after pauses that grow. One that is refused for good, or is [`KEPT`] old, is given
//!   up: by then its link is over.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use metrics::counter;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use secrecy::ExposeSecret;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    letter::Letter,
    line::Line,
    mailer::{SendError, SharedMailer},
    message::Message,
    store::{self, OutboxRow},
    texts,
};
use crate::{
    clock::SharedClock,
    db::{new_id, within_limit, write},
    people::EmailAddress,
};

/// How long a letter is tried; as long as its link works.
pub const KEPT: Duration = Duration::from_hours(24);
/// Pauses between tries to send one letter.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_mins(10);
/// The longest such pause when nothing at all is taken: what waits goes out soon after that is over.
const LONGEST_PAUSE_AWAY: Duration = Duration::from_secs(30);
/// Over the time that sending may last: for the database to be told.
const TAKEN_MARGIN: Duration = Duration::from_secs(30);
/// How often the outbox is looked into.
const PERIOD: Duration = Duration::from_millis(250);
/// Pauses between looks into it when nothing at all is taken.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(30);
/// How long a server that stops waits for the letter that is being sent.
const LAST_LETTER_LIMIT: Duration = Duration::from_secs(10);

/// The letters that wait, and who takes them.
#[derive(Clone)]
pub struct Outbox {
    db: DatabaseConnection,
    clock: SharedClock,
    public_url: Arc<str>,
    mailer: Option<SharedMailer>,
}

/// What became of the letters that were due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Taken by the mailer.
    pub sent: u32,
    /// To be tried again.
    pub put_off: u32,
    /// Deleted without having been taken.
    pub given_up: u32,
    /// Why the mailer takes nothing; then no further letter was tried.
    pub away: Option<String>,
}

impl Outbox {
    /// The outbox kept in `db`. Links begin with `public_url`, which has no slash at its end. Without a mailer letters are
    /// kept for one that comes before they are given up.
    #[must_use]
    pub const fn new(
        db: DatabaseConnection,
        clock: SharedClock,
        public_url: Arc<str>,
        mailer: Option<SharedMailer>,
    ) -> Self {
        Self { db, clock, public_url, mailer }
    }

    /// Whether mail is sent at all.
    #[must_use]
    pub const fn sends(&self) -> bool {
        self.mailer.is_some()
    }

    /// Writes a letter in the transaction of the deed it tells of. It goes out soon after the commit. Returns its
    /// identifier.
    ///
    /// # Errors
    /// The database failed; so must the deed.
    pub async fn enqueue(
        &self,
        transaction: &DatabaseTransaction,
        to: &EmailAddress,
        message: &Message,
    ) -> Result<Uuid, DbErr> {
        let text = texts::text(message, &self.public_url);
        let (id, now) = (new_id(self.clock.as_ref()), self.clock.now());
        let row = OutboxRow {
            id,
            kind: message.kind(),
            recipient: to.as_str().to_owned(),
            subject: text.subject.to_string(),
            body: text.body.expose_secret().to_owned(),
            written_at: now,
            next_try_at: now,
            tries: 0,
        };
        store::insert(transaction, row).await?;
        Ok(id)
    }

    /// Writes a letter that tells of no deed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn post(&self, to: &EmailAddress, message: &Message) -> Result<(), DbErr> {
        write(&self.db, async |transaction| self.enqueue(transaction, to, message).await).await.map(drop)
    }

    /// Sends what is due, one letter after the other, until `stop` or until the mailer takes nothing.
    ///
    /// # Errors
    /// The database failed. What was sent stays sent.
    pub async fn deliver_due(&self, stop: &CancellationToken) -> Result<Round, DbErr> {
        let mut round = Round::default();
        while round.away.is_none() && !stop.is_cancelled() {
            let now = self.clock.now();
            let over = now - KEPT;
            let written_by = if self.sends() { None } else { Some(over) };
            let Some(row) = within_limit(store::next_due(&self.db, now, written_by)).await? else { break };
            if !self.take_up(&row, now).await? {
                continue;
            }
            match &self.mailer {
                Some(mailer) if row.written_at > over => {
                    self.deliver(mailer, row, &mut round).await?;
                }
                _ => self.give_up(&row, "its time is over", &mut round).await?,
            }
        }
        Ok(round)
    }

    /// Sends what is due whenever there is something, until `stop`, and ends the letter it is at.
    pub async fn run(self, stop: CancellationToken) {
        let last_moment = async {
            stop.cancelled().await;
            sleep(LAST_LETTER_LIMIT).await;
        };
        tokio::select! {
            () = self.keep_delivering(&stop) => {}
            () = last_moment => tracing::warn!("stopped while a letter was being sent; it will be sent again"),
        }
    }

    async fn keep_delivering(&self, stop: &CancellationToken) {
        let mut health = Health::Well;
        let mut rest = PERIOD;
        while !stop.is_cancelled() {
            let (now, reason) = match self.deliver_due(stop).await {
                Ok(Round { away: Some(reason), .. }) => (Health::NoMailer, reason),
                Ok(Round { sent: 0, put_off: 0, .. }) if health == Health::NoMailer => {
                    (health, String::new())
                }
                Ok(_) => (Health::Well, String::new()),
                Err(error) => (Health::NoDatabase, error.to_string()),
            };
            if now == Health::Well {
                rest = PERIOD;
            } else if !reason.is_empty() {
                rest = (rest * 2).clamp(FIRST_REST, LONGEST_REST);
            }
            if now != health {
                match now {
                    Health::Well => tracing::info!("mail goes out again"),
                    Health::NoMailer | Health::NoDatabase => {
                        tracing::warn!(%reason, "no mail goes out; trying until it does");
                    }
                }
            }
            health = now;
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(rest) => {}
            }
        }
    }

    async fn take_up(&self, row: &OutboxRow, now: DateTime<Utc>) -> Result<bool, DbErr> {
        let longest = self.mailer.as_ref().map_or(Duration::ZERO, |mailer| mailer.longest());
        let until = now + longest + TAKEN_MARGIN;
        write(&self.db, async |transaction| store::take_up(transaction, row, until).await).await
    }

    async fn deliver(&self, mailer: &SharedMailer, row: OutboxRow, round: &mut Round) -> Result<(), DbErr> {
        let sent = match letter_of(&row) {
            Some(letter) => mailer.send(&letter).await,
            None => Err(SendError::Never("the address is none".to_owned())),
        };
        if sent.is_err() {
            counter!("crossvat_mail_failures_total").increment(1);
        }
        match sent {
            Ok(()) => {
                counter!("crossvat_mail_sent_total").increment(1);
                tracing::info!(kind = row.kind.as_str(), message = %row.id, "mail was sent");
                round.sent += 1;
                self.delete(&row).await?;
            }
            Err(SendError::Never(reason)) => self.give_up(&row, &reason, round).await?,
            Err(SendError::NotNow(reason)) => {
                tracing::info!(kind = row.kind.as_str(), message = %row.id, reason, "mail was put off");
                round.put_off += 1;
                self.put_off(&row, LONGEST_PAUSE).await?;
            }
            Err(SendError::Away(reason)) => {
                round.away = Some(reason);
                self.put_off(&row, LONGEST_PAUSE_AWAY).await?;
            }
        }
        Ok(())
    }

    async fn put_off(&self, row: &OutboxRow, longest: Duration) -> Result<(), DbErr> {
        let until = self.clock.now() + pause_after(row.tries, longest);
        let tries = row.tries.saturating_add(1);
        write(&self.db, async |transaction| store::put_off(transaction, row.id, tries, until).await).await
    }

    async fn give_up(&self, row: &OutboxRow, reason: &str, round: &mut Round) -> Result<(), DbErr> {
        if self.delete(row).await? {
            counter!("crossvat_mail_given_up_total").increment(1);
            tracing::warn!(kind = row.kind.as_str(), message = %row.id, reason, "mail was given up");
            round.given_up += 1;
        }
        Ok(())
    }

    async fn delete(&self, row: &OutboxRow) -> Result<bool, DbErr> {
        write(&self.db, async |transaction| store::delete(transaction, row.id).await).await
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Health {
    Well,
    NoMailer,
    NoDatabase,
}

/// `None` when the address is none any more.
fn letter_of(row: &OutboxRow) -> Option<Letter> {
    Some(Letter {
        id: row.id,
        kind: row.kind,
        to: row.recipient.parse().ok()?,
        subject: Line::from(&*row.subject),
        body: row.body.clone().into(),
        written_at: row.written_at,
    })
}

/// How long a letter rests that was tried so many times before this one.
fn pause_after(tries: i32, longest: Duration) -> Duration {
    let doublings = u32::try_from(tries).unwrap_or_default().min(16);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let seconds = |tries| pause_after(tries, LONGEST_PAUSE).as_secs();
        assert_eq!([0, 1, 2, 5, 6, 1000, i32::MAX].map(seconds), [10, 20, 40, 320, 600, 600, 600]);
        assert_eq!(pause_after(9, LONGEST_PAUSE_AWAY), LONGEST_PAUSE_AWAY);
    }
}
