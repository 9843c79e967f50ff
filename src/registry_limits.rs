//! The limits of registries, counted over all instances: the gateway's ports on what `limits` shares, so that neither knows the
//! other. Each process counts for itself too, and so knows what it has when Redis goes away. Then it begins nothing for a moment,
//! in which what others have begun is over or nearly so, and from then on keeps to its share, by how many instances there were.
//! When Redis is back, the share holds besides until the others must have noticed as well.
//!
//! With more instances than there are lookups in a second, or places, the shares are a little more than there is.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use metrics::counter;
use tokio::time::Instant;
use vat::Prefix;

use crate::{
    limits::{Away, LOOK_AGAIN, Lease, Leases, Sharing, Spacing, Taken},
    verification::gateway::{
        CATCH_UP, Full, HeldPlace, MemoryPacer, MemoryPlaces, MostPlaces, Pace, SharedPacer, SharedPlaces,
    },
};

/// After Redis has gone nothing is begun for so long: what others began last is out of the second that HMRC counts.
const QUIET: Duration = Duration::from_secs(1);
/// So long after Redis has come back, everybody has noticed.
const ALL_KNOW: Duration = Duration::from_secs(3);
/// Over the time of a try: a place whose holder was killed is free again.
const LEASE_MARGIN: Duration = Duration::from_secs(2);

/// Paces the lookups of all instances.
pub struct PacerOfAll {
    name: &'static str,
    here: MemoryPacer,
    sharing: Sharing,
    everywhere: Spacing,
    /// When Redis was asked about the latest.
    asked: Mutex<Option<Instant>>,
}

impl PacerOfAll {
    /// The pacer of the registry with this name.
    #[must_use]
    pub fn new(sharing: Sharing, name: &'static str) -> Self {
        let everywhere = Spacing::new(sharing.clone(), name, CATCH_UP);
        Self { name, here: MemoryPacer::default(), sharing, everywhere, asked: Mutex::default() }
    }

    fn set_asked(&self, asked: Option<Instant>) -> Option<Instant> {
        std::mem::replace(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner), asked)
    }
}

#[async_trait]
impl SharedPacer for PacerOfAll {
    async fn begin(&self, pace: Pace) -> Result<(), Duration> {
        let parts = self.sharing.parts(ALL_KNOW);
        self.here.begin(parts.map_or(pace, |parts| pace.share(parts))).await?;
        let asked = Instant::now();
        match self.everywhere.begin(pace.interval()).await {
            Ok(Ok(())) => {
                self.set_asked(Some(asked));
                Ok(())
            }
            Ok(Err(wait)) => {
                self.here.give_back();
                Err(wait)
            }
            Err(away) => {
                self.here.give_back();
                if let Some(rest) = quiet_for(away) {
                    return Err(rest);
                }
                self.here.begin(pace.share(away.instances)).await?;
                self.set_asked(None);
                count_alone(self.name);
                Ok(())
            }
        }
    }

    fn begun(&self) {
        self.here.begun();
        if self.set_asked(None).is_some_and(|asked| asked.elapsed() > CATCH_UP) {
            self.everywhere.is_late();
        }
    }

    fn give_back(&self) {
        self.here.give_back();
        if self.set_asked(None).is_some() {
            self.everywhere.give_back();
        }
    }
}

/// Counts the places that all instances have taken.
pub struct PlacesOfAll {
    name: &'static str,
    here: MemoryPlaces,
    sharing: Sharing,
    everywhere: Arc<Leases>,
    /// What was begun without Redis is over then.
    settling: Duration,
}

impl PlacesOfAll {
    /// The places at the registry with this name, where a try takes at most so long.
    #[must_use]
    pub fn new(sharing: Sharing, name: &'static str, try_limit: Duration) -> Self {
        let lasting = try_limit + LEASE_MARGIN;
        Self {
            name,
            here: MemoryPlaces::default(),
            everywhere: Leases::new(sharing.clone(), name, lasting),
            sharing,
            settling: try_limit + ALL_KNOW,
        }
    }
}

/// A place here, and everywhere unless Redis was away.
struct Place {
    _here: HeldPlace,
    _everywhere: Option<Lease>,
}

#[async_trait]
impl SharedPlaces for PlacesOfAll {
    async fn take(&self, lane: Prefix, most: MostPlaces) -> Result<HeldPlace, Full> {
        let parts = self.sharing.parts(self.settling);
        let here = self.here.take(lane, parts.map_or(most, |parts| most.share(parts))).await?;
        match self.everywhere.take(lane.as_str(), most.of_lane, most.in_all).await {
            Ok(Taken::Lease(lease)) => Ok(Box::new(Place { _here: here, _everywhere: Some(lease) })),
            Ok(Taken::GroupIsFull) => Err(Full::Lane { look_again: LOOK_AGAIN }),
            Ok(Taken::AllIsFull) => Err(Full::All { look_again: LOOK_AGAIN }),
            Err(away) => {
                drop(here);
                if let Some(look_again) = quiet_for(away) {
                    return Err(Full::All { look_again });
                }
                let here = self.here.take(lane, most.share(away.instances)).await?;
                count_alone(self.name);
                Ok(Box::new(Place { _here: here, _everywhere: None }))
            }
        }
    }
}

/// How much of the quiet is left.
fn quiet_for(away: Away) -> Option<Duration> {
    QUIET.checked_sub(away.since.elapsed()).filter(|rest| !rest.is_zero())
}

fn count_alone(registry: &'static str) {
    counter!("crossvat_registry_turns_alone_total", "registry" => registry).increment(1);
}
