//! `/portal/usage`: what the reader's account used, by day or hour, on a page or as a file.

use axum::{
    body::Body,
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use chrono::{DateTime, NaiveDate, SecondsFormat, TimeDelta, Utc};
use crossvat_app::portal::{Allowance, CallerUsage, PeriodTab, UsageCounts, UsagePage, UsagePoint};
use serde::Deserialize;
use uuid::Uuid;
use vat::Status;

use super::{
    address::address, csv_file::csv_file, fault::Fault, history::registry_of, state::Portal,
    visit::MemberVisit,
};
use crate::{
    api_keys::KeyMode,
    spreadsheet::CsvWriter,
    usage::{
        AllowanceLeft, CallerFigures, CallerName, Figures, Month, Period, Point, Report, TwentyFourHours,
        UsageFilter,
    },
};

/// The columns of the file after the first.
const HEADINGS: [&str; 11] = [
    "Requests",
    "Refused calls",
    "Valid",
    "Not registered",
    "Malformed",
    "Unsupported",
    "Unavailable",
    "Asked of a registry",
    "Known from an earlier check",
    "HMRC",
    "VIES",
];

/// What the address says.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    period: String,
    key: String,
    registry: String,
}

/// A way to look at usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    FourteenDays,
    TwentyFourHours,
    Month,
    NinetyTwoDays,
}

impl View {
    const ALL: [Self; 4] = [Self::FourteenDays, Self::TwentyFourHours, Self::Month, Self::NinetyTwoDays];

    /// What the address says for it; nothing for the usual one.
    const fn code(self) -> &'static str {
        match self {
            Self::FourteenDays => "",
            Self::TwentyFourHours => "24-hours",
            Self::Month => "month",
            Self::NinetyTwoDays => "92-days",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::FourteenDays => "14 days",
            Self::TwentyFourHours => "24 hours, by hour",
            Self::Month => "This month",
            Self::NinetyTwoDays => "92 days",
        }
    }

    /// How the sum of it is called.
    const fn span(self) -> &'static str {
        match self {
            Self::TwentyFourHours => "24 hours",
            _ => self.words(),
        }
    }
}

/// What was counted, by day or by hour.
enum Counted {
    Days(Report<NaiveDate>),
    Hours(Report<DateTime<Utc>>),
}

impl Asked {
    fn view(&self) -> View {
        View::ALL.into_iter().find(|view| view.code() == self.period).unwrap_or(View::FourteenDays)
    }

    fn filter(&self) -> UsageFilter {
        UsageFilter {
            mode: KeyMode::Live,
            caller: self.key.parse().ok(),
            registry: registry_of(&self.registry),
        }
    }

    fn at(&self, path: &str, view: View) -> String {
        address(path, &[("period", view.code()), ("key", &self.key), ("registry", &self.registry)])
    }

    async fn counted(&self, portal: &Portal, account: Uuid) -> Result<Counted, Fault> {
        let (now, filter) = (portal.clock.now(), self.filter());
        let period = match self.view() {
            View::TwentyFourHours => {
                let hours = TwentyFourHours::up_to(now);
                return Ok(Counted::Hours(portal.usage.by_hour(account, hours, &filter).await?));
            }
            View::FourteenDays => Period::up_to(now, 14),
            View::NinetyTwoDays => Period::up_to(now, 92),
            View::Month => Period::of_month(Month::of(now)),
        };
        Ok(Counted::Days(portal.usage.by_day(account, period, &filter).await?))
    }
}

/// `GET /portal/usage`
pub(super) async fn page(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let account = reader.account.id;
    let view = asked.view();
    let counted = asked.counted(&portal, account).await?;
    let left = portal.usage.allowance_left(account).await?;
    let tab = |other: View| PeriodTab {
        words: other.words(),
        address: asked.at("/portal/usage", other),
        current: other == view,
    };
    let (points, range, summary) = match counted {
        Counted::Days(report) => {
            let points = report.points.iter().enumerate().map(|(place, point)| day(place, point)).collect();
            let range = range(&report, |day| day.format("%-d %B").to_string());
            (points, range, Summary::of(report))
        }
        Counted::Hours(report) => {
            let points = report.points.iter().enumerate().map(|(place, point)| hour(place, point)).collect();
            let range = range(&report, |hour| hour.format("%-d %B, %H:%M").to_string());
            (points, range, Summary::of(report))
        }
    };
    let Summary { total, callers, refusals } = summary;
    let page = UsagePage {
        allowance: left.as_ref().map(allowance),
        tabs: View::ALL.into_iter().map(tab).collect(),
        period: view.code(),
        callers: who(&portal, account).await?,
        by_hour: view == View::TwentyFourHours,
        span: view.span().to_owned(),
        range,
        points,
        total: counts(&total),
        from_earlier: total.sources.cache,
        live: total.sources.live,
        refused: total.refused,
        outcomes: outcomes(&total),
        registries: vec![("HMRC", total.registries.hmrc), ("VIES", total.registries.vies)],
        asked_by: callers.into_iter().map(caller).collect(),
        refusals,
        csv: asked.at("/portal/usage.csv", view),
        caller: asked.key,
        registry: asked.registry,
    };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `GET /portal/usage.csv`
pub(super) async fn file(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let text = match asked.counted(&portal, reader.account.id).await? {
        Counted::Days(report) => table("Day (UTC)", &report, ToString::to_string),
        Counted::Hours(report) => {
            table("Hour (UTC)", &report, |hour| hour.to_rfc3339_opts(SecondsFormat::Secs, true))
        }
    };
    Ok(csv_file("usage", portal.clock.now().date_naive(), Body::from(text)))
}

fn table<T>(first: &str, report: &Report<T>, name: impl Fn(&T) -> String) -> String {
    let headings: Vec<&str> = std::iter::once(first).chain(HEADINGS).collect();
    let mut writer = CsvWriter::with_headings(&headings);
    for Point { start, figures } in &report.points {
        let outcomes = &figures.outcomes;
        let counts = [
            figures.requests,
            figures.refused,
            outcomes.valid,
            outcomes.not_registered,
            outcomes.malformed,
            outcomes.unsupported,
            outcomes.unavailable,
            figures.sources.live,
            figures.sources.cache,
            figures.registries.hmrc,
            figures.registries.vies,
        ];
        writer.row(std::iter::once(name(start)).chain(counts.iter().map(ToString::to_string)));
    }
    writer.finish()
}

/// What a report says of its whole time.
struct Summary {
    total: Figures,
    callers: Vec<CallerFigures>,
    refusals: Vec<(String, u64)>,
}

impl Summary {
    fn of<T>(report: Report<T>) -> Self {
        let refusals = report.refusals.into_iter().map(|refusals| (refusals.code, refusals.calls));
        Self { total: report.total, callers: report.callers, refusals: refusals.collect() }
    }
}

/// The keys that can have been counted, ended ones too, and the people.
async fn who(portal: &Portal, account: Uuid) -> Result<Vec<(String, String)>, Fault> {
    let keys = portal.api_keys.list(account).await?;
    let keys = keys
        .into_iter()
        .filter(|key| key.mode == KeyMode::Live)
        .map(|key| (key.id.to_string(), format!("{} (…{})", key.name, key.last_four)));
    let people = portal.members.list(account).await?;
    let people = people.into_iter().map(|member| (member.id.to_string(), member.name));
    Ok(keys.chain(people).collect())
}

fn allowance(left: &AllowanceLeft) -> Allowance {
    Allowance {
        month: left.month.start().format("%B").to_string(),
        used: left.used,
        set_aside: left.set_aside,
        allowed: left.allowed,
    }
}

const fn counts(figures: &Figures) -> UsageCounts {
    UsageCounts {
        requests: figures.requests,
        answered: figures.outcomes.answered(),
        unavailable: figures.outcomes.unavailable,
    }
}

fn outcomes(total: &Figures) -> Vec<(Status, u64)> {
    let outcomes = &total.outcomes;
    vec![
        (Status::Valid, outcomes.valid),
        (Status::NotRegistered, outcomes.not_registered),
        (Status::Malformed, outcomes.malformed),
        (Status::Unsupported, outcomes.unsupported),
        (Status::Unavailable, outcomes.unavailable),
    ]
}

fn caller(figures: CallerFigures) -> CallerUsage {
    let (name, last_four) = match figures.caller {
        CallerName::Key { name, last_four, .. } => (name, Some(last_four)),
        CallerName::Member { name, .. } => (name, None),
        CallerName::Unknown { .. } => ("Somebody who is gone".to_owned(), None),
    };
    CallerUsage {
        name,
        last_four,
        requests: figures.requests,
        numbers: figures.numbers,
        refused: figures.refused,
    }
}

fn range<T>(report: &Report<T>, words: impl Fn(&T) -> String) -> String {
    let words = |point: Option<&Point<T>>| point.map(|point| words(&point.start)).unwrap_or_default();
    format!("{} to {}", words(report.points.first()), words(report.points.last()))
}

fn day(place: usize, point: &Point<NaiveDate>) -> UsagePoint {
    let text = |format| point.start.format(format).to_string();
    let new_month = place == 0 || text("%-d") == "1";
    UsagePoint {
        title: text("%a %-d %B"),
        row: text("%a %-d %b"),
        name: text("%-d"),
        group: new_month.then(|| text("%b")),
        counts: counts(&point.figures),
    }
}

fn hour(place: usize, point: &Point<DateTime<Utc>>) -> UsagePoint {
    let text = |format| point.start.format(format).to_string();
    let new_day = place == 0 || text("%H") == "00";
    let end = point.start + TimeDelta::hours(1);
    UsagePoint {
        title: format!("{} to {} UTC", text("%a %-d %B, %H:%M"), end.format("%H:%M")),
        row: text("%a %-d %b, %H:%M"),
        name: text("%H"),
        group: new_day.then(|| text("%-d %b")),
        counts: counts(&point.figures),
    }
}
