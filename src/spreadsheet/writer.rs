//! CSV that spreadsheets open right: UTF-8 with a byte order mark, lines that end with CR and LF, cells quoted where that
//! is needed (RFC 4180). No cell is a formula.

/// What a spreadsheet takes for the beginning of a formula, or drops so that what follows is one (OWASP, "CSV Injection").
const BEGINNINGS_OF_FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
/// What has a cell put in quotes. Spreadsheets of many countries separate with semicolons or tabs.
const QUOTED: [char; 6] = [',', ';', '\t', '"', '\r', '\n'];

/// What separates cells and rows in some country's spreadsheets.
const BETWEEN_CELLS: [char; 5] = [',', ';', '\t', '\r', '\n'];

/// What stands between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// As RFC 4180 says.
    Comma,
    /// As spreadsheets expect it where the comma stands before decimals.
    Semicolon,
}

impl Separator {
    const fn as_char(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Semicolon => ';',
        }
    }
}

/// A file that is being written.
#[derive(Clone, Debug)]
pub struct CsvWriter {
    text: String,
    separator: Separator,
}

impl CsvWriter {
    /// A file that begins with these headings, separated with commas.
    #[must_use]
    pub fn with_headings(headings: &[&str]) -> Self {
        Self::separated(Separator::Comma, headings)
    }

    /// A file that begins with these headings.
    #[must_use]
    pub fn separated(separator: Separator, headings: &[&str]) -> Self {
        let mut writer = Self { text: "\u{feff}".to_owned(), separator };
        writer.row(headings);
        writer
    }

    /// One more row.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.text.push(self.separator.as_char());
            }
            self.cell(cell.as_ref());
        }
        self.text.push_str("\r\n");
    }

    /// What was written since this was last asked, for a file that is sent while it is written.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The content of the file.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    fn cell(&mut self, cell: &str) {
        let quoted = cell.contains(QUOTED) || cell.starts_with(' ') || cell.ends_with(' ');
        if quoted {
            self.text.push('"');
        }
        // A spreadsheet that separates with something else begins a cell there, and not where the quotes say. All others read
        // the quotes.
        let separator = self.separator.as_char();
        let mut may_begin = true;
        for c in cell.chars() {
            if may_begin && BEGINNINGS_OF_FORMULAS.contains(&c) {
                self.text.push('\'');
            }
            may_begin = c != separator && BETWEEN_CELLS.contains(&c) || may_begin && c == '"';
            if c == '"' {
                self.text.push('"');
            }
            self.text.push(c);
        }
        if quoted {
            self.text.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use vat::pasted;

    use super::*;

    fn written(cell: &str) -> String {
        let mut writer = CsvWriter::with_headings(&["a"]);
        writer.row([cell, "x"]);
        writer.finish()
    }

    #[test]
    fn cells_are_quoted_where_that_is_needed_and_never_a_formula() {
        for (cell, expected) in [
            ("", ""),
            ("DE136695976", "DE136695976"),
            ("Øresund A/S", "Øresund A/S"),
            ("a, b", "\"a, b\""),
            ("a;b", "\"a;b\""),
            ("a\tb", "\"a\tb\""),
            ("two\nlines", "\"two\nlines\""),
            ("the \"West\"", "\"the \"\"West\"\"\""),
            (" blank", "\" blank\""),
            ("=1+1", "'=1+1"),
            ("+44", "'+44"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t'=1\""),
            ("\r=1", "\"'\r'=1\""),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("a=1", "a=1"),
            ("a, -b", "\"a, -b\""),
            ("a;=1;b", "\"a;'=1;b\""),
            ("a;\"=1\"", "\"a;\"\"'=1\"\"\""),
            ("a\n=1", "\"a\n'=1\""),
            ("'=1", "'=1"),
        ] {
            assert_eq!(written(cell), format!("\u{feff}a\r\n{expected},x\r\n"), "{cell:?}");
        }
    }

    #[test]
    fn with_semicolons_no_cell_is_a_formula_either() {
        for (cell, expected) in [
            ("", ""),
            ("a, b", "\"a, b\""),
            ("a;b", "\"a;b\""),
            ("=1+1", "'=1+1"),
            ("a,=1,b", "\"a,'=1,b\""),
            ("a,\"=1\"", "\"a,\"\"'=1\"\"\""),
            ("a;=1;b", "\"a;=1;b\""),
            ("a\t=1\n=1", "\"a\t'=1\n'=1\""),
        ] {
            let mut writer = CsvWriter::separated(Separator::Semicolon, &["a", "b"]);
            writer.row([cell, "x"]);
            assert_eq!(writer.finish(), format!("\u{feff}a;b\r\n{expected};x\r\n"), "{cell:?}");
        }
    }

    #[test]
    fn what_is_written_can_be_pasted_again() {
        for separator in [Separator::Comma, Separator::Semicolon] {
            let mut writer = CsvWriter::separated(separator, &["Name", "VAT number"]);
            writer.row(["Kerguelen, Ateliers; \"West\"\r\n", "FR40303265045"]);
            writer.row(["=1", "DE136695976"]);
            let text = writer.finish();
            let numbers = pasted::numbers(&text).expect("numbers");
            let numbers: Vec<&str> = numbers.iter().map(|pasted| &*pasted.text).collect();
            assert_eq!(numbers, ["FR40303265045", "DE136695976"]);
        }
    }
}
