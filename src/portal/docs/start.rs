//! `/`: the start page, with a number of the sandbox that anybody may ask about.

use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use crossvat_app::{
    SlipText,
    docs::{SandboxAnswer, Tried, TrySlip, write_try_slip},
};
use serde::Deserialize;
use vat::{MAX_CHARACTERS, Registry, ReverseCharge, Status};

use crate::{
    portal::{moments::instant, pages, state::Portal, visit::Visit},
    verification::checked_number::CheckedNumber,
    verify_vat::Verified,
};

/// What is shown when nobody has asked anything: a registered number, written as people write it.
const EXAMPLE: &str = "nl 9999.91.000.B01";

/// What the address asks.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Question {
    r#try: String,
}

/// `GET /`
pub(super) async fn page(
    State(portal): State<Portal>,
    visit: Visit,
    question: Result<Query<Question>, QueryRejection>,
) -> Response {
    let typed = question.map(|Query(question)| question.r#try).unwrap_or_default();
    let (status, wait, slip) = try_out(&portal, &visit, typed).await;
    let mut document = visit.document(None);
    document.slip = Some(SlipText(write_try_slip(slip)));
    let mut response = pages::write(portal.site.assets.clone(), document, &visit.address).await;
    *response.status_mut() = status;
    if let Some(wait) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
    }
    response
}

/// The slip, the status that goes with it, and the seconds to wait.
async fn try_out(portal: &Portal, visit: &Visit, typed: String) -> (StatusCode, Option<u64>, TrySlip) {
    if typed.trim().is_empty() {
        let verified = portal.verify_vat.show(EXAMPLE).await;
        let tried = answered(portal, verified);
        return (StatusCode::OK, None, TrySlip { typed: EXAMPLE.to_owned(), tried });
    }
    if typed.chars().count() > MAX_CHARACTERS {
        let words = format!("A number has {MAX_CHARACTERS} characters at most");
        return (StatusCode::UNPROCESSABLE_ENTITY, None, TrySlip { typed, tried: Tried::Refused(words) });
    }
    match portal.verify_vat.try_out(&typed, visit.client).await {
        Ok(verified) => (StatusCode::OK, None, TrySlip { typed, tried: answered(portal, verified) }),
        Err(rate) => {
            let wait = rate.seconds_to_wait();
            let words = format!(
                "Nothing was checked: {} numbers a minute can be tried without a key. Try again in {wait} seconds",
                rate.limit
            );
            (StatusCode::TOO_MANY_REQUESTS, Some(wait), TrySlip { typed, tried: Tried::Refused(words) })
        }
    }
}

fn answered(portal: &Portal, verified: Verified) -> Tried {
    let now = portal.clock.now();
    let Some(checked) = verified.numbers.first() else {
        return Tried::Refused("Type a VAT number".to_owned());
    };
    let is_listed = portal.docs.sandbox.iter().any(|entry| entry.number == checked.canonical());
    let trader = checked.trader();
    let answer = SandboxAnswer {
        number: checked.canonical().to_owned(),
        status: checked.status(),
        known: is_listed || checked.asked().is_none(),
        name: name(checked),
        address: trader.and_then(|trader| trader.address.clone()),
        answered: instant(checked.decided_at(), now),
        reverse_charge: reverse_charge(checked),
        advice: checked.advice().into_iter().map(|advice| advice.message.into_owned()).collect(),
        json: String::new(),
    };
    let json = (portal.docs.answer)(verified);
    Tried::Answer(Box::new(SandboxAnswer { json, ..answer }))
}

/// The trader's name, or why there is none.
fn name(checked: &CheckedNumber) -> Option<String> {
    let undisclosed = || match checked.asked() {
        Some(Registry::Vies) => "Not disclosed by the member state",
        Some(Registry::Hmrc) | None => "Not disclosed",
    };
    let name = checked.trader().and_then(|trader| trader.name.clone());
    (checked.status() == Status::Valid).then(|| name.unwrap_or_else(|| undisclosed().to_owned()))
}

fn reverse_charge(checked: &CheckedNumber) -> String {
    let words = match checked.reverse_charge(None) {
        ReverseCharge::SupplierCountryNotGiven => "Possible, if the seller is in another country",
        ReverseCharge::CrossBorder => "Possible",
        ReverseCharge::Domestic | ReverseCharge::NotValid | ReverseCharge::Unverified => "Not possible",
    };
    words.to_owned()
}
