//! Second factors: set up, seen, replaced and taken away.

use std::time::Duration;

use crossvat::{
    audit::{Actor, ActorKind, Deed},
    db::entities::second_factor,
    email::MessageKind,
    members::Role,
    people::Person,
    second_factor::{
        NewSecondFactor, RecoveryCodes, Renewal, SealedSecret, SecondFactorError, SecondFactorKey,
        SecondFactors, TotpSecret,
    },
    sessions::{SIGNED_IN, SignedIn},
};
use rand::rngs::SysRng;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::{HERE, People, key};
use crate::command_line::program;

/// Of the server that the other tests have.
const OLD_KEY: [u8; 32] = [7; 32];
const STEP: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_second_factor_is_set_up_by_a_code_of_its_secret_and_no_other() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    assert_eq!(people.second_factors.of(helen).await.expect("answers"), None);
    let (secret, sealed) = begin(&people, helen);
    assert_eq!(people.second_factors.begun(helen, &sealed).expect("hers").groups(), secret.groups());
    let (mayas, mayas_sealed) = begin(&people, maya);
    let now = people.shared_clock().now();
    for wrong in ["", "000000", &mayas.code(now), &secret.code(now - 2 * STEP)] {
        let refused = set_up(&people, helen, (&sealed, wrong), false).await;
        assert!(matches!(refused, Err(SecondFactorError::WrongCode)), "{wrong}: {refused:?}");
    }
    // What was begun for somebody else is nobody's.
    let refused = set_up(&people, helen, (&mayas_sealed, &mayas.code(now)), false).await;
    assert!(matches!(refused, Err(SecondFactorError::Unreadable)), "{refused:?}");
    assert_eq!(people.second_factors.of(helen).await.expect("answers"), None);

    let (here, there) = (people.browser(helen).await, people.browser(helen).await);
    let code = secret.code(now);
    let new = NewSecondFactor { keep: Some(&key(here)), ..new(helen, (&sealed, &code), false) };
    let codes = people.second_factors.set_up(new, &mut SysRng, &people.outbox).await.expect("sets up");
    assert_eq!(codes.reveal().count(), 10);
    assert_eq!((people.signed_in(here).await, people.signed_in(there).await), (Some(helen), None));
    let factor = people.second_factors.of(helen).await.expect("answers").expect("set up");
    assert_eq!((factor.since, factor.recovery_codes_left), (now, 10));
    let event = people.last_event().await;
    assert_eq!((event.deed, event.actor_kind), (Deed::SecondFactorSetUp, ActorKind::Member));
    assert_eq!((event.subject_id, event.detail.as_str()), (Some(helen.id()), "helen@acme.example"));
    assert!(event.account_id.is_some());
    assert_eq!(letters(&people).await, [MessageKind::SecondFactorSetUp]);

    // The code that set it up is used up, and a second one does not come in place of the first.
    let again =
        people.second_factors.prove(helen, &secret.code(now), HERE, &people.outbox, &mut SysRng).await;
    assert!(matches!(again, Err(SecondFactorError::WrongCode)), "{again:?}");
    let another = begin(&people, helen);
    let refused = set_up(&people, helen, (&another.1, &another.0.code(now)), false).await;
    assert!(matches!(refused, Err(SecondFactorError::AlreadySet)), "{refused:?}");
}

#[tokio::test]
async fn each_code_of_the_app_is_accepted_once_and_none_before_it() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let (secret, _) = set_up_now(&people, helen).await;
    let (mayas, _) = set_up_now(&people, maya).await;
    people.clock.advance(4 * STEP);
    let now = people.shared_clock().now();
    for wrong in [&mayas.code(now), &secret.code(now - 2 * STEP), &secret.code(now + 2 * STEP), "", "12345"] {
        assert!(!proves(&people, helen, wrong).await, "{wrong}");
    }
    assert!(proves(&people, helen, &secret.code(now)).await);
    for seen in [secret.code(now), secret.code(now - STEP)] {
        assert!(!proves(&people, helen, &seen).await, "{seen}: seen over a shoulder");
    }
    assert!(proves(&people, helen, &secret.code(now + STEP)).await, "a clock that is fast");
    people.clock.advance(STEP);
    assert!(!proves(&people, helen, &secret.code(now + STEP)).await, "once");
    people.clock.advance(STEP);
    assert!(proves(&people, helen, &secret.code(now + 2 * STEP)).await);
    assert!(proves(&people, maya, &mayas.code(now + 2 * STEP)).await, "hers are counted apart");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_use_a_code_at_once_one_is_let_in() {
    let people = People::start().await;
    let (helen, _) = helen_and_maya(&people).await;
    let (secret, codes) = set_up_now(&people, helen).await;
    people.clock.advance(2 * STEP);
    for code in [secret.code(people.shared_clock().now()), codes.reveal().next().expect("ten")] {
        let trying: Vec<_> = (0..8)
            .map(|_| {
                let (factors, outbox) = (people.second_factors.clone(), people.outbox.clone());
                let code = code.clone();
                tokio::spawn(
                    async move { factors.prove(helen, &code, HERE, &outbox, &mut SysRng).await.is_ok() },
                )
            })
            .collect();
        let mut accepted = 0;
        for one in trying {
            accepted += u32::from(one.await.expect("no panic"));
        }
        assert_eq!(accepted, 1, "{code}");
    }
}

#[tokio::test]
async fn a_recovery_code_is_accepted_once_and_told_by_mail() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let (_, codes) = set_up_now(&people, helen).await;
    let (_, mayas) = set_up_now(&people, maya).await;
    let codes: Vec<_> = codes.reveal().collect();
    assert!(!proves(&people, helen, &mayas.reveal().next().expect("ten")).await, "another's");
    assert!(proves(&people, helen, &codes[0].to_uppercase().replace('-', " ")).await);
    let event = people.last_event().await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::RecoveryCodeUsed, "helen@acme.example, 9 left"));
    assert!(!proves(&people, helen, &codes[0]).await, "twice");
    let event = people.last_event().await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::SecondFactorRefused, "helen@acme.example"));
    assert_eq!(letters(&people).await.last(), Some(&MessageKind::RecoveryCodeUsed));
    let left =
        async || people.second_factors.of(helen).await.expect("answers").expect("set").recovery_codes_left;
    assert_eq!(left().await, 9);

    let renewed = people.second_factors.renew_recovery_codes(helen, HERE, &mut SysRng).await.expect("renews");
    assert_eq!(left().await, 10);
    assert_eq!(people.last_event().await.deed, Deed::RecoveryCodesRenewed);
    assert!(!proves(&people, helen, &codes[1]).await, "those before are over");
    for code in renewed.reveal() {
        assert!(proves(&people, helen, &code).await);
    }
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn one_is_replaced_whole_and_taken_away_with_the_sessions() {
    let people = People::start().await;
    let sam = Person::Support(people.support("sam@crossvat.example").await);
    let (old, old_codes) = set_up_now(&people, sam).await;
    people.clock.advance(2 * STEP);
    let now = people.shared_clock().now();
    let (secret, sealed) = begin(&people, sam);
    let codes = set_up(&people, sam, (&sealed, &secret.code(now)), true).await.expect("replaces");
    assert_eq!(people.last_event().await.detail, "sam@crossvat.example, instead of an earlier one");
    people.clock.advance(STEP);
    let now = people.shared_clock().now();
    assert!(!proves(&people, sam, &old.code(now)).await);
    assert!(!proves(&people, sam, &old_codes.reveal().next().expect("ten")).await);
    assert!(proves(&people, sam, &secret.code(now)).await);
    assert!(proves(&people, sam, &codes.reveal().next().expect("ten")).await);

    let browser = proved_browser(&people, sam).await;
    assert_eq!(people.signed_in(browser).await, Some(sam));
    let factors = &people.second_factors;
    factors.remove(sam, None, &Actor::COMMAND_LINE, &people.outbox).await.expect("removes");
    assert_eq!(people.signed_in(browser).await, None);
    assert_eq!(factors.of(sam).await.expect("answers"), None);
    let event = people.last_event().await;
    assert_eq!((event.deed, event.actor_kind), (Deed::SecondFactorRemoved, ActorKind::CommandLine));
    assert_eq!(letters(&people).await.last(), Some(&MessageKind::SecondFactorRemoved));
    for gone in [
        factors.remove(sam, None, &Actor::COMMAND_LINE, &people.outbox).await,
        factors.renew_recovery_codes(sam, HERE, &mut SysRng).await.map(drop),
        factors.prove(sam, &secret.code(now), HERE, &people.outbox, &mut SysRng).await,
        factors.prove(sam, &codes.reveal().nth(1).expect("ten"), HERE, &people.outbox, &mut SysRng).await,
        set_up(&people, sam, (&sealed, &secret.code(now)), true).await.map(drop),
    ] {
        assert!(matches!(gone, Err(SecondFactorError::NotSet)), "{gone:?}");
    }
}

#[tokio::test]
async fn no_session_is_kept_in_which_a_second_factor_that_is_there_was_not_seen() {
    let people = People::start().await;
    let (helen, _) = helen_and_maya(&people).await;
    let password = people.password_of(helen).await;
    let before = people.session(None);
    before.insert(SIGNED_IN, SignedIn::new((helen, password), Some(HERE), None)).await.expect("inserts");
    set_up_now(&people, helen).await;
    before.save().await.expect("is not kept");
    assert_eq!(people.signed_in(before.id().expect("has one")).await, None);
    let browser = proved_browser(&people, helen).await;
    let session = people.session(Some(browser));
    session.insert("seen", 1).await.expect("inserts");
    session.save().await.expect("saves");
    assert_eq!(people.session(Some(browser)).get::<i32>("seen").await.expect("reads"), Some(1));
}

#[tokio::test]
async fn support_staff_stay_signed_in_for_less_long() {
    let people = People::start().await;
    let sam = Person::Support(people.support("sam@crossvat.example").await);
    let browser = people.browser(sam).await;
    for half_hours in 1..12 {
        people.clock.advance(Duration::from_mins(30));
        let session = people.session(Some(browser));
        session.insert("half_hours", half_hours).await.expect("inserts");
        session.save().await.expect("saves");
    }
    assert_eq!(people.signed_in(browser).await, Some(sam));
    people.clock.advance(Duration::from_mins(30));
    assert_eq!(people.signed_in(browser).await, None, "six hours are over");
}

#[tokio::test]
async fn who_is_taken_away_loses_it_and_has_none_when_they_come_back() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let acme = people.found(maya.id()).await.account_id;
    let (secret, codes) = set_up_now(&people, maya).await;
    people.members.remove(acme, maya.id(), &Actor::person(helen, HERE)).await.expect("removes");
    assert_eq!(people.second_factors.of(maya).await.expect("answers"), None);
    people.clock.advance(2 * STEP);
    assert!(!proves(&people, maya, &secret.code(people.shared_clock().now())).await);
    let gone = people
        .second_factors
        .prove(maya, &codes.reveal().next().expect("ten"), HERE, &people.outbox, &mut SysRng)
        .await;
    assert!(matches!(gone, Err(SecondFactorError::UnknownPerson)), "{gone:?}");
    people.member(acme, "maya@acme.example", Role::Member).await;
    assert_eq!(people.second_factors.of(maya).await.expect("answers"), None);

    let sam = Person::Support(people.support("sam@crossvat.example").await);
    set_up_now(&people, sam).await;
    assert_eq!(
        people.second_factors.of_staff().await.expect("answers").keys().collect::<Vec<_>>(),
        [&sam.id()]
    );
    people.staff.disable(sam.id(), "left", &Actor::COMMAND_LINE).await.expect("disables");
    assert!(people.second_factors.of_staff().await.expect("answers").is_empty());
    let (secret, sealed) = begin(&people, sam);
    let refused = set_up(&people, sam, (&sealed, &secret.code(people.shared_clock().now())), false).await;
    assert!(matches!(refused, Err(SecondFactorError::UnknownPerson)), "{refused:?}");
}

#[tokio::test]
async fn without_the_key_only_recovery_codes_are_read() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let (secret, codes) = set_up_now(&people, helen).await;
    people.clock.advance(2 * STEP);
    let code = secret.code(people.shared_clock().now());
    let with = |key| SecondFactors::new(people.db.main.clone(), people.shared_clock(), key);
    let (none, other) = (with(None), with(Some(SecondFactorKey::new(&[9; 32]))));
    assert!(!none.has_key() && other.has_key());
    let refused = none.prove(helen, &code, HERE, &people.outbox, &mut SysRng).await;
    assert!(matches!(refused, Err(SecondFactorError::NoKey)), "{refused:?}");
    let refused = other.prove(helen, &code, HERE, &people.outbox, &mut SysRng).await;
    assert!(matches!(refused, Err(SecondFactorError::Unreadable)), "{refused:?}");
    assert!(matches!(none.begin(maya, &mut SysRng), Err(SecondFactorError::NoKey)));
    let mut codes = codes.reveal();
    for factors in [&none, &other] {
        let code = codes.next().expect("ten");
        factors
            .prove(helen, &code, HERE, &people.outbox, &mut SysRng)
            .await
            .expect("a recovery code is read");
    }
    assert!(proves(&people, helen, &code).await, "nothing was used up");
}

/// The secret as it is stored.
async fn kept(people: &People, person: Person) -> Vec<u8> {
    let of_person = match person {
        Person::Member(id) => second_factor::Column::MemberId.eq(id),
        Person::Support(id) => second_factor::Column::StaffId.eq(id),
    };
    let row = second_factor::Entity::find().filter(of_person).one(&people.db.main).await.expect("answers");
    row.expect("set up").secret
}

/// A server with a new key, which knows the one before or does not.
fn with_new_key(people: &People, knows_the_old: bool) -> SecondFactors {
    let key = SecondFactorKey::new(&[9; 32]);
    let key = if knows_the_old { key.after([&OLD_KEY]) } else { key };
    SecondFactors::new(people.db.main.clone(), people.shared_clock(), Some(key))
}

#[tokio::test]
async fn after_a_change_of_the_key_each_secret_is_kept_anew_when_it_is_used() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let (secret, _) = set_up_now(&people, helen).await;
    // Maya had begun before the key was changed.
    let (mayas, sealed) = begin(&people, maya);
    let (both, new_alone) = (with_new_key(&people, true), with_new_key(&people, false));
    people.clock.advance(4 * STEP);
    let now = people.shared_clock().now();
    let code = mayas.code(now);
    both.set_up(new(maya, (&sealed, &code), false), &mut SysRng, &people.outbox).await.expect("sets up");
    people.clock.advance(STEP);
    let code = mayas.code(people.shared_clock().now());
    new_alone.prove(maya, &code, HERE, &people.outbox, &mut SysRng).await.expect("is kept under the new key");

    let before = kept(&people, helen).await;
    let wrong = both.prove(helen, "000000", HERE, &people.outbox, &mut SysRng).await;
    assert!(matches!(wrong, Err(SecondFactorError::WrongCode)), "{wrong:?}");
    assert_eq!(kept(&people, helen).await, before, "a wrong code changes nothing");
    let code = secret.code(people.shared_clock().now());
    both.prove(helen, &code, HERE, &people.outbox, &mut SysRng).await.expect("reads what was kept before");
    let after = kept(&people, helen).await;
    assert_ne!(after, before);
    people.clock.advance(STEP);
    let code = secret.code(people.shared_clock().now());
    new_alone
        .prove(helen, &code, HERE, &people.outbox, &mut SysRng)
        .await
        .expect("needs the old key no more");
    assert_eq!(kept(&people, helen).await, after, "and is kept as it is from then on");
}

#[tokio::test]
async fn renew_second_factors_keeps_all_under_the_new_key_and_says_what_is_left() {
    let people = People::start().await;
    let (helen, maya) = helen_and_maya(&people).await;
    let sam = Person::Support(people.support("sam@crossvat.example").await);
    let (secret, _) = set_up_now(&people, helen).await;
    let (sams, _) = set_up_now(&people, sam).await;
    let key_of = |first: &str| format!("{first}{}", "11".repeat(31));
    let (new_key, old_key) = (key_of("0a"), key_of("0b"));
    let (new_bytes, old_bytes) = (bytes_of(&new_key), bytes_of(&old_key));
    let old = SecondFactorKey::new(&old_bytes).after([&OLD_KEY]);
    let old = SecondFactors::new(people.db.main.clone(), people.shared_clock(), Some(old));
    let done = old.renew_all(&Actor::COMMAND_LINE, &mut SysRng).await.expect("renews");
    assert_eq!(done, Renewal { renewed: 2, present: 0, unreadable: 0 });

    let renew = |former: &str| {
        let run = program(people.folder.path())
            .arg("renew-second-factors")
            .env("CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY", &new_key)
            .env("CROSSVAT_ACCOUNTS__FORMER_SECOND_FACTOR_KEYS", former)
            .output()
            .expect("runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (run.status.success(), text(run.stdout), text(run.stderr))
    };
    // What is there is kept under the old key, which is none of those that other tests have.
    let (done, printed, errors) = renew("");
    assert!(!done && printed == "kept anew: 0\nkept under the present key before: 0\nleft: 2\n", "{printed}");
    assert!(errors.contains("a key that is not set"), "{errors}");
    let events = people.events().await.len();
    let (done, printed, errors) = renew(&format!("{}, {old_key}", key_of("0c")));
    assert!(done, "{errors}");
    assert_eq!(printed, "kept anew: 2\nkept under the present key before: 0\nleft: 0\n");
    let event = people.last_event().await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::SecondFactorsRenewed, "second factors: 2"));
    let (done, printed, _) = renew("");
    assert!(done, "the old key can go");
    assert_eq!(printed, "kept anew: 0\nkept under the present key before: 2\nleft: 0\n");
    assert_eq!(people.events().await.len(), events + 1, "nothing was done, and nothing is noted");

    people.clock.advance(4 * STEP);
    let key = Some(SecondFactorKey::new(&new_bytes));
    let factors = SecondFactors::new(people.db.main.clone(), people.shared_clock(), key);
    let now = people.shared_clock().now();
    for (person, code) in [(helen, secret.code(now)), (sam, sams.code(now))] {
        factors.prove(person, &code, HERE, &people.outbox, &mut SysRng).await.expect("as before");
    }
    assert!(factors.of(maya).await.expect("answers").is_none());
}

fn bytes_of(key: &str) -> [u8; 32] {
    data_encoding::HEXLOWER.decode(key.as_bytes()).expect("hexadecimal").try_into().expect("256 bits")
}

async fn helen_and_maya(people: &People) -> (Person, Person) {
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let maya = people.member(acme, "maya@acme.example", Role::Member).await;
    (Person::Member(helen), Person::Member(maya))
}

fn begin(people: &People, person: Person) -> (TotpSecret, SealedSecret) {
    people.second_factors.begin(person, &mut SysRng).expect("begins")
}

fn new<'a>(
    person: Person,
    (sealed, code): (&'a SealedSecret, &'a str),
    replaces: bool,
) -> NewSecondFactor<'a> {
    NewSecondFactor { person, sealed, code, replaces, keep: None, from: HERE }
}

async fn set_up(
    people: &People,
    person: Person,
    proof: (&SealedSecret, &str),
    replaces: bool,
) -> Result<RecoveryCodes, SecondFactorError> {
    people.second_factors.set_up(new(person, proof, replaces), &mut SysRng, &people.outbox).await
}

async fn set_up_now(people: &People, person: Person) -> (TotpSecret, RecoveryCodes) {
    let (secret, sealed) = begin(people, person);
    let code = secret.code(people.shared_clock().now());
    let codes = set_up(people, person, (&sealed, &code), false).await.expect("sets up");
    (secret, codes)
}

/// Whether it is a code that lets the person in now. What fails otherwise fails the test.
async fn proves(people: &People, person: Person, code: &str) -> bool {
    match people.second_factors.prove(person, code, HERE, &people.outbox, &mut SysRng).await {
        Ok(()) => true,
        Err(SecondFactorError::WrongCode | SecondFactorError::NotSet) => false,
        Err(error) => panic!("{error}"),
    }
}

/// A browser in which the second factor was seen.
async fn proved_browser(people: &People, person: Person) -> tower_sessions::session::Id {
    let session = people.session(None);
    let signed_in = SignedIn::new((person, people.password_of(person).await), Some(HERE), None);
    session.insert(SIGNED_IN, signed_in.proved(people.shared_clock().now())).await.expect("inserts");
    session.save().await.expect("saves");
    session.id().expect("has one")
}

/// What the letters that wait are about, oldest first.
async fn letters(people: &People) -> Vec<MessageKind> {
    let mut rows =
        crossvat::db::entities::outbox_letter::Entity::find().all(&people.db.main).await.expect("letters");
    rows.sort_by_key(|row| row.id);
    rows.into_iter().map(|row| row.kind).collect()
}
