//! `Icon`, and the sprite its shapes come from. Always decoration: the words beside it say the same.

use leptos::prelude::*;

/// A shape of the sprite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A disc with a tick.
    Valid,
    /// A square with a cross.
    NotRegistered,
    /// A solid triangle.
    Malformed,
    /// A ring with a bar.
    Unsupported,
    /// A broken ring.
    Unavailable,
    /// Three dots.
    Waiting,
    /// A half-filled ring.
    #[cfg(feature = "ssr")]
    Slow,
    /// An octagon with an exclamation mark.
    #[cfg(feature = "ssr")]
    Problem,
    /// A ring with an i.
    #[cfg(feature = "ssr")]
    Note,
    /// An angle that points down.
    #[cfg(feature = "ssr")]
    Chevron,
}

impl Shape {
    /// The address of the shape within the page.
    pub(crate) const fn href(self) -> &'static str {
        match self {
            Self::Valid => "#icon-valid",
            Self::NotRegistered => "#icon-not-registered",
            Self::Malformed => "#icon-malformed",
            Self::Unsupported => "#icon-unsupported",
            Self::Unavailable => "#icon-unavailable",
            Self::Waiting => "#icon-waiting",
            #[cfg(feature = "ssr")]
            Self::Slow => "#icon-slow",
            #[cfg(feature = "ssr")]
            Self::Problem => "#icon-problem",
            #[cfg(feature = "ssr")]
            Self::Note => "#icon-note",
            #[cfg(feature = "ssr")]
            Self::Chevron => "#icon-chevron",
        }
    }
}

/// One shape, as high as the text around it.
#[component]
pub(crate) fn Icon(
    /// Which one.
    shape: Shape,
) -> impl IntoView {
    view! {
        <svg class="icon" aria-hidden="true">
            <use_ href=shape.href() />
        </svg>
    }
}

/// Every shape once a page: icons, wordmark and guilloche. Printed by the shell, so the browser's half is spared it.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn IconSprite() -> impl IntoView {
    view! { <div id="page-end" hidden inner_html=include_str!("icon_sprite.svg")></div> }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::Shape;

    #[test]
    fn the_sprite_draws_every_shape() {
        let sprite = include_str!("icon_sprite.svg");
        for shape in [
            Shape::Valid,
            Shape::NotRegistered,
            Shape::Malformed,
            Shape::Unsupported,
            Shape::Unavailable,
            Shape::Waiting,
            Shape::Slow,
            Shape::Problem,
            Shape::Note,
            Shape::Chevron,
        ] {
            let symbol = format!("<symbol id=\"{}\"", shape.href().trim_start_matches('#'));
            assert!(sprite.contains(&symbol), "{symbol}");
        }
    }
}
