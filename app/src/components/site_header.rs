//! `SiteHeader`: skip link, wordmark, navigation, who is signed in.

use leptos::ev;
use leptos::prelude::*;

use crate::browser;

/// The head of every page. Only the server writes it, since only it knows who reads: the browser keeps what it was sent.
#[component]
pub(crate) fn SiteHeader() -> impl IntoView {
    #[cfg(feature = "ssr")]
    let html = server::content();
    #[cfg(not(feature = "ssr"))]
    let html = String::new();

    Effect::new(|_| {
        // The header stays as long as the page does, and so do these.
        for left in ["focusin", "pointerdown"] {
            drop(window_event_listener_untyped(left, |event| browser::close_menu_left_for(&event)));
        }
        drop(window_event_listener(ev::keydown, |event| browser::close_menu_on_escape(&event)));
    });

    view! { <header class="site-header" inner_html=html></header> }.into_any()
}

#[cfg(feature = "ssr")]
mod server {
    use leptos::prelude::*;
    use leptos_router::hooks::use_location;

    use crate::components::wordmark::Wordmark;
    use crate::components::{DOCUMENTATION, Icon, Shape};
    use crate::{Reader, Standing};

    /// Where the navigation leads a stranger.
    const STRANGERS: [(&str, &str); 3] =
        [(DOCUMENTATION, "Documentation"), ("/status", "Status"), ("/sign-in", "Sign in")];
    /// First pages, which are no part of a path to another.
    const HOMES: [&str; 2] = ["/portal", "/staff"];
    /// Where it leads a member.
    const PORTAL: [(&str, &str); 6] = [
        ("/portal", "Home"),
        ("/portal/check", "Check"),
        ("/portal/history", "History"),
        ("/portal/keys", "Keys"),
        ("/portal/usage", "Usage"),
        ("/portal/settings", "Settings"),
    ];
    /// Where it leads the support staff.
    const SUPPORT: [(&str, &str); 5] = [
        ("/staff", "Requests"),
        ("/staff/accounts", "Accounts"),
        ("/staff/registries", "Registries"),
        ("/staff/audit", "Audit"),
        ("/staff/team", "Team"),
    ];
    /// Where it leads whoever is signed in, last.
    const FOR_ALL: [(&str, &str); 1] = [(DOCUMENTATION, "Documentation")];
    /// What a member's own menu leads to.
    const OWN: [(&str, &str); 2] =
        [("/portal/settings", "Settings"), ("/portal/settings/members", "Members")];
    /// What the menu of one of the support staff leads to.
    const OWN_OF_SUPPORT: [(&str, &str); 1] = [("/staff/security", "Your sign-in")];

    pub(super) fn content() -> String {
        let path = use_location().pathname.get_untracked();
        let reader = use_context::<Reader>();
        let place = |href: String, name: &'static str| {
            let within = !HOMES.contains(&href.as_str()) && path.starts_with(&format!("{href}/"));
            let current = (href == path || within).then_some("page");
            view! {
                <li>
                    <a href=href rel="external" aria-current=current>
                        {name}
                    </a>
                </li>
            }
        };
        let own_places = |places: &[(&str, &'static str)]| -> Vec<_> {
            places.iter().map(|(href, name)| place((*href).to_owned(), name)).collect()
        };
        let mut places: Vec<_> = match reader.as_ref().map(|reader| &reader.standing) {
            Some(Standing::Member { .. }) => own_places(&PORTAL),
            Some(Standing::Support) => own_places(&SUPPORT),
            Some(Standing::NewMember { .. } | Standing::NewSupport) => Vec::new(),
            None => own_places(&STRANGERS),
        };
        if reader.is_some() {
            places.extend(own_places(&FOR_ALL));
        }
        let area = reader
            .as_ref()
            .filter(|reader| matches!(reader.standing, Standing::Support | Standing::NewSupport))
            .map(|_| view! { <span class="area">"Support"</span> });

        view! {
            <a class="skip-link" href="#main" rel="external">
                "Skip to main content"
            </a>
            <Wordmark />
            {area}
            <nav aria-label="Main">
                <ul>{places}</ul>
            </nav>
            {match reader {
                Some(reader) => person_menu(reader).into_any(),
                None => {
                    view! {
                        <a class="button" href="/sign-up" rel="external">
                            "Get a key"
                        </a>
                    }
                        .into_any()
                }
            }}
        }
        .to_html()
    }

    fn person_menu(reader: Reader) -> impl IntoView {
        let (place, role, leads): (_, _, &[(&str, &str)]) = match reader.standing {
            Standing::Member { account, role } => (account, role, &OWN),
            Standing::NewMember { account, role } => (account, role, &[]),
            Standing::Support => ("Crossvat support".to_owned(), "Support", &OWN_OF_SUPPORT),
            Standing::NewSupport => ("Crossvat support".to_owned(), "Support", &[]),
        };
        view! {
            <details class="person-menu">
                <summary>{reader.name} " " <Icon shape=Shape::Chevron /></summary>
                <div>
                    <p>
                        <strong>{place}</strong>
                        <br />
                        {role}
                    </p>
                    <ul role="list">
                        {leads
                            .iter()
                            .map(|(href, words)| {
                                view! {
                                    <li>
                                        <a href=*href rel="external">
                                            {*words}
                                        </a>
                                    </li>
                                }
                            })
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
