//! Patterns for `LIKE` with the escape character `\`.

/// Whatever holds `text` as it stands.
pub(crate) fn containing(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

/// For what was put into lower case by `LOWER`: whatever holds `text` in small or capital letters. Other letters than those
/// from A to Z, which SQLite does not lower, may stand for any.
pub(crate) fn containing_in_any_case(text: &str) -> String {
    let any = |letter: char| if letter.is_ascii() { letter.to_ascii_lowercase() } else { '\0' };
    containing(&text.chars().map(any).collect::<String>()).replace('\0', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_typed_is_a_pattern() {
        assert_eq!(containing("100%_a\\b"), "%100\\%\\_a\\\\b%");
        assert_eq!(containing_in_any_case("Øresund 100%"), "%_resund 100\\%%");
        assert_eq!(containing_in_any_case("A\0b"), "%a_b%");
    }
}
