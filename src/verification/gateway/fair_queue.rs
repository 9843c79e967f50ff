//! Who is next when many wait for few turns. Pure: no clock, no registry; a lane is the prefix that is asked about.
//!
//! * Accounts take turns: the least served goes next, and of those equally served the one whose last turn is longest ago.
//!   Whoever comes anew is treated as served like the one whose turn it was last: it goes next, but has saved up nothing.
//! * Within an account the lookups of short calls go before those of long ones; now and then the one that has waited
//!   longest goes first all the same.
//! * A lane that is not open holds nobody up but those who wait in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;
use uuid::Uuid;
use vat::Prefix;

/// Whoever comes anew is taken for one whose last turn was so many turns ago, and goes before up to so many others, but not
/// again and again before the same one.
const LEAD: u64 = 32;
/// So often an account's turn goes to its lookup that has waited longest, however long its call is.
const OLDEST_EVERY: u64 = 8;
/// Accounts without waiting lookups that are remembered beyond the waiting ones before those that may be are forgotten.
const RESTING: usize = 1000;

/// How many may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// In all.
    pub(super) in_all: usize,
    /// Of one account.
    pub(super) of_an_account: usize,
}

/// Names one who waits, for as long as it does. Later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket(u64);

/// Those who wait, each with a `T` of its own.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    bounds: Bounds,
    waiting: BTreeMap<Ticket, Waiting<T>>,
    /// Those that wait, and those that were served lately.
    accounts: HashMap<Uuid, Account, RandomState>,
    /// The accounts that wait, the next one first: by how much they were served and when last.
    order: BTreeSet<(u64, u64, Uuid)>,
    /// How much the account was served whose turn it was last. Nobody enters with less.
    level: u64,
    /// The turn at which the level rose last.
    risen: u64,
    turns: u64,
    tickets: u64,
    of_lanes: [usize; Prefix::ALL.len()],
}

#[derive(Debug)]
struct Waiting<T> {
    account: Uuid,
    lane: Prefix,
    size: usize,
    value: T,
}

#[derive(Debug)]
struct Account {
    served: u64,
    last_turn: u64,
    turns: u64,
    waiting: usize,
    /// Only lanes in which something waits; by the lane's place in [`Prefix::ALL`].
    lanes: BTreeMap<usize, Lane>,
}

#[derive(Debug, Default)]
struct Lane {
    by_size: BTreeSet<(usize, Ticket)>,
    by_age: BTreeSet<Ticket>,
}

impl<T> FairQueue<T> {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            waiting: BTreeMap::new(),
            accounts: HashMap::default(),
            order: BTreeSet::new(),
            level: 0,
            risen: LEAD,
            turns: LEAD,
            tickets: 0,
            of_lanes: [0; Prefix::ALL.len()],
        }
    }

    /// Lines up a lookup of a call of `size` numbers. `Err`: too many wait already.
    pub(super) fn join(&mut self, account: Uuid, lane: Prefix, size: usize, value: T) -> Result<Ticket, T> {
        if self.waiting.len() >= self.bounds.in_all {
            return Err(value);
        }
        // Newcomers without end would keep the level where it is, and those above it waiting.
        let level = self.level + u64::from(self.turns - self.risen > LEAD);
        let last_turn = self.turns - LEAD;
        let entry = self.accounts.entry(account).or_insert_with(|| Account {
            served: level,
            last_turn,
            turns: 0,
            waiting: 0,
            lanes: BTreeMap::new(),
        });
        if entry.waiting >= self.bounds.of_an_account {
            return Err(value);
        }
        if entry.waiting == 0 {
            entry.served = entry.served.max(level);
            self.order.insert((entry.served, entry.last_turn, account));
        }
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        entry.waiting += 1;
        entry.lanes.entry(lane as usize).or_default().insert(size, ticket);
        self.of_lanes[lane as usize] += 1;
        self.waiting.insert(ticket, Waiting { account, lane, size, value });
        Ok(ticket)
    }

    /// Takes somebody out who waits no longer; `None` when its turn has come already.
    pub(super) fn leave(&mut self, ticket: Ticket) -> Option<T> {
        let waiting = self.remove(ticket)?;
        if let Some(account) = self.accounts.get(&waiting.account)
            && account.waiting == 0
        {
            self.order.remove(&(account.served, account.last_turn, waiting.account));
        }
        self.tidy();
        Some(waiting.value)
    }

    /// A call of `size` numbers waits for it too.
    pub(super) fn shorten(&mut self, ticket: Ticket, size: usize) {
        let Some(waiting) = self.waiting.get_mut(&ticket).filter(|waiting| waiting.size > size) else {
            return;
        };
        let account = self.accounts.get_mut(&waiting.account);
        if let Some(lane) = account.and_then(|account| account.lanes.get_mut(&(waiting.lane as usize))) {
            lane.by_size.remove(&(waiting.size, ticket));
            lane.by_size.insert((size, ticket));
        }
        waiting.size = size;
    }

    /// The lane of the one who is next, when only these lanes are open.
    pub(super) fn lane_of_next(&self, open: impl Fn(Prefix) -> bool) -> Option<Prefix> {
        self.waiting.get(&self.next(&open)?).map(|waiting| waiting.lane)
    }

    /// Calls the one who is next, when only these lanes are open.
    pub(super) fn call(&mut self, open: impl Fn(Prefix) -> bool) -> Option<T> {
        let waiting = self.next(&open).and_then(|ticket| self.remove(ticket))?;
        if let Some(account) = self.accounts.get_mut(&waiting.account) {
            self.order.remove(&(account.served, account.last_turn, waiting.account));
            // Turns that could not be had, since no lane was open, are not made up for later.
            self.turns += 1;
            if account.served > self.level {
                (self.level, self.risen) = (account.served, self.turns);
            }
            account.served = self.level + 1;
            account.last_turn = self.turns;
            account.turns += 1;
            if account.waiting > 0 {
                self.order.insert((account.served, account.last_turn, waiting.account));
            }
        }
        self.tidy();
        Some(waiting.value)
    }

    /// Takes everybody out who waits in a lane.
    pub(super) fn clear(&mut self, lane: Prefix) -> Vec<T> {
        if self.of_lanes[lane as usize] == 0 {
            return Vec::new();
        }
        let waiting = self.waiting.iter().filter(|(_, waiting)| waiting.lane == lane);
        let tickets: Vec<Ticket> = waiting.map(|(ticket, _)| *ticket).collect();
        tickets.into_iter().filter_map(|ticket| self.leave(ticket)).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) const fn len_of(&self, lane: Prefix) -> usize {
        self.of_lanes[lane as usize]
    }

    /// How many accounts wait.
    pub(super) fn accounts(&self) -> usize {
        self.order.len()
    }

    /// What has waited longest.
    pub(super) fn oldest(&self) -> Option<&T> {
        self.waiting.first_key_value().map(|(_, waiting)| &waiting.value)
    }

    fn next(&self, open: &impl Fn(Prefix) -> bool) -> Option<Ticket> {
        self.order.iter().find_map(|(_, _, account)| self.accounts.get(account)?.next(open))
    }

    fn remove(&mut self, ticket: Ticket) -> Option<Waiting<T>> {
        let waiting = self.waiting.remove(&ticket)?;
        let lane = waiting.lane as usize;
        self.of_lanes[lane] -= 1;
        if let Some(account) = self.accounts.get_mut(&waiting.account) {
            account.waiting -= 1;
            if let Some(tickets) = account.lanes.get_mut(&lane) {
                tickets.by_size.remove(&(waiting.size, ticket));
                tickets.by_age.remove(&ticket);
                if tickets.by_age.is_empty() {
                    account.lanes.remove(&lane);
                }
            }
        }
        Some(waiting)
    }

    /// Forgets accounts that could come again as if they had never been here.
    fn tidy(&mut self) {
        if self.waiting.is_empty() {
            self.accounts.clear();
        } else if self.accounts.len() > 2 * self.order.len() + RESTING {
            let level = self.level;
            self.accounts.retain(|_, account| account.waiting > 0 || account.served > level);
        }
    }
}

impl Account {
    fn next(&self, open: &impl Fn(Prefix) -> bool) -> Option<Ticket> {
        let lanes = self.lanes.iter().filter(|(lane, _)| open(Prefix::ALL[**lane]));
        if self.turns % OLDEST_EVERY == OLDEST_EVERY - 1 {
            lanes.filter_map(|(_, lane)| lane.by_age.first()).min().copied()
        } else {
            lanes.filter_map(|(_, lane)| lane.by_size.first()).min().map(|(_, ticket)| *ticket)
        }
    }
}

impl Lane {
    fn insert(&mut self, size: usize, ticket: Ticket) {
        self.by_size.insert((size, ticket));
        self.by_age.insert(ticket);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOUNDS: Bounds = Bounds { in_all: 10_000, of_an_account: 5000 };

    fn queue() -> FairQueue<(u128, usize)> {
        FairQueue::new(BOUNDS)
    }

    fn account(name: u128) -> Uuid {
        Uuid::from_u128(name)
    }

    impl FairQueue<(u128, usize)> {
        fn add(&mut self, name: u128, lane: Prefix, size: usize, count: usize) -> Vec<Ticket> {
            (0..count).map(|at| self.join(account(name), lane, size, (name, at)).expect("room")).collect()
        }

        fn turn(&mut self) -> (u128, usize) {
            self.call(|_| true).expect("somebody waits")
        }
    }

    #[test]
    fn a_newcomer_goes_next_and_then_takes_its_turn_like_all_others() {
        let mut queue = queue();
        for name in 1..=3 {
            queue.add(name, Prefix::Gb, 100, 300);
        }
        for _ in 0..100 {
            queue.turn();
        }
        queue.add(4, Prefix::Gb, 1, 1);
        assert_eq!(queue.turn().0, 4, "within one turn");
        queue.add(4, Prefix::Gb, 100, 100);
        let names: Vec<u128> = (0..40).map(|_| queue.turn().0).collect();
        for name in 1..=4 {
            assert_eq!(names.iter().filter(|one| **one == name).count(), 10, "{name}: {names:?}");
        }
    }

    #[test]
    fn who_was_away_has_saved_up_nothing() {
        let mut queue = queue();
        queue.add(1, Prefix::Gb, 100, 500);
        queue.add(2, Prefix::Gb, 1, 1);
        for _ in 0..200 {
            queue.turn();
        }
        queue.add(2, Prefix::Gb, 100, 100);
        let names: Vec<u128> = (0..20).map(|_| queue.turn().0).collect();
        assert_eq!(names.iter().filter(|one| **one == 2).count(), 10, "{names:?}");
    }

    #[test]
    fn newcomers_without_end_starve_nobody() {
        let mut queue = queue();
        queue.add(1, Prefix::Gb, 100, 100);
        queue.turn();
        queue.add(2, Prefix::Gb, 1, 1);
        queue.turn();
        let mut turns = 0;
        for name in 3.. {
            // One more comes for each that is served.
            queue.add(name, Prefix::Gb, 1, 1);
            turns += 1;
            if queue.turn().0 == 1 {
                break;
            }
        }
        assert!(turns <= LEAD + 4, "{turns}");
    }

    #[test]
    fn within_an_account_short_calls_go_first_but_long_ones_are_not_forgotten() {
        let mut queue = queue();
        queue.add(1, Prefix::Gb, 100, 50);
        for _ in 0..3 {
            queue.turn();
        }
        queue.add(1, Prefix::Gb, 1, 1);
        queue.add(1, Prefix::Gb, 7, 3);
        let sizes: Vec<usize> = (0..4).map(|_| queue.turn().1).collect();
        assert_eq!(sizes, [0, 0, 1, 2], "the single number, then the call of seven");
        // Single numbers without end: every so often the oldest goes.
        let mut long = 0;
        for _ in 0..OLDEST_EVERY * 5 {
            queue.add(1, Prefix::Gb, 1, 1);
            if queue.turn().1 != 0 {
                long += 1;
            }
        }
        assert_eq!(long, 5);
    }

    #[test]
    fn a_lookup_that_a_shorter_call_waits_for_too_moves_up() {
        let mut queue = queue();
        let tickets = queue.add(1, Prefix::Gb, 100, 50);
        queue.shorten(tickets[40], 1);
        queue.shorten(tickets[40], 10);
        assert_eq!(queue.turn(), (1, 40));
        assert_eq!(queue.turn(), (1, 0));
    }

    #[test]
    fn a_closed_lane_holds_nobody_else_up_and_saves_up_no_turns() {
        let mut queue = queue();
        queue.add(1, Prefix::De, 100, 100);
        queue.add(2, Prefix::Fr, 100, 200);
        let open = |lane: Prefix| lane != Prefix::De;
        for _ in 0..100 {
            assert_eq!(queue.call(open).expect("waits").0, 2);
        }
        assert_eq!(queue.lane_of_next(|lane| lane == Prefix::It), None);
        let names: Vec<u128> = (0..20).map(|_| queue.turn().0).collect();
        assert_eq!(names.iter().filter(|one| **one == 1).count(), 10, "{names:?}");
    }

    #[test]
    fn it_is_bounded_for_each_account_and_in_all() {
        let mut queue = FairQueue::new(Bounds { in_all: 3, of_an_account: 2 });
        for expected in [true, true, false] {
            assert_eq!(queue.join(account(1), Prefix::Gb, 1, ()).is_ok(), expected);
        }
        assert!(queue.join(account(2), Prefix::Gb, 1, ()).is_ok());
        assert!(queue.join(account(3), Prefix::Gb, 1, ()).is_err());
        assert!(queue.call(|_| true).is_some());
        assert!(queue.join(account(3), Prefix::Gb, 1, ()).is_ok());
    }

    #[test]
    fn accounts_that_rest_are_forgotten() {
        let mut queue = queue();
        queue.add(1, Prefix::De, 100, 1);
        let open = |lane: Prefix| lane == Prefix::Fr;
        for name in 2..10_000 {
            queue.add(name, Prefix::Fr, 1, 1);
            queue.call(open);
            queue.add(1, Prefix::Fr, 1, 2);
            queue.call(open);
            queue.call(open);
        }
        assert!(queue.accounts.len() <= RESTING + 4, "{}", queue.accounts.len());
        queue.clear(Prefix::De);
        assert!(queue.clear(Prefix::Fr).is_empty());
        assert_eq!((queue.len(), queue.accounts.len(), queue.accounts()), (0, 0, 0));
    }

    /// What may happen to a queue.
    #[derive(Clone, Debug)]
    enum Event {
        Join { name: u128, lane: usize, size: usize },
        Leave { at: usize },
        Shorten { at: usize, size: usize },
        Call { lanes: u32 },
        Clear { lane: usize },
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let event = prop_oneof![
            6 => (1..6_u128, 0..4_usize, 1..101_usize)
                .prop_map(|(name, lane, size)| Event::Join { name, lane, size }),
            1 => any::<usize>().prop_map(|at| Event::Leave { at }),
            1 => (any::<usize>(), 1..50_usize).prop_map(|(at, size)| Event::Shorten { at, size }),
            4 => (0..16_u32).prop_map(|lanes| Event::Call { lanes }),
            1 => (0..40_usize).prop_map(|lane| Event::Clear { lane }),
        ];
        proptest::collection::vec(event, 1..400)
    }

    proptest! {
        #[test]
        fn everybody_who_joins_is_called_or_leaves_exactly_once_and_only_through_an_open_lane(events in events()) {
            let mut queue: FairQueue<usize> = FairQueue::new(Bounds { in_all: 100, of_an_account: 40 });
            let mut waiting: BTreeMap<usize, (Ticket, usize)> = BTreeMap::new();
            let mut joined = 0;
            for event in events {
                match event {
                    Event::Join { name, lane, size } => {
                        joined += 1;
                        if let Ok(ticket) = queue.join(account(name), Prefix::ALL[lane], size, joined) {
                            waiting.insert(joined, (ticket, lane));
                        }
                    }
                    Event::Leave { at } => {
                        if let Some((name, (ticket, _))) = waiting.iter().nth(at % waiting.len().max(1)) {
                            let name = *name;
                            prop_assert_eq!(queue.leave(*ticket), Some(name));
                            prop_assert_eq!(queue.leave(*ticket), None);
                            waiting.remove(&name);
                        }
                    }
                    Event::Shorten { at, size } => {
                        if let Some((_, (ticket, _))) = waiting.iter().nth(at % waiting.len().max(1)) {
                            queue.shorten(*ticket, size);
                        }
                    }
                    Event::Call { lanes } => {
                        let open = |lane: Prefix| lanes & (1 << (lane as u32)) != 0;
                        let next = queue.lane_of_next(open);
                        let called = queue.call(open);
                        match called.and_then(|name| waiting.remove(&name)) {
                            Some((_, lane)) => {
                                prop_assert!(open(Prefix::ALL[lane]));
                                prop_assert_eq!(next, Some(Prefix::ALL[lane]));
                            }
                            None => prop_assert!(
                                called.is_none()
                                    && waiting.values().all(|(_, lane)| !open(Prefix::ALL[*lane]))
                            ),
                        }
                    }
                    Event::Clear { lane } => {
                        let lane = lane % 4;
                        let cleared = queue.clear(Prefix::ALL[lane]);
                        let expected: Vec<usize> =
                            waiting.iter().filter(|(_, (_, of))| *of == lane).map(|(name, _)| *name).collect();
                        prop_assert_eq!(&cleared, &expected);
                        waiting.retain(|_, (_, of)| *of != lane);
                    }
                }
                prop_assert_eq!(queue.len(), waiting.len());
                for (lane, prefix) in Prefix::ALL.iter().enumerate().take(4) {
                    let of_lane = waiting.values().filter(|(_, of)| *of == lane).count();
                    prop_assert_eq!(queue.len_of(*prefix), of_lane);
                }
            }
        }

        /// However many each has waiting, and however long its calls are, between any two turns of one account every other
        /// account that waits has had one.
        #[test]
        fn accounts_that_wait_all_the_time_take_turns(
            counts in proptest::collection::vec((20..60_usize, 1..101_usize), 2..7),
        ) {
            let mut queue = queue();
            for (name, (count, size)) in counts.iter().enumerate() {
                queue.add(name as u128, Prefix::Gb, *size, *count);
            }
            let accounts = counts.len();
            let names: Vec<u128> = (0..accounts * 20).map(|_| queue.turn().0).collect();
            for round in names.chunks(accounts) {
                let different: BTreeSet<&u128> = round.iter().collect();
                prop_assert_eq!(different.len(), accounts, "{:?}", names);
            }
        }

        /// Whatever comes later, and however short its call is, everybody is called in the end.
        #[test]
        fn nobody_waits_for_ever(
            arrivals in proptest::collection::vec((1..5_u128, 1..20_usize), 600),
        ) {
            let mut queue = queue();
            queue.join(account(1), Prefix::Gb, 100, (0, 0)).expect("room");
            // As many come as are served, all of them shorter.
            let called = arrivals.into_iter().position(|(name, size)| {
                queue.join(account(name), Prefix::Gb, size, (name, 1)).expect("room");
                queue.turn() == (0, 0)
            });
            prop_assert!(called.is_some_and(|turns| turns < 4 * 8 * 4 + 64), "{:?}", called);
        }
    }
}
