//! Somebody who signed up proves that the address is theirs.

use std::net::IpAddr;

use secrecy::SecretString;

use super::{WayInError, WaysIn};
use crate::{
    audit::Trail,
    db::write,
    one_time_links::{LinkError, OneTimeLink, Purpose},
    passwords::PasswordFingerprint,
    people::Person,
};

impl WaysIn {
    /// Uses up a link, that was looked at, which proves the address of a member who knows the password as well. Anybody can
    /// sign up with another's address: that the link has arrived does not show that its receiver has chosen the password. Returns
    /// which password was proved.
    ///
    /// # Errors
    /// The password is another, the link can be used no more, there is no such member, or the database failed.
    pub async fn confirm_address(
        &self,
        (link, secret): (&OneTimeLink, &str),
        password: &SecretString,
        from: IpAddr,
    ) -> Result<PasswordFingerprint, WayInError> {
        let Self(services) = self;
        let (Some(account_id), Person::Member(member)) = (link.account_id, link.person) else {
            return Err(LinkError::Unknown.into());
        };
        let proved = services.members.prove_password(member, password).await?;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            services.members.lock_within(transaction, account_id, member).await?;
            let purpose = Purpose::ConfirmAddress;
            services.links.consume_within(transaction, purpose, secret, from, &mut trail).await?;
            let members = &services.members;
            let password = members.confirm_address_within(transaction, &proved, from, &mut trail).await?;
            trail.write(transaction, services.clock.as_ref()).await?;
            Ok(password)
        })
        .await
    }
}
