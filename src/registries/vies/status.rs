//! What VIES says of itself and its member states.

use serde::Deserialize;
use vat::Prefix;

use crate::{registries::body::Body, verification::registry::Trouble};

/// What VIES says of itself. It may lag reality: good for showing, never a reason not to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViesStatus {
    /// Whether VIES as a whole answers.
    pub available: bool,
    /// The member states it names, those unknown to us left out.
    pub member_states: Vec<(Prefix, MemberStateAvailability)>,
}

/// What VIES says of a member state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberStateAvailability {
    /// It answers.
    Available,
    /// It does not.
    Unavailable,
    /// Not watched, or a word we do not know: ask and see.
    Unknown,
}

#[derive(Deserialize)]
struct StatusReply {
    vow: Vow,
    countries: Vec<Country>,
}

#[derive(Deserialize)]
struct Vow {
    available: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Country {
    country_code: String,
    availability: String,
}

/// Reads the availability of VIES and its member states.
pub(super) fn read_status(body: &Body) -> Result<ViesStatus, Trouble> {
    let reply: StatusReply =
        body.json().filter(|_| body.status.is_success()).ok_or_else(|| body.unreadable())?;
    let member_states = reply
        .countries
        .iter()
        .filter_map(|country| {
            let availability = match country.availability.as_str() {
                "Available" => MemberStateAvailability::Available,
                "Unavailable" => MemberStateAvailability::Unavailable,
                _ => MemberStateAvailability::Unknown,
            };
            Some((Prefix::from_code(&country.country_code)?, availability))
        })
        .collect();
    Ok(ViesStatus { available: reply.vow.available, member_states })
}
