//! What an account may use and what it wants, read from its row and its plan's. Every way of calling needs them, so
//! each service that finds out who calls reads them along.

use std::{sync::Arc, time::Duration};

use vat::{SupplierCountry, VatNumber};

use super::entities::{
    account::{self, AccountState},
    plan,
};

/// What an account may use and what it wants unless a call says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountTerms {
    /// The account's name.
    pub name: Arc<str>,
    /// Whether it is served at present.
    pub suspended: bool,
    /// The plan's code, such as `standard`.
    pub plan: Arc<str>,
    /// Requests served in any 60 seconds.
    pub requests_per_minute: u32,
    /// Numbers that registries answer in a calendar month, UTC.
    pub numbers_per_month: u64,
    /// In whose name HMRC is asked.
    pub gb_requester: Option<VatNumber>,
    /// In whose name VIES is asked.
    pub eu_requester: Option<VatNumber>,
    /// Where the account sells from.
    pub supplier_country: Option<SupplierCountry>,
    /// How old an answer may be.
    pub max_age: Duration,
    /// Whether a member needs a second factor to do anything in the portal.
    pub demands_second_factor: bool,
}

impl AccountTerms {
    /// The terms of `account`, whose plan is `plan`. What was agreed with the account goes before its plan.
    #[must_use]
    pub fn of(account: &account::Model, plan: &plan::Model) -> Self {
        let number = |text: &Option<String>| VatNumber::parse(text.as_deref()?).number();
        let requests = account.requests_per_minute.unwrap_or(plan.requests_per_minute);
        let numbers = account.numbers_per_month.unwrap_or(plan.numbers_per_month);
        Self {
            name: account.name.as_str().into(),
            suspended: account.state != AccountState::Active,
            plan: plan.code.as_str().into(),
            requests_per_minute: u32::try_from(requests).unwrap_or(0),
            numbers_per_month: u64::try_from(numbers).unwrap_or(0),
            gb_requester: number(&account.gb_requester),
            eu_requester: number(&account.eu_requester),
            supplier_country: account.supplier_country.as_deref().and_then(SupplierCountry::parse),
            max_age: Duration::from_secs(u64::try_from(account.max_age_seconds).unwrap_or(0)),
            demands_second_factor: account.second_factor_demanded,
        }
    }
}
