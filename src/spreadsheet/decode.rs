//! The text of a file that a spreadsheet or an accounting program wrote.

use std::borrow::Cow;

use encoding_rs::{UTF_8, WINDOWS_1252};
use thiserror::Error;

/// The bytes are no text, but perhaps a spreadsheet's own file or a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the file is not text: save it as CSV")]
pub struct NotText;

/// The text of a file: UTF-8, with or without a byte order mark; UTF-16 of either byte order with one; else Windows-1252,
/// as spreadsheets in Western Europe write it.
///
/// # Errors
/// It is no text in any of these.
pub fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    let (encoding, content) = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None if str::from_utf8(bytes).is_ok() => (UTF_8, bytes),
        None => (WINDOWS_1252, bytes),
    };
    let (text, had_errors) = encoding.decode_without_bom_handling(content);
    if had_errors || text.chars().any(is_never_typed) { Err(NotText) } else { Ok(text) }
}

/// Control characters, save those that stand between lines, columns and pages.
const fn is_never_typed(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0e'..='\x1f' | '\x7f')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Name;Ust-IdNr.\r\nMüller – Öl;DE136695976\r\n";

    fn utf_16(text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
    }

    #[test]
    fn every_encoding_that_spreadsheets_write_is_read() {
        let windows: Vec<u8> = WINDOWS_1252.encode(TEXT).0.into_owned();
        assert!(str::from_utf8(&windows).is_err());
        for (bytes, name) in [
            (TEXT.as_bytes().to_vec(), "UTF-8"),
            (["\u{feff}", TEXT].concat().into_bytes(), "UTF-8 with a mark"),
            (utf_16(TEXT, [0xff, 0xfe], u16::to_le_bytes), "UTF-16, little end first"),
            (utf_16(TEXT, [0xfe, 0xff], u16::to_be_bytes), "UTF-16, big end first"),
            (windows, "Windows-1252"),
            (Vec::new(), "nothing"),
        ] {
            let expected = if bytes.is_empty() { "" } else { TEXT };
            assert_eq!(text_of(&bytes).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for (bytes, name) in [
            (&b"PK\x03\x04\x14\x00\x06\x00"[..], "a spreadsheet's own file"),
            (b"%PDF-1.7\n\x01\x02", "a PDF"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
            (b"D\0E\x001\0", "UTF-16 without a mark"),
            (b"\xff\xfeD\0E", "half a character"),
            (b"\xff\xfe\x00\xd8", "half a pair"),
            (b"\xef\xbb\xbfDE\xff", "not the UTF-8 that the mark promises"),
            (b"DE\x7f1", "a control character"),
        ] {
            assert_eq!(text_of(bytes), Err(NotText), "{name}");
        }
    }
}
