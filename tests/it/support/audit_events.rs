//! What the audit log holds of an account.

use std::time::Duration;

use crossvat::{
    audit::{AuditEvent, Deed},
    db::{Database, entities::audit_event},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

/// The events that concern an account, oldest first.
pub async fn events_of(database: &Database, account: Uuid) -> Vec<AuditEvent> {
    let events = audit_event::Entity::find()
        .filter(audit_event::Column::AccountId.eq(account))
        .order_by_asc(audit_event::Column::Sequence);
    events.all(&database.main).await.expect("events")
}

/// The events of one kind that concern an account, oldest first, once there are so many: some are written after the answer.
pub async fn events_until(database: &Database, account: Uuid, deed: Deed, count: usize) -> Vec<AuditEvent> {
    let waiting = async {
        loop {
            let mut events = events_of(database, account).await;
            events.retain(|event| event.deed == deed);
            if events.len() >= count {
                return events;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("the events come")
}
