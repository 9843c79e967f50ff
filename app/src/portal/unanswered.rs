//! What is answered in place of a page: something that it needs does not answer, it is broken, or what was sent is nothing
//! that it takes.

use leptos::prelude::*;

use super::ServerView;
use crate::components::PageHeader;

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyUnanswered {
    /// Something that it needs does not answer.
    Unavailable,
    /// A defect of ours.
    Broken,
    /// It took longer than anybody waits.
    TooSlow,
    /// The form was sent from another site.
    OtherSite,
    /// There is something at the address, but not for this: nothing to read, or nothing to send to.
    NotThatWay,
    /// What came is not what a page here sends.
    Unreadable,
    /// More was sent than is taken.
    TooMuch,
}

/// The page.
#[derive(Clone, Copy, Debug)]
pub struct Unanswered {
    /// Why it stands there.
    pub why: WhyUnanswered,
    /// Whether a form was sent.
    pub was_form: bool,
}

impl ServerView for Unanswered {
    fn title(&self) -> String {
        match self.why {
            WhyUnanswered::Unavailable => "No answer at present",
            WhyUnanswered::Broken => "Something is broken here",
            WhyUnanswered::TooSlow => "This took too long",
            WhyUnanswered::OtherSite => "A form from another site",
            WhyUnanswered::NotThatWay => "Nothing to read here",
            WhyUnanswered::Unreadable => "This could not be read",
            WhyUnanswered::TooMuch => "Too much for this form",
        }
        .to_owned()
    }

    fn view(self) -> AnyView {
        let heading = match self.why {
            WhyUnanswered::Unavailable => "This page cannot be answered at present",
            WhyUnanswered::Broken => "Something is broken here",
            WhyUnanswered::TooSlow => "This took too long",
            WhyUnanswered::OtherSite => "This form came from another site",
            WhyUnanswered::NotThatWay => "There is nothing to read at this address",
            WhyUnanswered::Unreadable => "This could not be read",
            WhyUnanswered::TooMuch => "This is too much for the form",
        };
        view! {
            <PageHeader heading=heading>
                <p>{self.said()}</p>
            </PageHeader>
            <p>
                <a href="/" rel="external">
                    "Start page"
                </a>
            </p>
        }
        .into_any()
    }
}

impl Unanswered {
    /// What happened, whose doing it is, and what to do.
    fn said(self) -> String {
        let what = match self.why {
            WhyUnanswered::Unavailable => "Something that it needs does not answer.",
            WhyUnanswered::Broken => "The mistake is ours, and it is in our log.",
            WhyUnanswered::TooSlow => "The server did not finish in time.",
            WhyUnanswered::OtherSite => {
                return "Nothing was changed. Open the page here, and send the form from there.".to_owned();
            }
            WhyUnanswered::NotThatWay => {
                return "It belongs to a form of one of our pages. Open the page, and use the form on it."
                    .to_owned();
            }
            WhyUnanswered::Unreadable => {
                return "Something is missing in what your browser sent, or too much is in it. Nothing was changed. Open the page again and start from there."
                    .to_owned();
            }
            WhyUnanswered::TooMuch => {
                return "Nothing was changed. Go back: what you typed is still there, to be shortened."
                    .to_owned();
            }
        };
        let then = if self.was_form {
            "Go back in a minute: what you typed is still there. Look whether it was done before you send it again."
        } else {
            "Open it again in a minute."
        };
        format!("{what} {then}")
    }
}
