//! `/docs/quickstart`: from key to first answer. What it shows are the files in `docs/quickstart`, which are run against
//! the real server before every release.

use leptos::prelude::*;

use super::json::json_markup;
use super::prose::{prose, with_remarks};
use crate::components::{DocsLayout, Listing};
use crate::markup::push_text;
use crate::portal::ServerView;

/// What a caller is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// A shell with curl.
    #[default]
    Curl,
    /// JavaScript on Node.
    JavaScript,
    /// Python.
    Python,
    /// Rust.
    Rust,
}

/// What the programs print.
const PRINTED: &str = include_str!("../../../docs/quickstart/printed.txt");
/// What curl prints, indented.
const ANSWER: &str = include_str!("../../../docs/quickstart/answer.json");

impl Language {
    /// Every language, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Curl, Self::JavaScript, Self::Python, Self::Rust];

    /// Its word in the address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "javascript",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
            Self::Rust => "Rust",
        }
    }

    /// What is needed, words of code between backticks.
    const fn needs(self) -> &'static str {
        match self {
            Self::Curl => {
                "Needs `curl` and nothing else. Keep it as `verify.sh`, start it with `sh verify.sh`."
            }
            Self::JavaScript => {
                "Needs Node 20 or newer and no package. Keep it as `verify.mjs`, start it with `node verify.mjs`."
            }
            Self::Python => {
                "Needs Python 3.9 or newer and no package. Keep it as `verify.py`, start it with `python3 verify.py`."
            }
            Self::Rust => {
                "Needs three crates, which the first lines name. Keep it as `src/main.rs`, start it with `cargo run`."
            }
        }
    }

    const fn file(self) -> &'static str {
        match self {
            Self::Curl => include_str!("../../../docs/quickstart/verify.sh"),
            Self::JavaScript => include_str!("../../../docs/quickstart/verify.mjs"),
            Self::Python => include_str!("../../../docs/quickstart/verify.py"),
            Self::Rust => include_str!("../../../docs/quickstart/verify.rs"),
        }
    }

    const fn remark(self) -> &'static str {
        match self {
            Self::Curl | Self::Python => "#",
            Self::JavaScript | Self::Rust => "//",
        }
    }
}

/// `/docs/quickstart`
#[derive(Clone, Debug)]
pub struct Quickstart {
    /// The chosen language.
    pub language: Language,
    /// The address of the API.
    pub api: String,
}

impl Quickstart {
    fn tabs(&self) -> AnyView {
        let tab = |language: Language| {
            let mark = (language == self.language).then_some("true");
            let address = format!("/docs/quickstart?language={}", language.word());
            view! {
                <li>
                    <a href=address rel="external" aria-current=mark>
                        {language.name()}
                    </a>
                </li>
            }
        };
        view! {
            <nav class="tab-links" aria-label="Language">
                <ul>{Language::ALL.map(tab).into_iter().collect_view()}</ul>
            </nav>
        }
        .into_any()
    }

    /// What comes back, as the chosen program shows it.
    fn shown(&self) -> AnyView {
        let answer = view! { <Listing id="answer".to_owned() title="200 OK" code=json_markup(ANSWER) /> };
        if self.language == Language::Curl {
            return answer.into_any();
        }
        let mut printed = String::new();
        push_text(&mut printed, PRINTED.trim_end());
        view! {
            <Listing id="printed".to_owned() title="It prints" code=printed />
            <details>
                <summary>"The whole answer"</summary>
                {answer}
            </details>
        }
        .into_any()
    }
}

impl ServerView for Quickstart {
    fn title(&self) -> String {
        match self.language {
            Language::Curl => "Quickstart – Documentation".to_owned(),
            language => format!("Quickstart in {} – Documentation", language.name()),
        }
    }

    fn view(self) -> AnyView {
        let language = self.language;
        let (tabs, shown) = (self.tabs(), self.shown());
        let mut export = String::new();
        push_text(&mut export, &format!("export CROSSVAT_URL={}\nexport CROSSVAT_KEY=cv_test_…", self.api));
        view! {
            <DocsLayout current="/docs/quickstart">
                <h1>"Quickstart"</h1>
                <p>
                    "From key to first answer in five minutes. Use a test key: it never reaches a government registry, costs nothing, and answers the same way every time."
                </p>
                {tabs}
                <ol class="steps" role="list">
                    <li>
                        <h2>"Put the key where your program finds it"</h2>
                        <p>
                            <a href="/sign-up" rel="external">
                                "Open an account"
                            </a>
                            " if you have none. As soon as it may have keys, create a test key under "
                            <a href="/portal/keys" rel="external">
                                "Keys"
                            </a>
                            ". It is shown once. It belongs on a server, never in a browser or in a repository."
                        </p>
                        <Listing id="export".to_owned() title="Shell" code=export />
                    </li>
                    <li>
                        <h2>"Ask"</h2>
                        <p>
                            "Up to 100 numbers in one call, in any mixture of countries. Write each as people write it: blanks, dots and lower case are put right. These are "
                            <a href="/docs/sandbox" rel="external">
                                "sandbox numbers"
                            </a>
                            "."
                        </p>
                        <Listing
                            id="program".to_owned()
                            title=language.name()
                            code=with_remarks(language.file(), language.remark())
                        />
                        <p>{prose(language.needs())}</p>
                    </li>
                    <li>
                        <h2>"Read the answer"</h2>
                        <p>
                            {prose(
                                "One result for each number, in your order. `valid` is true only when the registry itself said so; \
                                 `status` tells the rest apart. Every field is explained under ",
                            )}
                            <a href="/docs/reference#VerificationResult" rel="external">
                                "the API"
                            </a>
                            "."
                        </p>
                        {shown}
                    </li>
                    <li>
                        <h2>"See it fail"</h2>
                        <p>
                            {prose(
                                "Ask about `FR20999993017`: France does not answer VIES. The call is answered 503 with \
                                 `Retry-After`; what was answered stands in `results`, what was not in `unresolved`. Send the same \
                                 call again later, or ask for `\"partial\": true` and read `status`. ",
                            )}
                            <a href="/docs/outages" rel="external">
                                "Outages"
                            </a>
                            " has the whole of it."
                        </p>
                    </li>
                    <li>
                        <h2>"Go live"</h2>
                        <p>
                            {prose("A live key (`cv_live_…`) asks HMRC and VIES; nothing else changes. Before that, say under ")}
                            <a href="/portal/settings" rel="external">
                                "Settings"
                            </a>
                            " in whose name registries are asked, so that you get "
                            <a href="/docs/evidence" rel="external">
                                "proof"
                            </a>
                            ", and where you sell from, which decides the "
                            <a href="/docs/reverse-charge" rel="external">
                                "reverse charge"
                            </a>
                            "."
                        </p>
                    </li>
                </ol>
            </DocsLayout>
        }
        .into_any()
    }
}
