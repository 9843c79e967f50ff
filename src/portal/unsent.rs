//! Forms that were sent when their session had ended: what was typed is kept for an hour, for the same person in the same
//! browser, and stands in the form again after the sign-in. Nothing is carried out before it is sent anew.
//!
//! A browser is known by a cookie of its own from its last sign-in on, so that strangers can have nothing kept. Passwords
//! and codes are never kept.

use std::{collections::HashMap, time::Duration};

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, value},
};
use tower_sessions::{
    Expiry, Session, SessionStore,
    session::{Id, Record},
};

use super::{
    check,
    fault::Fault,
    state::Portal,
    visit::{Visit, led_by},
};
use crate::{limits::LimitedAction, people::Person, portal::SESSION_LIFETIMES};

/// The cookie by which a browser is known.
pub(super) const BROWSER_COOKIE: &str = "__Host-browser";
/// How long a browser is known: a day longer than anybody stays signed in.
pub(super) const BROWSER_LIFETIME: Duration =
    SESSION_LIFETIMES.member.saturating_add(Duration::from_hours(24));
/// How long a form is kept: time to sign in, with a mail about a forgotten password between.
const KEPT_FOR: Duration = Duration::from_hours(1);
/// Where the session of a browser holds who signed in last.
const LAST: &str = "last_signed_in";
/// Where the session of a form holds the form.
const FORM: &str = "unsent_form";
/// What an address says of the form that is kept for it.
const PARAMETER: &str = "unsent";
/// Where support staff send forms before they are signed in.
const WAYS_IN_OF_STAFF: [&str; 3] = ["/staff/sign-in", "/staff/second-factor", "/staff/join"];
/// Fields that are typed blind.
const SECRET_FIELDS: [&str; 6] = ["password", "present", "new", "code", "demand_code", "key"];

/// What was typed: names and values.
pub(super) type Fields = Vec<(String, String)>;

/// The session that a browser is known by, whoever is signed in with it.
#[derive(Clone, Debug)]
pub(super) struct Browser(Session);

/// Who signed in last with a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LastSignedIn {
    person: Person,
    /// The same for as long as nobody else signs in there.
    mark: String,
}

#[derive(Serialize, Deserialize)]
struct UnsentForm {
    by: LastSignedIn,
    /// Of the page with the form.
    path: String,
    fields: Fields,
}

/// A form for somebody who has to sign in first is kept and leads to the sign-in; everything else goes on.
pub(super) async fn keep_unsent(State(portal): State<Portal>, request: Request, next: Next) -> Response {
    let Some(way_in) = way_in(&request) else { return next.run(request).await };
    let (mut parts, body) = request.into_parts();
    let visit = match Visit::from_request_parts(&mut parts, &portal).await {
        Ok(visit) => visit,
        Err(response) => return response,
    };
    let mut request = Request::from_parts(parts, body);
    if visit.person().is_some() {
        request.extensions_mut().insert(visit);
        return next.run(request).await;
    }
    match keep(&visit, request).await {
        Ok(Some(kept)) => led_by(way_in, &format!("{}?{PARAMETER}={kept}", path_of(&visit.address))),
        Ok(None) => led_by(way_in, &visit.address),
        Err(fault) => fault.into_response(),
    }
}

/// Takes the session of the browser out of the way of the one that tells who is signed in.
pub(super) async fn know_browser(mut request: Request) -> Request {
    if let Some(session) = request.extensions_mut().remove::<Session>() {
        request.extensions_mut().insert(Browser(session));
    }
    request
}

/// Where one signs in who sends a form to this address; none for forms that anybody may send.
fn way_in(request: &Request) -> Option<&'static str> {
    let path = request.uri().path();
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if request.method() != Method::POST || WAYS_IN_OF_STAFF.into_iter().any(is_below) {
        None
    } else if is_below("/portal") {
        Some("/sign-in")
    } else {
        is_below("/staff").then_some("/staff/sign-in")
    }
}

/// Keeps what a form holds. None is kept of a browser that is not known, or for a person of whom much is kept already.
async fn keep(visit: &Visit, request: Request) -> Result<Option<Id>, Fault> {
    let portal = &visit.portal;
    let Some(by) = visit.browser.0.get::<LastSignedIn>(LAST).await? else { return Ok(None) };
    if portal.limiter.admit(&LimitedAction::UnsentForm { person: by.person.id() }).await.is_err() {
        return Ok(None);
    }
    let Some(fields) = fields_of(request).await else { return Ok(None) };
    let form = UnsentForm { by, path: path_of(&visit.address).to_owned(), fields };
    let data = HashMap::from([(FORM.to_owned(), serde_json::to_value(form)?)]);
    let mut record = Record { id: Id::default(), data, expiry_date: visit.in_time(KEPT_FOR) };
    portal.session_store.create(&mut record).await?;
    Ok(Some(record.id))
}

/// What a form holds but for secrets; `None` when it is none of ours.
async fn fields_of(request: Request) -> Option<Fields> {
    let kind = request.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    if kind.starts_with("multipart/form-data") {
        return check::typed_fields(request).await;
    }
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return None;
    }
    let body = Bytes::from_request(request, &()).await.ok()?;
    let fields = url::form_urlencoded::parse(&body).into_owned();
    Some(fields.filter(|(name, _)| !SECRET_FIELDS.contains(&name.as_str())).collect())
}

impl Visit {
    /// Remembers who signs in with this browser.
    pub(super) async fn remember(&self, person: Person) -> Result<(), Fault> {
        let browser = &self.browser.0;
        let last: Option<LastSignedIn> = browser.get(LAST).await?;
        let last = last
            .filter(|last| last.person == person)
            .unwrap_or_else(|| LastSignedIn { person, mark: self.portal.new_token() });
        browser.cycle_id().await?;
        browser.set_expiry(Some(Expiry::AtDateTime(self.in_time(BROWSER_LIFETIME))));
        Ok(browser.insert(LAST, last).await?)
    }

    /// What the reader had typed into this page's form when the session had ended; the page then says so.
    pub(super) async fn typed_before<T: DeserializeOwned>(&self) -> Result<Option<T>, Fault> {
        let (Some(kept), Some(person)) = (kept_in(&self.address), self.person()) else { return Ok(None) };
        let Some(record) = self.portal.session_store.load(&kept).await? else { return Ok(None) };
        let form = record.data.get(FORM).cloned().map(serde_json::from_value::<UnsentForm>).transpose()?;
        let last: Option<LastSignedIn> = self.browser.0.get(LAST).await?;
        let is_theirs = |form: &UnsentForm| {
            form.by.person == person && Some(&form.by) == last.as_ref() && form.path == path_of(&self.address)
        };
        let Some(form) = form.filter(is_theirs) else { return Ok(None) };
        let fields = value::MapDeserializer::<_, value::Error>::new(form.fields.into_iter());
        let typed = T::deserialize(fields).ok();
        if typed.is_some() {
            self.tell_that_it_was_not_sent();
        }
        Ok(typed)
    }
}

/// Whether a form is kept for the page at an address.
pub(super) fn leads_to_kept(address: &str) -> bool {
    kept_in(address).is_some()
}

fn kept_in(address: &str) -> Option<Id> {
    let (_, query) = address.split_once('?')?;
    let (_, kept) = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == PARAMETER)?;
    kept.parse().ok()
}

fn path_of(address: &str) -> &str {
    address.split_once('?').map_or(address, |(path, _)| path)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use axum::{body::Body, extract::Request};
    use tower_sessions::session::Id;

    use super::{SECRET_FIELDS, fields_of, kept_in, leads_to_kept, path_of, way_in};

    #[test]
    fn whoever_sends_a_form_signs_in_where_its_page_is() {
        for (method, path, expected) in [
            ("POST", "/portal/keys/new", Some("/sign-in")),
            ("POST", "/portal/check?x=1", Some("/sign-in")),
            ("GET", "/portal/keys/new", None),
            ("POST", "/portals", None),
            ("POST", "/sign-in", None),
            ("POST", "/sign-up", None),
            ("POST", "/staff", Some("/staff/sign-in")),
            ("POST", "/staff/accounts/1", Some("/staff/sign-in")),
            ("POST", "/staff/sign-in", None),
            ("POST", "/staff/second-factor", None),
        ] {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
            assert_eq!(way_in(&request), expected, "{method} {path}");
        }
    }

    #[test]
    fn an_address_names_what_is_kept_for_it() {
        let id = Id(7);
        let address = format!("/portal/keys/new?unsent={id}");
        assert_eq!((kept_in(&address), path_of(&address)), (Some(id), "/portal/keys/new"));
        for address in
            ["/portal", "/portal?", "/portal?unsent=", "/portal?unsent=..%2F", "/portal?done=unsent"]
        {
            assert!(!leads_to_kept(address), "{address}");
        }
    }

    /// Fields whose content is not shown, or works once: by their kind or by what browsers fill in.
    #[test]
    fn every_field_that_is_typed_blind_is_known() {
        let mut found = Vec::new();
        let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/app/src"))];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Ok(text) = fs::read_to_string(&path) else { continue };
                for field in text.split("<Field").skip(1) {
                    let field = field.split("/>").next().unwrap_or_default();
                    let words = ["Kind::Password", "Kind::NewPassword", "one-time-code"];
                    if words.iter().any(|word| field.contains(word)) {
                        let name = field.split("name=\"").nth(1).and_then(|rest| rest.split('"').next());
                        found.push(name.expect("a name").to_owned());
                    }
                }
            }
        }
        assert!(found.iter().any(|name| name == "code") && found.len() > 4, "{found:?}");
        for name in found {
            assert!(SECRET_FIELDS.contains(&name.as_str()), "{name} would be kept");
        }
    }

    #[tokio::test]
    async fn everything_is_kept_but_secrets_and_what_is_no_form() {
        let kept = async |kind: &str, body: &'static str| {
            let request = Request::builder().header("content-type", kind).body(Body::from(body));
            fields_of(request.expect("a request")).await
        };
        let form = "application/x-www-form-urlencoded";
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            kept(form, "name=A+%26+B&password=p&present=p&new=p&code=123456&token=t&empty=").await,
            Some(vec![pair("name", "A & B"), pair("token", "t"), pair("empty", "")])
        );
        assert_eq!(kept("application/json", "{}").await, None);
        assert_eq!(kept("multipart/form-data", "no boundary").await, None);
    }
}
