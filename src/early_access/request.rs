//! A request as it is shown.

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;
use vat::VatNumber;

use super::{
    ExpectedVolume, KeyRequestState, NumberOutcome,
    store::{RequestRow, RequestWithAsker},
};

/// What an account asked, and what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRequest {
    /// Its identifier.
    pub id: Uuid,
    /// The account.
    pub account_id: Uuid,
    /// Who asks for it.
    pub asker: Asker,
    /// The company's name.
    pub company: String,
    /// The company's own number.
    pub vat_number: Option<VatNumber>,
    /// What its registry said of it, once it was asked.
    pub number_check: Option<NumberCheck>,
    /// What it will check and when.
    pub intended_use: String,
    /// About how much.
    pub expected_volume: ExpectedVolume,
    /// Where it is.
    pub state: KeyRequestState,
    /// When it was asked.
    pub created_at: DateTime<Utc>,
    /// When it was answered or taken back.
    pub decided_at: Option<DateTime<Utc>>,
    /// Who of the support staff answered.
    pub decided_by: Option<Uuid>,
    /// Why it was declined.
    pub reason: Option<String>,
}

/// What came of asking a registry about a company's own number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberCheck {
    /// What it said; [`NumberOutcome::Unavailable`] when it said nothing, which says nothing of the number either.
    pub outcome: NumberOutcome,
    /// Who is registered, as far as the registry discloses it.
    pub trader: Option<String>,
    /// When.
    pub asked_at: DateTime<Utc>,
}

/// The member who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The identifier.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// In lower case; `None` when they are no member any more.
    pub email: Option<String>,
    /// When they proved that the address is theirs.
    pub confirmed_at: Option<DateTime<Utc>>,
}

impl KeyRequest {
    pub(super) fn of((row, member): RequestWithAsker) -> Result<Self, DbErr> {
        let member =
            member.ok_or_else(|| DbErr::RecordNotFound(format!("the member of request {}", row.id)))?;
        Ok(Self {
            asker: Asker {
                id: member.id,
                email: member.address().map(str::to_owned),
                name: member.name,
                confirmed_at: member.confirmed_at,
            },
            number_check: check_of(&row),
            id: row.id,
            account_id: row.account_id,
            company: row.company,
            vat_number: row.vat_number.and_then(|number| VatNumber::parse(&number).number()),
            intended_use: row.intended_use,
            expected_volume: row.expected_volume,
            state: row.state,
            created_at: row.created_at,
            decided_at: row.decided_at,
            decided_by: row.decided_by,
            reason: row.reason,
        })
    }
}

fn check_of(row: &RequestRow) -> Option<NumberCheck> {
    Some(NumberCheck {
        outcome: row.number_outcome?,
        trader: row.number_trader.clone(),
        asked_at: row.number_asked_at?,
    })
}

impl ExpectedVolume {
    /// Every choice, least first.
    pub const ALL: [Self; 4] = [Self::UpTo1000, Self::UpTo10000, Self::UpTo50000, Self::More];

    /// What a form has sent.
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|volume| volume.as_str() == value)
    }

    /// The choice of this value, as a form sends it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UpTo1000 => "up_to_1000",
            Self::UpTo10000 => "up_to_10000",
            Self::UpTo50000 => "up_to_50000",
            Self::More => "more",
        }
    }

    /// The most numbers a month that are expected; none when it is more than any choice.
    #[must_use]
    pub const fn up_to(self) -> Option<u64> {
        match self {
            Self::UpTo1000 => Some(1_000),
            Self::UpTo10000 => Some(10_000),
            Self::UpTo50000 => Some(50_000),
            Self::More => None,
        }
    }
}

impl KeyRequestState {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
        }
    }
}
