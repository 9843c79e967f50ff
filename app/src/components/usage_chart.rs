//! `UsageChart`: bars of numbers over days or hours. Across it is measured in per cent and upwards in pixels, so that it fits
//! any width and its text keeps its size. The table beside it holds the same figures.

use leptos::prelude::*;

use crate::portal::grouped;

/// Pixels from the line of nothing to the top.
const HEIGHT: u32 = 240;
/// Pixels with the names below.
const WHOLE: u32 = HEIGHT + 44;
/// A bar of anything at all is as high.
const LEAST: f64 = 3.0;
/// Pixels between the two parts of a bar.
const GAP: f64 = 2.0;
/// Names beside each other that have room.
const MOST_NAMES: usize = 14;

/// One bar.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// What is told of it.
    pub(crate) title: String,
    /// Its name below.
    pub(crate) name: String,
    /// What its name begins with it: a month, a day.
    pub(crate) group: Option<String>,
    /// Numbers with an answer.
    pub(crate) answered: u64,
    /// Numbers without.
    pub(crate) unavailable: u64,
}

impl Bar {
    const fn total(&self) -> u64 {
        self.answered.saturating_add(self.unavailable)
    }
}

/// The figures at the lines: 0 first, the last at or above `most`, all of them easy to read.
fn scale(most: u64) -> Vec<u64> {
    let mut unit = 1_u64;
    loop {
        for step in [unit, unit.saturating_mul(2), unit.saturating_mul(5)] {
            if step.saturating_mul(5) >= most {
                let lines = most.div_ceil(step).max(1);
                return (0..=lines).map(|line| line.saturating_mul(step)).collect();
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a pixel is less exact than any loss")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn percent(place: f64) -> String {
    format!("{:.2}%", place * 100.0)
}

/// What the colours mean.
fn key() -> AnyView {
    view! {
        <figcaption class="chart-key">
            <span>
                <svg viewBox="0 0 14 14" aria-hidden="true">
                    <rect class="answered" width="14" height="14"></rect>
                </svg>
                "Answered"
            </span>
            <span>
                <svg viewBox="0 0 14 14" aria-hidden="true">
                    <rect class="unresolved" y="8" width="14" height="6"></rect>
                </svg>
                "Unavailable"
            </span>
        </figcaption>
    }
    .into_any()
}

/// The chart.
#[component]
pub(crate) fn UsageChart(
    /// Oldest first.
    bars: Vec<Bar>,
    /// What it shows, in a sentence.
    label: String,
) -> impl IntoView {
    let scale = scale(bars.iter().map(Bar::total).max().unwrap_or(0));
    let top = scale.last().copied().unwrap_or(1);
    let up = f64::from(HEIGHT);
    let height = |value: u64| up - share(value, top) * up;
    let figures = scale
        .iter()
        .map(|value| view! { <text x="36" y=format!("{:.1}", height(*value) + 4.0)>{grouped(*value)}</text> })
        .collect_view();
    let lines = scale
        .iter()
        .map(|value| {
            let y = format!("{:.1}", height(*value));
            view! { <line x1="0" x2="100%" y1=y.clone() y2=y></line> }
        })
        .collect_view();
    let count = bars.len().max(1);
    let slot = share(1, count as u64);
    let middle = |place: usize| (share(place as u64, count as u64) + slot / 2.0).min(1.0);
    let every = count.div_ceil(MOST_NAMES);
    let peak = bars.iter().enumerate().filter(|(_, bar)| bar.total() > 0).max_by_key(|(_, bar)| bar.total());
    let peak = peak.map(|(place, bar)| {
        let y = format!("{:.1}", (height(bar.total()) - 9.0).max(-3.0));
        view! {
            <text data-part="peak" x=percent(middle(place)) y=y>
                {grouped(bar.total())}
            </text>
        }
    });
    // Two names of groups so near each other would lie on each other: the later one stays.
    let crowded =
        |place: usize| bars.iter().skip(place + 1).take(every - 1).any(|later| later.group.is_some());
    let names = bars
        .iter()
        .enumerate()
        .map(|(place, bar)| {
            let x = percent(middle(place));
            let shown = place.is_multiple_of(every);
            view! {
                {shown.then(|| view! { <text x=x.clone() y=(HEIGHT + 20).to_string()>{bar.name.clone()}</text> })}
                {bar.group
                    .clone()
                    .filter(|_| !crowded(place))
                    .map(|group| {
                        view! {
                            <text x=x y=(HEIGHT + 36).to_string()>
                                {group}
                            </text>
                        }
                    })}
            }
        })
        .collect_view();
    let bars = bars
        .into_iter()
        .enumerate()
        .map(|(place, bar)| {
            let (x, width) = (percent(middle(place) - slot * 0.3), percent(slot * 0.6));
            let drawn = |value: u64| if value == 0 { 0.0 } else { (share(value, top) * up).max(LEAST) };
            let (answered, unavailable) = (drawn(bar.answered), drawn(bar.unavailable));
            let below = if bar.answered == 0 { 0.0 } else { answered + GAP };
            let part = |class: &'static str, high: f64, from: f64| {
                (high > 0.0).then(|| {
                    view! {
                        <rect
                            class=class
                            x=x.clone()
                            width=width.clone()
                            y=format!("{:.1}", up - from - high)
                            height=format!("{high:.1}")
                        ></rect>
                    }
                })
            };
            view! {
                <g>
                    <title>{bar.title}</title>
                    {part("answered", answered, 0.0)}
                    {part("unresolved", unavailable, below)}
                </g>
            }
        })
        .collect_view();

    view! {
        <figure class="usage-chart">
            {key()}
            <svg data-part="scale" height=WHOLE.to_string() aria-hidden="true">
                {figures}
            </svg>
            <svg height=WHOLE.to_string() role="img" aria-label=label>
                <g>{lines}</g>
                {bars}
                <g>{names}</g>
                {peak}
            </svg>
        </figure>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::scale;

    #[test]
    fn lines_are_at_round_figures_and_none_is_needless() {
        for (most, lines) in [
            (0, &[0, 1][..]),
            (1, &[0, 1]),
            (5, &[0, 1, 2, 3, 4, 5]),
            (6, &[0, 2, 4, 6]),
            (2228, &[0, 500, 1000, 1500, 2000, 2500]),
            (10_000, &[0, 2000, 4000, 6000, 8000, 10_000]),
        ] {
            assert_eq!(scale(most), lines, "{most}");
        }
        assert!(scale(u64::MAX).len() > 1);
    }
}
