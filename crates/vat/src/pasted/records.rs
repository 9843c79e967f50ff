//! A text as records of cells. A cell in quotes may hold separators, line ends and, doubled, quotes (RFC 4180).

use std::borrow::Cow;

/// The records of a text; those without any content are left out.
pub(super) struct Records<'a> {
    rest: &'a str,
    separator: char,
    /// The line that `rest` begins in, as a spreadsheet counts them, from 1.
    line: usize,
    /// A quote that nothing closes is a character like any other, and so are all after it.
    quotes_close: bool,
}

/// One record.
pub(super) struct Record<'a> {
    /// The line it is in a spreadsheet, from 1: lines without any content count, line ends in quotes do not.
    pub(super) line: usize,
    /// At least one.
    pub(super) cells: Vec<Cow<'a, str>>,
}

impl<'a> Records<'a> {
    pub(super) fn of(text: &'a str, separator: char) -> Self {
        Self { rest: text, separator, line: 1, quotes_close: true }
    }

    /// The next cell, and whether the record ends with it.
    fn cell(&mut self) -> (Cow<'a, str>, bool) {
        let quoted = self.quoted();
        let end = self.rest.find([self.separator, '\n', '\r']).unwrap_or(self.rest.len());
        let (plain, rest) = self.rest.split_at(end);
        let cell = match quoted {
            None => Cow::Borrowed(plain),
            // Whatever follows the closing quote belongs to the cell all the same.
            Some(quoted) if plain.trim().is_empty() => quoted,
            Some(quoted) => Cow::Owned(quoted.into_owned() + plain),
        };
        let ends = !rest.starts_with(self.separator);
        self.rest = rest.strip_prefix("\r\n").unwrap_or_else(|| {
            let mut rest = rest.chars();
            rest.next();
            rest.as_str()
        });
        (cell, ends)
    }

    /// What stands in quotes, when the cell begins with them.
    fn quoted(&mut self) -> Option<Cow<'a, str>> {
        if !self.quotes_close {
            return None;
        }
        let inside = self.rest.trim_start_matches(' ').strip_prefix('"')?;
        let mut from = 0;
        let mut has_quotes = false;
        loop {
            let Some(quote) = inside[from..].find('"').map(|at| from + at) else {
                self.quotes_close = false;
                return None;
            };
            if inside[quote + 1..].starts_with('"') {
                has_quotes = true;
                from = quote + 2;
                continue;
            }
            let content = &inside[..quote];
            self.rest = &inside[quote + 1..];
            return Some(if has_quotes {
                Cow::Owned(content.replace("\"\"", "\""))
            } else {
                Cow::Borrowed(content)
            });
        }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        while !self.rest.is_empty() {
            let mut record = Record { line: self.line, cells: Vec::new() };
            loop {
                let (cell, ends) = self.cell();
                record.cells.push(cell);
                if ends {
                    break;
                }
            }
            self.line += 1;
            if record.cells.iter().any(|cell| !cell.trim().is_empty()) {
                return Some(record);
            }
        }
        None
    }
}
