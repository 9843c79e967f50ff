//! Somebody is invited: the person, the link and its letter, of which none is there without the others.

use rand::TryCryptoRng;
use sea_orm::DatabaseTransaction;
use secrecy::SecretString;
use uuid::Uuid;

use super::{WayInError, WaysIn};
use crate::{
    audit::{Actor, Trail},
    db::write,
    email::Message,
    members::Role,
    one_time_links::{NewLink, Purpose},
    people::{EmailAddress, Person},
};

impl WaysIn {
    /// Invites somebody to an account, with this role there. `message` is the letter with the link's secret.
    ///
    /// # Errors
    /// The name cannot be used, there is no such account, the address is a member's or another account's, or the database
    /// failed.
    pub async fn invite_member(
        &self,
        to: (Uuid, Role),
        who: (&EmailAddress, &str),
        message: impl FnOnce(SecretString) -> Message + Send,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), WayInError> {
        let Self(services) = self;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let id = services.members.invite_within(transaction, to, who, actor, &mut trail).await?;
            let link = new_link(Purpose::Invitation, Person::Member(id));
            self.send(transaction, (link, who.0), message, (actor, trail), random).await
        })
        .await
    }

    /// Invites somebody to the support staff. `message` is the letter with the link's secret.
    ///
    /// # Errors
    /// The name cannot be used, the address is taken, or the database failed.
    pub async fn invite_staff(
        &self,
        who: (&EmailAddress, &str),
        message: impl FnOnce(SecretString) -> Message + Send,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), WayInError> {
        let Self(services) = self;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let id = services.staff.invite_within(transaction, who, actor, &mut trail).await?;
            let link = new_link(Purpose::JoinStaff, Person::Support(id));
            self.send(transaction, (link, who.0), message, (actor, trail), random).await
        })
        .await
    }

    async fn send(
        &self,
        transaction: &DatabaseTransaction,
        (link, to): (NewLink<'_>, &EmailAddress),
        message: impl FnOnce(SecretString) -> Message,
        (actor, mut trail): (&Actor, Trail),
        random: &mut impl TryCryptoRng,
    ) -> Result<(), WayInError> {
        let Self(services) = self;
        let issued = services.links.issue_within(transaction, link, actor, random, &mut trail).await?;
        services.outbox.enqueue(transaction, to, &message(issued.secret.for_letter())).await?;
        Ok(trail.write(transaction, services.clock.as_ref()).await?)
    }
}

const fn new_link(purpose: Purpose, person: Person) -> NewLink<'static> {
    NewLink { id: None, purpose, person, key: None }
}
