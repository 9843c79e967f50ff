//! `/portal/usage`: what an account's keys and people asked, as a chart and the same in tables.

use leptos::prelude::*;
use vat::Status;

use super::{ServerView, grouped};
use crate::components::{ApiKey, Bar, FilterBar, FilterChoice, PageHeader, StatusTag, UsageChart};

/// Where the account stands in the month.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// The name of the month.
    pub month: String,
    /// Numbers that registries have answered.
    pub used: u64,
    /// Numbers of calls that are still open.
    pub set_aside: u64,
    /// Numbers that may be asked.
    pub allowed: u64,
}

/// Counts of a day, an hour or all of them.
#[derive(Clone, Copy, Debug)]
pub struct UsageCounts {
    /// Calls whose results were told.
    pub requests: u64,
    /// Numbers with an answer.
    pub answered: u64,
    /// Numbers without one.
    pub unavailable: u64,
}

/// A day or an hour.
#[derive(Clone, Debug)]
pub struct UsagePoint {
    /// In a sentence: `Fri 21 August`, `08:00 to 09:00`.
    pub title: String,
    /// In the table: `Fri 21 Aug`.
    pub row: String,
    /// Below the bar: `21`.
    pub name: String,
    /// What begins here: a month or a day.
    pub group: Option<String>,
    /// What was counted.
    pub counts: UsageCounts,
}

/// One way to look at it.
#[derive(Clone, Debug)]
pub struct PeriodTab {
    /// Its words.
    pub words: &'static str,
    /// Its address, with the filter.
    pub address: String,
    /// Whether it is looked at.
    pub current: bool,
}

/// What somebody asked.
#[derive(Clone, Debug)]
pub struct CallerUsage {
    /// The key's or the member's name.
    pub name: String,
    /// The end of a key.
    pub last_four: Option<String>,
    /// Calls whose results were told.
    pub requests: u64,
    /// Numbers.
    pub numbers: u64,
    /// Calls that were refused.
    pub refused: u64,
}

/// `/portal/usage`
#[derive(Clone, Debug)]
pub struct UsagePage {
    /// The allowance of the present month.
    pub allowance: Option<Allowance>,
    /// The ways to look.
    pub tabs: Vec<PeriodTab>,
    /// The code of the one that is looked at.
    pub period: &'static str,
    /// The account's keys and people: identifier and name.
    pub callers: Vec<(String, String)>,
    /// The one that is looked at.
    pub caller: String,
    /// The registry that is looked at.
    pub registry: String,
    /// Whether the points are hours.
    pub by_hour: bool,
    /// The time in words: `14 days`.
    pub span: String,
    /// From when to when: `21 August to 3 September`.
    pub range: String,
    /// Oldest first.
    pub points: Vec<UsagePoint>,
    /// All together.
    pub total: UsageCounts,
    /// Answered numbers that were known from an earlier check.
    pub from_earlier: u64,
    /// Answered numbers that the registry was asked about.
    pub live: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// Numbers by what became of them.
    pub outcomes: Vec<(Status, u64)>,
    /// Numbers by registry.
    pub registries: Vec<(&'static str, u64)>,
    /// By caller, most numbers first.
    pub asked_by: Vec<CallerUsage>,
    /// By error code, most calls first.
    pub refusals: Vec<(String, u64)>,
    /// The address of the points as a file.
    pub csv: String,
}

/// A share in per cent with one place, as people write it. What is little is not nothing, and nearly all is not all.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let tenths = (part * 2000 + whole) / (whole * 2);
    match tenths {
        0 if part > 0 => "< 0.1 %".to_owned(),
        1000 if part < whole => "> 99.9 %".to_owned(),
        tenths => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

/// A table of numbers that never stacks: its first column are names.
fn figures(
    caption: String,
    columns: &[&'static str],
    rows: Vec<(AnyView, Vec<String>)>,
    foot: Option<(String, Vec<String>)>,
) -> AnyView {
    let columns: Vec<&'static str> = columns.to_vec();
    let heads = columns
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let kind = if place == 0 { "title" } else { "number" };
            view! {
                <th role="columnheader" scope="col" data-kind=kind>
                    {*name}
                </th>
            }
        })
        .collect_view();
    let row = |title: AnyView, cells: Vec<String>| {
        let cells = columns
            .iter()
            .skip(1)
            .zip(cells)
            .map(|(name, cell)| {
                view! {
                    <td role="cell" data-kind="number" data-label=*name>
                        {cell}
                    </td>
                }
            })
            .collect_view();
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    {title}
                </th>
                {cells}
            </tr>
        }
        .into_any()
    };
    let rows = rows.into_iter().map(|(title, cells)| row(title, cells)).collect_view();
    let foot = foot.map(|(title, cells)| {
        let row = row(title.into_any(), cells);
        view! { <tfoot role="rowgroup">{row}</tfoot> }
    });
    view! {
        <div class="data-table" data-shape="figures">
            <table role="table">
                <caption>{caption}</caption>
                <thead role="rowgroup">
                    <tr role="row">{heads}</tr>
                </thead>
                <tbody role="rowgroup">{rows}</tbody>
                {foot}
            </table>
        </div>
    }
    .into_any()
}

impl UsageCounts {
    fn cells(self) -> Vec<String> {
        [self.requests, self.answered, self.unavailable].map(grouped).to_vec()
    }

    const fn numbers(self) -> u64 {
        self.answered.saturating_add(self.unavailable)
    }
}

impl UsagePage {
    const fn unit(&self) -> &'static str {
        if self.by_hour { "an hour" } else { "a day" }
    }

    fn figure_row(&self) -> AnyView {
        let month = self.allowance.clone().map(|allowance| {
            let (used, allowed) = (grouped(allowance.used), grouped(allowance.allowed));
            let open = if allowance.set_aside == 0 {
                String::new()
            } else {
                format!("; {} more of calls that are still open", grouped(allowance.set_aside))
            };
            let remark = format!("of {allowed}; only what a registry answered afresh is counted{open}");
            view! {
                <div>
                    <dt id="used">"Counted in " {allowance.month}</dt>
                    <dd>{used.clone()}</dd>
                    <dd>
                        <meter
                            class="meter"
                            aria-labelledby="used"
                            min="0"
                            max=allowance.allowed.max(1).to_string()
                            high=(allowance.allowed / 10 * 9).to_string()
                            optimum="0"
                            value=allowance.used.to_string()
                        >
                            {format!("{used} of {allowed}")}
                        </meter>
                    </dd>
                    <dd>{remark}</dd>
                </div>
            }
        });
        let known = self.from_earlier.saturating_add(self.live);
        view! {
            <dl class="figure-row">
                {month}
                <div>
                    <dt>"Requests, " {self.span.clone()}</dt>
                    <dd>{grouped(self.total.requests)}</dd>
                    <dd>"Calls refused: " {grouped(self.refused)}</dd>
                </div>
                <div>
                    <dt>"Answered from an earlier check"</dt>
                    <dd>{share(self.from_earlier, known)}</dd>
                    <dd>"Within the age you allow; not counted"</dd>
                </div>
            </dl>
        }
        .into_any()
    }

    fn ways_to_look(&self) -> AnyView {
        let tabs = self
            .tabs
            .clone()
            .into_iter()
            .map(|tab| {
                view! {
                    <li>
                        <a href=tab.address rel="external" aria-current=tab.current.then_some("true")>
                            {tab.words}
                        </a>
                    </li>
                }
            })
            .collect_view();
        let (callers, caller, registry) = (self.callers.clone(), self.caller.clone(), self.registry.clone());
        let period = self.period;
        view! {
            <nav class="tab-links" aria-label="Period">
                <ul role="list">{tabs}</ul>
            </nav>
            <FilterBar action="/portal/usage">
                <FilterChoice name="key" label="Key or person" all="All" options=callers chosen=caller />
                <FilterChoice
                    name="registry"
                    label="Registry"
                    all="Both"
                    options=super::registries()
                    chosen=registry
                />
                <input type="hidden" name="period" value=period />
            </FilterBar>
        }
        .into_any()
    }

    fn chart(&self) -> AnyView {
        let numbers = || self.points.iter().map(|point| point.counts.numbers());
        let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        let peak = self.points.iter().max_by_key(|point| point.counts.numbers());
        let peak =
            peak.filter(|_| most > 0).map_or_else(String::new, |point| format!(", most on {}", point.title));
        let label = format!(
            "Numbers {}, {}: between {} and {}{peak}. The table holds every figure.",
            self.unit(),
            self.range,
            grouped(least),
            grouped(most)
        );
        let bars = self.points.iter().map(|point| Bar {
            title: format!(
                "{}: {} answered, {} unavailable",
                point.title,
                grouped(point.counts.answered),
                grouped(point.counts.unavailable)
            ),
            name: point.name.clone(),
            group: point.group.clone(),
            answered: point.counts.answered,
            unavailable: point.counts.unavailable,
        });
        let bars = bars.collect();
        view! { <UsageChart bars=bars label=label /> }.into_any()
    }

    fn points_table(&self) -> AnyView {
        let first = if self.by_hour { "Hour (UTC)" } else { "Day" };
        let columns = [first, "Re\u{ad}quests", "An\u{ad}swered", "Un\u{ad}avail\u{ad}able"];
        let rows = self.points.iter().rev();
        let rows = rows.map(|point| (point.row.clone().into_any(), point.counts.cells())).collect();
        let caption = format!("Numbers {}, newest first", self.unit());
        figures(caption, &columns, rows, Some((self.span.clone(), self.total.cells())))
    }

    fn outcomes_table(&self) -> AnyView {
        let whole = self.outcomes.iter().map(|(_, count)| count).sum();
        let row = |(status, count): &(Status, u64)| {
            let status = *status;
            (view! { <StatusTag status=status /> }.into_any(), vec![grouped(*count), share(*count, whole)])
        };
        let rows = self.outcomes.iter().map(row).collect();
        figures("By outcome".to_owned(), &["Outcome", "Numbers", "Share"], rows, None)
    }

    fn registries_table(&self) -> AnyView {
        let whole = self.registries.iter().map(|(_, count)| count).sum();
        let row = |(name, count): &(&'static str, u64)| {
            ((*name).into_any(), vec![grouped(*count), share(*count, whole)])
        };
        let rows = self.registries.iter().map(row).collect();
        figures("By registry".to_owned(), &["Registry", "Numbers", "Share"], rows, None)
    }

    fn callers_table(&self) -> AnyView {
        let row = |one: &CallerUsage| {
            let last_four = one.last_four.clone().map(|last_four| {
                view! {
                    <small>
                        <ApiKey prefix="cv_live_" last_four=last_four />
                    </small>
                }
            });
            let title = view! {
                {one.name.clone()}
                " "
                {last_four}
            };
            (title.into_any(), [one.requests, one.numbers, one.refused].map(grouped).to_vec())
        };
        let rows = self.asked_by.iter().map(row).collect();
        let columns = ["Key or person", "Re\u{ad}quests", "Num\u{ad}bers", "Re\u{ad}fused"];
        figures("By key and person".to_owned(), &columns, rows, None)
    }

    fn refusals_table(&self) -> AnyView {
        if self.refusals.is_empty() {
            return view! { <p>"No call was refused in this time."</p> }.into_any();
        }
        let row = |(code, calls): &(String, u64)| {
            let address = format!("/docs/errors#{code}");
            let title = view! {
                <a href=address rel="external">
                    <code>{code.clone()}</code>
                </a>
            };
            (title.into_any(), vec![grouped(*calls)])
        };
        let rows = self.refusals.iter().map(row).collect();
        figures("Refusals by code".to_owned(), &["Code", "Calls"], rows, None)
    }

    fn is_empty(&self) -> bool {
        self.total.numbers() == 0 && self.total.requests == 0 && self.refused == 0
    }
}

impl ServerView for UsagePage {
    fn title(&self) -> String {
        "Usage".to_owned()
    }

    fn view(self) -> AnyView {
        let nothing = self.is_empty().then(|| {
            view! {
                <div class="empty-state">
                    <h2>"No live calls in this time"</h2>
                    <p>
                        "Figures appear within a minute of a call with a live key. Calls with a test key are not counted."
                    </p>
                    <p class="button-row">
                        <a href="/portal/keys" rel="external">
                            "See your keys"
                        </a>
                    </p>
                </div>
            }
        });
        let counted = nothing.is_none().then(|| {
            view! {
                <div class="columns">
                    <div>
                        {self.chart()}
                        <section>{self.outcomes_table()}</section>
                        <section>{self.registries_table()}</section>
                    </div>
                    {self.points_table()}
                </div>
            }
        });
        let who = nothing.is_none().then(|| {
            view! {
                <section>
                    <h2>"Who asked, and what was refused"</h2>
                    <div class="columns">
                        {self.callers_table()}
                        {self.refusals_table()}
                    </div>
                </section>
            }
        });
        let csv = self.csv.clone();
        view! {
            <PageHeader heading="Usage">
                <p>
                    "What your keys and your people asked. Days and hours are counted in UTC, as the allowance is."
                </p>
                <div class="button-row">
                    <a class="button" href=csv rel="external" download>
                        "Download as CSV"
                    </a>
                </div>
            </PageHeader>
            {self.figure_row()}
            <section>{self.ways_to_look()} {nothing} {counted}</section>
            {who}
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_have_one_place() {
        for (part, whole, text) in [
            (0, 0, "–"),
            (0, 7, "0.0 %"),
            (1, 3, "33.3 %"),
            (2, 3, "66.7 %"),
            (1, 24, "4.2 %"),
            (4, 10_004, "< 0.1 %"),
            (10_000, 10_004, "> 99.9 %"),
            (7, 7, "100.0 %"),
            (u64::MAX, u64::MAX, "100.0 %"),
        ] {
            assert_eq!(share(part, whole), text);
        }
    }
}
