//! When one that does not answer is left alone. Closed: it is asked. Open: nobody asks, everybody is told at once. Half
//! open: one lookup finds out how things are. Pure: times are given, and what a try said of it is judged in `breakers`.

use std::{collections::VecDeque, time::Duration};

use tokio::time::Instant;
use vat::{Prefix, VatNumber};

use crate::verification::registry::TroubleKind;

/// So many in a row are no chance (five are also what clients in use take). Registries answer within seconds, so that
/// is noticed soon; fewer would leave a state alone that only stumbled.
pub(super) const FAILURES: u32 = 5;
/// One that answers every sixth question keeps a row from growing, and callers waiting in vain: of this many tries lately
/// four fifths in vain are enough too.
const LATELY: usize = 20;
const FAILURES_LATELY: usize = 16;
const LATELY_IS: Duration = Duration::from_mins(1);
/// Who refuses us altogether is asked again once in an hour, unless somebody says that it is over.
const PAUSE_WHEN_BLOCKED: Duration = Duration::from_hours(1);
/// New credentials may be there any time, and each look costs one question.
const PAUSE_WITHOUT_CREDENTIALS: Duration = Duration::from_mins(5);
/// A wish of the registry's is obeyed so far; then one lookup finds out.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);
/// One that was too busy for the lookup which was to find out is asked again after this.
const PAUSE_AFTER_NOTHING: Duration = Duration::from_secs(5);
/// Others wait for the lookup that finds out, but no longer than a good answer takes.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a try said of the one that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It answers.
    Alive,
    /// Nothing.
    Nothing,
    /// It did not answer.
    Failed(Failure),
}

/// A try in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) kind: TroubleKind,
    /// What it may be about instead: if all failures in a row are about the same, it is not the one that was asked.
    pub(super) about: Option<Subject>,
    /// A wish for a pause.
    pub(super) retry_after: Option<Duration>,
}

/// What a failure may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Number(VatNumber),
    MemberState(Prefix),
}

/// Whether it may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permit {
    /// Yes.
    Free,
    /// By one lookup, which finds out.
    Probe,
    /// That lookup is under way: its answer can be waited for.
    Wait,
    /// No.
    Shut(Shut),
}

/// Why it is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shut {
    /// What went wrong; `None`: somebody has opened the breaker by hand.
    pub cause: Option<TroubleKind>,
    /// When asking again makes sense; `None`: nobody knows.
    pub wait: Option<Duration>,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It answers again.
    Closed,
    /// It is left alone from now on.
    Opened(TroubleKind),
    /// It is left alone for another while.
    StillOpen,
}

/// How a breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It is asked.
    Closed,
    /// It is left alone.
    Open,
    /// One lookup finds out how things are, or the next one will.
    HalfOpen,
}

/// The breaker of one registry or member state.
#[derive(Debug)]
pub(super) struct Breaker {
    /// How long it is left alone.
    pause: Duration,
    /// A try is over after this time.
    try_limit: Duration,
    state: State,
    cause: Option<TroubleKind>,
    row: u32,
    /// What all failures in the row may be about instead.
    same_subject: Option<Subject>,
    lately: VecDeque<(Instant, bool)>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed,
    /// `None`: until somebody closes it. Afterwards the next lookup finds out.
    Open {
        until: Option<Instant>,
    },
    Probing {
        since: Instant,
    },
}

impl Breaker {
    pub(super) const fn new(pause: Duration, try_limit: Duration) -> Self {
        Self {
            pause,
            try_limit,
            state: State::Closed,
            cause: None,
            row: 0,
            same_subject: None,
            lately: VecDeque::new(),
        }
    }

    pub(super) fn permit(&self, now: Instant) -> Permit {
        match self.state {
            State::Closed => Permit::Free,
            State::Open { until: Some(until) } if until <= now => Permit::Probe,
            State::Open { until } => Permit::Shut(Shut {
                cause: self.cause,
                wait: until.map(|until| until.saturating_duration_since(now)),
            }),
            State::Probing { since } if now < since + PATIENCE => Permit::Wait,
            State::Probing { since } => Permit::Shut(Shut {
                cause: self.cause,
                wait: Some((since + self.try_limit).saturating_duration_since(now)),
            }),
        }
    }

    pub(super) fn position(&self, now: Instant) -> Position {
        match self.permit(now) {
            Permit::Free => Position::Closed,
            Permit::Probe | Permit::Wait => Position::HalfOpen,
            Permit::Shut(_) if matches!(self.state, State::Probing { .. }) => Position::HalfOpen,
            Permit::Shut(_) => Position::Open,
        }
    }

    /// When those who wait have waited long enough, or somebody may find out.
    pub(super) fn changes_at(&self) -> Option<Instant> {
        match self.state {
            State::Closed => None,
            State::Open { until } => until,
            State::Probing { since } => Some(since + PATIENCE),
        }
    }

    pub(super) const fn cause(&self) -> Option<TroubleKind> {
        self.cause
    }

    /// A lookup begins. Whether it is the one that finds out.
    pub(super) fn begin(&mut self, now: Instant) -> bool {
        let probes = self.permit(now) == Permit::Probe;
        if probes {
            self.state = State::Probing { since: now };
        }
        probes
    }

    /// A lookup that had begun was given up before anything was known.
    pub(super) const fn give_up(&mut self, probes: bool, now: Instant) {
        if probes && matches!(self.state, State::Probing { .. }) {
            self.state = State::Open { until: Some(now) };
        }
    }

    /// A lookup that had begun, perhaps to find out, has ended.
    pub(super) fn note(&mut self, sign: Sign, probes: bool, now: Instant) -> Option<Change> {
        match (self.state, sign) {
            _ if self.is_held(now) => None,
            (_, Sign::Failed(failure)) if failure.pause().is_some() => Some(self.open(failure, now)),
            (State::Closed, sign) => self.note_while_closed(sign, now),
            (State::Probing { .. }, Sign::Alive) if probes => {
                self.close();
                Some(Change::Closed)
            }
            (State::Probing { .. }, Sign::Failed(failure)) if probes => Some(self.open(failure, now)),
            (State::Probing { .. }, Sign::Nothing) if probes => {
                self.state = State::Open { until: Some(now + PAUSE_AFTER_NOTHING) };
                Some(Change::StillOpen)
            }
            // Begun before it was opened: the one that finds out says more.
            (State::Probing { .. } | State::Open { .. }, _) => None,
        }
    }

    fn note_while_closed(&mut self, sign: Sign, now: Instant) -> Option<Change> {
        let failure = match sign {
            Sign::Nothing => return None,
            Sign::Alive => None,
            Sign::Failed(failure) => Some(failure),
        };
        while self.lately.len() >= LATELY
            || self.lately.front().is_some_and(|(at, _)| now.saturating_duration_since(*at) > LATELY_IS)
        {
            self.lately.pop_front();
        }
        self.lately.push_back((now, failure.is_some()));
        let Some(failure) = failure else {
            self.row = 0;
            return None;
        };
        if self.row == 0 {
            self.same_subject = failure.about;
        } else if self.same_subject != failure.about {
            self.same_subject = None;
        }
        self.row += 1;
        let in_a_row = self.row >= FAILURES && self.same_subject.is_none();
        let in_vain = || self.lately.iter().filter(|(_, failed)| *failed).count();
        let nearly_all = self.lately.len() >= LATELY && in_vain() >= FAILURES_LATELY && in_vain() > 0;
        // Where a whole registry is judged by its member states, one of them may cause nearly all.
        let of_one_state = matches!(failure.about, Some(Subject::MemberState(_)));
        (in_a_row || (nearly_all && !of_one_state)).then(|| self.open(failure, now))
    }

    /// Leaves it alone for this long, or until somebody closes the breaker.
    pub(super) fn open_by_hand(&mut self, lasting: Option<Duration>, now: Instant) {
        self.state = State::Open { until: lasting.map(|lasting| now + lasting) };
        self.cause = None;
    }

    /// Somebody opened it for a time that is over: the next lookup finds out.
    pub(super) fn end_hold(&mut self, now: Instant) {
        if self.is_held(now) {
            self.state = State::Open { until: Some(now) };
        }
    }

    /// Whether it is open because somebody wants it so.
    fn is_held(&self, now: Instant) -> bool {
        let is_open = matches!(self.state, State::Open { until } if until.is_none_or(|until| until > now));
        is_open && self.cause.is_none()
    }

    pub(super) fn close(&mut self) {
        (self.state, self.cause, self.row) = (State::Closed, None, 0);
        self.lately.clear();
    }

    fn open(&mut self, failure: Failure, now: Instant) -> Change {
        let pause = failure.pause().unwrap_or(self.pause);
        let wish = failure.retry_after.unwrap_or_default().min(LONGEST_PAUSE);
        let before = self.cause.filter(|_| !matches!(self.state, State::Closed));
        self.state = State::Open { until: Some(now + pause.max(wish)) };
        self.cause = Some(failure.kind);
        if before == self.cause { Change::StillOpen } else { Change::Opened(failure.kind) }
    }
}

impl Failure {
    /// The pause after one failure that leaves no doubt.
    const fn pause(&self) -> Option<Duration> {
        match self.kind {
            TroubleKind::CallerBlocked => Some(PAUSE_WHEN_BLOCKED),
            TroubleKind::NotConfigured => Some(PAUSE_WITHOUT_CREDENTIALS),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_mins(1);
    const TRY: Duration = Duration::from_secs(15);
    const SECOND: Duration = Duration::from_secs(1);

    fn breaker() -> Breaker {
        Breaker::new(PAUSE, TRY)
    }

    fn failed(kind: TroubleKind) -> Sign {
        Sign::Failed(Failure { kind, about: None, retry_after: None })
    }

    fn about(number: &str) -> Sign {
        let about = VatNumber::parse(number).number().map(Subject::Number);
        Sign::Failed(Failure { kind: TroubleKind::TimedOut, about, retry_after: None })
    }

    fn opened(at: Instant) -> Breaker {
        let mut breaker = breaker();
        for _ in 0..FAILURES {
            breaker.note(failed(TroubleKind::TimedOut), false, at);
        }
        assert_eq!(breaker.position(at), Position::Open);
        breaker
    }

    #[test]
    fn five_in_a_row_open_it_for_a_minute_and_one_answer_between_does_not() {
        let now = Instant::now();
        let mut breaker = breaker();
        for sign in [Sign::Alive, Sign::Nothing] {
            for _ in 0..FAILURES - 1 {
                assert_eq!(breaker.note(failed(TroubleKind::MemberStateUnavailable), false, now), None);
            }
            assert_eq!((breaker.note(sign, false, now), breaker.permit(now)), (None, Permit::Free));
        }
        let kind = TroubleKind::MemberStateUnavailable;
        assert_eq!(breaker.note(failed(kind), false, now), Some(Change::Opened(kind)));
        for (after, wait) in [(0, 60), (20, 40), (59, 1)] {
            let shut = Shut { cause: Some(kind), wait: Some(Duration::from_secs(wait)) };
            assert_eq!(breaker.permit(now + SECOND * after), Permit::Shut(shut));
        }
        assert_eq!(breaker.permit(now + PAUSE), Permit::Probe);
    }

    #[test]
    fn what_somebody_opened_stays_open_whatever_is_heard_and_then_one_lookup_finds_out() {
        let now = Instant::now();
        for lasting in [None, Some(PAUSE * 60)] {
            let mut breaker = breaker();
            breaker.open_by_hand(lasting, now);
            let shut = Permit::Shut(Shut { cause: None, wait: lasting });
            for kind in [TroubleKind::NotConfigured, TroubleKind::TimedOut] {
                assert_eq!(breaker.note(failed(kind), false, now), None);
            }
            assert_eq!(breaker.note(Sign::Alive, true, now), None);
            assert_eq!(breaker.permit(now), shut);
            breaker.end_hold(now + SECOND);
            assert_eq!(breaker.permit(now + SECOND), Permit::Probe);
            assert!(breaker.begin(now + SECOND));
            breaker.end_hold(now + SECOND);
            assert_eq!(breaker.note(Sign::Alive, true, now + SECOND), Some(Change::Closed));
        }
        let mut by_itself = opened(now);
        by_itself.end_hold(now);
        assert_eq!(by_itself.position(now), Position::Open);
    }

    #[test]
    fn one_number_that_always_fails_is_no_outage() {
        let now = Instant::now();
        let mut breaker = breaker();
        for _ in 0..12 {
            assert_eq!(breaker.note(about("DE136695976"), false, now), None);
        }
        assert!(breaker.note(about("DE111111125"), false, now).is_some(), "a second one is");
    }

    #[test]
    fn one_that_nearly_never_answers_is_left_alone_too() {
        let now = Instant::now();
        let mut breaker = breaker();
        let tried = (0..40_u32).find(|at| {
            let sign = if at % 5 == 4 { Sign::Alive } else { failed(TroubleKind::Unreadable) };
            breaker.note(sign, false, now + SECOND * *at).is_some()
        });
        assert_eq!(tried, Some(20), "twenty are needed");
        let mut slow = Breaker::new(PAUSE, TRY);
        for at in 0..40_u32 {
            let sign = if at % 5 == 4 { Sign::Alive } else { failed(TroubleKind::Unreadable) };
            assert_eq!(slow.note(sign, false, now + SECOND * at * 4), None, "over minutes that is nothing");
        }
    }

    #[test]
    fn one_lookup_finds_out_and_others_wait_for_it_for_a_moment() {
        let now = Instant::now();
        let mut breaker = opened(now);
        let later = now + PAUSE;
        assert!(breaker.begin(later));
        assert!(!breaker.begin(later), "one alone");
        assert_eq!(breaker.permit(later + SECOND), Permit::Wait);
        let shut = Shut { cause: Some(TroubleKind::TimedOut), wait: Some(SECOND * 13) };
        assert_eq!(breaker.permit(later + PATIENCE), Permit::Shut(shut), "the rest of its try");
        assert_eq!(breaker.position(later + PATIENCE), Position::HalfOpen);
        assert_eq!(breaker.note(Sign::Alive, false, later), None, "an older one says less");
        assert_eq!(breaker.note(Sign::Alive, true, later), Some(Change::Closed));
        assert_eq!((breaker.permit(later), breaker.cause()), (Permit::Free, None));
        for _ in 0..FAILURES - 1 {
            assert_eq!(
                breaker.note(failed(TroubleKind::TimedOut), false, later),
                None,
                "the row begins anew"
            );
        }
    }

    #[test]
    fn when_it_is_found_out_in_vain_it_is_left_alone_for_another_minute() {
        let now = Instant::now();
        let later = now + PAUSE;
        for (sign, until) in
            [(failed(TroubleKind::TimedOut), later + PAUSE), (Sign::Nothing, later + PAUSE_AFTER_NOTHING)]
        {
            let mut breaker = opened(now);
            assert!(breaker.begin(later));
            assert_eq!(breaker.note(sign, true, later), Some(Change::StillOpen));
            assert_eq!(breaker.permit(until), Permit::Probe);
            assert!(matches!(breaker.permit(until - SECOND), Permit::Shut(_)));
        }
        let mut breaker = opened(now);
        assert!(breaker.begin(later));
        breaker.give_up(true, later);
        assert_eq!(breaker.permit(later), Permit::Probe, "given up: the next one finds out");
    }

    #[test]
    fn a_wish_for_a_pause_is_obeyed_within_bounds() {
        let now = Instant::now();
        for (wish, pause) in [(10, 60), (120, 120), (100_000, 3600)] {
            let mut breaker = breaker();
            let retry_after = Some(Duration::from_secs(wish));
            let failure = Failure { kind: TroubleKind::RegistryClosed, about: None, retry_after };
            for _ in 0..FAILURES {
                breaker.note(Sign::Failed(failure), false, now);
            }
            assert_eq!(breaker.changes_at(), Some(now + Duration::from_secs(pause)), "{wish}");
        }
    }

    #[test]
    fn who_is_blocked_or_has_no_credentials_stops_at_once_and_says_so_once() {
        let now = Instant::now();
        for (kind, pause) in [
            (TroubleKind::CallerBlocked, PAUSE_WHEN_BLOCKED),
            (TroubleKind::NotConfigured, PAUSE_WITHOUT_CREDENTIALS),
        ] {
            let mut breaker = breaker();
            assert_eq!(breaker.note(failed(kind), false, now), Some(Change::Opened(kind)));
            assert_eq!(breaker.note(failed(kind), false, now), Some(Change::StillOpen), "in flight before");
            assert_eq!(breaker.permit(now + pause), Permit::Probe);
            breaker.begin(now + pause);
            assert_eq!(breaker.note(failed(kind), true, now + pause), Some(Change::StillOpen));
            assert_eq!(breaker.changes_at(), Some(now + pause * 2));
        }
        let mut breaker = opened(now);
        let blocked = TroubleKind::CallerBlocked;
        assert_eq!(
            breaker.note(failed(blocked), false, now),
            Some(Change::Opened(blocked)),
            "while open too"
        );
    }

    #[test]
    fn by_hand_it_is_open_until_the_time_or_the_hand_that_closes_it() {
        let now = Instant::now();
        let mut breaker = breaker();
        breaker.open_by_hand(None, now);
        assert_eq!(breaker.permit(now + PAUSE * 600), Permit::Shut(Shut { cause: None, wait: None }));
        assert_eq!(breaker.note(failed(TroubleKind::CallerBlocked), false, now), None);
        breaker.close();
        assert_eq!(breaker.permit(now), Permit::Free);
        breaker.open_by_hand(Some(PAUSE), now);
        assert_eq!(breaker.permit(now), Permit::Shut(Shut { cause: None, wait: Some(PAUSE) }));
        assert_eq!(breaker.permit(now + PAUSE), Permit::Probe);
    }
}
