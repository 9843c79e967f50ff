//! Requests for keys and what support answers.

use std::time::Duration;

use crossvat::{
    accounts::Limits,
    audit::{Actor, ActorKind, Deed},
    early_access::{
        ExpectedVolume, KeyRequestError, KeyRequestState, NewKeyRequest, NumberCheck, NumberOutcome,
    },
    members::Role,
};
use rand::rngs::SysRng;
use uuid::Uuid;
use vat::VatNumber;

use super::{HERE, People};

/// Whether a refusal is the right one.
type Expected = fn(&KeyRequestError) -> bool;

const USE: &str = "All suppliers before the monthly invoice run.\nAbout 6,000 numbers.";

#[tokio::test]
async fn the_queue_tells_what_was_asked_by_whom_oldest_first() {
    let people = People::start().await;
    let mut filed = Vec::new();
    for name in ["first", "second", "third"] {
        let (account, member) = people.company(name).await;
        let id = people.ask(account, member).await.expect("files");
        filed.push((id, account, member, people.shared_clock().now()));
        people.clock.advance(Duration::from_hours(1));
    }
    people.members.confirm_address(filed[0].2, HERE).await.expect("confirms");
    let queue = people.early_access.open_requests(50).await.expect("requests").0;
    assert_eq!(
        queue.iter().map(|request| (request.id, request.account_id)).collect::<Vec<_>>(),
        filed.iter().map(|(id, account, ..)| (*id, *account)).collect::<Vec<_>>()
    );
    let first = &queue[0];
    assert_eq!((first.company.as_str(), first.intended_use.as_str()), ("first A/S", USE));
    assert_eq!(first.vat_number, VatNumber::parse("DK13585628").number());
    assert_eq!(
        (first.expected_volume, first.expected_volume.up_to()),
        (ExpectedVolume::UpTo10000, Some(10_000))
    );
    assert_eq!((first.state, first.created_at), (KeyRequestState::Open, filed[0].3));
    assert_eq!((first.asker.id, first.asker.email.as_deref()), (filed[0].2, Some("asker@first.example")));
    assert_eq!(first.asker.confirmed_at, Some(people.shared_clock().now()));
    assert_eq!(queue[1].asker.confirmed_at, None);
    let event =
        people.events().await.into_iter().find(|event| event.deed == Deed::KeyRequested).expect("logged");
    assert_eq!((event.subject_id, event.detail.as_str()), (Some(filed[0].0), "first A/S"));
}

#[tokio::test]
async fn what_cannot_be_read_or_is_nobodys_is_not_filed() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let (_, stranger) = people.company("other").await;
    let removed = people.member(account, "removed@acme.example", Role::Member).await;
    people.members.remove(account, removed, &Actor::COMMAND_LINE).await.expect("removes");
    let good = NewKeyRequest {
        account_id: account,
        member_id: member,
        company: " Acme ",
        vat_number: None,
        intended_use: USE,
        expected_volume: ExpectedVolume::More,
    };
    let (long_company, long_use) = ("ø".repeat(201), "ø".repeat(2001));
    let cases: [(NewKeyRequest<'_>, Expected); 10] = [
        (NewKeyRequest { company: " ", ..good }, |e| matches!(e, KeyRequestError::BadCompany)),
        (NewKeyRequest { company: &long_company, ..good }, |e| matches!(e, KeyRequestError::BadCompany)),
        (NewKeyRequest { company: "A\r\nB", ..good }, |e| matches!(e, KeyRequestError::BadCompany)),
        (NewKeyRequest { intended_use: "\n", ..good }, |e| matches!(e, KeyRequestError::BadUse)),
        (NewKeyRequest { intended_use: &long_use, ..good }, |e| matches!(e, KeyRequestError::BadUse)),
        (NewKeyRequest { intended_use: "a\0b", ..good }, |e| matches!(e, KeyRequestError::BadUse)),
        (NewKeyRequest { member_id: stranger, ..good }, |e| matches!(e, KeyRequestError::UnknownMember)),
        (NewKeyRequest { member_id: removed, ..good }, |e| matches!(e, KeyRequestError::UnknownMember)),
        (NewKeyRequest { member_id: Uuid::nil(), ..good }, |e| matches!(e, KeyRequestError::UnknownMember)),
        (NewKeyRequest { account_id: Uuid::nil(), ..good }, |e| matches!(e, KeyRequestError::UnknownMember)),
    ];
    for (new, expected) in cases {
        let refused = people.early_access.file(new, &Actor::member(member, HERE)).await.expect_err("refused");
        assert!(expected(&refused), "{refused:?} for {new:?}");
    }
    assert!(people.early_access.open_requests(50).await.expect("requests").0.is_empty());
    let id = people.early_access.file(good, &Actor::member(member, HERE)).await.expect("files");
    let filed = people.early_access.find(id).await.expect("there");
    assert_eq!(
        (filed.company.as_str(), filed.vat_number, filed.expected_volume.up_to()),
        ("Acme", None, None)
    );
}

#[tokio::test]
async fn an_account_has_one_open_request_and_may_ask_again_when_it_is_answered() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let sam = people.sam().await;
    let mut ids = Vec::new();
    for round in 0..3 {
        let id = people.ask(account, member).await.expect("files");
        let again = people.ask(account, member).await;
        assert!(matches!(again, Err(KeyRequestError::AlreadyOpen)), "{again:?}");
        match round {
            0 => people.decline(id, "Which company is it?", &sam).await.expect("declines"),
            1 => people
                .early_access
                .withdraw(account, id, &Actor::member(member, HERE))
                .await
                .expect("withdraws"),
            _ => people.approve(id, &Limits::default(), &sam).await.expect("approves"),
        }
        ids.insert(0, id);
        people.clock.advance(Duration::from_hours(1));
    }
    let asked = people.early_access.of_account(account).await.expect("requests");
    assert_eq!(asked.iter().map(|request| request.id).collect::<Vec<_>>(), ids);
    assert_eq!(
        asked.iter().map(|request| request.state).collect::<Vec<_>>(),
        [KeyRequestState::Approved, KeyRequestState::Withdrawn, KeyRequestState::Declined]
    );
    assert_eq!(asked[2].reason.as_deref(), Some("Which company is it?"));
    assert_eq!((asked[2].decided_by, asked[1].decided_by), (sam.id(), None));
    assert!(people.early_access.open_requests(50).await.expect("requests").0.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_requests_that_are_filed_at_once_one_is_open() {
    let people = People::start().await;
    for round in 0..5 {
        let (account, member) = people.company(&format!("acme{round}")).await;
        let filing: Vec<_> = (0..4)
            .map(|_| {
                let early_access = people.early_access.clone();
                tokio::spawn(async move {
                    let new = NewKeyRequest {
                        account_id: account,
                        member_id: member,
                        company: "Acme",
                        vat_number: None,
                        intended_use: USE,
                        expected_volume: ExpectedVolume::UpTo1000,
                    };
                    early_access.file(new, &Actor::member(member, HERE)).await
                })
            })
            .collect();
        let mut filed = 0;
        for filing in filing {
            match filing.await.expect("no panic") {
                Ok(_) => filed += 1,
                Err(KeyRequestError::AlreadyOpen) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(filed, 1);
        assert_eq!(people.early_access.of_account(account).await.expect("requests").len(), 1);
    }
}

#[tokio::test]
async fn approval_gives_the_account_what_was_agreed_in_the_same_moment() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let sam = people.sam().await;
    let request = people.ask(account, member).await.expect("files");
    let agreed =
        Limits { requests_per_minute: Some(300), numbers_per_month: Some(9_000), ..Limits::default() };
    for (limits, unknown_plan) in [
        (Limits { plan: "gold".to_owned(), ..agreed.clone() }, true),
        (Limits { requests_per_minute: Some(0), ..agreed.clone() }, false),
        (Limits { numbers_per_month: Some(u64::MAX), ..agreed.clone() }, false),
    ] {
        let refused = people.approve(request, &limits, &sam).await.expect_err("refused");
        match refused {
            KeyRequestError::UnknownPlan => assert!(unknown_plan),
            KeyRequestError::BadLimit => assert!(!unknown_plan),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(people.early_access.find(request).await.expect("there").state, KeyRequestState::Open);
    let changes = people.access_version().await;
    people.approve(request, &agreed, &sam).await.expect("approves");
    let terms = people.accounts.named("acme").await.expect("answers").expect("there").terms;
    assert_eq!((&*terms.plan, terms.requests_per_minute, terms.numbers_per_month), ("standard", 300, 9_000));
    assert_eq!(people.access_version().await, changes + 1, "every instance hears of it");
    let decided = people.early_access.find(request).await.expect("there");
    assert_eq!((decided.state, decided.decided_by), (KeyRequestState::Approved, sam.id()));
    assert_eq!(decided.decided_at, Some(people.shared_clock().now()));
    let events = people.events().await;
    let event = events.iter().find(|event| event.deed == Deed::KeyRequestApproved).expect("logged");
    assert_eq!(event.actor_kind, ActorKind::Support);
    assert_eq!((event.account_id, event.subject_id), (Some(account), Some(request)));
    assert_eq!(event.detail, "plan standard, 300 requests a minute, 9000 numbers a month");
}

#[tokio::test]
async fn a_request_is_declined_with_a_reason() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let sam = people.sam().await;
    let request = people.ask(account, member).await.expect("files");
    for reason in ["", " \n ", "a\0b", &"ø".repeat(2001)] {
        let refused = people.decline(request, reason, &sam).await;
        assert!(matches!(refused, Err(KeyRequestError::BadReason)), "{refused:?}");
    }
    people.decline(request, " Your company has an account.\n", &sam).await.expect("declines");
    let event = people.last_event().await;
    assert_eq!(
        (event.deed, event.detail.as_str()),
        (Deed::KeyRequestDeclined, "Your company has an account.")
    );
}

#[tokio::test]
async fn what_is_decided_stays_decided_and_accounts_withdraw_only_their_own() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let (other, _) = people.company("other").await;
    let sam = people.sam().await;
    let request = people.ask(account, member).await.expect("files");
    for refused in [
        people.early_access.withdraw(other, request, &sam).await,
        people.early_access.withdraw(account, Uuid::nil(), &sam).await,
        people.decline(Uuid::nil(), "No.", &sam).await,
        people.approve(Uuid::nil(), &Limits::default(), &sam).await,
        people.early_access.find(Uuid::nil()).await.map(|_| ()),
    ] {
        assert!(matches!(refused, Err(KeyRequestError::Unknown)), "{refused:?}");
    }
    people.decline(request, "No.", &sam).await.expect("declines");
    let before = people.deeds(account).await;
    for refused in [
        people.approve(request, &Limits::default(), &sam).await,
        people.decline(request, "No, no.", &sam).await,
        people.early_access.withdraw(account, request, &sam).await,
    ] {
        assert!(matches!(refused, Err(KeyRequestError::Decided(KeyRequestState::Declined))), "{refused:?}");
    }
    assert_eq!(people.deeds(account).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_approving_and_declining_at_once_one_holds() {
    let people = People::start().await;
    let sam = people.sam().await;
    let agreed = Limits { requests_per_minute: Some(7), ..Limits::default() };
    for round in 0..6 {
        let name = format!("acme{round}");
        let (account, member) = people.company(&name).await;
        let request = people.ask(account, member).await.expect("files");
        let (onboarding, limits) = (people.onboarding.clone(), agreed.clone());
        let approving =
            tokio::spawn(async move { onboarding.approve(request, &limits, &sam, &mut SysRng).await });
        let declined = people.decline(request, "No.", &sam).await;
        let approved = approving.await.expect("no panic");
        assert_ne!(approved.is_ok(), declined.is_ok(), "{approved:?} {declined:?}");
        let terms = people.accounts.named(&name).await.expect("answers").expect("there").terms;
        assert_eq!(terms.requests_per_minute == 7, approved.is_ok());
    }
}

impl People {
    /// An account with an owner.
    async fn company(&self, name: &str) -> (Uuid, Uuid) {
        let account = self.account(name).await;
        (account, self.member(account, &format!("asker@{name}.example"), Role::Owner).await)
    }

    async fn ask(&self, account_id: Uuid, member_id: Uuid) -> Result<Uuid, KeyRequestError> {
        let name = self.found(member_id).await.email;
        let company = name.trim_start_matches("asker@").trim_end_matches(".example");
        let new = NewKeyRequest {
            account_id,
            member_id,
            company: &format!("{company} A/S"),
            vat_number: VatNumber::parse("DK 13 58 56 28").number(),
            intended_use: USE,
            expected_volume: ExpectedVolume::UpTo10000,
        };
        self.early_access.file(new, &Actor::member(member_id, HERE)).await
    }

    async fn sam(&self) -> Actor {
        Actor::support(self.support("sam@crossvat.example").await, HERE)
    }

    async fn access_version(&self) -> i64 {
        use crossvat::db::entities::access_version::Entity;
        use sea_orm::EntityTrait;
        Entity::find_by_id(1_i16).one(&self.db.main).await.expect("answers").expect("there").version
    }
}

#[tokio::test]
async fn what_a_registry_said_is_taken_away_by_a_newer_answer_alone() {
    let people = People::start().await;
    let (account, member) = people.company("acme").await;
    let request = people.ask(account, member).await.expect("files");
    let number = VatNumber::parse("DK13585628").number().expect("a number");
    let start = people.shared_clock().now();
    for (what, outcome, trader, minute, kept) in [
        ("nothing was known", NumberOutcome::Unavailable, None, 1, (NumberOutcome::Unavailable, 1)),
        ("nor then", NumberOutcome::Unavailable, None, 3, (NumberOutcome::Unavailable, 3)),
        ("no answer, older", NumberOutcome::Unavailable, None, 2, (NumberOutcome::Unavailable, 3)),
        ("an answer, however late", NumberOutcome::Valid, Some("Acme A/S"), 2, (NumberOutcome::Valid, 2)),
        ("an outage", NumberOutcome::Unavailable, None, 4, (NumberOutcome::Valid, 2)),
        ("an older answer", NumberOutcome::NotRegistered, None, 1, (NumberOutcome::Valid, 2)),
        ("a newer answer", NumberOutcome::NotRegistered, None, 5, (NumberOutcome::NotRegistered, 5)),
    ] {
        let at = |minute: u64| start + Duration::from_mins(minute);
        let check = NumberCheck { outcome, trader: trader.map(str::to_owned), asked_at: at(minute) };
        people.early_access.note_check(request, number, &check).await.expect("notes");
        let found = people.early_access.find(request).await.expect("a request").number_check.expect("noted");
        assert_eq!((found.outcome, found.asked_at), (kept.0, at(kept.1)), "{what}");
    }
}
