//! What a page says whose form holds what somebody typed before they had to sign in.

use leptos::prelude::*;

use crate::ServerText;
use crate::components::{Notice, Tone};

/// The page with a notice in front: nothing was sent.
#[must_use]
pub fn with_unsent_notice(page: ServerText) -> ServerText {
    let notice = Owner::new().with(|| {
        view! {
            <Notice tone=Tone::Note>
                <p>
                    <strong>"You had been signed out, so nothing was sent."</strong>
                    " What you had typed is here again, but for passwords and codes, which are never kept. Look it over and send it."
                </p>
            </Notice>
        }
        .to_html()
    });
    ServerText { title: page.title, html: notice + &page.html }
}
