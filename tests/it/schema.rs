//! The schema goes up and down again, with data in it.

use crossvat_migrations::Migrator;
use sea_orm_migration::MigratorTrait;

use crate::support::TestApp;

#[tokio::test]
async fn every_migration_can_be_undone_and_done_again() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976", "GB980780684"]).await;
    let db = &app.database.main;
    let steps = u32::try_from(Migrator::migrations().len()).expect("few");
    // Accounts and keys are the first migration's: they stay until it is undone itself.
    Migrator::down(db, Some(steps - 1)).await.expect("down");
    Migrator::up(db, None).await.expect("up");
    let account = app.accounts().named("acme").await.expect("answers").expect("still there");
    assert_eq!((account.id, &*account.terms.plan), (customer.account_id, "standard"));
    assert_eq!(app.api_keys().list(customer.account_id).await.expect("keys").len(), 1);
    Migrator::down(db, None).await.expect("all the way down");
    Migrator::up(db, None).await.expect("and up");
}
