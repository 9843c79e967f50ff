//! `StatusTag`: shape, word and colour of a status. The only place that maps one to the other.

use leptos::prelude::*;
use vat::Status;

use super::icon::{Icon, Shape};

/// What a tag can say: an outcome, or that there is none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagStatus {
    /// An outcome of a check.
    Outcome(Status),
    /// Nothing was asked.
    NotAsked,
    /// Nothing was asked, but it can be.
    Ready,
    /// It waits for its turn.
    #[cfg(feature = "ssr")]
    Waiting,
    /// Somebody who has not followed the link of an invitation.
    #[cfg(feature = "ssr")]
    Invited,
    /// A link that nobody has looked at.
    #[cfg(feature = "ssr")]
    LinkSent,
    /// A link that somebody has looked at.
    #[cfg(feature = "ssr")]
    LinkOpened,
    /// A link by which the key was taken.
    #[cfg(feature = "ssr")]
    Claimed,
    /// A link that was taken back.
    #[cfg(feature = "ssr")]
    Withdrawn,
    /// A key that opens, or somebody who signs in.
    #[cfg(feature = "ssr")]
    Active,
    /// A key that opens a little longer.
    #[cfg(feature = "ssr")]
    Expiring,
    /// A key whose time is over.
    #[cfg(feature = "ssr")]
    Expired,
    /// A key that somebody ended.
    #[cfg(feature = "ssr")]
    Revoked,
    /// An account that is not served.
    #[cfg(feature = "ssr")]
    Suspended,
    /// Somebody who may come in no more.
    #[cfg(feature = "ssr")]
    Disabled,
    /// Something that can be switched off, and is not.
    #[cfg(feature = "ssr")]
    On,
    /// Something that can be switched on, and is not.
    #[cfg(feature = "ssr")]
    Off,
    /// A registry that answers.
    #[cfg(feature = "ssr")]
    Answering,
    /// A registry that takes long to.
    #[cfg(feature = "ssr")]
    Slow,
    /// A registry that does not.
    #[cfg(feature = "ssr")]
    Refusing,
    /// A registry that nobody asked lately.
    #[cfg(feature = "ssr")]
    NotMeasured,
    /// A breaker of a registry that is asked.
    #[cfg(feature = "ssr")]
    BreakerClosed,
    /// A breaker of which one lookup finds out how the registry is.
    #[cfg(feature = "ssr")]
    BreakerHalfOpen,
    /// A breaker of a registry that is left alone.
    #[cfg(feature = "ssr")]
    BreakerOpen,
}

impl From<Status> for TagStatus {
    fn from(status: Status) -> Self {
        Self::Outcome(status)
    }
}

/// The tone names a colour of `style/tokens.css`; `None` is the muted one.
type Tone = Option<&'static str>;

impl TagStatus {
    /// What tells the statuses apart: without colour the shape and the word still do.
    pub(crate) const fn look(self) -> (Shape, &'static str, Tone) {
        match self {
            Self::Outcome(Status::Valid) => (Shape::Valid, "Valid", Some("ok")),
            Self::Outcome(Status::NotRegistered) => (Shape::NotRegistered, "Not registered", Some("bad")),
            Self::Outcome(Status::Malformed) => (Shape::Malformed, "Malformed", Some("ink")),
            Self::Outcome(Status::Unsupported) => (Shape::Unsupported, "Unsupported", None),
            Self::Outcome(Status::Unavailable) => (Shape::Unavailable, "Unavailable", Some("warn")),
            Self::NotAsked => (Shape::Waiting, "Not asked", None),
            Self::Ready => (Shape::Valid, "Ready", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::Waiting => (Shape::Waiting, "Waiting", None),
            #[cfg(feature = "ssr")]
            Self::Invited => (Shape::Waiting, "Invited", None),
            #[cfg(feature = "ssr")]
            Self::LinkSent => (Shape::Waiting, "Link sent", None),
            #[cfg(feature = "ssr")]
            Self::LinkOpened => (Shape::Waiting, "Link opened", None),
            #[cfg(feature = "ssr")]
            Self::Claimed => (Shape::Valid, "Claimed", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::Withdrawn => (Shape::Unsupported, "Withdrawn", None),
            #[cfg(feature = "ssr")]
            Self::Active => (Shape::Valid, "Active", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::Expiring => (Shape::Slow, "Expiring", Some("warn")),
            #[cfg(feature = "ssr")]
            Self::Expired => (Shape::Unsupported, "Expired", None),
            #[cfg(feature = "ssr")]
            Self::Revoked => (Shape::NotRegistered, "Revoked", Some("bad")),
            #[cfg(feature = "ssr")]
            Self::Suspended => (Shape::Problem, "Suspended", Some("bad")),
            #[cfg(feature = "ssr")]
            Self::Disabled => (Shape::Unsupported, "Disabled", None),
            #[cfg(feature = "ssr")]
            Self::On => (Shape::Valid, "On", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::Off => (Shape::Unsupported, "Off", None),
            #[cfg(feature = "ssr")]
            Self::Answering => (Shape::Valid, "Answering", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::Slow => (Shape::Slow, "Slow", Some("warn")),
            #[cfg(feature = "ssr")]
            Self::Refusing => (Shape::NotRegistered, "Not answering", Some("bad")),
            #[cfg(feature = "ssr")]
            Self::NotMeasured => (Shape::Unsupported, "Not measured", None),
            #[cfg(feature = "ssr")]
            Self::BreakerClosed => (Shape::Valid, "Closed", Some("ok")),
            #[cfg(feature = "ssr")]
            Self::BreakerHalfOpen => (Shape::Slow, "Half open", Some("warn")),
            #[cfg(feature = "ssr")]
            Self::BreakerOpen => (Shape::NotRegistered, "Open", Some("bad")),
        }
    }
}

/// A status by shape, word and colour.
#[component]
pub(crate) fn StatusTag(
    /// What it says.
    #[prop(into)]
    status: TagStatus,
    /// Whether it stands beside a large number.
    #[prop(optional)]
    large: bool,
) -> impl IntoView {
    let (shape, word, tone) = status.look();

    view! {
        <span class="status-tag" data-tone=tone data-size=large.then_some("large")>
            <Icon shape=shape />
            {word}
        </span>
    }
}

#[cfg(test)]
mod tests {
    use vat::Status;

    use super::TagStatus;

    const ALL: [TagStatus; 6] = [
        TagStatus::Outcome(Status::Valid),
        TagStatus::Outcome(Status::NotRegistered),
        TagStatus::Outcome(Status::Malformed),
        TagStatus::Outcome(Status::Unsupported),
        TagStatus::Outcome(Status::Unavailable),
        TagStatus::NotAsked,
    ];

    #[test]
    fn no_two_statuses_share_a_shape_or_a_word() {
        for (i, one) in ALL.iter().enumerate() {
            for other in &ALL[i + 1..] {
                assert_ne!(one.look().0, other.look().0);
                assert_ne!(one.look().1, other.look().1);
            }
        }
    }

    #[test]
    fn an_outage_never_looks_like_a_no() {
        let (outage, no) = (
            TagStatus::Outcome(Status::Unavailable).look(),
            TagStatus::Outcome(Status::NotRegistered).look(),
        );
        assert_ne!(outage.2, no.2);
    }

    #[test]
    fn the_word_is_the_outcome_s_own() {
        for tag in ALL {
            if let TagStatus::Outcome(status) = tag {
                assert_eq!(tag.look().1, status.word());
            }
        }
    }
}
