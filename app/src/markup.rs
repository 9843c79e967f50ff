//! Text within markup that is written by hand.

/// Puts `text` behind `markup`, so that nothing of it is markup.
pub(crate) fn push_text(markup: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            c => markup.push(c),
        }
    }
}

/// What stands in a `textarea`, as its `inner_html`: the framework writes the children of one as they are. Browsers leave a
/// line end out that comes first, so there is one more.
#[cfg(feature = "ssr")]
pub(crate) fn textarea_content(text: &str) -> String {
    let mut markup = String::from("\n");
    push_text(&mut markup, text);
    markup
}
