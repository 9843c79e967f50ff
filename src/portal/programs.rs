//! What a browser calls itself, in plain words. Good enough to be recognised by its owner; nothing depends on it.

/// Browsers by what only they say, those first that also say what others do: Edge and Opera say `Chrome`, and everybody says
/// `Safari`.
const BROWSERS: [(&str, &str); 11] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Systems, in the same order: Android says `Linux`, and an iPhone `Mac OS X`.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "a Mac"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
];

/// The program and its system, such as "Edge on Windows".
pub(super) fn program(user_agent: Option<&str>) -> String {
    let said = user_agent.unwrap_or_default();
    let known = |list: &[(&str, &'static str)]| {
        list.iter().find(|(sign, _)| said.contains(sign)).map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A program on {system}"),
        (None, None) => "A program that is not known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn programs_are_told_by_what_they_call_themselves() {
        for (said, told) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.6 Mobile/15E148 Safari/604.1",
                "Safari on an iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
                "Firefox on a Mac",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile \
                 Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.14.1", "curl"),
            ("Mozilla/4.0 (compatible; Windows NT 5.1)", "A program on Windows"),
            ("<b>me</b>", "A program that is not known"),
        ] {
            assert_eq!(program(Some(said)), told);
        }
        assert_eq!(program(None), "A program that is not known");
    }
}
