//! `/docs/try`: a call that somebody sends from a form, with a test key that is typed and kept nowhere.

use axum::{Form, extract::State, http::StatusCode, response::Response};
use crossvat_app::{docs::TryCall, portal::Fault as FormFault};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use vat::{MAX_CHARACTERS, SupplierCountry};

use crate::{
    api_keys::{AuthenticationError, KeyMode, PresentedKey},
    limits::{LimitedAction, RateStatus},
    portal::{fault::Fault, state::Portal, visit::Visit},
    verify_vat::{Admission, Asker},
};

/// Most numbers of one try: it is for looking, not for working.
const MAX_NUMBERS: usize = 10;

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    key: SecretString,
    numbers: String,
    supplier: String,
}

/// A question that can be asked.
struct Question {
    numbers: Vec<String>,
    supplier: Option<SupplierCountry>,
}

/// `GET /docs/try`
pub(super) async fn form(visit: Visit) -> Response {
    let numbers = "GB999910095\nde 999 991 005\nFR20999993017".to_owned();
    visit.page(StatusCode::OK, TryCall { numbers, ..TryCall::default() }).await
}

/// `POST /docs/try`
pub(super) async fn send(
    State(portal): State<Portal>,
    visit: Visit,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let page =
        TryCall { numbers: sent.numbers.clone(), supplier: sent.supplier.clone(), ..TryCall::default() };
    let refused = async |status, faults| visit.page(status, TryCall { faults, ..page.clone() }).await;
    let key = test_key(sent.key.expose_secret());
    let (question, mut faults) = question(&sent);
    let key = match key {
        Ok(key) if faults.is_empty() => key,
        Ok(_) => return Ok(refused(StatusCode::UNPROCESSABLE_ENTITY, faults).await),
        Err(fault) => {
            faults.insert(0, fault);
            return Ok(refused(StatusCode::UNPROCESSABLE_ENTITY, faults).await);
        }
    };
    // Before the key is looked up: keys are not to be tried out here.
    if let Err(rate) = portal.limiter.admit(&LimitedAction::TryFrom(visit.client)).await {
        return Ok(refused(StatusCode::TOO_MANY_REQUESTS, vec![too_many("from one address", rate)]).await);
    }
    let admission = match admit(&portal, &key).await? {
        Ok(admission) => admission,
        Err((status, fault)) => return Ok(refused(status, vec![fault]).await),
    };
    let mut body = json!({ "vatNumbers": question.numbers, "partial": true });
    if let Some(supplier) = question.supplier {
        body["supplierCountry"] = json!(supplier.as_str());
    }
    let verified = portal.verify_vat.rehearse(&admission, question.numbers, question.supplier).await;
    let call = Some((format!("{body:#}"), (portal.docs.answer)(verified)));
    Ok(visit.page(StatusCode::OK, TryCall { call, ..page.clone() }).await)
}

fn test_key(typed: &str) -> Result<PresentedKey, FormFault> {
    let typed = typed.trim();
    let words = if typed.is_empty() {
        "Type a test key"
    } else if typed.starts_with(KeyMode::Live.prefix()) {
        "Use a test key: this is a live one, which belongs in no form"
    } else if let Some(key) = PresentedKey::parse(typed) {
        return Ok(key);
    } else {
        "This is no key of ours. Copy the whole of it, from cv_test_ to its last character"
    };
    Err(FormFault::new("key", words))
}

/// The question as far as it can be asked, and what needs changing.
fn question(sent: &Sent) -> (Question, Vec<FormFault>) {
    let mut faults = Vec::new();
    let numbers: Vec<String> =
        sent.numbers.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    if numbers.is_empty() {
        faults.push(FormFault::new("numbers", "Type at least one number"));
    } else if numbers.len() > MAX_NUMBERS {
        let words = format!("Type up to {MAX_NUMBERS} numbers; these are {}", numbers.len());
        faults.push(FormFault::new("numbers", words));
    } else if numbers.iter().any(|number| number.chars().count() > MAX_CHARACTERS) {
        let words = format!("A number has {MAX_CHARACTERS} characters at most. Begin a line for each");
        faults.push(FormFault::new("numbers", words));
    }
    let typed = sent.supplier.trim();
    let supplier = SupplierCountry::parse(typed);
    if supplier.is_none() && !typed.is_empty() {
        faults.push(FormFault::new("supplier", "Use a country’s two letters, such as IE for Ireland"));
    }
    (Question { numbers, supplier }, faults)
}

/// Counts the call, or says why it is refused.
async fn admit(
    portal: &Portal,
    key: &PresentedKey,
) -> Result<Result<Admission, (StatusCode, FormFault)>, Fault> {
    let opens_nothing = |words| Ok(Err((StatusCode::UNPROCESSABLE_ENTITY, FormFault::new("key", words))));
    let caller = match portal.api_keys.authenticate(key).await {
        Ok(caller) => caller,
        Err(AuthenticationError::UnknownKey) => {
            return opens_nothing(
                "This is no key of ours. Copy the whole of it, from cv_test_ to its last character",
            );
        }
        Err(AuthenticationError::Revoked) => return opens_nothing("This key was revoked. Use another"),
        Err(AuthenticationError::Expired) => {
            return opens_nothing("The time of this key is over. Use another");
        }
        Err(AuthenticationError::AccountSuspended) => {
            return opens_nothing("The account of this key is suspended. Support can tell why");
        }
        Err(error @ AuthenticationError::Database(_)) => return Err(error.into()),
    };
    let asker = Asker::from(caller.as_ref());
    portal.verify_vat.note_use(&asker);
    let admitted = portal.verify_vat.admit(asker).await;
    Ok(admitted.map_err(|rate| {
        (StatusCode::TOO_MANY_REQUESTS, too_many("with the test keys of your account", rate))
    }))
}

/// What is said where `whose` calls are as many as may be.
fn too_many(whose: &str, rate: RateStatus) -> FormFault {
    let (limit, wait) = (rate.limit, rate.seconds_to_wait());
    let words =
        format!("Nothing was sent: {limit} calls a minute can be made {whose}. Try again in {wait} seconds");
    FormFault::new("key", words)
}
