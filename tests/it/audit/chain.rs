//! The chain stays one, whoever adds and deletes at once.

use std::time::Duration;

use crossvat::{
    accounts::{Accounts, Limits},
    api_keys::{ApiKeys, KeyMode, NewKey},
    audit::{Actor, AuditLog, Deed, Finding, Link},
    db::Database,
    evidence::Evidence,
};
use crossvat_migrations::Migrator;
use futures_util::future::{join, join_all, join4};
use rand::rngs::SysRng;
use sea_orm_migration::MigratorTrait;

use super::{Log, instance};

const ACTOR: &Actor = &Actor::COMMAND_LINE;

#[tokio::test]
async fn an_empty_log_and_one_with_an_event_are_whole() {
    let log = Log::start().await;
    let nothing = log.verified().await;
    assert_eq!((nothing.events, nothing.time, nothing.end.sequence), (0, None, 0));
    assert!(nothing.findings.is_empty());
    log.add(1).await;
    let one = log.verified().await;
    assert_eq!((one.events, one.end.sequence, one.findings), (1, 1, vec![]));
}

#[tokio::test]
async fn a_log_of_ten_thousand_is_walked_and_purged_and_stays_whole() {
    let log = Log::start().await;
    for _ in 0..6 {
        log.add(1000).await;
    }
    let middle = log.verified().await.end;
    log.clock.advance(Duration::from_hours(24));
    let before = log.shared_clock().now();
    for _ in 0..4 {
        log.add(1000).await;
    }
    let verified = log.verified().await;
    assert_eq!((verified.events, verified.end.sequence, verified.findings), (10_000, 10_000, vec![]));
    let end = verified.end;

    let purged = log.events.purge(before, log.clock.as_ref(), ACTOR).await.expect("purges");
    assert_eq!(purged, 6000);
    let verified = log.verified().await;
    assert_eq!((verified.events, verified.anchor, verified.findings), (4002, middle, vec![]));
    let told = log.all().await.pop().expect("an event");
    assert_eq!(told.deed, Deed::DataPurged);
    let last = format!("audit events: 1000, up to number 6000, hash {}", middle.hash);
    assert_eq!(told.detail, last);

    for (noted, found) in [
        (end, None),
        (middle, None),
        (Link { sequence: 10_000, hash: middle.hash }, Some("event 10000 is not the one that was noted")),
        (Link { sequence: 6000, hash: end.hash }, Some("event 6000 is not the one that was noted")),
        (Link { sequence: 5999, hash: end.hash }, Some("event 5999, which was noted, is not there any more")),
        (Link { sequence: 10_003, hash: end.hash }, Some("event 10003, which was noted, is not there")),
    ] {
        let findings = log.events.verify(Some(noted)).await.expect("can be read").findings;
        let words: Vec<_> = findings.iter().map(ToString::to_string).collect();
        match found {
            None => assert!(words.is_empty(), "{words:?}"),
            Some(found) => assert!(words.len() == 1 && words[0].starts_with(found), "{words:?}"),
        }
    }

    // Whoever takes events away and says that they were purged must find a purge that says so.
    log.sql("DELETE FROM audit_events WHERE sequence <= 6500").await;
    let link = "(SELECT hash FROM audit_events WHERE sequence = 6501)";
    log.sql(&format!("UPDATE audit_chain SET anchor_sequence = 6500, anchor_hash = {link}")).await;
    let findings = log.verified().await.findings;
    assert!(findings.contains(&Finding::DeletedWithoutPurge(6500)), "{findings:?}");
}

#[tokio::test]
async fn an_event_over_its_time_waits_for_older_ones_before_it() {
    let log = Log::start().await;
    log.add(3).await;
    // The clock of another instance is a day behind.
    let other = Log::start().await;
    let behind = other.shared_clock();
    let accounts = Accounts::new(log.db.clone(), behind.clone());
    accounts.create("acme", &Limits::default(), ACTOR).await.expect("account");
    let before = behind.now() + chrono::TimeDelta::seconds(1);
    assert_eq!(log.events.purge(before, log.clock.as_ref(), ACTOR).await.expect("purges"), 1);
    assert_eq!(log.events.purge(before, log.clock.as_ref(), ACTOR).await.expect("purges"), 0);
    assert_eq!(log.findings().await, Vec::<String>::new());
    assert_eq!(log.all().await[0].sequence, 2);
}

/// Two instances, and on each of them deeds of every kind of lock.
#[tokio::test]
async fn deeds_done_at_once_on_two_instances_make_one_chain() {
    let log = Log::start().await;
    let other = instance(log.folder.path()).await;
    let clock = log.shared_clock();
    let shared = Accounts::new(log.db.clone(), clock.clone());
    let common = shared.create("common", &Limits::default(), ACTOR).await.expect("account");
    let work = (0..12).map(|place| {
        let (db, clock) = (if place % 2 == 0 { &log.db } else { &other }.clone(), clock.clone());
        async move {
            let (accounts, keys) =
                (Accounts::new(db.clone(), clock.clone()), ApiKeys::new(db.clone(), clock.clone()));
            let limits = Limits::default();
            let own = accounts.create(&format!("acme {place}"), &limits, ACTOR).await.expect("account");
            for round in 0..4 {
                let account_id = if round % 2 == 0 { own } else { common };
                let key = NewKey { id: None, account_id, name: "ERP", mode: KeyMode::Live, expires_at: None };
                let key = keys.issue(key, ACTOR, &mut SysRng).await.expect("key").id;
                keys.rename(account_id, key, "till", ACTOR).await.expect("renames");
                accounts.change_limits(common, &limits, "agreed", ACTOR).await.expect("changes");
                keys.revoke(account_id, key, ACTOR).await.expect("revokes");
                // Of a refused deed there is no event and no gap.
                keys.revoke(account_id, key, ACTOR).await.expect_err("has ended");
            }
            let before = clock.now() - chrono::TimeDelta::days(1);
            let evidence = Evidence::new(db.main.clone());
            evidence.purge(before, clock.as_ref(), ACTOR).await.expect("nothing to purge");
        }
    });
    // While somebody walks along.
    let walk = async {
        for _ in 0..5 {
            assert_eq!(log.findings().await, Vec::<String>::new(), "whole at any moment");
        }
    };
    join(join_all(work), walk).await;
    let verified = log.verified().await;
    assert_eq!((verified.events, verified.findings), (1 + 12 * (1 + 4 * 4), vec![]));
    let numbers: Vec<_> = log.all().await.iter().map(|event| event.sequence).collect();
    assert!(numbers.iter().copied().eq(1..=205), "{numbers:?}");
    other.close().await.expect("closes");
}

#[tokio::test]
async fn a_log_that_is_purged_on_two_instances_while_deeds_are_done_is_whole_at_any_moment() {
    let log = Log::with(1000).await;
    log.clock.advance(Duration::from_hours(24));
    let before = log.shared_clock().now();
    let other = instance(log.folder.path()).await;
    let purge = async |db: &Database| {
        let log_of_instance = AuditLog::new(db.main.clone());
        log_of_instance.purge(before, log.clock.as_ref(), ACTOR).await.expect("purges")
    };
    let accounts = Accounts::new(other.clone(), log.shared_clock());
    let deeds = async {
        for place in 0..20 {
            let name = format!("acme {place}");
            accounts.create(&name, &Limits::default(), ACTOR).await.expect("account");
        }
    };
    let walk = async {
        for _ in 0..5 {
            assert_eq!(log.findings().await, Vec::<String>::new(), "whole at any moment");
        }
    };
    let (one, two, (), ()) = join4(purge(&log.db), purge(&other), deeds, walk).await;
    assert_eq!(one + two, 1000);
    let verified = log.verified().await;
    assert_eq!((verified.events, verified.anchor.sequence, verified.findings), (21, 1000, vec![]));
    other.close().await.expect("closes");
}

#[tokio::test]
async fn events_from_before_the_chain_are_chained_in_the_order_of_their_time() {
    let log = Log::with(700).await;
    let mut expected: Vec<_> = log.all().await;
    let steps = Migrator::migrations();
    let later = steps.iter().rev().position(|one| one.name() == "m0012_audit_chain").expect("there");
    let steps = u32::try_from(later + 1).expect("few");
    Migrator::down(&log.db.main, Some(steps)).await.expect("down");
    log.sql("SELECT detail FROM audit_events WHERE from_address IS NOT NULL").await;
    Migrator::up(&log.db.main, None).await.expect("up");
    let mut events = log.all().await;
    // One clock, one order: everything is as it was, its hash too.
    expected.sort_by_key(|event| event.sequence);
    events.sort_by_key(|event| event.sequence);
    assert_eq!(events, expected);
    log.add(1).await;
    let verified = log.verified().await;
    assert_eq!((verified.events, verified.findings), (701, vec![]));
}
