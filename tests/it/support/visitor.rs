//! Somebody who visits the pages with a browser without scripts, which keeps cookies and follows nothing by itself.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    sync::Mutex,
};

use crossvat::{
    accounts::Limits,
    audit::{Actor, Trail},
    db::write,
    members::{MemberError, Members, NewMember, NewOwner, OpenedBy, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use reqwest::{RequestBuilder, header::SET_COOKIE};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Answer, TestApp, http_client};

/// Where somebody is whom a test makes behind the server's back.
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 24));
const COOKIE: &str = "__Host-session";
/// Between the fields of a form with files.
const BOUNDARY: &str = "----a-boundary-that-nothing-holds";

/// A field of a form with files: its name, the name of the file when it is one, and its content.
pub type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

/// Somebody with a browser.
pub struct Visitor {
    http: reqwest::Client,
    base: String,
    user_agent: String,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Visitor {
    /// Everybody's first password.
    pub const PASSWORD: &'static str = "correct horse battery";

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.http.get(format!("{}{path}", self.base))).await
    }

    /// As a page asks that keeps itself up to date.
    pub async fn look_by_itself(&self, path: &str) -> Answer {
        self.send(self.http.get(format!("{}{path}", self.base)).header("x-looks-by-itself", "1")).await
    }

    /// Sends a form.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(self.form(path, form)).await
    }

    /// Sends a form as a page of another site would.
    pub async fn post_from_elsewhere(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(self.form(path, form).header("sec-fetch-site", "cross-site")).await
    }

    /// Sends an empty form with a header that browsers add by themselves.
    pub async fn post_with(&self, path: &str, (header, value): (&str, &str)) -> Answer {
        self.send(self.form(path, &[]).header(header, value)).await
    }

    /// Sends a form with files.
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
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let request = self.http.post(format!("{}{path}", self.base)).header("content-type", kind);
        self.send(request.body(body)).await
    }

    /// The text of a page that is there.
    pub async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.html().to_owned()
    }

    /// Tries to sign in.
    pub async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.post("/sign-in", &[("email", email), ("password", password)]).await
    }

    fn form(&self, path: &str, form: &[(&str, &str)]) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.base)).form(form)
    }

    /// Holds a session that was made behind the server's back.
    pub fn hold(&self, session: &str) {
        self.plant_cookie(COOKIE, session);
    }

    /// Forgets the session's cookie, as a browser does whose time is over; the others stay.
    pub fn forget_session(&self) {
        self.cookies.lock().expect("no panic").remove(COOKIE);
    }

    /// What a cookie holds.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().expect("no panic").get(name).cloned()
    }

    /// Puts a cookie into the browser.
    pub fn plant_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().expect("no panic").insert(name.to_owned(), value.to_owned());
    }

    /// The session it holds.
    pub fn held(&self) -> Option<String> {
        self.cookie(COOKIE)
    }

    async fn send(&self, request: RequestBuilder) -> Answer {
        let cookies = self.cookies.lock().expect("no panic").clone();
        let cookies: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.header("user-agent", &self.user_agent);
        let request = if cookies.is_empty() { request } else { request.header("cookie", cookies.join("; ")) };
        let answer = Answer::of(request).await;
        let mut cookies = self.cookies.lock().expect("no panic");
        for cookie in answer.headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().expect("text").split(';').next().unwrap_or_default();
            let (name, value) = cookie.split_once('=').expect("a name and a value");
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        drop(cookies);
        answer
    }
}

impl TestApp {
    /// A browser in which nobody is signed in.
    pub fn visitor(&self) -> Visitor {
        self.visitor_called("Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0")
    }

    /// As [`TestApp::visitor`], with another name for itself.
    pub fn visitor_called(&self, user_agent: &str) -> Visitor {
        Visitor {
            http: http_client(),
            base: self.url(""),
            user_agent: user_agent.to_owned(),
            cookies: Mutex::default(),
        }
    }

    /// A browser in which somebody has signed in.
    pub async fn signed_in(&self, email: &str) -> Visitor {
        let visitor = self.visitor();
        let answer = visitor.sign_in(email, Visitor::PASSWORD).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/portal")), "{answer:?}");
        visitor
    }

    /// A browser in which a new member of an account has signed in.
    pub async fn signed_in_as(&self, account_id: Uuid, name: &str, role: Role) -> Visitor {
        let email = format!("{}@example.com", Uuid::now_v7());
        self.member(account_id, (&email, name), role).await;
        self.signed_in(&email).await
    }

    /// As [`TestApp::api_keys`].
    pub fn members(&self) -> Members {
        Members::new(self.database.main.clone(), self.shared_clock(), Passwords::default())
    }

    /// An account with an owner who has confirmed the address: the account and the owner.
    pub async fn owner(&self, company: &str, email: &str) -> (Uuid, Uuid) {
        let password: SecretString = Visitor::PASSWORD.into();
        let new = NewOwner { company, email, name: "Helen Fenwick", password: &password };
        let members = self.members();
        let owner = members.prepare_sign_up(new, &mut SysRng).await.expect("can sign up");
        let owner = write(&self.database.main, async |transaction| {
            let (mut trail, limits) = (Trail::default(), Limits::default());
            let by = OpenedBy::SignedUp(ELSEWHERE);
            let member = members.open_account_within(transaction, &owner, &limits, by, &mut trail).await?;
            trail.write(transaction, self.shared_clock().as_ref()).await?;
            Ok::<_, MemberError>(member)
        })
        .await
        .expect("signs up");
        self.members().confirm_address(owner.id, ELSEWHERE).await.expect("confirms");
        (owner.account_id, owner.id)
    }

    /// One more member of an account, who signs in.
    pub async fn member(&self, account_id: Uuid, (email, name): (&str, &str), role: Role) -> Uuid {
        let password: SecretString = Visitor::PASSWORD.into();
        let new = NewMember { account_id, email, name, role, password: Some(&password) };
        let member = self.members().add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member");
        self.members().confirm_address(member, ELSEWHERE).await.expect("confirms");
        member
    }
}

impl Answer {
    /// A page's markup.
    #[track_caller]
    pub fn html(&self) -> &str {
        self.body.as_str().unwrap_or_else(|| panic!("no page: {self:?}"))
    }
}
