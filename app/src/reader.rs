//! Who reads the page, as the head of every page shows it. Only the server knows.

/// Somebody who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The name.
    pub name: String,
    /// As what.
    pub standing: Standing,
}

/// As what somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A member of an account.
    Member {
        /// The name of the account.
        account: String,
        /// What the reader may do there: a word such as “Owner”.
        role: &'static str,
    },
    /// A member whose account demands a second factor, and who has none: nothing is open but where it is set up.
    NewMember {
        /// The name of the account.
        account: String,
        /// As of a member.
        role: &'static str,
    },
    /// One of the support staff.
    Support,
    /// One of the support staff whose second factor was not seen: nothing is open to them yet but where they set one up.
    NewSupport,
}
