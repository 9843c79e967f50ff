//! What is said about a number that was only read: sentences, no markup. A reading is never worded as an answer.

use std::borrow::Cow;

use vat::{CheckDigits, Reading, Shape, VatNumber};

/// What became of the text, in one or two sentences.
pub(crate) fn sentence(reading: &Reading) -> Cow<'static, str> {
    reading.why_no_number().unwrap_or_else(|| {
        format!("Read as {}. Whether it is registered was not asked.", reading.canonical()).into()
    })
}

/// Who would be asked about it.
pub(crate) fn who_is_asked(shape: &Shape) -> String {
    match shape {
        Shape::Number(number) => format!("{}, and nobody else", number.registry().name()),
        Shape::Malformed(_) => "Nobody. The answer is “malformed” at once.".to_owned(),
        Shape::Unsupported(_) => "Nobody. The answer is “unsupported”, never “invalid”.".to_owned(),
    }
}

/// What check digits that fit are worth, or that there are none. What does not fit is told as advice.
pub(crate) fn fitting_check_digits(number: &VatNumber) -> Option<String> {
    let registry = number.registry().name();
    match number.check_digits() {
        CheckDigits::Fit => Some(format!("They fit, so a slip is unlikely. Only {registry} knows the rest.")),
        CheckDigits::Absent => Some(format!("Numbers of this kind have none. Only {registry} knows more.")),
        CheckDigits::DoNotFit => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{fitting_check_digits, sentence, who_is_asked};
    use vat::VatNumber;

    #[test]
    fn every_kind_of_reading_is_told_in_its_own_words() {
        for (submitted, told, asked) in [
            ("nl 0044.95.445.B01", "Read as NL004495445B01. Whether", "VIES, and nobody else"),
            ("GB123456782", "Read as GB123456782. Whether", "HMRC, and nobody else"),
            ("GR094259216", "Read as EL094259216. Whether", "VIES, and nobody else"),
            ("", "Nothing to read yet.", "Nobody. The answer is “malformed”"),
            ("136695976", "There is no country in front", "Nobody. The answer is “malformed”"),
            ("AT57194903", "Numbers with the prefix AT (Austria)", "Nobody. The answer is “malformed”"),
            (
                "CHE-116.281.710 MWST",
                "Neither HMRC nor VIES covers numbers that begin with CH.",
                "Nobody. The answer is “unsupported”",
            ),
            (
                "EU372022452",
                "This is a number of the EU’s one-stop shop.",
                "Nobody. The answer is “unsupported”",
            ),
            (
                "IM2760000742",
                "This is a number of the EU’s import scheme.",
                "Nobody. The answer is “unsupported”",
            ),
            (
                "GBGD100",
                "This is the short number of a government department",
                "Nobody. The answer is “unsupported”",
            ),
        ] {
            let reading = VatNumber::parse(submitted);
            let said = sentence(&reading);
            assert!(said.starts_with(told), "{submitted:?}: {said}");
            let said = who_is_asked(reading.shape());
            assert!(said.starts_with(asked), "{submitted:?}: {said}");
        }
    }

    #[test]
    fn too_long_a_text_is_told_as_such() {
        let submitted = format!("DE{}", "1".repeat(63));
        assert!(sentence(&VatNumber::parse(&submitted)).starts_with("This is longer than 64 characters"));
    }

    #[test]
    fn nothing_that_was_only_read_is_called_valid_or_registered() {
        for submitted in ["nl 0044.95.445.B01", "GB123456782", "DE136695976"] {
            let reading = VatNumber::parse(submitted);
            let said = format!("{} {}", sentence(&reading), who_is_asked(reading.shape())).to_lowercase();
            assert!(!said.contains(" valid"), "{said}");
            assert!(!said.contains("is registered."), "{said}");
        }
    }

    #[test]
    fn only_fitting_check_digits_are_called_fitting() {
        for (submitted, told) in [
            ("GB123456782", Some("They fit,")),
            ("GB123456789", None),
            ("CZ530101123", Some("Numbers of this kind have none.")),
        ] {
            let number = VatNumber::parse(submitted).number().expect("well formed");
            let said = fitting_check_digits(&number);
            assert_eq!(said.is_some(), told.is_some(), "{submitted}");
            assert!(said.unwrap_or_default().starts_with(told.unwrap_or_default()), "{submitted}");
        }
    }
}
