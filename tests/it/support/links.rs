//! Follows links as somebody does who clicks on all of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{TestApp, Visitor};

/// What was found behind the links that somebody followed.
#[derive(Default)]
pub struct Followed {
    /// Every page, by its address.
    pub pages: BTreeMap<String, String>,
    /// Everything else, by its address: files, and what pages load.
    pub files: BTreeSet<String>,
    /// Anchors on other pages that were led to.
    pub anchors: BTreeSet<(String, String)>,
    /// Where there is nothing, in words.
    pub wrong: Vec<String>,
}

/// An address of the service, and the anchor behind it or nothing.
type Link = (String, String);

/// Follows every link of the pages to begin with, and of every page that is led to below a path; what else is led to is only
/// looked at.
pub async fn follow_links(
    app: &TestApp,
    reader: &Visitor,
    begin: impl IntoIterator<Item = String>,
    below: &str,
) -> Followed {
    let mut followed = Followed::default();
    let mut waiting: Vec<(String, String)> =
        begin.into_iter().map(|path| (path, "the beginning".to_owned())).collect();
    let begin: BTreeSet<String> = waiting.iter().map(|(path, _)| path.clone()).collect();
    let mut known = begin.clone();
    while let Some((path, found_on)) = waiting.pop() {
        // What is tried on the first page is limited.
        if path.starts_with("/?") {
            app.clock.advance(Duration::from_mins(1));
        }
        let mut answer = reader.get(&path).await;
        if answer.status == 303 {
            let whither = answer.header("location").expect("a location").to_owned();
            answer = reader.get(&whither).await;
        }
        if answer.status != 200 {
            followed.wrong.push(format!("{path} on {found_on}: {}", answer.status));
            continue;
        }
        if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            followed.files.insert(path);
            continue;
        }
        let goes_on = begin.contains(&path) || path.starts_with(below);
        let (links, mut wrong) =
            if goes_on { links_of(&path, answer.html()) } else { (Vec::new(), Vec::new()) };
        followed.wrong.append(&mut wrong);
        for (address, anchor) in links {
            if !anchor.is_empty() {
                followed.anchors.insert((address.clone(), anchor));
            }
            if known.insert(address.clone()) {
                waiting.push((address, path.clone()));
            }
        }
        followed.pages.insert(path, answer.html().to_owned());
    }
    for (path, anchor) in &followed.anchors {
        let page = followed.pages.get(path);
        if page.is_some_and(|page| !has_anchor(page, anchor)) {
            followed.wrong.push(format!("{path}#{anchor}: no such anchor"));
        }
    }
    followed
}

/// Where a page leads and what it loads, and what is wrong with it by itself: a way out of the service, an anchor of its own that is
/// not there. Forms that do something lead nowhere.
pub fn links_of(path: &str, html: &str) -> (Vec<Link>, Vec<String>) {
    let (mut links, mut wrong) = (Vec::new(), Vec::new());
    for address in addresses(html) {
        let (address, anchor) = address.split_once('#').unwrap_or((&address, ""));
        let own = path.split('?').next().unwrap_or_default();
        match address.chars().next() {
            None if has_anchor(html, anchor) || anchor.is_empty() => {}
            None => wrong.push(format!("#{anchor} on {path}: no such anchor")),
            Some('?') => links.push((format!("{own}{address}"), anchor.to_owned())),
            Some('/') if !address.starts_with("//") => links.push((address.to_owned(), anchor.to_owned())),
            Some(_) => wrong.push(format!("{address} on {path}: it leaves the service")),
        }
    }
    (links, wrong)
}

fn has_anchor(html: &str, anchor: &str) -> bool {
    html.contains(&format!(" id=\"{anchor}\""))
}

fn addresses(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for tag in html.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        if tag.starts_with("form") && tag.contains(" method=\"post\"") {
            continue;
        }
        for attribute in [" href=\"", " src=\"", " action=\""] {
            let value = tag.split_once(attribute).and_then(|(_, rest)| rest.split_once('"'));
            let canonical = tag.contains(" rel=\"canonical\"");
            let value = value.map(|(address, _)| if canonical { without_host(address) } else { address });
            found.extend(value.map(|address| address.replace("&#39;", "'").replace("&amp;", "&")));
        }
    }
    found.retain(|address| !address.starts_with("mailto:"));
    found
}

/// Search engines are told the whole address of a page.
fn without_host(address: &str) -> &str {
    address.match_indices('/').nth(2).map_or(address, |(at, _)| &address[at..])
}
