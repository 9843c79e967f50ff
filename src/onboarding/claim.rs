//! Somebody uses the link to a key: only now the key is made, and shown this once.

use std::net::IpAddr;

use rand::TryCryptoRng;
use secrecy::SecretString;
use uuid::Uuid;

use super::{Onboarding, OnboardingError};
use crate::{
    api_keys::{IssuedKey, NewKey},
    audit::{Actor, Trail},
    db::{entities::account::AccountState, lock_account, write},
    members::{MemberError, Role},
    one_time_links::{LinkError, OneTimeLink, Purpose},
    passwords::PasswordFingerprint,
    people::Person,
};

/// A key that somebody took.
#[derive(Debug)]
pub struct Claimed {
    /// The key, with its secret.
    pub key: IssuedKey,
    /// What it is called.
    pub name: String,
    /// Who took it.
    pub member: Uuid,
    /// Which password they have chosen on the way.
    pub password: Option<PasswordFingerprint>,
}

impl Onboarding {
    /// Uses a link up, that was looked at, and makes its key. Of any number who try at once, one succeeds. `new_password` is
    /// for a member who has none: whoever has one must be signed in, which is for the caller to see to.
    ///
    /// # Errors
    /// The link can be used no more or brings no key, the account is suspended, the receiver is a viewer by now, the password may not be chosen or there is
    /// one already, or the database failed.
    pub async fn claim(
        &self,
        (link, secret): (&OneTimeLink, &str),
        new_password: Option<&SecretString>,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
    ) -> Result<Claimed, OnboardingError> {
        let Self(services) = self;
        let (Some(account_id), Person::Member(member)) = (link.account_id, link.person) else {
            return Err(LinkError::Unknown.into());
        };
        let chosen = match new_password {
            Some(typed) => Some(services.members.prepare_password(member, typed, random).await?),
            None => None,
        };
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            // In the order of all who lock several of these.
            let account = lock_account(transaction, account_id).await?.ok_or(LinkError::Unknown)?;
            if account.state != AccountState::Active {
                return Err(OnboardingError::Suspended);
            }
            let receiver = services.members.lock_within(transaction, account_id, member).await?;
            if receiver.role == Role::Viewer {
                return Err(OnboardingError::Viewer);
            }
            if receiver.has_password != chosen.is_none() {
                return Err(MemberError::HasPassword.into());
            }
            let used = services
                .links
                .consume_within(transaction, Purpose::ClaimKey, secret, from, &mut trail)
                .await?;
            let key = used.key.ok_or(LinkError::Unknown)?;
            let password = match chosen {
                Some(chosen) => {
                    let members = &services.members;
                    Some(members.choose_first_password_within(transaction, chosen, from, &mut trail).await?)
                }
                None => None,
            };
            let new =
                NewKey { id: Some(used.id), account_id, name: &key.name, mode: key.mode, expires_at: None };
            let actor = Actor::member(member, from);
            let issued = services.api_keys.issue_within(transaction, new, &actor, random, &mut trail).await?;
            trail.write(transaction, services.clock.as_ref()).await?;
            Ok(Claimed { key: issued, name: key.name, member, password })
        })
        .await
    }
}
