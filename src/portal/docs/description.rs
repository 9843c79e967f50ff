//! Reads the API's description, OpenAPI 3.1 in JSON, as far as ours goes: objects with plain fields, no nesting.

use crossvat_app::docs::{Field, HeaderEntry, Operation, Reference, Response, Schema};
use serde_json::{Map, Value};
use thiserror::Error;

/// What was given is no description.
#[derive(Debug, Error)]
#[error("the description of the API cannot be read: {0}")]
pub struct UnreadableDescription(String);

/// An object without members, where one is missing.
static NOTHING: Value = Value::Null;

/// The calls, that with a body first, and what bodies consist of.
pub(super) fn read(text: &str) -> Result<Reference, UnreadableDescription> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| UnreadableDescription(error.to_string()))?;
    let missing = |what: &str| UnreadableDescription(format!("it has no {what}"));
    let server = document["servers"][0]["url"].as_str().unwrap_or_default();
    let paths = document["paths"].as_object().ok_or_else(|| missing("paths"))?;
    let schemas = document["components"]["schemas"].as_object().ok_or_else(|| missing("schemas"))?;
    let mut operations: Vec<Operation> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let path = format!("{server}{path}");
            members(methods).map(move |(method, operation)| read_operation(&path, method, operation))
        })
        .collect();
    operations.sort_by_key(|operation| operation.body.is_none());
    let schemas = schemas.iter().map(|(name, schema)| read_schema(name, schema)).collect();
    let schemas = in_order_of_use(&operations, schemas);
    Ok(Reference { operations, schemas })
}

/// First what the first call takes and answers, each with what it consists of; at last what nothing refers to.
fn in_order_of_use(operations: &[Operation], mut unordered: Vec<Schema>) -> Vec<Schema> {
    let mut ordered: Vec<Schema> = Vec::new();
    let used = operations.iter().flat_map(|operation| {
        operation
            .body
            .iter()
            .chain(operation.responses.iter().filter_map(|response| response.schema.as_ref()))
    });
    let mut waiting: Vec<String> = used.cloned().collect();
    waiting.reverse();
    while let Some(name) = waiting.pop() {
        let Some(at) = unordered.iter().position(|schema| schema.name == name) else { continue };
        let schema = unordered.remove(at);
        waiting.extend(schema.fields.iter().rev().filter_map(|field| field.schema.clone()));
        ordered.push(schema);
    }
    ordered.extend(unordered);
    ordered
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().replace('\n', " ")
}

fn read_operation(path: &str, method: &str, operation: &Value) -> Operation {
    Operation {
        id: text(&operation["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        about: text(&operation["description"]),
        body: schema_of(&operation["requestBody"]),
        responses: members(&operation["responses"])
            .map(|(status, response)| read_response(status, response))
            .collect(),
    }
}

fn read_response(status: &str, response: &Value) -> Response {
    // What several answers carry is referred to, and told once, in the table of headers.
    let header = |(name, header): (&String, &Value)| {
        header
            .get("$ref")
            .is_none()
            .then(|| HeaderEntry { name: name.clone(), about: text(&header["description"]) })
    };
    Response {
        status: status.to_owned(),
        about: text(&response["description"]),
        schema: schema_of(response),
        headers: members(&response["headers"]).filter_map(header).collect(),
    }
}

/// The schema of a body, whatever its media type.
fn schema_of(body: &Value) -> Option<String> {
    let (_, content) = members(&body["content"]).next()?;
    named(&content["schema"])
}

/// The name of the schema that is referred to.
fn named(schema: &Value) -> Option<String> {
    Some(schema["$ref"].as_str()?.rsplit('/').next()?.to_owned())
}

fn read_schema(name: &str, schema: &Value) -> Schema {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut fields: Vec<Field> = members(&schema["properties"])
        .map(|(name, field)| read_field(name, required.contains(&name.as_str()), field))
        .collect();
    let place = |field: &Field| required.iter().position(|name| *name == field.name);
    fields.sort_by_key(|field| place(field).unwrap_or(required.len()));
    Schema { name: name.to_owned(), about: text(&schema["description"]), fields }
}

fn read_field(name: &str, required: bool, field: &Value) -> Field {
    let items = field.get("items").unwrap_or(&NOTHING);
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = field["enum"].as_array().into_iter().flatten().map(word);
    let examples = field["examples"].as_array().and_then(|examples| examples.first());
    let example = examples.or_else(|| field.get("example"));
    Field {
        name: name.to_owned(),
        required,
        kind: kind(field),
        schema: named(field).or_else(|| named(items)),
        about: text(&field["description"]),
        values: values.collect(),
        example: example.map(|example| example.as_str().map_or_else(|| example.to_string(), str::to_owned)),
    }
}

/// What a field takes, in words. That it may be `null` is said where it has to be there nevertheless.
fn kind(field: &Value) -> String {
    let types: Vec<&str> = match &field["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec!["object"],
    };
    let words = match types.first().copied().unwrap_or("object") {
        "string" if field["format"] == "date-time" => "Point in time, ISO 8601 in UTC".to_owned(),
        "string" if field["format"] == "uri" => "Address".to_owned(),
        "string" => format!("Text{}", bounds(field, "minLength", "maxLength", "character")),
        "integer" => format!("Whole number{}", range(field)),
        "boolean" => "true or false".to_owned(),
        "array" => {
            let bounds = bounds(field, "minItems", "maxItems", "entry");
            match field["items"]["type"].as_str() {
                Some("string") => {
                    let each = bounds_of_each(&field["items"]);
                    format!("List of texts{bounds}{each}")
                }
                _ => format!("List{bounds} of"),
            }
        }
        _ => "Object".to_owned(),
    };
    match field.get("default") {
        Some(default) => format!("{words}; {default} unless given"),
        None => words,
    }
}

fn bounds_of_each(items: &Value) -> String {
    items["maxLength"].as_u64().map(|most| format!(", each up to {most} characters")).unwrap_or_default()
}

/// How long something may be.
fn bounds(field: &Value, least: &str, most: &str, word: &str) -> String {
    let plural = |count: u64| match (count, word) {
        (1, word) => format!("1 {word}"),
        (count, "entry") => format!("{count} entries"),
        (count, word) => format!("{count} {word}s"),
    };
    match (field[least].as_u64(), field[most].as_u64()) {
        (Some(least), Some(most)) if least == most => format!(" of {}", plural(most)),
        (Some(least), Some(most)) => format!(", {least} to {}", plural(most)),
        (None, Some(most)) => format!(", up to {}", plural(most)),
        _ => String::new(),
    }
}

/// Between what a number is.
fn range(field: &Value) -> String {
    match (field["minimum"].as_u64(), field["maximum"].as_u64()) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) if least > 0 => format!(", {least} or more"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{kind, read};

    #[test]
    fn what_a_field_takes_is_said_in_words() {
        for (field, words) in [
            (json!({"type": "string"}), "Text"),
            (json!({"type": "string", "minLength": 2, "maxLength": 2}), "Text of 2 characters"),
            (json!({"type": ["string", "null"], "format": "date-time"}), "Point in time, ISO 8601 in UTC"),
            (json!({"type": "integer", "minimum": 0, "maximum": 99}), "Whole number, 0 to 99"),
            (json!({"type": "integer", "minimum": 1}), "Whole number, 1 or more"),
            (json!({"type": "boolean", "default": false}), "true or false; false unless given"),
            (
                json!({"type": "array", "items": {"type": "string", "maxLength": 64}, "minItems": 1, "maxItems": 100}),
                "List of texts, 1 to 100 entries, each up to 64 characters",
            ),
            (json!({"type": "array", "items": {"$ref": "#/components/schemas/Fault"}}), "List of"),
            (json!({"$ref": "#/components/schemas/KeyItem"}), "Object"),
        ] {
            assert_eq!(kind(&field), words, "{field}");
        }
    }

    #[test]
    fn schemas_stand_in_the_order_of_their_use() {
        let refers = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let content = |name: &str| json!({ "content": { "application/json": { "schema": refers(name) } } });
        let document = json!({
            "servers": [{ "url": "/v1" }],
            "paths": { "/a": { "post": { "requestBody": content("Z"), "responses": { "200": content("M") } } } },
            "components": { "schemas": {
                "A": { "properties": {} },
                "M": { "properties": {} },
                "N": { "properties": { "again": refers("Z") } },
                "Z": { "properties": { "within": refers("N") } },
            } },
        });
        let read = read(&document.to_string()).expect("a description");
        let names: Vec<_> = read.schemas.iter().map(|schema| schema.name.as_str()).collect();
        assert_eq!(names, ["Z", "N", "M", "A"]);
        assert_eq!((read.operations[0].method.as_str(), read.operations[0].path.as_str()), ("POST", "/v1/a"));
    }

    #[test]
    fn what_is_no_description_is_refused() {
        assert!(read("{").is_err());
        assert!(read(r#"{"openapi": "3.1.0", "paths": {}}"#).is_err());
    }
}
