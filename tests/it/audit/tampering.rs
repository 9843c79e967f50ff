//! Whatever is done to the log behind its back is found and named.

use std::{fs, path::Path};

use crossvat::audit::{AuditEvent, Finding};
use crossvat::db::entities::audit_event::{ActiveModel, Entity};
use crossvat_migrations::Migrator;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait, IntoActiveModel};
use sea_orm_migration::MigratorTrait;
use uuid::Uuid;

use super::Log;
use crate::{
    command_line::program,
    support::database::{self, DatabaseKind},
};

/// By what an operator finds the event.
fn named(event: &AuditEvent) -> String {
    let at = event.at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
    format!("event {} ({}, {at})", event.sequence, event.id)
}

#[tokio::test]
async fn a_change_of_any_column_is_found() {
    let log = Log::with(12).await;
    let events = log.all().await;
    let whole = |event: &AuditEvent| ActiveModel { id: Set(event.id), ..Default::default() };
    // It has a value in every column.
    let target = &events[7];
    assert!(target.actor_id.is_some() && target.account_id.is_some() && target.subject_id.is_some());
    assert!(target.from_address.is_some());
    for (column, changed) in [
        ("at", ActiveModel { at: Set(target.at + chrono::TimeDelta::microseconds(1)), ..whole(target) }),
        ("deed", ActiveModel { deed: Set(events[6].deed), ..whole(target) }),
        ("actor_kind", ActiveModel { actor_kind: Set(events[6].actor_kind), ..whole(target) }),
        ("actor_id", ActiveModel { actor_id: Set(Some(Uuid::from_u128(6))), ..whole(target) }),
        ("actor_id", ActiveModel { actor_id: Set(None), ..whole(target) }),
        ("account_id", ActiveModel { account_id: Set(None), ..whole(target) }),
        ("subject_id", ActiveModel { subject_id: Set(Some(Uuid::nil())), ..whole(target) }),
        ("detail", ActiveModel { detail: Set("something else".to_owned()), ..whole(target) }),
        ("from_address", ActiveModel { from_address: Set(None), ..whole(target) }),
        ("encoding", ActiveModel { encoding: Set(2), ..whole(target) }),
        ("hash", ActiveModel { hash: Set(vec![0; 32]), ..whole(target) }),
        ("hash", ActiveModel { hash: Set(vec![0; 3]), ..whole(target) }),
    ] {
        changed.update(&log.db.main).await.expect("changes");
        let findings = log.findings().await;
        let name = format!("event 8 ({}, ", target.id);
        assert!(!findings.is_empty() && findings[0].starts_with(&name), "{column}: {findings:?}");
        let as_it_was = target.clone().into_active_model().reset_all();
        as_it_was.update(&log.db.main).await.expect("changes back");
        assert_eq!(log.findings().await, Vec::<String>::new(), "{column}");
    }
    log.sql("UPDATE audit_events SET deed = 'nothing_we_know' WHERE sequence = 8").await;
    log.sql("UPDATE audit_events SET detail = 'x' WHERE sequence = 3").await;
    let findings = log.findings().await;
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert!(findings[0].starts_with(&named(&events[2])), "{findings:?}");
    assert!(findings[1].starts_with(&named(&events[7])), "{findings:?}");
}

#[tokio::test]
async fn another_identifier_is_found() {
    let log = Log::with(5).await;
    let id = if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        "'018f0000-0000-7000-8000-000000000000'"
    } else {
        "x'018f0000000070008000000000000000'"
    };
    log.sql(&format!("UPDATE audit_events SET id = {id} WHERE sequence = 3")).await;
    let findings = log.findings().await;
    assert!(findings.len() == 1 && findings[0].starts_with("event 3 (018f0000-"), "{findings:?}");
}

#[tokio::test]
async fn removed_events_are_found_wherever_they_were() {
    for (removed, first, last, after) in
        [(1..=1, 1, 1, None), (4..=6, 4, 6, Some(2)), (12..=12, 12, 12, Some(10)), (11..=12, 11, 12, Some(9))]
    {
        let log = Log::with(12).await;
        let events = log.all().await;
        let (from, to) = removed.into_inner();
        log.sql(&format!("DELETE FROM audit_events WHERE sequence BETWEEN {from} AND {to}")).await;
        let findings = log.verified().await.findings;
        let [Finding::Missing { first: found_first, last: found_last, after: place }] = findings[..] else {
            panic!("{findings:?}");
        };
        assert_eq!((found_first, found_last), (first, last));
        assert_eq!(place.map(|place| place.id), after.map(|at: usize| events[at].id));
    }
    let log = Log::with(3).await;
    log.sql("DELETE FROM audit_events").await;
    assert_eq!(log.findings().await, ["events 1 to 3 are missing"]);
    // Even when the end is set back: then the chain is shorter than what somebody has noted.
    let log = Log::with(3).await;
    let noted = log.verified().await.end;
    log.sql("DELETE FROM audit_events WHERE sequence = 3").await;
    let hash = "(SELECT hash FROM audit_events WHERE sequence = 2)";
    log.sql(&format!("UPDATE audit_chain SET sequence = 2, hash = {hash}")).await;
    assert_eq!(log.findings().await, Vec::<String>::new(), "which is why one is noted elsewhere");
    let findings = log.events.verify(Some(noted)).await.expect("can be read").findings;
    assert_eq!(findings, [Finding::NotedIsDeleted(noted)]);
}

#[tokio::test]
async fn added_events_are_found_wherever_they_are() {
    let log = Log::with(4).await;
    let like = log.all().await.pop().expect("an event");
    for sequence in [5, 9, 0, -3] {
        let added = AuditEvent { id: Uuid::now_v7(), sequence, ..like.clone() };
        Entity::insert(added.clone().into_active_model()).exec(&log.db.main).await.expect("added");
        let findings = log.findings().await;
        assert_eq!(findings, [format!("{} was added outside of the chain", named(&added))]);
        Entity::delete_by_id(added.id).exec(&log.db.main).await.expect("gone");
    }
    // In the place of another.
    log.sql("DELETE FROM audit_events WHERE sequence = 3").await;
    let added = AuditEvent { id: Uuid::now_v7(), sequence: 3, ..like };
    Entity::insert(added.clone().into_active_model()).exec(&log.db.main).await.expect("added");
    let findings = log.findings().await;
    assert!(findings[0].starts_with(&named(&added)), "{findings:?}");
}

#[tokio::test]
async fn swapped_events_are_found() {
    let log = Log::with(8).await;
    let events = log.all().await;
    for (from, to) in [(3, -3), (6, 3), (-3, 6)] {
        log.sql(&format!("UPDATE audit_events SET sequence = {to} WHERE sequence = {from}")).await;
    }
    let findings = log.findings().await;
    let moved = |at: usize, sequence| named(&AuditEvent { sequence, ..events[at].clone() });
    for name in [moved(5, 3), moved(2, 6)] {
        assert!(findings.iter().any(|finding| finding.starts_with(&name)), "{name} in {findings:?}");
    }
}

/// Somebody who knows how hashes are made changes an event with its hash: the one after it does not follow any more.
#[tokio::test]
async fn an_event_that_was_hashed_anew_is_found_by_the_next() {
    for (target, found) in [(5, 6), (8, 8)] {
        let log = Log::with(8).await;
        let events = log.all().await;
        let mut forged = events[target - 1].clone();
        forged.detail = "nothing happened".to_owned();
        let event = audit_chain::Event {
            sequence: forged.sequence,
            id: forged.id.into_bytes(),
            at: (forged.at.timestamp(), forged.at.timestamp_subsec_nanos()),
            deed: if target % 2 == 1 { "key_revoked" } else { "account_suspended" },
            actor_kind: forged.actor_kind_word(),
            actor_id: forged.actor_id.map(Uuid::into_bytes),
            account_id: forged.account_id.map(Uuid::into_bytes),
            subject_id: forged.subject_id.map(Uuid::into_bytes),
            detail: &forged.detail,
            from_address: forged.from_address.as_deref(),
        };
        let before = audit_chain::Hash::try_from(&*events[target - 2].hash).expect("a hash");
        forged.hash = event.hash(&before).bytes().to_vec();
        forged.clone().into_active_model().reset_all().update(&log.db.main).await.expect("forged");
        let findings = log.findings().await;
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].starts_with(&named(&events[found - 1])), "{findings:?}");
        assert!(findings[0].contains(&forged.id.to_string()), "{findings:?}");
    }
}

trait Word {
    fn actor_kind_word(&self) -> &'static str;
}

impl Word for AuditEvent {
    fn actor_kind_word(&self) -> &'static str {
        match self.actor_kind {
            crossvat::audit::ActorKind::CommandLine => "command_line",
            crossvat::audit::ActorKind::Member => "member",
            crossvat::audit::ActorKind::Support => "support",
            crossvat::audit::ActorKind::Visitor => "visitor",
        }
    }
}

#[tokio::test]
async fn a_log_in_ruins_is_not_read_to_its_end() {
    let log = Log::with(60).await;
    log.sql("UPDATE audit_events SET detail = 'x'").await;
    assert_eq!(log.findings().await.len(), 20);
    log.sql("DELETE FROM audit_chain").await;
    let error = log.events.verify(None).await.expect_err("has no beginning").to_string();
    assert!(error.contains("audit_chain has lost its row"), "{error}");
}

#[tokio::test]
async fn the_program_says_what_it_found_and_ends_accordingly() {
    let log = Log::with(3).await;
    let run = |arguments: &[&str]| {
        let output = program(log.folder.path()).arg("verify-audit").args(arguments).output().expect("runs");
        let text = |bytes| String::from_utf8(bytes).expect("text").trim_end().to_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, printed, _) = run(&[]);
    let last = log.verified().await.end.to_string();
    let expected = format!(
        "3 events from 2026-09-03T08:41:07Z to 2026-09-03T08:43:07Z: as they were written\nlast: {last}"
    );
    assert_eq!((code, printed.as_str()), (Some(0), expected.as_str()));
    assert_eq!(run(&["--noted", &last]).0, Some(0));
    assert_eq!(run(&["--noted", "yesterday"]).0, Some(2));

    let event = log.all().await.remove(1);
    log.sql("UPDATE audit_events SET detail = 'x' WHERE sequence = 2").await;
    let (code, printed, errors) = run(&["--noted", &last]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(printed.starts_with(&named(&event)) && printed.lines().count() == 1, "{printed}");
    assert!(errors.contains("the audit log is not as it was written"), "{errors}");
}

#[tokio::test]
async fn a_database_that_is_not_there_or_of_another_version_is_not_looked_at_and_not_touched() {
    let log = Log::with(1).await;
    let refused = |folder: &Path, words: &str| {
        let output = program(folder).arg("verify-audit").output().expect("runs");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{errors}");
        assert!(errors.contains(words), "{words} in {errors}");
    };
    let later = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_later', 0)";
    log.sql(later).await;
    refused(log.folder.path(), "of a newer version");
    log.sql("DELETE FROM seaql_migrations WHERE version = 'm9999_later'").await;
    Migrator::down(&log.db.main, Some(1)).await.expect("down");
    refused(log.folder.path(), "of an older version: `crossvat migrate`");
    let pending = Migrator::get_pending_migrations(&log.db.main).await.expect("pending");
    assert_eq!(pending.len(), 1, "nothing was migrated");

    let nothing = tempfile::tempdir().expect("folder");
    match DatabaseKind::of_this_run() {
        DatabaseKind::Sqlite => {
            refused(nothing.path(), "the database cannot be opened");
            assert_eq!(fs::read_dir(nothing.path()).expect("a folder").count(), 0, "nothing was made");
        }
        DatabaseKind::Postgres => refused(nothing.path(), "holds nothing of Crossvat's"),
    }
    database::forget(nothing.path());
}
