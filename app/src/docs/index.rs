//! `/docs`: what there is to read.

use leptos::prelude::*;

use super::contents::Part;
use crate::components::{API_DESCRIPTION, DocsLayout};
use crate::portal::ServerView;

/// `/docs`
#[derive(Clone, Copy, Debug)]
pub struct Index;

impl ServerView for Index {
    fn title(&self) -> String {
        "Documentation".to_owned()
    }

    fn view(self) -> AnyView {
        let part = |part: Part| {
            let entries = part.entries().map(|entry| {
                view! {
                    <li>
                        <a href=entry.path rel="external">
                            {entry.name}
                        </a>
                        <p>{entry.about}</p>
                    </li>
                }
            });
            view! {
                <section>
                    <h2>{part.name()}</h2>
                    <ul class="topic-list" role="list">
                        {entries.collect_view()}
                    </ul>
                </section>
            }
        };
        view! {
            <DocsLayout current="/docs">
                <h1>"Documentation"</h1>
                <p>
                    "One endpoint takes up to 100 VAT numbers, asks HMRC or VIES about each and passes on what they say. Begin with the "
                    <a href="/docs/quickstart" rel="external">
                        "quickstart"
                    </a>
                    ": a test key costs nothing, and answers the same way every time."
                </p>
                {Part::ALL.map(part).into_iter().collect_view()}
                <section>
                    <h2>"For programs"</h2>
                    <p>
                        "The same in OpenAPI 3.1: "
                        <a href=API_DESCRIPTION rel="external">
                            "openapi.json"
                        </a>
                        ". Nothing in it changes under "
                        <code>"/v1"</code>
                        " but for optional fields that are added."
                    </p>
                </section>
            </DocsLayout>
        }
        .into_any()
    }
}
