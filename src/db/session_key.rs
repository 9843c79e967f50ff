//! Sessions as others than their own service must know them: who changes a password or takes somebody away ends them in
//! the same transaction.

use std::{fmt, str::FromStr};

use data_encoding::HEXLOWER;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::entities::session::{Column, Entity};
use crate::people::Person;

/// Which session, without what opens it: SHA-256 of the identifier that the browser holds. It may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionKey([u8; 32]);

/// No key of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a session's key is 64 hexadecimal digits")]
pub struct BadSessionKey;

impl SessionKey {
    /// The key of the session that `identifier` opens.
    #[must_use]
    pub fn of(identifier: &str) -> Self {
        Self(Sha256::digest(identifier.as_bytes()).into())
    }

    pub(crate) fn from_stored(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn stored(&self) -> Vec<u8> {
        self.0.to_vec()
    }
}

impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl FromStr for SessionKey {
    type Err = BadSessionKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = HEXLOWER.decode(text.as_bytes()).map_err(|_| BadSessionKey)?;
        Self::from_stored(&bytes).ok_or(BadSessionKey)
    }
}

/// The sessions of a person.
pub(crate) fn sessions_of(person: Person) -> Condition {
    Condition::all().add(match person {
        Person::Member(id) => Column::MemberId.eq(id),
        Person::Support(id) => Column::StaffId.eq(id),
    })
}

/// Ends the sessions of a person, all or all but one. How many they were.
///
/// # Errors
/// The database failed.
pub(crate) async fn end_sessions(
    transaction: &impl ConnectionTrait,
    person: Person,
    keep: Option<&SessionKey>,
) -> Result<u64, DbErr> {
    let mut ending = sessions_of(person);
    if let Some(keep) = keep {
        ending = ending.add(Column::KeyHash.ne(keep.stored()));
    }
    Ok(Entity::delete_many().filter(ending).exec(transaction).await?.rows_affected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        // SHA-256 of "abc" (FIPS 180-2, appendix B.1).
        let written = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(SessionKey::of("abc").to_string(), written);
        assert_eq!(written.parse(), Ok(SessionKey::of("abc")));
        let foreign = format!("{}é", &written[..62]);
        for other in [
            "",
            "7816",
            &written[1..],
            &format!("{written}0"),
            &format!("{written}00"),
            &foreign,
            &written.replacen("78", "+8", 1),
        ] {
            assert_eq!(other.parse::<SessionKey>(), Err(BadSessionKey), "{other}");
        }
    }
}
