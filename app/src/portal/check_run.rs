//! `/portal/check/{run}`: how far a run is, what can be done about it, and its rows.

use leptos::prelude::*;
use leptos_router::location::Url;
use vat::{Prefix, Reading, Status, VatNumber as Number};

use super::shared_notes::SharedNotes;
use super::{Instant, ServerView, grouped};
use crate::components::{
    Moment, Notice, PageHeader, PageLinks, Shape, StatusTag, TabLink, TabLinks, TagStatus, Tone, VatNumber,
};
use crate::line_readings::remarks;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPhase {
    /// Rows wait, and are asked.
    Running,
    /// Rows wait, and nobody is asked.
    Stopped,
    /// No row waits.
    Done,
}

/// Whether a reader may stop a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// That is for others.
    NotAllowed,
    /// Nothing would be left unasked.
    InVain,
    /// The rest would wait.
    Offered,
}

/// How many rows there are, by what became of them.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// All of them.
    pub rows: u64,
    /// Not asked yet.
    pub waiting: u64,
    /// Of each outcome.
    pub outcomes: [(Status, u64); 5],
}

/// Rows of which kind are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// With this outcome.
    Outcome(Status),
    /// Those that wait.
    Waiting,
    /// Those whose text was repaired to be read, or is perhaps a slip.
    Advised,
}

/// By what rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSort {
    /// As pasted.
    Place,
    /// By number.
    Number,
    /// What needs a look comes first.
    Outcome,
    /// By name.
    Name,
}

/// Which rows are shown, and how: what the address of the page says.
#[derive(Clone, Debug)]
pub struct RowFilter {
    /// Only those of this kind.
    pub kind: Option<RowKind>,
    /// Only those of this country.
    pub country: String,
    /// Only those with this in them.
    pub find: String,
    /// By what they are sorted.
    pub sort: RowSort,
    /// The other way round.
    pub descending: bool,
    /// The page, from 1.
    pub page: u64,
}

/// A row.
#[derive(Clone, Debug)]
pub struct ResultRow {
    /// The line of what it was taken from, where that is known.
    pub line: Option<u64>,
    /// As typed.
    pub submitted: String,
    /// The number, or what stands for one.
    pub vat_number: String,
    /// What became of it; `None`: nothing yet.
    pub outcome: Option<Status>,
    /// The trader's name, where the registry gives it.
    pub name: Option<String>,
    /// The trader's address.
    pub address: Option<String>,
    /// What is to be known about it.
    pub notes: Vec<String>,
    /// Whether the customer accounts for the VAT.
    pub reverse_charge: Option<&'static str>,
    /// When the answer came.
    pub answered: Option<Instant>,
    /// The identifier of its evidence.
    pub evidence: Option<String>,
    /// Whether it is one of the sandbox's, about which a registry says nothing of use.
    pub of_sandbox: bool,
}

/// `/portal/check/{run}`
#[derive(Clone, Debug)]
pub struct CheckRun {
    /// Its identifier.
    pub id: String,
    /// By what it is known again.
    pub name: String,
    /// Where it is.
    pub phase: RunPhase,
    /// Whether something is still on its way.
    pub is_working: bool,
    /// How far it is.
    pub progress: Progress,
    /// Countries with how many of their numbers nobody answered about, most first.
    pub unanswered: Vec<(String, u64)>,
    /// Those of them that do not answer now either, as far as we know.
    pub still_silent: Vec<String>,
    /// Why it does not go on, or not at present.
    pub holds_up: Option<String>,
    /// Who started it.
    pub by: String,
    /// When.
    pub started: Instant,
    /// When its last row was decided.
    pub ended: Option<Instant>,
    /// How many rows were repaired or are perhaps slips, once none waits.
    pub advised: Option<u64>,
    /// In whose name it asks.
    pub requesters: String,
    /// Whether the reader may stop it.
    pub stopping: Stopping,
    /// Whether the reader may have it ask.
    pub may_ask: bool,
    /// Which rows are shown.
    pub filter: RowFilter,
    /// Countries with how many rows there are of each: what is sent, and its words.
    pub countries: Vec<(String, String)>,
    /// The rows of this page.
    pub rows: Vec<ResultRow>,
    /// How many there are on all pages.
    pub total: u64,
}

impl RunPhase {
    pub(super) const fn look(self) -> (Shape, Option<&'static str>) {
        match self {
            Self::Running => (Shape::Waiting, None),
            Self::Stopped => (Shape::Unsupported, None),
            Self::Done => (Shape::Valid, Some("ok")),
        }
    }
}

impl Progress {
    /// Rows about which something is known.
    fn answered(&self) -> u64 {
        self.rows.saturating_sub(self.waiting).saturating_sub(self.unavailable())
    }

    fn unavailable(&self) -> u64 {
        self.outcomes.iter().find(|(status, _)| *status == Status::Unavailable).map_or(0, |(_, count)| *count)
    }

    /// Every kind there is any of, with the class of its part of the bar.
    fn parts(&self) -> Vec<(TagStatus, &'static str, u64)> {
        let parts = self.outcomes.into_iter().map(|(status, count)| {
            let (_, _, tone) = TagStatus::from(status).look();
            (status.into(), tone.unwrap_or("muted"), count)
        });
        parts
            .chain([(TagStatus::Waiting, "waiting", self.waiting)])
            .filter(|(.., count)| *count > 0)
            .collect()
    }

    fn bar(&self) -> AnyView {
        let parts = self.parts();
        let words: Vec<String> = parts
            .iter()
            .map(|(status, _, count)| format!("{} {}", grouped(*count), status.look().1.to_lowercase()))
            .collect();
        let mut before = 0;
        let rects = parts
            .into_iter()
            .map(|(_, class, count)| {
                let (x, width) = (share(before, self.rows), share(count, self.rows));
                before += count;
                view! { <rect class=class x=x width=width height="100%" /> }
            })
            .collect_view();
        view! {
            <svg id="progress-bar" role="img" aria-label=words.join(", ") preserveAspectRatio="none">
                {rects}
            </svg>
        }
        .into_any()
    }

    fn counts(&self) -> AnyView {
        let counts = self
            .parts()
            .into_iter()
            .map(|(status, _, count)| {
                view! {
                    <li>
                        <StatusTag status=status />
                        " "
                        {grouped(count)}
                    </li>
                }
            })
            .collect_view();
        view! {
            <ul role="list" id="progress-counts">
                {counts}
            </ul>
        }
        .into_any()
    }
}

/// In hundredths of a per cent, exactly.
fn share(part: u64, whole: u64) -> String {
    let share = (part * 10_000).checked_div(whole).unwrap_or(0);
    format!("{}.{:02}%", share / 100, share % 100)
}

impl RowKind {
    /// How the address of the page says it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Outcome(status) => status.as_str(),
            Self::Waiting => "waiting",
            Self::Advised => "advice",
        }
    }
}

impl RowSort {
    /// How the address of the page says it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Number => "number",
            Self::Outcome => "outcome",
            Self::Name => "name",
        }
    }
}

impl RowFilter {
    /// Rows on a page.
    pub const ROWS_ON_A_PAGE: u64 = 50;

    /// How many rows are on the pages before.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.page.saturating_sub(1).saturating_mul(Self::ROWS_ON_A_PAGE)
    }

    const fn is_narrow(&self) -> bool {
        self.kind.is_some() || !self.country.is_empty() || !self.find.is_empty()
    }

    fn address(&self, run: &str) -> String {
        let mut address = format!("/portal/check/{run}?sort={}", self.sort.as_str());
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                address.push('&');
                address.push_str(name);
                address.push('=');
                address.push_str(value);
            }
        };
        add("dir", if self.descending { "desc" } else { "" });
        add("outcome", self.kind.map_or("", RowKind::as_str));
        add("country", &Url::escape(&self.country));
        add("find", &Url::escape(&self.find));
        add("page", &if self.page > 1 { self.page.to_string() } else { String::new() });
        address
    }
}

impl CheckRun {
    fn words(&self) -> AnyView {
        let (rows, asked) =
            (grouped(self.progress.rows), grouped(self.progress.rows.saturating_sub(self.progress.waiting)));
        let unavailable = self.progress.unavailable();
        let more = self.holds_up.as_ref().map(|words| format!(" {words}"));
        match self.phase {
            RunPhase::Running => {
                view! { <strong>{asked} " of " {rows}</strong> " checked." {more} }.into_any()
            }
            RunPhase::Stopped => {
                view! { <strong>"Stopped at " {asked} " of " {rows} "."</strong> {more} }.into_any()
            }
            RunPhase::Done if unavailable > 0 => view! {
                <strong>"Done."</strong>
                {format!(
                    " {} of {rows} have an answer; {} had none, and nothing is said about {}.",
                    grouped(self.progress.answered()),
                    grouped(unavailable),
                    if unavailable == 1 { "that one" } else { "those" },
                )}
            }
            .into_any(),
            RunPhase::Done => view! {
                <strong>"Done."</strong>
                {if self.progress.rows == 1 {
                    " The number has its answer.".to_owned()
                } else {
                    format!(" All {rows} have an answer.")
                }}
            }
            .into_any(),
        }
    }

    /// What can be done about the run: what is sent, and its words.
    fn deeds(&self) -> Vec<(&'static str, String)> {
        let mut deeds = Vec::new();
        match self.phase {
            RunPhase::Running if self.stopping == Stopping::Offered => {
                deeds.push(("stop", "Stop after this part".to_owned()));
            }
            RunPhase::Stopped if self.may_ask => {
                let words = match self.progress.waiting {
                    1 => "Go on with the one that waits".to_owned(),
                    waiting => format!("Go on with the {} that wait", grouped(waiting)),
                };
                deeds.push(("resume", words));
            }
            _ => {}
        }
        let unavailable = self.progress.unavailable();
        if self.phase == RunPhase::Done && unavailable > 0 && self.may_ask {
            let words = match unavailable {
                1 => "Ask again about that one".to_owned(),
                _ => format!("Ask again about the {}", grouped(unavailable)),
            };
            deeds.push(("retry", words));
        }
        deeds
    }

    /// Of which countries the numbers are that nobody answered about, and which of these still do not answer.
    fn unanswered(&self) -> Option<AnyView> {
        if self.phase != RunPhase::Done || self.unanswered.is_empty() {
            return None;
        }
        let counts: Vec<String> =
            self.unanswered.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
        let still = self.still_silent.join(" and ");
        let still = match self.still_silent.len() {
            0 => String::new(),
            1 => format!(" {still} still does not answer."),
            _ => format!(" {still} still do not answer."),
        };
        Some(
            view! { <small>{format!("Without an answer: {}.{still}", counts.join(", "))}</small> }.into_any(),
        )
    }

    fn progress(&self) -> AnyView {
        let goes_on = self.phase == RunPhase::Running || self.is_working;
        let buttons = self
            .deeds()
            .into_iter()
            .map(|(deed, words)| {
                let kind = (deed != "stop").then_some("primary");
                view! {
                    <button class="button" data-kind=kind type="submit" name="do" value=deed>
                        {words}
                    </button>
                }
            })
            .collect_view();
        let again = goes_on.then(|| {
            view! {
                <a href=self.filter.address(&self.id) rel="external">
                    "Show the newest results"
                </a>
            }
        });
        view! {
            <section class="run-progress" aria-labelledby="progress" data-live=goes_on.then_some("2")>
                <p id="progress" role="status">
                    {self.words()}
                </p>
                {self.progress.bar()}
                {self.progress.counts()}
                <form class="button-row" method="post" action=format!("/portal/check/{}", self.id)>
                    {buttons}
                    {again}
                    {self.unanswered()}
                </form>
                {goes_on
                    .then(|| {
                        view! {
                            <p
                                id="connection"
                                role="status"
                                data-lost="The connection is lost. The run goes on all the same, and this page looks for it again every few seconds."
                            ></p>
                        }
                    })}
            </section>
        }
        .into_any()
    }

    fn outcomes(&self) -> AnyView {
        let tab = |kind: Option<RowKind>, count: u64| {
            let filter = RowFilter { kind, page: 1, ..self.filter.clone() };
            let (tag, words) = match kind {
                None => (None, Some("All")),
                Some(RowKind::Outcome(status)) => (Some(status.into()), None),
                Some(RowKind::Waiting) => (Some(TagStatus::Waiting), None),
                Some(RowKind::Advised) => (None, Some("With advice")),
            };
            let is_current = self.filter.kind == kind;
            TabLink { href: filter.address(&self.id), tag, words, count, is_current }
        };
        let outcomes = self.progress.outcomes.iter();
        let outcomes = outcomes.map(|(status, count)| tab(Some(RowKind::Outcome(*status)), *count));
        let waits = self.progress.waiting > 0 || self.filter.kind == Some(RowKind::Waiting);
        let waiting = waits.then(|| tab(Some(RowKind::Waiting), self.progress.waiting));
        let advised = self.advised.map(|count| tab(Some(RowKind::Advised), count));
        let links = [tab(None, self.progress.rows)].into_iter().chain(outcomes).chain(waiting).chain(advised);
        view! { <TabLinks id="run-outcomes" label="Show" links=links.collect() /> }.into_any()
    }

    fn filter_bar(&self) -> AnyView {
        let filter = &self.filter;
        let hidden = [
            ("sort", filter.sort.as_str()),
            ("dir", if filter.descending { "desc" } else { "" }),
            ("outcome", filter.kind.map_or("", RowKind::as_str)),
        ];
        let hidden = hidden
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
            .collect_view();
        let countries = self
            .countries
            .iter()
            .map(|(code, words)| {
                view! {
                    <option value=code.clone() selected=*code == filter.country>
                        {words.clone()}
                    </option>
                }
            })
            .collect_view();
        view! {
            <form class="filter-bar" method="get" action=format!("/portal/check/{}", self.id)>
                <div class="field">
                    <label for="find">"Find a number or a name"</label>
                    <input id="find" name="find" type="search" autocomplete="off" value=filter.find.clone() />
                </div>
                <div class="field">
                    <label for="country">"Country"</label>
                    <select id="country" name="country">
                        <option value="" selected=filter.country.is_empty()>
                            {format!("All {}", self.countries.len())}
                        </option>
                        {countries}
                    </select>
                </div>
                {hidden}
                <button class="button" type="submit">
                    "Show"
                </button>
            </form>
        }
        .into_any()
    }

    /// A heading by which the rows can be sorted, the other way round when they are.
    fn sorts(&self, sort: RowSort, name: &'static str, kind: &'static str) -> AnyView {
        let is_sorted = self.filter.sort == sort;
        let descending = is_sorted && !self.filter.descending;
        let direction = match (is_sorted, self.filter.descending) {
            (false, _) => None,
            (true, false) => Some("ascending"),
            (true, true) => Some("descending"),
        };
        let filter = RowFilter { sort, descending, page: 1, ..self.filter.clone() };
        view! {
            <th role="columnheader" scope="col" data-kind=kind aria-sort=direction>
                <a href=filter.address(&self.id) rel="external">
                    {name}
                </a>
            </th>
        }
        .into_any()
    }

    fn table(&self) -> AnyView {
        if self.rows.is_empty() {
            return self.no_rows();
        }
        let caption = match (self.filter.sort, self.filter.descending) {
            (RowSort::Place, false) => "As pasted",
            (RowSort::Place, true) => "As pasted, last first",
            (RowSort::Number, false) => "By number",
            (RowSort::Number, true) => "By number, last first",
            (RowSort::Outcome, false) => "What needs a look comes first",
            (RowSort::Outcome, true) => "What needs a look comes last",
            (RowSort::Name, false) => "By name",
            (RowSort::Name, true) => "By name, last first",
        };
        let (filter, id) = (self.filter.clone(), self.id.clone());
        let notes = SharedNotes::among(self.rows.iter().flat_map(|row| row.notes.iter().map(String::as_str)));
        view! {
            {notes.view()}
            <div class="data-table">
                <table role="table">
                    <caption>{caption}</caption>
                    <thead role="rowgroup">
                        <tr role="row">
                            {self.sorts(RowSort::Place, "Line", "number")}
                            {self.sorts(RowSort::Number, "Number", "title")}
                            {self.sorts(RowSort::Outcome, "Outcome", "status")}
                            {self.sorts(RowSort::Name, "Name and address", "wide")}
                            <th role="columnheader" scope="col" data-kind="wide">
                                "Note"
                            </th>
                            <th role="columnheader" scope="col">
                                "Reverse charge"
                            </th>
                            <th role="columnheader" scope="col" data-kind="time">
                                "Answered"
                            </th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">{self.rows.iter().map(|row| row.view(&notes)).collect_view()}</tbody>
                </table>
            </div>
            <PageLinks
                offset=self.filter.offset()
                count=self.rows.len() as u64
                total=self.total
                size=RowFilter::ROWS_ON_A_PAGE
                address=move |page| RowFilter { page, ..filter.clone() }.address(&id)
            />
        }
        .into_any()
    }

    fn no_rows(&self) -> AnyView {
        let filter = &self.filter;
        let unavailable = Some(RowKind::Outcome(Status::Unavailable));
        let (heading, words) = if filter.kind == Some(RowKind::Advised) && self.advised == Some(0) {
            let words = "Every number was typed as it is, and no check digit is odd.";
            ("Nothing was repaired, and nothing looks like a slip".to_owned(), words.to_owned())
        } else if filter.kind == unavailable && self.progress.unavailable() == 0 {
            ("No number is without an answer".to_owned(), "There is nothing to ask again.".to_owned())
        } else if filter.find.is_empty() {
            ("No row of this kind".to_owned(), "None is both what was chosen above.".to_owned())
        } else {
            ("No row matches".to_owned(), format!("None of those chosen above has “{}” in it.", filter.find))
        };
        let all =
            RowFilter { kind: None, country: String::new(), find: String::new(), page: 1, ..filter.clone() };
        view! {
            <div class="empty-state">
                <h2>{heading}</h2>
                <p>{words}</p>
                {filter
                    .is_narrow()
                    .then(|| {
                        view! {
                            <p class="button-row">
                                <a href=all.address(&self.id) rel="external">
                                    {format!("Show all {}", grouped(self.progress.rows))}
                                </a>
                            </p>
                        }
                    })}
            </div>
        }
        .into_any()
    }

    fn lead(&self) -> AnyView {
        let (by, requesters) = (self.by.clone(), self.requesters.clone());
        let started = self.started.clone();
        match self.ended.clone() {
            Some(ended) => {
                let when = if started.words == ended.words {
                    view! { "at " <Moment at=started /> }.into_any()
                } else {
                    view! { <Moment at=started /> " to " <Moment at=ended /> }.into_any()
                };
                view! {
                    <p>
                        {grouped(self.progress.rows)}
                        {if self.progress.rows == 1 { " number, " } else { " numbers, " }}
                        {when} ", by " {by} ". " {requesters}
                    </p>
                }
                .into_any()
            }
            None => view! {
                <p>
                    "Started " <Moment at=started /> " by " {by} ". " {requesters}
                    " You can close this page; the run stays here for when you come back."
                </p>
            }
            .into_any(),
        }
    }
}

impl ServerView for CheckRun {
    fn title(&self) -> String {
        if self.phase == RunPhase::Running {
            let asked = self.progress.rows.saturating_sub(self.progress.waiting);
            format!("{} of {} checked", grouped(asked), grouped(self.progress.rows))
        } else {
            self.name.clone()
        }
    }

    fn view(self) -> AnyView {
        let lead = self.lead();
        let file = format!("/portal/check/{}/results.csv", self.id);
        let no_role = self.stopping == Stopping::NotAllowed;
        view! {
            <PageHeader heading=self.name.clone() back=("/portal/check", "Check numbers")>
                {lead}
                <div class="button-row">
                    <a class="button" href=file.clone() rel="external">
                        "Download as CSV"
                    </a>
                    <a class="button" data-kind="plain" href=format!("{file}?separator=semicolon") rel="external">
                        "CSV with semicolons"
                    </a>
                </div>
            </PageHeader>
            {self.progress()}
            {(no_role && self.phase != RunPhase::Done)
                .then(|| {
                    view! {
                        <Notice tone=Tone::Note>
                            <p>"Runs are stopped and sent on by members and owners."</p>
                        </Notice>
                    }
                })}
            <section>
                {self.outcomes()} {self.filter_bar()} <div id="run-rows">{self.table()}</div>
            </section>
        }
        .into_any()
    }
}

impl ResultRow {
    /// What it shares with others stands above.
    fn view(&self, shared: &SharedNotes<'_>) -> AnyView {
        let reading = Number::parse(&self.submitted);
        let number = if let Some(number) = reading.number() {
            view! { <VatNumber number=number /> }.into_any()
        } else {
            let shown = if self.vat_number.is_empty() { &self.submitted } else { &self.vat_number };
            view! { <code dir="ltr">{shown.clone()}</code> }.into_any()
        };
        let status = self.outcome.map_or(TagStatus::Waiting, TagStatus::from);
        let name = match (&self.name, &self.address, self.outcome) {
            (None, None, Some(Status::Valid)) => {
                let country =
                    reading.number().map_or("the registry", |number| not_disclosing(number.prefix()));
                view! { <small>"Not disclosed by " {country}</small> }.into_any()
            }
            (name, address, _) => view! {
                {name.clone()}
                " "
                {address.clone().map(|address| view! { <small>{address}</small> })}
            }
            .into_any(),
        };
        let unread = reading.number().is_none().then(|| match suggested(&reading) {
            Some(number) => view! { "Did you mean " <VatNumber number=number /> "? " }.into_any(),
            None => format!("{} ", remarks(&reading)).into_any(),
        });
        let notes = shared.in_row(&self.notes);
        let of_sandbox = self.of_sandbox.then(|| {
            view! {
                " This is a "
                <a href="/docs/sandbox" rel="external">
                    "sandbox number"
                </a>
                ": only test keys answer it."
            }
        });
        let answered = self.answered.clone().map(|at| match &self.evidence {
            Some(evidence) => {
                let label = format!("Evidence for {}, {}", self.vat_number, at.words);
                view! {
                    <a href=format!("/portal/history/{evidence}") rel="external" aria-label=label>
                        <Moment at=at />
                    </a>
                }
                .into_any()
            }
            None => view! { <Moment at=at /> }.into_any(),
        });
        let label = answered.is_some().then_some("Answered");
        view! {
            <tr role="row">
                <td role="cell" data-kind="number" data-label=self.line.map(|_| "Line")>
                    {self.line.map(grouped)}
                </td>
                <th role="rowheader" scope="row" data-kind="title">
                    {number}
                </th>
                <td role="cell" data-kind="status">
                    <StatusTag status=status />
                </td>
                <td role="cell" data-kind="wide">
                    {name}
                </td>
                <td role="cell" data-kind="wide">
                    {unread}
                    {notes}
                    {of_sandbox}
                </td>
                <td role="cell" data-label=self.reverse_charge.map(|_| "Reverse charge")>
                    {self.reverse_charge}
                </td>
                <td role="cell" data-kind="time" data-label=label>
                    {answered}
                </td>
            </tr>
        }
        .into_any()
    }
}

/// The number that may have been meant by a text that is none.
fn suggested(reading: &Reading) -> Option<Number> {
    let suggestion = reading.advice().into_iter().find_map(|advice| advice.suggestion)?;
    Number::parse(&suggestion).number()
}

/// Who keeps a name back: the country, but HMRC for British numbers.
const fn not_disclosing(prefix: Prefix) -> &'static str {
    match prefix {
        Prefix::Gb => "HMRC",
        prefix => prefix.country_name(),
    }
}

#[cfg(test)]
mod tests {
    use vat::Status;

    use super::{RowFilter, RowKind, RowSort, share};

    #[test]
    fn shares_of_the_bar_are_exact() {
        for (part, whole, words) in [
            (0, 412, "0.00%"),
            (209, 412, "50.72%"),
            (412, 412, "100.00%"),
            (1, 10_000, "0.01%"),
            (0, 0, "0.00%"),
        ] {
            assert_eq!(share(part, whole), words);
        }
    }

    #[test]
    fn an_address_says_what_is_shown_and_nothing_else() {
        let plain = RowFilter {
            kind: None,
            country: String::new(),
            find: String::new(),
            sort: RowSort::Outcome,
            descending: false,
            page: 1,
        };
        assert_eq!(plain.address("x"), "/portal/check/x?sort=outcome");
        let narrow = RowFilter {
            kind: Some(RowKind::Outcome(Status::NotRegistered)),
            country: "DE".to_owned(),
            find: "a&b=c \"<".to_owned(),
            sort: RowSort::Name,
            descending: true,
            page: 3,
        };
        assert_eq!(
            narrow.address("x"),
            "/portal/check/x?sort=name&dir=desc&outcome=not_registered&country=DE&find=a%26b%3Dc%20%22%3C&page=3"
        );
        let waiting = RowFilter { kind: Some(RowKind::Waiting), ..plain };
        assert_eq!(waiting.address("x"), "/portal/check/x?sort=outcome&outcome=waiting");
    }
}
