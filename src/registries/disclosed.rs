//! What a registry discloses of a trader: text that says something, tidied.

/// `text` if it says anything: not blank, not dashes of any kind, no markup. Lines are joined, padding goes.
pub(super) fn disclosed(text: &str) -> Option<String> {
    let says_something = |line: &String| line.chars().any(|c| !is_dash(c) && !c.is_whitespace());
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(says_something)
        .collect();
    let joined = lines.join(", ");
    (!joined.is_empty() && !holds_markup(&joined)).then_some(joined)
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
