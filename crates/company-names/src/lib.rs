//! What of a company's name stays the same from one writing to the next. Pure: the schema's migration and the server use the
//! same, as names are kept folded.
//!
//! Not here: which accounts resemble each other. That is the server's `early_access`.

/// What stands behind a company's name for its form, as words of letters alone.
const LEGAL_FORMS: [&str; 33] = [
    "ab", "ag", "aps", "as", "bv", "co", "company", "corp", "doo", "eood", "gmbh", "inc", "kft", "kg", "lda",
    "limited", "llc", "llp", "ltd", "nv", "ood", "oy", "oyj", "plc", "sa", "sarl", "sas", "sl", "spa",
    "spzoo", "srl", "sro", "ug",
];

/// A company's name without what differs from one writing to the next: the legal form, blanks, marks and case. A name that is
/// nothing but a legal form stays, and nothing is left of one that is nothing but marks. At most twice as many characters
/// as the name has.
#[must_use]
pub fn folded(name: &str) -> String {
    let words: Vec<String> = name
        .split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
        .filter(|word: &String| !word.is_empty())
        .collect();
    let mut end = words.len();
    // A form may be written in words of its own: `Sp. z o.o.`
    while end > 1 {
        let tail = (1..end.min(4))
            .rev()
            .find(|count| LEGAL_FORMS.contains(&words[end - count..end].concat().as_str()));
        match tail {
            Some(count) => end -= count,
            None => break,
        }
    }
    words[..end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_whatever_the_legal_form_and_the_writing() {
        for (one, other) in [
            ("Pennine Winches", "PENNINE WINCHES Ltd."),
            ("Øresund Bådudstyr A/S", "øresund  bådudstyr aps"),
            ("Velaria Tirrena S.r.l.", "Velaria-Tirrena"),
            ("Baltic Rope Sp. z o.o.", "Baltic Rope"),
            ("Müller & Söhne GmbH & Co. KG", "Müller Söhne"),
            ("Acme Trading Company Limited", "Acme Trading"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        for (one, other) in [("Acme", "Acme Marine"), ("AG", "AB"), ("Ltd", "Limited"), ("Acme", "Acne")] {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
        assert_eq!(folded("…"), "");
    }

    #[test]
    fn letters_that_take_two_in_lower_case_are_twice_as_many_at_most() {
        assert_eq!(folded(&"İ".repeat(200)).chars().count(), 400);
        let longest = ('\0'..=char::MAX).map(|letter| letter.to_lowercase().count()).max();
        assert_eq!(longest, Some(2));
    }

    #[test]
    fn the_list_is_in_order_without_doubles() {
        assert!(LEGAL_FORMS.is_sorted_by(|one, next| one < next));
    }
}
