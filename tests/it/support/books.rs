//! What a database holds of calls, and the tests' own ledger of what was asked and what was acknowledged, to be compared.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Mutex,
    time::Instant,
};

use chrono::{DateTime, SubsecRound, Utc};
use crossvat::db::{
    Database,
    entities::{allowance, evidence, evidence::EvidenceOutcome, reservation, usage_number, usage_request},
};
use sea_orm::{DbBackend, EntityTrait, IsolationLevel, TransactionTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Answer;

/// Who calls, with what.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The key's identifier.
    pub id: Uuid,
    pub key: String,
}

/// One call as its caller knows it.
#[derive(Debug)]
pub struct Call {
    pub caller: Uuid,
    pub request_id: String,
    pub numbers: Vec<String>,
    pub sent_at: Instant,
    /// When the answer was read to its end, and what it is.
    pub answer: Option<(Instant, Answer)>,
}

impl Call {
    /// When it was acknowledged.
    pub fn acknowledged_at(&self) -> Option<Instant> {
        self.answer.as_ref().filter(|(_, answer)| answer.is_acknowledged()).map(|(at, _)| *at)
    }

    /// The results that were acknowledged.
    pub fn results(&self) -> &[Value] {
        match &self.answer {
            Some((_, answer)) if answer.is_acknowledged() => answer.results(),
            _ => &[],
        }
    }
}

/// Every call that was sent.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Vec<Call>>);

impl Ledger {
    /// Calls `base` and enters the call before it leaves and its answer once it is read. The error when the server was
    /// gone before that.
    pub async fn call(
        &self,
        http: &reqwest::Client,
        base: &str,
        caller: &Caller,
        numbers: &[String],
    ) -> reqwest::Result<Answer> {
        let place = {
            let mut calls = self.0.lock().expect("no panic");
            let request_id = format!("call-{}", calls.len());
            let call = Call {
                caller: caller.id,
                request_id,
                numbers: numbers.to_vec(),
                sent_at: Instant::now(),
                answer: None,
            };
            calls.push(call);
            calls.len() - 1
        };
        let request = http
            .post(format!("{base}/v1/verify-vat"))
            .bearer_auth(&caller.key)
            .header("x-request-id", format!("call-{place}"))
            .json(&json!({ "vatNumbers": numbers }));
        let answer = Answer::if_any(request).await?;
        let read_at = Instant::now();
        if !answer.is_acknowledged() {
            answer.assert_problem(503, "overloaded");
            let wait = answer.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
            assert!(wait.is_some_and(|wait| wait >= 1), "{answer:?}");
        }
        self.0.lock().expect("no panic")[place].answer = Some((read_at, answer.clone()));
        Ok(answer)
    }

    /// Reads the ledger; nobody can enter anything meanwhile.
    pub fn read<T>(&self, read: impl FnOnce(&[Call]) -> T) -> T {
        read(&self.0.lock().expect("no panic"))
    }

    /// Calls of a caller that were sent, and when each was acknowledged.
    pub fn of(&self, caller: &Caller) -> Vec<(Instant, Option<Instant>)> {
        self.read(|calls| {
            let own = calls.iter().filter(|call| call.caller == caller.id);
            own.map(|call| (call.sent_at, call.acknowledged_at())).collect()
        })
    }
}

/// What one account has on record, read in one moment.
#[derive(Debug)]
pub struct Books {
    pub evidence: Vec<evidence::Model>,
    pub numbers: Vec<usage_number::Model>,
    pub requests: Vec<usage_request::Model>,
    /// Used up, in all months.
    pub used: i64,
    /// Set aside, in all months.
    pub reservations: Vec<reservation::Model>,
}

impl Books {
    /// Reads the books of `account`.
    pub async fn read(db: &Database, account: Uuid) -> Self {
        // One moment: a SQLite transaction always sees one, PostgreSQL's from this level on.
        let level =
            (db.main.get_database_backend() != DbBackend::Sqlite).then_some(IsolationLevel::RepeatableRead);
        let moment = db.main.begin_with_config(level, None).await.expect("begins");
        let mut books = Self {
            evidence: evidence::Entity::find().all(&moment).await.expect("rows"),
            numbers: usage_number::Entity::find().all(&moment).await.expect("rows"),
            requests: usage_request::Entity::find().all(&moment).await.expect("rows"),
            used: 0,
            reservations: reservation::Entity::find().all(&moment).await.expect("rows"),
        };
        let allowances = allowance::Entity::find().all(&moment).await.expect("rows");
        moment.commit().await.expect("ends");
        books.evidence.retain(|row| row.account_id == account);
        books.numbers.retain(|row| row.account_id == account);
        books.requests.retain(|row| row.account_id == account);
        books.reservations.retain(|row| row.account_id == account);
        for row in allowances.iter().filter(|row| row.account_id == account) {
            books.used += row.used;
        }
        books
    }

    /// Numbers of a caller that are counted with this source.
    pub fn counted(&self, caller: Uuid, source: &str) -> usize {
        let rows = self.numbers.iter().filter(|row| row.caller_id == caller && row.source == source);
        natural(rows.map(|row| row.count).sum())
    }

    /// Calls of a caller that are counted as acknowledged.
    pub fn acknowledged(&self, caller: Uuid) -> usize {
        let told = ["answered", "registry_unavailable"];
        let rows = self.requests.iter().filter(|row| row.caller_id == caller);
        natural(rows.filter(|row| told.contains(&row.answer.as_str())).map(|row| row.count).sum())
    }

    /// Numbers of a caller that were asked, whatever came of it.
    pub fn proved(&self, caller: Uuid) -> usize {
        self.evidence.iter().filter(|row| row.caller_id == caller).count()
    }

    /// Numbers of a caller that a registry answered.
    pub fn answered(&self, caller: Uuid) -> usize {
        self.evidence
            .iter()
            .filter(|row| row.caller_id == caller && row.outcome != EvidenceOutcome::Unavailable)
            .count()
    }

    /// What holds at any moment, whatever happened before: everything acknowledged as live is proved once and counted,
    /// nothing is proved or counted that was not asked, and the parts agree with each other.
    pub fn agree_with(&self, ledger: &Ledger) {
        let mut proofs: HashMap<(&str, &str), &evidence::Model> = HashMap::new();
        for row in &self.evidence {
            let twice = proofs.insert((row.request_id.as_str(), row.vat_number.as_str()), row);
            assert!(twice.is_none(), "proved twice: {row:?}");
        }
        ledger.read(|calls| {
            let asked: HashSet<(Uuid, &str, &str)> = calls
                .iter()
                .flat_map(|call| {
                    call.numbers.iter().map(|number| (call.caller, call.request_id.as_str(), number.as_str()))
                })
                .collect();
            for row in &self.evidence {
                let question = (row.caller_id, row.request_id.as_str(), row.vat_number.as_str());
                assert!(asked.contains(&question), "proved, but not asked: {row:?}");
            }
            let mut callers: BTreeMap<Uuid, Told> = BTreeMap::new();
            for call in calls {
                let told = callers.entry(call.caller).or_default();
                told.sent += 1;
                told.numbers += call.numbers.len();
                told.singly &= call.numbers.len() == 1;
                told.acknowledged += usize::from(call.acknowledged_at().is_some());
                for result in call.results().iter().filter(|result| result["source"] == "live") {
                    told.live += 1;
                    let number = result["vatNumber"].as_str().expect("a number");
                    let proof = proofs.get(&(call.request_id.as_str(), number));
                    same_answer(proof.unwrap_or_else(|| panic!("acknowledged and lost: {result}")), result);
                }
            }
            for (caller, told) in callers {
                self.count_of(caller, &told);
            }
        });
        let answered = self.evidence.iter().filter(|row| row.outcome != EvidenceOutcome::Unavailable).count();
        assert_eq!(natural(self.used), answered, "used up, and answered by a registry");
    }

    fn count_of(&self, caller: Uuid, told: &Told) {
        let (live, answered) = (self.counted(caller, "live"), self.answered(caller));
        assert!((told.live..=answered).contains(&live), "{live} live numbers counted, {told:?}");
        if told.singly {
            // In one transaction; a number whose call had to be answered before was counted by then, as unresolved.
            let (unresolved, proved) = (self.counted(caller, "none"), self.proved(caller));
            assert!(
                live + unresolved >= proved,
                "{proved} calls of one number are proved, {live} counted as live and {unresolved} as unresolved"
            );
        }
        assert!(self.acknowledged(caller) <= told.sent, "calls counted twice: {told:?}");
        let counted: i64 =
            self.numbers.iter().filter(|row| row.caller_id == caller).map(|row| row.count).sum();
        assert!(natural(counted) <= told.numbers, "{counted} numbers counted, {told:?}");
    }
}

/// What a caller knows of its calls.
#[derive(Debug)]
struct Told {
    sent: usize,
    numbers: usize,
    acknowledged: usize,
    live: usize,
    /// All its calls were about one number.
    singly: bool,
}

impl Default for Told {
    fn default() -> Self {
        Self { sent: 0, numbers: 0, acknowledged: 0, live: 0, singly: true }
    }
}

/// The proof says what the caller was told.
fn same_answer(proof: &evidence::Model, result: &Value) {
    let outcome = match result["status"].as_str() {
        Some("valid") => EvidenceOutcome::Valid,
        Some("not_registered") => EvidenceOutcome::NotRegistered,
        other => panic!("{other:?} is no answer of a registry: {result}"),
    };
    assert_eq!(proof.outcome, outcome, "{result}");
    assert_eq!(proof.name.as_deref(), result["businessName"].as_str());
    assert_eq!(proof.consultation_number.as_deref(), result["consultationNumber"].as_str());
    assert_eq!(proof.received_at.trunc_subsecs(3), timestamp(result));
}

fn timestamp(result: &Value) -> DateTime<Utc> {
    result["timestamp"].as_str().and_then(|text| text.parse().ok()).expect("a time")
}

fn natural(number: i64) -> usize {
    usize::try_from(number).expect("not below nothing")
}
