//! The words for what came of a number: its status, and why a registry gave no answer. Finding it out is the
//! server's work.

/// What is known about a number after it was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The registry said yes.
    Valid,
    /// The registry said no.
    NotRegistered,
    /// The text cannot be a number of that country.
    Malformed,
    /// Neither registry covers the code.
    Unsupported,
    /// The registry gave no answer, which says nothing about the number.
    Unavailable,
}

impl Status {
    /// Every status, in the order in which documentation lists them.
    pub const ALL: [Self; 5] =
        [Self::Valid, Self::NotRegistered, Self::Malformed, Self::Unsupported, Self::Unavailable];

    /// The value of the API's field `status`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::NotRegistered => "not_registered",
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Unavailable => "unavailable",
        }
    }

    /// The word a reader sees.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Valid => "Valid",
            Self::NotRegistered => "Not registered",
            Self::Malformed => "Malformed",
            Self::Unsupported => "Unsupported",
            Self::Unavailable => "Unavailable",
        }
    }
}

/// Why a registry's answer could not be had. None of these says anything about the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnresolvedReason {
    /// The registry as a whole does not answer.
    RegistryUnavailable,
    /// VIES answers, the member state behind it does not.
    MemberStateUnavailable,
    /// No answer came in time.
    Timeout,
    /// The registry asked for fewer questions.
    Throttled,
    /// The registry refuses this service's questions.
    Blocked,
    /// What the registry sent could not be understood.
    RegistryUnreadable,
    /// This service lacks working credentials for the registry.
    NotConfigured,
    /// The time limit of the whole call came first.
    Deadline,
}

impl UnresolvedReason {
    /// Every reason, in the order in which documentation lists them.
    pub const ALL: [Self; 8] = [
        Self::RegistryUnavailable,
        Self::MemberStateUnavailable,
        Self::Timeout,
        Self::Throttled,
        Self::Blocked,
        Self::RegistryUnreadable,
        Self::NotConfigured,
        Self::Deadline,
    ];

    /// The API's code for the reason.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RegistryUnavailable => "registry_unavailable",
            Self::MemberStateUnavailable => "member_state_unavailable",
            Self::Timeout => "timeout",
            Self::Throttled => "throttled",
            Self::Blocked => "blocked",
            Self::RegistryUnreadable => "registry_unreadable",
            Self::NotConfigured => "not_configured",
            Self::Deadline => "deadline",
        }
    }
}
