//! Somebody signs up: the account with its owner, the link that proves the address with its letter, and the request for
//! keys, if one is to be made.

use std::net::IpAddr;

use rand::TryCryptoRng;
use uuid::Uuid;

use super::{Onboarding, OnboardingError};
use crate::{
    audit::{Actor, Trail},
    db::{Limits, write},
    early_access::{ExpectedVolume, NewKeyRequest},
    email::Message,
    members::{NewOwner, OpenedBy},
    one_time_links::{NewLink, Purpose},
    people::Person,
};

/// What is asked of support on the way: as in [`NewKeyRequest`], by whoever signs up.
#[derive(Clone, Copy, Debug)]
pub struct FirstRequest<'a> {
    /// The company's own number.
    pub vat_number: Option<vat::VatNumber>,
    /// As it was typed.
    pub intended_use: &'a str,
    /// About how much.
    pub expected_volume: ExpectedVolume,
}

impl Onboarding {
    /// Opens an account of the standard plan. Returns the request, where one was made.
    ///
    /// # Errors
    /// Something that was typed cannot be used, the address or the account's name is taken, or the database failed.
    pub async fn sign_up(
        &self,
        new: NewOwner<'_>,
        request: Option<FirstRequest<'_>>,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
    ) -> Result<Option<Uuid>, OnboardingError> {
        let Self(services) = self;
        let owner = services.members.prepare_sign_up(new, random).await?;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let (by, limits) = (OpenedBy::SignedUp(from), Limits::default());
            let member =
                services.members.open_account_within(transaction, &owner, &limits, by, &mut trail).await?;
            let (purpose, person) = (Purpose::ConfirmAddress, Person::Member(member.id));
            let link = NewLink { id: None, purpose, person, key: None };
            let visitor = Actor::visitor(from);
            let issued = services.links.issue_within(transaction, link, &visitor, random, &mut trail).await?;
            let filed = match request {
                Some(first) => {
                    let request = NewKeyRequest {
                        account_id: member.account_id,
                        member_id: member.id,
                        company: owner.company(),
                        vat_number: first.vat_number,
                        intended_use: first.intended_use,
                        expected_volume: first.expected_volume,
                    };
                    let actor = Actor::member(member.id, from);
                    let filed =
                        services.early_access.file_within(transaction, request, &actor, &mut trail).await?;
                    Some(filed)
                }
                None => None,
            };
            let message = Message::ConfirmAddress { secret: issued.secret.for_letter() };
            services.outbox.enqueue(transaction, owner.email(), &message).await?;
            trail.write(transaction, services.clock.as_ref()).await?;
            Ok(filed)
        })
        .await
    }
}
