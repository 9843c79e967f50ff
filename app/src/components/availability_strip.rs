//! `AvailabilityStrip`: a day of a registry, one unit a minute. Health is quiet and trouble is tall.

use leptos::prelude::*;

use crate::portal::{Stretch, StretchKind};

/// What lies in the picture, in its units.
const MINUTES: u32 = 24 * 60;
const HEIGHT: u32 = 22;

/// Where the band of a kind begins, how high it is, and what it is called for the style.
const fn band(kind: StretchKind) -> (u32, u32, &'static str) {
    match kind {
        StretchKind::Answering => (8, 6, "answering"),
        StretchKind::Slow => (4, 14, "slow"),
        StretchKind::Refusing => (0, HEIGHT, "refusing"),
        StretchKind::NotMeasured => (10, 2, "unknown"),
    }
}

fn bands(stretches: impl IntoIterator<Item = Stretch>) -> AnyView {
    let mut x = 0;
    let band_of = |stretch: Stretch| {
        let (y, height, class) = band(stretch.kind);
        let begins = x;
        x += stretch.minutes;
        view! { <rect class=class x=begins y=y width=stretch.minutes height=height></rect> }
    };
    stretches.into_iter().map(band_of).collect_view().into_any()
}

/// The strip.
#[component]
pub(crate) fn AvailabilityStrip(
    /// 24 hours without a gap, oldest first.
    stretches: Vec<Stretch>,
    /// What it shows, for those who do not see it.
    label: String,
) -> impl IntoView {
    view! {
        <svg
            class="availability-strip"
            viewBox=format!("0 0 {MINUTES} {HEIGHT}")
            preserveAspectRatio="none"
            role="img"
            aria-label=label
        >
            {bands(stretches)}
        </svg>
    }
    .into_any()
}

/// What the bands mean.
#[component]
pub(crate) fn AvailabilityKey() -> impl IntoView {
    let means = [
        (StretchKind::Answering, "Answering"),
        (StretchKind::Slow, "Slow: over 3 seconds"),
        (StretchKind::Refusing, "Not answering"),
        (StretchKind::NotMeasured, "Not measured"),
    ];
    let one = |(kind, words): (StretchKind, &'static str)| {
        let whole = [Stretch { minutes: MINUTES, kind }];
        view! {
            <span>
                <svg
                    class="availability-strip"
                    viewBox=format!("0 0 {MINUTES} {HEIGHT}")
                    preserveAspectRatio="none"
                    aria-hidden="true"
                >
                    {bands(whole)}
                </svg>
                {words}
            </span>
        }
    };
    view! { <p class="chart-key">{means.map(one).collect_view()}</p> }.into_any()
}
