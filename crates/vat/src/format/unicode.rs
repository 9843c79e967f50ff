//! The careful way for text beyond ASCII: compatibility forms, invisible marks, look-alikes.

use unicode_normalization::{UnicodeNormalization, is_nfkc};

use super::ascii;
use super::forms::letter_may_stand;
use super::interpret::{interpret, without_labels};
use super::lookalike::{Lookalike, is_dressed_digit, latin_letter};
use crate::reading::{Repair, Repairs};
use crate::{Prefix, Reading, Shape};

/// A character that was kept.
#[derive(Clone, Copy)]
struct Glyph {
    /// In its compatibility form, as a capital.
    plain: char,
    /// The Latin letter it looks like, where it is none.
    latin: Option<char>,
    /// What was sent, and where, counted from 1.
    sent: char,
    position: usize,
}

impl Glyph {
    fn new(form: char, sent: char, index: usize) -> Self {
        Self { plain: capital(form), latin: latin_letter(form), sent, position: index + 1 }
    }

    fn is_dressed_digit(&self) -> bool {
        self.plain.is_ascii_digit() && is_dressed_digit(self.sent)
    }

    fn as_latin(&self) -> char {
        self.latin.unwrap_or(self.plain)
    }
}

/// Reads a text of any characters.
#[cold]
pub(super) fn read(submitted: &str, country: Option<Prefix>) -> Reading {
    let mut repairs = Repairs::default();
    let mut glyphs = glyphs(submitted, &mut repairs);
    let plain: String = glyphs.iter().map(|glyph| glyph.plain).collect();
    let unlabelled = without_labels(&plain, &mut repairs);
    glyphs.drain(..plain.chars().count() - unlabelled.chars().count());

    let as_latin: String = glyphs.iter().map(Glyph::as_latin).collect();
    let reading = interpret(&as_latin, country, repairs);
    if glyphs.iter().all(|glyph| glyph.latin.is_none()) {
        return reading.with_lookalikes(lookalikes(&glyphs, 0));
    }
    if lookalikes_stand_for_letters(&reading, &glyphs) {
        let replaced = glyphs.len();
        return reading.with_lookalikes(lookalikes(&glyphs, replaced));
    }
    // No number: only what stands for the prefix is replaced.
    let is_prefix = glyphs.iter().take(2).filter(|glyph| glyph.as_latin().is_ascii_uppercase()).count() == 2;
    let replaced = if is_prefix { 2 } else { 0 };
    let text: String = glyphs[..replaced]
        .iter()
        .map(Glyph::as_latin)
        .chain(glyphs[replaced..].iter().map(|glyph| glyph.plain))
        .collect();
    interpret(&text, country, repairs).with_lookalikes(lookalikes(&glyphs, replaced))
}

/// The text in its compatibility form, in capitals and without separators.
pub(super) fn normalise(submitted: &str) -> String {
    glyphs(submitted, &mut Repairs::default()).iter().map(|glyph| glyph.plain).collect()
}

fn glyphs(submitted: &str, repairs: &mut Repairs) -> Vec<Glyph> {
    let trimmed = submitted.trim();
    // One by one, so that each form is known to come from its character.
    let mut kept: Vec<Glyph> = Vec::with_capacity(trimmed.len());
    for (index, sent) in trimmed.chars().enumerate() {
        kept.extend(std::iter::once(sent).nfkc().map(|form| Glyph::new(form, sent, index)));
    }
    let before = kept.len();
    kept.retain(|glyph| !is_dropped(glyph.plain));
    if kept.len() != before {
        repairs.insert(Repair::SeparatorsRemoved);
    }
    // Characters that join into others have no place in a number: the text is malformed, and it does not
    // matter any more what came from where.
    let text: String = kept.iter().map(|glyph| glyph.plain).collect();
    if !is_nfkc(&text) {
        kept = text.nfkc().enumerate().map(|(index, form)| Glyph::new(form, form, index)).collect();
    }
    kept
}

/// The capital of a letter, unless that is more than one, or ASCII while the letter is not: such letters must
/// not slip into a number.
fn capital(form: char) -> char {
    let mut capitals = form.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) if capital.is_ascii() == form.is_ascii() => capital,
        _ => form,
    }
}

/// Blanks, dashes, dots and apostrophes of every kind, and marks that are not to be seen.
fn is_dropped(form: char) -> bool {
    match u8::try_from(form) {
        Ok(byte) if byte.is_ascii() => ascii::is_separator(byte),
        _ => {
            form.is_whitespace()
                || matches!(form,
                    '\u{ad}' | '\u{58a}' | '\u{5be}' | '\u{2010}'..='\u{2015}' | '\u{2212}'
                    | '\u{b7}' | '\u{2022}' | '\u{2027}' | '\u{30fb}'
                    | '\u{2018}' | '\u{2019}' | '\u{2bc}'
                    | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                    | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        }
    }
}

/// Whether every look-alike stands in the prefix or where the country has a letter.
fn lookalikes_stand_for_letters(reading: &Reading, glyphs: &[Glyph]) -> bool {
    let number = match reading.shape() {
        Shape::Number(number) => number,
        Shape::Unsupported(_) => return true,
        Shape::Malformed(_) => return false,
    };
    let length = number.national().len();
    let typed = length - usize::from(reading.has_repair(Repair::LeadingZeroAdded));
    glyphs.iter().rev().take(typed).enumerate().all(|(from_end, glyph)| {
        glyph.latin.is_none() || letter_may_stand(number.prefix(), length - 1 - from_end, length)
    })
}

/// What was replaced: look-alike letters among the first characters, and digits of their own kind anywhere.
fn lookalikes(glyphs: &[Glyph], letters: usize) -> Vec<Lookalike> {
    let mut found: Vec<Lookalike> = Vec::new();
    for (index, glyph) in glyphs.iter().enumerate() {
        let read_as = match glyph.latin {
            Some(latin) if index < letters => latin,
            None if glyph.is_dressed_digit() => glyph.plain,
            _ => continue,
        };
        match found.last_mut() {
            // One character that stands for several digits.
            Some(last) if last.position == glyph.position => last.read_as.push(read_as),
            _ => found.push(Lookalike {
                position: glyph.position,
                character: glyph.sent,
                read_as: read_as.into(),
            }),
        }
    }
    found
}
