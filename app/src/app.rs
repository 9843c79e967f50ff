//! The routes, and what stands around every page. Not the document itself: that is the shell's.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::StaticSegment;
use leptos_router::components::{FlatRoutes, Route, Router};

use crate::components::{SiteFooter, SiteHeader};
use crate::pages::{ErrorCodes, Home, NotFound};

/// Every page with its header and footer: the whole content of `body` that the browser takes over.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();

    view! {
        <Router>
            <SiteHeader />
            <main id="main">
                <FlatRoutes fallback=NotFound>
                    <Route path=StaticSegment("") view=Home />
                    <Route path=(StaticSegment("docs"), StaticSegment("errors")) view=ErrorCodes />
                </FlatRoutes>
            </main>
            <SiteFooter />
        </Router>
    }
}
