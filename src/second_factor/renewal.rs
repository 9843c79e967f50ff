//! Another key for the secrets: what is read with a former one is kept anew under the present one, at use and by a command.

use rand::TryCryptoRng;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{SecondFactorError, SecondFactors, TotpSecret, store};
use crate::{
    audit::{self, Actor, Deed, Event},
    db::{within_limit, write},
    people::Person,
};

/// Secrets that are looked at in one transaction.
const PART: u64 = 200;

/// What became of all secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    /// They were kept under a former key, and are now under the present one.
    pub renewed: u64,
    /// They were kept under the present key before.
    pub present: u64,
    /// No key that is set reads them: they stay as they are.
    pub unreadable: u64,
}

impl SecondFactors {
    /// Keeps every secret that is read with a former key anew under the present one, in parts, each with its event. Afterwards
    /// the former keys are not needed any more, unless a server is running that writes under one of them.
    ///
    /// # Errors
    /// There is no key, no randomness, or the database failed. Parts that were done stay done.
    pub async fn renew_all(
        &self,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<Renewal, SecondFactorError> {
        let (mut all, mut after) = (Renewal::default(), Uuid::nil());
        loop {
            let (part, last) = write(&self.db, async |transaction| {
                let rows = store::part_after(transaction, after, PART).await?;
                let mut part = Renewal::default();
                for row in &rows {
                    self.renew(transaction, row, &mut part, random).await?;
                }
                if part.renewed > 0 {
                    let detail = &format!("second factors: {}", part.renewed);
                    let deed = Deed::SecondFactorsRenewed;
                    let event = Event { deed, account_id: None, subject_id: None, detail };
                    audit::append(transaction, self.clock.as_ref(), actor, event).await?;
                }
                Ok::<_, SecondFactorError>((part, rows.last().map(|row| row.id)))
            })
            .await?;
            all.renewed += part.renewed;
            all.present += part.present;
            all.unreadable += part.unreadable;
            match last {
                Some(last) => after = last,
                None => return Ok(all),
            }
        }
    }

    async fn renew(
        &self,
        transaction: &impl ConnectionTrait,
        row: &store::FactorRow,
        part: &mut Renewal,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), SecondFactorError> {
        let opened =
            row.person().and_then(|person| Some((person, self.key().ok()?.open(person, &row.secret)?)));
        match opened {
            None => part.unreadable += 1,
            Some((_, opened)) if !opened.by_former_key => part.present += 1,
            // One that was changed since it was read was written under the present key by whoever did.
            Some((_, opened)) if self.keep_anew(transaction, row, &opened.secret, random).await? => {
                part.renewed += 1;
            }
            Some(_) => part.present += 1,
        }
        Ok(())
    }

    /// Encrypts a secret that is kept in `row` under the present key. Whether it was still there.
    pub(super) async fn keep_anew(
        &self,
        db: &impl ConnectionTrait,
        row: &store::FactorRow,
        secret: &TotpSecret,
        random: &mut impl TryCryptoRng,
    ) -> Result<bool, SecondFactorError> {
        let Some(person) = row.person() else { return Ok(false) };
        let sealed = self.key()?.seal(person, secret, random)?;
        Ok(within_limit(store::exchange_secret(db, row, sealed.bytes())).await?)
    }
}

impl store::FactorRow {
    /// Whose it is.
    fn person(&self) -> Option<Person> {
        self.member_id.map(Person::Member).or_else(|| self.staff_id.map(Person::Support))
    }
}
