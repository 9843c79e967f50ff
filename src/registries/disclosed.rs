//! What a registry writes: of a trader, text that says something, tidied; of its own, as it stands. Neither holds control
//! characters: nobody can read them, and PostgreSQL has no place for the character nought.

/// `text` if it says anything: not blank, not dashes of any kind, no markup. Lines are joined, padding goes.
pub(super) fn disclosed(text: &str) -> Option<String> {
    let says_something = |line: &String| line.chars().any(|c| !is_dash(c) && !c.is_whitespace());
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let words = line.split(|c: char| c.is_whitespace() || c.is_control());
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        })
        .filter(says_something)
        .collect();
    let joined = lines.join(", ");
    (!joined.is_empty() && !holds_markup(&joined)).then_some(joined)
}

/// A registry's own note, such as the number of a consultation; `None` when it is blank.
pub(super) fn noted(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    (!text.trim().is_empty()).then_some(text)
}

const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// A gateway's error page where a trader's name should be.
fn holds_markup(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        text[at + 1..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '/' || next == '!')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(disclosed("Tra\u{0}der \u{1b} Ltd\nStreet\u{0}").as_deref(), Some("Tra der Ltd, Street"));
        assert_eq!(disclosed("\u{0}\n \u{7f}"), None);
        assert_eq!(noted("WAPI\u{0}AAA 1").as_deref(), Some("WAPIAAA 1"));
        assert_eq!(noted(" \u{0} "), None);
    }
}
