//! Every recorded answer of the registries, with the outcome its index states.

use std::{fs, path::PathBuf};

use serde_json::Value;

use super::body::Body;
use crate::verification::registry::{RegistryAnswer, RegistryError, TroubleKind as Kind, Verdict};

/// One recorded answer.
pub(super) struct Recorded {
    pub(super) file: String,
    pub(super) request: Value,
    pub(super) expected: String,
    pub(super) body: Body,
}

/// The answers of `registry`, those that either could send included.
pub(super) fn recorded(registry: &str) -> Vec<Recorded> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/registries");
    let index: Value =
        serde_json::from_slice(&fs::read(folder.join("index.json")).expect("the index")).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    index["fixtures"]
        .as_array()
        .expect("an array")
        .iter()
        .filter(|entry| [registry, "any"].contains(&entry["registry"].as_str().expect("text")))
        .map(|entry| {
            let file = text(&entry["file"]);
            let status =
                u16::try_from(entry["response"]["status"].as_u64().expect("a status")).expect("a status");
            let body = Body::recorded(status, fs::read(folder.join(&file)).expect("a recorded answer"));
            Recorded {
                file,
                request: entry["request"].clone(),
                expected: text(&entry["expected_outcome"]),
                body,
            }
        })
        .collect()
}

/// Whether `result` is what the index means by the outcome it states for `recorded`.
pub(super) fn is_as_expected(recorded: &Recorded, result: &Result<RegistryAnswer, RegistryError>) -> bool {
    let Recorded { expected, body, .. } = recorded;
    let kind = match result {
        Err(RegistryError::Trouble(trouble)) => Some(trouble.kind),
        _ => None,
    };
    let verdict = result.as_ref().ok().map(|answer| &answer.verdict);
    match expected.as_str() {
        "valid" => matches!(verdict, Some(Verdict::Registered(_))),
        "not_registered" => verdict == Some(&Verdict::NotRegistered),
        "malformed" => verdict == Some(&Verdict::FormRefused),
        // VIES's VOW-ERR-11 is a fault of ours and not of the number's.
        "bad_input" => verdict == Some(&Verdict::FormRefused) || kind == Some(Kind::QuestionNotUnderstood),
        "requester_problem" => matches!(result, Err(RegistryError::RequesterRefused { .. })),
        // A page that forbids everything is told by its status.
        "unavailable" if body.status == 403 => matches!(kind, Some(Kind::CallerBlocked | Kind::Unreadable)),
        "unavailable" => matches!(
            kind,
            Some(
                Kind::RegistryUnavailable
                    | Kind::RegistryClosed
                    | Kind::MemberStateUnavailable
                    | Kind::TimedOut
                    | Kind::Unreadable
                    // SERVER_BUSY, which the index takes for an unknown code.
                    | Kind::RegistryBusy
            )
        ),
        "unavailable_stop_all" => kind == Some(Kind::CallerBlocked),
        "throttled" => kind == Some(Kind::RegistryBusy),
        "throttled_all" => matches!(kind, Some(Kind::RegistryBusy | Kind::RegistryExhausted)),
        "throttled_country" => matches!(kind, Some(Kind::MemberStateBusy | Kind::MemberStateExhausted)),
        "unknown_blocked" => kind == Some(Kind::NumberBlocked),
        "our_fault" => kind == Some(Kind::NotConfigured),
        "our_fault_unavailable" => {
            matches!(kind, Some(Kind::NotConfigured | Kind::QuestionNotUnderstood | Kind::CallerBlocked))
        }
        other => panic!("the index has a new outcome: {other}"),
    }
}
