//! `purge`: deletes what is over its time.

use std::sync::Arc;

use chrono::TimeDelta;

use super::{Opened, print};
use crate::{
    audit::{Actor, AuditLog},
    batch_checks,
    evidence::Evidence,
    one_time_links::OneTimeLinks,
    sessions::Sessions,
    usage::{Recorder, Usage},
};

/// Deletes what is older than the settings say, and prints how much that was.
pub(super) async fn run(opened: Opened) -> anyhow::Result<()> {
    let retention = &opened.config.retention;
    let now = opened.clock.now();
    let before = |days: u32| now - TimeDelta::days(i64::from(days));
    let actor = &Actor::COMMAND_LINE;
    let usage = Usage::new(opened.db.clone(), Recorder::default(), Arc::clone(&opened.clock));
    let evidence = Evidence::new(opened.db.main.clone());
    let audit = AuditLog::new(opened.db.main.clone());
    let sessions = Sessions::new(opened.db.main.clone(), Arc::clone(&opened.clock));
    let links = OneTimeLinks::new(opened.db.main.clone(), Arc::clone(&opened.clock));
    let clock = opened.clock.as_ref();
    for (what, rows) in [
        ("evidence", evidence.purge(before(retention.evidence_days), clock, actor).await?),
        ("usage", usage.purge(before(retention.usage_days), actor).await?),
        (
            "batch checks",
            batch_checks::purge(&opened.db.main, clock, before(retention.batch_check_days), actor).await?,
        ),
        ("sessions", sessions.purge(actor).await?),
        ("one-time links", links.purge(before(retention.link_days), actor).await?),
        ("audit events", audit.purge(before(retention.audit_days), clock, actor).await?),
    ] {
        print(&format!("{what}: {rows}"))?;
    }
    opened.close().await
}
