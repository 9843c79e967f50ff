//! Support prepares a key for somebody on the phone: for a new account, or for a member of one that is there.

use rand::TryCryptoRng;
use uuid::Uuid;

use super::{Onboarding, OnboardingError};
use crate::{
    audit::{Actor, Trail},
    db::{Limits, entities::account::AccountState, lock_account, write},
    early_access::Standing,
    email::{Line, Message},
    members::{FirstOwner, MemberError, OpenedBy, Role},
    one_time_links::{LinkError, LinkState, NewLink, PreparedKey, Purpose},
    people::{EmailAddress, Person, first_name},
};

/// A company that support lets in.
#[derive(Clone, Copy, Debug)]
pub struct NewCustomer<'a> {
    /// As it was typed.
    pub company: &'a str,
    /// As it was typed.
    pub contact: &'a str,
    /// As it was typed.
    pub email: &'a str,
    /// What the account may use.
    pub limits: &'a Limits,
}

/// What became of a form that issues a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issued {
    /// A link is on its way.
    Sent,
    /// It was, by the same form.
    Already,
}

impl Onboarding {
    /// Opens an account whose owner chooses a password and takes the key by one link. `token` names the form: what it asks
    /// for is done once.
    ///
    /// # Errors
    /// The form was sent before with something else in it, something that was typed cannot be used, the address or the account's name is taken, there is no such plan, a limit
    /// or the key's name cannot be used, or the database failed.
    pub async fn open_account(
        &self,
        new: NewCustomer<'_>,
        key: &PreparedKey,
        token: Option<Uuid>,
        (actor, name): (&Actor, &str),
        random: &mut impl TryCryptoRng,
    ) -> Result<Issued, OnboardingError> {
        let Self(services) = self;
        services.api_keys.accepts(&key.name, None)?;
        let owner = FirstOwner::without_password(new.company, new.email, new.contact)?;
        let opened = write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let by = OpenedBy::Support(*actor);
            let member =
                services.members.open_account_within(transaction, &owner, new.limits, by, &mut trail).await?;
            let person = Person::Member(member.id);
            let link = NewLink { id: token, purpose: Purpose::ClaimKey, person, key: Some(key) };
            let issued = services.links.issue_within(transaction, link, actor, random, &mut trail).await?;
            let message = Message::ClaimKey {
                secret: issued.secret.for_letter(),
                invited_by: Line::from(first_name(name)),
                account: Line::from(owner.company()),
            };
            services.outbox.enqueue(transaction, owner.email(), &message).await?;
            Ok::<_, OnboardingError>(trail.write(transaction, services.clock.as_ref()).await?)
        })
        .await;
        match opened {
            Ok(()) => Ok(Issued::Sent),
            // By the same form, perhaps, which was sent twice.
            Err(
                error @ (OnboardingError::Member(MemberError::CompanyTaken | MemberError::AddressTaken)
                | OnboardingError::Link(LinkError::AlreadyIssued)),
            ) => self.sent_before(token, &owner, key).await?.ok_or(error),
            Err(error) => Err(error),
        }
    }

    /// Prepares a key for a member of an account that may have keys. An earlier link to that member which was not used can
    /// be used no more.
    ///
    /// # Errors
    /// The form was sent before with something else in it, there is no such account or member, the member is a viewer, the account is suspended or has to be approved, the key's name cannot be used,
    /// or the database failed.
    pub async fn issue_to(
        &self,
        (account_id, member): (Uuid, Uuid),
        key: &PreparedKey,
        token: Option<Uuid>,
        by: (&Actor, &str),
        random: &mut impl TryCryptoRng,
    ) -> Result<Issued, OnboardingError> {
        self.0.api_keys.accepts(&key.name, None)?;
        self.send((account_id, member), (key, None), token, by, random).await
    }

    /// Sends a link that was not used once more, with another secret: the earlier one can be used no more.
    ///
    /// # Errors
    /// There is no such link to a key, it was used, its receiver was sent another since, the account is suspended, its
    /// receiver is a member no more or a viewer, or the database failed.
    pub async fn send_again(
        &self,
        link: Uuid,
        token: Option<Uuid>,
        by: (&Actor, &str),
        random: &mut impl TryCryptoRng,
    ) -> Result<Issued, OnboardingError> {
        let earlier = self.0.links.find(link).await?.ok_or(LinkError::Unknown)?;
        let (Some(key), Some(account_id), Person::Member(member)) =
            (earlier.key, earlier.account_id, earlier.person)
        else {
            return Err(LinkError::Unknown.into());
        };
        self.send((account_id, member), (&key, Some(link)), token, by, random).await
    }

    /// Sends a link to a member, `instead` of one that must be the latest they were sent.
    async fn send(
        &self,
        (account_id, member): (Uuid, Uuid),
        (key, instead): (&PreparedKey, Option<Uuid>),
        token: Option<Uuid>,
        (actor, name): (&Actor, &str),
        random: &mut impl TryCryptoRng,
    ) -> Result<Issued, OnboardingError> {
        let Self(services) = self;
        write(&services.db.main, async |transaction| {
            let mut trail = Trail::default();
            let account = lock_account(transaction, account_id).await?.ok_or(MemberError::Unknown)?;
            if account.state != AccountState::Active {
                return Err(OnboardingError::Suspended);
            }
            match services.early_access.standing_within(transaction, account_id).await? {
                Standing::NeverAsked | Standing::Approved => {}
                Standing::Waiting | Standing::Declined | Standing::Withdrawn => {
                    return Err(OnboardingError::NotApproved);
                }
            }
            let receiver = services.members.lock_within(transaction, account_id, member).await?;
            if receiver.role == Role::Viewer {
                return Err(OnboardingError::Viewer);
            }
            if let Some(token) = token
                && let Some(sent) = services.links.find_within(transaction, token).await?
            {
                let same = sent.person == Person::Member(member) && sent.key.as_ref() == Some(key);
                return if same { Ok(Issued::Already) } else { Err(OnboardingError::FormUsed) };
            }
            if let Some(earlier) = instead {
                // With the receiver locked: nobody uses it, and nobody sends another, meanwhile.
                match services.links.newest_claim_within(transaction, member).await? {
                    Some(newest) if newest.id != earlier => return Err(OnboardingError::Superseded),
                    Some(newest) if newest.state != LinkState::Used => {}
                    Some(newest) => return Err(LinkError::Ended(newest.state).into()),
                    None => return Err(LinkError::Unknown.into()),
                }
            }
            let to: EmailAddress = receiver.email.parse()?;
            let person = Person::Member(receiver.id);
            let link = NewLink { id: token, purpose: Purpose::ClaimKey, person, key: Some(key) };
            let issued = services.links.issue_within(transaction, link, actor, random, &mut trail).await?;
            let message = Message::ClaimKey {
                secret: issued.secret.for_letter(),
                invited_by: Line::from(first_name(name)),
                account: Line::from(&*account.name),
            };
            services.outbox.enqueue(transaction, &to, &message).await?;
            trail.write(transaction, services.clock.as_ref()).await?;
            Ok(Issued::Sent)
        })
        .await
    }

    /// Whether the same form has opened this owner's account already, with the same key. `None` when it was not sent before.
    async fn sent_before(
        &self,
        token: Option<Uuid>,
        owner: &FirstOwner,
        key: &PreparedKey,
    ) -> Result<Option<Issued>, OnboardingError> {
        let Some(token) = token else { return Ok(None) };
        let Some(sent) = self.0.links.find(token).await? else { return Ok(None) };
        let receiver = match sent.person {
            Person::Member(member) => self.0.members.find(member).await?,
            Person::Support(_) => None,
        };
        let is_owner = receiver.is_some_and(|receiver| receiver.email == owner.email().as_str());
        if is_owner && sent.key.as_ref() == Some(key) {
            Ok(Some(Issued::Already))
        } else {
            Err(OnboardingError::FormUsed)
        }
    }
}
