//! `Notice`: something to know before reading on, with its shape.

use leptos::prelude::*;

use super::{Icon, Shape};

/// How a notice is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Something was just done.
    Done,
    /// Something to know.
    Note,
    /// Something to look at before going on.
    Warn,
    /// Something is lost if it is not heeded, or has failed.
    Bad,
}

/// The notice; its children are paragraphs.
#[component]
pub(crate) fn Notice(
    /// How it is meant.
    tone: Tone,
    /// What it says.
    children: Children,
) -> impl IntoView {
    let (name, shape) = match tone {
        Tone::Done => (Some("ok"), Shape::Valid),
        Tone::Note => (None, Shape::Note),
        Tone::Warn => (Some("warn"), Shape::Problem),
        Tone::Bad => (Some("bad"), Shape::Problem),
    };

    view! {
        <div class="notice" data-tone=name role=(tone == Tone::Done).then_some("status")>
            <Icon shape=shape />
            <div>{children()}</div>
        </div>
    }
    .into_any()
}
