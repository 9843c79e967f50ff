//! Links that work once.

use std::{collections::HashSet, time::Duration};

use crossvat::{
    audit::{Actor, ActorKind, Deed},
    email::{Line, Message},
    members::{MemberError, Role},
    one_time_links::{LinkError, LinkState, OneTimeLink, Purpose},
    people::{EmailAddress, Person},
    ways_in::WayInError,
};
use rand::rngs::SysRng;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{HERE, PASSWORD, People, secret};

const PURPOSES: [Purpose; 5] = Purpose::ALL;
const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn a_link_can_be_looked_at_any_number_of_times_and_used_once() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    for purpose in PURPOSES {
        let issued = people.link(purpose, helen).await;
        let secret = issued.secret.reveal();
        assert_eq!(people.state_of(acme, issued.id).await, LinkState::Sent);
        let opened_at = people.shared_clock().now();
        for _ in 0..3 {
            let link = people.links.look(purpose, secret).await.expect("usable");
            assert_eq!((link.id, link.person, link.account_id), (issued.id, helen, Some(acme)));
            assert_eq!((link.state, link.opened_at), (LinkState::Opened, Some(opened_at)));
            people.clock.advance(Duration::from_mins(1));
        }
        assert_eq!(people.state_of(acme, issued.id).await, LinkState::Opened);
        let used = people.uses().consume(purpose, secret).await.expect("usable");
        assert_eq!((used.id, used.state, used.purpose), (issued.id, LinkState::Used, purpose));
        assert_eq!(used.used_at, Some(people.shared_clock().now()));
        for again in [people.uses().consume(purpose, secret).await, people.links.look(purpose, secret).await]
        {
            assert!(matches!(again, Err(LinkError::Ended(LinkState::Used))), "{again:?}");
        }
        let event = people.last_event().await;
        assert_eq!((event.deed, event.account_id), (Deed::LinkUsed, Some(acme)));
        assert_eq!((event.actor_kind, event.actor_id), (ActorKind::Member, Some(helen.id())));
        assert_eq!((event.subject_id, event.detail.as_str()), (Some(issued.id), purpose.as_str()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_use_a_link_at_once_one_succeeds() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    for _ in 0..5 {
        let issued = people.link(Purpose::ClaimKey, helen).await;
        let before = people.deeds(acme).await.len();
        let using: Vec<_> = (0..8)
            .map(|_| {
                let (uses, secret) = (people.uses(), issued.secret.reveal().to_owned());
                tokio::spawn(async move { uses.consume(Purpose::ClaimKey, &secret).await })
            })
            .collect();
        let mut succeeded = 0;
        for using in using {
            match using.await.expect("no panic") {
                Ok(_) => succeeded += 1,
                Err(LinkError::Ended(LinkState::Used)) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(succeeded, 1);
        assert_eq!(people.deeds(acme).await[before..], [Deed::LinkUsed], "and it is logged once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_using_and_withdrawing_at_once_one_succeeds() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    for _ in 0..8 {
        let issued = people.link(Purpose::ClaimKey, helen).await;
        let (links, secret) = (people.uses(), issued.secret.reveal().to_owned());
        let using = tokio::spawn(async move { links.consume(Purpose::ClaimKey, &secret).await });
        let withdrawn = people.links.withdraw(Some(acme), issued.id, &Actor::COMMAND_LINE).await;
        let used = using.await.expect("no panic");
        assert_ne!(used.is_ok(), withdrawn.is_ok(), "{used:?} {withdrawn:?}");
        let state = people.state_of(acme, issued.id).await;
        assert_eq!(state, if used.is_ok() { LinkState::Used } else { LinkState::Withdrawn });
    }
}

#[tokio::test]
async fn a_link_is_for_its_purpose_and_whoever_knows_the_whole_secret() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let issued = people.link(Purpose::ConfirmAddress, helen).await;
    let secret = issued.secret.reveal();
    assert_eq!(secret.len(), 64, "256 bits in hexadecimal");
    let upper = secret.to_uppercase();
    let other = format!("{}{}", if secret.starts_with('0') { '1' } else { '0' }, &secret[1..]);
    for (purpose, presented) in [
        (Purpose::ResetPassword, secret),
        (Purpose::ClaimKey, secret),
        (Purpose::Invitation, secret),
        (Purpose::ConfirmAddress, ""),
        (Purpose::ConfirmAddress, &secret[1..]),
        (Purpose::ConfirmAddress, &upper),
        (Purpose::ConfirmAddress, &other),
        (Purpose::ConfirmAddress, &format!("{secret}0")),
        (Purpose::ConfirmAddress, "é'; DROP TABLE one_time_links; --\0"),
    ] {
        for done in
            [people.links.look(purpose, presented).await, people.uses().consume(purpose, presented).await]
        {
            assert!(matches!(done, Err(LinkError::Unknown)), "{presented}: {done:?}");
        }
    }
    assert_eq!(people.state_of(acme, issued.id).await, LinkState::Sent);
}

#[tokio::test]
async fn a_link_can_be_used_for_24_hours() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let in_time = people.link(Purpose::ConfirmAddress, helen).await;
    let late = people.link(Purpose::ClaimKey, helen).await;
    assert_eq!(late.expires_at, people.shared_clock().now() + DAY);
    people.clock.advance(Duration::from_millis(24 * 60 * 60 * 1000 - 1));
    people.links.look(Purpose::ClaimKey, late.secret.reveal()).await.expect("in time");
    people.uses().consume(Purpose::ConfirmAddress, in_time.secret.reveal()).await.expect("in time");
    people.clock.advance(Duration::from_millis(1));
    for done in [
        people.links.look(Purpose::ClaimKey, late.secret.reveal()).await,
        people.uses().consume(Purpose::ClaimKey, late.secret.reveal()).await,
    ] {
        assert!(matches!(done, Err(LinkError::Ended(LinkState::Expired))), "{done:?}");
    }
    assert_eq!(people.state_of(acme, in_time.id).await, LinkState::Used, "what was used stays used");
    assert_eq!(people.state_of(acme, late.id).await, LinkState::Expired);
}

#[tokio::test]
async fn a_withdrawn_link_opens_nothing_and_only_the_accounts_own_is_withdrawn() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let other = people.account("other").await;
    let sam = Person::Support(people.support("sam@crossvat.example").await);
    let (helens, sams) =
        (people.link(Purpose::ClaimKey, helen).await, people.link(Purpose::ResetPassword, sam).await);
    let withdraw = |account, link| people.links.withdraw(account, link, &Actor::COMMAND_LINE);
    for (account, link) in
        [(Some(other), helens.id), (None, helens.id), (Some(acme), sams.id), (Some(acme), Uuid::nil())]
    {
        let refused = withdraw(account, link).await;
        assert!(matches!(refused, Err(LinkError::Unknown)), "{refused:?}");
    }
    withdraw(Some(acme), helens.id).await.expect("withdraws");
    assert_eq!(people.last_event().await.deed, Deed::LinkWithdrawn);
    withdraw(None, sams.id).await.expect("withdraws");
    let again = withdraw(Some(acme), helens.id).await;
    assert!(matches!(again, Err(LinkError::Ended(LinkState::Withdrawn))), "{again:?}");
    for (purpose, link) in [(Purpose::ClaimKey, helens), (Purpose::ResetPassword, sams)] {
        let used = people.uses().consume(purpose, link.secret.reveal()).await;
        assert!(matches!(used, Err(LinkError::Ended(LinkState::Withdrawn))), "{used:?}");
    }
}

#[tokio::test]
async fn a_link_that_is_sent_again_takes_the_place_of_the_earlier_one_alone() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let maya = Person::Member(people.member(acme, "maya@acme.example", Role::Member).await);
    let earlier = people.link(Purpose::ClaimKey, helen).await;
    let another_purpose = people.link(Purpose::ConfirmAddress, helen).await;
    let another_person = people.link(Purpose::ClaimKey, maya).await;
    people.links.look(Purpose::ClaimKey, earlier.secret.reveal()).await.expect("usable");
    let later = people.link(Purpose::ClaimKey, helen).await;
    assert_eq!(people.last_event().await.detail, "claim key, instead of an earlier one");
    let used = people.uses().consume(Purpose::ClaimKey, earlier.secret.reveal()).await;
    assert!(matches!(used, Err(LinkError::Ended(LinkState::Withdrawn))), "{used:?}");
    for (purpose, link) in [
        (Purpose::ClaimKey, later),
        (Purpose::ConfirmAddress, another_purpose),
        (Purpose::ClaimKey, another_person),
    ] {
        people.uses().consume(purpose, link.secret.reveal()).await.expect("usable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_links_that_are_sent_at_once_one_can_be_used() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let sending: Vec<_> = (0..6).map(|_| tokio::spawn(people.issue(Purpose::ResetPassword, helen))).collect();
    let mut secrets = HashSet::new();
    for sending in sending {
        let issued = sending.await.expect("no panic").expect("issues");
        secrets.insert(issued.secret.reveal().to_owned());
    }
    assert_eq!(secrets.len(), 6);
    let links = people.links.of_account(acme).await.expect("links");
    let usable = links.iter().filter(|link| link.state == LinkState::Sent).count();
    let withdrawn = links.iter().filter(|link| link.state == LinkState::Withdrawn).count();
    assert_eq!((usable, withdrawn), (1, 5));
}

#[tokio::test]
async fn nobody_gets_no_link() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    people.members.remove(acme, maya, &Actor::COMMAND_LINE).await.expect("removes");
    let sam = people.support("sam@crossvat.example").await;
    people.staff.disable(sam, "left", &Actor::COMMAND_LINE).await.expect("disables");
    for person in
        [Person::Member(maya), Person::Support(sam), Person::Support(helen.id()), Person::Member(Uuid::nil())]
    {
        let issued = people.issue(Purpose::ResetPassword, person).await;
        assert!(matches!(issued, Err(LinkError::UnknownPerson)), "{issued:?}");
    }
}

#[tokio::test]
async fn links_that_ended_are_deleted_a_day_later() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let used = people.link(Purpose::ConfirmAddress, helen).await;
    people.uses().consume(Purpose::ConfirmAddress, used.secret.reveal()).await.expect("usable");
    let withdrawn = people.link(Purpose::ClaimKey, helen).await;
    people.links.withdraw(Some(acme), withdrawn.id, &Actor::COMMAND_LINE).await.expect("withdraws");
    people.clock.advance(Duration::from_secs(1));
    let expiring = people.link(Purpose::ResetPassword, helen).await;
    let left = || async {
        let links = people.links.of_account(acme).await.expect("links");
        links.iter().map(|link| link.id).collect::<Vec<_>>()
    };
    let purge = || people.links.purge(people.shared_clock().now() - DAY, &Actor::COMMAND_LINE);
    assert_eq!(purge().await.expect("purges"), 0);
    people.clock.advance(DAY);
    assert_eq!(purge().await.expect("purges"), 2);
    assert_eq!(people.last_event().await.detail, "one-time links: 2");
    assert_eq!(left().await, [expiring.id], "it ended only now");
    people.clock.advance(DAY + Duration::from_millis(1));
    assert_eq!(purge().await.expect("purges"), 1);
    assert!(left().await.is_empty());
}

#[tokio::test]
async fn a_password_is_chosen_by_each_link_that_is_for_it() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let maya = Person::Member(people.invited(acme, "maya@acme.example").await);
    for (purpose, person, email) in [
        (Purpose::ResetPassword, helen, "helen@acme.example"),
        (Purpose::Invitation, maya, "maya@acme.example"),
    ] {
        let issued = people.link(purpose, person).await;
        let secret_of_link = issued.secret.reveal();
        let link = people.links.look(purpose, secret_of_link).await.expect("usable");
        let short = people.choose(&link, secret_of_link, "short").await;
        assert!(matches!(short, Err(WayInError::Member(MemberError::Unfit(_)))), "{short:?}");
        people.choose(&link, secret_of_link, "a new horse battery").await.expect("sets");
        assert!(people.opens(email, "a new horse battery").await);
        let again = people.choose(&link, secret_of_link, "another horse battery").await;
        assert!(matches!(again, Err(WayInError::Link(LinkError::Ended(LinkState::Used)))), "{again:?}");
        assert!(people.opens(email, "a new horse battery").await);
    }
    for purpose in [Purpose::ConfirmAddress, Purpose::ClaimKey] {
        let issued = people.link(purpose, helen).await;
        let link = people.links.look(purpose, issued.secret.reveal()).await.expect("usable");
        let refused = people.choose(&link, issued.secret.reveal(), "another horse battery").await;
        assert!(matches!(refused, Err(WayInError::Link(LinkError::Unknown))), "{purpose:?}: {refused:?}");
    }
}

#[tokio::test]
async fn whoever_is_invited_is_there_with_link_and_letter_or_not_at_all() {
    let people = People::start().await;
    let (acme, _) = acme_and_helen(&people).await;
    let db = &people.db.main;
    let message = |secret| Message::Invitation {
        secret,
        invited_by: Line::from("Helen Fenwick"),
        account: Line::from("acme"),
    };
    let join = |secret| Message::JoinStaff { secret, invited_by: Line::from("Sam Support") };
    let maya: EmailAddress = "maya@acme.example".parse().expect("an address");
    let kim: EmailAddress = "kim@crossvat.example".parse().expect("an address");
    let invite = || async {
        let (to, actor) = ((acme, Role::Member), Actor::COMMAND_LINE);
        let member = people.ways_in.invite_member(to, (&maya, "Maya"), message, &actor, &mut SysRng).await;
        (member, people.ways_in.invite_staff((&kim, "Kim"), join, &actor, &mut SysRng).await)
    };
    let there = || async {
        let members = people.members.list(acme).await.expect("members").len();
        let staff = people.staff.list().await.expect("staff").len();
        let links = people.links.of_account(acme).await.expect("links").len();
        (members, staff, links, people.links.of_staff().await.expect("links").len())
    };
    db.execute_unprepared("ALTER TABLE outbox RENAME TO away").await.expect("renames");
    let (member, staff) = invite().await;
    assert!(member.is_err() && staff.is_err(), "{member:?} {staff:?}");
    assert_eq!(there().await, (1, 0, 0, 0));
    db.execute_unprepared("ALTER TABLE away RENAME TO outbox").await.expect("renames");
    let (member, staff) = invite().await;
    assert!(member.is_ok() && staff.is_ok(), "{member:?} {staff:?}");
    assert_eq!(there().await, (2, 1, 1, 1));
    assert_eq!(people.deeds(acme).await[1..], [Deed::MemberAdded, Deed::LinkIssued]);
}

/// What it is for and using it up are one deed.
#[tokio::test]
async fn a_link_whose_deed_fails_can_be_used_afterwards() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let maya = Person::Member(people.invited(acme, "maya@acme.example").await);
    let staff = ("kim@crossvat.example", "Kim");
    let kim = Person::Support(people.staff.invite(staff, &Actor::COMMAND_LINE).await.expect("invites"));
    let db = &people.db.main;
    for (purpose, person) in [
        (Purpose::ConfirmAddress, helen),
        (Purpose::ResetPassword, helen),
        (Purpose::Invitation, maya),
        (Purpose::JoinStaff, kim),
    ] {
        let issued = people.link(purpose, person).await;
        let link = people.links.look(purpose, issued.secret.reveal()).await.expect("usable");
        let follow = || async {
            match purpose {
                Purpose::ConfirmAddress => {
                    let chosen = (&link, issued.secret.reveal());
                    people.ways_in.confirm_address(chosen, &secret(PASSWORD), HERE).await.map(drop)
                }
                _ => people.choose(&link, issued.secret.reveal(), "a new horse battery").await,
            }
        };
        db.execute_unprepared("ALTER TABLE audit_events RENAME TO away").await.expect("renames");
        let failed = follow().await;
        assert!(failed.is_err(), "{purpose:?}: {failed:?}");
        db.execute_unprepared("ALTER TABLE away RENAME TO audit_events").await.expect("renames");
        assert!(!people.opens("helen@acme.example", "a new horse battery").await, "{purpose:?}");
        people.links.look(purpose, issued.secret.reveal()).await.expect("usable still");
        follow().await.expect("follows");
        let used = people.links.look(purpose, issued.secret.reveal()).await;
        assert!(matches!(used, Err(LinkError::Ended(LinkState::Used))), "{purpose:?}: {used:?}");
        people.clock.advance(Duration::from_secs(1));
        if purpose == Purpose::ResetPassword {
            people.choose_password(helen.id(), PASSWORD).await.expect("as before");
        }
    }
}

#[tokio::test]
async fn an_address_is_confirmed_by_whoever_has_the_link_and_knows_the_password() {
    let people = People::start().await;
    let (acme, helen) = acme_and_helen(&people).await;
    let issued = people.link(Purpose::ConfirmAddress, helen).await;
    let link = people.links.look(Purpose::ConfirmAddress, issued.secret.reveal()).await.expect("usable");
    let confirm = async |password| {
        people.ways_in.confirm_address((&link, issued.secret.reveal()), &secret(password), HERE).await
    };
    let wrong = confirm("a strangers password").await;
    assert!(matches!(wrong, Err(WayInError::Member(MemberError::WrongPassword))), "{wrong:?}");
    assert_eq!(people.state_of(acme, issued.id).await, LinkState::Opened);
    confirm(PASSWORD).await.expect("confirms");
    assert_eq!(people.found(helen.id()).await.confirmed_at, Some(people.shared_clock().now()));
    assert_eq!(people.deeds(acme).await[2..], [Deed::LinkUsed, Deed::AddressConfirmed]);
    let again = confirm(PASSWORD).await;
    assert!(matches!(again, Err(WayInError::Link(LinkError::Ended(LinkState::Used)))), "{again:?}");
}

async fn acme_and_helen(people: &People) -> (Uuid, Person) {
    let acme = people.account("acme").await;
    (acme, Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await))
}

impl People {
    async fn choose(&self, link: &OneTimeLink, of_link: &str, new: &str) -> Result<(), WayInError> {
        self.ways_in.choose_password((link, of_link), &secret(new), HERE, &mut SysRng).await
    }

    async fn state_of(&self, account_id: Uuid, link: Uuid) -> LinkState {
        let links = self.links.of_account(account_id).await.expect("links");
        links.iter().find(|listed: &&OneTimeLink| listed.id == link).expect("listed").state
    }
}
