//! Why a text is no number that a registry can be asked about, in a sentence. What may have been meant by it is advice.

use std::borrow::Cow;

use crate::{MalformedReason, Prefix, Reading, Shape, UnsupportedReason};

impl Reading {
    /// Why there is no number to ask about, in plain English; `None` where there is one.
    #[must_use]
    pub fn why_no_number(&self) -> Option<Cow<'static, str>> {
        match self.shape() {
            Shape::Number(_) => None,
            Shape::Malformed(reason) => Some(malformed(*reason, self.country_code())),
            Shape::Unsupported(reason) => Some(unsupported(*reason, self.country_code())),
        }
    }
}

fn malformed(reason: MalformedReason, code: &str) -> Cow<'static, str> {
    match reason {
        MalformedReason::Empty => {
            "Nothing to read yet. Type a number with its country in front, such as DE136695976.".into()
        }
        MalformedReason::TooLong => "This is longer than 64 characters, and no VAT number is.".into(),
        MalformedReason::MissingPrefix => {
            "There is no country in front, such as DE or GB, and Crossvat does not guess one.".into()
        }
        MalformedReason::Characters => "A character in it belongs to no VAT number.".into(),
        MalformedReason::Structure => match Prefix::from_code(code) {
            Some(prefix) => {
                format!("Numbers with the prefix {prefix} ({}) are built differently.", prefix.country_name())
                    .into()
            }
            None => "No VAT number is built like this.".into(),
        },
    }
}

fn unsupported(reason: UnsupportedReason, code: &str) -> Cow<'static, str> {
    match reason {
        UnsupportedReason::CountryNotCovered => {
            format!("Neither HMRC nor VIES covers numbers that begin with {code}.").into()
        }
        UnsupportedReason::OneStopShop => {
            "This is a number of the EU’s one-stop shop. Neither HMRC nor VIES can be asked about it.".into()
        }
        UnsupportedReason::ImportScheme => {
            "This is a number of the EU’s import scheme. Neither HMRC nor VIES can be asked about it.".into()
        }
        UnsupportedReason::GovernmentOrHealthBody => {
            "This is the short number of a government department or a health body, which HMRC does not take."
                .into()
        }
    }
}
