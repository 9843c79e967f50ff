//! Forms that are sent when the session has ended: what was typed is there again after the sign-in, for the same person in
//! the same browser, and nothing was carried out.

use std::{fmt::Write, time::Duration};

use crossvat::{
    api_keys::{KeyMode, NewKey},
    audit::Actor,
    batch_checks::NewRun,
    db::entities::session,
    members::Role,
};
use rand::rngs::SysRng;
use sea_orm::{EntityTrait, PaginatorTrait};
use uuid::Uuid;

use crate::support::{Answer, Part, TestApp, Visitor, given};

const HELEN: &str = "helen@acme.example";
/// Nobody stays signed in so long without doing anything.
const IDLE: Duration = Duration::from_hours(13);
const TOLD: &str = "You had been signed out, so nothing was sent.";
const BROWSER: &str = "__Host-browser";

/// Signs in where one is led to, and goes on from there.
async fn sign_in_again(browser: &Visitor, answer: &Answer, email: &str) -> Answer {
    let signed_in = sign_in_at(browser, answer, (email, Visitor::PASSWORD)).await;
    assert_eq!(signed_in.status, 303, "{signed_in:?}");
    browser.get(signed_in.header("location").expect("a location")).await
}

async fn sign_in_at(browser: &Visitor, answer: &Answer, (email, password): (&str, &str)) -> Answer {
    assert_eq!(answer.status, 303, "{answer:?}");
    let location = answer.header("location").expect("a location");
    assert!(location.starts_with("/sign-in?return_to="), "{location}");
    let page = browser.page(location).await;
    let return_to = value(&page, "return_to").expect("whither");
    browser.post("/sign-in", &[("email", email), ("password", password), ("return_to", &return_to)]).await
}

/// What the first field of a name holds.
fn value(page: &str, name: &str) -> Option<String> {
    let field = page.split(&format!("name=\"{name}\"")).nth(1)?.split('>').next()?;
    let value = field.split("value=\"").nth(1)?.split('"').next()?;
    Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

/// The choice that is made.
fn chosen(page: &str, name: &str) -> Option<String> {
    let inputs = page.split("<input").filter(|input| input.contains(&format!("name=\"{name}\"")));
    let checked = inputs.map(|input| input.split('>').next().unwrap_or_default());
    let checked = checked.filter(|input| input.contains(" checked")).collect::<Vec<_>>();
    let value = checked.first()?.split("value=\"").nth(1)?.split('"').next()?;
    Some(value.to_owned())
}

fn is_kept(answer: &Answer) -> bool {
    answer.header("location").expect("a location").contains("unsent%3D")
}

/// Everything that is kept of browsers, as text.
async fn stored(app: &TestApp) -> String {
    let rows = session::Entity::find().all(&app.database.main).await.expect("rows");
    rows.into_iter().map(|row| row.data).collect()
}

async fn rows(app: &TestApp) -> u64 {
    session::Entity::find().count(&app.database.main).await.expect("counts")
}

struct Office {
    app: TestApp,
    account: Uuid,
    helen: Visitor,
}

async fn office() -> Office {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", HELEN).await;
    let helen = app.signed_in(HELEN).await;
    Office { app, account, helen }
}

impl Office {
    async fn key(&self, name: &str) -> Uuid {
        let key = NewKey { id: None, account_id: self.account, name, mode: KeyMode::Test, expires_at: None };
        self.app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id
    }

    /// Sends a form when the session has ended by itself, signs in and comes back.
    async fn late(&self, path: &str, form: &[(&str, &str)]) -> String {
        self.app.clock.advance(IDLE);
        self.helen.forget_session();
        let answer = self.helen.post(path, form).await;
        assert!(is_kept(&answer), "{path}: {answer:?}");
        let page = sign_in_again(&self.helen, &answer, HELEN).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.html().contains(TOLD), "{path}: {page:?}");
        page.html().to_owned()
    }
}

#[tokio::test]
async fn every_form_about_keys_is_there_again() {
    let office = office().await;
    let markup = "<i>Checkout</i> \"&";
    let token = Uuid::now_v7().to_string();
    let form = [("token", &*token), ("name", markup), ("kind", "live"), ("expires", "2027-03-02")];
    let page = office.late("/portal/keys/new", &form).await;
    assert!(!page.contains("<i>Checkout"), "as text");
    assert_eq!(value(&page, "name").as_deref(), Some(markup));
    assert_eq!(value(&page, "expires").as_deref(), Some("2027-03-02"));
    assert_eq!(value(&page, "token").as_deref(), Some(&*token), "sent twice it still makes one key");
    assert_eq!(chosen(&page, "kind").as_deref(), Some("live"));
    assert!(office.app.api_keys().list(office.account).await.expect("keys").is_empty(), "nothing was made");
    let made = office.helen.post("/portal/keys/new", &form).await;
    assert_eq!(made.status, 200);
    assert!(!made.html().contains(TOLD));
    assert_eq!(office.helen.post("/portal/keys/new", &form).await.status, 303);
    assert_eq!(office.app.api_keys().list(office.account).await.expect("keys").len(), 1);

    let key = office.key("ERP").await;
    let page = office.late(&format!("/portal/keys/{key}/rename"), &[("name", markup)]).await;
    assert_eq!(value(&page, "name").as_deref(), Some(markup));
    let page = office.late(&format!("/portal/keys/{key}/rotate"), &[("overlap", "604800")]).await;
    assert_eq!(chosen(&page, "overlap").as_deref(), Some("604800"));
    let page = office.late(&format!("/portal/keys/{key}/revoke"), &[("confirm", "ERP")]).await;
    assert_eq!(value(&page, "confirm").as_deref(), Some("ERP"));
    let kept = office.app.api_keys().list(office.account).await.expect("keys");
    let kept = kept.into_iter().find(|kept| kept.id == key).expect("there");
    assert!(kept.name == "ERP" && kept.expires_at.is_none() && kept.revoked_at.is_none(), "{kept:?}");
}

#[tokio::test]
async fn every_form_of_the_settings_is_there_again_but_for_passwords() {
    let office = office().await;
    let settings = "/portal/settings";
    let numbers = [("part", "numbers"), ("gb", "GB 123 \"<b>"), ("eu", "ie 1234567 t")];
    let page = office.late(settings, &numbers).await;
    assert_eq!(value(&page, "gb").as_deref(), Some("GB 123 \"<b>"));
    assert_eq!(value(&page, "eu").as_deref(), Some("ie 1234567 t"));
    assert!(!page.contains("<b>"));
    let page = office.late(settings, &[("part", "assumptions"), ("supplier", "IE"), ("age", "3600")]).await;
    for option in ["value=\"IE\" selected", "value=\"3600\" selected"] {
        assert!(page.contains(option), "{option}: {page}");
    }
    let terms = office.app.accounts().find(office.account).await.expect("answers").expect("there").terms;
    assert_eq!((terms.eu_requester, terms.supplier_country), (None, None), "nothing was changed");

    let new = "a new horse battery";
    let form = [("part", "password"), ("present", Visitor::PASSWORD), ("new", new)];
    let page = office.late(settings, &form).await;
    for secret in [Visitor::PASSWORD, new] {
        assert!(!page.contains(secret));
        assert!(!stored(&office.app).await.contains(secret), "it is not even kept");
    }
    office.late(settings, &[("part", "end"), ("session", "others")]).await;
}

#[tokio::test]
async fn every_form_about_members_is_there_again() {
    let office = office().await;
    let members = "/portal/settings/members";
    let form = [("email", "raj@acme.example"), ("name", "Raj <Patel>"), ("role", "owner")];
    let page = office.late(members, &form).await;
    assert_eq!(value(&page, "email").as_deref(), Some("raj@acme.example"));
    assert_eq!(value(&page, "name").as_deref(), Some("Raj <Patel>"));
    assert_eq!(chosen(&page, "role").as_deref(), Some("owner"));
    assert_eq!(office.app.members().list(office.account).await.expect("members").len(), 1);
    assert!(office.app.mail.to("raj@acme.example").is_empty());

    let maya = office.app.member(office.account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let page = office.late(&format!("{members}/{maya}"), &[("part", "role"), ("role", "viewer")]).await;
    assert_eq!(chosen(&page, "role").as_deref(), Some("viewer"));
    let page = office.late(&format!("{members}/{maya}"), &[("part", "invitation")]).await;
    assert_eq!(chosen(&page, "role").as_deref(), Some("member"), "as it is");
    let page = office.late(&format!("{members}/{maya}/remove"), &[("confirm", "Maya")]).await;
    assert_eq!(value(&page, "confirm").as_deref(), Some("Maya"));
    let maya = office.app.members().find(maya).await.expect("answers").expect("there");
    assert_eq!((maya.role, maya.removed_at), (Role::Member, None));
}

#[tokio::test]
async fn ten_thousand_pasted_rows_are_there_again_and_so_are_those_of_a_file() {
    let office = office().await;
    let mut pasted = String::new();
    for number in 0..9_998 {
        writeln!(pasted, "DE{:09}", 100_000_000 + number).unwrap();
    }
    pasted.push_str("</textarea><script>alert(1)</script>\nFirst & last");
    let token = Uuid::now_v7().to_string();
    let parts: [Part<'_>; 6] = [
        ("token", None, token.as_bytes()),
        ("numbers", None, pasted.as_bytes()),
        ("file", Some(""), b""),
        ("requester", None, b"none"),
        ("age", None, b"86400"),
        ("supplier", None, b"IE"),
    ];
    let again = async |parts: &[Part<'_>]| {
        office.app.clock.advance(IDLE);
        let answer = office.helen.post_parts("/portal/check", parts).await;
        assert!(is_kept(&answer), "{answer:?}");
        sign_in_again(&office.helen, &answer, HELEN).await.html().to_owned()
    };
    let page = again(&parts).await;
    assert!(page.contains(TOLD));
    assert_eq!(value(&page, "token").as_deref(), Some(&*token), "sent twice it still starts one run");
    let field = page.split("<textarea").nth(1).and_then(|rest| rest.split_once('>')).expect("the field").1;
    let field = field.split("</textarea>").next().expect("its end");
    let typed = field.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    assert_eq!(typed.strip_prefix('\n'), Some(&*pasted), "nothing is lost");
    assert!(!page.contains("<script>alert"));
    for option in ["value=\"86400\" selected", "value=\"IE\" selected"] {
        assert!(page.contains(option), "{option}");
    }

    let file: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("Firma\tUSt-IdNr.\r\nÖl\tDE136695976\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let page = again(&[("numbers", None, b""), ("file", Some("a.csv"), &file)]).await;
    assert!(page.contains(">\n\nDE136695976</textarea>"), "in the line in which it stood: {page}");
    // What is no list of numbers leaves nothing but the page.
    let page = again(&[("file", Some("a.xlsx"), b"PK\x03\x04\x14\x00\x06\x00")]).await;
    assert!(page.contains(TOLD) && page.contains(">\n</textarea>"), "{page}");
    assert_eq!(office.app.batch_checks.list(office.account, 0, 10).await.expect("runs").total, 0);
}

#[tokio::test]
async fn a_button_of_a_run_leads_back_to_the_run() {
    let office = office().await;
    let member_id = office.app.members().list(office.account).await.expect("members")[0].id;
    let run = NewRun {
        account_id: office.account,
        member_id,
        token: office.app.batch_checks.new_token(),
        file_name: None,
        numbers: given(["DE1"]),
        requesters: None,
        max_age: None,
        supplier_country: None,
    };
    let run = office.app.batch_checks.start(run).await.expect("starts");
    let page = office.late(&format!("/portal/check/{run}"), &[("do", "stop")]).await;
    assert!(page.contains("Pasted: DE1"), "{page}");
}

#[tokio::test]
async fn it_does_not_matter_how_the_session_ended() {
    let office = office().await;
    let form = [("name", "Checkout"), ("kind", "live")];
    // Signed out in another tab.
    assert_eq!(office.helen.post("/sign-out", &[]).await.status, 303);
    let page = sign_in_again(&office.helen, &office.helen.post("/portal/keys/new", &form).await, HELEN).await;
    assert_eq!(value(page.html(), "name").as_deref(), Some("Checkout"));
    // It is there again when the page is read again, for an hour.
    office.helen.post("/sign-out", &[]).await;
    let answer = office.helen.post("/portal/keys/new", &form).await;
    let signed_in = sign_in_at(&office.helen, &answer, (HELEN, Visitor::PASSWORD)).await;
    let address = signed_in.header("location").expect("a location").to_owned();
    for _ in 0..2 {
        let page = office.helen.page(&address).await;
        assert_eq!(value(&page, "name").as_deref(), Some("Checkout"));
    }
    office.app.clock.advance(Duration::from_hours(1));
    let page = office.helen.page(&address).await;
    assert_eq!((value(&page, "name").as_deref(), page.contains(TOLD)), (Some(""), false));

    // The password was changed elsewhere.
    let new = "a new horse battery";
    let elsewhere = office.app.signed_in(HELEN).await;
    let change = [("part", "password"), ("present", Visitor::PASSWORD), ("new", new)];
    assert_eq!(elsewhere.post("/portal/settings", &change).await.status, 303);
    let answer = office.helen.post("/portal/keys/new", &form).await;
    assert!(is_kept(&answer), "{answer:?}");
    assert_eq!(sign_in_at(&office.helen, &answer, (HELEN, Visitor::PASSWORD)).await.status, 422);
    let signed_in = sign_in_at(&office.helen, &answer, (HELEN, new)).await;
    let page = office.helen.page(signed_in.header("location").expect("a location")).await;
    assert_eq!(value(&page, "name").as_deref(), Some("Checkout"));

    // The session was as old as one may be.
    office.app.clock.advance(Duration::from_hours(24 * 7));
    assert!(is_kept(&office.helen.post("/portal/keys/new", &form).await));
}

#[tokio::test]
async fn nobody_else_gets_what_was_typed() {
    let office = office().await;
    office.app.member(office.account, ("maya@acme.example", "Maya Okafor"), Role::Owner).await;
    office.helen.post("/sign-out", &[]).await;
    let form = [("name", "Helen’s secret plan"), ("kind", "live")];
    let answer = office.helen.post("/portal/keys/new", &form).await;
    assert!(is_kept(&answer));
    let shows = |page: &Answer| page.html().contains("secret plan") || page.html().contains(TOLD);

    // The same person, who brought the link into another browser.
    let elsewhere = office.app.visitor();
    assert!(!shows(&sign_in_again(&elsewhere, &answer, HELEN).await));
    // Somebody else at the same browser.
    let at_helens = sign_in_again(&office.helen, &answer, "maya@acme.example").await;
    assert_eq!(at_helens.status, 200);
    assert!(!shows(&at_helens));
    // And from then on nobody: the browser is another's.
    office.helen.post("/sign-out", &[]).await;
    assert!(!shows(&sign_in_again(&office.helen, &answer, HELEN).await));

    // What was typed into one form stands in no other.
    office.helen.post("/sign-out", &[]).await;
    let answer = office.helen.post("/portal/keys/new", &form).await;
    let signed_in = sign_in_at(&office.helen, &answer, (HELEN, Visitor::PASSWORD)).await;
    let (_, query) = signed_in.header("location").expect("a location").split_once('?').expect("a query");
    let key = office.key("ERP").await;
    assert!(!shows(&office.helen.get(&format!("/portal/keys/{key}/rename?{query}")).await));
    assert!(shows(&office.helen.get(&format!("/portal/keys/new?{query}")).await));
}

#[tokio::test]
async fn strangers_have_nothing_kept() {
    let app = TestApp::start().await;
    let stranger = app.visitor();
    let form = [("name", "Checkout"), ("kind", "live")];
    let large = vec![b'7'; 1024 * 1024];
    for planted in [None, Some("AAAAAAAAAAAAAAAAAAAAAA"), Some("nonsense")] {
        if let Some(planted) = planted {
            stranger.plant_cookie(BROWSER, planted);
        }
        let answer = stranger.post("/portal/keys/new", &form).await;
        assert_eq!(answer.header("location"), Some("/sign-in?return_to=%2Fportal%2Fkeys%2Fnew"));
        let answer = stranger.post_parts("/portal/check", &[("numbers", None, &large)]).await;
        assert_eq!(answer.header("location"), Some("/sign-in?return_to=%2Fportal%2Fcheck"));
    }
    assert_eq!(rows(&app).await, 0);
}

#[tokio::test]
async fn only_so_much_is_kept_of_a_person() {
    let office = office().await;
    office.helen.post("/sign-out", &[]).await;
    let form = [("name", "Checkout"), ("kind", "live")];
    let before = rows(&office.app).await;
    for kept in 1..=10 {
        assert!(is_kept(&office.helen.post("/portal/keys/new", &form).await), "{kept}");
    }
    for _ in 0..3 {
        assert!(!is_kept(&office.helen.post("/portal/keys/new", &form).await));
    }
    assert_eq!(rows(&office.app).await, before + 10);
    office.app.clock.advance(Duration::from_hours(1));
    assert!(is_kept(&office.helen.post("/portal/keys/new", &form).await));
}

#[tokio::test]
async fn the_browser_is_known_by_a_cookie_that_no_script_reads_and_that_changes_at_every_sign_in() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", HELEN).await;
    let helen = app.visitor();
    helen.plant_cookie(BROWSER, "AAAAAAAAAAAAAAAAAAAAAA");
    let answer = helen.sign_in(HELEN, Visitor::PASSWORD).await;
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    let cookie = cookies.iter().find(|cookie| cookie.starts_with(BROWSER)).expect("the browser's");
    for attribute in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
        assert!(cookie.split("; ").any(|part| part == attribute), "{attribute}: {cookie}");
    }
    assert!(!cookie.contains("Domain") && !cookie.contains("AAAAAAAA"), "{cookie}");
    let first = helen.cookie(BROWSER).expect("kept");
    assert!(!stored(&app).await.contains(&first), "only a hash is stored");
    helen.sign_in(HELEN, Visitor::PASSWORD).await;
    assert_ne!(helen.cookie(BROWSER), Some(first));
    assert_eq!(rows(&app).await, 2, "one for the person, one for the browser");
}
