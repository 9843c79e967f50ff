//! VIES and its member states up, down, silent, slow; the status page; the concurrency limits.

use std::time::{Duration, Instant};

use registry_simulator::{Answer, Condition, Ending};
use serde_json::{Value, json};

use crate::support::{FRENCH, GERMAN, IRISH, World, eventually, json_of, vies_codes};

#[tokio::test]
async fn one_member_state_down_leaves_the_others_up() {
    let world = World::start().await;
    world.simulator.vies().set_member_state("DE", Condition::Down);
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["MS_UNAVAILABLE"]);
    assert_eq!(json_of(world.vies_web(GERMAN)).await.1["userError"], "MS_UNAVAILABLE");
    assert_eq!(json_of(world.vies(IRISH)).await.1["valid"], true);
    world.simulator.vies().set_member_state("DE", Condition::Up);
    assert_eq!(json_of(world.vies(GERMAN)).await.1["valid"], true);
}

#[tokio::test]
async fn conditions_of_a_member_state_and_of_vies_as_a_whole() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    let set_state = |condition| vies.set_member_state("DE", condition);
    let set_all = |condition| vies.set_condition(condition);
    for set in [&set_state as &dyn Fn(Condition), &set_all] {
        set(Condition::Html);
        let response = world.vies(GERMAN).send().await.unwrap();
        assert_eq!(response.status(), 503);
        assert!(response.text().await.unwrap().contains("<html"));
        set(Condition::Silent);
        let silent = world.vies(GERMAN).timeout(Duration::from_millis(150)).send().await;
        assert!(silent.unwrap_err().is_timeout());
        set(Condition::Answering(Answer::error("IP_BLOCKED")));
        assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["IP_BLOCKED"]);
        set(Condition::Answering(Answer::NotRegistered));
        let codes = json_of(world.vies(GERMAN)).await.1;
        assert!(vies_codes(&codes)[0].ends_with("_UNAVAILABLE"));
        set(Condition::Unmonitored);
        assert_eq!(json_of(world.vies(GERMAN)).await.1["valid"], true);
        set(Condition::Up);
    }
    set_all(Condition::Down);
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["SERVICE_UNAVAILABLE"]);
    assert_eq!(json_of(world.vies_web(IRISH)).await.1["userError"], "SERVICE_UNAVAILABLE");
}

#[tokio::test]
async fn delays_of_vies_member_state_and_step_add_up() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    vies.set_delay(Duration::from_millis(60));
    vies.set_member_state_delay("DE", Duration::from_millis(60));
    vies.script(GERMAN.0, GERMAN.1, Answer::Usual.after(Duration::from_millis(60)));
    let asked = Instant::now();
    assert_eq!(json_of(world.vies(GERMAN)).await.1["valid"], true);
    assert!(asked.elapsed() >= Duration::from_millis(180));
    assert!(world.simulator.calls()[0].took.unwrap() >= Duration::from_millis(180));
}

async fn availability(world: &World) -> (bool, Vec<(String, String)>) {
    let url = format!("{}/check-status", world.simulator.vies_base_url());
    let (status, body) = json_of(world.client.get(url)).await;
    assert_eq!(status, 200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let countries = body["countries"].as_array().unwrap().iter();
    let countries = countries.map(|entry| (text(&entry["countryCode"]), text(&entry["availability"])));
    (body["vow"]["available"].as_bool().unwrap(), countries.collect())
}

#[tokio::test]
async fn the_status_page_shows_the_switches() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    let (up, countries) = availability(&world).await;
    assert!(up && countries.len() == 28 && countries.iter().all(|(_, state)| state == "Available"));
    vies.set_member_state("DE", Condition::Down);
    vies.set_member_state("EL", Condition::Silent);
    vies.set_member_state("HU", Condition::Unmonitored);
    vies.set_member_state_delay("FR", Duration::from_millis(1));
    let (up, countries) = availability(&world).await;
    assert!(up);
    let unusual: Vec<_> = countries
        .iter()
        .filter(|(_, state)| state != "Available")
        .map(|(country, state)| (country.as_str(), state.as_str()))
        .collect();
    assert_eq!(unusual, [("DE", "Unavailable"), ("EL", "Unavailable"), ("HU", "Monitoring Disabled")]);
    vies.set_condition(Condition::Down);
    let (up, countries) = availability(&world).await;
    assert!(!up && countries.iter().all(|(_, state)| state == "Unavailable"));
    vies.set_condition(Condition::Html);
    let url = format!("{}/check-status", world.simulator.vies_base_url());
    assert_eq!(world.client.get(&url).send().await.unwrap().status(), 503);
    vies.set_condition(Condition::Silent);
    let silent = world.client.get(&url).timeout(Duration::from_millis(150)).send().await;
    assert!(silent.unwrap_err().is_timeout());
}

/// Keeps lookups in flight by silence, then asks once more.
async fn one_more_than(world: &World, kept: &[(&'static str, &'static str)], asked: (&str, &str)) -> Value {
    for &(country, number) in kept {
        world.simulator.vies().script(country, number, Answer::Silence);
        let request = world.vies((country, number));
        tokio::spawn(request.send());
    }
    let all_there = || world.simulator.vies().in_flight() == kept.len();
    eventually("the kept lookups arrive", all_there).await;
    json_of(world.vies(asked)).await.1
}

#[tokio::test]
async fn too_many_lookups_of_one_member_state_are_refused() {
    let world = World::start().await;
    world.simulator.vies().set_limit_per_member_state(Some(2));
    let kept = [("DE", "136695976"), ("DE", "111111125")];
    let body = one_more_than(&world, &kept, GERMAN).await;
    assert_eq!(vies_codes(&body), ["MS_MAX_CONCURRENT_REQ"]);
    assert_eq!(json_of(world.vies(FRENCH)).await.1["valid"], true);
    let vies = world.simulator.vies();
    assert_eq!((vies.refusals(), vies.refusals_of("DE"), vies.refusals_of("FR")), (1, 1, 0));
    assert_eq!(
        (vies.peak_in_flight_of("DE"), vies.peak_in_flight_of("FR"), vies.peak_in_flight()),
        (3, 1, 3)
    );
    let last = world.simulator.calls_about(GERMAN.0, GERMAN.1).remove(0);
    assert_eq!((last.ending, last.in_flight_at_start), (Ending::Status(200), 2));
    vies.set_limit_per_member_state(None);
    assert_eq!(json_of(world.vies(GERMAN)).await.1["valid"], true);
}

#[tokio::test]
async fn too_many_lookups_of_vies_as_a_whole_are_refused() {
    let world = World::start().await;
    world.simulator.vies().set_limit(Some(2));
    let kept = [GERMAN, IRISH];
    let body = one_more_than(&world, &kept, FRENCH).await;
    assert_eq!(vies_codes(&body), ["GLOBAL_MAX_CONCURRENT_REQ"]);
    assert_eq!(json_of(world.vies_web(FRENCH)).await.1["userError"], "GLOBAL_MAX_CONCURRENT_REQ");
    assert_eq!((world.simulator.vies().refusals(), world.simulator.vies().refusals_of("FR")), (2, 0));
    // The status page is no lookup.
    assert!(availability(&world).await.0);
    world.simulator.vies().set_limit(None);
    let (_, body) = json_of(world.vies(FRENCH)).await;
    assert_eq!(body["valid"], json!(true));
}
