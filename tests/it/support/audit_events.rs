//! What the audit log holds of an account.

use crossvat::{
    audit::AuditEvent,
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
