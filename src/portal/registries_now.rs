//! How the registries are now, in a reader's words: both of them, every member state in trouble, and the others together.
//! As a list, and in a sentence for the foot of every page.

use std::time::Duration;

use chrono::{DateTime, Utc};
use crossvat_app::portal::{Health, RegistryLine};
use vat::{Prefix, Registry, UnresolvedReason};

use super::{moments::instant, state::PortalParts};
use crate::verification::gateway::{RegistryPart, RegistryState};

/// Member states that are named in a heading; more are counted.
pub(super) const NAMED: usize = 3;

/// The list for somebody who reads at `now`.
pub(super) fn registries_now(portal: &PortalParts, now: DateTime<Utc>) -> Vec<RegistryLine> {
    let (availability, held) = (&portal.availability, portal.registry_status.holds().held());
    let registry = |registry: Registry| RegistryLine {
        name: registry.name().to_owned(),
        is_registry: true,
        health: held.get(&RegistryPart::Whole(registry)).map_or_else(
            || health(availability.of_registry(registry), now),
            |hold| Health::NotAsked(instant(hold.since, now), hold.reason.clone()),
        ),
    };
    let mut lines = vec![registry(Registry::Hmrc), registry(Registry::Vies)];
    let (mut answering, mut not_asked) = (Vec::new(), Vec::new());
    for prefix in behind_vies() {
        let mut alone = |health| {
            lines.push(RegistryLine { name: prefix.country_name().to_owned(), is_registry: false, health });
        };
        if let Some(hold) = held.get(&RegistryPart::Behind(prefix)) {
            alone(Health::NotAsked(instant(hold.since, now), hold.reason.clone()));
            continue;
        }
        match availability.of(prefix) {
            RegistryState::Answering { .. } => answering.push(prefix),
            RegistryState::NotMeasured { .. } => not_asked.push(prefix),
            state => alone(health(state, now)),
        }
    }
    let mut together = |prefixes: &[Prefix], health: Health| {
        if let Some(name) = together(prefixes) {
            lines.push(RegistryLine { name, is_registry: false, health });
        }
    };
    let vies_was_asked = not_asked.len() < Prefix::ALL.len() - 1;
    together(&answering, Health::Answering(None));
    if vies_was_asked {
        together(&not_asked, Health::NotMeasured(None));
    }
    lines
}

/// The same in a sentence or two; what we do when nothing was measured.
pub(super) fn in_a_sentence(portal: &PortalParts) -> String {
    let held = portal.registry_status.holds().held();
    let of = |part: RegistryPart| match held.get(&part) {
        Some(_) => State::NotAsked,
        None => State::Known(portal.availability.of_part(part)),
    };
    let hmrc = says(Registry::Hmrc, of(RegistryPart::Whole(Registry::Hmrc)));
    let behind: Vec<_> = behind_vies().map(|prefix| (prefix, of(RegistryPart::Behind(prefix)))).collect();
    let vies = of_vies(of(RegistryPart::Whole(Registry::Vies)), &behind);
    let sentences: Vec<String> =
        hmrc.into_iter().chain(vies).map(|sentence| format!("{sentence}.")).collect();
    match sentences.as_slice() {
        [] => "Crossvat asks HMRC and VIES, and passes on what they say.".to_owned(),
        [hmrc, vies] if hmrc == "HMRC answers." && vies == "VIES answers." => {
            "HMRC and VIES answer.".to_owned()
        }
        _ => sentences.join(" "),
    }
}

/// How one is, for the sentence.
#[derive(Clone, Copy)]
enum State {
    /// Somebody has opened its breaker.
    NotAsked,
    /// As lookups have found it.
    Known(RegistryState),
}

fn behind_vies() -> impl Iterator<Item = Prefix> {
    Prefix::ALL.into_iter().filter(|prefix| prefix.registry() == Registry::Vies)
}

/// How VIES is, and those behind it that are not well.
fn of_vies(vies: State, behind: &[(Prefix, State)]) -> Option<String> {
    let mut clauses: Vec<String> = says(Registry::Vies, vies).into_iter().collect();
    // When VIES itself does not answer, all behind it are the same.
    if !matches!(vies, State::NotAsked | State::Known(RegistryState::Refusing { .. })) {
        let those = |wanted: fn(State) -> bool| -> Vec<Prefix> {
            behind.iter().filter(|(_, state)| wanted(*state)).map(|(prefix, _)| *prefix).collect()
        };
        let not_asked = those(|state| matches!(state, State::NotAsked));
        let refusing = those(|state| matches!(state, State::Known(RegistryState::Refusing { .. })));
        let slow = those(|state| matches!(state, State::Known(RegistryState::Slow { .. })));
        // Of VIES nothing may be known while one behind it is silent.
        let (does, do_) =
            if clauses.is_empty() { ("does not answer", "do not answer") } else { ("does not", "do not") };
        clauses.extend(listed(&refusing, does, do_));
        clauses.extend(listed(&not_asked, "is not asked", "are not asked"));
        clauses.extend(listed(&slow, "is slow", "are slow"));
    }
    Some(clauses.join(", ")).filter(|sentence| !sentence.is_empty())
}

fn says(registry: Registry, state: State) -> Option<String> {
    let does = match state {
        State::NotAsked => "is not asked at present",
        State::Known(RegistryState::Answering { .. }) => "answers",
        State::Known(RegistryState::Slow { .. }) => "is slow",
        State::Known(RegistryState::Refusing { .. }) => "does not answer",
        State::Known(RegistryState::NotMeasured { .. }) => return None,
    };
    Some(format!("{} {does}", registry.name()))
}

/// By their names as long as they are few.
fn listed(prefixes: &[Prefix], does: &str, do_: &str) -> Option<String> {
    let name = |prefix: &Prefix| prefix.country_name();
    match prefixes {
        [] => None,
        [one] => Some(format!("{} {does}", name(one))),
        [one, other] => Some(format!("{} {do_}", and(&[name(one), name(other)]))),
        several => Some(format!("{} member states {do_}", several.len())),
    }
}

fn health(state: RegistryState, now: DateTime<Utc>) -> Health {
    match state {
        RegistryState::Answering { usual, .. } => Health::Answering(Some(in_words(usual))),
        RegistryState::Slow { since, usual } => Health::Slow(in_words(usual), instant(since, now)),
        RegistryState::Refusing { since, reason } => Health::Refusing(instant(since, now), more(reason)),
        RegistryState::NotMeasured { last } => Health::NotMeasured(last.map(|last| instant(last, now))),
    }
}

/// What is worth telling beside "no answer".
const fn more(reason: UnresolvedReason) -> &'static str {
    match reason {
        UnresolvedReason::Throttled => ": it wants fewer questions",
        UnresolvedReason::Blocked => ": it refuses this service’s questions",
        UnresolvedReason::RegistryUnreadable => " that can be understood",
        UnresolvedReason::NotConfigured => ": this service has no access to it",
        UnresolvedReason::RegistryUnavailable
        | UnresolvedReason::MemberStateUnavailable
        | UnresolvedReason::Timeout
        | UnresolvedReason::Deadline => "",
    }
}

/// One by its name, several by how many they are.
fn together(prefixes: &[Prefix]) -> Option<String> {
    let states = prefixes.iter().filter(|prefix| **prefix != Prefix::Xi).count();
    let with_northern_ireland = if states < prefixes.len() { " and XI" } else { "" };
    match (prefixes, states) {
        ([], _) => None,
        ([one], _) => Some(one.country_name().to_owned()),
        (_, 1) => prefixes.first().map(|one| format!("{} and Northern Ireland", one.country_name())),
        (_, states) => Some(format!("{states} member states{with_northern_ireland}")),
    }
}

/// What those do who have these names, by name as long as they are few.
pub(super) fn clause(names: &[&str], does: &str, do_: &str) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(format!("{one} {does}")),
        names if names.len() <= NAMED => Some(format!("{} {do_}", and(names))),
        names => Some(format!("{} member states {do_}", names.len())),
    }
}

/// Names in a sentence.
pub(super) fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// A duration as exact as anybody wants to know it.
pub(super) fn in_words(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        return format!("{} ms", duration.as_millis());
    }
    let tenths = (duration.as_millis() + 50) / 100;
    format!("{}.{} s", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::DateTime;
    use vat::{Prefix, UnresolvedReason};

    use super::{State, in_words, listed, of_vies, together};
    use crate::verification::gateway::RegistryState;

    #[test]
    fn vies_and_those_behind_it_make_one_sentence_that_is_whole() {
        let known = State::Known;
        let since = DateTime::UNIX_EPOCH;
        let unknown = RegistryState::NotMeasured { last: Some(since) };
        let answers = RegistryState::Answering { since, usual: Duration::from_millis(240) };
        let silent = RegistryState::Refusing { since, reason: UnresolvedReason::Timeout };
        for (state, behind, words) in [
            (known(unknown), None, None),
            (known(unknown), Some(known(silent)), Some("Germany does not answer")),
            (known(answers), None, Some("VIES answers")),
            (known(answers), Some(known(silent)), Some("VIES answers, Germany does not")),
            (known(answers), Some(State::NotAsked), Some("VIES answers, Germany is not asked")),
            (known(silent), Some(known(silent)), Some("VIES does not answer")),
            (State::NotAsked, Some(known(silent)), Some("VIES is not asked at present")),
        ] {
            let behind: Vec<_> = behind.map(|state| (Prefix::De, state)).into_iter().collect();
            assert_eq!(of_vies(state, &behind).as_deref(), words);
        }
    }

    #[test]
    fn those_in_trouble_are_named_as_long_as_they_are_few() {
        for (prefixes, words) in [
            (&[][..], None),
            (&[Prefix::Pl], Some("Poland does not")),
            (&[Prefix::Pl, Prefix::Mt], Some("Poland and Malta do not")),
            (&[Prefix::Pl, Prefix::Mt, Prefix::De], Some("3 member states do not")),
        ] {
            assert_eq!(listed(prefixes, "does not", "do not").as_deref(), words);
        }
    }

    #[test]
    fn those_alike_are_counted_and_one_is_named() {
        for (prefixes, words) in [
            (&[][..], None),
            (&[Prefix::De], Some("Germany")),
            (&[Prefix::Xi], Some("Northern Ireland")),
            (&[Prefix::De, Prefix::Xi], Some("Germany and Northern Ireland")),
            (&[Prefix::De, Prefix::Fr], Some("2 member states")),
            (&[Prefix::De, Prefix::Fr, Prefix::Xi], Some("2 member states and XI")),
        ] {
            assert_eq!(together(prefixes).as_deref(), words);
        }
    }

    #[test]
    fn durations_are_as_exact_as_is_told() {
        for (milliseconds, words) in
            [(0, "0 ms"), (240, "240 ms"), (999, "999 ms"), (1000, "1.0 s"), (4249, "4.2 s"), (4250, "4.3 s")]
        {
            assert_eq!(in_words(Duration::from_millis(milliseconds)), words);
        }
    }
}
