//! What goes wrong with single lookups: every error of both contracts, and everything else that comes over a wire. After so many
//! faults a number is answered with its truth.

use std::time::Duration;

use rand::{RngExt, rngs::StdRng, seq::SliceRandom};
use registry_simulator::{Answer, Script, Step};
use serde_json::json;

use super::{
    Act,
    truth::{Truth, is_hmrc, number, truth_of},
};

/// Longer than any try may take.
const TOO_LATE: Duration = Duration::from_secs(1);

/// What goes wrong with a lookup.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The registry's error of this code.
    Code(&'static str),
    /// The same with another status and text.
    CodeAs(&'static str, u16, &'static str),
    Html(u16),
    Empty,
    Truncated,
    CutOff,
    Reset,
    Silence,
    /// The truth, later than it is waited for.
    Late,
    /// The truth in pieces, in time.
    InPieces,
    /// The truth in pieces, the last too late.
    InLatePieces,
    /// The opposite of the truth, and an error beside it.
    Contradiction,
    /// The same in the shape of VIES's own page.
    ContradictionOfThePage,
    /// Somebody is registered, but another.
    Another,
    /// Bytes that mean nothing.
    Raw(u16, &'static str),
}

const OF_BOTH: [Fault; 16] = [
    Fault::Html(200),
    Fault::Html(429),
    Fault::Html(500),
    Fault::Html(502),
    Fault::Html(503),
    Fault::Empty,
    Fault::Truncated,
    Fault::CutOff,
    Fault::Reset,
    Fault::Silence,
    Fault::Late,
    Fault::InPieces,
    Fault::InLatePieces,
    Fault::Another,
    Fault::Raw(200, "{}"),
    Fault::Raw(500, r#"{"statusCode":500,"message":"x"}"#),
];

const OF_VIES: [Fault; 21] = [
    Fault::Code("SERVICE_UNAVAILABLE"),
    Fault::Code("MS_UNAVAILABLE"),
    Fault::Code("TIMEOUT"),
    Fault::Code("SERVER_BUSY"),
    Fault::Code("GLOBAL_MAX_CONCURRENT_REQ"),
    Fault::Code("MS_MAX_CONCURRENT_REQ"),
    Fault::Code("VAT_BLOCKED"),
    Fault::Code("INVALID_REQUESTER_INFO"),
    Fault::Code("VOW-ERR-1"),
    Fault::Code("VOW-ERR-11"),
    Fault::Code("VOW-ERR-2500"),
    Fault::Code("VOW-ERR-2700"),
    Fault::Code("VOW-ERR-99"),
    Fault::Code("NEVER_HEARD_OF"),
    Fault::Html(403),
    Fault::Contradiction,
    Fault::ContradictionOfThePage,
    Fault::Raw(200, "[true]"),
    Fault::Raw(200, r#"{"valid":true}"#),
    Fault::Raw(200, r#"{"actionSucceed":false,"errorWrappers":[]}"#),
    Fault::Raw(400, r#"{"valid":false}"#),
];

const OF_HMRC: [Fault; 16] = [
    Fault::Code("INTERNAL_SERVER_ERROR"),
    Fault::Code("INVALID_CREDENTIALS"),
    Fault::Code("UNAUTHORIZED"),
    Fault::Code("MATCHING_RESOURCE_NOT_FOUND"),
    Fault::Code("MESSAGE_THROTTLED_OUT"),
    Fault::Code("NOT_IMPLEMENTED"),
    Fault::Code("SERVER_ERROR"),
    Fault::Code("SCHEDULED_MAINTENANCE"),
    Fault::Code("GATEWAY_TIMEOUT"),
    Fault::Code("NEVER_HEARD_OF"),
    Fault::CodeAs("INVALID_REQUEST", 403, "requesterVrn does not match a registered company"),
    Fault::CodeAs("NOT_FOUND", 400, "not a 404"),
    Fault::CodeAs("NEVER_HEARD_OF", 404, "not this 404"),
    Fault::Html(404),
    Fault::Html(504),
    Fault::Raw(404, "NOT_FOUND"),
];

/// Where HMRC's store fails nobody may be asked without a requester.
const UNKNOWN_REQUESTER: Fault =
    Fault::CodeAs("INVALID_REQUEST", 400, "Invalid requesterVrn - Vrn parameters should be 9 or 12 digits");

/// After these a registry is asked nothing for long.
const GRAVE_OF_VIES: [Fault; 3] = [
    Fault::Code("IP_BLOCKED"),
    Fault::Code("GLOBAL_MAX_CONCURRENT_REQ_TIME"),
    Fault::Code("MS_MAX_CONCURRENT_REQ_TIME"),
];
const GRAVE_OF_HMRC: [Fault; 9] = [
    Fault::Code("MISSING_CREDENTIALS"),
    Fault::Code("INCORRECT_ACCESS_TOKEN_TYPE"),
    Fault::Code("HTTPS_REQUIRED"),
    Fault::Code("RESOURCE_FORBIDDEN"),
    Fault::Code("INVALID_SCOPE"),
    Fault::Code("FORBIDDEN"),
    Fault::Code("METHOD_NOT_ALLOWED"),
    Fault::Code("ACCEPT_HEADER_INVALID"),
    Fault::Html(403),
];
/// One fault of so many is grave.
const GRAVE: u32 = 200;

/// Faults in turn, so that each comes about as often as the others.
struct Pool {
    faults: Vec<Fault>,
    next: usize,
}

impl Pool {
    fn shuffled(faults: impl IntoIterator<Item = Fault>, random: &mut StdRng) -> Self {
        let mut faults: Vec<Fault> = faults.into_iter().collect();
        faults.shuffle(random);
        Self { faults, next: 0 }
    }

    fn next(&mut self) -> Fault {
        self.next += 1;
        self.faults[self.next % self.faults.len()]
    }
}

/// What is drawn from.
pub(super) struct Faults {
    pub(super) act: Act,
    random: StdRng,
    vies: Pool,
    hmrc: Pool,
    grave_of_vies: Pool,
    grave_of_hmrc: Pool,
}

impl Faults {
    pub(super) fn shuffled(mut random: StdRng) -> Self {
        Self {
            act: Act::FailingStore,
            vies: Pool::shuffled(OF_BOTH.into_iter().chain(OF_VIES), &mut random),
            hmrc: Pool::shuffled(OF_BOTH.into_iter().chain(OF_HMRC).chain([UNKNOWN_REQUESTER]), &mut random),
            grave_of_vies: Pool::shuffled(GRAVE_OF_VIES, &mut random),
            grave_of_hmrc: Pool::shuffled(GRAVE_OF_HMRC, &mut random),
            random,
        }
    }

    /// What the registry says of the number in this place: some faults, and then the truth.
    pub(super) fn script(&mut self, place: usize) -> Script {
        let faults = match self.random.random_range(0..20) {
            0..11 => 0,
            11..17 => 1,
            17..19 => 2,
            _ => 3,
        };
        let steps: Vec<Step> = (0..faults).map(|_| self.fault(place).about(place)).collect();
        let mut truth = Step::from(truth_of(place).answer(is_hmrc(place)));
        truth.delay = Duration::from_millis(self.random.random_range(0..40));
        Script::first(steps).then(truth)
    }

    fn fault(&mut self, place: usize) -> Fault {
        let is_grave = self.random.random_ratio(1, GRAVE);
        match (is_hmrc(place), is_grave) {
            (true, true) => self.grave_of_hmrc.next(),
            (false, true) => self.grave_of_vies.next(),
            (false, false) => self.vies.next(),
            (true, false) => match self.hmrc.next() {
                Fault::CodeAs("INVALID_REQUEST", 400, _) if self.act == Act::FailingStore => Fault::Late,
                fault => fault,
            },
        }
    }

    /// How the simulator notes every fault but the grave ones.
    pub(super) fn words() -> Vec<&'static str> {
        let all = OF_BOTH.into_iter().chain(OF_VIES).chain(OF_HMRC).chain([UNKNOWN_REQUESTER]);
        all.filter_map(Fault::word).collect()
    }
}

impl Fault {
    fn about(self, place: usize) -> Step {
        let hmrc = is_hmrc(place);
        let truth = truth_of(place).answer(hmrc);
        let registered = matches!(truth_of(place), Truth::Registered(_));
        let (country, national) = number(place);
        let json = |body: serde_json::Value| Answer::raw(200, "application/json", body.to_string());
        match self {
            Self::Code(code) => Answer::error(code).into(),
            Self::CodeAs(code, status, message) => Answer::Error {
                code: code.to_owned(),
                status: Some(status),
                message: Some(message.to_owned()),
            }
            .into(),
            Self::Html(status) => Answer::html(status).into(),
            Self::Empty => Answer::Empty.into(),
            Self::Truncated => Answer::Truncated.into(),
            Self::CutOff => Answer::CutOff.into(),
            Self::Reset => Answer::Reset.into(),
            Self::Silence => Answer::Silence.into(),
            Self::Late => truth.after(TOO_LATE),
            Self::InPieces => truth.over(TOO_LATE / 20),
            Self::InLatePieces => truth.over(TOO_LATE * 2),
            Self::Contradiction => json(json!({
                "countryCode": country, "vatNumber": national, "valid": !registered, "name": "Somebody",
                "actionSucceed": false, "errorWrappers": [{ "error": "MS_UNAVAILABLE" }],
            }))
            .into(),
            Self::ContradictionOfThePage => json(json!({
                "isValid": !registered, "userError": "MS_UNAVAILABLE", "vatNumber": national, "name": "Somebody",
            }))
            .into(),
            Self::Another if hmrc => json(json!({
                "target": { "name": "Somebody", "vatNumber": "999999999", "address": { "line1": "x" } },
                "processingDate": "2026-09-03T08:41:07+01:00",
            }))
            .into(),
            Self::Another => json(json!({
                "countryCode": country, "vatNumber": "999999999", "valid": !registered, "name": "Somebody",
            }))
            .into(),
            Self::Raw(status, body) => Answer::raw(status, "application/json", body).into(),
        }
    }

    /// How the simulator notes it, where that tells it from everything else.
    const fn word(self) -> Option<&'static str> {
        match self {
            Self::Code(code) | Self::CodeAs(code, ..) => Some(code),
            Self::Html(_) => Some("html"),
            Self::Empty => Some("empty"),
            Self::Truncated => Some("truncated"),
            Self::CutOff => Some("cut off"),
            Self::Contradiction | Self::ContradictionOfThePage | Self::Another | Self::Raw(..) => Some("raw"),
            Self::Reset | Self::Silence | Self::Late | Self::InPieces | Self::InLatePieces => None,
        }
    }
}
