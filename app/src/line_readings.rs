//! How the numbers of a pasted text are read, before any registry is asked: how many there are of which kind, and where a
//! look is worth it. The same on both sides: the server writes it for a form that was sent, the browser while somebody
//! types. Written as text, since the browser puts it into a page that only the server wrote.

use vat::pasted::{MAX_PASTED, Pasted, PastedError, numbers};
use vat::{AdviceCode, Reading, Shape, Status, VatNumber};

use crate::components::TagStatus;
use crate::figures::grouped;
use crate::markup::push_text;
use crate::reading_words::sentence;

/// Of each kind the first so many are shown.
const MOST_SHOWN: usize = 20;
/// Characters that are shown of a text: as many as a number may have.
const MOST_CHARACTERS: usize = vat::MAX_CHARACTERS;

/// What was found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineReadings {
    /// All of them.
    numbers: usize,
    /// Those that nobody can be asked about.
    stuck: usize,
    /// Those that were read with a repair or a doubt.
    doubtful: usize,
    /// Those that stand there already.
    repeated: usize,
    stuck_items: String,
    doubtful_items: String,
}

impl LineReadings {
    /// Takes one more number in. `is_new` is told a number in canonical form, and tells whether it is the first of its kind.
    pub(crate) fn add(&mut self, line: usize, text: &str, is_new: impl FnOnce(&str) -> bool) {
        let reading = VatNumber::parse(text);
        self.numbers += 1;
        match reading.shape() {
            Shape::Number(number) => {
                if !is_new(number.as_str()) {
                    self.repeated += 1;
                }
                if reading.advice().iter().any(|advice| is_doubt(advice.code)) {
                    self.doubtful += 1;
                    if self.doubtful <= MOST_SHOWN {
                        item(&mut self.doubtful_items, line, text, &reading);
                    }
                }
            }
            Shape::Malformed(_) | Shape::Unsupported(_) => {
                self.stuck += 1;
                if self.stuck <= MOST_SHOWN {
                    item(&mut self.stuck_items, line, text, &reading);
                }
            }
        }
    }

    /// How many numbers can be asked about, equal ones counted as often as they stand there.
    pub(crate) const fn askable(&self) -> usize {
        self.numbers - self.stuck
    }

    /// What was found, in a heading and a remark: markup.
    pub(crate) fn head(&self) -> String {
        let (numbers, askable) = (figure(self.numbers), figure(self.askable()));
        let found = match (self.numbers, self.stuck) {
            (1, 0) => "1 number, which can be asked".to_owned(),
            (1, _) => "1 number, which needs you".to_owned(),
            (_, 0) => [&*numbers, " numbers: all can be asked"].concat(),
            (_, 1) => [&*numbers, " numbers: ", &askable, " can be asked, 1 needs you"].concat(),
            (_, stuck) => {
                [&*numbers, " numbers: ", &askable, " can be asked, ", &figure(stuck), " need you"].concat()
            }
        };
        let repeated = match self.repeated {
            0 => String::new(),
            1 => " One stands there twice and is asked once.".to_owned(),
            more => {
                [" ", &*figure(more), " are repetitions of others: equal numbers are asked once."].concat()
            }
        };
        head(&found, &["Nothing has been asked yet.", &*repeated].concat())
    }

    /// Where a look is worth it: markup.
    pub(crate) fn lines(&self) -> String {
        let mut markup = String::new();
        list(&mut markup, &self.stuck_items, self.stuck);
        if self.doubtful > 0 {
            markup.push_str("<h3>Read with a repair or a doubt</h3>");
            list(&mut markup, &self.doubtful_items, self.doubtful);
        }
        let plain = self.askable() - self.doubtful;
        if plain > 0 && plain < self.numbers {
            markup.push_str("<p><small>");
            markup.push_str(&figure(plain));
            markup.push_str(" more, as they stand.</small></p>");
        }
        markup
    }
}

/// Why nothing is taken of a text: markup, to be shown in the place of a head.
pub(crate) fn refused(error: PastedError) -> String {
    match error {
        PastedError::Nothing => head("There is no number in it yet", "Nothing has been asked."),
        PastedError::TooMany { found } => head(
            &[&*figure(found), " numbers: at most ", &figure(MAX_PASTED), " are checked at a time"].concat(),
            "Nothing has been asked. Send them in parts.",
        ),
    }
}

/// The text with a suggestion in the place of what stands there: `chosen` is a line's number, a colon and the number
/// suggested for it. `None` when there is no such suggestion, or no place for it.
#[must_use]
pub fn with_suggestion(text: &str, chosen: &str) -> Option<String> {
    let (line, suggestion) = chosen.split_once(':')?;
    let line: usize = line.parse().ok()?;
    let is_meant = |pasted: &Pasted<'_>| {
        pasted.line == line && suggested(&VatNumber::parse(&pasted.text)).is_some_and(|it| it == suggestion)
    };
    let meant = numbers(text).ok()?.into_iter().find(is_meant)?.typed?;
    let start = meant.as_ptr().addr() - text.as_ptr().addr();
    Some([text.get(..start)?, suggestion, text.get(start + meant.len()..)?].concat())
}

/// What is said about a number that was read, or that could not be, in sentences.
pub(crate) fn remarks(reading: &Reading) -> String {
    let mut remarks = String::new();
    if reading.number().is_none() {
        remarks.push_str(&sentence(reading));
    }
    for advice in reading.advice() {
        if is_doubt(advice.code) {
            if !remarks.is_empty() {
                remarks.push(' ');
            }
            remarks.push_str(&advice.message);
        }
    }
    remarks
}

/// Whether it is worth a look. Blanks and dots are not.
pub(crate) const fn is_doubt(code: AdviceCode) -> bool {
    matches!(
        code,
        AdviceCode::CheckDigitsDoNotFit
            | AdviceCode::PrefixRepeated
            | AdviceCode::PrefixReplaced
            | AdviceCode::LookalikeCharacter
            | AdviceCode::DidYouMean
    )
}

fn suggested(reading: &Reading) -> Option<String> {
    reading.advice().into_iter().find_map(|advice| advice.suggestion)
}

fn figure(number: usize) -> String {
    grouped(number as u64)
}

fn head(found: &str, remark: &str) -> String {
    ["<h2>", found, "</h2><p><small>", remark, "</small></p>"].concat()
}

fn list(markup: &mut String, items: &str, count: usize) {
    if count > 0 {
        markup.push_str("<ol class=\"line-readings\" role=\"list\">");
        markup.push_str(items);
        markup.push_str("</ol>");
    }
    if count > MOST_SHOWN {
        markup.push_str("<p><small>And ");
        markup.push_str(&figure(count - MOST_SHOWN));
        markup.push_str(" more of this kind.</small></p>");
    }
}

fn item(markup: &mut String, line: usize, text: &str, reading: &Reading) {
    markup.push_str("<li><small>Line ");
    markup.push_str(&figure(line));
    markup.push_str("</small><div class=\"reading\">");
    let number = reading.number();
    if let Some(number) = &number {
        plate(markup, number);
    } else {
        markup.push_str("<code dir=\"ltr\">");
        escaped(markup, text);
        markup.push_str("</code>");
    }
    tag(
        markup,
        match reading.shape() {
            Shape::Number(_) => TagStatus::Ready,
            Shape::Malformed(_) => Status::Malformed.into(),
            Shape::Unsupported(_) => Status::Unsupported.into(),
        },
    );
    markup.push_str("</div><p>");
    if number.is_some_and(|number| !is_as_typed(number.as_str(), text)) {
        markup.push_str("<s dir=\"ltr\">");
        escaped(markup, text);
        markup.push_str("</s> ");
    }
    push_text(markup, &remarks(reading));
    if let Some(suggestion) = suggested(reading) {
        markup
            .push_str(" <button class=\"button\" data-kind=\"plain\" type=\"submit\" name=\"use\" value=\"");
        markup.push_str(&line.to_string());
        markup.push(':');
        markup.push_str(&suggestion);
        markup.push_str("\">Use ");
        markup.push_str(&suggestion);
        markup.push_str("</button>");
    }
    markup.push_str("</p></li>");
}

/// Whether nothing but blanks, dots and small letters was put right.
fn is_as_typed(number: &str, text: &str) -> bool {
    let typed = text.bytes().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    typed.map(|byte| byte.to_ascii_uppercase()).eq(number.bytes())
}

/// As the component `VatNumber` writes it.
fn plate(markup: &mut String, number: &VatNumber) {
    markup.push_str("<span class=\"vat-number\"><abbr title=\"");
    markup.push_str(number.prefix().country_name());
    markup.push_str("\">");
    markup.push_str(number.prefix().as_str());
    markup.push_str("</abbr>");
    for group in number.groups() {
        markup.push_str("<span>");
        markup.push_str(group);
        markup.push_str("</span>");
    }
    markup.push_str("</span>");
}

/// As the component `StatusTag` writes it.
fn tag(markup: &mut String, status: TagStatus) {
    let (shape, word, tone) = status.look();
    markup.push_str("<span class=\"status-tag\"");
    if let Some(tone) = tone {
        markup.push_str(" data-tone=\"");
        markup.push_str(tone);
        markup.push('"');
    }
    markup.push_str("><svg class=\"icon\" aria-hidden=\"true\"><use href=\"");
    markup.push_str(shape.href());
    markup.push_str("\"></use></svg>");
    markup.push_str(word);
    markup.push_str("</span>");
}

/// The beginning of a typed text.
fn escaped(markup: &mut String, text: &str) {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => {
            push_text(markup, &text[..end]);
            markup.push('…');
        }
        None => push_text(markup, text),
    }
}

/// Head and lines of a whole text: markup.
#[cfg(feature = "ssr")]
pub(crate) fn read_whole(text: &str) -> (String, String) {
    let pasted = match numbers(text) {
        Ok(pasted) => pasted,
        Err(error) => return (refused(error), String::new()),
    };
    let mut seen = std::collections::HashSet::new();
    let mut readings = LineReadings::default();
    for Pasted { line, text, .. } in pasted {
        readings.add(line, &text, |number| seen.insert(number.to_owned()));
    }
    (readings.head(), readings.lines())
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::{LineReadings, read_whole, with_suggestion};

    #[test]
    fn numbers_are_counted_by_what_can_be_done_with_them() {
        for (text, said) in [
            ("DE136695976", "1 number, which can be asked"),
            ("136695976", "1 number, which needs you"),
            ("DE136695976\nde 136 695 976", "2 numbers: all can be asked"),
            ("DE136695976, IE6388047V, 1", "3 numbers: 2 can be asked, 1 needs you"),
            ("DE136695976\n2\nCHE116281710", "3 numbers: 1 can be asked, 2 need you"),
            (" \n", "There is no number in it yet"),
        ] {
            let (head, _) = read_whole(text);
            assert!(head.starts_with(&format!("<h2>{said}</h2>")), "{text:?}: {head}");
        }
        let too_many = "IE6388047V\n".repeat(10_001);
        assert!(read_whole(&too_many).0.contains("10,001 numbers: at most 10,000 are checked at a time"));
    }

    #[test]
    fn repetitions_are_told() {
        for (text, said) in [
            ("DE136695976", "yet.</small>"),
            ("DE136695976\nde 136 695 976", "yet. One stands there twice and is asked once.</small>"),
            ("DE136695976\nDE136695976\nDE136695976", "yet. 2 are repetitions of others"),
            // What is no number is not asked at all.
            ("DE1\nDE1", "yet.</small>"),
        ] {
            let (head, _) = read_whole(text);
            assert!(head.contains(said), "{text:?}: {head}");
        }
    }

    #[test]
    fn only_what_is_worth_a_look_is_shown_and_of_much_the_beginning() {
        let (_, lines) = read_whole("NL 0044.95.445.B01\nIE6388047V");
        assert_eq!(lines, "");
        let (_, lines) = read_whole("gr 094259216\nDE136695976");
        assert!(lines.contains("<s dir=\"ltr\">gr 094259216</s>"), "{lines}");
        assert!(lines.contains("<abbr title=\"Greece\">EL</abbr>"), "{lines}");
        assert!(lines.ends_with("<p><small>1 more, as they stand.</small></p>"), "{lines}");
        let (_, lines) = read_whole(&"1\n".repeat(25));
        assert_eq!(lines.matches("<li>").count(), 20);
        assert!(lines.contains("And 5 more of this kind."), "{lines}");
    }

    #[test]
    fn what_was_typed_is_text_and_never_markup() {
        for typed in ["<script>alert(1)</script>", "GR<b>094259216", "\"><img src=x onerror=y>", "&lt;b&gt;"]
        {
            let mut readings = LineReadings::default();
            readings.add(1, typed, |_| true);
            let lines = readings.lines();
            for markup in ["<script", "<b>", "<img", "<code dir=\"ltr\">&lt;b"] {
                assert!(!lines.contains(markup), "{typed:?}: {lines}");
            }
        }
    }

    #[test]
    fn a_suggestion_takes_the_place_of_what_stands_in_its_line() {
        let text = "DE136695976\nSE5564646874\r\nIE6388047V";
        let (_, lines) = read_whole(text);
        assert!(lines.contains("name=\"use\" value=\"2:SE556464687401\""), "{lines}");
        assert_eq!(
            with_suggestion(text, "2:SE556464687401").as_deref(),
            Some("DE136695976\nSE556464687401\r\nIE6388047V")
        );
        // A number without a prefix stands beside its country.
        let table = "Country;VAT number\nDE;136695976\nSE;5564646874";
        assert_eq!(
            with_suggestion(table, "3:SE556464687401").as_deref(),
            Some("Country;VAT number\nDE;136695976\nSE;SE556464687401")
        );
        for forged in ["1:SE556464687401", "2:IE6388047V", "2", "x:y", "", "9:SE556464687401", "2:<b>"] {
            assert_eq!(with_suggestion(text, forged), None, "{forged:?}");
        }
    }
}
