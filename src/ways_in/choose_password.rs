//! Somebody follows a link with which a password is chosen: a forgotten one's, an invitation, or that of support staff.

use std::net::IpAddr;

use rand::TryCryptoRng;
use secrecy::SecretString;

use super::{WayInError, WaysIn};
use crate::{
    audit::Trail,
    db::write,
    one_time_links::{LinkError, OneTimeLink, Purpose},
    people::Person,
};

impl WaysIn {
    /// Uses up a link, that was looked at, and keeps the password that its receiver has chosen. Whoever had another before is
    /// told by mail, and signed out everywhere.
    ///
    /// # Errors
    /// The password may not be chosen or cannot be worked on at present, the link can be used no more or sets no password,
    /// there is no such person, or the database failed.
    pub async fn choose_password(
        &self,
        (link, secret): (&OneTimeLink, &str),
        new: &SecretString,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), WayInError> {
        let Self(services) = self;
        let purpose = link.purpose;
        if !Purpose::CHOOSING_A_PASSWORD.contains(&purpose) {
            return Err(LinkError::Unknown.into());
        }
        let told = (from, &services.outbox);
        match (link.person, link.account_id) {
            (Person::Member(member), Some(account_id)) => {
                let chosen = services.members.prepare_password(member, new, random).await?;
                write(&services.db.main, async |transaction| {
                    let mut trail = Trail::default();
                    services.members.lock_within(transaction, account_id, member).await?;
                    services.links.consume_within(transaction, purpose, secret, from, &mut trail).await?;
                    services.members.keep_password_within(transaction, chosen, told, &mut trail).await?;
                    Ok(trail.write(transaction, services.clock.as_ref()).await?)
                })
                .await
            }
            (Person::Support(person), None) => {
                let chosen = services.staff.prepare_password(person, new, random).await?;
                write(&services.db.main, async |transaction| {
                    let mut trail = Trail::default();
                    services.staff.lock_within(transaction, person).await?;
                    services.links.consume_within(transaction, purpose, secret, from, &mut trail).await?;
                    services.staff.keep_password_within(transaction, chosen, told, &mut trail).await?;
                    Ok(trail.write(transaction, services.clock.as_ref()).await?)
                })
                .await
            }
            _ => Err(LinkError::Unknown.into()),
        }
    }
}
