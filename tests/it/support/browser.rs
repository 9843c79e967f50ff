//! A member with an account, at a browser.

use std::ops::Deref;

use crossvat::members::Role;
use uuid::Uuid;

use super::{TestApp, Visitor};

/// Somebody who is signed in, and who that is.
pub struct Browser {
    pub account_id: Uuid,
    visitor: Visitor,
}

impl Browser {
    /// Of the owner of a new account.
    pub async fn of_owner(app: &TestApp, company: &str) -> Self {
        let email = format!("owner@{company}.example");
        let (account_id, _) = app.owner(company, &email).await;
        Self { account_id, visitor: app.signed_in(&email).await }
    }

    /// Of somebody else in the same account.
    pub async fn colleague(&self, app: &TestApp, role: Role) -> Self {
        let email = format!("{}@{}.example", role.as_str(), self.account_id.simple());
        app.member(self.account_id, (&email, "Maya Okafor"), role).await;
        Self { account_id: self.account_id, visitor: app.signed_in(&email).await }
    }
}

impl Deref for Browser {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}
