//! The pages that only the server writes: the ways in, and what members see. One module a page: what it shows, as plain
//! values, and how.
//!
//! Not here: who may see it and where the values come from. That is the server's `portal`.

mod check;
mod check_run;
mod claim;
mod claim_links;
mod evidence;
mod history;
mod home;
mod key_request;
mod keys;
mod links;
mod members;
mod own_security;
mod registries_now;
mod second_factor;
mod settings;
mod shared_notes;
mod sign_in;
mod sign_up;
mod staff_account;
mod staff_account_changes;
mod staff_accounts;
mod staff_audit;
mod staff_breaker;
mod staff_issue;
mod staff_registries;
mod staff_requests;
mod staff_security;
mod staff_sign_out_member;
mod staff_team;
mod status;
mod too_large;
mod unanswered;
mod unsent;
mod usage;

use leptos::prelude::*;

pub use self::check::{Check, CheckChoices, ChosenOptions, RunItem};
pub use self::check_run::{CheckRun, Progress, ResultRow, RowFilter, RowKind, RowSort, RunPhase, Stopping};
pub use self::claim::{ClaimKey, ClaimWay};
pub use self::claim_links::{ClaimLinkRow, ClaimStage};
pub use self::evidence::EvidenceSheet;
pub use self::history::{History, HistoryQuery, HistoryRow, Trader};
pub use self::home::{Home, HomeRefusal, Limits, NotAllowed, Step, ToDo, Today};
pub use self::key_request::{
    AskForKeys, AskedForKeys, OwnNumberSaid, RequestFacts, RequestStands, RequestTyped, volume_words,
};
pub use self::keys::{
    KeyRow, KeyState, Keys, KeysClosed, NewKey, NewSecret, OldKey, Overlap, RenameKey, RevokeKey, RotateKey,
};
pub use self::links::{ConfirmEmail, ForgotPassword, LinkEnded, NewPassword, Sent};
pub use self::members::{ChangeMember, Invitation, MemberRow, Members, Membership, RemoveMember};
pub use self::own_security::OpenSession;
pub use self::registries_now::{Health, RegistryLine};
pub use self::second_factor::{
    QrDrawing, RecoveryCodes, RequiredBy, SecondFactorNotKept, SecondFactorState, SetUpSecondFactor,
    StaffClosed,
};
pub use self::settings::{OwnNumbers, Settings};
pub use self::sign_in::{SignIn, SignInCode};
pub use self::sign_up::{SignUp, Typed};
pub use self::staff_account::{AccountDeed, AccountMember, AccountRequest, AccountUsage, StaffAccount};
pub use self::staff_account_changes::{
    ChangePlan, ChangedAccount, RestoreAccount, RevokeLeakedKey, SuspendAccount,
};
pub use self::staff_accounts::{AccountItem, AccountStanding, StaffAccounts};
pub use self::staff_audit::{AuditQuery, AuditRow, StaffAudit};
pub use self::staff_breaker::{ChangedBreaker, CloseBreaker, OpenBreaker};
pub use self::staff_issue::{IssueFor, IssueKey};
pub use self::staff_registries::{
    BreakerPosition, BreakerStands, LastError, MemberStateRow, MoreToKnow, OpenedByHand, RegistryCard,
    StaffRegistries, Use,
};
pub use self::staff_requests::{DecideRequest, RequestCard, RequestDecision, SimilarAccount, StaffRequests};
pub use self::staff_security::StaffSecurity;
pub use self::staff_sign_out_member::SignOutMember;
pub use self::staff_team::{DisableStaff, StaffInvitation, StaffPerson, StaffRow, StaffState, StaffTeam};
pub use self::status::{Held, RegistryStatus, StatusNotice, StatusRow, Stretch, StretchKind};
pub use self::too_large::TooLarge;
pub use self::unanswered::{Unanswered, WhyUnanswered};
pub use self::unsent::with_unsent_notice;
pub use self::usage::{Allowance, CallerUsage, PeriodTab, UsageCounts, UsagePage, UsagePoint};
use crate::ServerText;
pub use crate::figures::grouped;
pub use crate::line_readings::with_suggestion;

/// Something in a form that needs changing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field's name.
    pub field: &'static str,
    /// What to do about it.
    pub message: String,
}

/// A point in time, as a page tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instant {
    /// For programs.
    pub datetime: String,
    /// To the second, with UTC.
    pub exact: String,
    /// As a reader would say it.
    pub words: String,
}

impl Fault {
    /// A fault of one field.
    #[must_use]
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

/// A page of the server's own.
pub trait ServerView {
    /// The title of the document, without the product's name.
    fn title(&self) -> String;

    /// What needs changing in its form.
    fn faults(&self) -> &[Fault] {
        &[]
    }

    /// The content.
    fn view(self) -> AnyView;
}

/// Writes a page.
#[must_use]
pub fn write(page: impl ServerView) -> ServerText {
    let error = if page.faults().is_empty() { "" } else { "Error: " };
    let title = format!("{error}{}", page.title());
    let html = Owner::new().with(|| page.view().to_html());
    ServerText { title, html }
}

/// The registries by their codes and names.
fn registries() -> Vec<(String, String)> {
    [("hmrc", "HMRC"), ("vies", "VIES")].map(|(code, name)| (code.to_owned(), name.to_owned())).to_vec()
}
