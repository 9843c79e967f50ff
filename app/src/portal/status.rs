//! `/status`: how the registries and the member states behind VIES are and were in the last day. Anybody may read it.

use leptos::prelude::*;

use super::{Instant, ServerView};
use crate::components::{
    AvailabilityKey, AvailabilityStrip, Column, DataTable, Moment, Notice, PageHeader, StatusTag, TagStatus,
    Tone,
};

/// How one of them is or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// It answers.
    Answering,
    /// It answers slowly.
    Slow,
    /// It does not answer.
    Refusing,
    /// Nobody knows.
    NotMeasured,
}

/// A stretch of the last day in which nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// How long.
    pub minutes: u32,
    /// How it was.
    pub kind: StretchKind,
}

/// How one of them is.
#[derive(Clone, Debug)]
pub struct StatusRow {
    /// The prefix of a member state's numbers; none of a registry.
    pub prefix: Option<&'static str>,
    /// Its name.
    pub name: &'static str,
    /// Whose it is, of a registry.
    pub of: Option<&'static str>,
    /// How it is now.
    pub now: StretchKind,
    /// Whether it is asked: support staff may have decided otherwise.
    pub is_asked: bool,
    /// Since when; none when that is longer ago than the strip goes back, or nothing is measured.
    pub since: Option<Instant>,
    /// What an answer usually takes.
    pub usual: Option<String>,
    /// The last 24 hours.
    pub day: Vec<Stretch>,
}

/// One that does not answer, or is not asked.
#[derive(Clone, Debug)]
pub struct StatusNotice {
    /// Its name.
    pub name: &'static str,
    /// Since when; none when that is over a day ago.
    pub since: Option<Instant>,
    /// Whose numbers are concerned: the words behind "Numbers of".
    pub whose: &'static str,
    /// That it is not asked, because support staff decided so.
    pub held: Option<Held>,
}

/// That one is not asked, because support staff decided so.
#[derive(Clone, Debug)]
pub struct Held {
    /// Why, in their words.
    pub reason: String,
    /// Until when; none when that is not known.
    pub until: Option<Instant>,
}

/// `/status`
#[derive(Clone, Debug)]
pub struct RegistryStatus {
    /// The finding.
    pub heading: String,
    /// Up to when was measured.
    pub at: Instant,
    /// Those that do not answer, or are not asked.
    pub notices: Vec<StatusNotice>,
    /// Whether the last day could be read.
    pub has_history: bool,
    /// The two registries.
    pub registries: Vec<StatusRow>,
    /// Those behind VIES, by their prefixes.
    pub member_states: Vec<StatusRow>,
}

impl StretchKind {
    const fn tag(self) -> TagStatus {
        match self {
            Self::Answering => TagStatus::Answering,
            Self::Slow => TagStatus::Slow,
            Self::Refusing => TagStatus::Refusing,
            Self::NotMeasured => TagStatus::NotMeasured,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Answering => "answering",
            Self::Slow => "slow",
            Self::Refusing => "not answering",
            Self::NotMeasured => "not measured",
        }
    }
}

impl StatusRow {
    fn cells(self) -> Vec<AnyView> {
        let name = match (self.prefix, self.of) {
            (Some(prefix), _) => view! {
                <span class="vat-number">
                    <abbr>{prefix}</abbr>
                </span>
                " "
                {self.name}
            }
            .into_any(),
            (None, of) => view! {
                <strong>{self.name}</strong>
                " "
                <small>{of}</small>
            }
            .into_any(),
        };
        let since = match (self.now, self.since) {
            (StretchKind::NotMeasured, _) => ().into_any(),
            (_, Some(since)) => view! { <Moment at=since /> }.into_any(),
            (_, None) => "Over a day ago".into_any(),
        };
        let tag = if self.is_asked { self.now.tag() } else { TagStatus::NotAsked };
        let label = in_words(&self.day);
        vec![
            name,
            view! { <StatusTag status=tag /> }.into_any(),
            since,
            self.usual.into_any(),
            view! { <AvailabilityStrip stretches=self.day label=label /> }.into_any(),
        ]
    }
}

impl StatusNotice {
    fn view(self) -> AnyView {
        let Self { name, since, whose, held } = self;
        let since = match since {
            Some(since) => view! { "since " <Moment at=since /> }.into_any(),
            None => "for over a day".into_any(),
        };
        let answered = view! { " Numbers of " {whose} " are answered as unavailable, never as invalid." };
        let words = match held {
            None => view! {
                <strong>{name} " has not answered " {since} "."</strong>
                {answered}
                " We go on asking."
            }
            .into_any(),
            Some(Held { reason, until }) => view! {
                <strong>{name} " is not asked at present: " {reason}</strong>
                {answered}
                " That is so "
                {since}
                {until.map(|until| view! { ", until " <Moment at=until /> })}
                "."
            }
            .into_any(),
        };
        view! {
            <Notice tone=Tone::Warn>
                <p>{words}</p>
            </Notice>
        }
        .into_any()
    }
}

/// What a strip shows: what lasted longest goes without saying how long.
fn in_words(day: &[Stretch]) -> String {
    const KINDS: [StretchKind; 4] =
        [StretchKind::Refusing, StretchKind::Slow, StretchKind::Answering, StretchKind::NotMeasured];
    let lasted = |kind| day.iter().filter(|stretch| stretch.kind == kind).map(|one| one.minutes).sum::<u32>();
    let Some(usual) = KINDS.into_iter().max_by_key(|kind| lasted(*kind)) else { return String::new() };
    let others: Vec<String> = KINDS
        .into_iter()
        .filter(|kind| *kind != usual && lasted(*kind) > 0)
        .map(|kind| format!("{} for {}", kind.word(), duration(lasted(kind))))
        .collect();
    if others.is_empty() {
        format!("All of the last 24 hours: {}", usual.word())
    } else {
        format!("Last 24 hours: {}; otherwise {}", others.join(", "), usual.word())
    }
}

fn duration(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

const fn columns(of: &'static str) -> [Column; 5] {
    [
        Column::Title(of),
        Column::Status("State"),
        Column::Time("Since"),
        Column::Time("Usual answer"),
        Column::Strip("Last 24 hours, now at the right"),
    ]
}

const REGISTRIES: [Column; 5] = columns("Registry");
const MEMBER_STATES: [Column; 5] = columns("Member state");

impl ServerView for RegistryStatus {
    fn title(&self) -> String {
        "Registry status".to_owned()
    }

    fn view(self) -> AnyView {
        let cells = |rows: Vec<StatusRow>| rows.into_iter().map(StatusRow::cells).collect::<Vec<_>>();
        let no_history = (!self.has_history).then(|| {
            view! {
                <Notice tone=Tone::Note>
                    <p>"What was measured before cannot be read at present. The present is told all the same."</p>
                </Notice>
            }
        });
        view! {
            <PageHeader heading=self.heading>
                <p>
                    "What we measured from our own questions, up to " <Moment at=self.at />
                    ". Not what a registry says of itself."
                </p>
            </PageHeader>
            {self.notices.into_iter().map(StatusNotice::view).collect_view()}
            {no_history}
            <AvailabilityKey />
            <DataTable caption="The two registries" columns=&REGISTRIES rows=cells(self.registries) />
            <section>
                <h2>"Member states, through VIES"</h2>
                <DataTable
                    caption="In the order of their prefixes"
                    columns=&MEMBER_STATES
                    rows=cells(self.member_states)
                />
                <p>
                    <small>
                        "A state is what our lookups of the last 15 minutes met; the strip is exact to five minutes and shows the \
                         worst of each. The same for programs: " <a href="/v1/status" rel="external">
                            <code>"GET /v1/status"</code>
                        </a>
                    </small>
                </p>
            </section>
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use StretchKind::{Answering, NotMeasured, Refusing, Slow};

    use super::*;

    #[test]
    fn a_strip_is_told_to_those_who_do_not_see_it() {
        let stretch = |minutes, kind| Stretch { minutes, kind };
        for (day, words) in [
            (vec![stretch(1440, Answering)], "All of the last 24 hours: answering"),
            (vec![stretch(1440, NotMeasured)], "All of the last 24 hours: not measured"),
            (
                vec![
                    stretch(900, Answering),
                    stretch(45, Slow),
                    stretch(480, Answering),
                    stretch(15, Refusing),
                ],
                "Last 24 hours: not answering for 15 min, slow for 45 min; otherwise answering",
            ),
            (
                vec![stretch(1300, NotMeasured), stretch(140, Refusing)],
                "Last 24 hours: not answering for 2 h 20 min; otherwise not measured",
            ),
        ] {
            assert_eq!(in_words(&day), words);
        }
    }
}
