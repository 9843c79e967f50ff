//! Settings as text, each with where it came from. The sections turn them into types.

use std::{collections::BTreeMap, fmt, path::Path, str::FromStr};

use thiserror::Error;

const DEFAULTS: &str = include_str!("defaults.toml");
const VARIABLE_PREFIX: &str = "CROSSVAT_";

/// Settings whose values are never shown: they are secrets or may hold one.
const SECRETS: [&str; 6] = [
    "accounts.former_second_factor_keys",
    "accounts.second_factor_key",
    "database.url",
    "email.password",
    "hmrc.client_secret",
    "limits.redis_url",
];

/// Why a configuration was refused. The text names the file or variable and what was expected.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {reason}")]
    Unreadable {
        /// The file as given.
        file: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{file}, line {line}: is not TOML: {reason}")]
    NotToml {
        /// The file as given.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong there. The line itself is not quoted: it may hold a secret.
        reason: String,
    },
    /// No setting of that name exists.
    #[error("{origin}: there is no such setting; see `crossvat check-config` for those there are")]
    Unknown {
        /// The file and key, or the variable.
        origin: Origin,
    },
    /// A value does not mean what its setting needs.
    #[error("{origin}: expected {expected}, got {got}")]
    Unexpected {
        /// The file and key, or the variable.
        origin: Origin,
        /// What would be right, with an example.
        expected: &'static str,
        /// The value in quotes; hidden for a secret.
        got: String,
    },
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The defaults that are built in.
    Default(String),
    /// A key in a file.
    File {
        /// The file as given.
        file: String,
        /// `section.key`.
        key: String,
    },
    /// An environment variable.
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default(key) => write!(f, "default of {key}"),
            Self::File { file, key } => write!(f, "{file}, {key}"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

#[derive(Clone, Debug)]
struct Setting {
    value: String,
    origin: Origin,
}

/// All settings by `section.key`. Exactly the keys of the built-in defaults exist.
#[derive(Clone, Debug)]
pub struct Settings(BTreeMap<String, Setting>);

impl Settings {
    /// Lays defaults, file and environment over each other.
    ///
    /// # Errors
    /// A file that cannot be read or parsed, and any setting that does not exist.
    pub fn gather(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut settings = Self(BTreeMap::new());
        for (key, value) in leaves("defaults.toml", DEFAULTS)? {
            settings.0.insert(key.clone(), Setting { value, origin: Origin::Default(key) });
        }
        if let Some(path) = file {
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|reason| ConfigError::Unreadable { file: file.clone(), reason })?;
            for (key, value) in leaves(&file, &text)? {
                settings.replace(&key, value, Origin::File { file: file.clone(), key: key.clone() })?;
            }
        }
        for (name, value) in environment {
            // Without the two underscores it is somebody else's: Kubernetes, for one, names services in this way.
            if let Some((section, key)) =
                name.strip_prefix(VARIABLE_PREFIX).and_then(|rest| rest.split_once("__"))
            {
                let key = format!("{section}.{key}").to_ascii_lowercase();
                settings.replace(&key, value, Origin::Variable(name))?;
            }
        }
        Ok(settings)
    }

    fn replace(&mut self, key: &str, value: String, origin: Origin) -> Result<(), ConfigError> {
        match self.0.get_mut(key) {
            Some(setting) => {
                *setting = Setting { value, origin };
                Ok(())
            }
            None => Err(ConfigError::Unknown { origin }),
        }
    }

    /// The value of `key` as `T`; `expected` says in words what would be right.
    pub(super) fn parse<T: FromStr>(&self, key: &str, expected: &'static str) -> Result<T, ConfigError> {
        self.parse_if(key, expected, |_: &T| true)
    }

    /// As [`Settings::parse`], with a condition on the parsed value.
    pub(super) fn parse_if<T: FromStr>(
        &self,
        key: &str,
        expected: &'static str,
        accept: impl FnOnce(&T) -> bool,
    ) -> Result<T, ConfigError> {
        self.text(key)
            .parse()
            .ok()
            .filter(accept)
            .ok_or_else(|| self.unexpected(key, expected, &format!("{:?}", self.text(key))))
    }

    /// `None` when the value is empty.
    pub(super) fn parse_optional<T: FromStr>(
        &self,
        key: &str,
        expected: &'static str,
    ) -> Result<Option<T>, ConfigError> {
        if self.text(key).is_empty() { Ok(None) } else { self.parse(key, expected).map(Some) }
    }

    /// The value as written; empty for a key that does not exist.
    pub(super) fn text(&self, key: &str) -> &str {
        self.0.get(key).map_or("", |setting| setting.value.as_str())
    }

    /// A refusal of what stands at `key`. `got` must not contain a secret.
    pub(super) fn unexpected(&self, key: &str, expected: &'static str, got: &str) -> ConfigError {
        let origin =
            self.0.get(key).map_or_else(|| Origin::Default(key.to_owned()), |setting| setting.origin.clone());
        ConfigError::Unexpected { origin, expected, got: got.to_owned() }
    }

    /// Each setting with its value and origin, secrets hidden, for `crossvat check-config`.
    pub fn describe(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|(key, setting)| {
            let value = if SECRETS.contains(&key.as_str()) && !setting.value.is_empty() {
                "(hidden)".to_owned()
            } else {
                format!("{:?}", setting.value)
            };
            let origin = match &setting.origin {
                Origin::Default(_) => "default".to_owned(),
                other => other.to_string(),
            };
            format!("{key} = {value}  ({origin})")
        })
    }
}

/// `section.key` and text of every value in a TOML document.
fn leaves(file: &str, text: &str) -> Result<Vec<(String, String)>, ConfigError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        ConfigError::NotToml {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            reason: error.message().to_owned(),
        }
    })?;
    let mut found = Vec::new();
    for (section, value) in table {
        match value {
            toml::Value::Table(entries) => {
                found.extend(
                    entries.into_iter().map(|(key, value)| (format!("{section}.{key}"), plain(value))),
                );
            }
            other => found.push((section, plain(other))),
        }
    }
    Ok(found)
}

fn plain(value: toml::Value) -> String {
    match value {
        toml::Value::String(text) => text,
        other => other.to_string(),
    }
}
