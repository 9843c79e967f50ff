//! `/status`: how the registries are and were, in a reader's words. Whoever reads.

use axum::{extract::State, http::StatusCode, response::Response};
use chrono::{DateTime, Utc};
use crossvat_app::portal::{Held, Instant, RegistryStatus, StatusNotice, StatusRow, Stretch, StretchKind};
use vat::Registry;

use super::{
    moments::instant,
    registries_now::{NAMED, clause, in_words},
    state::Portal,
    visit::Visit,
};
use crate::{
    registry_status::{Day, PartStatus, Since, SliceState, Status},
    verification::gateway::{RegistryPart, SLICE},
};

/// `GET /status`
pub(super) async fn page(State(portal): State<Portal>, visit: Visit) -> Response {
    let status = portal.registry_status.status().await;
    visit.page(StatusCode::OK, told(&status)).await
}

fn told(status: &Status) -> RegistryStatus {
    let (registries, member_states) =
        status.parts.iter().partition::<Vec<_>, _>(|part| matches!(part.part, RegistryPart::Whole(_)));
    let rows = |parts: &[&PartStatus]| parts.iter().map(|part| row(part, status.at)).collect();
    RegistryStatus {
        heading: heading(&status.parts),
        at: instant(status.at, status.at),
        notices: notices(&status.parts, status.at),
        has_history: status.has_history,
        registries: rows(&registries),
        member_states: rows(&member_states),
    }
}

fn row(PartStatus { part, now, day, hold }: &PartStatus, at: DateTime<Utc>) -> StatusRow {
    StatusRow {
        prefix: match part {
            RegistryPart::Whole(_) => None,
            RegistryPart::Behind(_) => Some(part.code()),
        },
        name: part.name(),
        of: match part {
            RegistryPart::Whole(Registry::Hmrc) => Some("United Kingdom"),
            RegistryPart::Whole(Registry::Vies) => Some("European Commission"),
            RegistryPart::Behind(_) => None,
        },
        now: kind(now.state),
        is_asked: hold.is_none(),
        since: now.since.and_then(|since| moment(since, at)),
        usual: now.usual.map(in_words),
        day: stretches(day),
    }
}

const fn kind(state: SliceState) -> StretchKind {
    match state {
        SliceState::Answering => StretchKind::Answering,
        SliceState::Slow => StretchKind::Slow,
        SliceState::Refusing => StretchKind::Refusing,
        SliceState::NotMeasured => StretchKind::NotMeasured,
    }
}

fn moment(since: Since, now: DateTime<Utc>) -> Option<Instant> {
    match since {
        Since::At(at) => Some(instant(at, now)),
        Since::OverADay => None,
    }
}

fn stretches(day: &Day) -> Vec<Stretch> {
    let minutes = |slices: usize| {
        u32::try_from(SLICE.num_minutes()).unwrap_or_default() * u32::try_from(slices).unwrap_or_default()
    };
    let one = |stretch: crate::registry_status::Stretch| Stretch {
        minutes: minutes(stretch.slices),
        kind: kind(stretch.state),
    };
    day.stretches().into_iter().map(one).collect()
}

/// How one is, for the heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// Somebody has opened its breaker.
    NotAsked,
    /// As lookups have found it.
    Known(SliceState),
}

impl Said {
    const fn of(part: &PartStatus) -> Self {
        if part.hold.is_some() { Self::NotAsked } else { Self::Known(part.now.state) }
    }
}

/// The finding: the registries in one sentence, then the member states that are not well.
fn heading(parts: &[PartStatus]) -> String {
    use SliceState::{Answering, NotMeasured, Refusing, Slow};
    let state = |wanted: RegistryPart| {
        parts.iter().find(|part| part.part == wanted).map_or(Said::Known(NotMeasured), Said::of)
    };
    let hmrc = state(RegistryPart::Whole(Registry::Hmrc));
    let vies = state(RegistryPart::Whole(Registry::Vies));
    let says = |name: &str, said| match said {
        Said::NotAsked => Some(format!("{name} is not asked at present")),
        Said::Known(Answering) => Some(format!("{name} answers")),
        Said::Known(Slow) => Some(format!("{name} is slow")),
        Said::Known(Refusing) => Some(format!("{name} does not answer")),
        Said::Known(NotMeasured) => None,
    };
    let registries = match (hmrc, vies) {
        (Said::Known(NotMeasured), Said::Known(NotMeasured)) => "Nobody has asked lately".to_owned(),
        (Said::Known(Answering), Said::Known(Answering)) => "Both registries answer".to_owned(),
        (Said::Known(Refusing), Said::Known(Refusing)) => "Neither registry answers".to_owned(),
        (Said::NotAsked, Said::NotAsked) => "No registry is asked at present".to_owned(),
        _ => says("HMRC", hmrc).into_iter().chain(says("VIES", vies)).collect::<Vec<_>>().join(", "),
    };
    let behind = |wanted: Said| -> Vec<&'static str> {
        let of =
            |part: &&PartStatus| matches!(part.part, RegistryPart::Behind(_)) && Said::of(part) == wanted;
        parts.iter().filter(of).map(|part| part.part.name()).collect()
    };
    let told = |wanted: Said, does: &str, do_: &str| clause(&behind(wanted), does, do_);
    // When VIES itself does not answer, all behind it are the same.
    let states: Vec<String> = if matches!(vies, Said::NotAsked | Said::Known(Refusing)) {
        Vec::new()
    } else {
        let told = [
            told(Said::Known(Refusing), "does not answer", "do not answer"),
            told(Said::NotAsked, "is not asked", "are not asked"),
            told(Said::Known(Slow), "is slow", "are slow"),
        ];
        told.into_iter().flatten().collect()
    };
    if states.is_empty() { format!("{registries}.") } else { format!("{registries}. {}.", states.join(", ")) }
}

/// Those that a reader who came because something fails looks for: unless they are so many that the heading says enough. Why
/// one is not asked is always told.
fn notices(parts: &[PartStatus], at: DateTime<Utc>) -> Vec<StatusNotice> {
    let refusing = |part: &&PartStatus| part.now.state == SliceState::Refusing;
    let is_registry = |part: &PartStatus| matches!(part.part, RegistryPart::Whole(_));
    let all: Vec<_> = parts.iter().filter(refusing).collect();
    let by_themselves = |part: &&&PartStatus| !is_registry(part) && part.hold.is_none();
    let vies = all.iter().any(|part| part.part == RegistryPart::Whole(Registry::Vies));
    let says_enough = vies || all.iter().filter(by_themselves).count() > NAMED;
    let notice = |part: &PartStatus| StatusNotice {
        name: part.part.name(),
        since: part.now.since.and_then(|since| moment(since, at)),
        whose: whose_numbers(part.part),
        held: part.hold.as_ref().map(|hold| Held {
            reason: sentence(&hold.reason),
            until: hold.until.map(|until| instant(until, at)),
        }),
    };
    let told = |part: &&&PartStatus| !says_enough || is_registry(part) || part.hold.is_some();
    all.iter().filter(told).map(|part| notice(part)).collect()
}

/// Whose numbers nobody answers about when it is not asked: the words behind "Numbers of".
pub(super) const fn whose_numbers(part: RegistryPart) -> &'static str {
    match part {
        RegistryPart::Whole(Registry::Hmrc) => "the United Kingdom",
        RegistryPart::Whole(Registry::Vies) => "the European Union and Northern Ireland",
        RegistryPart::Behind(_) => part.name(),
    }
}

/// As somebody typed it, with the stop that may be missing.
fn sentence(typed: &str) -> String {
    let ends = typed.ends_with(['.', '!', '?', '…']);
    if ends { typed.to_owned() } else { format!("{typed}.") }
}

#[cfg(test)]
mod tests {
    use vat::Prefix;

    use super::*;
    use crate::registry_status::{Hold, Now};

    fn parts(states: &[(RegistryPart, SliceState)]) -> Vec<PartStatus> {
        let of = |part| {
            let state =
                states.iter().find(|(known, _)| *known == part).map(|(_, state)| *state).unwrap_or_default();
            let now = Now { state, since: Some(Since::OverADay), usual: None, reason: None };
            PartStatus { part, now, hold: None, day: Day::ending(DateTime::UNIX_EPOCH) }
        };
        RegistryPart::all().map(of).collect()
    }

    #[test]
    fn the_heading_is_the_finding() {
        use SliceState::{Answering, Refusing, Slow};
        const HMRC: RegistryPart = RegistryPart::Whole(Registry::Hmrc);
        const VIES: RegistryPart = RegistryPart::Whole(Registry::Vies);
        let behind = RegistryPart::Behind;
        let both = [(HMRC, Answering), (VIES, Answering)];
        let with = |more: &[(RegistryPart, SliceState)]| [&both[..], more].concat();
        for (states, words, told) in [
            (vec![], "Nobody has asked lately.", vec![]),
            (with(&[]), "Both registries answer.", vec![]),
            (vec![(VIES, Answering)], "VIES answers.", vec![]),
            (vec![(HMRC, Slow), (VIES, Answering)], "HMRC is slow, VIES answers.", vec![]),
            (
                with(&[(behind(Prefix::Pl), Refusing), (behind(Prefix::De), Slow)]),
                "Both registries answer. Poland does not answer, Germany is slow.",
                vec!["Poland"],
            ),
            (
                with(&[
                    (behind(Prefix::Pl), Refusing),
                    (behind(Prefix::De), Refusing),
                    (behind(Prefix::Fr), Refusing),
                ]),
                "Both registries answer. Germany, France and Poland do not answer.",
                vec!["Germany", "France", "Poland"],
            ),
            (
                with(
                    &[Prefix::Pl, Prefix::De, Prefix::Fr, Prefix::It]
                        .map(|prefix| (behind(prefix), Refusing)),
                ),
                "Both registries answer. 4 member states do not answer.",
                vec![],
            ),
            (
                vec![(HMRC, Answering), (VIES, Refusing), (behind(Prefix::Pl), Refusing)],
                "HMRC answers, VIES does not answer.",
                vec!["VIES"],
            ),
            (vec![(HMRC, Refusing), (VIES, Refusing)], "Neither registry answers.", vec!["HMRC", "VIES"]),
        ] {
            let parts = parts(&states);
            assert_eq!(heading(&parts), words);
            let names: Vec<_> =
                notices(&parts, DateTime::UNIX_EPOCH).iter().map(|notice| notice.name).collect();
            assert_eq!(names, told, "{words}");
        }
    }
    #[test]
    fn who_is_not_asked_because_somebody_said_so_is_no_outage_and_the_reason_is_told() {
        use SliceState::{Answering, Refusing};
        const HMRC: RegistryPart = RegistryPart::Whole(Registry::Hmrc);
        const VIES: RegistryPart = RegistryPart::Whole(Registry::Vies);
        let poland = RegistryPart::Behind(Prefix::Pl);
        let germany = RegistryPart::Behind(Prefix::De);
        for (held, refusing, words, told) in [
            (vec![HMRC], vec![], "HMRC is not asked at present, VIES answers.", vec!["HMRC"]),
            (vec![HMRC, VIES], vec![poland], "No registry is asked at present.", vec!["HMRC", "VIES"]),
            (
                vec![poland],
                vec![germany],
                "Both registries answer. Germany does not answer, Poland is not asked.",
                vec!["Germany", "Poland"],
            ),
            (
                vec![poland],
                vec![VIES, germany],
                "HMRC answers, VIES does not answer.",
                vec!["VIES", "Poland"],
            ),
        ] {
            let states: Vec<_> = refusing
                .iter()
                .chain(&held)
                .map(|part| (*part, Refusing))
                .chain([(HMRC, Answering), (VIES, Answering)])
                .collect();
            let mut parts = parts(&states);
            let hold = Hold {
                since: DateTime::UNIX_EPOCH,
                until: None,
                reason: "It asked us to stop".to_owned(),
                staff_id: uuid::Uuid::nil(),
            };
            for part in parts.iter_mut().filter(|part| held.contains(&part.part)) {
                part.hold = Some(hold.clone());
            }
            assert_eq!(heading(&parts), words);
            let notices = notices(&parts, DateTime::UNIX_EPOCH);
            assert_eq!(notices.iter().map(|notice| notice.name).collect::<Vec<_>>(), told, "{words}");
            let reasons = notices.iter().filter_map(|notice| notice.held.as_ref());
            assert!(reasons.map(|held| &*held.reason).eq(held.iter().map(|_| "It asked us to stop.")));
        }
    }
}
