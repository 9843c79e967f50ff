//! The schema goes up and down again, with data in it, and what is deleted is gone.

use chrono::DateTime;
use crossvat::db::{
    Database,
    entities::{account, outbox_letter, outbox_letter::MessageKind},
};
use crossvat_migrations::Migrator;
use sea_orm::{EntityTrait, IntoActiveModel};
use sea_orm_migration::MigratorTrait;
use uuid::Uuid;

use crate::support::{TestApp, database::DatabaseKind};

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
    let row = account::Entity::find_by_id(account.id).one(db).await.expect("answers").expect("there");
    assert_eq!((&*row.name, &*row.folded_name), ("acme", "acme"), "of accounts that were there before too");
    assert_eq!(app.api_keys().list(customer.account_id).await.expect("keys").len(), 1);
    Migrator::down(db, None).await.expect("all the way down");
    Migrator::up(db, None).await.expect("and up");
}

/// A letter may hold the secret of a link.
#[tokio::test]
async fn a_letter_that_was_deleted_is_gone_from_the_file() {
    const SECRET: &str = "a-secret-that-nobody-else-writes";
    if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        // PostgreSQL's own housekeeping decides when what was deleted is overwritten.
        return;
    }
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("test.db");
    let database = Database::connect(&format!("sqlite://{}", path.display()).into()).await.expect("opens");
    database.migrate().await.expect("migrates");
    let is_in_file = || {
        let bytes = std::fs::read(&path).expect("the file");
        bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes())
    };
    let letter = outbox_letter::Model {
        id: Uuid::nil(),
        kind: MessageKind::ResetPassword,
        recipient: "ann@example.com".to_owned(),
        subject: "A link".to_owned(),
        body: SECRET.repeat(1000),
        written_at: DateTime::UNIX_EPOCH,
        next_try_at: DateTime::UNIX_EPOCH,
        tries: 0,
    };
    let letters = letter.into_active_model();
    outbox_letter::Entity::insert(letters).exec_without_returning(&database.main).await.expect("written");
    database.checkpoint().await.expect("moved");
    assert!(is_in_file(), "or else this looks in the wrong place");
    outbox_letter::Entity::delete_by_id(Uuid::nil()).exec(&database.main).await.expect("deleted");
    database.checkpoint().await.expect("moved");
    assert!(!is_in_file());
    database.close().await.expect("closes");
    assert!(!folder.path().join("test.db-wal").exists(), "nor is there a log that could have it");
    assert!(!is_in_file());
}
