//! Who may import whom. The rule is stated in `src/lib.rs`; here it is enforced.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A part of the server, what it may not name, and why.
struct Rule {
    part: &'static str,
    forbidden: &'static [&'static str],
    because: &'static str,
}

/// Services that do not import each other.
const SERVICES: [&str; 10] = [
    "accounts",
    "api_keys",
    "early_access",
    "evidence",
    "members",
    "one_time_links",
    "second_factor",
    "sessions",
    "staff",
    "usage",
];

/// What no service names, and neither does what every service may use.
const NOT_FOR_SERVICES: &[&str] = &[
    "axum",
    "reqwest",
    "crate::api::",
    "crate::portal",
    "crate::verification",
    "crate::registries",
    "crate::verify_vat",
    "crate::batch_checks",
    "crate::check_own_number",
    "crate::onboarding",
    "crate::ways_in",
    "crate::registry_status",
    "crate::config",
    "crate::middleware",
];

const RULES: &[Rule] = &[
    Rule {
        part: "verification",
        forbidden: &[
            "axum",
            "sea_orm",
            "reqwest",
            "crate::api",
            "crate::api_keys",
            "crate::accounts",
            "crate::portal",
            "crate::registries",
            "crate::config",
            "crate::db",
            "crate::limits",
            "crate::usage",
            "crate::evidence",
            "crate::audit",
            "crate::middleware",
            "crate::verify_vat",
        ],
        because: "verification knows the crate vat, the clock and the port to a registry, nothing else",
    },
    Rule {
        part: "email",
        forbidden: &[
            "axum",
            "reqwest",
            "crate::api",
            "crate::accounts",
            "crate::api_keys",
            "crate::early_access",
            "crate::evidence",
            "crate::limits",
            "crate::members",
            "crate::one_time_links",
            "crate::passwords",
            "crate::portal",
            "crate::registries",
            "crate::second_factor",
            "crate::sessions",
            "crate::staff",
            "crate::usage",
            "crate::verification",
            "crate::verify_vat",
            "crate::middleware",
        ],
        because: "email writes and sends letters; what is told when is the business of those who call",
    },
    Rule {
        part: "limits",
        forbidden: &[
            "axum",
            "sea_orm",
            "reqwest",
            "vat::",
            "crate::api",
            "crate::portal",
            "crate::verification",
            "crate::db",
        ],
        because: "limits counts over a clock and Redis, whoever is counted",
    },
    Rule {
        part: "registry_limits",
        forbidden: &[
            "axum",
            "sea_orm",
            "crate::api",
            "crate::portal",
            "crate::config",
            "crate::db",
            "crate::registries",
            "crate::verify_vat",
        ],
        because: "registry_limits joins the gateway's ports with what limits shares, nothing else",
    },
    Rule {
        part: "passwords",
        forbidden: &["axum", "sea_orm", "reqwest", "crate::"],
        because: "passwords are worked on without knowing whose they are",
    },
    Rule {
        part: "people",
        forbidden: &["axum", "sea_orm", "reqwest", "tokio", "crate::"],
        because: "people are values, known to every service",
    },
    Rule {
        part: "spreadsheet",
        forbidden: &["axum", "sea_orm", "reqwest", "tokio", "crate::"],
        because: "files of spreadsheets are read and written without knowing what is in them",
    },
    Rule {
        part: "registries",
        forbidden: &[
            "axum",
            "sea_orm",
            "crate::api",
            "crate::portal",
            "crate::db",
            "crate::limits",
            "crate::verify_vat",
            "crate::api_keys",
            "crate::accounts",
        ],
        because: "registries are adapters to the port in verification",
    },
    Rule {
        part: "db",
        forbidden: &[
            "axum",
            "reqwest",
            "crate::api",
            "crate::portal",
            "crate::verification",
            "crate::registries",
            "crate::config",
            "crate::accounts",
            "crate::api_keys",
            "crate::batch_checks",
            "crate::early_access",
            "crate::email",
            "crate::evidence",
            "crate::limits",
            "crate::members",
            "crate::one_time_links",
            "crate::second_factor",
            "crate::sessions",
            "crate::staff",
            "crate::usage",
            "crate::verify_vat",
            "crate::middleware",
        ],
        because: "db knows the connection and the entities, not what they are for",
    },
    Rule {
        part: "verify_vat",
        forbidden: &[
            "axum",
            "sea_orm",
            "reqwest",
            "crate::api::",
            "crate::batch_checks",
            "crate::portal",
            "crate::db",
            "crate::registries",
        ],
        because: "the use case knows neither front ends nor adapters",
    },
    Rule {
        part: "onboarding",
        forbidden: &[
            "axum",
            "reqwest",
            "crate::api::",
            "crate::batch_checks",
            "crate::check_own_number",
            "crate::config",
            "crate::limits",
            "crate::middleware",
            "crate::portal",
            "crate::registries",
            "crate::verification",
            "crate::verify_vat",
        ],
        because: "the way to the first key joins services; it knows no front end and asks no registry",
    },
    Rule {
        part: "ways_in",
        forbidden: &[
            "axum",
            "reqwest",
            "crate::accounts",
            "crate::api",
            "crate::batch_checks",
            "crate::check_own_number",
            "crate::config",
            "crate::limits",
            "crate::middleware",
            "crate::onboarding",
            "crate::portal",
            "crate::registries",
            "crate::verification",
            "crate::verify_vat",
        ],
        because: "the ways in by mail join the services of people and links; they know no front end",
    },
    Rule {
        part: "check_own_number",
        forbidden: &[
            "axum",
            "sea_orm",
            "reqwest",
            "crate::api::",
            "crate::api_keys",
            "crate::config",
            "crate::db",
            "crate::evidence",
            "crate::members",
            "crate::portal",
            "crate::registries",
            "crate::usage",
            "crate::verify_vat",
        ],
        because: "asking about an own number knows the port to the registries and the requests, nothing else",
    },
    Rule {
        part: "batch_checks",
        forbidden: &[
            "axum",
            "reqwest",
            "crate::accounts",
            "crate::api::",
            "crate::api_keys",
            "crate::config",
            "crate::early_access",
            "crate::evidence",
            "crate::limits",
            "crate::members",
            "crate::middleware",
            "crate::one_time_links",
            "crate::portal",
            "crate::registries",
            "crate::second_factor",
            "crate::sessions",
            "crate::staff",
            "crate::usage",
        ],
        because: "batch checks know the use case and what every service knows, no front end and no other service",
    },
    Rule {
        part: "api",
        forbidden: &[
            "sea_orm",
            "reqwest",
            "crate::batch_checks",
            "crate::db",
            "crate::registries",
            "crate::portal",
            "crate::config",
            "crossvat_app",
        ],
        because: "the JSON front end only parses, calls the use case and renders",
    },
    Rule {
        part: "portal",
        forbidden: &["sea_orm", "reqwest", "crate::db", "crate::registries", "crate::api", "crate::config"],
        because: "the browser's front end only parses, calls the use case and renders",
    },
    Rule {
        part: "middleware",
        forbidden: &[
            "sea_orm",
            "reqwest",
            "crate::api::",
            "crate::portal",
            "crate::verification",
            "crate::registries",
            "crate::config",
            "crate::verify_vat",
        ],
        because: "layers around every route know none of them",
    },
    Rule {
        part: "lifecycle",
        forbidden: &["sea_orm", "reqwest", "crate::"],
        because: "serving connections needs nothing of ours",
    },
    Rule {
        part: "config",
        forbidden: &["sea_orm", "reqwest", "crate::"],
        because: "settings depend on nothing of ours",
    },
];

#[test]
fn dependencies_point_one_way() {
    let mut broken = Vec::new();
    for rule in RULES {
        for (file, text) in sources_of(rule.part) {
            for (number, line) in imports_and_paths(&text) {
                for forbidden in rule.forbidden {
                    if names(&line, forbidden) {
                        broken.push(format!(
                            "{}:{number} names {forbidden}: {}",
                            file.display(),
                            rule.because
                        ));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn services_do_not_import_each_other_and_know_nothing_of_http() {
    for service in SERVICES.into_iter().chain(["audit"]) {
        for (file, text) in sources_of(service) {
            for (number, line) in imports_and_paths(&text) {
                for forbidden in NOT_FOR_SERVICES {
                    assert!(!names(&line, forbidden), "{}:{number} names {forbidden}", file.display());
                }
                for other in SERVICES.iter().filter(|other| **other != service) {
                    assert!(
                        !names(&line, &format!("crate::{other}")),
                        "{}:{number} imports {other}; join services in the use case instead",
                        file.display()
                    );
                }
            }
        }
    }
}

#[test]
fn only_the_adapters_know_reqwest_and_only_the_stores_query() {
    for (file, text) in all_sources() {
        let path = file.display().to_string();
        for (number, line) in imports_and_paths(&text) {
            let adapter = path.contains("/registries/");
            assert!(adapter || !names(&line, "reqwest"), "{path}:{number} names reqwest outside registries");
            let limits = path.contains("/limits/");
            assert!(limits || !names(&line, "redis::"), "{path}:{number} names redis outside limits");
            let mail = path.contains("/email/") || path.ends_with("/config/email.rs");
            assert!(mail || !names(&line, "lettre"), "{path}:{number} names lettre outside email");
            let store = path.ends_with("/store.rs") || path.contains("/db/");
            let queries = ["EntityTrait", "QueryFilter", "QuerySelect", "ActiveValue"]
                .iter()
                .any(|word| line.contains(word));
            assert!(store || !queries, "{path}:{number} queries outside a store.rs");
        }
    }
}

#[test]
fn the_application_and_the_domain_know_no_server() {
    for (folder, forbidden) in [
        ("app/src", &["crossvat::", "axum", "sea_orm", "reqwest", "tokio"][..]),
        (
            "crates/vat/src",
            &["std::time", "std::fs", "std::net", "std::env", "rand", "tokio", "chrono", "regex"][..],
        ),
    ] {
        for (file, text) in rust_files(&root().join(folder)) {
            for (number, line) in imports_and_paths(&text) {
                for word in forbidden {
                    assert!(!names(&line, word), "{}:{number} names {word}", file.display());
                }
            }
        }
    }
}

/// Where two are made, each has turns of its own: twice as many work at once as its bound says.
#[test]
fn what_works_on_a_few_at_once_is_made_once_in_a_server() {
    let (mut passwords, mut usage) = (0, 0);
    for (path, text) in
        all_sources().into_iter().filter(|(path, _)| !path.starts_with(root().join("src/cli")))
    {
        for (number, line) in imports_and_paths(&text) {
            let made = names(&line, "Passwords::default") || names(&line, "Usage::new");
            let here = path.ends_with("src/application.rs");
            assert!(here || !made, "{}:{number} makes what it should be handed", path.display());
            passwords += u8::from(names(&line, "Passwords::default"));
            usage += u8::from(names(&line, "Usage::new"));
        }
    }
    assert_eq!((passwords, usage), (1, 1));
}

#[test]
fn the_rule_finds_a_forbidden_import_when_there_is_one() {
    assert!(names("use sea_orm::EntityTrait;", "sea_orm"));
    assert!(names("    crate::db::connect()", "crate::db"));
    assert!(!names("use crate::api_keys::ApiKeys;", "crate::api::"));
    assert!(!names("use crate::dbx;", "crate::db"));
    let text = "// use reqwest;\nuse crate::{\n    clock::Clock,\n    db::{self, new_id},\n};\npub(super) use a;\nlet x = 1;\n";
    let read: Vec<(usize, String)> = imports_and_paths(text).collect();
    let read: Vec<(usize, &str)> = read.iter().map(|(number, line)| (*number, line.as_str())).collect();
    assert_eq!(
        read,
        [
            (2, "crate::clock::Clock"),
            (2, "crate::db::self"),
            (2, "crate::db::new_id"),
            (6, "a"),
            (7, "let x = 1;")
        ]
    );
    assert!(names(read[2].1, "crate::db"));
}

/// Whether `line` names the path `word` as a whole.
fn names(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part_of_word) && (word.ends_with(':') || !after.is_some_and(part_of_word))
    })
}

/// The code with line numbers: each path of a grouped `use` as a line of its own, and every other line as it stands.
/// Comments say what they like.
fn imports_and_paths(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut found = Vec::new();
    let mut import: Option<(usize, String)> = None;
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        if line.starts_with("//") {
            continue;
        }
        let begins = line.starts_with("use ") || line.starts_with("pub use ") || line.contains(") use ");
        let (start, mut tree) = match import.take() {
            Some(open) => open,
            None if begins => (number, String::new()),
            None => {
                found.push((number, line.to_owned()));
                continue;
            }
        };
        tree.push_str(line);
        if line.ends_with(';') {
            let after_use = tree.split_once("use ").map_or("", |(_, paths)| paths).trim_end_matches(';');
            found.extend(flattened("", after_use).into_iter().map(|path| (start, path)));
        } else {
            import = Some((start, tree));
        }
    }
    found.into_iter()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn flattened(prefix: &str, tree: &str) -> Vec<String> {
    let Some((head, group)) = tree.split_once('{') else {
        return vec![format!("{prefix}{}", tree.trim())];
    };
    let prefix = format!("{prefix}{}", head.trim());
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut paths, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = group[start..at].trim();
                if !part.is_empty() {
                    paths.extend(flattened(&prefix, part));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// The module `part`: a file or a folder, its unit tests left out.
fn sources_of(part: &str) -> Vec<(PathBuf, String)> {
    let file = root().join("src").join(part).with_extension("rs");
    let folder = root().join("src").join(part);
    let found = if folder.is_dir() {
        rust_files(&folder)
    } else {
        vec![(file.clone(), fs::read_to_string(&file).expect("a source file"))]
    };
    assert!(!found.is_empty(), "no sources of {part}: has it moved?");
    found
}

fn all_sources() -> Vec<(PathBuf, String)> {
    rust_files(&root().join("src"))
}

fn rust_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().is_none_or(|name| name != "tests.rs")
        {
            let text = fs::read_to_string(&path).expect("a source file");
            found.push((path, text));
        }
    }
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
