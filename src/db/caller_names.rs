//! Who a caller is, for people to read: evidence and usage name callers by their identifiers alone.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::entities::{
    api_key::{self, KeyMode},
    member,
};

/// A caller by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallerName {
    /// An API key, ended or not.
    Key {
        /// Its identifier.
        id: Uuid,
        /// What it is for, in the words of its maker.
        name: String,
        /// Which registries it reaches.
        mode: KeyMode,
        /// How its secret ends.
        last_four: String,
    },
    /// A member, removed or not.
    Member {
        /// The identifier.
        id: Uuid,
        /// The person's name.
        name: String,
    },
    /// Nobody the account has any more.
    Unknown {
        /// The identifier.
        id: Uuid,
    },
}

impl CallerName {
    /// The key's or the member's identifier.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        match self {
            Self::Key { id, .. } | Self::Member { id, .. } | Self::Unknown { id } => *id,
        }
    }
}

/// Names of keys and members of one account.
pub(crate) struct CallerNames(HashMap<Uuid, CallerName>);

impl CallerNames {
    /// Reads the names of `callers`. Those of other accounts stay unknown.
    ///
    /// # Errors
    /// The database failed.
    pub(crate) async fn read(
        db: &impl ConnectionTrait,
        account: Uuid,
        callers: impl IntoIterator<Item = Uuid>,
    ) -> Result<Self, DbErr> {
        let callers: BTreeSet<Uuid> = callers.into_iter().collect();
        if callers.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let keys = api_key::Entity::find()
            .filter(api_key::Column::AccountId.eq(account))
            .filter(api_key::Column::Id.is_in(callers.iter().copied()))
            .all(db)
            .await?;
        let members = member::Entity::find()
            .filter(member::Column::AccountId.eq(account))
            .filter(member::Column::Id.is_in(callers))
            .all(db)
            .await?;
        let keys = keys.into_iter().map(|key| CallerName::Key {
            id: key.id,
            name: key.name,
            mode: key.mode,
            last_four: key.last_four,
        });
        let members =
            members.into_iter().map(|member| CallerName::Member { id: member.id, name: member.name });
        Ok(Self(keys.chain(members).map(|name| (name.id(), name)).collect()))
    }

    /// The name of one of those that were read.
    pub(crate) fn of(&self, caller: Uuid) -> CallerName {
        self.0.get(&caller).cloned().unwrap_or(CallerName::Unknown { id: caller })
    }
}
