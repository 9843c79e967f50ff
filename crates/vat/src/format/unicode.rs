//! The careful way for text beyond ASCII: compatibility forms, invisible marks, look-alikes.

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfkc};

use super::ascii;
use super::forms::letter_may_stand;
use super::interpret::{interpret, without_labels};
use super::lookalike::{Lookalike, is_dressed_digit, latin_in_prefix, latin_letter};
use crate::reading::{Repair, Repairs};
use crate::{Prefix, Reading, Shape};

/// A character that was kept.
#[derive(Clone, Copy)]
struct Glyph {
    /// In its compatibility form, as a capital.
    plain: char,
    /// The Latin letter it looks like, where it is none.
    latin: Option<char>,
    /// Whether what was sent stands for digits alone, in a form of their own.
    dressed_digit: bool,
    /// What was sent, and where, counted from 1. A letter and the marks on it count as one.
    sent: char,
    position: usize,
}

impl Glyph {
    fn as_latin(&self) -> char {
        self.latin.unwrap_or(self.plain)
    }

    /// Whether it is taken for a Latin letter in a prefix only.
    fn is_for_prefixes(&self) -> bool {
        self.latin.is_some() && latin_letter(self.plain).is_none()
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
    let mut rest = submitted.trim();
    let mut kept: Vec<Glyph> = Vec::with_capacity(rest.len());
    let mut position = 0;
    // A letter with its marks at a time, so that each form is known to come from it.
    while let Some(sent) = rest.chars().next() {
        let end = rest.char_indices().skip(1).find(|&(_, next)| !is_combining_mark(next));
        let (cluster, after) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = after;
        position += 1;

        let seen: String = cluster.chars().filter(|&sent| !is_dropped(sent) && !is_accent(sent)).collect();
        let forms: Vec<char> = seen.nfkc().filter(|&form| !is_dropped(form)).map(capital).collect();
        if seen.len() != cluster.len() || forms.is_empty() || seen.nfkc().count() != forms.len() {
            repairs.insert(Repair::SeparatorsRemoved);
        }
        // Part of a character, such as the 1 of ½, is not what the character looks like.
        let latin = if let [form] = forms[..] { latin_in_prefix(form) } else { None };
        let dressed_digit = is_dressed_digit(sent) && forms.iter().all(char::is_ascii_digit);
        kept.extend(forms.into_iter().map(|plain| Glyph { plain, latin, dressed_digit, sent, position }));
    }
    joined(kept)
}

/// Characters that join into others now that nothing stands between them have no place in a number: the text
/// is malformed, and from there on it does not matter any more what came from where.
fn joined(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let text: String = glyphs.iter().map(|glyph| glyph.plain).collect();
    if is_nfkc(&text) {
        return glyphs;
    }
    let forms: Vec<char> = text.nfkc().collect();
    let same = glyphs.iter().zip(&forms).take_while(|(glyph, form)| glyph.plain == **form).count();
    let rest = forms.into_iter().skip(same).map(|form| Glyph {
        plain: capital(form),
        latin: None,
        dressed_digit: false,
        sent: form,
        position: same + 1,
    });
    glyphs.into_iter().take(same).chain(rest).collect()
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

/// An accent that stands alone, which people type for an apostrophe: its compatibility form is a blank with the
/// accent on it.
fn is_accent(sent: char) -> bool {
    std::iter::once(sent).nfkc().next() == Some(' ')
}

/// Blanks, dashes, dots, quotes and apostrophes of every kind, and marks that are not to be seen.
fn is_dropped(form: char) -> bool {
    match u8::try_from(form) {
        Ok(byte) if byte.is_ascii() => ascii::is_separator(byte),
        _ => {
            form.is_whitespace()
                || is_ignorable(form)
                || matches!(
                    form,
                    '\u{58a}' | '\u{5be}' | '\u{2010}'
                        ..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{2215}'
                    | '\u{2e3a}' | '\u{2e3b}'
                    | '\u{b7}' | '\u{2022}' | '\u{2027}' | '\u{2219}' | '\u{22c5}' | '\u{30fb}'
                    | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{2032}' | '\u{2bc}'
                    // A Braille pattern without a dot.
                    | '\u{2800}'
                )
        }
    }
}

/// What is not to be seen unless a program knows it (Unicode, property `Default_Ignorable_Code_Point`).
const fn is_ignorable(form: char) -> bool {
    matches!(form,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether every look-alike stands in the prefix or where the country has a letter.
fn lookalikes_stand_for_letters(reading: &Reading, glyphs: &[Glyph]) -> bool {
    let number = match reading.shape() {
        Shape::Number(number) => number,
        Shape::Unsupported(_) => return !glyphs.iter().skip(2).any(Glyph::is_for_prefixes),
        Shape::Malformed(_) => return false,
    };
    let length = number.national().len();
    let typed = length - usize::from(reading.has_repair(Repair::LeadingZeroAdded));
    glyphs.iter().rev().take(typed).enumerate().all(|(from_end, glyph)| {
        glyph.latin.is_none()
            || !glyph.is_for_prefixes() && letter_may_stand(number.prefix(), length - 1 - from_end, length)
    })
}

/// What was replaced: look-alike letters among the first characters, and digits of their own kind anywhere.
fn lookalikes(glyphs: &[Glyph], letters: usize) -> Vec<Lookalike> {
    let mut found: Vec<Lookalike> = Vec::new();
    for (index, glyph) in glyphs.iter().enumerate() {
        let read_as = match glyph.latin {
            Some(latin) if index < letters => latin,
            None if glyph.dressed_digit => glyph.plain,
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
