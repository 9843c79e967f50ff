//! The tables of people come and go.

use crossvat::{
    audit::Actor,
    early_access::{ExpectedVolume, NewKeyRequest},
    members::Role,
    one_time_links::Purpose,
    people::Person,
};
use crossvat_migrations::Migrator;
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
    for table in ["members", "support_staff", "sessions", "one_time_links", "key_requests"] {
        let gone = db.execute_unprepared(&format!("SELECT * FROM {table}")).await;
        assert!(gone.is_err(), "{table} is still there");
    }
    assert!(people.accounts.named("acme").await.expect("answers").is_some(), "accounts stay");
    Migrator::up(db, None).await.expect("up");
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

/// At least one row in each table.
async fn fill(people: &People) {
    let acme = people.account("acme").await;
    let helen = people.member(acme, "helen@acme.example", Role::Owner).await;
    let sam = people.support("sam@crossvat.example").await;
    for person in [Person::Member(helen), Person::Support(sam)] {
        people.browser(person).await;
        people.link(Purpose::ResetPassword, person).await;
    }
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
