//! What of a row is searched, and what for: both in lower case and cut alike, so that one finds the other in every script.

use crate::{db::containing, people::searched_text};

/// Of longer texts only the beginning is searched. As many fit into an index of PostgreSQL in every script.
const MOST_CHARACTERS: usize = 400;

/// What a row is found by: its number, consultation number and name.
#[must_use]
pub fn search_text(number: &str, consultation_number: Option<&str>, name: Option<&str>) -> String {
    // A line each: nobody finds the end of one with the beginning of the next.
    let text = format!("{number}\n{}\n{}", consultation_number.unwrap_or(""), name.unwrap_or(""));
    text.to_lowercase().chars().take(MOST_CHARACTERS).collect()
}

/// Patterns for `LIKE` with the escape character `\`, of which one must fit: what was typed, and, when it looks like a
/// number written in groups, the same without what divides them. None when nothing was typed.
pub(super) fn patterns(typed: &str) -> Vec<String> {
    // As long as a row's text can be: the databases limit patterns, and no row is found by more.
    let typed = searched_text(typed, MOST_CHARACTERS);
    let wanted: String = typed.to_lowercase().chars().take(MOST_CHARACTERS).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let joined: String = wanted
        .chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '.' | '-' | '/'))
        .collect();
    let is_number = joined.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && joined.bytes().any(|byte| byte.is_ascii_digit());
    let mut patterns = vec![containing(&wanted)];
    if is_number && joined != wanted {
        patterns.push(containing(&joined));
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_what_to_look_for() {
        for (typed, wanted) in [
            ("", &[][..]),
            (" \t\n", &[]),
            ("Fenwick", &["%fenwick%"]),
            ("  Marine Supplies ", &["%marine supplies%"]),
            ("ΑΛΦΑ", &["%αλφα%"]),
            ("GB 123 4567 82", &["%gb 123 4567 82%", "%gb123456782%"]),
            ("de-136.695.976", &["%de-136.695.976%", "%de136695976%"]),
            ("A. P. Møller", &["%a. p. møller%"]),
            ("100%", &["%100\\%%"]),
            ("a_b\\c", &["%a\\_b\\\\c%"]),
            ("x\0y\nz", &["%xyz%"]),
        ] {
            assert_eq!(patterns(typed), wanted, "{typed:?}");
        }
    }

    #[test]
    fn long_names_are_searched_by_their_beginning() {
        let text = search_text("EL094259216", None, Some(&"Ω".repeat(1000)));
        assert_eq!(text.chars().count(), MOST_CHARACTERS);
        assert!(text.starts_with("el094259216\n\nωωω"));
    }
}
