//! The tables of people come and go.

use crossvat::{
    audit::Actor,
    early_access::{ExpectedVolume, NewKeyRequest},
    members::Role,
    one_time_links::Purpose,
    people::Person,
    second_factor::NewSecondFactor,
    staff::StaffSignIn,
};
use crossvat_migrations::Migrator;
use rand::rngs::SysRng;
use sea_orm::ConnectionTrait;
use sea_orm_migration::MigratorTrait;

use super::{HERE, People};

#[tokio::test]
async fn the_tables_of_people_can_be_undone_with_people_in_them() {
    let people = People::start().await;
    fill(&people).await;
    let db = &people.db.main;
    let later =
        Migrator::migrations().iter().rev().position(|one| one.name() == "m0005_people").expect("there");
    Migrator::down(db, Some(u32::try_from(later + 1).expect("few"))).await.expect("down");
    for table in [
        "members",
        "support_staff",
        "sessions",
        "one_time_links",
        "key_requests",
        "second_factors",
        "recovery_codes",
    ] {
        let gone = db.execute_unprepared(&format!("SELECT * FROM {table}")).await;
        assert!(gone.is_err(), "{table} is still there");
    }
    Migrator::up(db, None).await.expect("up");
    assert!(people.accounts.named("acme").await.expect("answers").is_some(), "accounts stay");
    fill(&people).await;
}

#[tokio::test]
async fn nobody_is_deleted_whom_a_row_still_names() {
    let people = People::start().await;
    fill(&people).await;
    for table in ["accounts", "members", "support_staff"] {
        let deleted = people.db.main.execute_unprepared(&format!("DELETE FROM {table}")).await;
        assert!(deleted.is_err(), "{table}");
    }
}

#[tokio::test]
async fn passwords_of_the_staff_outlive_the_migration_that_lets_them_be_missing() {
    let people = People::start().await;
    fill(&people).await;
    let db = &people.db.main;
    let steps = Migrator::migrations()
        .iter()
        .rev()
        .position(|one| one.name() == "m0010_second_factors")
        .expect("there");
    Migrator::down(db, Some(u32::try_from(steps + 1).expect("few"))).await.expect("down");
    Migrator::up(db, None).await.expect("up");
    let sign_in = async |email: &str| {
        let typed = super::secret(super::PASSWORD);
        let found = people.staff.sign_in(email, &typed, &mut SysRng).await.expect("can be told");
        matches!(found, StaffSignIn::Accepted(..))
    };
    assert!(sign_in("sam@crossvat.example").await);
    assert!(!sign_in("kim@crossvat.example").await, "an invited person still has none");
    let people = people.staff.list().await.expect("staff");
    assert_eq!(people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>(), ["Kim", "Sam Support"]);
}

/// At least one row in each table.
async fn fill(people: &People) {
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let sam = people.support("sam@crossvat.example").await;
    for person in [Person::Member(helen), Person::Support(sam)] {
        people.browser(person).await;
        people.link(Purpose::ResetPassword, person).await;
        let (secret, sealed) = people.second_factors.begin(person, &mut SysRng).expect("begins");
        let new = NewSecondFactor {
            person,
            sealed: &sealed,
            code: &secret.code(people.shared_clock().now()),
            replaces: false,
            keep: None,
            from: HERE,
        };
        people.second_factors.set_up(new, &mut SysRng, &people.outbox).await.expect("sets up");
    }
    let invited = ("kim@crossvat.example", "Kim");
    people.staff.invite(invited, &Actor::support(sam, HERE)).await.expect("invites");
    let new = NewKeyRequest {
        account_id: acme,
        member_id: helen,
        company: "Acme",
        vat_number: None,
        intended_use: "Invoices.",
        expected_volume: ExpectedVolume::UpTo50000,
    };
    let request = people.early_access.file(new, &Actor::member(helen, HERE)).await.expect("files");
    people.decline(request, "No.", &Actor::support(sam, HERE)).await.expect("declines");
}
