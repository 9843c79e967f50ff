//! Text whose words of code stand between backticks.

use leptos::prelude::*;

use crate::markup::push_text;

/// The text, with its words of code set as code.
pub(super) fn prose(text: &str) -> AnyView {
    let parts = text.split('`').enumerate().map(|(at, part)| {
        let part = part.to_owned();
        if at % 2 == 0 { part.into_any() } else { view! { <code>{part}</code> }.into_any() }
    });
    parts.collect_view().into_any()
}

/// A listing whose remarks, lines that begin with `mark`, are set apart.
pub(super) fn with_remarks(listing: &str, mark: &str) -> String {
    let mut markup = String::new();
    for line in listing.trim_end().split_inclusive('\n') {
        let is_remark = line.trim_start().starts_with(mark);
        if is_remark {
            markup.push_str("<i>");
        }
        push_text(&mut markup, line.trim_end_matches('\n'));
        if is_remark {
            markup.push_str("</i>");
        }
        if line.ends_with('\n') {
            markup.push('\n');
        }
    }
    markup
}
