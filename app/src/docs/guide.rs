//! Guides: pages of text, one a file in `docs/guides`.

use leptos::prelude::*;

use super::contents::{ENTRIES, Entry};
use super::markdown::guide;
use crate::components::DocsLayout;
use crate::portal::ServerView;

/// Every guide by the last part of its path.
const GUIDES: [(&str, &str); 11] = [
    ("age-of-answers", include_str!("../../../docs/guides/age-of-answers.md")),
    ("check-digits", include_str!("../../../docs/guides/check-digits.md")),
    ("data", include_str!("../../../docs/guides/data.md")),
    ("evidence", include_str!("../../../docs/guides/evidence.md")),
    ("keys", include_str!("../../../docs/guides/keys.md")),
    ("limits", include_str!("../../../docs/guides/limits.md")),
    ("outages", include_str!("../../../docs/guides/outages.md")),
    ("registry-terms", include_str!("../../../docs/guides/registry-terms.md")),
    ("reverse-charge", include_str!("../../../docs/guides/reverse-charge.md")),
    ("routing", include_str!("../../../docs/guides/routing.md")),
    ("running-it", include_str!("../../../docs/guides/running-it.md")),
];

/// `/docs/…`: a page of text.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    entry: &'static Entry,
    text: &'static str,
}

impl Guide {
    /// The guide whose path ends in `name`, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = GUIDES.iter().find(|(known, _)| *known == name)?;
        let entry = ENTRIES.iter().find(|entry| entry.path.strip_prefix("/docs/") == Some(name))?;
        Some(Self { entry, text })
    }
}

impl ServerView for Guide {
    fn title(&self) -> String {
        format!("{} – Documentation", self.entry.name)
    }

    fn view(self) -> AnyView {
        let html = guide(self.text);
        view! {
            <DocsLayout current=self.entry.path>
                <div class="guide" inner_html=html></div>
            </DocsLayout>
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::{GUIDES, Guide};

    #[test]
    fn every_guide_is_in_the_contents_and_begins_with_its_heading() {
        for (name, text) in GUIDES {
            assert!(Guide::named(name).is_some(), "{name}");
            assert!(text.starts_with("# "), "{name}");
            assert_eq!(
                text.lines().filter(|line| line.starts_with("# ")).count(),
                1 + remarks(text),
                "{name}"
            );
        }
        assert!(Guide::named("nothing").is_none());
    }

    /// Lines of listings that look like headings.
    fn remarks(text: &str) -> usize {
        let within = text.split("```").skip(1).step_by(2);
        within.flat_map(str::lines).filter(|line| line.starts_with("# ")).count()
    }
}
