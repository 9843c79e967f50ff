//! Somebody who reads the portal: signed in by the form that everybody uses.

use std::net::{IpAddr, Ipv4Addr};

use crossvat::{
    audit::Actor,
    members::{Members, NewMember, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use reqwest::header::{COOKIE, SET_COOKIE};
use secrecy::SecretString;
use uuid::Uuid;

use crate::support::{Answer, TestApp};

/// Where everybody is.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 24));
/// Everybody's password.
const PASSWORD: &str = "correct horse battery";

/// Who reads, as far as the server notices: a browser with its cookie.
pub struct Reader {
    http: reqwest::Client,
    base: String,
    cookie: Option<String>,
}

impl Reader {
    /// One in which nobody is signed in.
    pub fn of_nobody(app: &TestApp) -> Self {
        Self { http: app.http.clone(), base: app.url(""), cookie: None }
    }

    /// One in which a new member of an account has signed in.
    pub async fn signed_in(app: &TestApp, account_id: Uuid, name: &str, role: Role) -> Self {
        let members = Members::new(app.database.main.clone(), app.shared_clock(), Passwords::default());
        let (email, password) = (format!("{}@example.com", Uuid::now_v7()), SecretString::from(PASSWORD));
        let new = NewMember { account_id, email: &email, name, role, password: Some(&password) };
        let member = members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("a member");
        members.confirm_address(member, HERE).await.expect("confirms");
        let mut reader = Self::of_nobody(app);
        let form = [("email", email.as_str()), ("password", PASSWORD)];
        let answer = Answer::of(reader.request(reqwest::Method::POST, "/sign-in").form(&form)).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let cookies = answer.headers.get_all(SET_COOKIE).iter();
        let mut cookies = cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        reader.cookie = cookies.find(|cookie| cookie.starts_with("__Host-session=")).map(str::to_owned);
        assert!(reader.cookie.is_some(), "{answer:?}");
        reader
    }

    /// A request with the browser's cookie, to be completed.
    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let base = self.base.trim_end_matches('/');
        let request = self.http.request(method, format!("{base}{path}"));
        match &self.cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    /// Looks at a page.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(reqwest::Method::GET, path)).await
    }

    /// The text of a page that is there.
    pub async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.body.as_str().expect("a text").to_owned()
    }
}
