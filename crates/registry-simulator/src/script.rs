//! What a registry is told to say about one number. How it is said on the wire is the registries' matter.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use serde::{Deserialize, Serialize};

/// One answer of a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// What the simulator says by itself: the published example numbers are registered, others are not.
    #[default]
    Usual,
    /// Registered. Lines of the address are separated by `\n`. HMRC splits them into `line1` to `line5`; a last
    /// line of two capitals is the country code, and a last line that looks like a UK postcode is the postcode.
    Valid {
        /// The trader's name, sent as it stands.
        name: String,
        /// The trader's address.
        address: String,
    },
    /// Not registered.
    NotRegistered,
    /// The registry's error of this code, in the registry's own form.
    Error {
        /// For example `MS_UNAVAILABLE` (VIES), `SERVER_ERROR` (HMRC) or `invalid_client` (HMRC's token endpoint).
        code: String,
        /// The HTTP status, where the code's usual one will not do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// The text, where the code's usual one will not do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// An HTML page, as from a proxy in front of the registry.
    Html {
        /// The HTTP status.
        #[serde(default = "service_unavailable")]
        status: u16,
    },
    /// Status 200 and no body.
    Empty,
    /// The usual answer's JSON, cut off in the middle.
    Truncated,
    /// The usual answer, reset in the middle of its body: fewer bytes come than its head has promised.
    CutOff,
    /// These bytes and nothing else.
    Raw {
        /// The HTTP status.
        #[serde(default = "ok")]
        status: u16,
        /// The `Content-Type` header.
        #[serde(default = "json")]
        content_type: String,
        /// The body.
        #[serde(with = "text")]
        body: Vec<u8>,
    },
    /// The TCP connection is reset before a byte is answered.
    Reset,
    /// The connection is kept open and nothing is ever answered.
    Silence,
}

impl Answer {
    /// Registered, with this name and address.
    #[must_use]
    pub fn valid(name: impl Into<String>, address: impl Into<String>) -> Self {
        Self::Valid { name: name.into(), address: address.into() }
    }

    /// The error of this code with its usual status and text.
    #[must_use]
    pub fn error(code: impl Into<String>) -> Self {
        Self::Error { code: code.into(), status: None, message: None }
    }

    /// The error of this code with another HTTP status, as for HMRC's two kinds of `INVALID_REQUEST`.
    #[must_use]
    pub fn error_with_status(code: impl Into<String>, status: u16) -> Self {
        Self::Error { code: code.into(), status: Some(status), message: None }
    }

    /// An HTML page with this status.
    #[must_use]
    pub fn html(status: u16) -> Self {
        Self::Html { status }
    }

    /// Verbatim bytes.
    #[must_use]
    pub fn raw(status: u16, content_type: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self::Raw { status, content_type: content_type.into(), body: body.into() }
    }

    /// This answer, `delay` later than the registry would otherwise give it.
    #[must_use]
    pub fn after(self, delay: Duration) -> Step {
        Step { answer: self, delay, ..Step::default() }
    }

    /// This answer, its head at once and its body in pieces over so long.
    #[must_use]
    pub fn over(self, body: Duration) -> Step {
        Step { answer: self, body, ..Step::default() }
    }
}

/// An answer and how long it takes beyond the registry's own delay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is answered.
    #[serde(flatten)]
    pub answer: Answer,
    /// Extra delay; `delay_ms` in JSON.
    #[serde(default, rename = "delay_ms", with = "millis")]
    pub delay: Duration,
    /// How long its body takes; `body_ms` in JSON.
    #[serde(default, rename = "body_ms", with = "millis")]
    pub body: Duration,
}

impl From<Answer> for Step {
    fn from(answer: Answer) -> Self {
        answer.after(Duration::ZERO)
    }
}

/// A queue of steps, each used by one call, and the answer to every call after them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    #[serde(default)]
    steps: VecDeque<Step>,
    #[serde(default)]
    then: Step,
}

impl Script {
    /// These steps first, then the usual answer.
    #[must_use]
    pub fn first<S: Into<Step>>(steps: impl IntoIterator<Item = S>) -> Self {
        Self { steps: steps.into_iter().map(Into::into).collect(), then: Step::default() }
    }

    /// What is answered once the steps are used up.
    #[must_use]
    pub fn then(mut self, step: impl Into<Step>) -> Self {
        self.then = step.into();
        self
    }

    /// Takes the step for one call.
    pub(crate) fn next(&mut self) -> Step {
        self.steps.pop_front().unwrap_or_else(|| self.then.clone())
    }

    fn coming(&self) -> &Answer {
        &self.steps.front().unwrap_or(&self.then).answer
    }
}

impl<S: Into<Step>> From<S> for Script {
    fn from(step: S) -> Self {
        Self { steps: VecDeque::new(), then: step.into() }
    }
}

/// The scripts of one registry, by number with prefix.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Scripts(BTreeMap<String, Script>);

impl Scripts {
    pub(crate) fn set(&mut self, number: String, script: Script) {
        self.0.insert(number, script);
    }

    pub(crate) fn remove(&mut self, number: &str) {
        self.0.remove(number);
    }

    /// Takes the step for one call about this number.
    pub(crate) fn next(&mut self, number: &str) -> Step {
        self.0.get_mut(number).map_or_else(Step::default, Script::next)
    }

    /// What the next call about this number will be told, without using it up.
    pub(crate) fn coming(&self, number: &str) -> Answer {
        self.0.get(number).map_or(Answer::Usual, |script| script.coming().clone())
    }
}

fn ok() -> u16 {
    200
}

fn service_unavailable() -> u16 {
    503
}

fn json() -> String {
    "application/json".to_owned()
}

mod text {
    //! Bytes as a JSON string.

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from_utf8_lossy(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(deserializer).map(String::into_bytes)
    }
}

pub(crate) mod millis {
    //! Durations as whole milliseconds.

    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        duration.as_millis().serialize(serializer)
    }

    #[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
    pub(crate) fn serialize_optional<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        duration.map(|duration| duration.as_millis()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_used_once_and_the_last_answer_for_ever() {
        let mut script = Script::first([Answer::Empty, Answer::Reset]).then(Answer::NotRegistered);
        let answers: Vec<_> = (0..4).map(|_| script.next().answer).collect();
        assert_eq!(answers, [Answer::Empty, Answer::Reset, Answer::NotRegistered, Answer::NotRegistered]);
    }

    #[test]
    fn a_script_reads_from_json() {
        let script: Script = serde_json::from_str(
            r#"{"steps": [{"answer": "error", "code": "MS_UNAVAILABLE", "delay_ms": 40}, {"answer": "reset"},
                          {"answer": "cut_off"}, {"answer": "usual", "body_ms": 70}],
                "then": {"answer": "raw", "body": "{}"}}"#,
        )
        .unwrap();
        let expected = Script::first([
            Answer::error("MS_UNAVAILABLE").after(Duration::from_millis(40)),
            Answer::Reset.into(),
            Answer::CutOff.into(),
            Answer::Usual.over(Duration::from_millis(70)),
        ])
        .then(Answer::raw(200, "application/json", "{}"));
        assert_eq!(script, expected);
        let again: Script = serde_json::from_str(&serde_json::to_string(&script).unwrap()).unwrap();
        assert_eq!(again, script);
    }
}
