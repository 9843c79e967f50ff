//! What the documentation consists of: the one list from which its navigation and its first page are made.

/// A part of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What a newcomer reads.
    Start,
    /// What is looked up.
    Reference,
    /// What explains.
    Guides,
}

/// A page of documentation.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where it is.
    pub path: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// The part it belongs to.
    pub part: Part,
}

impl Part {
    /// Every part, in order.
    pub(crate) const ALL: [Self; 3] = [Self::Start, Self::Reference, Self::Guides];

    /// Its heading.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Reference => "Reference",
            Self::Guides => "Guides",
        }
    }

    /// Names its heading in the navigation.
    pub(crate) const fn anchor(self) -> &'static str {
        match self {
            Self::Start => "contents-start",
            Self::Reference => "contents-reference",
            Self::Guides => "contents-guides",
        }
    }

    /// Its pages.
    pub(crate) fn entries(self) -> impl Iterator<Item = &'static Entry> {
        ENTRIES.iter().filter(move |entry| entry.part == self)
    }
}

/// Every page but the first, part by part.
pub const ENTRIES: &[Entry] = &[
    entry(
        Part::Start,
        "/docs/quickstart",
        "Quickstart",
        "From key to first answer in five minutes, with curl, JavaScript, Python or Rust.",
    ),
    entry(
        Part::Start,
        "/docs/sandbox",
        "Sandbox numbers",
        "Fixed numbers for test keys that show every outcome, failures included.",
    ),
    entry(
        Part::Start,
        "/docs/routing",
        "How routing works",
        "Which registry is asked about which number, and what neither of them covers.",
    ),
    entry(
        Part::Reference,
        "/docs/reference",
        "The API",
        "Every call, field and answer, made from the description that the server publishes.",
    ),
    entry(
        Part::Reference,
        "/docs/try",
        "Try a call",
        "A form that sends a call with your test key and shows what comes back.",
    ),
    entry(Part::Reference, "/docs/errors", "Error codes", "What each code means and what to do about it."),
    entry(
        Part::Reference,
        "/docs/limits",
        "Limits and allowance",
        "Requests a minute, numbers a month, and what is not counted.",
    ),
    entry(
        Part::Guides,
        "/docs/outages",
        "Outages",
        "What comes when a registry does not answer, and how a repeated call completes it.",
    ),
    entry(
        Part::Guides,
        "/docs/check-digits",
        "Check digits",
        "Why they are advice and never a verdict, and what else is noticed about a number.",
    ),
    entry(
        Part::Guides,
        "/docs/age-of-answers",
        "Age of answers",
        "When an earlier answer is used again, and how to have a registry asked anew.",
    ),
    entry(
        Part::Guides,
        "/docs/evidence",
        "Evidence for audits",
        "Consultation numbers, requester numbers, and the sheet that is kept of every check.",
    ),
    entry(
        Part::Guides,
        "/docs/reverse-charge",
        "Reverse charge",
        "When a customer may account for the VAT: every case in one table.",
    ),
    entry(
        Part::Guides,
        "/docs/keys",
        "Keys",
        "Test and live keys, where to keep them, and how to change them without a gap.",
    ),
    entry(
        Part::Guides,
        "/docs/data",
        "What is stored",
        "Which data of people, companies and checks is kept, how long, and how it is deleted.",
    ),
    entry(
        Part::Guides,
        "/docs/registry-terms",
        "What registries allow",
        "What HMRC and VIES permit with their answers, said plainly.",
    ),
    entry(
        Part::Guides,
        "/docs/running-it",
        "Running it yourself",
        "One program, one database: how to start, back up, watch and keep it.",
    ),
];

const fn entry(part: Part, path: &'static str, name: &'static str, about: &'static str) -> Entry {
    Entry { path, name, about, part }
}
