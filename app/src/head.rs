//! What the head of a document says to browsers, search engines and whoever shows a link: the colour around the page, the
//! icons, what the page is about and where it stands.

use leptos::attr::custom::CustomAttribute;
use leptos::html;
use leptos::prelude::*;

use crate::Theme;
use crate::docs::ENTRIES;
use crate::pages::HOME_TITLE;

/// The colours of the page's head, `--surface` of `style/tokens.css`: light and dark.
const SURFACES: [(&str, &str); 2] = [("light", "#ffffff"), ("dark", "#171e24")];
/// Public pages outside the documentation, and what each is for.
const ABOUT: [(&str, &str); 5] = [
    (
        "/",
        "Crossvat asks HMRC or VIES whether a UK or EU VAT number is registered, tells you exactly what they said, and keeps the proof.",
    ),
    (
        "/docs",
        "How to check UK and EU VAT numbers with Crossvat: quickstart, reference, error codes, sandbox numbers and guides.",
    ),
    (
        "/status",
        "Whether HMRC, VIES and each member state answer now and answered in the last 24 hours, from our own measurements.",
    ),
    (
        "/sign-up",
        "Open an account to check UK and EU VAT numbers with HMRC and VIES, in a list or from your programs.",
    ),
    (
        "/sign-in",
        "Sign in to check VAT numbers, see what was checked with its evidence, and manage your keys.",
    ),
];

/// Where a document stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Scheme, host and port under which callers reach the service.
    pub origin: String,
    /// The path, without a query.
    pub path: String,
}

/// What a public page is for; nothing for those that only their reader sees.
fn about(path: &str) -> Option<&'static str> {
    let page = ABOUT.iter().find(|(known, _)| *known == path).map(|(_, about)| *about);
    page.or_else(|| ENTRIES.iter().find(|entry| entry.path == path).map(|entry| entry.about))
}

/// The icons, and the colour that browsers give to what they draw around the page.
pub(crate) fn looks(theme: Theme) -> AnyView {
    let colours =
        SURFACES.into_iter().filter(|(scheme, _)| theme.data_theme().is_none_or(|chosen| chosen == *scheme));
    let colours = colours
        .map(|(scheme, colour)| {
            let media = theme.data_theme().is_none().then(|| format!("(prefers-color-scheme: {scheme})"));
            html::meta().name("theme-color").attr("media", media).content(colour)
        })
        .collect_view();
    view! {
        {colours}
        <link rel="icon" href="/favicon.ico" sizes="48x48" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    }
    .into_any()
}

/// What a public page is about, and its one address; nothing for any other. `title` is the document's, where the page itself
/// does not print one.
pub(crate) fn matter(place: Option<Place>, title: Option<&str>) -> Option<AnyView> {
    let Place { origin, path } = place?;
    let about = about(&path)?;
    let address = format!("{}{path}", origin.trim_end_matches('/'));
    let title = title.unwrap_or(HOME_TITLE).to_owned();
    let shared = [
        ("og:site_name", "Crossvat".to_owned()),
        ("og:type", "website".to_owned()),
        ("og:title", title),
        ("og:description", about.to_owned()),
        ("og:url", address.clone()),
    ]
    .map(|(property, content)| html::meta().content(content).attr("property", property))
    .into_iter()
    .collect_view();
    let view = view! {
        <meta name="description" content=about />
        <link rel="canonical" href=address />
        {shared}
    };
    Some(view.into_any())
}

#[cfg(test)]
mod tests {
    use leptos::prelude::*;

    use super::{Place, about, looks, matter};
    use crate::Theme;
    use crate::docs::ENTRIES;

    #[test]
    fn what_a_page_is_for_fits_where_links_are_shown() {
        let pages = ["/", "/docs", "/status", "/sign-up", "/sign-in"];
        for path in pages.into_iter().chain(ENTRIES.iter().map(|entry| entry.path)) {
            let about = about(path).expect("a public page");
            assert!((30..=160).contains(&about.chars().count()), "{path}: {about}");
        }
        for path in ["/portal", "/staff", "/portal/keys", "/claim/secret", "/docs/none", "/no-such-page"] {
            assert_eq!(about(path), None, "{path}");
        }
    }

    #[test]
    fn a_public_page_names_its_one_address_and_any_other_says_nothing() {
        let place =
            |path: &str| Some(Place { origin: "https://vat.example/".to_owned(), path: path.to_owned() });
        Owner::new().with(|| {
            let head = matter(place("/docs/errors"), Some("Error codes")).expect("public").to_html();
            assert!(head.contains("rel=\"canonical\" href=\"https://vat.example/docs/errors\""), "{head}");
            assert!(head.contains("<meta content=\"Error codes\" property=\"og:title\">"), "{head}");
            assert!(matter(place("/portal"), Some("Home")).is_none());
            assert!(matter(None, None).is_none());
        });
    }

    #[test]
    fn the_colour_around_the_page_is_that_of_its_theme() {
        Owner::new().with(|| {
            for (theme, colours, media) in [
                (Theme::System, vec!["#ffffff", "#171e24"], 2),
                (Theme::Light, vec!["#ffffff"], 0),
                (Theme::Dark, vec!["#171e24"], 0),
            ] {
                let head = looks(theme).to_html();
                let named: Vec<_> =
                    ["#ffffff", "#171e24"].into_iter().filter(|one| head.contains(one)).collect();
                assert_eq!(named, colours, "{theme:?}");
                assert_eq!(head.matches("prefers-color-scheme").count(), media, "{theme:?}");
            }
        });
    }
}
