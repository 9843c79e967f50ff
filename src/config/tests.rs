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
    assert_eq!(config.verification.afterwards, Duration::from_mins(1));
    assert_eq!(config.verification.pause, Duration::from_mins(1));
    assert!(config.limits.redis_url.is_none());
    assert_eq!(config.limits.redis_timeout, Duration::from_millis(100));
    assert!(config.email.is_none());
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
        ("CROSSVAT_HTTP__PUBLIC_URL", "ftp://example.org", "an https address"),
        ("CROSSVAT_HTTP__PUBLIC_URL", "http://example.org", "http for localhost alone"),
        ("CROSSVAT_HTTP__PUBLIC_URL", "https://example.org/vat", "without a path"),
        ("CROSSVAT_HTTP__PUBLIC_URL", "https://example.org/?a", "without a path"),
        ("CROSSVAT_HTTP__PUBLIC_URL", "https://me@example.org", "an https address"),
        ("CROSSVAT_HTTP__SECURITY_CONTACT", "security@example.org", "mailto:security@example.org"),
        ("CROSSVAT_HTTP__SECURITY_CONTACT", "mailto:security", "mailto:security@example.org"),
        ("CROSSVAT_HTTP__SECURITY_CONTACT", "mailto:@example.org", "mailto:security@example.org"),
        ("CROSSVAT_HTTP__SECURITY_CONTACT", "http://example.org/", "https://example.org/security"),
        ("CROSSVAT_SITE__IMPRINT_URL", "imprint", "a path such as /imprint"),
        ("CROSSVAT_SITE__IMPRINT_URL", "http://example.org/imprint", "https://example.org/imprint"),
        ("CROSSVAT_SITE__PRIVACY_URL", "javascript:alert(1)", "https://example.org/imprint"),
        ("CROSSVAT_SITE__PRIVACY_URL", "//example.org/privacy", "a path such as /imprint"),
        ("CROSSVAT_SITE__PRIVACY_URL", "/\\example.org", "a path such as /imprint"),
        ("CROSSVAT_EMAIL__TRANSPORT", "pigeon", "smtp or file"),
        ("CROSSVAT_EMAIL__REQUESTS_TO", "support@example.org", "since email.transport is not set"),
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
        ("CROSSVAT_LIMITS__REDIS_TIMEOUT_MS", "0", "milliseconds from 1 to 10000"),
        ("CROSSVAT_LIMITS__REDIS_TIMEOUT_MS", "10001", "milliseconds from 1 to 10000"),
        ("CROSSVAT_LIMITS__REDIS_TIMEOUT_MS", "0.5", "a whole number of milliseconds"),
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
fn an_address_for_weaknesses_is_one_line_whatever_is_set() {
    const NAME: &str = "CROSSVAT_HTTP__SECURITY_CONTACT";
    assert!(load(&[]).expect("defaults").http.security_contact.is_none());
    for (set, read) in [
        ("mailto:security@example.org", "mailto:security@example.org"),
        ("https://example.org/security", "https://example.org/security"),
        ("https://example.org/a\nExpires: never", "https://example.org/aExpires:%20never"),
    ] {
        let contact = load(&[(NAME, set)]).expect("loads").http.security_contact.expect("set");
        assert_eq!(contact.to_string(), read);
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
        ("CROSSVAT_EMAIL__TRANSPORT".to_owned(), "smtp".to_owned()),
        ("CROSSVAT_EMAIL__FROM".to_owned(), "crossvat@example.org".to_owned()),
        ("CROSSVAT_EMAIL__HOST".to_owned(), "mail.example.org".to_owned()),
        ("CROSSVAT_EMAIL__USER".to_owned(), "someone".to_owned()),
        ("CROSSVAT_EMAIL__PASSWORD".to_owned(), "hunter2".to_owned()),
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

#[test]
fn a_key_for_second_factors_is_32_random_bytes_and_not_repeated() {
    const KEY: &str = "CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY";
    assert!(load(&[]).expect("defaults").accounts.second_factor_key.is_none());
    let right = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";
    let key = load(&[(KEY, right)]).expect("loads").accounts.second_factor_key.expect("set");
    assert_eq!(key.expose()[..4], [0x00, 0x11, 0x22, 0x33]);
    assert_eq!(key.expose()[28..], [0xcc, 0xdd, 0xee, 0xff]);
    for wrong in [
        "hunter2",
        &right[1..],
        &right[2..],
        &format!("{right}0"),
        &format!("{right}00"),
        &format!("{}g0", &right[2..]),
        &format!("{}+1", &right[2..]),
        &"0".repeat(64),
        &"ab".repeat(32),
    ] {
        let text = refusal(&[(KEY, wrong)]);
        assert!(
            text.starts_with("CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY: expected 64 random hexadecimal"),
            "{text}"
        );
        assert!(text.ends_with(&format!("of {} characters", wrong.len())) && !text.contains(wrong), "{text}");
    }
    let settings = Settings::gather(None, [(KEY.to_owned(), right.to_owned())]).expect("gathers");
    let config = Config::from_settings(&settings).expect("loads");
    let described: Vec<_> = settings.describe().collect();
    assert!(!format!("{described:?}{config:?}").contains("112233"), "hidden");
}

#[test]
fn former_keys_of_second_factors_are_read_beside_a_present_one_and_not_repeated() {
    const PRESENT: &str = "CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY";
    const FORMER: &str = "CROSSVAT_ACCOUNTS__FORMER_SECOND_FACTOR_KEYS";
    let key = |first: &str| format!("{first}112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
    let present = key("00");
    assert!(load(&[(PRESENT, &present)]).expect("loads").accounts.former_second_factor_keys.is_empty());
    let former = format!("{}, {}", key("01"), key("02"));
    let config = load(&[(PRESENT, &present), (FORMER, &former)]).expect("loads");
    let first = |key: &KeyBytes| key.expose()[0];
    assert_eq!(config.accounts.former_second_factor_keys.iter().map(first).collect::<Vec<_>>(), [1, 2]);
    for wrong in ["hunter2", &format!("{}, hunter2", key("01")), &format!("{},", key("01")), &"0".repeat(64)]
    {
        let text = refusal(&[(PRESENT, &present), (FORMER, wrong)]);
        assert!(text.starts_with(FORMER) && text.contains("with commas between"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("112233"), "{text}");
    }
    let text = refusal(&[(FORMER, &former)]);
    assert!(text.contains("since accounts.former_second_factor_keys is set"), "{text}");
    let settings = Settings::gather(None, [(FORMER.to_owned(), former)]).expect("gathers");
    assert!(!format!("{:?}{config:?}", settings.describe().collect::<Vec<_>>()).contains("112233"), "hidden");
}

#[test]
fn a_public_address_is_its_origin_alone() {
    for (written, kept) in [
        ("https://vat.example.org/", "https://vat.example.org"),
        ("HTTPS://VAT.example.org:443", "https://vat.example.org"),
        ("https://vat.example.org:8443", "https://vat.example.org:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ] {
        let config = load(&[("CROSSVAT_HTTP__PUBLIC_URL", written)]).expect(written);
        assert_eq!(config.http.public_url.map(|url| url.to_string()).as_deref(), Some(kept));
    }
}

const FROM: (&str, &str) = ("CROSSVAT_EMAIL__FROM", "Crossvat <crossvat@example.org>");
const BY_FILE: [(&str, &str); 3] =
    [("CROSSVAT_EMAIL__TRANSPORT", "file"), FROM, ("CROSSVAT_EMAIL__FOLDER", "run/mail")];
const BY_SMTP: [(&str, &str); 3] =
    [("CROSSVAT_EMAIL__TRANSPORT", "smtp"), FROM, ("CROSSVAT_EMAIL__HOST", "mail.example.org")];

fn smtp(more: &[(&str, &str)]) -> SmtpConfig {
    match load(&[&BY_SMTP, more].concat()).expect("loads").email.expect("a transport").transport {
        EmailTransport::Smtp(smtp) => smtp,
        EmailTransport::File { .. } => panic!("SMTP was asked for"),
    }
}

#[test]
fn mail_goes_the_way_that_is_set() {
    let email = load(&BY_FILE).expect("loads").email.expect("a transport");
    assert_eq!(email.from.to_string(), "Crossvat <crossvat@example.org>");
    assert!(matches!(email.transport, EmailTransport::File { folder } if folder.ends_with("run/mail")));
    let plain = smtp(&[]);
    assert_eq!((&*plain.host, plain.port, plain.security), ("mail.example.org", 587, SmtpSecurity::StartTls));
    assert_eq!(plain.timeout, Duration::from_secs(30));
    assert!(plain.credentials.is_none());
    assert_eq!(smtp(&[("CROSSVAT_EMAIL__TLS", "tls")]).port, 465);
    assert_eq!(smtp(&[("CROSSVAT_EMAIL__TLS", "tls"), ("CROSSVAT_EMAIL__PORT", "2465")]).port, 2465);
    let known = smtp(&[("CROSSVAT_EMAIL__USER", "someone"), ("CROSSVAT_EMAIL__PASSWORD", "hunter2")]);
    let known = known.credentials.expect("credentials");
    assert_eq!((&*known.user, known.password.expose_secret()), ("someone", "hunter2"));
}

#[test]
fn mail_without_tls_is_for_this_machine_alone() {
    for host in ["localhost", "127.0.0.1", "127.8.8.8", "::1"] {
        let found = smtp(&[("CROSSVAT_EMAIL__TLS", "none"), ("CROSSVAT_EMAIL__HOST", host)]);
        assert_eq!((found.security, found.port), (SmtpSecurity::None, 25), "{host}");
    }
    for host in ["mail.example.org", "10.0.0.1", "localhost.example.org", "0.0.0.0"] {
        let text = refusal(
            &[&BY_SMTP[..2], &[("CROSSVAT_EMAIL__TLS", "none"), ("CROSSVAT_EMAIL__HOST", host)]].concat(),
        );
        assert!(text.starts_with("CROSSVAT_EMAIL__TLS: expected starttls or tls"), "{text}");
        assert!(text.ends_with(&format!("\"none\" for {host}")), "{text}");
    }
}

#[test]
fn mail_that_is_half_set_up_is_refused() {
    let file = ("CROSSVAT_EMAIL__TRANSPORT", "file");
    let smtp = ("CROSSVAT_EMAIL__TRANSPORT", "smtp");
    let (folder, host) = (BY_FILE[2], BY_SMTP[2]);
    for (environment, expected) in [
        (&[file, FROM][..], "email.folder: expected the path of a folder"),
        (&[file, folder], "email.from: expected whom mail comes from, such as"),
        (&[file, folder, ("CROSSVAT_EMAIL__FROM", "Crossvat")], "EMAIL__FROM: expected whom mail comes from"),
        (&[file, folder, ("CROSSVAT_EMAIL__FROM", "Ä <ä@example.org>")], "EMAIL__FROM: expected whom mail"),
        (&[file, FROM, folder, host], "EMAIL__HOST: expected nothing, since email.transport is file"),
        (&[smtp, FROM], "email.host: expected the name of a mail server"),
        (
            &[smtp, FROM, ("CROSSVAT_EMAIL__HOST", "smtp://a")],
            "EMAIL__HOST: expected the name of a mail server",
        ),
        (&[smtp, FROM, host, folder], "EMAIL__FOLDER: expected nothing, since email.transport is smtp"),
        (&[smtp, FROM, host, ("CROSSVAT_EMAIL__PORT", "smtps")], "EMAIL__PORT: expected a port such as 587"),
        (&[smtp, FROM, host, ("CROSSVAT_EMAIL__TLS", "maybe")], "EMAIL__TLS: expected starttls, tls or none"),
        (&[smtp, FROM, host, ("CROSSVAT_EMAIL__TIMEOUT_SECONDS", "0")], "seconds above 0"),
        (
            &[smtp, FROM, host, ("CROSSVAT_EMAIL__USER", "a")],
            "email.password: expected a value, since email.user",
        ),
        (&[smtp, FROM, host, ("CROSSVAT_EMAIL__PASSWORD", "hunter2")], "email.user: expected a value"),
        (
            &[file, FROM, folder, ("CROSSVAT_EMAIL__REQUESTS_TO", "support")],
            "EMAIL__REQUESTS_TO: expected an address such as support@example.org",
        ),
        (&[host], "EMAIL__HOST: expected nothing, since email.transport is not set"),
        (&[folder], "EMAIL__FOLDER: expected nothing, since email.transport is not set"),
        (
            &[smtp, FROM, host, ("CROSSVAT_HTTP__BIND", "0.0.0.0:80")],
            "http.public_url: expected the address that",
        ),
    ] {
        let text = refusal(environment);
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}
