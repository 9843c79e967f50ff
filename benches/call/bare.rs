//! What the product is measured against: an axum server that parses the request and answers a result of the product's
//! shape for each number, and nothing else. A process of its own: this program, started with an argument.

use std::{
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr},
    process::{Child, Command, Stdio},
};

use axum::{Json, Router, routing::post, serve::ListenerExt};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use crate::{
    cores::Cores,
    generator::Target,
    registry::{JOINED_ADDRESS, NAME},
};

const ARGUMENT: &str = "serve-bare";

/// The bare server's process; ended when dropped.
pub struct Bare {
    child: Child,
    address: SocketAddr,
}

impl Bare {
    pub fn start(cores: Cores) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(ARGUMENT);
        let mut child = cores.for_a_server(command).stdout(Stdio::piped()).spawn().expect("starts");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("is piped");
        BufReader::new(output).read_line(&mut line).expect("says where it listens");
        Self { child, address: line.trim_end().parse().expect("an address") }
    }

    pub fn target(&self) -> Target {
        Target { address: self.address, process_id: self.child.id() }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Whether this process was started to be the bare server.
pub fn is_asked_for() -> bool {
    std::env::args().nth(1).is_some_and(|argument| argument == ARGUMENT)
}

/// On the kind of runtime that the product has.
#[tokio::main]
pub async fn serve() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    let listener = listener.tap_io(|stream| {
        // As the product does; a delay at worst.
        let _delayed_at_worst = stream.set_nodelay(true);
    });
    let router = Router::new().route("/v1/verify-vat", post(verify_vat));
    axum::serve(listener, router).await.expect("serves");
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    vat_numbers: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    results: Vec<Outcome>,
}

/// The members of the product's result for a valid number.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    country_code: String,
    vat_number: String,
    valid: bool,
    status: &'static str,
    business_name: &'static str,
    address: &'static str,
    timestamp: &'static str,
    routing: &'static str,
    source: &'static str,
    reverse_charge_eligible: bool,
    reverse_charge_reason: &'static str,
}

async fn verify_vat(Json(call): Json<Call>) -> Json<Answer> {
    let results = call.vat_numbers.into_iter().map(|vat_number| Outcome {
        country_code: vat_number.chars().take(2).collect(),
        vat_number,
        valid: true,
        status: "valid",
        business_name: NAME,
        address: JOINED_ADDRESS,
        timestamp: "2026-09-03T08:41:07.412Z",
        routing: "European Commission VIES API",
        source: "cache",
        reverse_charge_eligible: true,
        reverse_charge_reason: "supplier_country_not_given",
    });
    Json(Answer { results: results.collect() })
}
