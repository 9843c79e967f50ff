//! What lists with a filter have in common: the days that are asked for, how many entries there are, and the list as a file
//! that is sent while it is read.

use std::io;

use axum::{body::Body, response::Response};
use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use crossvat_app::portal::{Fault as FormFault, grouped};
use futures_util::stream::try_unfold;

use super::csv_file::csv_file;
use crate::{audit, evidence, evidence::Total, spreadsheet::CsvWriter};

/// The first and the last day in the fields `from` and `to`, or what of them needs changing.
pub(super) fn days_of(
    from: &str,
    to: &str,
) -> Result<(Option<NaiveDate>, Option<NaiveDate>), Vec<FormFault>> {
    let mut faults = Vec::new();
    let mut day = |field: &'static str, typed: &str| {
        let typed = typed.trim();
        if typed.is_empty() {
            return None;
        }
        let day = typed.parse::<NaiveDate>().ok().filter(|day| (1..=9998).contains(&day.year()));
        if day.is_none() {
            faults.push(FormFault::new(field, "Enter a day as year-month-day, such as 2026-09-03"));
        }
        day
    };
    let (first, last) = (day("from", from), day("to", to));
    if first.zip(last).is_some_and(|(first, last)| last < first) {
        faults.push(FormFault::new("to", "Choose a last day that is not before the first"));
    }
    if faults.is_empty() { Ok((first, last)) } else { Err(faults) }
}

/// How many there are, at the beginning of a sentence, and of which days: “More than 1,000 checks of 3 September 2026, newest
/// first”. The second moment is the first after.
pub(super) fn caption(
    total: Total,
    (one, many): (&str, &str),
    (from, until): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
) -> String {
    let count = match total {
        Total::Exactly(1) => format!("1 {one}"),
        Total::Exactly(count) => format!("{} {many}", grouped(count)),
        Total::MoreThan(count) => format!("More than {} {many}", grouped(count)),
    };
    let day = |at: DateTime<Utc>| at.format("%-d %B %Y").to_string();
    let range = match (from, until.and_then(|until| until.checked_sub_days(Days::new(1)))) {
        (None, None) => String::new(),
        (Some(from), None) => format!(" from {} on", day(from)),
        (None, Some(last)) => format!(" up to {}", day(last)),
        (Some(from), Some(last)) if from == last => format!(" of {}", day(from)),
        (Some(from), Some(last)) => format!(" from {} to {}", day(from), day(last)),
    };
    format!("{count}{range}, newest first")
}

/// Which of all a page shows, such as “51 to 100 of 412”.
pub(super) fn part(first: u64, entries: usize, total: Total) -> String {
    let last = first.saturating_add(entries as u64).saturating_sub(1);
    let total = match total {
        Total::Exactly(count) => grouped(count),
        Total::MoreThan(count) => format!("more than {}", grouped(count)),
    };
    format!("{} to {} of {total}", grouped(first), grouped(last))
}

/// A list that is read part by part.
pub(super) trait Parts: Send + 'static {
    /// What is listed.
    type Entry: Send;

    /// The next part; `None` after the last.
    fn next_part(&mut self) -> impl Future<Output = io::Result<Option<Vec<Self::Entry>>>> + Send;
}

impl Parts for evidence::HistoryExport {
    type Entry = evidence::HistoryEntry;

    async fn next_part(&mut self) -> io::Result<Option<Vec<Self::Entry>>> {
        Self::next_part(self).await.map_err(io::Error::other)
    }
}

impl Parts for audit::LogExport {
    type Entry = audit::LogEntry;

    async fn next_part(&mut self) -> io::Result<Option<Vec<Self::Entry>>> {
        Self::next_part(self).await.map_err(io::Error::other)
    }
}

/// Answers with a list as a file. A part that cannot be read breaks the answer off, so that nobody takes what came for the
/// whole.
pub(super) fn file<P: Parts, const COLUMNS: usize>(
    (content, day): (&'static str, NaiveDate),
    headings: &[&str; COLUMNS],
    parts: P,
    cells: fn(&P::Entry) -> [String; COLUMNS],
) -> Response {
    let writer = CsvWriter::with_headings(headings);
    let texts = try_unfold(
        (parts, writer, false),
        move |(mut parts, mut writer, over): (P, CsvWriter, bool)| async move {
            if over {
                return Ok::<_, io::Error>(None);
            }
            let part = Parts::next_part(&mut parts).await.inspect_err(|error| {
                tracing::error!(%error, content, "a list cannot be sent to its end");
            })?;
            let over = part.is_none();
            for entry in part.into_iter().flatten() {
                writer.row(cells(&entry));
            }
            let text = writer.take();
            Ok(Some((text, (parts, writer, over))))
        },
    );
    csv_file(content, day, Body::from_stream(texts))
}
