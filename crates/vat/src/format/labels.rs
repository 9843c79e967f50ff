//! Words that people write in front of a VAT number.

/// Without blanks and punctuation, in capitals; a longer word goes before one that it begins with. None begins
/// with a prefix that a registry covers.
const LABELS: &[&str] = &[
    "VATREGISTRATIONNUMBER",
    "VATREGISTRATIONNO",
    "VATREGNO",
    "VATREGNR",
    "VATREG",
    "VATNUMBER",
    "VATIDNO",
    "VATID",
    "VATNO",
    "VATNR",
    "VAT",
    "EUVATNO",
    "EUVAT",
    "TVAINTRACOM",
    "NOTVA",
    "NTVA",
    "TVA",
    "BTWNUMMER",
    "BTWNR",
    "BTW",
    "PARTITAIVA",
    "NIFIVA",
    "PIVA",
    "IVA",
    "UMSATZSTEUERID",
    "USTIDNR",
    "USTID",
    "UIDNR",
    "UID",
    "MWSTNR",
    "MWST",
    "MOMSREGNR",
    "MOMSNR",
    "MOMS",
    "NIP",
    "NIF",
    "CIF",
    "IČDPH",
    "DIČ",
    "ΑΦΜ",
];

/// What follows the label that the text begins with, or nothing where it begins with none.
pub(super) fn strip(text: &str) -> Option<&str> {
    LABELS.iter().find_map(|label| text.strip_prefix(label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Prefix;

    #[test]
    fn no_label_begins_like_a_prefix_or_hides_another() {
        for (index, label) in LABELS.iter().enumerate() {
            let start = label.get(..2).unwrap_or_default();
            assert!(Prefix::from_code(start).is_none() && !["GR", "UK"].contains(&start), "{label}");
            let hidden = LABELS[..index].iter().find(|earlier| label.starts_with(**earlier));
            assert_eq!(hidden, None, "{label} can never be found");
        }
    }
}
