//! Runs that are stopped, by whomever and whatever, and go on.

use std::{sync::Arc, time::Duration};

use crossvat::{
    accounts::Limits,
    audit::Actor,
    batch_checks::{BatchChecks, NewRun, Pause, PauseReason, RowQuery, RunState, StopReason},
    clock::{Clock, SharedClock, SystemClock},
    db::{
        Database,
        entities::{
            batch_run,
            evidence::{self, EvidenceOutcome},
        },
    },
    evidence::Evidence,
    limits::RateLimiter,
    members::{Members, NewMember, Role},
    passwords::Passwords,
    registries::sandbox::Sandbox,
    usage::{Allowances, Recorder},
    verify_vat::{Parts, VerifyVat},
};
use rand::rngs::SysRng;
use registry_simulator::Answer;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Expr};

use super::{A_WHILE, PATIENCE, Team, add_member, asked, each_asked_once, numbers, register};
use crate::support::{Office, TestApp, database::DatabaseKind, given};

/// So slow that a run can be met in the middle: a part takes more than a second.
const SLOW: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_stopped_asks_no_more_and_goes_on_where_it_was() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    app.simulator.vies().set_delay(SLOW);
    let run = team.start(&app, numbers(350)).await;
    team.until(&app, run, |run| run.counts.waiting <= 250).await;
    for _ in 0..2 {
        app.batch_checks.stop(team.account, run).await.expect("stops");
    }
    let stopped = team.until(&app, run, |run| !run.is_working).await;
    assert_eq!((stopped.state, stopped.stop_reason), (RunState::Stopped, Some(StopReason::Asked)));
    let waiting = stopped.counts.waiting;
    assert!((50..=250).contains(&waiting), "what was on its way was taken in, and no more: {waiting}");
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(app.simulator.calls().len(), 350 - waiting as usize);
    for _ in 0..2 {
        app.batch_checks.resume(team.account, run, team.member).await.expect("goes on");
    }
    let done = team.until_done(&app, run).await;
    assert_eq!((done.counts.not_registered, done.stop_reason), (350, None));
    each_asked_once(&app.simulator, 350);
    app.batch_checks.stop(team.account, run).await.expect("nothing to stop");
    app.batch_checks.resume(team.account, run, team.member).await.expect("nothing to resume");
    assert_eq!(team.find(&app, run).await.state, RunState::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_in_the_middle_goes_on_where_it_was() {
    let mut app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    app.simulator.vies().set_delay(SLOW);
    let run = team.start(&app, numbers(350)).await;
    team.until(&app, run, |run| run.counts.waiting <= 250).await;
    app.ask_to_stop();
    app.ended().await;
    let found = idle(&app.database, &app.shared_clock()).find(team.account, run).await.expect("there");
    assert!(found.counts.waiting > 0 && found.state == RunState::Running, "in the middle: {found:?}");
    app.start_again().await;
    let done = team.until_done(&app, run).await;
    assert_eq!(done.counts.not_registered, 350);
    each_asked_once(&app.simulator, 350);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_in_the_middle_leaves_a_part_that_another_begins_anew() {
    let office = Office::open().await;
    let clock: SharedClock = Arc::new(SystemClock::default());
    let members = Members::new(office.database.main.clone(), Arc::clone(&clock), Passwords::default());
    let new = NewMember {
        account_id: office.account,
        email: "helen@acme.example",
        name: "Helen Fenwick",
        role: Role::Member,
        password: None,
    };
    let member = members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member");
    let numbers: Vec<String> = (0..300).map(|place| office.number(place)).collect();
    let checks = idle(&office.database, &clock);
    // Of the second part one number is not answered before the server dies, so that the part cannot end.
    let (country, national) = numbers[150].split_at(2);
    office.simulator.vies().script(country, national, Answer::Silence);
    let mut patient = office.program();
    for limit in ["CROSSVAT_VIES__TIMEOUT_SECONDS", "CROSSVAT_VERIFICATION__DEADLINE_SECONDS"] {
        patient.env(limit, "60");
    }
    let dying = office.serve_with(patient);
    let run = NewRun {
        account_id: office.account,
        member_id: member,
        token: checks.new_token(),
        file_name: Some("customers.csv".to_owned()),
        numbers: given(&numbers),
        requesters: None,
        max_age: Some(Duration::ZERO),
        supplier_country: None,
    };
    let run = checks.start(run).await.expect("starts");
    let answers = async || {
        let answered = evidence::Entity::find()
            .filter(evidence::Column::Outcome.ne(EvidenceOutcome::Unavailable))
            .all(&office.database.main);
        answered.await.expect("rows")
    };
    tokio::time::timeout(PATIENCE, async {
        while answers().await.len() < 130 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("asks");
    dying.kill();
    let left = checks.find(office.account, run).await.expect("there");
    assert!(left.is_working && left.counts.waiting > 0, "in the middle of a part: {left:?}");
    let answered_before = answers().await.len();
    assert!(answered_before > (left.counts.rows - left.counts.waiting) as usize, "not taken in: {left:?}");
    // The lease is over.
    batch_run::Entity::update_many()
        .col_expr(batch_run::Column::LeaseUntil, Expr::value(clock.now() - Duration::from_secs(1)))
        .exec(&office.database.main)
        .await
        .expect("updates");
    office.simulator.vies().unscript(country, national);
    let mut next = office.serve();
    tokio::time::timeout(PATIENCE, async {
        while checks.find(office.account, run).await.expect("there").state != RunState::Done {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .expect("ends");
    next.stop();
    let answered = answers().await;
    assert_eq!(answered.len(), 300, "no number was answered twice, though new answers were wanted");
    let query = RowQuery { limit: 1000, ..RowQuery::default() };
    let rows = checks.rows(office.account, run, &query).await.expect("rows").rows;
    for (row, number) in rows.iter().zip(&numbers) {
        assert_eq!(&row.vat_number, number);
        assert!(answered.iter().any(|proof| Some(proof.id) == row.evidence_id), "{row:?}");
    }
}

/// The batch checks of a database, on which this one does not work.
fn idle(database: &Database, clock: &SharedClock) -> BatchChecks {
    let verify_vat = VerifyVat::new(Parts {
        registries: Arc::new(Sandbox::new(Arc::clone(clock))),
        sandbox: Box::new(Sandbox::new(Arc::clone(clock))),
        limiter: RateLimiter::in_memory(Arc::clone(clock)),
        allowances: Allowances::new(database.clone(), Arc::clone(clock), Duration::from_mins(1)),
        evidence: Evidence::new(database.main.clone()),
        recorder: Recorder::default(),
        deadline: Duration::from_secs(1),
        afterwards: Duration::ZERO,
        clock: Arc::clone(clock),
    });
    BatchChecks::new(database.main.clone(), verify_vat, Arc::clone(clock), Duration::from_mins(1))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_instances_one_at_a_time_works_on_a_run() {
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        return;
    }
    let one = TestApp::start().await;
    let other = TestApp::with()
        .set("DATABASE__URL", one.database_url())
        .set("VIES__BASE_URL", &one.simulator.vies_base_url())
        .start()
        .await;
    let team = Team::of(&one, "acme").await;
    one.simulator.vies().set_delay(SLOW);
    let mut runs = Vec::new();
    for first in [0, 1000] {
        runs.push(team.start(&one, (first..first + 350).map(super::number).collect()).await);
        // Both are told that there is something to do.
        other.batch_checks.stop(team.account, runs[runs.len() - 1]).await.expect("stops");
        other.batch_checks.resume(team.account, runs[runs.len() - 1], team.member).await.expect("goes on");
    }
    for run in runs {
        let done = team.until_done(&other, run).await;
        assert_eq!(done.counts.not_registered, 350);
    }
    each_asked_once(&one.simulator, 700);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_allowance_that_is_used_up_stops_the_run_and_nothing_is_lost() {
    let app = TestApp::start().await;
    let limits = |numbers| Limits { numbers_per_month: Some(numbers), ..Limits::default() };
    let team = Team::with(&app, "acme", &limits(130)).await;
    register(&app.simulator, 250);
    let run = team.start(&app, numbers(250)).await;
    let stopped = team.until(&app, run, |run| run.state == RunState::Stopped && !run.is_working).await;
    assert_eq!(stopped.stop_reason, Some(StopReason::AllowanceUsedUp));
    assert_eq!((stopped.counts.valid, stopped.counts.waiting), (130, 120), "used to the last");
    app.batch_checks.resume(team.account, run, team.member).await.expect("goes on");
    let again = team.until(&app, run, |run| run.state == RunState::Stopped && !run.is_working).await;
    assert_eq!(again.counts, stopped.counts);
    let (accounts, more) = (app.accounts(), limits(250));
    let change = accounts.change_limits(team.account, &more, "agreed", &Actor::COMMAND_LINE);
    change.await.expect("changes");
    app.batch_checks.resume(team.account, run, team.member).await.expect("goes on");
    assert_eq!(team.until_done(&app, run).await.counts.valid, 250);
    each_asked_once(&app.simulator, 250);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limit_that_is_used_up_is_waited_for() {
    let app = TestApp::start().await;
    let limits = Limits { requests_per_minute: Some(1), ..Limits::default() };
    let team = Team::with(&app, "acme", &limits).await;
    let run = team.start(&app, numbers(250)).await;
    for waiting in [150, 50] {
        let paused = team.until(&app, run, |run| run.counts.waiting == waiting && run.pause.is_some()).await;
        let moment = app.clock.now() + Duration::from_mins(1);
        assert_eq!(paused.pause, Some(Pause::Until { reason: PauseReason::RateLimit, moment }));
        assert!(app.batch_checks.stops_anything(&paused).await.expect("looks"), "nothing is on its way");
        app.clock.advance(Duration::from_secs(59));
        tokio::time::sleep(A_WHILE).await;
        assert_eq!(team.find(&app, run).await.counts.waiting, waiting, "not before it may");
        app.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(team.until_done(&app, run).await.counts.not_registered, 250);
    each_asked_once(&app.simulator, 250);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_cannot_be_recorded_are_waited_for() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let rename = |from, to| {
        let statement = format!("ALTER TABLE {from} RENAME TO {to}");
        let database = &app.database.main;
        async move { database.execute_unprepared(&statement).await.expect("renames") }
    };
    rename("evidence", "evidence_elsewhere").await;
    let run = team.start(&app, numbers(20)).await;
    let paused = team.until(&app, run, |run| run.pause.is_some()).await;
    let Some(Pause::Until { reason: PauseReason::NotRecorded, moment }) = paused.pause else {
        panic!("{paused:?}")
    };
    assert_eq!(paused.counts.waiting, 20);
    rename("evidence_elsewhere", "evidence").await;
    app.clock.advance((moment - app.clock.now()).to_std().expect("later"));
    assert_eq!(team.until_done(&app, run).await.counts.not_registered, 20);
    assert!(asked(&app.simulator).len() == 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_is_suspended_and_a_member_who_left_stop_a_run_until_somebody_sends_it_on() {
    let app = TestApp::start().await;
    let limits = Limits { requests_per_minute: Some(1), ..Limits::default() };
    let team = Team::with(&app, "acme", &limits).await;
    let run = team.start(&app, numbers(350)).await;
    let paused_at = async |waiting| {
        team.until(&app, run, |run| run.counts.waiting == waiting && run.pause.is_some()).await;
    };
    let stopped = async |reason| {
        app.clock.advance(Duration::from_mins(1));
        let stopped = team.until(&app, run, |run| run.state == RunState::Stopped && !run.is_working).await;
        assert_eq!(stopped.stop_reason, Some(reason));
    };
    let (accounts, checks) = (app.accounts(), &app.batch_checks);
    let members = Members::new(app.database.main.clone(), app.shared_clock(), Passwords::default());

    paused_at(250).await;
    accounts.suspend(team.account, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    stopped(StopReason::AccountSuspended).await;
    accounts.restore(team.account, "paid", &Actor::COMMAND_LINE).await.expect("restores");
    checks.resume(team.account, run, team.member).await.expect("goes on");

    paused_at(150).await;
    let owner = NewMember {
        account_id: team.account,
        email: "maya@acme.example",
        name: "Maya Okafor",
        role: Role::Owner,
        password: None,
    };
    let owner = members.add(owner, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member");
    let change = members.change_role(team.account, team.member, Role::Viewer, &Actor::COMMAND_LINE);
    change.await.expect("changes");
    stopped(StopReason::MemberLeft).await;
    checks.resume(team.account, run, owner).await.expect("goes on");

    paused_at(50).await;
    let successor = add_member(&app, team.account, "sam@acme.example").await;
    let change = members.change_role(team.account, successor, Role::Owner, &Actor::COMMAND_LINE);
    change.await.expect("changes");
    members.remove(team.account, owner, &Actor::COMMAND_LINE).await.expect("removes");
    stopped(StopReason::MemberLeft).await;
    checks.resume(team.account, run, successor).await.expect("goes on");
    let done = team.until_done(&app, run).await;
    assert_eq!((done.counts.not_registered, done.started_by.id), (350, team.member));
    let proofs = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    let by = |member| proofs.iter().filter(|proof| proof.caller_id == member).count();
    assert_eq!((by(team.member), by(owner), by(successor)), (200, 100, 50));
}
