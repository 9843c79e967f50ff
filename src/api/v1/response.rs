//! The response of `verify-vat`.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};
use vat::{Advice, Registry, Status, SupplierCountry, UnresolvedReason};

use crate::{
    api::openapi,
    limits::whole_seconds,
    verification::checked_number::{CheckedNumber, Source},
};

/// One result for each submitted string, in the order submitted.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct VerifyVatResponse {
    /// The results.
    pub(in crate::api) results: Vec<VerificationResult>,
}

/// What is known about one submitted string. It is written as [`ResultFields`], from what was found, without copies.
#[derive(Clone, Debug)]
pub(in crate::api) struct VerificationResult {
    checked: CheckedNumber,
    supplier: Option<SupplierCountry>,
}

/// What is known about one submitted string.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerificationResult)]
struct ResultFields<'a> {
    /// The number that was checked: upper case, no separators, `EL` for Greece.
    #[schema(example = "DE136695976")]
    vat_number: &'a str,
    /// The string as sent, when it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    submitted: Option<&'a str>,
    /// The leading letters of `vatNumber`; `ZZ` when there are none.
    #[schema(example = "DE", min_length = 2, max_length = 2)]
    country_code: &'a str,
    /// True only when the registry itself said so.
    valid: bool,
    /// What is known: `valid` and `not_registered` are the registry's word, the others say why there is none.
    #[schema(schema_with = openapi::status_schema)]
    status: &'static str,
    /// The trader's name, when the registry discloses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    business_name: Option<&'a str>,
    /// The address lines joined with `, `, when the registry discloses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    address: Option<&'a str>,
    /// When the registry's answer arrived; where no registry answered, when that was decided.
    #[schema(format = DateTime, example = "2026-09-03T08:41:07.412Z")]
    timestamp: String,
    /// Who was asked.
    #[schema(schema_with = openapi::routing_schema)]
    routing: &'static str,
    /// Where the registry's answer came from: asked for this call, or for an earlier one (`timestamp` says when).
    #[schema(schema_with = openapi::source_schema)]
    source: &'static str,
    /// Whether the customer may account for the VAT (reverse charge).
    reverse_charge_eligible: bool,
    /// Why, or why not.
    #[schema(schema_with = openapi::reverse_charge_reason_schema)]
    reverse_charge_reason: &'static str,
    /// The registry's proof of the question, when it gave one. Opaque.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    consultation_number: Option<&'a str>,
    /// What is worth knowing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    advice: Vec<AdviceItem>,
}

/// One piece of advice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(in crate::api) struct AdviceItem {
    /// What, for programs.
    #[schema(schema_with = openapi::advice_code_schema)]
    code: &'static str,
    /// What, for people.
    message: Cow<'static, str>,
    /// A number that may have been meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    suggestion: Option<String>,
}

/// A number that nobody answered. Says nothing about the number.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct UnresolvedNumber {
    /// Its place in `vatNumbers`, from 0.
    #[schema(minimum = 0, maximum = 99)]
    index: usize,
    /// The number that was to be checked, in canonical form.
    vat_number: String,
    /// Its leading letters.
    country_code: String,
    /// Who was asked.
    #[schema(schema_with = openapi::routing_schema)]
    routing: &'static str,
    /// Why there is no answer.
    #[schema(schema_with = openapi::unresolved_reason_schema)]
    reason: &'static str,
    /// Seconds after which asking again makes sense.
    #[schema(minimum = 1)]
    retry_after_seconds: u64,
}

impl VerificationResult {
    pub(super) const fn new(checked: CheckedNumber, supplier: Option<SupplierCountry>) -> Self {
        Self { checked, supplier }
    }
}

impl Serialize for VerificationResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ResultFields::of(&self.checked, self.supplier).serialize(serializer)
    }
}

impl PartialSchema for VerificationResult {
    fn schema() -> RefOr<Schema> {
        ResultFields::schema()
    }
}

impl ToSchema for VerificationResult {
    fn name() -> Cow<'static, str> {
        ResultFields::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ResultFields::schemas(schemas);
    }
}

impl<'a> ResultFields<'a> {
    fn of(checked: &'a CheckedNumber, supplier: Option<SupplierCountry>) -> Self {
        let vat_number = checked.canonical();
        let status = checked.status();
        let reverse_charge = checked.reverse_charge(supplier);
        let trader = checked.trader();
        Self {
            submitted: Some(checked.submitted()).filter(|sent| *sent != vat_number),
            vat_number,
            country_code: checked.country_code(),
            valid: status == Status::Valid,
            status: status.as_str(),
            business_name: trader.and_then(|trader| trader.name.as_deref()),
            address: trader.and_then(|trader| trader.address.as_deref()),
            timestamp: timestamp(checked.decided_at()),
            routing: routing(checked.asked()),
            source: checked.source().map_or("none", Source::as_str),
            reverse_charge_eligible: reverse_charge.eligible(),
            reverse_charge_reason: reverse_charge.as_str(),
            consultation_number: checked.consultation_number(),
            advice: checked.advice().into_iter().map(AdviceItem::from).collect(),
        }
    }
}

impl UnresolvedNumber {
    /// `None` for a number that was answered or never asked.
    pub(super) fn of(index: usize, checked: &CheckedNumber) -> Option<Self> {
        let unresolved = checked.unresolved()?;
        Some(Self {
            index,
            vat_number: checked.canonical().to_owned(),
            country_code: checked.country_code().to_owned(),
            routing: routing(checked.asked()),
            reason: unresolved.reason.as_str(),
            retry_after_seconds: whole_seconds(unresolved.retry_after),
        })
    }

    /// Whether the time of the call was over before anybody answered.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.reason == UnresolvedReason::Deadline.as_str()
    }

    pub(super) const fn retry_after_seconds(&self) -> u64 {
        self.retry_after_seconds
    }
}

impl From<Advice> for AdviceItem {
    fn from(advice: Advice) -> Self {
        Self { code: advice.code.as_str(), message: advice.message, suggestion: advice.suggestion }
    }
}

pub(super) fn timestamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn routing(asked: Option<Registry>) -> &'static str {
    asked.map_or("none", Registry::routing)
}
