use std::{fs, time::Duration};

use secrecy::ExposeSecret;

use super::*;

fn load(environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::load(None, environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
}

fn refusal(environment: &[(&str, &str)]) -> String {
    load(environment).expect_err("must be refused").to_string()
}

#[test]
fn the_defaults_alone_are_a_whole_configuration_with_the_production_registries() {
    let config = load(&[]).expect("defaults");
    assert_eq!(config.hmrc.base_url.as_str(), "https://api.service.hmrc.gov.uk");
    assert_eq!(config.vies.base_url.as_str(), "https://ec.europa.eu/taxation_customs/vies/rest-api");
    assert!(config.hmrc.credentials.is_none());
    assert!(config.metrics.bind.is_none());
    assert_eq!(config.verification.deadline, Duration::from_secs(25));
    assert!(config.limits.redis_url.is_none());
}

#[test]
fn the_environment_beats_the_file_and_the_file_beats_the_defaults() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("crossvat.toml");
    fs::write(&file, "[vies]\nmax_in_flight = 5\ntimeout_seconds = 2.5\n").expect("write");
    let environment = [("CROSSVAT_VIES__MAX_IN_FLIGHT".to_owned(), "6".to_owned())];
    let config = Config::load(Some(&file), environment).expect("loads");
    assert_eq!(config.vies.max_in_flight, 6);
    assert_eq!(config.vies.timeout, Duration::from_millis(2500));
    assert_eq!(config.vies.max_in_flight_per_member_state, 3);
}

#[test]
fn a_bad_value_names_its_variable_and_what_was_expected() {
    for (name, value, expected) in [
        ("CROSSVAT_HTTP__BIND", "localhost", "an address and port"),
        ("CROSSVAT_HTTP__PUBLIC_URL", "ftp://example.org", "an http or https address"),
        ("CROSSVAT_HTTP__MAX_IN_FLIGHT", "0", "1 or more"),
        ("CROSSVAT_DATABASE__URL", "postgres://u:pa/ss@h/db", "an address such as sqlite:"),
        ("CROSSVAT_DATABASE__URL", "mysql://x", "an address such as sqlite:"),
        ("CROSSVAT_HMRC__REQUESTS_PER_SECOND", "fast", "a number from 0.01"),
        ("CROSSVAT_HMRC__REQUESTS_PER_SECOND", "NaN", "a number from 0.01"),
        ("CROSSVAT_HMRC__REQUESTS_PER_SECOND", "1e-300", "a number from 0.01"),
        ("CROSSVAT_VIES__BASE_URL", "ec.europa.eu", "an http or https address"),
        ("CROSSVAT_VIES__MAX_IN_FLIGHT", "-1", "1 or more"),
        ("CROSSVAT_VERIFICATION__DEADLINE_SECONDS", "0", "seconds above 0"),
        ("CROSSVAT_RETENTION__EVIDENCE_DAYS", "1e3", "1 or more"),
        ("CROSSVAT_RETENTION__USAGE_DAYS", "30", "31 or more"),
        ("CROSSVAT_LIMITS__REDIS_URL", "http://127.0.0.1:6379", "a Redis address"),
        ("CROSSVAT_LIMITS__REDIS_URL", "rediss://127.0.0.1:6379", "a Redis address"),
        ("CROSSVAT_METRICS__BIND", "9100", "an address and port"),
        ("CROSSVAT_LOG__FORMAT", "xml", "text or json"),
        ("CROSSVAT_LOG__FILTER", "a=b=c", "a list of filters"),
    ] {
        let text = refusal(&[(name, value)]);
        assert!(text.starts_with(name), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_bad_value_in_a_file_names_file_and_key() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("crossvat.toml");
    fs::write(&file, "[vies]\nmax_in_flight = \"many\"\n").expect("write");
    let text = Config::load(Some(&file), []).expect_err("refused").to_string();
    assert!(text.contains("crossvat.toml, vies.max_in_flight: expected a whole number"), "{text}");
    fs::write(&file, "[hmrc]\nclient_secret = \"hunter2\n").expect("write");
    let text = Config::load(Some(&file), []).expect_err("refused").to_string();
    assert!(text.contains("crossvat.toml, line 2: is not TOML"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    let text = Config::load(Some(&folder.path().join("absent.toml")), []).expect_err("refused").to_string();
    assert!(text.contains("absent.toml: cannot be read"), "{text}");
}

#[test]
fn a_setting_that_does_not_exist_is_refused_and_not_ignored() {
    let text = refusal(&[("CROSSVAT_HMRC__CLIENT_IDD", "x")]);
    assert_eq!(
        text,
        "CROSSVAT_HMRC__CLIENT_IDD: there is no such setting; see `crossvat check-config` for those there are"
    );
}

#[test]
fn variables_of_others_that_begin_alike_are_left_alone() {
    let kubernetes = [("CROSSVAT_SERVICE_HOST", "10.0.0.1"), ("CROSSVAT_PORT", "tcp://10.0.0.1:80")];
    assert!(load(&kubernetes).is_ok());
}

#[test]
fn half_a_pair_of_credentials_is_refused() {
    let text = refusal(&[("CROSSVAT_HMRC__CLIENT_ID", "someone")]);
    assert!(text.contains("hmrc.client_secret: expected a value"), "{text}");
    let text = refusal(&[("CROSSVAT_HMRC__CLIENT_SECRET", "hunter2")]);
    assert!(text.contains("hmrc.client_id: expected a value"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn secrets_are_hidden_in_every_description() {
    let environment = [
        ("CROSSVAT_HMRC__CLIENT_ID".to_owned(), "someone".to_owned()),
        ("CROSSVAT_HMRC__CLIENT_SECRET".to_owned(), "hunter2".to_owned()),
        ("CROSSVAT_LIMITS__REDIS_URL".to_owned(), "redis://:hunter2@127.0.0.1".to_owned()),
    ];
    let settings = Settings::gather(None, environment).expect("gathers");
    let config = Config::from_settings(&settings).expect("loads");
    assert_eq!(config.hmrc.credentials.as_ref().map(|c| c.client_secret.expose_secret()), Some("hunter2"));
    let described: Vec<String> = settings.describe().collect();
    assert!(described.contains(&"hmrc.client_secret = (hidden)  (CROSSVAT_HMRC__CLIENT_SECRET)".to_owned()));
    assert!(described.contains(&"limits.redis_url = (hidden)  (CROSSVAT_LIMITS__REDIS_URL)".to_owned()));
    assert!(!format!("{described:?}{config:?}").contains("hunter2"));
}

#[test]
fn a_refused_address_of_redis_is_not_repeated() {
    let text = refusal(&[("CROSSVAT_LIMITS__REDIS_URL", "redus://:hunter2@127.0.0.1")]);
    assert!(!text.contains("hunter2"), "{text}");
}
