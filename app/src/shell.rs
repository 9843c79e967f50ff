//! The document around the application: head, scripts, theme, sprite. Only the server writes it; the browser takes
//! over the content of `body`.

use std::sync::Arc;

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::MetaTags;

use crate::components::IconSprite;
use crate::head::{Place, looks, matter};
use crate::{App, Reader, ServerText, SlipText, Theme};

/// Where the built files of this release are: site paths such as `/pkg/crossvat.3f2a9c01d4e5b678.js`, from the
/// manifest that `scripts/build-site.sh` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAssets {
    /// The one style sheet.
    pub stylesheet: String,
    /// The JavaScript module that loads the WebAssembly.
    pub script: String,
    /// The WebAssembly.
    pub wasm: String,
}

/// What only the server knows of the document for one request.
#[derive(Clone, Debug)]
pub struct Document {
    /// The theme that the request's cookie names.
    pub theme: Theme,
    /// Who reads, when somebody is signed in.
    pub reader: Option<Reader>,
    /// How the registries are now, in a sentence or two.
    pub registries: String,
    /// The pages of whoever runs the server.
    pub operator: OperatorPages,
    /// The page, when the address is one of those that only the server can answer.
    pub text: Option<ServerText>,
    /// The slip on the start page.
    pub slip: Option<SlipText>,
    /// Where it stands; nothing where that is not to be told.
    pub place: Option<Place>,
    /// Whether the browser leaves it as it was written, whatever the address: nothing in it is taken over by a script.
    pub is_still: bool,
}

/// Where whoever runs the server says who they are and what they do with data of people: addresses or paths, as far as there
/// are such pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorPages {
    /// Who they are.
    pub imprint: Option<Arc<str>>,
    /// What they do with data of people.
    pub privacy: Option<Arc<str>>,
}

/// What the foot of the page says of the registries.
#[derive(Clone)]
pub(crate) struct RegistriesNow(pub(crate) String);

/// What says the times of a server's page in the reader's zone. With the module it could not run before the first paint.
const LOCAL_TIMES: &str = include_str!("local_times.js");

/// What stands behind the script that says the times: the sprite.
const PAGE_END_LINK: &str = "#page-end";

/// The whole document. Its inline scripts carry the nonce of the response's content security policy.
#[must_use]
pub fn shell(assets: SiteAssets, document: Document) -> impl IntoView {
    let Document { theme, reader, registries, operator, text, slip, place, is_still } = document;
    provide_context(theme);
    provide_context(RegistriesNow(registries));
    provide_context(operator);
    if let Some(reader) = reader {
        provide_context(reader);
    }
    if let Some(slip) = slip {
        provide_context(slip);
    }
    let title = text.as_ref().map(|text| format!("{} – Crossvat", text.title));
    let local_times =
        text.as_ref().map(|_| view! { <script nonce=use_nonce() inner_html=LOCAL_TIMES></script> });
    // Without it the beginning of a page may be painted before its times are said anew.
    let painted_whole =
        text.as_ref().map(|_| view! { <link rel="expect" href=PAGE_END_LINK blocking="render" /> });
    let matter = matter(place, title.as_deref());
    if let Some(text) = text {
        provide_context(text);
    }

    let start = format!(
        "import init, {{ hydrate }} from {:?};init({{ module_or_path: {:?} }}).then(hydrate);",
        assets.script, assets.wasm
    );
    let taken_over = (!is_still).then(|| {
        view! {
            <link rel="modulepreload" href=assets.script />
            <link rel="preload" href=assets.wasm r#as="fetch" r#type="application/wasm" crossorigin="" />
            <script type="module" nonce=use_nonce() inner_html=start></script>
        }
    });

    view! {
        <!DOCTYPE html>
        <html lang="en-GB" data-theme=theme.data_theme()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                {looks(theme)}
                <link rel="stylesheet" href=assets.stylesheet />
                {painted_whole}
                {title.map(|title| view! { <title>{title}</title> })}
                {matter}
                {taken_over}
                <MetaTags />
            </head>
            <body>
                <App />
                // After the application, as the script is: hydration begins at the first child of `body`.
                {local_times}
                <IconSprite />
            </body>
        </html>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use leptos::prelude::*;
    use leptos_meta::ServerMetaContext;
    use leptos_router::location::RequestUrl;

    use super::{Document, OperatorPages, SiteAssets, shell};
    use crate::Theme;

    fn document(address: &str, theme: Theme) -> String {
        document_of(address, theme, OperatorPages::default())
    }

    fn document_of(address: &str, theme: Theme, operator: OperatorPages) -> String {
        let (meta, _output) = ServerMetaContext::new();
        Owner::new().with(|| {
            provide_context(RequestUrl::new(address));
            provide_context(meta);
            let assets = SiteAssets {
                stylesheet: "/pkg/crossvat.1.css".to_owned(),
                script: "/pkg/crossvat.2.js".to_owned(),
                wasm: "/pkg/crossvat.3.wasm".to_owned(),
            };
            let registries = "HMRC answers. <VIES> is slow.".to_owned();
            shell(
                assets,
                Document {
                    theme,
                    reader: None,
                    registries,
                    operator,
                    text: None,
                    slip: None,
                    place: None,
                    is_still: false,
                },
            )
            .to_html()
        })
    }

    #[test]
    fn the_chosen_theme_is_on_the_root_and_in_the_switch() {
        for (theme, root) in [
            (Theme::System, "<html lang=\"en-GB\">"),
            (Theme::Light, "<html lang=\"en-GB\" data-theme=\"light\">"),
            (Theme::Dark, "<html lang=\"en-GB\" data-theme=\"dark\">"),
        ] {
            let html = document("/", theme);
            assert!(html.contains(root), "{theme:?}");
            let checked: Vec<_> = html.match_indices(" checked").collect();
            assert_eq!(checked.len(), 1, "{theme:?}");
            let end = checked[0].0;
            let start = html[..end].rfind("<input").expect("an input");
            let value = format!("value=\"{}\"", theme.as_str());
            assert!(html[start..end].contains(&value), "{theme:?}");
        }
    }

    #[test]
    fn the_built_files_are_loaded_under_their_names() {
        let html = document("/", Theme::System);
        for part in [
            "<link rel=\"stylesheet\" href=\"/pkg/crossvat.1.css\">",
            "<link rel=\"modulepreload\" href=\"/pkg/crossvat.2.js\">",
            "import init, { hydrate } from \"/pkg/crossvat.2.js\";init({ module_or_path: \"/pkg/crossvat.3.wasm\" })",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn nothing_in_the_document_breaks_its_content_security_policy() {
        for address in ["/", "/?number=AT57194903", "/no-such-page"] {
            let html = document(address, Theme::Dark);
            for forbidden in [" style=", "<style", "http://", "https://", " onclick=", " onload="] {
                assert!(!html.contains(forbidden), "{address}: {forbidden}");
            }
            assert_eq!(html.matches("<script").count(), 1, "{address}");
        }
    }

    #[test]
    fn every_shape_that_is_used_is_in_the_sprite() {
        for address in ["/", "/?number=AT57194903", "/?number=CHE-116.281.710%20MWST", "/no-such-page"] {
            let html = document(address, Theme::System);
            let mut used = html.split("<use href=\"#").skip(1).peekable();
            assert!(used.peek().is_some(), "{address}");
            for rest in used {
                let id = &rest[..rest.find('"').expect("a quote")];
                assert!(html.contains(&format!("id=\"{id}\"")), "{address}: {id}");
            }
            assert!(!html.contains("use_"), "{address}");
        }
    }

    #[test]
    fn the_foot_says_how_the_registries_are() {
        for address in ["/", "/no-such-page"] {
            let html = document(address, Theme::System);
            assert!(html.contains("<p><span>HMRC answers. &lt;VIES&gt; is slow.</span>"), "{address}");
        }
    }

    #[test]
    fn the_foot_links_the_pages_of_whoever_runs_the_server_that_there_are() {
        let both = OperatorPages {
            imprint: Some("/imprint".into()),
            privacy: Some("https://example.org/?a=1&b=\"2\"".into()),
        };
        let html = document_of("/", Theme::System, both);
        for link in [
            "<a href=\"/imprint\" rel=\"external\">Imprint</a>",
            "<a href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\" rel=\"external\">Privacy</a>",
        ] {
            assert_eq!(html.matches(link).count(), 1, "{link}");
        }
        let neither = document("/", Theme::System);
        assert!(neither.contains(">Error codes</a></li></ul>"), "{neither}");
        assert!(!neither.contains("Imprint") && !neither.contains("Privacy"), "{neither}");
    }

    #[test]
    fn the_number_of_the_address_is_read_on_the_server() {
        let html = document("/?number=gr+094259216", Theme::System);
        assert!(html.contains("value=\"gr 094259216\""));
        assert!(html.contains("Read as EL094259216."));
    }

    #[test]
    fn the_number_of_the_address_cannot_become_markup() {
        let html = document("/?number=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", Theme::System);
        assert!(!html.to_lowercase().contains("<script>alert"));
    }

    #[test]
    fn the_theme_form_leads_back_to_where_it_was_sent_from() {
        let html = document("/?number=GB123456782", Theme::System);
        assert!(html.contains("name=\"return_to\" value=\"/?number=GB123456782\""));
    }

    #[test]
    fn an_unknown_address_has_the_page_that_says_so() {
        assert!(document("/no-such-page", Theme::System).contains("There is no page at this address"));
        assert!(!document("/", Theme::System).contains("There is no page at this address"));
    }
}
