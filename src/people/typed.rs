//! Texts as people type them: what is kept of a line, and whether it can be kept.

/// A line without blanks around it, of 1 to `longest` characters of which none controls anything; else `None`.
#[must_use]
pub fn checked_line(typed: &str, longest: usize) -> Option<&str> {
    let line = typed.trim();
    let fits = (1..=longest).contains(&line.chars().count()) && !line.chars().any(char::is_control);
    fits.then_some(line)
}

/// As [`checked_line`], but several lines are welcome.
#[must_use]
pub fn checked_text(typed: &str, longest: usize) -> Option<&str> {
    let text = typed.trim();
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let fits = (1..=longest).contains(&text.chars().count()) && !text.chars().any(odd);
    fits.then_some(text)
}

/// What is searched for: a line without blanks around it and without what controls anything, which PostgreSQL could not even
/// be asked for; of longer ones the first `longest` characters.
#[must_use]
pub fn searched_text(typed: &str, longest: usize) -> String {
    let readable: String = typed.chars().filter(|letter| !letter.is_control()).collect();
    readable.trim().chars().take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_1_to_so_many_characters_of_which_none_controls() {
        assert_eq!(checked_line("  Åsa Öberg ", 9), Some("Åsa Öberg"));
        for bad in ["", "   ", "Åsa Öbergs", "Asa\r\nBcc", "a\0b"] {
            assert_eq!(checked_line(bad, 9), None, "{bad:?}");
        }
        assert_eq!(checked_text(" a\r\n\tb ", 5), Some("a\r\n\tb"));
        assert_eq!(searched_text(" \0 Åsa\0 Öberg\r\n", 9), "Åsa Öberg");
        assert_eq!(searched_text("Åsa Öberg", 3), "Åsa");
        assert_eq!(searched_text(" \t\0", 3), "");
        for bad in ["", "\n", "abcdef", "a\0b", "a\u{1b}b"] {
            assert_eq!(checked_text(bad, 5), None, "{bad:?}");
        }
    }
}
