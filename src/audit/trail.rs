//! Deeds that several services do in one transaction. They are noted while it goes on and written when all else is done:
//! what each service locks is locked before the log is, so that no two transactions wait for each other.

use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::{Actor, Deed, Event, append};
use crate::clock::Clock;

/// The deeds of a transaction that are still to be written.
#[derive(Debug, Default)]
#[must_use = "deeds that are not written are done by nobody"]
pub struct Trail(Vec<Noted>);

#[derive(Debug)]
struct Noted {
    actor: Actor,
    deed: Deed,
    account_id: Option<Uuid>,
    subject_id: Option<Uuid>,
    detail: String,
}

impl Trail {
    /// One more.
    pub fn note(&mut self, actor: &Actor, event: &Event<'_>) {
        self.0.push(Noted {
            actor: *actor,
            deed: event.deed,
            account_id: event.account_id,
            subject_id: event.subject_id,
            detail: event.detail.to_owned(),
        });
    }

    /// Writes them in their order.
    ///
    /// # Errors
    /// The database failed; so must the deeds.
    pub async fn write(self, transaction: &impl ConnectionTrait, clock: &dyn Clock) -> Result<(), DbErr> {
        for noted in &self.0 {
            let event = Event {
                deed: noted.deed,
                account_id: noted.account_id,
                subject_id: noted.subject_id,
                detail: &noted.detail,
            };
            append(transaction, clock, &noted.actor, event).await?;
        }
        Ok(())
    }
}
