//! Support answers a request for keys, and the one who asked hears of it in the same moment.

use rand::TryCryptoRng;
use uuid::Uuid;

use super::{Onboarding, OnboardingError};
use crate::{
    audit::{Actor, Trail},
    db::{Limits, bump_access_version, entities::account::AccountState, lock_account, write},
    email::{Line, Lines, Message},
    one_time_links::{KeyMode, NewLink, PreparedKey, Purpose},
    people::{EmailAddress, Person, first_name},
};

/// What the first key is called until its holder names it.
const FIRST_KEY: &str = "First key";

impl Onboarding {
    /// Says yes: the account has the limits that were agreed, and a link to its first key is on its way.
    ///
    /// # Errors
    /// There is no such request, it was decided, the account is suspended, there is no such plan, a limit cannot be used, or the database failed.
    pub async fn approve(
        &self,
        request: Uuid,
        limits: &Limits,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), OnboardingError> {
        let Self(services) = self;
        let key = PreparedKey { name: FIRST_KEY.to_owned(), mode: KeyMode::Live };
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let approved =
                services.early_access.approve_within(transaction, request, limits, actor, &mut trail).await?;
            let account = lock_account(transaction, approved.account_id).await?;
            if account.is_none_or(|account| account.state != AccountState::Active) {
                return Err(OnboardingError::Suspended);
            }
            let receiver = services
                .members
                .receiver_within(transaction, approved.account_id, approved.member_id)
                .await?;
            let to: EmailAddress = receiver.email.parse()?;
            let person = Person::Member(receiver.id);
            let link = NewLink { id: None, purpose: Purpose::ClaimKey, person, key: Some(&key) };
            let issued = services.links.issue_within(transaction, link, actor, random, &mut trail).await?;
            let message = Message::KeyRequestApproved {
                secret: issued.secret.for_letter(),
                account: Line::from(&*approved.company),
            };
            services.outbox.enqueue(transaction, &to, &message).await?;
            trail.write(transaction, services.clock.as_ref()).await?;
            Ok::<_, OnboardingError>(bump_access_version(transaction).await?)
        })
        .await?;
        services.db.access.changed();
        Ok(())
    }

    /// Says no, for a reason that is mailed as it stands with the first name of whoever decides.
    ///
    /// # Errors
    /// The reason cannot be read, there is no such request, it was decided, or the database failed.
    pub async fn decline(
        &self,
        request: Uuid,
        reason: &str,
        (actor, name): (&Actor, &str),
    ) -> Result<(), OnboardingError> {
        let Self(services) = self;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let declined =
                services.early_access.decline_within(transaction, request, reason, actor, &mut trail).await?;
            let receiver = services
                .members
                .receiver_within(transaction, declined.account_id, declined.member_id)
                .await?;
            let to: EmailAddress = receiver.email.parse()?;
            let message = Message::KeyRequestDeclined {
                account: Line::from(&*declined.company),
                reason: Lines::from(reason),
                declined_by: Line::from(first_name(name)),
            };
            services.outbox.enqueue(transaction, &to, &message).await?;
            Ok(trail.write(transaction, services.clock.as_ref()).await?)
        })
        .await
    }
}
