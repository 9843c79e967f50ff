//! Where people are signed in.

use std::time::Duration;

use crossvat::{
    audit::{Actor, ActorKind, Deed},
    db::{
        entities::{member, session},
        write,
    },
    members::{Role, SignIn},
    passwords::PasswordFingerprint,
    people::Person,
    sessions::{SIGNED_IN, SessionError, SignedIn},
};
use rand::rngs::SysRng;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, sea_query::Expr};
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::Error,
};

use super::{HERE, LIFETIME, PASSWORD, People, key, secret};

#[tokio::test]
async fn a_session_holds_what_was_put_in_until_it_is_flushed() {
    let people = People::start().await;
    let session = people.session(None);
    session.insert("typed", "Ünglück, \"quoted\"\n🦆").await.expect("inserts");
    session.insert("rows", vec![1, 2, 3]).await.expect("inserts");
    session.save().await.expect("saves");
    let id = session.id().expect("has one");
    let again = people.session(Some(id));
    assert_eq!(
        again.get::<String>("typed").await.expect("reads").as_deref(),
        Some("Ünglück, \"quoted\"\n🦆")
    );
    assert_eq!(again.get::<Vec<i32>>("rows").await.expect("reads"), Some(vec![1, 2, 3]));
    again.remove::<String>("typed").await.expect("removes");
    again.save().await.expect("saves");
    let once_more = people.session(Some(id));
    assert_eq!(once_more.get::<String>("typed").await.expect("reads"), None);
    assert_eq!(once_more.get::<Vec<i32>>("rows").await.expect("reads"), Some(vec![1, 2, 3]));
    once_more.flush().await.expect("flushes");
    assert!(people.store.load(&id).await.expect("answers").is_none());
}

#[tokio::test]
async fn the_old_identifier_opens_nothing_after_it_was_changed() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await);
    let password = people.password_of(helen).await;
    let session = people.session(None);
    session.insert("before", 1).await.expect("inserts");
    session.save().await.expect("saves");
    let planted = session.id().expect("has one");
    let session = people.session(Some(planted));
    session.insert(SIGNED_IN, SignedIn::new((helen, password), Some(HERE), None)).await.expect("inserts");
    session.cycle_id().await.expect("changes");
    session.save().await.expect("saves");
    let id = session.id().expect("has one");
    assert_ne!(id, planted);
    assert_eq!((people.signed_in(planted).await, people.signed_in(id).await), (None, Some(helen)));
    assert_eq!(people.session(Some(id)).get::<i32>("before").await.expect("reads"), Some(1));
}

#[tokio::test]
async fn an_identifier_that_is_there_already_is_not_given_again() {
    let people = People::start().await;
    let (mut first, mut second) = (record(&people, 1, "first"), record(&people, 1, "second"));
    second.id = first.id;
    people.store.create(&mut first).await.expect("creates");
    people.store.create(&mut second).await.expect("creates");
    assert_ne!(first.id, second.id);
    for (id, text) in [(first.id, "first"), (second.id, "second")] {
        let loaded = people.store.load(&id).await.expect("answers").expect("there");
        assert_eq!(loaded.data["text"], text);
    }
}

#[tokio::test]
async fn a_session_ends_at_its_time_by_the_servers_clock() {
    let people = People::start().await;
    let mut record = record(&people, 60, "text");
    people.store.create(&mut record).await.expect("creates");
    people.clock.advance(Duration::from_millis(59_999));
    let loaded = people.store.load(&record.id).await.expect("answers").expect("not yet");
    assert_eq!(loaded.expiry_date, record.expiry_date);
    people.clock.advance(Duration::from_millis(1));
    assert!(people.store.load(&record.id).await.expect("answers").is_none());
    people.store.save(&record_with(&people, record.id, 60)).await.expect("nothing to save");
    assert!(people.store.load(&record.id).await.expect("answers").is_none(), "it is not revived");
}

#[tokio::test]
async fn no_session_lasts_longer_than_its_lifetime_however_often_it_is_used() {
    let people = People::start().await;
    let mut record = record(&people, 3600, "text");
    people.store.create(&mut record).await.expect("creates");
    let hours = LIFETIME.as_secs() / 3600;
    for _ in 0..hours * 2 - 1 {
        people.clock.advance(Duration::from_mins(30));
        people.store.save(&record_with(&people, record.id, 3600)).await.expect("saves");
    }
    people.clock.advance(Duration::from_mins(30) - Duration::from_millis(1));
    assert!(people.store.load(&record.id).await.expect("answers").is_some());
    people.clock.advance(Duration::from_millis(1));
    assert!(people.store.load(&record.id).await.expect("answers").is_none());
    let mut long = self::record(&people, 10 * LIFETIME.as_secs(), "text");
    people.store.create(&mut long).await.expect("creates");
    people.clock.advance(LIFETIME);
    assert!(people.store.load(&long.id).await.expect("answers").is_none());
}

#[tokio::test]
async fn a_call_that_was_under_way_does_not_bring_an_ended_session_back() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await);
    let id = people.browser(helen).await;
    let under_way = people.session(Some(id));
    under_way.insert("typed", 1).await.expect("inserts");
    people.sessions.end(helen, &key(id), &Actor::COMMAND_LINE).await.expect("ends");
    under_way.save().await.expect("nothing to save");
    assert_eq!(people.signed_in(id).await, None);
    assert!(rows(&people).await.is_empty());
}

#[tokio::test]
async fn who_signed_in_with_a_password_that_was_changed_meanwhile_gets_no_session() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await);
    let here = people.browser(helen).await;
    let strangers = people.session(None);
    strangers.insert("typed", 1).await.expect("inserts");
    strangers.save().await.expect("saves");
    let before = strangers.id().expect("has one");
    let SignIn::Accepted(_, old) = people.sign_in("helen@acme.example", PASSWORD).await else {
        panic!("refused");
    };
    let passwords = (&secret(PASSWORD), &secret("a new horse battery"));
    let new = people
        .members
        .change_password(helen.id(), passwords, &key(here), HERE, &mut SysRng, &people.outbox)
        .await
        .expect("changes");

    let late = people.session(None);
    late.insert(SIGNED_IN, SignedIn::new((helen, old), Some(HERE), None)).await.expect("inserts");
    late.save().await.expect("is not kept");
    assert_eq!(people.signed_in(late.id().expect("has one")).await, None, "a new one");
    strangers.insert(SIGNED_IN, SignedIn::new((helen, old), Some(HERE), None)).await.expect("inserts");
    strangers.save().await.expect("is not kept");
    assert_eq!(people.signed_in(before).await, None, "one that was there");
    let open = people.sessions.of(helen).await.expect("sessions");
    assert_eq!(open.iter().map(|open| open.key).collect::<Vec<_>>(), [key(here)]);

    let kept = people.session(Some(here));
    kept.insert(SIGNED_IN, SignedIn::new((helen, new), Some(HERE), None)).await.expect("inserts");
    kept.save().await.expect("saves");
    people.members.remove(acme, helen.id(), &Actor::COMMAND_LINE).await.expect_err("the last owner");
    people.member(acme, "maya@acme.example", Role::Owner).await;
    people.members.remove(acme, helen.id(), &Actor::COMMAND_LINE).await.expect("removes");
    let late = people.session(None);
    late.insert(SIGNED_IN, SignedIn::new((helen, new), Some(HERE), None)).await.expect("inserts");
    late.save().await.expect("is not kept");
    assert!(people.sessions.of(helen).await.expect("sessions").is_empty(), "who was removed has none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_waits_for_a_password_that_is_being_changed() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let old = people.password_of(Person::Member(helen)).await;
    let session = people.session(None);
    let signed_in = SignedIn::new((Person::Member(helen), old), Some(HERE), None);
    session.insert(SIGNED_IN, signed_in).await.expect("inserts");
    let saving = write(&people.db.main, async |transaction| {
        member::Entity::update_many()
            .col_expr(member::Column::PasswordHash, Expr::value("another"))
            .filter(member::Column::Id.eq(helen))
            .exec(transaction)
            .await?;
        let late = session.clone();
        let saving = tokio::spawn(async move { late.save().await });
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!saving.is_finished(), "it has to know how the change ends");
        Ok::<_, DbErr>(saving)
    })
    .await
    .expect("changes");
    saving.await.expect("no panic").expect("is not kept");
    assert!(rows(&people).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_session_of_the_old_password_outlives_a_change_whichever_comes_first() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    for round in 0..6 {
        let email = format!("helen{round}@acme.example");
        let helen = Person::Member(people.member(acme, &email, Role::Owner).await);
        let old = people.password_of(helen).await;
        let here = people.browser(helen).await;
        let late = people.session(None);
        late.insert(SIGNED_IN, SignedIn::new((helen, old), Some(HERE), None)).await.expect("inserts");
        let (members, outbox) = (people.members.clone(), people.outbox.clone());
        let changing = tokio::spawn(async move {
            let passwords = (&secret(PASSWORD), &secret("a new horse battery"));
            members.change_password(helen.id(), passwords, &key(here), HERE, &mut SysRng, &outbox).await
        });
        // About as long as the change works on the passwords, before it writes.
        tokio::time::sleep(Duration::from_millis(40 * round)).await;
        late.save().await.expect("saves or is not kept");
        changing.await.expect("no panic").expect("changes");
        let open = people.sessions.of(helen).await.expect("sessions");
        assert_eq!(open.iter().map(|open| open.key).collect::<Vec<_>>(), [key(here)], "round {round}");
    }
}

#[tokio::test]
async fn where_somebody_is_signed_in_is_listed_the_last_seen_first() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await);
    let maya = Person::Member(people.member(acme, "maya@acme.example", Role::Member).await);
    let nobody = people.session(None);
    nobody.insert("typed", 1).await.expect("inserts");
    nobody.save().await.expect("saves");
    let signed_in_at = people.shared_clock().now();
    let first = people.browser(helen).await;
    people.clock.advance(Duration::from_mins(10));
    let second = people.browser(helen).await;
    people.browser(maya).await;
    let listed = people.sessions.of(helen).await.expect("sessions");
    assert_eq!(listed.iter().map(|open| open.key).collect::<Vec<_>>(), [key(second), key(first)]);

    people.clock.advance(Duration::from_mins(10));
    let session = people.session(Some(first));
    session.insert("seen", 1).await.expect("inserts");
    session.save().await.expect("saves");
    let listed = people.sessions.of(helen).await.expect("sessions");
    let [open, _] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((open.key, open.created_at), (key(first), signed_in_at));
    assert_eq!(open.last_seen_at, people.shared_clock().now());
    assert_eq!((open.client_address, open.user_agent.as_deref()), (Some(HERE), Some("Edge on Windows")));

    people.clock.advance(Duration::from_mins(55));
    let listed = people.sessions.of(helen).await.expect("sessions");
    assert_eq!(listed.iter().map(|open| open.key).collect::<Vec<_>>(), [key(first)], "the other is over");
}

#[tokio::test]
async fn what_a_program_calls_itself_is_cut_and_cleaned() {
    let people = People::start().await;
    let sam = Person::Support(people.support("sam@crossvat.example").await);
    let password = people.password_of(sam).await;
    let session = people.session(None);
    let long = format!("Evil\r\n\0{}", "ü".repeat(5000));
    session.insert(SIGNED_IN, SignedIn::new((sam, password), None, Some(&long))).await.expect("inserts");
    session.save().await.expect("saves");
    let listed = people.sessions.of(sam).await.expect("sessions");
    let agent = listed[0].user_agent.clone().expect("kept");
    assert_eq!((agent.chars().count(), agent.starts_with("Evilü")), (255, true));
    assert_eq!(listed[0].client_address, None);
}

#[tokio::test]
async fn somebody_ends_their_own_sessions_and_nobody_elses() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "helen@acme.example", Role::Owner).await);
    let maya = Person::Member(people.member(acme, "maya@acme.example", Role::Member).await);
    let mut helens = Vec::new();
    for _ in 0..4 {
        helens.push(people.browser(helen).await);
    }
    let mayas = people.browser(maya).await;
    let actor = &Actor::person(helen, HERE);
    let refused = people.sessions.end(helen, &key(mayas), actor).await;
    assert!(matches!(refused, Err(SessionError::Unknown)), "{refused:?}");
    let refused = people.sessions.end(Person::Support(helen.id()), &key(helens[0]), actor).await;
    assert!(matches!(refused, Err(SessionError::Unknown)), "{refused:?}");
    let before = people.deeds(acme).await.len();
    people.sessions.end(helen, &key(helens[0]), actor).await.expect("ends");
    let again = people.sessions.end(helen, &key(helens[0]), actor).await;
    assert!(matches!(again, Err(SessionError::Unknown)), "{again:?}");
    assert_eq!(people.sessions.end_others(helen, &key(helens[1]), actor).await.expect("ends"), 2);
    assert_eq!(people.sessions.end_others(helen, &key(helens[1]), actor).await.expect("ends"), 0);
    for (id, still) in [
        (helens[0], None),
        (helens[1], Some(helen)),
        (helens[2], None),
        (helens[3], None),
        (mayas, Some(maya)),
    ] {
        assert_eq!(people.signed_in(id).await, still);
    }
    assert_eq!(people.deeds(acme).await[before..], [Deed::SessionsEnded, Deed::SessionsEnded]);
    let event = people.last_event().await;
    assert_eq!((event.detail.as_str(), event.subject_id), ("sessions: 2", Some(helen.id())));
}

#[tokio::test]
async fn what_is_over_is_deleted_and_the_deletion_logged() {
    let people = People::start().await;
    for seconds in [60, 61, 3600] {
        people.store.create(&mut record(&people, seconds, "text")).await.expect("creates");
    }
    people.clock.advance(Duration::from_mins(1));
    assert_eq!(people.sessions.purge(&Actor::COMMAND_LINE).await.expect("purges"), 1);
    let event = people.last_event().await;
    assert_eq!((event.deed, event.actor_kind), (Deed::DataPurged, ActorKind::CommandLine));
    assert_eq!(event.detail, "sessions: 1");
    assert_eq!(people.sessions.purge(&Actor::COMMAND_LINE).await.expect("purges"), 0);
    assert_eq!(rows(&people).await.len(), 2);
    assert_eq!(people.events().await.len(), 1, "nothing deleted, nothing to tell");
}

#[tokio::test]
async fn who_is_signed_in_must_be_readable_and_somebody() {
    let people = People::start().await;
    let mut wrong = record(&people, 60, "text");
    wrong.data.insert(SIGNED_IN.to_owned(), serde_json::json!({ "person": "helen" }));
    let refused = people.store.create(&mut wrong).await;
    assert!(matches!(refused, Err(Error::Encode(_))), "{refused:?}");
    let mut nobody = record(&people, 60, "text");
    let signed_in =
        SignedIn::new((Person::Member(uuid::Uuid::nil()), PasswordFingerprint::of("")), None, None);
    nobody.data.insert(SIGNED_IN.to_owned(), serde_json::to_value(signed_in).expect("JSON"));
    people.store.create(&mut nobody).await.expect("is not kept");
    assert!(rows(&people).await.is_empty());
}

fn record(people: &People, seconds: u64, text: &str) -> Record {
    let mut record = record_with(people, Id::default(), seconds);
    record.data.insert("text".to_owned(), text.into());
    record
}

fn record_with(people: &People, id: Id, seconds: u64) -> Record {
    let end = people.shared_clock().now() + Duration::from_secs(seconds);
    let micros = i128::from(end.timestamp_micros());
    let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(micros * 1000).expect("a time");
    Record { id, data: std::collections::HashMap::default(), expiry_date }
}

async fn rows(people: &People) -> Vec<session::Model> {
    session::Entity::find().all(&people.db.main).await.expect("rows")
}
