//! What an owner sets for the account, and what everybody settles for themselves.

use std::time::Duration;

use crossvat::{audit::Deed, members::Role};

use crate::support::{TestApp, Visitor, events_of, events_until};

const PATH: &str = "/portal/settings";
const NEW: &str = "a new horse battery";

#[tokio::test]
async fn an_owner_sets_in_whose_name_is_asked() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let set = async |gb, eu| helen.post(PATH, &[("part", "numbers"), ("gb", gb), ("eu", eu)]).await;
    let kept = async || {
        let terms = app.accounts().find(account).await.expect("answers").expect("there").terms;
        let text =
            |number: Option<vat::VatNumber>| number.map(|number| number.to_string()).unwrap_or_default();
        (text(terms.gb_requester), text(terms.eu_requester))
    };
    let answer = set("123 4567 82", "ie 1234567 t").await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/portal/settings?done=numbers")));
    assert_eq!(kept().await, ("GB123456782".to_owned(), "IE1234567T".to_owned()));
    let page = helen.get("/portal/settings?done=numbers").await;
    assert!(page.html().contains("checks are asked in the name of GB123456782 and IE1234567T."), "{page:?}");
    assert!(page.html().contains("value=\"GB123456782\""));

    let answer = set("IE1234567T", "<b>\"GB\"</b>").await;
    assert_eq!(answer.status, 422);
    let words = "HMRC knows only UK numbers: this one belongs into the field for VIES";
    assert_eq!(answer.html().matches(words).count(), 2, "in the summary and beside the field");
    assert!(answer.html().contains("href=\"#eu\"") && answer.html().contains("Two things need"));
    assert!(answer.html().contains("<title>Error: Settings"));
    assert!(answer.html().contains("value=\"IE1234567T\""), "what was typed stays");
    assert!(!answer.html().contains("<b>"), "as text");
    assert_eq!(kept().await, ("GB123456782".to_owned(), "IE1234567T".to_owned()), "nothing was changed");

    assert_eq!(set("GB123456789", "").await.status, 303);
    assert_eq!(kept().await, ("GB123456789".to_owned(), String::new()));
    let page = helen.get(PATH).await;
    assert!(page.html().contains("The check digits of GB123456789 do not fit"), "{page:?}");
}

#[tokio::test]
async fn an_owner_gives_the_account_another_name() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    app.owner("Fenwick Marine", "tomasz@fenwick.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let set = async |name: &str| helen.post(PATH, &[("part", "account"), ("company", name)]).await;
    let kept = async || app.accounts().find(account).await.expect("answers").expect("there").terms.name;
    let answer = set(" Acme Marine & Sons ").await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/portal/settings?done=account")));
    assert_eq!(&*kept().await, "Acme Marine & Sons");
    let page = helen.get("/portal/settings?done=account").await;
    assert!(page.html().contains("value=\"Acme Marine &amp; Sons\""), "{page:?}");
    let event = events_until(&app.database, account, Deed::AccountSettingsChanged, 1).await.remove(0);
    assert_eq!((event.deed, &*event.detail), (Deed::AccountSettingsChanged, "name Acme Marine & Sons"));

    let (long, taken) = ("x".repeat(201), "Another account has this name. Make yours tell apart");
    for (name, words) in
        [("Fenwick Marine", taken), (" ", "Write the company’s name"), (&*long, "Write the company’s name")]
    {
        let answer = set(name).await;
        assert_eq!(answer.status, 422, "{name}");
        assert_eq!(
            answer.html().matches(words).count(),
            2,
            "in the summary and beside the field: {answer:?}"
        );
        assert!(answer.html().contains(&format!("value=\"{name}\"")), "what was typed stays: {answer:?}");
        assert_eq!(&*kept().await, "Acme Marine & Sons");
    }
}

#[tokio::test]
async fn an_owner_sets_what_a_check_assumes() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let set = async |supplier, age| {
        helen.post(PATH, &[("part", "assumptions"), ("supplier", supplier), ("age", age)]).await
    };
    let kept = async || {
        let terms = app.accounts().find(account).await.expect("answers").expect("there").terms;
        (terms.supplier_country.map(vat::SupplierCountry::as_str), terms.max_age)
    };
    set("EL", "21600").await;
    assert_eq!(kept().await, (Some("EL"), Duration::from_hours(6)));
    let page = helen.get("/portal/settings?done=assumptions").await;
    for there in ["Greece", "6 hours old", "Always ask the registry", "24 hours old", "Saved."] {
        assert!(page.html().contains(there), "{there}: {page:?}");
    }
    set("", "0").await;
    assert_eq!(kept().await, (None, Duration::ZERO));
    for (supplier, age) in
        [("ZZ", "0"), ("Greece", "0"), ("GB", "-1"), ("GB", "86401"), ("GB", ""), ("GB", "61")]
    {
        let answer = set(supplier, age).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(PATH)), "{supplier} {age}");
        assert_eq!(kept().await, (None, Duration::ZERO), "{supplier} {age}");
    }
}

/// Two owners may have the page open at once.
#[tokio::test]
async fn who_sets_one_part_leaves_the_other_as_it_is() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    helen.post(PATH, &[("part", "assumptions"), ("supplier", "IE"), ("age", "300")]).await;
    helen.post(PATH, &[("part", "numbers"), ("gb", "GB123456782"), ("eu", "")]).await;
    let terms = app.accounts().find(account).await.expect("answers").expect("there").terms;
    assert_eq!(terms.supplier_country.map(vat::SupplierCountry::as_str), Some("IE"));
    assert_eq!(terms.max_age, Duration::from_mins(5));
    assert_eq!(terms.gb_requester.map(|number| number.to_string()).as_deref(), Some("GB123456782"));
    let events = events_of(&app.database, account).await;
    let told: Vec<_> = events
        .iter()
        .filter(|event| event.deed == Deed::AccountSettingsChanged)
        .map(|event| event.detail.as_str())
        .collect();
    let expected = ["supplier country IE, answers up to 300 s old", "requesters GB123456782 and none"];
    assert_eq!(told, expected, "only what was set is written");
}

#[tokio::test]
async fn others_see_what_is_set_and_have_no_form_for_it() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("<i>Acme</i> & Co", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    helen.post(PATH, &[("part", "numbers"), ("gb", "GB123456782")]).await;
    app.member(account, ("raj@acme.example", "<script>Raj"), Role::Viewer).await;
    let raj = app.signed_in("raj@acme.example").await;
    let page = raj.get(PATH).await;
    assert_eq!(page.status, 200);
    for there in
        ["GB123456782", "&lt;i&gt;Acme&lt;/i&gt; &amp; Co", "&lt;script&gt;Raj", "Viewer", "Change password"]
    {
        assert!(page.html().contains(there), "{there}: {page:?}");
    }
    for absent in ["name=\"gb\"", "name=\"supplier\"", "<i>", "<script>Raj"] {
        assert!(!page.html().contains(absent), "{absent}");
    }
}

#[tokio::test]
async fn a_changed_password_keeps_this_session_ends_the_others_and_is_told_by_mail() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let (here, there) =
        (app.signed_in("helen@acme.example").await, app.signed_in("helen@acme.example").await);
    let change = async |present, new| {
        here.post(PATH, &[("part", "password"), ("present", present), ("new", new)]).await
    };
    for (present, new, field, words) in [
        ("another horse", NEW, "present", "This is not your present password"),
        ("", NEW, "present", "This is not your present password"),
        (Visitor::PASSWORD, "too short", "new", "A password needs 12 characters or more; this one has 9"),
        (Visitor::PASSWORD, "helen@acme.example", "new", "Besides words of your e-mail address"),
    ] {
        let answer = change(present, new).await;
        assert_eq!(answer.status, 422, "{present} {new}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
        assert_eq!(answer.html().matches(words).count(), 2, "{answer:?}");
        assert!(
            present.is_empty() || !answer.html().contains(&format!("value=\"{present}\"")),
            "not shown again"
        );
    }
    assert_eq!(there.get(PATH).await.status, 200, "nothing happened yet");
    let answer = change(Visitor::PASSWORD, NEW).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/portal/settings?done=password")));
    assert_eq!(here.get("/portal/settings?done=password").await.status, 200);
    // The session is written again, now with the new password.
    app.clock.advance(Duration::from_hours(11));
    assert_eq!(here.get(PATH).await.status, 200);
    app.clock.advance(Duration::from_hours(11));
    assert_eq!(here.get(PATH).await.status, 200, "it goes on living");
    assert_eq!(there.get(PATH).await.status, 303);
    let letters = app.mail_to("helen@acme.example", 1).await;
    assert_eq!(letters[0].subject.to_string(), "Your password was changed");
    assert_eq!(app.visitor().sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 422);
    assert_eq!(app.visitor().sign_in("helen@acme.example", NEW).await.status, 303);
}

#[tokio::test]
async fn nobody_guesses_a_password_with_a_session_they_have_come_by() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let guess =
        async || helen.post(PATH, &[("part", "password"), ("present", "a guess"), ("new", NEW)]).await;
    // The sign-in was the first try of ten.
    for _ in 0..9 {
        assert_eq!(guess().await.status, 422);
    }
    let answer = guess().await;
    assert_eq!(answer.status, 429);
    assert!(answer.html().contains("href=\"#present\"") && answer.html().contains("Too many tries"));
}

#[tokio::test]
async fn sessions_are_listed_in_plain_words_and_ended() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let here = app.signed_in("helen@acme.example").await;
    let phone = app
        .visitor_called("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1");
    let odd = app.visitor_called("<script>alert(1)</script>");
    for browser in [&phone, &odd] {
        app.clock.advance(Duration::from_mins(1));
        assert_eq!(browser.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 303);
    }
    let maya = app.signed_in("maya@acme.example").await;
    let page = here.get(PATH).await;
    for there in [
        "Firefox on Linux",
        "Safari on an iPhone",
        "A program that is not known",
        "from 127.0.0.1",
        "This session",
    ] {
        assert!(page.html().contains(there), "{there}: {page:?}");
    }
    assert!(!page.html().contains("<script>alert"));
    let key = session_of(page.html(), "Safari on an iPhone");
    let mayas = session_of(here_of(&app).await.get(PATH).await.html(), "Firefox on Linux");
    for session in [&*mayas, "", "0000", "others'"] {
        let answer = here.post(PATH, &[("part", "end"), ("session", session)]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(PATH)), "{session}");
    }
    assert_eq!(maya.get(PATH).await.status, 200, "somebody else's");
    let answer = here.post(PATH, &[("part", "end"), ("session", &key)]).await;
    assert_eq!(answer.header("location"), Some("/portal/settings?done=ended"));
    assert_eq!((phone.get(PATH).await.status, odd.get(PATH).await.status), (303, 200));
    here.post(PATH, &[("part", "end"), ("session", "others")]).await;
    assert_eq!((odd.get(PATH).await.status, here.get(PATH).await.status), (303, 200));
    let page = here.get(PATH).await;
    assert!(!page.html().contains("End all others"), "there are none");
}

/// Maya in a second browser, which lists her first one with a button.
async fn here_of(app: &TestApp) -> Visitor {
    let second = app.visitor_called("curl/8.14.1");
    assert_eq!(second.sign_in("maya@acme.example", Visitor::PASSWORD).await.status, 303);
    second
}

/// What the button sends that ends the session of a program.
fn session_of(page: &str, program: &str) -> String {
    let row = page.split("<tr").find(|row| row.contains(program)).expect("the row");
    let button = row.split("<button").nth(1).expect("a button");
    button.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a value").to_owned()
}

#[tokio::test]
async fn a_form_of_another_site_changes_nothing() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    for form in [
        &[("part", "numbers"), ("gb", "GB123456782"), ("eu", "")],
        &[("part", "password"), ("present", Visitor::PASSWORD), ("new", NEW)],
        &[("part", "end"), ("session", "others"), ("", "")],
    ] {
        assert_eq!(helen.post_from_elsewhere(PATH, form).await.status, 403, "{form:?}");
    }
    for path in
        ["/portal/settings/members", "/portal/settings/members/x", "/portal/settings/members/x/remove"]
    {
        assert_eq!(helen.post_from_elsewhere(path, &[]).await.status, 403, "{path}");
    }
    let terms = app.accounts().find(account).await.expect("answers").expect("there").terms;
    assert_eq!(terms.gb_requester, None);
    assert_eq!(app.visitor().sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 303);
}
