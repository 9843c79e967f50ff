//! What goes wrong with registries as a whole, one thing after the other.

use std::time::Duration;

use rand::{RngExt, rngs::StdRng};
use registry_simulator::{Answer, Condition, Script, Simulator};
use tokio::time::sleep;

use super::{Act, Storm};

const STATES: [&str; 8] = ["DE", "PL", "IT", "DK", "EL", "PT", "EE", "XI"];
const LATENCY: Duration = Duration::from_millis(5);

pub(super) async fn until_it_is_over(storm: &Storm, act: Act, mut random: StdRng) {
    while !storm.is_over() {
        turns(storm, act, &mut random).await;
        is_fine(storm.registries());
        if random.random_bool(0.5) {
            // Somebody of the staff has looked into it.
            storm.simulator.close_breakers();
        }
        sleep(Duration::from_millis(random.random_range(100..400))).await;
    }
}

/// One thing goes wrong, for a moment.
async fn turns(storm: &Storm, act: Act, random: &mut StdRng) {
    let registries = storm.registries();
    let (vies, hmrc) = (registries.vies(), registries.hmrc());
    let out = [Condition::Down, Condition::Silent, Condition::Html][random.random_range(0..3)].clone();
    match random.random_range(0..10) {
        0 | 1 => {
            for _ in 0..random.random_range(1..4) {
                vies.set_member_state(STATES[random.random_range(0..STATES.len())], out.clone());
            }
        }
        2 => vies.set_condition(out),
        3 => hmrc.set_condition(out),
        4 => hmrc.revoke_tokens(),
        5 => {
            let says = [
                Answer::error("server_error"),
                Answer::error("invalid_client"),
                Answer::html(503),
                Answer::raw(429, "application/json", "{}"),
                Answer::Empty,
                Answer::Truncated,
                Answer::CutOff,
                Answer::Reset,
                Answer::Silence,
            ];
            let says = says[random.random_range(0..says.len())].clone();
            hmrc.script_tokens(Script::first([says.clone(), says]));
            hmrc.revoke_tokens();
        }
        6 => hmrc.set_calls_per_second(Some(10)),
        7 => {
            vies.set_limit(Some(5));
            vies.set_limit_per_member_state(Some(2));
        }
        8 => {
            vies.set_delay(Duration::from_millis(random.random_range(50..400)));
            hmrc.set_delay(Duration::from_millis(random.random_range(50..300)));
        }
        _ if act == Act::FailingStore => hmrc.set_backend_failing(true),
        _ => {
            // Tokens end, and what was answered is too old.
            hmrc.set_token_lifetime(Duration::from_secs(1));
            storm.simulator.clock.advance(Duration::from_mins(70));
        }
    }
    sleep(Duration::from_millis(random.random_range(100..400))).await;
}

/// All is as it was at the start.
pub(super) fn is_fine(registries: &Simulator) {
    let (vies, hmrc) = (registries.vies(), registries.hmrc());
    for state in STATES {
        vies.set_member_state(state, Condition::Up);
    }
    vies.set_condition(Condition::Up);
    vies.set_delay(LATENCY);
    vies.set_limit(Some(16));
    vies.set_limit_per_member_state(Some(6));
    hmrc.set_condition(Condition::Up);
    hmrc.set_delay(LATENCY);
    hmrc.set_calls_per_second(Some(40));
    hmrc.set_backend_failing(false);
    hmrc.script_tokens(Script::from(Answer::Usual));
    hmrc.set_token_lifetime(Duration::from_hours(4));
}
