//! `/staff/registries`: how it stands with the ways to the registries, as this instance knows it, and which breakers are
//! opened and closed by hand, which holds on every instance. Sent twice, each is done once.

use std::{collections::HashMap, time::Duration};

use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use crossvat_app::portal::{
    BreakerPosition, BreakerStands, ChangedBreaker, CloseBreaker, Fault as FormFault, LastError,
    MemberStateRow, MoreToKnow, OpenBreaker, OpenedByHand, RegistryCard, StaffRegistries, Use, grouped,
};
use serde::Deserialize;
use uuid::Uuid;
use vat::Registry;

use crate::{
    api_keys::holds_secret,
    portal::{
        address::address,
        fault::Fault,
        moments::{instant, second_of_day},
        registries_now::{clause, in_words},
        state::Portal,
        status::whose_numbers,
        typed::worded,
        visit::StaffVisit,
    },
    registry_status::{Hold, NewHold, checked_reason},
    verification::{
        gateway::{DeskState, InVain, LatestTries, Position, RegistryPart, RegistryState, Times, WINDOW},
        registry::TroubleKind,
    },
};

const PAGE: &str = "/staff/registries";

/// How long a breaker can be opened for: what is sent, in words, and how long that is.
const TIMES: [(&str, &str, Option<TimeDelta>); 3] = [
    ("300", "5 minutes", Some(TimeDelta::minutes(5))),
    ("3600", "1 hour", Some(TimeDelta::hours(1))),
    ("hand", "Until closed by hand", None),
];

/// What the address says.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Shown {
    show: String,
    done: String,
    of: String,
}

/// What the form sends that opens a breaker, or closes it.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    token: String,
    time: String,
    reason: String,
    code: String,
}

/// How it stands with one of them.
struct Part {
    of: RegistryPart,
    desk: DeskState,
    latest: LatestTries,
    known: RegistryState,
    hold: Option<Hold>,
}

/// The support staff who opened breakers, by name.
type Names = HashMap<Uuid, String>;

/// `GET /staff/registries`
pub(super) async fn page(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Query(shown): Query<Shown>,
) -> Result<Response, Fault> {
    let now = portal.clock.now();
    let parts: Vec<Part> = RegistryPart::all().map(|part| look(&portal, part)).collect();
    let names = names(&portal, parts.iter().filter_map(|part| part.hold.as_ref())).await?;
    let behind = |part: &&Part| matches!(part.of, RegistryPart::Behind(_));
    let count = |parts: usize| u64::try_from(parts).unwrap_or(u64::MAX);
    let not_well: Vec<&Part> = parts.iter().filter(behind).filter(|part| is_not_well(part, now)).collect();
    let shows_all = shown.show == "all";
    let rows = if shows_all { parts.iter().filter(behind).collect() } else { not_well.clone() };
    let page = StaffRegistries {
        heading: finding(&parts),
        at: second_of_day(now, now),
        one_of_several: portal.one_of_several,
        done: done(&shown),
        registries: parts
            .iter()
            .filter(|part| matches!(part.of, RegistryPart::Whole(_)))
            .map(|part| card(&portal, part, &names, now))
            .collect(),
        shows_all,
        not_well: count(not_well.len()),
        all: count(parts.iter().filter(behind).count()),
        member_states: rows.into_iter().map(|part| row(part, &names, now)).collect(),
    };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `GET /staff/registries/{code}/open`
pub(super) async fn open_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(code): Path<String>,
) -> Result<Response, Fault> {
    let Some(part) = RegistryPart::from_code(&code) else { return Ok(staff.visit.not_found().await) };
    let wanted = Wanted { token: portal.new_token(), time: TIMES[0].0.to_owned(), ..Wanted::default() };
    let page = open_page(&portal, &staff, part, (wanted, Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/registries/{code}/open`
pub(super) async fn open(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(code): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    let Some(part) = RegistryPart::from_code(&code) else { return Ok(staff.visit.not_found().await) };
    let time = TIMES.into_iter().find(|(value, ..)| *value == wanted.time);
    let mut faults = Vec::new();
    if time.is_none() {
        faults.push(FormFault::new("time", "Choose for how long"));
    }
    faults.extend(fault_of_reason(&wanted.reason));
    if let (Some((.., lasting)), true) = (time, faults.is_empty()) {
        let Some(fault) = staff.prove(&wanted.code).await? else {
            let (id, staff_id) = (token_of(&portal, &wanted), staff.person.id);
            let new = NewHold { id, part, lasting, reason: &wanted.reason, staff_id };
            portal.registry_status.holds().open(new, &staff.actor()).await?;
            return Ok(to("opened", part));
        };
        faults.push(fault);
    }
    let page = open_page(&portal, &staff, part, (wanted, faults)).await?;
    Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

/// `GET /staff/registries/{code}/close`
pub(super) async fn close_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(code): Path<String>,
) -> Result<Response, Fault> {
    let Some(part) = RegistryPart::from_code(&code) else { return Ok(staff.visit.not_found().await) };
    let known = look(&portal, part);
    if known.hold.is_none() && known.desk.breaker.position == Position::Closed {
        return Ok(Redirect::to(PAGE).into_response());
    }
    let page = close_page(&portal, &staff, part, (portal.new_token(), Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/registries/{code}/close`
pub(super) async fn close(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(code): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    let Some(part) = RegistryPart::from_code(&code) else { return Ok(staff.visit.not_found().await) };
    if let Some(fault) = staff.prove(&wanted.code).await? {
        let page = close_page(&portal, &staff, part, (wanted.token, vec![fault])).await?;
        return Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    let closing = (token_of(&portal, &wanted), part);
    portal.registry_status.holds().close(closing, staff.person.id, &staff.actor()).await?;
    Ok(to("closed", part))
}

fn to(done: &str, part: RegistryPart) -> Response {
    Redirect::to(&address(PAGE, &[("done", done), ("of", part.code())])).into_response()
}

fn done(shown: &Shown) -> Option<String> {
    let name = RegistryPart::from_code(&shown.of)?.name();
    match shown.done.as_str() {
        "opened" => Some(format!("{name} is asked nothing from now on. Every server obeys within a second.")),
        "closed" => Some(format!("{name} is asked again. Every server obeys within a second.")),
        _ => None,
    }
}

/// One that is none is as good as a new one.
fn token_of(portal: &Portal, wanted: &Wanted) -> Uuid {
    wanted.token.parse().or_else(|_| portal.new_token().parse()).unwrap_or_default()
}

fn fault_of_reason(reason: &str) -> Option<FormFault> {
    if holds_secret(reason) {
        return Some(FormFault::new("reason", "Leave the key out: everybody may read the reason"));
    }
    checked_reason(reason).err().map(|error| FormFault::new("reason", worded(&error)))
}

async fn open_page(
    portal: &Portal,
    staff: &StaffVisit,
    part: RegistryPart,
    (wanted, faults): (Wanted, Vec<FormFault>),
) -> Result<OpenBreaker, Fault> {
    let now = portal.clock.now();
    let known = look(portal, part);
    let time = |(value, words, lasting): (_, _, Option<TimeDelta>)| {
        (value, words, lasting.map(|lasting| instant(now + lasting, now)))
    };
    Ok(OpenBreaker {
        waiting: (known.desk.waiting > 0).then(|| {
            format!("{} now and will be answered as unavailable at once.", who_waits(&known.desk, true))
        }),
        of: changed(portal, &known, now).await?,
        token: wanted.token,
        times: TIMES.into_iter().map(time).collect(),
        time: wanted.time,
        reason: if holds_secret(&wanted.reason) { String::new() } else { wanted.reason },
        asks_for_code: staff.asks_for_code(),
        faults,
    })
}

async fn close_page(
    portal: &Portal,
    staff: &StaffVisit,
    part: RegistryPart,
    (token, faults): (String, Vec<FormFault>),
) -> Result<CloseBreaker, Fault> {
    let of = changed(portal, &look(portal, part), portal.clock.now()).await?;
    Ok(CloseBreaker { of, token, asks_for_code: staff.asks_for_code(), faults })
}

async fn changed(portal: &Portal, known: &Part, now: DateTime<Utc>) -> Result<ChangedBreaker, Fault> {
    let names = names(portal, known.hold.iter()).await?;
    Ok(ChangedBreaker {
        code: known.of.code(),
        name: known.of.name(),
        whose: whose_numbers(known.of),
        breaker: breaker(known, &names, now),
    })
}

fn look(portal: &Portal, part: RegistryPart) -> Part {
    Part {
        of: part,
        desk: portal.registries.state(part),
        latest: portal.registries.latest(part),
        known: portal.availability.of_part(part),
        hold: portal.registry_status.holds().held().get(&part).cloned(),
    }
}

async fn names(portal: &Portal, holds: impl Iterator<Item = &Hold>) -> Result<Names, Fault> {
    let mut names = Names::new();
    for hold in holds {
        if let Some(person) = portal.staff.find(hold.staff_id).await? {
            names.insert(person.id, person.name);
        }
    }
    Ok(names)
}

/// Worth a look: not asked as usual, with a queue, or with a lookup in vain lately.
fn is_not_well(part: &Part, now: DateTime<Utc>) -> bool {
    let in_vain_lately = part.latest.in_vain.as_ref().is_some_and(|in_vain| now - in_vain.at <= WINDOW);
    part.hold.is_some()
        || part.desk.breaker.position != Position::Closed
        || part.desk.silent_for.is_some()
        || part.desk.waiting > 0
        || in_vain_lately
}

/// How they are, in a sentence.
fn finding(parts: &[Part]) -> String {
    let stops = |part: &Part| {
        part.desk.breaker.position != Position::Closed || matches!(part.known, RegistryState::Refusing { .. })
    };
    let is_held = |part: &Part| part.hold.is_some();
    let vies_is_out = parts
        .iter()
        .any(|part| part.of == RegistryPart::Whole(Registry::Vies) && (is_held(part) || stops(part)));
    // When VIES itself is not asked or does not answer, all behind it are the same.
    let counts = |part: &&Part| !vies_is_out || matches!(part.of, RegistryPart::Whole(_));
    let those = |wanted: &dyn Fn(&Part) -> bool| -> Vec<&'static str> {
        parts.iter().filter(counts).filter(|part| wanted(part)).map(|part| part.of.name()).collect()
    };
    let slow =
        |part: &Part| matches!(part.known, RegistryState::Slow { .. }) && !is_held(part) && !stops(part);
    let clauses: Vec<String> = [
        clause(&those(&is_held), "is not asked", "are not asked"),
        clause(&those(&|part| !is_held(part) && stops(part)), "does not answer", "do not answer"),
        clause(&those(&slow), "is slow", "are slow"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let was_asked = parts.iter().any(|part| !matches!(part.known, RegistryState::NotMeasured { .. }));
    match (clauses.is_empty(), was_asked) {
        (false, _) => clauses.join(", "),
        (true, true) => "Everything that was asked answers".to_owned(),
        (true, false) => "Nobody has asked lately".to_owned(),
    }
}

fn card(portal: &Portal, part: &Part, names: &Names, now: DateTime<Utc>) -> RegistryCard {
    let Part { desk, latest, .. } = part;
    let is_hmrc = part.of == RegistryPart::Whole(Registry::Hmrc);
    let deadline = in_words_of_wait(portal.verify_vat.deadline());
    let longest =
        desk.longest_wait.map(|wait| format!("Longest wait {}; deadline {deadline}", in_words_of_wait(wait)));
    let lately = latest.waited.into_iter().flat_map(|waited| {
        let [usual, slowest] = in_words_of(waited);
        [format!("Lately {usual}"), slowest]
    });
    let more = if is_hmrc {
        let good_for = portal.registries.token_good_for();
        MoreToKnow::Token(good_for.map(|good_for| instant(now + good_for, now)))
    } else {
        MoreToKnow::Blocked(desk.breaker.cause == Some(TroubleKind::CallerBlocked))
    };
    RegistryCard {
        name: part.of.name(),
        breaker: breaker(part, names, now),
        uses: uses(is_hmrc, desk, latest),
        waiting: if desk.waiting == 0 { "Nobody".to_owned() } else { who_waits(desk, false) },
        waits: longest.into_iter().chain(lately).collect(),
        answers_in: latest.took.map(in_words_of),
        more,
        last_error: latest.in_vain.as_ref().map(|in_vain| last_error(in_vain, !is_hmrc, now)),
    }
}

/// Of HMRC lookups in a second, of VIES lookups at once.
fn uses(is_hmrc: bool, desk: &DeskState, latest: &LatestTries) -> Use {
    let measure = desk.measure;
    let figure = |figure: f64| if is_hmrc { format!("{figure:.1}") } else { format!("{figure:.0}") };
    let in_flight = f64::from(u32::try_from(desk.in_flight).unwrap_or(u32::MAX));
    let (name, used) = if is_hmrc { ("Asked a second", latest.a_second) } else { ("In flight", in_flight) };
    Use {
        name,
        words: format!("{} of {}", figure(used), figure(measure.allowed)),
        used,
        allowed: measure.allowed,
        less: (measure.allowed < measure.full)
            .then(|| format!("Otherwise {}: it said “too many” lately", figure(measure.full))),
    }
}

fn row(part: &Part, names: &Names, now: DateTime<Utc>) -> MemberStateRow {
    let count = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
    MemberStateRow {
        prefix: part.of.code(),
        name: part.of.name(),
        breaker: breaker(part, names, now),
        in_flight: format!("{} of {:.0}", part.desk.in_flight, part.desk.measure.allowed),
        waiting: count(part.desk.waiting),
        last_error: part.latest.in_vain.as_ref().map(|in_vain| last_error(in_vain, false, now)),
    }
}

fn breaker(part: &Part, names: &Names, now: DateTime<Utc>) -> BreakerStands {
    let breaker = &part.desk.breaker;
    let next_try = breaker.next_try_in.or(part.desk.silent_for);
    BreakerStands {
        position: match (breaker.position, &part.hold) {
            (Position::Open, _) | (_, Some(_)) => BreakerPosition::Open,
            (Position::HalfOpen, None) => BreakerPosition::HalfOpen,
            (Position::Closed, None) => BreakerPosition::Closed,
        },
        cause: breaker.cause.map(cause),
        since: breaker.since.map(|since| second_of_day(since, now)),
        next_try: next_try.map(|next_try| second_of_day(now + next_try, now)),
        by_hand: part.hold.as_ref().map(|hold| OpenedByHand {
            by: names.get(&hold.staff_id).cloned().unwrap_or_else(|| "somebody who is gone".to_owned()),
            since: instant(hold.since, now),
            until: hold.until.map(|until| instant(until, now)),
            reason: hold.reason.clone(),
        }),
    }
}

/// Why a breaker opened by itself.
const fn cause(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::RegistryUnavailable => "it fails or cannot be reached",
        TroubleKind::RegistryClosed => "it says that it is closed",
        TroubleKind::QuestionNotUnderstood => "it does not understand what we ask",
        TroubleKind::MemberStateUnavailable => "its own system does not answer",
        TroubleKind::TimedOut => "no answer in time",
        TroubleKind::MemberStateBusy
        | TroubleKind::RegistryBusy
        | TroubleKind::MemberStateExhausted
        | TroubleKind::RegistryExhausted => "it wants fewer questions",
        TroubleKind::NumberBlocked | TroubleKind::CallerBlocked => "it refuses this service",
        TroubleKind::Unreadable => "its answers cannot be understood",
        TroubleKind::NotConfigured => "this service has no access to it",
    }
}

fn last_error(in_vain: &InVain, says_from: bool, now: DateTime<Utc>) -> LastError {
    LastError {
        code: in_vain.detail.clone(),
        from: says_from.then(|| in_vain.prefix.country_name()),
        at: second_of_day(in_vain.at, now),
        raw: in_vain.raw.as_ref().map(|raw| raw.as_str().to_owned()),
    }
}

/// How many numbers wait, and of how many accounts where that is known.
fn who_waits(desk: &DeskState, as_sentence: bool) -> String {
    let several = |count: usize, one: &str, more: &str| {
        let word = if count == 1 { one } else { more };
        format!("{} {word}", grouped(u64::try_from(count).unwrap_or(u64::MAX)))
    };
    let numbers = several(desk.waiting, "number", "numbers");
    let accounts = desk.accounts.map(|accounts| format!(" of {}", several(accounts, "account", "accounts")));
    let verb = match (as_sentence, desk.waiting) {
        (false, _) => "",
        (true, 1) => " waits",
        (true, _) => " wait",
    };
    format!("{numbers}{}{verb}", accounts.unwrap_or_default())
}

/// Each is a line of its own: how long the figures are then moves nothing.
fn in_words_of(times: Times) -> [String; 2] {
    [
        format!("{} usual", in_words(times.usual)),
        format!("{} for the slowest in a hundred", in_words(times.slowest)),
    ]
}

/// As people say a wait: nobody wants milliseconds.
fn in_words_of_wait(wait: Duration) -> String {
    let tenths = (wait.as_millis() + 50) / 100;
    if tenths.is_multiple_of(10) {
        format!("{} s", tenths / 10)
    } else {
        format!("{}.{} s", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use vat::{Prefix, UnresolvedReason};

    use super::*;
    use crate::verification::gateway::{BreakerState, Measure};

    const HMRC: RegistryPart = RegistryPart::Whole(Registry::Hmrc);
    const VIES: RegistryPart = RegistryPart::Whole(Registry::Vies);
    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn well(part: RegistryPart) -> Part {
        let breaker =
            BreakerState { position: Position::Closed, cause: None, since: None, next_try_in: None };
        let desk = DeskState {
            waiting: 0,
            accounts: None,
            longest_wait: None,
            in_flight: 0,
            measure: Measure { allowed: 3.0, full: 3.0 },
            silent_for: None,
            breaker,
        };
        let known = RegistryState::Answering { since: NOW, usual: Duration::from_millis(240) };
        Part { of: part, desk, latest: LatestTries::default(), known, hold: None }
    }

    fn changed(part: RegistryPart, change: impl FnOnce(&mut Part)) -> Part {
        let mut part = well(part);
        change(&mut part);
        part
    }

    fn open(part: &mut Part) {
        part.desk.breaker.position = Position::Open;
    }

    fn held(part: &mut Part) {
        let reason = "It asked us to stop".to_owned();
        part.hold = Some(Hold { since: NOW, until: None, reason, staff_id: Uuid::nil() });
    }

    #[test]
    fn the_heading_is_the_finding() {
        let poland = RegistryPart::Behind(Prefix::Pl);
        let germany = RegistryPart::Behind(Prefix::De);
        let slow =
            |part: &mut Part| part.known = RegistryState::Slow { since: NOW, usual: Duration::from_secs(4) };
        let refuses = |part: &mut Part| {
            part.known = RegistryState::Refusing { since: NOW, reason: UnresolvedReason::Timeout };
        };
        let unknown = |part: &mut Part| part.known = RegistryState::NotMeasured { last: None };
        for (parts, words) in [
            (vec![well(HMRC), well(VIES)], "Everything that was asked answers"),
            (vec![changed(HMRC, unknown), changed(VIES, unknown)], "Nobody has asked lately"),
            (
                vec![well(HMRC), well(VIES), changed(germany, slow), changed(poland, open)],
                "Poland does not answer, Germany is slow",
            ),
            (
                vec![changed(HMRC, held), well(VIES), changed(poland, refuses)],
                "HMRC is not asked, Poland does not answer",
            ),
            (vec![well(HMRC), changed(VIES, open), changed(poland, open)], "VIES does not answer"),
            (vec![changed(HMRC, held), changed(VIES, held)], "HMRC and VIES are not asked"),
        ] {
            assert_eq!(finding(&parts), words);
        }
    }

    #[test]
    fn only_those_with_something_to_look_at_are_not_well() {
        let part = RegistryPart::Behind(Prefix::Pl);
        let in_vain = |at| InVain {
            at,
            prefix: Prefix::Pl,
            kind: TroubleKind::TimedOut,
            detail: "TIMEOUT".to_owned(),
            raw: None,
        };
        for (part, expected) in [
            (well(part), false),
            (changed(part, open), true),
            (changed(part, held), true),
            (changed(part, |part| part.desk.waiting = 1), true),
            (changed(part, |part| part.desk.silent_for = Some(Duration::from_secs(1))), true),
            (changed(part, |part| part.latest.in_vain = Some(in_vain(NOW - TimeDelta::minutes(15)))), true),
            (changed(part, |part| part.latest.in_vain = Some(in_vain(NOW - TimeDelta::minutes(16)))), false),
        ] {
            assert_eq!(is_not_well(&part, NOW), expected);
        }
    }

    #[test]
    fn who_waits_is_told_as_people_say_it() {
        for (waiting, accounts, as_sentence, words) in [
            (1, Some(1), true, "1 number of 1 account waits"),
            (1400, Some(3), true, "1,400 numbers of 3 accounts wait"),
            (2, None, true, "2 numbers wait"),
            (14, Some(3), false, "14 numbers of 3 accounts"),
        ] {
            let desk = DeskState { waiting, accounts, ..well(HMRC).desk };
            assert_eq!(who_waits(&desk, as_sentence), words);
        }
        for (milliseconds, words) in [(0, "0 s"), (4649, "4.6 s"), (25_000, "25 s"), (19_960, "20 s")] {
            assert_eq!(in_words_of_wait(Duration::from_millis(milliseconds)), words);
        }
    }
}
