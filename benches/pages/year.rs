//! A year of a busy account, beside some that are less busy: made up, but always the same but for its dates, and shaped as
//! the server writes it.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use crossvat::{
    accounts::{Accounts, Limits},
    api_keys::{ApiKeys, KeyMode, NewKey},
    audit::Actor,
    clock::SharedClock,
    db::{
        Database,
        entities::{allowance, evidence, usage_number, usage_request},
    },
    evidence::{CallerKind, EvidenceOutcome, search_text},
    usage::{Month, Recorder, Usage},
};
use rand::rngs::SysRng;
use sea_orm::{
    ActiveModelTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, Iterable, TransactionTrait,
};
use uuid::{NoContext, Timestamp, Uuid};

const DAYS: i64 = 365;
/// Rows of evidence of the busy account, and of all others together.
const EVIDENCE: u64 = 200_000;
const EVIDENCE_OF_OTHERS: u64 = 20_000;
/// Whom the busy account deals with.
const TRADERS: u64 = 20_000;
/// Keys of the busy account that call around the clock.
const KEYS: [&str; 6] =
    ["Checkout", "Checkout, new", "Nightly supplier list", "ERP", "Onboarding", "Tomasz, laptop"];
const OTHERS: usize = 20;
/// Hours between two in which one of the others calls.
const HOURS_OF_OTHERS: usize = 6;

const WORDS: [&str; 12] = [
    "Marine",
    "Supplies",
    "Chandlery",
    "Rigging",
    "Winches",
    "Bunkering",
    "Ateliers",
    "Kerguelen",
    "Pennine",
    "Scheldt",
    "Limassol",
    "Jadran",
];
const PREFIXES: [&str; 8] = ["GB", "DE", "FR", "IE", "PL", "NL", "BE", "EL"];

/// What numbers of an hour are counted as, and how many of a hundred.
const NUMBERS: [(&str, &str, &str, u64); 9] = [
    ("hmrc", "valid", "live", 20),
    ("hmrc", "valid", "cache", 14),
    ("hmrc", "not_registered", "live", 2),
    ("vies", "valid", "live", 35),
    ("vies", "valid", "cache", 22),
    ("vies", "not_registered", "live", 3),
    ("vies", "unavailable", "none", 2),
    ("none", "malformed", "none", 1),
    ("none", "unsupported", "none", 1),
];
const ANSWERS: [(&str, u64); 4] =
    [("answered", 60), ("registry_unavailable", 2), ("rate_limited", 1), ("validation_failed", 1)];

/// Fills an empty database. The busy account.
pub async fn fill(db: &Database, clock: SharedClock) -> Uuid {
    let (now, mut chance) = (clock.now(), Chance(7));
    let accounts = Accounts::new(db.clone(), clock.clone());
    let limits = Limits { numbers_per_month: Some(1_000_000), ..Limits::default() };
    let mut callers = Vec::new();
    for place in 0..=OTHERS {
        let name = if place == 0 { "Fenwick Marine Supplies".to_owned() } else { format!("Other {place}") };
        let account = accounts.create(&name, &limits, &Actor::COMMAND_LINE).await.expect("an account");
        let names = if place == 0 { &KEYS[..] } else { &KEYS[..1] };
        let mut keys = Vec::new();
        for name in names {
            let new = NewKey { id: None, account_id: account, name, mode: KeyMode::Live, expires_at: None };
            let keys_of_all = ApiKeys::new(db.clone(), clock.clone());
            keys.push(keys_of_all.issue(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("a key").id);
        }
        callers.push((account, keys));
    }
    let transaction = db.main.begin().await.expect("begins");
    let counts = count(&transaction, &callers, now, &mut chance).await;
    prove(&transaction, &callers, now, &mut chance).await;
    transaction.commit().await.expect("commits");
    let usage = Usage::new(db.clone(), Recorder::default(), clock);
    let days = usage.add_up_days().await.expect("added up");
    println!("{counts} counts by hour of {} accounts, {days} days added up", callers.len());
    callers[0].0
}

async fn count(
    transaction: &DatabaseTransaction,
    callers: &[(Uuid, Vec<Uuid>)],
    now: DateTime<Utc>,
    chance: &mut Chance,
) -> usize {
    let this_hour = now.duration_trunc(TimeDelta::hours(1)).expect("an hour");
    let mut requests = Rows::<usage_request::Entity>::new();
    let mut numbers = Rows::<usage_number::Entity>::new();
    for (place, (account, keys)) in callers.iter().enumerate() {
        let every = if place == 0 { 1 } else { HOURS_OF_OTHERS };
        for hour in (0..DAYS * 24).rev().step_by(every).map(|ago| this_hour - TimeDelta::hours(ago)) {
            for key in keys {
                let busy = chance.below(10) + 1;
                for (answer, weight) in ANSWERS {
                    let row = usage_request::Model {
                        account_id: *account,
                        hour,
                        caller_id: *key,
                        mode: KeyMode::Live,
                        answer: answer.to_owned(),
                        count: i64::try_from(busy * weight).expect("few"),
                    };
                    requests.add(transaction, row).await;
                }
                for (registry, status, source, weight) in NUMBERS {
                    let row = usage_number::Model {
                        account_id: *account,
                        hour,
                        caller_id: *key,
                        mode: KeyMode::Live,
                        registry: registry.to_owned(),
                        status: status.to_owned(),
                        source: source.to_owned(),
                        count: i64::try_from(busy * weight).expect("few"),
                    };
                    numbers.add(transaction, row).await;
                }
            }
        }
        let used = allowance::Model { account_id: *account, month: Month::of(now).first_day(), used: 27_130 };
        used.into_active_model().insert(transaction).await.expect("written");
    }
    requests.finish(transaction).await + numbers.finish(transaction).await
}

async fn prove(
    transaction: &DatabaseTransaction,
    callers: &[(Uuid, Vec<Uuid>)],
    now: DateTime<Utc>,
    chance: &mut Chance,
) {
    let mut rows = Rows::<evidence::Entity>::new();
    let all = EVIDENCE + EVIDENCE_OF_OTHERS;
    let between = TimeDelta::days(DAYS) / i32::try_from(all).expect("fits");
    for ago in (0..all).rev() {
        let received_at = now - between * i32::try_from(ago).expect("fits");
        let busy = chance.below(all) < EVIDENCE;
        let (account, keys) = &callers[if busy { 0 } else { 1 + chance.place(OTHERS) }];
        rows.add(transaction, proof(*account, keys[chance.place(keys.len())], received_at, chance)).await;
    }
    rows.finish(transaction).await;
}

fn proof(
    account_id: Uuid,
    caller_id: Uuid,
    received_at: DateTime<Utc>,
    chance: &mut Chance,
) -> evidence::Model {
    let trader = chance.below(TRADERS);
    let word = |part: u64| WORDS[usize::try_from(trader / part).expect("fits") % WORDS.len()];
    let prefix = PREFIXES[usize::try_from(trader).expect("fits") % PREFIXES.len()];
    let number = format!("{prefix}{trader:09}");
    let outcome = match chance.below(100) {
        0..3 => EvidenceOutcome::Unavailable,
        3..7 => EvidenceOutcome::NotRegistered,
        _ => EvidenceOutcome::Valid,
    };
    let valid = outcome == EvidenceOutcome::Valid;
    let name = valid.then(|| format!("{} {} {} Ltd", word(1), word(12), word(144)));
    let consultation_number = valid.then(|| format!("WAPIAAAB{:08x}", chance.below(1 << 32)));
    let seconds = u64::try_from(received_at.timestamp()).expect("after 1970");
    evidence::Model {
        id: Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, received_at.timestamp_subsec_nanos())),
        account_id,
        registry: if prefix == "GB" { "hmrc" } else { "vies" }.to_owned(),
        outcome,
        reason: (outcome == EvidenceOutcome::Unavailable).then(|| "member_state_unavailable".to_owned()),
        requester: Some("IE6388047V".to_owned()),
        requester_refused: false,
        address: valid.then(|| format!("{} {} Road, Ballycotton, Co. Cork", trader % 200, word(7))),
        search_text: search_text(&number, consultation_number.as_deref(), name.as_deref()),
        vat_number: number,
        name,
        consultation_number,
        registry_dated: Some(received_at.to_rfc3339()),
        received_at,
        caller_kind: CallerKind::ApiKey,
        caller_id,
        request_id: format!("01991f3a-6c1e-7d20-9a51-{:012x}", chance.below(1 << 48)),
    }
}

/// Rows on their way into one table, some thousand at once.
struct Rows<E: EntityTrait> {
    waiting: Vec<E::ActiveModel>,
    written: usize,
}

impl<E: EntityTrait> Rows<E> {
    /// Values that one statement of SQLite takes.
    const MOST_VALUES: usize = 30_000;

    const fn new() -> Self {
        Self { waiting: Vec::new(), written: 0 }
    }

    async fn add(&mut self, transaction: &DatabaseTransaction, row: E::Model)
    where
        E::Model: IntoActiveModel<E::ActiveModel>,
    {
        self.waiting.push(row.into_active_model());
        if self.waiting.len() >= Self::MOST_VALUES / E::Column::iter().count() {
            self.write(transaction).await;
        }
    }

    async fn write(&mut self, transaction: &DatabaseTransaction) {
        let rows = std::mem::take(&mut self.waiting);
        if rows.is_empty() {
            return;
        }
        self.written += rows.len();
        E::insert_many(rows).exec_without_returning(transaction).await.expect("written");
    }

    /// Rows in all.
    async fn finish(mut self, transaction: &DatabaseTransaction) -> usize {
        self.write(transaction).await;
        self.written
    }
}

/// Chance that is the same every time (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn place(&mut self, of: usize) -> usize {
        usize::try_from(self.below(of as u64)).expect("fits")
    }
}
