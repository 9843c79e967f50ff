//! The account's own VAT numbers, as somebody types them into the settings.

use vat::{CheckDigits, MalformedReason, Prefix, Registry, Shape, UnsupportedReason, VatNumber};

/// The number in whose name a registry is to be asked; none when nothing was typed. The error says what to change.
pub(super) fn own_number(typed: &str, registry: Registry) -> Result<Option<VatNumber>, &'static str> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let reading = match registry {
        // Only one country is meant, so nobody needs to say which.
        Registry::Hmrc => VatNumber::parse_in(typed, Prefix::Gb),
        Registry::Vies => VatNumber::parse(typed),
    };
    match (reading.shape(), registry) {
        (Shape::Number(number), _) if number.registry() == registry => Ok(Some(*number)),
        (Shape::Number(_), Registry::Hmrc) => {
            Err("HMRC knows only UK numbers: this one belongs into the field for VIES")
        }
        (Shape::Number(_), Registry::Vies) => {
            Err("VIES does not know UK numbers: this one belongs into the field for HMRC")
        }
        (Shape::Malformed(MalformedReason::MissingPrefix), Registry::Vies) => {
            Err("Begin with the country, such as IE in IE1234567T")
        }
        (
            Shape::Malformed(_) | Shape::Unsupported(UnsupportedReason::GovernmentOrHealthBody),
            Registry::Hmrc,
        ) => Err("This is no UK VAT number. Write it as in GB123456782"),
        (Shape::Malformed(_), Registry::Vies) => {
            Err("This is no VAT number of its country. Write it as in IE1234567T")
        }
        (Shape::Unsupported(_), _) => Err("Neither HMRC nor VIES can be asked in the name of such a number"),
    }
}

/// The number that a company that asks for keys has typed as its own; none when nothing was typed. The error says what to
/// change.
pub(super) fn askers_number(typed: &str) -> Result<Option<VatNumber>, &'static str> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    match VatNumber::parse(typed).shape() {
        Shape::Number(number) => Ok(Some(*number)),
        Shape::Malformed(MalformedReason::MissingPrefix) => {
            Err("Begin with the country, such as GB in GB123456782")
        }
        Shape::Malformed(_) => Err("This is no VAT number of its country. Write it as in GB123456782"),
        Shape::Unsupported(_) => {
            Err("Neither HMRC nor VIES knows such numbers. Leave the field empty; support can ask you")
        }
    }
}

/// What the field of a registry says: for what the number is, and doubts about the one that is kept.
pub(super) fn hint(kept: Option<VatNumber>, registry: Registry) -> String {
    let name = registry.name();
    match kept.filter(|number| number.check_digits() == CheckDigits::DoNotFit) {
        Some(number) => {
            format!(
                "For questions to {name}. The check digits of {number} do not fit: look whether a digit is wrong."
            )
        }
        None => format!("For questions to {name}."),
    }
}

/// In whose name is asked from now on.
pub(super) fn told(gb: Option<VatNumber>, eu: Option<VatNumber>) -> String {
    let alone = |number, asked, other| {
        format!("Saved. From now on {asked} is asked in the name of {number}, and {other} in nobody’s.")
    };
    match (gb, eu) {
        (Some(gb), Some(eu)) => format!("Saved. From now on checks are asked in the name of {gb} and {eu}."),
        (Some(gb), None) => alone(gb, Registry::Hmrc, Registry::Vies),
        (None, Some(eu)) => alone(eu, Registry::Vies, Registry::Hmrc),
        (None, None) => {
            "Saved. From now on checks are asked in nobody’s name, and no registry gives a consultation number."
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_people_type_it_and_belongs_to_its_registry() {
        for (typed, registry, kept) in [
            ("", Registry::Hmrc, Ok(None)),
            ("  ", Registry::Vies, Ok(None)),
            ("gb 123 4567 82", Registry::Hmrc, Ok(Some("GB123456782"))),
            ("123 4567 82", Registry::Hmrc, Ok(Some("GB123456782"))),
            ("GB123456789", Registry::Hmrc, Ok(Some("GB123456789"))),
            ("IE1234567T", Registry::Hmrc, Err("HMRC knows only UK numbers")),
            ("GB1234", Registry::Hmrc, Err("This is no UK VAT number")),
            ("GBGD100", Registry::Hmrc, Err("This is no UK VAT number")),
            ("CHE-116.281.710 MWST", Registry::Hmrc, Err("Neither HMRC nor VIES")),
            ("ie 1234567 t", Registry::Vies, Ok(Some("IE1234567T"))),
            ("GR094259216", Registry::Vies, Ok(Some("EL094259216"))),
            ("XI123456782", Registry::Vies, Ok(Some("XI123456782"))),
            ("GB123456782", Registry::Vies, Err("VIES does not know UK numbers")),
            ("136695976", Registry::Vies, Err("Begin with the country")),
            ("DE1234", Registry::Vies, Err("This is no VAT number of its country")),
            ("EU372022452", Registry::Vies, Err("Neither HMRC nor VIES")),
            ("<script>", Registry::Vies, Err("This is no VAT number of its country")),
        ] {
            match (own_number(typed, registry), kept) {
                (Ok(read), Ok(kept)) => {
                    assert_eq!(read.map(|number| number.to_string()).as_deref(), kept, "{typed:?}");
                }
                (Err(words), Err(beginning)) => assert!(words.starts_with(beginning), "{typed:?}: {words}"),
                (read, kept) => panic!("{typed:?}: {read:?}, not {kept:?}"),
            }
        }
    }

    #[test]
    fn who_asks_for_keys_may_have_any_number_that_a_registry_knows_or_none() {
        for (typed, kept) in [
            (" ", Ok(None)),
            ("gb 434 0314 94", Ok(Some("GB434031494"))),
            ("GR094259216", Ok(Some("EL094259216"))),
            ("GB123456789", Ok(Some("GB123456789"))),
            ("434031494", Err("Begin with the country")),
            ("GB1234", Err("This is no VAT number")),
            ("<script>", Err("This is no VAT number")),
            ("CHE-116.281.710 MWST", Err("Neither HMRC nor VIES")),
        ] {
            match (askers_number(typed), kept) {
                (Ok(read), Ok(kept)) => {
                    assert_eq!(read.map(|number| number.to_string()).as_deref(), kept, "{typed:?}");
                }
                (Err(words), Err(beginning)) => assert!(words.starts_with(beginning), "{typed:?}: {words}"),
                (read, kept) => panic!("{typed:?}: {read:?}, not {kept:?}"),
            }
        }
    }

    #[test]
    fn a_number_with_odd_check_digits_is_kept_and_doubted() {
        let kept = |text| VatNumber::parse(text).number();
        assert_eq!(hint(kept("GB123456782"), Registry::Hmrc), "For questions to HMRC.");
        assert!(hint(kept("GB123456789"), Registry::Hmrc).contains("GB123456789 do not fit"));
        assert_eq!(hint(None, Registry::Vies), "For questions to VIES.");
    }
}
