//! One of the support staff, at a browser.

use std::{collections::HashMap, ops::Deref};

use crossvat::{
    audit::Actor,
    passwords::{PasswordFingerprint, Passwords},
    people::Person,
    portal::SESSION_LIFETIMES,
    second_factor::{NewSecondFactor, TotpSecret},
    sessions::{SIGNED_IN, SeaOrmSessionStore, SignedIn},
    staff::{Staff, StaffSignIn},
};
use rand::rngs::SysRng;
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
};
use uuid::Uuid;

use super::{TestApp, Visitor};

/// Somebody of the staff who is signed in.
pub struct SupportPerson {
    pub id: Uuid,
    pub email: String,
    fingerprint: PasswordFingerprint,
    /// Of the second factor, for who has one.
    secret: Option<TotpSecret>,
    visitor: Visitor,
}

impl TestApp {
    /// As [`TestApp::api_keys`].
    pub fn staff(&self) -> Staff {
        Staff::new(self.database.main.clone(), self.shared_clock(), Passwords::default())
    }

    /// A browser of a new support person whose second factor was just seen.
    pub async fn support(&self, name: &str) -> SupportPerson {
        let mut person = self.support_without_second_factor(name).await;
        person.secret = Some(self.set_up_second_factor(Person::Support(person.id)).await);
        person.sign_in_again(self).await;
        person
    }

    /// Sets up a second factor for a person, behind the server's back. Every session of theirs ends, and the code of the present
    /// 30 seconds is used up.
    pub async fn set_up_second_factor(&self, person: Person) -> TotpSecret {
        let factors = self.second_factors();
        let (secret, sealed) = factors.begin(person, &mut SysRng).expect("begins");
        let code = &secret.code(self.shared_clock().now());
        let new = NewSecondFactor {
            person,
            sealed: &sealed,
            code,
            replaces: false,
            keep: None,
            from: std::net::Ipv4Addr::LOCALHOST.into(),
        };
        factors.set_up(new, &mut SysRng, &self.outbox()).await.expect("sets up");
        secret
    }

    /// A browser of a new support person who has no second factor yet.
    pub async fn support_without_second_factor(&self, name: &str) -> SupportPerson {
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
        let person = SupportPerson { id, email, fingerprint, secret: None, visitor: self.visitor() };
        person.sign_in_again(self).await;
        person
    }
}

impl SupportPerson {
    /// What the person's app shows now. Each code is accepted once: let 30 seconds pass for another.
    pub fn code(&self, app: &TestApp) -> String {
        self.secret.as_ref().expect("a second factor").code(app.shared_clock().now())
    }

    /// In the same browser, with a session that begins now.
    pub async fn sign_in_again(&self, app: &TestApp) {
        let signed_in = SignedIn::new((Person::Support(self.id), self.fingerprint), None, None);
        let signed_in =
            if self.secret.is_some() { signed_in.proved(app.shared_clock().now()) } else { signed_in };
        let data =
            HashMap::from([(SIGNED_IN.to_owned(), serde_json::to_value(signed_in).expect("can be written"))]);
        let end = app.shared_clock().now() + std::time::Duration::from_mins(30);
        let expiry_date = OffsetDateTime::from_unix_timestamp(end.timestamp()).expect("a time");
        let mut record = Record { id: Id::default(), data, expiry_date };
        SeaOrmSessionStore::new(app.database.main.clone(), app.shared_clock(), SESSION_LIFETIMES)
            .create(&mut record)
            .await
            .expect("a session");
        self.visitor.hold(&record.id.to_string());
    }
}

impl Deref for SupportPerson {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}
