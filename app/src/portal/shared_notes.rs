//! Notes that many rows of a page share: told once above the table, with a mark in the rows.

use leptos::prelude::*;

use super::grouped;
use crate::components::{Notice, Tone};

/// So many rows have to share a note.
const ROWS: usize = 3;
/// Notes up to so many characters are told in every row: a mark is hardly shorter.
const SHORT: usize = 60;

/// The notes that are told once, in the order in which rows first have them.
pub(super) struct SharedNotes<'a>(Vec<(&'a str, usize)>);

impl<'a> SharedNotes<'a> {
    /// Of the notes of all rows on a page.
    pub(super) fn among(notes: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for note in notes.filter(|note| note.chars().count() > SHORT) {
            match counts.iter_mut().find(|(known, _)| *known == note) {
                Some((_, count)) => *count += 1,
                None => counts.push((note, 1)),
            }
        }
        counts.retain(|(_, count)| *count >= ROWS);
        Self(counts)
    }

    /// What is said above the table.
    pub(super) fn view(&self) -> AnyView {
        if self.0.is_empty() {
            return ().into_any();
        }
        let notes = (1..)
            .zip(&self.0)
            .map(|(place, (note, rows))| {
                view! {
                    <p id=format!("note-{place}")>
                        <strong>{format!("Note {place}")}</strong>
                        {format!(", on {} rows: {note}", grouped(*rows as u64))}
                    </p>
                }
            })
            .collect_view();
        view! { <Notice tone=Tone::Note>{notes}</Notice> }.into_any()
    }

    /// What is said in a row with these notes: the marks first.
    pub(super) fn in_row(&self, notes: &[String]) -> AnyView {
        let marks = notes
            .iter()
            .filter_map(|note| self.place_of(note))
            .map(|place| {
                view! {
                    <a href=format!("#note-{place}") rel="external">
                        {format!("Note {place}")}
                    </a>
                    " "
                }
            })
            .collect_view();
        let others = notes.iter().filter(|note| self.place_of(note).is_none());
        let others = others.map(String::as_str).collect::<Vec<_>>().join(" ");
        view! {
            {marks}
            {others}
        }
        .into_any()
    }

    /// From 1.
    fn place_of(&self, note: &str) -> Option<usize> {
        self.0.iter().position(|(shared, _)| *shared == note).map(|place| place + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedNotes;

    #[test]
    fn long_notes_that_several_rows_have_are_shared_and_no_others() {
        let long = |letter: &str| letter.repeat(61);
        let (often, twice, also) = (long("a"), long("b"), long("c"));
        let notes = [&*often, "short", &twice, &also, "short", &often, &also, "short", &twice, &often, &also];
        let shared = SharedNotes::among(notes.into_iter());
        assert_eq!(shared.0, [(&*often, 3), (&*also, 3)]);
        assert_eq!(
            [shared.place_of(&also), shared.place_of(&twice), shared.place_of("short")],
            [Some(2), None, None]
        );
    }
}
