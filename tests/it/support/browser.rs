//! Somebody at a browser: keeps the cookie of the session, sends forms as pages do.

use std::net::{IpAddr, Ipv4Addr};

use crossvat::{
    audit::Actor,
    members::{Member, Members, NewMember, NewOwner, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use reqwest::RequestBuilder;
use secrecy::SecretString;
use url::form_urlencoded;
use uuid::Uuid;

use super::{Answer, TestApp};

/// Where everybody is.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 24));
/// Everybody's password.
const PASSWORD: &str = "correct horse battery";
/// Between the fields of a form with files.
const BOUNDARY: &str = "----a-boundary-that-nothing-holds";

/// A browser of somebody who is signed in, or of nobody.
pub struct Browser {
    pub account_id: Uuid,
    pub member_id: Uuid,
    http: reqwest::Client,
    url: String,
    cookie: Option<String>,
}

/// A field of a form with files: its name, the name of the file when it is one, and its content.
pub type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

impl Browser {
    /// Of nobody.
    pub fn of_nobody(app: &TestApp) -> Self {
        Self {
            account_id: Uuid::nil(),
            member_id: Uuid::nil(),
            http: app.http.clone(),
            url: app.url(""),
            cookie: None,
        }
    }

    /// Of the owner of a new account.
    pub async fn of_owner(app: &TestApp, company: &str) -> Self {
        let email = format!("owner@{company}.example");
        let password = SecretString::from(PASSWORD);
        let new = NewOwner { company, email: &email, name: "Maya Okafor", password: &password };
        let member = members(app).sign_up(new, HERE, &mut SysRng).await.expect("signs up");
        Self::signed_in(app, member).await
    }

    /// Of somebody else in the same account.
    pub async fn colleague(&self, app: &TestApp, role: Role) -> Self {
        let email = format!("{}@{}.example", role.as_str(), self.account_id.simple());
        let password = SecretString::from(PASSWORD);
        let new = NewMember {
            account_id: self.account_id,
            email: &email,
            name: "Helen Fenwick",
            role,
            password: Some(&password),
        };
        let members = members(app);
        let id = members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("added");
        let member = members.find(id).await.expect("found").expect("there");
        Self::signed_in(app, member).await
    }

    async fn signed_in(app: &TestApp, member: Member) -> Self {
        members(app).confirm_address(member.id, HERE).await.expect("confirmed");
        let mut browser = Self::of_nobody(app);
        (browser.account_id, browser.member_id) = (member.account_id, member.id);
        let email = member.email.as_str();
        let answer = browser.post("/sign-in", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let cookie = answer.header("set-cookie").expect("a session");
        browser.cookie = cookie.split(';').next().map(str::to_owned);
        browser
    }

    /// A page.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.with_session(self.http.get(self.address(path)))).await
    }

    /// An ordinary form.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        Answer::of(self.form(path, fields)).await
    }

    /// The same, as another site has a browser send it.
    pub async fn post_from_elsewhere(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        Answer::of(self.form(path, fields).header("sec-fetch-site", "cross-site")).await
    }

    /// A form with files.
    pub async fn post_parts(&self, path: &str, parts: &[Part<'_>]) -> Answer {
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
            let head =
                format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        let request = self
            .http
            .post(self.address(path))
            .header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"))
            .body(body);
        Answer::of(self.with_session(request)).await
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.http.post(self.address(path));
        self.with_session(request.header("content-type", "application/x-www-form-urlencoded").body(body))
    }

    fn with_session(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}

fn members(app: &TestApp) -> Members {
    Members::new(app.database.main.clone(), app.shared_clock(), Passwords::default())
}
