//! `SiteHeader`: skip link, wordmark, navigation, who is signed in.

use leptos::prelude::*;

/// The head of every page. Only the server writes it, since only it knows who reads: the browser keeps what it was sent.
#[component]
pub(crate) fn SiteHeader() -> impl IntoView {
    #[cfg(feature = "ssr")]
    let html = server::content();
    #[cfg(not(feature = "ssr"))]
    let html = String::new();

    view! { <header class="site-header" inner_html=html></header> }.into_any()
}

#[cfg(feature = "ssr")]
mod server {
    use leptos::prelude::*;
    use leptos_router::hooks::use_location;

    use crate::Reader;
    use crate::components::wordmark::Wordmark;
    use crate::components::{Icon, Shape};

    /// Where the navigation leads a stranger: sections of the start page.
    const SECTIONS: [(&str, &str); 3] =
        [("#how", "How it routes"), ("#outcomes", "Outcomes"), ("#call", "For developers")];
    /// Where it leads somebody who is signed in.
    const PORTAL: [(&str, &str); 6] = [
        ("/portal", "Home"),
        ("/portal/check", "Check"),
        ("/portal/history", "History"),
        ("/portal/keys", "Keys"),
        ("/portal/usage", "Usage"),
        ("/portal/settings", "Settings"),
    ];
    /// What the reader's own menu leads to.
    const OWN: [(&str, &str); 2] =
        [("/portal/settings", "Settings"), ("/portal/settings/members", "Members")];

    pub(super) fn content() -> String {
        let path = use_location().pathname.get_untracked();
        let reader = use_context::<Reader>();
        let place = |href: String, name: &'static str| {
            let within = href != "/portal" && path.starts_with(&format!("{href}/"));
            let current = (href == path || within).then_some("page");
            view! {
                <li>
                    <a href=href rel="external" aria-current=current>
                        {name}
                    </a>
                </li>
            }
        };
        let places: Vec<_> = if reader.is_some() {
            PORTAL.iter().map(|(href, name)| place((*href).to_owned(), name)).collect()
        } else {
            let section =
                |section: &str| if path == "/" { section.to_owned() } else { format!("/{section}") };
            let sections = SECTIONS.iter().map(|(href, name)| place(section(href), name));
            sections.chain([place("/sign-in".to_owned(), "Sign in")]).collect()
        };

        view! {
            <a class="skip-link" href="#main" rel="external">
                "Skip to main content"
            </a>
            <Wordmark />
            <nav aria-label="Main">
                <ul>{places}</ul>
            </nav>
            {reader.map(person_menu)}
        }
        .to_html()
    }

    fn person_menu(reader: Reader) -> impl IntoView {
        view! {
            <details class="person-menu">
                <summary>{reader.name} " " <Icon shape=Shape::Chevron /></summary>
                <div>
                    <p>
                        <strong>{reader.account}</strong>
                        <br />
                        {reader.role}
                    </p>
                    <ul role="list">
                        {OWN
                            .map(|(href, words)| {
                                view! {
                                    <li>
                                        <a href=href rel="external">
                                            {words}
                                        </a>
                                    </li>
                                }
                            })
                            .into_iter()
                            .collect_view()}
                    </ul>
                    <form method="post" action="/sign-out">
                        <button class="button" data-kind="plain" type="submit">
                            "Sign out"
                        </button>
                    </form>
                </div>
            </details>
        }
    }
}
