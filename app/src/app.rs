//! The routes, and what stands around every page. Not the document itself: that is the shell's.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::path;

use crate::components::{SiteFooter, SiteHeader};
use crate::pages::{Home, NotFound};
use crate::server_page::ServerPage;

/// Every page with its header and footer: the whole content of `body` that the browser takes over.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();

    view! {
        <Router>
            <SiteHeader />
            <main id="main">
                <FlatRoutes fallback=NotFound>
                    <Route path=path!("/") view=Home />
                    <Route path=path!("/docs") view=ServerPage />
                    <Route path=path!("/docs/:page") view=ServerPage />
                    <Route path=path!("/status") view=ServerPage />
                    <Route path=path!("/sign-up") view=ServerPage />
                    <Route path=path!("/sign-in") view=ServerPage />
                    <Route path=path!("/sign-in/code") view=ServerPage />
                    <Route path=path!("/forgot-password") view=ServerPage />
                    <Route path=path!("/reset-password/:secret") view=ServerPage />
                    <Route path=path!("/confirm-email/:secret") view=ServerPage />
                    <Route path=path!("/claim/:secret") view=ServerPage />
                    <Route path=path!("/portal") view=ServerPage />
                    <Route path=path!("/portal/*page") view=ServerPage />
                    <Route path=path!("/staff") view=ServerPage />
                    <Route path=path!("/staff/*page") view=ServerPage />
                </FlatRoutes>
            </main>
            <SiteFooter />
        </Router>
    }
}
