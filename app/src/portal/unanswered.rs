//! What is answered when something that a page needs does not answer.

use leptos::prelude::*;

use super::ServerView;
use crate::components::PageHeader;

/// The page.
#[derive(Clone, Copy, Debug)]
pub struct Unanswered {
    /// Whether a form was sent, of which nobody can say what came of it.
    pub was_form: bool,
}

impl ServerView for Unanswered {
    fn title(&self) -> String {
        "No answer at present".to_owned()
    }

    fn view(self) -> AnyView {
        let then = if self.was_form {
            "Go back in a minute: what you typed is still there. Look whether it was done before you send it again."
        } else {
            "Open it again in a minute."
        };
        view! {
            <PageHeader heading="This page cannot be answered at present">
                <p>{format!("Something that it needs does not answer. {then}")}</p>
            </PageHeader>
        }
        .into_any()
    }
}
