//! Runs from the beginning to the end.

use std::{collections::HashSet, time::Duration};

use chrono::TimeDelta;
use crossvat::{
    accounts::{AccountSettings, Limits},
    audit::Actor,
    batch_checks::{self, BatchError, Counts, FirstRow, Pause, PauseReason, RowOutcome, RowQuery, RunState},
    clock::Clock,
    db::entities::{
        evidence::{self, CallerKind},
        usage_number, usage_request,
    },
    spreadsheet::Separator,
};
use futures_util::future::join_all;
use registry_simulator::Condition;
use sea_orm::EntityTrait;
use uuid::Uuid;
use vat::{AdviceCode, Registry, ReverseCharge, SupplierCountry, UnresolvedReason, VatNumber};

use super::{A_WHILE, Team, each_asked_once, number, numbers, register, texts};
use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_250_rows_each_different_number_is_asked_once_and_every_row_is_answered_and_proved() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let own = |text| VatNumber::parse(text).number();
    let (gb, eu) = (own("GB434031494"), own("FR40303265045"));
    let requesters = AccountSettings::Requesters { gb, eu };
    let assumptions = AccountSettings::Assumptions {
        supplier_country: SupplierCountry::parse("DE"),
        max_age: Duration::from_hours(1),
    };
    for settings in [requesters, assumptions] {
        app.accounts()
            .change_settings(team.account, &settings, &Actor::COMMAND_LINE)
            .await
            .expect("settings");
    }
    register(&app.simulator, 120);
    // 200 different numbers of which 120 are registered, each tenth once more as others write it, and 30 that are none.
    let mut pasted = numbers(200);
    for place in (0..200).step_by(10) {
        let again = number(place);
        pasted.push(format!("{} {}", again[..2].to_lowercase(), &again[2..]));
    }
    pasted.extend((0..15).map(|place| format!("DE{place}")));
    pasted.extend((0..15).map(|place| format!("CHE{place}")));
    let run = team.start(&app, pasted.clone()).await;
    let done = team.until_done(&app, run).await;
    let expected = Counts {
        rows: 250,
        waiting: 0,
        valid: 120 + 12,
        not_registered: 80 + 8,
        malformed: 15,
        unsupported: 15,
        unavailable: 0,
    };
    assert_eq!(done.counts, expected);
    assert_eq!((done.started_by.id, &*done.started_by.name), (team.member, "Helen Fenwick"));
    assert_eq!((&*done.first_text, done.stop_reason, done.pause), (&*pasted[0], None, None));
    assert_eq!(done.requesters.known_to(Registry::Vies), eu);
    assert_eq!((done.created_at, done.ended_at), (app.clock.now(), Some(app.clock.now())));
    each_asked_once(&app.simulator, 200);

    let rows = team.rows(&app, run).await;
    let as_pasted: Vec<&str> = rows.iter().map(|row| &*row.submitted).collect();
    assert_eq!(as_pasted, pasted, "the order is kept");
    let first = &rows[0];
    assert_eq!((first.place, first.same_as, first.outcome), (1, None, RowOutcome::Valid));
    assert_eq!((first.name.as_deref(), first.registry), (Some("Trader 0"), Some(Registry::Vies)));
    assert_eq!(first.address.as_deref(), Some("0 Sample Street"));
    assert_eq!(first.requester.as_deref(), Some("FR40303265045"));
    assert!(first.consultation_number.is_some() && first.decided_at == Some(app.clock.now()));
    assert_eq!(first.reverse_charge, Some(ReverseCharge::Domestic));
    let again = &rows[200];
    assert_eq!((again.place, again.same_as), (201, Some(FirstRow { place: 1, line: Some(1) })));
    assert_eq!((&again.name, again.evidence_id), (&first.name, first.evidence_id));
    assert_eq!(rows[1].reverse_charge, Some(ReverseCharge::CrossBorder));
    assert_eq!(
        (rows[199].outcome, rows[199].reverse_charge),
        (RowOutcome::NotRegistered, Some(ReverseCharge::NotValid))
    );
    let advice: Vec<AdviceCode> = rows[199].advice.iter().map(|advice| advice.code).collect();
    assert!(advice.contains(&AdviceCode::NewRegistrationsTakeTime), "as the API says it: {advice:?}");
    for none in &rows[220..] {
        assert_eq!((none.registry, none.evidence_id), (None, None), "{none:?}");
    }

    let proofs = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    let ids: HashSet<Uuid> = proofs.iter().map(|proof| proof.id).collect();
    assert!(rows[..220].iter().all(|row| row.evidence_id.is_some_and(|id| ids.contains(&id))));
    assert_eq!(proofs.len(), 200);
    for proof in &proofs {
        assert_eq!((proof.caller_kind, proof.caller_id), (CallerKind::Member, team.member));
        assert!(proof.request_id.starts_with(&run.simple().to_string()), "{proof:?}");
    }
    let requests = usage_request::Entity::find().all(&app.database.main).await.expect("rows");
    let calls: i64 = requests.iter().map(|row| row.count).sum();
    let counted = usage_number::Entity::find().all(&app.database.main).await.expect("rows");
    let live: i64 = counted.iter().filter(|row| row.source == "live").map(|row| row.count).sum();
    assert_eq!((calls, live), (3, 200), "200 numbers are two parts; the others were answered at once");
    // As of a call of the API, what was none to ask about is counted as often as it stood there.
    for (status, count) in [("malformed", 15), ("unsupported", 15)] {
        let counts = counted.iter().filter(|row| row.status == status);
        assert_eq!(counts.map(|row| row.count).sum::<i64>(), count, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_a_member_state_that_is_down_are_unavailable_and_asked_again_alone() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    register(&app.simulator, 40);
    app.simulator.vies().set_member_state("DE", Condition::Down);
    let run = team.start(&app, numbers(40)).await;
    let done = team.until_done(&app, run).await;
    assert_eq!((done.counts.valid, done.counts.unavailable), (30, 10));
    for row in team.rows(&app, run).await.iter().filter(|row| row.vat_number.starts_with("DE")) {
        assert_eq!(row.outcome, RowOutcome::Unavailable);
        assert_eq!(row.reason, Some(UnresolvedReason::MemberStateUnavailable));
        assert_eq!((row.reverse_charge, row.evidence_id), (Some(ReverseCharge::Unverified), None));
    }
    app.simulator.vies().set_member_state("DE", Condition::Up);
    app.close_breakers();
    app.simulator.clear_log();
    let retry = || app.batch_checks.retry_unavailable(team.account, run, team.member);
    assert_eq!(retry().await.expect("sends on"), 10);
    let done = team.until_done(&app, run).await;
    assert_eq!((done.counts.valid, done.counts.unavailable), (40, 0));
    each_asked_once(&app.simulator, 10);
    assert_eq!(retry().await.expect("nothing to do"), 0);
    assert_eq!(team.find(&app, run).await.state, RunState::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_for_which_there_was_no_time_are_asked_again_by_themselves() {
    let app = TestApp::with().set("VERIFICATION__DEADLINE_SECONDS", "1").start().await;
    let team = Team::of(&app, "acme").await;
    // Three at a time of one member state: about fifteen in a second.
    app.simulator.vies().set_delay(Duration::from_millis(150));
    let german: Vec<String> = (0..40).map(|place| format!("DE2{place:08}")).collect();
    let run = team.start(&app, german).await;
    let done = team.until_done(&app, run).await;
    assert_eq!((done.counts.not_registered, done.counts.unavailable), (40, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_registry_with_time_for_nobody_is_left_alone_for_a_while_and_then_given_up() {
    let app = TestApp::with().set("VERIFICATION__DEADLINE_SECONDS", "1").start().await;
    let team = Team::of(&app, "acme").await;
    app.simulator.vies().set_condition(Condition::Silent);
    let run = team.start(&app, texts(&["DE136695976"])).await;
    for _ in 0..2 {
        let paused = team.until(&app, run, |run| run.pause.is_some()).await;
        let Some(Pause::Until { reason: PauseReason::RegistriesBusy, moment }) = paused.pause else {
            panic!("{paused:?}")
        };
        assert!(moment > app.clock.now() && paused.counts.waiting == 1, "{paused:?}");
        app.clock.advance((moment - app.clock.now()).to_std().expect("later"));
    }
    let done = team.until_done(&app, run).await;
    assert_eq!(done.counts.unavailable, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_sent_several_times_starts_one_run() {
    let app = TestApp::start().await;
    let (team, other) = (Team::of(&app, "acme").await, Team::of(&app, "other").await);
    let new = team.run(&app, numbers(3));
    let started = join_all((0..5).map(|_| app.batch_checks.start(new.clone()))).await;
    let started: HashSet<Uuid> = started.into_iter().map(|run| run.expect("starts")).collect();
    assert_eq!(started.len(), 1);
    let run = *started.iter().next().expect("one");
    assert_eq!(app.batch_checks.start(new.clone()).await.expect("finds"), run);
    assert_eq!(app.batch_checks.list(team.account, 0, 10).await.expect("runs").total, 1);
    let same_token = batch_checks::NewRun { token: new.token, ..other.run(&app, numbers(3)) };
    assert_ne!(app.batch_checks.start(same_token).await.expect("starts"), run, "a token is an account's");
    team.until_done(&app, run).await;
}

#[tokio::test]
async fn what_cannot_be_started_is_told() {
    let app = TestApp::start().await;
    let (team, other) = (Team::of(&app, "acme").await, Team::of(&app, "other").await);
    let start = |new| app.batch_checks.start(new);
    assert!(matches!(start(team.run(&app, Vec::new())).await, Err(BatchError::NoNumbers)));
    let many = team.run(&app, vec!["DE1".to_owned(); 10_001]);
    assert!(matches!(start(many).await, Err(BatchError::TooMany(10_001))));
    let foreign = batch_checks::NewRun { member_id: other.member, ..team.run(&app, numbers(1)) };
    assert!(matches!(start(foreign).await, Err(BatchError::UnknownMember)));
    assert_eq!(app.batch_checks.list(team.account, 0, 10).await.expect("runs").total, 0);
    let run = team.start(&app, texts(&["DE1", "CHE1"])).await;
    let done = team.find(&app, run).await;
    assert_eq!((done.state, done.ended_at), (RunState::Done, Some(app.clock.now())), "nobody is asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_accounts_run_is_unknown_exactly_as_one_that_does_not_exist() {
    let app = TestApp::start().await;
    let (team, other) = (Team::of(&app, "acme").await, Team::of(&app, "other").await);
    let run = team.start(&app, numbers(2)).await;
    team.until_done(&app, run).await;
    let checks = &app.batch_checks;
    for run in [run, Uuid::nil()] {
        let (account, query) = (other.account, RowQuery { limit: 10, ..RowQuery::default() });
        for (what, told) in [
            ("find", checks.find(account, run).await.map(drop)),
            ("rows", checks.rows(account, run, &query).await.map(drop)),
            ("countries", checks.countries(account, run, None).await.map(drop)),
            ("csv", checks.csv(account, run, Separator::Comma).await.map(drop)),
            ("stop", checks.stop(account, run).await),
            ("resume", checks.resume(account, run, other.member).await),
            ("retry", checks.retry_unavailable(account, run, other.member).await.map(drop)),
        ] {
            assert!(matches!(told, Err(BatchError::Unknown)), "{what}: {told:?}");
        }
    }
    let on_behalf_of_others = checks.resume(team.account, run, other.member).await;
    assert!(matches!(on_behalf_of_others, Err(BatchError::UnknownMember)));
    assert_eq!(checks.list(other.account, 0, 10).await.expect("runs").runs, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_of_an_account_are_worked_on_at_once_and_others_wait_for_them() {
    let app = TestApp::start().await;
    let limits = Limits { requests_per_minute: Some(2), ..Limits::default() };
    let team = Team::with(&app, "acme", &limits).await;
    let neighbour = Team::of(&app, "other").await;
    let mut runs = Vec::new();
    for first in [0, 1000, 2000] {
        // Each two parts.
        runs.push(team.start(&app, (first..first + 150).map(number).collect()).await);
        app.clock.advance(Duration::from_millis(1));
    }
    for run in &runs[..2] {
        let paused = team.until(&app, *run, |run| matches!(run.pause, Some(Pause::Until { .. }))).await;
        assert_eq!(paused.counts.waiting, 50, "one part each is what the rate limit serves");
    }
    let queued = team.find(&app, runs[2]).await;
    assert_eq!((queued.pause, queued.counts.waiting), (Some(Pause::EarlierRuns), 150));
    let listed = app.batch_checks.list(team.account, 0, 2).await.expect("runs");
    let ids: Vec<Uuid> = listed.runs.iter().map(|run| run.id).collect();
    assert_eq!((ids, listed.total), (vec![runs[2], runs[1]], 3), "newest first");
    assert_eq!(listed.runs[0].pause, Some(Pause::EarlierRuns));
    let run = neighbour.start(&app, numbers(5)).await;
    neighbour.until_done(&app, run).await;
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(team.find(&app, runs[2]).await.counts.waiting, 150);
    app.clock.advance(Duration::from_mins(1));
    for run in &runs[..2] {
        team.until_done(&app, *run).await;
    }
    team.until(&app, runs[2], |run| matches!(run.pause, Some(Pause::Until { .. }))).await;
    app.clock.advance(Duration::from_mins(1));
    team.until_done(&app, runs[2]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_over_their_time_are_deleted_with_their_rows() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let old = team.start(&app, numbers(5)).await;
    team.until_done(&app, old).await;
    app.clock.advance(Duration::from_hours(24 * 90) + Duration::from_secs(1));
    let new = team.start(&app, numbers(5)).await;
    team.until_done(&app, new).await;
    let before = app.clock.now() - TimeDelta::days(90);
    for deleted in [6, 0] {
        let purge = batch_checks::purge(&app.database.main, app.clock.as_ref(), before, &Actor::COMMAND_LINE);
        assert_eq!(purge.await.expect("purges"), deleted);
    }
    assert!(matches!(app.batch_checks.find(team.account, old).await, Err(BatchError::Unknown)));
    assert_eq!(team.rows(&app, new).await.len(), 5);
}
