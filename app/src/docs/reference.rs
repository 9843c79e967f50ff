//! `/docs/reference`: every call, field and answer, as the API describes itself.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;

use super::json::json_markup;
use super::prose::prose;
use crate::components::{Column, DataTable, DocsLayout, FilterBar, FilterField, Listing};
use crate::portal::ServerView;

/// What the API says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// Its calls.
    pub operations: Vec<Operation>,
    /// What bodies consist of.
    pub schemas: Vec<Schema>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its identifier, and its anchor.
    pub id: String,
    /// Its method, in capitals.
    pub method: String,
    /// Its path, version and all.
    pub path: String,
    /// What it does, in a few words.
    pub summary: String,
    /// The same in sentences.
    pub about: String,
    /// The schema of its body.
    pub body: Option<String>,
    /// What may be answered.
    pub responses: Vec<Response>,
}

/// An answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Its HTTP status.
    pub status: String,
    /// When it comes; words of code between backticks.
    pub about: String,
    /// The schema of its body.
    pub schema: Option<String>,
    /// Headers that come with it and not with every answer.
    pub headers: Vec<HeaderEntry>,
}

/// A header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderEntry {
    /// Its name.
    pub name: String,
    /// What it says.
    pub about: String,
}

/// An object in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Its name, and its anchor.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its fields, those that are always there first.
    pub fields: Vec<Field>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Whether it has to be there.
    pub required: bool,
    /// What it takes, in words.
    pub kind: String,
    /// The schema of what it holds.
    pub schema: Option<String>,
    /// What it means; words of code between backticks.
    pub about: String,
    /// The only values it can have.
    pub values: Vec<String>,
    /// One of its values.
    pub example: Option<String>,
}

/// `/docs/reference`
#[derive(Clone, Debug)]
pub struct ReferencePage {
    /// All of it.
    pub reference: Arc<Reference>,
    /// The error codes, which have a page.
    pub error_codes: HashSet<&'static str>,
    /// What is looked for; empty for everything.
    pub find: String,
}

/// Headers of every call.
const SENT: [(&str, &str); 3] = [
    (
        "Authorization",
        "`Bearer` and an API key, once. A key in the address or under another scheme is not read.",
    ),
    ("Content-Type", "`application/json`, with a call that has a body."),
    (
        "X-Request-Id",
        "If you like: a name of your own for the call, 1 to 64 letters, digits, dots, dashes and underscores. It is kept.",
    ),
];

/// Headers of answers.
const RECEIVED: [(&str, &str); 5] = [
    ("X-Request-Id", "The name of the call, yours or ours. Quote it when you ask support."),
    ("Cache-Control", "`no-store`: no answer is to be kept by anything on its way."),
    (
        "RateLimit-Policy",
        "Of a call that is counted, or one too many: the name of the plan, `q` requests in `w` seconds.",
    ),
    (
        "RateLimit",
        "Of the same: `r` requests that are left, and `t` seconds until the oldest that is counted leaves the window.",
    ),
    ("Retry-After", "With 429 and 503: whole seconds after which asking again makes sense."),
];

/// Real questions and answers: the call they belong to, what they are, and the body. Errors are folded.
const EXAMPLES: [(&str, &str, &str); 5] = [
    ("verifyVat", "What is sent", include_str!("../../../docs/examples/verify-vat.json")),
    (
        "verifyVat",
        "200: every number was answered",
        include_str!("../../../docs/examples/verify-vat-200.json"),
    ),
    ("verifyVat", "422: two faults", include_str!("../../../docs/examples/verify-vat-422.json")),
    ("verifyVat", "503: France does not answer", include_str!("../../../docs/examples/verify-vat-503.json")),
    ("account", "200", include_str!("../../../docs/examples/account-200.json")),
];

impl ReferencePage {
    /// Whether a text has what is looked for.
    fn has(&self, texts: &[&str]) -> bool {
        let find = self.find.to_lowercase();
        texts.iter().any(|text| text.to_lowercase().contains(&find))
    }

    fn has_field(&self, field: &Field) -> bool {
        self.has(&[&field.name, &field.kind, &field.about])
            || field.values.iter().any(|value| self.has(&[value]))
    }

    fn has_response(&self, response: &Response) -> bool {
        let headers = response.headers.iter().any(|header| self.has(&[&header.name, &header.about]));
        headers || self.has(&[&response.status, &response.about])
    }

    /// A call with what is looked for, if it has it: all of it where its own words do.
    fn found_operation(&self, operation: &Operation) -> Option<Operation> {
        if self.has(&[&operation.path, &operation.summary, &operation.about]) {
            return Some(operation.clone());
        }
        let responses: Vec<_> =
            operation.responses.iter().filter(|response| self.has_response(response)).cloned().collect();
        (!responses.is_empty()).then(|| Operation { responses, ..operation.clone() })
    }

    fn found_schema(&self, schema: &Schema) -> Option<Schema> {
        if self.has(&[&schema.name, &schema.about]) {
            return Some(schema.clone());
        }
        let fields: Vec<_> = schema.fields.iter().filter(|field| self.has_field(field)).cloned().collect();
        (!fields.is_empty()).then(|| Schema { fields, ..schema.clone() })
    }

    /// Words of code, those that name an error as links to it.
    fn code(&self, word: &str) -> AnyView {
        let shown = word.to_owned();
        if self.error_codes.contains(word) {
            let address = format!("/docs/errors#{word}");
            return view! {
                <a href=address rel="external">
                    <code>{shown}</code>
                </a>
            }
            .into_any();
        }
        view! { <code>{shown}</code> }.into_any()
    }

    /// Text with words of code between backticks.
    fn linked(&self, text: &str) -> AnyView {
        let parts = text
            .split('`')
            .enumerate()
            .map(|(at, part)| if at % 2 == 0 { part.to_owned().into_any() } else { self.code(part) });
        parts.collect_view().into_any()
    }

    fn operation(&self, operation: &Operation) -> AnyView {
        let finds = !self.find.is_empty();
        let rows = operation.responses.iter().map(|response| self.response(response)).collect();
        let body = operation
            .body
            .as_deref()
            .map(|schema| view! { <p>"Its body is a " {schema_link(schema)} "."</p> });
        let examples: Vec<_> = EXAMPLES
            .iter()
            .enumerate()
            .filter(|(_, (of, ..))| !finds && *of == operation.id)
            .map(|(at, (_, title, json))| example(at, title, json))
            .collect();
        view! {
            <section id=operation.id.clone()>
                <h2>
                    <code>{format!("{} {}", operation.method, operation.path)}</code>
                </h2>
                <p>
                    <strong>{format!("{}.", operation.summary)}</strong>
                    " "
                    {self.linked(&operation.about)}
                </p>
                {body}
                {examples}
                <DataTable
                    caption="What is answered"
                    columns=&[Column::Title("Status"), Column::Text("When"), Column::Text("Body")]
                    rows=rows
                />
            </section>
        }
        .into_any()
    }

    fn response(&self, response: &Response) -> Vec<AnyView> {
        let headers = response.headers.iter().map(|header| {
            view! {
                <p>
                    "With " <code>{header.name.clone()}</code> ": " {header.about.clone()} "."
                </p>
            }
        });
        let about = view! {
            <p>{self.linked(&response.about)}</p>
            {headers.collect_view()}
        };
        let body = response.schema.as_deref().map_or_else(|| "None".into_any(), schema_link);
        vec![response.status.clone().into_any(), about.into_any(), body]
    }

    fn schema(&self, schema: &Schema) -> AnyView {
        let rows = schema.fields.iter().map(|field| self.field(&schema.name, field)).collect();
        view! {
            <section id=schema.name.clone()>
                <h2>{schema.name.clone()}</h2>
                <p>{self.linked(&schema.about)}</p>
                <DataTable
                    caption="Its fields"
                    columns=&[Column::Title("Field"), Column::Text("Takes"), Column::Text("Meaning")]
                    rows=rows
                />
            </section>
        }
        .into_any()
    }

    fn field(&self, schema: &str, field: &Field) -> Vec<AnyView> {
        let anchor = format!("{schema}.{}", field.name);
        let optional = (!field.required).then(|| view! { " " <small>"not always there"</small> });
        let name = view! {
            <code id=anchor>{field.name.clone()}</code>
            {optional}
        };
        let of = field.schema.as_deref().map(|schema| view! { " " {schema_link(schema)} });
        let example = field.example.clone().map(|example| {
            view! {
                ", such as "
                <code>{example}</code>
            }
        });
        let kind = view! {
            {field.kind.clone()}
            {of}
            {example}
        };
        let about = (!field.about.is_empty()).then(|| view! { <p>{self.linked(&field.about)}</p> });
        let values = (!field.values.is_empty()).then(|| {
            let values = field.values.iter().enumerate().map(|(at, value)| {
                view! {
                    {if at == 0 { "" } else { ", " }}
                    {self.code(value)}
                }
            });
            view! { <p>"One of " {values.collect_view()} "."</p> }
        });
        let meaning = view! {
            {about}
            {values}
        };
        vec![name.into_any(), kind.into_any(), meaning.into_any()]
    }

    /// How much was found, when something is looked for.
    fn count(&self, operations: usize, schemas: &[Schema]) -> Option<AnyView> {
        if self.find.is_empty() {
            return None;
        }
        let fields: usize = schemas.iter().map(|schema| schema.fields.len()).sum();
        let words = if operations + fields == 0 {
            format!("Nothing here has “{}” in it.", self.find)
        } else {
            let one = |count: usize, word: &str| {
                if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
            };
            format!("“{}”: {} and {}.", self.find, one(operations, "call"), one(fields, "field"))
        };
        let shown = view! {
            <p role="status">
                {words} " "
                <a href="/docs/reference" rel="external">
                    "Show everything"
                </a>
            </p>
        };
        Some(shown.into_any())
    }
}

fn example(at: usize, title: &'static str, json: &str) -> AnyView {
    let listing = view! { <Listing id=format!("example-{at}") title=title code=json_markup(json) /> };
    if title.starts_with(['4', '5']) {
        return view! {
            <details>
                <summary>{title}</summary>
                {listing}
            </details>
        }
        .into_any();
    }
    listing.into_any()
}

fn schema_link(name: &str) -> AnyView {
    let (address, name) = (format!("/docs/reference#{name}"), name.to_owned());
    view! {
        <a href=address rel="external">
            {name}
        </a>
    }
    .into_any()
}

fn headers(caption: &'static str, headers: &[(&'static str, &'static str)]) -> AnyView {
    let rows = headers
        .iter()
        .map(|(name, about)| vec![view! { <code>{*name}</code> }.into_any(), prose(about)])
        .collect();
    view! { <DataTable caption=caption columns=&[Column::Title("Header"), Column::Text("Meaning")] rows=rows /> }
        .into_any()
}

impl ServerView for ReferencePage {
    fn title(&self) -> String {
        match self.find.as_str() {
            "" => "The API – Documentation".to_owned(),
            word => format!("“{word}” in the API – Documentation"),
        }
    }

    fn view(self) -> AnyView {
        let operations: Vec<_> = self
            .reference
            .operations
            .iter()
            .filter_map(|operation| self.found_operation(operation))
            .collect();
        let schemas: Vec<_> =
            self.reference.schemas.iter().filter_map(|schema| self.found_schema(schema)).collect();
        let count = self.count(operations.len(), &schemas);
        let around = self.find.is_empty().then(|| {
            view! {
                <section id="headers">
                    <h2>"Headers"</h2>
                    {headers("What you send", &SENT)}
                    {headers("What you get", &RECEIVED)}
                </section>
            }
        });
        let contents = self.find.is_empty().then(|| {
            let schemas =
                self.reference.schemas.iter().map(|schema| view! { <li>{schema_link(&schema.name)}</li> });
            let operations = self.reference.operations.iter().map(|operation| {
                view! {
                    <li>
                        <a href=format!("/docs/reference#{}", operation.id) rel="external">
                            <code>{format!("{} {}", operation.method, operation.path)}</code>
                        </a>
                        {format!(": {}", operation.summary)}
                    </li>
                }
            });
            view! {
                <ul>{operations.collect_view()}</ul>
                <details>
                    <summary>"What bodies consist of"</summary>
                    <ul>{schemas.collect_view()}</ul>
                </details>
            }
        });
        let found_operations = operations.iter().map(|operation| self.operation(operation)).collect_view();
        let found_schemas = schemas.iter().map(|schema| self.schema(schema)).collect_view();
        view! {
            <DocsLayout current="/docs/reference">
                <h1>"The API"</h1>
                <p>
                    {prose(
                        "Every call goes over HTTPS and needs an API key. Bodies are JSON in UTF-8. A field that is not described \
                         here is refused in a request and may be added to an answer at any time. There is no CORS: a key never \
                         belongs in a browser.",
                    )}
                </p>
                <FilterBar action="/docs/reference">
                    <FilterField name="find" label="Find a word" kind="search" value=self.find />
                </FilterBar>
                {count}
                {contents}
                {found_operations}
                {around}
                {found_schemas}
            </DocsLayout>
        }
        .into_any()
    }
}
