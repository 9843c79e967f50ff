//! What people are told by mail: a closed list, each with what its text needs. The texts are in `texts`.

use chrono::{DateTime, Utc};
use secrecy::SecretString;

use super::line::{Line, Lines};
pub use crate::db::entities::outbox_letter::MessageKind;
use crate::people::Person;

/// As what the receiver of a message signs in: it decides where they go and whom they turn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// A member of an account.
    Member,
    /// One of the support staff.
    Support,
}

impl From<Person> for Receiver {
    fn from(person: Person) -> Self {
        match person {
            Person::Member(_) => Self::Member,
            Person::Support(_) => Self::Support,
        }
    }
}

/// What somebody is told. `secret` is that of a one-time link, made for the receiver and the purpose that is named.
#[derive(Clone, Debug)]
pub enum Message {
    /// Somebody signed up with this address: is it theirs? By a link that confirms an address.
    ConfirmAddress {
        /// Of the link.
        secret: SecretString,
    },
    /// Somebody forgot their password. By a link that resets a password.
    ResetPassword {
        /// Of the link.
        secret: SecretString,
    },
    /// Support has prepared a key. By a link that claims a key.
    ClaimKey {
        /// Of the link.
        secret: SecretString,
        /// Who of the support staff did.
        invited_by: Line,
        /// The account's name.
        account: Line,
    },
    /// Support said yes to a request for keys. By a link that claims a key.
    KeyRequestApproved {
        /// Of the link.
        secret: SecretString,
        /// The account's name.
        account: Line,
    },
    /// Support said no to a request for keys.
    KeyRequestDeclined {
        /// The account's name.
        account: Line,
        /// Why, in support's own words.
        reason: Lines,
        /// Who of the support staff says so.
        declined_by: Line,
    },
    /// An account asks for keys, and waits for support, who reads it.
    KeyRequestFiled {
        /// The company, as it stands in the request.
        company: Line,
    },
    /// Somebody signed up with this address, which is known already.
    AddressHasAccount,
    /// The receiver's password was changed.
    PasswordChanged {
        /// When.
        at: DateTime<Utc>,
        /// Who reads it.
        to: Receiver,
    },
    /// A member asks somebody to become one. By a link that is an invitation.
    Invitation {
        /// Of the link.
        secret: SecretString,
        /// The member's name.
        invited_by: Line,
        /// The account's name.
        account: Line,
    },
    /// One of the support staff asks somebody to become one. By a link for joining the staff.
    JoinStaff {
        /// Of the link.
        secret: SecretString,
        /// Who asks.
        invited_by: Line,
    },
    /// One of the support staff helps another who forgot their password. By a link that resets a password.
    ResetStaffPassword {
        /// Of the link.
        secret: SecretString,
        /// Who helps.
        sent_by: Line,
    },
    /// The receiver's second factor was set up, or another took its place.
    SecondFactorSetUp {
        /// When.
        at: DateTime<Utc>,
        /// Who reads it.
        to: Receiver,
    },
    /// The receiver's second factor was removed.
    SecondFactorRemoved {
        /// When.
        at: DateTime<Utc>,
        /// Who reads it.
        to: Receiver,
    },
    /// One of the receiver's recovery codes was used.
    RecoveryCodeUsed {
        /// When.
        at: DateTime<Utc>,
        /// How many are left.
        left: u64,
        /// Who reads it.
        to: Receiver,
    },
    /// Support ended every session of the receiver, who is a member.
    SignedOutBySupport {
        /// When.
        at: DateTime<Utc>,
    },
}

impl Message {
    /// What it is about.
    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        match self {
            Self::ConfirmAddress { .. } => MessageKind::ConfirmAddress,
            Self::ResetPassword { .. } => MessageKind::ResetPassword,
            Self::ClaimKey { .. } => MessageKind::ClaimKey,
            Self::KeyRequestApproved { .. } => MessageKind::KeyRequestApproved,
            Self::KeyRequestDeclined { .. } => MessageKind::KeyRequestDeclined,
            Self::KeyRequestFiled { .. } => MessageKind::KeyRequestFiled,
            Self::AddressHasAccount => MessageKind::AddressHasAccount,
            Self::PasswordChanged { .. } => MessageKind::PasswordChanged,
            Self::Invitation { .. } => MessageKind::Invitation,
            Self::JoinStaff { .. } => MessageKind::JoinStaff,
            Self::ResetStaffPassword { .. } => MessageKind::ResetStaffPassword,
            Self::SecondFactorSetUp { .. } => MessageKind::SecondFactorSetUp,
            Self::SecondFactorRemoved { .. } => MessageKind::SecondFactorRemoved,
            Self::RecoveryCodeUsed { .. } => MessageKind::RecoveryCodeUsed,
            Self::SignedOutBySupport { .. } => MessageKind::SignedOutBySupport,
        }
    }
}

impl MessageKind {
    /// The words for it, as they stand in the log and in names of files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConfirmAddress => "confirm-address",
            Self::ResetPassword => "reset-password",
            Self::ClaimKey => "claim-key",
            Self::KeyRequestApproved => "key-request-approved",
            Self::KeyRequestDeclined => "key-request-declined",
            Self::KeyRequestFiled => "key-request-filed",
            Self::AddressHasAccount => "address-has-account",
            Self::PasswordChanged => "password-changed",
            Self::Invitation => "invitation",
            Self::JoinStaff => "join-staff",
            Self::ResetStaffPassword => "reset-staff-password",
            Self::SecondFactorSetUp => "second-factor-set-up",
            Self::SecondFactorRemoved => "second-factor-removed",
            Self::RecoveryCodeUsed => "recovery-code-used",
            Self::SignedOutBySupport => "signed-out-by-support",
        }
    }
}
