//! Commands about the audit log.

use anyhow::ensure;
use chrono::SecondsFormat;
use clap::Args;

use super::{Opened, print};
use crate::audit::{AuditLog, Link, Verification};

/// `verify-audit`
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// An event as this command printed it once, such as 118:3f2a…: says whether it is still there as it was.
    #[arg(long, value_name = "NUMBER:HASH")]
    noted: Option<Link>,
}

impl Verify {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let verified = AuditLog::new(opened.db.main.clone()).verify(self.noted).await?;
        for finding in &verified.findings {
            print(&finding.to_string())?;
        }
        ensure!(
            verified.findings.is_empty(),
            "the audit log is not as it was written ({} events were looked at)",
            verified.events
        );
        print(&in_words(&verified))?;
        opened.close().await
    }
}

fn in_words(verified: &Verification) -> String {
    let mut lines = vec![match verified.time {
        None => "no events".to_owned(),
        Some((first, last)) => {
            let [first, last] = [first, last].map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
            let events = if verified.events == 1 { "event" } else { "events" };
            format!("{} {events} from {first} to {last}: as they were written", verified.events)
        }
    }];
    if verified.anchor.sequence > 0 {
        lines.push(format!("deleted because their time was over: up to {}", verified.anchor));
    }
    if verified.events > 0 {
        lines.push(format!("last: {}", verified.end));
    }
    lines.join("\n")
}
