//! Characters that look like a Latin letter or a plain digit and are none.

/// A character that was taken for the letter or digit it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookalike {
    /// Its place in the text as sent, without surrounding blanks, counted from 1; a letter counts as one with
    /// the marks on it.
    pub(crate) position: usize,
    /// The character itself.
    pub(crate) character: char,
    /// The letter, or the digits, it was read as.
    pub(crate) read_as: String,
}

/// Capital, small letter, the Latin capital that the capital looks like, and the name.
type Letter = (char, char, char, &'static str);

/// No other letter is read as this one.
const LAMBDA_READ_AS: char = 'L';

const GREEK: [Letter; 15] = [
    ('\u{391}', '\u{3b1}', 'A', "Alpha"),
    ('\u{392}', '\u{3b2}', 'B', "Beta"),
    ('\u{395}', '\u{3b5}', 'E', "Epsilon"),
    ('\u{396}', '\u{3b6}', 'Z', "Zeta"),
    ('\u{397}', '\u{3b7}', 'H', "Eta"),
    ('\u{399}', '\u{3b9}', 'I', "Iota"),
    ('\u{39a}', '\u{3ba}', 'K', "Kappa"),
    // Only in a prefix: ΕΛ is how Greeks write theirs.
    ('\u{39b}', '\u{3bb}', LAMBDA_READ_AS, "Lambda"),
    ('\u{39c}', '\u{3bc}', 'M', "Mu"),
    ('\u{39d}', '\u{3bd}', 'N', "Nu"),
    ('\u{39f}', '\u{3bf}', 'O', "Omicron"),
    ('\u{3a1}', '\u{3c1}', 'P', "Rho"),
    ('\u{3a4}', '\u{3c4}', 'T', "Tau"),
    ('\u{3a5}', '\u{3c5}', 'Y', "Upsilon"),
    ('\u{3a7}', '\u{3c7}', 'X', "Chi"),
];

const CYRILLIC: [Letter; 15] = [
    ('\u{410}', '\u{430}', 'A', "A"),
    ('\u{412}', '\u{432}', 'B', "Ve"),
    ('\u{415}', '\u{435}', 'E', "Ie"),
    ('\u{41a}', '\u{43a}', 'K', "Ka"),
    ('\u{41c}', '\u{43c}', 'M', "Em"),
    ('\u{41d}', '\u{43d}', 'H', "En"),
    ('\u{41e}', '\u{43e}', 'O', "O"),
    ('\u{420}', '\u{440}', 'P', "Er"),
    ('\u{421}', '\u{441}', 'C', "Es"),
    ('\u{422}', '\u{442}', 'T', "Te"),
    ('\u{423}', '\u{443}', 'Y', "U"),
    ('\u{425}', '\u{445}', 'X', "Ha"),
    ('\u{405}', '\u{455}', 'S', "Dze"),
    ('\u{406}', '\u{456}', 'I', "Ukrainian I"),
    ('\u{408}', '\u{458}', 'J', "Je"),
];

/// The zeros of scripts with decimal digits of their own, each followed by its one to nine (Unicode, general
/// category Nd): those of the Basic Multilingual Plane, less those that compatibility forms turn into plain digits.
const NATIONAL_ZEROS: [char; 34] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{1090}',
    '\u{17e0}', '\u{1810}', '\u{1946}', '\u{19d0}', '\u{1a80}', '\u{1a90}', '\u{1b50}', '\u{1bb0}',
    '\u{1c40}', '\u{1c50}', '\u{a620}', '\u{a8d0}', '\u{a900}', '\u{a9d0}', '\u{aa50}', '\u{abf0}',
];

fn letter(character: char) -> Option<(&'static str, &'static Letter)> {
    let scripts = [("Greek", &GREEK[..]), ("Cyrillic", &CYRILLIC[..])];
    scripts.into_iter().find_map(|(script, letters)| {
        let found = letters.iter().find(|(capital, small, ..)| *capital == character || *small == character);
        found.map(|letter| (script, letter))
    })
}

/// The Latin capital that a Greek or Cyrillic letter looks like when it is a capital. A small letter goes by its
/// capital too, since a text is read in capitals.
pub(crate) fn latin_letter(character: char) -> Option<char> {
    latin_in_prefix(character).filter(|&latin| latin != LAMBDA_READ_AS)
}

/// As [`latin_letter`], and Lambda as L.
pub(super) fn latin_in_prefix(character: char) -> Option<char> {
    letter(character).map(|(_, &(_, _, latin, _))| latin)
}

/// The plain digit for a decimal digit of another script.
pub(crate) fn national_digit(character: char) -> Option<char> {
    NATIONAL_ZEROS.iter().find_map(|&zero| {
        let value = u32::from(character).checked_sub(u32::from(zero))?;
        char::from_digit(value, 10)
    })
}

/// Whether a character whose compatibility form is plain digits is a digit of its own kind, such as a
/// superscript, and not just the same digit in another width or typeface.
pub(super) fn is_dressed_digit(character: char) -> bool {
    !character.is_ascii()
        && !matches!(character, '\u{ff10}'..='\u{ff19}' | '\u{1d7ce}'..='\u{1d7ff}' | '\u{1fbf0}'..='\u{1fbf9}')
}

impl Lookalike {
    /// What the character is, with its article: `a Greek capital Alpha`, `a superscript 2`.
    pub(crate) fn description(&self) -> String {
        if let Some((script, (capital, _, _, name))) = letter(self.character) {
            let case = if *capital == self.character { "capital" } else { "small" };
            return format!("a {script} {case} {name}");
        }
        let kind = match self.character {
            '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}'..='\u{2079}' => "superscript",
            '\u{2080}'..='\u{2089}' => "subscript",
            '\u{2460}'..='\u{2473}' | '\u{24ea}' => "circled",
            _ => "specially written",
        };
        format!("a {kind} {}", self.read_as)
    }
}
