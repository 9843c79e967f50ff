//! The ways in: signing up, confirming, signing in and out, forgotten passwords; and that nobody learns from them who has
//! an account.

use std::time::Duration;

use chrono::TimeDelta;
use crossvat::{
    audit::{Actor, ActorKind, Deed},
    email::MessageKind,
    members::Role,
    passwords::{Passwords, Verdict},
    people::Person,
    sessions::Sessions,
};
use secrecy::ExposeSecret;
use uuid::Uuid;

use crate::support::{Answer, TestApp, Visitor, events_of, events_until, processor_time};

const SIGN_UP: [(&str, &str); 6] = [
    ("name", "Tomasz Wilk"),
    ("email", "tomasz@fenwick.example"),
    ("password", Visitor::PASSWORD),
    ("company", "Fenwick Marine"),
    ("intended_use", "Customers' numbers at checkout"),
    ("volume", "up_to_10000"),
];

/// The form with other values.
fn sign_up<'a>(other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let value =
        |name: &str, usual| other.iter().find(|(other, _)| *other == name).map_or(usual, |(_, value)| *value);
    SIGN_UP.map(|(name, usual)| (name, value(name, usual))).to_vec()
}

/// The path of the link in the newest of so many letters.
async fn link(app: &TestApp, email: &str, letters: usize) -> String {
    let letters = app.mail_to(email, letters).await;
    let text = letters.last().expect("a letter").body.expose_secret().to_owned();
    let start = text.find("http://").expect("a link");
    let link = text[start..].split_whitespace().next().expect("a link");
    link.strip_prefix(&format!("http://{}", app.address)).expect("our own").to_owned()
}

fn heading(answer: &Answer) -> &str {
    let rest = answer.html().split_once("<h1>").expect("a heading").1;
    rest.split_once("</h1>").expect("its end").0
}

#[tokio::test]
async fn who_signs_up_confirms_the_address_and_is_signed_in() {
    let app = TestApp::with().set("ACCOUNTS__SIGNUP", "early_access").start().await;
    let tomasz = app.visitor();
    let answer = tomasz.post("/sign-up", &sign_up(&[])).await;
    assert_eq!((answer.status, heading(&answer)), (200, "Confirm your address"));
    let early = tomasz.sign_in("tomasz@fenwick.example", Visitor::PASSWORD).await;
    assert_eq!(early.status, 422);
    assert!(early.html().contains("Confirm your address first"));

    let link = link(&app, "tomasz@fenwick.example", 1).await;
    // A scanner of mail looks, and looks again.
    for _ in 0..2 {
        assert_eq!(heading(&app.visitor().get(&link).await), "Confirm your address");
    }
    let password = [("password", Visitor::PASSWORD)];
    let confirmed = tomasz.post(&link, &password).await;
    assert_eq!((confirmed.status, confirmed.header("location")), (303, Some("/portal")));
    assert_eq!(app.visitor().post(&link, &password).await.status, 404, "it works once");
    let home = tomasz.get("/portal").await;
    assert_eq!(heading(&home), "Your request is with support");
    // Until support has answered, no key is made.
    let form = [("name", "Checkout"), ("kind", "live")];
    assert_eq!(tomasz.post("/portal/keys/new", &form).await.header("location"), Some("/portal/keys"));
    assert_eq!(tomasz.post("/sign-out", &[]).await.status, 303);
    assert_eq!(tomasz.get("/portal").await.status, 303);
}

#[tokio::test]
async fn nobody_learns_whether_an_address_has_an_account() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "known@acme.example").await;
    let visitor = app.visitor();
    let told = |answer: &Answer, email: &str| {
        (answer.status, answer.html().replace(email, "…").split("nonce").next().map(str::to_owned))
    };
    let mut answers = Vec::new();
    for (email, company) in [("known@acme.example", "One"), ("unknown@acme.example", "Two")] {
        let up = visitor.post("/sign-up", &sign_up(&[("email", email), ("company", company)])).await;
        let forgotten = visitor.post("/forgot-password", &[("email", email)]).await;
        let wrong = visitor.sign_in(email, "not the password at all").await;
        answers.push([told(&up, email), told(&forgotten, email), told(&wrong, email)]);
        assert!(up.html().contains(email), "as typed");
    }
    assert_eq!(answers[0], answers[1]);
    // The one who has it is told, by mail.
    let letters = app.mail_to("known@acme.example", 2).await;
    assert!(letters.iter().any(|letter| letter.kind == MessageKind::AddressHasAccount), "{letters:?}");

    // A company's name that is taken says nothing of addresses either.
    for email in ["known@acme.example", "another@acme.example"] {
        let taken = visitor.post("/sign-up", &sign_up(&[("email", email), ("company", "Acme Marine")])).await;
        assert_eq!(taken.status, 422);
        assert!(taken.html().contains("This company has an account already."));
    }
}

/// Removed, they are known to nobody: the address opens an account of its own, or is invited anew.
#[tokio::test]
async fn whoever_was_removed_can_sign_up_with_the_address_again() {
    let app = TestApp::start().await;
    let (acme, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let email = "tomasz@fenwick.example";
    let before = app.member(acme, (email, "Tomasz Wilk"), Role::Member).await;
    app.members().remove(acme, before, &Actor::COMMAND_LINE).await.expect("removes");
    let tomasz = app.visitor();
    assert_eq!(tomasz.sign_in(email, Visitor::PASSWORD).await.status, 422);
    assert_eq!(tomasz.post("/forgot-password", &[("email", email)]).await.status, 200);
    assert_eq!(heading(&tomasz.post("/sign-up", &sign_up(&[])).await), "Confirm your address");
    let confirm = link(&app, email, 1).await;
    assert_eq!(tomasz.post(&confirm, &[("password", Visitor::PASSWORD)]).await.status, 303);
    let settings = tomasz.page("/portal/settings/members").await;
    assert!(settings.contains(email) && !settings.contains("helen@acme.example"), "{settings}");
    let kinds: Vec<_> = app.mail_to(email, 1).await.iter().map(|letter| letter.kind).collect();
    assert_eq!(kinds, [MessageKind::ConfirmAddress], "nothing false, and nothing for whom nobody knows");
}

/// Somebody signs up with another's address, and waits for its owner to confirm it.
#[tokio::test]
async fn who_confirms_an_address_opens_nothing_to_a_stranger_who_signed_up_with_it() {
    let app = TestApp::start().await;
    let (stranger, helen) = (app.visitor(), app.visitor());
    let email = "helen@acme.example";
    let strangers = [("email", email), ("password", "a strangers own password"), ("company", "Not Acme")];
    assert_eq!(stranger.post("/sign-up", &sign_up(&strangers)).await.status, 200);
    let own = [("email", email), ("company", "Acme Marine")];
    assert_eq!(heading(&helen.post("/sign-up", &sign_up(&own)).await), "Confirm your address");

    let confirm = link(&app, email, 2).await;
    let page = helen.page(&confirm).await;
    assert!(page.contains("Not Acme") && page.contains("/forgot-password"), "{page}");
    for typed in [&[("password", Visitor::PASSWORD)][..], &[("password", "")], &[]] {
        let wrong = helen.post(&confirm, typed).await;
        assert_eq!(wrong.status, 422, "{typed:?}");
        assert!(wrong.html().contains("This is not the password that was chosen at the sign-up"));
    }
    let still = stranger.sign_in(email, "a strangers own password").await;
    assert_eq!(still.status, 422);
    assert!(still.html().contains("Confirm your address first"));
    assert_eq!(helen.get(&confirm).await.status, 200, "the link is not used up");

    helen.post("/forgot-password", &[("email", email)]).await;
    let reset = link(&app, email, 3).await;
    assert_eq!(helen.post(&reset, &[("password", Visitor::PASSWORD)]).await.status, 200);
    assert_eq!(stranger.sign_in(email, "a strangers own password").await.status, 422);
    assert_eq!(helen.sign_in(email, Visitor::PASSWORD).await.status, 303, "which proved the address");
}

/// As at the sign-in: a session of its own, an event, and the second factor of whoever has one by then.
#[tokio::test]
async fn who_confirms_an_address_is_signed_in_as_at_the_sign_in() {
    let app = TestApp::start().await;
    let email = "tomasz@fenwick.example";
    app.visitor().post("/sign-up", &sign_up(&[])).await;
    let confirm = link(&app, email, 1).await;
    let member = app.members().with_email(&email.parse().expect("an address")).await;
    let member = member.expect("members").expect("signed up");
    let password = [("password", Visitor::PASSWORD)];

    let secret = app.set_up_second_factor(Person::Member(member.id)).await;
    app.clock.advance(Duration::from_mins(1));
    let tomasz = app.visitor();
    let planted = "AAAAAAAAAAAAAAAAAAAAAA";
    tomasz.hold(planted);
    let confirmed = tomasz.post(&confirm, &password).await;
    assert_eq!((confirmed.status, confirmed.header("location")), (303, Some("/sign-in/code")));
    assert_eq!(tomasz.get("/portal").await.status, 303, "not signed in yet");
    assert_eq!(events_of_sign_in(&app, member.account_id).await, Vec::<String>::new());
    let code = secret.code(app.shared_clock().now());
    assert_eq!(tomasz.post("/sign-in/code", &[("code", &code)]).await.header("location"), Some("/portal"));
    assert_ne!(tomasz.held().as_deref(), Some(planted), "a new identifier");
    assert_eq!(tomasz.get("/portal").await.status, 200);
    let told = format!("{email}, password and second factor");
    assert_eq!(events_of_sign_in(&app, member.account_id).await, [told]);

    let other = [("email", "signe@fenwick.example"), ("company", "Fenwick Boats")];
    app.visitor().post("/sign-up", &sign_up(&other)).await;
    let signe = app.visitor();
    signe.hold(planted);
    let confirm = link(&app, "signe@fenwick.example", 1).await;
    assert_eq!(signe.post(&confirm, &password).await.header("location"), Some("/portal"));
    assert_ne!(signe.held().as_deref(), Some(planted), "a new identifier");
    let boats = app.members().with_email(&"signe@fenwick.example".parse().expect("an address")).await;
    let boats = boats.expect("members").expect("signed up").account_id;
    assert_eq!(events_of_sign_in(&app, boats).await, ["signe@fenwick.example, password"]);
}

/// What the audit log says of those who came in.
async fn events_of_sign_in(app: &TestApp, account: Uuid) -> Vec<String> {
    let events = events_of(&app.database, account).await;
    let came_in = events.into_iter().filter(|event| event.deed == Deed::MemberSignedIn);
    came_in.map(|event| event.detail).collect()
}

#[tokio::test]
async fn a_password_is_not_guessed_with_a_link_that_confirms() {
    let app = TestApp::start().await;
    app.visitor().post("/sign-up", &sign_up(&[])).await;
    let confirm = link(&app, "tomasz@fenwick.example", 1).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(app.visitor().post(&confirm, &[("password", "a guess of many")]).await.status);
    }
    assert!(statuses.starts_with(&[422]) && statuses.ends_with(&[429]), "{statuses:?}");
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_and_every_session_ends() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let elsewhere = app.signed_in("helen@acme.example").await;
    let helen = app.visitor();
    helen.post("/forgot-password", &[("email", " Helen@Acme.example ")]).await;
    let link = link(&app, "helen@acme.example", 1).await;
    let short = helen.post(&link, &[("password", "short")]).await;
    assert_eq!(short.status, 422);
    assert!(short.html().contains("A password needs 12 characters or more; this one has 5"));
    assert_eq!(
        helen.post(&link, &[("password", "a new horse battery")]).await.status,
        200,
        "it was not used up"
    );
    assert_eq!(elsewhere.get("/portal").await.status, 303, "signed out");
    assert_eq!(helen.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 422);
    assert_eq!(helen.sign_in("helen@acme.example", "a new horse battery").await.status, 303);
    let again = helen.get(&link).await;
    assert_eq!((again.status, heading(&again)), (404, "This link can be used no more"));
}

#[tokio::test]
async fn a_session_has_a_new_identifier_from_the_sign_in_on() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let form = [("email", "helen@acme.example"), ("password", Visitor::PASSWORD)];
    let planted = "AAAAAAAAAAAAAAAAAAAAAA";
    let request =
        app.http.post(app.url("/sign-in")).form(&form).header("cookie", format!("__Host-session={planted}"));
    let answer = Answer::of(request).await;
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("__Host-session=") && !cookie.contains(planted), "{cookie}");
    for attribute in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
        assert!(cookie.split("; ").any(|part| part == attribute), "{attribute}: {cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let with_planted = app.http.get(app.url("/portal")).header("cookie", format!("__Host-session={planted}"));
    assert_eq!(Answer::of(with_planted).await.status, 303);
}

#[tokio::test]
async fn one_comes_back_to_a_page_of_ours_and_nowhere_else() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let to_sign_in = app.visitor().get("/portal/history?find=GB123").await;
    assert_eq!(to_sign_in.header("location"), Some("/sign-in?return_to=%2Fportal%2Fhistory%3Ffind%3DGB123"));
    for (return_to, lands) in [
        ("/portal/history?find=GB123", "/portal/history?find=GB123"),
        ("//evil.example", "/portal"),
        ("https://evil.example", "/portal"),
        ("/\\evil.example", "/portal"),
        ("/a\r\nSet-Cookie: x=1", "/portal"),
        ("", "/portal"),
    ] {
        let form =
            [("email", "helen@acme.example"), ("password", Visitor::PASSWORD), ("return_to", return_to)];
        let answer = app.visitor().post("/sign-in", &form).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(lands)), "{return_to:?}");
    }
}

/// Every way to write an address that a browser could take for another site's.
#[tokio::test]
async fn no_address_of_another_site_is_gone_on_to() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let here = url::Url::parse(&app.url("/sign-in")).expect("an address");
    for odd in [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "\t//evil.example",
        " //evil.example",
        "/\n/evil.example",
        "https:evil.example",
        "https:/evil.example",
        "https://evil.example",
        "HTTPS://evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "%2F%2Fevil.example",
        "/%2Fevil.example",
        "/%5Cevil.example",
        "/%09/evil.example",
        "//evil.example@here",
        "http://here@evil.example",
        "/portal\r\nLocation: https://evil.example",
        "/\u{ff0f}evil.example",
        "/../..//evil.example",
    ] {
        let form = [("email", "helen@acme.example"), ("password", Visitor::PASSWORD), ("return_to", odd)];
        let encoded: String = url::form_urlencoded::byte_serialize(odd.as_bytes()).collect();
        for answer in [
            app.visitor().post("/sign-in", &form).await,
            helen.get(&format!("/sign-in?return_to={encoded}")).await,
            helen.post("/theme", &[("theme", "dark"), ("return_to", odd)]).await,
        ] {
            let location = answer.header("location").expect("a location");
            let lands = here.join(location).expect("an address");
            assert_eq!((answer.status, lands.origin()), (303, here.origin()), "{odd:?}: {location}");
            // Nor does a second hop leave, should something before us decode once.
            assert!(location.starts_with('/') && !location.starts_with("//"), "{odd:?}: {location}");
        }
        app.clock.advance(Duration::from_mins(15));
    }
}

#[tokio::test]
async fn who_does_nothing_for_twelve_hours_is_signed_out_and_so_is_everybody_after_a_week() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let (idle, busy) = (app.signed_in("helen@acme.example").await, app.signed_in("helen@acme.example").await);
    app.clock.advance(Duration::from_hours(12) - Duration::from_secs(1));
    assert_eq!(busy.get("/portal").await.status, 200);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(idle.get("/portal").await.status, 303);
    for hours in (18..24 * 7).step_by(6) {
        app.clock.advance(Duration::from_hours(6));
        assert_eq!(busy.get("/portal").await.status, 200, "after {hours} hours");
    }
    app.clock.advance(Duration::from_hours(6));
    assert_eq!(busy.get("/portal").await.status, 303, "a week is over");
}

/// What a page writes for nothing makes others wait, and could overwrite what a form has just stored.
#[tokio::test]
async fn a_session_is_written_again_when_ten_minutes_of_it_are_over() {
    let app = TestApp::start().await;
    let (_, helen) = app.owner("Acme Marine", "helen@acme.example").await;
    let browser = app.signed_in("helen@acme.example").await;
    let sessions = Sessions::new(app.database.main.clone(), app.shared_clock());
    let written = async || {
        let open = sessions.of(Person::Member(helen)).await.expect("sessions");
        (open[0].last_seen_at, open[0].expires_at)
    };
    let first = written().await;
    app.clock.advance(Duration::from_mins(10));
    for page in ["/portal", "/portal/keys", "/portal"] {
        let answer = browser.get(page).await;
        assert_eq!((answer.status, answer.header("set-cookie")), (200, None), "{page}");
    }
    assert_eq!(written().await, first);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(browser.get("/portal").await.status, 200);
    let (seen, ends) = written().await;
    assert_eq!((seen, ends - seen), (app.shared_clock().now(), TimeDelta::hours(12)));
}

#[tokio::test]
async fn a_common_or_short_password_is_refused_wherever_one_is_chosen() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let form = [("email", "maya@acme.example"), ("name", "Maya"), ("role", "member")];
    assert_eq!(helen.post("/portal/settings/members", &form).await.status, 303);
    let claim = link(&app, "maya@acme.example", 1).await;
    helen.post("/forgot-password", &[("email", "helen@acme.example")]).await;
    let reset = link(&app, "helen@acme.example", 1).await;
    for (password, words) in [
        ("elevenchars", "needs 12 characters or more; this one has 11"),
        ("qwerty123456", "common"),
        ("Password1234", "common"),
        ("manchesterunited", "common"),
    ] {
        let change = [("part", "password"), ("present", Visitor::PASSWORD), ("new", password)];
        for answer in [
            app.visitor().post("/sign-up", &sign_up(&[("password", password)])).await,
            app.visitor().post(&claim, &[("password", password)]).await,
            app.visitor().post(&reset, &[("password", password)]).await,
            helen.post("/portal/settings", &change).await,
        ] {
            assert_eq!(answer.status, 422, "{password}");
            assert!(answer.html().contains(words), "{password}: {words}");
            assert!(!answer.html().contains(&format!("value=\"{password}\"")), "not shown again");
        }
        app.clock.advance(Duration::from_hours(1));
    }
}

/// Hashing is by far the longest part of it, so an answer without it would be told apart at once.
#[tokio::test]
async fn a_password_is_worked_on_whoever_signs_in_and_the_answer_is_the_same() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let gone = app.member(account, ("gone@acme.example", "Gone"), Role::Member).await;
    app.members().remove(account, gone, &Actor::COMMAND_LINE).await.expect("removes");
    let helen = app.signed_in("helen@acme.example").await;
    let form = [("email", "invited@acme.example"), ("name", "Invited"), ("role", "member")];
    assert_eq!(helen.post("/portal/settings/members", &form).await.status, 303);
    app.visitor().post("/sign-up", &sign_up(&[("email", "early@acme.example"), ("company", "Early")])).await;

    let passwords = Passwords::default();
    let mut pages = Vec::new();
    for email in [
        "helen@acme.example",
        "unknown@acme.example",
        "gone@acme.example",
        "invited@acme.example",
        "early@acme.example",
        "no address",
    ] {
        // What the hashing takes by itself.
        let before = processor_time();
        let verdict = passwords.verify(&"not the password at all".into(), None).await.expect("a turn");
        let hashing = processor_time().saturating_sub(before);
        assert_eq!(verdict, Verdict::Wrong);
        let before = processor_time();
        let answer = app.visitor().sign_in(email, "not the password at all").await;
        let worked = processor_time().saturating_sub(before);
        assert_eq!(answer.status, 422, "{email}");
        pages.push(answer.html().replace(email, "…").split("nonce").next().map(str::to_owned));
        assert!(worked > hashing / 2, "{email}: {worked:?}, and hashing alone {hashing:?}");
        app.clock.advance(Duration::from_mins(15));
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
}

#[tokio::test]
async fn passwords_are_not_guessed_without_end() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let guesser = app.visitor();
    let mut refused = None;
    for _ in 0..12 {
        let answer = guesser.sign_in("helen@acme.example", "a guess of many").await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
        assert_eq!(answer.status, 422);
    }
    let refused = refused.expect("refused in the end");
    assert!(refused.html().contains("Too many tries. Wait"));
    // The right one is refused as well, and opens again later.
    assert_eq!(guesser.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 429);
    app.clock.advance(Duration::from_mins(15));
    assert_eq!(guesser.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 303);
}

#[tokio::test]
async fn sign_ins_right_and_wrong_are_in_the_audit_log_of_the_account() {
    let app = TestApp::start().await;
    let (acme, helen) = app.owner("Acme Marine", "helen@acme.example").await;
    let visitor = app.visitor();
    for (email, password, status) in [
        ("nobody@acme.example", Visitor::PASSWORD, 422),
        ("Helen@acme.example", "not the password at all", 422),
        (" helen@acme.example", Visitor::PASSWORD, 303),
    ] {
        assert_eq!(visitor.sign_in(email, password).await.status, status, "{email}");
    }
    let refused = events_until(&app.database, acme, Deed::PasswordRefused, 1).await;
    let [refused] = refused.as_slice() else { panic!("{refused:?}") };
    assert_eq!((refused.actor_kind, refused.actor_id), (ActorKind::Visitor, None), "nobody knows who it was");
    assert_eq!((refused.subject_id, refused.detail.as_str()), (Some(helen), "helen@acme.example"));
    assert_eq!(refused.from_address.as_deref(), Some("127.0.0.1"));
    let came_in = events_until(&app.database, acme, Deed::MemberSignedIn, 1).await;
    let [came_in] = came_in.as_slice() else { panic!("{came_in:?}") };
    assert_eq!((came_in.actor_id, came_in.subject_id), (Some(helen), Some(helen)));
    assert_eq!(came_in.detail, "helen@acme.example, password");
    assert_eq!(came_in.from_address.as_deref(), Some("127.0.0.1"));

    // As often as passwords may be tried, and no more: nobody fills the log.
    for _ in 0..20 {
        visitor.sign_in("helen@acme.example", "a guess of many").await;
    }
    let refused = events_until(&app.database, acme, Deed::PasswordRefused, 9).await;
    assert_eq!(refused.len(), 9, "of ten tries one was right");
    app.clock.advance(Duration::from_mins(15));

    // The password is half of it.
    let secret = app.set_up_second_factor(Person::Member(helen)).await;
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(visitor.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 303);
    assert_eq!(events_until(&app.database, acme, Deed::MemberSignedIn, 1).await.len(), 1);
    let code = secret.code(app.shared_clock().now());
    assert_eq!(visitor.post("/sign-in/code", &[("code", &code)]).await.status, 303);
    let came_in = events_until(&app.database, acme, Deed::MemberSignedIn, 2).await;
    assert_eq!(came_in.last().expect("two").detail, "helen@acme.example, password and second factor");

    let sam = app.support("Sam Smith").await;
    let log = sam.page("/staff/audit?account=Acme+Marine").await;
    for told in ["Member signed in", "Password refused", "Somebody who was not signed in"] {
        assert!(log.contains(told), "{told}: {log}");
    }
}

/// They are written after the answer, since that must take as long for an address that nobody has.
#[tokio::test]
async fn what_is_noted_after_the_answer_is_there_when_the_server_has_stopped() {
    let mut app = TestApp::start().await;
    let (acme, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let visitor = app.visitor();
    for _ in 0..5 {
        assert_eq!(visitor.sign_in("helen@acme.example", "a guess of many").await.status, 422);
    }
    app.restart_with("ACCOUNTS__SIGNUP", "early_access").await;
    let events = events_of(&app.database, acme).await;
    assert_eq!(events.iter().filter(|event| event.deed == Deed::PasswordRefused).count(), 5, "{events:?}");
}

#[tokio::test]
async fn forms_of_another_site_change_nothing() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    for path in [
        "/sign-in",
        "/sign-out",
        "/sign-up",
        "/forgot-password",
        "/portal/keys/new",
        "/portal/settings",
        "/portal/check",
    ] {
        assert_eq!(helen.post_from_elsewhere(path, &[]).await.status, 403, "{path}");
    }
    assert_eq!(helen.get("/portal").await.status, 200, "still signed in");
}

#[tokio::test]
async fn what_people_type_is_shown_as_text() {
    let app = TestApp::start().await;
    let markup = "<script>alert(1)</script>";
    let bad = [
        ("email", markup),
        ("name", markup),
        ("company", markup),
        ("intended_use", "</textarea><script>alert(1)</script>"),
    ];
    let answer = app.visitor().post("/sign-up", &sign_up(&bad)).await;
    assert_eq!(answer.status, 422);
    assert!(!answer.html().contains("<script>alert"), "{answer:?}");
    assert!(!answer.html().contains(Visitor::PASSWORD), "passwords are never sent back");
}

#[tokio::test]
async fn a_key_is_shown_once_and_made_once() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let page = helen.get("/portal/keys/new").await;
    let token = page.html().split("name=\"token\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let form =
        [("token", token.expect("a token")), ("name", "<i>Checkout</i>"), ("kind", "live"), ("expires", "")];
    let made = helen.post("/portal/keys/new", &form).await;
    assert_eq!(made.status, 200);
    assert_eq!(made.html().matches("cv_live_").count(), 2, "itself, and in the command");
    assert!(!made.html().contains("<i>Checkout"));
    let again = helen.post("/portal/keys/new", &form).await;
    assert_eq!((again.status, again.header("location")), (303, Some("/portal/keys?done=made")));
    let list = helen.get("/portal/keys").await;
    assert_eq!(list.html().matches("<code class=\"api-key\">").count(), 1);

    for (form, words) in [
        ([("name", ""), ("kind", "live"), ("expires", "")], "A key's name needs 1 to"),
        ([("name", "A"), ("kind", "both"), ("expires", "")], "Choose whether it is a test key"),
        ([("name", "A"), ("kind", "test"), ("expires", "2020-01-01")], "Choose a day that is not over yet"),
        ([("name", "A"), ("kind", "test"), ("expires", "soon")], "Write the day as year, month and day"),
    ] {
        let answer = helen.post("/portal/keys/new", &form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        assert!(answer.html().replace("&#x27;", "'").contains(words), "{form:?}");
        assert!(answer.html().contains("<title>Error: Create a key"), "{form:?}");
    }
}
