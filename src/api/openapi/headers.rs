//! Headers in the description: those of every call and every answer, those of counted calls, and which are always there.
//! What stands with an answer of one call alone is described beside its handler.

use utoipa::openapi::{
    Components, Header, ObjectBuilder, OpenApi, Ref, RefOr, Required, Response,
    path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem},
    schema::Type,
};

/// A header of several answers: its name, what it says, and the form of its value.
type Shared = (&'static str, &'static str, &'static str);

const REQUEST_ID: Shared = (
    "X-Request-Id",
    "The name of the call, yours or ours. Quote it when you ask support.",
    "^[A-Za-z0-9._-]{1,64}$",
);
const CACHE_CONTROL: Shared =
    ("Cache-Control", "No answer is to be kept by anything on its way.", "^no-store$");
const RATE_LIMIT: [Shared; 2] = [
    (
        "RateLimit-Policy",
        "Of a counted call: the name of the plan, and `q` requests in `w` seconds.",
        r#"^"[^"]*";q=[0-9]+;w=60$"#,
    ),
    (
        "RateLimit",
        "Of a counted call: `r` requests that are left, and `t` seconds until the oldest that is counted leaves the window.",
        r#"^"[^"]*";r=[0-9]+;t=[0-9]+$"#,
    ),
];

/// Describes the headers of every call and of every answer.
pub(super) fn describe(openapi: &mut OpenApi) {
    for operation in openapi.paths.paths.values_mut().flat_map(operations) {
        operation
            .parameters
            .get_or_insert_default()
            .push(RefOr::Ref(Ref::new("#/components/parameters/RequestId")));
        let answers = &mut operation.responses.responses;
        // Only a call that is counted can be one too many.
        let is_counted = answers.contains_key("429");
        for (status, answer) in answers {
            if let RefOr::T(answer) = answer {
                describe_answer(answer, status, is_counted);
            }
        }
    }
    let components = openapi.components.get_or_insert_default();
    components.parameters.insert("RequestId".to_owned(), RefOr::T(own_name()));
    describe_shared(components);
}

/// Every operation of a path; ours have no other methods.
fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    path.get.iter_mut().chain(path.post.iter_mut())
}

fn describe_answer(answer: &mut Response, status: &str, is_counted: bool) {
    for header in answer.headers.values_mut() {
        if let RefOr::T(header) = header {
            always_there(header);
        }
    }
    refer(answer, REQUEST_ID, "");
    refer(answer, CACHE_CONTROL, "");
    // Nobody is counted before it is known who calls; what fails on our side may have failed before.
    let kind = match status {
        "401" | "403" => return,
        "500" | "503" => OPTIONAL,
        _ => "",
    };
    if is_counted {
        for header in RATE_LIMIT {
            refer(answer, header, kind);
        }
    }
}

/// Ends the name of a shared header that is not always there.
const OPTIONAL: &str = "-if-counted";

/// Unless the answer describes that header itself.
fn refer(answer: &mut Response, (name, ..): Shared, kind: &str) {
    let place = Ref::new(format!("#/components/headers/{name}{kind}"));
    answer.headers.entry(name.to_owned()).or_insert(RefOr::Ref(place));
}

fn describe_shared(components: &mut Components) {
    for (name, about, form) in [REQUEST_ID, CACHE_CONTROL].into_iter().chain(RATE_LIMIT) {
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(form));
        let mut header = Header::new(schema);
        header.description = Some(about.to_owned());
        if RATE_LIMIT.iter().any(|(counted, ..)| *counted == name) {
            components.headers.insert(format!("{name}{OPTIONAL}"), RefOr::T(header.clone()));
        }
        always_there(&mut header);
        components.headers.insert(name.to_owned(), RefOr::T(header));
    }
}

/// The library has no field for it.
fn always_there(header: &mut Header) {
    header.extensions.get_or_insert_default().insert("required".to_owned(), true.into());
}

fn own_name() -> Parameter {
    ParameterBuilder::new()
        .name(REQUEST_ID.0)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "A name of your own for the call: 1 to 64 letters, digits, dots, dashes and underscores. It is kept; anything else \
             is replaced by a name of ours.",
        ))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}
