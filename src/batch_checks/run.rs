//! A run as it is shown.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, Utc};
use uuid::Uuid;
use vat::{SupplierCountry, VatNumber};

use super::{
    PauseReason, RunState, StopReason,
    store::{RunRow, RunWithStarter},
};
use crate::verification::requesters::Requesters;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its identifier.
    pub id: Uuid,
    /// The file that the numbers came from.
    pub file_name: Option<String>,
    /// The first row as typed, by which a run without a file is recognised.
    pub first_text: String,
    /// Who started it.
    pub started_by: Starter,
    /// In whose name the registries are asked.
    pub requesters: Requesters,
    /// Where the account sells from.
    pub supplier_country: Option<SupplierCountry>,
    /// How old an answer may be; zero: not older than the run.
    pub max_age: Duration,
    /// Where it is.
    pub state: RunState,
    /// Why it was stopped, when it is.
    pub stop_reason: Option<StopReason>,
    /// Why it does not go on at present though it runs.
    pub pause: Option<Pause>,
    /// A part is on its way. A run that was stopped takes it in.
    pub is_working: bool,
    /// How far it is.
    pub counts: Counts,
    /// When it was started.
    pub created_at: DateTime<Utc>,
    /// When its last row was decided, once none waits.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A member who started a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starter {
    /// The identifier.
    pub id: Uuid,
    /// The name.
    pub name: String,
}

/// Why a run does not go on at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Earlier runs of the account come first.
    EarlierRuns,
    /// It waits by itself.
    Until {
        /// For this reason.
        reason: PauseReason,
        /// Until then.
        moment: DateTime<Utc>,
    },
}

/// How many rows of a run there are, by what became of them. Duplicates count as often as they stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub rows: u32,
    /// Not asked yet.
    pub waiting: u32,
    /// A registry said yes.
    pub valid: u32,
    /// A registry said no.
    pub not_registered: u32,
    /// No number of that country.
    pub malformed: u32,
    /// Of no country that is covered.
    pub unsupported: u32,
    /// Asked, and nobody answered.
    pub unavailable: u32,
}

/// Some of an account's runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPage {
    /// Newest first.
    pub runs: Vec<Run>,
    /// How many the account has in all.
    pub total: u64,
}

impl Run {
    /// `queued` are the account's runs that wait for earlier ones.
    pub(super) fn of((row, member): RunWithStarter, queued: &HashSet<Uuid>, now: DateTime<Utc>) -> Self {
        let country = row.supplier_country.as_deref().and_then(SupplierCountry::parse);
        Self {
            requesters: requesters_of(&row),
            max_age: max_age_of(&row),
            pause: pause_of(&row, queued, now),
            is_working: row.lease_until.is_some_and(|end| end > now),
            counts: Counts::of(&row),
            id: row.id,
            file_name: row.file_name,
            first_text: row.first_text,
            started_by: Starter {
                id: row.member_id,
                name: member.map_or_else(String::new, |member| member.name),
            },
            supplier_country: country,
            state: row.state,
            stop_reason: row.stop_reason,
            created_at: row.created_at,
            ended_at: row.ended_at,
        }
    }
}

impl Counts {
    fn of(row: &RunRow) -> Self {
        let natural = |count: i32| u32::try_from(count).unwrap_or(0);
        let decided = row.valid + row.not_registered + row.malformed + row.unsupported + row.unavailable;
        Self {
            rows: natural(row.rows),
            waiting: natural(row.rows - decided),
            valid: natural(row.valid),
            not_registered: natural(row.not_registered),
            malformed: natural(row.malformed),
            unsupported: natural(row.unsupported),
            unavailable: natural(row.unavailable),
        }
    }
}

fn pause_of(row: &RunRow, queued: &HashSet<Uuid>, now: DateTime<Utc>) -> Option<Pause> {
    if row.state != RunState::Running {
        return None;
    }
    if queued.contains(&row.id) {
        return Some(Pause::EarlierRuns);
    }
    let reason = row.pause.filter(|_| row.turn_at > now)?;
    Some(Pause::Until { reason, moment: row.turn_at })
}

/// In whose name the registries are asked.
pub(super) fn requesters_of(row: &RunRow) -> Requesters {
    let mut requesters = Requesters::default();
    for number in [&row.hmrc_requester, &row.vies_requester].into_iter().flatten() {
        if let Some(number) = VatNumber::parse(number).number() {
            // Each was stored as another registry's.
            let _first_of_its_registry = requesters.add(number);
        }
    }
    requesters
}

/// How old an answer may be.
pub(super) fn max_age_of(row: &RunRow) -> Duration {
    Duration::from_secs(u64::try_from(row.max_age_seconds).unwrap_or(0))
}
