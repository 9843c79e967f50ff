//! The numbers of the storm and what is true of each, by its place alone.

use registry_simulator::Answer;

/// Prefixes, and how many digits follow.
const COUNTRIES: [(&str, usize); 10] = [
    ("GB", 9),
    ("DE", 9),
    ("PL", 10),
    ("GB", 9),
    ("IT", 11),
    ("DK", 8),
    ("EL", 9),
    ("PT", 9),
    ("EE", 9),
    ("XI", 9),
];

/// What is true of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It belongs to a trader of this name.
    Registered(String),
    NotRegistered,
    /// The registry takes it for no number.
    FormRefused,
}

impl Truth {
    /// The status that says so.
    pub(super) const fn status(&self) -> &'static str {
        match self {
            Self::Registered(_) => "valid",
            Self::NotRegistered => "not_registered",
            Self::FormRefused => "malformed",
        }
    }

    /// What the registry says when nothing is wrong.
    pub(super) fn answer(&self, is_hmrc: bool) -> Answer {
        match self {
            Self::Registered(name) => Answer::valid(name, "1 Sample Street\nSampleton"),
            Self::NotRegistered => Answer::NotRegistered,
            Self::FormRefused if is_hmrc => Answer::error_with_status("INVALID_REQUEST", 400),
            Self::FormRefused => Answer::error("INVALID_INPUT"),
        }
    }
}

/// The prefix and the rest of the number in this place.
pub(super) fn number(place: usize) -> (&'static str, String) {
    let (country, digits) = COUNTRIES[place % COUNTRIES.len()];
    (country, format!("1{place:0rest$}", rest = digits - 1))
}

pub(super) fn truth_of(place: usize) -> Truth {
    match place / COUNTRIES.len() % 7 {
        0..4 => Truth::Registered(format!("Trader {place}")),
        4 | 5 => Truth::NotRegistered,
        _ => Truth::FormRefused,
    }
}

pub(super) fn is_hmrc(place: usize) -> bool {
    number(place).0 == "GB"
}
