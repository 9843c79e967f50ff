//! Texts of others within ours. Made so that no text can be more than it should: a line stays one line, whatever stood in
//! it, so nothing that people type becomes a header of a letter.

use std::fmt;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(String);

/// Lines of which none is empty at the beginning or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(String);

impl From<&str> for Line {
    /// What controls anything becomes a blank; blanks around it go. Names that were checked stay as they are.
    fn from(text: &str) -> Self {
        let text: String = text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect();
        Self(text.trim().to_owned())
    }
}

impl From<&str> for Lines {
    /// Line ends are made alike, everything else as in [`Line`].
    fn from(text: &str) -> Self {
        let lines: Vec<_> = text.lines().map(|line| Line::from(line).0).collect();
        Self(lines.join("\n").trim().to_owned())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Unicode's own line ends are among no controls.
fn is_break(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        for (text, line) in [
            ("Fenwick Marine", "Fenwick Marine"),
            (" Åsa Öberg ", "Åsa Öberg"),
            ("Acme\r\nBcc: x@b.co", "Acme  Bcc: x@b.co"),
            ("a\rb\u{85}c\u{2028}d\u{2029}e\0f", "a b c d e f"),
            ("\n", ""),
        ] {
            assert_eq!(Line::from(text).to_string(), line, "{text:?}");
        }
    }

    #[test]
    fn lines_keep_their_ends_and_nothing_else_that_controls() {
        assert_eq!(Lines::from("\r\n  One.\r\n\r\n\tTwo\0.\n\n").to_string(), "One.\n\nTwo .");
    }
}
