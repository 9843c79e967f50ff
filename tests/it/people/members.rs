//! Who belongs to an account, with what role and what password.

use std::time::Duration;

use chrono::TimeDelta;
use crossvat::{
    audit::{Actor, ActorKind, Deed},
    db::entities::{member, outbox_letter},
    email::MessageKind,
    members::{MemberError, NewMember, Role, SignIn},
    one_time_links::{LinkState, Purpose},
    passwords::UnfitPassword,
    people::Person,
};
use rand::rngs::SysRng;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use uuid::Uuid;

use super::{HERE, PASSWORD, People, key, secret};
use crate::command_line::{program, run_with_input};

#[tokio::test]
async fn create_member_makes_somebody_who_signs_in_without_a_link() {
    let people = People::start().await;
    let acme = people.account("Acme Marine Ltd").await;
    let create = |organisation, email, role, input| {
        let mut command = program(people.folder.path());
        command.args(["create-member", "--organisation", organisation, "--email", email, "--role", role]);
        command.args(["--name", "Kim Lee"]);
        let done = run_with_input(command, input);
        (
            done.status.success(),
            String::from_utf8_lossy(&done.stdout).into_owned(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    };
    let (done, printed, errors) = create("Acme Marine Ltd", "Kim@Acme.example", "viewer", PASSWORD);
    assert!(done, "{errors}");
    let id: Uuid = printed.trim_end().parse().expect("an identifier");
    let SignIn::Accepted(kim, _) =
        people.members.sign_in("kim@acme.example", &secret(PASSWORD), &mut SysRng).await.expect("answers")
    else {
        panic!("does not sign in")
    };
    assert_eq!((kim.id, kim.account_id, kim.role), (id, acme, Role::Viewer));
    let events = people.events().await;
    let [.., added, confirmed] = events.as_slice() else { panic!("{events:?}") };
    for (event, deed) in [(added, Deed::MemberAdded), (confirmed, Deed::AddressConfirmed)] {
        assert_eq!(
            (event.deed, event.actor_kind, event.subject_id),
            (deed, ActorKind::CommandLine, Some(id))
        );
    }
    for (organisation, email, role, input, said) in [
        ("Nobody Ltd", "lee@acme.example", "owner", PASSWORD, "there is no account \"Nobody Ltd\""),
        ("Acme Marine Ltd", "kim@acme.example", "owner", PASSWORD, "is a member already"),
        ("Acme Marine Ltd", "lee@acme.example", "owner", "hunter2", "a password needs 12 characters or more"),
        ("Acme Marine Ltd", "lee@acme.example", "owner", "", "the password is expected on standard input"),
        ("Acme Marine Ltd", "lee@acme.example", "boss", PASSWORD, "[possible values: owner, member, viewer]"),
    ] {
        let (done, printed, errors) = create(organisation, email, role, input);
        assert!(!done && printed.is_empty() && errors.contains(said), "{email} {role}: {errors}");
        assert!(!errors.contains("hunter2"), "{errors}");
    }
}

#[tokio::test]
async fn an_address_belongs_to_one_member_of_one_account() {
    let people = People::start().await;
    let (acme, other) = (people.account("Acme Marine Ltd").await, people.account("Other").await);
    people.member(acme, "Helen@Acme.example", Role::Owner).await;
    let add = |account_id, email: &'static str, name: &'static str, password: &'static str| {
        let people = &people;
        async move {
            let password = secret(password);
            let new = NewMember { account_id, email, name, role: Role::Viewer, password: Some(&password) };
            people.members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect_err("refused")
        }
    };
    let refusals = [
        add(acme, "helen@acme.example", "Helen", PASSWORD).await,
        add(acme, " HELEN@ACME.EXAMPLE ", "Helen", PASSWORD).await,
        add(other, "helen@acme.example", "Helen", PASSWORD).await,
        add(Uuid::nil(), "new@acme.example", "New", PASSWORD).await,
        add(acme, "acme.example", "New", PASSWORD).await,
        add(acme, "new@acme.example\r\nBcc: all@acme.example", "New", PASSWORD).await,
        add(acme, "new@acme.example", " ", PASSWORD).await,
        add(acme, "new@acme.example", "New", "password").await,
        add(acme, "new@acme.example", "New", "acme marine LTD").await,
        add(acme, "new@acme.example", "New", "New@acme.example").await,
    ];
    assert!(
        matches!(
            refusals,
            [
                MemberError::AlreadyMember,
                MemberError::AlreadyMember,
                MemberError::AddressTaken,
                MemberError::UnknownAccount,
                MemberError::Email(_),
                MemberError::Email(_),
                MemberError::Name(_),
                MemberError::Unfit(UnfitPassword::TooShort(8)),
                MemberError::Unfit(UnfitPassword::AboutYou),
                MemberError::Unfit(UnfitPassword::AboutYou),
            ]
        ),
        "{refusals:?}"
    );
    let listed = people.members.list(acme).await.expect("members");
    assert_eq!(listed.iter().map(|member| member.email.as_str()).collect::<Vec<_>>(), ["helen@acme.example"]);
    assert!(people.members.list(other).await.expect("members").is_empty());
    assert_eq!(people.deeds(acme).await, [Deed::MemberAdded], "what is refused leaves no trace");
}

#[tokio::test]
async fn who_was_removed_and_is_added_again_is_somebody_new_with_nothing_from_before() {
    let people = People::start().await;
    let (acme, other) = (people.account("acme").await, people.account("other").await);
    people.member(acme, "owner@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Owner).await;
    people.members.confirm_address(maya, HERE).await.expect("confirms");
    let first = people.found(maya).await;
    people.clock.advance(Duration::from_mins(1));
    people.members.remove(acme, maya, &Actor::COMMAND_LINE).await.expect("removes");
    let removed = people.found(maya).await;
    assert_eq!(
        (removed.name.as_str(), removed.removed_at),
        ("Helen Fenwick", Some(people.shared_clock().now()))
    );
    assert!(!removed.has_password, "it is forgotten");
    assert_eq!(removed.email, "address removed");
    assert_eq!(people.last_event().await.detail, "maya@acme.example", "the audit log knows it");
    let elsewhere = NewMember {
        account_id: other,
        email: "maya@acme.example",
        name: "Maya",
        role: Role::Viewer,
        password: None,
    };
    let add = async |new| people.members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await;
    let theirs = add(elsewhere).await.expect("the address is free");
    let again = NewMember { account_id: acme, ..elsewhere };
    let taken = add(again).await;
    assert!(matches!(taken, Err(MemberError::AddressTaken)), "{taken:?}");
    people.members.remove(other, theirs, &Actor::COMMAND_LINE).await.expect("removes");
    let back = add(again).await.expect("adds");
    assert!(back != maya && back != theirs);
    let there = people.found(back).await;
    assert_eq!((there.email.as_str(), there.role), ("maya@acme.example", Role::Viewer));
    assert_eq!((there.removed_at, there.confirmed_at, there.has_password), (None, None, false));
    assert_eq!(people.found(maya).await, removed, "what they did before names them as before");
    assert!(!people.opens("maya@acme.example", PASSWORD).await);
    assert_eq!(first.created_at + TimeDelta::minutes(1), there.created_at);
}

/// Before, a removal left the address where it was.
#[tokio::test]
async fn whoever_was_removed_when_addresses_stayed_taken_comes_back_too() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    people.member(acme, "owner@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    people.members.remove(acme, maya, &Actor::COMMAND_LINE).await.expect("removes");
    let row = member::ActiveModel {
        id: Set(maya),
        email: Set("maya@acme.example".to_owned()),
        ..Default::default()
    };
    row.update(&people.db.main).await.expect("as it was");
    assert!(
        people
            .members
            .with_email(&"maya@acme.example".parse().expect("an address"))
            .await
            .expect("reads")
            .is_none()
    );
    let back = people.invited(acme, "maya@acme.example").await;
    assert!(back != maya);
    assert_eq!(people.found(back).await.email, "maya@acme.example");
    assert_eq!(people.found(maya).await.email, "address removed");
}

#[tokio::test]
async fn the_right_password_opens_and_it_is_not_told_what_is_wrong_with_any_other_sign_in() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    people.invited(acme, "invited@acme.example").await;
    let gone = people.member(acme, "gone@acme.example", Role::Member).await;
    people.members.remove(acme, gone, &Actor::COMMAND_LINE).await.expect("removes");
    let SignIn::Accepted(member, password) = people.sign_in(" HELEN@acme.example", PASSWORD).await else {
        panic!("refused");
    };
    assert_eq!(*member, people.found(helen).await);
    assert_eq!(password, people.password_of(Person::Member(helen)).await);
    for (email, password, is_members) in [
        ("helen@acme.example", "correct horse batterz", true),
        ("Helen@acme.example", "", true),
        ("unknown@acme.example", PASSWORD, false),
        ("invited@acme.example", PASSWORD, true),
        ("invited@acme.example", "", true),
        ("gone@acme.example", PASSWORD, false),
        ("no address", PASSWORD, false),
        ("", "", false),
    ] {
        let SignIn::Refused(whose) = people.sign_in(email, password).await else {
            panic!("{email} {password}");
        };
        let whose = whose.map(|member| member.email);
        assert_eq!(whose, is_members.then(|| email.to_lowercase()), "{password}, for the audit log alone");
    }
}

#[tokio::test]
async fn a_password_that_is_kept_weakly_is_kept_well_after_the_next_sign_in() {
    // 8 MiB, one pass, of PASSWORD; made by the same crate.
    let weak = {
        use argon2::{Argon2, CustomizedPasswordHasher, Params, password_hash::phc::PasswordHash};
        let parameters = Params::new(8192, 1, 1, None).expect("parameters");
        let hash: PasswordHash = Argon2::default()
            .hash_password_with_params(PASSWORD.as_bytes(), &[3; 16], parameters)
            .expect("hashes");
        hash.to_string()
    };
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let kept = || async {
        let row = member::Entity::find_by_id(helen).one(&people.db.main).await.expect("answers");
        row.and_then(|row| row.password_hash).expect("a hash")
    };
    member::Entity::update_many()
        .col_expr(member::Column::PasswordHash, Expr::value(weak.clone()))
        .filter(member::Column::Id.eq(helen))
        .exec(&people.db.main)
        .await
        .expect("updates");
    assert!(!people.opens("helen@acme.example", "correct horse batterz").await);
    assert_eq!(kept().await, weak);
    assert!(people.opens("helen@acme.example", PASSWORD).await);
    let well = kept().await;
    assert!(well.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{well}");
    assert!(people.opens("helen@acme.example", PASSWORD).await);
    assert_eq!(kept().await, well, "once is enough");
}

#[tokio::test]
async fn an_account_keeps_an_owner() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    let (members, actor) = (&people.members, Actor::member(helen, HERE));
    let removed = members.remove(acme, helen, &actor).await;
    assert!(matches!(removed, Err(MemberError::LastOwner)), "{removed:?}");
    for role in [Role::Member, Role::Viewer] {
        let changed = members.change_role(acme, helen, role, &actor).await;
        assert!(matches!(changed, Err(MemberError::LastOwner)), "{changed:?}");
    }
    members.change_role(acme, helen, Role::Owner, &actor).await.expect("nothing to do");
    members.change_role(acme, maya, Role::Owner, &actor).await.expect("promotes");
    members.change_role(acme, helen, Role::Viewer, &actor).await.expect("one is left");
    let removed = members.remove(acme, maya, &actor).await;
    assert!(matches!(removed, Err(MemberError::LastOwner)), "{removed:?}");
    members.remove(acme, helen, &actor).await.expect("viewers may all go");
    assert_eq!(
        people.deeds(acme).await,
        [
            Deed::MemberAdded,
            Deed::MemberAdded,
            Deed::MemberRoleChanged,
            Deed::MemberRoleChanged,
            Deed::MemberRemoved
        ]
    );
    let event = people.last_event().await;
    assert_eq!((event.actor_kind, event.actor_id), (ActorKind::Member, Some(helen)));
    assert_eq!((event.subject_id, event.from_address.as_deref()), (Some(helen), Some("203.0.113.24")));
    assert_eq!(event.detail, "helen@acme.example");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_last_owners_who_go_at_once_one_stays() {
    let people = People::start().await;
    for round in 0..8 {
        let account = people.account(&format!("acme {round}")).await;
        let one = people.invited_owner(account, &format!("one{round}@acme.example")).await;
        let two = people.invited_owner(account, &format!("two{round}@acme.example")).await;
        let members = (people.members.clone(), people.members.clone());
        let remove = tokio::spawn(async move { members.0.remove(account, one, &Actor::COMMAND_LINE).await });
        let go = tokio::spawn(async move {
            if round % 2 == 0 {
                members.1.remove(account, two, &Actor::COMMAND_LINE).await
            } else {
                members.1.change_role(account, two, Role::Viewer, &Actor::COMMAND_LINE).await
            }
        });
        let went = [remove.await.expect("no panic"), go.await.expect("no panic")];
        let refused = |went: &Result<(), MemberError>| matches!(went, Err(MemberError::LastOwner));
        assert_eq!(went.iter().filter(|went| went.is_ok()).count(), 1, "{went:?}");
        assert_eq!(went.iter().filter(|went| refused(went)).count(), 1, "{went:?}");
        let left = people.members.list(account).await.expect("members");
        let owners = left.iter().filter(|member| member.role == Role::Owner && member.removed_at.is_none());
        assert_eq!(owners.count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_added_twice_at_once_is_added_once() {
    let people = People::start().await;
    let (acme, other) = (people.account("acme").await, people.account("other").await);
    for round in 0..8 {
        let email = format!("new{round}@acme.example");
        let second = if round % 2 == 0 { acme } else { other };
        let adding = [acme, second].map(|account_id| {
            let (members, email) = (people.members.clone(), email.clone());
            tokio::spawn(async move {
                let new =
                    NewMember { account_id, email: &email, name: "New", role: Role::Member, password: None };
                members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await
            })
        });
        let [first, then] = adding;
        let added = [first.await.expect("no panic"), then.await.expect("no panic")];
        assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 1, "{added:?}");
        let refused = |added: &Result<Uuid, MemberError>| match added {
            Err(MemberError::AlreadyMember) => second == acme,
            Err(MemberError::AddressTaken) => second == other,
            _ => false,
        };
        assert_eq!(added.iter().filter(|added| refused(added)).count(), 1, "{added:?}");
    }
}

#[tokio::test]
async fn another_accounts_member_cannot_be_changed_by_identifier() {
    let people = People::start().await;
    let (acme, other) = (people.account("acme").await, people.account("other").await);
    people.member(acme, "helen@acme.example", Role::Owner).await;
    let theirs = people.member(other, "raj@other.example", Role::Member).await;
    for (account, member) in [(acme, theirs), (acme, Uuid::nil()), (Uuid::nil(), theirs)] {
        let removed = people.members.remove(account, member, &Actor::COMMAND_LINE).await;
        assert!(matches!(removed, Err(MemberError::Unknown)), "{removed:?}");
        let changed = people.members.change_role(account, member, Role::Owner, &Actor::COMMAND_LINE).await;
        assert!(matches!(changed, Err(MemberError::Unknown)), "{changed:?}");
    }
    assert_eq!(people.found(theirs).await.role, Role::Member);
    assert_eq!(people.deeds(other).await, [Deed::MemberAdded]);
}

#[tokio::test]
async fn a_changed_password_ends_every_other_session_and_withdraws_what_could_replace_it() {
    let people = People::start().await;
    let acme = people.account("Acme Marine Ltd").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    let helens = [people.browser(Person::Member(helen)).await, people.browser(Person::Member(helen)).await];
    let mayas = people.browser(Person::Member(maya)).await;
    let mut choosing = Vec::new();
    for purpose in Purpose::CHOOSING_A_PASSWORD {
        choosing.push(people.link(purpose, Person::Member(helen)).await.id);
    }
    let confirm = people.link(Purpose::ConfirmAddress, Person::Member(helen)).await.id;
    let claim = people.link(Purpose::ClaimKey, Person::Member(helen)).await.id;
    let change = |present: &'static str, new: &'static str| {
        let people = &people;
        async move {
            let (present, new) = (secret(present), secret(new));
            let passwords = (&present, &new);
            let keep = key(helens[0]);
            people.members.change_password(helen, passwords, &keep, HERE, &mut SysRng, &people.outbox).await
        }
    };
    let before = people.deeds(acme).await;
    let refusals = [
        change("correct horse batterz", "a new horse battery").await,
        change("", "a new horse battery").await,
        change(PASSWORD, "too short").await,
        change(PASSWORD, "qwerty123456").await,
        change(PASSWORD, "ACME marine ltd").await,
    ];
    assert!(
        matches!(
            refusals,
            [
                Err(MemberError::WrongPassword),
                Err(MemberError::WrongPassword),
                Err(MemberError::Unfit(UnfitPassword::TooShort(9))),
                Err(MemberError::Unfit(UnfitPassword::Common)),
                Err(MemberError::Unfit(UnfitPassword::AboutYou)),
            ]
        ),
        "{refusals:?}"
    );
    assert_eq!(people.deeds(acme).await, before);
    assert_eq!(people.signed_in(helens[1]).await, Some(Person::Member(helen)), "nothing happened yet");

    assert!(letters(&people).await.is_empty(), "what is refused is not told");

    let password = change(PASSWORD, "a new horse battery").await.expect("changes");
    assert_eq!(password, people.password_of(Person::Member(helen)).await);
    assert_eq!(letters(&people).await, [("helen@acme.example".to_owned(), MessageKind::PasswordChanged)]);
    assert_eq!(people.signed_in(helens[0]).await, Some(Person::Member(helen)), "the one that asked");
    assert_eq!(people.signed_in(helens[1]).await, None);
    assert_eq!(people.signed_in(mayas).await, Some(Person::Member(maya)), "somebody else's");
    assert!(!people.opens("helen@acme.example", PASSWORD).await);
    assert!(people.opens("helen@acme.example", "a new horse battery").await);
    assert!(people.opens("maya@acme.example", PASSWORD).await);
    let links = people.links.of_account(acme).await.expect("links");
    let state = |id| links.iter().find(|link| link.id == id).map(|link| link.state);
    for link in choosing {
        assert_eq!(state(link), Some(LinkState::Withdrawn));
    }
    assert_eq!(state(confirm), Some(LinkState::Sent));
    assert_eq!(state(claim), Some(LinkState::Sent), "it sets no password where there is one");
    let event = people.last_event().await;
    assert_eq!(
        (event.deed, event.actor_id, event.subject_id),
        (Deed::PasswordChanged, Some(helen), Some(helen))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_changes_from_the_same_password_one_succeeds() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let here = people.browser(Person::Member(helen)).await;
    let changing = ["first new password", "second new password"].map(|new| {
        let (members, outbox) = (people.members.clone(), people.outbox.clone());
        tokio::spawn(async move {
            let passwords = (&secret(PASSWORD), &secret(new));
            let keep = key(here);
            members.change_password(helen, passwords, &keep, HERE, &mut SysRng, &outbox).await.map(|_| new)
        })
    });
    let [first, then] = changing;
    let changed = [first.await.expect("no panic"), then.await.expect("no panic")];
    let present: Vec<_> = changed.iter().flatten().collect();
    let [present] = present.as_slice() else { panic!("{changed:?}") };
    assert!(changed.iter().any(|changed| matches!(changed, Err(MemberError::WrongPassword))), "{changed:?}");
    assert!(people.opens("helen@acme.example", present).await);
}

#[tokio::test]
async fn a_password_that_is_set_by_a_link_ends_all_sessions_and_proves_the_address() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let browser = people.browser(Person::Member(helen)).await;
    let unfit = people.choose_password(helen, "qwerty123456").await;
    assert!(matches!(unfit, Err(MemberError::Unfit(UnfitPassword::Common))), "{unfit:?}");
    people.choose_password(helen, "a new horse battery").await.expect("sets");
    assert_eq!(people.signed_in(browser).await, None);
    assert!(people.opens("helen@acme.example", "a new horse battery").await);
    let confirmed_at = people.found(helen).await.confirmed_at;
    assert_eq!(confirmed_at, Some(people.shared_clock().now()));
    assert_eq!(letters(&people).await, [("helen@acme.example".to_owned(), MessageKind::PasswordChanged)]);
    people.clock.advance(Duration::from_mins(1));
    people.members.confirm_address(helen, HERE).await.expect("is confirmed");
    people.choose_password(helen, PASSWORD).await.expect("sets");
    assert_eq!(people.found(helen).await.confirmed_at, confirmed_at, "proved once");
    assert_eq!(people.deeds(acme).await, [Deed::MemberAdded, Deed::PasswordSet, Deed::PasswordSet]);
}

#[tokio::test]
async fn a_first_password_is_no_changed_one() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let maya = people.invited(acme, "maya@acme.example").await;
    people.choose_password(maya, PASSWORD).await.expect("sets");
    assert!(people.opens("maya@acme.example", PASSWORD).await);
    assert!(letters(&people).await.is_empty());
}

#[tokio::test]
async fn an_address_is_confirmed_once() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    assert_eq!(people.found(helen).await.confirmed_at, None);
    let then = people.shared_clock().now();
    for _ in 0..2 {
        people.members.confirm_address(helen, HERE).await.expect("confirms");
        people.clock.advance(Duration::from_mins(1));
    }
    assert_eq!(people.found(helen).await.confirmed_at, Some(then));
    assert_eq!(people.deeds(acme).await, [Deed::MemberAdded, Deed::AddressConfirmed]);
    let unknown = people.members.confirm_address(Uuid::nil(), HERE).await;
    assert!(matches!(unknown, Err(MemberError::Unknown)), "{unknown:?}");
}

#[tokio::test]
async fn who_is_removed_can_do_nothing_more_and_is_still_named() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    people.member(acme, "helen@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    let browser = people.browser(Person::Member(maya)).await;
    let confirm = people.link(Purpose::ConfirmAddress, Person::Member(maya)).await;
    let reset = people.link(Purpose::ResetPassword, Person::Member(maya)).await;
    people.members.remove(acme, maya, &Actor::COMMAND_LINE).await.expect("removes");
    assert_eq!(people.signed_in(browser).await, None);
    for (purpose, link) in [(Purpose::ConfirmAddress, confirm), (Purpose::ResetPassword, reset)] {
        let used = people.uses().consume(purpose, link.secret.reveal()).await;
        assert!(used.is_err(), "{used:?}");
    }
    let new = secret("a new horse battery");
    let passwords = (&secret(PASSWORD), &new);
    for done in [
        people.members.remove(acme, maya, &Actor::COMMAND_LINE).await,
        people.members.change_role(acme, maya, Role::Owner, &Actor::COMMAND_LINE).await,
        people.choose_password(maya, "a new horse battery").await,
        people
            .members
            .change_password(maya, passwords, &key(browser), HERE, &mut SysRng, &people.outbox)
            .await
            .map(drop),
        people.members.prepare_password(maya, &new, &mut SysRng).await.map(drop),
        people.members.prove_password(maya, &new).await.map(drop),
        people.members.confirm_address(maya, HERE).await,
    ] {
        assert!(matches!(done, Err(MemberError::Unknown)), "{done:?}");
    }
    let listed = people.members.list(acme).await.expect("members");
    assert!(listed.iter().any(|member| member.id == maya && member.name == "Helen Fenwick"));
}

/// To whom the letters are that wait, and what about.
async fn letters(people: &People) -> Vec<(String, MessageKind)> {
    let rows = outbox_letter::Entity::find().all(&people.db.main).await.expect("letters");
    rows.into_iter().map(|row| (row.recipient, row.kind)).collect()
}

impl People {
    async fn invited_owner(&self, account_id: Uuid, email: &str) -> Uuid {
        let new = NewMember { account_id, email, name: "Owner", role: Role::Owner, password: None };
        self.members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member")
    }
}
