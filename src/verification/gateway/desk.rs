//! Where lookups wait for their turn at one registry, and the clerk who calls them: nobody is called before the registry
//! may be asked, so that whoever comes meanwhile takes part; and nobody waits for one that is left alone.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use metrics::{gauge, histogram};
use tokio::{
    runtime::Handle,
    sync::{Notify, oneshot},
    task::JoinHandle,
    time::{Instant, sleep, sleep_until},
};
use vat::{Prefix, Registry, VatNumber};

use super::{
    asking::Asking,
    breakers::{BreakerState, Breakers, LeftAlone, Probes, Said},
    fair_queue::{Bounds, FairQueue, Ticket},
    limit::{Limit, Measure, NotNow},
};
use crate::verification::registry::{RegistryError, TroubleKind};

/// More than a registry can answer while anybody waits; the rest is told at once that there is no time.
const BOUNDS: Bounds = Bounds { in_all: 50_000, of_an_account: 5000 };
/// A turn that is dropped unused so soon can be had by another.
const GIVEN_BACK_WITHIN: Duration = Duration::from_millis(50);
/// A registry that was silent needs a moment to see that nobody waits any more; until then it counts the lookup as on its
/// way.
const SEEN_WITHIN: Duration = Duration::from_secs(1);
/// The clerk looks so often whether or not there are news.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// Why a lookup has no turn and will have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTurn {
    /// The registry, or the member state, is left alone.
    LeftAlone(LeftAlone),
    /// Too many wait.
    Full,
    /// Nobody wants it any more.
    GivenUp,
}

/// Who goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Accounts take turns.
    Usual,
    /// Only when nobody else wants the turn.
    Idle,
}

/// How it stands with a registry, or with a member state behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeskState {
    /// Lookups that wait for their turn.
    pub waiting: usize,
    /// The accounts whose lookups these are; of a member state it is not known.
    pub accounts: Option<usize>,
    /// How long the first of them has waited; of a member state it is not known.
    pub longest_wait: Option<Duration>,
    /// Lookups on their way.
    pub in_flight: usize,
    /// How much may be asked: HMRC in a second, VIES and its member states at once.
    pub measure: Measure,
    /// For how long nobody asks, since the registry said "too many".
    pub silent_for: Option<Duration>,
    /// Whether it is left alone.
    pub breaker: BreakerState,
}

/// Where lookups wait for a turn at one registry.
pub(super) struct Desk<L: Limit> {
    registry: Registry,
    limit: L,
    room: Mutex<Room<L>>,
    /// Somebody has come, or something has changed.
    news: Notify,
    /// Something was given back since the clerk looked last.
    given_back: AtomicBool,
}

struct Room<L: Limit> {
    usual: FairQueue<Waiting<L>>,
    idle: FairQueue<Waiting<L>>,
    breakers: Breakers,
    /// In the order of [`Prefix::ALL`].
    in_flight: [usize; Prefix::ALL.len()],
}

/// Somebody who waits, and how to call them.
struct Waiting<L: Limit> {
    call: oneshot::Sender<Result<Turn<L>, NoTurn>>,
    since: Instant,
}

/// Somebody's place among those who wait. Dropped, it is nobody's.
struct Seat<L: Limit> {
    desk: Arc<Desk<L>>,
    lane: Prefix,
    ticket: Ticket,
    urgency: Urgency,
    called: oneshot::Receiver<Result<Turn<L>, NoTurn>>,
}

/// The right to ask once. Whether it is used or dropped, what was taken for it is given back with it.
pub(super) struct Turn<L: Limit> {
    desk: Arc<Desk<L>>,
    lane: Prefix,
    held: Option<L::Held>,
    probes: Probes,
    called_at: Instant,
    begun: Option<Instant>,
    ended: bool,
    /// The registry said nothing as long as anybody waited.
    silent: bool,
}

/// The clerk of a desk, who goes home when this is dropped.
pub(super) struct Clerk(JoinHandle<()>);

/// In which lanes nothing is to be had at present, as the limit says.
struct NothingToHave {
    at_all: Option<Instant>,
    in_lanes: [Option<Instant>; Prefix::ALL.len()],
}

impl<L: Limit> Desk<L> {
    pub(super) fn open(limit: L, breakers: Breakers) -> (Arc<Self>, Clerk) {
        let registry = breakers.registry();
        let room = Room {
            usual: FairQueue::new(BOUNDS),
            idle: FairQueue::new(BOUNDS),
            breakers,
            in_flight: [0; Prefix::ALL.len()],
        };
        let desk = Arc::new(Self {
            registry,
            limit,
            room: Mutex::new(room),
            news: Notify::new(),
            given_back: AtomicBool::new(false),
        });
        let clerk = Clerk(tokio::spawn(serve(Arc::clone(&desk))));
        (desk, clerk)
    }

    /// Waits for a turn to ask about a number of `lane`. Dropping the future leaves the queue.
    pub(super) async fn turn(
        self: &Arc<Self>,
        lane: Prefix,
        asking: &mut Asking,
        urgency: Urgency,
    ) -> Result<Turn<L>, NoTurn> {
        let mut seat = self.sit_down(lane, asking, urgency)?;
        let given_up = asking.clone();
        let given_up = given_up.given_up();
        tokio::pin!(given_up);
        loop {
            tokio::select! {
                // The clerk has gone home: the server ends.
                called = &mut seat.called => return called.unwrap_or(Err(NoTurn::Full)),
                () = &mut given_up => return Err(NoTurn::GivenUp),
                size = asking.size.less() => self.room().queue(urgency).shorten(seat.ticket, size),
            }
        }
    }

    fn sit_down(
        self: &Arc<Self>,
        lane: Prefix,
        asking: &Asking,
        urgency: Urgency,
    ) -> Result<Seat<L>, NoTurn> {
        let now = Instant::now();
        let (call, called) = oneshot::channel();
        let ticket = {
            let mut room = self.room();
            if let Some(left_alone) = room.breakers.left_alone(lane, now) {
                return Err(NoTurn::LeftAlone(left_alone));
            }
            let waiting = Waiting { call, since: now };
            let joined = room.queue(urgency).join(asking.account, lane, asking.size.now(), waiting);
            let ticket = joined.map_err(|_| NoTurn::Full)?;
            self.show(&room, lane);
            ticket
        };
        self.news.notify_one();
        Ok(Seat { desk: Arc::clone(self), lane, ticket, urgency, called })
    }

    /// For how long nobody asks about numbers of `lane`, since the registry wants it so, when that is beyond `deadline`: then
    /// waiting is no use.
    pub(super) fn silent_beyond(&self, lane: Prefix, deadline: Instant) -> Option<Duration> {
        let now = Instant::now();
        let end = self.limit.silent_until(lane, now).filter(|end| *end >= deadline)?;
        Some(end - now)
    }

    /// How it stands with the registry, or with one member state.
    pub(super) fn state(&self, lane: Option<Prefix>) -> DeskState {
        let now = Instant::now();
        let room = self.room();
        let (waiting, in_flight) = lane.map_or_else(
            || (room.usual.len() + room.idle.len(), room.in_flight.iter().sum()),
            |lane| (room.waiting_in(lane), room.in_flight[lane as usize]),
        );
        // HMRC has one lane, which is all of it.
        let silent_lane = lane.or((self.registry == Registry::Hmrc).then_some(Prefix::Gb));
        let silent_until = silent_lane.and_then(|lane| self.limit.silent_until(lane, now));
        DeskState {
            waiting,
            accounts: lane.is_none().then(|| room.usual.accounts()),
            longest_wait: room.usual.oldest().filter(|_| lane.is_none()).map(|first| now - first.since),
            in_flight,
            measure: self.limit.measure(lane, now),
            silent_for: silent_until.map(|until| until - now),
            breaker: room.breakers.state(lane, now),
        }
    }

    /// What several tries together say, beyond what each has said.
    pub(super) fn learn(&self, number: VatNumber, said: &Said) {
        self.room().breakers.note(number, said, Probes::default(), Instant::now());
        self.news.notify_one();
    }

    /// Leaves the registry, or a member state, alone for so long, or until somebody says otherwise.
    pub(super) fn leave_alone(&self, lane: Option<Prefix>, lasting: Option<Duration>) {
        self.room().breakers.open_by_hand(lane, lasting, Instant::now());
        self.news.notify_one();
    }

    /// The time is over for which somebody wanted it left alone.
    pub(super) fn end_hold(&self, lane: Option<Prefix>) {
        self.room().breakers.end_hold(lane, Instant::now());
        self.news.notify_one();
    }

    /// Forgets every failure and every refusal of the registry, or of a member state.
    pub(super) fn ask_again(&self, lane: Option<Prefix>) {
        self.limit.reset(lane);
        self.room().breakers.close_by_hand(lane);
        self.given_back.store(true, Ordering::Release);
        self.news.notify_one();
    }

    /// What the clerk finds: the lane of the one who is next, or when it is worth another look. Whoever need not wait is told
    /// so.
    fn look(&self, nothing: &NothingToHave) -> Result<Prefix, Instant> {
        let now = Instant::now();
        let mut room = self.room();
        let mut dismissed = Vec::new();
        let mut open = [false; Prefix::ALL.len()];
        let mut wake = now + LOOK_EVERY;
        for lane in Prefix::ALL.into_iter().filter(|lane| room.waiting_in(*lane) > 0).collect::<Vec<_>>() {
            if let Some(left_alone) = room.breakers.left_alone(lane, now) {
                let waiting = [room.usual.clear(lane), room.idle.clear(lane)];
                dismissed.extend(waiting.into_iter().flatten().map(|waiting| (waiting, left_alone)));
                self.show(&room, lane);
                continue;
            }
            let not_before = nothing.until(lane).max(self.limit.silent_until(lane, now));
            if let Some(not_before) = not_before.filter(|not_before| *not_before > now) {
                wake = wake.min(not_before);
            } else {
                open[lane as usize] = room.breakers.is_open_for(lane, now);
            }
        }
        let is_open = |lane: Prefix| open[lane as usize];
        let next = room.usual.lane_of_next(is_open).or_else(|| room.idle.lane_of_next(is_open));
        let wake = room.breakers.change_after(now).map_or(wake, |change| wake.min(change));
        drop(room);
        for (waiting, left_alone) in dismissed {
            // Gone already: all the same.
            let _gone = waiting.call.send(Err(NoTurn::LeftAlone(left_alone)));
        }
        next.ok_or(wake)
    }

    /// Calls whoever is next in `lane`.
    fn call(self: &Arc<Self>, lane: Prefix, held: L::Held) {
        let now = Instant::now();
        let called = {
            let mut room = self.room();
            let in_lane = |one: Prefix| one == lane;
            let waiting = room.usual.call(in_lane).or_else(|| room.idle.call(in_lane));
            waiting.map(|waiting| {
                let probes = room.breakers.begin(lane, now);
                room.in_flight[lane as usize] += 1;
                self.show(&room, lane);
                (waiting, probes)
            })
        };
        let Some((waiting, probes)) = called else {
            drop(held);
            self.limit.give_back();
            return;
        };
        let waited = now.saturating_duration_since(waiting.since);
        histogram!("crossvat_registry_wait_seconds", "registry" => self.registry.name(), "prefix" => lane.as_str())
            .record(waited);
        let turn = Turn {
            desk: Arc::clone(self),
            lane,
            held: Some(held),
            probes,
            called_at: now,
            begun: None,
            ended: false,
            silent: false,
        };
        // Whoever has left meanwhile drops it, and so leaves it to another.
        drop(waiting.call.send(Ok(turn)));
    }

    /// Gives back what was taken for a question, a moment later when nothing was said to it.
    fn give_back(self: &Arc<Self>, held: L::Held, silent: bool) {
        // Without a runtime the server has ended, and nobody takes anything any more.
        let Some(runtime) = Handle::try_current().ok().filter(|_| silent) else { return };
        let desk = Arc::clone(self);
        runtime.spawn(async move {
            sleep(SEEN_WITHIN).await;
            drop(held);
            desk.given_back.store(true, Ordering::Release);
            desk.news.notify_one();
        });
    }

    fn show(&self, room: &Room<L>, lane: Prefix) {
        let (registry, prefix) = (self.registry.name(), lane.as_str());
        let figure = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        gauge!("crossvat_registry_queue", "registry" => registry, "prefix" => prefix)
            .set(figure(room.waiting_in(lane)));
        gauge!("crossvat_registry_in_flight", "registry" => registry, "prefix" => prefix)
            .set(figure(room.in_flight[lane as usize]));
    }

    fn room(&self) -> MutexGuard<'_, Room<L>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls one after the other, as the registry lets.
async fn serve<L: Limit>(desk: Arc<Desk<L>>) {
    let mut nothing = NothingToHave::default();
    loop {
        if desk.given_back.swap(false, Ordering::AcqRel) {
            nothing = NothingToHave::default();
        }
        match desk.look(&nothing) {
            Ok(lane) => match desk.limit.take(lane).await {
                Ok(held) => desk.call(lane, held),
                Err(NotNow::Lane(until)) => nothing.in_lanes[lane as usize] = Some(until),
                Err(NotNow::All(until)) => nothing.at_all = Some(until),
            },
            Err(wake) => tokio::select! {
                () = desk.news.notified() => {}
                () = sleep_until(wake) => {}
            },
        }
    }
}

impl Drop for Clerk {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<L: Limit> Room<L> {
    const fn queue(&mut self, urgency: Urgency) -> &mut FairQueue<Waiting<L>> {
        match urgency {
            Urgency::Usual => &mut self.usual,
            Urgency::Idle => &mut self.idle,
        }
    }

    const fn waiting_in(&self, lane: Prefix) -> usize {
        self.usual.len_of(lane) + self.idle.len_of(lane)
    }
}

impl<L: Limit> Drop for Seat<L> {
    fn drop(&mut self) {
        let mut room = self.desk.room();
        if room.queue(self.urgency).leave(self.ticket).is_some() {
            self.desk.show(&room, self.lane);
        }
    }
}

impl<L: Limit> Turn<L> {
    /// The question is put now.
    pub(super) fn begin(&mut self) -> Instant {
        self.desk.limit.begun();
        *self.begun.insert(Instant::now())
    }

    /// The question was answered, or was not.
    pub(super) fn end(mut self, number: VatNumber, said: &Said) {
        self.ended = true;
        let now = Instant::now();
        self.silent =
            matches!(said, Err(RegistryError::Trouble(trouble)) if trouble.kind == TroubleKind::TimedOut);
        if let Err(RegistryError::Trouble(trouble)) = said {
            self.desk.limit.learn(self.lane, trouble, self.begun.unwrap_or(self.called_at), now);
        }
        self.desk.room().breakers.note(number, said, self.probes, now);
    }
}

impl<L: Limit> Drop for Turn<L> {
    fn drop(&mut self) {
        let now = Instant::now();
        if self.begun.is_none() && now.saturating_duration_since(self.called_at) < GIVEN_BACK_WITHIN {
            self.desk.limit.give_back();
        }
        if let Some(held) = self.held.take() {
            self.desk.give_back(held, self.silent);
        }
        {
            let mut room = self.desk.room();
            room.in_flight[self.lane as usize] -= 1;
            if !self.ended {
                room.breakers.give_up(self.lane, self.probes, now);
            }
            self.desk.show(&room, self.lane);
        }
        self.desk.given_back.store(true, Ordering::Release);
        self.desk.news.notify_one();
    }
}

impl Default for NothingToHave {
    fn default() -> Self {
        Self { at_all: None, in_lanes: [None; Prefix::ALL.len()] }
    }
}

impl NothingToHave {
    fn until(&self, lane: Prefix) -> Option<Instant> {
        self.at_all.max(self.in_lanes[lane as usize])
    }
}
