//! One of the support staff, at a browser.

use std::{collections::HashMap, ops::Deref};

use crossvat::{
    audit::Actor,
    passwords::Passwords,
    people::Person,
    sessions::{SIGNED_IN, SeaOrmSessionStore, SignedIn},
    staff::{Staff, StaffSignIn},
};
use rand::rngs::SysRng;
use tower_sessions::{
    SessionStore,
    cookie::time::{Duration, OffsetDateTime},
    session::{Id, Record},
};
use uuid::Uuid;

use super::{TestApp, Visitor};

/// Somebody of the staff who is signed in.
pub struct SupportPerson {
    pub id: Uuid,
    pub email: String,
    visitor: Visitor,
}

impl TestApp {
    /// As [`TestApp::api_keys`].
    pub fn staff(&self) -> Staff {
        Staff::new(self.database.main.clone(), self.shared_clock(), Passwords::default())
    }

    /// A browser of a new support person whose second factor was just seen.
    pub async fn support(&self, name: &str) -> SupportPerson {
        self.support_person(name, |signed_in| signed_in.proved(self.shared_clock().now())).await
    }

    /// A browser of a new support person who has no second factor yet.
    pub async fn support_without_second_factor(&self, name: &str) -> SupportPerson {
        self.support_person(name, |signed_in| signed_in).await
    }

    async fn support_person(&self, name: &str, proof: impl FnOnce(SignedIn) -> SignedIn) -> SupportPerson {
        let email = format!("{}@crossvat.example", Uuid::now_v7());
        let password = Visitor::PASSWORD.into();
        let staff = self.staff();
        let id = staff
            .create((&email, name), &password, &Actor::COMMAND_LINE, &mut SysRng)
            .await
            .expect("one of the staff");
        let Ok(StaffSignIn::Accepted(_, fingerprint)) = staff.sign_in(&email, &password, &mut SysRng).await
        else {
            panic!("refused");
        };
        let signed_in = proof(SignedIn::new((Person::Support(id), fingerprint), None, None));
        let data =
            HashMap::from([(SIGNED_IN.to_owned(), serde_json::to_value(signed_in).expect("can be written"))]);
        let mut record =
            Record { id: Id::default(), data, expiry_date: OffsetDateTime::now_utc() + Duration::hours(1) };
        let lifetime = std::time::Duration::from_hours(8);
        SeaOrmSessionStore::new(self.database.main.clone(), self.shared_clock(), lifetime)
            .create(&mut record)
            .await
            .expect("a session");
        SupportPerson { id, email, visitor: self.visitor().holding(record.id.to_string()) }
    }
}

impl Deref for SupportPerson {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}
