//! `/status`: how the registries are and were, in a reader's words. Whoever reads.

use axum::{extract::State, http::StatusCode, response::Response};
use chrono::{DateTime, Utc};
use crossvat_app::portal::{Instant, RegistryStatus, StatusNotice, StatusRow, Stretch, StretchKind};
use vat::Registry;

use super::{
    moments::instant,
    registries_now::{and, in_words},
    state::Portal,
    visit::Visit,
};
use crate::{
    registry_status::{Day, PartStatus, Since, SliceState, Status},
    verification::gateway::{RegistryPart, SLICE},
};

/// Member states that are named in the heading; more are counted.
const NAMED: usize = 3;

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

fn row(PartStatus { part, now, day }: &PartStatus, at: DateTime<Utc>) -> StatusRow {
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

/// The finding: the registries in one sentence, then the member states that are not well.
fn heading(parts: &[PartStatus]) -> String {
    let state = |wanted: RegistryPart| {
        parts.iter().find(|part| part.part == wanted).map_or(SliceState::NotMeasured, |part| part.now.state)
    };
    let hmrc = state(RegistryPart::Whole(Registry::Hmrc));
    let vies = state(RegistryPart::Whole(Registry::Vies));
    let says = |name: &str, state| match state {
        SliceState::Answering => Some(format!("{name} answers")),
        SliceState::Slow => Some(format!("{name} is slow")),
        SliceState::Refusing => Some(format!("{name} does not answer")),
        SliceState::NotMeasured => None,
    };
    let registries = match (hmrc, vies) {
        (SliceState::NotMeasured, SliceState::NotMeasured) => "Nobody has asked lately".to_owned(),
        (SliceState::Answering, SliceState::Answering) => "Both registries answer".to_owned(),
        (SliceState::Refusing, SliceState::Refusing) => "Neither registry answers".to_owned(),
        _ => says("HMRC", hmrc).into_iter().chain(says("VIES", vies)).collect::<Vec<_>>().join(", "),
    };
    let behind = |wanted: SliceState| -> Vec<&'static str> {
        let of =
            |part: &&PartStatus| matches!(part.part, RegistryPart::Behind(_)) && part.now.state == wanted;
        parts.iter().filter(of).map(|part| part.part.name()).collect()
    };
    let (refusing, slow) = (behind(SliceState::Refusing), behind(SliceState::Slow));
    let told = |names: &[&str], does: &str, do_: &str| match names {
        [] => None,
        [one] => Some(format!("{one} {does}")),
        names if names.len() <= NAMED => Some(format!("{} {do_}", and(names))),
        names => Some(format!("{} member states {do_}", names.len())),
    };
    // When VIES itself does not answer, all behind it are the same.
    let states: Vec<String> = if vies == SliceState::Refusing {
        Vec::new()
    } else {
        told(&refusing, "does not answer", "do not answer")
            .into_iter()
            .chain(told(&slow, "is slow", "are slow"))
            .collect()
    };
    if states.is_empty() { format!("{registries}.") } else { format!("{registries}. {}.", states.join(", ")) }
}

/// Those that a reader who came because something fails looks for: unless they are so many that the heading says enough.
fn notices(parts: &[PartStatus], at: DateTime<Utc>) -> Vec<StatusNotice> {
    let refusing = |part: &&PartStatus| part.now.state == SliceState::Refusing;
    let (registries, behind) = parts
        .iter()
        .filter(refusing)
        .partition::<Vec<_>, _>(|part| matches!(part.part, RegistryPart::Whole(_)));
    let vies = registries.iter().any(|part| part.part == RegistryPart::Whole(Registry::Vies));
    let behind = if vies || behind.len() > NAMED { Vec::new() } else { behind };
    let notice = |part: &PartStatus| StatusNotice {
        name: part.part.name(),
        since: part.now.since.and_then(|since| moment(since, at)),
        whose: match part.part {
            RegistryPart::Whole(Registry::Hmrc) => "the United Kingdom",
            RegistryPart::Whole(Registry::Vies) => "the European Union and Northern Ireland",
            RegistryPart::Behind(_) => part.part.name(),
        },
    };
    registries.into_iter().chain(behind).map(notice).collect()
}

#[cfg(test)]
mod tests {
    use vat::Prefix;

    use super::*;
    use crate::registry_status::Now;

    fn parts(states: &[(RegistryPart, SliceState)]) -> Vec<PartStatus> {
        let of = |part| {
            let state =
                states.iter().find(|(known, _)| *known == part).map(|(_, state)| *state).unwrap_or_default();
            let now = Now { state, since: Some(Since::OverADay), usual: None, reason: None };
            PartStatus { part, now, day: Day::ending(DateTime::UNIX_EPOCH) }
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
}
