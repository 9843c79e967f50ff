//! What each error code of the API means and what to do about it. The `type` of every error leads here.

use std::sync::Arc;

use leptos::prelude::*;
use vat::UnresolvedReason;

use super::prose::prose;
use crate::components::{Column, DataTable, DocsLayout};
use crate::portal::ServerView;

/// The codes of `errors` in a `validation_failed`, in the order of the API's description.
const FAULTS: [(&str, &str); 7] = [
    ("required", "The field is missing, and the call cannot do without it."),
    (
        "wrong_type",
        "The value is not of the JSON type that the field takes. Nor is `null`: leave the field out instead.",
    ),
    ("too_few", "The list is empty. `vatNumbers` takes one entry or more."),
    (
        "too_many",
        "The list is too long. `vatNumbers` takes up to 100 entries, `requesterVatNumbers` up to 2.",
    ),
    ("too_long", "The entry has more than 64 characters, blanks around it included."),
    ("unknown_field", "There is no such field. A misspelt one is refused rather than ignored."),
    (
        "invalid_value",
        "The type is right, but the value cannot be used: a requester that is no well-formed number, a second one for \
         the same registry, a country that does not exist, or a field that is given twice.",
    ),
];

/// An error code of the API, explained. Words of code in its texts stand between backticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorEntry {
    /// The code in the body of the error, and the anchor of its entry.
    pub code: &'static str,
    /// The HTTP status it comes with.
    pub status: u16,
    /// The error's `title`, without a full stop.
    pub title: &'static str,
    /// What it means, in whole sentences.
    pub meaning: &'static str,
    /// What the caller can do about it, in whole sentences.
    pub remedy: &'static str,
}

/// `/docs/errors`
#[derive(Clone, Debug)]
pub struct ErrorCodes {
    /// Every code, in the order of its status.
    pub entries: Arc<[ErrorEntry]>,
}

impl ServerView for ErrorCodes {
    fn title(&self) -> String {
        "Error codes – Documentation".to_owned()
    }

    fn view(self) -> AnyView {
        let entries = self.entries;
        let overview = entries
            .iter()
            .map(|entry| {
                vec![
                    view! {
                        <a href=format!("#{}", entry.code) rel="external">
                            <code>{entry.code}</code>
                        </a>
                    }
                    .into_any(),
                    entry.status.into_any(),
                    entry.title.into_any(),
                ]
            })
            .collect();
        let faults = FAULTS.map(|(code, meaning)| explained(code, meaning)).into();
        let reasons =
            UnresolvedReason::ALL.map(|reason| explained(reason.as_str(), reason_means(reason))).into();
        let code_columns = &[Column::Title("Code"), Column::Text("Meaning")];

        view! {
            <DocsLayout current="/docs/errors">
                <h1>"Error codes"</h1>
                <p>
                    {prose(
                        "Every error under `/v1` is `application/problem+json` (RFC 9457). Decide by `code`: it never changes. \
                         `detail` is for people and may. `type` is the address of the code’s entry on this page. Quote \
                         `requestId` when you ask support.",
                    )}
                </p>
                <p>"An error is never an answer about a number: none of these means that a number is not registered."</p>
                <ul>
                    <li>
                        <a href="#codes" rel="external">
                            "All codes"
                        </a>
                    </li>
                    <li>
                        <a href="#faults" rel="external">
                            "Faults of a request"
                        </a>
                    </li>
                    <li>
                        <a href="#reasons" rel="external">
                            "Numbers without an answer"
                        </a>
                    </li>
                </ul>
                <section id="codes">
                    <h2>"All codes"</h2>
                    <DataTable
                        caption="In the order of their HTTP status"
                        columns=&[Column::Title("Code"), Column::Status("Status"), Column::Text("What happened")]
                        rows=overview
                    />
                </section>
                {entries.iter().map(entry_view).collect_view()}
                <section id="faults">
                    <h2>"Faults of a request"</h2>
                    <p>
                        {prose(
                            "A `validation_failed` lists every fault of the body in `errors`. Each has a `pointer` to its place \
                             (RFC 6901; empty for the whole body), a `code` and a `detail` for people.",
                        )}
                    </p>
                    <DataTable caption="Codes of faults" columns=code_columns rows=faults />
                </section>
                <section id="reasons">
                    <h2>"Numbers without an answer"</h2>
                    <p>
                        {prose(
                            "A `registry_unavailable` lists in `unresolved` every number that nobody answered, with its place \
                             in `vatNumbers` (`index`, counted from 0), a `reason` and `retryAfterSeconds`. No reason says \
                             anything about the number.",
                        )}
                    </p>
                    <DataTable
                        caption="Reasons"
                        columns=&[Column::Title("Reason"), Column::Text("Meaning")]
                        rows=reasons
                    />
                </section>
            </DocsLayout>
        }
        .into_any()
    }
}

fn entry_view(entry: &ErrorEntry) -> AnyView {
    view! {
        <section id=entry.code>
            <h2>
                <code>{entry.code}</code>
            </h2>
            <p>
                <strong>{format!("{}. {}.", entry.status, entry.title)}</strong>
                " "
                {prose(entry.meaning)}
            </p>
            <p>
                <strong>"What to do:"</strong>
                " "
                {prose(entry.remedy)}
            </p>
        </section>
    }
    .into_any()
}

/// The cells of a row that says what a code means.
fn explained(code: &'static str, meaning: &'static str) -> Vec<AnyView> {
    vec![view! { <code>{code}</code> }.into_any(), prose(meaning)]
}

const fn reason_means(reason: UnresolvedReason) -> &'static str {
    match reason {
        UnresolvedReason::RegistryUnavailable => "The registry as a whole did not answer.",
        UnresolvedReason::MemberStateUnavailable => "VIES answered, the member state behind it did not.",
        UnresolvedReason::Timeout => "No answer came in time.",
        UnresolvedReason::Throttled => {
            "The registry takes on no more questions at present and kept to that when it was asked again."
        }
        UnresolvedReason::Blocked => {
            "The registry refuses questions from this service. That is ours to mend."
        }
        UnresolvedReason::RegistryUnreadable => {
            "What the registry sent cannot be read, such as a page of HTML or half an answer."
        }
        UnresolvedReason::NotConfigured => {
            "This service has no working access to the registry. That is ours to mend."
        }
        UnresolvedReason::Deadline => {
            "The time limit of the whole call came first. Ask again, if need be about fewer numbers."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorCodes, ErrorEntry};
    use crate::portal::write;

    const ERRORS: [ErrorEntry; 2] = [
        ErrorEntry {
            code: "tea_too_hot",
            status: 418,
            title: "The tea is too hot",
            meaning: "The cup says `<hot>` & steams.",
            remedy: "Wait for `Retry-After` seconds.",
        },
        ErrorEntry {
            code: "tea_gone",
            status: 410,
            title: "The tea is gone",
            meaning: "Somebody drank it.",
            remedy: "Make more.",
        },
    ];

    fn page() -> String {
        write(ErrorCodes { entries: ERRORS.into() }).html
    }

    #[test]
    fn every_error_code_has_an_entry_at_its_anchor() {
        let html = page();
        for ErrorEntry { code, status, title, .. } in ERRORS {
            assert_eq!(html.matches(&format!("id=\"{code}\"")).count(), 1, "{code}");
            assert!(html.contains(&format!("href=\"#{code}\"")), "{code}");
            let (_, entry) = html.split_once(&format!("<section id=\"{code}\">")).expect("a section");
            let (entry, _) = entry.split_once("</section>").expect("its end");
            assert!(entry.contains(&status.to_string()) && entry.contains(title), "{entry}");
        }
    }

    #[test]
    fn words_of_code_in_an_entry_are_set_as_code_and_cannot_become_markup() {
        let html = page();
        assert!(html.contains("<code>Retry-After</code>"));
        assert!(html.contains("<code>&lt;hot&gt;</code>"));
        assert!(html.contains(" &amp; steams."));
        let (_, article) = html.split_once("<article").expect("an article");
        assert!(!article.contains('`'), "{article}");
    }

    #[test]
    fn every_reason_without_an_answer_is_explained() {
        let html = page();
        for reason in vat::UnresolvedReason::ALL {
            assert!(html.contains(&format!("<code>{}</code>", reason.as_str())), "{reason:?}");
        }
    }

    #[test]
    fn links_on_a_page_of_documentation_are_left_to_the_browser() {
        let html = page();
        assert!(html.matches("<a ").count() > 4);
        assert_eq!(html.matches("<a ").count(), html.matches("rel=\"external\"").count());
    }
}
