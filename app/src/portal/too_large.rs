//! What is answered to a form that is larger than is taken.

use leptos::prelude::*;

use super::ServerView;
use crate::components::PageHeader;

/// The page.
#[derive(Clone, Debug)]
pub struct TooLarge {
    /// How much is taken, in words.
    pub most: String,
}

impl ServerView for TooLarge {
    fn title(&self) -> String {
        "Too much for this form".to_owned()
    }

    fn view(self) -> AnyView {
        view! {
            <PageHeader heading="This is too much for the form">
                <p>
                    {format!(
                        "It takes up to {}. Nothing was changed. Go back: what you typed is still there, to be shortened. Long lists of VAT numbers belong into Check.",
                        self.most,
                    )}
                </p>
            </PageHeader>
        }
        .into_any()
    }
}
