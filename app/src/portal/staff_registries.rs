//! `/staff/registries`: how it stands with the ways to both registries and with every member state behind VIES. The page
//! is looked for anew while it is open; its parts keep their names for that.

use leptos::prelude::*;

use super::{Instant, ServerView};
use crate::components::{
    Column, DataTable, Fact, FactList, Moment, Notice, PageHeader, StatusTag, TabLink, TabLinks, TagStatus,
    Tone,
};

/// How a breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakerPosition {
    /// It is asked.
    Closed,
    /// One lookup finds out how it is, or the next one will.
    HalfOpen,
    /// It is left alone.
    Open,
}

/// A breaker, and why it is not closed.
#[derive(Clone, Debug)]
pub struct BreakerStands {
    /// How it stands.
    pub position: BreakerPosition,
    /// Why it opened by itself.
    pub cause: Option<&'static str>,
    /// Since when it is not closed.
    pub since: Option<Instant>,
    /// When a lookup will find out how it is, or when it may be asked again that wants silence.
    pub next_try: Option<Instant>,
    /// Who opened it.
    pub by_hand: Option<OpenedByHand>,
}

/// That somebody opened a breaker.
#[derive(Clone, Debug)]
pub struct OpenedByHand {
    /// Who.
    pub by: String,
    /// Since when.
    pub since: Instant,
    /// Until when; none until somebody closes it.
    pub until: Option<Instant>,
    /// Why, as everybody may read it.
    pub reason: String,
}

/// The last lookup in vain.
#[derive(Clone, Debug)]
pub struct LastError {
    /// The registry's own code, or ours.
    pub code: String,
    /// Whom it was about, where that is not said beside it.
    pub from: Option<&'static str>,
    /// When.
    pub at: Instant,
    /// The first two kilobytes of what was sent.
    pub raw: Option<String>,
}

/// How much of a registry is used.
#[derive(Clone, Debug)]
pub struct Use {
    /// What is counted.
    pub name: &'static str,
    /// How much, in words.
    pub words: String,
    /// How much.
    pub used: f64,
    /// How much may be.
    pub allowed: f64,
    /// That less is allowed at present than usually.
    pub less: Option<String>,
}

/// The way to a registry.
#[derive(Clone, Debug)]
pub struct RegistryCard {
    /// What it is called, in addresses too.
    pub name: &'static str,
    /// Its breaker.
    pub breaker: BreakerStands,
    /// How much of it is used.
    pub uses: Use,
    /// How many numbers of how many accounts wait.
    pub waiting: String,
    /// How long they wait.
    pub waits: Vec<String>,
    /// What an answer takes: usually, and at the worst. None when there was none in the last quarter of an hour.
    pub answers_in: Option<[String; 2]>,
    /// What else there is to know.
    pub more: MoreToKnow,
    /// The last lookup in vain.
    pub last_error: Option<LastError>,
}

/// What there is to know of one registry and not of the other.
#[derive(Clone, Debug)]
pub enum MoreToKnow {
    /// HMRC's access token: until when it is good; none when there is none at hand.
    Token(Option<Instant>),
    /// Whether VIES refuses this service's address.
    Blocked(bool),
}

/// A member state behind VIES.
#[derive(Clone, Debug)]
pub struct MemberStateRow {
    /// The prefix of its numbers.
    pub prefix: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its breaker.
    pub breaker: BreakerStands,
    /// How many are in flight, of how many.
    pub in_flight: String,
    /// How many wait.
    pub waiting: String,
    /// The last lookup in vain.
    pub last_error: Option<LastError>,
}

/// `/staff/registries`
#[derive(Clone, Debug)]
pub struct StaffRegistries {
    /// The finding.
    pub heading: String,
    /// When this was so.
    pub at: Instant,
    /// Whether there may be other servers with queues of their own.
    pub one_of_several: bool,
    /// What was just done.
    pub done: Option<String>,
    /// Both registries.
    pub registries: Vec<RegistryCard>,
    /// Whether every member state is shown.
    pub shows_all: bool,
    /// How many member states are not well.
    pub not_well: u64,
    /// How many there are.
    pub all: u64,
    /// Those that are shown.
    pub member_states: Vec<MemberStateRow>,
}

impl BreakerPosition {
    const fn tag(self) -> TagStatus {
        match self {
            Self::Closed => TagStatus::BreakerClosed,
            Self::HalfOpen => TagStatus::BreakerHalfOpen,
            Self::Open => TagStatus::BreakerOpen,
        }
    }
}

impl BreakerStands {
    /// Why it is not closed, in a line or two.
    pub(super) fn words(&self) -> Option<AnyView> {
        if let Some(by_hand) = self.by_hand.clone() {
            return Some(by_hand.words());
        }
        if self.position == BreakerPosition::Closed {
            return None;
        }
        let since = self.since.clone().map(|since| view! { "since " <Moment at=since /> });
        let next_try = self.next_try.clone().map(|at| view! { "; next try " <Moment at=at /> });
        Some(view! { <small>{self.cause} {self.cause.map(|_| ", ")} {since} {next_try}</small> }.into_any())
    }

    /// The link by which it is changed.
    fn link(&self, (code, name): (&'static str, &'static str)) -> AnyView {
        let is_open = self.position == BreakerPosition::Open || self.by_hand.is_some();
        let (deed, word) = if is_open { ("close", "Close") } else { ("open", "Open") };
        let address = format!("/staff/registries/{code}/{deed}");
        let label = format!("{word} the breaker of {name}");
        view! {
            <a href=address rel="external" id=format!("change-{code}") aria-label=label>
                {word}
            </a>
        }
        .into_any()
    }
}

impl OpenedByHand {
    fn words(self) -> AnyView {
        view! {
            <small>
                "By " {self.by} ", " <Moment at=self.since />
                {self.until.map(|until| view! { ", until " <Moment at=until /> })} ": " {self.reason}
            </small>
        }
        .into_any()
    }
}

impl LastError {
    /// `code` names whose it is among those of the page.
    fn view(self, code: &str) -> AnyView {
        let raw = self.raw.map(|raw| {
            view! {
                <details id=format!("sent-{code}")>
                    <summary id=format!("sent-{code}-summary")>"What was sent"</summary>
                    <pre class="raw-answer">{raw}</pre>
                </details>
            }
        });
        view! {
            <code>{self.code}</code>
            " "
            {self.from.map(|from| format!("from {from}, "))}
            <Moment at=self.at />
            {raw}
        }
        .into_any()
    }
}

impl Use {
    fn view(self, name: &str) -> AnyView {
        let words = self.words.clone();
        view! {
            {self.words}
            " "
            <meter
                class="meter"
                min="0"
                max=self.allowed.to_string()
                high=format!("{:.1}", self.allowed * 0.8)
                optimum="0"
                value=self.used.min(self.allowed).to_string()
                aria-label=format!("{}: {}", name, self.name.to_lowercase())
            >
                {words}
            </meter>
            {self.less.map(|less| view! { <small>{less}</small> })}
        }
        .into_any()
    }
}

impl RegistryCard {
    fn view(self) -> AnyView {
        let Self { name, breaker, uses, waiting, waits, answers_in, more, last_error } = self;
        let is_open = breaker.position == BreakerPosition::Open || breaker.by_hand.is_some();
        let (deed, word) = if is_open { ("close", "Close") } else { ("open", "Open") };
        let why = breaker.words();
        let waits = waits.into_iter().map(|words| view! { <small>{words}</small> }).collect_view();
        let answers_in = match answers_in {
            Some([usual, slowest]) => view! { {usual} " " <small>{slowest}</small> }.into_any(),
            None => "Nothing was answered in the last 15 minutes".into_any(),
        };
        let last_error = match last_error {
            Some(error) => error.view(name),
            None => "None since this server started".into_any(),
        };
        view! {
            <section id=format!("registry-{name}") aria-labelledby=format!("heading-{name}")>
                <h2 id=format!("heading-{name}")>{name}</h2>
                <FactList>
                    <Fact name="Breaker">
                        <StatusTag status=breaker.position.tag() />
                        {why}
                    </Fact>
                    <Fact name=uses.name>{uses.view(name)}</Fact>
                    <Fact name="Waiting">{waiting} " " {waits}</Fact>
                    <Fact name="Answer time">{answers_in}</Fact>
                    {more.view()}
                    <Fact name="Last error">{last_error}</Fact>
                </FactList>
                <p class="button-row">
                    <a href=format!("/staff/registries/{name}/{deed}") rel="external" id=format!("change-{name}")>
                        {word}
                        " the breaker of "
                        {name}
                    </a>
                </p>
            </section>
        }
        .into_any()
    }
}

impl MoreToKnow {
    fn view(self) -> AnyView {
        match self {
            Self::Token(Some(until)) => view! {
                <Fact name="Access token">"Good until " <Moment at=until /></Fact>
            }
            .into_any(),
            Self::Token(None) => view! {
                <Fact name="Access token">"None at hand: the next lookup fetches one"</Fact>
            }
            .into_any(),
            Self::Blocked(is_blocked) => view! {
                <Fact name="Blocked">
                    {if is_blocked { "Yes: it refuses this service’s address" } else { "No" }} " "
                    <small>"We stop at once and alarm on " <code>"IP_BLOCKED"</code></small>
                </Fact>
            }
            .into_any(),
        }
    }
}

const MEMBER_STATES: [Column; 7] = [
    Column::Title("Member state"),
    Column::Status("Breaker"),
    Column::Number("In flight"),
    Column::Number("Waiting"),
    Column::Text("Last error"),
    Column::Text("Next try"),
    Column::Actions("Change"),
];

impl MemberStateRow {
    fn cells(self) -> Vec<AnyView> {
        let Self { prefix, name, breaker, in_flight, waiting, last_error } = self;
        let link = breaker.link((prefix, name));
        let next_try = breaker.next_try.clone().filter(|_| breaker.by_hand.is_none());
        let status = view! { <StatusTag status=breaker.position.tag() /> };
        let by_hand = breaker.by_hand.map(OpenedByHand::words);
        let title = view! {
            <span class="vat-number">
                <abbr>{prefix}</abbr>
            </span>
            " "
            {name}
        };
        let next = view! {
            {next_try.map(|at| view! { <Moment at=at /> })}
            {by_hand}
        };
        vec![
            title.into_any(),
            status.into_any(),
            in_flight.into_any(),
            waiting.into_any(),
            last_error.map(|error| error.view(prefix)).into_any(),
            next.into_any(),
            link.into_any(),
        ]
    }
}

impl StaffRegistries {
    const fn address(shows_all: bool) -> &'static str {
        if shows_all { "/staff/registries?show=all" } else { "/staff/registries" }
    }

    fn tabs(&self) -> AnyView {
        let tab = |words, count, shows_all| TabLink {
            href: Self::address(shows_all).to_owned(),
            tag: None,
            words: Some(words),
            count,
            is_current: self.shows_all == shows_all,
        };
        let links = vec![tab("Not well", self.not_well, false), tab("All", self.all, true)];
        view! { <TabLinks id="which-states" label="Show" links /> }.into_any()
    }
}

impl ServerView for StaffRegistries {
    fn title(&self) -> String {
        "Registries".to_owned()
    }

    fn view(self) -> AnyView {
        let tabs = self.tabs();
        let here = Self::address(self.shows_all);
        let several = self.one_of_several.then_some(
            " Queues, rates and times are those of the server that answered you; others have their own. What is opened or closed by hand holds on all.",
        );
        let states = if self.member_states.is_empty() {
            view! { <p>"No breaker is open, nobody waits, and no lookup of the last 15 minutes was in vain."</p> }
                .into_any()
        } else {
            let caption = if self.shows_all {
                "In the order of their prefixes"
            } else {
                "Those with a breaker that is not closed, a queue, or a lookup in vain in the last 15 minutes"
            };
            let rows = self.member_states.into_iter().map(MemberStateRow::cells).collect();
            view! { <DataTable caption=caption columns=&MEMBER_STATES rows=rows /> }.into_any()
        };
        view! {
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            <div id="registries-finding" data-live="10">
                <PageHeader heading=self.heading>
                    <p>
                        "Queues, limits and breakers at " <Moment at=self.at /> "." {several} " "
                        <a href=here rel="external" id="look-again">
                            "Look again"
                        </a>
                    </p>
                </PageHeader>
            </div>
            <p
                id="connection"
                role="status"
                data-lost="The connection is lost. What stands here is old; the page looks again every few seconds."
            ></p>
            <div class="columns" data-shape="halves">
                {self.registries.into_iter().map(RegistryCard::view).collect_view()}
            </div>
            <section id="registries-states" aria-labelledby="heading-states">
                <h2 id="heading-states">"Member states"</h2>
                {tabs}
                {states}
            </section>
        }
        .into_any()
    }
}
