//! JSON in listings.

use crate::markup::push_text;

/// Indented JSON as markup, the names of its members set apart.
pub(super) fn json_markup(text: &str) -> String {
    let mut markup = String::new();
    for (at, line) in text.trim_end().lines().enumerate() {
        if at > 0 {
            markup.push('\n');
        }
        match member(line) {
            Some((indent, name, rest)) => {
                markup.push_str(indent);
                markup.push_str("<b>");
                push_text(&mut markup, name);
                markup.push_str("</b>");
                push_text(&mut markup, rest);
            }
            None => push_text(&mut markup, line),
        }
    }
    markup
}

/// The indent of a line that begins with a member, the member's name with its quotes, and the rest.
fn member(line: &str) -> Option<(&str, &str, &str)> {
    let start = line.find('"')?;
    let (indent, from_name) = line.split_at(start);
    let end = from_name.find("\": ")? + 1;
    let (name, rest) = from_name.split_at(end);
    (indent.trim().is_empty() && !name[1..end - 1].contains('"')).then_some((indent, name, rest))
}

#[cfg(test)]
mod tests {
    use super::json_markup;

    #[test]
    fn only_names_of_members_are_set_apart() {
        let json = "{\n  \"a\": \"b\": <c>\",\n  \"d\",\n  \"e\": {\n}";
        let markup = "{\n  <b>&quot;a&quot;</b>: &quot;b&quot;: &lt;c&gt;&quot;,\n  &quot;d&quot;,\n  <b>&quot;e&quot;</b>: {\n}";
        assert_eq!(json_markup(json), markup);
    }
}
