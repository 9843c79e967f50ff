//! `/portal/check`: the form that numbers are pasted into or sent by file, how they are read, and the runs before.

use leptos::prelude::*;
use vat::{Prefix, Status};

use super::check_run::RunPhase;
use super::{Fault, Instant, ServerView, grouped};
use crate::components::{ErrorSummary, Icon, Moment, Notice, PageHeader, PageLinks, Tone, field_error};
use crate::line_readings::read_whole;
use crate::markup::textarea_content;

/// Numbers that show how texts are read.
const EXAMPLES: &str = "\
DE123456788
gr 094259216
NL004495445B01
SE5564646874
FR 40 303 265 045
IE6433435F
BE 0428.759.497
136695976
GB 802 3117 81
XI110305878
CHE123456789
FRFR53000004605
ЕЅB64717838
NL OO2455799B11";

/// What may be chosen beside the numbers: what is sent, and its words.
#[derive(Clone, Debug)]
pub struct CheckChoices {
    /// In whose name the registries are asked.
    pub requesters: Vec<(&'static str, String)>,
    /// How old answers may be.
    pub ages: Vec<(&'static str, String)>,
    /// Where the account sells from, when it is as the account has set it.
    pub supplier: String,
}

/// What was chosen; nothing: as the account has set it.
#[derive(Clone, Debug, Default)]
pub struct ChosenOptions {
    /// Of [`CheckChoices::requesters`].
    pub requester: String,
    /// Of [`CheckChoices::ages`].
    pub age: String,
    /// A country's code.
    pub supplier: String,
}

/// A run in the list.
#[derive(Clone, Debug)]
pub struct RunItem {
    /// Its identifier.
    pub id: String,
    /// By what it is known again.
    pub name: String,
    /// Where it is.
    pub phase: RunPhase,
    /// All its numbers.
    pub rows: u64,
    /// Those that are not asked yet.
    pub waiting: u64,
    /// Those that nobody answered about.
    pub unavailable: u64,
    /// Who started it.
    pub by: String,
    /// When.
    pub started: Instant,
}

/// `/portal/check`
#[derive(Clone, Debug)]
pub struct Check {
    /// Names this form: sent twice, it starts one run.
    pub token: String,
    /// As typed.
    pub numbers: String,
    /// Whether it is told how they are read.
    pub shows_readings: bool,
    /// What may be chosen.
    pub choices: CheckChoices,
    /// What was.
    pub chosen: ChosenOptions,
    /// What needs changing.
    pub faults: Vec<Fault>,
    /// Why nothing can be checked at present, or not by this reader.
    pub waits_for: Option<&'static str>,
    /// Some of the account's runs, newest first.
    pub runs: Vec<RunItem>,
    /// How many there are in all.
    pub total: u64,
    /// So many newer ones are on the pages before.
    pub offset: u64,
}

impl Check {
    /// Runs on a page.
    pub const RUNS_ON_A_PAGE: u64 = 20;

    /// Numbers to try it with.
    #[must_use]
    pub fn examples() -> String {
        EXAMPLES.to_owned()
    }
}

impl ServerView for Check {
    fn title(&self) -> String {
        "Check numbers".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let form = match self.waits_for {
            Some(reason) => view! {
                <Notice tone=Tone::Note>
                    <p>{reason}</p>
                </Notice>
            }
            .into_any(),
            None => form(&self),
        };
        view! {
            <ErrorSummary faults=self.faults />
            <PageHeader heading="Check numbers">
                <p>
                    "Paste VAT numbers from any of the 27 member states, Northern Ireland or the United Kingdom. Each is read as you paste, then put to its registry."
                </p>
            </PageHeader>
            {form}
            {runs(self.runs, self.total, self.offset)}
        }
        .into_any()
    }
}

fn form(page: &Check) -> AnyView {
    let fault =
        |field| page.faults.iter().find(|fault| fault.field == field).map(|fault| fault.message.clone());
    let (in_numbers, in_file) = (fault("numbers"), fault("file"));
    let described = if in_numbers.is_some() { "numbers-hint numbers-error" } else { "numbers-hint" };
    let file_described = if in_file.is_some() { "file-hint file-error" } else { "file-hint" };
    let invalid = |fault: Option<&String>| fault.map(|_| "true");
    let (head, lines) =
        if page.shows_readings { read_whole(&page.numbers) } else { (String::new(), String::new()) };
    let is_read = !head.is_empty();

    view! {
        <form class="paste-form" method="post" action="/portal/check" enctype="multipart/form-data">
            <input type="hidden" name="token" value=page.token.clone() />
            <div>
                <div class="field">
                    <label for="numbers">"VAT numbers"</label>
                    <p class="hint" id="numbers-hint">
                        "One a line, or separated by commas, or a column copied from a spreadsheet. Up to 10,000."
                    </p>
                    {field_error("numbers-error", in_numbers.clone())}
                    <textarea
                        id="numbers"
                        name="numbers"
                        rows="14"
                        aria-describedby=described
                        aria-invalid=invalid(in_numbers.as_ref())
                        data-face="mono"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        inner_html=textarea_content(&page.numbers)
                    ></textarea>
                </div>
                <div class="field">
                    <label for="file">"Or a CSV file"</label>
                    <p class="hint" id="file-hint">
                        "A number may lack its prefix where another column has the country. Only the numbers and their lines are kept."
                    </p>
                    {field_error("file-error", in_file.clone())}
                    <input
                        id="file"
                        name="file"
                        type="file"
                        accept=".csv,.txt,text/csv,text/plain"
                        aria-describedby=file_described
                        aria-invalid=invalid(in_file.as_ref())
                    />
                </div>
            </div>
            <div>
                <div role="status" id="readings-head" inner_html=head></div>
                <div id="readings-lines" inner_html=lines></div>
                <div class="empty-state" id="readings-empty" hidden=is_read>
                    <h2>"How each number is read appears here"</h2>
                    <p>
                        "Spaces, dots and small letters are put right. A wrong prefix, a missing digit or a letter O where a zero belongs is pointed out before anything is asked."
                    </p>
                    <p>
                        "Nothing at hand? "
                        <a href="/portal/check?examples=1" rel="external">
                            "Fill in a few examples"
                        </a> "."
                    </p>
                </div>
            </div>
            <footer>
                {options(&page.choices, &page.chosen)} <p class="button-row">
                    <button class="button" data-kind="primary" type="submit" id="check-button">
                        "Check the numbers"
                    </button>
                    <button class="button" type="submit" name="do" value="read">
                        "Read them first"
                    </button>
                </p>
            </footer>
        </form>
    }
    .into_any()
}

fn options(choices: &CheckChoices, chosen: &ChosenOptions) -> AnyView {
    let suppliers = Prefix::ALL.into_iter().map(|prefix| (prefix.as_str(), prefix.country_name().to_owned()));
    let suppliers = [("", choices.supplier.clone())].into_iter().chain(suppliers).collect();
    view! {
        <details>
            <summary>"Whose name to ask in, and how fresh the answers must be"</summary>
            <div>
                {select(
                    "requester",
                    "Asked in the name of",
                    "Gives you a consultation number as proof.",
                    choices.requesters.clone(),
                    &chosen.requester,
                )}
                {select(
                    "age",
                    "Answers may be",
                    "A fresh answer counts against the allowance.",
                    choices.ages.clone(),
                    &chosen.age,
                )}
                {select(
                    "supplier",
                    "You sell from",
                    "For the reverse charge column.",
                    suppliers,
                    &chosen.supplier,
                )}
            </div>
        </details>
    }
    .into_any()
}

fn select(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    choices: Vec<(&'static str, String)>,
    chosen: &str,
) -> AnyView {
    let hint_id = format!("{name}-hint");
    let choices = choices
        .into_iter()
        .map(|(value, words)| {
            view! {
                <option value=value selected=value == chosen>
                    {words}
                </option>
            }
        })
        .collect_view();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <p class="hint" id=hint_id.clone()>
                {hint}
            </p>
            <select id=name name=name aria-describedby=hint_id>
                {choices}
            </select>
        </div>
    }
    .into_any()
}

fn runs(runs: Vec<RunItem>, total: u64, offset: u64) -> AnyView {
    if runs.is_empty() {
        return ().into_any();
    }
    let count = runs.len() as u64;
    view! {
        <section>
            <h2>"Earlier runs"</h2>
            <div class="data-table">
                <table role="table">
                    <caption>"Newest first"</caption>
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col" data-kind="title">
                                "Run"
                            </th>
                            <th role="columnheader" scope="col" data-kind="status">
                                "State"
                            </th>
                            <th role="columnheader" scope="col" data-kind="number">
                                "Numbers"
                            </th>
                            <th role="columnheader" scope="col">
                                "By"
                            </th>
                            <th role="columnheader" scope="col">
                                "Started"
                            </th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">{runs.into_iter().map(RunItem::view).collect_view()}</tbody>
                </table>
            </div>
            <PageLinks
                offset=offset
                count=count
                total=total
                size=Check::RUNS_ON_A_PAGE
                address=|page| format!("/portal/check?page={page}")
            />
        </section>
    }
    .into_any()
}

impl RunItem {
    fn view(self) -> AnyView {
        let (shape, tone) = self.phase.look();
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    <a href=format!("/portal/check/{}", self.id) rel="external">
                        {self.name.clone()}
                    </a>
                </th>
                <td role="cell" data-kind="status">
                    <span class="status-tag" data-tone=tone>
                        <Icon shape=shape />
                        {self.state()}
                    </span>
                </td>
                <td role="cell" data-kind="number" data-label="Numbers">
                    {grouped(self.rows)}
                </td>
                <td role="cell" data-label="By">
                    {self.by}
                </td>
                <td role="cell" data-label="Started">
                    <Moment at=self.started />
                </td>
            </tr>
        }
        .into_any()
    }

    fn state(&self) -> String {
        let asked = grouped(self.rows.saturating_sub(self.waiting));
        match self.phase {
            RunPhase::Running => format!("Running, at {asked}"),
            RunPhase::Stopped => format!("Stopped at {asked}"),
            RunPhase::Done if self.unavailable > 0 => {
                let word = Status::Unavailable.word().to_lowercase();
                format!("Done, {} {word}", grouped(self.unavailable))
            }
            RunPhase::Done => "Done".to_owned(),
        }
    }
}
