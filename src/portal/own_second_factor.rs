//! What everybody who signs in does with their own second factor, member or support staff: how it stands, how it is set up, and
//! new recovery codes. A secret that is being set up stands encrypted in the session until a code shows that the app has it: in
//! no address and no form.

use axum::http::StatusCode;
use crossvat_app::portal::{
    Fault as FormFault, RecoveryCodes as CodesPage, RequiredBy, SecondFactorState, SetUpSecondFactor,
};
use rand::rngs::SysRng;
use secrecy::SecretString;
use url::form_urlencoded::byte_serialize;

use super::{
    codes::{FIELD, may_try, refusal},
    fault::Fault,
    moments::instant,
    own_security::check_password,
    qr_code::draw,
    sign_in::OnTheWay,
    visit::Visit,
};
use crate::{
    people::Person,
    second_factor::{NewSecondFactor, RecoveryCodes, SealedSecret, SecondFactorError, TotpSecret},
};

/// Where a session holds the secret that is being set up.
const BEGUN: &str = "second_factor";

/// Who sets up a second factor, and where.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) person: Person,
    /// The person's address.
    pub(super) email: &'a str,
    /// The address of the page and of its form.
    pub(super) action: &'a str,
    /// Whether nothing else is open without one.
    pub(super) is_required: bool,
    /// Whether it takes the place of one that is there.
    pub(super) replaces: bool,
    /// Whether the password is asked for too.
    pub(super) asks_password: bool,
    /// Where to go instead; nowhere for somebody who must have one.
    pub(super) back: Option<(&'static str, &'static str)>,
}

/// What comes of a code that was typed to set a second factor up.
pub(super) enum SetUp {
    /// It is set up: these are shown once.
    Done(CodesPage),
    /// The page again, with what needs changing.
    Again(StatusCode, SetUpSecondFactor),
    /// Nothing was begun in this session, or somebody was quicker: to be looked at anew.
    Elsewhere,
}

/// The address of a page where a second factor is set up, with whither one was on the way.
pub(super) fn address(path: &str, way: &OnTheWay) -> String {
    if way.return_to.is_empty() {
        return path.to_owned();
    }
    let back: String = byte_serialize(way.return_to.as_bytes()).collect();
    format!("{path}?return_to={back}")
}

/// How the reader's second factor stands.
pub(super) async fn state(visit: &Visit, person: Person) -> Result<SecondFactorState, Fault> {
    let factors = &visit.portal.second_factors;
    Ok(match factors.of(person).await? {
        Some(factor) => SecondFactorState::On {
            since: instant(factor.since, visit.portal.clock.now()),
            codes_left: factor.recovery_codes_left,
        },
        None if factors.has_key() => SecondFactorState::Off,
        None => SecondFactorState::NotOffered,
    })
}

/// The page that shows the secret; `None` when this server cannot keep one.
pub(super) async fn page(visit: &Visit, place: Place<'_>) -> Result<Option<SetUpSecondFactor>, Fault> {
    let factors = &visit.portal.second_factors;
    let begun: Option<SealedSecret> = visit.session.get(BEGUN).await?;
    let secret = match begun.map(|sealed| factors.begun(place.person, &sealed)) {
        Some(Ok(secret)) => secret,
        // Begun by somebody else in this browser, or under another key.
        Some(Err(SecondFactorError::Unreadable)) | None => {
            if !factors.has_key() {
                return Ok(None);
            }
            let (secret, sealed) = factors.begin(place.person, &mut SysRng)?;
            visit.keep_in_session(BEGUN, sealed).await?;
            secret
        }
        Some(Err(SecondFactorError::NoKey)) => return Ok(None),
        Some(Err(error)) => return Err(error.into()),
    };
    Ok(Some(shown(place, &secret, Vec::new())))
}

/// Sets it up, if `code` is one that the app makes of the secret in the session. Every other session of the person ends.
pub(super) async fn set_up(
    visit: &Visit,
    place: Place<'_>,
    (code, password): (&str, &SecretString),
    done: (&str, &'static str),
) -> Result<SetUp, Fault> {
    let portal = &visit.portal;
    let begun: Option<SealedSecret> = visit.session.get(BEGUN).await?;
    let Some(sealed) = begun else { return Ok(SetUp::Elsewhere) };
    let Ok(secret) = portal.second_factors.begun(place.person, &sealed) else { return Ok(SetUp::Elsewhere) };
    if let (true, Person::Member(member)) = (place.asks_password, place.person)
        && let Some((status, fault)) = check_password(visit, (member, place.email), password).await?
    {
        return Ok(SetUp::Again(status, shown(place, &secret, vec![fault])));
    }
    if let Some((status, fault)) = may_try(visit, place.person, code).await {
        return Ok(SetUp::Again(status, shown(place, &secret, vec![fault])));
    }
    let keep = visit.session_key();
    let new = NewSecondFactor {
        person: place.person,
        sealed: &sealed,
        code,
        replaces: place.replaces,
        keep: keep.as_ref(),
        from: visit.client,
    };
    match portal.second_factors.set_up(new, &mut SysRng, &portal.outbox).await {
        Ok(codes) => {
            visit.forget_in_session(BEGUN).await?;
            Ok(SetUp::Done(once("Your second factor is set up", &codes, done)))
        }
        Err(SecondFactorError::WrongCode) => {
            let words = "This is not the code that an app shows with this secret now. Look again: it changes every 30 seconds";
            let page = shown(place, &secret, vec![FormFault::new(FIELD, words)]);
            Ok(SetUp::Again(StatusCode::UNPROCESSABLE_ENTITY, page))
        }
        Err(SecondFactorError::AlreadySet | SecondFactorError::NotSet | SecondFactorError::UnknownPerson) => {
            Ok(SetUp::Elsewhere)
        }
        Err(error) => Err(error.into()),
    }
}

/// New recovery codes, shown once; or what to say, and the status, when there is no second factor any more.
pub(super) async fn renew_codes(
    visit: &Visit,
    person: Person,
    done: (&str, &'static str),
) -> Result<Result<CodesPage, (StatusCode, FormFault)>, Fault> {
    match visit.portal.second_factors.renew_recovery_codes(person, visit.client, &mut SysRng).await {
        Ok(codes) => Ok(Ok(once("Your new recovery codes", &codes, done))),
        Err(error) => match refusal(Err(error))? {
            Some(refusal) => Ok(Err(refusal)),
            None => Err(SecondFactorError::NotSet.into()),
        },
    }
}

fn once(heading: &'static str, codes: &RecoveryCodes, (next, next_words): (&str, &'static str)) -> CodesPage {
    let (path, query) = next.split_once('?').unwrap_or((next, ""));
    CodesPage {
        heading,
        codes: codes.reveal().collect(),
        next: path.to_owned(),
        next_query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        next_words,
    }
}

fn shown(place: Place<'_>, secret: &TotpSecret, faults: Vec<FormFault>) -> SetUpSecondFactor {
    let issuer = match place.person {
        Person::Member(_) => "Crossvat",
        Person::Support(_) => "Crossvat support",
    };
    SetUpSecondFactor {
        action: place.action.to_owned(),
        required: place.is_required.then_some(match place.person {
            Person::Member(_) => RequiredBy::Account,
            Person::Support(_) => RequiredBy::Staff,
        }),
        replaces: place.replaces,
        asks_password: place.asks_password,
        email: place.email.to_owned(),
        drawing: draw(&secret.address(issuer, place.email)),
        groups: secret.groups(),
        back: place.back,
        faults,
    }
}
