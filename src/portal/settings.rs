//! `/portal/settings`: what an owner sets for the account, and what everybody settles for themselves: password, second factor
//! and sessions. One address for all its forms, so that whoever has to sign in first comes back to it.

use std::time::Duration;

use axum::{
    Form,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{Fault as FormFault, NotAllowed, OwnNumbers, Settings as Page};
use secrecy::SecretString;
use serde::Deserialize;
use vat::{Prefix, Registry, SupplierCountry};

use super::{
    codes::check_code,
    fault::Fault,
    own_numbers::{hint, own_number, told},
    own_second_factor::{self, renew_codes},
    own_security::{change_password, end_sessions, open_sessions},
    state::Portal,
    visit::{MemberVisit, role_word},
};
use crate::{
    accounts::{AccountError, AccountSettings},
    people::Person,
    second_factor::SecondFactorError,
};

/// The ages of answers that are offered, in seconds.
const AGES: [u64; 5] = [0, 300, 3600, 21_600, 86_400];

/// What one of the forms sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    part: String,
    company: String,
    gb: String,
    eu: String,
    supplier: String,
    age: String,
    present: SecretString,
    new: SecretString,
    session: String,
    code: String,
    demanded: String,
    demand_code: String,
}

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Done {
    done: String,
}

/// `GET /portal/settings`
pub(super) async fn show(reader: MemberVisit, Query(Done { done }): Query<Done>) -> Result<Response, Fault> {
    let terms = &reader.account.terms;
    let done = match done.as_str() {
        "numbers" => Some(told(terms.gb_requester, terms.eu_requester)),
        "account" => Some("Saved. This is the name on evidence and in mails from now on.".to_owned()),
        "assumptions" => Some("Saved. From now on checks assume this unless they say otherwise.".to_owned()),
        "password" => Some("Your password is changed. You are signed out everywhere else.".to_owned()),
        "demanded" => Some(
            "Every member needs a second factor now. Who has none sets it up before anything else."
                .to_owned(),
        ),
        "left" => Some("Each member chooses now whether to have a second factor.".to_owned()),
        "factor-off" => Some(
            "Your second factor is off: your password alone lets you in. You are signed out everywhere else."
                .to_owned(),
        ),
        "ended" => Some("Ended. Nobody is signed in there any more.".to_owned()),
        _ => None,
    };
    let mut page = Page { done, ..page(&reader).await? };
    if let Some(typed) = reader.visit.typed_before::<Sent>().await? {
        fill_in(&mut page, typed);
    }
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// Puts what was typed before into its form.
fn fill_in(page: &mut Page, typed: Sent) {
    match typed.part.as_str() {
        "account" => page.account = typed.company,
        "numbers" => (page.numbers.gb, page.numbers.eu) = (typed.gb, typed.eu),
        "assumptions" => (page.supplier, page.age) = (typed.supplier, typed.age),
        // Passwords are not kept, and a button is pressed again.
        _ => {}
    }
}

/// `POST /portal/settings`
pub(super) async fn change(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    match sent.part.as_str() {
        "account" | "numbers" | "assumptions" | "demand" if !reader.is_owner() => {
            let words = "What holds for a whole account is set by its owners.";
            Ok(reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await)
        }
        "account" => rename(&portal, &reader, sent.company).await,
        "numbers" => keep_numbers(&portal, &reader, sent).await,
        "assumptions" => keep_assumptions(&portal, &reader, &sent).await,
        "demand" => demand_second_factor(&portal, &reader, &sent).await,
        "password" => {
            let (visit, passwords) = (&reader.visit, (&sent.present, &sent.new));
            match change_password(visit, (me(&reader), &reader.member.email), passwords).await? {
                None => Ok(Redirect::to("/portal/settings?done=password").into_response()),
                Some(refusal) => again(&reader, refusal).await,
            }
        }
        "second-factor" | "recovery-codes" => change_second_factor(&reader, &sent.part, &sent.code).await,
        "end" => {
            let ended = end_sessions(&reader.visit, me(&reader), &sent.session).await?;
            let to = if ended { "/portal/settings?done=ended" } else { "/portal/settings" };
            Ok(Redirect::to(to).into_response())
        }
        _ => Ok(Redirect::to("/portal/settings").into_response()),
    }
}

async fn rename(portal: &Portal, reader: &MemberVisit, company: String) -> Result<Response, Fault> {
    let words = match portal.accounts.rename(reader.account.id, &company, &reader.actor()).await {
        Ok(()) => return Ok(Redirect::to("/portal/settings?done=account").into_response()),
        Err(AccountError::BadName) => "Write the company’s name, in up to 200 characters",
        Err(AccountError::NameTaken) => {
            "Another account has this name. Make yours tell apart, such as by the place"
        }
        Err(error) => return Err(error.into()),
    };
    let faults = vec![FormFault::new("company", words)];
    let page = Page { account: company, faults, ..page(reader).await? };
    Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

async fn keep_numbers(portal: &Portal, reader: &MemberVisit, sent: Sent) -> Result<Response, Fault> {
    let (gb, eu) = (own_number(&sent.gb, Registry::Hmrc), own_number(&sent.eu, Registry::Vies));
    let (gb, eu) = match (gb, eu) {
        (Ok(gb), Ok(eu)) => (gb, eu),
        (gb, eu) => {
            let fault =
                |field, read: Result<_, &'static str>| read.err().map(|words| FormFault::new(field, words));
            let faults = [fault("gb", gb), fault("eu", eu)].into_iter().flatten().collect();
            let page = page(reader).await?;
            let numbers = OwnNumbers { gb: sent.gb, eu: sent.eu, ..page.numbers };
            let page = Page { numbers, faults, ..page };
            return Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
        }
    };
    let settings = AccountSettings::Requesters { gb, eu };
    portal.accounts.change_settings(reader.account.id, &settings, &reader.actor()).await?;
    Ok(Redirect::to("/portal/settings?done=numbers").into_response())
}

/// A list offers only what can be kept: what is not of it was not sent by our form, and changes nothing.
async fn keep_assumptions(portal: &Portal, reader: &MemberVisit, sent: &Sent) -> Result<Response, Fault> {
    let supplier_country = SupplierCountry::parse(&sent.supplier);
    let age = sent.age.parse().ok().filter(|age| offered_ages(reader).contains(age));
    let (Some(age), true) = (age, sent.supplier.is_empty() || supplier_country.is_some()) else {
        return Ok(Redirect::to("/portal/settings").into_response());
    };
    let settings = AccountSettings::Assumptions { supplier_country, max_age: Duration::from_secs(age) };
    portal.accounts.change_settings(reader.account.id, &settings, &reader.actor()).await?;
    Ok(Redirect::to("/portal/settings?done=assumptions").into_response())
}

/// Only who has a second factor demands one of others, and a session alone changes nothing about it.
async fn demand_second_factor(portal: &Portal, reader: &MemberVisit, sent: &Sent) -> Result<Response, Fault> {
    let (demanded, done) = match &*sent.demanded {
        "yes" => (true, "/portal/settings?done=demanded"),
        "no" => (false, "/portal/settings?done=left"),
        _ => return Ok(Redirect::to("/portal/settings").into_response()),
    };
    if reader.account.terms.demands_second_factor == demanded {
        // Sent twice, it is done.
        return Ok(Redirect::to(done).into_response());
    }
    // The settings say what is missing, and have no field for a code.
    if portal.second_factors.of(me(reader)).await?.is_none() {
        return Ok(Redirect::to("/portal/settings").into_response());
    }
    if let Some((status, fault)) = check_code(&reader.visit, me(reader), &sent.demand_code).await? {
        return again(reader, (status, FormFault { field: "demand_code", ..fault })).await;
    }
    let settings = AccountSettings::SecondFactor { demanded };
    portal.accounts.change_settings(reader.account.id, &settings, &reader.actor()).await?;
    Ok(Redirect::to(done).into_response())
}

async fn again(reader: &MemberVisit, (status, fault): (StatusCode, FormFault)) -> Result<Response, Fault> {
    let page = Page { faults: vec![fault], ..page(reader).await? };
    Ok(reader.visit.page(status, page).await)
}

/// Taking the second factor away and making new recovery codes: both after a code was seen.
async fn change_second_factor(reader: &MemberVisit, part: &str, code: &str) -> Result<Response, Fault> {
    let (visit, me) = (&reader.visit, me(reader));
    // It went meanwhile: the settings say how it stands, and have no field for a code.
    if visit.portal.second_factors.of(me).await?.is_none() {
        return Ok(Redirect::to("/portal/settings").into_response());
    }
    if let Some(refusal) = check_code(visit, me, code).await? {
        return again(reader, refusal).await;
    }
    if part == "recovery-codes" {
        return match renew_codes(visit, me, ("/portal/settings", "Back to the settings")).await? {
            Ok(codes) => Ok(visit.page(StatusCode::OK, codes).await),
            Err(refusal) => again(reader, refusal).await,
        };
    }
    let (portal, keep) = (&visit.portal, visit.session_key());
    match portal.second_factors.remove(me, keep.as_ref(), &reader.actor(), &portal.outbox).await {
        Ok(()) => Ok(Redirect::to("/portal/settings?done=factor-off").into_response()),
        // It went meanwhile.
        Err(SecondFactorError::NotSet) => Ok(Redirect::to("/portal/settings").into_response()),
        Err(error) => Err(error.into()),
    }
}

const fn me(reader: &MemberVisit) -> Person {
    Person::Member(reader.member.id)
}

/// The page as it is when nothing was typed.
async fn page(reader: &MemberVisit) -> Result<Page, Fault> {
    let (terms, member) = (&reader.account.terms, &reader.member);
    let number = |number: Option<vat::VatNumber>| number.map(|number| number.to_string()).unwrap_or_default();
    Ok(Page {
        account: terms.name.to_string(),
        name: member.name.clone(),
        email: member.email.clone(),
        role: role_word(member.role),
        may_change: reader.is_owner(),
        done: None,
        numbers: OwnNumbers {
            gb: number(terms.gb_requester),
            eu: number(terms.eu_requester),
            gb_hint: hint(terms.gb_requester, Registry::Hmrc),
            eu_hint: hint(terms.eu_requester, Registry::Vies),
        },
        suppliers: suppliers(terms.supplier_country),
        supplier: terms.supplier_country.map(|country| country.as_str().to_owned()).unwrap_or_default(),
        ages: offered_ages(reader).into_iter().map(|age| (age.to_string(), age_words(age))).collect(),
        age: terms.max_age.as_secs().to_string(),
        demands_second_factor: terms.demands_second_factor,
        second_factor: own_second_factor::state(&reader.visit, me(reader)).await?,
        sessions: open_sessions(&reader.visit, me(reader)).await?,
        faults: Vec::new(),
    })
}

/// The countries that registries cover, by name, and the one that is set if it is another.
fn suppliers(set: Option<SupplierCountry>) -> Vec<(String, String)> {
    let mut covered: Vec<_> = Prefix::ALL
        .iter()
        .map(|prefix| (prefix.as_str().to_owned(), prefix.country_name().to_owned()))
        .collect();
    covered.sort_by(|(_, one), (_, next)| one.cmp(next));
    let other = set
        .map(SupplierCountry::as_str)
        .filter(|code| Prefix::from_code(code).is_none())
        .map(|code| (code.to_owned(), code.to_owned()));
    let not_set = (String::new(), "Not set".to_owned());
    [not_set].into_iter().chain(other).chain(covered).collect()
}

/// The ages that are offered, and the one that is set if it is another.
fn offered_ages(reader: &MemberVisit) -> Vec<u64> {
    let set = reader.account.terms.max_age.as_secs();
    let mut ages: Vec<_> = AGES.into_iter().filter(|age| *age != set).chain([set]).collect();
    ages.sort_unstable();
    ages
}

fn age_words(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0 => return "Always ask the registry".to_owned(),
        hours if hours.is_multiple_of(3600) => (hours / 3600, "hour"),
        minutes if minutes.is_multiple_of(60) => (minutes / 60, "minute"),
        seconds => (seconds, "second"),
    };
    format!("{count} {unit}{} old", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use vat::SupplierCountry;

    use super::{AGES, age_words, suppliers};

    #[test]
    fn an_age_is_told_in_words() {
        let words = AGES.map(age_words);
        let told = ["Always ask the registry", "5 minutes old", "1 hour old", "6 hours old", "24 hours old"];
        assert_eq!(words, told);
        assert_eq!([60, 90].map(age_words), ["1 minute old", "90 seconds old"]);
    }

    #[test]
    fn a_country_is_offered_once_and_the_one_that_is_set_always() {
        let codes = |set| suppliers(set).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
        let offered = codes(None);
        assert_eq!((offered.len(), offered[0].as_str(), offered[1].as_str()), (30, "", "AT"));
        assert_eq!(codes(SupplierCountry::parse("GR")), offered);
        let with_other = codes(SupplierCountry::parse("CH"));
        assert_eq!((with_other.len(), with_other[1].as_str()), (31, "CH"));
    }
}
