//! Guides: their Markdown as the markup of a page. They are files of ours: what a guide may hold is what is handled here,
//! and HTML in one is text.
//!
//! A table has a caption, as every table has: the paragraph before it, which begins with "Table:". A listing says in its
//! fence what it is, after its language.

use leptos::prelude::*;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::json::json_markup;
use super::prose::with_remarks;
use crate::components::Listing;
use crate::markup::push_text;

/// How a paragraph begins that is the caption of the table after it.
const CAPTION: &str = "Table: ";

/// What is written of a guide so far.
#[derive(Default)]
struct Writer {
    html: String,
    /// Where the heading, paragraph or cell begins that is being written.
    start: usize,
    /// The same without markup, for the anchor of a heading.
    plain: String,
    caption: Option<String>,
    table: Option<Table>,
    listing: Option<(String, String)>,
    listings: usize,
}

/// A table that is being written.
struct Table {
    heads: Vec<String>,
    in_head: bool,
    column: usize,
}

/// The guide's text as markup.
pub(super) fn guide(text: &str) -> String {
    let mut writer = Writer::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        writer.take(event);
    }
    writer.html
}

/// An anchor: lower case, words joined.
fn anchor(heading: &str) -> String {
    let words: Vec<String> = heading
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

impl Writer {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                self.html.push_str("<code>");
                self.text(&code);
                self.html.push_str("</code>");
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.html.push_str("<br>"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.listing {
            code.push_str(text);
        } else {
            self.plain.push_str(text);
            push_text(&mut self.html, text);
        }
    }

    fn mark(&mut self) {
        self.start = self.html.len();
        self.plain.clear();
    }

    fn begin(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph => {
                self.mark();
                self.html.push_str("<p>");
            }
            Tag::Heading { .. } | Tag::TableCell => self.mark(),
            Tag::List(None) => self.html.push_str("<ul>"),
            Tag::List(Some(_)) => self.html.push_str("<ol>"),
            Tag::Item => self.html.push_str("<li>"),
            Tag::Emphasis => self.html.push_str("<em>"),
            Tag::Strong => self.html.push_str("<strong>"),
            Tag::Link { dest_url, .. } => {
                self.html.push_str("<a href=\"");
                push_text(&mut self.html, &dest_url);
                self.html.push_str("\" rel=\"external\">");
            }
            Tag::CodeBlock(kind) => self.listing = Some((fence(&kind), String::new())),
            Tag::Table(_) => self.begin_table(),
            Tag::TableHead => self.html.push_str(r#"<thead role="rowgroup"><tr role="row">"#),
            Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.column = 0;
                }
                self.html.push_str(r#"<tr role="row">"#);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.html.push_str("</p>");
                if let Some(caption) = self.plain.strip_prefix(CAPTION) {
                    self.caption = Some(caption.to_owned());
                    self.html.truncate(self.start);
                }
            }
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::List(false) => self.html.push_str("</ul>"),
            TagEnd::List(true) => self.html.push_str("</ol>"),
            TagEnd::Item => self.html.push_str("</li>"),
            TagEnd::Emphasis => self.html.push_str("</em>"),
            TagEnd::Strong => self.html.push_str("</strong>"),
            TagEnd::Link => self.html.push_str("</a>"),
            TagEnd::CodeBlock => self.end_listing(),
            TagEnd::Table => {
                self.table = None;
                self.html.push_str("</tbody></table></div>");
            }
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = false;
                }
                self.html.push_str(r#"</tr></thead><tbody role="rowgroup">"#);
            }
            TagEnd::TableRow => self.html.push_str("</tr>"),
            TagEnd::TableCell => self.end_cell(),
            _ => {}
        }
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        let content = self.html.split_off(self.start);
        let heading = match level {
            HeadingLevel::H1 => format!("<h1>{content}</h1>"),
            level => {
                let id = anchor(&self.plain);
                format!("<{level} id=\"{id}\">{content}</{level}>")
            }
        };
        self.html.push_str(&heading);
    }

    fn begin_table(&mut self) {
        self.table = Some(Table { heads: Vec::new(), in_head: true, column: 0 });
        self.html.push_str(r#"<div class="data-table"><table role="table"><caption>"#);
        let caption = self.caption.take().unwrap_or_default();
        push_text(&mut self.html, &caption);
        self.html.push_str("</caption>");
    }

    fn end_cell(&mut self) {
        let content = self.html.split_off(self.start);
        let Some(table) = &mut self.table else { return };
        let first = table.column == 0;
        let kind = if first { " data-kind=\"title\"" } else { "" };
        let cell = if table.in_head {
            table.heads.push(self.plain.clone());
            format!("<th role=\"columnheader\" scope=\"col\"{kind}>{content}</th>")
        } else if first {
            format!("<th role=\"rowheader\" scope=\"row\"{kind}>{content}</th>")
        } else {
            let mut label = String::new();
            push_text(&mut label, table.heads.get(table.column).map_or("", String::as_str));
            format!("<td role=\"cell\" data-label=\"{label}\">{content}</td>")
        };
        table.column += 1;
        self.html.push_str(&cell);
    }

    fn end_listing(&mut self) {
        let Some((fence, code)) = self.listing.take() else { return };
        self.listings += 1;
        let id = format!("listing-{}", self.listings);
        let (language, title) = fence.split_once(' ').unwrap_or((fence.as_str(), ""));
        let code = if language == "json" { json_markup(&code) } else { with_remarks(&code, "#") };
        let listing = view! { <Listing id=id title=title code=code /> };
        self.html.push_str(&listing.to_html());
    }
}

/// What stands behind the fence of a listing.
fn fence(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(words) => CowStr::to_string(words),
        CodeBlockKind::Indented => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use leptos::prelude::Owner;

    use super::guide;

    fn written(text: &str) -> String {
        Owner::new().with(|| guide(text))
    }

    #[test]
    fn text_cannot_become_markup() {
        let html = written("A `<b>` & <script>x</script> here\n\n<div>\n\n```sh <Title>\necho '<x>'\n```\n");
        for tag in ["<b>", "<script>", "<div>", "<Title>", "<x>"] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
        assert!(html.contains("<code>&lt;b&gt;</code> &amp; &lt;script&gt;"), "{html}");
    }

    #[test]
    fn headings_have_anchors_and_links_are_the_browser_s() {
        let html = written("# Title\n\n## What it *is*, and `why`\n\n[there](/docs/errors#a)\n");
        assert!(html.contains("<h1>Title</h1>"), "{html}");
        assert!(
            html.contains("<h2 id=\"what-it-is-and-why\">What it <em>is</em>, and <code>why</code></h2>"),
            "{html}"
        );
        assert!(html.contains("<p><a href=\"/docs/errors#a\" rel=\"external\">there</a></p>"), "{html}");
    }

    #[test]
    fn a_table_has_its_caption_and_its_cells_their_labels() {
        let html = written("Table: All of it\n\n| A | B |\n| --- | --- |\n| `x` | y |\n");
        assert!(
            html.starts_with("<div class=\"data-table\"><table role=\"table\"><caption>All of it</caption>"),
            "{html}"
        );
        assert!(
            html.contains("<th role=\"rowheader\" scope=\"row\" data-kind=\"title\"><code>x</code></th>"),
            "{html}"
        );
        assert!(html.contains("<td role=\"cell\" data-label=\"B\">y</td>"), "{html}");
        assert!(html.ends_with("</tbody></table></div>"), "{html}");
    }

    #[test]
    fn each_listing_has_an_anchor_of_its_own_and_its_title() {
        let html = written("```sh Shell\n# say it\necho\n```\n\n```json An answer\n{\n  \"a\": 1\n}\n```\n");
        assert!(html.contains("id=\"listing-1\"><i># say it</i>\necho</code>"), "{html}");
        assert!(html.contains("id=\"listing-2\">{\n  <b>&quot;a&quot;</b>: 1\n}</code>"), "{html}");
        assert!(html.contains(">Shell</span>") && html.contains(">An answer</span>"), "{html}");
    }
}
