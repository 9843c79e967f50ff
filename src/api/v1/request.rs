//! The request of `verify-vat`, read so that every fault is told at once.

use std::{collections::HashSet, time::Duration};

use utoipa::ToSchema;
use vat::{MAX_CHARACTERS, Reading, Shape, SupplierCountry, VatNumber};

use crate::{
    api::{extract::ReadJson, json::Json, openapi, problem::Fault},
    verification::requesters::Requesters,
};

/// Most numbers in one call.
pub(in crate::api) const MAX_NUMBERS: usize = 100;
/// The oldest an answer may be that is used again, in seconds.
pub(in crate::api) const MAX_AGE_SECONDS: i64 = 86_400;

/// Numbers to verify.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct VerifyVatRequest {
    /// What to verify.
    #[schema(schema_with = openapi::vat_numbers_schema)]
    pub(in crate::api) vat_numbers: Vec<String>,
    /// In whose name.
    #[schema(schema_with = openapi::requesters_schema, required = false, rename = "requesterVatNumbers")]
    pub(in crate::api) requesters: Option<Requesters>,
    /// Where you sell from: an ISO 3166-1 code, `EL` or `XI`. Decides what is domestic for the reverse charge.
    #[schema(value_type = String, required = false, pattern = "^[A-Za-z]{2}$", min_length = 2, max_length = 2, example = "DE")]
    pub(in crate::api) supplier_country: Option<SupplierCountry>,
    /// How old an answer may be.
    #[schema(schema_with = openapi::max_age_schema, required = false, rename = "maxAgeSeconds")]
    pub(in crate::api) max_age: Option<Duration>,
    /// Answer 200 even if a registry does not answer: such numbers have the status `unavailable`.
    #[schema(value_type = bool, required = false, default = false)]
    pub(in crate::api) partial: bool,
}

impl ReadJson for VerifyVatRequest {
    fn read(json: Json) -> Result<Self, Vec<Fault>> {
        let Json::Object(members) = json else {
            return Err(vec![wrong_type("", "an object", &json)]);
        };
        let mut faults = Faults::default();
        let mut seen: HashSet<String> = HashSet::new();
        let mut request = Self {
            vat_numbers: Vec::new(),
            requesters: None,
            supplier_country: None,
            max_age: None,
            partial: false,
        };
        for (name, value) in members {
            let pointer = format!("/{}", escape(&name));
            if seen.contains(&name) {
                faults.add(&pointer, "invalid_value", "This member is given more than once.");
                continue;
            }
            match name.as_str() {
                "vatNumbers" => request.vat_numbers = faults.numbers(&pointer, value),
                "requesterVatNumbers" => request.requesters = Some(faults.requesters(&pointer, value)),
                "supplierCountry" => request.supplier_country = faults.supplier_country(&pointer, &value),
                "maxAgeSeconds" => request.max_age = faults.max_age(&pointer, &value),
                "partial" => match value {
                    Json::Bool(partial) => request.partial = partial,
                    other => faults.0.push(wrong_type(&pointer, "true or false", &other)),
                },
                _ => faults.add(
                    &pointer,
                    "unknown_field",
                    "There is no such field. Known are vatNumbers, requesterVatNumbers, supplierCountry, \
                     maxAgeSeconds and partial.",
                ),
            }
            seen.insert(name);
        }
        if !seen.contains("vatNumbers") {
            faults.add("/vatNumbers", "required", "Send vatNumbers: an array of 1 to 100 strings.");
        }
        if faults.0.is_empty() { Ok(request) } else { Err(faults.0) }
    }
}

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, pointer: &str, code: &'static str, detail: impl Into<String>) {
        self.0.push(Fault { pointer: pointer.to_owned(), code, detail: detail.into() });
    }

    fn numbers(&mut self, pointer: &str, value: Json) -> Vec<String> {
        let Json::Array(items) = value else {
            self.0.push(wrong_type(pointer, "an array of strings", &value));
            return Vec::new();
        };
        if items.is_empty() {
            self.add(pointer, "too_few", "Send at least one number.");
        }
        if items.len() > MAX_NUMBERS {
            let detail = format!("One call takes up to {MAX_NUMBERS} numbers; these are {}.", items.len());
            self.add(pointer, "too_many", detail);
            // One fault says it all: a list of a thousand would bury it.
            return Vec::new();
        }
        items
            .into_iter()
            .enumerate()
            .filter_map(|(at, item)| self.text(&format!("{pointer}/{at}"), item))
            .collect()
    }

    fn text(&mut self, pointer: &str, value: Json) -> Option<String> {
        let Json::String(text) = value else {
            self.0.push(wrong_type(pointer, "a string", &value));
            return None;
        };
        if text.chars().count() > MAX_CHARACTERS {
            let detail = format!("An entry may have up to {MAX_CHARACTERS} characters; this one has more.");
            self.add(pointer, "too_long", detail);
            return None;
        }
        Some(text)
    }

    fn requesters(&mut self, pointer: &str, value: Json) -> Requesters {
        let mut requesters = Requesters::default();
        let Json::Array(items) = value else {
            self.0.push(wrong_type(pointer, "an array of strings", &value));
            return requesters;
        };
        if items.len() > 2 {
            self.add(pointer, "too_many", "At most two: one GB and one EU or XI number.");
            return requesters;
        }
        for (at, item) in items.into_iter().enumerate() {
            let pointer = format!("{pointer}/{at}");
            let Some(text) = self.text(&pointer, item) else { continue };
            let reading = VatNumber::parse(&text);
            match reading.number() {
                None => self.add(&pointer, "invalid_value", unusable_requester(&reading)),
                Some(number) => {
                    if let Err(registry) = requesters.add(number) {
                        let detail = format!("{} already has a requester in this call.", registry.name());
                        self.add(&pointer, "invalid_value", detail);
                    }
                }
            }
        }
        requesters
    }

    fn max_age(&mut self, pointer: &str, value: &Json) -> Option<Duration> {
        let Json::Integer(seconds) = value else {
            self.0.push(wrong_type(pointer, "a whole number of seconds", value));
            return None;
        };
        let age = u64::try_from(*seconds).ok().filter(|_| *seconds <= MAX_AGE_SECONDS);
        if age.is_none() {
            self.add(pointer, "invalid_value", format!("Send 0 to {MAX_AGE_SECONDS} seconds."));
        }
        age.map(Duration::from_secs)
    }

    fn supplier_country(&mut self, pointer: &str, value: &Json) -> Option<SupplierCountry> {
        let Json::String(text) = value else {
            self.0.push(wrong_type(pointer, "a string", value));
            return None;
        };
        let country = SupplierCountry::parse(text);
        if country.is_none() {
            self.add(pointer, "invalid_value", "Send a country's two-letter ISO 3166-1 code, EL or XI.");
        }
        country
    }
}

fn unusable_requester(reading: &Reading) -> &'static str {
    match reading.shape() {
        Shape::Unsupported(_) => "Neither registry knows requesters of this kind.",
        Shape::Malformed(_) | Shape::Number(_) => {
            "This is not a well-formed VAT number with its country code."
        }
    }
}

fn wrong_type(pointer: &str, expected: &str, got: &Json) -> Fault {
    Fault {
        pointer: pointer.to_owned(),
        code: "wrong_type",
        detail: format!("Expected {expected}, got {}.", got.kind()),
    }
}

/// RFC 6901: `~` and `/` are escaped. A long name is cut: it is the caller's own and only has to be recognised.
fn escape(name: &str) -> String {
    name.chars().take(MAX_CHARACTERS).collect::<String>().replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(body: &str) -> Vec<(String, &'static str)> {
        let json = serde_json::from_str(body).expect("JSON");
        let faults = VerifyVatRequest::read(json).expect_err("must be refused");
        faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn every_fault_has_its_pointer_and_code() {
        let long = "é".repeat(65);
        let hundred_and_one = vec!["\"DE136695976\""; 101].join(",");
        let cases: Vec<(String, Vec<(&str, &str)>)> = vec![
            ("[]".into(), vec![("", "wrong_type")]),
            ("null".into(), vec![("", "wrong_type")]),
            ("{}".into(), vec![("/vatNumbers", "required")]),
            (r#"{"vatNumbers":null}"#.into(), vec![("/vatNumbers", "wrong_type")]),
            (r#"{"vatNumbers":"DE1"}"#.into(), vec![("/vatNumbers", "wrong_type")]),
            (r#"{"vatNumbers":[]}"#.into(), vec![("/vatNumbers", "too_few")]),
            (format!(r#"{{"vatNumbers":[{hundred_and_one}]}}"#), vec![("/vatNumbers", "too_many")]),
            (
                r#"{"vatNumbers":["DE811569869",null,12345]}"#.into(),
                vec![("/vatNumbers/1", "wrong_type"), ("/vatNumbers/2", "wrong_type")],
            ),
            (format!(r#"{{"vatNumbers":["a","{long}"]}}"#), vec![("/vatNumbers/1", "too_long")]),
            (
                r#"{"vatNumbers":[true],"VatNumbers":[],"a/b~c":1}"#.into(),
                vec![
                    ("/vatNumbers/0", "wrong_type"),
                    ("/VatNumbers", "unknown_field"),
                    ("/a~1b~0c", "unknown_field"),
                ],
            ),
            (r#"{"vatNumbers":["a"],"vatNumbers":["b"]}"#.into(), vec![("/vatNumbers", "invalid_value")]),
            (r#"{"vatNumbers":["a"],"partial":"yes"}"#.into(), vec![("/partial", "wrong_type")]),
            (r#"{"vatNumbers":["a"],"partial":0.0}"#.into(), vec![("/partial", "wrong_type")]),
            (r#"{"vatNumbers":["a"],"partial":null}"#.into(), vec![("/partial", "wrong_type")]),
            (
                r#"{"vatNumbers":["a"],"supplierCountry":"QQ"}"#.into(),
                vec![("/supplierCountry", "invalid_value")],
            ),
            (r#"{"vatNumbers":["a"],"maxAgeSeconds":"60"}"#.into(), vec![("/maxAgeSeconds", "wrong_type")]),
            (r#"{"vatNumbers":["a"],"maxAgeSeconds":0.0}"#.into(), vec![("/maxAgeSeconds", "wrong_type")]),
            (r#"{"vatNumbers":["a"],"maxAgeSeconds":6e1}"#.into(), vec![("/maxAgeSeconds", "wrong_type")]),
            (r#"{"vatNumbers":["a"],"maxAgeSeconds":-1}"#.into(), vec![("/maxAgeSeconds", "invalid_value")]),
            (
                r#"{"vatNumbers":["a"],"maxAgeSeconds":86401}"#.into(),
                vec![("/maxAgeSeconds", "invalid_value")],
            ),
            (
                r#"{"vatNumbers":["a"],"maxAgeSeconds":18446744073709551615}"#.into(),
                vec![("/maxAgeSeconds", "invalid_value")],
            ),
            (r#"{"vatNumbers":["a"],"supplierCountry":7}"#.into(), vec![("/supplierCountry", "wrong_type")]),
            (
                r#"{"vatNumbers":["a"],"requesterVatNumbers":["DE136695976","FR40303265045"]}"#.into(),
                vec![("/requesterVatNumbers/1", "invalid_value")],
            ),
            (
                r#"{"vatNumbers":["a"],"requesterVatNumbers":["GB1","CHE116281710"]}"#.into(),
                vec![
                    ("/requesterVatNumbers/0", "invalid_value"),
                    ("/requesterVatNumbers/1", "invalid_value"),
                ],
            ),
            (
                r#"{"vatNumbers":["a"],"requesterVatNumbers":["a","b","c"]}"#.into(),
                vec![("/requesterVatNumbers", "too_many")],
            ),
            (
                r#"{"vatNumbers":["a"],"requesterVatNumbers":{}}"#.into(),
                vec![("/requesterVatNumbers", "wrong_type")],
            ),
        ];
        for (body, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(at, code)| (at.to_owned(), code)).collect();
            assert_eq!(faults(&body), expected, "{body}");
        }
    }

    #[test]
    fn a_requester_whose_check_digits_fail_is_let_through() {
        let json = serde_json::from_str(r#"{"vatNumbers":["a"],"requesterVatNumbers":["GB123456789"]}"#)
            .expect("JSON");
        let request = VerifyVatRequest::read(json).expect("accepted");
        assert!(request.requesters.expect("given").asking_about(vat::Prefix::Gb).is_some());
    }

    #[test]
    fn the_limits_of_an_age_are_allowed() {
        for (seconds, age) in [("0", 0), ("86400", 86_400)] {
            let json = serde_json::from_str(&format!(r#"{{"vatNumbers":["a"],"maxAgeSeconds":{seconds}}}"#));
            let request = VerifyVatRequest::read(json.expect("JSON")).expect("accepted");
            assert_eq!(request.max_age, Some(Duration::from_secs(age)));
        }
    }

    #[test]
    fn no_requesters_at_all_are_another_thing_than_none_given() {
        let json = serde_json::from_str(r#"{"vatNumbers":["a"],"requesterVatNumbers":[]}"#).expect("JSON");
        assert_eq!(VerifyVatRequest::read(json).expect("accepted").requesters, Some(Requesters::default()));
    }

    #[test]
    fn sixty_four_characters_are_counted_as_characters_and_not_as_bytes() {
        let entry = "é".repeat(64);
        let json = serde_json::from_str(&format!(r#"{{"vatNumbers":["{entry}"]}}"#)).expect("JSON");
        assert_eq!(VerifyVatRequest::read(json).expect("accepted").vat_numbers, [entry]);
    }
}
