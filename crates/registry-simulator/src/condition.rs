//! How a whole registry, or one member state's system, is doing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::script::{Answer, millis};

/// How a registry or a member state's system is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// It works.
    #[default]
    Up,
    /// It works, and VIES's status page says that nobody watches it. For HMRC the same as [`Up`](Self::Up).
    Unmonitored,
    /// It says that it is down: `MS_UNAVAILABLE` for a member state, `SERVICE_UNAVAILABLE` for VIES, and
    /// HTTP 503 `SERVER_ERROR` for HMRC, its token endpoint included.
    Down,
    /// It takes calls and never answers.
    Silent,
    /// A proxy in front of it answers 503 and an HTML page.
    Html,
    /// It gives every caller this answer. A verdict cannot be everyone's: it counts as [`Down`](Self::Down).
    Answering(Answer),
}

impl Condition {
    /// What everyone is told instead of an answer of their own; `down` is the registry's word for being down.
    pub(crate) fn overriding(&self, down: &str) -> Option<Answer> {
        match self {
            Self::Up | Self::Unmonitored => None,
            Self::Down => Some(Answer::error(down)),
            Self::Silent => Some(Answer::Silence),
            Self::Html => Some(Answer::Html { status: 503 }),
            Self::Answering(Answer::Usual | Answer::Valid { .. } | Answer::NotRegistered) => {
                Some(Answer::error(down))
            }
            Self::Answering(answer) => Some(answer.clone()),
        }
    }
}

/// A condition and how long everything takes.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Switch {
    pub(crate) condition: Condition,
    #[serde(rename = "delay_ms", with = "millis")]
    pub(crate) delay: Duration,
}
