//! Events of the audit log in words: what was done, by whom and to whom.

use crate::audit::{ActorKind, Deed, EntryName, LogEntry};

/// What was done.
pub(super) const fn words(deed: Deed) -> &'static str {
    match deed {
        Deed::AccountCreated => "Account made",
        Deed::AccountSuspended => "Account suspended",
        Deed::AccountRestored => "Account restored",
        Deed::AccountSettingsChanged => "Settings changed",
        Deed::PlanChanged => "Plan changed",
        Deed::KeyIssued => "Key made",
        Deed::KeyRenamed => "Key renamed",
        Deed::KeyRotated => "Key rotated",
        Deed::KeyRevoked => "Key revoked",
        Deed::DataPurged => "Data over its time deleted",
        Deed::MemberAdded => "Member added",
        Deed::MemberRoleChanged => "Member’s role changed",
        Deed::MemberRemoved => "Member removed",
        Deed::MemberSignedIn => "Member signed in",
        Deed::AddressConfirmed => "Address confirmed",
        Deed::PasswordChanged => "Password changed",
        Deed::SecondFactorSetUp => "Second factor set up",
        Deed::SecondFactorRemoved => "Second factor removed",
        Deed::SecondFactorRefused => "Code of a second factor refused",
        Deed::SecondFactorsRenewed => "Second factors kept under another key",
        Deed::RecoveryCodeUsed => "Recovery code used",
        Deed::RecoveryCodesRenewed => "Recovery codes made anew",
        Deed::PasswordSet => "Password chosen by a link",
        Deed::PasswordRefused => "Password refused",
        Deed::SessionsEnded => "Sessions ended",
        Deed::StaffCreated => "Support staff added",
        Deed::StaffDisabled => "Support staff disabled",
        Deed::StaffSignedIn => "Support staff signed in",
        Deed::LinkIssued => "One-time link made",
        Deed::LinkUsed => "One-time link used",
        Deed::LinkWithdrawn => "One-time link withdrawn",
        Deed::KeyRequested => "Keys requested",
        Deed::KeyRequestApproved => "Request for keys approved",
        Deed::KeyRequestDeclined => "Request for keys declined",
        Deed::KeyRequestWithdrawn => "Request for keys withdrawn",
        Deed::BreakerOpened => "Breaker opened",
        Deed::BreakerClosed => "Breaker closed",
    }
}

/// Who did it.
pub(super) fn by(entry: &LogEntry) -> String {
    match (&entry.actor, entry.event.actor_kind) {
        (Some(EntryName::Member { name, .. }), _) => name.clone(),
        (Some(EntryName::Support { name, .. }), _) => format!("{name}, support"),
        (_, ActorKind::CommandLine) => "The command line".to_owned(),
        (_, ActorKind::Visitor) => "Somebody who was not signed in".to_owned(),
        (_, ActorKind::Member) => "A member who is gone".to_owned(),
        (_, ActorKind::Support) => "Support".to_owned(),
    }
}

/// The address of whoever did it.
pub(super) fn address_of(name: Option<&EntryName>) -> Option<String> {
    match name {
        Some(EntryName::Member { email, .. } | EntryName::Support { email, .. }) => Some(email.clone()),
        Some(EntryName::Key { .. }) | None => None,
    }
}

/// What or whom it was done to, where that has a name.
pub(super) fn subject(entry: &LogEntry) -> Option<String> {
    Some(match entry.subject.as_ref()? {
        EntryName::Key { name, mode, last_four } => format!("key {name}, {}…{last_four}", mode.prefix()),
        EntryName::Member { name, email } => format!("{name}, {email}"),
        EntryName::Support { name, email } => format!("{name}, {email}, support"),
    })
}
