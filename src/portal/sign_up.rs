//! `/sign-up`: an account with its owner, and a request to support for keys. Whether an address has an account is told to
//! its owner alone, by mail.

use std::time::Duration;

use axum::{Form, extract::State, http::StatusCode, response::Response};
use crossvat_app::portal::{Fault as FormFault, RequestTyped, Sent as SentPage, SignUp as Page, Typed};
use futures_util::future::join;
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::time::sleep;

use super::{
    fault::Fault,
    key_request::{self, Read},
    sign_in::too_many,
    state::Portal,
    typed::{email_of, worded},
    visit::Visit,
};
use crate::{
    audit::Actor,
    email::Message,
    limits::LimitedAction,
    members::{Member, MemberError, NewOwner, SignIn},
    onboarding::{FirstRequest, OnboardingError},
    one_time_links::Purpose,
    passwords::NewPassword,
    people::{EmailAddress, Person, checked_person_name},
};

/// An answer that must not tell whether an address is known takes this long, whatever there was to do.
pub(super) const EVEN_TIME: Duration = Duration::from_millis(300);

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    name: String,
    email: String,
    password: SecretString,
    company: String,
    vat_number: String,
    intended_use: String,
    volume: String,
}

impl Sent {
    fn typed(&self) -> Typed {
        Typed {
            name: self.name.clone(),
            email: self.email.clone(),
            request: RequestTyped {
                company: self.company.clone(),
                vat_number: self.vat_number.clone(),
                intended_use: self.intended_use.clone(),
                volume: self.volume.clone(),
            },
        }
    }

    /// What is asked of support. Else: everything that needs changing, in the order of the fields.
    fn read(&self) -> Result<Read, Vec<FormFault>> {
        let mut faults = Vec::new();
        if let Err(error) = checked_person_name(&self.name) {
            faults.push(FormFault::new("name", worded(&error)));
        }
        faults.extend(email_of(&self.email).err());
        if let Err(error) = NewPassword::check(&self.password, &[&self.email, &self.name, &self.company]) {
            faults.push(FormFault::new("password", worded(&error)));
        }
        match key_request::read(&self.typed().request) {
            Ok(read) if faults.is_empty() => Ok(read),
            Ok(_) => Err(faults),
            Err(others) => {
                faults.extend(others);
                Err(faults)
            }
        }
    }
}

/// `GET /sign-up`
pub(super) async fn form(State(portal): State<Portal>, visit: Visit) -> Response {
    visit.page(StatusCode::OK, page(&portal, Typed::default(), Vec::new())).await
}

/// `POST /sign-up`
pub(super) async fn sign_up(
    State(portal): State<Portal>,
    visit: Visit,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let again = |faults| page(&portal, sent.typed(), faults);
    let read = match sent.read() {
        Ok(read) => read,
        Err(faults) => return Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, again(faults)).await),
    };
    for action in
        [LimitedAction::SignUpFrom(visit.client), LimitedAction::OneTimeLinkTo { email: &sent.email }]
    {
        if let Err(refused) = portal.limiter.admit(&action).await {
            return Ok(visit.page(StatusCode::TOO_MANY_REQUESTS, again(vec![too_many(refused)])).await);
        }
    }
    let (opened, ()) = join(open_account(&portal, &visit, &sent, &read), sleep(EVEN_TIME)).await;
    match opened? {
        Opened::MailSent => {
            let page = SentPage {
                heading: "Confirm your address",
                email: sent.email,
                words: "Follow the link in it within 24 hours. It has not come after a few minutes? Look where unwanted mail goes, or sign up once more.",
            };
            Ok(visit.page(StatusCode::OK, page).await)
        }
        Opened::CompanyTaken => {
            let words = "This company has an account already. Ask its owner to add you as a member";
            let faults = vec![FormFault::new("company", words)];
            Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, again(faults)).await)
        }
    }
}

enum Opened {
    /// To somebody new, or to the one who has the address already.
    MailSent,
    CompanyTaken,
}

async fn open_account(portal: &Portal, visit: &Visit, sent: &Sent, read: &Read) -> Result<Opened, Fault> {
    let email: EmailAddress = sent.email.parse()?;
    let new =
        NewOwner { company: &sent.company, email: &sent.email, name: &sent.name, password: &sent.password };
    let request = portal.keys_on_request.then_some(FirstRequest {
        vat_number: read.vat_number,
        intended_use: &sent.intended_use,
        expected_volume: read.expected_volume,
    });
    match portal.onboarding.sign_up(new, request, visit.client, &mut SysRng).await {
        Ok(filed) => {
            if let (Some(request), Some(number)) = (filed, read.vat_number) {
                portal.check_own_number.begin(request, number, visit.client).await;
            }
            Ok(Opened::MailSent)
        }
        // By whoever signs up once more, as the password shows, it was taken by themselves.
        Err(OnboardingError::Member(MemberError::CompanyTaken)) => {
            match portal.members.sign_in(&sent.email, &sent.password, &mut SysRng).await? {
                SignIn::Accepted(member, _) if member.confirmed_at.is_none() => {
                    confirm(portal, visit, &member, &email).await?;
                    Ok(Opened::MailSent)
                }
                _ => Ok(Opened::CompanyTaken),
            }
        }
        Err(OnboardingError::Member(MemberError::AddressTaken)) => {
            match portal.members.with_email(&email).await? {
                Some(member) if member.confirmed_at.is_none() && member.has_password => {
                    confirm(portal, visit, &member, &email).await?;
                }
                _ => portal.outbox.post(&email, &Message::AddressHasAccount).await?,
            }
            Ok(Opened::MailSent)
        }
        Err(error) => Err(error.into()),
    }
}

async fn confirm(portal: &Portal, visit: &Visit, member: &Member, email: &EmailAddress) -> Result<(), Fault> {
    let message = |secret| Message::ConfirmAddress { secret };
    let to = (Person::Member(member.id), email);
    let actor = Actor::visitor(visit.client);
    portal.links.mail(Purpose::ConfirmAddress, to, &actor, &mut SysRng, (&portal.outbox, message)).await?;
    Ok(())
}

fn page(portal: &Portal, typed: Typed, faults: Vec<FormFault>) -> Page {
    Page { typed, faults, asks_first: portal.keys_on_request }
}
