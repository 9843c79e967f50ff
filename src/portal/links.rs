//! What mailed links lead to, and where one asks for them: `/forgot-password`, `/reset-password/…`, `/confirm-email/…`, and
//! what `/claim/…` shares with them. A link is used up by its form, not by looking: scanners of mail look at every link.

use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use crossvat_app::portal::{
    ConfirmEmail, Fault as FormFault, ForgotPassword, LinkEnded, NewPassword, Sent as SentPage, SignIn,
};
use futures_util::future::join;
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::time::sleep;

use super::{
    fault::Fault,
    sign_in::{may_try, note_refusal, too_many},
    sign_in_code,
    sign_up::EVEN_TIME,
    state::Portal,
    typed::{email_of, worded},
    visit::Visit,
};
use crate::{
    audit::Actor,
    email::Message,
    limits::LimitedAction,
    members::{Member, MemberError},
    one_time_links::{LinkError, LinkState, OneTimeLink, Purpose},
    people::{EmailAddress, Person},
    ways_in::WayInError,
};

/// An address that was typed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Address {
    email: String,
}

/// A password that was chosen.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Chosen {
    pub(super) password: SecretString,
}

/// `GET /forgot-password`
pub(super) async fn forgot_form(visit: Visit) -> Response {
    visit.page(StatusCode::OK, ForgotPassword::default()).await
}

/// `POST /forgot-password`
pub(super) async fn forgot(
    State(portal): State<Portal>,
    visit: Visit,
    Form(Address { email }): Form<Address>,
) -> Result<Response, Fault> {
    let again = |fault| ForgotPassword { email: email.clone(), faults: vec![fault] };
    let address = match email_of(&email) {
        Ok(address) => address,
        Err(fault) => return Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, again(fault)).await),
    };
    for action in [
        LimitedAction::OneTimeLinkFrom(visit.client),
        LimitedAction::OneTimeLinkTo { email: address.as_str() },
    ] {
        if let Err(refused) = portal.limiter.admit(&action).await {
            return Ok(visit.page(StatusCode::TOO_MANY_REQUESTS, again(too_many(refused))).await);
        }
    }
    let (sent, ()) = join(send_reset(&portal, &visit, &address), sleep(EVEN_TIME)).await;
    sent?;
    let page = SentPage {
        heading: "Look into your mail",
        email: email.trim().to_owned(),
        words: "If it belongs to an account, it holds a link with which you choose a new password. The link works once, within 24 hours.",
    };
    Ok(visit.page(StatusCode::OK, page).await)
}

async fn send_reset(portal: &Portal, visit: &Visit, address: &EmailAddress) -> Result<(), Fault> {
    let Some(member) = portal.members.with_email(address).await? else { return Ok(()) };
    let message = |secret| Message::ResetPassword { secret };
    let (to, actor) = ((Person::Member(member.id), address), Actor::visitor(visit.client));
    portal.links.mail(Purpose::ResetPassword, to, &actor, &mut SysRng, (&portal.outbox, message)).await?;
    Ok(())
}

/// `GET /reset-password/…`
pub(super) async fn reset_form(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
) -> Result<Response, Fault> {
    match look(&visit, &portal, &[Purpose::ResetPassword], &secret).await? {
        Ok((link, member)) => Ok(password_form(&visit, &link, member).await),
        Err(ended) => Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    }
}

/// `POST /reset-password/…`
pub(super) async fn reset(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
    Form(chosen): Form<Chosen>,
) -> Result<Response, Fault> {
    match look(&visit, &portal, &[Purpose::ResetPassword], &secret).await? {
        Ok(found) => set_password(&visit, &portal, found, &secret, chosen).await,
        Err(ended) => Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    }
}

/// `GET /confirm-email/…`
pub(super) async fn confirm_form(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
) -> Result<Response, Fault> {
    match look(&visit, &portal, &[Purpose::ConfirmAddress], &secret).await? {
        Ok((_, member)) => {
            let page = confirm_page(&visit, &portal, member, Vec::new()).await?;
            Ok(visit.page(StatusCode::OK, page).await)
        }
        Err(ended) => Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    }
}

/// `POST /confirm-email/…`
pub(super) async fn confirm(
    visit: Visit,
    State(portal): State<Portal>,
    Path(secret): Path<String>,
    Form(Chosen { password }): Form<Chosen>,
) -> Result<Response, Fault> {
    let purpose = Purpose::ConfirmAddress;
    let (link, member) = match look(&visit, &portal, &[purpose], &secret).await? {
        Ok(found) => found,
        Err(ended) => return Ok(visit.page(StatusCode::NOT_FOUND, ended).await),
    };
    // As at the sign-in, since it tells whether a password is the right one.
    if let Err(refused) = may_try(&portal, &visit, &member.email).await {
        let fault = FormFault { field: "password", ..too_many(refused) };
        let page = confirm_page(&visit, &portal, member, vec![fault]).await?;
        return Ok(visit.page(StatusCode::TOO_MANY_REQUESTS, page).await);
    }
    match portal.ways_in.confirm_address((&link, &secret), &password, visit.client).await {
        // The password was typed just now: what is left of signing in follows.
        Ok(password) => sign_in_code::go_on(&visit, (Person::Member(member.id), password), "").await,
        Err(WayInError::Member(MemberError::WrongPassword)) => {
            note_refusal(&visit, Person::Member(member.id), (Some(member.account_id), &member.email));
            let words = "This is not the password that was chosen at the sign-up";
            let faults = vec![FormFault::new("password", words)];
            let page = confirm_page(&visit, &portal, member, faults).await?;
            Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
        }
        Err(WayInError::Link(LinkError::Ended(state))) => Ok(ended(&visit, purpose, Some(state)).await),
        // The member was removed meanwhile, and the link with them.
        Err(WayInError::Member(MemberError::Unknown)) => {
            Ok(ended(&visit, purpose, Some(LinkState::Withdrawn)).await)
        }
        Err(error) => Err(error.into()),
    }
}

async fn confirm_page(
    visit: &Visit,
    portal: &Portal,
    member: Member,
    faults: Vec<FormFault>,
) -> Result<ConfirmEmail, Fault> {
    let account = portal.accounts.find(member.account_id).await?;
    let company = account.map(|account| account.terms.name.to_string()).unwrap_or_default();
    Ok(ConfirmEmail { action: visit.address.clone(), email: member.email, company, faults })
}

/// The form of a link that sets a password.
pub(super) async fn password_form(visit: &Visit, link: &OneTimeLink, member: Member) -> Response {
    visit.page(StatusCode::OK, choose(visit, link, member, Vec::new())).await
}

/// Sets the password for which a link was looked at, and uses the link up.
pub(super) async fn set_password(
    visit: &Visit,
    portal: &Portal,
    (link, member): (OneTimeLink, Member),
    secret: &str,
    Chosen { password }: Chosen,
) -> Result<Response, Fault> {
    let (purpose, notice) = (link.purpose, Some("Your password is kept. Sign in with it."));
    match portal.ways_in.choose_password((&link, secret), &password, visit.client, &mut SysRng).await {
        Ok(()) => {
            let page = SignIn { email: member.email, notice, ..SignIn::default() };
            Ok(visit.page(StatusCode::OK, page).await)
        }
        Err(WayInError::Member(MemberError::Unfit(unfit))) => {
            let page = choose(visit, &link, member, vec![FormFault::new("password", worded(&unfit))]);
            Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
        }
        Err(WayInError::Link(LinkError::Ended(state))) => Ok(ended(visit, purpose, Some(state)).await),
        // The member was removed meanwhile, and the link with them.
        Err(WayInError::Member(MemberError::Unknown)) => {
            Ok(ended(visit, purpose, Some(LinkState::Withdrawn)).await)
        }
        Err(error) => Err(error.into()),
    }
}

/// The link, if it is one of these and can be used, and for whom it is.
pub(super) async fn look(
    visit: &Visit,
    portal: &Portal,
    purposes: &[Purpose],
    secret: &str,
) -> Result<Result<(OneTimeLink, Member), LinkEnded>, Fault> {
    let link = match usable(visit, purposes, secret).await? {
        Ok(link) => link,
        Err(ended) => return Ok(Err(ended)),
    };
    let member = match link.person {
        Person::Member(id) => portal.members.find(id).await?,
        Person::Support(_) => None,
    };
    match member {
        Some(member) => Ok(Ok((link, member))),
        None => Ok(Err(words(purposes[0], None))),
    }
}

/// The link, if it is one of these and can be used.
pub(super) async fn usable(
    visit: &Visit,
    purposes: &[Purpose],
    secret: &str,
) -> Result<Result<OneTimeLink, LinkEnded>, Fault> {
    let portal = &visit.portal;
    if portal.limiter.admit(&LimitedAction::OneTimeLinkFrom(visit.client)).await.is_err() {
        let why = "From your address many links were followed in a short time. Wait some minutes, then follow it again.";
        return Ok(Err(LinkEnded { why, ..words(purposes[0], None) }));
    }
    for purpose in purposes {
        match portal.links.look(*purpose, secret).await {
            Ok(link) => return Ok(Ok(link)),
            Err(LinkError::Unknown) => {}
            Err(LinkError::Ended(state)) => return Ok(Err(words(*purpose, Some(state)))),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Err(words(purposes[0], None)))
}

pub(super) async fn ended(visit: &Visit, purpose: Purpose, state: Option<LinkState>) -> Response {
    visit.page(StatusCode::NOT_FOUND, words(purpose, state)).await
}

fn words(purpose: Purpose, state: Option<LinkState>) -> LinkEnded {
    let why = match state {
        Some(LinkState::Used) if purpose == Purpose::ClaimKey => {
            "The key was taken with it already, and shown that once. Sign in: it stands in the list of keys, where you can make another. If it was not you who took it, revoke it there and write to support."
        }
        Some(LinkState::Used) => "It was used already, and it works once.",
        Some(LinkState::Expired) => "It worked for 24 hours, and they are over.",
        Some(LinkState::Withdrawn) => "Another link was sent after it, or it was taken back.",
        _ => "It is not complete, or it was never sent. Copy the whole link from the mail.",
    };
    let remedy = match purpose {
        Purpose::ResetPassword => ("/forgot-password", "Ask for another link"),
        Purpose::JoinStaff => ("/staff/sign-in", "Sign in"),
        Purpose::ConfirmAddress | Purpose::ClaimKey | Purpose::Invitation => ("/sign-in", "Sign in"),
    };
    LinkEnded { why, remedy }
}

fn choose(visit: &Visit, link: &OneTimeLink, member: Member, faults: Vec<FormFault>) -> NewPassword {
    let heading = match link.purpose {
        Purpose::ResetPassword => "Choose a new password",
        Purpose::ConfirmAddress | Purpose::ClaimKey | Purpose::Invitation | Purpose::JoinStaff => {
            "Choose a password"
        }
    };
    NewPassword { action: visit.address.clone(), heading, email: member.email, faults }
}
