//! Batch checks over the real server: what becomes of every row, and how runs go on whatever happens.

mod interruptions;
mod rows;
mod runs;

use std::{collections::HashMap, time::Duration};

use crossvat::{
    accounts::Limits,
    audit::Actor,
    batch_checks::{NewRun, Row, RowPage, RowQuery, Run, RunState},
    members::{Members, NewMember, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use registry_simulator::{Answer, Simulator};
use uuid::Uuid;

use crate::support::{TestApp, given};

/// How long a run may take to get where a test waits for it.
const PATIENCE: Duration = Duration::from_secs(100);
/// Longer than it takes to begin a part that should not be begun.
const A_WHILE: Duration = Duration::from_millis(1300);

/// An account with a member.
struct Team {
    account: Uuid,
    member: Uuid,
}

impl Team {
    async fn of(app: &TestApp, name: &str) -> Self {
        Self::with(app, name, &Limits::default()).await
    }

    async fn with(app: &TestApp, name: &str, limits: &Limits) -> Self {
        let account = app.accounts().create(name, limits, &Actor::COMMAND_LINE).await.expect("account");
        Self { account, member: add_member(app, account, &format!("helen@{name}.example")).await }
    }

    /// A run over these numbers, with a token of its own.
    fn run(&self, app: &TestApp, numbers: Vec<String>) -> NewRun {
        NewRun {
            account_id: self.account,
            member_id: self.member,
            token: app.batch_checks.new_token(),
            file_name: None,
            numbers: given(numbers),
            requesters: None,
            max_age: None,
            supplier_country: None,
        }
    }

    async fn start(&self, app: &TestApp, numbers: Vec<String>) -> Uuid {
        app.batch_checks.start(self.run(app, numbers)).await.expect("starts")
    }

    async fn find(&self, app: &TestApp, run: Uuid) -> Run {
        app.batch_checks.find(self.account, run).await.expect("there")
    }

    /// Waits until the run is so.
    async fn until(&self, app: &TestApp, run: Uuid, is_so: impl Fn(&Run) -> bool) -> Run {
        let waiting = async {
            loop {
                let found = self.find(app, run).await;
                if is_so(&found) {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if let Ok(found) = tokio::time::timeout(PATIENCE, waiting).await {
            return found;
        }
        panic!("still {:?}", self.find(app, run).await)
    }

    async fn until_done(&self, app: &TestApp, run: Uuid) -> Run {
        self.until(app, run, |run| run.state == RunState::Done && !run.is_working).await
    }

    async fn page(&self, app: &TestApp, run: Uuid, query: &RowQuery) -> RowPage {
        app.batch_checks.rows(self.account, run, query).await.expect("rows")
    }

    /// All rows, as pasted.
    async fn rows(&self, app: &TestApp, run: Uuid) -> Vec<Row> {
        self.page(app, run, &RowQuery { limit: u64::from(u32::MAX), ..RowQuery::default() }).await.rows
    }
}

async fn add_member(app: &TestApp, account_id: Uuid, email: &str) -> Uuid {
    let members = Members::new(app.database.main.clone(), app.shared_clock(), Passwords::default());
    let new = NewMember { account_id, email, name: "Helen Fenwick", role: Role::Member, password: None };
    members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member")
}

fn texts(numbers: &[&str]) -> Vec<String> {
    numbers.iter().map(|number| (*number).to_owned()).collect()
}

/// The number in row `place`, which no other row has.
fn number(place: usize) -> String {
    match place % 4 {
        0 => format!("DE1{place:08}"),
        1 => format!("PL1{place:09}"),
        2 => format!("IT1{place:010}"),
        _ => format!("DK1{place:07}"),
    }
}

fn numbers(count: usize) -> Vec<String> {
    (0..count).map(number).collect()
}

/// Has the registries know the first `count` numbers, under these names.
fn register(simulator: &Simulator, count: usize) {
    for place in 0..count {
        let number = number(place);
        let answer = Answer::valid(format!("Trader {place}"), format!("{place} Sample Street"));
        simulator.vies().script(&number[..2], &number[2..], answer);
    }
}

/// How often each number was asked.
fn asked(simulator: &Simulator) -> HashMap<String, usize> {
    let mut asked = HashMap::new();
    for call in simulator.calls().into_iter().filter(|call| !call.number.is_empty()) {
        *asked.entry(format!("{}{}", call.country, call.number)).or_default() += 1;
    }
    asked
}

/// Every number of these was asked, and none twice.
#[track_caller]
fn each_asked_once(simulator: &Simulator, numbers: usize) {
    let asked = asked(simulator);
    assert_eq!(asked.len(), numbers, "numbers that were asked");
    assert!(asked.values().all(|times| *times == 1), "asked twice: {asked:?}");
}
