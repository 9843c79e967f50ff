//! The second factor of members: offered in the settings, asked for after the password.

use std::time::Duration;

use crossvat::{
    accounts::AccountSettings,
    api_keys::KeyMode,
    audit::{Actor, Deed},
    email::MessageKind,
    members::Role,
    one_time_links::PreparedKey,
    people::Person,
};
use rand::rngs::SysRng;
use secrecy::ExposeSecret;

use super::codes::{AppCodes, recovery_codes, secret_on};
use crate::support::{Answer, TestApp, Visitor, events_of, events_until};

const SETTINGS: &str = "/portal/settings";
const SET_UP: &str = "/portal/settings/second-factor";
const CODE: &str = "/sign-in/code";
const HELEN: &str = "helen@acme.example";
/// What shows that it is Helen who sets up a second factor.
const MINE: (&str, &str) = ("password", Visitor::PASSWORD);
const STEP: Duration = Duration::from_secs(30);

/// Helen, who has just set up a second factor in a browser: the browser, her app and her recovery codes.
async fn helen_with_second_factor(app: &TestApp) -> (Visitor, AppCodes, Vec<String>) {
    app.owner("Acme Marine", HELEN).await;
    let helen = app.signed_in(HELEN).await;
    let phone = AppCodes::reading(helen.page(SET_UP).await.as_str());
    let answer = helen.post(SET_UP, &[("code", &phone.code(app)), MINE]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let codes = recovery_codes(answer.html());
    app.clock.advance(2 * STEP);
    (helen, phone, codes)
}

/// A browser in which the password was typed.
async fn after_password(app: &TestApp) -> Visitor {
    let visitor = app.visitor();
    let answer = visitor.sign_in(HELEN, Visitor::PASSWORD).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(CODE)), "{answer:?}");
    visitor
}

fn leads(answer: &Answer) -> (u16, Option<&str>) {
    (answer.status, answer.header("location"))
}

#[tokio::test]
async fn a_member_sets_it_up_by_a_code_of_the_secret_on_the_page() {
    let app = TestApp::start().await;
    let (account, helen_id) = app.owner("Acme Marine", HELEN).await;
    let (helen, elsewhere) = (app.signed_in(HELEN).await, app.signed_in(HELEN).await);
    let settings = helen.page(SETTINGS).await;
    assert!(settings.contains("href=\"/portal/settings/second-factor\""), "{settings}");

    let page = helen.page(SET_UP).await;
    let phone = AppCodes::reading(&page);
    assert_eq!(phone.letters().len(), 32, "160 bits");
    assert!(page.contains("class=\"qr-code\"") && !page.contains("otpauth:"), "{page}");
    assert!(page.split("<form").all(|form| !form.contains(&format!("value=\"{}", phone.letters()))));
    assert_eq!(secret_on(&helen.page(SET_UP).await), phone.letters(), "the same when looked at again");
    let other = AppCodes::reading(&elsewhere.page(SET_UP).await);
    assert_ne!(other.letters(), phone.letters(), "each session has its own");

    for (code, words) in [
        ("", "Type the code that your app shows"),
        ("12345", "This is not the code that an app shows"),
        (&*other.code(&app), "This is not the code that an app shows"),
    ] {
        let answer = helen.post(SET_UP, &[("code", code), MINE]).await;
        assert_eq!(answer.status, 422, "{code}");
        assert_eq!(answer.html().matches(words).count(), 2, "{code}: {answer:?}");
        assert!(answer.html().contains("<title>Error: Set up your second factor"));
        assert_eq!(secret_on(answer.html()), phone.letters(), "the same secret");
    }
    assert_eq!(app.visitor().sign_in(HELEN, Visitor::PASSWORD).await.header("location"), Some("/portal"));

    let answer = helen.post(SET_UP, &[("code", &format!(" {} ", phone.code(&app))), MINE]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(recovery_codes(answer.html()).len(), 10);
    assert!(!answer.html().contains(&phone.letters()));
    assert_eq!(elsewhere.get(SETTINGS).await.status, 303, "signed out elsewhere");
    let settings = helen.page(SETTINGS).await;
    assert!(settings.contains("10 of 10 recovery codes are left"), "{settings}");
    // Sent once more, it is done already.
    assert_eq!(leads(&helen.post(SET_UP, &[("code", &phone.code(&app)), MINE]).await), (303, Some(SET_UP)));
    assert_eq!(leads(&helen.get(SET_UP).await), (303, Some(SETTINGS)));
    let letters = app.mail_to(HELEN, 1).await;
    assert_eq!(letters[0].kind, MessageKind::SecondFactorSetUp);
    let events = events_of(&app.database, account).await;
    let event = events.iter().find(|event| event.deed == Deed::SecondFactorSetUp).expect("audited");
    assert_eq!((event.actor_id, event.subject_id), (Some(helen_id), Some(helen_id)));
}

/// Whoever finds a browser in which somebody is signed in must not bind the account to a telephone of their own.
#[tokio::test]
async fn nobody_sets_it_up_with_a_session_alone() {
    let app = TestApp::start().await;
    let (account, helen_id) = app.owner("Acme Marine", HELEN).await;
    let helen = app.signed_in(HELEN).await;
    let phone = AppCodes::reading(&helen.page(SET_UP).await);
    for (typed, words) in [
        ("", "Type the password with which you signed in"),
        ("another horse battery", "This is not your password"),
    ] {
        let answer = helen.post(SET_UP, &[("code", &phone.code(&app)), ("password", typed)]).await;
        assert_eq!(answer.status, 422, "{typed}");
        assert_eq!(answer.html().matches(words).count(), 2, "beside the field and above: {answer:?}");
        assert!(answer.html().contains("href=\"#password\"") && !answer.html().contains("another horse"));
        assert_eq!(secret_on(answer.html()), phone.letters(), "the same secret");
    }
    assert!(app.second_factors().of(Person::Member(helen_id)).await.expect("answers").is_none());
    let refused = events_until(&app.database, account, Deed::PasswordRefused, 1).await;
    assert_eq!(refused.len(), 1, "nothing typed is no password: {refused:?}");
    // Nor is the password guessed: it is tried as often as at the sign-in, which was the first time, and the wrong one here.
    for _ in 0..8 {
        let form = [("code", &*phone.code(&app)), ("password", "a guess of many")];
        assert_eq!(helen.post(SET_UP, &form).await.status, 422);
    }
    let refused = helen.post(SET_UP, &[("code", &phone.code(&app)), MINE]).await;
    assert_eq!(refused.status, 429);
    assert!(refused.html().contains("Too many tries. Wait"), "{refused:?}");
    app.clock.advance(Duration::from_mins(15));
    assert_eq!(helen.post(SET_UP, &[("code", &phone.code(&app)), MINE]).await.status, 200);
}

#[tokio::test]
async fn the_code_is_asked_for_after_the_password_and_nobody_is_signed_in_before_it() {
    let app = TestApp::start().await;
    let (_, phone, _) = helen_with_second_factor(&app).await;
    let helen = after_password(&app).await;
    assert!(helen.page(CODE).await.contains("Your password is right."));
    for path in ["/portal", SETTINGS, SET_UP, "/portal/keys"] {
        assert!(
            helen.get(path).await.header("location").is_some_and(|to| to.starts_with("/sign-in?")),
            "{path}"
        );
    }
    assert_eq!(helen.get("/sign-in").await.status, 200, "nobody is signed in");
    assert_eq!(leads(&helen.get("/staff/sign-in/code").await), (303, Some("/staff/sign-in")));
    let staff = helen.post("/staff/sign-in/code", &[("code", &phone.code(&app))]).await;
    assert_eq!(leads(&staff), (303, Some("/staff/sign-in")), "not their door");
    for wrong in ["", "000000", "12345", "abcd-efgh-jklm-nopq"] {
        let answer = helen.post(CODE, &[("code", wrong)]).await;
        assert_eq!(answer.status, 422, "{wrong}");
        assert!(answer.html().contains("href=\"#code\""), "{answer:?}");
        assert!(wrong.is_empty() || !answer.html().contains(&format!("value=\"{wrong}\"")), "{answer:?}");
    }
    let code = phone.code(&app);
    assert_eq!(leads(&helen.post(CODE, &[("code", &code)]).await), (303, Some("/portal")));
    assert_eq!(helen.get("/portal").await.status, 200);
    assert_eq!(leads(&helen.get(CODE).await), (303, Some("/sign-in")), "nothing is left to prove");

    let second = after_password(&app).await;
    let replayed = second.post(CODE, &[("code", &code)]).await;
    assert_eq!(replayed.status, 422, "seen over a shoulder");
    assert!(replayed.html().contains("it was used already"));
    app.clock.advance(STEP);
    assert_eq!(second.post(CODE, &[("code", &phone.code(&app))]).await.status, 303);
}

#[tokio::test]
async fn the_code_of_somebody_else_lets_nobody_in() {
    let app = TestApp::start().await;
    let (_, _, _) = helen_with_second_factor(&app).await;
    let (_, raj) = app.owner("Other", "raj@other.example").await;
    let secret = app.set_up_second_factor(Person::Member(raj)).await;
    app.clock.advance(2 * STEP);
    let helen = after_password(&app).await;
    let rajs = secret.code(app.shared_clock().now());
    assert_eq!(helen.post(CODE, &[("code", &rajs)]).await.status, 422);
    let raj = app.visitor();
    raj.sign_in("raj@other.example", Visitor::PASSWORD).await;
    assert_eq!(raj.post(CODE, &[("code", &rajs)]).await.status, 303, "it was not used up");
}

#[tokio::test]
async fn a_recovery_code_lets_in_once_and_the_mail_says_so() {
    let app = TestApp::start().await;
    let (_, _, codes) = helen_with_second_factor(&app).await;
    let helen = after_password(&app).await;
    assert_eq!(leads(&helen.post(CODE, &[("code", &codes[3].to_uppercase())]).await), (303, Some("/portal")));
    assert!(helen.page(SETTINGS).await.contains("9 of 10 recovery codes are left"));
    assert_eq!(after_password(&app).await.post(CODE, &[("code", &codes[3])]).await.status, 422, "once");
    let letters = app.mail_to(HELEN, 2).await;
    assert_eq!(letters[1].kind, MessageKind::RecoveryCodeUsed);
    assert!(letters[1].body.expose_secret().contains("9 are left"));
}

#[tokio::test]
async fn the_identifier_of_the_session_changes_at_both_steps() {
    let app = TestApp::start().await;
    let (_, phone, _) = helen_with_second_factor(&app).await;
    let planted = app.visitor();
    planted.hold("AAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(planted.sign_in(HELEN, Visitor::PASSWORD).await.status, 303);
    let first = planted.held().expect("a session");
    assert_ne!(first, "AAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(planted.post(CODE, &[("code", &phone.code(&app))]).await.status, 303);
    let second = planted.held().expect("a session");
    assert_ne!(first, second);
    for (old, worth) in [("AAAAAAAAAAAAAAAAAAAAAA", 303), (&*first, 303), (&*second, 200)] {
        let thief = app.visitor();
        thief.hold(old);
        assert_eq!(thief.get("/portal").await.status, worth);
    }
    let thief = app.visitor();
    thief.hold(&first);
    app.clock.advance(STEP);
    let late = thief.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(leads(&late), (303, Some("/sign-in")), "the step was taken");
}

#[tokio::test]
async fn the_code_may_take_ten_minutes_and_the_password_must_still_be_the_same() {
    let app = TestApp::start().await;
    let (settled, phone, _) = helen_with_second_factor(&app).await;
    let slow = after_password(&app).await;
    app.clock.advance(Duration::from_mins(10));
    assert_eq!(leads(&slow.get(CODE).await), (303, Some("/sign-in")));
    assert_eq!(leads(&slow.post(CODE, &[("code", &phone.code(&app))]).await), (303, Some("/sign-in")));

    let late = after_password(&app).await;
    let form = [("part", "password"), ("present", Visitor::PASSWORD), ("new", "a new horse battery")];
    let changed = settled.post(SETTINGS, &form).await;
    assert_eq!(changed.header("location"), Some("/portal/settings?done=password"));
    late.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(late.get("/portal").await.status, 303, "the old password opens nothing");
}

#[tokio::test]
async fn one_comes_back_to_a_page_of_ours_and_nowhere_else() {
    let app = TestApp::start().await;
    let (_, phone, _) = helen_with_second_factor(&app).await;
    for (return_to, lands) in [
        ("/portal/history?find=GB123", "/portal/history?find=GB123"),
        ("//evil.example", "/portal"),
        ("https://evil.example", "/portal"),
        ("/\\evil.example", "/portal"),
        (&*format!("/{}", "a".repeat(3000)), "/portal"),
    ] {
        app.clock.advance(Duration::from_hours(1));
        let helen = app.visitor();
        let form = [("email", HELEN), ("password", Visitor::PASSWORD), ("return_to", return_to)];
        assert_eq!(leads(&helen.post("/sign-in", &form).await), (303, Some(CODE)));
        let answer = helen.post(CODE, &[("code", &phone.code(&app))]).await;
        assert_eq!(leads(&answer), (303, Some(lands)));
    }
}

#[tokio::test]
async fn codes_are_not_guessed_without_end() {
    let app = TestApp::start().await;
    let (settled, phone, _) = helen_with_second_factor(&app).await;
    let guesser = after_password(&app).await;
    // Setting it up was the first try of ten.
    for _ in 0..9 {
        assert_eq!(guesser.post(CODE, &[("code", "000000")]).await.status, 422);
    }
    let refused = guesser.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(refused.status, 429);
    assert!(refused.html().contains("Too many tries. Wait") && refused.html().contains("href=\"#code\""));
    // Neither from another browser nor in the settings.
    let form = [("part", "second-factor"), ("code", &*phone.code(&app))];
    assert_eq!(settled.post(SETTINGS, &form).await.status, 429);
    app.clock.advance(Duration::from_hours(1));
    assert_eq!(after_password(&app).await.post(CODE, &[("code", &phone.code(&app))]).await.status, 303);
}

#[tokio::test]
async fn it_is_turned_off_and_its_recovery_codes_are_renewed_by_a_code() {
    let app = TestApp::start().await;
    let (helen, phone, codes) = helen_with_second_factor(&app).await;
    for part in ["second-factor", "recovery-codes"] {
        for wrong in ["", "000000"] {
            let answer = helen.post(SETTINGS, &[("part", part), ("code", wrong)]).await;
            assert_eq!(answer.status, 422, "{part} {wrong}");
            assert!(answer.html().contains("href=\"#code\""), "{answer:?}");
        }
    }
    let answer = helen.post(SETTINGS, &[("part", "recovery-codes"), ("code", &phone.code(&app))]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let renewed = recovery_codes(answer.html());
    assert!(renewed.len() == 10 && renewed.iter().all(|code| !codes.contains(code)), "{renewed:?}");
    assert_eq!(after_password(&app).await.post(CODE, &[("code", &codes[0])]).await.status, 422);

    let elsewhere = after_password(&app).await;
    assert_eq!(elsewhere.post(CODE, &[("code", &renewed[0])]).await.status, 303);
    let answer = helen.post(SETTINGS, &[("part", "second-factor"), ("code", &renewed[1])]).await;
    assert_eq!(leads(&answer), (303, Some("/portal/settings?done=factor-off")));
    let page = helen.page("/portal/settings?done=factor-off").await;
    assert!(
        page.contains("Your second factor is off") && page.contains("Whoever knows your password"),
        "{page}"
    );
    assert_eq!(elsewhere.get(SETTINGS).await.status, 303, "signed out elsewhere");
    assert_eq!(app.visitor().sign_in(HELEN, Visitor::PASSWORD).await.header("location"), Some("/portal"));
    let letters = app.mail_to(HELEN, 4).await;
    assert_eq!(letters.last().expect("four").kind, MessageKind::SecondFactorRemoved);
}

#[tokio::test]
async fn a_new_password_does_not_come_round_it() {
    let app = TestApp::start().await;
    let (_, phone, _) = helen_with_second_factor(&app).await;
    let visitor = app.visitor();
    visitor.post("/forgot-password", &[("email", HELEN)]).await;
    let letters = app.mail_to(HELEN, 2).await;
    let text = letters[1].body.expose_secret().to_owned();
    let link = text.split_whitespace().find(|word| word.contains("/reset-password/")).expect("a link");
    let link = link.strip_prefix(&app.url("")).expect("our own");
    assert_eq!(visitor.post(link, &[("password", "a new horse battery")]).await.status, 200);
    assert_eq!(visitor.get("/portal").await.status, 303, "a link signs nobody in");
    assert_eq!(leads(&visitor.sign_in(HELEN, "a new horse battery").await), (303, Some(CODE)));
    assert_eq!(visitor.post(CODE, &[("code", &phone.code(&app))]).await.status, 303);
    assert_eq!(visitor.get("/portal").await.status, 200);
}

#[tokio::test]
async fn an_owner_demands_one_of_every_member_and_nothing_is_open_without_it() {
    let app = TestApp::start().await;
    let (helen, phone, _) = helen_with_second_factor(&app).await;
    let account = app.accounts().named("Acme Marine").await.expect("answers").expect("there").id;
    let maya_id = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let maya = app.signed_in("maya@acme.example").await;
    let send = async |who: &Visitor, demanded: &str, code: &str| {
        who.post(SETTINGS, &[("part", "demand"), ("demanded", demanded), ("demand_code", code)]).await
    };
    assert!(!maya.page(SETTINGS).await.contains("demand_code"), "owners alone");
    assert_eq!(send(&maya, "yes", "000000").await.status, 403);
    for wrong in ["", "000000"] {
        let answer = send(&helen, "yes", wrong).await;
        assert_eq!(answer.status, 422, "{wrong}");
        assert!(answer.html().contains("href=\"#demand_code\""), "{answer:?}");
    }
    assert_eq!(maya.get("/portal").await.status, 200, "nothing was done");
    let answer = send(&helen, "yes", &phone.code(&app)).await;
    assert_eq!(leads(&answer), (303, Some("/portal/settings?done=demanded")));
    assert!(
        helen
            .page("/portal/settings?done=demanded")
            .await
            .contains("Every member needs a second factor now.")
    );
    let again = send(&helen, "yes", "000000").await;
    assert_eq!(leads(&again), (303, Some("/portal/settings?done=demanded")), "sent twice, it is done once");
    let events = events_of(&app.database, account).await;
    let event = events.iter().rfind(|event| event.deed == Deed::AccountSettingsChanged).expect("audited");
    assert_eq!(event.detail, "second factor: every member needs one");

    // Maya is led to setting it up, comes back to where she was going, and reaches nothing before.
    for path in ["/portal", "/portal/keys", "/portal/history", SETTINGS, "/portal/check", "/portal/usage"] {
        let to = format!("{SET_UP}?return_to={}", path.replace('/', "%2F"));
        assert_eq!(leads(&maya.get(path).await), (303, Some(&*to)), "{path}");
    }
    let made = maya.post("/portal/keys/new", &[("name", "ERP"), ("kind", "test")]).await;
    assert_eq!(made.status, 303, "{made:?}");
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());
    let at = format!("{SET_UP}?return_to=%2Fportal%2Fkeys");
    let page = maya.page(&at).await;
    assert!(page.contains("The owners of your account want every member to have one."), "{page}");
    assert!(!page.contains("href=\"/portal/history\""), "the pages that are closed are not offered: {page}");
    let hers = AppCodes::reading(&page);
    let answer = maya.post(&at, &[("code", &hers.code(&app)), MINE]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.html().contains("action=\"/portal/keys\""), "{answer:?}");
    assert_eq!(maya.get("/portal/keys").await.status, 200);

    // It is not turned off but replaced.
    app.clock.advance(2 * STEP);
    assert!(maya.page(SETTINGS).await.contains("Set up another"));
    let off = maya.post(SETTINGS, &[("part", "second-factor"), ("code", &hers.code(&app))]).await;
    assert_eq!(off.status, 303);
    assert!(app.second_factors().of(Person::Member(maya_id)).await.expect("answers").is_none());
    assert_eq!(maya.get("/portal").await.status, 303, "and until then nothing is open");

    let answer = send(&helen, "no", &phone.code(&app)).await;
    assert_eq!(leads(&answer), (303, Some("/portal/settings?done=left")));
    assert_eq!(maya.get("/portal").await.status, 200);
}

#[tokio::test]
async fn who_must_have_one_takes_no_key_by_a_link_before_it() {
    let app = TestApp::start().await;
    let (account, owner) = app.owner("Acme Marine", HELEN).await;
    let helen = app.signed_in(HELEN).await;
    let key = PreparedKey { name: "ERP".to_owned(), mode: KeyMode::Live };
    let by = (&Actor::COMMAND_LINE, "Sam Smith");
    app.onboarding().issue_to((account, owner), &key, None, by, &mut SysRng).await.expect("sends");
    let letters = app.mail_to(HELEN, 1).await;
    let text = letters[0].body.expose_secret().to_owned();
    let link = text.split_whitespace().find(|word| word.contains("/claim/")).expect("a link");
    let link = link.strip_prefix(&app.url("")).expect("our own").to_owned();
    let demanded = AccountSettings::SecondFactor { demanded: true };
    app.accounts().change_settings(account, &demanded, &Actor::COMMAND_LINE).await.expect("demands");
    let refused = helen.post(&link, &[]).await;
    assert!(refused.header("location").is_some_and(|to| to.starts_with(SET_UP)), "{refused:?}");
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());
    let phone = AppCodes::reading(&helen.page(SET_UP).await);
    assert_eq!(helen.post(SET_UP, &[("code", &phone.code(&app)), MINE]).await.status, 200);
    assert_eq!(helen.post(&link, &[]).await.status, 200);
    assert_eq!(app.api_keys().list(account).await.expect("keys").len(), 1);
}

#[tokio::test]
async fn a_demand_that_the_server_cannot_meet_is_told_and_leads_nowhere() {
    let mut app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", HELEN).await;
    let demanded = AccountSettings::SecondFactor { demanded: true };
    app.accounts().change_settings(account, &demanded, &Actor::COMMAND_LINE).await.expect("demands");
    app.restart_with("ACCOUNTS__SECOND_FACTOR_KEY", "").await;
    let helen = app.signed_in(HELEN).await;
    assert_eq!(leads(&helen.get("/portal").await).0, 303);
    let closed = helen.get(SET_UP).await;
    assert_eq!(closed.status, 503);
    assert!(closed.html().contains("this server cannot keep one"), "{closed:?}");
    assert_eq!(helen.post("/sign-out", &[]).await.status, 303, "one can go");
}

#[tokio::test]
async fn it_is_one_members_own() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "owner@acme.example").await;
    let maya = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Viewer).await;
    app.set_up_second_factor(Person::Member(maya)).await;
    let owner = app.signed_in("owner@acme.example").await;
    assert!(owner.page(SETTINGS).await.contains("Whoever knows your password"));
    let form = [("part", "second-factor"), ("code", "000000")];
    assert_eq!(leads(&owner.post(SETTINGS, &form).await), (303, Some(SETTINGS)), "there is none");
    assert!(app.second_factors().of(Person::Member(maya)).await.expect("answers").is_some());
}

#[tokio::test]
async fn without_a_key_it_is_not_offered_and_recovery_codes_still_let_in() {
    let mut app = TestApp::start().await;
    let (_, phone, codes) = helen_with_second_factor(&app).await;
    app.owner("Other", "raj@other.example").await;
    app.restart_with("ACCOUNTS__SECOND_FACTOR_KEY", "").await;
    let raj = app.signed_in("raj@other.example").await;
    assert!(raj.page(SETTINGS).await.contains("cannot be set up on this server"));
    assert_eq!(leads(&raj.get(SET_UP).await), (303, Some(SETTINGS)));
    assert_eq!(leads(&raj.post(SET_UP, &[("code", "123456")]).await), (303, Some(SET_UP)));
    let helen = after_password(&app).await;
    let answer = helen.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(answer.status, 503);
    assert!(answer.html().contains("Codes of apps cannot be checked at present"), "{answer:?}");
    assert_eq!(helen.post(CODE, &[("code", &codes[0])]).await.status, 303);
    assert_eq!(helen.get("/portal").await.status, 200);
}
