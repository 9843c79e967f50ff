//! What a reader should know about a number, in a code for programs and a sentence for people. The sentences
//! about a reading are made in `about_reading`, guesses at what was meant in `did_you_mean`.

mod about_reading;
mod did_you_mean;
mod misfit;
mod words;

use std::borrow::Cow;

pub(crate) use about_reading::about;

use crate::{Prefix, Registry, UnresolvedReason, VatNumber};

/// A piece of advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is about.
    pub code: AdviceCode,
    /// The same in plain English.
    pub message: Cow<'static, str>,
    /// The number that may have been meant, in canonical form. Never the number that was read.
    pub suggestion: Option<String>,
}

/// What a piece of advice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdviceCode {
    /// The check digits do not fit. The registry is asked all the same.
    CheckDigitsDoNotFit,
    /// The country letters were written more than once.
    PrefixRepeated,
    /// `GR` was read as `EL`, or `UK` as `GB`.
    PrefixReplaced,
    /// A character was taken for the letter or digit it looks like.
    LookalikeCharacter,
    /// Something other than surrounding blanks was left out.
    SeparatorsRemoved,
    /// Another number may have been meant, which is suggested where one is known; or a zero was added to what was
    /// typed.
    DidYouMean,
    /// The registry refused the form of the number.
    RefusedByRegistry,
    /// A Northern Irish number counts for goods, not for services.
    XiCoversGoodsOnly,
    /// The registry learns of a new registration late.
    NewRegistrationsTakeTime,
    /// The member state does not give names and addresses away.
    NotDisclosedByMemberState,
    /// The holder may be registered at home, but not for trade within the EU.
    NationalRegistrationMayExist,
    /// The registry refused the requester; the answer comes without proof.
    RequesterNotAccepted,
    /// The registry gave no answer, for this reason.
    Unresolved(UnresolvedReason),
}

impl AdviceCode {
    /// Every code, in the order in which documentation lists them.
    pub const ALL: [Self; 20] = [
        Self::CheckDigitsDoNotFit,
        Self::PrefixRepeated,
        Self::PrefixReplaced,
        Self::LookalikeCharacter,
        Self::SeparatorsRemoved,
        Self::DidYouMean,
        Self::RefusedByRegistry,
        Self::XiCoversGoodsOnly,
        Self::NewRegistrationsTakeTime,
        Self::NotDisclosedByMemberState,
        Self::NationalRegistrationMayExist,
        Self::RequesterNotAccepted,
        Self::Unresolved(UnresolvedReason::RegistryUnavailable),
        Self::Unresolved(UnresolvedReason::MemberStateUnavailable),
        Self::Unresolved(UnresolvedReason::Timeout),
        Self::Unresolved(UnresolvedReason::Throttled),
        Self::Unresolved(UnresolvedReason::Blocked),
        Self::Unresolved(UnresolvedReason::RegistryUnreadable),
        Self::Unresolved(UnresolvedReason::NotConfigured),
        Self::Unresolved(UnresolvedReason::Deadline),
    ];

    /// The API's code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CheckDigitsDoNotFit => "check_digits_do_not_fit",
            Self::PrefixRepeated => "prefix_repeated",
            Self::PrefixReplaced => "prefix_replaced",
            Self::LookalikeCharacter => "lookalike_character",
            Self::SeparatorsRemoved => "separators_removed",
            Self::DidYouMean => "did_you_mean",
            Self::RefusedByRegistry => "refused_by_registry",
            Self::XiCoversGoodsOnly => "xi_covers_goods_only",
            Self::NewRegistrationsTakeTime => "new_registrations_take_time",
            Self::NotDisclosedByMemberState => "not_disclosed_by_member_state",
            Self::NationalRegistrationMayExist => "national_registration_may_exist",
            Self::RequesterNotAccepted => "requester_not_accepted",
            Self::Unresolved(reason) => reason.as_str(),
        }
    }
}

impl Advice {
    fn new(code: AdviceCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), suggestion: None }
    }

    fn did_you_mean(suggestion: VatNumber, message: impl Into<Cow<'static, str>>) -> Self {
        let suggestion = Some(suggestion.to_string());
        Self { code: AdviceCode::DidYouMean, message: message.into(), suggestion }
    }

    /// The registry took the number for one that cannot exist.
    #[must_use]
    pub fn refused_by_registry(registry: Registry) -> Self {
        Self::new(
            AdviceCode::RefusedByRegistry,
            format!("{registry} does not accept a number of this form, so it gave no answer about it."),
        )
    }

    /// For every Northern Irish number.
    #[must_use]
    pub fn xi_covers_goods_only() -> Self {
        Self::new(
            AdviceCode::XiCoversGoodsOnly,
            "An XI number counts for trade in goods with the EU only; for services the holder's GB number is \
             the one to check.",
        )
    }

    /// For a number its registry does not know: how long a new one can stay unknown. Two weeks is HMRC's figure
    /// (definition of the API in repository hmrc/vat-registered-companies-api).
    #[must_use]
    pub fn new_registrations_take_time(registry: Registry) -> Self {
        Self::new(
            AdviceCode::NewRegistrationsTakeTime,
            format!("New registrations can take about two weeks to appear at {registry}."),
        )
    }

    /// For a valid number that came without a name.
    #[must_use]
    pub fn not_disclosed_by_member_state(prefix: Prefix) -> Self {
        Self::new(
            AdviceCode::NotDisclosedByMemberState,
            format!("{} does not disclose the holder's name and address.", words::country_at_start(prefix)),
        )
    }

    /// For a number that VIES does not know.
    #[must_use]
    pub fn national_registration_may_exist(prefix: Prefix) -> Self {
        Self::new(
            AdviceCode::NationalRegistrationMayExist,
            format!(
                "The holder may be registered for VAT within {} and not for trade with other member states, \
                 which is all that VIES shows.",
                words::country(prefix)
            ),
        )
    }

    /// The question was answered only without the requester's number.
    #[must_use]
    pub fn requester_not_accepted(registry: Registry) -> Self {
        Self::new(
            AdviceCode::RequesterNotAccepted,
            format!(
                "{registry} did not accept the requester's VAT number, so the answer carries no consultation \
                 number."
            ),
        )
    }

    /// The number could not be checked.
    #[must_use]
    pub fn unresolved(reason: UnresolvedReason, number: VatNumber) -> Self {
        let registry = number.registry();
        let what_happened = match reason {
            UnresolvedReason::RegistryUnavailable => format!("{registry} is not available"),
            UnresolvedReason::MemberStateUnavailable => {
                let country = words::country_at_start(number.prefix());
                format!("{country} does not answer {registry} at present")
            }
            UnresolvedReason::Timeout => format!("{registry} did not answer in time"),
            UnresolvedReason::Throttled => format!("{registry} is receiving too many requests at present"),
            UnresolvedReason::Blocked => format!("{registry} refuses questions from this service"),
            UnresolvedReason::RegistryUnreadable => format!("{registry} gave an answer that cannot be read"),
            UnresolvedReason::NotConfigured => format!("This service has no working access to {registry}"),
            UnresolvedReason::Deadline => {
                format!("The time for this call was over before {registry} could answer")
            }
        };
        Self::new(
            AdviceCode::Unresolved(reason),
            format!("{what_happened}, so the number was not checked; this says nothing about the number."),
        )
    }

    /// For a Northern Irish number that VIES does not know: the same digits at HMRC.
    #[must_use]
    pub fn gb_twin_of_xi(number: VatNumber) -> Option<Self> {
        if number.prefix() != Prefix::Xi {
            return None;
        }
        let twin = VatNumber::parse(&["GB", number.national()].concat()).number()?;
        Some(Self::did_you_mean(twin, format!("For services ask about the GB number: did you mean {twin}?")))
    }

    /// For a British number of twelve digits that HMRC does not know: its first nine, which HMRC keeps apart
    /// (repository hmrc/vat-registered-companies).
    #[must_use]
    pub fn nine_digit_form(number: VatNumber) -> Option<Self> {
        if number.prefix() != Prefix::Gb || number.national().len() != 12 {
            return None;
        }
        let nine = number.as_str().get(..11).and_then(|text| VatNumber::parse(text).number())?;
        Some(Self::did_you_mean(
            nine,
            format!("Without the three digits of a branch it is a different number: did you mean {nine}?"),
        ))
    }
}
