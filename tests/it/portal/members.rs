//! Who belongs to an account: invited by mail, given roles, removed.

use crossvat::{
    email::Letter,
    members::{Member, Role},
};
use secrecy::ExposeSecret;
use uuid::Uuid;

use crate::support::{Answer, TestApp, Visitor};

const PATH: &str = "/portal/settings/members";

#[tokio::test]
async fn an_invited_colleague_chooses_a_password_and_is_a_member() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let answer = invite(&helen, "Maya@Acme.example", "Maya Okafor", "member").await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/portal/settings/members?done=invited"))
    );
    let page = helen.get("/portal/settings/members?done=invited").await;
    for there in
        ["maya@acme.example", "Invited", "link works until", "1 person and 1 invitation", "is on its way"]
    {
        assert!(page.html().contains(there), "{there}: {page:?}");
    }
    let letters = app.mail_to("maya@acme.example", 1).await;
    assert_eq!(letters[0].subject.to_string(), "Helen Fenwick invites you to Acme Marine at Crossvat");
    let claim = claim_in(&letters[0]);

    let maya = app.visitor();
    assert_eq!(
        maya.sign_in("maya@acme.example", Visitor::PASSWORD).await.status,
        422,
        "there is no password yet"
    );
    assert_eq!(maya.get(&claim).await.status, 200);
    assert_eq!(maya.get(&claim).await.status, 200, "looking does not use it up");
    assert_eq!(maya.post(&claim, &[("password", "short")]).await.status, 422);
    assert_eq!(maya.post(&claim, &[("password", Visitor::PASSWORD)]).await.status, 200);
    assert_eq!(
        maya.post(&claim, &[("password", "another horse battery")]).await.status,
        404,
        "it works once"
    );
    assert_eq!(maya.sign_in("maya@acme.example", Visitor::PASSWORD).await.status, 303);
    assert_eq!(maya.get("/portal/keys/new").await.status, 200, "as a member");
    let page = helen.get(PATH).await;
    assert!(page.html().contains("2 people") && !page.html().contains("Invited"), "{page:?}");
    assert_eq!(member(&app, account, "maya@acme.example").await.expect("there").role, Role::Member);
    assert_eq!(app.mail.to("maya@acme.example").len(), 1, "a first password is no changed one");
}

#[tokio::test]
async fn an_invitation_that_cannot_be_says_why_and_no_more_than_an_owner_may_know() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    app.owner("Other", "raj@other.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let twice = async |email: &str| invite(&helen, email, "Raj Patel", "viewer").await;
    assert_eq!(twice("new@acme.example").await.status, 303);
    for (email, name, role, words) in [
        ("helen@acme.example", "Helen", "viewer", "is a member already, or invited"),
        ("new@acme.example", "New", "viewer", "is a member already, or invited"),
        ("raj@other.example", "Raj", "viewer", "Nobody can be invited with this address."),
        ("raj", "Raj", "viewer", "Enter an email address with an @"),
        ("a@b.co\r\nBcc: c@d.co", "Raj", "viewer", "Enter an email address with an @"),
        ("a@b.co", "Raj\r\nBcc: c@d.co", "viewer", "name needs 1 to 100 characters"),
        ("a@b.co", " ", "viewer", "name needs 1 to 100 characters"),
        ("a@b.co", "Raj", "admin", "Choose what they may do"),
        ("a@b.co", "Raj", "", "Choose what they may do"),
    ] {
        let answer = invite(&helen, email, name, role).await;
        assert_eq!(answer.status, 422, "{email} {name} {role}");
        assert_eq!(answer.html().matches(words).count(), 2, "{words}: {answer:?}");
        assert!(!answer.html().to_lowercase().contains("another account"), "{answer:?}");
    }
    let answer = invite(&helen, "", "", "").await;
    assert!(answer.html().contains("Three things need"), "{answer:?}");
    let answer = invite(&helen, "<b>@\"", "<i>Raj", "viewer").await;
    assert!(!answer.html().contains("<b>") && !answer.html().contains("<i>"), "as text");
    let listed = app.members().list(account).await.expect("members");
    assert_eq!(listed.len(), 2, "{listed:?}");
    app.mail_to("new@acme.example", 1).await;
    assert!(app.mail.to("raj@other.example").is_empty(), "nobody is told of what did not happen");
}

#[tokio::test]
async fn names_are_text_wherever_they_stand() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let name = "<script>alert(1)</script>\"'&";
    assert_eq!(invite(&helen, "odd@acme.example", name, "viewer").await.status, 303);
    let odd = member(&app, account, "odd@acme.example").await.expect("there");
    for path in [PATH.to_owned(), at(odd.id), format!("{}/remove", at(odd.id))] {
        let page = helen.get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.html().contains("&lt;script&gt;alert(1)"), "{path}: {page:?}");
        assert!(!page.html().contains("<script>alert"), "{path}");
    }
    let answer = helen.post(&format!("{}/remove", at(odd.id)), &[("confirm", name)]).await;
    assert_eq!(answer.status, 303, "and it can be typed");
}

#[tokio::test]
async fn an_invitation_is_sent_again_and_the_first_link_works_no_more() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    invite(&helen, "maya@acme.example", "Maya Okafor", "member").await;
    let maya = member(&app, account, "maya@acme.example").await.expect("there");
    app.mail_to("maya@acme.example", 1).await;
    let day = std::time::Duration::from_hours(25);
    app.clock.advance(day);
    let helen = app.signed_in("helen@acme.example").await;
    assert!(helen.get(PATH).await.html().contains("the link has ended"));
    assert!(helen.get(&at(maya.id)).await.html().contains("Send it again"));
    for _ in 0..2 {
        let answer = helen.post(&at(maya.id), &[("part", "invitation")]).await;
        assert_eq!(answer.header("location"), Some("/portal/settings/members?done=invited"), "{answer:?}");
    }
    assert!(helen.get(PATH).await.html().contains("link works until"));
    let letters = app.mail_to("maya@acme.example", 3).await;
    let mut works = 0;
    for letter in &letters {
        works += u16::from(app.visitor().get(&claim_in(letter)).await.status == 200);
    }
    assert_eq!(works, 1, "the last one");
    let owner = member(&app, account, "helen@acme.example").await.expect("there");
    let answer = helen.post(&at(owner.id), &[("part", "invitation")]).await;
    assert_eq!(answer.header("location"), Some(PATH), "who has a password needs no invitation");
    assert!(app.mail.to("helen@acme.example").is_empty());
}

#[tokio::test]
async fn one_mailbox_is_not_filled_with_invitations() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    invite(&helen, "maya@acme.example", "Maya Okafor", "member").await;
    let maya = member(&app, account, "maya@acme.example").await.expect("there");
    for _ in 0..4 {
        assert_eq!(helen.post(&at(maya.id), &[("part", "invitation")]).await.status, 303);
    }
    let answer = helen.post(&at(maya.id), &[("part", "invitation")]).await;
    assert_eq!(answer.status, 429);
    assert!(answer.html().contains("Too many tries"), "{answer:?}");
    let answer = invite(&helen, "maya@acme.example", "Maya Okafor", "member").await;
    assert_eq!(answer.status, 429);
    assert!(answer.html().contains("value=\"maya@acme.example\""), "what was typed stays");
}

#[tokio::test]
async fn a_role_holds_at_once_and_the_last_owner_stays() {
    let app = TestApp::start().await;
    let (account, owner) = app.owner("Acme Marine", "helen@acme.example").await;
    let id = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Viewer).await;
    let (helen, maya) = (app.signed_in("helen@acme.example").await, app.signed_in("maya@acme.example").await);
    assert_eq!(maya.get("/portal/keys/new").await.status, 403);
    assert!(!maya.get(PATH).await.html().contains("Invite somebody"));
    let words = "The account needs an owner: make somebody else one first";
    for role in ["viewer", "member"] {
        let answer = helen.post(&at(owner), &[("part", "role"), ("role", role)]).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.html().matches(words).count(), 2, "{answer:?}");
    }
    let answer = helen.post(&format!("{}/remove", at(owner)), &[("confirm", "Helen Fenwick")]).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.html().matches(words).count(), 2, "{answer:?}");
    assert_eq!(helen.post(&at(id), &[("part", "role"), ("role", "king")]).await.status, 422);
    let answer = helen.post(&at(id), &[("part", "role"), ("role", "owner")]).await;
    assert_eq!(answer.header("location"), Some("/portal/settings/members?done=role"));
    assert!(maya.get(PATH).await.html().contains("Invite somebody"));
    assert_eq!(helen.post(&at(owner), &[("part", "role"), ("role", "viewer")]).await.status, 303);
    assert_eq!(helen.get(&at(id)).await.status, 403, "she gave it up");
}

#[tokio::test]
async fn who_is_removed_by_name_is_out_at_once() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let id = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let (helen, maya) = (app.signed_in("helen@acme.example").await, app.signed_in("maya@acme.example").await);
    let remove = format!("{}/remove", at(id));
    for typed in ["", "maya okafor", "Helen Fenwick"] {
        let answer = helen.post(&remove, &[("confirm", typed)]).await;
        assert_eq!(answer.status, 422, "{typed}");
        assert_eq!(answer.html().matches("Type their name exactly").count(), 2, "{answer:?}");
    }
    assert_eq!(maya.get("/portal").await.status, 200, "not yet");
    let answer = helen.post(&remove, &[("confirm", " Maya Okafor ")]).await;
    assert_eq!(answer.header("location"), Some("/portal/settings/members?done=removed"));
    assert_eq!(maya.get("/portal").await.status, 303);
    assert!(!helen.get(PATH).await.html().contains("maya@acme.example"));
    assert_eq!(helen.get(&remove).await.status, 404);
    assert_eq!(invite(&helen, "maya@acme.example", "Maya Okafor", "viewer").await.status, 303, "and back");
}

#[tokio::test]
async fn another_accounts_members_are_not_there() {
    let app = TestApp::start().await;
    let (_, helens) = app.owner("Acme Marine", "helen@acme.example").await;
    app.owner("Other", "raj@other.example").await;
    let raj = app.signed_in("raj@other.example").await;
    assert!(!raj.get(PATH).await.html().contains("helen@acme.example"));
    let theirs = raj.get(&at(helens)).await;
    let nobodys = raj.get(&at(Uuid::nil())).await;
    assert_eq!((theirs.status, nobodys.status), (404, 404));
    assert_eq!(raj.post(&at(helens), &[("part", "role"), ("role", "viewer")]).await.status, 404);
    assert_eq!(
        raj.post(&format!("{}/remove", at(helens)), &[("confirm", "Helen Fenwick")]).await.status,
        404
    );
    assert_eq!(raj.get("/portal/settings/members/%2e%2e%2fx").await.status, 404);
    assert_eq!(app.signed_in("helen@acme.example").await.get(&at(helens)).await.status, 200);
}

async fn invite(owner: &Visitor, email: &str, name: &str, role: &str) -> Answer {
    owner.post(PATH, &[("email", email), ("name", name), ("role", role)]).await
}

fn at(member: Uuid) -> String {
    format!("{PATH}/{member}")
}

async fn member(app: &TestApp, account: Uuid, email: &str) -> Option<Member> {
    let members = app.members().list(account).await.expect("members");
    members.into_iter().find(|member| member.email == email)
}

/// The path of the link in an invitation.
fn claim_in(letter: &Letter) -> String {
    let body = letter.body.expose_secret();
    let secret =
        body.split("/claim/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    format!("/claim/{secret}")
}
