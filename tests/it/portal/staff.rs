//! Support staff: how they come in, what they need for it, and how the team is kept.

use std::time::Duration;

use crossvat::{
    audit::{Actor, ActorKind, Deed},
    db::entities::audit_event,
    email::MessageKind,
    people::Person,
};
use rand::rngs::SysRng;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::codes::{AppCodes, recovery_codes, secret_on};
use crate::support::{Answer, TestApp, Visitor};

const SIGN_IN: &str = "/staff/sign-in";
const CODE: &str = "/staff/sign-in/code";
const SET_UP: &str = "/staff/second-factor";
const SECURITY: &str = "/staff/security";
const TEAM: &str = "/staff/team";
/// Where one goes who was on the way to nowhere in particular.
const HOME: &str = "/staff";
const SAM: &str = "sam@crossvat.example";
const STEP: Duration = Duration::from_secs(30);

/// Sam, made on the command line.
async fn sam(app: &TestApp) -> Uuid {
    let password = Visitor::PASSWORD.into();
    let created = app.staff().create((SAM, "Sam Smith"), &password, &Actor::COMMAND_LINE, &mut SysRng).await;
    created.expect("one of the staff")
}

async fn sign_in(visitor: &Visitor, email: &str, password: &str) -> Answer {
    visitor.post(SIGN_IN, &[("email", email), ("password", password)]).await
}

fn leads(answer: &Answer) -> (u16, Option<&str>) {
    (answer.status, answer.header("location"))
}

async fn last_event(app: &TestApp) -> audit_event::Model {
    let events = audit_event::Entity::find().order_by_desc(audit_event::Column::Id);
    events.one(&app.database.main).await.expect("answers").expect("an event")
}

/// The path of the link in a letter.
fn link_in(app: &TestApp, letter: &crossvat::email::Letter) -> String {
    let text = letter.body.expose_secret().to_owned();
    let link = text.split_whitespace().find(|word| word.contains("/staff/join/")).expect("a link");
    link.strip_prefix(&app.url("")).expect("our own").to_owned()
}

#[tokio::test]
async fn the_first_sign_in_leads_to_the_second_factor_and_nowhere_else() {
    let app = TestApp::start().await;
    sam(&app).await;
    let browser = app.visitor();
    assert_eq!(leads(&browser.get(TEAM).await), (303, Some("/staff/sign-in?return_to=%2Fstaff%2Fteam")));
    let form = [("email", SAM), ("password", Visitor::PASSWORD), ("return_to", SECURITY)];
    assert_eq!(leads(&browser.post(SIGN_IN, &form).await), (303, Some(SECURITY)));
    for path in [SECURITY, TEAM, "/staff/team/x", "/staff/team/x/disable"] {
        let back: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let to = format!("/staff/second-factor?return_to={back}");
        assert_eq!(leads(&browser.get(path).await), (303, Some(&*to)), "{path}");
        assert_eq!(leads(&browser.post(path, &[]).await), (303, Some(&*to)), "{path}");
    }
    let address = "/staff/second-factor?return_to=%2Fstaff%2Fsecurity";
    let page = browser.page(address).await;
    assert!(!page.contains("href=\"/staff/team\""), "nothing is open yet");
    assert!(page.contains("Sign out") && page.contains("Sam Smith"), "but one can go");
    let phone = AppCodes::reading(&page);
    let wrong = browser.post(address, &[("code", "000000")]).await;
    assert_eq!((wrong.status, secret_on(wrong.html())), (422, phone.letters()));
    assert_eq!(browser.get(TEAM).await.status, 303, "still");
    let before = browser.held().expect("a session");
    let done = browser.post(address, &[("code", &phone.code(&app))]).await;
    assert_eq!((done.status, recovery_codes(done.html()).len()), (200, 10), "{done:?}");
    assert!(done.html().contains("action=\"/staff/security\""), "goes on whither one was going");
    assert_ne!(browser.held().expect("a session"), before, "another identifier");
    assert_eq!(browser.get(SECURITY).await.status, 200);
    assert!(browser.page(TEAM).await.contains("href=\"/staff/team\""));
    assert_eq!(app.mail_to(SAM, 1).await[0].kind, MessageKind::SecondFactorSetUp);

    assert_eq!(leads(&browser.post("/sign-out", &[]).await), (303, Some(SIGN_IN)));
    app.clock.advance(2 * STEP);
    assert_eq!(leads(&sign_in(&browser, SAM, Visitor::PASSWORD).await), (303, Some(CODE)));
    assert_eq!(browser.get(TEAM).await.header("location"), Some("/staff/sign-in?return_to=%2Fstaff%2Fteam"));
    assert_eq!(
        leads(&browser.get(SET_UP).await),
        (303, Some("/staff/sign-in?return_to=%2Fstaff%2Fsecond-factor"))
    );
    assert_eq!(leads(&browser.post(CODE, &[("code", &phone.code(&app))]).await), (303, Some(HOME)));
    assert_eq!(browser.get(TEAM).await.status, 200);
}

#[tokio::test]
async fn staff_and_members_have_a_door_each() {
    let app = TestApp::start().await;
    sam(&app).await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let visitor = app.visitor();
    let words = "This address and this password do not belong together, or there is no such account";
    for (path, email) in
        [("/sign-in", SAM), (SIGN_IN, "helen@acme.example"), (SIGN_IN, "nobody@crossvat.example")]
    {
        let answer = visitor.post(path, &[("email", email), ("password", Visitor::PASSWORD)]).await;
        assert_eq!(answer.status, 422, "{path} {email}");
        assert_eq!(answer.html().matches(words).count(), 2, "{path} {email}");
    }
    let wrong = sign_in(&visitor, SAM, "another horse battery").await;
    assert!(wrong.status == 422 && wrong.html().contains(&format!("value=\"{SAM}\"")), "{wrong:?}");
    assert!(!wrong.html().contains("another horse"));
    let support = app.support("Kim Lund").await;
    assert_eq!(support.get("/portal").await.header("location"), Some("/sign-in?return_to=%2Fportal"));
    assert_eq!(support.get("/sign-in").await.status, 200, "no circle");
    let member = app.signed_in("helen@acme.example").await;
    assert_eq!(member.get(TEAM).await.header("location"), Some("/staff/sign-in?return_to=%2Fstaff%2Fteam"));
    assert_eq!(member.get(SIGN_IN).await.status, 200);
    // Whoever signs in at the other door is the other afterwards.
    assert_eq!(sign_in(&member, SAM, Visitor::PASSWORD).await.status, 303);
    assert_eq!(member.get("/portal").await.status, 303);
    for _ in 0..8 {
        sign_in(&visitor, SAM, "a guess of many").await;
    }
    assert_eq!(sign_in(&visitor, SAM, Visitor::PASSWORD).await.status, 429, "guessed without end");
}

#[tokio::test]
async fn what_is_dangerous_asks_for_the_code_again_after_a_while() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let invite = async |email: &str, code: &str| {
        sam.post(TEAM, &[("email", email), ("name", "Kim Lund"), ("code", code)]).await
    };
    assert!(!sam.page(TEAM).await.contains("name=\"code\""), "seen a moment ago");
    assert_eq!(invite("kim1@crossvat.example", "").await.status, 303);
    app.clock.advance(Duration::from_mins(15));
    assert_eq!(invite("kim2@crossvat.example", "").await.status, 303, "still enough");
    app.clock.advance(Duration::from_secs(1));
    assert!(sam.page(TEAM).await.contains("name=\"code\""));
    for (code, words) in
        [("", "Type the code that your app shows"), ("000000", "This code is not the present one")]
    {
        let answer = invite("kim3@crossvat.example", code).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.html().matches(words).count(), 2, "{answer:?}");
        for kept in ["value=\"kim3@crossvat.example\"", "value=\"Kim Lund\""] {
            assert!(answer.html().contains(kept), "{kept}: {answer:?}");
        }
    }
    assert!(app.mail.to("kim3@crossvat.example").is_empty());
    // What else needs changing is said first, so that no code is used up for nothing.
    let code = sam.code(&app);
    assert_eq!(invite("kim3", &code).await.status, 422);
    assert_eq!(invite("kim3@crossvat.example", &code).await.status, 303);
    assert_eq!(invite("kim4@crossvat.example", "").await.status, 303, "that renewed it");
    app.clock.advance(Duration::from_mins(16));
    // Of another person, and one that was used.
    let kim = app.support("Kim Lund").await;
    app.clock.advance(2 * STEP);
    for wrong in [&kim.code(&app), &code] {
        assert_eq!(invite("kim5@crossvat.example", wrong).await.status, 422);
    }
    assert_eq!(invite("kim5@crossvat.example", &sam.code(&app)).await.status, 303);
}

#[tokio::test]
async fn wrong_codes_use_nothing_up_of_what_may_be_mailed_to_an_address() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    app.clock.advance(Duration::from_mins(16));
    let invite = async |code: &str| {
        sam.post(TEAM, &[("email", "kim@crossvat.example"), ("name", "Kim Lund"), ("code", code)]).await
    };
    for _ in 0..6 {
        assert_eq!(invite("000000").await.status, 422);
    }
    assert_eq!(leads(&invite(&sam.code(&app)).await), (303, Some("/staff/team?done=invited")));
}

/// Events about a person, by what was done.
async fn noted(app: &TestApp, deed: Deed, person: Uuid) -> Vec<audit_event::Model> {
    let events = audit_event::Entity::find().filter(audit_event::Column::Deed.eq(deed));
    let of_person = events.filter(audit_event::Column::SubjectId.eq(person));
    of_person.all(&app.database.main).await.expect("events")
}

#[tokio::test]
async fn who_of_the_staff_comes_in_and_whose_codes_are_refused_is_in_the_audit_log() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let before = noted(&app, Deed::StaffSignedIn, sam.id).await.len();
    let visitor = app.visitor();
    sign_in(&visitor, &sam.email, "not the password at all").await;
    let waiting = async {
        while noted(&app, Deed::PasswordRefused, sam.id).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("it is written after the answer");
    sign_in(&visitor, &sam.email, Visitor::PASSWORD).await;
    assert_eq!(noted(&app, Deed::StaffSignedIn, sam.id).await.len(), before, "the password is half of it");
    app.clock.advance(2 * STEP);
    for (code, status) in [("000000", 422), ("", 422), (&*sam.code(&app), 303)] {
        assert_eq!(visitor.post(CODE, &[("code", code)]).await.status, status);
    }
    let came_in = noted(&app, Deed::StaffSignedIn, sam.id).await;
    assert_eq!(came_in.len(), before + 1);
    let last = came_in.last().expect("an event");
    assert_eq!((last.actor_kind, last.actor_id), (ActorKind::Support, Some(sam.id)));
    assert_eq!(last.from_address.as_deref(), Some("127.0.0.1"));
    let refused = noted(&app, Deed::SecondFactorRefused, sam.id).await;
    assert_eq!(refused.len(), 1, "nothing typed is no code: {refused:?}");
    assert_eq!((refused[0].actor_kind, refused[0].detail.as_str()), (ActorKind::Visitor, sam.email.as_str()));
    // As before something dangerous.
    app.clock.advance(Duration::from_mins(16));
    let invited = [("email", "kim@crossvat.example"), ("name", "Kim Lund"), ("code", "000000")];
    assert_eq!(visitor.post(TEAM, &invited).await.status, 422);
    assert_eq!(noted(&app, Deed::SecondFactorRefused, sam.id).await.len(), 2);
}

#[tokio::test]
async fn codes_are_not_guessed_with_a_session_that_somebody_came_by() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    app.clock.advance(Duration::from_mins(16));
    let guess = async |code: &str| sam.post(SECURITY, &[("part", "replace"), ("code", code)]).await.status;
    for _ in 0..10 {
        assert_eq!(guess("000000").await, 422);
    }
    let refused = sam.post(SECURITY, &[("part", "replace"), ("code", &sam.code(&app))]).await;
    assert!(refused.html().contains("Too many tries. Wait"), "{refused:?}");
    app.clock.advance(Duration::from_mins(29));
    sam.get(SECURITY).await;
    app.clock.advance(Duration::from_mins(29));
    sam.get(SECURITY).await;
    app.clock.advance(Duration::from_mins(3));
    assert_eq!(guess(&sam.code(&app)).await, 303);
}

#[tokio::test]
async fn a_session_of_the_staff_ends_after_half_an_hour_of_rest_and_eight_hours_in_all() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    app.clock.advance(Duration::from_mins(29));
    assert_eq!(sam.get(TEAM).await.status, 200);
    app.clock.advance(Duration::from_mins(29));
    assert_eq!(sam.get(TEAM).await.status, 200, "not idle");
    app.clock.advance(Duration::from_mins(30));
    assert_eq!(sam.get(TEAM).await.status, 303);
    sam.sign_in_again(&app).await;
    for _ in 0..23 {
        app.clock.advance(Duration::from_mins(20));
        assert_eq!(sam.get(TEAM).await.status, 200);
    }
    app.clock.advance(Duration::from_mins(20));
    assert_eq!(sam.get(TEAM).await.status, 303, "eight hours are over");
}

#[tokio::test]
async fn somebody_is_invited_joins_once_and_sets_up_a_second_factor() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let form = [("email", " Kim@Crossvat.example "), ("name", "Kim <b>Lund</b>")];
    assert_eq!(leads(&sam.post(TEAM, &form).await), (303, Some("/staff/team?done=invited")));
    let page = sam.page("/staff/team?done=invited").await;
    for there in
        ["The invitation is on its way.", "Kim &lt;b&gt;Lund", "Invited", "1 person and 1 invitation"]
    {
        assert!(page.contains(there), "{there}: {page}");
    }
    assert_eq!(leads(&sam.post(TEAM, &form).await), (303, Some("/staff/team?done=invited")), "sent twice");
    let again = sam.post(TEAM, &[("email", "kim@crossvat.example"), ("name", "Kim Other")]).await;
    assert_eq!(again.status, 422);
    assert_eq!(again.html().matches("One of the support staff has, or had, this address").count(), 2);
    for (form, words) in [
        ([("email", "kim"), ("name", "Kim")], "Enter an email address with an @"),
        ([("email", "a@b.example"), ("name", " ")], "A person's name needs 1 to 100 characters"),
    ] {
        let answer = sam.post(TEAM, &form).await;
        assert!(answer.status == 422 && answer.html().replace("&#x27;", "'").contains(words), "{answer:?}");
    }
    // Who was invited cannot come in without the link.
    let kim = app.visitor();
    assert_eq!(sign_in(&kim, "kim@crossvat.example", "").await.status, 422);
    let letters = app.mail_to("kim@crossvat.example", 1).await;
    assert_eq!((letters.len(), letters[0].kind), (1, MessageKind::JoinStaff));
    let link = link_in(&app, &letters[0]);
    // A scanner of mail looks, and looks again.
    for _ in 0..2 {
        assert!(app.visitor().page(&link).await.contains("Choose a password"));
    }
    let short = kim.post(&link, &[("password", "short")]).await;
    assert!(
        short.status == 422 && short.html().contains("12 characters or more; this one has 5"),
        "{short:?}"
    );
    let joined = kim.post(&link, &[("password", "a new horse battery")]).await;
    assert!(joined.status == 200 && joined.html().contains("Your password is kept."), "{joined:?}");
    assert!(joined.html().contains("action=\"/staff/sign-in\""), "{joined:?}");
    assert_eq!(kim.post(&link, &[("password", "another horse battery")]).await.status, 404, "it works once");
    assert_eq!(kim.get(TEAM).await.status, 303, "a link signs nobody in");
    assert_eq!(leads(&sign_in(&kim, "kim@crossvat.example", "a new horse battery").await), (303, Some(HOME)));
    assert_eq!(
        kim.get(TEAM).await.header("location"),
        Some("/staff/second-factor?return_to=%2Fstaff%2Fteam")
    );
    let phone = AppCodes::reading(&kim.page(SET_UP).await);
    assert_eq!(kim.post(SET_UP, &[("code", &phone.code(&app))]).await.status, 200);
    assert_eq!(kim.get(TEAM).await.status, 200);
    assert!(sam.page(TEAM).await.contains("2 people"));
    assert!(
        app.mail.to("kim@crossvat.example").iter().all(|letter| letter.kind != MessageKind::PasswordChanged)
    );
}

#[tokio::test]
async fn a_link_is_sent_again_or_taken_back() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    sam.post(TEAM, &[("email", "kim@crossvat.example"), ("name", "Kim Lund")]).await;
    let staff = app.staff().list().await.expect("staff");
    let kim = staff.iter().find(|person| person.name == "Kim Lund").expect("invited").id;
    let page = format!("{TEAM}/{kim}");
    assert!(sam.page(&page).await.contains("The link was sent, and works until"));
    let first = link_in(&app, &app.mail_to("kim@crossvat.example", 1).await[0]);
    app.visitor().page(&first).await;
    assert!(sam.page(&page).await.contains("The link was opened, and works until"));
    let again = sam.post(&page, &[("part", "invitation")]).await;
    assert_eq!(leads(&again), (303, Some("/staff/team?done=invited")));
    let second = link_in(&app, &app.mail_to("kim@crossvat.example", 2).await[1]);
    assert_eq!(app.visitor().get(&first).await.status, 404, "another took its place");
    assert_eq!(app.visitor().get(&second).await.status, 200);
    let withdrawn = sam.post(&page, &[("part", "withdraw")]).await;
    assert_eq!(leads(&withdrawn), (303, Some("/staff/team?done=withdrawn")));
    assert_eq!(last_event(&app).await.deed, Deed::LinkWithdrawn);
    let ended = app.visitor().post(&second, &[("password", "a new horse battery")]).await;
    assert!(ended.status == 404 && ended.html().contains("href=\"/staff/sign-in\""), "{ended:?}");
    assert_eq!(leads(&sam.post(&page, &[("part", "withdraw")]).await), (303, Some(TEAM)), "it is over");
    assert!(sam.page(&page).await.contains("The link that was sent works no more"));
    app.clock.advance(Duration::from_mins(16));
    for part in ["invitation", "withdraw"] {
        sam.post(&page, &[("part", "invitation"), ("code", &sam.code(&app))]).await;
        app.clock.advance(Duration::from_mins(16));
        let asked = sam.post(&page, &[("part", part)]).await;
        assert!(asked.status == 422 && asked.html().contains("href=\"#code\""), "{part}: {asked:?}");
    }
    let joined = link_in(&app, app.mail_to("kim@crossvat.example", 4).await.last().expect("letters"));
    app.visitor().post(&joined, &[("password", "a new horse battery")]).await;
    // Who has joined is sent no link that chooses a password.
    assert_eq!(leads(&sam.post(&page, &[("part", "invitation")]).await), (303, Some(TEAM)));
}

#[tokio::test]
async fn somebody_elses_access_is_ended_by_name_and_with_a_reason() {
    let app = TestApp::start().await;
    let (sam, kim) = (app.support("Sam Smith").await, app.support("Kim Lund").await);
    let page = format!("{TEAM}/{}/disable", kim.id);
    for (confirm, reason, field) in [
        ("Kim", "has left", "confirm"),
        ("Kim Lund", " ", "reason"),
        ("Kim Lund", &*"x".repeat(501), "reason"),
    ] {
        let answer = sam.post(&page, &[("confirm", confirm), ("reason", reason)]).await;
        assert_eq!(answer.status, 422, "{confirm} {reason}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
        assert!(answer.html().contains(&format!("value=\"{confirm}\"")), "what was typed stays");
    }
    let own = format!("{TEAM}/{}/disable", sam.id);
    assert_eq!(sam.get(&own).await.status, 404, "not oneself");
    let oneself = sam.post(&own, &[("confirm", "Sam Smith"), ("reason", "has left")]).await;
    assert_eq!(oneself.status, 404);
    assert_eq!(kim.get(TEAM).await.status, 200);
    let form = [("confirm", "Kim Lund"), ("reason", "has left")];
    assert_eq!(leads(&sam.post(&page, &form).await), (303, Some("/staff/team?done=disabled")));
    let event = last_event(&app).await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::StaffDisabled, "has left"));
    assert_eq!((event.actor_id, event.subject_id), (Some(sam.id), Some(kim.id)));
    assert_eq!(kim.get(TEAM).await.header("location"), Some("/staff/sign-in?return_to=%2Fstaff%2Fteam"));
    assert_eq!(sign_in(&app.visitor(), &kim.email, Visitor::PASSWORD).await.status, 422);
    assert!(sam.page(TEAM).await.contains("Disabled"));
    assert_eq!(sam.get(&page).await.status, 404, "it is done");
    assert_eq!(leads(&sam.post(&page, &form).await), (303, Some("/staff/team?done=disabled")), "sent twice");
    assert_eq!(noted(&app, Deed::StaffDisabled, kim.id).await.len(), 1);
    // Two who end each other's access: one of them is too late.
    let actor = Actor::support(kim.id, std::net::Ipv4Addr::LOCALHOST.into());
    let late = app.staff().disable(sam.id, "revenge", &actor).await;
    assert!(matches!(late, Err(crossvat::staff::StaffError::Unknown)), "{late:?}");
    let actor = Actor::support(sam.id, std::net::Ipv4Addr::LOCALHOST.into());
    let oneself = app.staff().disable(sam.id, "has left", &actor).await;
    assert!(matches!(oneself, Err(crossvat::staff::StaffError::Oneself)), "{oneself:?}");
}

#[tokio::test]
async fn a_colleague_whose_telephone_is_lost_sets_up_another() {
    let app = TestApp::start().await;
    let (sam, kim) = (app.support("Sam Smith").await, app.support("Kim Lund").await);
    let page = format!("{TEAM}/{}", kim.id);
    assert!(sam.page(&page).await.contains("Remove their second factor"));
    let removed = sam.post(&page, &[("part", "second-factor")]).await;
    assert_eq!(leads(&removed), (303, Some("/staff/team?done=factor")));
    let event = last_event(&app).await;
    assert_eq!((event.deed, event.actor_id), (Deed::SecondFactorRemoved, Some(sam.id)));
    assert_eq!(kim.get(TEAM).await.status, 303, "signed out");
    assert_eq!(leads(&sign_in(&kim, &kim.email, Visitor::PASSWORD).await), (303, Some(HOME)));
    assert_eq!(
        kim.get(TEAM).await.header("location"),
        Some("/staff/second-factor?return_to=%2Fstaff%2Fteam")
    );
    let own = format!("{TEAM}/{}", sam.id);
    assert!(!sam.page(&own).await.contains("Remove their second factor"));
    assert_eq!(leads(&sam.post(&own, &[("part", "second-factor")]).await), (303, Some(TEAM)));
    let still = app.second_factors().of(Person::Support(sam.id)).await.expect("answers");
    assert!(still.is_some(), "nobody works without one");
    let letters = app.mail_to(&kim.email, 2).await;
    assert_eq!(letters[1].kind, MessageKind::SecondFactorRemoved);
    assert!(letters[1].body.expose_secret().contains("/staff/sign-in"));
}

#[tokio::test]
async fn a_colleague_who_forgot_the_password_is_sent_a_link_and_shows_the_second_factor_afterwards() {
    let app = TestApp::start().await;
    let (sam, kim) = (app.support("Sam Smith").await, app.support("Kim Lund").await);
    assert!(app.visitor().page(SIGN_IN).await.contains("Forgotten your password? Ask a colleague"));
    let page = format!("{TEAM}/{}", kim.id);
    app.clock.advance(Duration::from_mins(16));
    let asked = sam.post(&page, &[("part", "password")]).await;
    assert!(asked.status == 422 && asked.html().contains("href=\"#code\""), "{asked:?}");
    let sent = sam.post(&page, &[("part", "password"), ("code", &sam.code(&app))]).await;
    assert_eq!(leads(&sent), (303, Some("/staff/team?done=password")));
    let event = last_event(&app).await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::LinkIssued, "reset password"));
    assert_eq!(event.actor_id, Some(sam.id));
    let letters = app.mail_to(&kim.email, 2).await;
    let letter = letters.last().expect("letters");
    assert_eq!(letter.kind, MessageKind::ResetStaffPassword);
    let link = link_in(&app, letter);
    let elsewhere = link.replace("/staff/join/", "/reset-password/");
    assert_eq!(app.visitor().get(&elsewhere).await.status, 404, "it is no member's");
    assert_eq!(kim.get(TEAM).await.status, 200, "nothing has changed yet");
    let browser = app.visitor();
    assert_eq!(browser.post(&link, &[("password", "short")]).await.status, 422);
    let chosen = browser.post(&link, &[("password", "a new horse battery")]).await;
    assert!(chosen.status == 200 && chosen.html().contains("action=\"/staff/sign-in\""), "{chosen:?}");
    assert_eq!(kim.get(TEAM).await.status, 303, "signed out everywhere");
    let again = browser.post(&link, &[("password", "another horse battery")]).await;
    assert!(again.status == 404 && again.html().contains("href=\"/staff/sign-in\""), "{again:?}");
    assert!(!again.html().contains("/forgot-password"), "{again:?}");
    assert_eq!(sign_in(&browser, &kim.email, Visitor::PASSWORD).await.status, 422);
    assert_eq!(leads(&sign_in(&browser, &kim.email, "a new horse battery").await), (303, Some(CODE)));
    app.clock.advance(2 * STEP);
    assert_eq!(leads(&browser.post(CODE, &[("code", &kim.code(&app))]).await), (303, Some(HOME)));
    let letters = app.mail_to(&kim.email, 3).await;
    assert_eq!(letters[2].kind, MessageKind::PasswordChanged);

    // Nobody helps themselves to a link, nor somebody who was never one of the staff.
    let own = format!("{TEAM}/{}", sam.id);
    assert!(!sam.page(&own).await.contains("Send a link to choose a password"));
    assert_eq!(leads(&sam.post(&own, &[("part", "password")]).await), (303, Some(TEAM)));
    sam.post(TEAM, &[("email", "max@crossvat.example"), ("name", "Max Weber")]).await;
    let staff = app.staff().list().await.expect("staff");
    let max = staff.iter().find(|person| person.name == "Max Weber").expect("invited").id;
    let invited = sam.post(&format!("{TEAM}/{max}"), &[("part", "password")]).await;
    assert_eq!(leads(&invited), (303, Some(TEAM)));
}

#[tokio::test]
async fn staff_settle_their_own_sign_in() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let page = sam.page(SECURITY).await;
    assert!(page.contains("10 of 10 recovery codes are left") && page.contains("This session"), "{page}");
    let renewed = sam.post(SECURITY, &[("part", "codes")]).await;
    assert_eq!((renewed.status, recovery_codes(renewed.html()).len()), (200, 10));
    assert_eq!(last_event(&app).await.deed, Deed::RecoveryCodesRenewed);

    let change = async |present, new| {
        sam.post(SECURITY, &[("part", "password"), ("present", present), ("new", new)]).await
    };
    for (present, new, field) in
        [("another one", "a new horse battery", "present"), (Visitor::PASSWORD, "too short", "new")]
    {
        let answer = change(present, new).await;
        assert!(answer.status == 422 && answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
    }
    let changed = change(Visitor::PASSWORD, "a new horse battery").await;
    assert_eq!(leads(&changed), (303, Some("/staff/security?done=password")));
    assert_eq!(sam.get("/staff/security?done=password").await.status, 200, "this session stays");
    let letters = app.mail_to(&sam.email, 2).await;
    assert_eq!(letters[1].kind, MessageKind::PasswordChanged);
    let text = letters[1].body.expose_secret().replace('\n', " ");
    assert!(text.contains("tell another of the support staff at once"), "{text}");
    assert_eq!(sign_in(&app.visitor(), &sam.email, Visitor::PASSWORD).await.status, 422);

    // Another telephone in place of the first.
    app.clock.advance(Duration::from_mins(16));
    assert_eq!(leads(&sam.get(SET_UP).await), (303, Some(SECURITY)), "not without a code");
    assert_eq!(leads(&sam.post(SET_UP, &[("code", "123456")]).await), (303, Some(SECURITY)));
    let go = sam.post(SECURITY, &[("part", "replace"), ("code", &sam.code(&app))]).await;
    assert_eq!(leads(&go), (303, Some("/staff/second-factor?return_to=/staff/security")));
    let address = "/staff/second-factor?return_to=/staff/security";
    let page = sam.page(address).await;
    assert!(page.contains("Replace your second factor"), "{page}");
    let phone = AppCodes::reading(&page);
    let done = sam.post(address, &[("code", &phone.code(&app))]).await;
    assert_eq!((done.status, recovery_codes(done.html()).len()), (200, 10), "{done:?}");
    assert_eq!(last_event(&app).await.detail, format!("{}, instead of an earlier one", sam.email));
    app.clock.advance(2 * STEP);
    let browser = app.visitor();
    assert_eq!(leads(&sign_in(&browser, &sam.email, "a new horse battery").await), (303, Some(CODE)));
    assert_eq!(browser.post(CODE, &[("code", &sam.code(&app))]).await.status, 422, "the old telephone");
    assert_eq!(browser.post(CODE, &[("code", &phone.code(&app))]).await.status, 303);
    let ended = browser.post(SECURITY, &[("part", "end"), ("session", "others")]).await;
    assert_eq!(leads(&ended), (303, Some("/staff/security?done=ended")));
    assert_eq!(sam.get(TEAM).await.status, 303, "signed out there");
}

#[tokio::test]
async fn without_a_key_support_is_closed_in_words() {
    let mut app = TestApp::start().await;
    let sam_with = app.support("Sam Smith").await;
    sam(&app).await;
    let session = sam_with.held().expect("a session");
    app.restart_with("ACCOUNTS__SECOND_FACTOR_KEY", "").await;
    let proved = app.visitor();
    proved.hold(&session);
    let fresh = app.visitor();
    assert_eq!(sign_in(&fresh, SAM, Visitor::PASSWORD).await.status, 303);
    for browser in [&proved, &fresh] {
        assert_eq!(
            browser.get(TEAM).await.header("location"),
            Some("/staff/second-factor?return_to=%2Fstaff%2Fteam")
        );
        for answer in [browser.get(SET_UP).await, browser.post(SET_UP, &[("code", "123456")]).await] {
            assert_eq!(answer.status, 503);
            assert!(answer.html().contains("accounts.second_factor_key"), "{answer:?}");
        }
    }
    assert_eq!(app.visitor().get("/sign-in").await.status, 200, "customers are served");
}

#[tokio::test]
async fn forms_of_another_site_change_nothing() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    for path in
        [SIGN_IN, CODE, SET_UP, SECURITY, TEAM, "/staff/team/x", "/staff/team/x/disable", "/staff/join/x"]
    {
        assert_eq!(sam.post_from_elsewhere(path, &[]).await.status, 403, "{path}");
    }
    assert_eq!(sam.get(TEAM).await.status, 200, "still signed in");
}
