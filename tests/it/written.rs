//! What operators read and copy, held against the program: settings, commands, figures, and the tests and files that the security
//! review names.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crossvat::config::{Config, Settings};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file in a folder and below.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Words of letters, digits and underscores that begin with `beginning`.
fn words_beginning<'a>(text: &'a str, beginning: &str) -> BTreeSet<&'a str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(beginning))
        .collect()
}

#[test]
fn every_setting_that_is_written_of_exists() {
    let mut texts = files_below(&root().join("docs/operating"));
    texts.extend(files_below(&root().join("docs/guides")));
    texts.extend(["README.md", "Dockerfile", "docs/security.md"].map(|path| root().join(path)));
    let mut known = 0;
    for path in texts {
        let text = fs::read_to_string(&path).expect("text");
        let of_a_section = |word: &&str| word.trim_start_matches("CROSSVAT_").contains("__");
        for variable in words_beginning(&text, "CROSSVAT_").into_iter().filter(of_a_section) {
            let gathered = Settings::gather(None, [(variable.to_owned(), String::new())]);
            assert!(gathered.is_ok(), "{} names {variable}", path.display());
            known += 1;
        }
    }
    assert!(known > 40, "{known}: are they still found?");
}

#[test]
fn the_configuration_to_begin_with_is_one() {
    let file = root().join("docs/operating/crossvat.toml");
    let config = Config::load(Some(&file), []).expect("loads");
    assert!(
        config.email.is_some() && config.metrics.bind.is_some() && config.http.security_contact.is_some()
    );
    assert!(config.email.as_ref().is_some_and(|email| email.requests_to.is_some()));
    assert!(config.site.imprint_url.is_some() && config.site.privacy_url.is_some());
    assert!(config.http.bind.ip().is_loopback(), "a proxy stands in front");
}

#[test]
fn the_units_call_commands_that_exist() {
    let mut called = 0;
    for unit in ["crossvat.service", "crossvat-daily.service"] {
        let text = read(&format!("docs/operating/{unit}"));
        for line in text.lines().filter_map(|line| line.strip_prefix("ExecStart=")) {
            let mut words = line.split(' ');
            assert_eq!(words.next(), Some("/usr/local/bin/crossvat"), "{unit}");
            let output = Command::new(env!("CARGO_BIN_EXE_crossvat"))
                .args(words)
                .arg("--help")
                .output()
                .expect("runs");
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            called += 1;
        }
    }
    assert_eq!(called, 3);
}

#[test]
fn every_figure_is_listed_and_no_other() {
    let list = read("docs/operating/metrics.md");
    let sources = files_below(&root().join("src"));
    let sources: Vec<_> = sources.iter().map(|path| fs::read_to_string(path).unwrap_or_default()).collect();
    let counted: BTreeSet<_> = sources
        .iter()
        .flat_map(|text| text.split('"'))
        .filter(|text| words_beginning(text, "crossvat_").contains(text))
        .collect();
    assert_eq!(words_beginning(&list, "crossvat_"), counted);
}

#[test]
fn alerts_and_dashboard_ask_for_figures_that_are_listed() {
    let list = read("docs/operating/metrics.md");
    let listed = words_beginning(&list, "crossvat_");
    let mut asked = 0;
    for path in ["docs/operating/alerts.yml", "docs/operating/dashboard.json"] {
        let text = read(path);
        for figure in words_beginning(&text, "crossvat_") {
            assert!(listed.contains(figure.trim_end_matches("_bucket")), "{path} asks for {figure}");
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}: are they still found?");
}

#[test]
fn what_the_security_review_names_is_there() {
    let review = read("docs/security.md");
    let (mut files, mut tests) = (0, 0);
    for row in review.lines().filter(|line| line.starts_with('|')) {
        let mut read_so_far = Vec::new();
        for name in row.split('`').skip(1).step_by(2) {
            let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
            if matches!(ending, Some("rs" | "toml" | "lock" | "sh" | "js" | "service" | "md")) {
                read_so_far.push(read(name));
                files += 1;
            } else if name.len() > 10
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            {
                let test = format!("fn {name}(");
                assert!(
                    read_so_far.iter().any(|text| text.contains(&test)),
                    "no {name} in the files before it: {row}"
                );
                tests += 1;
            }
        }
        for link in row.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            read(&format!("docs/{link}"));
        }
    }
    assert!(files > 100 && tests > 100, "{files} files, {tests} tests: are they still found?");
}

/// The anchor that a heading gets where the sources are read in a browser.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let prose: String = text.split("```").step_by(2).collect();
    prose
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn every_link_in_a_text_leads_to_a_file_or_a_heading() {
    let mut texts = files_below(&root().join("docs"));
    texts.push(root().join("README.md"));
    texts.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    let (mut files, mut headings) = (0, 0);
    for path in texts {
        let text = fs::read_to_string(&path).expect("text");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            // Guides are pages as well: where their links lead there is looked at with the pages.
            let is_elsewhere = link.contains("://") || link.starts_with("mailto:");
            if is_elsewhere || (link.starts_with('/') && path.starts_with(root().join("docs/guides"))) {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            assert!(target.exists(), "{} leads to {link}", path.display());
            files += 1;
            if !heading.is_empty() {
                let there = anchors(&fs::read_to_string(&target).expect("text"));
                assert!(there.contains(heading), "{} leads to {link}: there is {there:?}", path.display());
                headings += 1;
            }
        }
    }
    assert!(files > 30 && headings > 1, "{files} files, {headings} headings: are they still found?");
}
