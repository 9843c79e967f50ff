//! VIES's SOAP service, as far as libraries of others ask it: each question is passed on to the simulator's REST service, so
//! that the same limits hold and the same is refused. Nothing of the product needs it.

use std::{net::Ipv4Addr, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderName, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::{get, post},
};
use registry_simulator::Simulator;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::support::http_client;

/// What VIES says of the service; `{host}` stands for where it is.
const DESCRIPTION: &str = include_str!("../peers/checkVatService.wsdl");
const XML: [(HeaderName, &str); 1] = [(CONTENT_TYPE, "text/xml; charset=utf-8")];

/// A running service; ended when dropped.
pub struct SoapService {
    url: String,
    serving: JoinHandle<()>,
}

struct Passing {
    description: String,
    /// Where questions go.
    rest: String,
    http: reqwest::Client,
}

impl SoapService {
    /// In front of `simulator`.
    pub async fn start(simulator: &Simulator) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let passing = Passing {
            description: DESCRIPTION.replace("{host}", &url),
            rest: format!("{}/check-vat-number", simulator.vies_base_url()),
            http: http_client(),
        };
        let router = Router::new()
            .route("/taxation_customs/vies/checkVatService.wsdl", get(describe))
            .route("/taxation_customs/vies/services/checkVatService", post(check_vat))
            .with_state(Arc::new(passing));
        let serving = tokio::spawn(async { axum::serve(listener, router).await.expect("serves") });
        Self { url, serving }
    }

    /// What stands before the paths that VIES has.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for SoapService {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn describe(State(passing): State<Arc<Passing>>) -> impl IntoResponse {
    (XML, passing.description.clone())
}

async fn check_vat(State(passing): State<Arc<Passing>>, question: String) -> impl IntoResponse {
    let (country, number) = (element(&question, "countryCode"), element(&question, "vatNumber"));
    let question = json!({ "countryCode": country, "vatNumber": number });
    let request = passing.http.post(&passing.rest).json(&question);
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    let body = match answer["valid"].as_bool() {
        Some(valid) => {
            let date = &text(&answer["requestDate"])[..10];
            let (name, address) = (text(&answer["name"]), text(&answer["address"]));
            format!(
                "<ns2:checkVatResponse xmlns:ns2=\"urn:ec.europa.eu:taxud:vies:services:checkVat:types\">\
                 <ns2:countryCode>{country}</ns2:countryCode><ns2:vatNumber>{number}</ns2:vatNumber>\
                 <ns2:requestDate>{date}+01:00</ns2:requestDate><ns2:valid>{valid}</ns2:valid>\
                 <ns2:name>{name}</ns2:name><ns2:address>{address}</ns2:address></ns2:checkVatResponse>"
            )
        }
        // With the status of an answer, as VIES says it too.
        None => format!(
            "<env:Fault><faultcode>env:Server</faultcode><faultstring>{}</faultstring></env:Fault>",
            text(&answer["errorWrappers"][0]["error"])
        ),
    };
    let envelope = format!(
        "<env:Envelope xmlns:env=\"http://schemas.xmlsoap.org/soap/envelope/\"><env:Header/>\
         <env:Body>{body}</env:Body></env:Envelope>"
    );
    (XML, envelope)
}

/// What stands in the first element of this local name, whatever its prefix.
fn element<'a>(xml: &'a str, name: &str) -> &'a str {
    let opened = xml.split_once(&format!("{name}>")).map(|(_, rest)| rest);
    opened.and_then(|rest| rest.split_once('<')).map_or("", |(text, _)| text)
}

/// A text of the simulator's as XML.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().replace('&', "&amp;").replace('<', "&lt;")
}
