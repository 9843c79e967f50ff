//! Breakers that support staff open and close by hand. What was said last of each part is kept in the database, and every
//! instance obeys it within about a second, also one that starts later.

mod store;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{DatabaseConnection, DbErr};
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    audit::{self, Actor, Deed, Event},
    clock::SharedClock,
    db::write,
    people::checked_line,
    verification::gateway::{Position, RegistryGateway, RegistryPart},
};

/// How often it is read what was said.
const PERIOD: Duration = Duration::from_millis(400);
/// So long it is remembered that a breaker was closed by hand, for every instance to hear of it.
const CLOSING_KEPT_FOR: TimeDelta = TimeDelta::minutes(5);
/// Longest reason, in characters.
const MAX_REASON: usize = 200;

/// A breaker cannot be opened by hand.
#[derive(Debug, Error)]
pub enum HoldError {
    /// There is no reason that can be told.
    #[error("say why in one line, up to 200 characters: everybody may read it")]
    BadReason,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// A breaker that is open because somebody opened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Since when.
    pub since: DateTime<Utc>,
    /// `None`: until somebody closes it.
    pub until: Option<DateTime<Utc>>,
    /// Everybody may read it.
    pub reason: String,
    /// The support person who did it.
    pub staff_id: Uuid,
}

/// The breakers that are open because somebody opened them.
pub type Held = HashMap<RegistryPart, Hold>;

/// What is wanted when a breaker is opened.
#[derive(Clone, Copy, Debug)]
pub struct NewHold<'a> {
    /// Names the wish: sent twice, it is done once.
    pub id: Uuid,
    /// What is to be left alone.
    pub part: RegistryPart,
    /// For how long; `None`: until somebody closes it.
    pub lasting: Option<TimeDelta>,
    /// As typed.
    pub reason: &'a str,
    /// The support person.
    pub staff_id: Uuid,
}

/// Opens and closes breakers by hand.
#[derive(Clone)]
pub struct Holds {
    db: DatabaseConnection,
    registries: Arc<RegistryGateway>,
    clock: SharedClock,
    /// What was obeyed; `None` before the first reading. One at a time reads and obeys, so that nothing older comes after
    /// something newer.
    obeyed: Arc<tokio::sync::Mutex<Option<HashMap<RegistryPart, Word>>>>,
    held: Arc<Mutex<Arc<Held>>>,
}

/// What was said last of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Open(Uuid),
    Close(Uuid),
}

/// A row.
#[derive(Clone, Debug)]
struct Said {
    id: Uuid,
    part: RegistryPart,
    hold: Hold,
    closed_at: Option<DateTime<Utc>>,
}

impl Holds {
    /// Kept in `db`, obeyed by `registries`.
    #[must_use]
    pub fn new(db: DatabaseConnection, registries: Arc<RegistryGateway>, clock: SharedClock) -> Self {
        Self { db, registries, clock, obeyed: Arc::default(), held: Arc::default() }
    }

    /// Those that are open by hand, as this instance knows it.
    #[must_use]
    pub fn held(&self) -> Arc<Held> {
        Arc::clone(&self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens a breaker, or keeps one open for another time. This instance obeys at once, the others within about a second.
    ///
    /// # Errors
    /// There is no reason that can be told, or the database failed.
    pub async fn open(&self, new: NewHold<'_>, actor: &Actor) -> Result<(), HoldError> {
        let reason = checked_reason(new.reason)?;
        let since = self.clock.now();
        let until = new.lasting.map(|lasting| since + lasting);
        let hold = Hold { since, until, reason: reason.to_owned(), staff_id: new.staff_id };
        let said = Said { id: new.id, part: new.part, hold, closed_at: None };
        let time = new.lasting.map_or_else(|| "until closed by hand".to_owned(), in_words);
        let detail = format!("{}, {time}: {reason}", new.part.name());
        self.say(said, (Deed::BreakerOpened, &detail), actor).await?;
        Ok(())
    }

    /// Has a part asked again, whoever or whatever opened its breaker. This instance obeys at once, the others within about
    /// a second. Nothing is done where nothing is open; `id` as of [`NewHold`].
    ///
    /// # Errors
    /// The database failed.
    pub async fn close(
        &self,
        (id, part): (Uuid, RegistryPart),
        staff_id: Uuid,
        actor: &Actor,
    ) -> Result<(), DbErr> {
        self.obey().await?;
        let position = self.registries.state(part).breaker.position;
        if position == Position::Closed && !self.held().contains_key(&part) {
            return Ok(());
        }
        let now = self.clock.now();
        let hold = Hold { since: now, until: None, reason: String::new(), staff_id };
        let said = Said { id, part, hold, closed_at: Some(now) };
        self.say(said, (Deed::BreakerClosed, part.name()), actor).await
    }

    /// Reads what was said and obeys it, every now and then until `over`. A reading that fails changes nothing.
    pub async fn watch(self, over: CancellationToken) {
        let mut fails = false;
        while over.run_until_cancelled(tokio::time::sleep(PERIOD)).await.is_some() {
            match self.obey().await {
                Ok(()) => fails = false,
                Err(error) if !fails => {
                    fails = true;
                    tracing::warn!(%error, "it cannot be read which breakers are open by hand: they stay as they are");
                }
                Err(_) => {}
            }
        }
    }

    /// Reads what was said and obeys it.
    ///
    /// # Errors
    /// The database failed: what could not be read changes nothing.
    pub async fn obey(&self) -> Result<(), DbErr> {
        let mut obeyed = self.obeyed.lock().await;
        let said = store::all(&self.db).await?;
        let now = self.clock.now();
        let is_first = obeyed.is_none();
        let obeyed = obeyed.get_or_insert_default();
        for part in RegistryPart::all() {
            let said = said.iter().find(|said| said.part == part);
            let word = said.and_then(|said| said.word(now));
            let before = obeyed.get(&part).copied();
            if word == before {
                continue;
            }
            match (word, before) {
                (Some(Word::Open(_)), _) => {
                    let until = said.and_then(|said| said.hold.until);
                    let lasting = until.map(|until| (until - now).to_std().unwrap_or_default());
                    self.registries.open_by_hand(part, lasting);
                }
                // What has just started has nothing open.
                (Some(Word::Close(_)), _) if !is_first => self.registries.close_by_hand(part),
                (None, Some(Word::Open(_))) => self.registries.end_hold(part),
                (Some(Word::Close(_)) | None, _) => {}
            }
            match word {
                Some(word) => obeyed.insert(part, word),
                None => obeyed.remove(&part),
            };
        }
        self.tell(&said, now);
        if said.iter().any(|said| said.is_over(now)) {
            store::forget(&self.db, now, now - CLOSING_KEPT_FOR).await?;
        }
        Ok(())
    }

    async fn say(&self, said: Said, (deed, detail): (Deed, &str), actor: &Actor) -> Result<(), DbErr> {
        let subject_id = Some(said.id);
        write(&self.db, async |transaction| {
            if store::put(transaction, said).await? {
                let event = Event { deed, account_id: None, subject_id, detail };
                audit::append(transaction, self.clock.as_ref(), actor, event).await?;
            }
            Ok::<_, DbErr>(())
        })
        .await?;
        if let Err(error) = self.obey().await {
            tracing::warn!(%error, "what was said of a breaker by hand is obeyed a little later");
        }
        Ok(())
    }

    fn tell(&self, said: &[Said], now: DateTime<Utc>) {
        let open = said.iter().filter(|said| matches!(said.word(now), Some(Word::Open(_))));
        let held: Held = open.map(|said| (said.part, said.hold.clone())).collect();
        let mut told = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if **told != held {
            *told = Arc::new(held);
        }
    }
}

impl Said {
    fn word(&self, now: DateTime<Utc>) -> Option<Word> {
        match (self.closed_at, self.hold.until) {
            (Some(_), _) => Some(Word::Close(self.id)),
            (None, Some(until)) if until <= now => None,
            (None, _) => Some(Word::Open(self.id)),
        }
    }

    /// Whether nobody need know of it any more.
    fn is_over(&self, now: DateTime<Utc>) -> bool {
        self.closed_at
            .map_or_else(|| self.word(now).is_none(), |closed_at| closed_at < now - CLOSING_KEPT_FOR)
    }
}

/// Why a breaker is opened, as everybody may read it.
///
/// # Errors
/// It is empty, too long, or more than a line.
pub fn checked_reason(typed: &str) -> Result<&str, HoldError> {
    checked_line(typed, MAX_REASON).ok_or(HoldError::BadReason)
}

fn in_words(lasting: TimeDelta) -> String {
    match (lasting.num_hours(), lasting.num_minutes() % 60) {
        (0, minutes) => format!("for {minutes} min"),
        (hours, 0) => format!("for {hours} h"),
        (hours, minutes) => format!("for {hours} h {minutes} min"),
    }
}
