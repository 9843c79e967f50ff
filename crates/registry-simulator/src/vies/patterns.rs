//! The form of a national part, by member state. Check digits are the member states' matter.

/// Country codes VIES serves, and the forms their numbers have (the Commission's VIES FAQ): `d` a digit, `b` 0 or
/// 1, `l` a letter, `x` a letter or digit, `s` a letter, digit, `+` or `*`; anything else stands for itself.
const FORMS: [(&str, &[&str]); 28] = [
    ("AT", &["Udddddddd"]),
    ("BE", &["bddddddddd"]),
    ("BG", &["ddddddddd", "dddddddddd"]),
    ("CY", &["ddddddddl"]),
    ("CZ", &["dddddddd", "ddddddddd", "dddddddddd"]),
    ("DE", &["ddddddddd"]),
    ("DK", &["dddddddd"]),
    ("EE", &["ddddddddd"]),
    ("EL", &["ddddddddd"]),
    ("ES", &["ldddddddd", "ddddddddl", "ldddddddl"]),
    ("FI", &["dddddddd"]),
    ("FR", &["xxddddddddd"]),
    ("HR", &["ddddddddddd"]),
    ("HU", &["dddddddd"]),
    ("IE", &["dsdddddl", "dddddddll"]),
    ("IT", &["ddddddddddd"]),
    ("LT", &["ddddddddd", "dddddddddddd"]),
    ("LU", &["dddddddd"]),
    ("LV", &["ddddddddddd"]),
    ("MT", &["dddddddd"]),
    ("NL", &["ssssssssssdd"]),
    ("PL", &["dddddddddd"]),
    ("PT", &["ddddddddd"]),
    ("RO", &["dd", "ddd", "dddd", "ddddd", "dddddd", "ddddddd", "dddddddd", "ddddddddd", "dddddddddd"]),
    ("SE", &["dddddddddddd"]),
    ("SI", &["dddddddd"]),
    ("SK", &["dddddddddd"]),
    ("XI", &["ddddddddd", "dddddddddddd", "GDddd", "HAddd"]),
];

/// Every country code VIES serves, in its own order.
pub(crate) fn member_states() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(country, _)| *country)
}

/// Whether a number has one of its member state's forms; `None` for a country VIES does not serve.
pub(super) fn fits(country: &str, number: &str) -> Option<bool> {
    let (_, forms) = FORMS.iter().find(|(code, _)| *code == country)?;
    Some(forms.iter().any(|form| matches(form, number)))
}

/// Two letters, in whichever case.
pub(super) fn is_country_code(country: &str) -> bool {
    country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn matches(form: &str, number: &str) -> bool {
    let fits = |(place, byte): (u8, u8)| match place {
        b'd' => byte.is_ascii_digit(),
        b'b' => matches!(byte, b'0' | b'1'),
        b'l' => byte.is_ascii_uppercase(),
        b'x' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        b's' => byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'*'),
        itself => byte == itself,
    };
    form.len() == number.len() && form.bytes().zip(number.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_accept_and_refuse() {
        let table = [
            ("AT", "U13585627", true),
            ("AT", "X13585627", false),
            ("BE", "0403019261", true),
            ("BE", "2000021323", false),
            ("ES", "X5253868R", true),
            ("ES", "123456789", false),
            ("IE", "9+12345N", true),
            ("IE", "6433435OA", true),
            ("IE", "6433435FAB", false),
            ("NL", "859835832B01", true),
            ("PL", "123", false),
            ("RO", "19", true),
            ("RO", "1", false),
            ("XI", "110305878", true),
        ];
        for (country, number, expected) in table {
            assert_eq!(fits(country, number), Some(expected), "{country}{number}");
        }
        assert_eq!(fits("XX", "123456"), None);
        assert_eq!(member_states().count(), 28);
    }
}
