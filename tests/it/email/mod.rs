//! Mail: what waits in the outbox is sent, once, by whichever way is set.

mod file_box;
mod outbox;
mod program;
mod smtp;

use std::{sync::Arc, time::Duration};

use chrono::{TimeZone, Utc};
use crossvat::{
    clock::ManualClock,
    db::{Database, entities::outbox_letter, write},
    email::{Letter, Line, Message, MessageKind, Outbox, Round, SharedMailer},
};
use sea_orm::{DbErr, EntityTrait, PaginatorTrait};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::database;

const HELEN: &str = "helen@fenwickmarine.example";
const SECRET: &str = "5f0c8a1b2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8";
const PUBLIC_URL: &str = "https://vat.example.org";

/// A database with an outbox, and a clock.
struct Post {
    db: Database,
    clock: Arc<ManualClock>,
    folder: TempDir,
}

impl Post {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let db = Database::connect(&database::url_for(folder.path()).into()).await.expect("database");
        db.migrate().await.expect("migrated");
        let clock = Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap()));
        Self { db, clock, folder }
    }

    /// The outbox as an instance has it.
    fn outbox(&self, mailer: Option<SharedMailer>) -> Outbox {
        Outbox::new(self.db.main.clone(), self.clock.clone(), PUBLIC_URL.into(), mailer)
    }

    /// Commits a letter to Helen with a link.
    async fn enqueue(&self) -> Uuid {
        self.enqueue_to(HELEN).await
    }

    async fn enqueue_to(&self, address: &str) -> Uuid {
        enqueue(&self.db, &self.outbox(None), address, &reset_password()).await
    }

    /// Letters that wait.
    async fn waiting(&self) -> u64 {
        waiting(&self.db).await
    }

    fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        database::forget(self.folder.path());
    }
}

async fn enqueue(db: &Database, outbox: &Outbox, address: &str, message: &Message) -> Uuid {
    let to = address.parse().expect("an address");
    write(&db.main, async |transaction| outbox.enqueue(transaction, &to, message).await)
        .await
        .expect("enqueues")
}

async fn waiting(db: &Database) -> u64 {
    outbox_letter::Entity::find().count(&db.main).await.expect("counts")
}

/// One round, to its end.
async fn deliver(outbox: &Outbox) -> Round {
    outbox.deliver_due(&CancellationToken::new()).await.expect("the database answers")
}

fn reset_password() -> Message {
    Message::ResetPassword { secret: SECRET.into() }
}

/// A letter that has not been in any outbox.
fn letter(id: u128, subject: &str, body: &str) -> Letter {
    Letter {
        id: Uuid::from_u128(id),
        kind: MessageKind::ResetPassword,
        to: HELEN.parse().expect("an address"),
        subject: Line::from(subject),
        body: body.into(),
        written_at: Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap(),
    }
}

/// What a deed says that fails.
fn failure() -> DbErr {
    DbErr::Custom("the deed failed".to_owned())
}
