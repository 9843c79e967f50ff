//! Addresses with a query, as links hold them.

/// A path with the pairs that have a value.
pub(super) fn address(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs.iter().filter(|(_, value)| !value.is_empty()));
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn what_is_empty_is_left_out_and_the_rest_is_encoded() {
        assert_eq!(address("/a", &[("find", ""), ("to", "")]), "/a");
        assert_eq!(
            address("/a", &[("find", "A & B=\"ø\"\r\n"), ("to", "2026-09-03")]),
            "/a?find=A+%26+B%3D%22%C3%B8%22%0D%0A&to=2026-09-03"
        );
    }
}
